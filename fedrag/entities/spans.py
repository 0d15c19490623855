"""Candidate spans: which runs of the question's words may be names. Pure text.

A question is cut into words; words that never stand inside a name ("treats", "which") and sentence
punctuation cut it into segments; within a segment every run of words that neither begins nor ends
with a linking word and that holds more than generic words is a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fedrag.entities.text import tidy
from fedrag.entities.words import BREAKS, COMMON, GENERIC, LINKS

__all__ = [
    "MAX_SPANS",
    "MAX_WORDS",
    "Word",
    "segments",
    "spans_of",
    "words_of",
]

MAX_SPANS = 150
MAX_WORDS = 8
_MAX_TOKENS = 1500

_CHUNK = re.compile(r"[^\s/]+")
_EDGE = ".,;:?!¿¡\"'“”„«»*…"
_CUES = frozenset(["moa"])  # abbreviations of ordinary words, in whatever capitals
_OPEN, _CLOSE = "([{<", ")]}>"
_HARD_GAP = re.compile(r"[?!;:\"“”«»]|\.\s|\s-+\s")
_MODIFIER = re.compile(
    r"(?P<head>.*\w)-(?P<tail>induced|associated|related|mediated|dependent|driven|positive|"
    r"negative|mutant|mutated|resistant|sensitive|targeting|targeted|based|deficient|like|"
    r"linked|bound|treated|specific|expressing|overexpressing|amplified|rearranged|lowering|"
    r"activated|responsive|refractory|containing|secreting|producing|inhibiting|blocking)$",
    re.IGNORECASE,
)
_ANTI = re.compile(r"(?P<head>anti)-(?P<tail>\w.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the question with its offsets. ``segment`` numbers the run it belongs to."""

    text: str
    start: int
    end: int
    segment: int
    breaks: bool
    links: bool
    generic: bool
    common: bool

    @property
    def plain(self) -> bool:
        """Whether the word alone is no name."""
        return self.breaks or self.links or self.generic or self.common


def words_of(question: str) -> tuple[Word, ...]:
    """The words of the question (the first 1,500), edge punctuation taken off.

    "bleomycin-induced" and "anti-TNF" are two words each; "PD-L1" and "(1->3)-beta-D-glucan" one.

    >>> [w.text for w in words_of("Does anti-TNF treat Crohn's disease (bowel)?")]
    ['Does', 'anti', 'TNF', 'treat', "Crohn's", 'disease', 'bowel']
    """
    text = tidy(question)
    shouting = _shouting(text)
    words: list[Word] = []
    segment, last_end = 0, 0
    for start, end in _bounds(text):
        gap = text[last_end:start]
        token = text[start:end]
        kind = _kinds(token, shouting)
        if _HARD_GAP.search(gap) or kind[0] or (words and words[-1].breaks):
            segment += 1
        words.append(Word(token, start, end, segment, *kind))
        last_end = end
        if len(words) >= _MAX_TOKENS:
            break
    return tuple(words)


def _shouting(text: str) -> bool:
    letters = [c for c in text[:2000] if c.isalpha()]
    return bool(letters) and sum(c.isupper() for c in letters) > 0.6 * len(letters)


def _kinds(token: str, shouting: bool) -> tuple[bool, bool, bool, bool]:
    """(breaks, links, generic, common); a word written in capitals is a symbol, not English."""
    lower = token.lower().removesuffix("'s")
    links = lower in LINKS
    symbol = len(token) > 1 and token.isupper() and lower not in _CUES
    if symbol and not shouting and not links:
        return (False, False, False, False)
    return (lower in BREAKS, links, lower in GENERIC, lower in COMMON or lower.isdigit())


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    for match in _CHUNK.finditer(text):
        start, end = _without_edges(text, match.start(), match.end())
        token = text[start:end]
        if not any(c.isalnum() for c in token):
            continue
        split = _MODIFIER.match(token) or _ANTI.match(token)
        if split is None:
            yield start, end
            continue
        yield start, start + len(split["head"])
        yield end - len(split["tail"]), end


