"""The protocol every kind of service is asked through: one query edge, bound identifiers, edges.

An executor never raises for a service's failure: what was won before it is kept beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from fedrag.datamodel import Edge, QueryEdge, QueryNode
from fedrag.errors import ServiceError
from fedrag.metakg import Service
from fedrag.net import Caller

__all__ = ["Ask", "EdgeService", "Outcome"]


@dataclass(frozen=True, slots=True)
class Ask:
    """One query edge with its bound identifiers; ``ids`` maps node keys to what is known there."""

    edge: QueryEdge
    nodes: Mapping[str, QueryNode]
    ids: Mapping[str, tuple[str, ...]]

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

    def add(self, other: Outcome) -> None:
        """Take over everything another outcome of the same service holds."""
        self.edges += other.edges
        self.failures += other.failures
        self.dropped += other.dropped
        self.truncated = self.truncated or other.truncated
        self.calls += other.calls


class EdgeService(Protocol):
    """How one protocol (TRAPI, annotated REST, GraphQL) answers one query edge."""

    @property
    def service(self) -> Service:
        """The service this executor asks."""
        ...

    async def run(self, ask: Ask, caller: Caller) -> Outcome:
        """Ask the service; every failure comes back inside the outcome."""
        ...
