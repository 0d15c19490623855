"""Annotated REST and GraphQL services: a query edge is answered by the operations that fit it.

What is known at one end is written with the identifiers an operation takes; operations that would
send the same call send it once and each read its answer; pages follow. Operations that differ in
the prefix of their input alone are alternatives: each identifier goes to the first that takes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fedrag.datamodel import Edge, EdgeNode
from fedrag.errors import BadPayloadError, ConfigError, NeedsKeyError, ServiceError
from fedrag.execute.credentials import credentials_of
from fedrag.execute.edges import Asked, edges_of
from fedrag.execute.identifiers import Named, inputs_for, names_of
from fedrag.execute.service import Ask, Outcome
from fedrag.execute.weight import edge_weight
from fedrag.metakg import Operation, Operations, Service
from fedrag.net import Caller, Reply
from fedrag.xbte import (
    Request,
    build_lookups,
    build_requests,
    failure_of,
    next_request,
    read_answer,
    read_lookup,
    records_remain,
    stands_for,
)

__all__ = ["AnnotatedService"]

# Calls of one hop to one service: a document of hundreds of operations must not ask them all.
_MOST_CALLS = 25


@dataclass(slots=True)
class _Leg:
    """One operation with what it is called with: CURIE as written → identifiers asked."""

    operation: Operation
    inputs: dict[str, list[str]]
    own: dict[str, tuple[str, ...]] | None = None  # CURIE as written → the service's identifiers


@dataclass(slots=True)
class AnnotatedService:
    """Asks one service through the x-bte operations of its document.

    :param settings: what the user set of the document's ``settings``.
    """

    service: Service
    settings: Mapping[str, Any] = field(default_factory=dict)
    _operations: Operations | None = None

    async def run(self, ask: Ask, caller: Caller) -> Outcome:
        """Every operation that fits, from the end that has fewer identifiers."""
        outcome = Outcome()
        try:
            credentials = credentials_of(self.service)
        except NeedsKeyError as error:
            outcome.failures.append(error)
            return outcome
        hop = await self._hop(ask)
        if hop is None:
            outcome.idle = self._why_idle(ask)
            return outcome
        desk = _Desk(self.service, hop, caller, credentials, self._variables(ask), outcome)
        await desk.work()
        return outcome

    def _why_idle(self, ask: Ask) -> str:
        """No operation takes what is known."""
        prefixes = sorted({operation.input_prefix for operation in self.service.operations})
        given = sorted({curie.partition(":")[0] for curie in ask.bound})
        takes = ", ".join(prefixes[:8]) + (", ..." if len(prefixes) > 8 else "")
        return f"it takes {takes}, and none is known for what is asked ({', '.join(given)})"

    def _variables(self, ask: Ask) -> dict[str, Any]:
        return {**self.service.settings, **self.settings, "taxon": ask.taxon.rpartition(":")[2]}

    async def _hop(self, ask: Ask) -> _Hop | None:
        """From which end to ask, with what, and what the other end must be."""
        known = await ask.equivalents(sorted(ask.bound))
        sides = [s for s in (ask.edge.subject, ask.edge.object) if ask.ids.get(s)]
        for side in sorted(sides, key=lambda key: len(ask.ids[key])):
            legs = self._legs(ask, side, known)
            if legs:
                far = ask.edge.object if side == ask.edge.subject else ask.edge.subject
                return _Hop(legs, known, ask.ids[side], ask.ids.get(far, ()))
        return None

    def _legs(self, ask: Ask, side: str, known: Named) -> list[_Leg]:
        if self._operations is None:
            self._operations = Operations(self.service.operations)
        edge, nodes = ask.edge, ask.nodes
        subject, object_ = nodes[edge.subject], nodes[edge.object]
        choose = self._operations.from_subject
        if side == edge.object:
            choose = self._operations.from_object
        fitting = choose(subject.categories, edge.predicates, object_.categories, edge.qualifiers)
        return _legs(fitting, ask.ids[side], known)


@dataclass(frozen=True, slots=True)
class _Hop:
    legs: list[_Leg]
    known: Named
    near: tuple[str, ...]
    far: tuple[str, ...]  # identifiers the other end must have; none: any


def _legs(operations: Iterable[Operation], ids: Sequence[str], known: Named) -> list[_Leg]:
    """Each operation with its inputs; alternatives share the identifiers between them."""
    legs: list[_Leg] = []
    served: dict[tuple[object, ...], set[str]] = {}
    for operation in operations:
        taken = served.setdefault(_statement(operation), set())
        inputs = inputs_for(operation.input_prefix, ids, known)
        fresh = {
            written: [one for one in asked if one not in taken] for written, asked in inputs.items()
        }
        fresh = {written: asked for written, asked in fresh.items() if asked}
        if fresh:
            taken.update(one for asked in fresh.values() for one in asked)
            legs.append(_Leg(operation, fresh))
    return legs


def _statement(operation: Operation) -> tuple[object, ...]:
    """What an operation asks for, whatever identifiers it is asked with."""
    call = operation.call
    parameters = {k: v for k, v in call.parameters.items() if "queryInputs" not in str(v)}
    return (
        call.method,
        call.path,
        operation.subject_category,
        operation.predicate,
        operation.qualifiers,
        operation.object_category,
        operation.output_prefix,
        operation.source,
        repr(sorted(parameters.items(), key=str)),
        repr(operation.mapping),
        operation.manner.where,
        operation.manner.negated,
    )


@dataclass(slots=True)
class _Desk:
    """The calls of one hop to one service."""

    service: Service
    hop: _Hop
    caller: Caller
    credentials: Mapping[str, str]
    variables: Mapping[str, Any]
    outcome: Outcome
    looked_up: dict[str, asyncio.Future[Reply | None]] = field(default_factory=dict)

    async def work(self) -> None:
        """Look identifiers up where that is needed, then make each distinct call once."""
        await asyncio.gather(*(self._look_up(leg) for leg in self.hop.legs))
        calls: dict[str, tuple[Request, list[_Leg]]] = {}
        for leg in self.hop.legs:
            for request in self._requests(leg):
                calls.setdefault(_same(request), (request, []))[1].append(leg)
        await asyncio.gather(*(self._pages(*call) for call in self._affordable(calls.values())))

    def _affordable(
        self, calls: Iterable[tuple[Request, list[_Leg]]]
    ) -> list[tuple[Request, list[_Leg]]]:
        """The calls that promise most: curated and specific statements before the others."""
        ranked = sorted(calls, key=lambda call: -max(_promise(leg.operation) for leg in call[1]))
        if len(ranked) > _MOST_CALLS:
            left_out = len(ranked) - _MOST_CALLS
            self.outcome.truncated = f"{left_out} of {len(ranked)} calls that fit were not made"
        return ranked[:_MOST_CALLS]

    async def _look_up(self, leg: _Leg) -> None:
        """The service's own identifiers of the inputs; what it does not know is not asked."""
        if leg.operation.manner.lookup is None:
            return
        operation = leg.operation
        for request in build_lookups(operation, list(leg.inputs), variables=self.variables):
            reply = await self._once(request, operation)
            if reply is None:
                continue
            try:
                found = read_lookup(operation, request, reply.json())
            except ServiceError as error:
                self._failed(error, reply)
                continue
            leg.own = (leg.own or {}) | found

    async def _once(self, request: Request, operation: Operation) -> Reply | None:
        """The reply to a look-up; operations that look up the same share it."""
        key = _same(request)
        if key not in self.looked_up:
            self.looked_up[key] = asyncio.ensure_future(self._send(request, operation))
        return await self.looked_up[key]

    def _requests(self, leg: _Leg) -> list[Request]:
        operation, inputs = leg.operation, list(leg.inputs)
        if operation.manner.lookup is not None and not leg.own:
            return []
        try:
            return build_requests(operation, inputs, variables=self.variables, own=leg.own)
        except ConfigError as error:
            self.outcome.failures.append(
                BadPayloadError(error.message, service=self.service.name, hint=error.hint)
            )
            return []

    async def _pages(self, request: Request | None, legs: list[_Leg]) -> None:
        first, page, seen = legs[0].operation, 0, set[bytes]()
        while request is not None:
            reply = await self._send(request, first)
            if reply is None:
                return
            try:
                payload = reply.json()
            except ServiceError as error:
                self._failed(error, reply)
                return
            if failure := failure_of(first, payload):
                told = f"{self.service.name} answered with an error: {failure}"
                self._failed(BadPayloadError(told, service=self.service.name), reply)
                return
            page += 1
            for leg in legs:
                self._read(leg, payload, request, reply.retrieved_at)
            if records_remain(first, request, payload, page):
                self.outcome.truncated = f"it holds more than the {page} pages that were read"
            request = next_request(first, request, payload, page, seen=seen)

    def _read(self, leg: _Leg, payload: Any, request: Request, retrieved_at: str) -> None:
        own = stands_for(leg.own or {})
        reading = read_answer(leg.operation, payload, request.inputs, own=own)
        self.outcome.dropped += reading.dropped
        asked = Asked(leg.inputs, names_of(self.hop.near, self.hop.known))
        edges = edges_of(reading.records, leg.operation, self.service, asked, retrieved_at)
        self.outcome.edges += self._wanted(edges)

    def _wanted(self, edges: Iterable[Edge]) -> list[Edge]:
        """The edges whose other end is one of those asked, where that end is known too."""
        if not self.hop.far:
            return list(edges)
        names = {one: one for one in self.hop.far}
        for one in self.hop.far:
            node = self.hop.known.get(one)
            names |= {identifier.curie: one for identifier in node.identifiers} if node else {}
        return [edge for edge in edges if edge.object.found in names]

    async def _send(self, request: Request, operation: Operation) -> Reply | None:
        self.outcome.calls += 1
        try:
            return await self.caller.send(
                self.service.endpoint,
                request.method,
                request.path,
                query=request.query,
                json=request.json,
                form=request.form,
                credentials=self.credentials,
            )
        except ServiceError as error:
            if error.status not in operation.manner.empty_status:
                self.outcome.failures.append(error)
            return None

    def _failed(self, error: ServiceError, reply: Reply) -> None:
        """A failure told with HTTP 200 is not kept as an answer."""
        self.caller.discard(reply, self.service.endpoint)
        self.outcome.failures.append(error)


def _promise(operation: Operation) -> float:
    """How much one statement of an operation would weigh."""
    end = EdgeNode("", "")
    return edge_weight(
        Edge(
            "",
            end,
            operation.predicate,
            end,
            qualifiers=operation.qualifiers,
            knowledge_level=operation.knowledge_level,
            agent_type=operation.agent_type,
        )
    )


def _same(request: Request) -> str:
    return repr((request.method, request.path, request.query, request.form, request.json))
