"""The retrieved edges as a table, one edge a line: tab-separated or comma-separated."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from fedrag.datamodel import Answer
from fedrag.export.lines import one_line
from fedrag.export.rows import COLUMNS, edge_rows

__all__ = ["answer_to_csv", "answer_to_tsv", "flat"]

# What a spreadsheet takes for the start of a formula; the last three are their full-width twins.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def answer_to_tsv(answer: Answer) -> str:
    """All retrieved edges, a header line first; ``key`` is filled where the page cites the edge.

    A cell holds no tab and no line end; one with a quotation mark is quoted, as table readers
    expect. Lists are joined by ``|``, qualifiers are ``type=value``. A cell that a spreadsheet
    would run as a formula begins with an apostrophe.
    """
    return _written(answer, "excel-tab")


def answer_to_csv(answer: Answer) -> str:
    """The same table, comma-separated and quoted as RFC 4180 has it; lines end in ``\\n``."""
    return _written(answer, "excel")


def _written(answer: Answer, dialect: str) -> str:
    out = io.StringIO()
    csv.writer(out, dialect=dialect, lineterminator="\n").writerows(_table(answer))
    return out.getvalue()


def flat(value: Any) -> str:
    """A value of a row as one text.

    >>> flat(("PMID:1", "PMID:2")), flat({"aspect": "activity"}), flat(False)
    ('PMID:1|PMID:2', 'aspect=activity', 'false')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "|".join(f"{key}={item}" for key, item in value.items())
    return "|".join(value) if isinstance(value, tuple) else str(value)


def _table(answer: Answer) -> Iterator[tuple[str, ...]]:
    yield COLUMNS
    for row in edge_rows(answer):
        yield tuple(_cell(flat(row[name])) for name in COLUMNS)


def _cell(value: str) -> str:
    """On one line; a leading sign that a spreadsheet would run as a formula is quoted."""
    value = one_line(value)
    return f"'{value}" if value.lstrip("\"' ").startswith(_FORMULA) else value
