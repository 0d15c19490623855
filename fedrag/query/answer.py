"""A query in, its answer out: names, assignment, rounds, join, response."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fedrag.biolink import biolink
from fedrag.datamodel import Completeness, ServiceReport
from fedrag.entities import Normalizer
from fedrag.execute import (
    Canonicaliser,
    completeness,
    conflation_notes,
    entity_report,
    executors,
    in_table_order,
    naming_for,
)
from fedrag.execute.reports import knowledge_reports
from fedrag.metakg import Service, read_metakg
from fedrag.net import Caller
from fedrag.query.domains import within
from fedrag.query.found import Found
from fedrag.query.graph import QueryRequest
from fedrag.query.hops import Hop
from fedrag.query.join import Joined, join
from fedrag.query.journal import Journal
from fedrag.query.knowledge import TrapiVersion
from fedrag.query.names import Names
from fedrag.query.plan import assign
from fedrag.query.respond import SCHEMA_VERSIONS, Message
from fedrag.query.run import LIMITS, Limits, Run

__all__ = ["Desk", "QueryAnswer", "answer_query"]

Progress = Callable[[str], None]
_NOTED = 50  # results whose merged forms are told


@dataclass(frozen=True, slots=True)
class Desk:
    """What queries are answered with: services, and how they are called."""

    caller: Caller
    normalizer: Service
    resolver: Service
    knowledge: tuple[Service, ...]
    taxon: str = "NCBITaxon:9606"
    limits: Limits = LIMITS
    version: TrapiVersion = "1.5"
    notes: tuple[str, ...] = ()
    store_notes: Sequence[str] = ()  # what the cache of calls had to say; grows while it is used


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The TRAPI response to a query, and what it rests on.

    :param response: valid TRAPI; beyond its schema it has ``services`` (the service table),
        ``hops`` (what each query edge came to), ``completeness``, ``mode`` and ``timings``.
    :param completeness: ``unknown`` also when a hop stays open because no service of it answered.
    """

    response: dict[str, Any]
    hops: tuple[Hop, ...]
    services: tuple[ServiceReport, ...]
    completeness: Completeness

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of the response, best first."""
        found: list[dict[str, Any]] = self.response["message"]["results"]
        return found

    @property
    def exit_code(self) -> int:
        """0 answered; 3 no service answered; 4 they answered, and nothing meets the query."""
        if self.results:
            return 0
        return 3 if self.completeness == "unknown" else 4


async def answer_query(
    request: QueryRequest, desk: Desk, *, progress: Progress | None = None
) -> QueryAnswer:
    """Ask everything a query needs and write the response.

    :raises PlanError: an edge that no service can serve, an identifier nobody knows.
    :raises OfflineError: a replay that does not hold a call.
    """
    started = time.perf_counter()
    log = Journal(recorded_at=desk.caller.recorded_at)
    for note in (*request.notes, *desk.notes):
        log.add("WARNING", note)
    normalizer = Normalizer(desk.caller, desk.normalizer.endpoint)
    naming = naming_for(desk.knowledge, desk.caller, desk.resolver.endpoint, desk.taxon)
    names = Names(Canonicaliser(normalizer, naming))
    (metakg, notes), _ = await asyncio.gather(
        read_metakg(desk.caller, desk.knowledge), names.learn(request, desk.knowledge, log)
    )
    for note in notes:
        log.add("WARNING", note, "KPNotAvailable")
    nodes = names.query_nodes(request)
    run = Run(
        found=Found(request, names, desk.taxon, desk.limits.ids),
        nodes=nodes,
        assigned=assign(request, nodes, metakg),
        executors=executors([s for s in desk.knowledge if s.enabled]),
        caller=desk.caller,
        log=log,
        limits=desk.limits,
        progress=progress or (lambda _: None),
    )
    await run.ask()
    for note in desk.store_notes:
        log.add("WARNING", note)
    joined = _joined(run.found, desk.limits)
    reports = _reports(run, desk, normalizer)
    answer = _Writer(run, desk, joined, reports, _completeness(run, joined, reports))
    return answer.written(time.perf_counter() - started)


def _joined(found: Found, limits: Limits) -> Joined:
    """The results, from what the caps leave of each hop."""
    request = found.request
    if found.broken or any(not hop.start for hop in found.hops.values()):
        return Joined(())
    found.cap(limits.edges)
    fits = {key: within(e, found.fits[key], found.domains) for key, e in request.edges.items()}
    joined = join(request, fits, found.names.given, most=limits.results)
    for key, hop in found.hops.items():
        bound = {id(fit.edge) for result in joined.results for fit in result.fits[key]}
        hop.bound = len(bound)
    return joined


def _reports(run: Run, desk: Desk, normalizer: Normalizer) -> tuple[ServiceReport, ...]:
    knowledge = knowledge_reports(run.assigned.plan, desk.knowledge, run.tally, desk.caller)
    own = entity_report(desk.normalizer, desk.caller, normalizer.failures)
    calls = [call for call in desk.caller.trace if call.service == desk.normalizer.name]
    if normalizer.failures and all(call.outcome != "ok" for call in calls):
        first = normalizer.failures[0]  # asked again after each hop, and never up
        own = replace(own, state=first.state, reason=first.message, failed=len(calls))
    resolver = entity_report(desk.resolver, desk.caller, run.found.names.canon.canon.unnamed)
    named = [resolver] if resolver.calls else []  # most queries have nothing to find by name
    return in_table_order([*named, own, *knowledge])


def _completeness(run: Run, joined: Joined, reports: Sequence[ServiceReport]) -> Completeness:
    whole = completeness(reports)
    if not joined.results and any(hop.unanswered for hop in run.found.hops.values()):
        return "unknown"
    cut = joined.cut or any(hop.truncated for hop in run.found.hops.values())
    return "partial" if whole == "complete" and cut else whole


@dataclass(frozen=True, slots=True)
class _Writer:
    run: Run
    desk: Desk
    joined: Joined
    reports: tuple[ServiceReport, ...]
    completeness: Completeness

    def written(self, seconds: float) -> QueryAnswer:
        run, desk = self.run, self.desk
        everything = [edge for edges in run.found.placed.values() for edge in edges]
        writer = Message(
            request=run.found.request,
            joined=self.joined,
            found=run.found.fits,
            names=run.found.names,
            version=desk.version,
            infores={service.name: service.infores for service in desk.knowledge},
            stated=[e for e in everything if e.predicate == "biolink:subclass_of"],
        )
        message = writer.write()
        kept = len(message["knowledge_graph"]["edges"])
        self._log_hops(kept)
        response: dict[str, Any] = {
            "message": message,
            "status": "KPsNotAvailable" if self.completeness == "unknown" else "Success",
            "description": self._description(kept),
            "schema_version": SCHEMA_VERSIONS[desk.version],
            "biolink_version": biolink().version,
            "logs": run.log.at_least(run.found.request.log_level),
            "services": [report.to_dict() for report in self.reports],
            "hops": [hop.row() for hop in run.found.hops.values()],
            "completeness": self.completeness,
            "mode": desk.caller.mode,
            "timings": {
                "services": {report.service: report.seconds for report in self.reports},
                "total_seconds": round(seconds, 3),
            },
        }
        if (parameters := run.found.request.parameters) is not None:
            response["parameters"] = dict(parameters)
        return QueryAnswer(
            response, tuple(run.found.hops.values()), self.reports, self.completeness
        )

    def _log_conflation(self) -> None:
        """One note for each thing of the best results that stands for several distinct ones."""
        best = self.joined.results[:_NOTED]
        shown = dict.fromkeys(key for r in best for keys in r.nodes.values() for key in keys)
        edges = (fit.edge for r in best for fits in r.fits.values() for fit in fits)
        for note in conflation_notes(edges, shown):
            self.run.log.add("INFO", note)

    def _log_hops(self, kept: int) -> None:
        """How each hop went and what it came to; ``kept`` edges are in the knowledge graph."""
        log = self.run.log
        log.calls(self.desk.caller.trace)
        for hop in self.run.found.hops.values():
            log.add("INFO", hop.told())
            for why in hop.truncated:
                log.add("WARNING", f"{hop.edge.key}: {why}", "Truncated")
        if left_out := self.run.found.names.canon.canon.left_out():
            log.add("INFO", left_out)
        if self.joined.cut:
            log.add("WARNING", self.joined.cut, "Truncated")
        if not self.joined.results:
            log.add("WARNING", *self._why_empty(kept))
        self._log_conflation()
        log.add("INFO", self._description(kept))

    def _description(self, kept: int) -> str:
        count = len(self.joined.results)
        if count:
            told = f"{count:,} result{'s' if count > 1 else ''}"
            return told if self.completeness == "complete" else f"{told}; not all is known (logs)"
        return f"No results: {self._why_empty(kept)[0]}"

    def _why_empty(self, kept: int) -> tuple[str, str]:
        """Which hop left nothing and what the others found, and its code: an outage is no zero."""
        hops = list(self.run.found.hops.values())
        edges = "edge that was" if kept == 1 else f"{kept:,} edges that were"
        verb = "is" if kept == 1 else "are"
        rest = f"; the {edges} found {verb} in the knowledge graph" if kept else ""
        asked = [hop for hop in hops if hop.start]
        for hop in asked:
            if not hop.fitting:
                where = f"for {hop.edge.key} ({hop.edge.subject} – {hop.edge.object}){rest}"
                if hop.unanswered:
                    return f"no service answered {where}", "KPNotAvailable"
                return f"nothing was found {where}", "EmptyHop"
        empty = sorted(node for node, keys in self.run.found.domains.items() if not keys)
        if empty:
            met = ", ".join(hop.edge.key for hop in asked)
            return f"what {met} found does not meet{rest}", "EmptyHop"
        late = [hop.edge.key for hop in hops if not hop.start]
        if late:
            return f"there was no time to ask {', '.join(late)}{rest}", "NotAsked"
        return f"what was found does not join{rest}", "EmptyHop"
