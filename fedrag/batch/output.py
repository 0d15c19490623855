"""Where the lines go: a stream, or a file that a killed run leaves whole and another takes up.

Each line is on the disk before the next question is counted as done. Taking a file up cuts a
half-written last line, and takes out the lines of questions that are to be asked again, so that
each question has one line, however often a run was stopped.
"""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from fedrag.batch.lines import is_brief, verdict_of
from fedrag.batch.rows import BadRow, Row
from fedrag.batch.tally import Tally
from fedrag.errors import ConfigError

__all__ = ["FileOutput", "Output", "StreamOutput"]

_KEYS = {"id", "row", "question", "answer", "error"}


class Output(ABC):
    """What a batch writes its lines to.

    :ivar tally: how the questions came out that have a line.
    :ivar done: ids (as text) of questions that need not be asked.
    :ivar notes: what a reader should be told.
    """

    def __init__(self, rows: Sequence[Row | BadRow]) -> None:
        self.tally = Tally(len(rows))
        self.done: set[str] = set()
        self.notes: tuple[str, ...] = ()

    @abstractmethod
    def write(self, line: bytes, row: int) -> None:
        """Write the line of a row (its number); it is safe when this returns."""

    @abstractmethod
    def close(self, *, ordered: bool = False) -> None:
        """End it; ``ordered`` as in :func:`fedrag.batch.run_rows`."""


class StreamOutput(Output):
    """Lines to a stream, stdout for one, each sent on at once."""

    def __init__(self, stream: IO[bytes], rows: Sequence[Row | BadRow]) -> None:
        super().__init__(rows)
        self._stream = stream

    def write(self, line: bytes, row: int) -> None:
        """Write one line and flush it."""
        del row
        self._stream.write(line + b"\n")
        self._stream.flush()

    def close(self, *, ordered: bool = False) -> None:
        """Leave the stream open: it is its owner's, and in order already."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A line of the file: the row it is of, and where it is."""

    row: int
    start: int
    length: int


