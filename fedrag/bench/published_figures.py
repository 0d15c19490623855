"""What the published benchmark found, as data, to stand beside fedrag's own figures.

From BTE-RAG (Joy & Su 2025, doi:10.1101/2025.08.01.668022) and the tables of its repository
(github.com/janjoy/BTE-RAG: data CC0). Models are gpt-4o-mini (2024-07-18) and gpt-4o (2024-08-06);
arms bear the names that fedrag gives the like: ``model_only``, ``full``, ``t10`` ... ``t90``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from fedrag.bench.model import Kind
from fedrag.bench.published import COSINE_BINS

__all__ = [
    "ARMS",
    "CONTEXT_SECONDS",
    "CONTEXT_TOKENS",
    "ENTITIES_JOINT",
    "GENEGPT",
    "GENE_ACCURACY",
    "GENE_CONTINGENCY_T10",
    "MODELS",
    "MODEL_SECONDS",
    "QUESTIONS",
    "SOURCE",
    "Contingency",
    "Similarity",
    "TokenCount",
    "gene_count",
    "similarity_table",
]

SOURCE = "Joy & Su 2025, doi:10.1101/2025.08.01.668022"
MODELS = ("gpt-4o-mini", "gpt-4o")
ARMS = ("model_only", "full", "t10", "t20", "t30", "t40", "t50", "t60", "t70", "t80", "t90")
QUESTIONS: Mapping[Kind, int] = {"gene": 798, "metabolite": 201, "drug": 842}  # rows, as published


@dataclass(frozen=True, slots=True)
class Contingency:
    """Two arms over the same questions: how many both, one or neither has right."""

    both: int
    retrieval_only: int
    model_only: int
    neither: int


@dataclass(frozen=True, slots=True)
class Similarity:
    """Cosine between the names answered and the golds, of one arm; ``reach`` counts per bin."""

    arm: str
    scored: int
    reach: Mapping[float, int]
    mean: float
    median: float


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of a question's whole context."""

    mean: int
    median: int
    max: int


# Accuracy by the substring rule, per cent of 798 questions, in the order of ARMS (figure 2, S2, S3)
_MINI = (51.0, 70.7, 75.8, 75.3, 74.7, 75.3, 75.6, 75.1, 74.7, 68.7, 64.9)
_LARGE = (69.8, 76.1, 78.6, 78.4, 77.8, 77.4, 78.2, 78.8, 78.1, 74.2, 70.6)
GENE_ACCURACY: Mapping[str, Mapping[str, float]] = {
    "gpt-4o-mini": dict(zip(ARMS, _MINI, strict=True)),
    "gpt-4o": dict(zip(ARMS, _LARGE, strict=True)),
}
GENE_CONTINGENCY_T10: Mapping[str, Contingency] = {  # figures S2D and S3D
    "gpt-4o-mini": Contingency(360, 245, 47, 146),
    "gpt-4o": Contingency(508, 119, 49, 122),
}
# GeneGPT on the same 798 questions, per cent
GENEGPT: Mapping[str, Mapping[str, float]] = {
    "full": {"gpt-4o-mini": 37.2, "gpt-4o": 42.7},
    "slim": {"gpt-4o-mini": 45.2, "gpt-4o": 44.0},
}
# Both things named in a question found, by their exact names, by gpt-3.5; per cent
ENTITIES_JOINT: Mapping[Kind, float] = {"gene": 98.5, "metabolite": 98.5, "drug": 89.2}
CONTEXT_TOKENS: Mapping[Kind, TokenCount] = {
    "gene": TokenCount(3762, 713, 87468),
    "metabolite": TokenCount(3284, 2652, 13049),
    "drug": TokenCount(2408, 1364, 60652),
}
CONTEXT_SECONDS = 55.0  # to rebuild a question's contexts, every call cached
MODEL_SECONDS = 0.7  # a call of the model

