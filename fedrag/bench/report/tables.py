"""The tables of one question set; the same rows become HTML here and Markdown next door."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.failures import failures
from fedrag.bench.report.markup import Html, tag
from fedrag.bench.report.numbers import Cell, cell, cell_html
from fedrag.bench.report.plotted import has_value
from fedrag.bench.report.published_series import MEASURES, published_besides, published_scores
from fedrag.bench.report.words import arm_label, arm_order, score_label

__all__ = [
    "Table",
    "accuracy_table",
    "all_scores",
    "published_table",
    "ranking_table",
    "retrieval_table",
    "strata_table",
    "table_html",
    "time_table",
]

Sections = Sequence[Section]
Getter = Callable[[Section, str], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Table:
    """Named rows of figures under named columns."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    corner: str = ""


def table_html(table: Table) -> Html:
    """A table that scrolls by itself where the page is narrow."""
    heads = (tag("th", name, scope="col") for name in (table.corner, *table.columns))
    rows = (
        tag("tr", tag("th", name, scope="row"), *map(cell_html, cells))
        for name, cells in table.rows
    )
    body = tag(
        "table",
        tag("caption", tag("span", table.caption)),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
    )
    return tag("div", body, class_="wide", tabindex=0, role="region", aria_label=table.caption)


def _columns(sections: Sections) -> tuple[str, ...]:
    return tuple(section.title for section in sections)


def _of(arm: str) -> Getter:
    return lambda section, name: section.score(arm, name)


def _row(name: str, label: str, sections: Sections, get: Getter) -> tuple[str, tuple[Cell, ...]]:
    return label, tuple(cell(name, get(section, name)) for section in sections)


# --- answers ------------------------------------------------------------------------------------


def accuracy_table(sections: Sections) -> Iterator[Table]:
    """Right answers by arm: by identifier, by the published rule, question-wise and row-wise."""
    for name, caption in (
        ("accuracy", "Right by identifier or name, question-wise (all golds of a question merged)"),
        ("published_rule", "Right by the published rule, question-wise"),
        ("rows_accuracy", "Published rows right by identifier or name (each its single gold)"),
        ("rows_published_rule", "Published rows right by the published rule"),
        ("rows_cosine>=0.90", "Published rows with a cosine of 0.90 or more"),
    ):
        arms = arm_order(a for s in sections for a in s.arms if has_value(s.score(a, name)))
        rows = tuple((arm_label(arm), _answered(name, arm, sections)) for arm in arms)
        if rows:
            yield Table(
                _noted(f"{caption}, by arm", arms, sections), _columns(sections), rows, "arm"
            )


def _answered(name: str, arm: str, sections: Sections) -> tuple[Cell, ...]:
    """An arm's cells, with how many of its answers are errors, which count as wrong ones.

    Of an arm that never answered there is no share to tell, not even of nought.
    """
    return tuple(_with_failures(cell(name, s.score(arm, name)), s, arm) for s in sections)


def _with_failures(shown: Cell, section: Section, arm: str) -> Cell:
    failed = failures(section, arm)
    if failed is None:
        return shown
    if failed.count == failed.n:
        return Cell("–", failed.short)
    return Cell(shown.value, f"{shown.note}; {failed.short}")


def _noted(caption: str, arms: Sequence[str], sections: Sections) -> str:
    """A caption that says by which embedder the percentile prunings among the arms are."""
    note = percentile_note(arms, sections)
    return f"{caption}.{note}" if note else caption


def published_table(kind: str) -> Iterator[Table]:
    """The published curve in figures."""
    scores = published_scores(kind)
    if not scores:
        return
    models = tuple(scores)
    rows = tuple(
        (arm_label(arm), tuple(cell("published", scores[model][arm]) for model in models))
        for arm in scores[models[0]]
    )
    caption = f"Published (Joy & Su 2025): {MEASURES[kind]}, rows; Wilson intervals added here"
    yield Table(caption, models, rows, "arm")
    besides = tuple((what, (Cell(value, more),)) for what, value, more in published_besides(kind))
    yield Table("Published besides (Joy & Su 2025)", ("published",), besides, "figure")


