"""Whether a query graph can be answered: names, identifiers, connections, size."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TypeVar

from fedrag.biolink import biolink
from fedrag.errors import PlanError
from fedrag.query.graph import GraphEdge, GraphNode, QueryRequest
from fedrag.query.place import Place, nearest, refuse, shown

__all__ = ["MAX_EDGES", "MAX_IDS", "MAX_NODES", "check_graph"]

T = TypeVar("T")
MAX_NODES, MAX_EDGES, MAX_IDS, MAX_NAMES = 30, 30, 10_000, 200


def check_graph(request: QueryRequest, place: Place) -> None:
    """Refuse what cannot be answered.

    :param place: of the query graph in what was given, for messages.
    :raises ConfigError: a name or an identifier is wrong, an edge leads nowhere, it is too large.
    :raises PlanError: there is nothing to look up, or nothing to start from.
    """
    _check_size(request, place)
    for node in request.nodes.values():
        _check_node(node, (*place, "nodes", node.key))
    for edge in request.edges.values():
        _check_edge(edge, request, (*place, "edges", edge.key))
    if not any(node.ids for node in request.nodes.values()):
        raise PlanError(
            f"{shown((*place, 'nodes'))}: no node has ids, so there is nothing to start from",
            hint="give at least one node the CURIEs it stands for",
        )
    _check_connected(request, place)


def _check_size(request: QueryRequest, place: Place) -> None:
    if not request.nodes:
        raise refuse((*place, "nodes"), "the query graph has no nodes")
    if not request.edges:
        raise PlanError(f"{shown((*place, 'edges'))}: without an edge there is nothing to look up")
    for name, count, most in (
        ("nodes", len(request.nodes), MAX_NODES),
        ("edges", len(request.edges), MAX_EDGES),
    ):
        if count > most:
            raise refuse((*place, name), f"there are {count}, and at most {most} are answered")


def _check_node(node: GraphNode, place: Place) -> None:
    if len(node.ids) > MAX_IDS:
        where = (*place, "ids")
        raise refuse(where, f"there are {len(node.ids):,}, and at most {MAX_IDS:,} are asked")
    for number, curie in enumerate(node.ids):
        prefix, colon, local = curie.partition(":")
        if not (prefix and colon and local) or any(map(_is_no_part, curie)):
            name = "member_ids" if node.sets in ("ALL", "MANY") else "ids"
            raise refuse(
                (*place, name, number),
                f"{curie!r} is no CURIE",
                "write PREFIX:identifier, like MONDO:0005044; `fedrag resolve` finds them",
            )
    model = biolink()
    for number, category in enumerate(_few(node.categories, (*place, "categories"))):
        if not category.startswith("biolink:") or not model.is_category(category):
            known = ("biolink:GeneOrGeneProduct", *model.category_descendants("biolink:NamedThing"))
            raise refuse(
                (*place, "categories", number),
                f"{category!r} is no category of the Biolink Model {model.version}",
                nearest(category, known, "biolink:"),
            )


def _is_no_part(character: str) -> bool:
    """White space, and what no text can be sent with: control characters, lone surrogates."""
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cs")


def _check_edge(edge: GraphEdge, request: QueryRequest, place: Place) -> None:
    for end, key in (("subject", edge.subject), ("object", edge.object)):
        if key not in request.nodes:
            there = ", ".join(sorted(request.nodes))
            raise refuse(
                (*place, end), f"there is no node {key!r}", f"the query graph has: {there}"
            )
    if edge.subject == edge.object:
        raise PlanError(f"{shown(place)}: both ends are the node {edge.subject!r}")
    model = biolink()
    for number, predicate in enumerate(_few(edge.predicates, (*place, "predicates"))):
        if not predicate.startswith("biolink:") or not model.is_predicate(predicate):
            raise refuse(
                (*place, "predicates", number),
                f"{predicate!r} is no predicate of the Biolink Model {model.version}",
                nearest(predicate, model.predicate_descendants("biolink:related_to"), "biolink:"),
            )
    _few(edge.constraints.qualifiers, (*place, "qualifier_constraints"), most=20)


def _few(values: tuple[T, ...], place: Place, most: int = MAX_NAMES) -> tuple[T, ...]:
    if len(values) > most:
        raise refuse(place, f"there are {len(values)}, and at most {most} are read")
    return values


def _check_connected(request: QueryRequest, place: Place) -> None:
    parts = _parts(request.nodes, request.edges.values())
    if len(parts) > 1:
        listed = "; ".join(", ".join(sorted(part)) for part in parts)
        raise PlanError(
            f"{shown(place)}: the graph is not connected, it falls into {len(parts)} parts: "
            f"{listed}",
            hint="connect them with an edge, or ask each alone",
        )


def _parts(nodes: Iterable[str], edges: Iterable[GraphEdge]) -> list[set[str]]:
    parts: list[set[str]] = [{key} for key in nodes]
    for edge in edges:
        joined = [part for part in parts if not part.isdisjoint(edge.ends)]
        parts = [part for part in parts if part.isdisjoint(edge.ends)]
        parts.append(set().union(*joined))
    return sorted(parts, key=min)
