"""Figures of the answers of one question set: by arm, by pruning, and arms in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fedrag.bench.published_figures import ARMS
from fedrag.bench.report import charts
from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.failures import failures
from fedrag.bench.report.legend import legend
from fedrag.bench.report.markup import Html, tag
from fedrag.bench.report.plotted import PERCENTILES, by_arm, figure, has_value, in_words
from fedrag.bench.report.published_series import published_contingency, published_series
from fedrag.bench.report.words import arm_label, arm_order, is_main_pair

__all__ = ["answer_figures", "paired_figure"]

Sections = Sequence[Section]


def answer_figures(kind: str, sections: Sections) -> Iterator[Html]:
    """Right answers by arm, and by pruning beside the published curve."""
    known = (arm for s in sections for arm in s.arms if has_value(s.score(arm, "accuracy")))
    arms = arm_order(arm for arm in known if arm not in PERCENTILES)
    if arms:
        series = [by_arm(s, n, arms, "accuracy") for n, s in enumerate(sections)]
        names = [arm_label(arm) for arm in arms]
        told = in_words(names, series)
        drawn = charts.dots(f"{kind}-arms", told, names, series, "right, by identifier or name")
        yield figure(
            "Right answers by arm",
            "Share of the questions, with 95 % Wilson intervals; abstentions and errors are wrong."
            + _failed(arms, sections),
            legend(series, lines=False),
            drawn,
        )
    rules = {"gene": "rows_published_rule"}
    for rule, words in (("accuracy", "identifier or name"), (rules.get(kind), "published rule")):
        if rule:
            yield _pruning(kind, sections, rule, words)


def _pruning(kind: str, sections: Sections, rule: str, words: str) -> Html:
    """One curve a run over the arms as published; fedrag's own arms stand at the right."""
    known = [arm for s in sections for arm in s.arms if has_value(s.score(arm, rule))]
    arms = arm_order([*ARMS, *known])
    own = [by_arm(s, n, arms, rule) for n, s in enumerate(sections)]
    series = [one for one in own if one.points] + published_series(kind, arms)
    names = [arm_label(arm) for arm in arms]
    top = 1.0 if any(p.value > 0.48 for one in series for p in one.points) else 0.5
    key, along = f"{kind}-{rule.replace('_', '-')}", range(arms.index("full"), len(ARMS))
    told = in_words(names, series)
    drawn = charts.steps(key, told, names, series, "right", joined=along, top=top)
    return figure(
        f"By pruning, {words}",
        f"Runs of this report: right by {words}, 95 % intervals. Published curves (grey, hollow) "
        "go by the published measure named in the key, which is another one than identifiers."
        + percentile_note(arms, sections)
        + _failed(arms, sections),
        legend(series),
        drawn,
    )


def _failed(arms: Sequence[str], sections: Sections) -> str:
    """What failed of the arms that are shown, for the caption."""
    found = [(s.letter, f) for s in sections for arm in arms if (f := failures(s, arm))]
    told = "; ".join(f"{letter}, {arm_label(one.arm)}: {one.short}" for letter, one in found)
    return f" Errors: {told}." if told else ""


def paired_figure(kind: str, sections: Sections) -> Iterator[Html]:
    """Contingency between arms: against the model alone, and against the ranking alone."""
    found = [
        (s, one)
        for s in sections
        for one in s.scores["comparisons"]
        if one["rule"] == "right" and is_main_pair(one)
    ]
    rows = [
        (f"{s.letter}: {arm_label(one['first'])} / {arm_label(one['second'])}", _cells(one))
        for s, one in found
    ]
    if not rows:
        return
    arms = arm_order(one[end] for _, one in found for end in ("first", "second"))
    rows += published_contingency(kind)
    names, cells = [name for name, _ in rows], [counts for _, counts in rows]
    told = "; ".join(f"{n}: both {c[0]}, first {c[1]}, second {c[2]}, none {c[3]}" for n, c in rows)
    entries = ("both right", "first alone", "second alone", "neither")
    paints = ("var(--s0)", "var(--s2)", "var(--s1)", "var(--rule)")
    swatches = (_block(paint, name) for paint, name in zip(paints, entries, strict=True))
    yield figure(
        "Both, one or neither right",
        "The same questions, two arms: first / second. n, tests and intervals are in the table."
        + percentile_note(arms, sections)
        + _failed(arms, sections),
        tag("ul", *swatches, class_="key"),
        charts.stacks(f"{kind}-pairs", told, names, cells),
    )


def _cells(one: Mapping[str, Any]) -> tuple[int, int, int, int]:
    return one["both"], one["first_only"], one["second_only"], one["neither"]


def _block(paint: str, name: str) -> Html:
    square = tag("path", d="M6 1h10v10h-10z", fill=paint, stroke="var(--muted)")
    return tag("li", tag("svg", square, width=20, height=12, aria_hidden="true"), " ", name)
