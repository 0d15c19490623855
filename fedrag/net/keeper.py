"""Keeps replies beside the event loop: judging and writing them holds up no further call.

One worker writes in the order of the replies, a moment after they came: then the loop is most
likely waiting for the next ones. What is still to be written is answered already, so that an
identical call right after the first one never goes out again.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from fedrag.net.cache import keepable
from fedrag.net.call import Reply
from fedrag.net.store import Store

__all__ = ["Keeper"]

_MOMENT = 0.1  # seconds


class Keeper:
    """The cache as a running event loop uses it.

    >>> import asyncio, pathlib, tempfile
    >>> from fedrag.net import Cache
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keeper = Keeper(Cache(pathlib.Path(folder)))
    ...     keeper.put("row", Reply(200, {}, b"[]", "2999-01-01T00:00:00Z", "live", 0.1))
    ...     print(asyncio.run(keeper.find("row", service="bte", key="k")).origin)
    ...     keeper.close()
    cache
    """

    def __init__(self, cache: Store) -> None:
        self._cache = cache
        self._waiting: dict[str, Reply] = {}
        self._unsent: dict[str, Reply] = {}  # not yet handed to the worker
        self._worker: ThreadPoolExecutor | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def find(self, row: str, *, service: str, key: str) -> Reply | None:
        """The reply kept, or about to be kept, under this row."""
        waiting = self._waiting.get(row)
        if waiting is not None and keepable(waiting):
            return replace(waiting, origin="cache", seconds=0.0, service=service, key=key)
        return await self._cache.find(row, service=service, key=key)

    def put(self, row: str, reply: Reply) -> None:
        """Keep a reply, if it is one worth keeping."""
        self._waiting[row] = self._unsent[row] = reply
        if self._timer is None:
            try:
                self._timer = asyncio.get_running_loop().call_later(_MOMENT, self._send)
            except RuntimeError:  # no loop runs: nothing to wait for
                self._send()

    def delete(self, row: str) -> None:
        """Forget what is or will be kept under this row."""
        self._waiting.pop(row, None)
        self._unsent.pop(row, None)
        self._opened().submit(self._cache.delete, row)

    def close(self) -> None:
        """Write what is waiting, then close the cache."""
        if self._timer is not None:
            self._timer.cancel()
        self._send()
        if self._worker is not None:
            self._worker.submit(self._cache.release)
            self._worker.shutdown()
            self._worker = None
        self._cache.close()

    def _send(self) -> None:
        self._timer = None
        for row, reply in self._unsent.items():
            self._opened().submit(self._write, row, reply)
        self._unsent.clear()

    def _write(self, row: str, reply: Reply) -> None:
        if self._waiting.get(row) is reply and keepable(reply):
            self._cache.put(row, reply)
        if self._waiting.get(row) is reply:
            del self._waiting[row]

    def _opened(self) -> ThreadPoolExecutor:
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="fedrag-cache")
        return self._worker
