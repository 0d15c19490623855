"""What the tests of ``fedrag.net`` share: a clock that jumps, scripted services, raw servers."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import httpx2

from fedrag.net import Endpoint

T = TypeVar("T")
Step = httpx2.Response | Exception | Callable[[httpx2.Request], httpx2.Response]

PUBLIC = Endpoint("bte", "https://bte.example.org/v1", retries=2, timeout=30.0)


class _Jump(selectors.DefaultSelector):
    """Never sleeps: time jumps to the next timer instead."""

    loop: JumpingLoop

    def select(self, timeout: float | None = None) -> Any:
        if timeout is not None and timeout > 0:
            self.loop.clock += timeout
            timeout = 0
        return super().select(timeout)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock starts at 0 and costs no time to wait for."""

    def __init__(self) -> None:
        self.clock = 0.0
        jump = _Jump()
        jump.loop = self
        super().__init__(jump)

    def time(self) -> float:
        return self.clock


def jump(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine where waiting costs nothing and the clock is exact."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(coroutine)


def clock() -> float:
    """The jumping loop's seconds since its start."""
    return round(asyncio.get_running_loop().time(), 3)


class Script(httpx2.MockTransport):
    """A service that answers a list of steps, the last one for ever; it keeps what it saw."""

    def __init__(self, steps: Iterable[Step], *, seconds: float = 0.0) -> None:
        self.steps = list(steps)
        self.seconds = seconds
        self.requests: list[httpx2.Request] = []
        self.times: list[float] = []
        super().__init__(self._answer)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        self.times.append(clock())
        step = self.steps[min(len(self.requests), len(self.steps)) - 1]
        if self.seconds:
            await asyncio.sleep(self.seconds)
        if isinstance(step, Exception):
            raise step
        if callable(step):
            return step(request)
        return httpx2.Response(
            step.status_code, headers=step.headers, content=step.content, request=request
        )


def ok(value: Any = None) -> httpx2.Response:
    """A JSON answer."""
    return httpx2.Response(200, json={"message": {}} if value is None else value)


Connection = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw_server(connection: Connection, **options: Any) -> AsyncIterator[Endpoint]:
    """A real server on a free loopback port that does with a connection what it is told."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await connection(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, **options)
    port = server.sockets[0].getsockname()[1]
    scheme = "https" if options.get("ssl") else "http"
    base = Endpoint("raw", f"{scheme}://127.0.0.1:{port}", trusted=True, retries=0, timeout=5.0)
    try:
        yield base
    finally:
        server.close()


async def read_request(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Head and body of one HTTP/1.1 request."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return head, await reader.readexactly(length) if length else b""


def at(endpoint: Endpoint, **changes: Any) -> Endpoint:
    """The endpoint with other manners."""
    return replace(endpoint, **changes)
