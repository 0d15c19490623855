"""Every form an answer can be written in, under the name that the command line gives it.

The command line, the web service and the page read this registry; a new form is one more entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

import orjson

from fedrag.datamodel import Answer
from fedrag.errors import ConfigError
from fedrag.export.citations import answer_to_bibtex, answer_to_pmids, answer_to_ris
from fedrag.export.json import answer_to_dict
from fedrag.export.kgx import answer_to_kgx
from fedrag.export.lines import printable
from fedrag.export.network import answer_to_cytoscape, answer_to_graphml
from fedrag.export.page import answer_to_page
from fedrag.export.tables import answer_to_csv, answer_to_tsv
from fedrag.export.text import answer_to_text
from fedrag.export.trapi import answer_to_trapi

__all__ = ["FORMS", "Form", "render", "to_json"]

# A terminal obeys these even inside a JSON string; some readers end a line at the last two.
_CONTROLS = re.compile("[\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Form:
    """One form of an answer.

    :ivar media_type: what HTTP calls it, with its charset where it is text.
    :ivar suffix: what a file of it ends in, with the dot.
    :ivar write: the answer in this form; ends in a line end unless it is empty.
    """

    media_type: str
    suffix: str
    write: Callable[[Answer], str]


def to_json(value: Any) -> str:
    """Indented JSON on lines of its own, safe for a terminal.

    >>> to_json({"name": "a\\x9bb"})
    '{\\n  "name": "a\\\\u009bb"\\n}\\n'
    """
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()
    return _CONTROLS.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"


def _json(make: Callable[[Answer], Mapping[str, Any]]) -> Callable[[Answer], str]:
    return lambda answer: to_json(make(answer))


_JSON = "application/json"
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "text": Form(
            "text/plain; charset=utf-8", ".txt", lambda answer: printable(answer_to_text(answer))
        ),
        "json": Form(_JSON, ".json", _json(answer_to_dict)),
        "tsv": Form("text/tab-separated-values; charset=utf-8", ".tsv", answer_to_tsv),
        "csv": Form("text/csv; charset=utf-8", ".csv", answer_to_csv),
        "trapi": Form(_JSON, ".trapi.json", _json(answer_to_trapi)),
        "kgx": Form(_JSON, ".kgx.json", _json(answer_to_kgx)),
        "cytoscape": Form(_JSON, ".cyjs", _json(answer_to_cytoscape)),
        "graphml": Form("application/xml", ".graphml", answer_to_graphml),
        "html": Form("text/html; charset=utf-8", ".html", answer_to_page),
        "ris": Form("application/x-research-info-systems", ".ris", answer_to_ris),
        "bibtex": Form("application/x-bibtex; charset=utf-8", ".bib", answer_to_bibtex),
        "pmids": Form(
            "text/plain; charset=utf-8",
            ".pmids.txt",
            lambda answer: "".join(f"{pmid}\n" for pmid in answer_to_pmids(answer)),
        ),
    }
)


def render(answer: Answer, name: str) -> str:
    """The answer in the form of this name.

    :raises ConfigError: there is no such form.

    >>> import fedrag
    >>> asked = fedrag.ask("Which drugs treat Fabry disease?", replay="demo")
    >>> render(asked, "csv").splitlines()[0][:24]
    'key,id,subject,subject_n'
    """
    if name not in FORMS:
        near = get_close_matches(name, FORMS, n=1)
        meant = f"; is it {near[0]}?" if near else ""
        raise ConfigError(f"there is no form {name!r}{meant}", hint=f"forms: {', '.join(FORMS)}")
    return FORMS[name].write(answer)
