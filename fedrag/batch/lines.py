"""One line out: what was asked, and the answer or the error; and what such a line says.

The same line is written by a run here and by a worker elsewhere, and read again by ``--resume``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import orjson

from fedrag import runs
from fedrag.batch.rows import BadRow, Row
from fedrag.datamodel import Answer
from fedrag.errors import (
    CitationError,
    ConfigError,
    EntityError,
    FedragError,
    PlanError,
)
from fedrag.export import answer_to_dict
from fedrag.runs.settings import secrets_of
from fedrag.session import Session

__all__ = [
    "Verdict",
    "answer_line",
    "bad_line",
    "brief",
    "error_line",
    "error_to_dict",
    "is_brief",
    "line_of",
    "verdict_of",
]

Verdict = Literal["answered", "no_evidence", "refused", "bad_row", "failed"]
# What the question itself is the cause of: asked again it comes out the same.
_OWN_FAULT = (EntityError, PlanError, CitationError, ConfigError)
_ROW = "RowError"


def _names(kind: type[FedragError]) -> set[str]:
    return {kind.__name__}.union(*(_names(one) for one in kind.__subclasses__()))


def verdict_of(line: Mapping[str, Any]) -> Verdict:
    """How one question came out.

    ``answered``; ``no_evidence``: services answered and nothing bears it out; ``refused``: an
    entity, the plan or the citations, which asking again does not change; ``bad_row``: the row
    could not be read; ``failed``: for want of time, connection or a service, so ask again.

    >>> verdict_of({"answer": None, "error": {"kind": "ServiceTimeoutError"}})
    'failed'
    """
    error, answer = line.get("error"), line.get("answer")
    if error:
        kind = str(error.get("kind"))
        if kind == _ROW:
            return "bad_row"
        return "refused" if any(kind in _names(own) for own in _OWN_FAULT) else "failed"
    if not answer or answer.get("completeness") == "unknown":
        return "failed"
    told = answer if is_brief(answer) else answer["answer"]
    return "no_evidence" if told["abstained"] else "answered"


def is_brief(answer: Mapping[str, Any]) -> bool:
    """Whether an answer of a line is the short form of :func:`brief`."""
    return "schema_version" not in answer


def error_to_dict(error: Exception, secrets: Iterable[str] = ()) -> dict[str, Any]:
    """An error as a line has it: its kind, what failed, and what to do next.

    >>> error_to_dict(PlanError("nothing fits", hint="name a drug"))
    {'kind': 'PlanError', 'message': 'nothing fits', 'hint': 'name a drug'}
    """
    told = runs.error_to_dict(error, secrets)
    if not isinstance(error, FedragError):
        told["message"] = f"internal error: {told['kind']}: {told['message']}"[:1000]
        told["hint"] = "ask it alone with `fedrag ask --debug` and report what that prints"
    return {key: told[key] for key in ("kind", "message", "hint")}


def line_of(
    row: Row | BadRow,
    *,
    answer: Mapping[str, Any] | None = None,
    error: Mapping[str, Any] | None = None,
    run: str = "",
) -> bytes:
    """A line of the output, without its end.

    Keys: ``id``, ``row``, ``question``, ``entities`` and ``template`` as they were asked,
    ``answer`` (``fedrag/schemas/answer.json``, or :func:`brief`) or null, ``error`` (``kind``,
    ``message``, ``hint``) or null, and ``run``, the name under which ``fedrag runs`` keeps it.
    """
    pins, template = (row.pins, row.template) if isinstance(row, Row) else ({}, None)
    line = {
        "id": row.id,
        "row": row.number,
        "question": row.question,
        "entities": dict(pins),
        "template": template,
        "answer": answer,
        "error": error,
        "run": run or None,
    }
    return orjson.dumps(line, option=orjson.OPT_NON_STR_KEYS)


def bad_line(row: BadRow) -> bytes:
    """The line of a row that could not be asked."""
    return line_of(row, error=error_to_dict(row.error))


def error_line(row: Row, error: Exception) -> bytes:
    """The line of a question that failed. With ``--strict`` an error may carry the answer."""
    return line_of(row, error=error_to_dict(error))


async def answer_line(session: Session, row: Row, *, short: bool = False) -> bytes:
    """Ask one question and write its line; whatever goes wrong is in the line, too."""
    answer, error, run = None, None, ""
    secrets = secrets_of(session.settings)
    try:
        answer = await session.ask(row.question, pins=row.pins, template=row.template)
        run = answer.run
    except FedragError as raised:
        answer, error, run = raised.answer, error_to_dict(raised, secrets), raised.run
    except Exception as raised:  # one question must not take the others with it
        error = error_to_dict(raised, secrets)
    try:
        told = (brief(answer) if short else answer_to_dict(answer)) if answer else None
        return line_of(row, answer=told, error=error, run=run)
    except Exception as raised:
        return error_line(row, raised)


def brief(answer: Answer) -> dict[str, Any]:
    """The answer alone, with the sources and publications of each key that its text cites.

    ``keys`` maps a key to ``sources`` (primary sources' infores) and ``publications`` (CURIEs).
    """
    cited = {key for sentence in answer.sentences for key in sentence.citations}
    keys = {
        evidence.key: {
            "sources": list(dict.fromkeys(edge.primary_source for edge in evidence.edges)),
            "publications": list(
                dict.fromkeys(one for edge in evidence.edges for one in edge.publications)
            ),
        }
        for evidence in answer.evidence
        if evidence.key in cited
    }
    return {
        "name": answer.name,
        "curie": answer.curie,
        "text": answer.text,
        "items": list(answer.items),
        "completeness": answer.completeness,
        "abstained": answer.abstained,
        "keys": keys,
    }
