"""``Caller``: what one question has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fedrag.datamodel import Mode, ServiceState
from fedrag.errors import FedragError, ServiceError, ServiceTimeoutError, UnavailableError
from fedrag.net.call import Call, CallRecord, Origin, Reply, now
from fedrag.net.credentials import secret_values, sort_credentials, split_headers
from fedrag.net.endpoint import Endpoint, check_address
from fedrag.net.key import call_key, sends_credentials

if TYPE_CHECKING:
    import httpx2

    from fedrag.net.client import Net

__all__ = ["Caller", "underlying"]


class Caller:
    """One question's access to the services: its deadline, and a trace of its calls."""

    def __init__(self, net: Net, deadline: float | None) -> None:
        self._net = net
        self._seconds = math.inf if deadline is None else round(deadline, 2)
        self._deadline = math.inf if deadline is None else now() + deadline
        self._hurried = False
        self.trace: list[CallRecord] = []

    def within(self, seconds: float) -> Caller:
        """A caller of the same question, same trace, whose calls all end ``seconds`` from now."""
        hurried = Caller(self._net, min(seconds, self.remaining()))
        hurried.trace, hurried._hurried = self.trace, True
        return hurried

    def remaining(self) -> float:
        """Seconds until the deadline; never below 0, infinite without one."""
        return max(0.0, self._deadline - now())

    @property
    def mode(self) -> Mode:
        """``replay`` from a cassette, ``cache`` when every reply came from there, else ``live``."""
        if self._net.replay is not None:
            return "replay"
        origins = {line.origin for line in self.trace if line.outcome == "ok"}
        return "cache" if origins == {"cache"} else "live"

    @property
    def recorded_at(self) -> str | None:
        """When the cassette that is replayed was recorded, ISO 8601 in UTC; live: ``None``."""
        return (self._net.replay.recorded_at or None) if self._net.replay is not None else None

    async def send(
        self,
        endpoint: Endpoint,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        json: Any = None,
        form: Sequence[tuple[str, str]] | None = None,
        headers: Mapping[str, str] | None = None,
        credentials: Mapping[str, str] | None = None,
        timeout: float | None = None,
        store: bool = True,
    ) -> Reply:
        """Make one call and return its 2xx reply.

        :param json: a JSON body, sent as it is (identity included).
        :param form: the fields of a form-encoded body, instead of a JSON one.
        :param credentials: header names and values, or query parameters where the name is one of
            :data:`fedrag.net.key.CREDENTIALS` or ``IDENTITY``; never written anywhere.
        :param timeout: seconds for one attempt instead of the endpoint's.
        :param store: whether the reply may be shared with identical calls and cached.
        :raises RateLimitedError: 429 until the retries were spent, or longer than there is time.
        :raises UnavailableError: unreachable, TLS, 4xx, 5xx, circuit breaker, offline.
        :raises ServiceTimeoutError: no answer within the timeout or the deadline.
        :raises TruncatedError: more bytes than ``endpoint.max_bytes``.
        :raises NeedsKeyError: 401 or 403.
        :raises OfflineError: a replay that does not hold the call.
        :raises ConfigError: an address that must not be called.
        """
        plain, secret = split_headers(headers or {})
        in_query, in_headers = sort_credentials({**secret, **(credentials or {})})
        fields = None if form is None else tuple((k, str(v)) for k, v in form)
        pairs = (*((k, str(v)) for k, v in query), *in_query)
        credentialed = bool(in_headers) or sends_credentials([*pairs, *(fields or ())], json)
        call = Call(
            endpoint=endpoint,
            method=method.upper(),
            path=path,
            key=call_key(endpoint.service, method, path, pairs, json, credentialed, fields),
            query=pairs,
            json=json,
            form=fields,
            headers={**plain, **in_headers},
            credentialed=credentialed,
            secrets=secret_values(in_headers, [*pairs, *(fields or ())], json),
            timeout=endpoint.timeout if timeout is None else timeout,
            store=store,
        )
        return await self.exchange(call)

    async def exchange(self, call: Call) -> Reply:
        """Answer a call from replay, cache or network, and note how it went."""
        started = now()
        try:
            reply = await self._answer(call)
        except ServiceError as error:
            error.call = call.key
            self._note(call, error.state, started, None, error.status)
            raise
        self._note(call, "ok" if reply.status < 400 else "unavailable", started, reply)
        return reply

    def discard(self, reply: Reply, endpoint: Endpoint) -> None:
        """Keep a reply that told of a failure with HTTP 200 out of the cache."""
        self._net.discard(reply, endpoint)

    def openai_client(self, endpoint: Endpoint, *, key: str | None) -> httpx2.AsyncClient:
        """A client to hand to ``openai.AsyncOpenAI(http_client=...)``.

        Whatever headers the package makes are rebuilt, so no ``OPENAI_*`` variable has an effect;
        calls are paced, recorded and replayed like any other, and 4xx and 5xx are returned.
        Pass ``base_url=endpoint.base_url``, any ``api_key`` and ``max_retries=0``.

        :param key: sent as a bearer token, ``none`` in its place where there is no key.
        """
        from fedrag.net.openai_transport import openai_client

        return openai_client(self, endpoint, key)

    async def _answer(self, call: Call) -> Reply:
        net = self._net
        if net.replay is not None:
            return net.replay.reply(call)
        check_address(call.endpoint.base_url, call.endpoint.trusted)
        try:
            reply = await net.cached(call) or await self._fresh(call)
        except ServiceError as error:
            _tell_mirrors(error, call.endpoint)
            if net.record is not None:
                net.record.add_failure(call, error)
            raise
        if net.record is not None:
            net.record.add(call, reply)
        return reply

    async def _fresh(self, call: Call) -> Reply:
        if self._net.offline:
            raise UnavailableError(
                f"offline, not cached: {call.service} {call.method} {call.path}",
                service=call.service,
                hint="ask it once without --offline",
            )
        if self.remaining() <= 0:
            raise self._too_late(call)
        try:
            return await self._net.fly(call, self._deadline)
        except TimeoutError as error:
            raise self._too_late(call) from error

    def _too_late(self, call: Call) -> ServiceTimeoutError:
        limit = f"in time: deadline of {self._seconds:g} s reached"
        if self._hurried:
            limit = f"within the {self._seconds:g} s there were for it"
        return ServiceTimeoutError(
            f"{call.service} did not answer {limit}",
            service=call.service,
            hint="raise the deadline",
        )

    def _note(
        self,
        call: Call,
        outcome: ServiceState,
        started: float,
        reply: Reply | None,
        status: int | None = None,
    ) -> None:
        origin: Origin = "replay" if self._net.replay is not None else "live"
        self.trace.append(
            CallRecord(
                service=call.service,
                method=call.method,
                path=call.path,
                origin=reply.origin if reply else origin,
                seconds=now() - started,
                outcome=outcome,
                status=reply.status if reply else status,
                bytes=len(reply.body) if reply else 0,
                key=call.key,
            )
        )


def _tell_mirrors(error: ServiceError, endpoint: Endpoint) -> None:
    """Where a service is down, name its other addresses (the user's data is the user's to send)."""
    down = isinstance(error, UnavailableError) and (error.status is None or error.status >= 500)
    if down and error.hint is None and endpoint.mirrors:
        flags = " or ".join(f"--base-url {endpoint.service}={url}" for url in endpoint.mirrors)
        error.hint = f"its document names another server: {flags}"


def underlying(error: BaseException) -> FedragError | None:
    """The fedrag error that another library wrapped (``openai`` wraps what our transport raises).

    >>> from fedrag.errors import OfflineError
    >>> try:
    ...     raise ValueError from OfflineError("not in the cassette")
    ... except ValueError as error:
    ...     underlying(error)
    OfflineError('not in the cassette')
    """
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, FedragError):
            return link
        link = link.__cause__ or link.__context__
    return None
