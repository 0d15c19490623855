"""What a template's query graph must hold to beyond its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fedrag.biolink import biolink
from fedrag.datamodel import QueryEdge
from fedrag.plan.template import Graph

__all__ = ["check_graph"]

_FAMILIES = frozenset(
    (
        "any",
        "gene",
        "chemical",
        "disease",
        "process",
        "anatomy",
        "organism",
        "variant",
        "phenotype",
    )
)


def check_graph(graph: Graph, slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every problem as its place and what is wrong; nothing for a sound graph."""
    for name, family in slots.items():
        if family not in _FAMILIES:
            yield f"slots.{name}", f"{family!r} is not a family; there are {sorted(_FAMILIES)}"
    yield from _check_nodes(graph, slots)
    keys = {node.key for node in graph.nodes}
    for edge in graph.edges:
        yield from _check_edge(edge, graph, keys)
    for key in (graph.answer_node, *graph.also_answer):
        if key not in keys:
            yield "answer", f"there is no node {key!r}"
    yield from _check_categories("answer.categories", graph.answer_categories)


def _check_nodes(graph: Graph, slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    used = [node.slot for node in graph.nodes if node.slot is not None]
    for node in graph.nodes:
        place = f"query_graph.nodes.{node.key}"
        if node.slot is not None and node.slot not in slots:
            yield place, f"there is no slot {node.slot!r}"
        yield from _check_categories(place, node.categories)
    for name in slots:
        if used.count(name) != 1:
            yield f"slots.{name}", "must be bound to exactly one node"


def _check_categories(place: str, categories: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for category in categories:
        if not biolink().is_category(category):
            yield place, f"{category} is not a Biolink {biolink().version} category"


def _check_edge(edge: QueryEdge, graph: Graph, keys: set[str]) -> Iterator[tuple[str, str]]:
    place = f"query_graph.edges.{edge.key}"
    ends = (edge.subject, edge.object)
    for key in ends:
        if key not in keys:
            yield place, f"there is no node {key!r}"
            return
    if edge.wave < 1:
        yield f"{place}.wave", "must be 1 or more"
    given = [key for key in ends if graph.node(key).slot is not None]
    if edge.wave == 1 and not given:
        yield f"{place}.wave", "a first hop must start from a given entity"
    if edge.wave > 1 and not edge.from_node:
        yield place, "a further hop must say where it starts (from)"
    if edge.from_node and edge.from_node not in ends:
        yield f"{place}.from", f"{edge.from_node!r} is not an end of this edge"
    for predicate in edge.predicates:
        if not biolink().is_predicate(predicate):
            yield f"{place}.predicates", f"{predicate} is not a Biolink predicate"
    # TRAPI: qualifier constraints only on one predicate between single categories.
    if edge.qualifiers and (
        len(edge.predicates) != 1 or any(len(graph.node(key).categories) > 1 for key in ends)
    ):
        yield place, "qualifiers need exactly one predicate and one category at each end"
