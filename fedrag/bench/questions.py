"""Question files: this project's own (one JSON object a line) and the published CSV files.

A row that cannot be used is refused by its number and its reason; the others are read.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import orjson

from fedrag.bench.csvfile import BadRow, checked_curie, kind_of_header, published_rows
from fedrag.bench.model import Gold, Kind, Question, Thing
from fedrag.errors import ConfigError

__all__ = ["Refused", "read_questions", "write_questions"]

_HINT = "give a file that `fedrag bench build` wrote, or one of the published CSV files"
_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not read.

    :ivar row: its number from 1; of a CSV file without the header, of a ``.jsonl`` file its line.
    :ivar id: the row's own identifier, where it tells one.
    """

    row: int
    id: str | None
    reason: str

    def __str__(self) -> str:
        named = f" ({self.id})" if self.id else ""
        return f"row {self.row}{named} was left out: {self.reason}"


def read_questions(path: Path, kind: Kind | None = None) -> tuple[list[Question], list[Refused]]:
    """The questions of a file, and the rows that were refused.

    :param kind: the set it should be of; ``None``: whatever it is.
    :raises ConfigError: it cannot be read, is no question file, lacks a column, is of another set,
        or no row of it can be used.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", hint=_HINT) from error
    refused: list[Refused] = []

    def refuse(row: int, name: str | None, reason: str) -> None:
        refused.append(Refused(row, name, reason))

    if path.suffix == ".jsonl" or text.lstrip().startswith("{"):
        questions = _json_lines(text, refuse)
    else:
        # Not splitlines: a quoted cell may hold a line break, and a text U+2028.
        lines = io.StringIO(text, newline="")
        header = next(csv.reader([lines.readline()]), [])
        lines.seek(0)
        questions = _distinctly(published_rows(lines, kind_of_header(header, str(path)), refuse))
    _check(path, kind, questions, refused)
    return questions, refused


def _check(
    path: Path, kind: Kind | None, questions: list[Question], refused: list[Refused]
) -> None:
    if not questions:
        why = f"; {refused[0]}" if refused else ""
        raise ConfigError(f"{path} holds no question that can be used{why}", hint=_HINT)
    others = {question.kind for question in questions} - {kind}
    if kind is not None and others:
        raise ConfigError(
            f"{path} holds {' and '.join(sorted(others))} questions, not {kind} questions",
            hint="name the set that the file is of",
        )


def _distinctly(questions: Iterable[Question]) -> list[Question]:
    """Two questions of one identifier: the second gets a number."""
    seen: Counter[str] = Counter()
    made = []
    for question in questions:
        seen[question.id] += 1
        if (number := seen[question.id]) > 1:
            question = replace(question, id=f"{question.id}-{number}")
        made.append(question)
    return made


def _json_lines(text: str, refuse: Callable[[int, str | None, str], None]) -> list[Question]:
    found: dict[str, Question] = {}
    # Not splitlines: a text may hold U+2028, which JSON leaves as it is.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        name = None
        try:
            raw = _object(line)
            name = raw.get("id") if isinstance(raw.get("id"), str) else None
            question = _question(raw)
            if question.id in found:
                raise BadRow("its id is that of an earlier row")
        except BadRow as error:
            refuse(number, name, str(error))
            continue
        found[question.id] = question
    return list(found.values())


def _object(line: str) -> Mapping[str, Any]:
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadRow(f"it is not JSON ({error})") from error
    if not isinstance(raw, dict):
        raise BadRow("it is not a JSON object")
    return raw


def _question(raw: Mapping[str, Any]) -> Question:
    kind = raw.get("kind")
    if kind not in _KINDS:
        raise BadRow(f"kind is {kind!r}, none of {', '.join(_KINDS)}")
    golds = tuple(_gold(one) for one in _listed(raw, "golds"))
    if not golds:
        raise BadRow("it has no gold")
    alternatives = raw.get("alternatives", 1)
    if not isinstance(alternatives, int):
        raise BadRow("alternatives is not a whole number")
    return Question(
        id=_text(raw, "id"),
        kind=kind,
        text=_text(raw, "text"),
        golds=golds,
        drug=None if raw.get("drug") is None else _thing(raw, "drug"),
        disease=_thing(raw, "disease"),
        process=None if raw.get("process") is None else _thing(raw, "process"),
        published=_texts(raw, "published"),
        records=_texts(raw, "records"),
        drug_key=_text(raw, "drug_key") if raw.get("drug_key") else "",
        alternatives=alternatives,
    )


def _thing(raw: Mapping[str, Any], key: str) -> Thing:
    thing = raw.get(key)
    if not isinstance(thing, dict):
        raise BadRow(f"{key} is missing, or is not an object")
    return Thing(_text(thing, "name"), _curies(thing))


def _gold(raw: Any) -> Gold:
    if not isinstance(raw, dict):
        raise BadRow("a gold is not an object")
    return Gold(_text(raw, "name"), _curies(raw), _texts(raw, "synonyms"))


def _curies(raw: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(checked_curie(text) for text in _texts(raw, "identifiers"))


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadRow(f"{key} is missing, or is no text")
    return value


def _texts(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = _listed(raw, key)
    if not all(isinstance(value, str) for value in values):
        raise BadRow(f"{key} is no list of texts")
    return tuple(values)


def _listed(raw: Mapping[str, Any], key: str) -> list[Any]:
    values = raw.get(key, [])
    if not isinstance(values, list):
        raise BadRow(f"{key} is no list")
    return values


def write_questions(path: Path, questions: Iterable[Question]) -> None:
    """Write a ``.jsonl`` file, whole or not at all.

    :raises ConfigError: it cannot be written.
    """
    lines = b"".join(orjson.dumps(q.to_dict(), option=orjson.OPT_APPEND_NEWLINE) for q in questions)
    half = path.with_name(f".{path.name}.half")
    try:
        half.write_bytes(lines)
        os.replace(half, path)
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}: {error.strerror}", hint="check the folder and the space on it"
        ) from error
