"""What a response says of its own success: failures are told with HTTP 200, at two places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["failure_of", "is_truncated"]

# TRAPI's status is "one of a standardized set of short codes", in practice an int or any text.
_FAILED = re.compile(
    r"(?i)error|fail|not\s*traversable|(?:not\s*|un)available|time(?:d\s*)?[\s_-]*out|timeout|reject"
    r"|invalid|malformed|unauthori[sz]ed|forbidden|denied|unsupported|not\s*implemented|not\s*found"
    r"|cancel|exceeded|abort|bad\s*request|too\s*many"
)
_SUCCEEDED = re.compile(r"(?i)\s*(?:success|ok\b|completed?\b|done)")  # "Success, 0 errors"
_TRUNCATED = re.compile(
    r"(?i)truncat|too many results|results? (?:were |was )?(?:limited|capped|cut)"
    r"|(?:maximum|max\.?) (?:number of )?results?\b|partial results?"
)
_PARTIAL = ("partial", "running", "partialcontent")
_LONGEST = 300  # characters of a service's message that are passed on


def failure_of(response: Mapping[str, Any], *, results: int) -> str | None:
    """The failure a response tells in ``status``, or in its logs when it holds no results.

    >>> failure_of({"status": "KPsNotAvailable", "description": "no KP answered"}, results=0)
    'KPsNotAvailable: no KP answered'
    >>> failure_of({"status": "Success", "logs": [{"level": "ERROR", "message": "x"}]}, results=3)
    """
    status = response.get("status")
    if _says_failed(status):
        described = response.get("description") or response.get("detail")
        detail = described if isinstance(described, str) and described else _logged_error(response)
        return _short(f"{status}: {detail}" if detail else str(status))
    if results == 0 and (logged := _logged_error(response)):
        return _short(logged)
    return None


def is_truncated(response: Mapping[str, Any]) -> bool:
    """Whether the response says that it holds less than was found.

    >>> is_truncated({"logs": [{"level": "WARNING", "message": "Results truncated to 500"}]})
    True
    """
    status, description = response.get("status"), response.get("description")
    if isinstance(status, str) and status.replace(" ", "").lower() in _PARTIAL:
        return True
    told = [text for level, text in _logs(response) if level in ("WARNING", "ERROR")]
    if isinstance(description, str):
        told.append(description)
    return any(_TRUNCATED.search(text) for text in told)


def _says_failed(status: Any) -> bool:
    if isinstance(status, str) and status.strip().isdecimal():
        status = int(status.strip()[:9])
    if isinstance(status, (int, float)) and not isinstance(status, bool):
        return status >= 400
    if not isinstance(status, str) or _SUCCEEDED.match(status):
        return False
    return _FAILED.search(status) is not None


def _logged_error(response: Mapping[str, Any]) -> str | None:
    return next((text for level, text in _logs(response) if level == "ERROR"), None)


def _logs(response: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    logs = response.get("logs")
    for entry in logs if isinstance(logs, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("level"), str):
            text = entry.get("message") or entry.get("code")
            yield entry["level"].upper(), text if isinstance(text, str) else "an error without text"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
