"""The retrieved edges as a KGX file: nodes and edges under the names of the Biolink Model.

https://github.com/biolink/kgx/blob/master/specification/kgx-format.md, the JSON form: one object
with ``nodes`` and ``edges``. Qualifiers are slots of the edge, as the specification has them.
"""

from __future__ import annotations

from typing import Any

from fedrag.biolink import biolink
from fedrag.datamodel import Answer, Edge, EdgeNode
from fedrag.export.trapi import edge_sources
from fedrag.trapi import attribute_to_trapi

__all__ = ["answer_to_kgx"]

_ANYTHING = "biolink:NamedThing"
_AGGREGATOR = "aggregator_knowledge_source"
# Told in slots of their own.
_TOLD = ("biolink:knowledge_level", "biolink:agent_type", "biolink:publications", "biolink:negated")


def answer_to_kgx(answer: Answer) -> dict[str, Any]:
    """Every retrieved edge and its ends, under the slots that Biolink names.

    ``sources`` is the whole chain as in TRAPI, with fedrag as the last aggregator;
    ``primary_knowledge_source`` and ``aggregator_knowledge_source`` say the same in short. What
    Biolink has no slot for keeps fedrag's own name: ``cited_by_record``, ``answered_by``,
    ``retrieved_at`` and ``attributes``, which are TRAPI's.
    """
    nodes: dict[str, dict[str, Any]] = {}
    for edge in answer.all_edges:
        for end in (edge.subject, edge.object):
            _add(nodes.setdefault(end.curie, _node(end)), end)
    return {"nodes": list(nodes.values()), "edges": [_edge(edge) for edge in answer.all_edges]}


def _node(end: EdgeNode) -> dict[str, Any]:
    node = {"id": end.curie, "category": _categories(end), "name": end.name or end.curie}
    return node | ({"taxa": list(end.taxa)} if end.taxa else {})


def _add(node: dict[str, Any], end: EdgeNode) -> None:
    """Another identifier that the node was found under; conflation is not equivalence."""
    if end.found and end.found != end.curie:
        known = node.setdefault("equivalent_identifiers", [])
        if end.found not in known:
            known.append(end.found)


def _categories(end: EdgeNode) -> list[str]:
    """Kinds of things the model has: mixins and what is above all things are no node's category."""
    model = biolink()
    known = [c for c in end.categories if model.is_a(c, _ANYTHING) and not model.is_mixin(c)]
    return known or [_ANYTHING]


def _edge(edge: Edge) -> dict[str, Any]:
    sources = edge_sources(edge)
    written: dict[str, Any] = {
        "id": edge.id,
        "category": ["biolink:Association"],
        "subject": edge.subject.curie,
        "predicate": edge.predicate,
        "object": edge.object.curie,
        "original_subject": edge.subject.found or edge.subject.curie,
        "original_object": edge.object.found or edge.object.curie,
        **_qualifiers(edge),
        "negated": edge.negated,
        "knowledge_level": edge.knowledge_level,
        "agent_type": edge.agent_type,
        "primary_knowledge_source": edge.primary_source,
        _AGGREGATOR: _with_role(sources, _AGGREGATOR),
        "supporting_data_source": _with_role(sources, "supporting_data_source"),
        "sources": sources,
        "publications": list(edge.publications),
        "source_record_urls": list(edge.record_urls),
        "cited_by_record": list(edge.cited_by_record),
        "answered_by": list(edge.answered_by),
        "retrieved_at": edge.retrieved_at,
        "attributes": [attribute_to_trapi(a) for a in edge.attributes if a.type_id not in _TOLD],
    }
    return {name: value for name, value in written.items() if value not in ([], "")}


def _with_role(sources: list[dict[str, Any]], role: str) -> list[str]:
    return [source["resource_id"] for source in sources if source["resource_role"] == role]


def _qualifiers(edge: Edge) -> dict[str, Any]:
    """Each qualifier as the slot it is; one that is given twice is a list."""
    slots: dict[str, Any] = {}
    for kind, value in edge.qualifiers:
        slot = kind.removeprefix("biolink:")
        slots[slot] = value if slot not in slots else [*_listed(slots[slot]), value]
    return slots


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
