"""Runs a question set: each question retrieved once, then answered by every arm, and kept."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from fedrag import __version__
from fedrag.bench.arms import Case, run_arm
from fedrag.bench.gold import Golds, context_of, enriched, found_entities, own_records_only
from fedrag.bench.model import Question, QuestionResult, RankedCandidate
from fedrag.bench.questions import Refused
from fedrag.bench.results import FORMAT, Writer
from fedrag.bench.split import SPLIT_SEED, SPLIT_SHARE, is_development
from fedrag.bench.world import CLOSED_WORLD
from fedrag.config import LLMConfig
from fedrag.datamodel import Candidate, Edge
from fedrag.errors import FedragError, OfflineError
from fedrag.evidence import load_embedder
from fedrag.execute import completeness
from fedrag.pipeline import Gathered, Run
from fedrag.session import Session

__all__ = ["Part", "Plan", "Runner", "chosen"]

Part = Literal["all", "development", "rest"]
_SHOWN = 10  # candidates kept of each question
_SAVED = 30.0  # seconds between two savings of a recording
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run, and how. All of it but ``concurrency`` is written to ``run.json``."""

    kind: str
    questions: tuple[Question, ...]
    source: Path
    arms: tuple[str, ...]
    evidence: str  # "closed world", "recorded" or "live"
    recorded_from: str | None = None
    leave_one_out: bool = False
    llm: LLMConfig | None = None
    concurrency: int = 4
    part: Part = "all"
    sample: tuple[int, int] | None = None  # how many, and the seed
    limit: int | None = None
    refused: tuple[Refused, ...] = ()
    note: str = ""  # what a reader must know that no setting tells, the model's server for one


def chosen(
    questions: Sequence[Question],
    *,
    part: Part = "all",
    sample: int | None,
    seed: int,
    limit: int | None,
) -> tuple[Question, ...]:
    """A seeded sample of the questions (in the set's order), and of these the first ones.

    :param part: which side of the development split they are taken from.

    >>> one = Question("gene:1", "gene", "?", (), None, None)
    >>> [q.id for q in chosen([one], sample=5, seed=1, limit=None)]
    ['gene:1']
    """
    sides: dict[Part, tuple[bool, ...]] = {
        "all": (True, False),
        "development": (True,),
        "rest": (False,),
    }
    kept = [q for q in questions if is_development(q.drug_key) in sides[part]]
    if sample is not None and sample < len(kept):
        # By a hash of the id, so that a question's fate does not hang on the rest of the set.
        order = sorted(kept, key=lambda q: hashlib.sha256(f"{seed}:{q.id}".encode()).hexdigest())
        wanted = {q.id for q in order[:sample]}
        kept = [q for q in kept if q.id in wanted]
    return tuple(kept[:limit])


