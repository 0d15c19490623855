"""Conditions on what a record holds (``where``, ``negated`` and ``when`` of ``x-fedrag``)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from fedrag.metakg.xfedrag import Condition
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import MISSING, scalars

__all__ = ["Check", "check_of"]

Check = Callable[[Any], bool]


def check_of(condition: Condition) -> Check:
    """The condition as a function of the value at its path (``MISSING`` where there is none).

    Of an array, one element suffices; for ``negate``, none may match. Texts are compared without
    case, numbers as they are written.

    >>> holds = check_of(Condition("a", values=("Resistance",)))
    >>> holds("RESISTANCE"), holds(["x", "resistance"]), holds("sensitivity"), holds(None)
    (True, True, False, False)
    >>> check_of(Condition("a", above=0.4))("0.5"), check_of(Condition("a", exists=False))([])
    (True, True)
    """
    if condition.exists is not None:
        wanted = condition.exists
        return lambda value: _holds_something(value) is wanted
    if condition.above is not None or condition.below is not None:
        above = -math.inf if condition.above is None else condition.above
        below = math.inf if condition.below is None else condition.below
        return lambda value: any(above < _number(item) < below for item in scalars(value))
    values = frozenset(value.strip().casefold() for value in condition.values)
    negate = condition.negate
    return lambda value: any(text(v).casefold() in values for v in scalars(value)) is not negate


def _holds_something(value: Any) -> bool:
    """Whether there is more than nothing: no null, no blank text, no empty array or object."""
    if value is MISSING or value is None:
        return False
    if type(value) is str:
        return bool(value.strip())
    if type(value) is list:
        return any(item is not None and item != "" for item in value)
    return not (type(value) is dict and not value)


def _number(value: Any) -> float:
    try:
        return float(text(value))
    except ValueError:
        return math.nan  # neither above nor below anything
