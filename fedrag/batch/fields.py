"""The fields of one row of a file of questions: what they may be, and what is wrong with one."""

from __future__ import annotations

from typing import Any

from fedrag.errors import ConfigError

__all__ = ["SHOWN", "RowError", "own_id", "pins_of", "readable", "shown", "text_of"]

_LONGEST = 100_000  # characters of one field; a question has 2,000 at most
SHOWN = 500  # characters of an id, and of the text of a row that cannot be asked
_PINNED = 'write {"imatinib": "CHEBI:45783"}, or in a table imatinib=CHEBI:45783; KIT=NCBIGene:3815'


class RowError(ConfigError):
    """A row of a file of questions cannot be used; the other rows can."""


def own_id(number: int, value: Any) -> str | int | None:
    """The row's own id, if it has one.

    :raises RowError: it is neither text nor number, or too long.
    """
    if isinstance(value, str):
        value = readable(value.strip()) or None
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RowError(f"row {number}: id must be a text or a number, not {shown(value)}")
    if isinstance(value, str) and len(value) > SHOWN:
        raise RowError(f"row {number}: id has {len(value):,} characters, more than {SHOWN}")
    return value


def readable(text: str) -> str:
    """The text with what is not UTF-8 replaced, so that it can be written."""
    return text.encode("utf-8", "replace").decode()


def shown(value: Any) -> str:
    """The beginning of a value, for a message."""
    return readable(repr(value)[:60])


def text_of(number: int, name: str, value: Any) -> str:
    """A field that must be a text, without the blanks around it.

    :raises RowError: it is missing, of another type, too long, or not UTF-8.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        raise RowError(f"row {number} has no {name}")
    if not isinstance(value, str):
        raise RowError(f"row {number}: {name} must be a text, not {shown(value)}")
    if len(value) > _LONGEST:
        raise RowError(f"row {number}: {name} has {len(value):,} characters")
    if readable(value) != value:
        raise RowError(f"row {number}: {name} is not UTF-8", hint="save the file as UTF-8")
    return value.strip()


def pins_of(number: int, value: Any) -> dict[str, str]:
    """What mentions mean: an object, or a text like ``imatinib=CHEBI:45783; KIT=NCBIGene:3815``.

    :raises RowError: it is no such mapping, or of more than 100 mentions.
    """
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        parts = (part.rpartition("=") for part in value.split(";") if part.strip())
        value = {mention.strip(): curie.strip() for mention, _, curie in parts}
    if not isinstance(value, dict) or len(value) > 100:
        raise RowError(f"row {number}: entities must map mentions to CURIEs", hint=_PINNED)
    for mention, curie in value.items():
        if not mention or not isinstance(curie, str) or not curie.strip():
            told = f"{shown(mention)} = {shown(curie)}"
            raise RowError(f"row {number}: entities has no mention = CURIE: {told}", hint=_PINNED)
        text_of(number, "entities", mention)
        text_of(number, "entities", curie)
    return value
