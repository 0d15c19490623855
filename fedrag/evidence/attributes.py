"""What an edge's attributes say: clinical phase, approval, and how sure the source is.

Services name these differently and send numbers, words or lists; what cannot be read says nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from fedrag.datamodel import Attribute, Edge

__all__ = [
    "approval",
    "confidence",
    "highest_approval",
    "is_stopped",
    "phase",
    "phase_words",
    "trial_phase",
]

_PHASE = frozenset({"max_research_phase", "clinical_trial_phase", "research_phase", "max_phase"})
_APPROVAL = frozenset({"clinical_approval_status", "fda_approval_status", "approval_status"})
_HIGHEST = frozenset({"highest_fda_approval_status", "fda_approval", "max_approval_status"})
_APPROVED = frozenset(
    {
        "approved_for_condition",
        "fda_approved_for_condition",
        "regular_fda_approval",
        "fda_accelerated_approval",
        "fda_post_market_safety_review",
        "approved",
    }
)
_SCORES = frozenset(
    {
        "extraction_confidence_score",
        "has_confidence_score",
        "confidence_score",
        "confidence_level",
        "confidence",
        "probability",
        "score",
        "normalized_score",
        "combined_score",
        "association_score",
        "overall_score",
    }
)
_COUNTS = frozenset({"evidence_count", "has_evidence_count", "supporting_study_count"})
_THOUSANDTHS = frozenset({"combined_score"})  # STRING: 0-1000 in some of its answers
_ENOUGH = 100.0  # publications or extractions, from which on more say nothing new
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
_NUMERALS = ("i", "ii", "iii", "iv")
_ROMAN = re.compile(r"(?<![a-z])(iv|i{1,3})(?![a-z])")
_STOPPED = re.compile(r"discontinued|terminated|withdrawn|suspended", re.IGNORECASE)


def _walk(attributes: Iterable[Attribute]) -> Iterator[tuple[str, Any]]:
    """Every attribute's local name and value, nested ones included."""
    for attribute in attributes:
        name = attribute.type_id.rpartition(":")[2].strip().lower().replace(" ", "_")
        yield name, attribute.value
        if attribute.attributes:
            yield from _walk(attribute.attributes)


def _values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def phase(edge: Edge) -> float | None:
    """The highest clinical phase that an edge names, 0 (preclinical) to 4; None if it names none.

    >>> from fedrag.datamodel import EdgeNode
    >>> end = EdgeNode("X:1", "x")
    >>> phase(Edge("", end, "biolink:treats", end, attributes=(
    ...     Attribute("biolink:max_research_phase", ["clinical_trial_phase_1_to_2"]),)))
    1.5
    """
    if not edge.attributes:
        return None
    read = [
        _phase_of(value)
        for name, values in _walk(edge.attributes)
        if _is_phase(name, values)
        for value in _values(values)
    ]
    return max((number for number in read if number is not None), default=None)


def _is_phase(name: str, values: Any) -> bool:
    return name in _PHASE or (name in _APPROVAL and "phase" in str(values))


def _phase_of(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        number = float(value) if abs(value) < 10 else 10.0
    else:
        text = str(value).lower()
        if text.strip().startswith("-"):  # ChEMBL's -1 is "not known"
            return None
        if "pre_clinical" in text or "preclinical" in text:
            return 0.0
        text = _ROMAN.sub(lambda numeral: str(_NUMERALS.index(numeral[0]) + 1), text)
        found = [float(number) for number in _NUMBERS.findall(text)]
        if not found:
            return None
        number = sum(found[:2]) / len(found[:2])
        if "early" in text:
            number = 0.5
    return number if 0 <= number <= 4 else None


def phase_words(number: float) -> str:
    """A phase in words.

    >>> phase_words(3), phase_words(1.5), phase_words(0.5), phase_words(0)
    ('phase 3', 'phase 1/2', 'early phase 1', 'preclinical')
    """
    if number <= 0:
        return "preclinical"
    if number < 1:
        return "early phase 1"
    low = math.floor(number)
    return f"phase {low}" if number == low else f"phase {low}/{low + 1}"


def trial_phase(edge: Edge) -> tuple[bool, float]:
    """Whether a trial tested the drug, and the highest phase of those that did (0: not told).

    The source may doubt it (a co-medication). Where an edge tells of several studies, each nested
    with its own phase, those that are doubted count only when all are. What stands on the edge
    itself is one study; several doubts there cannot be told apart, and one is enough.
    """
    nested = [one for a in edge.attributes if a.attributes and (one := _study(a.attributes))]
    own = _study([a for a in edge.attributes if not a.attributes]) or (True, 0.0)
    # Beside studies, a phase of the edge's own is the highest of theirs, whichever that was.
    told = nested or [own]
    sure = [number for tested, number in told if tested] if own[0] else []
    if sure:
        return True, max(sure) or own[1]
    return False, max([own[1], *(number for _, number in told)])


def _study(attributes: Iterable[Attribute]) -> tuple[bool, float] | None:
    """(tested, phase) of one study; ``None`` where neither is told."""
    told = list(_walk(attributes))
    doubts = [str(v).lower() for name, v in told if name == "clinical_trial_tested_intervention"]
    found = [
        _phase_of(v) for name, values in told if _is_phase(name, values) for v in _values(values)
    ]
    numbers = [number for number in found if number is not None]
    if not doubts and not numbers:
        return None
    return not {"no", "unsure"} & set(doubts), max(numbers, default=0.0)


def is_stopped(edge: Edge) -> bool:
    """Whether the phase that the edge names is that of a development that was given up."""
    return any(
        _is_phase(name, values) and _STOPPED.search(str(values))
        for name, values in _walk(edge.attributes)
    )


def approval(edge: Edge) -> str | None:
    """The approval that an edge claims for its own condition, None where it claims none."""
    return _approved(edge, _APPROVAL)


def highest_approval(edge: Edge) -> str | None:
    """The approval that the drug has for anything, as an edge tells it; None where it does not."""
    return _approved(edge, _APPROVAL | _HIGHEST)


def _approved(edge: Edge, names: frozenset[str]) -> str | None:
    for name, values in _walk(edge.attributes):
        if name in names:
            for value in _values(values):
                word = str(value).removeprefix("biolink:").strip().lower().replace(" ", "_")
                if word in _APPROVED:
                    return word
    return None


def confidence(edge: Edge) -> float:
    """How sure the source says it is, in [0, 1], 0 where it does not say.

    The highest of its scores (those that lie between 0 and 1, or 0 and 1,000 where that is their
    scale) and, on a logarithmic scale that ends at 100, of its counts of evidence and publications.
    """
    best = _counted(len(edge.publications))
    for name, values in _walk(edge.attributes):
        if name in _SCORES:
            best = max([best, *(_scaled(name, value) for value in _values(values))])
        elif name in _COUNTS:
            best = max([best, *(_counted(_number(value)) for value in _values(values))])
    return best


def _number(value: Any) -> float:
    if isinstance(value, bool):
        return 0.0
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return number if math.isfinite(number) else 0.0


def _scaled(name: str, value: Any) -> float:
    number = _number(value)
    if name in _THOUSANDTHS and number > 1:
        number /= 1000
    return min(1.0, number) if 0 <= number <= 1.5 else 0.0


def _counted(count: float) -> float:
    return min(1.0, math.log1p(max(0.0, count)) / math.log1p(_ENOUGH))
