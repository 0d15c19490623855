"""What is said between two nodes of the retrieved graph, and what it is worth in a direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from fedrag.biolink import biolink
from fedrag.datamodel import Edge
from fedrag.evidence.status import is_treatment
from fedrag.weight import combined

__all__ = ["Flow", "Link"]

Flow = Literal["out", "in", "any"]  # the way causes run as seen from a given entity

_OF_USE = 0.25  # "treats" where a mechanism is asked: to share an indication is analogy
_UPSTREAM = 0.4  # a causal statement that is walked against its direction
_CAUSAL = frozenset(
    f"biolink:{name}"
    for name in (
        "affects",
        "affected_by",
        "contributes_to",
        "contribution_from",
        "affects_likelihood_of",
        "likelihood_affected_by",
        "produces",
        "produced_by",
        "derives_into",
        "derives_from",
    )
)


@dataclass(slots=True)
class Link:
    """Everything that is said between two nodes and may carry an answer."""

    edges: list[tuple[Edge, str, float]] = field(default_factory=list)  # with cause and weight
    _worth: dict[tuple[str | None, bool], float] = field(default_factory=dict)

    def add(self, edge: Edge, subject: str, obj: str, weight: float) -> None:
        """One more statement; the cause is the object of ``affected_by`` and its like."""
        cause = obj if edge.predicate.endswith(("_by", "_from")) else subject
        self.edges.append((edge, cause, weight))

    def worth(self, cause: str | None, *, use: bool) -> float:
        """The statements' weights, one for each primary source, with diminishing returns.

        :param cause: the node that acts where causes run in one direction, None where either may.
        :param use: whether statements of use as a treatment count in full.
        """
        key = (cause, use)
        known = self._worth.get(key)
        if known is None:
            by_source: dict[str, float] = {}
            for edge, acting, weight in self.edges:
                if not use and is_treatment(edge.predicate):
                    weight *= _OF_USE
                if cause is not None and acting != cause and _is_causal(edge.predicate):
                    weight *= _UPSTREAM
                source = edge.primary_source
                by_source[source] = max(by_source.get(source, 0.0), weight)
            known = self._worth[key] = combined(by_source.values())
        return known

    def leads(self, cause: str) -> bool:
        """Whether anything said, use as a treatment aside, lets an effect pass from this node.

        What acts on it in every statement does not: an effect of the one is none on the other.
        """
        return any(
            (acting == cause or not _is_causal(edge.predicate)) and not is_treatment(edge.predicate)
            for edge, acting, _ in self.edges
        )

    @property
    def only_use(self) -> bool:
        """Whether all that is said is use as a treatment."""
        return all(is_treatment(edge.predicate) for edge, _, _ in self.edges)

    @property
    def some_use(self) -> bool:
        """Whether use as a treatment is among what is said."""
        return any(is_treatment(edge.predicate) for edge, _, _ in self.edges)

    def best(self, most: int | None = None) -> list[Edge]:
        """Its edges, the weightiest first."""
        ranked = sorted(self.edges, key=lambda each: (-each[2], each[0].id))[:most]
        return [edge for edge, _, _ in ranked]


@lru_cache(maxsize=1024)
def _is_causal(predicate: str) -> bool:
    """Whether a predicate says that one end acts on the other."""
    return not _CAUSAL.isdisjoint(biolink().predicate_ancestors(predicate))
