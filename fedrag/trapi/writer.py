"""Query graphs and query bodies, in the TRAPI version a service declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fedrag.datamodel import QueryEdge, QueryNode

__all__ = ["write_graph", "write_query"]

_LATEST = "1.5.0"
_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?")
_NONE: Mapping[str, Sequence[str]] = {}


def write_query(
    *,
    nodes: Mapping[str, QueryNode],
    edges: Sequence[QueryEdge],
    version: str,
    submitter: str,
    ids: Mapping[str, Sequence[str]] = _NONE,
) -> dict[str, Any]:
    """The body of ``POST /query``, for one query edge or a whole graph.

    :param nodes: by key; those that no edge touches are left out.
    :param version: the TRAPI version the service declares, as ``"1.5.0"`` (``"1.5"`` will do).
    :param submitter: who asks, as TRAPI wishes to know.
    :param ids: query node key → identifiers to bind it to, in place of the node's own.

    >>> body = write_query(nodes={"a": QueryNode("a", ids=("MONDO:0005044",)), "b": QueryNode("b")},
    ...                    edges=[QueryEdge("ab", "a", "b")], version="1.5.0", submitter="fedrag")
    >>> body["message"]["query_graph"]["edges"]
    {'ab': {'subject': 'a', 'object': 'b'}}
    """
    graph = write_graph(nodes, edges, version=version, ids=ids)
    return {"message": {"query_graph": graph}, "submitter": submitter}


def write_graph(
    nodes: Mapping[str, QueryNode] | Iterable[QueryNode],
    edges: Sequence[QueryEdge],
    *,
    version: str = _LATEST,
    ids: Mapping[str, Sequence[str]] = _NONE,
) -> dict[str, Any]:
    """The query graph alone; parameters as for :func:`write_query`, or a plan's nodes as they are.

    :raises KeyError: an edge names a node that is not there.

    >>> write_graph([QueryNode("a"), QueryNode("b")], [QueryEdge("ab", "a", "b")])["nodes"]
    {'a': {}, 'b': {}}
    """
    by_key = nodes if isinstance(nodes, Mapping) else {node.key: node for node in nodes}
    touched = dict.fromkeys(key for edge in edges for key in (edge.subject, edge.object))
    release = _release(version)
    return {
        "nodes": {key: _node(by_key[key], ids.get(key, by_key[key].ids)) for key in touched},
        "edges": {edge.key: _edge(edge, release) for edge in edges},
    }


def _release(version: str) -> tuple[int, int]:
    match = _VERSION.match(version.strip())
    return (int(match[1]), int(match[2] or 0)) if match else _release(_LATEST)


def _node(node: QueryNode, ids: Sequence[str]) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if ids:
        written["ids"] = list(ids)
    if node.categories:
        written["categories"] = list(node.categories)
    return written


def _edge(edge: QueryEdge, release: tuple[int, int]) -> dict[str, Any]:
    written: dict[str, Any] = {"subject": edge.subject, "object": edge.object}
    if edge.predicates:
        written["predicates"] = list(edge.predicates)
    if edge.qualifiers:
        written |= _qualifiers(edge.qualifiers, release)
    return written


def _qualifiers(qualifiers: Sequence[tuple[str, str]], release: tuple[int, int]) -> dict[str, Any]:
    """Qualifier constraints. Before 1.3 there are none: the answer is wider, and filtered later."""
    if release >= (2, 0):
        return {"constraints": {"qualifiers": [dict(qualifiers)]}}
    if release < (1, 3):
        return {}
    pairs = [{"qualifier_type_id": kind, "qualifier_value": value} for kind, value in qualifiers]
    return {"qualifier_constraints": [{"qualifier_set": pairs}]}
