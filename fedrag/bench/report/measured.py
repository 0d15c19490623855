"""Figures of what lies under the answers: retrieval, likeness of names, time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

from fedrag.bench.published_figures import CONTEXT_SECONDS
from fedrag.bench.report import charts
from fedrag.bench.report.charts import Point, Series
from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.legend import legend
from fedrag.bench.report.markup import Html
from fedrag.bench.report.plotted import (
    MAIN_ARMS,
    MOST,
    by_arm,
    cumulative,
    figure,
    has_value,
    in_words,
)
from fedrag.bench.report.words import arm_label, arm_order

__all__ = ["retrieval_figures", "similarity_figures", "time_figure"]

Sections = Sequence[Section]
_BINS = [n / 10 for n in range(11)]


def retrieval_figures(kind: str, sections: Sections) -> Iterator[Html]:
    """Where the gold stands in the evidence and among the candidates, and what pruning keeps."""
    yield _reach(
        f"{kind}-lines",
        "Gold within the first k lines",
        "lines of evidence, heaviest first (k)",
        sections,
        lambda section: [_first(r.retrieved.gold_at.values()) for _, r in section.ran()],
    )
    yield _reach(
        f"{kind}-candidates",
        "Gold among the first k candidates",
        "candidates, best first (k)",
        sections,
        lambda section: [_first(r.ranks.values()) for _, r in section.ran()],
    )
    arms = arm_order(a for s in sections for a in s.arms if has_value(s.score(a, "context_gold")))
    if len(arms) > 1:
        names = [arm_label(arm) for arm in arms]
        series = [by_arm(s, n, arms, "context_gold") for n, s in enumerate(sections)]
        drawn = charts.dots(
            f"{kind}-kept", in_words(names, series), names, series, "gold in context"
        )
        yield figure(
            "Gold in what an arm was given",
            "Share of the questions whose context names a gold, with 95 % Wilson intervals."
            + percentile_note(arms, sections),
            legend(series, lines=False),
            drawn,
        )


def _first(places: Iterable[int | None]) -> int | None:
    return min((place for place in places if place is not None), default=None)


def _reach(
    key: str,
    title: str,
    axis: str,
    sections: Sections,
    places: Callable[[Section], list[int | None]],
) -> Html:
    """Cumulative shares: of all questions, how many have a gold at k or before."""
    all_places = [places(section) for section in sections]
    end = max([10, *(p for each in all_places for p in each if p is not None)])
    series = [
        Series(f"{section.title}, n {len(each)}", cumulative(each, end), number)
        for number, (section, each) in enumerate(zip(sections, all_places, strict=True))
    ]
    told = "; ".join(f"{one.label}: {_percent(one.points)}" for one in series)
    drawn = charts.curves(
        key, f"{title}. {told}", series, (axis, "questions"), log=True, climbing=True
    )
    caption = "Share of the questions that have any gold so early; intervals are in the table."
    return figure(title, caption, legend(series, points=False), drawn)


def _percent(points: Sequence[Point]) -> str:
    return f"{100 * points[-1].value:.1f} % in the end"


# --- likeness of names, time ---------------------------------------------------------------------


def similarity_figures(kind: str, sections: Sections) -> Iterator[Html]:
    """Cosines of answer and gold, ordered by rank and in bins, where they were measured."""
    found = [
        (f"{s.letter}: {arm_label(arm)}", sorted(cosines))
        for s in sections
        for arm in s.arms
        if arm in MAIN_ARMS and (cosines := [m.cosine for m in s.rest(arm) if m.cosine is not None])
    ][:MOST]
    if not found:
        return
    series = [
        Series(f"{name}, n {len(c)}", tuple(Point(at / len(c), v) for at, v in enumerate(c, 1)), n)
        for n, (name, c) in enumerate(found)
    ]
    told = "; ".join(f"{name}: median {median(c):.2f}" for name, c in found)
    axis = ("questions, least similar first (share)", "cosine")
    yield figure(
        "Rank-ordered similarity",
        "Cosine of the answer and the likest gold, of the questions that were answered.",
        legend(series, points=False),
        charts.curves(f"{kind}-ranked", told, series, axis, percent=False),
    )
    panels = [(f"{name}, n {len(c)}", _histogram(c, n)) for n, (name, c) in enumerate(found)]
    yield figure(
        "Histograms of similarity",
        "Share of the answers in bins of 0.1, and their count; cosines below 0 are in the first.",
        Html(),
        charts.bars(f"{kind}-bins", told, _BINS, panels, "cosine of answer and gold"),
    )


def _histogram(cosines: Sequence[float], number: int) -> Series:
    counts = [0] * (len(_BINS) - 1)
    for cosine in cosines:
        counts[min(max(int(cosine * 10 + 1e-9), 0), len(counts) - 1)] += 1
    points = (Point(at, count) for at, count in zip(_BINS, counts, strict=False))
    return Series("", tuple(points), number)


def time_figure(kind: str, sections: Sections) -> Html:
    """How long a question took: to gather and rank the evidence, and each arm's model after it."""
    found: list[tuple[str, list[float]]] = []
    for s in sections:
        found.append((f"{s.letter}: evidence", [r.seconds for _, r in s.ran() if not r.error]))
        for arm in MAIN_ARMS:
            spent = [mark.seconds for mark in s.rest(arm) if mark.seconds and mark.calls]
            if spent:
                found.append((f"{s.letter}: {arm_label(arm)}", spent))
    kept = [(name, [max(one, 0.001) for one in spent]) for name, spent in found[:MOST] if spent]
    end = max([CONTEXT_SECONDS * 1.5, *(one for _, spent in kept for one in spent)])
    series = [
        Series(f"{name}, n {len(spent)}", cumulative(spent, end), number)
        for number, (name, spent) in enumerate(kept)
    ]
    told = "; ".join(f"{n}: median {median(s):.3g} seconds" for n, s in kept)
    drawn = charts.curves(
        f"{kind}-time",
        f"Time a question. {told}",
        series,
        ("seconds a question", "questions"),
        log=True,
        climbing=True,
        marks=((CONTEXT_SECONDS, "published: 55 s"),),
    )
    left = " Further arms are in the tables." if len(found) > MOST else ""
    return figure(
        "Time a question",
        "Share of the questions that were done so soon. The upright line is what the published "
        "pipeline needed to rebuild a question's contexts with every call cached." + left,
        legend(series, points=False),
        drawn,
    )
