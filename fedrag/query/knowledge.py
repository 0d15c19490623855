"""The knowledge graph of a response: nodes and edges as TRAPI 1.5, 1.6 and 2.0 write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from fedrag.biolink import biolink
from fedrag.datamodel import Attribute, Edge, EdgeNode, NormalizedNode, RetrievalSource
from fedrag.trapi import attribute_to_trapi, curie_typed, name_of

__all__ = ["AGGREGATOR", "TrapiVersion", "write_edge", "write_node"]

TrapiVersion = Literal["1.5", "1.6", "2.0"]
AGGREGATOR = "infores:fedrag"
_PRIMARY, _AGGREGATES = "primary_knowledge_source", "aggregator_knowledge_source"
_SUPPORTS = "supporting_data_source"
_ROLES = (_PRIMARY, _AGGREGATES, _SUPPORTS)
_PREDICATE = re.compile(r"biolink:[a-z][a-z_]*")
_CATEGORY = re.compile(r"biolink:[A-Z][a-zA-Z]*")
# Auxiliary graphs of the message an edge came in; they do not come with it.
_ELSEWHERE = ("support_graphs", "support_graph")
_LEVELS = ("knowledge_level", "agent_type")


def write_node(
    end: EdgeNode, known: NormalizedNode | None, version: TrapiVersion
) -> dict[str, Any]:
    """A node with its name, categories and equivalent identifiers.

    :param known: what the Node Normalizer says of it without conflation.
    """
    categories = (*end.categories, *(known.categories if known else ()))
    written: dict[str, Any] = {
        "name": end.name or (known.name if known else None) or end.curie,
        "categories": _concrete(categories),
    }
    attributes: list[dict[str, Any]] = []
    if known and known.identifiers:
        equivalents = list(dict.fromkeys(i.curie for i in known.identifiers))
        attributes.append({"attribute_type_id": "biolink:xref", "value": equivalents})
    if known and known.information_content is not None:
        value = known.information_content
        attributes.append({"attribute_type_id": "biolink:information_content", "value": value})
    if end.taxa:
        attributes.append({"attribute_type_id": "biolink:in_taxon", "value": list(end.taxa)})
    if attributes or version != "2.0":
        written["attributes"] = attributes
    return written


def _concrete(categories: Iterable[str]) -> list[str]:
    """Without mixins, which no node may have; ``NamedThing`` when nothing is left.

    >>> _concrete(["biolink:Gene", "biolink:GeneOrGeneProduct", "Gene"])
    ['biolink:Gene']
    """
    model = biolink()
    kept = [
        category
        for category in dict.fromkeys(categories)
        if _CATEGORY.fullmatch(category) and model.is_a(category, "biolink:NamedThing")
    ]
    return kept or ["biolink:NamedThing"]


def write_edge(edge: Edge, version: TrapiVersion, services: Mapping[str, str]) -> dict[str, Any]:
    """An edge with everything that is known of it.

    :param services: infores by the name of each service, for those that answered.
    """
    told = _PREDICATE.fullmatch(edge.predicate) is not None
    written: dict[str, Any] = {
        "subject": edge.subject.curie,
        "predicate": edge.predicate if told else "biolink:related_to",
        "object": edge.object.curie,
        "sources": _sources(edge, [services[name] for name in edge.answered_by]),
    }
    attributes = _attributes(edge, version)
    if not told:
        attributes.append(
            {"attribute_type_id": "biolink:original_predicate", "value": edge.predicate}
        )
    qualifiers = []
    for kind, value in edge.qualifiers:
        if _PREDICATE.fullmatch(kind):
            qualifiers.append({"qualifier_type_id": kind, "qualifier_value": value})
        else:
            attributes.append({"attribute_type_id": kind, "value": value})
    if qualifiers:  # neither null nor an empty list is valid in every version
        written["qualifiers"] = qualifiers
    if version == "2.0":
        written |= {name: getattr(edge, name) for name in _LEVELS}
    if attributes or version != "2.0":
        written["attributes"] = attributes
    return written


# --- sources ------------------------------------------------------------------------------------


def _sources(edge: Edge, answered: Sequence[str]) -> list[dict[str, Any]]:
    """The chain from the primary source up to fedrag, which had it from those at its top."""
    listed = _with_services(list(_known(edge)), answered)
    ours = RetrievalSource(AGGREGATOR, _AGGREGATES, tuple(_tops(listed)))
    return [_source(source) for source in (*listed, ours)]


def _known(edge: Edge) -> Iterable[RetrievalSource]:
    """The sources as told, roles put right: one primary source, every role one that TRAPI has."""
    primary = edge.primary_source
    seen: set[tuple[str, str]] = set()
    for source in edge.sources or (RetrievalSource(primary, _PRIMARY),):
        role = source.role if source.role in _ROLES else _SUPPORTS
        if role == _PRIMARY and source.resource_id != primary:
            role = _SUPPORTS
        if (source.resource_id, role) not in seen and source.resource_id != AGGREGATOR:
            seen.add((source.resource_id, role))
            yield RetrievalSource(source.resource_id, role, source.upstream, source.record_urls)


def _with_services(listed: list[RetrievalSource], answered: Sequence[str]) -> list[RetrievalSource]:
    """With the services that answered, where they did not name themselves."""
    named = {source.resource_id for source in listed}
    tops = tuple(_tops(listed))
    added = dict.fromkeys(infores for infores in answered if infores not in named)
    return [*listed, *(RetrievalSource(infores, _AGGREGATES, tops) for infores in added)]


def _tops(sources: Sequence[RetrievalSource]) -> list[str]:
    """Those that no other source has its knowledge from."""
    below = {resource for source in sources for resource in source.upstream}
    chain = [s.resource_id for s in sources if s.role != _SUPPORTS]
    return [r for r in dict.fromkeys(chain) if r not in below] or chain[:1]


def _source(source: RetrievalSource) -> dict[str, Any]:
    written: dict[str, Any] = {
        "resource_id": source.resource_id,
        "resource_role": source.role,
    }
    if source.upstream:
        written["upstream_resource_ids"] = list(source.upstream)
    if source.record_urls:
        written["source_record_urls"] = list(source.record_urls)
    return written


# --- attributes ---------------------------------------------------------------------------------


def _attributes(edge: Edge, version: TrapiVersion) -> list[dict[str, Any]]:
    """Those the services sent, and what the edge knows of itself, each once."""
    own = [] if version == "2.0" else list(_levels(edge))
    kept = [a for a in edge.attributes if _is_kept(a, edge)]
    written = [curie_typed(attribute_to_trapi(attribute)) for attribute in kept]
    names = {name_of(attribute) for attribute in kept}
    if edge.publications and "publications" not in names:
        own.append({"attribute_type_id": "biolink:publications", "value": list(edge.publications)})
    if edge.negated and "negated" not in names:
        own.append({"attribute_type_id": "biolink:negated", "value": True})
    return [*own, *written]


def _levels(edge: Edge) -> Iterable[dict[str, Any]]:
    for name in _LEVELS:
        yield {
            "attribute_type_id": f"biolink:{name}",
            "value": getattr(edge, name),
            "attribute_source": edge.primary_source,
        }


def _is_kept(attribute: Attribute, edge: Edge) -> bool:
    """Not what is written otherwise, nor what points into a message that is not here."""
    name = name_of(attribute)
    if attribute.value is None or name in _LEVELS or name in _ELSEWHERE:
        return False
    plain = name == "publications" and not attribute.attributes
    return not (plain and set(_texts(attribute.value)) <= set(edge.publications))


def _texts(value: Any) -> list[str]:
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str)]
