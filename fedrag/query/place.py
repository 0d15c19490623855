"""Where in a query something is wrong: ``message.query_graph.nodes.n0.ids[2]``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from fedrag.errors import ConfigError

__all__ = [
    "Place",
    "check_characters",
    "clipped",
    "flag_at",
    "list_at",
    "mapping_at",
    "nearest",
    "refuse",
    "shown",
    "text_at",
]

Place = tuple[str | int, ...]
_SHOWN = 60  # characters of a wrong value that a message repeats


def shown(place: Place) -> str:
    """A place as it is written for people.

    >>> shown(("query_graph", "nodes", "n0", "ids", 2))
    'query_graph.nodes.n0.ids[2]'
    """
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in place]
    return "".join(steps).removeprefix(".")


def refuse(place: Place, message: str, hint: str | None = None) -> ConfigError:
    """The error that names the place; to be raised."""
    return ConfigError(f"{shown(place)}: {message}" if place else message, hint=hint)


def mapping_at(value: Any, place: Place) -> Mapping[str, Any]:
    """The JSON object at a place; null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise refuse(place, f"must be an object, not {_kind(value)}")
    return value


def list_at(value: Any, place: Place) -> list[Any]:
    """The JSON array at a place; null is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise refuse(place, f"must be a list, not {_kind(value)}")
    return value


def text_at(value: Any, place: Place) -> str:
    """The text at a place; it may not be empty."""
    if not isinstance(value, str) or not value.strip():
        raise refuse(place, f"must be a text, not {_kind(value)}")
    return value


def flag_at(value: Any, place: Place) -> bool:
    """The JSON boolean at a place; null is false."""
    if value is not None and not isinstance(value, bool):
        raise refuse(place, f"must be true or false, not {_kind(value)}")
    return value is True


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return clipped(value)


def clipped(value: Any) -> str:
    """A wrong value as a message repeats it, not longer than a line.

    >>> clipped("x")
    "'x'"
    """
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def check_characters(payload: Any, name: str) -> None:
    """Refuse a lone surrogate anywhere: JSON can spell one, and no text can be written with it."""
    try:
        json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        told = "half a character (a surrogate without its other half), which no text can hold"
        raise ConfigError(f"{name} holds {told}: {error.object[error.start]!r}") from error


def nearest(name: str, known: Iterable[str], prefix: str = "") -> str | None:
    """A hint that names what was probably meant.

    >>> nearest("Gen", ["biolink:Gene", "biolink:Drug"], "biolink:")
    'did you mean biolink:Gene?'
    """
    by_bare = {one.removeprefix(prefix).lower().replace("_", ""): one for one in known}
    bare = name.removeprefix(prefix).lower().replace("_", "").replace(" ", "")
    close = difflib.get_close_matches(bare, by_bare, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(by_bare[one] for one in close)}?" if close else None