class FileOutput(Output):
    """Lines appended to a file of its own.

    :param rows: what is asked, to know which lines of the file still hold.
    :param resume: go on with what the file holds; else it must be new or empty.
    :param short: whether lines are written in the short form; a file has one form.
    :raises ConfigError: the file holds something already (without ``resume``), holds other than
        such lines, is of other questions, is being written by another process, or cannot be.
    """

    def __init__(
        self, path: Path, rows: Sequence[Row | BadRow], *, resume: bool, short: bool = False
    ) -> None:
        super().__init__(rows)
        self.path = path = path.resolve()
        self._kept: list[_Kept] = []
        self._rows = {str(row.id): row for row in rows if isinstance(row, Row)}
        self._short = short
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            self._open(resume)
        except BaseException:
            self._file.close()
            raise

    def _open(self, resume: bool) -> None:
        _lock(self._file, self.path)
        here = os.fstat(self._file.fileno())
        if not os.path.samestat(here, self.path.stat()):
            raise _taken(self.path)  # it put another file in this one's place, and is gone
        size = here.st_size
        if size and not resume:
            raise ConfigError(
                f"{self.path} already holds something",
                hint="add --resume to go on with it, or name another --out",
            )
        try:
            if size:
                self._take_up()
        except OSError as error:
            raise _unwritable(self.path, error) from error

    # --- what is there already -------------------------------------------------------------------

    def _take_up(self) -> None:
        """Keep the lines that stand; cut what is half-written or to be asked again."""
        kept, end, others = [], 0, 0
        for number, start, line in self._lines():
            told = self._checked(number, line)
            end = start + len(line)
            row = self._rows.get(str(told["id"]))
            others += row is None and verdict_of(told) != "bad_row"
            if self._stands(told, row):
                kept.append(_Kept(int(told["row"]), start, len(line)))
                if row:
                    self.tally.add(told, earlier=True)
        if others:
            self.notes = (f"{self.path}: {others} lines are of no question asked here; they stay",)
        if sum(one.length for one in kept) == end:
            self._file.truncate(end)
            self._kept = kept
        else:
            self._rewrite(kept)

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, offset and content of each whole line."""
        self._file.seek(0)
        start = 0
        for number, line in enumerate(self._file, start=1):
            if line.endswith(b"\n"):
                yield number, start, line
            elif not _half_a_line(line):
                raise self._foreign(number)
            start += len(line)

    def _checked(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            told = orjson.loads(line)
        except orjson.JSONDecodeError:
            told = None
        if not isinstance(told, dict) or not told.keys() >= _KEYS:
            raise self._foreign(number)
        return told

    def _foreign(self, number: int) -> ConfigError:
        return ConfigError(
            f"{self.path}, line {number} was not written by `fedrag batch`",
            hint="nothing was changed; name another --out",
        )

    def _stands(self, told: Mapping[str, Any], row: Row | None) -> bool:
        """Whether a line need not be written again."""
        verdict, answer = verdict_of(told), told["answer"]
        if verdict == "bad_row":
            return False  # rows are read anew: a mended one is asked
        if row is None:
            return True
        if told["question"] != row.question:
            if told["error"] or verdict == "failed":
                return False  # nothing is lost: it was mended, and is asked as it is now
            raise ConfigError(
                f"{self.path} holds another question of id {row.id}: {told['question']!r:.120}",
                hint="resume with the file it was made from, or name another --out",
            )
        if answer is not None and is_brief(answer) != self._short:
            form = "the short form of --brief" if is_brief(answer) else "whole answers"
            raise ConfigError(
                f"{self.path} holds {form}", hint="resume with the same options, or name another"
            )
        same = (told.get("entities"), told.get("template")) == (dict(row.pins), row.template)
        if verdict == "failed" or not same or str(row.id) in self.done:
            return False
        self.done.add(str(row.id))
        return True

    # --- what is added ---------------------------------------------------------------------------

    def write(self, line: bytes, row: int) -> None:
        """Append the line of a row; it is on the disk when this returns."""
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(line + b"\n")
        self._file.flush()
        _sync(self._file)
        self._kept.append(_Kept(row, start, len(line) + 1))

    def close(self, *, ordered: bool = False) -> None:
        """Sort the lines by their rows, where an earlier run left them otherwise; let go."""
        try:
            in_order = sorted(self._kept, key=lambda one: one.row)
            if ordered and in_order != self._kept:
                self._rewrite(in_order)
        finally:
            self._file.close()

    def _rewrite(self, kept: Sequence[_Kept]) -> None:
        """The file anew, of these lines: whole or not at all, whenever this process dies."""
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        fresh = temporary.open("w+b")
        placed = []
        try:
            _lock(fresh, self.path)  # before it has the name, so that nobody comes between
            os.chmod(temporary, os.fstat(self._file.fileno()).st_mode & 0o777)
            for one in kept:
                self._file.seek(one.start)
                placed.append(_Kept(one.row, fresh.tell(), one.length))
                fresh.write(self._file.read(one.length))
            fresh.flush()
            _sync(fresh)
            temporary.replace(self.path)
        except BaseException:
            fresh.close()
            temporary.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file, self._kept = fresh, placed


def _half_a_line(tail: bytes) -> bool:
    """Whether what has no end may be the beginning of a line (or zeros, after a power cut)."""
    begin = b'{"id":'
    tail = tail.strip(b"\0")
    return tail.startswith(begin) or begin.startswith(tail)


def _sync(file: IO[bytes]) -> None:
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a device has nothing to sync
            raise


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other processes from writing the same file, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _taken(path) from None
    except OSError:
        return  # a file system without locks


def _taken(path: Path) -> ConfigError:
    return ConfigError(
        f"{path} is being written by another `fedrag batch`",
        hint="let it end, or name another --out",
    )


def _unwritable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(
        f"{path} cannot be written: {error.strerror or error}", hint="check the folder of --out"
    )
