"""What goes to an annotated API and what comes back, between the operation and the edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.datamodel import Attribute, RetrievalSource

__all__ = ["Reading", "Record", "Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP call of an operation. At most one of ``form`` and ``json`` is given.

    ``path`` is behind the service's base URL, its parameters filled in; ``inputs`` are the CURIEs
    it asks about, as they were handed in.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    form: tuple[tuple[str, str], ...] | None = None
    json: Any = None
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One statement of an answer: an identifier that was asked, and what it is related to.

    ``input`` is the CURIE as it was handed in; ``found_input`` what the record is really about,
    where that is more than the input (a combination of drugs). ``mapped`` is what the response
    mapping read, beside the output, in its order: the conformance data speak of it.
    """

    input: str
    output: str
    input_name: str | None = None
    output_name: str | None = None
    found_input: str | None = None
    found_input_name: str | None = None
    publications: tuple[str, ...] = ()
    record_urls: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    sources: tuple[RetrievalSource, ...] = ()  # where the answer tells them itself (trapi_sources)
    qualifiers: tuple[tuple[str, str], ...] = ()  # those the record decides
    negated: bool = False
    taxon: str | None = None  # of the output, NCBITaxon:…
    mapped: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one answer held. ``dropped`` counts records that could not be used, by reason."""

    records: tuple[Record, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
