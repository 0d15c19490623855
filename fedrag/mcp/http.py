"""The server over streamable HTTP, for any number of clients, behind the web service's guards."""

from __future__ import annotations

from collections.abc import Callable

from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fedrag.mcp.server import create_server
from fedrag.session import Session
from fedrag.tools import Toolbox
from fedrag.web.bodies import BodyGuard
from fedrag.web.guard import HostGuard, OriginGuard, TokenGuard
from fedrag.web.server import Binding, listen, server

__all__ = ["PATH", "create_app", "serve_http"]

PATH = "/mcp"
_LARGEST_BODY = 1_000_000  # bytes; the arguments of a tool are a few hundred
_BODY_SECONDS = 10.0  # for a body to come whole
_MOST_SESSIONS = 1_000
_IDLE_SECONDS = 1_800.0


async def serve_http(
    session: Session,
    place: Binding,
    port: int = 0,
    *,
    told: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until interrupted; then close the session.

    :param place: where, under which names, and with which token
        (:func:`fedrag.web.server.binding`); ``port``: 0 for a free one.
    :param told: called with the address once it can be reached.
    :raises ConfigError: the address cannot be used.
    """
    app = _closing(session, create_app(Toolbox(session), place))
    listening = listen(place.host, port)
    name = f"[{place.host}]" if ":" in place.host else place.host
    told(f"http://{name}:{listening.getsockname()[1]}{PATH}")
    async with session:
        await server(app).serve(sockets=[listening])


def create_app(toolbox: Toolbox, place: Binding) -> ASGIApp:
    """The server as an ASGI application, behind its guards.

    Another site's page in the user's browser is refused, by its origin or by the name that it was
    made to reach this address under; where there is a token, whoever does not show it is. Bodies
    that are too large or too slow are refused as well.

    :param toolbox: open; closed by whoever made it.
    """
    app: ASGIApp = create_server(toolbox, shared=True).streamable_http_app(
        streamable_http_path=PATH,
        host=place.host,
        # The guards below decide who gets in: the SDK's own list knows neither further names of
        # this service nor a Host without a port.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        session_idle_timeout=_IDLE_SECONDS,
        max_sessions=_MOST_SESSIONS,
    )
    app = BodyGuard(app, _LARGEST_BODY, _BODY_SECONDS)
    if place.token:
        app = TokenGuard(app, place.token)
    return OriginGuard(HostGuard(app, place.hosts))


def _closing(session: Session, app: ASGIApp) -> ASGIApp:
    """The application, which closes the session when the server shuts down.

    uvicorn ends the process by the signal that it caught: what comes after it is not reached.
    """

    async def with_end(scope: Scope, receive: Receive, send: Send) -> None:
        async def watched() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await session.aclose()
            return message

        await app(scope, watched if scope["type"] == "lifespan" else receive, send)

    return with_end
