"""What a candidate's responses are worth by the level of their evidence: points, and a status."""

from __future__ import annotations

from collections.abc import Sequence

from fedrag.datamodel import Edge, ScoreLine, TreatmentStatus
from fedrag.evidence.clinical import best_item, is_of_variant, is_response
from fedrag.evidence.contexts import given_context, statement_weight
from fedrag.evidence.scope import Scope

__all__ = ["level_line", "status_by_level"]

_LEVEL = 2.5  # points of the best level there is
_DIGITS = 3
_PRECLINICAL = frozenset({"D", "E"})  # CIViC's levels; OncoKB's 4 is biological evidence


def level_line(direct: Sequence[Edge], scope: Scope) -> ScoreLine:
    """The best level of evidence that a variant makes a drug work, or is resistant to it."""
    told = [(statement_weight(e, scope), e.id, best_item(e)) for e in direct if is_response(e)]
    best = max(((w, i, item) for w, i, item in told if item and item.level), default=None)
    if best is None or best[2] is None:
        return ScoreLine("level of evidence", 0.0)
    where = f" in {best[2].disease}" if best[2].disease else ""
    return ScoreLine(
        "level of evidence", round(_LEVEL * best[0], _DIGITS), f"{best[2].label}{where}"
    )


def status_by_level(
    responses: Sequence[Edge], scope: Scope
) -> tuple[TreatmentStatus | None, str | None]:
    """The status where nothing but responses of a variant is told: an approval in the disease
    asked, preclinical evidence alone, or none."""
    for edge in responses:
        item = best_item(edge)
        if item and item.approved and is_of_variant(edge) and given_context(edge, scope):
            return "established", f"approved for {item.disease} ({edge.primary_source})"
    levels = [item.level for edge in responses if (item := best_item(edge)) and item.level]
    if levels and all(level in _PRECLINICAL for level in levels):
        return "preclinical_or_text_mined", None
    return None, None
