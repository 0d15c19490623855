"""One figure of many questions, with its n and its interval.

A rate counts questions and has a Wilson interval; a share of what questions have several of
(published rows, citations, mentions), and a mean over questions, have a bootstrap interval; a count
has none. Figures are kept unrounded, and rounded for print alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

from fedrag.bench.stats import bootstrap, bootstrap_share, mean, wilson

__all__ = ["Score", "average", "biggest", "middle", "pooled", "rate", "ratio", "share", "total"]


@dataclass(frozen=True, slots=True)
class Score:
    """One figure: a share (0 to 1), a mean, or a count (a sum, a median, a maximum).

    :ivar value: ``None`` where n is 0.
    :ivar n: what it is of: questions, or published rows, citations, mentions.
    :ivar low, high: the 95 % interval; ``None`` where there is none.
    :ivar count: how many of n, of a rate.
    :ivar model: the embedding model that a cosine is by.
    """

    value: float | None
    n: int
    low: float | None
    high: float | None
    method: Literal["wilson", "bootstrap", "count"]
    count: int | None = None
    model: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it; ``model`` only where there is one."""
        return {k: v for k, v in asdict(self).items() if k != "model" or v is not None}


def rate(hits: Iterable[bool | None]) -> Score:
    """The share of those that apply (are not ``None``) that are so."""
    known = [hit for hit in hits if hit is not None]
    return share(sum(known), len(known))


def share(count: int, n: int) -> Score:
    """``count`` of ``n`` that were drawn one by one."""
    low, high = wilson(count, n) or (None, None)
    return Score(count / n if n else None, n, low, high, "wilson", count)


def pooled(pairs: Iterable[tuple[int, int] | None]) -> Score:
    """(count, of how many) of each question, added up."""
    known = [pair for pair in pairs if pair is not None]
    count, n = sum(count for count, _ in known), sum(n for _, n in known)
    low, high = bootstrap_share(known) or (None, None)
    return Score(count / n if n else None, n, low, high, "bootstrap", count)


def average(values: Iterable[float | None]) -> Score:
    """The mean of those that apply."""
    known = [float(value) for value in values if value is not None]
    low, high = bootstrap(known) or (None, None)
    return Score(mean(known), len(known), low, high, "bootstrap")


def ratio(pairs: Iterable[tuple[float, float]]) -> Score:
    """What the first of the pairs add up to, of what the second do; n counts pairs.

    It has no interval: Wilson's is of things drawn one by one, which tokens are not.

    >>> ratio([(1, 1), (1, 9)]).value, ratio([(0, 0)]).value
    (0.2, None)
    """
    known = list(pairs)
    whole = math.fsum(one for _, one in known)
    return _bare(math.fsum(part for part, _ in known) / whole if whole else None, len(known))


def total(values: Iterable[float | None]) -> Score:
    """The sum of those that apply.

    >>> total([0.1] * 10 + [None]).value, total([]).value
    (1.0, None)
    """
    known = [value for value in values if value is not None]
    return _bare(math.fsum(known) if known else None, len(known))


def middle(values: Iterable[float | None]) -> Score:
    """The median of those that apply."""
    known = [value for value in values if value is not None]
    return _bare(float(median(known)) if known else None, len(known))


def biggest(values: Iterable[float | None]) -> Score:
    """The greatest of those that apply."""
    known = [value for value in values if value is not None]
    return _bare(float(max(known)) if known else None, len(known))


def _bare(value: float | None, n: int) -> Score:
    return Score(value, n, None, None, "count")
