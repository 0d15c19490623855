"""All retrieved edges as one graph: how each node is reached from each given entity.

Two nodes are linked by what may carry an answer (harm and negation do not); a path's strength is
the product of its links, less for each further hop and less through a hub that touches everything.
Several paths add up with diminishing returns, and a causal statement counts less where it is walked
against its direction. No path runs through another given entity, or
everything near a drug would reach its disease through "drug treats disease".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fedrag.datamodel import Edge, EdgeNode, NormalizedNode
from fedrag.evidence.contexts import given_context, statement_weight
from fedrag.evidence.links import Flow, Link
from fedrag.evidence.polarity import judge
from fedrag.evidence.scope import Scope
from fedrag.weight import combined

__all__ = ["Graph", "Reach"]

Path = tuple[float, tuple[str, ...]]  # its strength, and its nodes from the given entity on

MAX_HOPS = 3
_PER_HOP = 0.5  # what a path keeps for each hop after its first
_HUB = 4.0  # neighbours from which on an intermediate is discounted
_SPECIFIC = 80.0  # information content (0-100) from which on a term is specific
_SHOWN_EDGES = 3  # of a link on a path, as the candidate's support


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
            link.add(edge, here, there, statement_weight(edge, self.scope))

    # --- paths ----------------------------------------------------------------------------------

    def reach(
        self,
        start: str,
        max_hops: int = MAX_HOPS,
        *,
        flow: Flow = "any",
        use: bool = True,
        effects: bool = False,
    ) -> dict[str, Reach]:
        """Every node reached from a given entity, by how many hops and how strongly.

        Paths of one and two hops both count; one of three only where nothing shorter is.

        :param flow: which way causes run from the given entity: out of a drug, into a disease.
        :param use: whether "treats" and its like may be the whole path; where a mechanism is asked,
            to treat the same disease says nothing.
        :param effects: whether only what the given entity has an effect on is reached, so that no
            way leads against a cause, nor over what else is treated.
        """
        closed = frozenset(one.curie for one in self.scope.given)
        found: dict[str, list[Path]] = {}
        self._extend(found, {start: (1.0, (start,))}, closed, flow, use, effects)
        near = frozenset(found)
        if not use:
            found = {n: ways for n, ways in found.items() if not self.links[start][n].only_use}
        if max_hops >= 2:
            first: dict[str, Path] = {}
            for node in sorted(near):
                worth = self.links[start][node].worth(_cause(start, node, flow), use=False)
                first[node] = (worth, (start, node))
            self._extend(found, first, closed, flow, False, effects)
        if max_hops >= 3:
            two = {n: max(paths) for n, paths in found.items() if n not in near}
            self._extend(found, two, closed | found.keys(), flow, False, effects)
        return {node: _reach(paths) for node, paths in found.items()}

    def _extend(
        self,
        found: dict[str, list[Path]],
        frontier: Mapping[str, Path],
        closed: frozenset[str],
        flow: Flow,
        use: bool,
        effects: bool,
    ) -> None:
        """One more hop from the frontier, to nodes that are not closed."""
        for node, (strength, path) in frontier.items():
            kept = strength * (_PER_HOP * self._passing(node) if len(path) > 1 else 1.0)
            for further, link in self.links.get(node, {}).items():
                if further not in closed and further not in path:
                    if effects and not link.leads(node):
                        continue
                    worth = link.worth(_cause(node, further, flow), use=use)
                    found.setdefault(further, []).append((kept * worth, (*path, further)))

    def _passing(self, node: str) -> float:
        """What a path keeps when it runs through a node: less through hubs and general terms."""
        degree = len(self.links.get(node, ()))
        kept = 1.0 / (1.0 + math.log2(max(1.0, degree / _HUB)))
        known = self.known.get(node)
        if known is not None and known.information_content is not None:
            kept *= min(1.0, max(0.2, known.information_content / _SPECIFIC))
        return kept

    def in_context(self, disease: str) -> dict[str, Reach]:
        """What a given disease is the setting of: a drug that a given variant makes work in it.

        The statement joins drug and variant; that it holds in the disease ties the drug to that.
        """
        found: dict[str, Reach] = {}
        for one in self.scope.given:
            for node, link in self.links.get(one.curie, {}).items():
                weights = [w for e, _, w in link.edges if given_context(e, self.scope) == disease]
                if weights and node not in found:
                    found[node] = Reach(1, combined(weights), (one.curie, node))
        return found

    def path_edges(self, path: Sequence[str]) -> list[Edge]:
        """The best edges of each link of a path, from its end (a candidate) to its start."""
        steps = pairwise(reversed(path))
        return [edge for a, b in steps for edge in self.links[a][b].best(_SHOWN_EDGES)]


def _cause(here: str, there: str, flow: Flow) -> str | None:
    """Which of two nodes acts, on a path that leads from here to there."""
    return None if flow == "any" else here if flow == "out" else there


def _canonical(end: EdgeNode) -> str:
    return end.canonical or end.curie or end.found


def _reach(paths: list[Path]) -> Reach:
    shortest = min(len(path) for _, path in paths)
    best = min((-strength, path) for strength, path in paths if len(path) == shortest)
    return Reach(shortest - 1, combined(strength for strength, _ in paths), best[1])
