"""When a failed attempt is made again, and after how long."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from fedrag.errors import ServiceError
from fedrag.net.call import Reply
from fedrag.net.pace import MAX_REST, too_long

__all__ = ["Again", "persist", "retry_after"]

_BACKOFF = wait_exponential(multiplier=0.5, max=8.0) + wait_random(0.0, 0.5)


class Again(Exception):
    """An attempt failed in a way that may pass: ``error`` is what to say if it does not.

    :param after: seconds the service asks to wait.
    :param reply: the reply itself, for callers who read failures too.
    """

    def __init__(
        self, error: ServiceError, *, after: float | None = None, reply: Reply | None = None
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after
        self.reply = reply


def retry_after(value: str | None, *, today: datetime | None = None) -> float | None:
    """Seconds to wait by a ``Retry-After`` header (RFC 9110, 10.2.3), ``None`` if it is unusable.

    >>> retry_after("7")
    7.0
    >>> retry_after("Wed, 01 Jan 2025 00:00:30 GMT", today=datetime(2025, 1, 1, tzinfo=UTC))
    30.0
    >>> retry_after("soon")
    """
    if value is None:
        return None
    text = value.strip()
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until(text, today or datetime.now(UTC))
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _until(text: str, today: datetime) -> float:
    try:
        date = parsedate_to_datetime(text)
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        return (aware - today).total_seconds()
    except (ValueError, OverflowError, TypeError):
        return math.nan


async def persist(
    attempt: Callable[[], Awaitable[Reply]], *, retries: int, remaining: Callable[[], float]
) -> Reply:
    """Attempt until it works, ``retries`` are spent, or waiting on would outlast ``remaining()``.

    :raises ServiceError: the last attempt's.
    """
    retrying = AsyncRetrying(
        retry=retry_if_exception_type(Again),
        wait=_wait,
        stop=lambda state: _spent(state, retries, remaining),
        sleep=asyncio.sleep,
        reraise=True,
    )
    try:
        return await retrying(attempt)
    except Again as again:
        if again.reply is not None:
            return again.reply
        raise _final(again, retrying, remaining) from again.__cause__


def _wait(state: RetryCallState) -> float:
    failure = state.outcome.exception() if state.outcome else None
    if isinstance(failure, Again) and failure.after is not None:
        return failure.after
    return _BACKOFF(state)


def _spent(state: RetryCallState, retries: int, remaining: Callable[[], float]) -> bool:
    pause = state.upcoming_sleep
    return stop_after_attempt(retries + 1)(state) or pause >= remaining() or pause > MAX_REST


def _final(again: Again, retrying: AsyncRetrying, remaining: Callable[[], float]) -> ServiceError:
    error = again.error
    if error.status == 429 and again.after is not None:
        limit = min(remaining(), MAX_REST)
        if again.after >= limit:
            return too_long(error.service, again.after, limit)
    attempts = retrying.statistics.get("attempt_number", 1)
    if attempts > 1:
        error.message += f" ({attempts} attempts)"
    return error
