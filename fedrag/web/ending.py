"""How the service ends: requests that are under way are told so, and nothing is left half written.

uvicorn cancels what has not ended in time, logs each as a failure with its traceback, and answers
500. Here each gets a 503, or an end to what it has begun.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from types import FrameType

import uvicorn
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fedrag.web.failure import failure
from fedrag.web.guard import HEADERS
from fedrag.web.refuse import RequestError, error_facts, to_json
from fedrag.web.stream import event

__all__ = ["Ended", "EndingServer"]

_AGAIN = "5"  # seconds after which a service that is only restarted will be there
_LOOK = 0.05  # seconds between looks at whether there is a hurry


class EndingServer(uvicorn.Server):
    """Ends requests itself, a while after it was told to end.

    :param grace: seconds that requests under way then still have.
    """

    def __init__(self, config: uvicorn.Config, grace: float) -> None:
        super().__init__(config)
        self._grace = grace
        self._hurried = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; told a second time, at once, and still in order."""
        if self.should_exit and not self._hurried:
            self._hurried = True
        else:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more requests, let those under way finish or end them, then end the app."""
        ending = asyncio.create_task(self._end_requests())
        try:
            await super().shutdown(sockets)
        finally:
            ending.cancel()

    async def _end_requests(self) -> None:
        last = time.monotonic() + self._grace
        while time.monotonic() < last and not self._hurried:
            await asyncio.sleep(_LOOK)
        for task in self.server_state.tasks:
            task.cancel()


class Ended:
    """An application whose requests, when they are cancelled, are answered all the same."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun: list[Message] = []

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append(message)
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:
            if begun:
                await _break_off(begun[0], send)
            else:
                await _refuse(scope, receive, send)


def _error() -> RequestError:
    return RequestError(
        "the service is being stopped",
        status=503,
        hint=f"ask again in {_AGAIN} s, where it is only restarted",
        headers={"Retry-After": _AGAIN, "Connection": "close"},
    )


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    answer = failure(scope, _error())
    answer.headers.update(HEADERS)  # this answer is made outside all guards
    await answer(scope, receive, send)


async def _break_off(start: Message, send: Send) -> None:
    """The end of an answer of which a part is sent already, in its own form."""
    kind = Headers(raw=list(start.get("headers", ()))).get("content-type", "").partition(";")[0]
    last = b""
    if kind == "text/event-stream":
        last = event("error", to_json({"error": error_facts(_error()), "status": 503}))
    elif kind == "text/html":
        last = b'<p role="alert">The service is being stopped: no answer will come.</p>'
    with contextlib.suppress(Exception):  # its length was told, and is not this: it is cut
        await send({"type": "http.response.body", "body": last, "more_body": False})
