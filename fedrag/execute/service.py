"""The protocol every kind of service is asked through: one query edge, bound identifiers, edges.

An executor never raises for a service's failure: what was won before it is kept beside it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fedrag.datamodel import Edge, NormalizedNode, QueryEdge, QueryNode
from fedrag.errors import ServiceError
from fedrag.metakg import Service
from fedrag.net import Caller

__all__ = ["Ask", "EdgeService", "Equivalents", "Outcome"]


Equivalents = Callable[[Sequence[str]], Awaitable[Mapping[str, NormalizedNode | None]]]


async def _no_equivalents(_: Sequence[str]) -> Mapping[str, NormalizedNode | None]:
    return {}


@dataclass(frozen=True, slots=True)
class Ask:
    """One query edge with its bound identifiers; ``ids`` maps node keys to what is known there.

    ``equivalents`` tells what else the bound identifiers are called, for services that do not take
    them as they are; ``taxon`` is the organism asked about.
    """

    edge: QueryEdge
    nodes: Mapping[str, QueryNode]
    ids: Mapping[str, tuple[str, ...]]
    equivalents: Equivalents = _no_equivalents
    taxon: str = "NCBITaxon:9606"

    @property
    def bound(self) -> frozenset[str]:
        """All identifiers this hop asks with, at either end."""
        return frozenset(curie for ids in self.ids.values() for curie in ids)


@dataclass(slots=True)
class Outcome:
    """What one service said to one :class:`Ask`, failures kept beside what was won."""

    edges: list[Edge] = field(default_factory=list)
    failures: list[ServiceError] = field(default_factory=list)
    dropped: list[tuple[str, int]] = field(default_factory=list)
    truncated: str | None = None
    calls: int = 0
    idle: str | None = None  # why nothing was called

    def add(self, other: Outcome) -> None:
        """Take over everything another outcome of the same service holds."""
        self.edges += other.edges
        self.failures += other.failures
        self.dropped += other.dropped
        self.truncated = self.truncated or other.truncated
        self.calls += other.calls
        self.idle = self.idle or other.idle


class EdgeService(Protocol):
    """How one protocol (TRAPI, annotated REST, GraphQL) answers one query edge."""

    @property
    def service(self) -> Service:
        """The service this executor asks."""
        ...

    async def run(self, ask: Ask, caller: Caller) -> Outcome:
        """Ask the service; every failure comes back inside the outcome."""
        ...
