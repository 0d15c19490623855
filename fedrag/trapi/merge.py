"""When two edges are one: identity, merging, and Biolink's canonical direction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.datamodel import Attribute, Edge, EdgeNode, RetrievalSource

__all__ = ["canonical_direction", "edge_id", "merge_edges"]

_UNTOLD = "not_provided"


def edge_id(edge: Edge) -> str:
    """The identity of a statement: 16 hexadecimal digits of a SHA-256.

    Over subject, predicate, object (normalised without conflation), qualifiers, negation and
    primary source: two edges are merged exactly when these six are equal.

    >>> from fedrag.datamodel import Edge, EdgeNode
    >>> edge_id(Edge("", EdgeNode("A:1", "a"), "biolink:treats", EdgeNode("B:2", "b")))
    '677789edbb3fb63f'
    """
    parts = [edge.subject.curie, edge.predicate, edge.object.curie, edge.primary_source]
    parts.append("negated" if edge.negated else "")
    for kind, value in sorted(edge.qualifiers):
        parts += (kind, value)
    # Lengths keep ("a", "bc") and ("ab", "c") apart, whatever characters a service sends.
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def merge_edges(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """One edge for each identity, in the order of their first; every returned edge has its ``id``.

    Sources, publications, record addresses, attributes and answering services are united, order
    kept. Of what can only be one, the first that says something stays, and the earliest
    ``retrieved_at``.
    """
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(edge_id(edge), []).append(edge)
    return tuple(_united(key, group) for key, group in groups.items())


def _united(key: str, group: Sequence[Edge]) -> Edge:
    first = group[0]
    if len(group) == 1:
        return first if first.id == key else replace(first, id=key)
    times = [edge.retrieved_at for edge in group if edge.retrieved_at]
    return replace(
        first,
        id=key,
        subject=_end([edge.subject for edge in group]),
        object=_end([edge.object for edge in group]),
        sources=_sources(group),
        publications=_union(edge.publications for edge in group),
        cited_by_record=_union(edge.cited_by_record for edge in group),
        record_urls=_union(edge.record_urls for edge in group),
        knowledge_level=_told(edge.knowledge_level for edge in group),
        agent_type=_told(edge.agent_type for edge in group),
        attributes=_attributes(group),
        answered_by=_union(edge.answered_by for edge in group),
        retrieved_at=min(times, default=""),
    )


def _union(tuples: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in tuples for item in items))


def _told(texts: Iterable[str]) -> str:
    return next((text for text in texts if text != _UNTOLD), _UNTOLD)


def _end(ends: Sequence[EdgeNode]) -> EdgeNode:
    """The first end, completed from the others where it lacks a name, categories or taxa."""
    first = ends[0]
    if all(end == first for end in ends):
        return first
    return replace(
        first,
        name=next((end.name for end in ends if end.name), ""),
        categories=next((end.categories for end in ends if end.categories), ()),
        taxa=_union(end.taxa for end in ends),
        asked=next((end.asked for end in ends if end.asked), None),
    )


def _sources(group: Sequence[Edge]) -> tuple[RetrievalSource, ...]:
    united: dict[tuple[str, str], RetrievalSource] = {}
    for edge in group:
        for source in edge.sources:
            key = (source.resource_id, source.role)
            known = united.get(key)
            united[key] = source if known in (None, source) else _both(known, source)
    return tuple(united.values())


def _both(one: RetrievalSource | None, other: RetrievalSource) -> RetrievalSource:
    if one is None:
        return other
    return replace(
        one,
        upstream=_union((one.upstream, other.upstream)),
        record_urls=_union((one.record_urls, other.record_urls)),
    )


def _attributes(group: Sequence[Edge]) -> tuple[Attribute, ...]:
    """Each attribute once, compared as written: 1, 1.0 and True are equal in Python only."""
    if all(edge.attributes is group[0].attributes for edge in group):
        return group[0].attributes
    united: dict[str, Attribute] = {}
    for edge in group:
        for attribute in edge.attributes:
            united.setdefault(repr(attribute), attribute)
    return tuple(united.values())


_FIRST = (
    "biolink:ChemicalEntity",
    "biolink:GeneOrGeneProduct",
    "biolink:BiologicalProcessOrActivity",
    "biolink:DiseaseOrPhenotypicFeature",
)


def canonical_direction(edge: Edge) -> Edge:
    """The same statement with the predicate that Biolink writes edges in.

    ``X treated_by Y`` becomes ``Y treats X``: ends are exchanged, ``subject_*`` and ``object_*``
    qualifiers too, a qualified predicate is inverted. What the service said stays as an attribute,
    ``biolink:original_predicate``. A symmetric statement, which services give either way round, has
    the chemical before the gene before the disease, and of two alike the lesser CURIE first.
    Canonical and unknown predicates are left alone.

    >>> from fedrag.datamodel import Edge, EdgeNode
    >>> edge = Edge("", EdgeNode("B:2", "b"), "biolink:treated_by", EdgeNode("A:1", "a"))
    >>> turned = canonical_direction(edge)
    >>> turned.subject.curie, turned.predicate, turned.object.curie
    ('A:1', 'biolink:treats', 'B:2')
    """
    model = biolink()
    inverse = model.inverse(edge.predicate)
    symmetric = model.symmetric(edge.predicate)
    if symmetric and _place(edge.subject) <= _place(edge.object):
        return edge
    if not symmetric and (inverse is None or model.is_canonical(edge.predicate)):
        return edge
    turned = replace(
        edge,
        subject=edge.object,
        predicate=inverse or edge.predicate,
        object=edge.subject,
        qualifiers=model.invert_qualifiers(edge.qualifiers),
        attributes=edge.attributes if symmetric else (*edge.attributes, _original(edge.predicate)),
    )
    return replace(turned, id=edge_id(turned)) if edge.id else turned


def _place(end: EdgeNode) -> tuple[int, str]:
    """Where an end stands in a statement that has no direction."""
    return _kind(end.categories), end.curie


@lru_cache(maxsize=1024)
def _kind(categories: tuple[str, ...]) -> int:
    model = biolink()
    kinds = (n for n, kind in enumerate(_FIRST) if model.is_a(categories, kind))
    return next(kinds, len(_FIRST))


def _original(predicate: str) -> Attribute:
    return Attribute("biolink:original_predicate", predicate)
