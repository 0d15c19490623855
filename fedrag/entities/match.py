"""Which hits a mention matches: exact names only, category and taxon judged.

A name matches at four levels (:mod:`fedrag.entities.text`): as written, but for plural and blanks,
as a disease's plain eponym, but for word order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fedrag.entities.kinds import fit_of, group_of
from fedrag.entities.nameres import NameHit
from fedrag.entities.order import Match, order
from fedrag.entities.spelling import eponyms
from fedrag.entities.text import bag, fold, loose

__all__ = ["Matches", "match_hits"]

_BRACKETED = re.compile(r"(?P<name>[^()\s]+) \([^()]*\)")
_SHORT = 6  # letters of an abbreviation
_QUALIFIED = re.compile(r"(?P<name>[^,]+), [^,]+")
_WHOLE = 3  # words of a name that is told apart from others before its comma


@dataclass(frozen=True, slots=True)
class Matches:
    """All matches of a mention, best first, and how many hits of other species were dropped."""

    ranked: tuple[Match, ...] = ()
    other_taxa: int = 0


def match_hits(
    spellings: Sequence[str],
    hits: Iterable[NameHit],
    *,
    expects: Sequence[str] = (),
    taxon: str = "",
) -> Matches:
    """Hits whose label or a synonym is one of the spellings, ranked.

    Genes and proteins whose stated taxon is not ``taxon`` are dropped and counted; those whose
    taxon is not stated stay.

    >>> hit = NameHit("MONDO:0005044", "hypertension", types=("biolink:Disease",))
    >>> match_hits(["Hypertension"], [hit]).ranked[0].hit.curie
    'MONDO:0005044'
    """
    hits = list(hits)
    wanted = _Wanted(spellings)
    found: dict[str, Match] = {}
    other = 0
    for hit in hits:
        group = group_of(hit.types)
        disease = group == "disease"
        named = wanted.best(hit, disease) if group and hit.curie not in found else None
        if named is None or group is None:
            continue
        if group == "gene" and taxon and hit.taxa and taxon not in hit.taxa:
            other += 1
            continue
        cost, name, is_label = named
        fit = fit_of(hit.types, expects)
        fits, same = fit < len(expects), name in spellings
        found[hit.curie] = Match(hit, name, is_label, cost, group, fit, fits, same)
    if not found and (qualified := wanted.qualified(hits, expects)):
        return Matches((qualified,), other)
    return Matches(tuple(sorted(found.values(), key=order)), other)


class _Wanted:
    """The spellings of a mention, prepared at each level of comparison."""

    def __init__(self, spellings: Sequence[str]) -> None:
        self.longest = max(map(len, spellings), default=0)
        self.written = fold(spellings[0]) if spellings else ""
        self.folded = {fold(s) for s in spellings} - {""}
        self.loose = {loose(s) for s in spellings} - {""}
        squeezed = {s.replace(" ", "") for s in self.loose}
        self.compact = {s for s in squeezed if len(s) > 3 or any(c.isdigit() for c in s)}
        self.eponyms = {e.casefold() for s in spellings[:1] for e in eponyms(s)}
        self.bags = {b for b in map(bag, spellings) if len(b) > 1}

    def best(self, hit: NameHit, disease: bool) -> tuple[float, str, bool] | None:
        """(cost, name, whether it is the label) of the closest name of the hit.

        A disease's abbreviation may be followed by brackets: "CML (ph+)".
        """
        best: tuple[float, str, bool] | None = None
        for i, name in enumerate((hit.label, *hit.synonyms)):
            level = self.level(name)
            if level is None and disease and (short := _BRACKETED.fullmatch(name)):
                level = self.level(short["name"]) if self.longest <= _SHORT else None
            if level is None:
                continue
            cost = level + (0.0 if i == 0 else 1.0)
            if best is None or cost < best[0]:
                best = (cost, name, i == 0)
        return best

    def qualified(self, hits: Sequence[NameHit], expects: Sequence[str]) -> Match | None:
        """The first hit, where it is a disease whose name goes on after this one: "chronic
        myelogenous leukemia, BCR-ABL1 positive". Taken only where nothing is called just so.

        Short names say too little before a comma ("leukemia, myeloid").
        """
        first = hits[0] if hits else None
        if (
            first is None
            or group_of(first.types) != "disease"
            or len(self.written.split()) < _WHOLE
        ):
            return None
        for i, name in enumerate((first.label, *first.synonyms)):
            found = _QUALIFIED.fullmatch(name)
            if found and fold(found["name"]) in self.folded:
                fit = fit_of(first.types, expects)
                return Match(first, name, i == 0, 4.0, "disease", fit, fit < len(expects), False)
        return None

    def level(self, name: str) -> float | None:
        """0 as written, 0.5 in another form, 2 but for plural or blanks, 4 but for word order."""
        if len(name) > 2 * self.longest + 12:
            return None
        folded = fold(name)
        if folded in self.folded:
            return 0.0 if folded == self.written else 0.5
        relaxed = loose(name)
        if relaxed in self.loose or relaxed.replace(" ", "") in self.compact:
            return 2.0
        if name.casefold() in self.eponyms:
            return 3.0
        return 4.0 if self.bags and bag(name) in self.bags else None
