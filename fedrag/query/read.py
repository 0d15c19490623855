"""JSON → :class:`QueryRequest`: every spelling of TRAPI 1.4 to 2.0, and what is wrong, with places.

Nothing of a query is passed over in silence: what cannot be honoured is refused where it changes
what the answer means, and noted where it does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from fedrag.depth import nested_too_deeply
from fedrag.errors import ConfigError, PlanError
from fedrag.query import place as places
from fedrag.query.check import check_graph
from fedrag.query.graph import GraphEdge, GraphNode, QueryRequest, SetKind
from fedrag.query.place import (
    Place,
    clipped,
    flag_at,
    list_at,
    mapping_at,
    refuse,
    shown,
    text_at,
)
from fedrag.query.readedge import read_edge

__all__ = ["MAX_BYTES", "as_request", "parse_query", "read_query"]

MAX_BYTES = 20_000_000
_LONGEST = 86_400  # seconds: longer ones, of any size, are as good as this
_LEVELS = ("ERROR", "WARNING", "INFO", "DEBUG")
_STEPS = frozenset(("lookup", "lookup_and_score", "score"))
_QUERY_KEYS = frozenset(
    ("message", "log_level", "bypass_cache", "workflow", "submitter", "parameters", "callback")
)
_PARAMETERS = frozenset(("timeout", "log_level", "bypass_cache"))
_MESSAGE_KEYS = ("knowledge_graph", "results", "auxiliary_graphs")
_NODE_KEYS = frozenset(
    ("ids", "categories", "set_interpretation", "member_ids", "constraints", "is_set")
)


def as_request(query: Any) -> QueryRequest:
    """A query in whatever form: decoded, as text, or read already."""
    if isinstance(query, QueryRequest):
        return query
    return parse_query(query) if isinstance(query, str | bytes) else read_query(query)


def parse_query(text: str | bytes, name: str = "the query") -> QueryRequest:
    """A query as text.

    :param name: what messages call it, a file's name for instance.
    :raises ConfigError: it is too large or no JSON; else as :func:`read_query`.
    """
    if len(text) > MAX_BYTES:
        raise ConfigError(f"{name} is larger than {MAX_BYTES:,} bytes")
    try:
        payload = json.loads(text, parse_constant=_no_constant)
        if nested_too_deeply(text if isinstance(text, bytes) else text.encode()):
            raise RecursionError
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is no JSON: it is not written in UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ConfigError(
            f"{name} is no JSON: {where}: {error.msg}", hint="give a TRAPI query as JSON"
        ) from error
    except RecursionError as error:
        raise ConfigError(f"{name} is nested too deeply") from error
    except ValueError as error:
        raise ConfigError(f"{name} is no JSON: {error}") from error
    request = read_query(payload)
    places.check_characters(payload, name)
    return request


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def read_query(payload: Any) -> QueryRequest:
    """A decoded query: a whole one, a message, or a bare query graph.

    :raises ConfigError: something is not as TRAPI says; the message names the place.
    :raises PlanError: it is TRAPI, and cannot be answered (nothing to start from, pathfinder, …).

    >>> request = read_query({"nodes": {"a": {"ids": ["MONDO:0005044"]}, "b": {}},
    ...                       "edges": {"e": {"subject": "b", "object": "a"}}})
    >>> request.edges["e"].ends
    ('b', 'a')
    """
    notes: list[str] = []
    query, place = _query(payload)
    graph = _graph(query, place, notes)
    _refuse_paths(graph, place)
    parameters = mapping_at(query.get("parameters"), ("parameters",))
    nodes, edges = _nodes(graph, place, notes), _edges(graph, place, notes)
    request = QueryRequest(
        nodes=nodes,
        edges=edges,
        log_level=_level(query, parameters),
        bypass_cache=_bypasses(query, ()) or _bypasses(parameters, ("parameters",)),
        timeout=_timeout(parameters),
        parameters=parameters or None,
        notes=(*notes, *_options(query, parameters)),
    )
    check_graph(request, place)
    return request


def _query(payload: Any) -> tuple[Mapping[str, Any], Place]:
    """The query, a bare message or graph put into one; and where its graph stands in what came."""
    if not isinstance(payload, dict):
        kind = "null" if payload is None else f"a {type(payload).__name__}"
        raise ConfigError(f"a TRAPI query is an object, not {kind}")
    if "message" in payload:
        return payload, ("message", "query_graph")
    if "query_graph" in payload:
        return {"message": payload}, ("query_graph",)
    if "nodes" in payload or "paths" in payload:
        return {"message": {"query_graph": payload}}, ()
    keys = ", ".join(sorted(payload)[:5]) or "nothing"
    raise ConfigError(
        f"there is no query graph in it (it has {keys})",
        hint="give a query graph, or an object with message.query_graph",
    )


def _graph(query: Mapping[str, Any], place: Place, notes: list[str]) -> Mapping[str, Any]:
    message = mapping_at(query.get("message"), ("message",))
    graph = message.get("query_graph")
    if graph is None:
        raise refuse(place, "there is no query graph", "nothing else can be looked up")
    for key in _MESSAGE_KEYS:
        if message.get(key):
            notes.append(f"message.{key} of the query was not read: only its query graph is")
    return mapping_at(graph, place)


def _refuse_paths(graph: Mapping[str, Any], place: Place) -> None:
    if graph.get("paths"):
        raise PlanError(
            f"{shown((*place, 'paths'))}: pathfinder queries are not answered: they ask for paths "
            "of any length, and no service is asked for what is not said",
            hint="write the hops as edges",
        )


def _nodes(graph: Mapping[str, Any], place: Place, notes: list[str]) -> dict[str, GraphNode]:
    here = (*place, "nodes")
    nodes = mapping_at(graph.get("nodes"), here)
    return {key: _node(key, value, (*here, key), notes) for key, value in nodes.items()}


def _node(key: str, value: Any, place: Place, notes: list[str]) -> GraphNode:
    given = mapping_at(value, place)
    if list_at(given.get("constraints"), (*place, "constraints")):
        raise PlanError(
            f"{shown((*place, 'constraints'))}: constraints on nodes cannot be checked: few "
            "services tell the attributes of nodes",
            hint="leave them out, and choose among the results",
        )
    ids = _texts(given.get("ids"), (*place, "ids"))
    members = _texts(given.get("member_ids"), (*place, "member_ids"))
    sets = _set_kind(given, ids, members, place)
    extra = {k: v for k, v in given.items() if k not in _NODE_KEYS}
    if extra:
        notes.append(f"{shown(place)}: unknown to TRAPI and without effect: {_listed(extra)}")
    return GraphNode(
        key=key,
        categories=_texts(given.get("categories"), (*place, "categories")),
        ids=members or ids,
        sets=sets,
        set_id=ids[0] if members and ids else None,
        extra=extra,
    )


def _set_kind(
    given: Mapping[str, Any], ids: tuple[str, ...], members: tuple[str, ...], place: Place
) -> SetKind:
    named = given.get("set_interpretation")
    is_set = flag_at(given.get("is_set"), (*place, "is_set"))
    kind: SetKind = "COLLATE" if named is None and is_set else "BATCH"
    if named is not None:
        if named not in get_args(SetKind):
            known = ", ".join(get_args(SetKind))
            raise refuse((*place, "set_interpretation"), f"{named!r} is none of {known}")
        kind = named
    if kind in ("ALL", "MANY"):
        if not members:
            raise refuse((*place, "member_ids"), f"{kind} needs the members of the set")
        if len(ids) > 1:
            raise refuse((*place, "ids"), f"with {kind} there is one identifier, that of the set")
    elif members:
        raise refuse((*place, "member_ids"), f"only for ALL and MANY, not for {kind}")
    if named == "COLLATE" and ids:
        raise refuse((*place, "set_interpretation"), "COLLATE is for nodes without ids")
    return kind


def _edges(graph: Mapping[str, Any], place: Place, notes: list[str]) -> dict[str, GraphEdge]:
    here = (*place, "edges")
    edges = mapping_at(graph.get("edges"), here)
    return {key: read_edge(key, value, (*here, key), notes) for key, value in edges.items()}


def _texts(value: Any, place: Place) -> tuple[str, ...]:
    read = (text_at(item, (*place, n)).strip() for n, item in enumerate(list_at(value, place)))
    return tuple(dict.fromkeys(read))


def _level(query: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    for table, place in ((query, ()), (parameters, ("parameters",))):
        level = table.get("log_level")
        if level is not None:
            if level not in _LEVELS:
                raise refuse((*place, "log_level"), f"{level!r} is none of {', '.join(_LEVELS)}")
            return str(level)
    return "DEBUG"


def _timeout(parameters: Mapping[str, Any]) -> float | None:
    """Seconds; a negative one asks for no limit, as TRAPI 2.0 has it: the session's is then."""
    value = parameters.get("timeout")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value == 0:
        raise refuse(("parameters", "timeout"), f"must be seconds, not {clipped(value)}")
    return float(min(value, _LONGEST)) if value > 0 else None


