"""The x-bte annotations of a document: each with its path, and where it is written.

Read as real documents write them (SmartAPI's x-bte manual and the 79 documents of the registry):
``x-bte-kgs-operations`` of a path's ``get``, then ``post``, is a list of references or operations;
a reference leads to one operation or a list of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fedrag.metakg.references import BadReference, Place, resolve

__all__ = ["Annotation", "Flaw", "path_parameters", "read_annotations"]

_KEY = "x-bte-kgs-operations"
_BRACED = re.compile(r"\{([^{}]+)\}")
_METHODS = ("get", "post")


@dataclass(frozen=True, slots=True)
class Flaw:
    """An annotation that cannot be used, and where it is in the document.

    ``operation`` is its id. ``fatal`` is False where nothing is lost that is written in the
    language of today.
    """

    place: Place
    message: str
    operation: str = ""
    fatal: bool = True


@dataclass(frozen=True, slots=True)
class Annotation:
    """One operation as a document writes it. ``id`` is its own within the document."""

    id: str
    method: str
    path: str
    place: Place  # where it is written, which need not be under its path
    value: Mapping[str, Any]
    path_parameters: tuple[str, ...]


def read_annotations(document: Mapping[str, Any], flaws: list[Flaw]) -> Iterator[Annotation]:
    """All annotations in the order of the document; what is none is told in ``flaws``."""
    names: dict[str, int] = {}
    for method, path, call in calls(document):
        listed = call.get(_KEY)
        place: Place = ("paths", path, method, _KEY)
        if isinstance(listed, Mapping):
            told = "the operations are a mapping (an old form, which is not read), not a list"
            flaws.append(Flaw(place, told, fatal=False))
        elif listed is not None and not isinstance(listed, list):
            flaws.append(Flaw(place, f"the operations must be a list, not {listed!r:.80}"))
        if not isinstance(listed, list):
            continue
        parameters = path_parameters(document, path, call)
        for position, entry in enumerate(listed):
            name = _own_name(f"{method} {path} {_name(entry, position)}", names)
            for number, value, where in _resolved(document, entry, (*place, position), name, flaws):
                numbered = name if number == 0 else f"{name}.{number}"
                yield Annotation(numbered, method, path, where, value, parameters)


def calls(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Method, path and description of every call that a document describes."""
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, Mapping) else ():
        for method in _METHODS:
            call = item.get(method) if isinstance(item, Mapping) else None
            if isinstance(call, Mapping):
                yield method, str(path), call


def path_parameters(
    document: Mapping[str, Any], path: str, call: Mapping[str, Any]
) -> tuple[str, ...]:
    """The names of the parameters ``in: path`` of a call and of its path.

    What the registry hands out lacks what parameters refer to, so names in braces count too.
    """
    item = document["paths"][path]
    listed = [one for told in (call, item) for one in _listed(told.get("parameters"))]
    found: dict[str, None] = {}
    for entry in listed:
        try:
            parameter, _ = resolve(document, entry, ())
        except BadReference:
            continue
        if isinstance(parameter, Mapping) and parameter.get("in") == "path":
            found[str(parameter.get("name"))] = None
    return tuple(found | dict.fromkeys(_BRACED.findall(path)))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _name(entry: Any, position: int) -> str:
    """What people call an operation: the last word of its reference, else its position."""
    reference = entry.get("$ref") if isinstance(entry, Mapping) else None
    return str(reference).rpartition("/")[2] if reference else str(position)


def _own_name(name: str, names: dict[str, int]) -> str:
    names[name] = names.get(name, 0) + 1
    return name if names[name] == 1 else f"{name} ({names[name]})"


def _resolved(
    document: Mapping[str, Any], entry: Any, place: Place, name: str, flaws: list[Flaw]
) -> Iterator[tuple[int, Mapping[str, Any], Place]]:
    """What an entry stands for: itself, or what its reference leads to (an operation or a list)."""
    try:
        value, where = resolve(document, entry, place)
    except BadReference as error:
        flaws.append(Flaw(place, str(error), name))
        return
    inside = isinstance(value, list)
    for number, inner in enumerate(value if isinstance(value, list) else [value]):
        try:
            one, at = resolve(document, inner, (*where, number) if inside else where)
        except BadReference as error:
            flaws.append(Flaw((*where, number), str(error), name))
            continue
        if isinstance(one, Mapping):
            yield number, one, at
        else:
            told = "holds nothing" if one is None else f"is {one!r:.80}"
            flaws.append(Flaw(at, f"an operation must be a mapping; this {told}", name))
