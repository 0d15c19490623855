"""A run on disk: ``run.json``, ``questions.jsonl`` and ``results.jsonl``, one line a question.

Lines are appended and flushed to the disk one by one, so that a killed run keeps what it has. A
half-written last line is dropped; when a question occurs twice, its last line counts.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from fedrag.bench.model import Question, QuestionResult
from fedrag.bench.questions import read_questions, write_questions
from fedrag.errors import ConfigError

__all__ = ["Run", "Writer", "fingerprint", "read_run", "stored_questions"]

FORMAT = 1
_CLOSED = "closed world"
_SAME = (
    *("set", "questions_sha256", "part", "sample", "leave_one_out", "excluded", "services"),
    *("corpus", "cassette", "arms", "llm", "context_tokens", "system_prompt"),
    *("embedder", "top_k", "max_tokens", "taxon"),
)


def fingerprint(path: Path) -> dict[str, str]:
    """A file's name and SHA-256 (of a folder: of its files in their order), as ``run.json`` has it.

    :raises ConfigError: it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    return {"name": path.name, "sha256": digest.hexdigest()}


@dataclass(frozen=True)
class Run:
    """A run as it was read: its settings, its questions, and a result by question id."""

    folder: Path
    meta: dict[str, Any]
    questions: list[Question]
    results: dict[str, QuestionResult]
    notes: list[str] = field(default_factory=list)  # lines that could not be read


def read_run(folder: Path) -> Run:
    """Read a run's folder, finished or not.

    :raises ConfigError: a file is missing, or is not a run's.
    """
    meta = _meta(folder)
    path = folder / "questions.jsonl"
    if not path.is_file():
        raise ConfigError(f"{folder} is no benchmark run: it has no questions.jsonl")
    questions, refused = read_questions(path)
    results, notes = _lines(folder / "results.jsonl")
    passed = [f"{path.name}, row {one.row} was passed over: {one.reason}" for one in refused]
    return Run(folder, meta, questions, results, [*passed, *notes])


def stored_questions(folder: Path) -> dict[str, Question]:
    """The questions of a run that could be run, as they were: with all they were scored by.

    :raises ConfigError: a file of it cannot be read.
    """
    path = folder / "questions.jsonl"
    if not path.is_file():
        return {}
    results, _ = _lines(folder / "results.jsonl")
    ran = {name for name, result in results.items() if result.error is None}
    return {question.id: question for question in read_questions(path)[0] if question.id in ran}


def _meta(folder: Path) -> dict[str, Any]:
    try:
        meta = orjson.loads((folder / "run.json").read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise ConfigError(
            f"{folder} is no benchmark run: run.json cannot be read ({error})",
            hint="name a folder that `fedrag bench run --out` wrote",
        ) from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise ConfigError(f"{folder}/run.json is of another format than {FORMAT}")
    return meta


def _lines(path: Path) -> tuple[dict[str, QuestionResult], list[str]]:
    results: dict[str, QuestionResult] = {}
    notes: list[str] = []
    content = path.read_bytes() if path.is_file() else b""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            result = QuestionResult.from_dict(orjson.loads(line))
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            notes.append(f"{path.name}, line {number} was passed over: {error}")
            continue
        results[result.id] = result
    return results, notes


class Writer:
    """Appends results to a run's folder.

    :param meta: the run's settings, as ``run.json`` keeps them.
    :param resume: go on with what the folder holds; else it must be new or empty.
    :raises ConfigError: the folder holds a run already, or one of other settings; it cannot be
        written; a setting is none that JSON can hold. Nothing is made or changed then.
    """

    def __init__(
        self, folder: Path, meta: Mapping[str, Any], questions: Sequence[Question], *, resume: bool
    ) -> None:
        self.folder, self.meta = folder, dict(meta)
        _as_json(self.meta)
        self.done: dict[str, QuestionResult] = {}
        self.notes: list[str] = []
        path = folder / "results.jsonl"
        if (folder / "run.json").is_file():
            self._take_up(path, resume)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _whole_lines(path)
            write_questions(folder / "questions.jsonl", questions)
            self._write_meta()
            self._file = path.open("ab")
        except OSError as error:
            raise ConfigError(f"{folder} cannot be written: {error.strerror or error}") from error

    def _take_up(self, path: Path, resume: bool) -> None:
        if not resume:
            raise ConfigError(
                f"{self.folder} already holds a run", hint="add --resume, or name another --out"
            )
        before = _meta(self.folder)
        for key in _SAME:
            was, now = before.get(key), self.meta.get(key)
            if key in before and _compared(was) != _compared(now):  # older runs lack newer keys
                raise ConfigError(
                    f"{self.folder} holds a run with {key} {_in_words(was)}, not {_in_words(now)}",
                    hint="resume it with the same options, or name another --out",
                )
        self.meta["started"] = before.get("started", self.meta.get("started"))
        self.meta["finished"] = before.get("finished")
        found = {
            key: _CLOSED for key in ("evidence", "recorded_from") if before.get(key) == _CLOSED
        }
        self.meta |= found  # it shows in answers, which may all be in
        self.meta["note"] = _both(str(before.get("note", "")), str(self.meta.get("note", "")))
        self.done, self.notes = _lines(path)

    def add(self, result: QuestionResult) -> None:
        """Append one result; it is on the disk when this returns."""
        self.done[result.id] = result
        self.meta["finished"] = None
        self._file.write(orjson.dumps(result.to_dict(), option=orjson.OPT_NON_STR_KEYS) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def is_closed_world(self) -> None:
        """Note at once that the closed world answers, whoever was thought to be asked."""
        key = "recorded_from" if self.meta.get("evidence") == "recorded" else "evidence"
        if self.meta.get(key) != _CLOSED:
            self.meta[key] = _CLOSED
            self._write_meta()

    def close(self, finished: str | None = None) -> None:
        """Close the file; ``finished`` is when the last question was done.

        A run that was finished before, and to which nothing was added, keeps its own time.
        """
        self._file.close()
        self.meta["finished"] = self.meta.get("finished") or finished
        self._write_meta()

    def _write_meta(self) -> None:
        temporary = self.folder / ".run.json"
        temporary.write_bytes(_as_json(self.meta))
        temporary.replace(self.folder / "run.json")


def _as_json(meta: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(dict(meta), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError as error:
        raise ConfigError(f"run.json cannot hold the settings of this run: {error}") from error


def _compared(value: Any) -> Any:
    """A file is the same under another name."""
    return value["sha256"] if _is_file(value) else value


def _in_words(value: Any) -> str:
    return f"{value['name']} (sha256 {value['sha256'][:12]}…)" if _is_file(value) else repr(value)


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and {"name", "sha256"} <= value.keys()


def _both(before: str, now: str) -> str:
    """The notes of a run that was taken up, on another machine perhaps."""
    if now in before:
        return before
    return f"{before}; then: {now}" if before else now


def _whole_lines(path: Path) -> None:
    """Cut a last line that a killed run left without its end."""
    if not path.is_file():
        return
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)
