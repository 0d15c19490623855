"""Intervals and tests, all from scipy and statsmodels (the extra ``bench``), all repeatable.

Everything is at 95 %. A function that has nothing to go by returns ``None``, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from fedrag.errors import ConfigError

__all__ = [
    "Interval",
    "bootstrap",
    "bootstrap_share",
    "mcnemar",
    "mean",
    "odds_ratio",
    "wilson",
]

Interval = tuple[float, float]

_ALPHA = 0.05
RESAMPLES = 2000
SEED = 20260


@lru_cache(maxsize=100_000)
def wilson(count: int, n: int) -> Interval | None:
    """The Wilson interval of ``count`` of ``n`` (Wilson 1927, doi:10.1080/01621459.1927.10502953).

    :raises ConfigError: statsmodels is not installed.
    :raises ValueError: ``count`` is not between 0 and ``n``.
    """
    if n == 0:
        return None
    _within(count, n)
    low, high = _proportions().proportion_confint(count, n, alpha=_ALPHA, method="wilson")
    # At 0 and n the formula gives the bound itself, but for the last bits of a float.
    return (0.0 if count == 0 else float(low)), (1.0 if count == n else float(high))


def mean(values: Sequence[float]) -> float | None:
    """The mean, summed exactly, so that no order of the questions changes it.

    >>> mean([0.1] * 10), mean([])
    (0.1, None)
    """
    from math import fsum

    return fsum(values) / len(values) if values else None


def bootstrap(values: Sequence[float], *, seed: int = SEED) -> Interval | None:
    """The percentile bootstrap interval of a mean, resampling questions.

    The same seed draws the same questions from lists of the same length: two means of the same
    questions are resampled in pairs. For the difference of two arms give the differences.

    :returns: ``None`` for fewer than two values, and where all are equal: resampling them says
        nothing about how far off they may be.
    :raises ConfigError: scipy is not installed.
    """
    if len(values) < 2 or min(values) == max(values):
        return None
    return _bootstrap(tuple(map(float, values)), seed)


@lru_cache(maxsize=4096)
def _bootstrap(values: tuple[float, ...], seed: int) -> Interval:
    import numpy as np

    found = _extra("scipy.stats").bootstrap(
        (np.array(values),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=1 - _ALPHA,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def bootstrap_share(pairs: Sequence[tuple[int, int]]) -> Interval | None:
    """The percentile bootstrap interval of a share that is pooled over questions.

    What one question has several of (published rows, citations, mentions) is not drawn one by
    one, so that Wilson's interval would be too narrow: questions are resampled whole. Where all
    or none count, it is Wilson's of as many questions.

    :param pairs: how many count, of how many, of each question.
    :returns: ``None`` where there is nothing to count, or one question alone.
    :raises ConfigError: scipy or statsmodels is not installed.

    >>> bootstrap_share([(2, 2), (1, 1)]) == wilson(2, 2), bootstrap_share([(1, 2)])
    (True, None)
    """
    some = [(count, n) for count, n in pairs if n]
    if len(some) < 2:
        return None
    count, n = (sum(column) for column in zip(*some, strict=True))
    if count in (0, n):
        return wilson(len(some) if count else 0, len(some))
    return _bootstrap_share(tuple(some))


@lru_cache(maxsize=4096)
def _bootstrap_share(pairs: tuple[tuple[int, int], ...]) -> Interval:
    import numpy as np

    counts, sizes = np.array(pairs, dtype=float).T

    def share(counts: Any, sizes: Any, axis: int) -> Any:
        return counts.sum(axis=axis) / sizes.sum(axis=axis)

    found = _extra("scipy.stats").bootstrap(
        (counts, sizes),
        share,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        confidence_level=1 - _ALPHA,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


@lru_cache(maxsize=4096)
def mcnemar(first_only: int, second_only: int) -> float:
    """The exact, two-sided McNemar test: p of so uneven a split of the questions that differ.

    :param first_only: questions that only the first arm has right; ``second_only`` likewise.
    :raises ConfigError: statsmodels is not installed.
    """
    tables = _extra("statsmodels.stats.contingency_tables")
    result = tables.mcnemar([[0, first_only], [second_only, 0]], exact=True)
    return float(result.pvalue)


@lru_cache(maxsize=4096)
def odds_ratio(
    first_only: int, second_only: int
) -> tuple[float | None, float | None, float | None]:
    """The odds ratio of paired answers with its exact interval: (ratio, low, high).

    Conditional on the questions that differ, it is ``first_only / second_only``; its interval is
    the Clopper-Pearson interval of that share, as odds (Breslow & Day 1980, section 5.2). It
    agrees with :func:`mcnemar`: both come from the same binomial. ``None`` stands for infinite,
    and for all three where no question differs.

    :raises ConfigError: statsmodels is not installed.
    """
    n = first_only + second_only
    if n == 0:
        return None, None, None
    low, high = _proportions().proportion_confint(first_only, n, alpha=_ALPHA, method="beta")
    return (
        first_only / second_only if second_only else None,
        _odds(float(low)) if first_only else 0.0,
        _odds(float(high)) if second_only else None,
    )


def _odds(share: float) -> float:
    return share / (1 - share)


def _within(count: int, n: int) -> None:
    if not 0 <= count <= n:
        raise ValueError(f"{count} of {n} is no proportion")


def _proportions() -> Any:
    return _extra("statsmodels.stats.proportion")


def _extra(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"the benchmark's intervals and tests need {module.partition('.')[0]}",
            hint="pip install fedrag-bio[bench]",
        ) from error
