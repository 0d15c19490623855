"""The figures of one question set, each with its caption, key and words for those who see none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fedrag.bench.published_figures import ARMS, CONTEXT_SECONDS
from fedrag.bench.report import charts
from fedrag.bench.report.charts import Point, Series
from fedrag.bench.report.collect import Section
from fedrag.bench.report.markup import Html, tag
from fedrag.bench.report.published_series import published_contingency, published_series
from fedrag.bench.report.words import arm_label, arm_order, is_main_pair

__all__ = [
    "answer_figures",
    "paired_figure",
    "retrieval_figures",
    "similarity_figures",
    "time_figure",
]

Sections = Sequence[Section]
_MOST = 8  # series that colour, marker and dash tell apart
_TOLD = ("model_only", "full", "pruned", "ranking", "written")
_PERCENTILES = ARMS[2:]  # they have a figure of their own
_BINS = [n / 10 for n in range(11)]


def answer_figures(kind: str, sections: Sections) -> Iterator[Html]:
    """Right answers by arm, and by pruning beside the published curve."""
    known = (arm for s in sections for arm in s.arms if _known(s.score(arm, "accuracy")))
    arms = arm_order(arm for arm in known if arm not in _PERCENTILES)
    if arms:
        series = [_by_arm(s, n, arms, "accuracy") for n, s in enumerate(sections)]
        names = [arm_label(arm) for arm in arms]
        told = _told(names, series)
        drawn = charts.dots(f"{kind}-arms", told, names, series, "right, by identifier or name")
        yield _figure(
            "Right answers by arm",
            "Share of the questions, with 95 % Wilson intervals; abstentions and errors are wrong.",
            charts.legend(series, lines=False),
            drawn,
        )
    rules = {"gene": "rows_published_rule"}
    for rule, words in (("accuracy", "identifier or name"), (rules.get(kind), "published rule")):
        if rule:
            yield _pruning(kind, sections, rule, words)


def _pruning(kind: str, sections: Sections, rule: str, words: str) -> Html:
    """One curve a run over the arms as published; fedrag's own arms stand at the right."""
    known = [arm for s in sections for arm in s.arms if _known(s.score(arm, rule))]
    arms = arm_order([*ARMS, *known])
    own = [_by_arm(s, n, arms, rule) for n, s in enumerate(sections)]
    series = [one for one in own if one.points] + published_series(kind, arms)
    names = [arm_label(arm) for arm in arms]
    top = 1.0 if any(p.value > 0.48 for one in series for p in one.points) else 0.5
    key, along = f"{kind}-{rule.replace('_', '-')}", range(arms.index("full"), len(ARMS))
    told = _told(names, series)
    drawn = charts.steps(key, told, names, series, "right", joined=along, top=top)
    return _figure(
        f"By pruning, {words}",
        f"Runs of this report: right by {words}, 95 % intervals. Published curves (grey, hollow) "
        "go by the published measure named in the key, which is another one than identifiers.",
        charts.legend(series),
        drawn,
    )


def _by_arm(section: Section, number: int, arms: Sequence[str], name: str) -> Series:
    found = ((at, section.score(arm, name)) for at, arm in enumerate(arms))
    points = tuple(_point(at, score) for at, score in found if _known(score) and score)
    return Series(section.title, points, number)


def _known(score: Mapping[str, Any] | None) -> bool:
    return score is not None and score["value"] is not None


def _point(at: float, score: Mapping[str, Any]) -> Point:
    return Point(at, score["value"], score["low"], score["high"])


# --- retrieval ----------------------------------------------------------------------------------


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
    arms = arm_order(a for s in sections for a in s.arms if _known(s.score(a, "context_gold")))
    if len(arms) > 1:
        names = [arm_label(arm) for arm in arms]
        series = [_by_arm(s, n, arms, "context_gold") for n, s in enumerate(sections)]
        drawn = charts.dots(f"{kind}-kept", _told(names, series), names, series, "gold in context")
        yield _figure(
            "Gold in what an arm was given",
            "Share of the questions whose context names a gold, with 95 % Wilson intervals."
            + _embedders(arms, sections),
            charts.legend(series, lines=False),
            drawn,
        )


def _embedders(arms: Sequence[str], sections: Sections) -> str:
    """By what the percentile prunings chose their lines, where there are any."""
    if not set(arms) & set(_PERCENTILES):
        return ""
    names = dict.fromkeys(str(s.meta.get("embedder", "?")) for s in sections)
    return f" Percentile prunings by the cosine of {', '.join(names)}."


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
        Series(f"{section.title}, n {len(each)}", _cumulative(each, end), number)
        for number, (section, each) in enumerate(zip(sections, all_places, strict=True))
    ]
    told = "; ".join(f"{one.label}: {_percent(one.points)}" for one in series)
    drawn = charts.curves(
        key, f"{title}. {told}", series, (axis, "questions"), log=True, climbing=True
    )
    caption = "Share of the questions that have any gold so early; intervals are in the table."
    return _figure(title, caption, charts.legend(series, points=False), drawn)


