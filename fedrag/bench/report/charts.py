"""The kinds of chart a report draws. They know nothing of benchmarks, only of series and labels.

Labels inside a chart are the report's own words; names from outside stand in the legend, which is
HTML and wraps on a phone. Series differ in marker and dash too, not in colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fedrag.bench.report.markup import Html
from fedrag.bench.report.svg import DASHES, INK, MARKERS, MUTED, colour, figure, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Point", "Series", "bars", "curves", "dots", "stacks", "steps"]


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval; ``at`` is where it stands on the other axis."""

    at: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind. ``number`` picks colour, marker and dash; ``grey`` is for published."""

    label: str
    points: tuple[Point, ...]
    number: int = 0
    grey: bool = False

    @property
    def colour(self) -> str:
        """The stand-in colour it is drawn in."""
        return MUTED if self.grey else colour(self.number)

    @property
    def marker(self) -> str:
        """The marker it is drawn with."""
        return MARKERS[self.number % len(MARKERS)]

    @property
    def dash(self) -> Any:
        """The dash it is drawn with; grey ones are never solid."""
        return DASHES[(1 + self.number % 3) if self.grey else self.number % len(DASHES)]


def dots(key: str, label: str, rows: Sequence[str], series: Sequence[Series], unit: str) -> Html:
    """One row a category, one dot with its interval a series; values are shares."""
    with figure(52 + len(rows) * max(22, 11 * len(series))) as drawn:
        axes = drawn.add_subplot()
        spread = _spread(len(series))
        for shift, one in zip(spread, series, strict=True):
            _marks(axes, one, [(p.value, p.at + shift, p) for p in one.points], across=True)
        axes.set_yticks(range(len(rows)), [_short(row, 18) for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(unit)
        _percent(axes, across=True)
        return to_svg(drawn, key, label)


def steps(
    key: str,
    label: str,
    names: Sequence[str],
    series: Sequence[Series],
    unit: str,
    *,
    joined: range,
    top: float = 1,
) -> Html:
    """Categories in an order (prunings); neighbours at the places ``joined`` share a line."""
    with figure(300) as drawn:
        axes = drawn.add_subplot()
        spread = _spread(len(series), width=0.36)
        for shift, one in zip(spread, series, strict=True):
            _joined(axes, one, shift, joined)
            _marks(axes, one, [(p.at + shift, p.value, p) for p in one.points], across=False)
        ticks = [_short(name, 16) for name in names]
        axes.set_xticks(range(len(names)), ticks, rotation=60, ha="right", rotation_mode="anchor")
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.set_ylabel(unit)
        _percent(axes, across=False, top=top)
        return to_svg(drawn, key, label)


def curves(
    key: str,
    label: str,
    series: Sequence[Series],
    axis: tuple[str, str],
    *,
    log: bool = False,
    percent: bool = True,
    marks: Sequence[tuple[float, str]] = (),
    climbing: bool = False,
) -> Html:
    """Values along a scale. ``marks`` are upright lines with their words.

    :param climbing: values hold until the next point (cumulative shares).
    """
    with figure(270) as drawn:
        axes = drawn.add_subplot()
        for one in series:
            across, up = [p.at for p in one.points], [p.value for p in one.points]
            style = {"color": one.colour, "linestyle": one.dash, "label": one.label}
            axes.plot(across, up, drawstyle="steps-post" if climbing else "default", **style)
        for at, words in marks:
            axes.axvline(at, color=MUTED, linewidth=1, linestyle=DASHES[2])
            axes.text(at, 0.02, f" {words}", rotation=90, ha="right", va="bottom", fontsize=9.5)
        if log:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(_plain_number)
        axes.set_xlabel(axis[0])
        axes.set_ylabel(axis[1])
        _percent(axes, across=False) if percent else axes.grid(axis="y")
        return to_svg(drawn, key, label)


def stacks(key: str, label: str, rows: Sequence[str], parts: Sequence[tuple[float, ...]]) -> Html:
    """One bar a row, its parts laid end to end as shares; a part that is wide enough is labelled.

    Parts: both, first alone, second alone, neither.
    """
    from fedrag.bench.report.svg import GRID

    inks = (colour(0), colour(2), colour(1), GRID)
    with figure(56 + 44 * len(rows)) as drawn:
        axes = drawn.add_subplot()
        for at, counts in enumerate(parts):
            total, left = sum(counts) or 1, 0.0
            for number, count in enumerate(counts):
                share = count / total
                axes.barh(at, share, left=left, height=0.46, color=inks[number])
                if share > 0.055:
                    _inside(axes, left + share / 2, at, f"{count:,.0f}", plain=number == 3)
                left += share
            axes.text(0, at - 0.28, _short(rows[at], 60), ha="left", va="bottom", fontsize=9.5)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_ylim(len(rows) - 0.6, -0.95)
        axes.set_xlabel("share of the paired questions")
        _percent(axes, across=True)
        return to_svg(drawn, key, label)


def bars(
    key: str, label: str, edges: Sequence[float], panels: Sequence[tuple[str, Series]], unit: str
) -> Html:
    """Histograms under one another as shares; a point's ``value`` is the count of its bin."""
    with figure(40 + 84 * len(panels)) as drawn:
        above: Any = {"ha": "center", "va": "bottom", "fontsize": 8.5}
        rows = drawn.subplots(len(panels), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, (title, one) in zip(rows, panels, strict=True):
            counts = [p.value for p in one.points]
            widths = [b - a for a, b in pairwise(edges)]
            shares = [count / (sum(counts) or 1) for count in counts]
            axes.bar(edges[:-1], shares, widths, align="edge", color=one.colour, linewidth=0)
            axes.set_title(_short(title, 60), loc="left", fontsize=10, color=INK)
            for left, width, share, count in zip(edges, widths, shares, counts, strict=False):
                if count:
                    axes.text(left + width / 2, share, f"{count:.0f}", **above)
            axes.yaxis.set_ticks([0, 0.5, 1], labels=["0%", "50%", "100%"])
            axes.set_ylim(0, 1.28)
            axes.grid(axis="y")
        rows[-1].set_xlabel(unit)
        rows[-1].set_xlim(edges[0], edges[-1])
        return to_svg(drawn, key, label)


# --- parts --------------------------------------------------------------------------------------


def _spread(count: int, width: float = 0.56) -> list[float]:
    """Where the series of one category stand beside each other."""
    if count == 1:
        return [0.0]
    return [width * (number / (count - 1) - 0.5) for number in range(count)]


def _marks(
    axes: Axes, one: Series, places: Sequence[tuple[float, float, Point]], *, across: bool
) -> None:
    for x, y, point in places:
        reach: Any = None
        if point.low is not None and point.high is not None:
            reach = [[max(0.0, point.value - point.low)], [max(0.0, point.high - point.value)]]
        axes.errorbar(
            x,
            y,
            xerr=reach if across else None,
            yerr=None if across else reach,
            fmt=one.marker,
            color=one.colour,
            markerfacecolor="none" if one.grey else one.colour,
            elinewidth=1.2,
        )


def _joined(axes: Axes, one: Series, shift: float, places: range) -> None:
    """A line through neighbouring categories; a gap where one was not run."""
    for first, second in pairwise(one.points):
        if second.at - first.at == 1 and first.at in places and second.at in places:
            along = [first.at + shift, second.at + shift]
            height = [first.value, second.value]
            axes.plot(along, height, color=one.colour, linestyle=one.dash, linewidth=1.4)


def _percent(axes: Axes, *, across: bool, top: float = 1) -> None:
    """0 to 100 % (to ``top`` where nothing comes near that), with a grid."""
    ticks = [tick * top / 5 for tick in range(6)]
    names = [f"{100 * tick:.0f}%" for tick in ticks]
    axis = axes.xaxis if across else axes.yaxis
    axis.set_ticks(ticks, labels=names)
    (axes.set_xlim if across else axes.set_ylim)(-0.02 * top, 1.02 * top)
    axes.grid(axis="x" if across else "y")


def _plain_number(value: float, _position: float | None = None) -> str:
    return f"{value:g}"


def _short(words: str, most: int) -> str:
    """A label no longer than the chart has room for; the tables have all of it."""
    return words if len(words) <= most else words[: most - 1] + "…"


def _inside(axes: Axes, x: float, y: float, words: str, *, plain: bool) -> None:
    from fedrag.bench.report.svg import SURFACE

    ink = INK if plain else SURFACE
    axes.text(x, y, words, ha="center", va="center", fontsize=9.5, color=ink)
