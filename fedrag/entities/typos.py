"""Misspelt names: a second bulk call with prefixes and autocomplete, ranked by edit distance.

A wrong guess is worse than none: short names must be nearly exact, digits must be equal, and two
different things at the same distance are no answer. There is no lexicon; what is compared comes
from the Name Resolver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fedrag.entities.kinds import fit_of, group_of
from fedrag.entities.nameres import NameHit
from fedrag.entities.order import Match, is_poor, is_sign
from fedrag.entities.text import fold, loose
from fedrag.entities.words import GENERIC, is_plain

__all__ = ["MAX_STRINGS", "Guess", "allowed", "closest", "guess", "nearest", "prefix_strings"]

MAX_STRINGS = 120
_MAX_LONGER = 8
_LENGTHS = (4, 5, 7, 9, 12)
_HEADS = (
    ("ph", "f"),
    ("f", "ph"),
    ("lu", "leu"),
    ("n", "pn"),
    ("ps", "s"),
    ("rh", "r"),
    ("r", "rh"),
    ("ae", "e"),
    ("oe", "e"),
)
_INNER = (
    ("ph", "f"),
    ("f", "ph"),
    ("i", "y"),
    ("y", "i"),
    ("th", "t"),
    ("t", "th"),
    ("ie", "ei"),
    ("ei", "ie"),
    ("c", "s"),
)
_SOUNDS = (("ph", "f"), ("th", "t"), ("ch", "c"), ("ck", "c"), ("k", "c"), ("y", "i"), ("z", "s"))
_DOUBLE = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Guess:
    """What a misspelt mention was read as, and what else came close."""

    match: Match
    others: tuple[Match, ...] = ()


def prefix_strings(text: str, limit: int = 12) -> tuple[str, ...]:
    """What to look up, with autocomplete, to meet the correct spelling of ``text``.

    Each word in turn is taken for the misspelt one: the other words, then a piece of its beginning
    (as written, with two letters exchanged, and as it might sound).

    >>> prefix_strings("imatanib")[:4]
    ('imat', 'imata', 'imatani', 'iamt')
    >>> prefix_strings("brest cancer")[0]
    'cancer bres'
    """
    words = [w for w in fold(text).split() if not is_plain(w) or len(w) > 4]
    rows = []
    for i, word in enumerate(words):
        if len(word) > 3 and not word.isdigit():
            rest = [w for j, w in enumerate(words) if j != i]
            rows.append([" ".join([*rest, piece]) for piece in _pieces(word)])
    width = max(map(len, rows), default=0)
    turns = [row[k] for k in range(width) for row in rows if k < len(row)]
    return tuple(dict.fromkeys(turns))[:limit]


def _pieces(word: str) -> list[str]:
    pieces = [word[:n] for n in _LENGTHS if n < len(word)] or [word[:-1]]
    pieces += [word[:3]] if len(word) < 7 else []
    head, single = word[:5], _DOUBLE.sub(r"\1", word)
    pieces += [single[:4], single[:6]] if single[:6] != word[:6] else []
    pieces += [head[:i] + head[i + 1] + head[i] + head[i + 2 : 4] for i in (1, 2, 0)]
    pieces += [new + head[len(old) : 4] for old, new in _HEADS if head.startswith(old)]
    pieces += [head.replace(old, new, 1)[:4] for old, new in _INNER if old in head[1:5]]
    return list(dict.fromkeys(pieces))


def allowed(length: int) -> int:
    """How many edits a name of this length may be away: none up to 4 letters, then 18 %.

    >>> [allowed(n) for n in (4, 5, 10, 12, 18, 40)]
    [0, 1, 1, 2, 3, 4]
    """
    return 0 if length < 5 else min(4, max(1, int(length * 0.18)))


def guess(
    text: str,
    hits: Iterable[NameHit],
    *,
    expects: Sequence[str] = (),
    taxon: str = "",
    strict: bool = False,
    most: int | None = None,
) -> Guess | None:
    """What ``text`` is a misspelling of, or None when nothing is near or two things are as near.

    :param strict: the mention is only a word of the question: no anatomy, no short gene aliases.
    :param most: a smaller bound on the edits than its length allows.
    """
    found: dict[str, Match] = {}
    for hit in hits:
        group = group_of(hit.types)
        if group is None or (group == "gene" and taxon and hit.taxa and taxon not in hit.taxa):
            continue
        near = None if hit.curie in found else _closest(text, hit, most)
        if near is None or (strict and not _trusted(group, near[1])):
            continue
        fit = fit_of(hit.types, expects)
        if fit < len(expects) or not expects or strict:
            fits = fit < len(expects)
            found[hit.curie] = Match(hit, near[1], near[2], near[0], group, fit, fits, False)
    ranked = sorted(found.values(), key=_order)
    if not ranked or any(_as_near(ranked[0], other) for other in ranked[1:]):
        return None
    return Guess(ranked[0], tuple(ranked[1:6]))


def _trusted(group: str, name: str) -> bool:
    return group != "place" and (group != "gene" or len(name) >= 7)


def _closest(wanted: str, hit: NameHit, most: int | None) -> tuple[float, str, bool] | None:
    best: tuple[float, str, bool] | None = None
    for i, name in enumerate((hit.label, *hit.synonyms)):
        distance = _distance(wanted, name, most)
        if distance is not None and (best is None or distance < best[0]):
            best = (distance, name, i == 0)
    return best


def _distance(wanted: str, name: str, bound: int | None) -> float | None:
    """Edits between two names (half an edit when they sound alike), None when too many."""
    if abs(len(name) - len(wanted)) > _MAX_LONGER:
        return None
    pairs = {(fold(wanted), fold(name)), (loose(wanted), loose(name))}
    near = [d for a, b in pairs if (d := _edits(a, b, bound)) is not None]
    return min(near, default=None)


def _edits(wanted: str, other: str, bound: int | None) -> float | None:
    from rapidfuzz.distance import OSA

    most = min(allowed(len(wanted)), allowed(len(other)))
    most = most if bound is None else min(most, bound)
    if not other or not wanted or _digits(other) != _digits(wanted):
        return None
    distance: float = OSA.distance(wanted, other, score_cutoff=most)
    heard = OSA.distance(_sound(wanted), _sound(other), score_cutoff=1)
    if distance > 1 and heard <= 1:
        distance = min(distance, heard + 0.5)
    if distance > most:
        return None
    return distance + (0.25 if other[0] != wanted[0] else 0.0)


def _digits(name: str) -> list[str]:
    """The words that must be equal: those with a digit, and single letters ("vitamin d")."""
    return re.findall(r"\b\w*\d\w*\b|\b[a-z]\b", name)


def _sound(name: str) -> str:
    for written, heard in _SOUNDS:
        name = name.replace(written, heard)
    return _DOUBLE.sub(r"\1", name)


def _order(match: Match) -> tuple[object, ...]:
    return (
        match.fit,
        match.cost,
        match.group == "place",
        is_poor(match),
        is_sign(match),
        not match.is_label,
        -match.hit.identifiers,
        -match.hit.score,
        match.hit.curie,
    )


def _as_near(best: Match, other: Match) -> bool:
    same = (best.cost, best.fit, best.is_label) == (other.cost, other.fit, other.is_label)
    return same and loose(best.name) != loose(other.name) and best.group != "place"


def nearest(text: str, hits: Iterable[NameHit], count: int = 3) -> tuple[str, ...]:
    """The names closest to ``text`` among hits, for a message; none that share little with it.

    >>> nearest("imatanib", [NameHit("CHEBI:45783", "imatinib", types=("biolink:Drug",))])
    ('imatinib',)
    """
    labels = (hit.label for hit in hits if group_of(hit.types) is not None and hit.label)
    return closest(text, labels, count)


def closest(text: str, names: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The names that share at least half with ``text``, closest first, each once.

    Words for kinds of things do not make two names alike: all diseases are called so.

    >>> closest("coronary artery disease", ["gout", "peripheral artery disease"])
    ('peripheral artery disease',)
    >>> closest("coronary artery disease", ["Fabry's disease", "Graves' disease"])
    ()
    """
    from rapidfuzz import fuzz

    whole, content = fold(text), _content(text)
    scored = {
        name: min(fuzz.ratio(whole, fold(name)), fuzz.ratio(content, _content(name)))
        for name in names
    }
    near = sorted(scored, key=lambda name: (-scored[name], name))
    return tuple(name for name in near if scored[name] >= 50)[:count]


def _content(name: str) -> str:
    """The name without words for kinds of things, where it has others."""
    words = fold(name).split()
    return " ".join([w for w in words if w not in GENERIC] or words)
