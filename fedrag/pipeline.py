"""question → entities → plan → federated execution → evidence → candidates → cited answer.

The one place where the stages meet: :meth:`Run.answer` reads like the line above.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from fedrag.answer import (
    Draft,
    WriteError,
    compose,
    extract_mentions,
    opened,
    write,
)
from fedrag.biolink import biolink
from fedrag.config import Settings
from fedrag.datamodel import (
    Answer,
    Candidate,
    Edge,
    Entity,
    Evidence,
    LLMUsage,
    QueryPlan,
    RejectedCitation,
    ServiceReport,
)
from fedrag.entities import (
    Mention,
    Normalizer,
    Resolution,
    Unresolved,
    VariantServices,
    resolve,
)
from fedrag.errors import (
    AmbiguousEntityError,
    CitationError,
    ConfigError,
    FedragError,
    PlanError,
    ServiceError,
    UnavailableError,
    UnresolvedEntityError,
)
from fedrag.evidence import (
    ByteStore,
    load_embedder,
    prune,
    rank,
    to_evidence,
    touches,
    with_keys,
)
from fedrag.execute import (
    Retrieval,
    completeness,
    conflation_notes,
    entity_report,
    execute,
    failed,
    in_table_order,
)
from fedrag.metakg import MetaKG, Service, read_metakg
from fedrag.net import Caller
from fedrag.plan import gene_level, plan_or_gene_level

__all__ = ["Desk", "Gathered", "Run"]

MAX_QUESTION = 2_000  # characters; the longest of the 1,841 benchmark questions has 300
_NOTED = 10  # candidates whose merged forms are told
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """What a run works with: settings, services, and how they are called."""

    settings: Settings
    caller: Caller
    resolver: Service  # the Name Resolver
    normalizer: Service  # the Node Normalizer
    knowledge: tuple[Service, ...]
    embeddings: ByteStore | None = None
    store_notes: Sequence[str] = ()  # what the cache of calls had to say; grows while it is used
    recorded: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the services returned on a question: ranked, in sentences, and pruned to a page.

    :ivar evidence: every sentence, with no key; :ivar page: those of the page, keyed.
    """

    plan: QueryPlan
    entities: tuple[Entity, ...]
    retrieval: Retrieval
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    page: tuple[Evidence, ...]
    services: tuple[ServiceReport, ...]


