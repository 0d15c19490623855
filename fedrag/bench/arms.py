"""The arms of a run: how much of the evidence is shown, and who answers from it.

Every arm sees the same question, retrieved once. A new strategy is one more entry of ``ARMS``.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fedrag.answer.llm import LanguageModel
from fedrag.answer.prompt import token_count
from fedrag.bench.cited import cited_lines, keys_about
from fedrag.bench.gold import Golds, context_of
from fedrag.bench.missed import error_line
from fedrag.bench.model import ArmResult, Context
from fedrag.bench.prompt import (
    REPLY_TOKENS,
    Asked,
    Reply,
    bench_prompt,
    fitting,
    read_reply,
    system_prompt,
)
from fedrag.bench.published import PERCENTILES, prune_as_published
from fedrag.config import LLMConfig
from fedrag.datamodel import Answer, Candidate, Evidence
from fedrag.errors import FedragError, LLMError, OfflineError, ServiceError
from fedrag.evidence.embed import Embedder
from fedrag.net import Caller
from fedrag.pipeline import Gathered, Run

__all__ = ["ARMS", "PERCENTILE_ARMS", "Case", "default_arms", "needs_model", "run_arm"]

_HEAD_TOKENS = 400  # of the candidates and the question


@dataclass(slots=True)
class Case:
    """One question of a run, retrieved, and what its arms work with."""

    kind: str
    question: str
    run: Run
    found: Gathered
    golds: Golds
    embedder: Embedder
    llm: LLMConfig | None
    window: int  # tokens that the model's context holds, or one that would be asked
    caller: Callable[[], Caller]  # a fresh one: each arm has its own deadline
    _ranked: tuple[Evidence, ...] | None = field(default=None)

    @property
    def ranked(self) -> tuple[Evidence, ...]:
        """All evidence, heaviest first, keyed in that order."""
        if self._ranked is None:
            ordered = sorted(self.found.evidence, key=lambda item: (-item.rank, item.sentence))
            self._ranked = tuple(
                replace(item, key=f"E{number}") for number, item in enumerate(ordered, start=1)
            )
        return self._ranked


Arm = Callable[[str, Case], Awaitable[ArmResult]]


async def _model_only(name: str, case: Case) -> ArmResult:
    """The language model without any evidence (needs --llm)."""
    return await _asked(name, case, ())


async def _full(name: str, case: Case) -> ArmResult:
    """All evidence, by rank, as far as --context-tokens holds it."""
    room = case.window - (REPLY_TOKENS + _HEAD_TOKENS + token_count(system_prompt(case.kind)))
    return await _asked(name, case, fitting(case.ranked, room))


async def _pruned(name: str, case: Case) -> ArmResult:
    """The page of evidence that an answer is written from."""
    return await _asked(name, case, case.found.page)


async def _lines(name: str, case: Case) -> ArmResult:
    """The same page without the ranked candidates, and an answer that is free."""
    return await _asked(name, case, case.found.page, ranked=False)


async def _percentile(name: str, case: Case) -> ArmResult:
    """The published pruning: per branch what is above that percentile, and above cosine 0.5."""
    kept = _published_pruning(case, int(name.removeprefix("t")))
    return await _asked(name, case, kept, ranked=False)


async def _ranking(name: str, case: Case) -> ArmResult:
    """The evidence ranking alone; never asks a model."""
    started = time.perf_counter()
    answer = await case.run.write(case.found)
    return _of_answer(name, answer, case, time.perf_counter() - started)


async def _written(name: str, case: Case) -> ArmResult:
    """The product's own written and checked answer (needs --llm)."""
    started, desk = time.perf_counter(), case.run.desk
    settings = replace(desk.settings, llm=case.llm)
    case.run.desk = replace(desk, settings=settings, caller=case.caller())
    try:
        answer = await case.run.write(case.found)
    except OfflineError as error:
        page = context_of(case.found.page, case.golds)
        return ArmResult(name, error=error_line(error), context=page)
    finally:
        case.run.desk = desk
    return _of_answer(name, answer, case, time.perf_counter() - started)


PERCENTILE_ARMS = tuple(f"t{percent}" for percent in PERCENTILES)
# What an arm's first line says of it is what ``fedrag bench run --help`` tells.
ARMS: Mapping[str, Arm] = {
    "ranking": _ranking,
    "model_only": _model_only,
    "pruned": _pruned,
    "lines": _lines,
    "full": _full,
    "written": _written,
    **dict.fromkeys(PERCENTILE_ARMS, _percentile),
}


def needs_model(name: str) -> bool:
    """Whether an arm says nothing at all without a language model."""
    return name in ("model_only", "written")


