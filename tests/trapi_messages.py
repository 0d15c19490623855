"""Small TRAPI messages for the tests of the reader."""

from __future__ import annotations

from typing import Any

from fedrag.datamodel import Edge
from fedrag.trapi import ReadResult, read_response


def edge(**more: Any) -> dict[str, Any]:
    return {
        "subject": "CHEBI:5778",
        "predicate": "biolink:treats",
        "object": "MONDO:0005044",
        "sources": [
            {"resource_id": "infores:drugcentral", "resource_role": "primary_knowledge_source"}
        ],
        **more,
    }


def attribute(kind: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"attribute_type_id": kind, "value": value, **more}


def response(*edges: Any, **more: Any) -> dict[str, Any]:
    """A TRAPI 1.5 response whose one result binds all of these edges."""
    bindings = [{"id": str(number), "attributes": []} for number in range(len(edges))]
    return {
        "message": {
            "query_graph": {
                "nodes": {"n0": {"ids": ["MESH:D006973"]}, "n1": {"categories": None}},
                "edges": {"e01": {"subject": "n1", "object": "n0"}},
            },
            "knowledge_graph": {
                "nodes": {
                    "CHEBI:5778": {"name": "hydrochlorothiazide", "categories": ["biolink:Drug"]},
                    "MONDO:0005044": {"name": "hypertension", "categories": ["biolink:Disease"]},
                },
                "edges": {str(number): item for number, item in enumerate(edges)},
            },
            "results": [
                {
                    "node_bindings": {
                        "n0": [{"id": "MONDO:0005044", "query_id": "MESH:D006973"}],
                        "n1": [{"id": "CHEBI:5778"}],
                    },
                    "analyses": [
                        {"resource_id": "infores:bte", "edge_bindings": {"e01": bindings}}
                    ],
                }
            ],
            "auxiliary_graphs": None,
        },
        **more,
    }


def read(payload: Any, **more: Any) -> ReadResult:
    return read_response(payload, service="bte", infores="infores:bte", **more)


def only(payload: Any, **more: Any) -> Edge:
    [found] = read(payload, **more).edges
    return found
