"""Calls kept on purpose: a readable file that answers in place of the network.

A cassette is one JSON file (or a folder of them): where and when it was recorded, the questions it
was recorded for, and every call by key with its reply or failure. Secrets, identity and the bodies
of services whose licence forbids passing them on are never in it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import orjson

from fedrag import __version__
from fedrag.errors import CassetteError, OfflineError, ServiceError
from fedrag.net.call import Call, Reply, utc_now
from fedrag.net.cassette_file import FORMAT, read_document, refuse, replace_file
from fedrag.net.interaction import Interaction

__all__ = ["Cassette"]

_LISTED = 3  # questions that a miss lists
_LICENSED = frozenset({"oncokb"})  # kept back whatever a document says


class Cassette:
    """Recorded calls by key, and facts about the recording.

    :param path: the file (or folder) it is saved to; ``None``: it stays in memory.
    :param note: a sentence about the recording for whoever reads it.
    :param licensed: services whose bodies are not stored.

    >>> Cassette(note="an empty one").summary()["calls"]
    {}
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        note: str = "",
        licensed: Iterable[str] = (),
    ) -> None:
        self.path = path
        self.note = note
        self.licensed = _LICENSED | frozenset(licensed)
        self.questions: list[str] = []
        self.recorded_from: dict[str, str] = {}
        self.known: dict[str, str] = {}  # services there were, with why they were off ("": on)
        self.recorded_at = ""
        self.fedrag_version = __version__
        self.interactions: dict[str, Interaction] = {}
        self._written: Path | None = None  # the file that holds all of it

    @classmethod
    def new(
        cls, path: Path | None = None, *, note: str = "", licensed: Iterable[str] = ()
    ) -> Cassette:
        """An empty cassette. A path that is a folder, or ends in ``/``, gets a file of its own."""
        return cls(path, note=note, licensed=licensed)

    @classmethod
    def load(cls, path: Path) -> Cassette:
        """Read a file, or all ``*.json`` of a folder into one.

        :raises CassetteError: it is missing, not a cassette, or malformed; with the line where
            JSON breaks.
        """
        path = Path(path)
        if not path.is_dir():
            return cls._load_file(path)
        files = sorted(path.glob("*.json"))
        if not files:
            raise CassetteError(f"no cassette in the folder {path}", hint="it holds no *.json file")
        merged = cls._load_file(files[0])
        for file in files[1:]:
            merged.merge(cls._load_file(file))
        merged.path = path
        return merged

    @classmethod
    def _load_file(cls, path: Path) -> Cassette:
        document = read_document(path)
        meta = document["meta"]
        cassette = cls(path, note=str(meta.get("note", "")))
        cassette.questions = [str(question) for question in meta.get("questions", ())]
        cassette.known = {str(k): str(v) for k, v in meta.get("services", {}).items()}
        cassette.recorded_from = {str(k): str(v) for k, v in meta.get("recorded_from", {}).items()}
        cassette.recorded_at = str(meta.get("recorded_at", ""))
        cassette.fedrag_version = str(meta.get("fedrag_version", ""))
        for number, raw in enumerate(document["interactions"], start=1):
            try:
                interaction = Interaction.read(raw)
            except CassetteError as error:
                refuse(path, f"interaction {number} is malformed: {error.message}")
            cassette._put(interaction)
        return cassette

    @property
    def meta(self) -> dict[str, Any]:
        """Facts about the recording, as they are stored."""
        return {
            "format": FORMAT,
            "fedrag_version": self.fedrag_version,
            "recorded_at": self.recorded_at,
            "recorded_from": dict(sorted(self.recorded_from.items())),
            **({"services": dict(sorted(self.known.items()))} if self.known else {}),
            "note": self.note,
            "questions": sorted(set(self.questions)),
        }

    def why_off(self, service: str) -> str:
        """Why a service was not asked when this was recorded; ``""``: it could have been.

        A recording that does not list its services knew those it holds calls to.
        """
        return self._known().get(service, "not part of the recording that is replayed")

    def _known(self) -> dict[str, str]:
        return self.known or dict.fromkeys(sorted(self.services), "")

    @property
    def services(self) -> frozenset[str]:
        """The services that the recording holds calls to."""
        return frozenset(interaction.service for interaction in self.interactions.values())

    def add_question(self, question: str) -> None:
        """Note a question the recording is for."""
        if question not in self.questions:
            self.questions.append(question)
            self._written = None

    def add(self, call: Call, reply: Reply) -> None:
        """Record a reply."""
        licensed = call.service in self.licensed
        self._record(call, Interaction.of_reply(call, reply, licensed=licensed))

    def add_failure(self, call: Call, error: ServiceError) -> None:
        """Record a call that failed, unless the same call was answered."""
        self._record(call, Interaction.of_failure(call, error))

    def _record(self, call: Call, interaction: Interaction) -> None:
        self.recorded_from[call.service] = _without_user(call.endpoint.base_url)
        self._written = None
        self._put(interaction)
        self.recorded_at = max(self.recorded_at, interaction.retrieved_at)

    def _put(self, interaction: Interaction) -> None:
        """An answer replaces a failure, never the other way round; else the later one counts.

        So the outcome does not depend on the order in which calls come back.
        """
        known = self.interactions.get(interaction.key)
        if known is None or _preference(interaction) >= _preference(known):
            self.interactions[interaction.key] = interaction

    def merge(self, other: Cassette) -> None:
        """Take over another cassette's calls and questions; a service on in either is on."""
        self._written = None
        if self.known or other.known:
            tables = self._known(), other._known()
            names = sorted(set().union(*tables))
            self.known = {n: min(table[n] for table in tables if n in table) for n in names}
        for interaction in other.interactions.values():
            self._put(interaction)
        for question in other.questions:
            self.add_question(question)
        self.recorded_from.update(other.recorded_from)
        self.recorded_at = max(self.recorded_at, other.recorded_at)
        self.fedrag_version = other.fedrag_version or self.fedrag_version
        notes = dict.fromkeys(note for note in (self.note, other.note) if note)
        self.note = " ".join(notes)

    def reply(self, call: Call) -> Reply:
        """The recorded reply to a call.

        :raises ServiceError: the recorded call failed; the same class again.
        :raises OfflineError: there is no such call here.
        """
        interaction = self.interactions.get(call.key)
        if interaction is None:
            raise self._miss(call)
        return interaction.reply(raw=call.raw)

    def _miss(self, call: Call) -> OfflineError:
        if call.service == "llm" and "llm" not in self.services:
            hint = "it was recorded without a language model, and a replay asks none"
        else:
            hint = self._recorded_for()
        return OfflineError(f"the cassette holds no such call: {call}", hint=hint)

    def _recorded_for(self) -> str:
        questions = sorted(set(self.questions))
        if not questions:
            return "it names no questions"
        more = len(questions) - _LISTED
        listed = "; ".join(questions[:_LISTED]) + (f"; and {more} more" if more > 0 else "")
        rest = "; `fedrag cassette show NAME` lists them" if more > 0 else ""
        return f"it was recorded for: {listed}{rest}"

    def save(self) -> Path | None:
        """Write it, merged into what the file already holds; the file written.

        The file is replaced in one step: a crash leaves the old one or the new one. It is left
        as it is where nothing was recorded since it was last written.

        :raises CassetteError: the file there is no cassette, or it cannot be written.
        """
        if self.path is None:
            return None
        target = self._file(self.path)
        if target == self._written and target.is_file():
            return target
        if target.is_file():
            whole = Cassette._load_file(target)
            whole.merge(self)
        else:
            whole = self
        whole._write(target)
        self._written = target
        return target

    def overwrite(self) -> Path:
        """Write it in place of what the file holds (after :meth:`scrub`).

        :raises CassetteError: it was read from a folder, or cannot be written.
        """
        if self.path is None or self.path.is_dir():
            raise CassetteError("a folder of cassettes is rewritten file by file")
        self._write(self.path)
        return self.path

    def _file(self, path: Path) -> Path:
        """The file to write: in a folder, one named after the questions."""
        if not path.is_dir() and not str(path).endswith(("/", os.sep)) and path.suffix:
            return path
        name = hashlib.sha256("\n".join(sorted(set(self.questions))).encode()).hexdigest()[:12]
        return path / f"{name}.json"

    def _write(self, target: Path) -> None:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, self.to_bytes())
        except OSError as error:
            raise CassetteError(
                f"cannot write the cassette {target}: {error.strerror or error}",
                hint="check the folder's rights and the space left",
            ) from error

    def to_bytes(self) -> bytes:
        """The text of the file: the same for the same calls, in whatever order they came."""
        document = {
            "meta": {**self.meta, "recorded_at": self.recorded_at or utc_now()},
            "interactions": [self.interactions[key].to_json() for key in sorted(self.interactions)],
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def scrub(self) -> int:
        """Clean every call again; how many had to be."""
        changed = 0
        for key, interaction in self.interactions.items():
            clean = interaction.cleaned(licensed=interaction.service in self.licensed)
            changed += clean != interaction
            self.interactions[key] = clean
        before = dict(self.recorded_from)
        self.recorded_from = {name: _without_user(url) for name, url in before.items()}
        return changed + (before != self.recorded_from)

    def verify(self) -> list[str]:
        """Problems, one line each: keys that do not fit, secrets, unreadable or licensed bodies."""
        found = [text for _, one in sorted(self.interactions.items()) for text in one.problems()]
        for name, url in sorted(self.recorded_from.items()):
            if _without_user(url) != url:
                found.append(f"{name}: its address holds a user name or password; run scrub")
        for one in self.interactions.values():
            if one.service in self.licensed and one.body and "removed" not in one.body:
                found.append(f"{one.service}: its licence forbids storing answers; run scrub")
        return found

    def summary(self) -> dict[str, Any]:
        """What ``fedrag cassette show`` shows: facts, and counts of calls by service."""
        calls: dict[str, dict[str, int]] = {}
        for _, one in sorted(self.interactions.items()):
            counts = calls.setdefault(one.service, {"answered": 0, "failed": 0})
            counts["answered" if one.failure is None else "failed"] += 1
        return {
            "path": None if self.path is None else str(self.path),
            **self.meta,
            "calls": dict(sorted(calls.items())),
            "total": len(self.interactions),
        }


def _preference(interaction: Interaction) -> tuple[bool, str]:
    return interaction.failure is None, interaction.retrieved_at


def _without_user(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))
