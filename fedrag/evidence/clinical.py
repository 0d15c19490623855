"""What curators say of a variant's evidence: level, rating, kind, and the disease it holds in.

CIViC grades evidence A (validated) to E (inferential), its assertions by AMP/ASCO/CAP tiers, OncoKB
by levels 1 to 4 and R1, R2; ClinVar tells who reviewed. The items of one statement are told by
their best. Sources: CIViC's curation manual (https://civic.readthedocs.io), OncoKB's levels of
evidence (https://www.oncokb.org/levels), Li et al., J Mol Diagn 2017 (tiers).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fedrag.datamodel import Attribute, Edge
from fedrag.evidence.names import clean_name
from fedrag.evidence.phrases import predicate_name
from fedrag.evidence.qualifiers import read_qualifiers

__all__ = [
    "Item",
    "best_item",
    "context_name",
    "context_of",
    "evidence_words",
    "is_ill_response",
    "is_of_variant",
    "is_response",
    "level_worth",
    "response_of",
]

CONTEXT = "disease_context_qualifier"
_RESPONSES = frozenset(
    {
        "associated_with_sensitivity_to",
        "sensitivity_associated_with",
        "associated_with_resistance_to",
        "resistance_associated_with",
        "associated_with_response_to",
        "response_associated_with",
    }
)
# ... and of these, those that say which of the two.
_SAYING = _RESPONSES - {"associated_with_response_to", "response_associated_with"}
_ILL = frozenset({"reduced sensitivity", "adverse response", "resistance"})
_WEAKER = _ILL - {"adverse response"}
# Local names of attributes, as the documents in metakg/ write them, and plainer ones.
_LEVEL = ("civic_evidence_level", "evidence_level")
_TIER = ("civic_amp_level",)
_ONCOKB = ("oncokb_level",)
_RATING = ("civic_evidence_rating", "evidence_rating")
_KIND = ("civic_evidence_type", "civic_assertion_type", "evidence_type")
_SIGNIFICANCE = ("civic_significance", "significance")
_STATUS = ("civic_status", "evidence_status")
_DISEASE = (
    "civic_disease",
    "oncokb_cancer_type",
    "oncokb_main_cancer_type",
    "disease_context_name",
)
_PROFILE = ("civic_molecular_profile",)
_APPROVED = ("civic_regulatory_approval",)
_CLINVAR = ("clinical_significance",)
_REVIEW = ("review_status",)
# How much a level says, in (0, 1].
_WORTH = {
    "A": 1.0, "B": 0.8, "C": 0.5, "D": 0.25, "E": 0.1,
    "1": 1.0, "2": 0.9, "2A": 0.9, "2B": 0.6, "3": 0.6, "3A": 0.6, "3B": 0.5, "4": 0.25,
    "R1": 1.0, "R2": 0.6,
}  # fmt: skip
_UNGRADED = 0.4
_TIERED = re.compile(r"tier[_ ](?P<tier>[ivx]+)(?:[_ -]+level[_ ](?P<level>[a-d]))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence behind a statement.

    :ivar level: a letter of CIViC, a level of OncoKB, empty where none is told.
    :ivar label: the level in words ("CIViC level A", "OncoKB level 1").
    :ivar profile: the variant that a statement on a gene is really about.
    :ivar kind: what the evidence is about where the predicate does not say it ("prognostic").
    """

    level: str = ""
    label: str = ""
    rating: int = 0
    kind: str = ""
    significance: str = ""
    status: str = ""
    approved: bool = False
    disease: str = ""
    profile: str = ""

    @property
    def worth(self) -> float:
        """How much its level says, in (0, 1]."""
        return _WORTH.get(self.level, _UNGRADED)


def is_response(edge: Edge) -> bool:
    """Whether a statement is about how something makes a drug work or fail."""
    return predicate_name(edge.predicate) in _RESPONSES


def is_of_variant(edge: Edge) -> bool:
    """Whether a statement has a variant at an end, not only its gene."""
    ends = (edge.subject, edge.object)
    return any(c == "biolink:SequenceVariant" for end in ends for c in end.categories)


def is_ill_response(edge: Edge) -> bool:
    """Whether a response that is not told to be good or bad is bad: weaker than others', harm."""
    if predicate_name(edge.predicate) not in _RESPONSES - _SAYING or not edge.attributes:
        return False
    return any(item.significance in _ILL for item in _items(edge.attributes))


def response_of(edge: Edge) -> str:
    """Which response a statement tells of, "sensitivity" or "resistance"; empty where neither.

    A response that is only reduced is told as resistance; harm by the drug is neither.

    >>> from fedrag.datamodel import EdgeNode
    >>> end = EdgeNode("X:1", "x")
    >>> response_of(Edge("", end, "biolink:associated_with_resistance_to", end))
    'resistance'
    """
    name = predicate_name(edge.predicate)
    if name in _SAYING:
        return "resistance" if "resistance" in name else "sensitivity"
    if name not in _RESPONSES or not edge.attributes:
        return ""
    reduced = any(item.significance in _WEAKER for item in _items(edge.attributes))
    return "resistance" if reduced else ""