def _without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """Take punctuation and brackets that are not closed inside off both edges."""
    changed = True
    while changed and start < end:
        changed = False
        first, last = text[start], text[end - 1]
        token = text[start:end]
        if first in _EDGE or (first in _OPEN and not _closed_inside(token)):
            start, changed = start + 1, True
        elif last in _EDGE or (last in _CLOSE and not _balanced(token)):
            end, changed = end - 1, True
    return start, end


def _closed_inside(token: str) -> bool:
    """Whether the first bracket closes before the end of the token."""
    close = _CLOSE[_OPEN.index(token[0])]
    return close in token[1:-1]


def _balanced(token: str) -> bool:
    opens, closes = _OPEN[:3], _CLOSE[:3]
    return all(token.count(a) >= token.count(b) for a, b in zip(opens, closes, strict=True)) and (
        token[-1] != ">"
    )


def segments(words: Iterable[Word]) -> list[list[Word]]:
    """The runs of words a name may stand in, in order, without the words that cut them.

    >>> [[w.text for w in s] for s in segments(words_of("Which genes are linked to gout?"))]
    [['genes'], ['linked', 'to', 'gout']]
    """
    runs: dict[int, list[Word]] = {}
    for word in words:
        if not word.breaks:
            runs.setdefault(word.segment, []).append(word)
    return list(runs.values())


def spans_of(
    question: str, *, taken: Iterable[tuple[int, int]] = (), limit: int = MAX_SPANS
) -> tuple[tuple[int, int], ...]:
    """Offsets of the candidate spans outside ``taken``, in order, at most ``limit``.

    Where there are more, long runs are given up first, then the plainest words.

    >>> text = "what links PCSK9 and coronary artery disease?"
    >>> [text[a:b] for a, b in spans_of(text)][:3]
    ['PCSK9', 'PCSK9 and coronary', 'PCSK9 and coronary artery']
    """
    regions = tuple(taken)
    words = [w for w in words_of(question) if not _within(w.start, w.end, regions)]
    found: list[tuple[int, int]] = []
    for longest in range(MAX_WORDS, 0, -1):
        found = list(_runs(words, question, regions, longest))
        if len(found) <= limit:
            return tuple(found)
    found.sort(key=lambda s: (-_informative(question[s[0] : s[1]]), s))
    return tuple(sorted(found[:limit]))


def _within(start: int, end: int, regions: Iterable[tuple[int, int]]) -> bool:
    return any(start < b and end > a for a, b in regions)


def _informative(text: str) -> float:
    marked = any(c.isdigit() for c in text) + any(c.isupper() for c in text[1:])
    return min(len(text), 16) + 8.0 * marked


def _runs(
    words: list[Word], question: str, regions: tuple[tuple[int, int], ...], longest: int
) -> Iterator[tuple[int, int]]:
    seen: set[str] = set()
    for segment in segments(words):
        for i, first in enumerate(segment):
            for j in range(i, min(i + longest, len(segment))):
                last, run = segment[j], segment[i : j + 1]
                if first.links or last.links or not _may_be_name(run):
                    continue
                start, end = _closed(question, first.start, last.end)
                name = question[start:end].casefold()
                if start < end and name not in seen and not _within(start, end, regions):
                    seen.add(name)
                    yield start, end


def _may_be_name(run: list[Word]) -> bool:
    if len(run) == 1:
        return not run[0].plain and len(run[0].text) > 1
    return any(not (w.links or w.generic) for w in run) and not all(
        w.text.isdigit() or w.links for w in run
    )


def _closed(question: str, start: int, end: int) -> tuple[int, int]:
    """The span with the bracket it opened closed; an empty span when it cannot be."""
    text = question[start:end]
    for opening, closing in zip(_OPEN[:3], _CLOSE[:3], strict=True):
        excess = text.count(opening) - text.count(closing)
        if excess == 1 and question[end : end + 1] == closing:
            return start, end + 1
        if excess != 0:
            return start, start
    return start, end
