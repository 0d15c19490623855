"""Accepted readings to entities: identifiers normalised, with and without conflation, and noted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fedrag.biolink import biolink
from fedrag.datamodel import Entity, NormalizedNode
from fedrag.entities.choose import Reading
from fedrag.entities.conflation import merged
from fedrag.entities.kinds import Group, group_of
from fedrag.entities.order import Match, ambiguous
from fedrag.errors import ServiceError

if TYPE_CHECKING:
    from fedrag.entities.normalize import Normalizer

__all__ = ["Found", "assemble"]

_MAX_CANDIDATES = 8
_MAX_RIVALS = 3
# What vocabularies may file a thing of some kind under: protein drugs among the proteins, proteins
# among MeSH's chemicals, bodily processes among the phenotypes.
_MAY_BE: dict[Group, tuple[Group, ...]] = {
    "gene": ("gene", "chemical"),
    "chemical": ("chemical", "gene"),
    "disease": ("disease", "process"),
    "process": ("process", "disease"),
}

_TWINS = {"process", "disease"}  # vocabularies differ on which of the two a name is
_SHARING = {"gene", "disease"}  # an alias of a gene is often the short name of its disease
_SHORT = 6  # letters of an abbreviation
_SHAPE = re.compile(r"[^\s:]+:\S+")
Nodes = dict[str, NormalizedNode | None]


@dataclass(frozen=True, slots=True)
class Found:
    """A reading that stands. ``fuzzy``: it was read as a misspelling of its best match."""

    reading: Reading
    fuzzy: bool = False

    @property
    def curie(self) -> str:
        """The identifier to normalise: typed, pinned, or the best match's."""
        best = self.reading.best
        return self.reading.mention.curie or (best.hit.curie if best else "")


async def assemble(
    found: Sequence[Found], normalizer: Normalizer
) -> tuple[tuple[Entity, ...], list[str], list[tuple[str, tuple[str, ...], str]]]:
    """(entities in order of appearance, notes, (mention, nearest, reason) of unknown CURIEs).

    :raises ServiceError: the Node Normalizer failed with conflation on.
    """
    curies = [f.curie for f in found]
    rivals = [m.hit.curie for f in found for m in _rivals(f)]
    notes: list[str] = []
    curies = [c for c in curies if _is_curie(c)]
    whole, alone = await _both(normalizer, [*curies, *rivals], curies, notes)
    entities: dict[str, Entity] = {}
    unknown: list[tuple[str, tuple[str, ...], str]] = []
    for item in sorted(found, key=_place):
        mention = item.reading.mention
        if mention.curie is not None and whole.get(mention.curie) is None:
            unknown.append((mention.text, (), _why_unknown(mention.curie)))
            continue
        entity = _entity(item, whole, alone.get(item.curie))
        if entity.curie not in entities:
            entities[entity.curie] = entity
            notes += _notes(item, entity, known=whole.get(item.curie) is not None)
    return tuple(entities.values()), notes, unknown


def _is_curie(text: str) -> bool:
    return biolink().parse_curie(text) is not None or bool(_SHAPE.fullmatch(text))


def _why_unknown(curie: str) -> str:
    if _is_curie(curie):
        return f"{curie} is unknown to the Node Normalizer"
    return f'"{curie}" is no identifier of the form PREFIX:ID'


async def _both(
    normalizer: Normalizer, curies: Sequence[str], plain: Sequence[str], notes: list[str]
) -> tuple[Nodes, Nodes]:
    """The nodes with and without conflation, asked side by side; only the former is needed."""
    whole, alone = await asyncio.gather(
        normalizer.normalize(curies),
        normalizer.normalize(plain, conflate=False),
        return_exceptions=True,
    )
    if isinstance(whole, BaseException):
        raise whole
    if isinstance(alone, ServiceError):
        notes.append(f"what conflation merged is not known: {alone.message}")
        return whole, {}
    if isinstance(alone, BaseException):
        raise alone
    return whole, alone


def _place(found: Found) -> tuple[int, int]:
    start = found.reading.mention.start
    return (start if start >= 0 else 10**9, found.reading.mention.end)


def _rivals(found: Found) -> list[Match]:
    ranked = found.reading.matches.ranked
    return list(ranked[1 : 1 + _MAX_RIVALS]) if not found.fuzzy and ambiguous(ranked) else []


