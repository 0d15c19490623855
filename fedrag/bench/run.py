"""Runs a question set: each question retrieved once, then answered by every arm, and kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fedrag.bench.arms import Case, run_arm
from fedrag.bench.gold import Golds, context_of, enriched, found_entities, own_records_only
from fedrag.bench.missed import error_line, is_done, standing, uncached
from fedrag.bench.model import Question, QuestionResult, RankedCandidate
from fedrag.bench.plan import Part, Plan, chosen, meta_of
from fedrag.bench.results import Writer, stored_questions
from fedrag.bench.world import CLOSED_WORLD
from fedrag.datamodel import Candidate, Edge
from fedrag.errors import FedragError
from fedrag.evidence import load_embedder
from fedrag.evidence.embed import Embedder
from fedrag.execute import completeness
from fedrag.pipeline import Gathered, Run
from fedrag.session import Session

__all__ = ["Part", "Plan", "Runner", "chosen"]

_SHOWN = 10  # candidates kept of each question
_SAVED = 30.0  # seconds between two savings of a recording
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Runner:
    """One run over one session.

    :param progress: told how many of how many questions are done.
    """

    plan: Plan
    session: Session
    progress: Progress | None = None
    _closed_world: bool = False  # whether it was seen to answer
    _unready: dict[str, FedragError] = field(default_factory=dict)  # questions, by id
    _finished: int = 0
    _held: list[QuestionResult] = field(default_factory=list)
    _saved: float = field(default_factory=time.monotonic)

    async def run(self, folder: Path, *, resume: bool = False) -> Writer:
        """Ask what is still to be asked; results are in the folder, and in the writer.

        A question that fails is a result with an error, one whose calls a replay does not hold
        too. On resuming, questions that failed for want of time, connection or recording are asked
        again, and the arms in which the model failed; nothing that was answered is lost by it.

        :raises ConfigError: the folder holds another run, or cannot be written; the embedder
            cannot be had.
        """
        self._embedder().embed(["Is it there?"])
        stored = stored_questions(folder) if resume else {}
        meta = meta_of(self.plan, self.session.settings, _now())
        gate = asyncio.Semaphore(self.plan.concurrency)
        async with asyncio.TaskGroup() as group:
            new = [q for q in self.plan.questions if q.id not in stored]
            tasks = [group.create_task(self._enriched(q, gate)) for q in new]
        known = stored | {task.result().id: task.result() for task in tasks}
        questions = [known[q.id] for q in self.plan.questions]
        writer = Writer(folder, meta, questions, resume=resume)
        left = [q for q in questions if not is_done(writer.done.get(q.id))]
        self._finished = len(questions) - len(left)
        self._say(len(questions))
        finished = False
        try:
            async with asyncio.TaskGroup() as group:
                for question in left:
                    group.create_task(self._one(question, writer, gate, len(questions)))
            finished = True
        finally:
            self._keep_held(writer)
            writer.close(_now() if finished else None)
        return writer

    async def _enriched(self, question: Question, gate: asyncio.Semaphore) -> Question:
        """The question with all identifiers of its golds; as it is where that cannot be had."""
        async with gate:
            try:
                run = self.session.run(question.text)
                return await enriched(question, run.normalizer)
            except FedragError as error:
                self._unready[question.id] = error
                return question

    async def _one(
        self, question: Question, writer: Writer, gate: asyncio.Semaphore, of: int
    ) -> None:
        async with gate:
            before = writer.done.get(question.id)
            result = await self._result(question, before)
            if not (result.error and before and before.arms):  # what was answered stands
                self._held.append(result)
            self._finished += 1
            # A recorded result counts as done only once its calls are on the disk too.
            if not self.session.recording or time.monotonic() - self._saved >= _SAVED:
                self._keep_held(writer)
            self._say(of)

    def _keep_held(self, writer: Writer) -> None:
        try:
            self.session.save_recording()
        finally:
            if self._closed_world:
                writer.is_closed_world()
            while self._held:
                writer.add(self._held.pop(0))
            self._saved = time.monotonic()

    def _say(self, of: int) -> None:
        if self.progress:
            self.progress(self._finished, of)

    async def _result(self, question: Question, before: QuestionResult | None) -> QuestionResult:
        try:
            if (unready := self._unready.get(question.id)) is not None:
                raise unready
            return await self._answered(question, before)
        except FedragError as error:
            return QuestionResult(question.id, question.kind, error=error_line(error))

    async def _answered(self, question: Question, before: QuestionResult | None) -> QuestionResult:
        started, keep = time.perf_counter(), self._keep(question)
        run = self.session.run(question.text, keep=keep)
        found = await run.gather()
        if (missed := uncached(found.services)) is not None:
            raise missed
        seconds = time.perf_counter() - started
        sources = {source.resource_id for edge in found.retrieval.edges for source in edge.sources}
        self._closed_world |= CLOSED_WORLD in sources
        golds = Golds(question.golds)
        case = self._case(question, run, found, golds)
        result = _retrieved(question, run, found, golds, case)
        known = standing(before, result)
        arms = {name: known.get(name) or await run_arm(name, case) for name in self.plan.arms}
        return replace(result, seconds=round(seconds, 4), arms=arms)

    def _keep(self, question: Question) -> Callable[[Edge], bool] | None:
        if not self.plan.leave_one_out:
            return None
        records = frozenset(question.records)
        return lambda edge: not own_records_only(edge, records)

    def _case(self, question: Question, run: Run, found: Gathered, golds: Golds) -> Case:
        settings = self.session.settings
        llm = self.plan.llm
        seconds = settings.deadline + (llm.timeout if llm else 0.0)
        fresh = partial(self.session.net.caller_for, deadline=seconds)
        asked = (question.kind, question.text)
        return Case(*asked, run, found, golds, self._embedder(), llm, self.plan.window, fresh)

    def _embedder(self) -> Embedder:
        settings = self.session.settings
        return load_embedder(settings.embedder, offline=settings.offline)


def _retrieved(
    question: Question, run: Run, found: Gathered, golds: Golds, case: Case
) -> QuestionResult:
    reports = found.services
    return QuestionResult(
        question.id,
        question.kind,
        template=found.plan.template,
        completeness=completeness(found.services),
        entities=found_entities(question, found.entities),
        edges=len(found.retrieval.edges),
        left_out=found.retrieval.left_out,
        services={r.service: r.state for r in reports if r.state != "skipped"},
        calls=sum(report.calls for report in reports),
        retrieved=context_of(case.ranked, golds),
        page=context_of(found.page, golds),
        ranks=golds.ranks(found.candidates),
        candidates=tuple(map(_shown, found.candidates[:_SHOWN])),
        candidate_count=len(found.candidates),
        notes=tuple(dict.fromkeys(run.notes)),
    )


def _shown(candidate: Candidate) -> RankedCandidate:
    return RankedCandidate(
        candidate.name, candidate.curie, candidate.score, candidate.evidence_keys[:5]
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
