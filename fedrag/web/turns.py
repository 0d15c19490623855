"""Whose turn it is: so many runs at once, a line that has an end, and fair to every client.

Those who wait are served in turn, one of each client before the second of any: a client that sends
a hundred questions delays its own, and nobody else's by more than one.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fedrag.errors import FedragError

__all__ = ["BusyError", "Turns"]

_GUESS = 1.0  # seconds a turn takes, before any was seen
_LONGEST_REST = 60  # seconds that a refused client is told to wait, at most


class BusyError(FedragError):
    """Too many requests are waiting already; ``retry_after`` says when to come again, in seconds.

    >>> BusyError("60 requests are waiting", retry_after=3).retry_after
    3
    """

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message, hint=f"ask again in {retry_after} s")
        self.retry_after = retry_after


class Turns:
    """Lets so many in at once; the others wait, and more than ``waiting`` are turned away.

    :param at_once: turns under way at the same time.
    :param waiting: how many may wait for theirs.

    >>> Turns(2, 10).free
    2
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self.at_once = at_once
        self.most = waiting
        self.free = at_once
        self.waiting = 0
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._usual = _GUESS

    @asynccontextmanager
    async def turn(self, client: str = "") -> AsyncIterator[None]:
        """One turn of a client; the body runs when it comes.

        :raises BusyError: the line is full.
        """
        await self._enter(client)
        started = time.monotonic()
        try:
            yield
        finally:
            self._usual += 0.1 * (time.monotonic() - started - self._usual)
            self._leave()

    def retry_after(self) -> int:
        """Whole seconds until the line will have moved on, guessed from the turns that were."""
        seconds = math.ceil(self._usual * (self.waiting + 1) / self.at_once)
        return max(1, min(seconds, _LONGEST_REST))

    async def _enter(self, client: str) -> None:
        if self.free:
            self.free -= 1
            return
        if self.waiting >= self.most:
            raise BusyError(
                f"{self.waiting} requests are waiting already", retry_after=self.retry_after()
            )
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(client, deque()).append(mine)
        self.waiting += 1
        try:
            await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                self._forget(client, mine)
            else:  # the turn came in the same moment: it goes to the next
                self._leave()
            raise

    def _forget(self, client: str, mine: asyncio.Future[None]) -> None:
        line = self._lines.get(client, deque())
        if mine in line:  # else its turn came after it had gone, and was passed on
            line.remove(mine)
            self.waiting -= 1
        if not line:
            self._lines.pop(client, None)

    def _leave(self) -> None:
        """Hand the turn to the first of the client that has waited longest for one."""
        while self._lines:
            client, line = self._lines.popitem(last=False)
            mine = line.popleft()
            self.waiting -= 1
            if line:
                self._lines[client] = line  # its next one, after everybody else's
            if not mine.cancelled():
                mine.set_result(None)
                return
        self.free += 1
