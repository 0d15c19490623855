"""The published figures in the form of fedrag's own: scores with n and interval, and series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fedrag.bench.model import Kind
from fedrag.bench.published_figures import (
    ARMS,
    CONTEXT_SECONDS,
    CONTEXT_TOKENS,
    ENTITIES_JOINT,
    GENE_CONTINGENCY_T10,
    GENEGPT,
    MODEL_SECONDS,
    MODELS,
    QUESTIONS,
    gene_count,
    similarity_table,
)
from fedrag.bench.report.charts import Point, Series
from fedrag.bench.tally import share

__all__ = [
    "MEASURES",
    "published_besides",
    "published_contingency",
    "published_scores",
    "published_series",
]

# What the published curve of each set counts
MEASURES: Mapping[str, str] = {
    "gene": "right by the published rule",
    "metabolite": "cosine ≥ 0.90",
    "drug": "cosine ≥ 0.90",
}


def published_scores(kind: str) -> dict[str, dict[str, dict[str, Any]]]:
    """By model and arm, what was published of a set; the interval is Wilson's, ours.

    The share of rows right by the published rule (gene), or with a cosine of 0.90 or more. Nothing
    for a set that was not published.

    :raises ConfigError: the extra ``bench`` is not installed.
    """
    if kind not in QUESTIONS:
        return {}
    set_ = cast(Kind, kind)
    return {model: {arm: _score(set_, model, arm) for arm in ARMS} for model in MODELS}


def _score(kind: Kind, model: str, arm: str) -> dict[str, Any]:
    if kind == "gene":
        return share(gene_count(model, arm), QUESTIONS[kind]).to_dict()
    row = next(one for one in similarity_table(kind, model) if one.arm == arm)
    return share(row.reach[0.9], row.scored).to_dict()


def published_besides(kind: str) -> list[tuple[str, str, str]]:
    """What else was published of a set's questions: what it is, the figure, and more of it."""
    if kind not in QUESTIONS:
        return []
    set_ = cast(Kind, kind)
    tokens = CONTEXT_TOKENS[set_]
    told = [
        ("both things named were found, by exact names", f"{ENTITIES_JOINT[set_]} %", "gpt-3.5"),
        (
            "tokens of a question's whole context, mean",
            f"{tokens.mean:,}",
            f"median {tokens.median:,}, longest {tokens.max:,}",
        ),
        ("seconds to make a question's contexts", f"{CONTEXT_SECONDS:.0f}", "every call cached"),
        ("seconds of a call of the model", f"{MODEL_SECONDS}", ""),
    ]
    if kind == "gene":
        told += [
            (f"right by the published rule: GeneGPT ({form}), {model}", f"{value} %", "n 798")
            for form, by_model in GENEGPT.items()
            for model, value in by_model.items()
        ]
    return told


def published_series(kind: str, rows: list[str]) -> list[Series]:
    """A grey series for each published model, at the places of its arms among ``rows``."""
    return [
        Series(
            f"{model}, published ({MEASURES[kind]}, n {QUESTIONS[cast(Kind, kind)]})",
            tuple(Point(rows.index(arm), scores[arm]["value"]) for arm in ARMS if arm in rows),
            number,
            grey=True,
        )
        for number, (model, scores) in enumerate(published_scores(kind).items())
    ]


def published_contingency(kind: str) -> list[tuple[str, tuple[int, int, int, int]]]:
    """The published tables of retrieval (T10) against the model alone, gene questions alone."""
    if kind != "gene":
        return []
    return [
        (
            f"published, {model}: T10 / model only",
            (t.both, t.retrieval_only, t.model_only, t.neither),
        )
        for model, t in GENE_CONTINGENCY_T10.items()
    ]
