"""Waiting for many tasks under a deadline, and ending those that are left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

__all__ = ["stop_all", "wait_for"]


async def wait_for(
    tasks: Iterable[asyncio.Task[None]], seconds: float, *, first: bool = False
) -> None:
    """Until all (or the first) are done, the time is up, or one of them broke: its error is raised.

    >>> asyncio.run(wait_for([], 1.0))
    """
    waited = list(tasks)
    if waited:
        until = asyncio.FIRST_COMPLETED if first else asyncio.FIRST_EXCEPTION
        await asyncio.wait(waited, timeout=max(seconds, 0.0), return_when=until)
    for task in waited:
        if task.done():
            task.result()


async def stop_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel what still runs, and wait until it has ended."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)
