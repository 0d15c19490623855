"""Which statements of a fact book answer one edge of a TRAPI query graph.

Any end may be bound, by any equivalent identifier (and by any salt of the same drug); predicates,
categories and qualifiers follow Biolink's hierarchies; a statement is also found from its object's
side, through the inverse predicate and the inverted qualifiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fedrag.biolink import biolink
from fedrag.testing.facts import FactBook, FactNode, Statement
from fedrag.testing.relations import Qualifiers

__all__ = ["BadQuery", "Match", "Matcher", "QEdge", "QNode", "as_asked", "read_edge", "read_node"]


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
class QNode:
    """What may stand at a node of the query graph."""

    allowed: Mapping[str, str] | None  # canonical CURIE -> the identifier asked; None: open
    categories: frozenset[str]  # leaves that fit; empty: any


@dataclass(frozen=True, slots=True)
class QEdge:
    """What may answer an edge of the query graph."""

    subject: str
    object: str
    predicates: frozenset[str]  # those that fit; empty: any
    qualifiers: tuple[Mapping[str, frozenset[str]], ...]


def read_node(facts: FactBook, raw: Mapping[str, Any], expand: bool) -> QNode:
    """A node of the query graph, its identifiers looked up; ``expand`` adds kinds of them."""
    model = biolink()
    wanted = raw.get("categories") or ()
    categories = frozenset(leaf for c in wanted for leaf in model.category_descendants(c))
    if "biolink:NamedThing" in wanted or "biolink:Entity" in wanted:
        categories = frozenset()
    ids = raw.get("ids")
    if ids is None:
        return QNode(None, categories)
    allowed: dict[str, str] = {}
    for asked in ids:
        for node in _meant(facts, asked, expand):
            allowed.setdefault(node.curie, asked)
    return QNode(allowed, categories)


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


def read_edge(raw: Mapping[str, Any]) -> QEdge:
    """An edge of the query graph, with every predicate and qualifier value that fits."""
    model = biolink()
    predicates = raw.get("predicates") or ["biolink:related_to"]
    fitting = frozenset(p for name in predicates for p in model.predicate_descendants(name))
    if "biolink:related_to" in predicates:
        fitting = frozenset()  # anything
    return QEdge(raw.get("subject", ""), raw.get("object", ""), fitting, _qualifier_sets(raw))


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


class Matcher:
    """Finds the matches of one query edge, given what its ends may be."""

    def __init__(self, facts: FactBook, nodes: Mapping[str, QNode]) -> None:
        self._facts, self.nodes = facts, nodes

    def fits(self, key: str, curie: str) -> bool:
        """Whether a node may stand at a query node."""
        node = self.nodes[key]
        if node.allowed is not None and curie not in node.allowed:
            return False
        leaves = self._facts.nodes[curie].categories
        return not node.categories or not node.categories.isdisjoint(leaves)

    def matches(self, edge: QEdge, starts: Iterable[str], at_subject: bool) -> Iterator[Match]:
        """The matches of an edge that have one of ``starts`` at that end."""
        for curie in starts:
            for statement in self._facts.touching(curie):
                for forward in (True, False):
                    match = Match(statement, forward)
                    here = match.ends[0 if at_subject else 1]
                    if here == curie and self._holds(edge, match):
                        yield match

    def _holds(self, edge: QEdge, match: Match) -> bool:
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
