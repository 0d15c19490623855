"""The first round: every mention and candidate span looked up in one call, each judged alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fedrag.entities.choose import Reading, is_fixed, is_wanted
from fedrag.entities.hints import expected
from fedrag.entities.match import Matches, match_hits
from fedrag.entities.mentions import Mention, find_mentions, located
from fedrag.entities.nameres import NameHit, look_up
from fedrag.entities.spans import spans_of, words_of
from fedrag.entities.spelling import forms, lookups
from fedrag.entities.typos import nearest

if TYPE_CHECKING:
    from fedrag.errors import ServiceError
    from fedrag.net import Caller, Endpoint

__all__ = ["Work", "first_round", "mentions_of", "other_species", "overlaps"]

_Hits = Mapping[str, Sequence[NameHit]]


@dataclass(slots=True)
class Work:
    """What one question has in hand: how to ask, and what has been read and noted so far."""

    question: str
    caller: Caller
    resolver: Endpoint
    taxon: str
    readings: list[Reading] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # every name the Name Resolver returned
    notes: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)  # phrases nothing was made of
    failures: list[ServiceError] = field(default_factory=list)  # what could be done without


def overlaps(mention: Mention, regions: Iterable[tuple[int, int]]) -> bool:
    """Whether the mention shares a character with any of the regions."""
    return any(mention.start < b and mention.end > a for a, b in regions)


def mentions_of(
    question: str, pins: Mapping[str, str], extra: Sequence[Mention] = ()
) -> tuple[Mention, ...]:
    """Fixed mentions, a model's, and the candidate spans outside those of certain extent.

    >>> [m.text for m in mentions_of("what links PCSK9 and gout?", {})]
    ['PCSK9', 'PCSK9 and gout', 'gout']
    """
    fixed = [m for m in find_mentions(question, pins) if m.how != "quoted" or _names(m.text)]
    sure = [(m.start, m.end) for m in fixed if is_fixed(m) and m.start >= 0]
    told = [m for m in (located(question, e) for e in extra) if m and not overlaps(m, sure)]
    spans = [Mention(question[a:b], a, b) for a, b in spans_of(question, taken=sure)]
    same = {(m.start, m.end) for m in (*fixed, *told)}
    return (*fixed, *told, *(s for s in spans if (s.start, s.end) not in same))


def _names(text: str) -> bool:
    return any(not word.plain for word in words_of(text))


async def first_round(work: Work, mentions: Sequence[Mention]) -> None:
    """Look all mentions up in one call and read each.

    :raises ServiceError: the Name Resolver failed.
    """
    unbound = [m for m in mentions if m.curie is None]
    hits = await look_up(work.caller, work.resolver, (s for m in unbound for s in lookups(m.text)))
    found = {hit.curie: hit for several in hits.values() for hit in several}
    work.names.update(name for hit in found.values() for name in (hit.label, *hit.synonyms))
    markers = {m.start: m for m in unbound if m.how == "marker" and not m.firm}
    for mention in mentions:
        marker = markers.get(mention.start)
        if marker and mention.how == "exact":
            mention = replace(mention, how="marker", expects=marker.expects, firm=False)
        work.readings.append(_read(work, mention, hits))


def _read(work: Work, mention: Mention, hits: _Hits) -> Reading:
    if mention.curie is not None:
        return Reading(mention, mention.expects)
    question, span = work.question, mention.how == "exact"
    spellings = forms(mention.text)
    expects = mention.expects or expected(question, mention.start, mention.end)
    seen = [hit for string in lookups(mention.text) for hit in hits.get(string, ())]
    matches = match_hits(spellings, seen, expects=expects, taxon=work.taxon)
    if span and not expects and _by_chance(mention.text, matches):
        matches = Matches()
    near = () if matches.ranked else nearest(mention.text, seen)
    wanted = span and is_wanted(question, mention.start, mention.end)
    return Reading(mention, expects, matches, wanted, near)


def _by_chance(text: str, matches: Matches) -> bool:
    """Whether a word of two small letters merely happens to be a gene's alias."""
    small = len(text) <= 2 and text.isalpha() and text.islower()
    return small and bool(matches.ranked) and matches.ranked[0].group == "gene"


async def other_species(work: Work) -> None:
    """Ask again, for the wanted taxon alone, what matched only genes of other species.

    :raises ServiceError: the Name Resolver failed.
    """
    foreign = [r for r in work.readings if r.best is None and r.matches.other_taxa]
    if not foreign:
        return
    strings = (s for r in foreign for s in lookups(r.mention.text))
    hits = await look_up(work.caller, work.resolver, strings, only_taxa=work.taxon)
    for reading in foreign:
        again = _read(work, reading.mention, hits)
        matches = Matches(again.matches.ranked, reading.matches.other_taxa)
        work.readings[work.readings.index(reading)] = replace(reading, matches=matches)
