"""A session that works beside the server, in a thread and an event loop of its own.

Reading an answer of several megabytes takes a second of computing. In the server's own loop nobody
would be answered meanwhile, and clients that are in time would be taken for late.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Self, TypeVar

from fedrag.session import Session
from fedrag.web.flights import Progress

if TYPE_CHECKING:
    from fedrag.datamodel import Answer, QueryPlan
    from fedrag.entities import Resolution
    from fedrag.execute import ServiceCheck
    from fedrag.metakg import MetaKG
    from fedrag.query import QueryAnswer

__all__ = ["SessionBeside"]

T = TypeVar("T")


class _Worker:
    """A thread with an event loop, from the first piece of work until :meth:`stop`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it there; cancelled here, it is cancelled there."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(
                target=_work, args=(self._loop,), name="fedrag-session", daemon=True
            ).start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def stop(self) -> None:
        """End the thread, once what it is doing now is done."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None


def _work(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        left = asyncio.all_tasks(loop)  # cancelled by whoever waited, and not yet at their end
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


class SessionBeside(Session):
    """A session as any other, whose coroutines are awaited here and run in another thread.

    Made with :meth:`of`, ended with :meth:`aclose`.
    """

    _worker: _Worker  # one for this session and all that are narrowed from it

    @classmethod
    def of(cls, session: Session) -> Self:
        """This session, not yet used, from now on beside the caller."""
        made = cls.__new__(cls)
        made.__dict__.update(session.__dict__)
        made._worker = _Worker()
        return made

    async def ask(
        self, question: str, *, progress: Progress | None = None, **options: Any
    ) -> Answer:
        """As :meth:`fedrag.session.Session.ask`; progress is told in the caller's own loop."""
        return await self._worker.do(super().ask(question, progress=_here(progress), **options))

    async def resolve(self, question: str, **options: Any) -> Resolution:
        """As :meth:`fedrag.session.Session.resolve`."""
        return await self._worker.do(super().resolve(question, **options))

    async def plan(self, question: str, **options: Any) -> tuple[QueryPlan, Resolution]:
        """As :meth:`fedrag.session.Session.plan`."""
        return await self._worker.do(super().plan(question, **options))

    async def query(
        self, query: Any, *, progress: Progress | None = None, **options: Any
    ) -> QueryAnswer:
        """As :meth:`fedrag.session.Session.query`."""
        return await self._worker.do(super().query(query, progress=_here(progress), **options))

    async def metakg(self) -> tuple[MetaKG, tuple[str, ...]]:
        """As :meth:`fedrag.session.Session.metakg`."""
        return await self._worker.do(super().metakg())

    async def check(self) -> dict[str, ServiceCheck]:
        """As :meth:`fedrag.session.Session.check`."""
        return await self._worker.do(super().check())

    async def aclose(self) -> None:
        """As :meth:`fedrag.session.Session.aclose`; then the thread ends."""
        try:
            await self._worker.do(super().aclose())
        finally:
            self._worker.stop()


def _here(progress: Progress | None) -> Progress | None:
    """The same, to be called from another thread."""
    if progress is None:
        return None
    loop, tell = asyncio.get_running_loop(), progress

    def say(line: str) -> None:
        loop.call_soon_threadsafe(tell, line)

    return say