@dataclass(slots=True)
class Run:
    """One question on its way through the stages."""

    question: str
    desk: Desk
    pins: Mapping[str, str] = field(default_factory=dict)
    template: str | None = None
    progress: Progress | None = None
    keep: Callable[[Edge], bool] | None = None  # edges it refuses count as never returned
    normalizer: Normalizer = field(init=False)
    metakg: MetaKG = field(init=False)
    resolution: Resolution = field(init=False)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)  # by status, under --status
    timings: dict[str, Any] = field(default_factory=dict)
    _started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.question = _checked(self.question)
        self.normalizer = Normalizer(self.desk.caller, self.desk.normalizer.endpoint)

    async def answer(self) -> Answer:
        """All stages."""
        return await self.write(await self.gather())

    async def gather(self) -> Gathered:
        """The stages up to the page of evidence: what an answer is then written from."""
        warming = asyncio.get_running_loop().run_in_executor(None, _warm_up)
        plan = await self.plan()
        retrieval = await self._execute(plan)
        if (instead := self._gene_level(plan, retrieval)) is not None:
            plan, retrieval = instead, await self._execute(instead)
        entities = self.resolution.entities
        self._lap("services")
        self.notes += retrieval.notes
        await warming
        candidates = self._with_wanted_status(rank(plan, entities, retrieval), plan)
        evidence = to_evidence(retrieval, entities, plan)
        page = self._page(plan, evidence, candidates)
        candidates = with_keys(candidates, page)
        self.notes += [line for entity in entities for line in entity.conflated]
        shown = [candidate.curie for candidate in candidates[:_NOTED]]
        self.notes += conflation_notes(retrieval.edges, shown)
        self._lap("evidence")
        services = self._services(retrieval)
        return Gathered(plan, entities, retrieval, candidates, evidence, page, services)

    async def write(self, found: Gathered) -> Answer:
        """The answer from what was gathered, with the language model where one is named."""
        draft, rejected, usage = await self._draft(found)
        self._lap("answer")
        return self._strictly(self._assemble(found, draft, rejected, usage))

    async def resolve(self) -> Resolution:
        """Entities of the question; what is unresolved is in the result, not raised."""
        settings = self.desk.settings
        extra: Sequence[Mention] = ()
        if settings.llm and settings.llm_entities:
            extra, notes = await extract_mentions(self.question, settings.llm, self.desk.caller)
            self.notes += notes
        return await resolve(
            self.question,
            self.desk.caller,
            resolver=self.desk.resolver.endpoint,
            normalizer=self.normalizer,
            pins=self.pins,
            taxon=settings.taxon,
            extra_mentions=extra,
            variants=_variant_services(self.desk.knowledge),
        )

    async def plan(self) -> QueryPlan:
        """Entities and meta-knowledge graph at once, then the plan."""
        self._say("recognising entities")
        self.resolution, (self.metakg, notes) = await asyncio.gather(
            self.resolve(), read_metakg(self.desk.caller, self.desk.knowledge)
        )
        self._lap("entities")
        self.notes += [*self.resolution.notes, *notes]
        self._check_entities()
        made, entities = plan_or_gene_level(
            self.question,
            self.resolution.entities,
            self.resolution.genes,
            self.metakg,
            template=self.template,
        )
        self.resolution = replace(self.resolution, entities=entities)
        self.notes += made.notes
        made = self._limited(self._with_parts(made))
        self._lap("plan")
        return made

    def _with_parts(self, plan: QueryPlan) -> QueryPlan:
        """The plan that asks for the parts of a combination of variants beside the whole."""
        parts = self.resolution.parts
        nodes = (
            replace(node, ids=(*node.ids, *(p for i in node.ids for p in parts.get(i, ()))))
            for node in plan.nodes
        )
        return replace(plan, nodes=tuple(nodes)) if parts else plan

    def _limited(self, plan: QueryPlan) -> QueryPlan:
        """The plan with all that the question says and the answer will not be limited by.

        With ``strict``, a question of which a part cannot be applied is refused.
        """
        left = tuple(dict.fromkeys([*self.resolution.unused, *plan.unapplied]))
        if left and self.desk.settings.strict:
            told = ", ".join(f'"{words}"' for words in left)
            raise PlanError(
                f"understood: {plan.understood}; but {told} could not be applied, and an answer "
                "that is not limited by it is refused",
                hint="ask without these words, or without --strict",
            )
        return replace(plan, unapplied=left)

    async def _execute(self, plan: QueryPlan) -> Retrieval:
        return await execute(
            plan,
            self.resolution.entities,
            services=self.desk.knowledge,
            caller=self.desk.caller,
            normalizer=self.normalizer,
            resolver=self.desk.resolver.endpoint,
            taxon=self.desk.settings.taxon,
            progress=self.progress,
            failures=self.resolution.naming_failures,
            keep=self.keep,
        )

    def _gene_level(self, plan: QueryPlan, retrieval: Retrieval) -> QueryPlan | None:
        """The plan for the genes of variants on which nothing was returned, where that is so."""
        genes, entities = self.resolution.genes, self.resolution.entities
        if self.template or not genes or failed(retrieval.reports):
            return None  # where a service failed, that nothing was returned says nothing
        if touches(retrieval.edges, plan, entities, genes):
            return None
        why = "nothing was returned on"
        instead = gene_level(self.question, entities, genes, self.metakg, why)
        if instead is None:
            return None
        self.resolution = replace(self.resolution, entities=instead[1])
        self.notes += instead[0].notes
        return self._limited(instead[0])

    def _page(
        self,
        plan: QueryPlan,
        evidence: Sequence[Evidence],
        candidates: tuple[Candidate, ...],
    ) -> tuple[Evidence, ...]:
        settings = self.desk.settings
        entities = self.resolution.entities
        return prune(
            self.question,
            evidence,
            candidates,
            entities,
            plan,
            embedder=load_embedder(
                settings.embedder,
                store=self.desk.embeddings,
                offline=settings.offline or bool(self.desk.recorded),
            ),
            top_k=settings.top_k,
            max_tokens=settings.max_tokens,
        )

    def _check_entities(self) -> None:
        for unresolved in self.resolution.unresolved:
            if unresolved.failed is not None:
                raise _not_looked_up(unresolved.mention, unresolved.failed)
            raise self._unresolved(unresolved)
        for entity in self.resolution.entities:
            if not entity.ambiguous:
                continue
            others = ", ".join(f"{c.name} ({c.curie})" for c in entity.candidates[:5])
            if self.desk.settings.strict:
                raise AmbiguousEntityError(
                    f"{entity.mention!r} may mean {entity.name} ({entity.curie}) or {others}",
                    mention=entity.mention,
                    nearest=tuple(c.name for c in entity.candidates[:5]),
                    hint=f'choose with --entity "{entity.mention}=CURIE"',
                )
            self.notes.append(
                f"{entity.mention!r} was taken as {entity.name} ({entity.curie}); "
                f"it may also mean {others}"
            )

    def _unresolved(self, unresolved: Unresolved) -> UnresolvedEntityError:
        mention, nearest = unresolved.mention, ", ".join(unresolved.nearest)
        if curie := self.pins.get(mention):
            unknown = f'the Node Normalizer does not know "{curie}"'
            why = unknown if biolink().parse_curie(curie) else unresolved.reason
            message = f"{mention!r} is pinned to {curie}: {why}"
            hint = "pin it to another CURIE, or let it be found by leaving --entity out"
        elif biolink().parse_curie(mention):
            message, hint = f"the Node Normalizer does not know {mention}", "check the identifier"
        else:
            near = f"; the nearest names are: {nearest}" if nearest else ""
            message = f"nothing was found for {mention!r}{near}"
            hint = f'pin it with --entity "{mention}=CURIE"'
        return UnresolvedEntityError(
            message, mention=mention, nearest=unresolved.nearest, hint=hint
        )

    def _with_wanted_status(
        self, candidates: tuple[Candidate, ...], plan: QueryPlan
    ) -> tuple[Candidate, ...]:
        wanted = self.desk.settings.status
        if not wanted:
            return candidates
        if not plan.treatment or plan.kind == "relation":
            self.notes.append("--status has no effect: this question lists no treatments")
            return candidates
        kept = tuple(c for c in candidates if c.status in wanted or c.status is None)
        self.left_out = Counter(c.status for c in candidates if c.status and c.status not in wanted)
        if count := self.left_out.total():
            candidates_were = "candidate was" if count == 1 else "candidates were"
            self.notes.append(
                f"{count} {candidates_were} left out: not of the status {' or '.join(wanted)}"
            )
        return kept

    async def _draft(
        self, found: Gathered
    ) -> tuple[Draft, tuple[RejectedCitation, ...], LLMUsage | None]:
        whole = completeness(found.services)
        draft = compose(
            self.question,
            found.plan,
            found.entities,
            found.candidates,
            found.page,
            found.services,
            whole,
            left_out=self.left_out,
        )
        llm = self.desk.settings.llm
        if llm is None or draft.abstained:
            return draft, (), None
        self._say(f"writing with {llm.model}")
        try:
            written = await write(
                draft,
                self.question,
                found.plan,
                found.entities,
                found.candidates,
                found.page,
                llm=llm,
                caller=self.desk.caller,
                services=found.services,
                completeness=whole,
                synonyms=_synonyms(found.retrieval),
            )
        except WriteError as error:
            self.notes.append(f"{error}; the answer was written without a language model")
            return draft, error.rejected, error.usage
        self.notes += written.notes
        return written.draft, written.rejected, written.usage

    def _services(self, retrieval: Retrieval) -> tuple[ServiceReport, ...]:
        desk = self.desk
        reports = [
            entity_report(
                desk.resolver,
                desk.caller,
                (*self.resolution.failures, *retrieval.naming_failed),
            ),
            entity_report(desk.normalizer, desk.caller, retrieval.normalising_failed),
            *retrieval.reports,
        ]
        return in_table_order(reports)

    def _assemble(
        self,
        found: Gathered,
        draft: Draft,
        rejected: tuple[RejectedCitation, ...],
        usage: LLMUsage | None,
    ) -> Answer:
        plan, services = found.plan, found.services
        self.timings["services"] = {s.service: s.seconds for s in services}
        self.timings["total_seconds"] = round(time.perf_counter() - self._started, 4)
        self.timings["asked_at"] = datetime.now(UTC).isoformat(timespec="seconds")
        return Answer(
            question=self.question,
            mode=self.desk.caller.mode,
            kind=draft.kind,
            text=opened(draft, plan),
            name=draft.name,
            curie=draft.curie,
            items=draft.items,
            abstained=draft.abstained,
            sentences=draft.sentences,
            entities=found.entities,
            unused=plan.unapplied,
            plan=plan,
            candidates=found.candidates,
            evidence=found.page,
            services=services,
            completeness=completeness(services),
            rejected_citations=rejected,
            notes=tuple(dict.fromkeys([*self.desk.store_notes, *self.notes])),
            llm=usage,
            all_edges=found.retrieval.edges,
            timings=self.timings,
            recorded=self.desk.recorded,
        )

    def _strictly(self, answer: Answer) -> Answer:
        """The answer, or with ``strict`` the error that says why it is not good enough."""
        if not self.desk.settings.strict:
            return answer
        error: FedragError | None = None
        unmended = any(not rejected.repaired for rejected in answer.rejected_citations)
        if unmended or any(not sentence.supported for sentence in answer.sentences):
            error = CitationError("a sentence of the answer is not supported by what it cites")
        elif answer.completeness == "partial":
            names = ", ".join(f"{s.service} ({s.state})" for s in failed(answer.services))
            error = UnavailableError(f"the answer is partial: {names}", service=names)
        if error is not None:
            error.answer = answer
            raise error
        return answer

    def _say(self, line: str) -> None:
        if self.progress:
            self.progress(line)

    def _lap(self, stage: str) -> None:
        now = time.perf_counter() - self._started
        spent = sum(v for k, v in self.timings.items() if k.endswith("_seconds"))
        self.timings[f"{stage}_seconds"] = round(now - spent, 4)


