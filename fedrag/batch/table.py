"""A table of questions: CSV or TSV with a header, as spreadsheets write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fedrag.errors import ConfigError

__all__ = ["Cells", "table_rows"]

Cells = Mapping[str, Any]
_DELIMITERS = ",;\t"


def table_rows(content: bytes, name: str) -> Iterator[tuple[int, Cells | str]]:
    """The line each row begins in, and its cells by column, or what is wrong with the row.

    The delimiter is the one of ``,``, ``;`` and tab that gives a column ``question``. Blank lines
    are passed over.

    :raises ConfigError: there is no such column, or it is there twice.

    >>> list(table_rows(b"question;id\\nWhat causes gout?;g\\n", "q.csv"))
    [(2, {'question': 'What causes gout?', 'id': 'g'})]
    """
    # What is not UTF-8 goes on as surrogates, so that it costs its own row alone.
    text = content.decode("utf-8", "surrogateescape")
    lines = _records(text, _delimiter(text, name))
    for _, cells in lines:
        if isinstance(cells, list):
            header = _header(cells, name)
            break
    else:
        return
    for number, cells in lines:
        if isinstance(cells, str):
            yield number, cells
        elif len(cells) > len(header):
            yield number, f"has {len(cells)} cells under {len(header)} columns"
        else:
            yield number, dict(zip(header, cells, strict=False))


def _delimiter(text: str, name: str) -> str:
    for delimiter in _DELIMITERS:
        for _, cells in _records(text, delimiter):
            if isinstance(cells, list) and "question" in _lower(cells):
                return delimiter
            break
    if not text.strip():
        return ","
    first = text.strip().splitlines()[0][:80].encode("utf-8", "replace").decode()
    raise ConfigError(
        f'{name} has no column "question": its first line is {first!r}',
        hint="the first line of a CSV names the columns: question, and id, entities, template",
    )


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Where each record begins, and its cells, or why it is none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            lines = reader.line_num + 1 - begins
            upto = f" (it goes on for {lines} lines: is a quote not closed?)" if lines > 1 else ""
            yield begins, f"is no CSV: {error}{upto}"
            continue
        if any(cell.strip() for cell in cells):
            yield begins, cells


def _lower(cells: Sequence[str]) -> list[str]:
    return [cell.strip().lower() for cell in cells]


def _header(cells: Sequence[str], name: str) -> list[str]:
    header = _lower(cells)
    for column in header:
        if column and header.count(column) > 1:
            raise ConfigError(f"{name} has two columns {column!r}", hint="rename one of them")
    return header
