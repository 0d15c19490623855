"""The key of a chart, as HTML beside it: it wraps on a phone, and outside names stand in it."""

from __future__ import annotations

from collections.abc import Sequence

from fedrag.bench.report.charts import Series
from fedrag.bench.report.markup import Html, tag

__all__ = ["legend"]


def legend(series: Sequence[Series], *, lines: bool = True, points: bool = True) -> Html:
    """The key of a chart as HTML: each series' line and marker, and its name."""
    entries = (tag("li", _swatch(one, lines, points), " ", one.label) for one in series)
    return tag("ul", *entries, class_="key")


def _swatch(one: Series, line: bool, point: bool) -> Html:
    paint = "var(--muted)" if one.grey else f"var(--s{one.number % 8})"
    dash = one.dash if isinstance(one.dash, str) else " ".join(f"{n:g}" for n in one.dash[1])
    shapes = []
    if line:
        dashed = None if dash == "-" else dash
        path = tag("path", d="M0 6H26", stroke=paint, stroke_width=2, stroke_dasharray=dashed)
        shapes.append(path)
    if point:
        inside = "var(--bg)" if one.grey else paint
        shapes.append(tag("path", d=_SHAPES[one.marker], fill=inside, stroke=paint))
    return tag("svg", *shapes, width=26, height=12, aria_hidden="true")


_SHAPES = {
    "o": "M9 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "s": "M9.5 2.5h7v7h-7z",
    "D": "M13 1.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
    "^": "M13 2l4.5 8h-9z",
    "v": "M13 10l4.5 -8h-9z",
    "P": "M11.5 2h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5z",
    "X": "M10 2l3 2.5l3 -2.5l1.5 1.5l-2.5 2.5l2.5 2.5l-1.5 1.5l-3 -2.5l-3 2.5l-1.5 -1.5"
    "l2.5 -2.5l-2.5 -2.5z",
    "h": "M13 1.5l4 2.2v4.6l-4 2.2l-4 -2.2v-4.6z",
}
