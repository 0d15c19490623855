"""The questions of a file: one JSON object a line, or a table with a header.

A row that cannot be used is kept as a :class:`BadRow`, in its place, and stops no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import orjson

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
_LONGEST = 100_000  # characters of one field; a question has 2,000 at most
_SHOWN = 500  # characters of an id, and of the text of a row that cannot be asked


class RowError(ConfigError):
    """A row of a file of questions cannot be used; the other rows can."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question as the file has it.

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
    rows = list(_once(_rows(read(content, name), other, pins or {}, template)))
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
        yield number, cells if isinstance(cells, dict) else f"is no object: {_shown(cells)}"


def _rows(
    read: Iterable[tuple[int, Cells | str]],
    other: dict[str, None],
    pins: Mapping[str, str],
    template: str | None,
) -> Iterator[Row | BadRow]:
    """Rows from what was read; ``other`` gets the names of fields that are not used."""
    for number, cells in read:
        if isinstance(cells, str):
            hint = 'a row is one line, like {"question": "…"}, or a line under a CSV header'
            yield BadRow(number, number, RowError(f"row {number} {cells}", hint=hint))
            continue
        other.update(dict.fromkeys(str(key) for key in cells if key not in FIELDS))
        yield _row(number, cells, pins, template)


def _row(number: int, cells: Cells, pins: Mapping[str, str], template: str | None) -> Row | BadRow:
    given: str | int = number
    question = cells.get("question")
    shown = _readable(question)[:_SHOWN] if isinstance(question, str) else None
    try:
        given = _id(number, cells.get("id"))
        own = _pins(number, cells.get("entities"))
        text = _text(number, "question", question)
        wanted = _text(number, "template", cells["template"]) if cells.get("template") else None
    except RowError as error:
        return BadRow(given, number, error, shown)
    return Row(given, number, text, {**pins, **own}, wanted or template)


def _id(number: int, value: Any) -> str | int:
    """The row's own id, else its number."""
    if isinstance(value, str):
        value = _readable(value.strip()) or None
    if value is None:
        return number
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RowError(f"row {number}: id must be a text or a number, not {_shown(value)}")
    if isinstance(value, str) and len(value) > _SHOWN:
        raise RowError(f"row {number}: id has {len(value):,} characters, more than {_SHOWN}")
    return value


def _readable(text: str) -> str:
    """The text with what is not UTF-8 replaced, so that it can be written."""
    return text.encode("utf-8", "replace").decode()


def _shown(value: Any) -> str:
    return _readable(repr(value)[:60])


def _text(number: int, name: str, value: Any) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        raise RowError(f"row {number} has no {name}")
    if not isinstance(value, str):
        raise RowError(f"row {number}: {name} must be a text, not {_shown(value)}")
    if len(value) > _LONGEST:
        raise RowError(f"row {number}: {name} has {len(value):,} characters")
    if _readable(value) != value:
        raise RowError(f"row {number}: {name} is not UTF-8", hint="save the file as UTF-8")
    return value.strip()


def _pins(number: int, value: Any) -> dict[str, str]:
    """What mentions mean: an object, or a text like ``imatinib=CHEBI:45783; KIT=NCBIGene:3815``."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        parts = (part.rpartition("=") for part in value.split(";") if part.strip())
        value = {mention.strip(): curie.strip() for mention, _, curie in parts}
    if not isinstance(value, dict) or len(value) > 100:
        raise RowError(f"row {number}: entities must map mentions to CURIEs", hint=_PINNED)
    for mention, curie in value.items():
        if not mention or not isinstance(curie, str) or not curie.strip():
            told = f"{_shown(mention)} = {_shown(curie)}"
            raise RowError(f"row {number}: entities has no mention = CURIE: {told}", hint=_PINNED)
        _text(number, "entities", mention)
        _text(number, "entities", curie)
    return value


_PINNED = 'write {"imatinib": "CHEBI:45783"}, or in a table imatinib=CHEBI:45783; KIT=NCBIGene:3815'


def _once(rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
    """The rows; the second and later ones of an id are bad."""
    seen: dict[str, int] = {}
    for row in rows:
        # A bad row takes no id from another: its own may be no more than its number.
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
        told.append(_readable(f"{key[:40]} (is it {near[0]}?)" if near else key[:40]))
    if not told:
        return ()
    more = f" and {len(told) - 8} more" if len(told) > 8 else ""
    return (f"{name}: not read: {', '.join(told[:8])}{more}",)