def ranking_table(sections: Sections) -> Iterator[Table]:
    """Scores of ranked answers, an arm a table."""
    names = [f"{what}@{k}" for what in ("hits", "precision", "recall", "f1") for k in (1, 3, 5, 10)]
    for arm in arm_order(arm for s in sections for arm in s.arms):
        having = [s for s in sections if has_value(s.score(arm, "mrr"))]
        rows = tuple(_row(name, score_label(name), having, _of(arm)) for name in ("mrr", *names))
        if having and arm in ("ranking", "written"):
            yield Table(f"Ranked answers: {arm_label(arm)}", _columns(having), rows, "score")


# --- retrieval, time ----------------------------------------------------------------------------

_NAMES = """
    entities_precision entities_recall entities_joint gold_in_evidence gold@1 gold@5 gold@10
    gold@20 gold@40 recall gold_in_page page_recall gold_kept gold_in_candidates tokens page_tokens
    tokens_kept tokens_kept_total sentences page_sentences edges edges_left_out services_asked
    services_answered failed
"""
_RETRIEVAL = _NAMES.split()
_TIMES = ("calls", "seconds", "seconds_median", "seconds_max", "seconds_total")
_SPENT = (*_TIMES, "prompt_tokens", "completion_tokens", "tokens_total", "cost_total")


def retrieval_table(sections: Sections) -> Table:
    """Entities, evidence and pruning, which are the same for every arm."""
    rows = (_row(name, score_label(name), sections, Section.shared) for name in _RETRIEVAL)
    return Table("Entities, retrieval and pruning", _columns(sections), tuple(rows), "score")


def time_table(sections: Sections) -> Iterator[Table]:
    """Calls and seconds of the evidence, then of each arm that asked a model."""
    rows = (_row(name, score_label(name), sections, Section.shared) for name in _TIMES)
    yield Table("Calls and time: the evidence", _columns(sections), tuple(rows), "score")
    for arm in arm_order(arm for s in sections for arm in s.arms):
        having = [s for s in sections if (s.score(arm, "calls") or {}).get("value")]
        if having:
            names = [name for name in _SPENT if any(has_value(s.score(arm, name)) for s in having)]
            spent = tuple(_row(name, score_label(name), having, _of(arm)) for name in names)
            told = _noted(f"Calls, time and cost: {arm_label(arm)}", [arm], having)
            yield Table(told, _columns(having), spent, "score")


# --- parts, everything ----------------------------------------------------------------------------

_PARTS = {
    "all": "all questions",
    "development": "development split (tuned on)",
    "rest": "the rest (headline)",
    "single_protein": "rest, drug with a single protein",
    "several_proteins": "rest, drug with several proteins",
    "one_gold": "rest, one gold",
    "several_golds": "rest, several golds",
}


def strata_table(section: Section) -> Iterator[Table]:
    """Parts of the questions beside each other, of one run."""
    parts = section.scores["strata"]
    columns = tuple(_PARTS.get(name, name) for name in parts)
    shared = ("gold_in_evidence", "gold_in_page", "gold_kept")
    rows = [
        (score_label(n), tuple(cell(n, p["retrieval"].get(n)) for p in parts.values()))
        for n in shared
    ]
    for arm in section.arms:
        names = ("accuracy", "hits@5", "mrr") if arm == "ranking" else ("accuracy",)
        for name in (*names, "rows_accuracy", "rows_published_rule"):
            found = [part["arms"].get(arm, {}).get(name) for part in parts.values()]
            if any(map(has_value, found)):
                label = f"{arm_label(arm)}: {score_label(name)}"
                rows.append((label, tuple(cell(name, one) for one in found)))
    told = _noted(f"Parts of the questions: {section.title}", section.arms, [section])
    yield Table(told, columns, tuple(rows), "score")


def all_scores(section: Section) -> Table:
    """Every score of every arm of one run."""
    arms = section.arms
    names = dict.fromkeys(name for arm in arms for name in section.scores["arms"][arm])
    rows = tuple(
        (score_label(name), tuple(cell(name, section.score(arm, name)) for arm in arms))
        for name in names
    )
    columns = tuple(arm_label(arm) for arm in arms)
    told = _noted(f"Every score of every arm: {section.title}", arms, [section])
    return Table(told, columns, rows, "score")
