"""The folder of runs: add one, list them, find one again."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from fedrag.config import Settings
from fedrag.errors import RunError
from fedrag.runs.files import (
    RUN_ID,
    forget,
    read_head,
    read_lines,
    run_ids,
    run_path,
    unreadable,
    write_new,
    write_over,
)
from fedrag.runs.record import RunRecord, RunSummary

__all__ = ["RunLog", "log_folder", "open_log"]

_SEARCHED = 64  # runs looked through for an edge, the newest
_NAMED = 5  # runs that an error names


def log_folder(settings: Settings, environ: Mapping[str, str] | None = None) -> Path:
    """Where runs are kept.

    >>> log_folder(Settings(), {"XDG_STATE_HOME": "/tmp/s"}).as_posix()
    '/tmp/s/fedrag/runs'
    """
    environ = os.environ if environ is None else environ
    if settings.log_dir:
        return settings.log_dir.expanduser()
    base = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "fedrag" / "runs"


def open_log(settings: Settings) -> RunLog:
    """The log that the settings name (whether or not ``log`` says that runs are kept)."""
    return RunLog(log_folder(settings), settings.log_keep)


class RunLog:
    """A folder of runs; threads and processes may share one.

    :param folder: made when the first run is kept (``0700``; its files ``0600``).
    :param keep: how many runs stay. The oldest go, in strides of a twentieth of ``keep``, so that
        the folder is not looked through for each run; it may hold that many more for a while.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = RunLog(Path(folder) / "runs", keep=10)
    ...     run = log.add(RunRecord("why?", "2026-11-30T09:01:02+00:00", 0.5))
    ...     print(run[:15], log.get("last").question, len(log))
    20261130T090102 why? 1
    """

    def __init__(self, folder: Path, keep: int = 1_000) -> None:
        self.folder = Path(folder)
        self.keep = keep
        self.unreadable: tuple[str, ...] = ()  # what :meth:`list` passed over the last time
        self.left: Mapping[str, str] = {}  # what :meth:`clear` could not remove the last time
        self._lock = threading.Lock()
        self._stride = max(1, keep // 20)
        self._until_pruned = 0  # the first run of a process prunes: a process may keep only one

    def __len__(self) -> int:
        return len(run_ids(self.folder))

    def add(self, record: RunRecord) -> str:
        """Keep a run; its identifier, which sorts by the time it ``started``.

        :raises OSError: the folder cannot be written.
        """
        run = write_new(
            self.folder, datetime.fromisoformat(record.started), lambda run: _lines(record, run)
        )
        if self._its_time():
            with contextlib.suppress(OSError):  # the run is kept; the next stride tries again
                self.clear(self.keep)
        return run

    def amend(self, run: str, **changes: Any) -> None:
        """Change fields of a run that was kept (the hash of a cassette that is written later).

        :raises RunError: there is no such run, or it cannot be read.
        :raises OSError: it cannot be written.
        """
        record = replace(self.get(run), **changes)
        write_over(self.folder, record.id, *_lines(record, record.id))

    def get(self, run: str = "last") -> RunRecord:
        """A run by its identifier, the unique beginning of one, or ``last``.

        :raises RunError: there is none, there are several, or it cannot be read.
        """
        found = run if RUN_ID.fullmatch(run) else self._unique(run)
        head, body = read_lines(self.folder, found)
        return _record(found, head, body)

    def list(self, limit: int | None = 20) -> tuple[RunSummary, ...]:
        """The newest runs, newest first; ``limit=None``: all. Runs that cannot be read are passed
        over and named in ``unreadable``."""
        summaries: dict[str, RunSummary | None] = {}
        for run in run_ids(self.folder)[::-1][:limit]:
            try:
                summaries[run] = _record(run, read_head(self.folder, run), b"null").summary()
            except RunError:
                if run_path(self.folder, run).exists():  # else it was pruned just now
                    summaries[run] = None
        self.unreadable = tuple(run for run, summary in summaries.items() if summary is None)
        return tuple(summary for summary in summaries.values() if summary is not None)

    def find_edge(
        self, edge_id: str, limit: int | None = _SEARCHED
    ) -> tuple[RunRecord, dict[str, Any]] | None:
        """The newest run that retrieved an edge, and the edge's passport; ``None`` when none did.

        :param limit: runs looked through.
        """
        for run in run_ids(self.folder)[::-1][:limit]:
            try:
                record = self.get(run)
                edge = record.edge(edge_id)
            except RunError:
                continue
            if edge is not None:
                return record, edge
        return None

    def clear(self, keep: int = 0) -> int:
        """Forget all runs but the newest ``keep``; how many went. Those whose files cannot be
        removed stay and are named in ``left``, with why."""
        runs = run_ids(self.folder)
        gone, self.left = forget(self.folder, runs[: max(0, len(runs) - keep)])
        return gone

    def _unique(self, named: str) -> str:
        runs = run_ids(self.folder)
        if not runs:
            raise RunError(f"there are no runs in {self.folder}", hint="ask a question first")
        if named == "last":
            return runs[-1]
        fitting = [run for run in runs if run.startswith(named)] if named else runs
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise RunError(f"no run begins with {named!r}", hint="see `fedrag runs list`")
        newest = ", ".join(fitting[::-1][:_NAMED])
        more = f" and {len(fitting) - _NAMED} more" if len(fitting) > _NAMED else ""
        raise RunError(
            f"{len(fitting)} runs begin with {named!r}: {newest}{more}", hint="write more of it"
        )

    def _its_time(self) -> bool:
        with self._lock:
            self._until_pruned -= 1
            if self._until_pruned > 0:
                return False
            self._until_pruned = self._stride
            return True


def _lines(record: RunRecord, run: str) -> tuple[bytes, bytes]:
    head = orjson.dumps(record.head() | {"id": run}, option=orjson.OPT_NON_STR_KEYS)
    return head, record.body


def _record(run: str, head: bytes, body: bytes) -> RunRecord:
    try:
        told = orjson.loads(head)
        known = {one.name for one in fields(RunRecord)} - {"id", "body"}
        given = {key: value for key, value in told.items() if key in known}
        record = RunRecord(**given, id=run, body=body)
        return replace(record, services=tuple(record.services))
    except (ValueError, TypeError, AttributeError) as error:
        raise unreadable(run, f"{type(error).__name__}: {error}") from error
