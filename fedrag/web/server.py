"""The HTTP server: uvicorn, bound to loopback unless a token is there, and hard on idlers.

uvicorn has no limit for a client that sends its headers byte by byte, holds idle connections, or
never reads its answer: :class:`Watched` has.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from fedrag.errors import ConfigError
from fedrag.web.ending import Ended, EndingServer
from fedrag.web.guard import LOOPBACK
from fedrag.web.target import AnyTarget

__all__ = ["Binding", "Watched", "binding", "listen", "read_token", "server"]

_SHORTEST = 16  # characters of a token: fewer can be guessed
_ANY = frozenset(("0.0.0.0", "::", ""))  # noqa: S104  (compared with, never bound by itself)
HEAD_SECONDS, IDLE_SECONDS, UNREAD_SECONDS = 10.0, 5, 30.0
GRACE_SECONDS = 5  # for what is under way when the service is told to end
MOST_CONNECTIONS = 1_000
_LARGEST_HEAD = 32_768  # bytes: a question of 2,000 characters in the address has room
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: 91\r\n\r\n"
    b'{"error":{"kind":"BusyError","message":"too many connections","hint":"ask again in 5 s"}}  '
)
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: 87\r\n\r\n"
    b'{"error":{"kind":"RequestError","message":"the request did not come","hint":"send it"}}'
)


@dataclass(frozen=True, slots=True)
class Binding:
    """Where the service listens, what it is called there, and what it wants to see.

    :ivar hosts: names it answers to; empty: any.
    """

    host: str
    hosts: frozenset[str]
    token: str | None


def binding(host: str, token: str | None, allowed: Sequence[str] = ()) -> Binding:
    """Where to listen: on loopback freely, elsewhere only with a token.

    :param allowed: further names of this service, as a proxy calls it.
    :raises ConfigError: another address than loopback, and no token.

    >>> binding("127.0.0.1", None).token is None
    True
    """
    if token is None and host not in LOOPBACK:
        raise ConfigError(
            f"{host or 'every address'} can be reached from elsewhere, so a token is wanted",
            hint="set FEDRAG_TOKEN or --token-file FILE, or listen on 127.0.0.1",
        )
    if host in _ANY and not allowed:
        return Binding(host, frozenset(), token)  # its names are not known; the token guards it
    return Binding(host, LOOPBACK | {host.lower(), *(name.lower() for name in allowed)}, token)


def read_token(file: Path | None, environ_value: str | None) -> str | None:
    """The token of a file's first line, else of the environment.

    :raises ConfigError: the file cannot be read, or the token is too short to be safe.
    """
    if file is None and not environ_value:
        return None
    try:
        text = file.read_text(encoding="utf-8") if file else environ_value or ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the token file {file} cannot be read: {error}") from error
    token = (text.splitlines() or [""])[0].strip()
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable():
        where = str(file) if file else "FEDRAG_TOKEN"
        raise ConfigError(
            f"the token in {where} must have at least {_SHORTEST} plain characters",
            hint='make one with python -c "import secrets; print(secrets.token_urlsafe())"',
        )
    return token


class Watched(H11Protocol):
    """A connection that ends when its client dawdles, and that is refused when there are too many.

    A head has ten seconds to come; an answer that nobody reads is given up after thirty.
    """

    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._end_with(_FULL)
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self._no_longer("_head")
        self._no_longer("_unread")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes came: a head must be whole within its time, counted from its first byte."""
        if self.transport.is_closing():
            return
        if self._between():
            self._await_head()
        super().data_received(data)
        if not self._between():
            self._no_longer("_head")

    def pause_writing(self) -> None:
        """The client does not read as fast as it is written to."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        self._no_longer("_unread")
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Idle for too long: closed, by force where something is still unread."""
        super().timeout_keep_alive_handler()
        self._no_longer("_unread")
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP: the last answer of this connection."""
        self._no_longer("_head")
        super().send_400_response(msg)

    def _between(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _await_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._end_with, _LATE)

    def _end_with(self, answer: bytes) -> None:
        self._no_longer("_head")
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _no_longer(self, name: str) -> None:
        timer: asyncio.TimerHandle | None = getattr(self, name)
        if timer is not None:
            timer.cancel()
            setattr(self, name, None)


def server(app: ASGIApp) -> uvicorn.Server:
    """A server, to be run on a socket that listens (``server(app).run([listen(host, port)])``).

    It ends on SIGINT or SIGTERM; what is under way then has five seconds, and is told after them
    that the service is being stopped.
    """
    config = uvicorn.Config(
        Ended(AnyTarget(app)),
        http=Watched,
        ws="none",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=_LARGEST_HEAD,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=2 * GRACE_SECONDS,
    )
    return EndingServer(config, GRACE_SECONDS)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, so that its port is known before anything is served.

    :raises ConfigError: the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's delay off only where it is.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise ConfigError(
            f"{host}:{port} cannot be used: {error.strerror or error}",
            hint="give another --port (0: a free one) or --host",
        ) from error
    made.listen(2_048)  # so that whoever is told of it may come at once
    return made
