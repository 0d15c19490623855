"""Figures as they are printed: value, interval and n, never one without the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from fedrag.bench.report.markup import Html, tag

__all__ = ["Cell", "cell", "cell_html", "cell_text", "counted", "number", "p_value", "verdict"]

Score = Mapping[str, Any]
_LONG = 48  # signs of a note that may wrap
# Means that are shares as well
_SHARES = ("recall", "page_recall", "context_recall", "precision@", "f1@", "tokens_kept")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure ready for print; ``note`` is its interval and n."""

    value: str
    note: str = ""


def cell(name: str, score: Score | None) -> Cell:
    """A score of ``run_scores`` by its name; a dash where there is none.

    >>> cell("accuracy", {"value": 0.5, "n": 8, "low": 0.2152, "high": 0.7848,
    ...                   "method": "wilson", "count": 4})
    Cell(value='50.0 %', note='21.5–78.5, 4 of 8')
    >>> cell("mrr", None)
    Cell(value='–', note='')
    """
    if score is None:
        return Cell("–")
    if score.get("value") is None:
        return Cell("–", f"n {score['n']:,}")
    low, high, count = score.get("low"), score.get("high"), score.get("count")
    share = count is not None or name.startswith(_SHARES)
    show = _percent if share else number
    value = f"{show(score['value'])} %" if share else show(score["value"])
    of = f"n {score['n']:,}" if count is None else f"{count:,} of {score['n']:,}"
    if low is None or high is None:
        return Cell(value, of)
    return Cell(value, f"{show(low)}–{show(high)}, {of}")


def cell_html(shown: Cell) -> Html:
    """The figure as a cell of a table."""
    note = tag("small", shown.note) if shown.note else ""
    long = " wrap" if len(shown.note) > _LONG else ""
    return tag("td", shown.value, note, class_=f"n{long}")


def cell_text(shown: Cell) -> str:
    """The figure in one line.

    >>> cell_text(Cell("50.0 %", "21.5–78.5, 4 of 8"))
    '50.0 % (21.5–78.5, 4 of 8)'
    """
    return f"{shown.value} ({shown.note})" if shown.note else shown.value


def number(value: float | None) -> str:
    """Three figures where they matter: 0.0123, 0.62, 12.3, 3,762; a dash for what is none.

    >>> [number(x) for x in (0.01234, 0.618, 12.34, 3762.4, 0.0, 2.0)]
    ['0.0123', '0.618', '12.3', '3,762', '0', '2']
    """
    if value is None or not isfinite(value):
        return "–"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "call"), counted(1200, "entry")
    ('1 call', '1,200 entries')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


def p_value(p: float | None) -> str:
    """A p-value, small ones as a bound.

    >>> p_value(0.04321), p_value(2e-9), p_value(None)
    ('0.043', '< 0.0001', '–')
    """
    if p is None:
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def verdict(good: bool | None, words: str) -> Html:
    """What came of something, with a sign where it is good or bad: colour is not all it has."""
    if good is None:
        return tag("span", words, class_="muted")
    return tag("span", "✓ " if good else "✗ ", words, class_="good" if good else "bad")
