"""Who may ask, and from where: host names, origins, the token, and the headers of every answer.

Each guard is a plain ASGI middleware. What they hold off: another site's page in the user's browser
(its origin, or its name pointed at this address), callers from elsewhere without the token, and
pages that would frame this one or be fed with scripts.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from abc import ABC, abstractmethod
from collections.abc import Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fedrag.errors import FedragError
from fedrag.web.failure import failure
from fedrag.web.refuse import RequestError

__all__ = [
    "HEADERS",
    "LOOPBACK",
    "HeadGuard",
    "HostGuard",
    "OriginGuard",
    "SecureHeaders",
    "TokenGuard",
    "host_name",
]

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_LARGEST_HEAD = 32_768
_OPEN = frozenset(("/health",))  # tells nothing but that the service is there
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class SecureHeaders:
    """Adds the headers that keep a browser on the safe side to every answer, errors included.

    A header that the answer has already is left: an asset may let itself be cached.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def _add_headers(message: MutableMapping[str, Any]) -> None:
    given = list(message.get("headers", ()))
    names = {name.lower() for name, _ in given}
    new = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in names]
    message["headers"] = [*given, *new]


class _Guard(ABC):
    """Lets a request through, or answers with the error that :meth:`check` raises."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] == "http":
            try:
                self.check(scope, Headers(scope=scope))
            except FedragError as error:
                await failure(scope, error)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    @abstractmethod
    def check(self, scope: Scope, headers: Headers) -> None:
        """Raise what the request is refused with."""


class HeadGuard(_Guard):
    """Only heads of a decent size; the server itself limits those alone that come in pieces."""

    def check(self, scope: Scope, _: Headers) -> None:
        """Refuse a head with more than is ever needed."""
        size = len(scope["raw_path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > _LARGEST_HEAD:
            raise RequestError(
                f"the head of the request is larger than {_LARGEST_HEAD:,} bytes",
                status=431,
                hint="send what is long in a body",
                headers={"Connection": "close"},
            )


class HostGuard(_Guard):
    """Only requests for one of its names: a foreign name that resolves to here is not one.

    :param names: host names without ports; empty: any (the token then keeps strangers out).
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        super().__init__(app)
        self.names = frozenset(name.lower() for name in names)

    def check(self, _: Scope, headers: Headers) -> None:
        """Refuse a name that is not one of ours."""
        hosts = headers.getlist("host")
        if len(hosts) == 1 and (not self.names or host_name(hosts[0]) in self.names):
            return
        raise RequestError(
            "this service is not called by that Host",
            status=403,
            hint="use its own address, or start it with --allow-host NAME",
        )


def host_name(host: str) -> str:
    """The name of a ``Host`` header, without its port; empty where it is none.

    >>> host_name("LOCALHOST:8000"), host_name("[::1]:80"), host_name("a@b")
    ('localhost', '::1', '')
    """
    try:
        parts = urlsplit(f"//{host}")
        return "" if parts.username or parts.path else (parts.hostname or "")
    except ValueError:
        return ""


class OriginGuard(_Guard):
    """Refuses what another site's page sends: it may link here, and nothing else.

    A program that is no browser sends neither ``Origin`` nor ``Sec-Fetch-Site``, and passes.
    """

    def check(self, scope: Scope, headers: Headers) -> None:
        """Refuse a foreign origin, and a fetch from another site that is not a visit."""
        origin = headers.get("origin")
        if origin is not None and not _same(origin, headers):
            raise self._refused(origin)
        site = headers.get("sec-fetch-site", "none")
        visit = headers.get("sec-fetch-mode") == "navigate" and scope["method"] in _SAFE
        framed = headers.get("sec-fetch-dest") not in (None, "document")
        if site not in ("none", "same-origin") and not (visit and not framed):
            raise self._refused(origin or site)

    def _refused(self, origin: str) -> RequestError:
        return RequestError(
            f"requests from the pages of another site ({origin[:80]}) are refused",
            status=403,
            hint="call this service from its own page, or from a program",
        )


def _same(origin: str, headers: Headers) -> bool:
    """Whether an origin is this service's own; behind a proxy the scheme may differ."""
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and host == headers.get("host", "")


class TokenGuard(_Guard):
    """Only requests that show the token: as a bearer token, or as the password of Basic.

    A browser asks its user for the latter (any name will do). :param token: compared in constant
    time, and never shown.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        super().__init__(app)
        self._token = token.encode()

    def check(self, scope: Scope, headers: Headers) -> None:
        """Refuse whoever does not show it."""
        if scope["path"] in _OPEN:
            return
        if not hmac.compare_digest(_shown(headers.get("authorization", "")), self._token):
            raise RequestError(
                "this service wants its token",
                status=401,
                hint="send it as `Authorization: Bearer TOKEN`, or as the password of Basic",
                headers={"WWW-Authenticate": 'Basic realm="fedrag", Bearer realm="fedrag"'},
            )


def _shown(authorization: str) -> bytes:
    scheme, _, value = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip().encode()
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(value.strip(), validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""
