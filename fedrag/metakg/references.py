"""What a document's ``$ref`` entries stand for, and where in the document that is written.

Only references into the document itself (``#/...``) are followed: an address in a document is
never fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["BadReference", "Place", "resolve"]

Place = tuple[str | int, ...]
_LONGEST_CHAIN = 8


class BadReference(Exception):
    """A reference that leads nowhere, outside, or round in a circle."""


def resolve(document: Mapping[str, Any], value: Any, place: Place) -> tuple[Any, Place]:
    """A value, or what its ``$ref`` leads to, and the place where that stands.

    :raises BadReference: with the reason in words.

    >>> document = {"components": {"a": {"b": 1}}}
    >>> resolve(document, {"$ref": "#/components/a"}, ("paths",))
    ({'b': 1}, ('components', 'a'))
    """
    for _ in range(_LONGEST_CHAIN):
        if not isinstance(value, Mapping) or "$ref" not in value:
            return value, place
        value, place = _target(document, value["$ref"])
    raise BadReference(f"{'/'.join(map(str, place))} refers to itself")


def _target(document: Mapping[str, Any], reference: Any) -> tuple[Any, Place]:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        raise BadReference(f"{reference!r} is not a reference into this document (#/...)")
    target: Any = document
    place: list[str | int] = []
    for step in reference[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and name.isdecimal() and int(name) < len(target):
            place.append(int(name))
            target = target[int(name)]
        else:
            place.append(name)
            target = target.get(name) if isinstance(target, Mapping) else None
        if target is None:
            raise BadReference(f"{reference} leads nowhere")
    return target, tuple(place)
