"""What is kept of one run: what was asked, with what, what came of it, and the whole answer."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

import orjson

from fedrag import __version__
from fedrag.datamodel import Answer
from fedrag.errors import FedragError
from fedrag.export import answer_to_dict, plan_to_dict
from fedrag.export.json import edge_to_dict
from fedrag.net.redact import redact
from fedrag.runs.files import unreadable
from fedrag.runs.whole import edge_of, read_answer, write_answer

__all__ = ["Outcome", "RunRecord", "RunSummary", "error_to_dict"]

Outcome = Literal["answered", "abstained", "unanswered", "failed"]
_BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list of runs.

    :ivar started: ISO 8601, UTC; :ivar seconds: from the question to its answer or failure.
    :ivar outcome: ``answered``; ``abstained``: no evidence; ``unanswered``: no service answered;
        ``failed``: an error, whose kind is in ``error``.
    :ivar answer: the name of the answer, or the first of several.
    """

    id: str
    started: str
    seconds: float
    mode: str
    question: str
    outcome: Outcome
    answer: str | None = None
    completeness: str | None = None
    edges: int = 0
    error: str | None = None
    cassette: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values.

        >>> RunSummary("r", "", 0.1, "live", "q", "failed", error="PlanError").to_dict()["error"]
        'PlanError'
        """
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run.

    :ivar id: ``""`` until :meth:`RunLog.add <fedrag.runs.RunLog.add>` gives one.
    :ivar settings: those that the answer depends on, without secrets.
    :ivar sources: primary knowledge source (infores) → edges retrieved from it.
    :ivar cassette: ``name``, ``path``, ``sha256`` and ``how`` (``replayed`` or ``recorded``).
    :ivar error: ``kind``, ``message``, ``hint`` and ``exit_code`` of what was raised.
    """

    question: str
    started: str
    seconds: float
    id: str = ""
    pins: Mapping[str, str] = field(default_factory=dict)
    template: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    fedrag_version: str = __version__
    biolink_version: str = ""
    python: str = field(default_factory=platform.python_version)
    mode: str = "live"
    outcome: Outcome = "failed"
    name: str | None = None
    completeness: str | None = None
    edges_retrieved: int = 0
    plan: Mapping[str, Any] | None = None
    services: tuple[Mapping[str, Any], ...] = ()
    sources: Mapping[str, int] = field(default_factory=dict)
    timings: Mapping[str, Any] = field(default_factory=dict)
    cassette: Mapping[str, str] | None = None
    error: Mapping[str, Any] | None = None
    body: bytes = field(default=b"null", repr=False)  # the whole answer, as ``whole`` writes it

    @property
    def answer(self) -> dict[str, Any] | None:
        """The documented JSON form of the answer (``None`` after a failure that left none).

        :raises RunError: it cannot be read.
        """
        answer = self.restored()
        if answer is None:
            return None
        then = {"fedrag_version": self.fedrag_version, "biolink_version": self.biolink_version}
        return answer_to_dict(answer) | then

    def restored(self) -> Answer | None:
        """The answer as it was given, all edges included.

        :raises RunError: it cannot be read.
        """
        if self.body == b"null":
            return None
        try:
            answer = read_answer(self.body)
        except _BROKEN as error:
            raise unreadable(self.id, f"{type(error).__name__}: {error}") from error
        return replace(answer, run=self.id)

    def edge(self, edge_id: str) -> dict[str, Any] | None:
        """The whole passport of one edge that this run retrieved, or ``None``.

        :raises RunError: the run cannot be read.
        """
        if f'"id":{orjson.dumps(edge_id).decode()}'.encode() not in self.body:
            return None
        try:
            edge = edge_of(self.body, edge_id)
        except _BROKEN as error:
            raise unreadable(self.id, f"{type(error).__name__}: {error}") from error
        return edge_to_dict(edge) if edge else None

    def summary(self) -> RunSummary:
        """The line of the list."""
        return RunSummary(
            id=self.id,
            started=self.started,
            seconds=self.seconds,
            mode=self.mode,
            question=self.question,
            outcome=self.outcome,
            answer=self.name,
            completeness=self.completeness,
            edges=self.edges_retrieved,
            error=self.error["kind"] if self.error else None,
            cassette=self.cassette["name"] if self.cassette else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """All of the run as plain JSON values; ``answer`` is the documented form.

        >>> RunRecord("why?", "2026-11-30T09:01:02Z", 0.5).to_dict()["outcome"]
        'failed'
        """
        return self.head() | {"answer": self.answer}

    def head(self) -> dict[str, Any]:
        """All but the answer."""
        order = ("id", *(one.name for one in fields(self) if one.name not in ("id", "body")))
        return {name: getattr(self, name) for name in order}


def with_answer(answer: Answer) -> dict[str, Any]:
    """The fields of a record that an answer fills."""
    from fedrag.biolink import biolink

    return {
        "biolink_version": biolink().version,
        "mode": answer.mode,
        "outcome": _outcome(answer),
        "name": answer.name or (answer.items[0] if answer.items else None),
        "completeness": answer.completeness,
        "edges_retrieved": len(answer.all_edges),
        "plan": plan_to_dict(answer.plan) if answer.plan else None,
        "services": tuple(report.to_dict() for report in answer.services),
        "sources": dict(Counter(e.primary_source for e in answer.all_edges).most_common()),
        "timings": dict(answer.timings),
        "body": write_answer(answer),
    }


def _outcome(answer: Answer) -> Outcome:
    if answer.completeness == "unknown":
        return "unanswered"
    return "abstained" if answer.abstained else "answered"


def error_to_dict(error: BaseException, secrets: Iterable[str] = ()) -> dict[str, Any]:
    """What there is to know of a failure, without secrets.

    >>> error_to_dict(FedragError("no such file", hint="check the path"))["hint"]
    'check the path'
    """
    known = isinstance(error, FedragError)
    secrets = tuple(secrets)
    hint = error.hint if isinstance(error, FedragError) else None
    return {
        "kind": type(error).__name__,
        "message": redact(error.message if isinstance(error, FedragError) else str(error), secrets),
        "hint": redact(hint, secrets) if hint else None,
        "exit_code": error.exit_code if isinstance(error, FedragError) else 1,
        **({"nearest": list(near)} if known and (near := getattr(error, "nearest", ())) else {}),
    }
