"""Tables of what the arms were given and what they cited of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.numbers import cell
from fedrag.bench.report.plotted import has_value
from fedrag.bench.report.tables import Table
from fedrag.bench.report.words import arm_label, arm_order, score_label

__all__ = ["citation_table", "context_table"]

_CONTEXT = (
    *("context_gold", "context_recall", "context_empty", "context_sentences", "context_tokens"),
    *("accuracy_with_gold", "accuracy_without_gold"),
)
_CITATIONS = ("citations_exist", "citations_support", "answers_cited", "answers_soundly_cited")


def context_table(sections: Sequence[Section]) -> Iterator[Table]:
    """Whether the gold was in what an arm was given, and how it answered with it and without."""
    yield from _by_arm("Gold in what an arm was given", _CONTEXT, sections)


def citation_table(sections: Sequence[Section]) -> Iterator[Table]:
    """Whether citations exist and support the answer, of the arms that had something to cite."""
    yield from _by_arm("Citations", _CITATIONS, sections)


def _by_arm(caption: str, names: Sequence[str], sections: Sequence[Section]) -> Iterator[Table]:
    """A row for each arm and score that any of the runs has; none where no run has any."""
    arms = arm_order(arm for s in sections for arm in s.arms if _has(s, arm, names))
    rows = tuple(
        (
            f"{arm_label(arm)}: {score_label(name)}",
            tuple(cell(name, section.score(arm, name)) for section in sections),
        )
        for arm in arms
        for name in names
        if any(has_value(section.score(arm, name)) for section in sections)
    )
    if rows:
        note = percentile_note(arms, sections)
        told = f"{caption}, by arm{note and f'.{note}'}"
        yield Table(told, tuple(s.title for s in sections), rows, "arm and score")


def _has(section: Section, arm: str, names: Sequence[str]) -> bool:
    return any(has_value(section.score(arm, name)) for name in names)
