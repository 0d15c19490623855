"""The bodies of requests: read whole before anything is done with them, within bytes and seconds.

No handler then meets a client that sends byte by byte or without an end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fedrag.web.failure import failure
from fedrag.web.refuse import RequestError

__all__ = ["BodyGuard"]

# A client that still sends would not see the answer if the connection were closed on it: so much
# more is read and thrown away, for so many seconds.
_DRAINED, _DRAIN_SECONDS = 32_000_000, 2.0


class BodyGuard:
    """Reads a body of at most ``most`` bytes within ``seconds``, and hands it on whole.

    Answers 413 or 408 otherwise, and closes the connection. All bodies that are in memory at one
    time have at most ``together`` bytes; 503 is answered to one more.
    """

    def __init__(
        self,
        app: ASGIApp,
        most: int = 1_000_000,
        seconds: float = 10.0,
        together: int = 64_000_000,
    ) -> None:
        self.app = app
        self.most = most
        self.seconds = seconds
        self.together = together
        self.held = 0  # bytes, now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http" or not _has_body(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        body = bytearray()
        try:
            whole = await self._in_time(Headers(scope=scope), receive, body)
            if whole:  # else the client has gone
                await self.app(scope, _handed_on(bytes(body), receive), send)
        except _Unread as unread:
            await failure(scope, unread.error)(scope, receive, send)
        finally:
            self.held -= len(body)

    async def _in_time(self, headers: Headers, receive: Receive, body: bytearray) -> bool:
        announced = headers.get("content-length", "")
        if announced.isdigit() and int(announced) > self.most:
            if headers.get("expect", "").lower() != "100-continue":
                await _drain(receive)
            raise self._too_large()
        try:
            async with asyncio.timeout(self.seconds):
                return await self._read(receive, body)
        except TimeoutError:
            told = f"the body did not come within {self.seconds:g} s"
            raise _unread(408, told, "send it at once") from None

    async def _read(self, receive: Receive, body: bytearray) -> bool:
        """Whether the body came whole into ``body``; ``False``: the client has gone."""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            part, more = message.get("body", b""), message.get("more_body", False)
            if len(body) + len(part) > self.most:
                await _drain(receive, message)
                raise self._too_large()
            if self.held + len(part) > self.together:
                raise _unread(503, "too many bodies at once", "send it again in a moment")
            body += part
            self.held += len(part)
        return True

    def _too_large(self) -> _Unread:
        return _unread(413, f"the body is larger than {self.most:,} bytes", "send less at once")


class _Unread(Exception):
    """A body that was not read, with what its sender is told."""

    def __init__(self, error: RequestError) -> None:
        super().__init__(error)
        self.error = error


def _unread(status: int, message: str, hint: str) -> _Unread:
    headers = {"Connection": "close", **({"Retry-After": "1"} if status == 503 else {})}
    return _Unread(RequestError(message, status=status, hint=hint, headers=headers))


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _handed_on(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """The body in one message; after it, whatever the client does (it can only go)."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


async def _drain(receive: Receive, message: Message | None = None) -> None:
    left = _DRAINED
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while message is None or (message.get("more_body") and left > 0):
                message = await receive()
                left -= len(message.get("body", b""))
    except TimeoutError:
        return
