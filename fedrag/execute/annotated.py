"""Annotated REST and GraphQL services: a query edge is answered by the operations that fit it.

What is known at one end is written with the identifiers an operation takes. Operations that differ
in the prefix of their input alone are alternatives: each identifier goes to the first that takes
it. How they are called is the ``desk``'s part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fedrag.errors import NeedsKeyError
from fedrag.execute.credentials import credentials_of
from fedrag.execute.desk import Desk, Hop, Leg
from fedrag.execute.identifiers import Named, inputs_for
from fedrag.execute.service import Ask, Outcome
from fedrag.metakg import Operation, Operations, Service
from fedrag.net import Caller

__all__ = ["AnnotatedService"]


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
        desk = Desk(self.service, hop, caller, credentials, self._variables(ask), outcome)
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

    async def _hop(self, ask: Ask) -> Hop | None:
        """From which end to ask, with what, and what the other end must be."""
        known = await ask.equivalents(sorted(ask.bound))
        sides = [s for s in (ask.edge.subject, ask.edge.object) if ask.ids.get(s)]
        for side in sorted(sides, key=lambda key: len(ask.ids[key])):
            legs = self._legs(ask, side, known)
            if legs:
                far = ask.edge.object if side == ask.edge.subject else ask.edge.subject
                return Hop(legs, known, ask.ids[side], ask.ids.get(far, ()))
        return None

    def _legs(self, ask: Ask, side: str, known: Named) -> list[Leg]:
        if self._operations is None:
            self._operations = Operations(self.service.operations)
        edge, nodes = ask.edge, ask.nodes
        subject, object_ = nodes[edge.subject], nodes[edge.object]
        choose = self._operations.from_subject
        if side == edge.object:
            choose = self._operations.from_object
        fitting = choose(subject.categories, edge.predicates, object_.categories, edge.qualifiers)
        return _legs(fitting, ask.ids[side], known)


def _legs(operations: Iterable[Operation], ids: Sequence[str], known: Named) -> list[Leg]:
    """Each operation with its inputs; alternatives share the identifiers between them."""
    legs: list[Leg] = []
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
            legs.append(Leg(operation, fresh))
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
