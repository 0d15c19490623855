"""Server-sent events: a run's progress line by line, then its answer; and runs that end with their
client.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fedrag.errors import FedragError
from fedrag.web.flights import Progress
from fedrag.web.refuse import error_facts, status_of, to_json

__all__ = ["ClientGone", "EventStream", "event", "while_there"]

T = TypeVar("T")
_HEARTBEAT = 10.0  # seconds without a word after which a proxy may take a connection for dead
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # else nginx keeps progress until the end
]


class ClientGone(Exception):
    """The client closed the connection; what it asked was cancelled, and nobody reads an answer."""


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The outcome of a piece of work, which is cancelled when the client goes.

    :raises ClientGone: it went.
    """
    task, gone = asyncio.create_task(work), asyncio.create_task(_gone(request.receive))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGone
    finally:
        await _stopped(task, gone)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stopped(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def event(kind: str, data: bytes, name: str = "") -> bytes:
    """One event; ``data`` is JSON on one line.

    >>> event("progress", b'{"line":"asking"}')
    b'event: progress\\ndata: {"line":"asking"}\\n\\n'
    """
    named = f"id: {name}\n".encode() if name else b""
    return b"event: " + kind.encode() + b"\n" + named + b"data: " + data + b"\n\n"


class EventStream(Response):
    """``progress`` events while the work goes on, then one ``answer`` or ``error`` event.

    :param work: does it, given what to call with each line; it returns the answer's JSON and the
        id of its run (empty where there is none).
    """

    def __init__(self, work: Callable[[Progress], Awaitable[tuple[bytes, str]]]) -> None:
        super().__init__()
        self._work = work
        self._events: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it: the work is cancelled when the client goes."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        task = asyncio.create_task(self._run())
        sending = asyncio.create_task(self._send_all(send))
        gone = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
                await task  # an internal error is told to the log, as any other
        finally:
            await _stopped(task, sending, gone)

    async def _run(self) -> None:
        try:
            data, run = await self._work(self._progress)
            self._events.put_nowait(event("answer", data, run))
        except FedragError as error:
            self._events.put_nowait(event("error", _told(error)))
        except Exception as error:  # its status went out long ago: the stream must still end
            failed = FedragError(f"internal error: {type(error).__name__}")
            self._events.put_nowait(event("error", _told(failed)))
            raise
        finally:
            self._events.put_nowait(None)

    def _progress(self, line: str) -> None:
        self._events.put_nowait(event("progress", to_json({"line": line})))

    async def _send_all(self, send: Send) -> None:
        while (part := await self._next()) is not None:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> bytes | None:
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self._events.get(), _HEARTBEAT)
        return b": still at work\n\n"


def _told(error: FedragError) -> bytes:
    """As the body of a refusal, and the status it would have had."""
    body: dict[str, Any] = {"error": error_facts(error), "status": status_of(error)}
    if error.answer is not None:
        body["answer"] = error.answer.to_dict()
    return to_json(body)
