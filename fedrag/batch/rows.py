"""The questions of a file: one JSON object a line, or a table with a header.

A row that cannot be used is kept as a :class:`BadRow`, in its place, and stops no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain, count
from pathlib import Path
from typing import Literal

import orjson

from fedrag.batch.fields import SHOWN, RowError, own_id, pins_of, readable, shown, text_of
from fedrag.batch.table import Cells, table_rows
from fedrag.errors import ConfigError

__all__ = ["BadRow", "Batch", "Form", "Row", "RowError", "form_of", "read_rows"]

Form = Literal["jsonl", "csv"]
FIELDS = ("question", "id", "entities", "template")
_SUFFIXES: Mapping[str, Form] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One question as the file has it.

    :ivar id: its own; else its number, or ``row-2`` and the like where another row has that as id.
    :ivar number: the line of the file in which it begins, from 1.
    :ivar pins: mention → CURIE, over what the recogniser would find.
    """

    id: str | int
    number: int
    question: str
    pins: Mapping[str, str] = field(default_factory=dict)
    template: str | None = None


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be asked, and why. ``question`` is its text where that could be read."""

    id: str | int
    number: int
    error: RowError
    question: str | None = None


@dataclass(frozen=True)
class Batch:
    """The rows of a file in its order, and what a reader should be told of the file."""

    rows: tuple[Row | BadRow, ...]
    notes: tuple[str, ...] = ()


def form_of(name: str, content: bytes) -> Form:
    """Whether a file is JSON lines or a table: by its name, else by how it begins.

    >>> form_of("questions.csv", b""), form_of("-", b' {"question": "?"}')
    ('csv', 'jsonl')
    """
    known = _SUFFIXES.get(Path(name).suffix.lower())
    if known:
        return known
    return "jsonl" if content.lstrip()[:1] in (b"{", b"[") else "csv"


def read_rows(
    content: bytes,
    name: str,
    *,
    pins: Mapping[str, str] | None = None,
    template: str | None = None,
) -> Batch:
    """The rows of a file's content.

    :param name: the file's name, for its form (:func:`form_of`) and for messages.
    :param pins: for every row; a row's own go over them.
    :param template: for every row that names none.
    :raises ConfigError: nothing in it can be read: no question, no such column, not UTF-8.

    >>> batch = read_rows(b'{"question": "What does imatinib target?"}', "q.jsonl")
    >>> batch.rows[0].id, batch.rows[0].question
    (1, 'What does imatinib target?')
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(f"{name} is UTF-16", hint="save it as UTF-8")
    read = _json_lines if form_of(name, content) == "jsonl" else table_rows
    other: dict[str, None] = {}
    unnamed: set[int] = set()
    found = list(_rows(read(content, name), other, unnamed, pins or {}, template))
    rows = list(_once(_named(found, unnamed)))
    if not rows:
        raise ConfigError(
            f"{name} holds no question",
            hint='write one a line: {"question": "…"}, or a CSV with a column "question"',
        )
    return Batch(tuple(rows), _notes(name, other))


def _json_lines(content: bytes, name: str) -> Iterator[tuple[int, Cells | str]]:
    del name  # every line stands for itself
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not (line := line.strip()):
            continue
        try:
            cells = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            yield number, f"is no JSON: {error}"
            continue
        yield number, cells if isinstance(cells, dict) else f"is no object: {shown(cells)}"


def _rows(
    read: Iterable[tuple[int, Cells | str]],
    other: dict[str, None],
    unnamed: set[int],
    pins: Mapping[str, str],
    template: str | None,
) -> Iterator[Row | BadRow]:
    """Rows from what was read; ``other`` gets the names of fields that are not used, ``unnamed``
    the numbers of rows that have no id of their own."""
    for number, cells in read:
        if isinstance(cells, str):
            unnamed.add(number)
            hint = 'a row is one line, like {"question": "…"}, or a line under a CSV header'
            yield BadRow(number, number, RowError(f"row {number} {cells}", hint=hint))
            continue
        other.update(dict.fromkeys(str(key) for key in cells if key not in FIELDS))
        row, named = _row(number, cells, pins, template)
        if not named:
            unnamed.add(number)
        yield row


def _row(
    number: int, cells: Cells, pins: Mapping[str, str], template: str | None
) -> tuple[Row | BadRow, bool]:
    """The row, and whether it has an id of its own."""
    given: str | int = number
    named = False
    question = cells.get("question")
    told = readable(question)[:SHOWN] if isinstance(question, str) else None
    try:
        if (called := own_id(number, cells.get("id"))) is not None:
            given, named = called, True
        own = pins_of(number, cells.get("entities"))
        text = text_of(number, "question", question)
        wanted = text_of(number, "template", cells["template"]) if cells.get("template") else None
    except RowError as error:
        return BadRow(given, number, error, told), named
    return Row(given, number, text, {**pins, **own}, wanted or template), named


def _named(rows: Sequence[Row | BadRow], unnamed: Set[int]) -> Iterator[Row | BadRow]:
    """The rows; a number that stands in for an id gives way to a row that has it as its own.

    What it becomes depends on the ids of the file alone, so that ``--resume`` finds it again.
    """
    taken = {str(row.id) for row in rows if row.number not in unnamed}
    for row in rows:
        if row.number in unnamed and str(row.number) in taken:
            row = replace(row, id=_free(row.number, taken))
        yield row


def _free(number: int, taken: Set[str]) -> str:
    told = f"row-{number}"
    others = (f"{told}-{n}" for n in count(2))
    return next(one for one in chain([told], others) if one not in taken)


def _once(rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
    """The rows; the second and later ones of an id are bad."""
    seen: dict[str, int] = {}
    for row in rows:
        # A bad row takes no id from another, which can be asked.
        bad = isinstance(row, BadRow)
        first = row.number if bad else seen.setdefault(str(row.id), row.number)
        if first == row.number:
            yield row
            continue
        error = RowError(
            f"row {row.number} has the id of row {first}: {row.id}",
            hint="give each row an id of its own, or none",
        )
        yield BadRow(row.id, row.number, error, row.question)


def _notes(name: str, other: Iterable[str]) -> tuple[str, ...]:
    """One line on fields that are not read, so that a misspelt one is not lost in silence."""
    told = []
    for key in other:
        near = get_close_matches(key.lower(), FIELDS, n=1, cutoff=0.8)
        told.append(readable(f"{key[:40]} (is it {near[0]}?)" if near else key[:40]))
    if not told:
        return ()
    more = f" and {len(told) - 8} more" if len(told) > 8 else ""
    return (f"{name}: not read: {', '.join(told[:8])}{more}",)
