"""Attributes of a TRAPI edge: kept whole, and read for what an edge needs to know of itself.

TRAPI gives an attribute three more texts than :class:`~fedrag.datamodel.Attribute` has fields
for: ``original_attribute_name``, ``value_type_id`` and ``description``. They are kept as attributes
of the attribute under just these names (no CURIEs, so they clash with none).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from fedrag.datamodel import Attribute
from fedrag.trapi.publications import publications_in

__all__ = [
    "AttributeReader",
    "Attributes",
    "attribute_to_trapi",
    "curie_typed",
    "is_negated",
    "name_of",
    "original_name",
]

_CURIE = re.compile(r"[A-Za-z_][\w.\-]*:\S+")
_DEPTH = 20  # attributes of attributes deeper than this are not followed
_GENERIC = ("biolink:Attribute", "biolink:attribute", "NA")  # a type that says nothing
_SAYS_MORE = ("original_attribute_name", "value_type_id", "description")
_PUBLICATIONS = frozenset(("publications", "publication", "pmids", "pmid", "pubmed"))
_KEYED_BY_PUBLICATION = frozenset(("supporting_text", "bts:sentence"))
_Key = tuple[Any, ...]


class AttributeReader:
    """Reads attributes; equal small ones of one answer become one object, to save memory."""

    def __init__(self) -> None:
        self._known: dict[_Key, Attribute] = {}

    def read(self, value: Any, depth: int = 0) -> tuple[Attribute, ...]:
        """The attributes in a TRAPI ``attributes`` list; what is no attribute is left out."""
        if not isinstance(value, list) or depth > _DEPTH:
            return ()
        return tuple(self._one(item, depth) for item in value if isinstance(item, dict))

    def _one(self, item: dict[str, Any], depth: int) -> Attribute:
        nested = self.read(item.get("attributes"), depth + 1)
        more = tuple(
            self._shared((name, text, None, None))
            for name in _SAYS_MORE
            if (text := _text(item.get(name)))
        )
        kind = _text(item.get("attribute_type_id")) or _text(item.get("type")) or ""
        source, url = _text(item.get("attribute_source")), _text(item.get("value_url"))
        value = item.get("value")
        if nested or isinstance(value, (list, dict)):
            return Attribute(sys.intern(kind), value, source, url, nested + more)
        return self._shared((kind, value, source, url, *map(id, more)), more)

    def _shared(self, key: _Key, more: tuple[Attribute, ...] = ()) -> Attribute:
        key = (type(key[1]), *key)  # 1, 1.0 and True are equal, and not the same value
        found = self._known.get(key)
        if found is None:
            _, kind, value, source, url = key[:5]
            found = self._known[key] = Attribute(sys.intern(kind), value, source, url, more)
        return found


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def original_name(attribute: Attribute) -> str:
    """What the source calls the attribute (TRAPI's ``original_attribute_name``), ``""`` if untold.

    >>> reader = AttributeReader()
    >>> read = reader.read([{"attribute_type_id": "biolink:Attribute", "value": 0.9,
    ...                      "original_attribute_name": "tmkp_confidence_score"}])
    >>> original_name(read[0])
    'tmkp_confidence_score'
    """
    for more in attribute.attributes:
        if more.type_id == "original_attribute_name" and isinstance(more.value, str):
            return more.value
    return ""


def name_of(attribute: Attribute) -> str:
    """What the attribute is about, without ``biolink:``.

    Its type, or where that says nothing (``biolink:Attribute``, an EDAM data type), the source's
    own name of it.

    >>> name_of(Attribute("biolink:p_value", 0.01))
    'p_value'
    """
    kind = attribute.type_id
    if not kind or kind in _GENERIC or kind.startswith("EDAM"):
        kind = original_name(attribute) or kind
    return kind.removeprefix("biolink:")


class Attributes:
    """The attributes of one edge by name, for looking up what they say of the edge."""

    def __init__(self, attributes: tuple[Attribute, ...]) -> None:
        self._all = attributes
        self._named: dict[str, list[Attribute]] = {}
        for attribute in attributes:
            self._named.setdefault(name_of(attribute), []).append(attribute)

    def texts(self, name: str) -> Iterator[str]:
        """The text values of the attributes with this name (see :func:`name_of`)."""
        for attribute in self._named.get(name, ()):
            values = attribute.value if isinstance(attribute.value, list) else [attribute.value]
            yield from (value for value in values if isinstance(value, str) and value)

    def negated(self) -> bool:
        """Whether an attribute says that the statement does not hold."""
        return any(is_negated(attribute.value) for attribute in self._named.get("negated", ()))

    def publications(self, field: Any = None) -> tuple[str, ...]:
        """Every publication named, in nested attributes and supporting texts too, each once.

        ``field`` is a ``publications`` field of the edge itself, which some services send.
        """
        return tuple(dict.fromkeys((*publications_in(field), *_publications(self._all))))


def _publications(attributes: Iterable[Attribute]) -> Iterator[str]:
    nested: list[Attribute] = []
    for attribute in attributes:
        name = name_of(attribute).lower()
        keyed = name in _KEYED_BY_PUBLICATION and isinstance(attribute.value, dict)
        if keyed or name in _PUBLICATIONS:
            yield from publications_in(attribute.value)
        nested.extend(attribute.attributes)
    if nested:
        yield from _publications(nested)


def is_negated(value: Any) -> bool:
    """Whether a value of ``biolink:negated`` says yes.

    >>> is_negated("True"), is_negated([True]), is_negated("false"), is_negated(None)
    (True, True, False, False)
    """
    if isinstance(value, list):
        return any(item is True or item == "true" for item in value)
    if isinstance(value, str):
        return value.strip().lower() in ("true", "1", "yes")
    return isinstance(value, (bool, int, float)) and value == 1


def attribute_to_trapi(attribute: Attribute) -> dict[str, Any]:
    """The attribute as TRAPI writes it, with everything that was read of it.

    >>> given = {"attribute_type_id": "biolink:p_value", "value": 0.01, "description": "adjusted"}
    >>> attribute_to_trapi(AttributeReader().read([given])[0]) == given
    True
    """
    written: dict[str, Any] = {"attribute_type_id": attribute.type_id, "value": attribute.value}
    if attribute.source is not None:
        written["attribute_source"] = attribute.source
    if attribute.value_url is not None:
        written["value_url"] = attribute.value_url
    nested = [attribute_to_trapi(a) for a in attribute.attributes if a.type_id not in _SAYS_MORE]
    written |= {a.type_id: a.value for a in attribute.attributes if a.type_id in _SAYS_MORE}
    return written | {"attributes": nested} if nested else written


def curie_typed(written: dict[str, Any]) -> dict[str, Any]:
    """A written attribute with a CURIE for its type, as TRAPI demands; nested ones too.

    A source's own name for it becomes its ``original_attribute_name``.

    >>> curie_typed({"attribute_type_id": "go_evidence", "value": "IDA"})["attribute_type_id"]
    'biolink:Attribute'
    """
    kind = written["attribute_type_id"]
    typed = dict(written)
    if not _CURIE.fullmatch(kind):
        typed["attribute_type_id"] = _GENERIC[0]
        if kind:
            typed.setdefault("original_attribute_name", kind)
    if "attributes" in typed:
        typed["attributes"] = [curie_typed(nested) for nested in typed["attributes"]]
    return typed
