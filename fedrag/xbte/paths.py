"""Dot paths into JSON: read one, go through the arrays on it, keep what belongs together together.

Reading follows JSONata's path semantics, which the response mappings of real documents rely on:
arrays on the way are gone through, what they hold is put into one list, a list of one is that one;
but an array that exactly one node holds at the last step is kept as it is.

A :class:`Plan` pairs: it goes along one path (the anchor, in a mapping that of the output's
identifier) and reads every other path from the deepest element the two have in common. So each
disease of a CIViC variant has the publications of its own evidence, whatever else is mapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

__all__ = [
    "MISSING",
    "Path",
    "Plan",
    "as_path",
    "nodes",
    "plan",
    "read",
    "rows",
    "scalars",
    "shared",
]

Path = tuple[str, ...]
MISSING: Final[Any] = object()  # null is a value, absence is none
_DEPTH = 32  # arrays in arrays deeper than this hold nothing


def as_path(text: str) -> Path:
    """The keys of a dot path; of an empty one, none."""
    return tuple(text.split(".")) if text else ()


def read(node: Any, keys: Path) -> Any:
    """What stands at a path, ``MISSING`` where nothing does.

    >>> read({"a": [{"b": 1}, {"b": [2, 3]}, {}]}, ("a", "b"))
    [1, 2, 3]
    >>> read({"a": [{"b": [1]}]}, ("a", "b")), read({"a": [{"b": 1}]}, ("a", "b"))
    ([1], 1)
    """
    for position, key in enumerate(keys):
        if type(node) is dict:
            node = node.get(key, MISSING)
        elif type(node) is list:
            return _through(node, keys[position:])
        else:
            return MISSING
    return node


def _through(elements: list[Any], keys: Path) -> Any:
    items = nodes(elements, keys[:-1])
    key = keys[-1]
    found = [item[key] for item in items if type(item) is dict and key in item]
    if len(found) == 1:
        return found[0]
    flat: list[Any] = []
    for value in found:
        if type(value) is list:
            flat.extend(value)
        else:
            flat.append(value)
    if not flat:
        return MISSING
    return flat[0] if len(flat) == 1 else flat


def nodes(node: Any, keys: Path) -> list[Any]:
    """Every node at a path, the arrays on it and at its end gone through.

    >>> nodes({"a": [{"b": [1, [2]]}, {"b": None}, 7]}, ("a", "b"))
    [1, 2, None]
    """
    items: list[Any] = node if type(node) is list else [node]
    if list in map(type, items):
        items = _flat(items)
    for key in keys:
        found: list[Any] = []
        for item in items:
            if type(item) is dict:
                value = item.get(key, MISSING)
                if type(value) is list:
                    found += _flat(value) if list in map(type, value) else value
                elif value is not MISSING:
                    found.append(value)
        items = found
    return items


def _flat(values: list[Any], depth: int = 0) -> list[Any]:
    """The elements of arrays in arrays."""
    found: list[Any] = []
    for value in values:
        if type(value) is not list:
            found.append(value)
        elif depth < _DEPTH:
            found += _flat(value, depth + 1)
    return found


def scalars(value: Any) -> list[Any]:
    """The strings and numbers in a value, arrays gone through; objects and nulls are left out.

    >>> scalars(["a", [1, None], {"b": 2}, ""])
    ['a', 1, '']
    """
    if type(value) is list:
        return [v for v in nodes(value, ()) if v is not None and type(v) is not dict]
    return [] if value is None or value is MISSING or type(value) is dict else [value]


def shared(one: Path, other: Path) -> int:
    """How many keys two paths have in common at their beginning."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


@dataclass(frozen=True, slots=True)
class _Stage:
    """At one depth of the anchor: what is read there, and the keys to the next stage."""

    slots: tuple[tuple[int, Path], ...]
    keys: Path


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows are made of an answer; see :func:`plan`."""

    stages: tuple[_Stage, ...]
    size: int


def plan(anchor: Path, paths: Sequence[Path]) -> Plan:
    """Go along ``anchor``, and read each of ``paths`` from the deepest element shared with it."""
    depths = [shared(anchor, path) for path in paths]
    stops = sorted({0, len(anchor), *depths})
    stages = [
        _Stage(
            tuple((slot, paths[slot][stop:]) for slot, d in enumerate(depths) if d == stop),
            anchor[stop:following],
        )
        for stop, following in zip(stops, [*stops[1:], len(anchor)], strict=True)
    ]
    return Plan(tuple(stages), len(paths))


def rows(made: Plan, root: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Each value at the anchor's end, and what the other paths hold for it, in their order.

    The list of values is the same object each time: use it before asking for the next row.

    >>> evidence = [{"disease": {"doid": d}, "pmid": p} for d, p in ((1, 7), (2, 8))]
    >>> made = plan(("e", "disease", "doid"), [("e", "pmid"), ("_id",)])
    >>> [(leaf, list(values)) for leaf, values in rows(made, {"_id": "x", "e": evidence})]
    [(1, [7, 'x']), (2, [8, 'x'])]
    """
    return _descend(made.stages, 0, root, [MISSING] * made.size)


def _descend(
    stages: tuple[_Stage, ...], position: int, node: Any, values: list[Any]
) -> Iterator[tuple[Any, list[Any]]]:
    stage = stages[position]
    for slot, rest in stage.slots:
        values[slot] = read(node, rest)
    following = stages[position + 1 :]
    if not following:
        yield node, values
        return
    children = nodes(node, stage.keys)
    if len(following) == 1 and not following[0].slots:
        for child in children:
            yield child, values
        return
    for child in children:
        yield from _descend(stages, position + 1, child, values)