def _entity(found: Found, whole: Nodes, alone: NormalizedNode | None) -> Entity:
    reading, mention = found.reading, found.reading.mention
    node, best = whole.get(found.curie), reading.best
    curie = node.curie if node else found.curie
    name = (node.name if node else None) or (best.hit.label if best else "") or curie
    categories = (node.categories if node else ()) or (best.hit.types if best else ())
    others = [m for m in reading.matches.ranked[1:] if m.hit.curie not in (curie, found.curie)]
    return Entity(
        mention=mention.text,
        start=mention.start,
        end=mention.end,
        curie=curie,
        name=name,
        categories=categories,
        how=_how(found),
        score=best.hit.score if best else 0.0,
        taxa=(node.taxa if node else ()) or (best.hit.taxa if best else ()),
        identifiers=node.identifiers if node else (),
        unconflated=alone.curie if alone else None,
        candidates=tuple(m.candidate(fuzzy=found.fuzzy) for m in others[:_MAX_CANDIDATES]),
        conflated=merged(node, alone),
        ambiguous=_ambiguous(found, whole, curie),
        asked_as=_asked_as(reading.expects, categories),
    )


def _asked_as(expects: Sequence[str], categories: Sequence[str]) -> str | None:
    """What the wording says it is, unless what was found cannot be that.

    >>> _asked_as(["biolink:Gene"], ["biolink:Disease"])
    >>> _asked_as(["biolink:ChemicalEntity"], ["biolink:Protein"])  # a biological drug
    'biolink:ChemicalEntity'
    """
    if not expects:
        return None
    own, asked = group_of(categories), group_of(expects)
    other_kind = own is not None and asked is not None and own not in _MAY_BE.get(asked, (asked,))
    return None if other_kind else expects[0]


def _how(found: Found) -> Literal["marker", "quoted", "curie", "exact", "fuzzy", "pinned", "llm"]:
    return "fuzzy" if found.fuzzy else found.reading.mention.how


def _ambiguous(found: Found, whole: Nodes, curie: str) -> bool:
    """Whether a rival is left once those that normalise to the same node are taken out."""
    same = {c for c, node in whole.items() if node is not None and node.curie == curie}
    ranked = found.reading.matches.ranked
    if found.fuzzy or not ranked:
        return False
    return ambiguous([ranked[0], *(m for m in ranked[1:] if m.hit.curie not in same)])


def _notes(found: Found, entity: Entity, *, known: bool) -> list[str]:
    notes = []
    text, reading = entity.mention, found.reading
    if found.fuzzy:
        notes.append(f'"{text}" was read as {entity.name} ({entity.curie})')
    if reading.best and not known:
        notes.append(f"{entity.name} ({entity.curie}) is unknown to the Node Normalizer")
    if reading.best and reading.best.name.casefold().startswith(f"{text.casefold()}, "):
        notes.append(f'"{text}" was read as "{reading.best.name}" ({entity.curie})')
    if dropped := reading.matches.other_taxa:
        notes.append(f'"{text}": {dropped} genes of other species of that name were left out')
    if not entity.taxa and biolink().is_a(entity.categories, "biolink:GeneOrGeneProduct"):
        notes.append(f"{entity.name} ({entity.curie}): its species is not stated; kept")
    if reading.best and not reading.best.fits and _meant(reading):
        kind = reading.expects[0].removeprefix("biolink:")
        notes.append(f'"{text}" was asked as a {kind}; {entity.name} ({entity.curie}) is none')
    if not entity.ambiguous and (other := _namesake(reading)):
        kind = other.group
        told = f"{other.hit.label} ({other.hit.curie})"
        notes.append(
            f'"{text}" was taken as {entity.name} ({entity.curie}); it is a name of the {kind} '
            f"{told} too"
        )
    return notes


def _meant(reading: Reading) -> bool:
    """Whether the wording says what it is: as a marker, or of a process that is filed as a disease
    and the reverse."""
    kinds = {group_of(reading.expects), reading.best.group if reading.best else None}
    return bool(reading.mention.expects) or kinds == _TWINS


def _namesake(reading: Reading) -> Match | None:
    """A process of the same name as the disease that was taken, or the reverse, where the wording
    does not decide; a disease and a gene that share an abbreviation."""
    best = reading.best
    for other in reading.matches.ranked[1:]:
        groups = {other.group, best.group} if best else set()
        if best and other.fit == best.fit and groups == _TWINS:
            return other
        aliases = best and not best.is_label and not other.is_label and other.cost == best.cost
        if aliases and groups == _SHARING and len(reading.mention.text) <= _SHORT:
            return other
    return None
