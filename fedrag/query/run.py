"""Runs a query graph: round by round over every service that can serve an edge, one deadline.

A round asks the edges that can be asked cheapest (``order``), of all their services at once; what
comes back is judged and narrowed (``found``); the next round asks from that. A service that fails
costs its own edges, a late one is merged when it comes. When nothing is left at a node, no further
edge is asked: nothing can join any more, and what was found is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.datamodel import QueryEdge, QueryNode
from fedrag.errors import ServiceTimeoutError
from fedrag.execute import Ask, EdgeService, Outcome
from fedrag.execute.reports import Tally
from fedrag.execute.tasks import stop_all, wait_for
from fedrag.net import Caller
from fedrag.query.found import Found
from fedrag.query.graph import GraphEdge
from fedrag.query.journal import Journal
from fedrag.query.order import Turn, layers, next_turns
from fedrag.query.plan import Assigned

__all__ = ["LIMITS", "Limits", "Run"]

_RESERVE_SHARE, _RESERVE_MOST = 0.15, 10.0  # of the time left, for the last normalisation
_GRACE = 0.5  # seconds for reading what arrived at the last moment

Progress = Callable[[str], None]
Asking = dict[asyncio.Task[None], tuple[str, str]]  # each with the edge and the service it asks


@dataclass(frozen=True, slots=True)
class Limits:
    """What is cut, always by rank.

    :param ids: things asked onwards in one hop.
    :param edges: edges kept of one hop.
    :param results: results of the response.
    """

    ids: int = 1_000
    edges: int = 10_000
    results: int = 5_000


LIMITS = Limits()


@dataclass(slots=True)
class Run:
    """One query on its way; after :meth:`ask`, ``found`` holds what came of each edge."""

    found: Found
    nodes: Mapping[str, QueryNode]
    assigned: Assigned
    executors: Mapping[str, EdgeService]
    caller: Caller
    log: Journal
    limits: Limits = LIMITS
    progress: Progress = lambda _: None
    tally: dict[str, Tally] = field(default_factory=dict)
    _rounds: int = 0

    async def ask(self) -> None:
        """All rounds. What is no service's failure (a replay's miss) ends the run and is raised."""
        hurried = self._hurried()
        asking: Asking = {}
        try:
            while hurried.remaining() > 0:
                turns = self._turns()
                late = [task for task in asking if not task.done()]
                if turns:
                    rounds = max(layers(self._waiting(), self.found.domains), 1)
                    asking |= await self._round(turns, hurried, hurried.remaining() / rounds)
                elif late:  # what comes now may let the next hop be asked after all
                    await wait_for(late, hurried.remaining() + _GRACE, first=self.found.broken)
                elif not (self.found.broken and self.found.reopen()):
                    break
                await self._settle()
            self._note_late(asking)
        finally:
            await stop_all(list(asking))
        await self._settle()
        self._close()

    def _hurried(self) -> Caller:
        """A caller whose calls end in time for the last normalisation."""
        reserve = min(_RESERVE_MOST, self.caller.remaining() * _RESERVE_SHARE)
        return self.caller.within(self.caller.remaining() - reserve)

    def _waiting(self) -> list[GraphEdge]:
        edges = self.found.request.edges
        return [edge for key, edge in edges.items() if key not in self.found.done]

    def _turns(self) -> list[Turn]:
        """What to ask now; nothing when all is asked, or nothing can join any more."""
        if self.found.broken:
            return []
        known = {node: len(keys) for node, keys in self.found.domains.items()}
        return next_turns(self._waiting(), known)

    async def _round(self, turns: Sequence[Turn], caller: Caller, seconds: float) -> Asking:
        self._rounds += 1
        started: Asking = {}
        for turn in turns:
            started |= self._start(turn, caller)
        await wait_for(list(started), seconds)
        return started

    async def _settle(self) -> None:
        await self.found.settle()
        self.log.calls(self.caller.trace)

    # --- asking ----------------------------------------------------------------------------------

    def _start(self, turn: Turn, caller: Caller) -> Asking:
        """The tasks of one edge: for each set of qualifiers, each service that may hold it."""
        edge, ids = turn.edge, self._ids(turn)
        started: Asking = {}
        if not ids:
            return started
        for qualifiers, services in self.assigned.readings[edge.key]:
            asked = QueryEdge(
                key=edge.key,
                subject=edge.subject,
                object=edge.object,
                predicates=edge.predicates,
                qualifiers=qualifiers,
                from_node=turn.start,
            )
            ask = Ask(
                edge=asked,
                nodes=self.nodes,
                ids=ids,
                equivalents=self.found.names.equivalents,
                taxon=self.found.taxon,
            )
            for name in services:
                self.progress(f"{name}: {edge.subject} – {edge.object}")
                task = asyncio.create_task(self._one(name, ask, caller))
                started[task] = (edge.key, name)
        return started

    def _ids(self, turn: Turn) -> dict[str, tuple[str, ...]]:
        """What an edge is asked with, by node; nothing when it was asked with all there is."""
        key, start, found = turn.edge.key, turn.start, self.found
        again = bool(found.hops[key].start)
        chosen = found.take(key, start, self._rounds)
        ids = {start: found.written(start, chosen)} if chosen else {}
        if turn.both and chosen and not again:
            other = turn.edge.other(start)
            ids[other] = found.written(other, found.ranked(other))
        return ids

    async def _one(self, name: str, ask: Ask, caller: Caller) -> None:
        self._add(ask.edge.key, name, await self.executors[name].run(ask, caller))

    def _add(self, edge: str, name: str, outcome: Outcome) -> None:
        self.tally.setdefault(name, Tally()).add(outcome)
        self.found.add(edge, name, outcome)

    # --- the end ---------------------------------------------------------------------------------

    def _note_late(self, asking: Asking) -> None:
        """Calls end by themselves in time; this is for an answer still being read."""
        for task, (edge, name) in asking.items():
            if not task.done():
                late = f"the answer of {name} was not read when the deadline came"
                error = ServiceTimeoutError(late, service=name, hint="raise --deadline")
                self._add(edge, name, Outcome(failures=[error], calls=1))

    def _close(self) -> None:
        """Log what failed or was left out; services of hops never asked had nothing to go on."""
        self.found.note_cuts()
        for key, hop in self.found.hops.items():
            if not hop.start:
                for _, services in self.assigned.readings[key]:
                    for name in services:
                        self.tally.setdefault(name, Tally()).idle.append(key)
            for failure in hop.failures:
                self.log.failed(failure.state, f"{key}: {failure}")
            for note in self.found.notes.get(key, ()):
                self.log.add("WARNING" if "dropped" in note else "INFO", f"{key}: {note}")
