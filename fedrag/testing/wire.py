"""In front of each service: its latency, its call log, and the faults that spoil an HTTP reply."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fedrag.testing.faults import Fault
from fedrag.testing.huge import huge_answer

__all__ = ["Call", "Gate"]

_PAGE = b"<!DOCTYPE html><html><head><title>Service</title></head><body>Please wait.</body></html>"


@dataclass(frozen=True, slots=True)
class Call:
    """One call as the service saw it. ``body`` is parsed JSON (``None`` without any)."""

    service: str
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    body: Any
    at: float  # time.monotonic() on arrival
    seconds: float
    status: int | None  # None: no reply was begun


@dataclass(slots=True)
class _Told:
    status: int | None = None
    noted: bool = False


@dataclass(slots=True)
class Gate:
    """One service behind its latency and faults. All of it may change while the service runs."""

    service: str
    app: ASGIApp
    calls: list[Call]
    latency: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    active: int = 0
    most_active: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = time.monotonic()
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        content = await _read(receive)
        told = _Told()

        def note() -> None:
            if not told.noted:
                told.noted = True
                self.calls.append(_call(self.service, scope, content, begun, told.status))

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                told.status = message["status"]
            elif not message.get("more_body"):
                note()  # before the caller has the last byte, so that a test sees its own call
            await send(message)

        try:
            if self.latency:
                await asyncio.sleep(self.latency)
            await self._serve(scope, content, receive, noting)
        finally:
            self.active -= 1
            note()

    async def _serve(self, scope: Scope, content: bytes, receive: Receive, send: Send) -> None:
        fault = self._take(scope["path"])
        inner = {**scope, "fedrag.fault": fault}
        if fault is None or not fault.on_the_wire:
            await self.app(inner, _replay(content), send)
        elif fault.kind == "hang":
            await _disconnect(receive, fault.seconds or 3600.0)
        elif fault.kind == "huge":
            await _stream(send, huge_answer(content, int(fault.value or 60_000_000)))
        elif fault.kind in ("slow_drip", "reset", "truncated_json"):
            await _broken(fault, await self._whole(inner, content), send)
        else:
            await _refuse(fault, send)

    def _take(self, path: str) -> Fault | None:
        """The fault in force for a path, counted down."""
        for fault in self.faults:
            if fault.path is None or path.endswith(fault.path):
                if fault.times is not None:
                    fault.times -= 1
                    if fault.times <= 0:
                        self.faults.remove(fault)
                return fault
        return None

    async def _whole(self, scope: Scope, content: bytes) -> bytes:
        """The body of the answer that would have been given."""
        parts: list[bytes] = []

        async def keep(message: Message) -> None:
            parts.append(message.get("body", b""))

        await self.app(scope, _replay(content), keep)
        return b"".join(parts)


def _call(service: str, scope: Scope, content: bytes, begun: float, status: int | None) -> Call:
    return Call(
        service,
        scope["method"],
        scope["path"],
        tuple(parse_qsl(scope["query_string"].decode(), keep_blank_values=True)),
        {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]},
        _parsed(content),
        begun,
        time.monotonic() - begun,
        status,
    )


def _parsed(content: bytes) -> Any:
    try:
        return orjson.loads(content) if content else None
    except orjson.JSONDecodeError:
        return content.decode("utf-8", "replace")


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return b"".join(parts)


def _replay(content: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return receive


async def _disconnect(receive: Receive, seconds: float) -> None:
    """Say nothing until the caller hangs up."""
    try:
        async with asyncio.timeout(seconds):
            while (await receive())["type"] != "http.disconnect":
                await asyncio.sleep(0.01)
    except TimeoutError:
        return


async def _start(
    send: Send, status: int, kind: bytes, *headers: tuple[bytes, bytes], length: int | None = None
) -> None:
    every = [(b"content-type", kind), *headers]
    if length is not None:
        every.append((b"content-length", str(length).encode()))
    await send({"type": "http.response.start", "status": status, "headers": every})


async def _refuse(fault: Fault, send: Send) -> None:
    """A status instead of the answer, or a page or nothing with 200."""
    status = int(fault.kind[:3]) if fault.kind[:3].isdigit() else 200
    page = fault.kind in ("html", "429_html")
    told = {"detail": f"loopback service answers {status} as told"}
    body = b"" if fault.kind == "empty" else _PAGE if page else orjson.dumps(told)
    headers = []
    if fault.kind == "429":
        headers.append((b"retry-after", f"{fault.seconds or 1:g}".encode()))
    kind = b"text/html; charset=utf-8" if page else b"application/json"
    await _start(send, status, kind, *headers, length=len(body))
    await send({"type": "http.response.body", "body": body})


async def _broken(fault: Fault, body: bytes, send: Send) -> None:
    half = body[: len(body) // 2]
    if fault.kind == "truncated_json":
        await _start(send, 200, b"application/json", length=len(half))
        await send({"type": "http.response.body", "body": half})
    elif fault.kind == "reset":
        await _start(send, 200, b"application/json", length=len(body))
        await send({"type": "http.response.body", "body": half, "more_body": True})
        raise ConnectionAbortedError("the connection is closed in mid body, as told")
    else:
        await _drip(body, fault.seconds or 30.0, send)


async def _drip(body: bytes, seconds: float, send: Send, pieces: int = 100) -> None:
    """The whole body, in as many pieces, over so many seconds."""
    await _start(send, 200, b"application/json", length=len(body))
    size = max(1, -(-len(body) // pieces))
    for first in range(0, len(body), size):
        await asyncio.sleep(seconds * size / max(1, len(body)))
        piece = body[first : first + size]
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _stream(send: Send, pieces: AsyncIterator[bytes]) -> None:
    await _start(send, 200, b"application/json")
    async for piece in pieces:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
