"""Which nodes may be the answer: what the plan's answer nodes were bound to, if its kind fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fedrag.datamodel import Edge, EdgeNode, NormalizedNode, QueryEdge, QueryPlan
from fedrag.evidence.graph import Graph
from fedrag.evidence.names import clean_name
from fedrag.execute.retrieval import Retrieval

__all__ = ["answer_nodes", "categories_of", "name_of"]


def answer_nodes(plan: QueryPlan, graph: Graph, retrieval: Retrieval) -> list[str]:
    """Canonical CURIEs of everything that may answer, each once, in the order it was found."""
    given = {one.curie for one in graph.scope.given}
    bound = _bindings(plan, graph, retrieval)
    nodes: dict[str, None] = {}
    for key in (plan.answer_node, *plan.also_answer):
        nodes |= bound.get(key, {})
    return [
        node for node in nodes if node not in given and graph.scope.fits(categories_of(node, graph))
    ]


def categories_of(node: str, graph: Graph) -> tuple[str, ...]:
    """A node's categories: the Node Normalizer's, else those the edges came with."""
    known = graph.known.get(node)
    if known is not None and known.categories:
        return known.categories
    said = (category for end in graph.ends.get(node, ()) for category in end.categories)
    return tuple(dict.fromkeys(said))


def name_of(node: str, graph: Graph) -> str:
    """A node's name: the Node Normalizer's, else the first the edges came with, else the CURIE."""
    known: NormalizedNode | None = graph.known.get(node)
    names: Iterable[str | None] = (end.name for end in graph.ends.get(node, ()))
    named = known.name if known is not None else None
    return clean_name(named or next((name for name in names if name), None), node)


def _bindings(plan: QueryPlan, graph: Graph, retrieval: Retrieval) -> dict[str, dict[str, None]]:
    """For each node of the plan, the nodes of the graph that hops bound it to."""
    bound: dict[str, dict[str, None]] = {
        key: {one.curie: None} for one in graph.scope.given for key in one.nodes
    }
    found = _by_hop(plan, retrieval)
    for hop in sorted(plan.edges, key=lambda hop: hop.wave):
        start, other = _direction(hop, bound)
        if other in bound and start in bound and _is_given(plan, other):
            continue
        known = bound.get(start, {})
        target = bound.setdefault(other, {})
        for edge in found.get(hop.key, ()):
            for end in _open_ends(edge, known, graph):
                target[end] = None
    return bound


def _by_hop(plan: QueryPlan, retrieval: Retrieval) -> dict[str, list[Edge]]:
    """Edges by the hop that found them; an edge of unknown origin may be any hop's."""
    every = tuple(hop.key for hop in plan.edges)
    found: dict[str, list[Edge]] = {}
    for edge in retrieval.edges:
        for key in retrieval.found_by.get(edge.id, every):
            found.setdefault(key, []).append(edge)
    return found


def _direction(hop: QueryEdge, bound: dict[str, dict[str, None]]) -> tuple[str, str]:
    """(the node a hop starts from, the node it finds)."""
    start = hop.from_node or (hop.subject if hop.subject in bound else hop.object)
    return start, hop.object if start == hop.subject else hop.subject


def _is_given(plan: QueryPlan, key: str) -> bool:
    return bool(plan.node(key).ids)


def _open_ends(edge: Edge, known: dict[str, None], graph: Graph) -> Sequence[str]:
    """The ends that a hop found: those it did not start from, both where it could be either."""
    ends: tuple[EdgeNode, EdgeNode] = (edge.subject, edge.object)
    nodes = [graph.node(end) for end in ends]
    started = [node in known for node in nodes]
    if started[0] != started[1]:
        return [nodes[1] if started[0] else nodes[0]]
    return nodes
