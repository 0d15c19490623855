"""The scores of an arm, and of the retrieval that all arms share, over many questions."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Any

from fedrag.bench.marks import Citations, Mark, Places, Retrieval
from fedrag.bench.published import COSINE_BINS, cosine_reaches
from fedrag.bench.tally import Score, average, biggest, middle, pooled, rate, ratio, total

__all__ = ["EVIDENCE_KS", "KS", "TIMED", "summarise", "summarise_retrieval"]

KS = (1, 3, 5, 10)
EVIDENCE_KS = (1, 5, 10, 20, 40)
# Scores that a clock gives; all others are the same whenever a run is replayed.
TIMED = frozenset(["seconds", "seconds_median", "seconds_max", "seconds_total"])

# What makes a score, and of what: made only where it is wanted, as intervals take time.
_Specs = dict[str, tuple[Callable[[Sequence[Any]], Score], Sequence[Any]]]


def summarise(marks: Sequence[Mark], only: Container[str] | None = None) -> dict[str, Score]:
    """The scores of one arm, in a fixed order.

    ``accuracy`` counts abstentions and errors as wrong; ``accuracy_answered`` is of the answers
    given. Scores that begin with ``rows_`` are of published rows, each with its own single gold.
    An arm without a model to ask (an outcome is ``unasked``) gave no answers: then only its
    context is scored, and a question that could not be run says nothing about it.

    :param marks: one a question, all of one arm.
    :param only: names of the scores wanted, all by default.
    :raises ConfigError: the extra ``bench`` is not installed.
    """
    asked = [] if any(m.outcome == "unasked" for m in marks) else list(marks)
    specs = {
        **_answers(asked),
        **_ranked([m.places for m in asked if m.places is not None]),
        **_contexts(marks),
        **_cited([m.citations for m in asked if m.citations is not None]),
        **_costs([m for m in asked if m.outcome != "failed"]),
    }
    scores = _made(specs, only)
    model = next((m.cosine_model for m in asked if m.cosine_model), None)
    if model is not None:
        cosines = _made(_cosines(asked), only)
        scores |= {name: replace(score, model=model) for name, score in cosines.items()}
    return scores


def _made(specs: _Specs, only: Container[str] | None) -> dict[str, Score]:
    wanted = {name: spec for name, spec in specs.items() if only is None or name in only}
    return {name: make(values) for name, (make, values) in wanted.items()}


def _answers(marks: Sequence[Mark]) -> _Specs:
    rows = [m.rows for m in marks if m.rows is not None]
    return {
        "accuracy": (rate, [m.right for m in marks]),
        "accuracy_answered": (rate, [m.right for m in marks if m.outcome == "answered"]),
        "right_by_identifier": (rate, [m.by == "identifier" for m in marks]),
        "right_by_name": (rate, [m.by == "name" for m in marks]),
        "published_rule": (rate, [m.substring for m in marks]),
        "rows_accuracy": (pooled, [(r.right, r.n) for r in rows]),
        "rows_published_rule": (pooled, [(r.substring, r.n) for r in rows]),
        "answered": (rate, [m.outcome == "answered" for m in marks]),
        "abstained": (rate, [m.outcome == "abstained" for m in marks]),
        "error": (rate, [m.outcome == "error" for m in marks]),
        "failed": (rate, [m.outcome == "failed" for m in marks]),
    }


def _ranked(places: Sequence[Places]) -> _Specs:
    scores: _Specs = {f"hits@{k}": (rate, [p.hit(k) for p in places]) for k in KS}
    scores["mrr"] = (average, [p.reciprocal for p in places])
    scores |= {f"precision@{k}": (average, [p.precision(k) for p in places]) for k in KS}
    scores |= {f"recall@{k}": (average, [p.recall(k) for p in places]) for k in KS}
    return scores | {f"f1@{k}": (average, [p.f1(k) for p in places]) for k in KS}


def _contexts(marks: Sequence[Mark]) -> _Specs:
    """What the arm was given, and how it answered with a gold in it and without.

    Where the arm has contexts, a question that could not be run is one without a gold.
    """
    given = [(m, m.given) for m in marks if m.given is not None]
    lost = sum(m.given is None and m.outcome == "failed" for m in marks) if given else 0
    return {
        "context_gold": (rate, [*(g.golds.hit() for _, g in given), *[False] * lost]),
        "context_recall": (average, [*(g.golds.recall() for _, g in given), *[0.0] * lost]),
        "context_empty": (rate, [g.sentences == 0 for _, g in given]),
        "context_sentences": (average, [g.sentences for _, g in given]),
        "context_tokens": (average, [g.tokens for _, g in given]),
        "accuracy_with_gold": (rate, [m.right for m, g in given if g.golds.hit()]),
        "accuracy_without_gold": (rate, [m.right for m, g in given if not g.golds.hit()]),
    }


def _cited(citations: Sequence[Citations]) -> _Specs:
    """Of the answers that had a context to cite: citations pooled, then answers."""
    return {
        "citations_exist": (pooled, [(c.exist, c.given) for c in citations]),
        "citations_support": (pooled, [(c.support, c.lines) for c in citations]),
        "answers_cited": (rate, [c.given > 0 for c in citations]),
        "answers_soundly_cited": (rate, [c.sound for c in citations]),
    }


def _costs(marks: Sequence[Mark]) -> _Specs:
    return {
        "calls": (average, [m.calls for m in marks]),
        "prompt_tokens": (average, [m.prompt_tokens for m in marks]),
        "completion_tokens": (average, [m.completion_tokens for m in marks]),
        "tokens_total": (total, [_tokens(m) for m in marks]),
        "cost_total": (total, [m.cost for m in marks]),
        **_timed([m.seconds for m in marks]),
    }


def _tokens(mark: Mark) -> int | None:
    if mark.prompt_tokens is None or mark.completion_tokens is None:
        return None
    return mark.prompt_tokens + mark.completion_tokens


def _timed(seconds: Sequence[float | None]) -> _Specs:
    return {
        "seconds": (average, seconds),
        "seconds_median": (middle, seconds),
        "seconds_max": (biggest, seconds),
        "seconds_total": (total, seconds),
    }


def _cosines(marks: Sequence[Mark]) -> _Specs:
    """The published bins; an answer that was not given reaches none of them."""
    rows = [cosine for m in marks if m.rows is not None for cosine in m.rows.cosines]
    scores: _Specs = {
        f"cosine>={least:.2f}": (rate, [cosine_reaches(m.cosine, least) for m in marks])
        for least in COSINE_BINS
    }
    scores["cosine_mean"] = (average, [m.cosine for m in marks])
    scores |= {
        f"rows_cosine>={least:.2f}": (rate, [cosine_reaches(cosine, least) for cosine in rows])
        for least in COSINE_BINS
    }
    scores["rows_cosine_mean"] = (average, rows)
    return scores


# --- what all arms share ------------------------------------------------------------------------


def summarise_retrieval(
    found: Sequence[Retrieval], only: Container[str] | None = None
) -> dict[str, Score]:
    """Entities, evidence, pruning, services, calls and time, in a fixed order.

    ``gold_in_evidence`` and ``gold@k`` ask whether any gold is named in a line; ``recall`` and
    ``recall@k`` are the mean share of a question's golds; ``gold_kept`` is of the questions whose
    evidence holds a gold. A question that could not be run found no gold; its entities, lines,
    services, calls and time were not kept, and are of the others alone. ``tokens_kept`` is the mean
    of the questions' shares, ``tokens_kept_total`` the share of all tokens together.

    :param found: one a question (:func:`fedrag.bench.score.retrieval_of`).
    :param only: names of the scores wanted, all by default.
    :raises ConfigError: the extra ``bench`` is not installed.
    """
    ran = [r for r in found if not r.failed]
    specs: _Specs = {
        "failed": (rate, [r.failed for r in found]),
        **_entities(found),
        **_evidence(found),
        "gold_in_candidates": (rate, [r.candidates.hit() for r in found]),
        "edges": (average, [r.edges for r in ran]),
        "edges_left_out": (average, [r.left_out for r in ran]),
        "services_asked": (average, [r.asked for r in ran]),
        "services_answered": (pooled, [(r.answered, r.asked) for r in ran]),
        "calls": (average, [r.calls for r in ran]),
        **_timed([r.seconds for r in ran]),
    }
    return _made(specs, only)


def _entities(found: Sequence[Retrieval]) -> _Specs:
    known = [r for r in found if r.knows_entities]
    return {
        "entities_precision": (pooled, [(r.found_right, r.found) for r in known]),
        "entities_recall": (pooled, [(r.named_found, r.named) for r in known]),
        "entities_joint": (rate, [r.joint for r in found]),
    }


def _evidence(found: Sequence[Retrieval]) -> _Specs:
    lines = [r.everything.golds for r in found]
    return {
        "gold_in_evidence": (rate, [p.hit() for p in lines]),
        **{f"gold@{k}": (rate, [p.hit(k) for p in lines]) for k in EVIDENCE_KS},
        "recall": (average, [p.recall() for p in lines]),
        **{f"recall@{k}": (average, [p.recall(k) for p in lines]) for k in EVIDENCE_KS},
        "gold_in_page": (rate, [r.page.golds.hit() for r in found]),
        "page_recall": (average, [r.page.golds.recall() for r in found]),
        "gold_kept": (rate, [r.page.golds.hit() for r in found if r.everything.golds.hit()]),
        **_lengths([r for r in found if not r.failed]),
    }


def _lengths(ran: Sequence[Retrieval]) -> _Specs:
    return {
        "sentences": (average, [r.everything.sentences for r in ran]),
        "tokens": (average, [r.everything.tokens for r in ran]),
        "page_sentences": (average, [r.page.sentences for r in ran]),
        "page_tokens": (average, [r.page.tokens for r in ran]),
        "tokens_kept": (average, [_kept(r) for r in ran]),
        "tokens_kept_total": (ratio, [(r.page.tokens, r.everything.tokens) for r in ran]),
    }


def _kept(retrieval: Retrieval) -> float | None:
    whole = retrieval.everything.tokens
    return retrieval.page.tokens / whole if whole else None
