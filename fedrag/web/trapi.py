"""fedrag as a TRAPI 1.5 service: ``POST /query`` and ``GET /meta_knowledge_graph``.

Whatever goes wrong is told in TRAPI's own form too: a response with a status, a description and a
log entry, so that a TRAPI client needs to read nothing else.
"""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.errors import FedragError, PlanError
from fedrag.query import QueryRequest, parse_query
from fedrag.web.desk import Desk
from fedrag.web.failure import trapi_failure
from fedrag.web.metagraph import meta_knowledge_graph
from fedrag.web.refuse import JSON, RequestError, client_of, to_json
from fedrag.web.stream import while_there

__all__ = ["trapi_routes"]

_FRESH = 3600.0  # seconds that a meta-knowledge graph is served again


class _Trapi:
    """The two endpoints over one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._graph: tuple[float, bytes] | None = None
        self._reading = asyncio.Lock()

    async def query(self, request: Request) -> Response:
        """``POST /query``."""
        query: QueryRequest | None = None
        try:
            query = await _read(request)
            work = self._desk.query(query, client=client_of(request))
            answer = await while_there(request, work)
            body = await asyncio.to_thread(to_json, answer.response)
        except FedragError as error:
            return trapi_failure(error, query)
        return Response(body, media_type=JSON)

    async def meta_knowledge_graph(self, _: Request) -> Response:
        """``GET /meta_knowledge_graph``: read once an hour, and again when a service was down."""
        async with self._reading:
            now = time.monotonic()
            if self._graph is None or now - self._graph[0] > _FRESH:
                metakg, notes = await self._desk.session.metakg()
                body = await asyncio.to_thread(lambda: to_json(meta_knowledge_graph(metakg)))
                if notes:
                    return Response(body, media_type=JSON)
                self._graph = (now, body)
            return Response(self._graph[1], media_type=JSON)


def trapi_routes(desk: Desk) -> list[Route]:
    """The routes of the TRAPI service."""
    trapi = _Trapi(desk)
    return [
        Route("/query", trapi.query, methods=["POST"]),
        Route("/meta_knowledge_graph", trapi.meta_knowledge_graph, methods=["GET"]),
    ]


async def _read(request: Request) -> QueryRequest:
    """The query of a request.

    :raises RequestError: 501 where it is TRAPI that is not answered here.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RequestError(f"a TRAPI query is {JSON}, not {kind[:60] or 'of no type'}", status=415)
    try:
        return parse_query(await request.body())
    except PlanError as error:
        raise RequestError(error.message, status=501, hint=error.hint) from error
