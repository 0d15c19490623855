"""What of a run does not count as an ordinary answer, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fedrag.bench.report.collect import Section

__all__ = ["left_out", "strays"]

_LISTED = 10  # ids of lines that are of no question


def left_out(section: Section) -> list[tuple[str, str, str]]:
    """What does not count as an ordinary answer and why: (question, what, reason)."""
    refused = [
        (_refused(one), "question refused", str(one.get("reason")))
        for one in section.meta.get("excluded_questions") or ()
    ]
    failed = [(id, "question failed", str(why)) for id, why in section.scores["failed"].items()]
    missing = [(id, "question not run", "the run has no line of it") for id in _missing(section)]
    return refused + failed + missing + list(_arm_errors(section))


def strays(section: Section) -> list[str]:
    """What the results hold that is of no question of the run, and so counts nowhere."""
    ids = list(section.scores["unknown"])
    if not ids:
        return []
    lines = "1 line is" if len(ids) == 1 else f"{len(ids):,} lines are"
    more = f" and {len(ids) - _LISTED:,} more" if len(ids) > _LISTED else ""
    return [f"{lines} of no question of this run: ids {', '.join(ids[:_LISTED])}{more}"]


def _refused(one: Mapping[str, Any]) -> str:
    row = f"row {one['row']}" if "row" in one else ""
    return ", ".join(filter(None, (str(one.get("id") or ""), row))) or "?"


def _missing(section: Section) -> list[str]:
    return list(section.scores["not_run"])


def _arm_errors(section: Section) -> Iterator[tuple[str, str, str]]:
    for arm in section.arms:
        for mark in section.marks[arm]:
            if mark.outcome == "error":
                yield mark.id, f"arm {arm}: error", mark.error or "no reason was kept"
            elif mark.outcome == "abstained":
                yield mark.id, f"arm {arm}: abstained", "it named nothing"
