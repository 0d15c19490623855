"""Answers a whole TRAPI query graph: the matches of its edges, joined on the nodes they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.testing.facts import FactBook
from fedrag.testing.match import BadQuery, Match, Matcher, QEdge, read_edge, read_node

__all__ = ["Row", "answer_graph"]


@dataclass(frozen=True, slots=True)
class Row:
    """One result: the node bound to each query node, the matches bound to each query edge."""

    nodes: Mapping[str, str]
    edges: Mapping[str, tuple[Match, ...]]


def answer_graph(
    facts: FactBook, graph: Mapping[str, Any], *, expand: bool = False
) -> tuple[list[Row], dict[str, Mapping[str, str]]]:
    """The rows of a query graph, and for each bound query node the identifier asked for each found.

    :param expand: also answer with what is stated (``subclass_of``) to be a kind of a bound node.
    :raises BadQuery: nothing is bound, or an edge names a node that the graph lacks.
    """
    nodes = {key: read_node(facts, q or {}, expand) for key, q in _mapping(graph, "nodes").items()}
    edges = {key: read_edge(q or {}) for key, q in _mapping(graph, "edges").items()}
    if not any(node.allowed is not None for node in nodes.values()):
        raise BadQuery("at least one node of the query graph must have ids")
    for key, edge in edges.items():
        if not {edge.subject, edge.object} <= set(nodes):
            raise BadQuery(f"edge {key} names a node that the query graph lacks")
    rows = _join(Matcher(facts, nodes), edges)
    asked = {key: node.allowed for key, node in nodes.items() if node.allowed is not None}
    return rows, asked


def _mapping(graph: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = graph.get(key)
    if not isinstance(value, dict) or not value:
        raise BadQuery(f"the query graph has no {key}")
    return value


Ends = tuple[str, str]
Partial = tuple[dict[str, str], dict[str, tuple[Match, ...]]]


def _join(matcher: Matcher, edges: Mapping[str, QEdge]) -> list[Row]:
    """Edge by edge from what is bound, keeping the bindings that every edge so far allows."""
    rows: list[Partial] = [({}, {})]
    known: dict[str, set[str]] = {
        key: set(node.allowed) for key, node in matcher.nodes.items() if node.allowed is not None
    }
    waiting = dict(edges)
    while waiting:
        key = _next(waiting, known)
        edge = waiting.pop(key)
        found = _Found(_pairs(matcher, edge, known))
        rows = [joined for row in rows for joined in _extend(row, key, edge, found)]
        for end in (edge.subject, edge.object):
            known[end] = {nodes[end] for nodes, _ in rows}
    return [Row(nodes, bound) for nodes, bound in rows]


def _next(waiting: Mapping[str, QEdge], known: Mapping[str, set[str]]) -> str:
    """The waiting edge with the fewest nodes to start from."""
    sizes: dict[str, int] = {}
    for key, edge in waiting.items():
        starts = [len(known[end]) for end in (edge.subject, edge.object) if end in known]
        if starts:
            sizes[key] = min(starts)
    if not sizes:
        raise BadQuery("the query graph is not connected to a node that has ids")
    return min(sizes, key=lambda key: sizes[key])


def _pairs(matcher: Matcher, edge: QEdge, known: Mapping[str, set[str]]) -> dict[Ends, list[Match]]:
    """The matches of an edge by their two ends, looked for from its smaller known end."""
    ends = [end for end in (edge.subject, edge.object) if end in known]
    start = min(ends, key=lambda end: len(known[end]))
    pairs: dict[Ends, list[Match]] = {}
    for match in matcher.matches(edge, sorted(known[start]), start == edge.subject):
        pairs.setdefault(match.ends, []).append(match)
    return pairs


class _Found:
    """The matches of one edge, by both ends, and by either."""

    def __init__(self, pairs: Mapping[Ends, Sequence[Match]]) -> None:
        self.pairs = pairs
        self._by_end: tuple[dict[str, list[Ends]], dict[str, list[Ends]]] = ({}, {})
        for ends in pairs:
            for end, index in zip(ends, self._by_end, strict=True):
                index.setdefault(end, []).append(ends)

    def ends(self, subject: str | None, target: str | None) -> Sequence[Ends]:
        """The pairs that fit what a row has bound so far."""
        if subject is not None and target is not None:
            return [(subject, target)] if (subject, target) in self.pairs else []
        if subject is not None:
            return self._by_end[0].get(subject, ())
        if target is not None:
            return self._by_end[1].get(target, ())
        return list(self.pairs)


def _extend(row: Partial, key: str, edge: QEdge, found: _Found) -> Iterator[Partial]:
    nodes, bound = row
    for subject, target in found.ends(nodes.get(edge.subject), nodes.get(edge.object)):
        matches = tuple(found.pairs[subject, target])
        yield (
            {**nodes, edge.subject: subject, edge.object: target},
            {**bound, key: matches},
        )
