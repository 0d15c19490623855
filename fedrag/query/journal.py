"""The log of a query: what was asked, how each call went, what was left out and why.

Entries of calls are written when the round that made them ends, sorted, so that equal runs log
equally (timestamps aside) and the order stays chronological, as TRAPI wants it. A replay's entries
are all of the time its cassette was recorded at, so that equal replays are equal to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.net import CallRecord
from fedrag.net.call import utc_now

__all__ = ["Journal", "Level"]

Level = Literal["ERROR", "WARNING", "INFO", "DEBUG"]
_ORDER: tuple[Level, ...] = ("ERROR", "WARNING", "INFO", "DEBUG")
# TRAPI names a few codes; the others are the states of the service table.
_CODES = {
    "unavailable": "KPNotAvailable",
    "timeout": "KPNotAvailable",
    "rate_limited": "KPNotAvailable",
    "needs_key": "KPNotAvailable",
    "bad_payload": "KPResponseMalformed",
    "truncated": "KPResponseTruncated",
}


@dataclass(slots=True)
class Journal:
    """Log entries in the order of time. ``entries`` are as TRAPI writes them.

    :param recorded_at: the time that every entry is of, in a replay.
    """

    recorded_at: str | None = None
    entries: list[dict[str, Any]] = field(default_factory=list)
    _seen: int = 0

    def add(self, level: Level, message: str, code: str | None = None) -> None:
        """One entry, at this moment; what was said before is not said again."""
        if any(e["message"] == message and e["level"] == level for e in self.entries):
            return
        self._write(level, message, code)

    def _write(self, level: Level, message: str, code: str | None) -> None:
        at = self.recorded_at or utc_now()
        entry: dict[str, Any] = {"timestamp": at, "level": level, "message": message}
        self.entries.append(entry | ({"code": code} if code else {}))

    def failed(self, state: str, message: str) -> None:
        """A service's failure."""
        self.add("WARNING", message, _CODES.get(state, state))

    def calls(self, trace: Sequence[CallRecord]) -> None:
        """One entry for each call made since the last time.

        :param trace: all calls of the query.
        """
        new, self._seen = trace[self._seen :], len(trace)
        for call in sorted(new, key=_sorted_as):
            status = f", HTTP {call.status}" if call.status else ""
            where = "" if call.origin == "live" else f" (from the {call.origin})"
            told = f"{call.service} {call.method} {call.path}: {call.outcome}{status}"
            code = None if call.outcome == "ok" else _CODES.get(call.outcome, call.outcome)
            self._write("INFO", f"{told}, {call.bytes:,} bytes{where}", code)

    def at_least(self, level: str) -> list[dict[str, Any]]:
        """The entries that are as critical as this, or more.

        >>> journal = Journal()
        >>> journal.add("DEBUG", "nothing to see")
        >>> journal.at_least("INFO")
        []
        """
        shown = _ORDER[: _ORDER.index(level) + 1] if level in _ORDER else _ORDER
        return [entry for entry in self.entries if entry["level"] in shown]


def _sorted_as(call: CallRecord) -> tuple[Any, ...]:
    return call.service, call.path, call.method, call.outcome, call.status or 0, call.bytes
