"""Runs a plan: waves of hops over every service that can serve them, under one deadline.

All hops of a wave are asked at once, of all their services at once. A further wave asks from the
best-ranked nodes found so far, with the identifiers as they were returned, while those are being
normalised beside it; everything is joined on canonical CURIEs at the end. A wave that runs late
does not hold up the next: each gets its share of the time that is left, and what arrives after
its share is still merged. What has arrived at the deadline is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.datamodel import Edge, EdgeNode, Entity, NormalizedNode, QueryEdge, QueryPlan
from fedrag.entities import Normalizer
from fedrag.errors import BadPayloadError, ServiceError, ServiceTimeoutError
from fedrag.execute.directions import without_opposites
from fedrag.execute.normalise import Canonicaliser, Naming, naming_for
from fedrag.execute.reports import Tally, knowledge_reports
from fedrag.execute.retrieval import Retrieval
from fedrag.execute.service import Ask, EdgeService, Outcome
from fedrag.execute.tasks import stop_all, wait_for
from fedrag.execute.taxa import filter_taxa
from fedrag.execute.trapi_service import TrapiService
from fedrag.metakg import Service
from fedrag.net import Caller, Endpoint
from fedrag.trapi import canonical_direction, edge_id, merge_edges
from fedrag.weight import edge_weight

__all__ = ["execute", "executors"]

# Of the time that is left, this much is kept for the normalisation of what arrived last.
_RESERVE_SHARE, _RESERVE_MOST = 0.15, 10.0
_GRACE = 0.5  # seconds for reading what arrived at the last moment
_DEFAULT_CAP = 50

Progress = Callable[[str], None]


async def execute(
    plan: QueryPlan,
    entities: Sequence[Entity],
    *,
    services: Sequence[Service],
    caller: Caller,
    normalizer: Normalizer,
    resolver: Endpoint | None = None,
    taxon: str = "NCBITaxon:9606",
    progress: Progress | None = None,
    failures: Sequence[ServiceError] = (),
    keep: Callable[[Edge], bool] | None = None,
) -> Retrieval:
    """Ask everything the plan asks and return merged, normalised edges with a report per service.

    :param resolver: the Name Resolver, for things whose identifiers the normaliser does not know.
    :param failures: calls of these services that failed while the question was read: what they
        would have told to ask them with is missing, so that they count as the service's own.
    :param keep: edges it refuses are dropped as they arrive, as if never returned, and counted.

    A service that fails costs its own edges, never the others'. Nothing is raised for a failed
    service: its state is in the reports.
    """
    tell = progress or (lambda _: None)
    naming = naming_for(services, caller, resolver, taxon)
    run = _Run(plan, entities, executors(services), caller, normalizer, tell, taxon, naming)
    run.keep = keep
    for error in failures:
        run.add_failure(error)
    await run.waves()
    return run.result(services)


def executors(services: Sequence[Service]) -> dict[str, EdgeService]:
    """One executor per service, by its protocol."""
    return {service.name: _executor(service) for service in services}


def _executor(service: Service) -> EdgeService:
    if service.protocol == "trapi":
        return TrapiService(service)
    # Late: it brings the template language with it, which TRAPI services do without.
    from fedrag.execute.annotated import AnnotatedService

    return AnnotatedService(service)


@dataclass(slots=True)
class _Run:
    plan: QueryPlan
    entities: Sequence[Entity]
    executors: Mapping[str, EdgeService]
    caller: Caller
    normalizer: Normalizer
    progress: Progress
    taxon: str = "NCBITaxon:9606"
    naming: Naming | None = None
    keep: Callable[[Edge], bool] | None = None
    left_out: set[str] = field(default_factory=set)  # edges that ``keep`` refused
    canon: Canonicaliser = field(init=False)
    tally: dict[str, Tally] = field(default_factory=dict)
    # By query edge and service, as returned. Read in the order of the services, never of arrival.
    answers: dict[str, dict[str, list[Edge]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.canon = Canonicaliser(self.normalizer, self.naming)

    def add_failure(self, error: ServiceError) -> None:
        """A call that failed beside the hops of the plan."""
        self._tally(error.service).add(Outcome(failures=[error], calls=1))

    async def waves(self) -> None:
        """All waves of the plan; late answers of a wave are merged when they come.

        Whatever a hop raises that is no service's failure (a replay's miss, a fault of ours) ends
        the run, and so does its cancellation; nothing is left running behind it.
        """
        numbers = sorted({edge.wave for edge in self.plan.edges})
        asking: dict[asyncio.Task[None], str] = {}
        learning: list[asyncio.Task[None]] = []
        hurried, end = self._time_for_answers()
        try:
            for position, wave in enumerate(numbers):
                started = self._start_wave(wave, hurried)
                asking |= started
                await wait_for(started, end() / (len(numbers) - position))
                if wave != numbers[-1]:
                    learning.append(asyncio.create_task(self.canon.learn(self._everything())))
            await wait_for(asking, end() + _GRACE)
            self._note_late(asking)
            await asyncio.gather(*learning)
        finally:
            await stop_all([*asking, *learning])
        await self.canon.learn(self._everything())

    def _time_for_answers(self) -> tuple[Caller, Callable[[], float]]:
        """A caller whose calls end in time for the last normalisation, and the seconds it has."""
        reserve = min(_RESERVE_MOST, self.caller.remaining() * _RESERVE_SHARE)
        hurried = self.caller.within(self.caller.remaining() - reserve)
        return hurried, hurried.remaining

    def _start_wave(self, wave: int, caller: Caller) -> dict[asyncio.Task[None], str]:
        """The tasks of a wave, each with the service it asks."""
        tasks: dict[asyncio.Task[None], str] = {}
        for edge in self.plan.edges:
            if edge.wave != wave:
                continue
            ask = self._ask(edge)
            for assignment in self.plan.assignments:
                if assignment.edge == edge.key and assignment.asked:
                    name = assignment.service
                    if not ask.bound:
                        self._tally(name).idle.append(edge.key)
                        continue
                    self.progress(f"{name}: {edge.subject} – {edge.object}")
                    tasks[asyncio.create_task(self._one(name, ask, caller))] = name
        return tasks

    async def _one(self, name: str, ask: Ask, caller: Caller) -> None:
        try:
            outcome = await self.executors[name].run(ask, caller)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            # What one service sent must not cost what the others did.
            told = f"what {name} sent could not be used: {type(error).__name__}"
            failure = BadPayloadError(told, service=name, hint="please report it")
            failure.__cause__ = error
            outcome = Outcome(failures=[failure], calls=1)
        outcome = without_opposites(outcome, ask.edge)
        self._tally(name).add(outcome)
        self.answers.setdefault(ask.edge.key, {})[name] = self._kept(outcome.edges)

    def _kept(self, edges: list[Edge]) -> list[Edge]:
        if self.keep is None:
            return edges
        kept = [edge for edge in edges if self.keep(edge)]
        self.left_out |= {edge_id(edge) for edge in edges} - {edge_id(edge) for edge in kept}
        return kept

    def _note_late(self, asking: Mapping[asyncio.Task[None], str]) -> None:
        """Calls end by themselves in time; this is for an answer still being read."""
        for task, name in asking.items():
            if not task.done():
                late = f"the answer of {name} was not read when the deadline came"
                error = ServiceTimeoutError(late, service=name, hint="raise --deadline")
                self._tally(name).add(Outcome(failures=[error], calls=1))

    def _tally(self, service: str) -> Tally:
        return self.tally.setdefault(service, Tally())

    @property
    def found(self) -> dict[str, list[Edge]]:
        """All edges by query edge, in an order that does not depend on who answered first."""
        return {
            key: [edge for name in self.executors for edge in by_service.get(name, ())]
            for key, by_service in sorted(self.answers.items())
        }

    def _everything(self) -> list[Edge]:
        return [edge for edges in self.found.values() for edge in edges]

    def _ask(self, edge: QueryEdge) -> Ask:
        nodes = {node.key: node for node in self.plan.nodes}
        ids = {key: nodes[key].ids for key in (edge.subject, edge.object) if nodes[key].ids}
        if edge.wave > 1 and edge.from_node not in ids:
            best = self._best(edge)
            if best:
                ids[edge.from_node] = best
            else:
                ids = {}
        return Ask(edge, nodes, ids, self._equivalents, self.taxon)

    async def _equivalents(self, ids: Sequence[str]) -> dict[str, NormalizedNode | None]:
        """What the bound identifiers are also called: the question's own need no further call."""
        given = {i: entity for entity in self.entities for i in (entity.curie, entity.unconflated)}
        others = [curie for curie in ids if not _is_told(given.get(curie))]
        if others:
            await self.canon.learn_ids(others)
        told = self.canon.canon.conflated
        return {i: told.get(i) if i in told else _node_of(given.get(i)) for i in ids}

    def _best(self, edge: QueryEdge) -> tuple[str, ...]:
        """The identifiers, as returned, of the best-ranked nodes an open node was bound to.

        Rank: reached from more than one side first, then independent primary sources weighted by
        how specific and how well curated their statements are.
        """
        given = {i for node in self.plan.nodes for i in node.ids}
        weights: dict[str, dict[str, float]] = {}
        feeding = {e.key for e in self.plan.edges if edge.from_node in (e.subject, e.object)}
        everything = self.found
        for key, edges in everything.items():
            for found in edges:
                for node in _open_ends(found, given):
                    sources = weights.setdefault(node.found, {})
                    source = f"{key if key not in feeding else ''}|{found.primary_source}"
                    sources[source] = max(sources.get(source, 0.0), edge_weight(found))
        bound = {
            node.found
            for key in feeding
            for found in everything.get(key, [])
            for node in _open_ends(found, given)
        }
        ranked = sorted(bound, key=lambda curie: (-sum(weights[curie].values()), curie))
        cap = edge.cap or _DEFAULT_CAP
        if len(ranked) > cap:
            self.notes.append(
                f"{edge.from_node}: the {cap} best-ranked of {len(ranked)} were asked onwards"
            )
        return tuple(ranked[:cap])

    def result(self, services: Sequence[Service]) -> Retrieval:
        """Everything found, canonical, filtered by organism, merged; and how each service did."""
        placed: list[Edge] = []
        origin: list[str] = []
        given = {i for node in self.plan.nodes for i in node.ids}
        for key, edges in self.found.items():
            for edge in edges:
                placed.append(canonical_direction(self.canon.apply(edge, given)))
                origin.append(key)
        kept, notes = filter_taxa(placed, self.entities, self.taxon)
        keep = {id(edge) for edge in kept}
        merged = merge_edges(kept)
        found_by = _found_by(placed, origin, keep)
        self.notes += notes
        known = self.canon.canon
        if known.failure:
            self.notes.append(
                f"answers were not normalised, identifiers are as returned: {known.failure}"
            )
        if left_out := known.left_out():
            self.notes.append(left_out)
        return Retrieval(
            edges=merged,
            found_by=found_by,
            nodes={node.curie: node for node in known.conflated.values() if node},
            reports=knowledge_reports(self.plan, services, self.tally, self.caller),
            notes=tuple(self.notes),
            naming_failed=tuple(known.unnamed),
            normalising_failed=self.normalizer.failures,
            left_out=len(self.left_out),
        )


def _is_told(entity: Entity | None) -> bool:
    return entity is not None and bool(entity.identifiers)


def _node_of(entity: Entity | None) -> NormalizedNode | None:
    """What the Node Normalizer said of an entity when the question was read."""
    if entity is None:
        return None
    return NormalizedNode(
        entity.curie, entity.name, entity.categories, entity.identifiers, entity.taxa
    )


def _open_ends(edge: Edge, given: set[str]) -> list[EdgeNode]:
    """The ends of an edge that the question did not give."""
    return [end for end in (edge.subject, edge.object) if end.found not in given and not end.asked]


def _found_by(
    edges: Sequence[Edge], origin: Sequence[str], keep: set[int]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for edge, key in zip(edges, origin, strict=True):
        if id(edge) in keep:
            found.setdefault(edge_id(edge), {})[key] = None
    return {curie: tuple(keys) for curie, keys in found.items()}
