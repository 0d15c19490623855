"""An answer written down whole, and read back: equal to the answer that was given.

The documented JSON form leaves out what a program does not need, first of all the edges that did
not come onto the page. This one drops nothing, and writes an edge once however often it is used.
It is read by the types of :mod:`fedrag.datamodel`, so a field added later has its default, and one
that is gone is passed over.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import orjson

from fedrag.datamodel import Answer, Edge

__all__ = ["edge_of", "read_answer", "write_answer"]

Reader = Callable[[Any], Any]
_OPTIONS = orjson.OPT_NON_STR_KEYS


def write_answer(answer: Answer) -> bytes:
    """The answer as JSON on one line: ``edges`` once each, and ``answer`` that names them by place.

    >>> import fedrag
    >>> answer = fedrag.ask("what are the targets of imatinib?", replay="demo", log=False)
    >>> read_answer(write_answer(answer)) == answer
    True
    """
    edges = list(answer.all_edges)
    place = {id(edge): number for number, edge in enumerate(edges)}

    def placed(edge: Edge) -> int:
        if id(edge) not in place:
            place[id(edge)] = len(edges)
            edges.append(edge)
        return place[id(edge)]

    flat = {field.name: getattr(answer, field.name) for field in fields(Answer)}
    flat["all_edges"] = list(range(len(edges)))
    flat["evidence"] = [
        {field.name: getattr(item, field.name) for field in fields(item)}
        | {"edges": [placed(edge) for edge in item.edges]}
        for item in answer.evidence
    ]
    flat["timings"], flat["recorded"] = dict(answer.timings), dict(answer.recorded)
    return orjson.dumps({"answer": flat, "edges": edges}, option=_OPTIONS)


def read_answer(text: bytes) -> Answer:
    """The answer that :func:`write_answer` wrote.

    :raises ValueError: it is not one (``TypeError``, ``KeyError``, ``IndexError`` too).
    """
    document = orjson.loads(text)
    edges = [_reader(Edge)(edge) for edge in document["edges"]]
    flat = dict(document["answer"])
    numbers = flat["all_edges"]
    flat["all_edges"] = []
    pages = [item["edges"] for item in flat["evidence"]]
    flat["evidence"] = [item | {"edges": []} for item in flat["evidence"]]
    answer: Answer = _reader(Answer)(flat)
    evidence = tuple(
        replace(item, edges=tuple(edges[number] for number in page))
        for item, page in zip(answer.evidence, pages, strict=True)
    )
    return replace(answer, all_edges=tuple(edges[n] for n in numbers), evidence=evidence)


def edge_of(text: bytes, edge_id: str) -> Edge | None:
    """One edge of a written answer, or ``None``; the others are not built."""
    for edge in orjson.loads(text)["edges"]:
        if edge["id"] == edge_id:
            return cast(Edge, _reader(Edge)(edge))
    return None


# --- readers made of the datamodel's own types --------------------------------------------------


@cache
def _reader(kind: Any) -> Reader:
    """What turns plain JSON into a value of this type."""
    if is_dataclass(kind):
        return _dataclass_reader(cast(type, kind))
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple_reader(inner)
    if origin in (Union, types.UnionType):
        return _optional_reader([one for one in inner if one is not type(None)])
    if origin is Mapping or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return lambda value: dict(value)
    return lambda value: value


def _dataclass_reader(kind: type) -> Reader:
    hints = get_type_hints(kind)
    readers: dict[str, Reader] = {}

    def read(value: Any) -> Any:
        if not readers:  # late: a type may hold itself
            readers.update({field.name: _reader(hints[field.name]) for field in fields(kind)})
        return kind(**{key: readers[key](one) for key, one in value.items() if key in readers})

    return read


def _tuple_reader(inner: tuple[Any, ...]) -> Reader:
    if len(inner) == 2 and inner[1] is Ellipsis:
        one = _reader(inner[0])
        return lambda value: tuple([one(item) for item in value])
    parts = [_reader(kind) for kind in inner]
    return lambda value: tuple([r(item) for r, item in zip(parts, value, strict=True)])


def _optional_reader(kinds: list[Any]) -> Reader:
    one = _reader(kinds[0]) if len(kinds) == 1 else lambda value: value
    return lambda value: None if value is None else one(value)
