"""What went wrong with a question or an arm: in one line, and whether asking again may help.

Nothing here reads more of a result than its errors, so that a run, its taking up and its exit code
speak of the same failures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from fedrag.bench.model import ArmResult, QuestionResult
from fedrag.datamodel import ServiceReport
from fedrag.errors import FedragError, OfflineError

__all__ = ["arm_errors", "error_line", "is_done", "not_recorded", "standing", "uncached"]

_MISSED = OfflineError.__name__
_UNCACHED = "offline, not cached"  # how a call begins that --offline forbids (fedrag.net.caller)
_AGAIN = (
    *(_MISSED, "RateLimitedError", "UnavailableError", "ServiceTimeoutError"),
    *("BadPayloadError", "TruncatedError", "ConfigError"),
)
_SHOWN = ("retrieved", "page", "candidates")  # what an arm is shown of a question
_DOWN = ("unavailable", "timeout", "rate_limited", "bad_payload")  # states of a service


def error_line(error: FedragError) -> str:
    """An error as a result keeps it: its kind and what failed.

    A call that neither a cassette nor, with ``--offline``, the cache holds is of one kind. What
    the cassette was recorded for is left out: that may be a hundred questions.

    >>> error_line(OfflineError("the cassette holds no such call: bte POST /query", hint="long"))
    'OfflineError: the cassette holds no such call: bte POST /query'
    """
    if isinstance(error, OfflineError) or _UNCACHED in error.message:
        return f"{_MISSED}: {error.message}"
    return f"{type(error).__name__}: {error}"


def uncached(reports: Iterable[ServiceReport]) -> OfflineError | None:
    """The error that a question is, of whose services one was not asked for want of its cache."""
    for report in reports:
        if _UNCACHED in report.reason:
            return OfflineError(report.reason)
    return None


def not_recorded(error: str | None) -> bool:
    """Whether a question or an arm failed because a call of it is nowhere recorded.

    >>> not_recorded("OfflineError: the cassette holds no such call: bte POST /query")
    True
    """
    return error is not None and (error.startswith(f"{_MISSED}: ") or _UNCACHED in error)


def is_done(result: QuestionResult | None) -> bool:
    """Whether a result stands. One that failed for want of time, connection or recording does not,
    nor one in which an arm failed, or that has no edge while a service was down.

    >>> is_done(QuestionResult("a", "gene", error="PlanError: no template fits"))
    True
    >>> is_done(QuestionResult("a", "gene", error="UnavailableError: bte answered 503"))
    False
    """
    if result is None or any(arm.error for arm in result.arms.values()):
        return False
    if result.error is None:
        return result.edges > 0 or not any(state in _DOWN for state in result.services.values())
    return result.error.partition(":")[0] not in _AGAIN


def standing(before: QuestionResult | None, now: QuestionResult) -> dict[str, ArmResult]:
    """The arms of an earlier try that need not be asked again.

    They answered, and were shown what they would be shown now.

    :param now: what was retrieved this time.
    """
    if before is None:
        return {}
    same = all(getattr(before, part) == getattr(now, part) for part in _SHOWN)
    answered = {name: arm for name, arm in before.arms.items() if not arm.error}
    return {name: arm for name, arm in answered.items() if same or arm.context is None}


def arm_errors(results: Sequence[QuestionResult], arms: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Each arm that failed on a question: ``failed`` of ``asked`` questions, and its ``reasons``.

    A question that could not be run counts with none: no arm was asked. ``reasons`` are counts,
    the commonest first.
    """
    told = {}
    for name in arms:
        asked = [result.arms[name] for result in results if name in result.arms]
        reasons = Counter(arm.error for arm in asked if arm.error)
        if reasons:
            failed = sum(reasons.values())
            common = dict(reasons.most_common())
            told[name] = {"failed": failed, "asked": len(asked), "reasons": common}
    return told
