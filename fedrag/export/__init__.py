"""An :class:`~fedrag.datamodel.Answer` in other forms: JSON, text, TSV, TRAPI, HTML."""

from fedrag.export.html import answer_to_html
from fedrag.export.json import (
    SCHEMA_VERSION,
    answer_to_dict,
    entity_to_dict,
    plan_to_dict,
)
from fedrag.export.text import answer_to_text, services_table
from fedrag.export.trapi import answer_to_trapi
from fedrag.export.tsv import answer_to_tsv

__all__ = [
    "SCHEMA_VERSION",
    "answer_to_dict",
    "answer_to_html",
    "answer_to_text",
    "answer_to_trapi",
    "answer_to_tsv",
    "entity_to_dict",
    "plan_to_dict",
    "services_table",
]
