"""Annotated REST and GraphQL services: a query edge is answered by the operations that fit it.

What is known at one end is written with the identifiers an operation takes. Operations that differ
in the prefix of their input alone are alternatives: each identifier goes to the first that takes
it, and where that knows nothing of it to the next. How they are called is the ``desk``'s part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fedrag.errors import NeedsKeyError
from fedrag.execute.calls import Calls
from fedrag.execute.credentials import credentials_of
from fedrag.execute.desk import Desk, Hop, Statement
from fedrag.execute.identifiers import inputs_for
from fedrag.execute.service import Ask, Outcome
from fedrag.metakg import Operation, Operations, Service, goes_onward
from fedrag.net import Caller

__all__ = ["AnnotatedService"]

_ROUNDS = 2  # how many alternatives are tried for what the question itself names


@dataclass(slots=True)
class AnnotatedService:
    """Asks one service through the x-bte operations of its document."""

    service: Service
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
        calls = Calls(self.service, caller, credentials, outcome)
        desk = Desk(self.service, hop, calls, self._variables(ask), outcome)
        await desk.work()
        return outcome

    def _why_idle(self, ask: Ask) -> str:
        """No operation takes what is known."""
        fitting = (one for side in _sides(ask) for one in self._fitting(ask, side))
        prefixes = sorted({operation.input_prefix for operation in fitting})
        if not prefixes:
            return "its calls for this are not made onwards"
        given = sorted({curie.partition(":")[0] for curie in ask.bound})
        if set(given) & set(prefixes):  # HGVS on a gene, and HGVS on a sequence
            given = sorted(ask.bound)[:3]
        takes = ", ".join(prefixes[:8]) + (", ..." if len(prefixes) > 8 else "")
        return f"it takes {takes}, and none is known for what is asked ({', '.join(given)})"

    def _variables(self, ask: Ask) -> dict[str, Any]:
        return {**self.service.settings, "taxon": ask.taxon.rpartition(":")[2]}

    async def _hop(self, ask: Ask) -> Hop | None:
        """From which end to ask, with what, and what the other end must be."""
        known = await ask.equivalents(sorted(ask.bound))
        for side in _sides(ask):
            statements = _alternatives(self._fitting(ask, side))
            ways = {
                (one.input_prefix, one.manner.input_like)
                for statement in statements
                for one in statement.operations
            }
            if any(inputs_for(prefix, ask.ids[side], known, like) for prefix, like in ways):
                far = ask.edge.object if side == ask.edge.subject else ask.edge.subject
                rounds = 1 if ask.edge.wave > 1 else _ROUNDS
                return Hop(statements, known, ask.ids[side], ask.ids.get(far, ()), rounds)
        return None

    def _fitting(self, ask: Ask, side: str) -> tuple[Operation, ...]:
        """The operations that answer the edge when they are called with one side of it."""
        if self._operations is None:
            self._operations = Operations(self.service.operations)
        edge, nodes = ask.edge, ask.nodes
        subject, object_ = nodes[edge.subject], nodes[edge.object]
        choose = self._operations.from_subject
        if side == edge.object:
            choose = self._operations.from_object
        found = choose(subject.categories, edge.predicates, object_.categories, edge.qualifiers)
        if edge.wave > 1:
            return tuple(operation for operation in found if goes_onward(operation))
        return found


def _sides(ask: Ask) -> list[str]:
    """The ends that are known, the one with fewer identifiers first."""
    known = [side for side in (ask.edge.subject, ask.edge.object) if ask.ids.get(side)]
    return sorted(known, key=lambda side: len(ask.ids[side]))


def _alternatives(operations: Iterable[Operation]) -> list[Statement]:
    """Operations by what they state; those of one statement differ in their input's prefix."""
    groups: dict[tuple[object, ...], list[Operation]] = {}
    for operation in operations:
        groups.setdefault(_statement(operation), []).append(operation)
    return [Statement(group) for group in groups.values()]


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
