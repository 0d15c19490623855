"""Texts from outside, made fit for a page: cleaned, linked, shortened. All of them stay escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from fedrag.export.json import publication_url
from fedrag.export.lines import printable

__all__ = [
    "clean",
    "keyed",
    "lead_and_list",
    "plain_name",
    "safe_url",
    "short_url",
    "source_url",
    "value_text",
]

_CITED = re.compile(r"\[E\d[^\[\]]*\]")
_KEY = re.compile(r"E\d+")
_LABEL, _VALUE = 44, 300  # characters of an address, of a value
_NUMBERED = re.compile(r"(\d+)\.\s+(.+)")


def clean(value: object) -> object:
    """Texts without what no page may hold: controls, half characters, turned directions.

    Anything but plain text is left as it is.

    >>> clean("a\\x00b\\u202ec")
    'abc'
    """
    if isinstance(value, Markup) or not isinstance(value, str) or value.isprintable():
        return value
    return printable(value)


def keyed(text: str, known: Collection[str]) -> Markup:
    """A text of the answer whose keys are links to their evidence.

    Brackets and commas stay in the text and are not shown where a style sheet is at work: a key's
    own look stands for them.

    >>> keyed("a <b> [E1]", ["E1"])
    Markup('a &lt;b&gt; <span class="cite"><i>[</i><a class="key" href="#E1">E1</a><i>]</i></span>')
    """

    def cited(found: re.Match[str]) -> str:
        if not set(_KEY.findall(found[0])) <= set(known):
            return _KEY.sub(lambda key: _key(key[0], known), found[0])
        parts = (_key(part, known) if _KEY.fullmatch(part) else f"<i>{part}</i>"
                 for part in re.split(r"(E\d+)", found[0]) if part)  # fmt: skip
        return f'<span class="cite">{"".join(parts)}</span>'

    return Markup(_CITED.sub(cited, str(escape(clean(text)))))  # noqa: S704 - escaped just now


def _key(key: str, known: Collection[str]) -> str:
    return f'<a class="key" href="#{key}">{key}</a>' if key in known else key


def lead_and_list(text: str) -> list[tuple[str, str]]:
    """The lines of an answer: ``("", line)``, or its number and the rest where it is of a list.

    >>> lead_and_list("Two are known:\\n1. ABL1 [E1]")
    [('', 'Two are known:'), ('1', 'ABL1 [E1]')]
    """
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [
        (found[1], found[2]) if (found := _NUMBERED.fullmatch(line)) else ("", line)
        for line in lines
    ]


def plain_name(name: str) -> str:
    """A Biolink name or an infores as people read it.

    >>> plain_name("biolink:in_clinical_trials_for"), plain_name("infores:chembl")
    ('in clinical trials for', 'chembl')
    """
    return name.removeprefix("biolink:").removeprefix("infores:").replace("_", " ")


def value_text(value: Any) -> str:
    """What an attribute holds, as text of at most 300 characters.

    >>> value_text(["DB1", 2]), value_text({"phase": 3})
    ('DB1, 2', '{"phase": 3}')
    """
    if isinstance(value, list | tuple):
        text = ", ".join(map(value_text, value))
    else:
        text = json.dumps(value, default=str) if isinstance(value, dict) else str(value)
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 1]}…"


def safe_url(url: str | None) -> str | None:
    """The address where it is http(s), else None: a source may send any string.

    >>> safe_url("javascript:alert(1)") is None
    True
    """
    try:
        scheme = urlsplit(url or "").scheme
    except ValueError:  # "http://[" is no address
        return None
    return url if scheme in ("http", "https") else None


def short_url(url: str) -> str:
    """An address as a label: without its scheme, cut where it is long.

    >>> short_url("https://www.ebi.ac.uk/chembl/")
    'ebi.ac.uk/chembl'
    """
    bare = re.sub(r"^https?://(www\.)?", "", url).rstrip("/")
    return bare if len(bare) <= _LABEL else f"{bare[: _LABEL - 1]}…"


def source_url(publication: str) -> str | None:
    """Where a publication can be read, where that is known and an address of the web.

    >>> source_url("PMID:15774254")
    'https://pubmed.ncbi.nlm.nih.gov/15774254/'
    """
    return safe_url(publication_url(publication))
