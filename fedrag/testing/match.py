"""Answers a TRAPI query graph from a fact book: which statements bind which query edge.

Any end may be bound, by any equivalent identifier (and by any salt of the same drug); predicates,
categories and qualifiers follow Biolink's hierarchies; a statement is also found from its object's
side, through the inverse predicate and the inverted qualifiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.biolink import biolink
from fedrag.testing.facts import FactBook, FactNode, Statement
from fedrag.testing.relations import Qualifiers

__all__ = ["BadQuery", "Match", "Row", "answer_graph"]


class BadQuery(ValueError):
    """The query graph cannot be answered as it stands (no bound node, an edge to nowhere)."""


@dataclass(frozen=True, slots=True)
class Match:
    """A statement as it answers a query edge: ``forward`` when its subject is the query's."""

    statement: Statement
    forward: bool

    @property
    def ends(self) -> tuple[str, str]:
        """The CURIEs at the query edge's subject and object."""
        s = self.statement
        return (s.subject, s.object) if self.forward else (s.object, s.subject)


@dataclass(frozen=True, slots=True)
class Row:
    """One result: the node bound to each query node, the matches bound to each query edge."""

    nodes: Mapping[str, str]
    edges: Mapping[str, tuple[Match, ...]]


@dataclass(frozen=True, slots=True)
class _QNode:
    allowed: Mapping[str, str] | None  # canonical CURIE -> the identifier asked; None: open
    categories: frozenset[str]  # leaves that fit; empty: any


@dataclass(frozen=True, slots=True)
class _Edge:
    subject: str
    object: str
    predicates: frozenset[str]  # those that fit; empty: any
    qualifiers: tuple[Mapping[str, frozenset[str]], ...]


def answer_graph(
    facts: FactBook, graph: Mapping[str, Any], *, expand: bool = False
) -> tuple[list[Row], dict[str, Mapping[str, str]]]:
    """The rows of a query graph, and for each bound query node the identifier asked for each found.

    :param expand: also answer with what is stated (``subclass_of``) to be a kind of a bound node.
    :raises BadQuery: nothing is bound, or an edge names a node that the graph lacks.
    """
    nodes = {key: _qnode(facts, q or {}, expand) for key, q in _mapping(graph, "nodes").items()}
    edges = {key: _qedge(q or {}) for key, q in _mapping(graph, "edges").items()}
    if not any(node.allowed is not None for node in nodes.values()):
        raise BadQuery("at least one node of the query graph must have ids")
    for key, edge in edges.items():
        if not {edge.subject, edge.object} <= set(nodes):
            raise BadQuery(f"edge {key} names a node that the query graph lacks")
    rows = _join(_Matcher(facts, nodes), edges)
    asked = {key: node.allowed for key, node in nodes.items() if node.allowed is not None}
    return rows, asked


