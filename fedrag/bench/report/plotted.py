"""What all figures of a report share: series by arm, cumulative shares, captions, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedrag.bench.published_figures import ARMS
from fedrag.bench.report.charts import Point, Series
from fedrag.bench.report.collect import Section
from fedrag.bench.report.failures import never_answered
from fedrag.bench.report.markup import Html, tag

__all__ = [
    "MAIN_ARMS",
    "MOST",
    "PERCENTILES",
    "by_arm",
    "cumulative",
    "figure",
    "has_value",
    "in_words",
]

MOST = 8  # series that colour, marker and dash tell apart
MAIN_ARMS = ("model_only", "full", "lines", "pruned", "ranking", "written")
PERCENTILES = ARMS[2:]  # they have a figure of their own


def by_arm(section: Section, number: int, arms: Sequence[str], name: str) -> Series:
    """A score of each of a run's arms, at the arm's place among ``arms``.

    An arm that never answered has no point: the caption tells its errors.
    """
    answering = [(at, arm) for at, arm in enumerate(arms) if not never_answered(section, arm)]
    found = ((at, section.score(arm, name)) for at, arm in answering)
    points = tuple(_point(at, score) for at, score in found if has_value(score) and score)
    return Series(section.title, points, number)


def has_value(score: Mapping[str, Any] | None) -> bool:
    """Whether there is such a score, and it has a value."""
    return score is not None and score["value"] is not None


def _point(at: float, score: Mapping[str, Any]) -> Point:
    return Point(at, score["value"], score["low"], score["high"])


def cumulative(places: Sequence[float | None], end: float) -> tuple[Point, ...]:
    """Steps of a cumulative share, drawn to the end of the axis."""
    known = sorted(place for place in places if place is not None)
    total = len(places) or 1
    steps = {place: Point(place, at / total) for at, place in enumerate(known, start=1)}
    first = min([1.0, *known])
    start = () if first in steps else (Point(first, 0.0),)
    return (*start, *steps.values(), Point(end, len(known) / total))


def figure(title: str, caption: str, key: Html, drawn: Html) -> Html:
    """A chart with its title, caption and key."""
    return tag("figure", tag("figcaption", tag("b", title), caption), key, drawn)


def in_words(names: Sequence[str], series: Sequence[Series]) -> str:
    """A chart in words: every value of every series."""
    return ". ".join(
        f"{one.label}: "
        + ", ".join(f"{names[int(p.at)]} {100 * p.value:.1f} %" for p in one.points)
        for one in series
    )
