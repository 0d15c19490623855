"""How runs lie on disk: one zstd-compressed file each, of two lines of JSON (``zstdcat`` shows it).

The first line says what was asked and how it went; it is a frame of its own, so that a list of runs
reads no more than that. The second is the whole answer. A file appears in one step and is never
changed in place, so any number of processes may write and read one folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fedrag.errors import RunError

__all__ = [
    "RUN_ID",
    "forget",
    "new_id",
    "read_head",
    "read_lines",
    "run_ids",
    "run_path",
    "write_new",
    "write_over",
]

RUN_ID = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}")
SUFFIX = ".jsonl.zst"
_UNFINISHED = ".writing"
_LARGEST = 1_000_000_000  # bytes, unpacked; a planted file must not fill the memory
_LARGEST_HEAD = 20_000_000
_LEVEL = 3
_ABANDONED = 3_600.0  # seconds after which an unfinished file is nobody's


def new_id(started: datetime) -> str:
    """An identifier that sorts by time (UTC, to a quarter of a millisecond) and is hard to meet.

    >>> new_id(datetime(2026, 11, 30, 9, 1, 2, 500_000, UTC))[:19]
    '20261130T090102-800'
    """
    moment = started.astimezone(UTC)
    fraction = moment.microsecond * 4096 // 1_000_000
    chance = int.from_bytes(os.urandom(2)) & 0xFFF
    return f"{moment:%Y%m%dT%H%M%S}-{fraction:03x}{chance:03x}"


def run_path(folder: Path, run: str) -> Path:
    """The file of a run."""
    return folder / f"{run}{SUFFIX}"


def run_ids(folder: Path) -> list[str]:
    """The runs in a folder, oldest first; none where there is no folder."""
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []
    whole = (name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))
    return sorted(name for name in whole if RUN_ID.fullmatch(name))


def write_new(folder: Path, started: datetime, lines: Callable[[str], tuple[bytes, bytes]]) -> str:
    """Write a run under an identifier that no other has; the identifier.

    :param lines: the two lines for an identifier.
    :raises OSError: the folder cannot be made or written.
    """
    folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    while True:
        run = new_id(started)
        unfinished = folder / f"{run}{_UNFINISHED}"
        try:  # whoever holds this name may use the identifier, until the run is there
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        target = run_path(folder, run)
        if not target.exists():
            _fill(handle, unfinished, target, partial(lines, run))
            return run
        os.close(handle)
        unfinished.unlink()


def write_over(folder: Path, run: str, head: bytes, body: bytes) -> None:
    """Replace what is said of a run, in one step."""
    unfinished = folder / f"{run}{_UNFINISHED}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    _fill(handle, unfinished, run_path(folder, run), lambda: (head, body))


def _fill(
    handle: int, unfinished: Path, target: Path, lines: Callable[[], tuple[bytes, bytes]]
) -> None:
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_packed(*lines()))
        unfinished.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def _packed(head: bytes, body: bytes) -> bytes:
    import zstandard  # late: a run is answered before it is kept

    packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    return packer.compress(head + b"\n") + packer.compress(body + b"\n")


def read_head(folder: Path, run: str) -> bytes:
    """The first line of a run.

    :raises RunError: there is none, or it cannot be read.
    """
    return _unpacked(folder, run, whole=False).rstrip(b"\n")


def read_lines(folder: Path, run: str) -> tuple[bytes, bytes]:
    """Both lines of a run.

    :raises RunError: there is none, or it cannot be read.
    """
    head, newline, body = _unpacked(folder, run, whole=True).partition(b"\n")
    if not newline or not body.endswith(b"\n"):
        raise unreadable(run, "it ends too early")
    return head, body[:-1]


def _unpacked(folder: Path, run: str, *, whole: bool) -> bytes:
    import zstandard

    most = _LARGEST if whole else _LARGEST_HEAD
    try:
        with (
            run_path(folder, run).open("rb") as file,
            zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=whole) as reader,
        ):
            text: bytes = reader.read(most + 1)
    except FileNotFoundError as error:
        raise RunError(f"there is no run {run}", hint="see `fedrag runs list`") from error
    except (OSError, zstandard.ZstdError) as error:
        raise unreadable(run, str(error)) from error
    if len(text) > most:
        raise unreadable(run, f"it is larger than {most:,} bytes when unpacked")
    return text


def unreadable(run: str, why: str) -> RunError:
    """The error for a run whose file is not what it should be."""
    return RunError(
        f"the run {run} cannot be read: {why}", hint="it was changed or cut; ask the question again"
    )


def forget(folder: Path, runs: Iterable[str]) -> tuple[int, dict[str, str]]:
    """Remove runs, and what was left unfinished long ago.

    How many runs went, and those whose files cannot be removed, with why.
    """
    gone, left = 0, {}
    for run in runs:
        try:
            run_path(folder, run).unlink()
            gone += 1
        except FileNotFoundError:
            pass  # another process was faster
        except OSError as error:
            left[run] = error.strerror or str(error)
    with contextlib.suppress(FileNotFoundError):
        for entry in os.scandir(folder):
            if entry.name.endswith(_UNFINISHED):
                _forget_abandoned(Path(entry.path))
    return gone, left


def _forget_abandoned(path: Path) -> None:
    with contextlib.suppress(OSError):  # nobody misses it; the next time may do
        if time.time() - path.stat().st_mtime > _ABANDONED:
            path.unlink()