def _cumulative(places: Sequence[float | None], end: float) -> tuple[Point, ...]:
    """Steps of a cumulative share, drawn to the end of the axis."""
    known = sorted(place for place in places if place is not None)
    total = len(places) or 1
    steps = {place: Point(place, at / total) for at, place in enumerate(known, start=1)}
    first = min([1.0, *known])
    start = () if first in steps else (Point(first, 0.0),)
    return (*start, *steps.values(), Point(end, len(known) / total))


def _percent(points: Sequence[Point]) -> str:
    return f"{100 * points[-1].value:.1f} % in the end"


# --- arms in pairs, similarity, time --------------------------------------------------------------


def paired_figure(kind: str, sections: Sections) -> Iterator[Html]:
    """Contingency between arms: against the model alone, and against the ranking alone."""
    rows = [
        (f"{s.letter}: {arm_label(one['first'])} / {arm_label(one['second'])}", _cells(one))
        for s in sections
        for one in s.scores["comparisons"]
        if one["rule"] == "right" and is_main_pair(one)
    ]
    if not rows:
        return
    rows += published_contingency(kind)
    names, cells = [name for name, _ in rows], [counts for _, counts in rows]
    told = "; ".join(f"{n}: both {c[0]}, first {c[1]}, second {c[2]}, none {c[3]}" for n, c in rows)
    entries = ("both right", "first alone", "second alone", "neither")
    paints = ("var(--s0)", "var(--s2)", "var(--s1)", "var(--rule)")
    swatches = (_block(paint, name) for paint, name in zip(paints, entries, strict=True))
    yield _figure(
        "Both, one or neither right",
        "The same questions, two arms: first / second. n, tests and intervals are in the table.",
        tag("ul", *swatches, class_="key"),
        charts.stacks(f"{kind}-pairs", told, names, cells),
    )


def _cells(one: Mapping[str, Any]) -> tuple[int, int, int, int]:
    return one["both"], one["first_only"], one["second_only"], one["neither"]


def _block(paint: str, name: str) -> Html:
    square = tag("path", d="M6 1h10v10h-10z", fill=paint, stroke="var(--muted)")
    return tag("li", tag("svg", square, width=20, height=12, aria_hidden="true"), " ", name)


def similarity_figures(kind: str, sections: Sections) -> Iterator[Html]:
    """Cosines of answer and gold, ordered by rank and in bins, where they were measured."""
    found = [
        (f"{s.letter}: {arm_label(arm)}", sorted(cosines))
        for s in sections
        for arm in s.arms
        if arm in _TOLD and (cosines := [m.cosine for m in s.rest(arm) if m.cosine is not None])
    ][:_MOST]
    if not found:
        return
    series = [
        Series(f"{name}, n {len(c)}", tuple(Point(at / len(c), v) for at, v in enumerate(c, 1)), n)
        for n, (name, c) in enumerate(found)
    ]
    told = "; ".join(f"{name}: median {c[len(c) // 2]:.2f}" for name, c in found)
    axis = ("questions, least similar first (share)", "cosine")
    yield _figure(
        "Rank-ordered similarity",
        "Cosine of the answer and the likest gold, of the questions that were answered.",
        charts.legend(series, points=False),
        charts.curves(f"{kind}-ranked", told, series, axis, percent=False),
    )
    panels = [(f"{name}, n {len(c)}", _histogram(c, n)) for n, (name, c) in enumerate(found)]
    yield _figure(
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
        for arm in _TOLD:
            spent = [mark.seconds for mark in s.rest(arm) if mark.seconds and mark.calls]
            if spent:
                found.append((f"{s.letter}: {arm_label(arm)}", spent))
    kept = [(name, [max(one, 0.001) for one in spent]) for name, spent in found[:_MOST] if spent]
    end = max([CONTEXT_SECONDS * 1.5, *(one for _, spent in kept for one in spent)])
    series = [
        Series(f"{name}, n {len(spent)}", _cumulative(spent, end), number)
        for number, (name, spent) in enumerate(kept)
    ]
    told = "; ".join(f"{n}: median {sorted(s)[len(s) // 2]:.3g} seconds" for n, s in kept)
    drawn = charts.curves(
        f"{kind}-time",
        f"Time a question. {told}",
        series,
        ("seconds a question", "questions"),
        log=True,
        climbing=True,
        marks=((CONTEXT_SECONDS, "published: 55 s"),),
    )
    left = " Further arms are in the tables." if len(found) > _MOST else ""
    return _figure(
        "Time a question",
        "Share of the questions that were done so soon. The upright line is what the published "
        "pipeline needed to rebuild a question's contexts with every call cached." + left,
        charts.legend(series, points=False),
        drawn,
    )


# --- parts --------------------------------------------------------------------------------------


def _figure(title: str, caption: str, key: Html, drawn: Html) -> Html:
    return tag("figure", tag("figcaption", tag("b", title), caption), key, drawn)


def _told(names: Sequence[str], series: Sequence[Series]) -> str:
    """A chart in words: every value of every series."""
    return ". ".join(
        f"{one.label}: "
        + ", ".join(f"{names[int(p.at)]} {100 * p.value:.1f} %" for p in one.points)
        for one in series
    )