def _mapping(graph: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = graph.get(key)
    if not isinstance(value, dict) or not value:
        raise BadQuery(f"the query graph has no {key}")
    return value


def _qnode(facts: FactBook, raw: Mapping[str, Any], expand: bool) -> _QNode:
    model = biolink()
    wanted = raw.get("categories") or ()
    categories = frozenset(leaf for c in wanted for leaf in model.category_descendants(c))
    if "biolink:NamedThing" in wanted or "biolink:Entity" in wanted:
        categories = frozenset()
    ids = raw.get("ids")
    if ids is None:
        return _QNode(None, categories)
    allowed: dict[str, str] = {}
    for asked in ids:
        for node in _meant(facts, asked, expand):
            allowed.setdefault(node.curie, asked)
    return _QNode(allowed, categories)


def _meant(facts: FactBook, curie: str, expand: bool) -> Iterator[FactNode]:
    node = facts.node(curie)
    if node is None:
        return
    yield node
    yield from (member for member in facts.group(node) if member is not node)
    if expand:
        for statement in facts.touching(node.curie):
            if statement.predicate == "biolink:subclass_of" and statement.object == node.curie:
                yield facts.nodes[statement.subject]


def _qedge(raw: Mapping[str, Any]) -> _Edge:
    model = biolink()
    predicates = raw.get("predicates") or ["biolink:related_to"]
    fitting = frozenset(p for name in predicates for p in model.predicate_descendants(name))
    if "biolink:related_to" in predicates:
        fitting = frozenset()  # anything
    return _Edge(raw.get("subject", ""), raw.get("object", ""), fitting, _qualifier_sets(raw))


def _qualifier_sets(raw: Mapping[str, Any]) -> tuple[Mapping[str, frozenset[str]], ...]:
    """The constraints of an edge, TRAPI 1.x or 2.0: one set must hold, all of its values."""
    sets: list[Mapping[str, str]] = [
        {q["qualifier_type_id"]: q["qualifier_value"] for q in constraint["qualifier_set"]}
        for constraint in raw.get("qualifier_constraints") or ()
    ]
    sets += (raw.get("constraints") or {}).get("qualifiers") or ()
    return tuple({kind: _values(kind, v) for kind, v in one.items()} for one in sets)


def _values(kind: str, value: str) -> frozenset[str]:
    model = biolink()
    if kind == "biolink:qualified_predicate":
        return frozenset(model.predicate_descendants(value))
    return frozenset((value, *model.qualifier_value_descendants(kind, value)))


class _Matcher:
    """Finds the matches of one query edge, given what its ends may be."""

    def __init__(self, facts: FactBook, nodes: Mapping[str, _QNode]) -> None:
        self._facts, self.nodes = facts, nodes

    def fits(self, key: str, curie: str) -> bool:
        """Whether a node may stand at a query node."""
        node = self.nodes[key]
        if node.allowed is not None and curie not in node.allowed:
            return False
        leaves = self._facts.nodes[curie].categories
        return not node.categories or not node.categories.isdisjoint(leaves)

    def matches(self, edge: _Edge, starts: Iterable[str], at_subject: bool) -> Iterator[Match]:
        """The matches of an edge that have one of ``starts`` at that end."""
        for curie in starts:
            for statement in self._facts.touching(curie):
                for forward in (True, False):
                    match = Match(statement, forward)
                    here = match.ends[0 if at_subject else 1]
                    if here == curie and self._holds(edge, match):
                        yield match

    def _holds(self, edge: _Edge, match: Match) -> bool:
        subject, target = match.ends
        if not (self.fits(edge.subject, subject) and self.fits(edge.object, target)):
            return False
        said = as_asked(match)
        if said is None:
            return not edge.predicates and not edge.qualifiers
        predicate, qualifiers = said
        if edge.predicates and predicate not in edge.predicates:
            return False
        return not edge.qualifiers or any(_satisfies(qualifiers, q) for q in edge.qualifiers)


def as_asked(match: Match) -> tuple[str, Qualifiers] | None:
    """Predicate and qualifiers in the query's direction; ``None`` when Biolink has no inverse."""
    said = match.statement
    if match.forward:
        return said.predicate, said.qualifiers
    model = biolink()
    inverse = said.predicate if model.symmetric(said.predicate) else model.inverse(said.predicate)
    if inverse is None:
        return None
    return inverse, tuple(model.invert_qualifiers(said.qualifiers))


def _satisfies(qualifiers: Qualifiers, wanted: Mapping[str, frozenset[str]]) -> bool:
    have = dict(qualifiers)
    return all(have.get(kind, "") in values for kind, values in wanted.items())


Ends = tuple[str, str]
Partial = tuple[dict[str, str], dict[str, tuple[Match, ...]]]


def _join(matcher: _Matcher, edges: Mapping[str, _Edge]) -> list[Row]:
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


def _next(waiting: Mapping[str, _Edge], known: Mapping[str, set[str]]) -> str:
    """The waiting edge with the fewest nodes to start from."""
    sizes: dict[str, int] = {}
    for key, edge in waiting.items():
        starts = [len(known[end]) for end in (edge.subject, edge.object) if end in known]
        if starts:
            sizes[key] = min(starts)
    if not sizes:
        raise BadQuery("the query graph is not connected to a node that has ids")
    return min(sizes, key=lambda key: sizes[key])


def _pairs(
    matcher: _Matcher, edge: _Edge, known: Mapping[str, set[str]]
) -> dict[Ends, list[Match]]:
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


def _extend(row: Partial, key: str, edge: _Edge, found: _Found) -> Iterator[Partial]:
    nodes, bound = row
    for subject, target in found.ends(nodes.get(edge.subject), nodes.get(edge.object)):
        matches = tuple(found.pairs[subject, target])
        yield (
            {**nodes, edge.subject: subject, edge.object: target},
            {**bound, key: matches},
        )
