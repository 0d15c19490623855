"""Many questions, so many at a time: each gives one line, in order where that is asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field

import orjson

from fedrag.batch.lines import answer_line, bad_line
from fedrag.batch.output import Output
from fedrag.batch.rows import BadRow, Row
from fedrag.batch.tally import Tally
from fedrag.errors import CassetteError
from fedrag.session import Session

__all__ = ["Asker", "Progress", "asked_here", "run_rows"]

Asker = Callable[[Row], Awaitable[bytes]]
Progress = Callable[[Tally], None]
_SAVED = 30.0  # seconds between two savings of a recording
_AHEAD = 16  # lines that may wait for an earlier one, for each question asked at a time


def asked_here(
    session: Session, *, short: bool = False, note: Callable[[str], None] | None = None
) -> Asker:
    """Asks in this process, over one session.

    :param note: told what the cache has to say, after each line: later it may say it no more.

    A recording is saved twice a minute: a run that is killed loses no more of it.
    """
    saved = time.monotonic()

    async def ask(row: Row) -> bytes:
        nonlocal saved
        line = await answer_line(session, row, short=short)
        if note:
            for told in session.store_notes:
                note(told)
        if session.recording and time.monotonic() - saved > _SAVED:
            saved = time.monotonic()
            try:
                session.save_recording()
            except CassetteError as error:  # told again at the end; the line is worth more
                if note:
                    note(str(error))
        return line

    return ask


async def run_rows(
    rows: Iterable[Row | BadRow],
    ask: Asker,
    output: Output,
    *,
    concurrency: int = 4,
    ordered: bool = False,
    progress: Progress | None = None,
) -> None:
    """Ask every row that the output has not yet, and write its line.

    :param ask: gives the line of a row. It raises only what ends the whole batch.
    :param concurrency: how many questions are asked at a time.
    :param ordered: write in the order of the rows; what is done too early waits in memory, 16
        lines for each question asked at a time at most.
    :param progress: told the tally after each line.

    Whatever ends it, what was answered by then is written.
    """
    left = [row for row in rows if isinstance(row, BadRow) or str(row.id) not in output.done]
    desk = _Desk(iter(enumerate(left)), ask, output, concurrency, ordered, progress)
    await desk.run()


@dataclass(slots=True)
class _Desk:
    """What is being asked, and what waits to be written."""

    rows: Iterator[tuple[int, Row | BadRow]]
    ask: Asker
    output: Output
    concurrency: int
    ordered: bool
    progress: Progress | None
    _asked: dict[asyncio.Task[bytes], tuple[int, int]] = field(default_factory=dict)
    _waiting: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    _next: int = 0  # the place whose line is to be written
    _writing: bool = False  # a line may be half-written

    async def run(self) -> None:
        try:
            self._begin()
            while self._asked:
                done, _ = await asyncio.wait(self._asked, return_when=asyncio.FIRST_COMPLETED)
                self._take(done)
                self._begin()
        finally:
            await self._stop()
            if not self._writing:
                self._write_waiting(whole=True)

    def _begin(self) -> None:
        """Ask further rows, as many as may be asked at a time."""
        while len(self._asked) < self.concurrency and (
            not self.ordered or len(self._waiting) < _AHEAD * self.concurrency
        ):
            place, row = next(self.rows, (0, None))
            if row is None:
                return
            self._asked[asyncio.ensure_future(self._line(row))] = place, row.number

    async def _line(self, row: Row | BadRow) -> bytes:
        return bad_line(row) if isinstance(row, BadRow) else await self.ask(row)

    def _take(self, done: Iterable[asyncio.Task[bytes]]) -> None:
        for task in sorted(done, key=self._asked.__getitem__):
            place, number = self._asked.pop(task)
            self._waiting[place] = task.result(), number
        self._write_waiting(whole=not self.ordered)

    def _write_waiting(self, *, whole: bool) -> None:
        """Write the lines whose turn it is, or all that wait."""
        for place in sorted(self._waiting):
            if not whole and place != self._next:
                return
            line, number = self._waiting[place]
            self._writing = True
            self.output.write(line, number)
            self._writing = False
            del self._waiting[place]  # only now: it is written
            self._next = place + 1
            self.output.tally.add(orjson.loads(line))
            if self.progress:
                self.progress(self.output.tally)

    async def _stop(self) -> None:
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        for task, (place, number) in self._asked.items():
            if not task.cancelled() and task.exception() is None:
                self._waiting[place] = task.result(), number
