"""Which services are asked each query edge, before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fedrag.datamodel import Assignment, QueryEdge, QueryNode, QueryPlan
from fedrag.errors import PlanError
from fedrag.metakg import MetaKG
from fedrag.plan.families import categories_to_serve
from fedrag.query.graph import GraphEdge, Qualifiers, QueryRequest

__all__ = ["Assigned", "assign"]

_SHOWN = 6  # services whose reasons a message gives


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who is asked what. ``readings`` are the sets of qualifiers an edge is asked with, one by one
    (any of them may hold), each with the services that may hold it."""

    plan: QueryPlan
    readings: Mapping[str, tuple[tuple[Qualifiers, tuple[str, ...]], ...]]


def assign(request: QueryRequest, nodes: Mapping[str, QueryNode], metakg: MetaKG) -> Assigned:
    """Every edge with the services that can serve it.

    :raises PlanError: an edge that no service can serve; the message says why of each.
    """
    readings: dict[str, tuple[tuple[Qualifiers, tuple[str, ...]], ...]] = {}
    assignments: list[Assignment] = []
    for edge in request.edges.values():
        judged = _judged(edge, nodes, metakg)
        assignments += judged
        if not any(assignment.asked for assignment in judged):
            raise PlanError(
                f"edges.{edge.key}: no service can answer it: {_reasons(judged, metakg)}",
                hint="`fedrag metakg list` shows what can be asked",
            )
        readings[edge.key] = tuple(
            (qualifiers, served)
            for qualifiers in edge.constraints.qualifiers or ((),)
            if (served := _serving(edge, qualifiers, nodes, metakg))
        )
    plan = QueryPlan(
        template="query",
        title="a TRAPI query graph",
        kind="list",
        nodes=tuple(nodes.values()),
        edges=tuple(QueryEdge(e.key, e.subject, e.object, e.predicates) for e in _of(request)),
        answer_node=next(iter(nodes)),
        answer_categories=(),
        assignments=tuple(assignments),
    )
    return Assigned(plan, readings)


def _of(request: QueryRequest) -> tuple[GraphEdge, ...]:
    return tuple(request.edges.values())


def _judged(edge: GraphEdge, nodes: Mapping[str, QueryNode], metakg: MetaKG) -> list[Assignment]:
    """One assignment for each service, asked when any of the edge's sets of qualifiers can be."""
    judged = []
    for service in metakg.services:
        verdicts = [
            metakg.serves(service, *_kinds(edge, nodes), qualifiers)
            for qualifiers in edge.constraints.qualifiers or ((),)
        ]
        asked, reason = next((v for v in verdicts if v[0]), verdicts[0])
        judged.append(Assignment(edge.key, service.name, asked, reason))
    return judged


def _serving(
    edge: GraphEdge, qualifiers: Qualifiers, nodes: Mapping[str, QueryNode], metakg: MetaKG
) -> tuple[str, ...]:
    return tuple(
        service.name
        for service in metakg.services
        if metakg.serves(service, *_kinds(edge, nodes), qualifiers)[0]
    )


def _kinds(
    edge: GraphEdge, nodes: Mapping[str, QueryNode]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    subject, object_ = (_served_as(nodes[key]) for key in edge.ends)
    return subject, edge.predicates, object_


def _served_as(node: QueryNode) -> tuple[str, ...]:
    """Under which categories a service may hold it; anything, where the query does not say."""
    categories = categories_to_serve(node.categories) if node.ids else node.categories
    return categories or ("biolink:NamedThing",)


def _reasons(judged: list[Assignment], metakg: MetaKG) -> str:
    """Why each service that is on cannot; how many are off."""
    on = [a for a in judged if metakg.service(a.service).enabled]
    told = [f"{a.service} {a.reason}" for a in on[:_SHOWN]]
    if len(on) > _SHOWN:
        told.append(f"{len(on) - _SHOWN} others cannot either")
    if off := len(judged) - len(on):
        told.append(f"{off} {'is' if off == 1 else 'are'} switched off")
    return "; ".join(told) or "there is no knowledge service"
