"""The second round: what nothing was found for is read as misspelt, or told as unresolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fedrag.entities.assemble import Found
from fedrag.entities.choose import Reading
from fedrag.entities.heads import Whole
from fedrag.entities.hints import expected
from fedrag.entities.limits import limits, with_class
from fedrag.entities.match import Matches
from fedrag.entities.mentions import Mention
from fedrag.entities.nameres import NameHit, look_up
from fedrag.entities.rounds import Work, overlaps
from fedrag.entities.slots import in_slot
from fedrag.entities.spans import Word
from fedrag.entities.typos import MAX_STRINGS, closest, guess, nearest, prefix_strings
from fedrag.entities.unknown import beside, guessable, known_words, nameless, unknown_words
from fedrag.entities.unused import note_of, phrases, required
from fedrag.errors import ServiceError

__all__ = ["Unresolved", "second_round"]

_LIMIT = 100
_Regions = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A mention nothing was found for. ``nearest`` are the closest names seen, best first.

    ``failed`` is what kept it from being looked up where a service would know it.
    """

    mention: str
    nearest: tuple[str, ...] = ()
    reason: str = ""
    failed: ServiceError | None = None


@dataclass(frozen=True, slots=True)
class _Left:
    """What the first round left: fixed mentions, genes of other species, odd words."""

    fixed: tuple[Reading, ...]
    foreign: tuple[Reading, ...]
    unknown: tuple[Word, ...]
    joined: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the question was understood: names recognised, names corrected, and words set aside."""

    exact: _Regions
    read: _Regions
    aside: _Regions

    @property
    def named(self) -> _Regions:
        """Where the entities lie."""
        return [*self.exact, *self.read]


async def second_round(work: Work, whole: Whole) -> tuple[list[Found], list[Unresolved]]:
    """(corrected names, mentions without any), of one more call at most.

    :raises ServiceError: the call failed, and something would have to be called unresolved.
    """
    covered = _regions(r.mention for r in whole.accepted)
    left = _left(work, covered, whole.cut)
    free = [*left.joined, *guessable(work.question, left.unknown)]
    tried = [*left.fixed, *(_free(work.question, mention) for mention in free)]
    hits, problem = await _prefixes(work, tried)
    guesses = _guesses(work, tried, hits, left.joined)
    read = _regions(f.reading.mention for f in guesses)
    aside = _regions(r.mention for r in whole.aside)
    missing = _missing(work, left, _Places(covered, read, aside), hits)
    if problem is not None and missing:
        raise problem
    return guesses, missing


def _regions(mentions: Iterable[Mention]) -> list[tuple[int, int]]:
    return [(m.start, m.end) for m in mentions]


def _left(work: Work, covered: _Regions, cut: Sequence[Mention]) -> _Left:
    bare = [r for r in work.readings if r.best is None and r.mention.curie is None]
    apart = [r for r in bare if not overlaps(r.mention, covered)]
    foreign = tuple(r for r in apart if r.matches.other_taxa and _meant(work.question, r))
    fixed = tuple(r for r in apart if r.mention.how in ("marker", "quoted") and r not in foreign)
    new = [m for m in cut if not overlaps(m, _regions(r.mention for r in fixed))]
    fixed += tuple(replace(_free(work.question, m), near=_seen_near(work, m)) for m in new)
    taken = [*covered, *_regions(r.mention for r in (*foreign, *fixed))]
    unknown = unknown_words(work.question, taken, known_words(work.names))
    return _Left(fixed, foreign, unknown, beside(work.question, covered))


def _meant(question: str, reading: Reading) -> bool:
    mention = reading.mention
    return mention.how != "exact" or in_slot(question, mention.start, mention.end)


def _free(question: str, mention: Mention) -> Reading:
    return Reading(mention, expected(question, mention.start, mention.end))


async def _prefixes(
    work: Work, tried: Sequence[Reading]
) -> tuple[dict[str, list[NameHit]], ServiceError | None]:
    """Hits by mention text, or what went wrong; a failure is a note until it matters."""
    pieces = {r.mention.text: prefix_strings(r.mention.text) for r in tried}
    strings = list(dict.fromkeys(s for several in pieces.values() for s in several))[:MAX_STRINGS]
    try:
        hits = await look_up(work.caller, work.resolver, strings, limit=_LIMIT, autocomplete=True)
    except ServiceError as problem:
        work.failures.append(problem)
        work.notes.append(f"misspelt names were not looked for: {problem.message}")
        return {}, problem
    found = {
        text: [hit for piece in several for hit in hits.get(piece, ())]
        for text, several in pieces.items()
    }
    return found, None


def _guesses(
    work: Work,
    tried: Sequence[Reading],
    hits: Mapping[str, Sequence[NameHit]],
    joined: Sequence[Mention],
) -> list[Found]:
    found: list[Found] = []
    for reading in tried:
        mention = reading.mention
        if overlaps(mention, _regions(f.reading.mention for f in found)):
            continue
        read = guess(
            mention.text,
            hits.get(mention.text, ()),
            expects=reading.expects,
            taxon=work.taxon,
            strict=mention.how == "exact",
            most=1 if mention in joined else None,
        )
        if read is not None:
            matches = Matches((read.match, *read.others))
            found.append(Found(replace(reading, matches=matches), fuzzy=True))
    return found


def _missing(
    work: Work, left: _Left, places: _Places, hits: Mapping[str, Sequence[NameHit]]
) -> list[Unresolved]:
    """Everything that was meant as a name and has none, in order of appearance."""
    bare = [r for r in left.fixed if not overlaps(r.mention, places.read)]
    words = [w for w in left.unknown if not _within(w, places.read)]
    names = [Reading(m) for m in nameless(work.question, words, places.named)]
    bare += [*left.foreign, *names]
    bare += [Reading(m) for m in _unused(work, places, bare)]
    told = [replace(r, near=r.near or _seen_near(work, r.mention)) for r in bare]
    ordered = sorted(told, key=lambda r: r.mention.start)
    return [_unresolved(r, hits, work.taxon) for r in ordered]


def _within(word: Word, regions: _Regions) -> bool:
    return any(word.start < b and word.end > a for a, b in regions)


def _unused(work: Work, places: _Places, bare: Sequence[Reading]) -> tuple[Mention, ...]:
    """The phrases nothing was made of that the question needs; the others are a note."""
    taken = [*places.named, *places.aside, *_regions(r.mention for r in bare)]
    left = phrases(work.question, taken)
    nothing = not places.named and not bare
    needed = required(work.question, left, [*places.named, *places.aside], nothing=nothing)
    spare = [m for m in left if m not in needed]
    work.unused += _told(work.question, spare, limits(work.question, taken))
    if note := note_of(spare):
        work.notes.append(note)
    return needed


def _told(question: str, spare: Sequence[Mention], limiting: Sequence[Mention]) -> list[str]:
    """What limits the question or is unknown, in the order of the text, each word once."""
    found = [*(with_class(question, mention) for mention in spare), *limiting]
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or mention.end > kept[-1].end:  # else a part of the one before
            kept.append(mention)
    return list(dict.fromkeys(mention.text for mention in kept))


def _seen_near(work: Work, mention: Mention) -> tuple[str, ...]:
    """The names the first round saw near a mention, or near the part of it that was looked up."""
    within = [r for r in work.readings if overlaps(r.mention, [(mention.start, mention.end)])]
    within.sort(key=lambda r: r.mention.start - r.mention.end)
    return tuple(dict.fromkeys(name for r in within for name in r.near))


def _unresolved(reading: Reading, hits: Mapping[str, Sequence[NameHit]], taxon: str) -> Unresolved:
    text = reading.mention.text
    pieces = [hit for tried, several in hits.items() if tried in text for hit in several]
    near = closest(text, [*nearest(text, pieces), *reading.near])
    if count := reading.matches.other_taxa:
        return Unresolved(text, near, f"only genes of other species than {taxon} fit ({count})")
    return Unresolved(text, near, "no name fits it")
