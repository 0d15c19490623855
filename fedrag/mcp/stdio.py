"""The server over standard input and output, for one client that starts it and ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from mcp.server.stdio import stdio_server

from fedrag.errors import FedragError
from fedrag.mcp.server import create_server
from fedrag.session import Session
from fedrag.tools import Toolbox

__all__ = ["serve_stdio"]


async def serve_stdio(session: Session) -> None:
    """Serve until the client closes its end or sends a signal; then close the session.

    While this runs, whatever else is written to standard output goes to standard error: only
    JSON-RPC reaches the client.
    """
    async with session:
        with _ended_by_signals(session):
            async with stdio_server() as (incoming, outgoing):
                server = create_server(Toolbox(session))
                await server.run(incoming, outgoing, server.create_initialization_options())


@contextmanager
def _ended_by_signals(session: Session) -> Iterator[None]:
    """SIGINT and SIGTERM end the process, its recording saved.

    The SDK reads standard input in a thread that nothing interrupts: without this, the process
    would stay until the client wrote its next line.
    """
    loop = asyncio.get_running_loop()
    leaving: list[asyncio.Task[None]] = []

    def leave(number: int) -> None:
        if not leaving:
            leaving.append(loop.create_task(_leave(session, number)))

    signals = (signal.SIGINT, signal.SIGTERM)
    with suppress(NotImplementedError):  # Windows has no such handlers
        for number in signals:
            loop.add_signal_handler(number, leave, number)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in signals:
                loop.remove_signal_handler(number)


async def _leave(session: Session, number: int) -> None:
    try:
        await session.aclose()
    except FedragError as error:
        sys.stderr.write(f"fedrag: {error}\n")
        sys.stderr.flush()
    finally:
        os._exit(128 + number)
