"""A TRAPI response of any version from 1.2 to 2.0 → edges, and what was lost on the way.

Tolerant on purpose: a null, a missing key, an unknown one or a bad edge costs that edge, counted by
reason, never the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.datamodel import Edge
from fedrag.errors import BadPayloadError
from fedrag.trapi.bindings import BoundEdges, bound_edges
from fedrag.trapi.edges import EdgeReader, UnreadableEdgeError
from fedrag.trapi.outcome import failure_of, is_truncated

__all__ = ["ReadResult", "read_response"]

_PARTS_OF_A_MESSAGE = ("knowledge_graph", "results", "query_graph")


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a response held.

    ``edges`` are the bound ones and those of their auxiliary graphs, in the order of the results,
    not merged, their ``id`` empty. ``dropped`` counts by reason what is not among them, most first.
    ``failure`` is a failure told with HTTP 200; ``truncated`` says the service cut its answer;
    ``results`` counts the results.
    """

    edges: tuple[Edge, ...]
    dropped: tuple[tuple[str, int], ...] = ()
    failure: str | None = None
    truncated: bool = False
    results: int = 0


def read_response(
    payload: Any,
    *,
    service: str,
    infores: str,
    retrieved_at: str = "",
    query_ids: Mapping[str, Sequence[str]] | None = None,
) -> ReadResult:
    """Read one response.

    :param payload: decoded JSON; a bare message, as in TRAPI's own examples, is read too.
    :param service: name for ``Edge.answered_by``; ``infores`` stands in as primary source where an
        edge names none; ``retrieved_at`` is when the call was first made, ISO 8601 UTC.
    :param query_ids: query node key → identifiers asked; by default those of the query graph that
        the service repeats.
    :raises BadPayloadError: it is not a TRAPI response: no object, or none with a message.

    >>> from fedrag.trapi.reader import read_response
    >>> message = {"knowledge_graph": {
    ...     "nodes": {"CHEBI:5778": {"name": "hydrochlorothiazide"}},
    ...     "edges": {"e": {"subject": "CHEBI:5778", "predicate": "biolink:treats",
    ...                     "object": "MONDO:0005044", "sources": None}, "f": None}},
    ...     "results": [{"analyses": [{"edge_bindings": {"e01": [{"id": "e"}, {"id": "f"}]}}]}]}
    >>> read = read_response({"message": message}, service="bte", infores="infores:bte")
    >>> read.edges[0].subject.name, read.edges[0].primary_source, read.dropped
    ('hydrochlorothiazide', 'infores:bte', (('edge is null', 1),))
    """
    response, message = _message(payload, service)
    results = _list(message.get("results"))
    graph = _dict(message.get("knowledge_graph"))
    edges = _keyed(graph.get("edges"))
    asked_with = query_ids if query_ids is not None else _query_ids(message)
    bound = bound_edges(results, edges, _keyed(message.get("auxiliary_graphs")), asked_with)
    reader = EdgeReader(
        _keyed(graph.get("nodes")), service=service, infores=infores, retrieved_at=retrieved_at
    )
    read, dropped = _read_edges(edges, bound, reader)
    return ReadResult(
        edges=read,
        dropped=tuple(sorted(dropped.items(), key=lambda item: (-item[1], item[0]))),
        failure=failure_of(response, results=len(results)),
        truncated=is_truncated(response),
        results=len(results),
    )


def _read_edges(
    edges: Mapping[str, Any], bound: BoundEdges, reader: EdgeReader
) -> tuple[tuple[Edge, ...], Counter[str]]:
    read: list[Edge] = []
    dropped = Counter(bound.missing)
    for key, asked in bound.asked.items():
        try:
            read.append(reader.read(edges[key], asked))
        except UnreadableEdgeError as reason:
            dropped[str(reason)] += 1
    if unbound := len(edges) - len(bound.asked):
        dropped["not bound"] = unbound
    return tuple(read), dropped


def _message(payload: Any, service: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The response and the message in it."""
    if not isinstance(payload, dict):
        kind = "null" if payload is None else f"a {type(payload).__name__}"
        raise _bad(service, f"{kind} where a TRAPI response was due")
    message = payload.get("message")
    if isinstance(message, dict):
        return payload, message
    if "message" not in payload and any(key in payload for key in _PARTS_OF_A_MESSAGE):
        return {}, payload
    if message is None and failure_of(payload, results=0):
        return payload, {}  # it failed, and says how
    said = next((payload[k] for k in ("message", "detail", "error") if payload.get(k)), None)
    shown = f': "{str(said)[:80]}"' if said else ""
    raise _bad(service, f"JSON without a TRAPI message{shown}")


def _bad(service: str, what: str) -> BadPayloadError:
    return BadPayloadError(
        f"{service} answered {what}",
        service=service,
        hint="check that its address is a TRAPI /query",
    )


def _query_ids(message: Mapping[str, Any]) -> dict[str, list[str]]:
    nodes = _dict(_dict(message.get("query_graph")).get("nodes"))
    found: dict[str, list[str]] = {}
    for key, node in nodes.items():
        ids = node.get("ids") if isinstance(node, dict) else None
        found[key] = [curie for curie in _list(ids) if isinstance(curie, str)]
    return found


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _keyed(value: Any) -> dict[str, Any]:
    """A mapping by identifier; the lists of TRAPI 0.9, whose members hold their own, become one."""
    if isinstance(value, list):
        held = (item for item in value if isinstance(item, dict))
        return {item["id"]: item for item in held if isinstance(item.get("id"), str)}
    return _dict(value)
