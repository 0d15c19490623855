"""Arms whose answers are errors: how many there are, why, and when they are too many to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fedrag.bench.report.collect import Section
from fedrag.bench.report.words import arm_label

__all__ = [
    "MOST_FAILED",
    "Failures",
    "failed_arms",
    "failures",
    "failures_told",
    "never_answered",
    "too_many",
]

MOST_FAILED = 0.05  # with more of its questions in error, an arm says nothing of the model
_LONGEST = 200  # signs of a reason


@dataclass(frozen=True, slots=True)
class Failures:
    """Errors of one arm of a run, over the headline's questions.

    :ivar n: the arm's questions; ``reason`` is the commonest of the errors.
    """

    arm: str
    count: int
    n: int
    reason: str

    @property
    def many(self) -> bool:
        """Whether they are too many for a target to be judged by this arm."""
        return self.count > MOST_FAILED * self.n

    @property
    def short(self) -> str:
        """How many of how many.

        >>> Failures("pruned", 3, 40, "timed out").short
        '3 of 40 failed'
        """
        return f"{self.count:,} of {self.n:,} failed"

    @property
    def words(self) -> str:
        """All of it in one line.

        >>> Failures("model_only", 3, 40, "timed out").words
        'model only: 3 of 40 failed: timed out'
        """
        return f"{arm_label(self.arm)}: {self.short}: {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)


def failures(section: Section, arm: str) -> Failures | None:
    """The errors of an arm; ``None`` where there are none.

    A question that could not be run is no error of the arm, and is told apart. Of a run of the
    development split alone, all its questions count.
    """
    marks = section.rest(arm) or section.marks.get(arm, ())
    errors = [mark.error for mark in marks if mark.outcome == "error"]
    return Failures(arm, len(errors), len(marks), _commonest(errors)) if errors else None


def never_answered(section: Section, arm: str) -> bool:
    """Whether every answer of an arm is an error, so that it has no share of right ones."""
    failed = failures(section, arm)
    return failed is not None and failed.count == failed.n


def _commonest(errors: Iterable[str | None]) -> str:
    ((reason, _),) = Counter(map(_line, errors)).most_common(1)
    return reason


def _line(error: str | None) -> str:
    words = " ".join((error or "no reason was kept").split()).rstrip(".")
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def failed_arms(section: Section) -> list[Failures]:
    """The errors of each arm that has any."""
    return [one for arm in section.arms if (one := failures(section, arm))]


def failures_told(section: Section) -> list[str]:
    """What failed, the questions that could not be run first, then each arm's errors."""
    errors = [result.error for result in section.results.values() if result.error is not None]
    told = [one.words for one in failed_arms(section)]
    if not errors:
        return told
    count = f"{len(errors):,} of {len(section.results):,} questions could not be run"
    return [f"{count}: {_commonest(errors)}", *told]


def too_many(section: Section, arms: Iterable[str | None]) -> str:
    """Why nothing can be judged by these arms of a run; empty where it can."""
    found = (failures(section, arm) for arm in arms if arm)
    return "; ".join(one.words for one in found if one and one.many)
