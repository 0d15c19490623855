"""One recorded call: what was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from fedrag.errors import (
    BadPayloadError,
    CassetteError,
    NeedsKeyError,
    RateLimitedError,
    ServiceError,
    ServiceTimeoutError,
    TruncatedError,
    UnavailableError,
)
from fedrag.net.body import decode_body, encode_body, redact_body, text_of
from fedrag.net.call import Call, Reply, utc_now
from fedrag.net.key import call_key, strip_json, strip_query
from fedrag.net.redact import redact

__all__ = ["Interaction"]

_ERRORS: dict[str, type[ServiceError]] = {
    kind.state: kind
    for kind in (
        UnavailableError,
        BadPayloadError,
        NeedsKeyError,
        RateLimitedError,
        ServiceTimeoutError,
        TruncatedError,
    )
}
_LICENCE = "licence"
_ONE_LINE = 2_000  # a longer JSON body is written on one line: pretty, it would treble in size


@dataclass(frozen=True, slots=True)
class Interaction:
    """A call and its reply or failure, as a cassette holds it.

    :param body: ``{"json": value}``, ``{"text": str}``, ``{"base64": str}``, ``{"removed": why}``,
        or empty where there was none.
    :param failure: ``{"state", "message", "hint"}`` of a call that failed.
    """

    key: str
    service: str
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    json: Any
    credentials: bool
    retrieved_at: str
    status: int | None
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    failure: dict[str, Any] | None = None
    form: tuple[tuple[str, str], ...] | None = None

    @classmethod
    def of_reply(cls, call: Call, reply: Reply, *, licensed: bool = False) -> Interaction:
        """Record a reply; a 4xx or 5xx one (language models) as the failure it is."""
        failure = None
        if reply.status >= 400:
            failure = {"state": "unavailable", "message": f"{call} answered {reply.status}"}
        body = {"removed": _LICENCE} if licensed else encode_body(reply.body, call.secrets)
        kept = {k: v for k, v in reply.headers.items() if k == "content-type"}
        return cls._of(call, reply.retrieved_at, reply.status, kept, body, failure)

    @classmethod
    def of_failure(cls, call: Call, error: ServiceError) -> Interaction:
        """Record a call that failed."""
        failure: dict[str, Any] = {
            "state": error.state,
            "message": redact(error.message, call.secrets),
        }
        if error.hint:
            failure["hint"] = error.hint
        return cls._of(call, utc_now(), error.status, {}, {}, failure)

    @classmethod
    def _of(
        cls,
        call: Call,
        retrieved_at: str,
        status: int | None,
        headers: dict[str, str],
        body: dict[str, Any],
        failure: dict[str, Any] | None,
    ) -> Interaction:
        return cls(
            key=call.key,
            service=call.service,
            method=call.method,
            path=call.path,
            query=strip_query(call.query),
            json=strip_json(call.json),
            credentials=call.credentialed,
            retrieved_at=retrieved_at,
            status=status,
            headers=headers,
            body=body,
            failure=failure,
            form=None if call.form is None else strip_query(call.form),
        )

    @classmethod
    def read(cls, raw: Any) -> Interaction:
        """From its JSON form.

        :raises CassetteError: something is missing or of the wrong kind.
        """
        try:
            return cls(
                key=text_of(raw["key"]),
                service=text_of(raw["service"]),
                method=text_of(raw["method"]),
                path=text_of(raw["path"]),
                query=_pairs(raw.get("query", ())),
                json=raw.get("json"),
                credentials=bool(raw.get("credentials", False)),
                retrieved_at=text_of(raw["retrieved_at"]),
                status=None if raw.get("status") is None else int(raw["status"]),
                headers={text_of(k): text_of(v) for k, v in raw.get("headers", {}).items()},
                body=dict(raw.get("body", {})),
                failure=None if raw.get("failure") is None else dict(raw["failure"]),
                form=_pairs(raw["form"]) if "form" in raw else None,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise CassetteError(what) from error

    def to_json(self) -> dict[str, Any]:
        """Its JSON form, without what is empty."""
        body = self.body
        if "json" in body and len(packed := orjson.dumps(body["json"])) > _ONE_LINE:
            body = {"json": orjson.Fragment(packed)}
        form = {
            "key": self.key,
            "service": self.service,
            "method": self.method,
            "path": self.path,
            "query": [list(pair) for pair in self.query],
            "json": self.json,
            "form": None if self.form is None else [list(pair) for pair in self.form],
            "credentials": self.credentials,
            "retrieved_at": self.retrieved_at,
            "status": self.status,
            "headers": dict(sorted(self.headers.items())),
            "body": body,
            "failure": self.failure,
        }
        optional = ("query", "headers", "body")
        return {k: v for k, v in form.items() if v is not None and (v or k not in optional)}

    def reply(self, *, raw: bool) -> Reply:
        """What the call brought.

        :param raw: a recorded 4xx or 5xx with its body is a reply, not an error.
        :raises ServiceError: of the class the recorded call failed with.
        """
        if self.failure is not None and not (raw and self.body and self.status):
            raise self._error(self.failure)
        if "removed" in self.body:
            raise self._removed()
        return Reply(
            status=self.status or 200,
            headers=self.headers,
            body=decode_body(self.body),
            retrieved_at=self.retrieved_at,
            origin="replay",
            seconds=0.0,
            service=self.service,
            key=self.key,
        )

    def _removed(self) -> UnavailableError:
        if self.body["removed"] != _LICENCE:
            return UnavailableError(
                f"the recorded answer of {self.service} was unreadable", service=self.service
            )
        return UnavailableError(
            f"the licence of {self.service} keeps its answers out of cassettes",
            service=self.service,
            hint=f"ask {self.service} live, with your own key",
        )

    def _error(self, failure: dict[str, Any]) -> ServiceError:
        kind = _ERRORS.get(str(failure.get("state")), UnavailableError)
        message = str(failure.get("message") or f"{self.service} failed")
        hint = failure.get("hint")
        return kind(message, service=self.service, status=self.status, hint=hint)

    def cleaned(self, *, licensed: bool) -> Interaction:
        """Without secrets, identity, and a body its licence keeps back."""
        body = self.body
        if licensed and body:
            body = {"removed": _LICENCE}
        elif body and "removed" not in body:
            body = redact_body(body)
        failure = self.failure and {
            k: redact(v) if isinstance(v, str) else v for k, v in self.failure.items()
        }
        return replace(
            self,
            query=strip_query(self.query),
            json=strip_json(self.json),
            form=None if self.form is None else strip_query(self.form),
            headers={k: v for k, v in self.headers.items() if k == "content-type"},
            body=body,
            failure=failure,
        )

    def problems(self) -> list[str]:
        """What a careful reader would object to; empty when it is sound."""
        found = []
        where = f"{self.service} {self.method} {self.path} ({self.key[:12]})"
        recomputed = call_key(
            self.service,
            self.method,
            self.path,
            self.query,
            self.json,
            self.credentials,
            self.form,
        )
        if recomputed != self.key:
            found.append(f"{where}: the key does not fit the call (it would be {recomputed[:12]})")
        unreadable = self._unreadable()
        if not unreadable and self.cleaned(licensed=False) != self:
            found.append(f"{where}: holds a secret or the caller's identity; run scrub")
        return found + [f"{where}: {text}" for text in unreadable]

    def _unreadable(self) -> list[str]:
        if self.failure is not None and self.failure.get("state") not in _ERRORS:
            return [f"unknown failure {self.failure.get('state')!r}"]
        if self.failure is None and self.status is None:
            return ["neither a status nor a failure"]
        try:
            if self.body:
                decode_body(self.body)
        except CassetteError as error:
            return [error.message]
        return []


def _pairs(raw: Any) -> tuple[tuple[str, str], ...]:
    return tuple((text_of(name), text_of(value)) for name, value in raw)
