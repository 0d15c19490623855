"""`fedrag mcp` as a process of its own, for tests that are its clients."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from fedrag.testing import Federation

QUESTION = "what are the targets of imatinib?"
_PATIENCE = 60.0  # seconds for a server to start: the SDK's import takes two of them by itself


def command(*arguments: str) -> list[str]:
    """The command line of the server."""
    return [sys.executable, "-m", "fedrag", "mcp", *arguments]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What the server process has in its environment; nothing of it is the user's."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    places = {
        "FEDRAG_LOG_DIR": str(folder / "runs"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    return {**kept, **places, **more}


def over_stdio(folder: Path, *arguments: str, **client: Any) -> Client:
    """A client that starts the server, and ends it."""
    line = command(*arguments)
    server = StdioServerParameters(command=line[0], args=line[1:], env=environment(folder))
    return Client(server, **client)


@contextmanager
def over_http(folder: Path, *arguments: str, **more: str) -> Iterator[str]:
    """A server on a free port; its address."""
    told = folder / "stderr.txt"
    with told.open("wb") as errors:
        server = subprocess.Popen(
            command("--transport", "http", "--port", "0", *arguments),
            env=environment(folder, **more),
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        yield _address(server, told)
    finally:
        server.terminate()
        said, _ = server.communicate(timeout=30)
        assert said == b""  # standard output belongs to a protocol


async def cancelled_while_asking(client: Client, world: Federation) -> None:
    """Ask, and stop waiting once the hanging call of the query is under way."""
    asked = anyio.Event()

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        if message and message.startswith("bte:"):
            asked.set()

    async def ask() -> None:
        await client.call_tool("ask", {"question": QUESTION}, progress_callback=progress)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        await asked.wait()
        while not world.gates["bte"].active:
            await anyio.sleep(0.02)
        tasks.cancel_scope.cancel()


def _address(server: subprocess.Popen[bytes], told: Path) -> str:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and server.poll() is None:
        lines: Sequence[str] = told.read_text().splitlines()
        for line in lines:
            if "MCP at " in line:
                return line.partition("MCP at ")[2]
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {told.read_text()}")
