"""What arms, scores and kinds of evidence are called on the page, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fedrag.bench.published_figures import ARMS as PUBLISHED

__all__ = [
    "KINDS",
    "OUTCOMES",
    "arm_label",
    "arm_meaning",
    "arm_order",
    "evidence_label",
    "evidence_meaning",
    "is_main_pair",
    "score_label",
    "set_name",
]

KINDS: Mapping[str, str] = {"gene": "Gene", "metabolite": "Metabolite", "drug": "Drug"}

OUTCOMES: Mapping[str, str] = {
    "right": "right",
    "wrong": "wrong",
    "abstained": "abstained",
    "error": "error",
    "failed": "could not be run",
    "unasked": "no model was asked",
}

_ARMS: Mapping[str, tuple[str, str]] = {
    "model_only": ("model only", "the language model, without any evidence"),
    "full": (
        "full context",
        "the language model with all evidence that fits its window, by rank, and the ranked "
        "candidates",
    ),
    "pruned": (
        "pruned",
        "the language model with fedrag's own pruning of the evidence, and the ranked candidates",
    ),
    "lines": ("lines alone", "the same lines without the candidates; the answer is free"),
    "ranking": ("ranking alone", "the first candidate of the evidence ranking; no language model"),
    "written": ("written answer", "fedrag's own cited answer, written by the language model"),
}
_ORDER = (*PUBLISHED, "lines", "pruned", "ranking")

_EVIDENCE: Mapping[str, str] = {
    "live": "Evidence was asked of the live services while the benchmark ran, but for calls that "
    "the local cache still held. The figures hold for that day: services change, and one that was "
    "down is missing from them. A service may hold DrugMechDB itself; a run that leaves it out "
    "says what is found without.",
    "recorded": "Evidence was replayed from recorded calls: the same calls give the same figures "
    "to the last digit. They hold for what the services answered when they were recorded.",
    "closed world": "Evidence was the DrugMechDB corpus itself, served on this machine. Such a "
    "figure says how well the pipeline finds, ranks and cites what a service holds. It says "
    "nothing about coverage.",
}
_ONE_PROTEIN = (
    "In 675 of the 798 published gene questions the gold is the drug's only protein in DrugMechDB. "
    "Questions with several are reported apart."
)
_CONSTRUCTED = "Here every gold is in the evidence by construction."
_LEFT_OUT = (
    "Leave-one-out: edges whose only record is the question's own, its treats edge included, were "
    "dropped before anything was ranked{dropped}. A gold that no other record holds cannot be "
    "found then: what is found was found by other records."
)
_OTHERS_STAY = (
    "Golds of a drug question are all drugs whose record has this disease and process; only the "
    "published drug's own records were left out. Of questions with several golds the others' "
    "records stay: how well an answer is found without its own record is told by the questions "
    "with one gold."
)

_SCORES: Mapping[str, str] = {
    "accuracy": "right, by identifier or name",
    "accuracy_answered": "right, of the answers given",
    "right_by_identifier": "right by identifier",
    "right_by_name": "right by name",
    "published_rule": "right by the published rule (answer is a part of the gold)",
    "rows_accuracy": "published rows right, by identifier or name",
    "rows_published_rule": "published rows right, by the published rule",
    "answered": "answered",
    "abstained": "abstained",
    "error": "errors",
    "failed": "questions that could not be run",
    "mrr": "mean reciprocal rank",
    "context_gold": "gold in the context",
    "context_recall": "share of the golds in the context",
    "context_empty": "context empty",
    "context_sentences": "lines of context",
    "context_tokens": "tokens of context",
    "accuracy_with_gold": "right, gold in the context",
    "accuracy_without_gold": "right, gold not in the context",
    "citations_exist": "citations that exist",
    "citations_support": "lines cited for the answer that are about it",
    "answers_cited": "answers with a citation",
    "answers_soundly_cited": "answers with sound citations only",
    "calls": "calls a question",
    "prompt_tokens": "prompt tokens a question",
    "completion_tokens": "completion tokens a question",
    "tokens_total": "tokens, all questions",
    "cost_total": "cost, all questions (USD)",
    "seconds": "seconds a question, mean",
    "seconds_median": "seconds a question, median",
    "seconds_max": "seconds, slowest question",
    "seconds_total": "seconds, all questions",
    "entities_precision": "mentions found that the question does name",
    "entities_recall": "things named that were found",
    "entities_joint": "everything named was found (joint)",
    "gold_in_evidence": "gold in the retrieved evidence",
    "recall": "share of the golds in the evidence",
    "gold_in_page": "gold left after default pruning",
    "page_recall": "share of the golds left after default pruning",
    "gold_kept": "gold kept by pruning, of those retrieved",
    "sentences": "lines retrieved",
    "tokens": "tokens retrieved",
    "page_sentences": "lines after default pruning",
    "page_tokens": "tokens after default pruning",
    "tokens_kept": "tokens kept by pruning, mean of questions",
    "tokens_kept_total": "tokens kept by pruning, of all tokens together",
    "gold_in_candidates": "gold among the candidates",
    "edges": "edges retrieved",
    "edges_left_out": "edges left out",
    "services_asked": "services asked",
    "services_answered": "services that answered",
    "cosine_mean": "cosine of answer and gold, mean",
    "rows_cosine_mean": "cosine of answer and published gold, mean",
}
_AT: Mapping[str, str] = {
    "hits": "Hits@{} (a gold among the first {})",
    "precision": "P@{}",
    "recall": "R@{}",
    "f1": "F1@{}",
    "gold": "gold in the first {} lines",
}


def arm_label(arm: str) -> str:
    """What an arm is called.

    >>> arm_label("model_only"), arm_label("t80"), arm_label("mine")
    ('model only', 'T80', 'mine')
    """
    if arm in _ARMS:
        return _ARMS[arm][0]
    return arm.upper() if arm in _ORDER else arm


def arm_meaning(arm: str) -> str:
    """What an arm is."""
    if arm in _ARMS:
        return _ARMS[arm][1]
    if arm in _ORDER:
        return (
            f"the language model with evidence pruned as published, at the {arm[1:]}th percentile"
        )
    return "a strategy of its own"


def arm_order(arms: Iterable[str]) -> list[str]:
    """Arms in the order of the page, each once: as published, then fedrag's own, then others.

    >>> arm_order(["ranking", "x", "t10", "model_only", "t10"])
    ['model_only', 't10', 'ranking', 'x']
    """
    given = list(dict.fromkeys(arms))
    known = [arm for arm in _ORDER if arm in given]
    return known + [arm for arm in given if arm not in _ORDER]


def is_main_pair(comparison: Mapping[str, Any]) -> bool:
    """Whether two arms are compared at the first look: prunings one by one are not, but for T10,
    which the paper shows.
    """
    first, second = comparison["first"], comparison["second"]
    return second in ("model_only", "ranking") and (first not in PUBLISHED[2:] or first == "t10")


def set_name(kind: str) -> str:
    """What the questions of a set are called.

    >>> set_name("gene")
    'Gene questions'
    """
    return f"{KINDS.get(kind, kind)} questions"


def score_label(name: str) -> str:
    """What a score is called; one that is not known keeps its name.

    >>> score_label("hits@5"), score_label("rows_cosine>=0.90"), score_label("other")
    ('Hits@5 (a gold among the first 5)', 'cosine ≥ 0.90, published rows', 'other')
    """
    if name in _SCORES:
        return _SCORES[name]
    kind, at, k = name.partition("@")
    if name == "gold@1":
        return "gold in the first line"
    if at and kind in _AT:
        return _AT[kind].format(k, k)
    kind, at, least = name.partition("cosine>=")
    if at:
        return f"cosine ≥ {least}" + (", published rows" if kind == "rows_" else "")
    return name


def evidence_label(meta: Mapping[str, Any]) -> str:
    """The kind of evidence of a run, leave-one-out named.

    >>> evidence_label({"evidence": "recorded", "recorded_from": "closed world",
    ...                 "leave_one_out": True})
    'recorded from the closed world, leave-one-out'
    """
    kind = str(meta.get("evidence") or "evidence of unknown kind")
    if meta.get("recorded_from"):
        origin = str(meta["recorded_from"])
        kind += f" from the {origin}" if origin == "closed world" else f" from {origin}"
    return kind + (", leave-one-out" if meta.get("leave_one_out") else "")


def evidence_meaning(
    meta: Mapping[str, Any], retrieval: Mapping[str, Mapping[str, Any]]
) -> tuple[str, ...]:
    """What figures of such evidence say, and what they do not.

    :param retrieval: the run's own scores of it: what is there by construction is measured too.
    """
    kinds = dict.fromkeys((meta.get("evidence"), meta.get("recorded_from")))
    said = [_EVIDENCE[str(kind)] for kind in kinds if str(kind) in _EVIDENCE]
    if "closed world" in kinds and meta.get("set") == "gene":
        said.append(_ONE_PROTEIN)
    if meta.get("leave_one_out"):
        said.append(_LEFT_OUT.format(dropped=_dropped(retrieval)))
        said += [_OTHERS_STAY] if meta.get("set") == "drug" else []
    if "closed world" in kinds and retrieval.get("gold_in_evidence", {}).get("value") is not None:
        said.append(_found(meta, retrieval))
    return tuple(said)


def _dropped(retrieval: Mapping[str, Mapping[str, Any]]) -> str:
    """How many edges a question lost: nothing is left out of services that name no records."""
    mean = retrieval.get("edges_left_out", {}).get("value")
    return "" if mean is None else f" ({mean:.1f} of a question's edges, on average)"


def _found(meta: Mapping[str, Any], retrieval: Mapping[str, Mapping[str, Any]]) -> str:
    """Whether the evidence holds every gold, as a closed world is meant to; else what it holds."""
    some, each = retrieval["gold_in_evidence"], retrieval.get("recall", {})
    if some["value"] == each.get("value") == 1.0 and not meta.get("leave_one_out"):
        return _CONSTRUCTED
    share = f"{100 * some['value']:.1f} % ({some['count']:,} of {some['n']:,})"
    return f"Of these questions {share} have a gold in the retrieved evidence."
