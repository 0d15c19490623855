"""What may still stand at each node, given what the edges asked so far have found.

Arc consistency over the query graph: a thing stays at a node while every edge asked so far
reaches it from things that stay at the other end. On trees this leaves exactly what takes part in
some result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from fedrag.query.fit import Fit
from fedrag.query.graph import GraphEdge
from fedrag.weight import combined, edge_weight

__all__ = ["Domains", "best_first", "consistent", "within"]

Domains = dict[str, set[str]]
Pairs = dict[str, set[tuple[str, str]]]


def consistent(
    edges: Iterable[GraphEdge],
    fits: Mapping[str, Sequence[Fit]],
    given: Mapping[str, Iterable[str]],
) -> Domains:
    """Node key → the things that may stand there; nodes no edge has reached have no entry.

    :param edges: those that were asked.
    :param given: what the query gives its nodes.
    """
    asked = list(edges)
    pairs: Pairs = {e.key: {(f.subject, f.object) for f in fits.get(e.key, ())} for e in asked}
    domains: Domains = {node: set(keys) for node, keys in given.items()}
    changed = True
    while changed:
        changed = False
        for edge in asked:
            kept = {p for p in pairs[edge.key] if _allowed(p, edge, domains)}
            pairs[edge.key] = kept
            for node, side in ((edge.subject, 0), (edge.object, 1)):
                reached = {pair[side] for pair in kept}
                if domains.get(node) != reached:
                    domains[node] = reached
                    changed = True
    return domains


def _allowed(pair: tuple[str, str], edge: GraphEdge, domains: Domains) -> bool:
    return all(
        node not in domains or key in domains[node]
        for node, key in zip(edge.ends, pair, strict=True)
    )


def within(
    edge: GraphEdge, fits: Iterable[Fit], domains: Mapping[str, Collection[str]]
) -> list[Fit]:
    """The fits of an edge whose both ends may stand where they are."""
    subjects, objects = domains.get(edge.subject), domains.get(edge.object)
    return [
        fit
        for fit in fits
        if (subjects is None or fit.subject in subjects)
        if (objects is None or fit.object in objects)
    ]


def best_first(
    node: str, edges: Iterable[GraphEdge], fits: Mapping[str, Sequence[Fit]], keys: Collection[str]
) -> list[str]:
    """The things at a node, the best supported first.

    Rank: for each edge asked that ends there the combined weight of what reaches the thing
    (:func:`fedrag.weight.combined`), added up over the edges; then by CURIE.
    """
    totals = dict.fromkeys(keys, 0.0)
    for edge in edges:
        if node not in edge.ends:
            continue
        weights: dict[str, dict[str, float]] = {}
        for fit in fits.get(edge.key, ()):
            key = fit.at(edge, node)
            if key in totals:
                said = f"{fit.edge.primary_source}|{fit.edge.predicate}"
                by_source = weights.setdefault(key, {})
                by_source[said] = max(by_source.get(said, 0.0), edge_weight(fit.edge))
        for key, by_source in weights.items():
            totals[key] += combined(by_source.values())
    return sorted(totals, key=lambda key: (-totals[key], key))
