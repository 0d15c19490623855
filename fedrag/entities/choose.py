"""Which of the overlapping readings of a question stand: the surest, then the longest.

A reading is a mention with what it may mean. Anatomy, cells and organisms are weak: beside a gene,
disease, drug or process they only say where, and are not taken for what the question is about. A
class named right after "which" ("which antibiotics treat ...") says what is wanted, likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fedrag.entities.match import Matches
from fedrag.entities.mentions import Mention
from fedrag.entities.order import Match
from fedrag.entities.words import BREAKS, COMMON

__all__ = ["Reading", "choose", "is_fixed", "is_wanted"]

_ASKS = re.compile(
    r"\b(?:which|what|list|name|show|any)(?:\s+(?:other|common|are|the|all))*\s+$", re.I
)
# "the mechanism by which X treats Y": a relative pronoun, so X is no kind of answer.
_RELATIVE = re.compile(
    r"\b(?P<noun>[\w-]+)\s+(?:by|through|in|with|via|from|on|for|under|of|to|at|upon|against)"
    r"\s+which\s+$",
    re.I,
)
_NOUN_OR_VERB = frozenset({"cause", "link", "target", "use"})
_VERB = re.compile(r"\s+(?P<word>[a-z]+)\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """A mention and its matches. ``expects`` is its own or its surroundings' wording."""

    mention: Mention
    expects: tuple[str, ...] = ()
    matches: Matches = field(default_factory=Matches)
    wanted: bool = False  # it names the kind of answer that is asked for
    near: tuple[str, ...] = ()  # names that were seen and did not match

    @property
    def best(self) -> Match | None:
        """The best match, None when nothing matched."""
        return self.matches.ranked[0] if self.matches.ranked else None


def is_fixed(mention: Mention) -> bool:
    """Whether the question's form, not its words' meaning, made it a mention of certain extent."""
    return mention.how in ("pinned", "curie") or (
        mention.firm and mention.how in ("marker", "quoted")
    )


def choose(readings: Iterable[Reading]) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """(accepted, set aside as merely saying where), each in order of appearance."""
    matched = [r for r in readings if r.best is not None or r.mention.curie is not None]
    accepted: list[Reading] = []
    displaced: set[Mention] = set()
    for reading in sorted(matched, key=_priority):
        over = [a for a in accepted if _overlap(a.mention, reading.mention)]
        if not over:
            accepted.append(reading)
        elif not _weak(reading):
            displaced.update(a.mention for a in over)
    strong = [r for r in accepted if not _weak(r)]
    kept = (
        accepted if not strong else [r for r in accepted if not _weak(r) or r.mention in displaced]
    )
    aside = [r for r in accepted if r not in kept]
    return _in_order(kept), _in_order(aside)


def _priority(reading: Reading) -> tuple[object, ...]:
    mention = reading.mention
    length = mention.end - mention.start
    return (not is_fixed(mention), -length, _weak(reading), mention.how != "marker", mention.start)


def _weak(reading: Reading) -> bool:
    best = reading.best
    if best is None or is_fixed(reading.mention) or reading.mention.how == "marker":
        return False
    return reading.wanted or (best.group == "place" and not best.fits)


def is_wanted(question: str, start: int, end: int) -> bool:
    """Whether the mention stands between "which" and a verb, and so names the kind of answer.

    >>> is_wanted("Which antibiotics treat plague?", 6, 17)
    True
    >>> is_wanted("the way in which antibiotics treat plague", 17, 28)
    False
    """
    verb, before = _VERB.match(question, end), question[max(0, start - 80) : start]
    if verb is None or not _ASKS.search(before):
        return False
    relative = _RELATIVE.search(before)
    if relative and relative["noun"].lower() not in BREAKS:
        return False
    return verb["word"] in BREAKS or verb["word"] in COMMON or verb["word"] in _NOUN_OR_VERB


def _overlap(a: Mention, b: Mention) -> bool:
    return a.start >= 0 and b.start >= 0 and a.start < b.end and b.start < a.end


def _in_order(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    return tuple(sorted(readings, key=lambda r: (r.mention.start, r.mention.end)))
