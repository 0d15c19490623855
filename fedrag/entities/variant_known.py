"""A variant under all its names: which of CIViC's profiles it is, its identifiers, its gene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fedrag.datamodel import EntityCandidate
from fedrag.entities.variant_change import protein_change
from fedrag.entities.variant_myvariant import Hit
from fedrag.entities.variant_profiles import Profile

__all__ = [
    "Gene",
    "Known",
    "alone",
    "combinations_note",
    "exactly",
    "informal",
    "put_together",
    "same",
]

_NAMED_COMBINATIONS = 2
_MOST_ALLELES = 3  # genomic variants of one protein change that are asked
_RSID = re.compile(r"RS\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Gene:
    """A variant's gene: its official symbol, and its CURIE where that is known."""

    symbol: str
    curie: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A variant under all its names.

    :ivar identifiers: CURIEs, the one that says most exactly what it is first.
    :ivar rivals: what else it may mean, best first.
    :ivar found: whether a service knows it.
    :ivar combined: CIViC's combinations of it with others, as far as they were seen.
    """

    name: str
    identifiers: tuple[str, ...]
    gene: Gene | None = None
    notes: tuple[str, ...] = ()
    rivals: tuple[EntityCandidate, ...] = ()
    found: bool = True
    combined: tuple[Profile, ...] = ()


def informal(symbol: str, change: str) -> str:
    """``HGVS:BRAF:p.V600E``: gene and change as one identifier, which OncoKB can be asked with."""
    return f"HGVS:{symbol}:{change if change.startswith('c.') else f'p.{change}'}"


def same(one: str, other: str) -> bool:
    """Whether two names are one but for case, blanks, and a DNA change told in brackets."""
    return _plain(one) == _plain(other)


def _plain(name: str) -> str:
    return " ".join(name.partition(" (c.")[0].casefold().split())


def exactly(names: Sequence[str], profiles: Iterable[Profile]) -> Profile | None:
    """The single variant of one of these names, by name before alias; never a combination."""
    singles = [p for p in profiles if not p.combined]
    for name in names:
        named = (p for p in singles if same(p.name, name))
        known = (p for p in singles if any(same(alias, name) for alias in p.aliases))
        if (found := next(named, None) or next(known, None)) is not None:
            return found
    return None


def alone(profiles: Iterable[Profile]) -> Profile | None:
    """The first that is a single variant."""
    return next((p for p in profiles if not p.combined), None)


def _of_profile(profile: Profile) -> list[str]:
    """All identifiers of a profile: those told, an rsID among its aliases, gene and change."""
    found = [profile.curie, *profile.identifiers]
    rsids = (a.lower() for a in profile.aliases if _RSID.fullmatch(a))
    found += [f"DBSNP:{rsid}" for rsid in rsids]
    if not profile.combined and len(profile.genes) == 1:
        symbol = profile.genes[0][0]
        change = protein_change(_plain_change(profile.name, symbol))
        found += [informal(symbol, change)] if change else []
    return found


def _plain_change(name: str, symbol: str) -> str:
    """What CIViC's name says beside the gene, without a DNA change in brackets."""
    return name.removeprefix(f"{symbol} ").partition(" (")[0]


def put_together(
    name: str,
    gene: Gene | None,
    profile: Profile | None,
    hits: Sequence[Hit],
    further: Sequence[str],
    near: Iterable[Profile],
) -> Known:
    """Everything under one name; combinations that CIViC has besides are kept apart."""
    asked = hits[:_MOST_ALLELES]
    identifiers = [i for hit in asked for i in hit.identifiers]
    identifiers += [*further, *(_of_profile(profile) if profile else ())]
    notes = []
    if len(hits) > 1:
        several = ", ".join(hit.id for hit in asked)
        notes.append(f"{name} is made by {len(hits)} genomic variants; asked with {several}")
    if profile and gene and gene.curie is None and profile.genes:
        gene = Gene(gene.symbol, dict(profile.genes).get(gene.symbol))
    called = profile.name if profile else name
    found = profile is not None or bool(hits)
    return Known(
        called,
        tuple(dict.fromkeys(identifiers)),
        gene,
        tuple(notes),
        found=found,
        combined=tuple(p for p in near if p.combined),
    )


def combinations_note(known: Known, asked: Iterable[Profile]) -> tuple[str, ...]:
    """Which combinations with it CIViC has besides those that are asked, if any."""
    taken = {profile.id for profile in asked}
    left = [p.name for p in known.combined if p.id not in taken]
    if not left:
        return ()
    shown = "; ".join(left[:_NAMED_COMBINATIONS])
    more = ", ..." if len(left) > _NAMED_COMBINATIONS else ""
    count = f"{len(left)} combinations with {known.name}, which were not asked: "
    return (f"CIViC also has {count}{shown}{more}",)
