"""The order of a mention's matches, and whether the best of them is clear.

Better come first: a category the wording asks for, a label over a synonym, a curated prefix over
UMLS, the clique with more identifiers, the higher score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fedrag.biolink import biolink
from fedrag.datamodel import EntityCandidate
from fedrag.entities.kinds import CURATED, POOR, Group
from fedrag.entities.nameres import NameHit
from fedrag.entities.text import loose

__all__ = ["Match", "ambiguous", "is_poor", "is_sign", "order"]

# A gene's symbol outranks what else is spelled so; a gene's *alias* is often its disease's name.
_LABEL_ORDER: tuple[Group, ...] = ("gene", "disease", "chemical", "process", "variant", "place")
_ALIAS_ORDER: tuple[Group, ...] = ("disease", "chemical", "gene", "process", "variant", "place")

_POOR_COST = 1.5  # a UMLS label loses to a MONDO synonym, not to a mere plural
_SIGN_COST = 1.25  # so does a phenotype's label to a disease's synonym
_SYMBOL_LENGTH = 6  # capitals matter only in names as short as this
_COMPARABLE = 4  # a same-kind alias counts as a rival from a quarter of the identifiers on


@dataclass(frozen=True, slots=True)
class Match:
    """A hit whose label or synonym is the mention. Smaller ``cost`` is the better spelling."""

    hit: NameHit
    name: str
    is_label: bool
    cost: float
    group: Group
    fit: int  # place of its category in what the wording asks for; smaller is better
    fits: bool
    same_case: bool

    def candidate(self, *, fuzzy: bool = False) -> EntityCandidate:
        """The form that is shown to users; ``fuzzy`` when the name is not the mention."""
        exact: Literal["exact", "synonym"] = "exact" if self.is_label else "synonym"
        return EntityCandidate(
            curie=self.hit.curie,
            name=self.hit.label,
            categories=self.hit.types,
            taxa=self.hit.taxa,
            score=self.hit.score,
            matched=self.name,
            match="fuzzy" if fuzzy else exact,
        )


def _prefix(hit: NameHit) -> str:
    return hit.curie.partition(":")[0]


def order(match: Match) -> tuple[object, ...]:
    """The sort key of a match, best first."""
    fine = _prefix_rank(match)
    return (
        match.fit,
        match.group == "place",
        match.cost + _surcharge(match),
        _miswritten_symbol(match),
        _rank(match),
        _uncurated(match) if match.group == "chemical" else fine,
        -match.hit.identifiers,
        fine,
        not match.same_case,
        -match.hit.score,
        match.hit.curie,
    )


def _miswritten_symbol(match: Match) -> bool:
    """Whether it is a short symbol in other capitals: "cat" is a gene only if nothing else."""
    short = match.group == "gene" and len(match.name) <= _SYMBOL_LENGTH
    return short and match.is_label and not match.same_case


def _prefix_rank(match: Match) -> int:
    prefix, curated = _prefix(match.hit), CURATED[match.group]
    return curated.index(prefix) if prefix in curated else len(curated) + (prefix in POOR)


def _surcharge(match: Match) -> float:
    if is_poor(match):
        return _POOR_COST
    return _SIGN_COST if is_sign(match) else 0.0


def is_poor(match: Match) -> bool:
    """Whether only a terminology without curation (UMLS, MedDRA, ...) has it."""
    return _prefix(match.hit) in POOR


def is_sign(match: Match) -> bool:
    """Whether it is a phenotype and no disease."""
    return match.group == "disease" and not biolink().is_a(match.hit.types, "biolink:Disease")


def _rank(match: Match) -> int:
    """The place of its kind among equally good names of different kinds."""
    if match.group == "gene" and any(c.isdigit() for c in match.name):
        return -1
    order = _LABEL_ORDER if match.is_label else _ALIAS_ORDER
    doubtful = match.group == "chemical" and _uncurated(match)
    return order.index("process") if doubtful else order.index(match.group)


def _uncurated(match: Match) -> bool:
    """Known to a thesaurus alone (MeSH files proteins under chemicals)."""
    return _prefix(match.hit) not in CURATED[match.group][:-1]


def ambiguous(ranked: Sequence[Match]) -> bool:
    """Whether the runner-up is as good a reading as the best, and means something else.

    >>> ambiguous(())
    False
    """
    return any(_rivals(ranked[0], other) for other in ranked[1:])


def _rivals(best: Match, other: Match) -> bool:
    if best.fit != other.fit or best.cost != other.cost:
        return False
    if _namesake(best, other):
        return other.hit.identifiers * _COMPARABLE >= best.hit.identifiers
    if _uncurated(other):
        return False
    if best.group != other.group:
        return not _lesser(best, other) and (best.same_case == other.same_case or not best.is_label)
    if is_sign(best) != is_sign(other) or _narrower(best, other):
        return False
    return other.hit.identifiers * _COMPARABLE >= best.hit.identifiers


def _namesake(best: Match, other: Match) -> bool:
    """Whether two vocabularies, or one of them twice, use one label for things of one kind.

    The Normalizer keeps them apart, and edges may hang on either (two GO terms, CHEBI and MeSH).
    """
    same = best.is_label and other.is_label and loose(best.name) == loose(other.name)
    kind = best.group == other.group and is_sign(best) == is_sign(other)
    return same and kind and not is_poor(other)


def _lesser(best: Match, other: Match) -> bool:
    """Of another kind, but no real rival: a place, or a gene's alias beside its disease's."""
    borrowed = (best.group, other.group) == ("disease", "gene") and not other.is_label
    return borrowed or "place" in (best.group, other.group)


def _narrower(best: Match, other: Match) -> bool:
    """Whether the other's own label is the mention, or the mention and more: a form of the same."""
    return set(loose(best.name).split()) <= set(loose(other.hit.label).split())
