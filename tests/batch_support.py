"""Batches in tests: rows, askers that need no service, and reading what was written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedrag.batch import Row
from fedrag.batch.lines import error_line, line_of
from fedrag.errors import FedragError, UnavailableError

QUESTION = "what are the targets of imatinib?"
ANSWER = {"abstained": False, "completeness": "complete"}


def some(number: int) -> list[Row]:
    return [Row(f"q{i}", i, f"question {i}") for i in range(1, number + 1)]


class Asker:
    """Answers after so many turns of the loop, and fails where it is told to."""

    def __init__(
        self, turns: Mapping[str, int] | None = None, fails: Mapping[str, Any] | None = None
    ) -> None:
        self.turns, self.fails = turns or {}, fails or {}
        self.asked: list[str] = []
        self.at_once = self.most = 0

    async def __call__(self, row: Row) -> bytes:
        self.asked.append(str(row.id))
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            for _ in range(self.turns.get(str(row.id), 1)):
                await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        failure = self.fails.get(str(row.id))
        if isinstance(failure, FedragError):
            return error_line(row, failure)
        if failure is not None:
            raise failure
        return line_of(row, answer=ANSWER)


def down() -> UnavailableError:
    return UnavailableError("bte is down", service="bte")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def ids(path: Path) -> list[Any]:
    return [line["id"] for line in lines(path)]


def questions(path: Path, number: int, text: str = QUESTION) -> Path:
    """A file of so many rows of one question, each with an id of its own."""
    rows = (json.dumps({"id": f"q{i}", "question": text}) for i in range(1, number + 1))
    path.write_text("\n".join(rows) + "\n")
    return path