def default_arms(llm: LLMConfig | None) -> tuple[str, ...]:
    """The arms of a run that names none; without a model, contexts are measured all the same."""
    return ("ranking", "model_only", "pruned", "full") if llm else ("ranking", "pruned", "full")


async def run_arm(name: str, case: Case) -> ArmResult:
    """One arm on one question. What the model did wrong is in ``error``, never raised.

    That a replay does not hold the call to it is an error of this arm, and of no other.
    """
    return await ARMS[name](name, case)


async def _asked(
    name: str, case: Case, lines: Sequence[Evidence], *, ranked: bool = True
) -> ArmResult:
    """The model's answer from these lines; what they hold, where there is no model.

    :param ranked: give it the ranked candidates too, of which it then names one.
    """
    context = None if name == "model_only" else context_of(lines, case.golds)
    if case.llm is None:
        return ArmResult(name, context=context)
    candidates = case.found.candidates
    asked = bench_prompt(case.kind, case.question, candidates if ranked else (), lines)
    model, started = LanguageModel(case.llm, case.caller()), time.perf_counter()
    try:
        reply, _ = await model.structured(
            asked.messages, asked.schema, read_reply, max_tokens=REPLY_TOKENS
        )
    except (LLMError, ServiceError, OfflineError) as error:
        failed = ArmResult(name, error=_why(error), context=context)
        return _told(failed, model, started)
    answered = _answered(name, reply, asked, candidates, context)
    return _told(answered, model, started)


def _why(error: FedragError) -> str:
    return error_line(error) if isinstance(error, OfflineError) else str(error)


def _told(result: ArmResult, model: LanguageModel, started: float) -> ArmResult:
    usage = model.usage()
    return replace(
        result,
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=usage.cost,
        seconds=round(time.perf_counter() - started, 3),
    )


def _answered(
    name: str,
    reply: Reply,
    asked: Asked,
    candidates: Sequence[Candidate],
    context: Context | None,
) -> ArmResult:
    candidate = asked.labels.get(reply.answer)
    told = reply.answer.casefold()  # a free answer is a name; a candidate's, perhaps
    named = candidate or next((one for one in candidates if one.name.casefold() == told), None)
    return ArmResult(
        name,
        answer=(candidate.name if candidate else reply.answer) or None,
        curie=candidate.curie if candidate else None,
        items=(candidate.name if candidate else reply.answer,) if reply.answer else (),
        abstained=not reply.answer,
        context=context,
        citations=reply.citations,
        cited=cited_lines(reply.citations, asked.lines, named),
    )


def _of_answer(name: str, answer: Answer, case: Case, seconds: float) -> ArmResult:
    """The product's own answer: a candidate, and what its sentences cite."""
    keys = tuple(dict.fromkeys(key for s in answer.sentences for key in s.citations))
    best = next((c for c in answer.candidates if c.curie == answer.curie), None)
    about = keys_about(answer.sentences, best, answer.candidates) if best else None
    told = answer.name or (answer.items[0] if answer.items else None)
    usage = answer.llm
    return ArmResult(
        name,
        answer=told,
        curie=answer.curie,
        items=answer.items,
        abstained=answer.abstained or told is None,
        error=usage.error if usage else None,
        context=context_of(case.found.page, case.golds),
        citations=keys,
        cited=cited_lines(keys, case.found.page, best, about=about),
        calls=usage.calls if usage else 0,
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        cost=usage.cost if usage else None,
        seconds=round(seconds, 4),
    )


def _published_pruning(case: Case, percentile: int) -> tuple[Evidence, ...]:
    """What the published rule leaves: per branch, above the percentile and above 0.5."""
    lines = case.ranked
    if not lines:
        return ()
    vectors = case.embedder.embed([case.question, *(item.sentence for item in lines)])
    cosines = (vectors[1:] @ vectors[0]).tolist()
    branches: dict[str, list[tuple[str, float]]] = {}
    for item, cosine in zip(lines, cosines, strict=True):
        for branch in _branches(item, case.found):
            branches.setdefault(branch, []).append((item.key, float(cosine)))
    kept = prune_as_published(branches, percentile)
    keys = {key for branch in kept.values() for key, _ in branch}
    return tuple(item for item in lines if item.key in keys)


def _branches(item: Evidence, found: Gathered) -> list[str]:
    """The given entities that a line is about, as the published contexts were made by entity."""
    ends = {
        i for e in item.edges for end in (e.subject, e.object) for i in (end.curie, end.canonical)
    }
    given = [e.curie for e in found.entities if ends & {e.curie, e.unconflated}]
    return given or ["between"]
