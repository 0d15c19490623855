"""Two arms compared question by question: contingency, McNemar's test, odds ratio, difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from fedrag.bench.marks import Mark
from fedrag.bench.stats import bootstrap, mcnemar, mean, odds_ratio

__all__ = ["Comparison", "Rule", "compare"]

Rule = Literal["right", "substring"]

_CELLS = ((True, True), (True, False), (False, True), (False, False))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms over the questions that both answered for, in pairs.

    :ivar rule: what is counted: ``right``, or the published ``substring`` rule.
    :ivar p: McNemar's exact test; not corrected for how many comparisons are made.
    :ivar odds_ratio: first over second, of the questions where they differ, with its 95 % interval;
        ``None`` is infinite, or where none differs undefined.
    :ivar difference: accuracy of the first less that of the second, with its bootstrap interval.
    """

    first: str
    second: str
    rule: Rule
    n: int
    both: int
    first_only: int
    second_only: int
    neither: int
    p: float
    odds_ratio: float | None
    odds_low: float | None
    odds_high: float | None
    difference: float | None
    low: float | None
    high: float | None


def compare(first: Sequence[Mark], second: Sequence[Mark], *, rule: Rule = "right") -> Comparison:
    """Compare two arms on the questions that both have; an error is a wrong answer.

    :raises ConfigError: the extra ``bench`` is not installed.
    :raises ValueError: one of them has no marks.
    """
    if not first or not second:
        raise ValueError("an arm without marks cannot be compared")
    ours, theirs = _hits(first, rule), _hits(second, rule)
    pairs = [(ours[id], theirs[id]) for id in ours if id in theirs]
    counts = {cell: pairs.count(cell) for cell in _CELLS}
    split = counts[True, False], counts[False, True]
    ratio, odds_low, odds_high = odds_ratio(*split)
    differences = [float(one) - float(other) for one, other in pairs]
    low, high = bootstrap(differences) or (None, None)
    return Comparison(
        first[0].arm,
        second[0].arm,
        rule,
        len(pairs),
        counts[True, True],
        *split,
        counts[False, False],
        mcnemar(*split),
        ratio,
        odds_low,
        odds_high,
        mean(differences),
        low,
        high,
    )


def _hits(marks: Iterable[Mark], rule: Rule) -> dict[str, bool]:
    hits = {m.id: m.right if rule == "right" else m.substring for m in marks}
    return {id: hit for id, hit in hits.items() if hit is not None}
