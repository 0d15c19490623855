"""A plan for people, and as TRAPI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fedrag.datamodel import QueryEdge, QueryNode, QueryPlan
from fedrag.trapi import write_graph

__all__ = ["explain_plan", "plan_to_trapi"]


def plan_to_trapi(plan: QueryPlan) -> list[dict[str, Any]]:
    """Valid TRAPI query graphs: the whole plan first, then each of its edges as one hop.

    Later hops stand there as they are planned: what they will be bound to is not known yet.
    """
    nodes = {node.key: node for node in plan.nodes}
    graphs = [write_graph(nodes, plan.edges)]
    if len(plan.edges) > 1:
        graphs += [write_graph(nodes, [edge]) for edge in plan.edges]
    return graphs


def explain_plan(plan: QueryPlan) -> str:
    """Nodes, edges by wave, who is asked each and why the others are not, as lines of text."""
    return "\n".join(_lines(plan))


def _lines(plan: QueryPlan) -> Iterator[str]:
    yield f"understood: {plan.understood}"
    if plan.unapplied:
        yield f"left out:   {', '.join(plan.unapplied)}"
    yield f"template:   {plan.template} ({plan.title}; answer: {_answer(plan)})"
    yield "nodes:"
    width = max(len(node.key) for node in plan.nodes)
    for node in plan.nodes:
        yield f"  {node.key:<{width}}  {_node(node)}"
    for wave in sorted({edge.wave for edge in plan.edges}):
        yield f"wave {wave}:"
        for edge in plan.edges:
            if edge.wave == wave:
                yield f"  {_edge(edge)}"
                yield from _services(plan, edge)
    for note in plan.notes:
        yield f"note: {note}"


def _answer(plan: QueryPlan) -> str:
    kinds = {"one": "the best", "list": "a list", "relation": "how they are related"}
    nodes = ", ".join((plan.answer_node, *plan.also_answer))
    reach = ", all given entities must be reached" if plan.must_reach_all else ""
    return f"{kinds[plan.kind]}, from {nodes}{reach}"


def _node(node: QueryNode) -> str:
    categories = " | ".join(_short(category) for category in node.categories)
    if not node.ids:
        return f"any {categories}"
    return f"{', '.join(node.ids)} {node.name or ''} [{categories}]"


def _edge(edge: QueryEdge) -> str:
    words = " | ".join(_short(p).replace("_", " ") for p in edge.predicates) or "related to"
    for kind, value in edge.qualifiers:
        words += f"; {_short(kind).removesuffix('_qualifier').replace('_', ' ')}: {value}"
    line = f"{edge.key}: {edge.subject} –[{words}]→ {edge.object}"
    if edge.wave > 1:
        line += f"   (from the {edge.cap} best-ranked of {edge.from_node})"
    return line


def _services(plan: QueryPlan, edge: QueryEdge) -> Iterator[str]:
    """Who is asked, each with why; then who is not, by the reason they share."""
    unasked: dict[str, list[str]] = {}
    for assignment in plan.assignments:
        if assignment.edge == edge.key and assignment.asked:
            yield f"    asks {assignment.service}: {assignment.reason}"
        elif assignment.edge == edge.key:
            unasked.setdefault(assignment.reason, []).append(assignment.service)
    for reason, services in unasked.items():
        yield f"    does not ask {', '.join(services)}: {reason}"


def _short(name: str) -> str:
    return name.removeprefix("biolink:")
