"""An :class:`~fedrag.datamodel.Answer` in other forms; :data:`FORMS` has them all by name."""

from fedrag.export.citations import answer_to_bibtex, answer_to_pmids, answer_to_ris
from fedrag.export.forms import FORMS, Form, render, to_json
from fedrag.export.frames import answer_to_dataframe, answer_to_networkx
from fedrag.export.html import answer_to_html
from fedrag.export.json import (
    SCHEMA_VERSION,
    answer_to_dict,
    entity_to_dict,
    plan_to_dict,
)
from fedrag.export.kgx import answer_to_kgx
from fedrag.export.network import answer_to_cytoscape, answer_to_graphml
from fedrag.export.page import answer_to_page
from fedrag.export.tables import answer_to_csv, answer_to_tsv
from fedrag.export.text import answer_to_text, services_table
from fedrag.export.trapi import answer_to_trapi

__all__ = [
    "FORMS",
    "Form",
    "SCHEMA_VERSION",
    "answer_to_bibtex",
    "answer_to_csv",
    "answer_to_cytoscape",
    "answer_to_dataframe",
    "answer_to_dict",
    "answer_to_graphml",
    "answer_to_html",
    "answer_to_kgx",
    "answer_to_networkx",
    "answer_to_page",
    "answer_to_pmids",
    "answer_to_ris",
    "answer_to_text",
    "answer_to_trapi",
    "answer_to_tsv",
    "entity_to_dict",
    "plan_to_dict",
    "render",
    "services_table",
    "to_json",
]