def _not_looked_up(mention: str, failed: ServiceError) -> UnavailableError:
    """Nothing is wrong with what was asked: who would know it did not answer."""
    return UnavailableError(
        f"what {mention!r} is could not be looked up: {failed.message}",
        service=failed.service,
        hint="ask again later, or name the gene too",
    )


def _variant_services(services: Sequence[Service]) -> VariantServices:
    """Where variants are looked up: the services that name them or their genes, where on."""
    on = {service.name: service.endpoint for service in services if service.enabled}
    return VariantServices(on.get("civic"), on.get("myvariant"), on.get("mygene"))


def _warm_up() -> None:
    """Import what ranking needs while the services are being waited for."""
    import numpy  # noqa: F401  (only its import is wanted here)


def _synonyms(retrieval: Retrieval) -> dict[str, tuple[str, ...]]:
    """The labels of all equivalent identifiers, by canonical CURIE."""
    return {
        curie: tuple(dict.fromkeys(i.label for i in node.identifiers if i.label))
        for curie, node in retrieval.nodes.items()
    }


def _checked(question: str) -> str:
    if not isinstance(question, str):
        raise ConfigError(f"a question is text, not {type(question).__name__}")
    question = " ".join(question.split())
    if not question:
        raise ConfigError("the question is empty", hint="write it in quotes after `fedrag ask`")
    if len(question) > MAX_QUESTION:
        raise ConfigError(
            f"the question has {len(question):,} characters, more than {MAX_QUESTION:,}",
            hint="ask one question at a time",
        )
    return question
