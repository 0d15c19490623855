"""Records of an annotated service → edges with their passport."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, EdgeNode, RetrievalSource
from fedrag.metakg import Operation, Service
from fedrag.xbte import Record

__all__ = ["Asked", "edges_of"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the inputs of a call stand for.

    ``meant`` maps an input to the identifiers asked, ``names`` identifiers to labels.
    """

    meant: Mapping[str, Sequence[str]]
    names: Mapping[str, str]


def edges_of(
    records: Iterable[Record],
    operation: Operation,
    service: Service,
    asked: Asked,
    retrieved_at: str,
) -> Iterator[Edge]:
    """One edge per record and identifier asked, in the direction the operation states."""
    for record in records:
        for curie in asked.meant.get(record.input, ()):
            yield Edge(
                id="",
                subject=_subject(record, operation, asked.names, curie),
                predicate=operation.predicate,
                object=_object(record, operation),
                qualifiers=tuple(sorted((*operation.qualifiers, *record.qualifiers))),
                negated=record.negated,
                sources=record.sources or _sources(operation, service, record),
                publications=record.publications,
                record_urls=record.record_urls,
                knowledge_level=operation.knowledge_level,
                agent_type=operation.agent_type,
                attributes=record.attributes,
                answered_by=(service.name,),
                retrieved_at=retrieved_at,
            )


def _subject(
    record: Record, operation: Operation, names: Mapping[str, str], asked: str
) -> EdgeNode:
    """The end that was asked: as it was written to the service, or what the record is really of."""
    by_label = record.input.startswith(("SYMBOL:", "NAME:"))
    found = record.found_input or _canonical(asked if by_label else record.input)
    name = record.found_input_name or names.get(found) or names.get(asked)
    return EdgeNode(
        curie=found,
        name=name or record.input_name or "",
        categories=() if record.found_input is None else (operation.subject_category,),
        found=found,
        asked=asked if asked != found else None,
        canonical=found,
    )


def _object(record: Record, operation: Operation) -> EdgeNode:
    found = _canonical(record.output)
    return EdgeNode(
        curie=found,
        name=record.output_name or "",
        categories=(operation.object_category,),
        found=found,
        canonical=found,
        taxa=(record.taxon,) if record.taxon else (),
    )


def _canonical(curie: str) -> str:
    """The CURIE with Translator's spelling of its prefix."""
    prefix, colon, local = curie.partition(":")
    return f"{biolink().canonical_prefix(prefix)}{colon}{local}"


def _sources(operation: Operation, service: Service, record: Record) -> tuple[RetrievalSource, ...]:
    """The primary source an operation names, and the service as the aggregator it came through."""
    primary = operation.source or service.infores
    first = RetrievalSource(primary, "primary_knowledge_source", (), record.record_urls)
    if primary == service.infores:
        return (first,)
    return (first, RetrievalSource(service.infores, "aggregator_knowledge_source", (primary,)))
