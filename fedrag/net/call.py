"""A call, its reply, and the line it leaves in the trace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from fedrag.datamodel import ServiceState
from fedrag.depth import nested_too_deeply
from fedrag.errors import BadPayloadError
from fedrag.net.endpoint import Endpoint

__all__ = ["Call", "CallRecord", "Origin", "Reply", "first_words", "now", "utc_now"]

Origin = Literal["live", "cache", "replay"]
_SHOWN = 80  # characters of an unreadable answer that a message shows


def now() -> float:
    """The running loop's monotonic clock, in seconds (the same clock as its timeouts)."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


def utc_now() -> str:
    """This moment as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it goes through the room. ``secrets`` are the values never to be written."""

    endpoint: Endpoint
    method: str
    path: str
    key: str
    query: tuple[tuple[str, str], ...] = ()
    json: Any = None
    form: tuple[tuple[str, str], ...] | None = None  # a form-encoded body in place of a JSON one
    headers: Mapping[str, str] = field(default_factory=dict)
    credentialed: bool = False
    secrets: tuple[str, ...] = field(default=(), repr=False)
    timeout: float = 30.0
    store: bool = True
    raw: bool = False  # 4xx and 5xx are replies too (language models explain themselves there)

    @property
    def service(self) -> str:
        """The service that is asked."""
        return self.endpoint.service

    def __str__(self) -> str:
        return f"{self.service} {self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service answered.

    :param headers: those that matter for reading the body (``content-type``), lower-case.
    :param retrieved_at: when the call was first made, ISO 8601 in UTC.
    :param seconds: how long it took; 0 when it was replayed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    retrieved_at: str
    origin: Origin
    seconds: float
    service: str = ""
    key: str = ""

    def json(self) -> Any:
        """The body read as JSON.

        :raises BadPayloadError: it is not JSON; the message shows how it begins.

        >>> Reply(200, {}, b'{"a": 1}', "2025-01-01T00:00:00Z", "live", 0.1).json()
        {'a': 1}
        """
        try:
            value = orjson.loads(self.body)
        except orjson.JSONDecodeError as error:
            raise BadPayloadError(
                f"{self.service or 'the service'} answered {self._kind()} where JSON was promised: "
                f"{first_words(self.body)!r}",
                service=self.service,
                status=self.status,
            ) from error
        if nested_too_deeply(self.body):
            raise BadPayloadError(
                f"{self.service or 'the service'} answered JSON that is nested too deeply",
                service=self.service,
                status=self.status,
            )
        return value

    def _kind(self) -> str:
        start = self.body[:200].lstrip().lower()
        if "html" in self.headers.get("content-type", "") or start.startswith((b"<!doc", b"<html")):
            return "HTML"
        if not start:
            return "nothing"
        return "broken JSON" if start[:1] in (b"{", b"[") else "something else"


def first_words(body: bytes, limit: int = _SHOWN) -> str:
    """How a body begins, on one line."""
    text = body[: limit * 4].decode("utf-8", "replace")
    return " ".join(text.split())[:limit]


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One line of a question's trace. ``outcome`` is ``"ok"`` when the service answered."""

    service: str
    method: str
    path: str
    origin: Origin
    seconds: float
    outcome: ServiceState
    status: int | None
    bytes: int
    key: str = ""
