"""How the published benchmark scores and prunes, reproduced with its faults, for comparison.

The method is that of BTE-RAG (Joy & Su 2025, doi:10.1101/2025.08.01.668022) and of its code, where
the two differ: the paper says "exact, case-insensitive string matching". What it found is in
:mod:`fedrag.bench.published_figures`. fedrag's own scores are in :mod:`fedrag.bench.score`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "COSINE_BINS",
    "MINIMUM_SIMILARITY",
    "PERCENTILES",
    "cosine_reaches",
    "prune_as_published",
    "substring_rule",
]

PERCENTILES = (10, 20, 30, 40, 50, 60, 70, 80, 90)
MINIMUM_SIMILARITY = 0.5
COSINE_BINS = (1.0, 0.95, 0.9, 0.8, 0.7)

ScoredLine = tuple[str, float]


def substring_rule(answer: str | None, gold: str) -> bool:
    """Whether the answer, in lower case, is a part of the gold: the published "accuracy".

    Nothing is trimmed, an empty answer is a part of every gold, and an answer that could not be
    read is compared as the word "none".

    >>> [substring_rule(a, "PTGS2") for a in ("ptgs2", "PTGS", "2", "", "COX-2", "PTGS2 ", None)]
    [True, True, True, True, False, False, False]
    >>> substring_rule(None, "ubiquinone")
    True
    """
    return str(answer).lower() in gold.lower()


def cosine_reaches(similarity: float | None, least: float) -> bool:
    """Whether a cosine falls into a published bin: it is rounded to two decimals first.

    ``None`` (no answer, which the published script leaves unscored) falls into none.

    >>> [cosine_reaches(s, 0.90) for s in (0.8951, 0.8949, 1.0, None)]
    [True, False, True, False]
    >>> cosine_reaches(0.99999994, 1.0)
    True
    """
    return similarity is not None and round(similarity, 2) >= least


def prune_as_published(
    lines_by_branch: Mapping[str, Sequence[ScoredLine]], percentile: int
) -> dict[str, tuple[ScoredLine, ...]]:
    """The lines of each branch strictly above its percentile and strictly above 0.5, best first.

    Branches are what is known of the drug, of the disease, of the process; each goes by its own
    percentile (numpy's, interpolated linearly). A branch of one line, or of lines equally similar,
    always loses everything.

    :param lines_by_branch: (line, cosine to the question) in their order, by branch.
    :param percentile: 10 to 90 as published.
    :raises ValueError: it is not between 0 and 100.

    >>> branches = {"drug": [("a", 0.9), ("b", 0.8), ("c", 0.4)], "disease": [("d", 0.99)]}
    >>> prune_as_published(branches, 10)
    {'drug': (('a', 0.9), ('b', 0.8)), 'disease': ()}
    >>> prune_as_published(branches, 50)
    {'drug': (('a', 0.9),), 'disease': ()}
    """
    if not 0 <= percentile <= 100:
        raise ValueError(f"no percentile: {percentile}")
    return {branch: _above(lines, percentile) for branch, lines in lines_by_branch.items()}


def _above(lines: Sequence[ScoredLine], percentile: int) -> tuple[ScoredLine, ...]:
    import numpy as np

    if not lines:
        return ()
    threshold = float(np.percentile([similarity for _, similarity in lines], percentile))
    kept = [line for line in lines if line[1] > threshold and line[1] > MINIMUM_SIMILARITY]
    return tuple(sorted(kept, key=lambda line: line[1], reverse=True))
