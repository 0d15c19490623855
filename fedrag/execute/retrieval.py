"""What the execution of a plan brings back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fedrag.datamodel import Edge, NormalizedNode, ServiceReport
from fedrag.errors import ServiceError

__all__ = ["Retrieval"]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Edges and everything that is known of how they were found.

    ``edges`` are merged, in canonical direction, on canonical CURIEs. ``found_by`` maps an edge's
    id to the keys of the query edges whose hop found it, ``nodes`` a canonical CURIE (conflation
    on) to what the Node Normalizer says of it.
    """

    edges: tuple[Edge, ...]
    found_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nodes: Mapping[str, NormalizedNode] = field(default_factory=dict)
    reports: tuple[ServiceReport, ...] = ()
    notes: tuple[str, ...] = ()
    naming_failed: tuple[ServiceError, ...] = ()  # look-ups by name of what nobody knows
    normalising_failed: tuple[ServiceError, ...] = ()  # by calls that were not made good
    left_out: int = 0  # edges dropped on the client because the caller would not have them
