"""What a Dask worker runs: plain JSON in, a line and notes out. One session a process.

The sessions live on an event loop in a thread of their own, so that a worker's threads share their
connections, pace and cache, and the worker's own loop is never held up.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import Any

import orjson

from fedrag.batch.lines import answer_line, error_to_dict
from fedrag.batch.rows import Row
from fedrag.batch.setup import session_from_setup
from fedrag.session import Session

__all__ = ["answer_task", "task_of"]

_SETUPS = 4  # of so many batches a worker keeps the session open
_lock = threading.Lock()
_home: _Home | None = None


def task_of(row: Row, setup: bytes, *, short: bool) -> bytes:
    """One question as plain JSON, with the setup of the session that is to answer it."""
    asked = [row.id, row.number, row.question, dict(row.pins), row.template]
    return orjson.dumps({"row": asked, "setup": setup.decode(), "short": short})


def answer_task(task: bytes) -> bytes:
    """Answer one question of :func:`task_of`; its line, and under it the cache's notes as a list.

    It never raises: what goes wrong with a question is in its line. A session that cannot be built
    here is ``{"setup": {kind, message, hint}}``, which ends the batch: no question is at fault.
    """
    told = orjson.loads(task)
    try:
        return _at_home().ask(told)
    except Exception as error:
        return orjson.dumps({"setup": error_to_dict(error)})


def _at_home() -> _Home:
    global _home
    with _lock:
        if _home is None:
            _home = _Home()
        return _home


class _Home:
    """The event loop of this process's sessions."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._sessions: dict[str, Session] = {}  # by setup, the least recently used first
        self._busy: Counter[str] = Counter()
        threading.Thread(target=self._loop.run_forever, name="fedrag", daemon=True).start()

    def ask(self, told: dict[str, Any]) -> bytes:
        """Answer on the loop, and wait for it in the thread that asks."""
        return asyncio.run_coroutine_threadsafe(self._answer(told), self._loop).result()

    async def _answer(self, told: dict[str, Any]) -> bytes:
        setup = told["setup"]
        self._busy[setup] += 1
        try:
            session = await self._session(setup)
            line = await answer_line(session, Row(*told["row"]), short=told["short"])
            return line + b"\n" + orjson.dumps(session.store_notes)
        finally:
            self._busy[setup] -= 1

    async def _session(self, setup: str) -> Session:
        session = self._sessions.pop(setup, None) or session_from_setup(setup.encode())
        self._sessions[setup] = session
        idle = [one for one in self._sessions if not self._busy[one]]
        for one in idle[: max(0, len(self._sessions) - _SETUPS)]:
            del self._busy[one]
            await self._sessions.pop(one).aclose()
        return session
