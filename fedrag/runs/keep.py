"""What a session hands its runs to: it writes them down beside the event loop.

A folder that cannot be written costs one note in the answer, never the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fedrag.config import Settings
from fedrag.datamodel import Answer
from fedrag.errors import FedragError, RunError
from fedrag.runs.log import RunLog, open_log
from fedrag.runs.record import RunRecord, error_to_dict, with_answer
from fedrag.runs.settings import secrets_of, settings_to_dict

__all__ = ["Asked", "RunKeeper", "cassette_facts"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way: what is known of a run before it has an answer.

    :ivar timings: filled by the run as it goes, so a failure keeps what was done.
    """

    question: str
    settings: Settings
    pins: Mapping[str, str] = field(default_factory=dict)
    template: str | None = None
    timings: Mapping[str, Any] = field(default_factory=dict)
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat())
    clock: float = field(default_factory=time.perf_counter)


class RunKeeper:
    """Keeps the runs of one session.

    :param settings: name the folder and how many runs stay.
    :param replayed: the cassette (a file or a folder) that answers in place of the network.
    :param recording: whether the calls are recorded; :meth:`recorded` then says where.
    :param secrets: never written down, beside those in the settings.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        replayed: Path | None = None,
        recording: bool = False,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self._settings = settings
        self._log: RunLog | None = None  # opened when the first run is kept
        self._replayed = replayed
        self._recording = recording
        self._secrets = secrets
        self._cassette: dict[str, str] | None = None  # read when the first run is kept
        self._to_amend: list[str] = []

    async def answered(self, asked: Asked, answer: Answer) -> Answer:
        """Keep an answer; the same answer with the run's identifier, or with a note that says why
        it has none."""
        seconds = time.perf_counter() - asked.clock
        try:
            run = await asyncio.to_thread(self._keep, asked, seconds, answer, None)
        except Exception as error:  # whatever it is, the answer is there
            note = f"this run was not kept for `fedrag runs`: {error} (--no-log keeps none)"
            return replace(answer, notes=(*answer.notes, note))
        return replace(answer, run=run)

    async def failed(self, asked: Asked, error: Exception) -> None:
        """Keep a failure, and the answer it carries; the error then knows its run.

        Trouble with the log is passed over: it must not stand before the error itself.
        """
        seconds = time.perf_counter() - asked.clock
        answer = error.answer if isinstance(error, FedragError) else None
        try:
            run = await asyncio.to_thread(self._keep, asked, seconds, answer, error)
        except Exception:
            return
        if isinstance(error, FedragError):
            error.run = run
            error.answer = replace(answer, run=run) if answer else None

    def recorded(self, cassette: Path) -> None:
        """Say in the runs kept so far which cassette holds their calls, now that it is written."""
        waiting, self._to_amend = self._to_amend, []
        with contextlib.suppress(OSError, FedragError):  # the cassette is there, and the runs too
            facts = cassette_facts(cassette, "recorded") if waiting else {}
            for run in waiting:
                with contextlib.suppress(RunError):  # pruned by now
                    self._opened().amend(run, cassette=facts)

    def _keep(
        self, asked: Asked, seconds: float, answer: Answer | None, error: Exception | None
    ) -> str:
        secrets = (*self._secrets, *secrets_of(asked.settings))
        given: dict[str, Any] = with_answer(answer) if answer else {"timings": dict(asked.timings)}
        if error is not None:
            given |= {"error": error_to_dict(error, secrets), "outcome": "failed"}
        if answer is None and self._replayed:
            given["mode"] = "replay"
        record = RunRecord(
            question=asked.question,
            started=asked.started,
            seconds=round(seconds, 4),
            pins=dict(asked.pins),
            template=asked.template,
            settings=settings_to_dict(asked.settings),
            cassette=self._replayed_facts(),
            **given,
        )
        run = self._opened().add(record)
        if self._recording:
            self._to_amend.append(run)
        return run

    def _opened(self) -> RunLog:
        if self._log is None:
            self._log = open_log(self._settings)
        return self._log

    def _replayed_facts(self) -> dict[str, str] | None:
        if self._replayed and self._cassette is None:
            self._cassette = cassette_facts(self._replayed)
        return self._cassette


def cassette_facts(path: Path, how: str = "replayed") -> dict[str, str]:
    """What a run says of its cassette.

    :param path: a file, or a folder of them; :param how: ``replayed`` or ``recorded``.
    :raises OSError: it cannot be read.

    >>> from fedrag.resources import cassettes_dir
    >>> cassette_facts(cassettes_dir() / "demo.json")["name"]
    'demo'
    """
    return {"name": path.stem, "path": str(path.resolve()), "sha256": _hash(path), "how": how}


def _hash(path: Path) -> str:
    """SHA-256 of a cassette's file; of a folder, that of its files' hashes in order of name."""
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    hashes = (hashlib.sha256(file.read_bytes()).digest() for file in sorted(path.glob("*.json")))
    return hashlib.sha256(b"".join(hashes)).hexdigest()
