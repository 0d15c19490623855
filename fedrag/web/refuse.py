"""Errors as HTTP answers: the right status, and what failed, on what, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from fedrag.errors import (
    CassetteError,
    CitationError,
    ConfigError,
    EntityError,
    FedragError,
    LLMError,
    OfflineError,
    PlanError,
    RunError,
    ServiceError,
    ServiceTimeoutError,
)
from fedrag.web.desk import SlowError
from fedrag.web.turns import BusyError

__all__ = [
    "JSON",
    "RUN_HEADER",
    "RequestError",
    "client_of",
    "error_facts",
    "headers_of",
    "refusal",
    "status_of",
    "to_json",
]

JSON = "application/json"
RUN_HEADER = "X-Fedrag-Run"  # the id of the run that an answer is of, where it was logged
# The first that fits: an error's own class stands before the one it is a kind of.
_STATUS: tuple[tuple[type[FedragError], int], ...] = (
    (BusyError, 503),
    (SlowError, 504),
    (CassetteError, 500),
    (RunError, 404),
    (ConfigError, 400),
    (EntityError, 422),
    (PlanError, 422),
    (CitationError, 422),
    (ServiceTimeoutError, 504),
    (ServiceError, 502),
    (OfflineError, 422),  # the client asks a recording for what it does not hold
    (LLMError, 502),
)
# Hints are written for the command line; here the same things have the names of the body's fields.
_FLAGS = (
    (re.compile(r'--entity "?([^"=]+)=CURIE"?'), r'"entities": {"\1": "CURIE"}'),
    (re.compile(r"--(entity|template|only|exclude)\b"), r'"\1"'),
    (re.compile(r'"entity"'), '"entities"'),
)


class RequestError(FedragError):
    """A request that cannot be taken as it is; ``status`` is the HTTP status that says why.

    >>> RequestError("the body is no JSON", status=400).status
    400
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.headers = dict(headers or {})


def status_of(error: FedragError) -> int:
    """The HTTP status of an error.

    >>> status_of(PlanError("nothing to plan")), status_of(FedragError("?"))
    (422, 500)
    """
    if isinstance(error, RequestError):
        return error.status
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def error_facts(error: FedragError) -> dict[str, Any]:
    """What a program needs of an error: its kind, its words, the nearest names where there are.

    >>> error_facts(PlanError("x?", hint='pin it with --entity "x=CURIE"'))["hint"]
    'pin it with "entities": {"x": "CURIE"}'
    """
    nearest = list(getattr(error, "nearest", ()))
    return {
        "kind": type(error).__name__,
        "message": error.message,
        "hint": _here(error.hint),
        **({"nearest": nearest} if nearest else {}),
    }


def _here(hint: str | None) -> str | None:
    for flag, field in _FLAGS if hint else ():
        hint = flag.sub(field, hint or "")
    return hint


def headers_of(error: FedragError) -> dict[str, str]:
    """Headers that belong to an error: when to come again, how to show who one is."""
    if isinstance(error, BusyError):
        return {"Retry-After": str(error.retry_after)}
    return dict(error.headers) if isinstance(error, RequestError) else {}


def refusal(error: FedragError) -> Response:
    """``{"error": {kind, message, hint}}``; beside it the answer, where one was won all the same.

    >>> refusal(RequestError("no such page", status=404)).body
    b'{"error":{"kind":"RequestError","message":"no such page","hint":null}}'
    """
    body: dict[str, Any] = {"error": error_facts(error)}
    if error.answer is not None:
        body["answer"] = error.answer.to_dict()
    return Response(to_json(body), status_of(error), headers_of(error), JSON)


def client_of(request: Request) -> str:
    """By whom those who wait are served in turn: the address a request comes from."""
    return request.client.host if request.client else ""


def to_json(value: Any) -> bytes:
    """JSON on one line."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
