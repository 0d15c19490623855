"""One call to an annotated service: made, judged, and its failure kept beside what was won."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.errors import BadPayloadError, ConfigError, NeedsKeyError, ServiceError
from fedrag.execute.service import Outcome
from fedrag.metakg import Operation, Service
from fedrag.metakg.xfedrag import Lookup
from fedrag.net import Caller, Reply
from fedrag.xbte import Request, failure_of, misshapen

__all__ = ["Calls", "fingerprint"]


@dataclass(slots=True)
class Calls:
    """The calls of one hop to one service; failures and counts go into ``outcome``."""

    service: Service
    caller: Caller
    credentials: Mapping[str, str]
    outcome: Outcome
    _looked_up: dict[str, asyncio.Future[tuple[Any, str] | None]] = field(default_factory=dict)

    async def once(
        self, request: Request, operation: Operation, lookup: Lookup | None
    ) -> tuple[Any, str] | None:
        """The answer to a look-up; operations that look up the same share it."""
        key = fingerprint(request)
        if key not in self._looked_up:
            self._looked_up[key] = asyncio.ensure_future(self.answer(request, operation, lookup))
        return await self._looked_up[key]

    async def answer(
        self, request: Request, operation: Operation, lookup: Lookup | None = None
    ) -> tuple[Any, str] | None:
        """What was answered, and when; a failure told with HTTP 200 is not kept as an answer.

        :param lookup: the look-up that is asked, where it is not the operation's own call.
        """
        reply = await self._send(request, operation)
        if reply is None:
            return None
        try:
            payload = reply.json()
            self._check(request, operation, lookup, payload)
        except ServiceError as error:
            error.call = reply.key
            self.caller.discard(reply, self.service.endpoint)
            self.outcome.failures.append(error)
            return None
        return payload, reply.retrieved_at

    def _check(
        self, request: Request, operation: Operation, lookup: Lookup | None, payload: Any
    ) -> None:
        """Raise what an answer says went wrong, or that it is none."""
        name = self.service.name
        if failure := failure_of(operation, payload):
            told: str | None = f"{name} answered with an error: {failure}"
        else:
            graphql = self.service.protocol == "graphql"
            what = misshapen(operation, request, payload, lookup=lookup, graphql=graphql)
            told = what and f"{name} answered {what} where records were promised"
        if told:
            raise BadPayloadError(told, service=name)

    async def _send(self, request: Request, operation: Operation) -> Reply | None:
        self.outcome.calls += 1
        try:
            return await self.caller.send(
                self.service.endpoint,
                request.method,
                request.path,
                query=request.query,
                json=request.json,
                form=request.form,
                credentials=self.credentials,
            )
        except ServiceError as error:
            if error.status not in operation.manner.empty_status:
                self.outcome.failures.append(self._refused(error))
            return None
        except ConfigError as error:  # an address that cannot be: one document's fault alone
            self.outcome.failures.append(
                BadPayloadError(error.message, service=self.service.name, hint=error.hint)
            )
            return None

    def _refused(self, error: ServiceError) -> ServiceError:
        """An error that says, where the key was sent and refused, that it is not missing."""
        auth = self.service.auth
        if isinstance(error, NeedsKeyError) and self.credentials and auth is not None:
            error.message = f"the key in {auth.env} was refused: {error.message}"
            error.hint = f"set {auth.env} to a key that is valid for {self.service.name}"
        return error


def fingerprint(request: Request) -> str:
    """A request as a key: equal ones are sent once."""
    return repr((request.method, request.path, request.query, request.form, request.json))
