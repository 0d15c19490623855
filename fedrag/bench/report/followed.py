"""How arms with a context go by the ranked candidates they are given, and what leaving them costs.

It is why such an arm falls below the ranking alone, where it does: in questions whose first
candidate is right and that name another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fedrag.bench.marks import Mark
from fedrag.bench.model import QuestionResult
from fedrag.bench.report.collect import Section
from fedrag.bench.report.embedders import percentile_note
from fedrag.bench.report.numbers import Cell
from fedrag.bench.report.tables import Table
from fedrag.bench.report.words import arm_label

__all__ = ["followed_table"]

_UNLISTED = ("ranking", "model_only", "written")  # arms that are not given the list
_FIRST, _LOST, _WON, _NEITHER, _NONE = _COLUMNS = (
    "answers the first candidate",
    "another, though the first is right",
    "another, which is right",
    "another, neither is right",
    "no answer",
)


def followed_table(sections: Sequence[Section]) -> Iterator[Table]:
    """Counts by arm of what was answered beside the first candidate of its list, if any."""
    given = [(s, arm, _told(s, arm)) for s in sections for arm in s.arms if arm not in _UNLISTED]
    listed = [(section, arm, told) for section, arm, told in given if told]
    if listed:
        caption = "What arms with a context make of the ranked candidates, questions"
        note = percentile_note([arm for _, arm, _ in listed], [s for s, _, _ in listed])
        rows = (
            (f"{section.letter}: {arm_label(arm)}", tuple(Cell(f"{told[c]:,}") for c in _COLUMNS))
            for section, arm, told in listed
        )
        yield Table(f"{caption}{note and f'.{note}'}", _COLUMNS, tuple(rows), "arm")


def _told(section: Section, arm: str) -> Counter[str]:
    marks = {mark.id: mark for mark in section.rest(arm)}
    return Counter(
        _one(marks[question.id], result, arm)
        for question, result in section.ran()
        if result.candidates and question.id in marks and marks[question.id].outcome != "unasked"
    )


def _one(mark: Mark, result: QuestionResult, arm: str) -> str:
    given = result.arms.get(arm)
    if given is None or given.answer is None:
        return _NONE
    if given.curie == result.candidates[0].curie:
        return _FIRST
    if mark.right:
        return _WON
    return _LOST if 1 in result.ranks.values() else _NEITHER
