"""A query graph written again, in the version of the response."""

from __future__ import annotations

from typing import Any

from fedrag.query.constraints import AllowDeny, AttributeConstraint
from fedrag.query.graph import GraphEdge, GraphNode, Qualifiers, QueryRequest
from fedrag.query.knowledge import TrapiVersion

__all__ = ["write_query_graph"]


def write_query_graph(request: QueryRequest, version: TrapiVersion) -> dict[str, Any]:
    """The graph as it was asked, so that results can be read beside it.

    Keys that a version does not know are written as the keys of the others that mean the same;
    constraints that only 2.0 has are kept under their name there, which 1.x allows.
    """
    return {
        "nodes": {key: _node(node, version) for key, node in request.nodes.items()},
        "edges": {key: _edge(edge, version) for key, edge in request.edges.items()},
    }


def _node(node: GraphNode, version: TrapiVersion) -> dict[str, Any]:
    written: dict[str, Any] = {k: v for k, v in node.extra.items() if v is not None}
    if node.sets in ("ALL", "MANY"):
        written["member_ids"] = list(node.ids)
        written |= {"ids": [node.set_id]} if node.set_id else {}
    elif node.ids:
        written["ids"] = list(node.ids)
    if node.categories:
        written["categories"] = list(node.categories)
    if node.sets in ("ALL", "MANY") or (node.sets == "COLLATE" and version == "2.0"):
        written["set_interpretation"] = node.sets
    elif node.sets == "COLLATE":
        written["is_set"] = True
    return written


def _edge(edge: GraphEdge, version: TrapiVersion) -> dict[str, Any]:
    written: dict[str, Any] = {k: v for k, v in edge.extra.items() if v is not None}
    written |= {"subject": edge.subject, "object": edge.object}
    if edge.predicates:
        written["predicates"] = list(edge.predicates)
    if edge.knowledge_type:
        written["knowledge_type"] = edge.knowledge_type
    given = edge.constraints
    newer: dict[str, Any] = {
        name: _allow_deny(rule)
        for name in ("knowledge_level", "agent_type", "sources")
        if (rule := getattr(given, name)) is not None
    }
    if version == "2.0":
        if given.qualifiers:
            newer["qualifiers"] = [dict(one) for one in given.qualifiers]
        if given.attributes:
            newer["attributes"] = [dict(c.raw) for c in given.attributes]
    else:
        if given.qualifiers:
            written["qualifier_constraints"] = [_set(one) for one in given.qualifiers]
        if given.attributes:
            written["attribute_constraints"] = [_named(c) for c in given.attributes]
    return written | ({"constraints": newer} if newer else {})


def _set(qualifiers: Qualifiers) -> dict[str, Any]:
    pairs = [{"qualifier_type_id": kind, "qualifier_value": value} for kind, value in qualifiers]
    return {"qualifier_set": pairs}


def _named(constraint: AttributeConstraint) -> dict[str, Any]:
    """TRAPI 1.x requires a name."""
    return {"name": constraint.id, **constraint.raw}


def _allow_deny(rule: AllowDeny) -> dict[str, Any]:
    written: dict[str, Any] = {
        "behavior": "ALLOW" if rule.allow else "DENY",
        "values": list(rule.values),
    }
    return written | ({"primary_only": True} if rule.primary_only else {})
