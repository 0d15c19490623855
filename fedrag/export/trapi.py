"""The retrieved edges as a TRAPI 1.5 response, so that other tools of the field can read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fedrag.biolink import biolink
from fedrag.datamodel import Answer, Edge, EdgeNode
from fedrag.trapi import attribute_to_trapi, curie_typed, name_of, write_graph

__all__ = ["answer_to_trapi", "edge_sources"]

_AGGREGATOR = "infores:fedrag"
# Auxiliary graphs of the message an edge came in; they do not come with it.
_ELSEWHERE = ("support_graphs", "support_graph")
_PREDICATE_ROLES = ("primary_knowledge_source", "aggregator_knowledge_source")


def answer_to_trapi(answer: Answer) -> dict[str, Any]:
    """A TRAPI 1.5 response: the plan's query graph, every edge, one result per candidate."""
    edges = {edge.id: _edge(edge) for edge in answer.all_edges}
    nodes: dict[str, Any] = {}
    for edge in answer.all_edges:
        for end in (edge.subject, edge.object):
            nodes.setdefault(end.curie, _node(end))
    graph = write_graph(answer.plan.nodes, answer.plan.edges) if answer.plan else None
    return {
        "message": {
            "query_graph": graph,
            "knowledge_graph": {"nodes": nodes, "edges": edges},
            "auxiliary_graphs": _support_graphs(answer),
            "results": _results(answer, nodes),
        },
        "schema_version": "1.5.0",
        "biolink_version": biolink().version,
        "status": "Success",
        "description": answer.text,
        "logs": [
            {
                "timestamp": answer.timings.get("asked_at", ""),
                "level": "INFO",
                "message": f"{s.service}: {s.state} {s.reason}".strip(),
            }
            for s in answer.services
        ],
    }


def _node(end: EdgeNode) -> dict[str, Any]:
    return {
        "name": end.name,
        "categories": list(end.categories) or ["biolink:NamedThing"],
        "attributes": [],
    }


def _edge(edge: Edge) -> dict[str, Any]:
    written: dict[str, Any] = {
        "subject": edge.subject.curie,
        "predicate": edge.predicate,
        "object": edge.object.curie,
        "sources": edge_sources(edge),
        "attributes": _attributes(edge),
    }
    if edge.qualifiers:  # the schema knows no null here
        written["qualifiers"] = [
            {"qualifier_type_id": key, "qualifier_value": value} for key, value in edge.qualifiers
        ]
    return written


def edge_sources(edge: Edge) -> list[dict[str, Any]]:
    """The chain an edge came through as TRAPI writes it, fedrag as its last aggregator."""
    listed = [
        {
            "resource_id": source.resource_id,
            "resource_role": source.role,
            "upstream_resource_ids": list(source.upstream),
            "source_record_urls": list(source.record_urls),
        }
        for source in edge.sources
    ]
    below = [s.resource_id for s in edge.sources if s.role in _PREDICATE_ROLES]
    ours = {
        "resource_id": _AGGREGATOR,
        "resource_role": "aggregator_knowledge_source",
        "upstream_resource_ids": below[-1:],
        "source_record_urls": [],
    }
    return [*listed, ours]


def _attributes(edge: Edge) -> list[dict[str, Any]]:
    kept = [a for a in edge.attributes if name_of(a) not in _ELSEWHERE]
    listed = [curie_typed(attribute_to_trapi(a)) for a in kept]
    types = {a["attribute_type_id"] for a in listed}
    for type_id, value in (
        ("biolink:knowledge_level", edge.knowledge_level),
        ("biolink:agent_type", edge.agent_type),
        ("biolink:publications", list(edge.publications)),
    ):
        if value and type_id not in types:
            listed.append({"attribute_type_id": type_id, "value": value})
    if edge.negated and "biolink:negated" not in types:
        listed.append({"attribute_type_id": "biolink:negated", "value": True})
    return listed


def _support_graphs(answer: Answer) -> dict[str, Any]:
    """One auxiliary graph per candidate: the edges its score rests on."""
    return {
        f"support-{number}": {"edges": list(c.support), "attributes": []}
        for number, c in enumerate(answer.candidates, start=1)
        if c.support
    }


def _results(answer: Answer, nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """One result per candidate; what it binds is added to the nodes where no edge names it."""
    if answer.plan is None:
        return []
    bind = _Binder(answer, nodes)
    given = {
        node.key: [bind(curie, node.name or curie, node.categories) for curie in node.ids]
        for node in answer.plan.nodes
        if node.ids and answer.candidates
    }
    answer_node = answer.plan.answer_node
    return [
        {
            "node_bindings": given | {answer_node: [bind(c.curie, c.name, c.categories)]},
            "analyses": [
                {
                    "resource_id": _AGGREGATOR,
                    "score": c.score,
                    "edge_bindings": {},
                    "support_graphs": [f"support-{number}"] if c.support else [],
                }
            ],
        }
        for number, c in enumerate(answer.candidates, start=1)
    ]


class _Binder:
    """Binds conflated identifiers to the nodes that stand for them, which are not conflated."""

    def __init__(self, answer: Answer, nodes: dict[str, Any]) -> None:
        self._nodes = nodes
        self._named: dict[str, str] = {}
        for edge in answer.all_edges:
            for end in (edge.subject, edge.object):
                self._named.setdefault(end.canonical, end.curie)

    def __call__(self, curie: str, name: str, categories: Iterable[str]) -> dict[str, Any]:
        bound = curie if curie in self._nodes else self._named.get(curie, curie)
        self._nodes.setdefault(bound, _node(EdgeNode(bound, name, tuple(categories))))
        return {"id": bound, "attributes": []}
