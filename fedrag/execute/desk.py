"""The calls of one hop to one annotated service, from look-ups to edges.

Operations that would send the same call send it once and each read its answer; pages follow.
Outputs that are identifiers of the service's own are looked up when all answers are there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from fedrag.datamodel import Edge
from fedrag.errors import BadPayloadError, ConfigError
from fedrag.execute.calls import Calls, fingerprint
from fedrag.execute.edges import Asked, edges_of
from fedrag.execute.identifiers import Named, foremost, inputs_for, names_of
from fedrag.execute.service import Outcome
from fedrag.metakg import Operation, Service, promise
from fedrag.metakg.xfedrag import Lookup
from fedrag.xbte import (
    NOBODY,
    Record,
    Request,
    build_lookups,
    build_output_lookups,
    build_requests,
    came_before,
    next_request,
    read_answer,
    read_lookup,
    read_output_lookup,
    stands_for,
    why_cut,
    with_outputs,
)

__all__ = ["Desk", "Hop", "Leg"]

# Calls of one hop to one service: a document of hundreds of operations must not ask them all.
_MOST_CALLS = 25


@dataclass(slots=True)
class Statement:
    """Operations that state the same of inputs of different prefixes, the preferred one first.

    ``tried`` are the identifiers that were asked of the operation at a position.
    """

    operations: Sequence[Operation]
    tried: set[tuple[int, str]] = field(default_factory=set)

    def legs(self, ids: Sequence[str], known: Named, answered: Set[str]) -> Iterator[Leg]:
        """Each unanswered identifier goes to the first operation that takes it, untried yet."""
        taken = set(answered)
        for position, operation in enumerate(self.operations):
            fresh: dict[str, list[str]] = {}
            like = operation.manner.input_like
            for written, asked in inputs_for(operation.input_prefix, ids, known, like).items():
                left = [a for a in asked if a not in taken and (position, a) not in self.tried]
                if left:
                    fresh[written] = left
            if fresh:
                asked_now = {one for asked in fresh.values() for one in asked}
                taken |= asked_now
                self.tried |= {(position, one) for one in asked_now}
                inputs = foremost(fresh)
                yield Leg(operation, inputs, left_out=len(fresh) - len(inputs))


@dataclass(slots=True)
class Leg:
    """One operation with what it is called with: CURIE as written → identifiers asked.

    ``left_out`` are further CURIEs that stand for the same and are not asked.
    """

    operation: Operation
    inputs: dict[str, list[str]]
    own: dict[str, tuple[str, ...]] | None = None  # CURIE as written → the service's identifiers
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Hop:
    """What is asked of the service, from which end, and how many alternatives are tried."""

    statements: list[Statement]
    known: Named
    near: tuple[str, ...]
    far: tuple[str, ...]  # identifiers the other end must have; none: any
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class _Read:
    """What a leg read in one answer."""

    leg: Leg
    records: tuple[Record, ...]
    retrieved_at: str


@dataclass(slots=True)
class Desk:
    """The calls of one hop to one service; what comes of them goes into ``outcome``."""

    service: Service
    hop: Hop
    calls: Calls
    variables: Mapping[str, Any]
    outcome: Outcome
    _answered: set[str] = field(default_factory=set)  # identifiers the service knows something of

    async def work(self) -> None:
        """Ask; what nothing is known of is asked again by its other identifiers."""
        for _ in range(self.hop.rounds):
            near, known = self.hop.near, self.hop.known
            asked = (one.legs(near, known, self._answered) for one in self.hop.statements)
            legs = [leg for some in asked for leg in some]
            if not legs or self.outcome.failures:
                return
            await self._ask(legs)

    async def _ask(self, legs: Sequence[Leg]) -> None:
        """Look identifiers up where that is needed, then make each distinct call once."""
        await asyncio.gather(*(self._look_up(leg) for leg in legs))
        if cut := next((leg for leg in legs if leg.left_out), None):
            every, prefix = len(cut.inputs) + cut.left_out, cut.operation.input_prefix
            self.outcome.truncated = f"asked with {len(cut.inputs)} of {every} {prefix} identifiers"
        calls: dict[str, tuple[Request, list[Leg]]] = {}
        for leg in legs:
            for request in self._requests(leg):
                calls.setdefault(fingerprint(request), (request, []))[1].append(leg)
        affordable = self._affordable(calls.values())
        answers = await asyncio.gather(*(self._pages(*call) for call in affordable))
        reads = [read for answer in answers for read in answer]  # in the order of the calls
        for read in await self._with_outputs(reads):
            self._enter(read)

    def _affordable(
        self, calls: Iterable[tuple[Request, list[Leg]]]
    ) -> list[tuple[Request, list[Leg]]]:
        """The calls that promise most: curated and specific statements before the others."""
        ranked = sorted(calls, key=lambda call: -max(promise(leg.operation) for leg in call[1]))
        if len(ranked) > _MOST_CALLS:
            left_out = len(ranked) - _MOST_CALLS
            self.outcome.truncated = f"{left_out} of {len(ranked)} calls that fit were not made"
        return ranked[:_MOST_CALLS]

    async def _look_up(self, leg: Leg) -> None:
        """The service's own identifiers of the inputs; what it does not know is not asked."""
        operation = leg.operation
        requests = self._built(
            lambda: build_lookups(operation, list(leg.inputs), variables=self.variables)
        )
        for request, payload in await self._told(requests, operation, operation.manner.lookup):
            leg.own = (leg.own or {}) | read_lookup(operation, request, payload)

    async def _with_outputs(self, reads: Sequence[_Read]) -> list[_Read]:
        """With what outputs stand for: operations with the same look-up ask for theirs together."""
        groups: dict[str, list[_Read]] = {}
        for read in reads:
            lookup = read.leg.operation.manner.output_lookup
            groups.setdefault(repr(lookup) if lookup else "", []).append(read)
        plain = groups.pop("", [])
        named = await asyncio.gather(*map(self._named, groups.values()))
        return [*plain, *(read for group in named for read in group)]

    async def _named(self, group: Sequence[_Read]) -> list[_Read]:
        operation = group[0].leg.operation
        outputs = [record.output for read in group for record in read.records]
        requests = self._built(
            lambda: build_output_lookups(operation, outputs, variables=self.variables)
        )
        told = await self._told(requests, operation, operation.manner.output_lookup)
        found = {
            output: things
            for request, payload in told
            for output, things in read_output_lookup(operation, request, payload).items()
        }
        readings = [with_outputs(read.records, found) for read in group]
        self.outcome.dropped += [dropped for reading in readings for dropped in reading.dropped]
        return [
            _Read(read.leg, reading.records, read.retrieved_at)
            for read, reading in zip(group, readings, strict=True)
        ]

    async def _told(
        self, requests: Sequence[Request], operation: Operation, lookup: Lookup | None
    ) -> list[tuple[Request, Any]]:
        """Look-ups with what was answered, without those that failed."""
        asking = (self.calls.once(request, operation, lookup) for request in requests)
        answers = await asyncio.gather(*asking)
        pairs = zip(requests, answers, strict=True)
        return [(request, answer[0]) for request, answer in pairs if answer is not None]

    def _requests(self, leg: Leg) -> list[Request]:
        operation, inputs = leg.operation, list(leg.inputs)
        if operation.manner.lookup is not None and not leg.own:
            return []
        return self._built(
            lambda: build_requests(operation, inputs, variables=self.variables, own=leg.own)
        )

    def _built(self, build: Callable[[], list[Request]]) -> list[Request]:
        """Calls as the document describes them; none where that cannot be done, which is told."""
        try:
            return build()
        except ConfigError as error:
            self.outcome.failures.append(
                BadPayloadError(error.message, service=self.service.name, hint=error.hint)
            )
            return []

    async def _pages(self, request: Request | None, legs: list[Leg]) -> list[_Read]:
        """All pages of one call, read by every operation that asked it."""
        first, page, seen, asked = legs[0].operation, 0, set[bytes](), set[str]()
        reads: list[_Read] = []
        while request is not None:
            answer = await self.calls.answer(request, first)
            if answer is None:
                break
            payload, retrieved_at = answer
            if came_before(first, payload, seen):
                self.outcome.truncated = f"its page {page + 1} held what an earlier one had held"
                break
            page += 1
            asked.add(fingerprint(request))
            reads += [self._read(leg, payload, request, retrieved_at) for leg in legs]
            following = next_request(first, request, payload, page)
            if why := why_cut(first, request, payload, page):
                self.outcome.truncated = why
            elif following is not None and fingerprint(following) in asked:
                self.outcome.truncated = f"after {page} pages it named one that had been read"
                break
            request = following
        return reads

    def _read(self, leg: Leg, payload: Any, request: Request, retrieved_at: str) -> _Read:
        own = stands_for(leg.own or {})
        reading = read_answer(leg.operation, payload, request.inputs, own=own)
        # Among records that answer, those of something else are no fault of the answer.
        strangers = NOBODY if reading.records else ""
        self.outcome.dropped += [pair for pair in reading.dropped if pair[0] != strangers]
        return _Read(leg, reading.records, retrieved_at)

    def _enter(self, read: _Read) -> None:
        """Records become edges."""
        leg = read.leg
        self._answered.update(a for r in read.records for a in leg.inputs.get(r.input, ()))
        asked = Asked(leg.inputs, names_of(self.hop.near, self.hop.known))
        edges = edges_of(read.records, leg.operation, self.service, asked, read.retrieved_at)
        self.outcome.edges += self._wanted(edges)

    def _wanted(self, edges: Iterable[Edge]) -> list[Edge]:
        """The edges whose other end is one of those asked, where that end is known too.

        Known by an identifier; by its name where the service has identifiers of its own.
        """
        if not self.hop.far:
            return list(edges)
        known = names_of(self.hop.far, self.hop.known)
        curies = known.keys() | set(self.hop.far)
        prefixes = {curie.partition(":")[0] for curie in curies}
        labels = {name.casefold() for name in known.values() if name}
        return [
            edge
            for edge in edges
            if edge.object.found in curies
            or (
                edge.object.found.partition(":")[0] not in prefixes
                and edge.object.name.casefold() in labels
            )
        ]
