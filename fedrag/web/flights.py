"""Single flight for whole runs: the same request twice at the same time is worked on once.

The run is a task of its own, so that none of those who wait owns it: one may go away without
harming the others. When the last one has gone, the run is cancelled, and with it its calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Flights", "Progress"]

T = TypeVar("T")
Progress = Callable[[str], None]
Start = Callable[[Progress], Awaitable[T]]


class _Flight(Generic[T]):
    """One run under way, what it has said so far, and who listens."""

    def __init__(self, start: Start[T]) -> None:
        self.lines: list[str] = []
        self.listeners: dict[object, Progress | None] = {}
        self.task: asyncio.Task[T] = asyncio.ensure_future(self._run(start))

    async def _run(self, start: Start[T]) -> T:
        return await start(self._say)

    def _say(self, line: str) -> None:
        self.lines.append(line)
        for listener in tuple(self.listeners.values()):
            if listener:
                listener(line)

    async def join(self, progress: Progress | None) -> T:
        """Wait for the outcome; a latecomer is told first what was said before."""
        me = object()
        self.listeners[me] = progress
        for line in self.lines if progress else ():
            assert progress is not None
            progress(line)
        try:
            return await asyncio.shield(self.task)
        finally:
            del self.listeners[me]
            if not self.listeners and not self.task.done():
                self.task.cancel()


class Flights(Generic[T]):
    """Runs under way, by what they were asked.

    >>> Flights[str]().under_way
    0
    """

    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight[T]] = {}

    @property
    def under_way(self) -> int:
        """How many different runs there are now."""
        return len(self._flights)

    async def join(self, key: Hashable, start: Start[T], progress: Progress | None = None) -> T:
        """The outcome of the run of ``key``, which is started where it is not under way.

        :param start: begins the run; it is given what to call with each line of progress.
        :param progress: called with each line of it, those before it joined included.
        """
        flight = self._flights.get(key)
        if flight is None or flight.task.cancelling():
            flight = self._begin(key, start)
        return await flight.join(progress)

    def _begin(self, key: Hashable, start: Start[T]) -> _Flight[T]:
        flight = _Flight(start)
        self._flights[key] = flight

        def landed(task: asyncio.Task[T]) -> None:
            if self._flights.get(key) is flight:
                del self._flights[key]
            if not task.cancelled():
                task.exception()  # looked at, so that asyncio does not complain when nobody is left

        flight.task.add_done_callback(landed)
        return flight

    async def close(self) -> None:
        """Cancel whatever is still under way, and wait until it has ended."""
        tasks = [flight.task for flight in self._flights.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
