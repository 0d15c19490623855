"""Errors in the form of whom they are told to: TRAPI's own for TRAPI's endpoints."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response
from starlette.types import Scope

from fedrag.biolink import biolink
from fedrag.errors import FedragError, PlanError
from fedrag.query import QueryRequest
from fedrag.query.graphs import write_query_graph
from fedrag.query.respond import SCHEMA_VERSIONS
from fedrag.web.refuse import JSON, headers_of, refusal, status_of, to_json

__all__ = ["failure", "trapi_failure"]

_TRAPI = frozenset(("/query",))


def failure(scope: Scope, error: FedragError) -> Response:
    """The answer that tells an error at the path of a request."""
    return trapi_failure(error) if scope["path"] in _TRAPI else refusal(error)


def trapi_failure(error: FedragError, query: QueryRequest | None = None) -> Response:
    """An error as a TRAPI response.

    A query that is right and that nobody here can serve is no failure of HTTP: 200, with no results
    and the status ``QueryNotTraversable``.

    :param query: what was asked, where it could be read.
    """
    untraversable = isinstance(error, PlanError)
    graph = write_query_graph(query, "1.5") if query is not None else None
    nothing: dict[str, Any] = {"knowledge_graph": None, "results": None}
    if untraversable:
        nothing = {"knowledge_graph": {"nodes": {}, "edges": {}}, "results": []}
    status = "QueryNotTraversable" if untraversable else type(error).__name__
    body = {
        "message": {"query_graph": graph, **nothing},
        "status": status,
        "description": str(error),
        "schema_version": SCHEMA_VERSIONS["1.5"],
        "biolink_version": biolink().version,
        "logs": [
            {
                "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "level": "ERROR",
                "code": status,
                "message": str(error),
            }
        ],
    }
    code = 200 if untraversable else status_of(error)
    return Response(to_json(body), code, headers_of(error), JSON)
