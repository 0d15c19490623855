"""Answers of a shape that no answer to the call has: failures, never "nothing is known".

What is empty in the right shape (an empty list, hits that were not found) is an answer; so is an
object that lacks a field, for an entity may have nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Lookup, OutputLookup
from fedrag.xbte.paths import Path, as_path, nodes, shared
from fedrag.xbte.record import Request

__all__ = ["misshapen"]

_ENVELOPES = frozenset(("data", "hits"))  # what x-bte's paths call the array of records


def misshapen(
    operation: Operation,
    request: Request,
    payload: Any,
    *,
    lookup: Lookup | OutputLookup | None = None,
    graphql: bool = False,
) -> str | None:
    """What was answered in place of records, ``None`` where the answer can be one.

    :param lookup: the look-up that ``request`` is made of, where it is not the operation's call.
    :param graphql: the service speaks GraphQL, which answers with ``data`` whatever it finds.

    >>> operation = Operation("x", "ctd", "get", "/", "", "", "", mapping={"MESH": "data.id"})
    >>> misshapen(operation, Request("GET", "/"), None)
    'null'
    >>> misshapen(operation, Request("GET", "/"), {})
    'an empty object'
    >>> misshapen(operation, Request("GET", "/"), []) is None
    True
    """
    if type(payload) not in (list, dict):
        return _named(payload)
    paths = _lookup_paths(lookup) if lookup is not None else _paths(operation)
    if graphql:
        return _no_data(payload, paths)
    if _is_biothings(request, paths):
        return _no_hits(payload)
    array = _array_of(lookup) if lookup is not None else _items(operation)
    if type(payload) is list:
        return _no_rows(payload, paths, array)
    required = array if lookup is not None else array | _other_keys(operation)
    return _no_object_of_it(operation, payload, paths, required)


def _no_data(payload: Any, paths: list[Path]) -> str | None:
    """GraphQL gives every field that was asked for, be it ``null``."""
    data = payload.get("data") if type(payload) is dict else None
    if type(data) is not dict:
        return "no data"
    wanted = {path[1] for path in paths if len(path) > 1 and path[0] == "data"}
    for key in sorted(wanted & data.keys()):
        if data[key] is not None and type(data[key]) not in (list, dict):
            return f"{_named(data[key])} as {key!r}"
    return None if not wanted or wanted & data.keys() else "data without what was asked for"


def _no_hits(payload: Any) -> str | None:
    """BioThings answers a query with a list of hits, or with an object that has one."""
    hits = payload.get("hits") if type(payload) is dict else payload
    if type(hits) is not list:
        return "an object without a list of hits"
    return _no_records(hits)


def _no_rows(payload: list[Any], paths: list[Path], array: set[str]) -> str | None:
    if any(path == ("data",) for path in paths):  # the elements are identifiers
        return None
    if problem := _no_records(payload):
        return problem
    inside = (type(row) is dict and bool(array & row.keys()) for row in nodes(payload, ()))
    return f"a list without {_listed(array)}" if array and not any(inside) else None


def _no_records(elements: list[Any]) -> str | None:
    has_one = any(type(element) is dict for element in nodes(elements, ()))
    return "a list without any record" if elements and not has_one else None


def _no_object_of_it(
    operation: Operation, payload: dict[str, Any], paths: list[Path], required: set[str]
) -> str | None:
    if missing := required - payload.keys():
        return f"an object without {_listed(missing)}"
    if not payload and (operation.manner.echo_field or any(p[0] in _ENVELOPES for p in paths)):
        return "an empty object"
    for path in paths:
        value = payload.get(path[0])
        if len(path) > 1 and value and type(value) not in (list, dict):
            return f"{_named(value)} as {path[0]!r}"
    return None


def _paths(operation: Operation) -> list[Path]:
    """Where an operation's outputs stand."""
    ends = operation.manner.ends
    output = operation.mapping.get(operation.output_prefix)
    written = ends.first if ends else output
    chosen = [written] if written else list(operation.mapping.values())
    return [as_path(path) for path in chosen if path]


def _items(operation: Operation) -> set[str]:
    """The array that a page fills, by its first key."""
    pagination = operation.manner.pagination
    return {as_path(pagination.items)[0]} if pagination and pagination.items else set()


def _other_keys(operation: Operation) -> set[str]:
    """What an object that answers must have: its bare end, or the names it tells by position."""
    ends, aligned = operation.manner.ends, operation.manner.echo_aligned
    keys = {as_path(aligned.names)[0]} if aligned else set()
    # An end further down is a field of an entity.
    return keys | {ends.first} if ends and "." not in ends.first else keys


def _lookup_paths(lookup: Lookup | OutputLookup) -> list[Path]:
    return [as_path(lookup.id)]


def _array_of(lookup: Lookup | OutputLookup) -> set[str]:
    """The array of rows, where identifier and echo stand below one."""
    identifier = as_path(lookup.id)
    echo = as_path(lookup.echo or lookup.echo_index or "")
    return {identifier[0]} if echo and shared(identifier, echo) else set()


def _is_biothings(request: Request, paths: list[Path]) -> bool:
    """A query of BioThings: by its ``q`` with ``scopes``, or with paths that start at hits."""
    names = {name for name, _ in (*request.query, *(request.form or ()))}
    if isinstance(request.json, Mapping):
        names |= request.json.keys()
    return "q" in names and ("scopes" in names or any(path[0] == "hits" for path in paths))


def _named(value: Any) -> str:
    if value is None:
        return "null"
    if type(value) is list or type(value) is dict:
        return "a list" if type(value) is list else "an object"
    return "a text" if type(value) is str else "a number" if type(value) is not bool else "a flag"


def _listed(keys: set[str]) -> str:
    return " and ".join(repr(key) for key in sorted(keys))
