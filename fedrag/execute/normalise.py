"""Edges as services returned them → edges on canonical identifiers, merged.

Every end is normalised twice, side by side: without conflation (``curie``: what an edge *is*, so
that a gene and its protein, or a salt and its parent, never merge silently) and with it
(``canonical``: what candidates and joins group on). The identifier and name as returned stay in
``found`` and ``found_name``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, EdgeNode, NormalizedNode
from fedrag.entities import MOST_NAMES, Normalizer, Stranger, find_by_name
from fedrag.errors import ServiceError
from fedrag.metakg import Service
from fedrag.net import Caller, Endpoint

__all__ = ["Canon", "Canonicaliser", "Naming", "naming_for"]


@dataclass(slots=True)
class Canon:
    """What the Node Normalizer said so far, by identifier as returned."""

    conflated: dict[str, NormalizedNode | None] = field(default_factory=dict)
    plain: dict[str, NormalizedNode | None] = field(default_factory=dict)
    failure: ServiceError | None = None
    unnamed: list[ServiceError] = field(default_factory=list)  # of look-ups by name
    unsought: set[str] = field(default_factory=set)  # unknown, and not looked up by name either

    def left_out(self) -> str:
        """What was not asked for its mere number, as a sentence; empty if all was asked."""
        if not self.unsought:
            return ""
        return (
            "identifiers that the Node Normalizer does not know and that were not looked up by "
            f"name, which is done for {MOST_NAMES} at a time: {len(self.unsought)}"
        )

    def canonical(self, curie: str) -> str:
        """The canonical CURIE with conflation, or the identifier itself where it is unknown."""
        node = self.conflated.get(curie)
        return node.curie if node else curie


@dataclass(frozen=True, slots=True)
class Naming:
    """How ends that nobody knows by identifier are found by name.

    :param services: those whose identifiers may be unknown to the Node Normalizer: annotated ones.
    """

    caller: Caller
    resolver: Endpoint
    taxon: str
    services: frozenset[str]


@dataclass(slots=True)
class Canonicaliser:
    """Normalises identifiers while further hops are still being asked."""

    normalizer: Normalizer
    naming: Naming | None = None
    canon: Canon = field(default_factory=Canon)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _named: set[str] = field(default_factory=set)

    async def learn(self, edges: Sequence[Edge]) -> None:
        """Ask both readings of every identifier not known yet; the last failure is remembered."""
        ends = {end.found for edge in edges for end in (edge.subject, edge.object)}
        ends |= {end.asked for edge in edges for end in (edge.subject, edge.object) if end.asked}
        await self.learn_ids(ends)
        await self._learn_by_name(edges)

    async def _learn_by_name(self, edges: Iterable[Edge]) -> None:
        """Ask for the names of what stayed unknown, once each."""
        naming = self.naming
        if naming is None:
            return
        new = {
            end.found: Stranger(end.found, _told_name(end), end.categories)
            for edge in edges
            if not naming.services.isdisjoint(edge.answered_by)
            for end in (edge.subject, edge.object)
            if self.canon.conflated.get(end.found, end) is None and end.found not in self._named
        }
        new = {curie: one for curie, one in new.items() if one.name and one.categories}
        chosen = sorted(new)[:MOST_NAMES]
        self._named.update(chosen)
        self.canon.unsought = (self.canon.unsought | new.keys()) - self._named
        if not new:
            return
        try:
            strangers = [new[curie] for curie in chosen]
            await find_by_name(
                strangers, self.normalizer, naming.caller, naming.resolver, taxon=naming.taxon
            )
        except ServiceError as error:
            self.canon.unnamed.append(error)  # they stay as they are
            return
        for known, conflate in ((self.canon.conflated, True), (self.canon.plain, False)):
            known.update(await self.normalizer.normalize(chosen, conflate=conflate))

    async def learn_ids(self, curies: Iterable[str]) -> None:
        """Ask both readings of these identifiers; who comes second finds them known."""
        async with self._turn:
            await self._learn_both(set(curies))

    async def _learn_both(self, ends: set[str]) -> None:
        self.canon.failure = None  # what failed before is asked again
        answers = await asyncio.gather(
            self._learn(ends, self.canon.conflated, conflate=True),
            self._learn(ends, self.canon.plain, conflate=False),
            return_exceptions=True,
        )
        for answer in answers:
            if isinstance(answer, ServiceError):
                self.canon.failure = answer
            elif isinstance(answer, BaseException):
                raise answer

    async def _learn(
        self, ends: Iterable[str], known: dict[str, NormalizedNode | None], *, conflate: bool
    ) -> None:
        new = sorted(curie for curie in ends if curie not in known)
        if new:
            known.update(await self.normalizer.normalize(new, conflate=conflate))

    def apply(self, edge: Edge, given: Collection[str] | None = None) -> Edge:
        """The edge with canonical ends, names and categories filled where the service had none.

        :param given: the question's own identifiers. What was asked onwards under another name of
            the thing that was found is no news and is forgotten; all is kept when not given.
        """
        return replace(
            edge,
            subject=self._forgetful(_placed(edge.subject, self.canon), given),
            object=self._forgetful(_placed(edge.object, self.canon), given),
        )

    def _forgetful(self, end: EdgeNode, given: Collection[str] | None) -> EdgeNode:
        if end.asked is None or given is None or end.asked in given:
            return end
        same = self.canon.canonical(end.asked) == end.canonical
        return replace(end, asked=None) if same else end


def _told_name(end: EdgeNode) -> str:
    """What a service calls an end; a gene that it knows by symbol alone is called that."""
    prefix, _, local = end.found.partition(":")
    return end.found_name or end.name or (local if prefix == "SYMBOL" else "")


def naming_for(
    services: Iterable[Service], caller: Caller, resolver: Endpoint | None, taxon: str
) -> Naming | None:
    """How what the annotated services answer is found by name; None without a resolver."""
    annotated = frozenset(s.name for s in services if s.protocol != "trapi" and s.enabled)
    return Naming(caller, resolver, taxon, annotated) if resolver and annotated else None


def _placed(end: EdgeNode, canon: Canon) -> EdgeNode:
    conflated = canon.conflated.get(end.found)
    plain = canon.plain.get(end.found)
    known = conflated or plain
    categories = _categories(end, known)
    return replace(
        end,
        curie=plain.curie if plain else end.found,
        canonical=conflated.curie if conflated else (plain.curie if plain else end.found),
        name=_name(end, categories, conflated, plain),
        found_name=end.found_name or end.name or None,
        categories=categories,
        taxa=_taxa(end, conflated, plain),
    )


def _categories(end: EdgeNode, known: NormalizedNode | None) -> tuple[str, ...]:
    """The service's own; the normaliser's where it has none, or one that is only less specific."""
    if known is None or not known.categories:
        return end.categories
    if not end.categories:
        return known.categories
    rough = len(end.categories) == 1 and end.categories[0] != known.categories[0]
    return known.categories if rough and end.categories[0] in known.categories else end.categories


def _name(
    end: EdgeNode,
    categories: tuple[str, ...],
    conflated: NormalizedNode | None,
    plain: NormalizedNode | None,
) -> str:
    """A gene's symbol for genes and proteins; elsewhere the name without conflation."""
    is_gene = biolink().is_a(categories, "biolink:GeneOrGeneProduct")
    first, second = (conflated, plain) if is_gene else (plain, conflated)
    for name in (first and first.name, end.found_name, end.name, second and second.name):
        if name:
            return name
    return end.found


def _taxa(
    end: EdgeNode, conflated: NormalizedNode | None, plain: NormalizedNode | None
) -> tuple[str, ...]:
    for node in (plain, conflated):
        if node and node.taxa:
            return node.taxa
    return end.taxa
