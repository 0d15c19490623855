"""Lines of a candidate's score that depend on its statements alone, and how one is described."""

from __future__ import annotations

from collections.abc import Sequence

from fedrag.datamodel import Edge, ScoreLine
from fedrag.evidence.attributes import confidence
from fedrag.evidence.contexts import weight_against
from fedrag.evidence.polarity import is_negative
from fedrag.evidence.scope import Scope
from fedrag.evidence.status import clinical_stage
from fedrag.weight import combined, edge_weight

__all__ = [
    "DIGITS",
    "against_line",
    "confidence_line",
    "described",
    "is_text_mined",
    "phase_line",
    "sources_line",
]

DIGITS = 3  # of a line's points
_SOURCES = 1.5
_PHASE = 2.5
_CONFIDENCE = 0.5
_AGAINST = 3.0
_TEXT_MINED = frozenset({"text_mining_agent"})


def described(edge: Edge) -> str:
    """The predicate in words, who says so, and how it is known."""
    predicate = edge.predicate.removeprefix("biolink:").replace("_", " ")
    known = f"{edge.knowledge_level.replace('_', ' ')}, {edge.agent_type.replace('_', ' ')}"
    return f"{predicate} ({edge.primary_source}; {known})"


def sources_line(support: Sequence[Edge]) -> ScoreLine:
    """Every primary source beyond the strongest, as much as its best statement weighs."""
    best: dict[str, float] = {}
    for edge in support:
        source = edge.primary_source
        best[source] = max(best.get(source, 0.0), edge_weight(edge))
    further = sorted(best.values(), reverse=True)[1:]
    points = _SOURCES * sum(weight / 2**i for i, weight in enumerate(further, start=1))
    detail = f"{len(best)}: {', '.join(sorted(best))}"
    return ScoreLine("independent primary sources", round(points, DIGITS), detail)


def phase_line(direct: Sequence[Edge]) -> ScoreLine:
    """The furthest stage that a direct edge to a given entity tells; approval is the last."""
    stages = {edge.id: clinical_stage(edge) for edge in direct}
    furthest = max(stages.values(), default=(0.0, ""))
    points = round(_PHASE * furthest[0], DIGITS)
    return ScoreLine("clinical stage", points, furthest[1])


def confidence_line(support: Sequence[Edge]) -> ScoreLine:
    """What the weightiest statement's own source says of its confidence."""
    best = max(((edge_weight(e) * confidence(e), e.id, e) for e in support), default=None)
    if best is None:
        return ScoreLine("confidence told by sources", 0.0)
    value, _, edge = best
    points = round(_CONFIDENCE * value, DIGITS)
    return ScoreLine("confidence told by sources", points, edge.primary_source)


def against_line(against: Sequence[Edge], scope: Scope) -> ScoreLine:
    """What is taken off for statements against the candidate."""
    weight = combined(weight_against(edge, scope) for edge in against)
    detail = ", ".join(sorted({("not " if is_negative(e) else "") + described(e) for e in against}))
    return ScoreLine("evidence against", -round(_AGAINST * weight, DIGITS), detail)


def is_text_mined(edge: Edge) -> bool:
    """Whether nobody but a program that reads texts says so."""
    return edge.agent_type in _TEXT_MINED or edge.knowledge_level == "text_co_occurrence"
