"""The meta-knowledge graph of all services together, as TRAPI 1.5 writes one."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from fedrag.biolink import biolink
from fedrag.metakg import MetaKG

__all__ = ["meta_knowledge_graph"]

Qualified = dict[str, set[str] | None]  # values by qualifier; None: any


def meta_knowledge_graph(metakg: MetaKG) -> dict[str, Any]:
    """What all services that are asked can answer together, each kind of statement once.

    >>> meta_knowledge_graph(MetaKG([], {}))
    {'nodes': {}, 'edges': []}
    """
    edges: dict[tuple[str, str, str], Qualified] = defaultdict(dict)
    prefixes: dict[str, dict[str, None]] = defaultdict(dict)
    for category, listed in metakg.prefixes.items():
        prefixes[category] |= dict.fromkeys(listed)
    for service in metakg.services:
        if not service.enabled or service.missing_key:
            continue
        for edge in metakg.meta_edges(service.name) or ():
            _add(edges[edge.subject, edge.predicate, edge.object], edge.qualifiers)
        for operation in service.operations:
            for category, prefix in (
                (operation.subject_category, operation.input_prefix),
                (operation.object_category, operation.output_prefix),
            ):
                prefixes[category][biolink().canonical_prefix(prefix)] = None
    ends = {end for subject, _, object_ in edges for end in (subject, object_)}
    return {
        "nodes": {end: {"id_prefixes": sorted(prefixes.get(end, ()))} for end in sorted(ends)},
        "edges": [_edge(triple, qualified) for triple, qualified in sorted(edges.items())],
    }


def _add(known: Qualified, qualifiers: tuple[tuple[str, str], ...]) -> None:
    for kind, value in qualifiers:
        values = known.setdefault(kind, set())
        if not value:
            known[kind] = None
        elif values is not None:
            values.add(value)


def _edge(triple: tuple[str, str, str], qualified: Qualified) -> dict[str, Any]:
    subject, predicate, object_ = triple
    edge: dict[str, Any] = {
        "subject": subject,
        "predicate": predicate,
        "object": object_,
        "knowledge_types": ["lookup"],
    }
    if qualified:
        edge["qualifiers"] = [
            {"qualifier_type_id": kind} | ({"applicable_values": sorted(values)} if values else {})
            for kind, values in sorted(qualified.items())
        ]
    return edge