def _bypasses(table: Mapping[str, Any], place: Place) -> bool:
    return flag_at(table.get("bypass_cache"), (*place, "bypass_cache"))


def _options(query: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[str]:
    """Notes on what a query asks for besides its graph.

    :raises PlanError: it asks for another kind of answer.
    """
    for key in ("submitter", "callback"):
        if query.get(key) not in (None, ""):
            text_at(query[key], (key,))
    if query.get("callback"):
        raise PlanError(
            "callback: asynchronous queries are not answered", hint="leave callback out"
        )
    for number, step in enumerate(list_at(query.get("workflow"), ("workflow",))):
        name = mapping_at(step, ("workflow", number)).get("id")
        if name not in _STEPS:
            known = ", ".join(sorted(_STEPS))
            raise PlanError(
                f"workflow[{number}].id: the step {name!r} is not carried out",
                hint=f"there are: {known}",
            )
    notes = []
    if (parameters.get("timeout") or 1) < 0:
        notes.append("parameters.timeout: no limit was asked for; the deadline here holds")
    if unknown := query.keys() - _QUERY_KEYS:
        notes.append(f"unknown to TRAPI and without effect: {_listed(unknown)}")
    if unknown := parameters.keys() - _PARAMETERS:
        notes.append(f"parameters: without effect: {_listed(unknown)}")
    return notes


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
