"""Tables of arms in pairs: contingency, test, odds ratio and difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.failures import failures
from fedrag.bench.report.numbers import Cell, number, p_value
from fedrag.bench.report.published_series import published_contingency
from fedrag.bench.report.tables import Table
from fedrag.bench.report.words import arm_label, is_main_pair

__all__ = ["comparison_table"]


def comparison_table(kind: str, sections: Sequence[Section]) -> Iterator[Table]:
    """Contingency, McNemar's exact test, odds ratio and difference of pairs of arms.

    The main pairs first, then all of them, then all by the published rule.
    """
    everything = [(s, one) for s in sections for one in s.scores["comparisons"]]
    fair = [(s, one) for s, one in everything if one["rule"] == "right"]
    main = [(s, one) for s, one in fair if is_main_pair(one)]
    published = [(s, one) for s, one in everything if one["rule"] == "substring"]
    theirs = [(name, _counts(cells)) for name, cells in published_contingency(kind)]
    yield from _pairs("Arms in pairs, right by identifier or name", main, [])
    if len(fair) > len(main):
        yield from _pairs("All pairs of arms, right by identifier or name", fair, [])
    yield from _pairs("All pairs of arms, right by the published rule", published, theirs)


def _pairs(
    caption: str,
    pairs: Sequence[tuple[Section, Mapping[str, Any]]],
    more: Sequence[tuple[str, tuple[Cell, ...]]],
) -> Iterator[Table]:
    rows = [(_name(s, one), _pair(one)) for s, one in pairs]
    if rows:
        arms = [one[end] for _, one in pairs for end in ("first", "second")]
        note = percentile_note(arms, [s for s, _ in pairs])
        told = f"{caption}; p-values are not corrected for their number{note and f'.{note}'}"
        yield Table(told, _PAIR, (*rows, *more), "first / second")


def _name(section: Section, one: Mapping[str, Any]) -> str:
    """The pair, with what failed of its arms: an error is a wrong answer here."""
    both = [one["first"], one["second"]]
    failed = [f for arm in both if (f := failures(section, arm))]
    told = ", ".join(f"{arm_label(f.arm)} {f.short}" for f in failed)
    return f"{section.letter}: {' / '.join(map(arm_label, both))}" + (f" ({told})" if told else "")


_PAIR = (
    "both",
    "first alone",
    "second alone",
    "neither",
    "difference",
    "McNemar p",
    "odds ratio",
)


def _pair(one: Mapping[str, Any]) -> tuple[Cell, ...]:
    counts = [one["both"], one["first_only"], one["second_only"], one["neither"]]
    gap = Cell(f"{100 * one['difference']:+.1f} points", f"n {one['n']:,}")
    if one["low"] is not None:
        reach = f"{100 * one['low']:+.1f} to {100 * one['high']:+.1f}, n {one['n']:,}"
        gap = Cell(gap.value, reach)
    return (*(Cell(f"{count:,}") for count in counts), gap, Cell(p_value(one["p"])), _odds(one))


def _odds(one: Mapping[str, Any]) -> Cell:
    if one["first_only"] + one["second_only"] == 0:
        return Cell("–", "no question differs")
    ends = [one["odds_ratio"], one["odds_low"], one["odds_high"]]
    ratio, low, high = ("∞" if end is None else number(end) for end in ends)
    return Cell(ratio, f"{low}–{high}, n {one['first_only'] + one['second_only']:,}")


def _counts(cells: Sequence[int]) -> tuple[Cell, ...]:
    total = sum(cells)
    gap = Cell(f"{100 * (cells[1] - cells[2]) / total:+.1f} points", f"n {total:,}")
    return (*(Cell(f"{count:,}") for count in cells), gap, Cell("–"), Cell("–"))