# Arm; answers scored; of those with a cosine of 1.00, at least 0.95, 0.90, 0.80, 0.70; mean; median
_SIMILARITY: Mapping[tuple[Kind, str], str] = {
    ("metabolite", "gpt-4o-mini"): """
        model_only 201 23 24 28 34 50 0.461 0.37
        full 201 40 40 43 47 55 0.489 0.45
        t10 201 42 44 45 49 62 0.507 0.44
        t20 201 41 43 45 49 62 0.504 0.42
        t30 201 41 43 45 49 63 0.505 0.42
        t40 201 46 48 49 53 67 0.518 0.44
        t50 201 43 47 50 54 70 0.527 0.47
        t60 201 43 47 50 54 70 0.526 0.46
        t70 201 42 45 49 53 68 0.519 0.42
        t80 201 43 47 51 55 70 0.526 0.42
        t90 201 39 42 44 48 65 0.511 0.42
    """,
    ("metabolite", "gpt-4o"): """
        model_only 201 22 23 30 36 51 0.471 0.38
        full 201 42 44 46 51 62 0.499 0.42
        t10 201 40 44 46 50 62 0.501 0.42
        t20 201 39 44 46 50 62 0.501 0.41
        t30 201 39 43 45 49 61 0.497 0.41
        t40 201 38 41 43 47 60 0.491 0.41
        t50 201 45 50 51 55 69 0.519 0.42
        t60 201 45 50 51 55 69 0.52 0.42
        t70 201 46 50 51 55 67 0.521 0.42
        t80 201 47 52 53 57 71 0.533 0.46
        t90 201 42 44 45 49 65 0.519 0.46
    """,
    ("drug", "gpt-4o-mini"): """
        model_only 842 108 109 110 118 148 0.44 0.36
        full 842 109 109 115 124 150 0.435 0.36
        t10 842 97 98 100 106 131 0.425 0.35
        t20 842 99 100 102 108 134 0.429 0.35
        t30 842 99 100 102 108 134 0.428 0.35
        t40 842 98 99 101 107 132 0.428 0.35
        t50 842 97 99 102 108 133 0.43 0.35
        t60 842 99 101 104 110 135 0.432 0.35
        t70 842 100 102 105 111 137 0.433 0.35
        t80 841 99 101 104 110 136 0.431 0.35
        t90 842 97 99 102 108 134 0.429 0.35
    """,
    ("drug", "gpt-4o"): """
        model_only 842 129 129 129 144 169 0.457 0.37
        full 842 139 139 144 155 184 0.459 0.36
        t10 842 129 131 133 144 172 0.457 0.36
        t20 842 131 133 135 146 174 0.459 0.36
        t30 842 128 130 132 143 171 0.458 0.36
        t40 842 127 129 131 142 170 0.456 0.36
        t50 842 129 131 133 144 172 0.454 0.36
        t60 842 126 128 130 141 169 0.452 0.35
        t70 842 130 132 134 145 172 0.456 0.36
        t80 842 127 129 130 143 170 0.456 0.36
        t90 842 128 130 132 143 170 0.454 0.36
    """,
}


@lru_cache(maxsize=8)
def similarity_table(kind: Kind, model: str) -> tuple[Similarity, ...]:
    """The published cosine of one set and model, an arm a row.

    :raises KeyError: nothing was published of it (gene answers were not compared so).

    >>> similarity_table("metabolite", "gpt-4o")[0].reach[0.9]
    30
    """
    return tuple(_row(line) for line in _SIMILARITY[kind, model].split("\n") if line.strip())


def _row(line: str) -> Similarity:
    arm, scored, *counts, mean, median = line.split()
    reach = dict(zip(COSINE_BINS, map(int, counts), strict=True))
    return Similarity(arm, int(scored), reach, float(mean), float(median))


def gene_count(model: str, arm: str) -> int:
    """How many of the 798 gene questions an arm had right: the one count that gives its per cent.

    >>> gene_count("gpt-4o-mini", "model_only"), gene_count("gpt-4o", "t10")
    (407, 627)
    """
    return round(GENE_ACCURACY[model][arm] * QUESTIONS["gene"] / 100)
