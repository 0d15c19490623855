"""Whether an edge that a service returned answers a query edge, and in which direction.

Services may return more than they were asked (TRAPI leaves filtering to the asker): predicates of
another branch, other categories, negated statements, edges of auxiliary graphs. What does not
satisfy the query edge is counted by reason and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, EdgeNode
from fedrag.metakg.fit import below, readings
from fedrag.query.constraints import edge_meets
from fedrag.query.graph import EdgeConstraints, GraphEdge, GraphNode, Qualifiers

__all__ = ["Fit", "Judge"]


@dataclass(frozen=True, slots=True)
class Fit:
    """An edge that answers a query edge, with what it binds at ``subject`` and ``object``.

    Both are canonical CURIEs, conflated; where the edge is about something more specific than what
    was asked, what was asked. ``forward``: the edge's own subject stands at the query edge's.
    """

    edge: Edge
    subject: str
    object: str
    forward: bool

    def at(self, query_edge: GraphEdge, node: str) -> str:
        """What it binds at one node of the query edge."""
        return self.subject if node == query_edge.subject else self.object

    def end(self, query_edge: GraphEdge, node: str) -> EdgeNode:
        """The end of the edge itself at one node of the query edge."""
        first = (node == query_edge.subject) == self.forward
        return self.edge.subject if first else self.edge.object


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges edges for one query edge. All CURIEs are canonical, conflated.

    :param given: what may stand at a node whose identifiers the query gives.
    :param kinds: something more specific → what it is a kind of, among all that was asked.
    :param canonical: an identifier → its canonical CURIE.
    """

    edge: GraphEdge
    nodes: Mapping[str, GraphNode]
    given: Mapping[str, Collection[str]]
    kinds: Mapping[str, frozenset[str]]
    canonical: Callable[[str], str]

    def fits(self, edge: Edge) -> tuple[list[Fit], str]:
        """In which ways an edge answers, and if in none, why not."""
        if edge.negated and not self._wants_negated():
            return [], "negated"
        reason = self._constrained(edge)
        if reason:
            return [], reason
        found: list[Fit] = []
        reasons = []
        for forward in (True, False):
            reason = self._reading(edge, forward)
            if not reason:
                ways, reason = self._ends(edge, forward)
                found += ways
            reasons.append(reason)
        return found, "" if found else max(reasons, key=_telling)

    def _wants_negated(self) -> bool:
        return any(c.id.endswith("negated") for c in self.edge.constraints.attributes)

    def _constrained(self, edge: Edge) -> str:
        constraints = self.edge.constraints
        if not all(c.holds(edge) for c in constraints.attributes):
            return "an attribute constraint does not hold"
        for name in ("knowledge_level", "agent_type", "sources"):
            rule = getattr(constraints, name)
            if rule is not None and not edge_meets(edge, name, rule):
                return f"its {name.replace('_', ' ')} is not wanted"
        return ""

    def _reading(self, edge: Edge, forward: bool) -> str:
        """Whether predicate and qualifiers say what is asked, read in this direction."""
        readable = readings(self.edge.predicates)[0 if forward else 1]
        if readable is not None and edge.predicate not in readable:
            return _PREDICATE
        said = edge.qualifiers if forward else biolink().invert_qualifiers(edge.qualifiers)
        return "" if _qualified(said, self.edge.constraints) else _QUALIFIERS

    def _ends(self, edge: Edge, forward: bool) -> tuple[list[Fit], str]:
        first, second = (edge.subject, edge.object) if forward else (edge.object, edge.subject)
        subjects, reason = self._bound(first, self.edge.subject)
        if subjects:
            objects, reason = self._bound(second, self.edge.object)
            if objects:
                return [Fit(edge, s, o, forward) for s in subjects for o in objects], ""
        return [], reason

    def _bound(self, end: EdgeNode, node: str) -> tuple[list[str], str]:
        """What an end stands for at a node: itself, or what was asked that it is a kind of."""
        names = dict.fromkeys((end.canonical, *sorted(self.kinds.get(end.canonical, ()))))
        if end.asked:
            names.setdefault(self.canonical(end.asked))
        allowed = self.given.get(node)
        if allowed is not None:
            keys = [name for name in names if name in allowed]
            return keys[:1], "" if keys else _UNASKED
        wanted = self.nodes[node].categories
        if wanted and end.categories and not _is_any(end.categories, wanted):
            return [], _CATEGORY
        return list(names), ""


_PREDICATE = "another predicate"
_QUALIFIERS = "other qualifiers"
_CATEGORY = "another category"
_UNASKED = "about something that was not asked"
# The reading that came nearest tells why.
_ORDER = (_PREDICATE, _QUALIFIERS, _UNASKED, _CATEGORY)


def _telling(reason: str) -> int:
    return _ORDER.index(reason)


def _is_any(categories: Sequence[str], wanted: tuple[str, ...]) -> bool:
    if "biolink:NamedThing" in wanted or "biolink:Entity" in wanted:
        return True
    return not below(wanted).isdisjoint(categories)


def _qualified(said: Qualifiers, constraints: EdgeConstraints) -> bool:
    if not constraints.qualifiers:
        return True
    has = dict(said)
    return any(
        all(has.get(kind) in _values(kind, value) for kind, value in wanted)
        for wanted in constraints.qualifiers
    )


@lru_cache(maxsize=512)
def _values(kind: str, value: str) -> frozenset[str]:
    """A value and the more specific ones; a qualified predicate with and without its prefix."""
    below_it = biolink().qualifier_value_descendants(kind, value)
    if kind.endswith("qualified_predicate"):
        return frozenset((*below_it, value, *(v.removeprefix("biolink:") for v in below_it)))
    return frozenset((*below_it, value))
