"""The web application: routes, guards, and the session behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from fedrag.errors import CassetteError, FedragError
from fedrag.web.api import api_routes
from fedrag.web.beside import SessionBeside
from fedrag.web.bodies import BodyGuard
from fedrag.web.desk import Desk, DeskLimits
from fedrag.web.failure import failure
from fedrag.web.guard import (
    HEADERS,
    LOOPBACK,
    HeadGuard,
    HostGuard,
    OriginGuard,
    SecureHeaders,
    TokenGuard,
)
from fedrag.web.openapi import openapi_routes
from fedrag.web.page import page_routes
from fedrag.web.refuse import RequestError
from fedrag.web.stream import ClientGone
from fedrag.web.trapi import trapi_routes

if TYPE_CHECKING:
    from fedrag.session import Session

__all__ = ["create_app"]


class _RunId(Convertor[str]):
    """A whole identifier of a run, as :mod:`fedrag.runs` gives them."""

    regex = r"\d{8}T\d{6}-[0-9a-f]{6}"

    def convert(self, value: str) -> str:
        """As it is."""
        return value

    def to_string(self, value: str) -> str:
        """As it is."""
        return value


register_url_convertor("run_id", _RunId())


def create_app(
    session: Session | None = None,
    *,
    own: bool = False,
    limits: DeskLimits | None = None,
    hosts: Collection[str] = LOOPBACK,
    token: str | None = None,
    **options: Any,
) -> Starlette:
    """The service as an ASGI application.

    :param session: answers everything; without one, a session of ``options`` (as for
        :func:`fedrag.ask`) is opened.
    :param own: the session is not used by anyone else: it works in a thread of its own, and is
        closed when the server stops. One that is opened here always is so.
    :param limits: what may happen at once.
    :param hosts: names this service is called by; empty: any.
    :param token: what every request but ``/health`` must show; ``None``: nothing.
    :raises ConfigError: as :class:`fedrag.session.Session`.

    >>> create_app(replay="demo").url_path_for("ask")
    '/ask'
    """
    from fedrag.session import Session

    own = own or session is None
    session = session or Session(**options)
    desk = Desk(SessionBeside.of(session) if own else session, limits)
    guards = [Middleware(SecureHeaders), Middleware(HeadGuard)]
    guards += [Middleware(HostGuard, names=hosts), Middleware(OriginGuard)]
    if token:
        guards.append(Middleware(TokenGuard, token=token))
    guards.append(Middleware(BodyGuard))
    app = Starlette(
        routes=[*api_routes(desk), *trapi_routes(desk), *openapi_routes(), *page_routes(desk)],
        middleware=guards,
        exception_handlers={
            FedragError: _told,
            HTTPException: _http,
            ClientGone: _gone,
            Exception: _internal,
        },
        lifespan=lambda app: _lifespan(app, desk, own),
    )
    app.router.redirect_slashes = False
    app.state.desk = desk
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette, desk: Desk, own: bool) -> AsyncIterator[None]:
    """Get ready what every run needs; in the end stop what is under way and close the session.

    That a recording could not be written is left in ``app.state.unsaved``: the server that calls
    this tells no caller what fails here.
    """
    warming = asyncio.create_task(asyncio.to_thread(_warm_up))
    try:
        yield
    finally:
        await asyncio.gather(warming, return_exceptions=True)
        await desk.aclose()
        if own:
            try:
                await desk.session.aclose()
            except CassetteError as error:
                app.state.unsaved = error


def _warm_up() -> None:
    import numpy  # noqa: F401  (what ranking needs, imported before the first question)

    from fedrag.biolink import biolink
    from fedrag.web.page.render import warm_up

    biolink()
    warm_up()


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, FedragError)
    return failure(request.scope, error)


async def _http(request: Request, error: Exception) -> Response:
    """What the router refuses: no such path, or another method."""
    assert isinstance(error, HTTPException)
    path = request.url.path[:80]
    said = {404: f"there is nothing at {path}", 405: f"{path} does not take {request.method}"}
    told = RequestError(
        said.get(error.status_code, error.detail),
        status=error.status_code,
        hint="see /openapi.json for what there is",
        headers=error.headers,
    )
    return failure(request.scope, told)


async def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=499)  # nobody reads it


async def _internal(request: Request, _: Exception) -> Response:
    told = FedragError(
        "internal error", hint="the log of the server says more; please report what it says"
    )
    answer = failure(request.scope, told)
    answer.headers.update(HEADERS)  # this answer is made outside all guards
    return answer
