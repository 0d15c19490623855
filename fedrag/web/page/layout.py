"""Where the nodes of a small graph stand: in columns from the given ends, always the same way.

The question's own nodes are at the two sides and what links them in between, so that a path reads
from left to right. Within a column nodes stand near their neighbours (barycentres, a few sweeps),
ties by name: the same graph has the same picture.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Placed", "columns_of", "place"]

_TALL = 15  # nodes of a column; more stand in several columns side by side
_SWEEPS = 6

Neighbours = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a node stands: its column, and its row in it, which may lie between two others."""

    column: int
    row: float


def place(
    nodes: Sequence[str], pairs: Sequence[tuple[str, str]], given: Sequence[str]
) -> dict[str, Placed]:
    """A place for every node, rows counted from the top of the tallest column.

    :param nodes: keys, in an order of their own that settles ties.
    :param pairs: which are linked; a pair of a node that is not there is an error (``KeyError``).
    :param given: the nodes of the question: the first stands left, the others right.

    >>> place(["drug", "gene"], [("drug", "gene")], ["drug"])["gene"]
    Placed(column=1, row=0.0)
    """
    near = _neighbours(nodes, pairs)
    columns = _ordered([list(column) for column in columns_of(nodes, near, given)], near)
    slim = [part for column in columns for part in _split(column)]
    tallest = max((len(part) for part in slim), default=0)
    return {
        node: Placed(number, row + (tallest - len(part)) / 2 + _shift(part, number, slim))
        for number, part in enumerate(slim)
        for row, node in enumerate(part)
    }


def columns_of(nodes: Sequence[str], near: Neighbours, given: Sequence[str]) -> list[list[str]]:
    """Nodes by column: by distance from one given node, or by where they lie between two.

    What no given node reaches comes after them, in steps from the most linked of it.

    >>> near = {"a": ["x"], "x": ["a", "b"], "b": ["x"]}
    >>> columns_of(["a", "b", "x"], near, ["a", "b"])
    [['a'], ['x'], ['b']]
    """
    known = [node for node in given if node in near] or list(nodes[:1])
    left = _distances(known[:1], near)
    right = _distances(known[1:], near)
    place_of = {
        node: _between(left.get(node), right.get(node)) if right else float(left[node])
        for node in nodes
        if node in left or node in right
    }
    place_of |= _apart(nodes, near, place_of)
    steps = sorted(set(place_of.values()))
    return [[node for node in nodes if place_of[node] == step] for step in steps]


def _between(left: int | None, right: int | None) -> float:
    """0 at the left end, 4 at the right one, 2 half-way; 1 and 3 for all that is nearer to one."""
    if left is None or right is None:
        return 1.0 if right is None else 3.0
    if 0 in (left, right):
        return 0.0 if left == 0 else 4.0
    return 2.0 if left == right else (1.0 if left < right else 3.0)


def _apart(nodes: Sequence[str], near: Neighbours, placed: Mapping[str, float]) -> dict[str, float]:
    """Columns of what is not placed yet, each part of it by steps from its most linked node."""
    first = max(placed.values(), default=-1.0) + 1.0
    apart: dict[str, float] = {}
    left = sorted((node for node in nodes if node not in placed), key=lambda n: -len(near[n]))
    for start in left:
        if start not in apart:
            apart |= {node: first + step for node, step in _distances([start], near).items()}
    return apart


def _neighbours(nodes: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {node: [] for node in nodes}
    for one, other in pairs:
        if one != other and other not in near[one]:
            near[one].append(other)
            near[other].append(one)
    return near


def _distances(starts: Sequence[str], near: Neighbours) -> dict[str, int]:
    found = dict.fromkeys(starts, 0)
    waiting = deque(starts)
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def _ordered(columns: list[list[str]], near: Neighbours) -> list[list[str]]:
    """Columns with each node near the middle of its neighbours in the others."""
    tie = {node: number for number, node in enumerate(n for c in columns for n in c)}
    height = _heights(columns)
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            own = set(column)
            middle = {node: _middle(node, near, own, height) for node in column}
            column.sort(key=lambda node: (middle[node], tie[node]))
            height.update(_heights([column]))
    return columns


def _middle(node: str, near: Neighbours, own: set[str], height: Mapping[str, float]) -> float:
    others = [height[other] for other in near[node] if other not in own]
    return sum(others) / len(others) if others else height[node]


def _heights(columns: Sequence[Sequence[str]]) -> dict[str, float]:
    """How far down its column each node stands, 0 to 1, so that columns compare."""
    return {
        node: (row + 0.5) / len(column) for column in columns for row, node in enumerate(column)
    }


def _split(column: list[str]) -> list[list[str]]:
    """A tall column as several of nearly equal height, dealt out so that order is kept."""
    parts = -(-len(column) // _TALL)
    return [column[start::parts] for start in range(parts)]


def _shift(part: list[str], number: int, slim: Sequence[Sequence[str]]) -> float:
    """Neighbouring tall columns are half a row apart: links pass between the nodes."""
    tall = len(part) * 2 > _TALL and len(slim) > 3
    return 0.5 * (number % 2) if tall else 0.0
