"""A TRAPI query, read: the graph, what each node and edge must be, and the query's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.query.constraints import AllowDeny, AttributeConstraint

__all__ = ["EdgeConstraints", "GraphEdge", "GraphNode", "Qualifiers", "QueryRequest", "SetKind"]

SetKind = Literal["BATCH", "ALL", "MANY", "COLLATE"]
Qualifiers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A query node. ``ids`` are what it is asked with: a set's members where it stands for a set.

    ``set_id`` is the identifier of that set; ``sets`` says how several things at one node become
    results (TRAPI's ``set_interpretation``; ``COLLATE`` also for 1.4's ``is_set``). ``extra`` holds
    keys that TRAPI does not know; they are repeated and have no effect.
    """

    key: str
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    sets: SetKind = "BATCH"
    set_id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def collated(self) -> bool:
        """Whether all things that fit go into one result."""
        return self.sets != "BATCH"


@dataclass(frozen=True, slots=True)
class EdgeConstraints:
    """What a bound edge must meet besides predicate and ends.

    One of the ``qualifiers`` sets must hold whole; each of the others must hold.
    """

    qualifiers: tuple[Qualifiers, ...] = ()
    attributes: tuple[AttributeConstraint, ...] = ()
    knowledge_level: AllowDeny | None = None
    agent_type: AllowDeny | None = None
    sources: AllowDeny | None = None


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A query edge, from the node ``subject`` to the node ``object``."""

    key: str
    subject: str
    object: str
    predicates: tuple[str, ...] = ()
    constraints: EdgeConstraints = EdgeConstraints()
    knowledge_type: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[str, str]:
        """Both node keys, the subject's first."""
        return self.subject, self.object

    def other(self, node: str) -> str:
        """The node at the other end."""
        return self.object if node == self.subject else self.subject


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A whole query. ``notes`` say what of it will not be honoured.

    ``timeout`` is in seconds, ``parameters`` is what TRAPI 2.0 wants repeated in the response.
    """

    nodes: Mapping[str, GraphNode]
    edges: Mapping[str, GraphEdge]
    log_level: str = "DEBUG"
    bypass_cache: bool = False
    timeout: float | None = None
    parameters: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()

    def touching(self, node: str) -> tuple[GraphEdge, ...]:
        """The edges that end at a node."""
        return tuple(edge for edge in self.edges.values() if node in edge.ends)
