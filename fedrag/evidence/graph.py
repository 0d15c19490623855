"""All retrieved edges as one graph: how each node is reached from each given entity.

Two nodes are linked by what may carry an answer (harm and negation do not); a path's strength is
the product of its links, less for each further hop and less through a hub that touches everything.
Several paths add up with diminishing returns. No path runs through another given entity, or
everything near a drug would reach its disease through "drug treats disease".
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fedrag.datamodel import Edge, EdgeNode, NormalizedNode
from fedrag.evidence.polarity import judge
from fedrag.evidence.scope import Scope
from fedrag.execute.weight import combined, edge_weight

__all__ = ["Graph", "Link", "Reach"]

MAX_HOPS = 3
_PER_HOP = 0.5  # what a path keeps for each hop after its first
_HUB = 4.0  # neighbours from which on an intermediate is discounted
_SPECIFIC = 80.0  # information content (0-100) from which on a term is specific
_SHOWN_EDGES = 3  # of a link on a path, as the candidate's support


@dataclass(slots=True)
class Link:
    """Everything that is said between two nodes and may carry an answer, best first when read."""

    edges: list[Edge] = field(default_factory=list)
    _strength: float | None = None

    @property
    def strength(self) -> float:
        """The statements' weights, one for each primary source, with diminishing returns."""
        if self._strength is None:
            by_source: dict[str, float] = {}
            for edge in self.edges:
                source = edge.primary_source
                by_source[source] = max(by_source.get(source, 0.0), edge_weight(edge))
            self._strength = combined(by_source.values())
        return self._strength

    def best(self, most: int | None = None) -> list[Edge]:
        """Its edges, the weightiest first."""
        return sorted(self.edges, key=lambda edge: (-edge_weight(edge), edge.id))[:most]


@dataclass(frozen=True, slots=True)
class Reach:
    """How a node is reached from one given entity."""

    hops: int
    strength: float  # in (0, 1]
    path: tuple[str, ...]  # the best path's nodes, from the given entity to the node


@dataclass(slots=True)
class Graph:
    """Links between nodes, evidence against between candidates and given entities, and names.

    A node is the canonical CURIE; what was found for a given entity as its descendant or under
    another identifier is that entity.
    """

    scope: Scope
    known: Mapping[str, NormalizedNode]
    links: dict[str, dict[str, Link]] = field(default_factory=dict)
    against: dict[str, list[Edge]] = field(default_factory=dict)
    ends: dict[str, list[EdgeNode]] = field(default_factory=dict)  # every form a node came in
    _asked: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, edges: Sequence[Edge], scope: Scope, known: Mapping[str, NormalizedNode]) -> Graph:
        """The graph of all retrieved edges."""
        graph = cls(scope, known)
        for edge in edges:
            for end in (edge.subject, edge.object):
                if end.asked is None:
                    node = _canonical(end)
                    graph._asked[end.curie] = graph._asked[end.found or end.curie] = node
                    graph._asked.setdefault(node, node)
        for edge in edges:
            graph._add(edge)
        return graph

    def node(self, end: EdgeNode) -> str:
        """The node an end stands for."""
        given = self.scope.given_at(end)
        if given is not None:
            return given
        if end.asked is not None:  # found on a descendant of an intermediate that was asked
            return self._asked.get(end.asked, _canonical(end))
        return _canonical(end)

    def _add(self, edge: Edge) -> None:
        here, there = self.node(edge.subject), self.node(edge.object)
        for node, end in ((here, edge.subject), (there, edge.object)):
            forms = self.ends.setdefault(node, [])
            if end not in forms[-1:]:
                forms.append(end)
        judged = judge(edge, self.scope)
        if judged.polarity == "against":
            self.against.setdefault(here, []).append(edge)
            self.against.setdefault(there, []).append(edge)
        elif judged.links and here != there:
            link = self.links.setdefault(here, {}).get(there)
            if link is None:
                link = self.links[here][there] = Link()
                self.links.setdefault(there, {})[here] = link
            link.edges.append(edge)

    # --- paths ----------------------------------------------------------------------------------

    def reach(self, start: str, max_hops: int = MAX_HOPS) -> dict[str, Reach]:
        """Every node reached from a given entity, by how many hops and how strongly.

        Paths of one and two hops both count; one of three only where nothing shorter is.
        """
        closed = {one.curie for one in self.scope.given}
        first = {n: link.strength for n, link in self._around(start) if n not in closed}
        found: dict[str, list[tuple[float, tuple[str, ...]]]] = {
            node: [(strength, (start, node))] for node, strength in first.items()
        }
        if max_hops >= 2:
            self._extend(found, {n: (s, (start, n)) for n, s in first.items()}, closed)
        if max_hops >= 3:
            two = {n: max(paths) for n, paths in found.items() if n not in first}
            self._extend(found, two, closed | found.keys())
        return {node: _reach(paths) for node, paths in found.items()}

    def _extend(
        self,
        found: dict[str, list[tuple[float, tuple[str, ...]]]],
        frontier: Mapping[str, tuple[float, tuple[str, ...]]],
        closed: Collection[str],
    ) -> None:
        """One more hop from the frontier, to nodes that are not closed."""
        closed = frozenset(closed)
        for node, (strength, path) in frontier.items():
            kept = strength * _PER_HOP * self._passing(node)
            for further, link in self._around(node):
                if further not in closed:
                    step = (kept * link.strength, (*path, further))
                    found.setdefault(further, []).append(step)

    def _around(self, node: str) -> Iterable[tuple[str, Link]]:
        return self.links.get(node, {}).items()

    def _passing(self, node: str) -> float:
        """What a path keeps when it runs through a node: less through hubs and general terms."""
        degree = len(self.links.get(node, ()))
        kept = 1.0 / (1.0 + math.log2(max(1.0, degree / _HUB)))
        known = self.known.get(node)
        if known is not None and known.information_content is not None:
            kept *= min(1.0, max(0.2, known.information_content / _SPECIFIC))
        return kept

    def path_edges(self, path: Sequence[str]) -> list[Edge]:
        """The edges along a path, all of a direct link, the best of each link of a longer one."""
        most = _SHOWN_EDGES if len(path) > 2 else None
        steps = pairwise(path)
        return [edge for a, b in steps for edge in self.links[a][b].best(most)]


def _canonical(end: EdgeNode) -> str:
    return end.canonical or end.curie or end.found


def _reach(paths: list[tuple[float, tuple[str, ...]]]) -> Reach:
    shortest = min(len(path) for _, path in paths)
    best = min((-strength, path) for strength, path in paths if len(path) == shortest)
    return Reach(shortest - 1, combined(strength for strength, _ in paths), best[1])
