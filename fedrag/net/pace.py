"""How often and how many at once a service is called, and when it is left alone.

Pace. A service that allows 60 calls a minute or more means "so many a second": its calls are
spaced evenly (STRING: 1 s apart). One that allows fewer means a quota for the minute, and a
question's few calls should not wait for each other: a burst of up to two fifths of it, at most
six, goes at once, and the rest of the quota is spread over the minute, so that no window of 60 s
ever holds more calls than are allowed. Attempts that are retries count like any other. Workers that
share a server keep one pace together (:mod:`fedrag.net.shared_pace`), beside each one's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from fedrag.errors import RateLimitedError, UnavailableError
from fedrag.net.call import now
from fedrag.net.endpoint import Endpoint

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

    from fedrag.net.shared_pace import SharedPace

__all__ = ["MAX_REST", "Breaker", "Pace", "bucket", "too_long"]

MAX_REST = 300.0  # seconds: nobody waits longer for a Retry-After, even without a deadline
_BURST = 6
_SHARE = 0.4


def bucket(per_minute: float) -> tuple[float, float]:
    """The leaky bucket ``(burst, seconds)`` for a quota: ``burst`` at once, then ``burst`` more
    over every ``seconds``.

    >>> bucket(60)  # STRING: one a second
    (1, 1.0)
    >>> bucket(15)  # BioThings Explorer: six at once, then one every 6.7 s
    (6, 40.0)
    """
    burst = min(_BURST, int(per_minute * _SHARE))
    if per_minute >= 60 or burst < 2:
        return 1, 60.0 / per_minute
    return burst, 60.0 * burst / (per_minute - burst)


class Pace:
    """The manners kept with one service; belongs to the event loop it is first used in.

    :param shared: the same manners, kept together with other workers.
    """

    def __init__(self, endpoint: Endpoint, shared: SharedPace | None = None) -> None:
        self._service = endpoint.service
        self._slots = asyncio.Semaphore(max(1, endpoint.concurrency))
        self._limiter = _limiter(endpoint.per_minute)
        self._rest_until = 0.0
        self._shared = shared

    async def rest(self, seconds: float) -> None:
        """Send nothing for ``seconds``: the service asked for it."""
        self._rest_until = max(self._rest_until, now() + seconds)
        if self._shared is not None:
            await self._shared.rest(seconds)

    @asynccontextmanager
    async def slot(self, remaining: Callable[[], float]) -> AsyncIterator[None]:
        """Wait for one's turn, then hold a slot.

        :raises RateLimitedError: the service asked for a longer rest than ``remaining()`` allows.
        """
        async with self._slots:
            await self._rested(remaining)
            while self._limiter is not None:
                await self._limiter.acquire()
                if not await self._rested(remaining):
                    break
            # After the own pace, not in its place: when the server is gone, no burst follows.
            async with self._shared.turn(remaining) if self._shared else nullcontext():
                yield

    async def _rested(self, remaining: Callable[[], float]) -> bool:
        """Sit out the rest that was asked for; whether there was one."""
        waited = False
        while (pause := self._rest_until - now()) > 0:
            limit = min(remaining(), MAX_REST)
            if pause >= limit:
                raise too_long(self._service, pause, limit)
            await asyncio.sleep(pause)
            waited = True
        return waited


def too_long(service: str, pause: float, remaining: float) -> RateLimitedError:
    """The error for a rest that does not fit into the time that is left."""
    return RateLimitedError(
        f"{service} answered 429 and asks to wait {pause:.0f} s, "
        f"more than the {max(remaining, 0):.0f} s that remain",
        service=service,
        status=429,
        hint="ask again later, or raise the deadline",
    )


def _limiter(per_minute: float | None) -> AsyncLimiter | None:
    if not per_minute:
        return None
    from aiolimiter import AsyncLimiter

    return AsyncLimiter(*bucket(per_minute))


class Breaker:
    """Opens after ``limit`` failed calls in a row; after ``rest`` seconds lets one call try.

    The state machine is the circuit breaker of M. Nygard, *Release It!* (2007).
    """

    def __init__(self, service: str, *, limit: int = 5, rest: float = 30.0) -> None:
        self._service = service
        self._limit = limit
        self._rest = rest
        self._failures = 0
        self._opened_at: float | None = None

    def check(self) -> None:
        """Let a call through, or not.

        :raises UnavailableError: the breaker is open.
        """
        if self._opened_at is None:
            return
        if now() - self._opened_at < self._rest:
            raise UnavailableError(
                f"{self._service} is left alone: circuit breaker open after "
                f"{self._failures} failures in a row",
                service=self._service,
                hint=f"it is tried again after {self._rest:.0f} s",
            )
        self._opened_at = now()  # half open: this call tries, the others keep failing fast

    def succeeded(self) -> None:
        """The service answered: close."""
        self._failures = 0
        self._opened_at = None

    def failed(self) -> None:
        """The service could not be used: count, and open at the limit."""
        self._failures += 1
        if self._failures >= self._limit:
            self._opened_at = now()
