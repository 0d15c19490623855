"""A service's meta knowledge graph: which triples of categories and predicates it can answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fedrag.errors import BadPayloadError

__all__ = ["MetaTriple", "read_meta_knowledge_graph"]


@dataclass(frozen=True, slots=True)
class MetaTriple:
    """One meta-edge. ``qualifiers`` are ``(type, applicable values)``, no values meaning any."""

    subject: str
    predicate: str
    object: str
    qualifiers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    knowledge_types: tuple[str, ...] = ()


def read_meta_knowledge_graph(
    payload: Any, *, service: str = "the service"
) -> tuple[list[MetaTriple], dict[str, tuple[str, ...]]]:
    """The triples of ``GET /meta_knowledge_graph``, and the identifier prefixes by category.

    Reads also the older ``{subject: {object: [predicates]}}`` under ``predicates``. An entry that
    is no triple is left out; a triple given twice is one, its qualifiers' values united.

    :raises BadPayloadError: it is no object, or holds neither ``edges`` nor ``predicates``.

    >>> triples, prefixes = read_meta_knowledge_graph({
    ...     "nodes": {"biolink:Gene": {"id_prefixes": ["NCBIGene"]}},
    ...     "edges": [{"subject": "biolink:Gene", "predicate": "biolink:affects",
    ...                "object": "biolink:Gene", "qualifiers": None}]})
    >>> triples[0].predicate, prefixes
    ('biolink:affects', {'biolink:Gene': ('NCBIGene',)})
    """
    if not isinstance(payload, dict):
        raise _bad(service, f"a {type(payload).__name__} where a meta knowledge graph was due")
    edges, predicates = payload.get("edges"), payload.get("predicates")
    if not isinstance(edges, list) and not isinstance(predicates, dict):
        raise _bad(service, "JSON without the edges of a meta knowledge graph")
    united: dict[tuple[str, str, str], MetaTriple] = {}
    for triple in (*_triples(edges), *_nested_triples(predicates)):
        key = (triple.subject, triple.predicate, triple.object)
        united[key] = _both(united[key], triple) if key in united else triple
    return list(united.values()), _prefixes(payload.get("nodes"))


def _bad(service: str, what: str) -> BadPayloadError:
    return BadPayloadError(f"{service} answered {what}", service=service)


def _triples(edges: Any) -> Iterator[MetaTriple]:
    for edge in edges if isinstance(edges, list) else ():
        if not isinstance(edge, dict):
            continue
        parts = [edge.get(key) for key in ("subject", "predicate", "object")]
        if all(isinstance(part, str) and part for part in parts):
            subject, predicate, object_ = map(_biolink, parts)
            qualifiers = tuple(sorted(_qualifiers(edge.get("qualifiers"))))
            types = tuple(_texts(edge.get("knowledge_types")))
            yield MetaTriple(subject, predicate, object_, qualifiers, types)


def _nested_triples(predicates: Any) -> Iterator[MetaTriple]:
    for subject, objects in predicates.items() if isinstance(predicates, dict) else ():
        for object_, names in objects.items() if isinstance(objects, dict) else ():
            for name in _texts(names):
                yield MetaTriple(_biolink(subject), _biolink(name), _biolink(object_))


def _qualifiers(value: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    for item in value if isinstance(value, list) else ():
        kind = item.get("qualifier_type_id") if isinstance(item, dict) else None
        if isinstance(kind, str) and kind:
            yield (
                _biolink(kind),
                tuple(sys.intern(v) for v in _texts(item.get("applicable_values"))),
            )


def _both(one: MetaTriple, other: MetaTriple) -> MetaTriple:
    """The union; a qualifier that one of them lists without values may have any."""
    ours, theirs = dict(one.qualifiers), dict(other.qualifiers)
    qualifiers: list[tuple[str, tuple[str, ...]]] = []
    for kind in sorted({*ours, *theirs}):
        lists = [given[kind] for given in (ours, theirs) if kind in given]
        values = dict.fromkeys(value for listed in lists for value in listed)
        qualifiers.append((kind, tuple(values) if all(lists) else ()))
    types = dict.fromkeys((*one.knowledge_types, *other.knowledge_types))
    return MetaTriple(one.subject, one.predicate, one.object, tuple(qualifiers), tuple(types))


def _prefixes(nodes: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for category, node in nodes.items() if isinstance(nodes, dict) else ():
        listed = node.get("id_prefixes") if isinstance(node, dict) else None
        # Some services list the letters of a prefix, or an empty one: no prefix is so short.
        name = _biolink(category)
        given = (*found.get(name, ()), *(p for p in _texts(listed) if len(p) > 1))
        found[name] = tuple(dict.fromkeys(given))
    return found


def _texts(value: Any) -> Iterator[str]:
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and text:
            yield text


def _biolink(name: Any) -> str:
    text = str(name)
    return sys.intern(text if ":" in text else f"biolink:{text}")
