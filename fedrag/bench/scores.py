"""All scores of a run: what ``--json`` prints and a report tells.

The headline is over the questions outside the development split, on which alone anything may be
tuned (:mod:`fedrag.bench.split`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fedrag.bench.marks import Mark, Retrieval
from fedrag.bench.model import Question, QuestionResult
from fedrag.bench.score import Similarity, mark, retrieval_of
from fedrag.bench.split import SPLIT_SEED, SPLIT_SHARE, is_development
from fedrag.bench.summary import TIMED, summarise, summarise_retrieval
from fedrag.bench.tally import Score
from fedrag.bench.versus import Comparison, compare

__all__ = [
    "TIMED",
    "Comparison",
    "Score",
    "compare",
    "mark_all",
    "run_scores",
    "summarise",
    "summarise_retrieval",
]

_BASELINES = ("model_only", "ranking", "pruned")  # what every other arm is compared with
# Of a part of the questions no more than this is told.
_SHORT_ARM = frozenset(
    (
        *("accuracy", "published_rule", "rows_accuracy", "rows_published_rule"),
        *("hits@1", "hits@5", "mrr", "context_gold"),
        *("answered", "abstained", "error", "failed"),
    )
)
_SHORT_RETRIEVAL = frozenset(
    (
        *("failed", "entities_joint", "gold_in_evidence", "recall"),
        *("gold_in_page", "page_recall", "gold_kept", "gold_in_candidates"),
    )
)


def mark_all(
    questions: Sequence[Question],
    results: Iterable[QuestionResult],
    arms: Sequence[str],
    *,
    similarity: Similarity | None = None,
) -> dict[str, list[Mark]]:
    """The marks of each arm, in the order of the questions.

    Of several results of one question the last counts. A result without its question, and a
    question or an arm that was not run, has no mark; a question that failed has one in every arm.
    """
    ran = _ran(questions, results)
    if prepare := getattr(similarity, "prepare", None):
        prepare(_names(ran))
    return {
        arm: [
            mark(question, result, arm, similarity=similarity)
            for question, result in ran
            if arm in result.arms or result.error is not None
        ]
        for arm in arms
    }


def _names(ran: Iterable[tuple[Question, QuestionResult]]) -> Iterator[str]:
    """All names that answers are compared with golds by."""
    for question, result in ran:
        yield from (gold.name for gold in question.golds)
        yield from question.published
        yield from (arm.answer for arm in result.arms.values() if arm.answer)


def _ran(
    questions: Sequence[Question], results: Iterable[QuestionResult]
) -> list[tuple[Question, QuestionResult]]:
    latest = {result.id: result for result in results}
    return [(question, latest[question.id]) for question in questions if question.id in latest]


def run_scores(
    questions: Sequence[Question],
    results: Iterable[QuestionResult],
    arms: Sequence[str],
    *,
    similarity: Similarity | None = None,
    seed: int = SPLIT_SEED,
    share: float = SPLIT_SHARE,
    marks: Mapping[str, Sequence[Mark]] | None = None,
) -> dict[str, Any]:
    """All scores of a run as one JSON object, its keys in a fixed order, its floats unrounded.

    ``arms``, ``retrieval`` and ``comparisons`` are over the questions outside the development
    split. ``strata`` tells the main scores of parts: ``all``, ``development``, ``rest``, and those
    of the rest apart that have one right way and that have several (proteins of the drug in gene
    questions, golds in others). Only the scores named in :data:`TIMED` differ between replays.

    :param seed, share: of the development split.
    :param marks: what :func:`mark_all` gave of the same, where it is at hand.
    :raises ConfigError: the extra ``bench`` is not installed.
    """
    kept = list(results)
    ran = _ran(questions, kept)
    scored = {question.id for question, _ in ran}
    by_arm = marks or mark_all(questions, kept, arms, similarity=similarity)
    shared = {question.id: retrieval_of(question, result) for question, result in ran}
    parts = {name: _Part(by_arm, shared, ids) for name, ids in _parts(questions, seed, share)}
    rest = parts["rest"]
    return {
        "n": len(rest.shared()),
        "questions": len(questions),
        "scored": len(ran),
        "not_run": [question.id for question in questions if question.id not in scored],
        "unknown": sorted({result.id for result in kept} - {q.id for q in questions}),
        "failed": {result.id: result.error for _, result in ran if result.error is not None},
        "split": {"seed": seed, "share": share},
        "similarity": _told(similarity),
        "arms": rest.arms(),
        "retrieval": rest.retrieval(),
        "comparisons": [asdict(comparison) for comparison in rest.comparisons()],
        "strata": {name: part.short() for name, part in parts.items()},
    }


def _told(similarity: Similarity | None) -> dict[str, Any] | None:
    if similarity is None:
        return None
    name = getattr(similarity, "name", "unnamed")
    return {"model": name, "published": bool(getattr(similarity, "published", False))}


def _plain(scores: Mapping[str, Score]) -> dict[str, dict[str, Any]]:
    return {name: score.to_dict() for name, score in scores.items()}


def _parts(
    questions: Sequence[Question], seed: int, share: float
) -> Iterator[tuple[str, frozenset[str]]]:
    """The parts of the questions that are told apart, by name."""
    own = {q.id for q in questions if is_development(q.drug_key, seed=seed, share=share)}
    rest = [question for question in questions if question.id not in own]
    yield "all", frozenset(question.id for question in questions)
    yield "development", frozenset(own)
    yield "rest", frozenset(question.id for question in rest)
    gene = any(question.kind == "gene" for question in questions)
    one, several = ("single_protein", "several_proteins") if gene else ("one_gold", "several_golds")
    ways = {q.id: q.alternatives if q.kind == "gene" else len(q.golds) for q in rest}
    yield one, frozenset(name for name, count in ways.items() if count == 1)
    yield several, frozenset(name for name, count in ways.items() if count > 1)


@dataclass(frozen=True, slots=True)
class _Part:
    """The marks of some of the questions."""

    by_arm: Mapping[str, Sequence[Mark]]
    retrievals: Mapping[str, Retrieval]
    ids: frozenset[str]

    def marks(self, arm: str) -> list[Mark]:
        return [m for m in self.by_arm[arm] if m.id in self.ids]

    def shared(self) -> list[Retrieval]:
        return [one for id, one in self.retrievals.items() if id in self.ids]

    def arms(self, only: Container[str] | None = None) -> dict[str, Any]:
        return {arm: _plain(summarise(self.marks(arm), only)) for arm in self.by_arm}

    def retrieval(self, only: Container[str] | None = None) -> dict[str, Any]:
        return _plain(summarise_retrieval(self.shared(), only))

    def comparisons(self) -> Iterator[Comparison]:
        """Each arm with each baseline, by the fair rule and by the published one."""
        for arm, baseline in self._pairs():
            first, second = self.marks(arm), self.marks(baseline)
            compared = compare(first, second)
            if compared.n:
                yield compared
                yield compare(first, second, rule="substring")

    def _pairs(self) -> Iterator[tuple[str, str]]:
        answering = [arm for arm in self.by_arm if _answers(self.marks(arm))]
        baselines = [arm for arm in _BASELINES if arm in answering]
        for at, baseline in enumerate(baselines):
            yield from ((a, baseline) for a in answering if a not in baselines[: at + 1])

    def short(self) -> dict[str, Any]:
        return {
            "n": len(self.shared()),
            "arms": self.arms(_SHORT_ARM),
            "retrieval": self.retrieval(_SHORT_RETRIEVAL),
        }


def _answers(marks: Sequence[Mark]) -> bool:
    """Whether the arm had something to answer with: a model, or the ranking itself."""
    return bool(marks) and all(m.outcome != "unasked" for m in marks)