def best_item(edge: Edge) -> Item | None:
    """The strongest evidence behind a statement; ``None`` where nothing of it is told."""
    if not edge.attributes:
        return None
    return _best(edge.attributes)


@lru_cache(maxsize=4096)
def _ranked(items: tuple[Item, ...]) -> Item:
    return max(items, key=lambda i: (i.worth if i.level else 0.0, i.approved, i.rating, i.label))


def _best(attributes: tuple[Attribute, ...]) -> Item | None:
    items = tuple(_items(attributes))
    return _ranked(items) if items else None


def level_worth(edge: Edge) -> float | None:
    """How much the best level behind a statement says, ``None`` where it has none.

    >>> from fedrag.datamodel import EdgeNode
    >>> end = EdgeNode("X:1", "x")
    >>> level_worth(Edge("", end, "biolink:associated_with_sensitivity_to", end, attributes=(
    ...     Attribute("civic_evidence_level", "B"),)))
    0.8
    """
    item = best_item(edge)
    return item.worth if item is not None and item.level else None


def context_of(edge: Edge) -> str | None:
    """The CURIE of the disease in which a statement holds, ``None`` where none is told."""
    return read_qualifiers(edge.qualifiers).get(CONTEXT) if edge.qualifiers else None


def context_name(edge: Edge) -> str:
    """The name of that disease as the source tells it, empty where it does not."""
    item = best_item(edge)
    return item.disease if item else ""


def evidence_words(edge: Edge) -> str:
    """What is told of the evidence, in brackets at a sentence's end; empty where nothing is.

    >>> from fedrag.datamodel import EdgeNode
    >>> end = EdgeNode("X:1", "x")
    >>> evidence_words(Edge("", end, "biolink:associated_with_resistance_to", end, attributes=(
    ...     Attribute("civic_evidence_level", "A"), Attribute("civic_evidence_rating", 4),)))
    ' (CIViC level A, rating 4 of 5)'
    """
    item = best_item(edge) if is_response(edge) or is_of_variant(edge) else None
    if item is None:
        return ""
    told = [item.profile, item.label, f"rating {item.rating} of 5" if item.rating else ""]
    if predicate_name(edge.predicate) not in _SAYING:
        told += [": ".join(part for part in (item.kind, item.significance) if part)]
    told += [item.status]
    said = ", ".join(part for part in told if part)
    return f" ({said})" if said else ""


# --- reading -------------------------------------------------------------------------------------


def _items(attributes: Iterable[Attribute]) -> Iterator[Item]:
    """One for each attribute that holds others, one for what stands on the statement itself."""
    own: dict[str, Any] = {}
    for attribute in attributes:
        name = _local(attribute.type_id)
        if attribute.attributes:
            nested = {_local(a.type_id): a.value for a in attribute.attributes}
            if item := _item(nested):
                yield item
        else:
            own.setdefault(name, attribute.value)
    if item := _item(own):
        yield item


def _local(name: str) -> str:
    return name.rpartition(":")[2].strip().lower().replace(" ", "_")


def _item(values: Mapping[str, Any]) -> Item | None:
    level, label = _level(values)
    significance, kind = _said(values, _SIGNIFICANCE), _said(values, _KIND)
    review = _said(values, _REVIEW)
    if clinvar := _said(values, _CLINVAR):
        label = f"ClinVar: {clinvar}" + (f", {review}" if review else "")
    disease = clean_name(_text(values, _DISEASE), "")
    if not (label or disease or kind):
        return None
    return Item(
        level=level,
        label=label,
        rating=_rating(values),
        kind="" if kind == "predictive" else kind,
        significance=significance,
        status=_unaccepted(_said(values, _STATUS)),
        approved=_text(values, _APPROVED).lower() == "true",
        disease=disease,
        profile=clean_name(_text(values, _PROFILE), ""),
    )


def _level(values: Mapping[str, Any]) -> tuple[str, str]:
    """The level, and how it is told."""
    if (level := _text(values, _LEVEL).upper()) in _WORTH:
        return level, f"CIViC level {level}"
    if tiered := _TIERED.search(_text(values, _TIER).replace("_", " ")):
        tier, level = tiered["tier"].upper(), (tiered["level"] or "").upper()
        letter = f" level {level}" if level else ""
        return level, f"CIViC assertion, AMP/ASCO/CAP tier {tier}{letter}"
    if (level := _text(values, _ONCOKB).upper().removeprefix("LEVEL_")) in _WORTH:
        return level, f"OncoKB level {level}"
    return "", ""


def _rating(values: Mapping[str, Any]) -> int:
    text = _text(values, _RATING)
    return int(text) if text in ("1", "2", "3", "4", "5") else 0


def _unaccepted(status: str) -> str:
    """CIViC's editors accept an item; until then it is only submitted."""
    return "" if status in ("", "accepted") else f"{status}, not accepted"


def _text(values: Mapping[str, Any], names: Iterable[str]) -> str:
    for name in names:
        value = values.get(name)
        if isinstance(value, list | tuple):
            value = value[0] if value else None
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str | int | float) and str(value).strip():
            return str(value).strip()
    return ""


def _said(values: Mapping[str, Any], names: Iterable[str]) -> str:
    """An enumeration's value in small words."""
    return clean_name(_text(values, names).replace("_", " ").lower(), "")
