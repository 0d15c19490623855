"""What asking one query edge came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.errors import ServiceError
from fedrag.execute import Outcome
from fedrag.query.graph import GraphEdge

__all__ = ["Hop", "HopState"]

HopState = Literal["ok", "empty", "failed", "not_asked"]


@dataclass(slots=True)
class Hop:
    """One query edge: who was asked, with how much, and what came back.

    ``asked`` of ``known`` identifiers were sent. ``returned`` edges came, of which ``fitting``
    answer the query edge; ``left_out`` counts the others by reason.
    """

    edge: GraphEdge
    start: str = ""
    turn: int = 0  # the round it was asked in last
    asked: int = 0
    known: int = 0
    services: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    returned: int = 0
    fitting: int = 0
    bound: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    failures: list[ServiceError] = field(default_factory=list)
    truncated: list[str] = field(default_factory=list)

    def add(self, service: str, outcome: Outcome) -> None:
        """One service's answer."""
        if outcome.calls or outcome.failures:
            self.services.add(service)
        if outcome.edges or (outcome.calls and not outcome.failures):
            self.answered.add(service)
        self.returned += len(outcome.edges)
        self.failures += outcome.failures
        if outcome.truncated:
            self.cut(f"{service}: {outcome.truncated}")

    def cut(self, why: str) -> None:
        """Something was left out by a cap."""
        if why not in self.truncated:
            self.truncated.append(why)

    @property
    def unanswered(self) -> bool:
        """Whether all services that were asked failed: nothing is known then, not nothing found."""
        return bool(self.services) and not self.answered

    @property
    def state(self) -> HopState:
        """``failed`` when nothing fits and a service failed: then nothing is known of it."""
        if self.fitting:
            return "ok"
        if self.failures:
            return "failed"
        return "empty" if self.start else "not_asked"

    def told(self) -> str:
        """The hop in one line, for logs and people."""
        where = f"{self.edge.key} ({self.edge.subject} – {self.edge.object})"
        if self.state == "not_asked":
            return f"{where}: not asked"
        of = f" of {self.known:,}" if self.asked < self.known else ""
        line = (
            f"{where}: asked from {self.start} with {self.asked:,}{of} "
            f"thing{'' if self.known == 1 else 's'}; "
            f"edges: {self.returned:,} came, {self.fitting:,} fit"
        )
        if self.left_out:
            listed = ", ".join(f"{reason} {n:,}" for reason, n in sorted(self.left_out.items()))
            line += f" (left out: {listed})"
        return line

    def row(self) -> dict[str, Any]:
        """The hop as JSON."""
        return {
            "edge": self.edge.key,
            "state": self.state,
            "start": self.start or None,
            "asked": self.asked,
            "known": self.known,
            "services": sorted(self.services),
            "edges": self.returned,
            "fitting": self.fitting,
            "bound": self.bound,
            "left_out": dict(sorted(self.left_out.items())),
            "truncated": sorted(self.truncated),
        }
