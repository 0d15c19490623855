"""What an answer is written from, and what comes out of the writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.datamodel import (
    AnswerKind,
    Candidate,
    Completeness,
    Edge,
    EdgeNode,
    Entity,
    Evidence,
    LLMUsage,
    QueryPlan,
    RejectedCitation,
    Sentence,
    ServiceReport,
)

__all__ = ["Draft", "Material", "Written", "node_ids"]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is joined with the run's facts.

    ``sentences`` are the factual ones, each with the keys it cites; ``text`` holds them and what
    is said about the run itself (who failed, the disclaimer), which cites nothing.
    """

    kind: AnswerKind
    text: str
    name: str | None = None
    curie: str | None = None
    items: tuple[str, ...] = ()
    abstained: bool = False
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A language model's answer after the citation check.

    ``rejected`` are all the sentences the check refused, repaired or not.
    """

    draft: Draft
    rejected: tuple[RejectedCitation, ...]
    usage: LLMUsage
    notes: tuple[str, ...] = ()

    @property
    def unsupported(self) -> tuple[Sentence, ...]:
        """The sentences that stayed in the answer although no citation supports them."""
        return tuple(s for s in self.draft.sentences if not s.supported)


@dataclass(frozen=True, slots=True)
class Material:
    """Everything an answer may be written from.

    ``synonyms`` adds names by canonical CURIE (of the Node Normalizer's equivalents) that the
    citation check accepts for a node beside those the edges and entities carry. ``left_out`` counts
    the supported candidates that the wanted status left out, by the status they have.
    """

    question: str
    plan: QueryPlan
    entities: tuple[Entity, ...]
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    services: tuple[ServiceReport, ...] = ()
    completeness: Completeness = "complete"
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)

    def by_key(self) -> dict[str, Evidence]:
        """The evidence by its key; what has no key cannot be cited and is left out."""
        return {e.key: e for e in self.evidence if e.key}

    def backed(self) -> list[Candidate]:
        """The candidates that something supports, on the page or not, best first."""
        return [c for c in self.candidates if c.support or c.evidence_keys]

    def keys_for(self, candidate: Candidate) -> tuple[str, ...]:
        """Keys of the evidence on the page that supports this candidate, in page order."""
        named = set(candidate.evidence_keys)
        return self._keys(named, set(candidate.support), "against")

    def own_keys(self, candidate: Candidate) -> tuple[str, ...]:
        """Those of :meth:`keys_for` that name the candidate, not only a step on a path to it."""
        ids = {candidate.curie, *candidate.identifiers}
        by_key = self.by_key()
        return tuple(
            key
            for key in self.keys_for(candidate)
            if any(ids & (node_ids(e.subject) | node_ids(e.object)) for e in by_key[key].edges)
        )

    def keys_against(self, candidate: Candidate) -> tuple[str, ...]:
        """Keys of the evidence on the page that speaks against this candidate."""
        return self._keys(set(candidate.against_keys), set(candidate.against), "support")

    def _keys(self, named: set[str], edges: set[str], excluded: str) -> tuple[str, ...]:
        found = []
        for item in self.evidence:
            by_edge = item.polarity != excluded and any(e.id in edges for e in item.edges)
            if item.key and (item.key in named or by_edge):
                found.append(item.key)
        return tuple(found)

    def entity_ids(self, index: int) -> frozenset[str]:
        """Every identifier under which the question's entity may appear in an edge."""
        entity = self.entities[index]
        ids = {entity.curie, entity.unconflated or entity.curie}
        ids.update(i.curie for i in entity.identifiers)
        for node in self.plan.nodes:
            if node.entity == index:
                ids.update(node.ids)
        return frozenset(ids)

    def hops(self, candidate: Candidate, keys: Sequence[str]) -> list[list[Evidence]]:
        """The evidence of some keys by the two things it joins, in the order it supports."""
        order = {edge: number for number, edge in enumerate(candidate.support)}
        by_key = self.by_key()
        first = {k: min(order.get(e.id, len(order)) for e in by_key[k].edges) for k in keys}
        found: dict[frozenset[str], list[Evidence]] = {}
        for key in sorted(keys, key=lambda key: first[key]):
            edge = by_key[key].edges[0]
            ends = frozenset(self._end(end) for end in (edge.subject, edge.object))
            found.setdefault(ends, []).append(by_key[key])
        return list(found.values())

    def _end(self, node: EdgeNode) -> str:
        ids = node_ids(node)
        given = (e.curie for i, e in enumerate(self.entities) if ids & self.entity_ids(i))
        return next(given, node.canonical or node.curie)

    def touches(self, edge: Edge, index: int) -> bool:
        """Whether one end of the edge is the question's entity, or was found when asking for it."""
        ids = self.entity_ids(index)
        return bool(ids & (node_ids(edge.subject) | node_ids(edge.object)))


def node_ids(node: EdgeNode) -> frozenset[str]:
    """All the identifiers one end of an edge goes by.

    >>> sorted(node_ids(EdgeNode("MESH:D006973", "hypertension", canonical="MONDO:0005044")))
    ['MESH:D006973', 'MONDO:0005044']
    """
    return frozenset(i for i in (node.curie, node.found, node.asked, node.canonical) if i)
