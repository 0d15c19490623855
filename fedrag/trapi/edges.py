"""One edge of a TRAPI knowledge graph → one :class:`~fedrag.datamodel.Edge`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from fedrag.datamodel import Edge, EdgeNode
from fedrag.trapi.attributes import AttributeReader, Attributes, is_negated
from fedrag.trapi.sources import SourceReader, cited_by_record, record_urls

__all__ = ["EdgeReader", "UnreadableEdgeError"]

_WORD = re.compile(r"\w+", re.ASCII)
_TAXON = ("biolink:in_taxon", "biolink:OrganismTaxon", "biolink:organism_taxon", "biolink:taxon")


class UnreadableEdgeError(ValueError):
    """The edge lacks what no edge can do without; the message is the reason it is counted by."""


class EdgeReader:
    """Reads the edges of one answer; whatever they share is made once.

    :param nodes: the knowledge graph's nodes, as sent.
    """

    def __init__(
        self, nodes: Mapping[str, Any], *, service: str, infores: str, retrieved_at: str
    ) -> None:
        self._nodes = nodes
        self._answered_by = (service,)
        self._retrieved_at = retrieved_at
        self._attributes = AttributeReader()
        self._sources = SourceReader(infores)
        self._ends: dict[tuple[str, str | None], EdgeNode] = {}
        self._qualifiers: dict[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = {}

    def read(self, edge: Any, asked: Mapping[str, str]) -> Edge:
        """One edge.

        :param asked: CURIE as returned → CURIE of the question that it was found for.
        :raises UnreadableEdgeError: it is no edge; everything less is left out of it.
        """
        subject, predicate, object_ = _triple(edge)
        attributes = self._attributes.read(edge.get("attributes"))
        named = Attributes(attributes)
        sources = self._sources.read(edge.get("sources"), named)
        return Edge(
            id="",
            subject=self._end(subject, asked.get(subject)),
            predicate=predicate,
            object=self._end(object_, asked.get(object_)),
            qualifiers=self._qualifiers_of(edge.get("qualifiers")),
            negated=is_negated(edge.get("negated")) or named.negated(),
            sources=sources,
            publications=named.publications(edge.get("publications")),
            cited_by_record=cited_by_record(sources),
            record_urls=record_urls(sources),
            knowledge_level=_level(edge, named, "knowledge_level"),
            agent_type=_level(edge, named, "agent_type"),
            attributes=attributes,
            answered_by=self._answered_by,
            retrieved_at=self._retrieved_at,
        )

    def _end(self, curie: str, asked: str | None) -> EdgeNode:
        end = self._ends.get((curie, asked))
        if end is None:
            given = self._nodes.get(curie)
            node = given if isinstance(given, dict) else {}
            name = node.get("name")
            end = self._ends[curie, asked] = EdgeNode(
                curie=curie,
                name=name if isinstance(name, str) else "",
                categories=tuple(_categories(node)),
                found=curie,
                found_name=name if isinstance(name, str) and name else None,
                asked=asked,
                canonical=curie,
                taxa=tuple(dict.fromkeys(_taxa(node))),
            )
        return end

    def _qualifiers_of(self, value: Any) -> tuple[tuple[str, str], ...]:
        qualifiers = tuple(sorted(set(_qualifiers(value))))
        return self._qualifiers.setdefault(qualifiers, qualifiers)


def _triple(edge: Any) -> tuple[str, str, str]:
    if edge is None:
        raise UnreadableEdgeError("edge is null")
    if not isinstance(edge, dict):
        raise UnreadableEdgeError("edge is not an object")
    subject, predicate, object_ = edge.get("subject"), edge.get("predicate"), edge.get("object")
    if not (isinstance(subject, str) and subject.strip()):
        raise UnreadableEdgeError("no subject")
    if not (isinstance(object_, str) and object_.strip()):
        raise UnreadableEdgeError("no object")
    if not (isinstance(predicate, str) and predicate.strip()):
        raise UnreadableEdgeError("predicate is missing")
    return sys.intern(subject), sys.intern(_biolink(predicate)), sys.intern(object_)


def _biolink(name: str) -> str:
    return name if ":" in name else f"biolink:{name}"


def _level(edge: Mapping[str, Any], attributes: Attributes, name: str) -> str:
    """A field of the edge in TRAPI 2.0, an attribute in 1.5 and 1.6, absent before."""
    field = edge.get(name)
    given = (field, *attributes.texts(name))
    texts = (text.removeprefix("biolink:") for text in given if isinstance(text, str))
    words = (text for text in texts if _WORD.fullmatch(text))  # it stands in sentences: no "[E9]"
    return sys.intern(next((word for word in words if word != "not_provided"), "not_provided"))


def _categories(node: Mapping[str, Any]) -> Iterator[str]:
    for key in ("categories", "category"):  # the latter in converted older messages
        value = node.get(key)
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and name:
                yield sys.intern(_biolink(name))
        if value:
            return


def _taxa(node: Mapping[str, Any]) -> Iterator[str]:
    attributes = node.get("attributes")
    for attribute in attributes if isinstance(attributes, list) else ():
        if isinstance(attribute, dict) and attribute.get("attribute_type_id") in _TAXON:
            value = attribute.get("value")
            for taxon in value if isinstance(value, list) else [value]:
                if isinstance(taxon, str) and taxon.startswith("NCBITaxon:"):
                    yield sys.intern(taxon)


def _qualifiers(value: Any) -> Iterator[tuple[str, str]]:
    for kind, text in _pairs(value):
        if isinstance(kind, str) and kind and isinstance(text, str) and text:
            predicate = kind.endswith("qualified_predicate")
            yield sys.intern(_biolink(kind)), sys.intern(_biolink(text) if predicate else text)


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item.get("qualifier_type_id"), item.get("qualifier_value")
