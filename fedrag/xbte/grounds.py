"""On what grounds a record says what it says: publications, sources, attributes, qualifiers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fedrag.datamodel import Attribute, RetrievalSource
from fedrag.metakg.operations import Operation
from fedrag.trapi.attributes import AttributeReader, Attributes
from fedrag.trapi.sources import SourceReader
from fedrag.xbte.fields import Field, first, passes
from fedrag.xbte.identifiers import curie, taxon, text
from fedrag.xbte.mapping import CompiledMapping
from fedrag.xbte.paths import MISSING, scalars
from fedrag.xbte.references import addresses, references

__all__ = ["Grounds", "GroundsReader", "label"]

_PRIMARY, _AGGREGATOR = "primary_knowledge_source", "aggregator_knowledge_source"
_CONFIDENCE = "biolink:has_confidence_score"
_NOTHING: tuple[Any, ...] = (None, "", [], {})


class Grounds:
    """What all records of one row have in common: fields of :class:`~fedrag.xbte.record.Record`."""

    __slots__ = (
        "attributes",
        "input_name",
        "mapped",
        "negated",
        "output_name",
        "publications",
        "qualifiers",
        "record_urls",
        "sources",
        "taxon",
    )

    def __init__(self) -> None:
        self.input_name: str | None = None
        self.output_name: str | None = None
        self.publications: list[str] = []
        self.record_urls: tuple[str, ...] = ()
        self.attributes: list[Attribute] = []
        self.sources: tuple[RetrievalSource, ...] = ()
        self.qualifiers: tuple[tuple[str, str], ...] = ()
        self.negated = False
        self.taxon: str | None = None
        self.mapped: dict[str, Any] = {}


def label(value: Any) -> str | None:
    """The one name in a value; None where there is none, or more than one.

    >>> label(["CXCR4 gene", "CXCR4 gene"]), label(["a", "b"]), label(None)
    ('CXCR4 gene', None, None)
    """
    if type(value) is str:
        return " ".join(value.split()) or None
    names = {" ".join(text(v).split()) for v in scalars(value) if type(v) is not bool} - {""}
    return names.pop() if len(names) == 1 else None


class GroundsReader:
    """Reads the grounds of an operation's records; what is equal in one answer is kept once."""

    def __init__(self, operation: Operation) -> None:
        self._attributes = AttributeReader()
        self._sources = SourceReader(operation.source or "")
        self._negatable = bool(operation.manner.negated)
        self._nest_under = operation.manner.nest_under

    def read(self, made: CompiledMapping, values: Sequence[Any], torn: bool = False) -> Grounds:
        """The grounds in a row.

        :param torn: the row's lists hold what belongs to other rows too, nobody can say what.
        """
        grounds, wanted = Grounds(), made.wanted
        for field in made.fields:
            value = values[field.slot] if field.plain else field.value(values)
            if value is not MISSING:
                grounds.mapped[field.name] = value
                if value is not None and not (torn and type(value) is list):
                    self._enter(grounds, field, value)
        if wanted.qualifiers:
            grounds.qualifiers, more = _qualifiers(wanted.qualifiers, values)
            grounds.attributes += more
        if wanted.confidence:
            _add(grounds, _CONFIDENCE, _number(first(wanted.confidence, values)))
        grounds.negated = self._negatable and passes(wanted.negated, values)
        if made.judged:
            told = Attributes(tuple(grounds.attributes))
            grounds.publications += told.publications()
            grounds.negated = grounds.negated or told.negated()
        if self._nest_under is not None:
            grounds.attributes = _nested(grounds.attributes, self._nest_under)
        if wanted.primary and not grounds.sources:
            grounds.sources = _chain(made, values)
        if wanted.taxon:
            grounds.taxon = _taxon(first(wanted.taxon, values))
        return grounds

    def _enter(self, grounds: Grounds, field: Field, value: Any) -> None:
        """Puts a field's value where it belongs."""
        role = field.role
        if role == "attribute":
            _add(grounds, field.name, value)
        elif role == "reference":
            found = references(field.reference or "", value)
            grounds.publications += found
            if not found:  # nothing is lost of what could not be read
                _add(grounds, field.name, value)
        elif role == "trapi":
            grounds.attributes += self._attributes.read(_listed(value))
        elif role == "sources":
            grounds.sources = self._told(_listed(value))
        elif role == "record_url":
            grounds.record_urls = addresses(value)
        elif role == "output_name":
            grounds.output_name = label(value)
        else:
            grounds.input_name = label(value)

    def _told(self, listed: list[Any]) -> tuple[RetrievalSource, ...]:
        """TRAPI's retrieval sources; ``()`` where no primary one is to be had."""
        found = self._sources.read(listed, Attributes(()))
        named = any(type(item) is dict for item in listed)
        return found if named and found[0].resource_id else ()


def _chain(made: CompiledMapping, values: Sequence[Any]) -> tuple[RetrievalSource, ...]:
    """Where a record is from that names its sources by Biolink's slots."""
    primary = next(_infores(first(made.wanted.primary, values)), None)
    if primary is None:
        return ()
    chain = [RetrievalSource(primary, _PRIMARY)]
    # The source nearest to the primary one is listed last.
    for aggregator in reversed(list(_infores(first(made.wanted.aggregators, values)))):
        chain.append(RetrievalSource(aggregator, _AGGREGATOR, (chain[-1].resource_id,)))
    return tuple(chain)


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _add(grounds: Grounds, name: str, value: Any) -> None:
    """Adds an attribute, unless it holds nothing."""
    if value is not MISSING and value not in _NOTHING:
        grounds.attributes.append(Attribute(name, value))


def _number(value: Any) -> Any:
    """A text that is a number as that number (PubTator3's scores); anything else as it is."""
    try:
        number = float(value) if type(value) is str else math.nan
    except ValueError:
        return value
    return number if math.isfinite(number) else value


def _infores(value: Any) -> Iterator[str]:
    for item in scalars(value):
        if type(item) is str and item.startswith("infores:") and len(item.split()) == 1:
            yield item


def _taxon(value: Any) -> str | None:
    return next((found for v in scalars(value) if (found := taxon(v))), None)


def _nested(attributes: list[Attribute], under: str) -> list[Attribute]:
    """The attributes, all others put into the one called ``under`` where there is one."""
    holder = next((a for a in attributes if a.type_id == under), None)
    if holder is None:
        return attributes
    inner = (*holder.attributes, *(a for a in attributes if a is not holder))
    return [Attribute(holder.type_id, holder.value, holder.source, holder.value_url, inner)]


def _qualifiers(
    wanted: Iterable[tuple[str, str, tuple[int, ...]]], values: Sequence[Any]
) -> tuple[tuple[tuple[str, str], ...], list[Attribute]]:
    """Qualifiers the record decides; one with several values at once is kept as an attribute."""
    found: list[tuple[str, str]] = []
    several: list[Attribute] = []
    for kind, prefix, slots in wanted:
        given = (curie(prefix, v) if prefix else text(v) for v in scalars(first(slots, values)))
        told = list(dict.fromkeys(value for value in given if value))
        if len(told) == 1:
            found.append((kind, told[0]))
        elif told:
            several.append(Attribute(kind, told))
    return tuple(found), several
