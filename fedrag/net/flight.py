"""Single flight: identical calls under way at the same time are made once.

The call runs in a task of its own, so that none of those who wait for it owns it: one may be
cancelled or run out of time without harming the others. When the last one leaves, it is stopped.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

from fedrag.errors import ServiceError
from fedrag.net.call import Reply, now

__all__ = ["Flight", "Flights", "again"]

Start = Callable[["Flight"], Awaitable[Reply]]


class Flight:
    """One call under way and everyone who waits for it."""

    def __init__(self, start: Start, emptied: Callable[[], None]) -> None:
        self._deadlines: dict[object, float] = {}
        self._emptied = emptied
        self.task: asyncio.Task[Reply] = asyncio.ensure_future(self._run(start))
        self.task.add_done_callback(_look)

    async def _run(self, start: Start) -> Reply:
        return await start(self)

    def remaining(self) -> float:
        """Seconds until the last of those who wait gives up."""
        return max(self._deadlines.values(), default=-math.inf) - now()

    async def join(self, deadline: float) -> Reply:
        """Wait for the reply.

        :param deadline: on the loop's clock; may be infinite.
        :raises TimeoutError: the deadline came first.
        """
        token = object()
        self._deadlines[token] = deadline
        try:
            async with asyncio.timeout_at(None if math.isinf(deadline) else deadline):
                return await asyncio.shield(self.task)
        finally:
            del self._deadlines[token]
            if not self._deadlines and not self.task.done():
                self._emptied()
                self.task.cancel()


def _look(task: asyncio.Task[Reply]) -> None:
    """Take note of the outcome, so that asyncio does not complain when nobody is left to."""
    if not task.cancelled():
        task.exception()


class Flights:
    """The calls of one :class:`~fedrag.net.Net` that are under way, by key."""

    def __init__(self) -> None:
        self._shared: dict[str, Flight] = {}
        self._all: set[asyncio.Task[Reply]] = set()

    async def join(self, key: str | None, start: Start, deadline: float) -> Reply:
        """Board the flight of ``key``, starting it where there is none; ``None`` is never shared.

        :raises ServiceError: the call's own; each passenger gets his own copy.
        """
        flight = self._shared.get(key) if key else None
        if flight is None:
            return await self._begin(key, start).join(deadline)
        try:
            return await flight.join(deadline)
        except ServiceError as error:
            raise again(error) from error

    def _begin(self, key: str | None, start: Start) -> Flight:
        def leave(_: object = None) -> None:
            if key and self._shared.get(key) is flight:
                del self._shared[key]

        flight = Flight(start, leave)
        flight.task.add_done_callback(leave)
        flight.task.add_done_callback(self._all.discard)
        self._all.add(flight.task)
        if key:
            self._shared[key] = flight
        return flight

    async def close(self) -> None:
        """Stop whatever is still under way."""
        tasks = list(self._all)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def again(error: ServiceError) -> ServiceError:
    """A fresh copy of an error, so that two tasks do not share one traceback."""
    return type(error)(error.message, service=error.service, status=error.status, hint=error.hint)
