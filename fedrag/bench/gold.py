"""Where the right answers stand in what was retrieved, by identifier and never by name alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fedrag.bench.model import Context, FoundEntity, Gold, Question
from fedrag.datamodel import Candidate, Edge, Entity, Evidence
from fedrag.entities import Normalizer
from fedrag.evidence.prune import tokens

__all__ = ["Golds", "context_of", "enriched", "found_entities", "own_records_only"]

_RECORDS = "biolink:xref"


async def enriched(question: Question, normalizer: Normalizer) -> Question:
    """The question with every identifier and label that the Node Normalizer has for its golds."""
    curies = [curie for gold in question.golds for curie in gold.identifiers]
    known = await normalizer.normalize(curies, conflate=True)
    golds = []
    for gold in question.golds:
        nodes = [node for curie in gold.identifiers if (node := known.get(curie))]
        ids = [i.curie for node in nodes for i in node.identifiers]
        labels = [i.label for node in nodes for i in node.identifiers if i.label]
        names = [node.name for node in nodes if node.name]
        golds.append(
            replace(
                gold,
                identifiers=tuple(dict.fromkeys([*gold.identifiers, *ids])),
                synonyms=tuple(dict.fromkeys([*gold.synonyms, *names, *labels])),
            )
        )
    return replace(question, golds=tuple(golds))


class Golds:
    """The golds of a question by identifier.

    >>> golds = Golds([Gold("KIT", ("NCBIGene:3815", "HGNC:6342"))])
    >>> golds.named(["HGNC:6342"])
    {'KIT'}
    """

    def __init__(self, golds: Sequence[Gold]) -> None:
        self.names = [gold.name for gold in golds]
        self._by_id: dict[str, set[str]] = {}
        for gold in golds:
            for curie in gold.identifiers:
                self._by_id.setdefault(curie, set()).add(gold.name)

    def named(self, identifiers: Iterable[str]) -> set[str]:
        """The golds that have one of these identifiers."""
        return {name for curie in identifiers for name in self._by_id.get(curie, ())}

    def of_edges(self, edges: Iterable[Edge]) -> set[str]:
        """The golds at an end of these edges."""
        return self.named(identifiers_of(edges))

    def ranks(self, candidates: Sequence[Candidate]) -> dict[str, int | None]:
        """Each gold's rank among the candidates, from 1."""
        ranks: dict[str, int | None] = dict.fromkeys(self.names)
        for rank, candidate in enumerate(candidates, start=1):
            for name in self.named((candidate.curie, *candidate.identifiers)):
                if ranks[name] is None:
                    ranks[name] = rank
        return ranks


def identifiers_of(edges: Iterable[Edge]) -> set[str]:
    """The identifiers at the ends of these edges, as given, as found, and canonical."""
    ends = (end for edge in edges for end in (edge.subject, edge.object))
    return {i for end in ends for i in (end.curie, end.found, end.canonical) if i}


def context_of(lines: Sequence[Evidence], golds: Golds) -> Context:
    """What these lines hold, in their order."""
    first: dict[str, int | None] = dict.fromkeys(golds.names)
    for position, line in enumerate(lines, start=1):
        for name in golds.of_edges(line.edges):
            if first[name] is None:
                first[name] = position
    return Context(len(lines), sum(tokens(line.sentence) for line in lines), first)


def found_entities(question: Question, entities: Sequence[Entity]) -> tuple[FoundEntity, ...]:
    """The resolved entities, each with what the question calls it."""
    things = {"drug": question.drug, "disease": question.disease, "process": question.process}
    wanted = {role: set(thing.identifiers) for role, thing in things.items() if thing}

    def role_of(entity: Entity) -> str | None:
        ids = {entity.curie, entity.unconflated, *(i.curie for i in entity.identifiers)}
        return next((role for role, curies in wanted.items() if ids & curies), None)

    return tuple(FoundEntity(e.mention, e.curie, e.name, role_of(e)) for e in entities)


def own_records_only(edge: Edge, records: frozenset[str]) -> bool:
    """Whether nothing but the question's own records makes this statement.

    Records are told in ``biolink:xref`` attributes; an edge that tells none is not judged.
    """
    told = [
        name for one in edge.attributes if one.type_id == _RECORDS for name in _names(one.value)
    ]
    return bool(told) and records.issuperset(told)


def _names(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        return []
    return [str(one) for one in value]
