"""Statements of the direction that was not asked for, which some services return all the same."""

from __future__ import annotations

from fedrag.datamodel import Edge, QueryEdge
from fedrag.execute.service import Outcome

__all__ = ["without_opposites"]

_UP = frozenset({"increased", "upregulated"})
_DOWN = frozenset({"decreased", "downregulated"})
_OPPOSITE = "says the opposite direction"


def without_opposites(outcome: Outcome, asked: QueryEdge) -> Outcome:
    """The outcome without edges that contradict the direction a hop asks for, counted as dropped.

    TRAPI leaves it to who asks to check what comes back. An edge that tells no direction stays.
    """
    opposites = [_other(value, kind) for kind, value in asked.qualifiers]
    unwanted = {kind: values for kind, values in opposites if values}
    if not unwanted:
        return outcome
    kept = [edge for edge in outcome.edges if not _says(edge, unwanted)]
    if lost := len(outcome.edges) - len(kept):
        outcome.edges = kept
        outcome.dropped.append((_OPPOSITE, lost))
    return outcome


def _other(value: str, kind: str) -> tuple[str, frozenset[str]]:
    name = _local(kind)
    if not name.endswith("direction_qualifier"):
        return name, frozenset()
    return name, _DOWN if value in _UP else _UP if value in _DOWN else frozenset()


def _says(edge: Edge, unwanted: dict[str, frozenset[str]]) -> bool:
    return any(value in unwanted.get(_local(kind), ()) for kind, value in edge.qualifiers)


def _local(kind: str) -> str:
    return kind.removeprefix("biolink:")