@dataclass(slots=True)
class Runner:
    """One run over one session.

    :param progress: told how many of how many questions are done.
    """

    plan: Plan
    session: Session
    progress: Progress | None = None
    _seen: set[str] = field(default_factory=set)
    _held: list[QuestionResult] = field(default_factory=list)
    _saved: float = field(default_factory=time.monotonic)

    async def run(self, folder: Path, *, resume: bool = False) -> Writer:
        """Ask what is still to be asked; results are in the folder, and in the writer.

        A question that fails is a result with an error. On resuming, questions in which the model
        did not answer for want of time or connection are asked again.

        :raises OfflineError: a replay does not hold a call. What was done before is kept.
        """
        questions = [await self._enriched(question) for question in self.plan.questions]
        writer = Writer(folder, self._meta(), questions, resume=resume)
        left = [q for q in questions if not _is_done(writer.done.get(q.id))]
        self._say(len(questions) - len(left), len(questions))
        gate = asyncio.Semaphore(self.plan.concurrency)
        finished = False
        try:
            async with asyncio.TaskGroup() as group:
                for question in left:
                    group.create_task(self._one(question, writer, gate, len(questions)))
            finished = True
        except* OfflineError as errors:
            raise errors.exceptions[0] from None
        finally:
            self._keep_held(writer)
            if finished and CLOSED_WORLD in self._seen and self.plan.evidence == "live":
                writer.meta["evidence"] = "closed world"
            writer.close(_now() if finished else None)
        return writer

    async def _enriched(self, question: Question) -> Question:
        run = self.session.run(question.text)
        return await enriched(question, run.normalizer)

    async def _one(
        self, question: Question, writer: Writer, gate: asyncio.Semaphore, of: int
    ) -> None:
        async with gate:
            self._held.append(await self._result(question))
            # A recorded result counts as done only once its calls are on the disk too.
            if not self.session.recording or time.monotonic() - self._saved >= _SAVED:
                self._keep_held(writer)
            self._say(len(writer.done) + len(self._held), of)

    def _keep_held(self, writer: Writer) -> None:
        try:
            self.session.save_recording()
        finally:
            while self._held:
                writer.add(self._held.pop(0))
            self._saved = time.monotonic()

    def _say(self, done: int, of: int) -> None:
        if self.progress:
            self.progress(done, of)

    async def _result(self, question: Question) -> QuestionResult:
        try:
            return await self._answered(question)
        except OfflineError:
            raise
        except FedragError as error:
            return QuestionResult(
                question.id, question.kind, error=f"{type(error).__name__}: {error}"
            )

    async def _answered(self, question: Question) -> QuestionResult:
        started, keep = time.perf_counter(), self._keep(question)
        run = self.session.run(question.text, keep=keep)
        found = await run.gather()
        seconds = time.perf_counter() - started
        self._seen.update(s.resource_id for e in found.retrieval.edges[:1] for s in e.sources)
        golds = Golds(question.golds)
        case = self._case(question, run, found, golds)
        arms = {name: await run_arm(name, case) for name in self.plan.arms}
        return replace(
            _retrieved(question, run, found, golds, case), seconds=round(seconds, 4), arms=arms
        )

    def _keep(self, question: Question) -> Callable[[Edge], bool] | None:
        if not self.plan.leave_one_out:
            return None
        records = frozenset(question.records)
        return lambda edge: not own_records_only(edge, records)

    def _case(self, question: Question, run: Run, found: Gathered, golds: Golds) -> Case:
        settings = self.session.settings
        llm = self.plan.llm
        seconds = settings.deadline + (llm.timeout if llm else 0.0)
        embedder = load_embedder(settings.embedder, offline=settings.offline)
        fresh = partial(self.session.net.caller_for, deadline=seconds)
        return Case(question.text, run, found, golds, embedder, llm, fresh)

    def _meta(self) -> dict[str, Any]:
        plan, settings = self.plan, self.session.settings
        llm = plan.llm
        return {
            "format": FORMAT,
            "set": plan.kind,
            "questions": plan.source.name,
            "questions_sha256": hashlib.sha256(plan.source.read_bytes()).hexdigest(),
            "n": len(plan.questions),
            "evidence": plan.evidence,
            "recorded_from": plan.recorded_from,
            "leave_one_out": plan.leave_one_out,
            "excluded": sorted(settings.exclude),
            "arms": list(plan.arms),
            "llm": llm
            and {"model": llm.model, "url": llm.url, "context_tokens": llm.context_tokens},
            "embedder": settings.embedder,
            "top_k": settings.top_k,
            "max_tokens": settings.max_tokens,
            "sample": plan.sample and {"n": plan.sample[0], "seed": plan.sample[1]},
            "part": plan.part,
            "limit": plan.limit,
            "note": plan.note,
            "split": {"seed": SPLIT_SEED, "share": SPLIT_SHARE},
            "fedrag_version": __version__,
            "started": _now(),
            "finished": None,
            "excluded_questions": [
                {"id": one.id, "row": one.row, "reason": one.reason} for one in plan.refused
            ],
        }


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


def _is_done(result: QuestionResult | None) -> bool:
    """Whether a result stands: it has no arm that failed to reach the model."""
    return result is not None and not any(arm.error for arm in result.arms.values())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
