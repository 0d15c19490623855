"""Words of a question that nothing explains: they may be misspelt names, or names nobody knows.

A word is unknown when it is no plain English of :mod:`fedrag.entities.words`, lies in no accepted
mention, and no name the Name Resolver returned holds it. It is reported as unresolved only where a
name is expected ("targets of ___", "does ___ cause") or where it is spelt like a symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from fedrag.entities.mentions import Mention
from fedrag.entities.slots import awaited, in_slot, is_symbol, ordinary
from fedrag.entities.spans import Word, segments, words_of
from fedrag.entities.text import loose

__all__ = [
    "MAX_GUESSES",
    "beside",
    "guessable",
    "whole_name",
    "known_words",
    "nameless",
    "unknown_words",
]

MAX_GUESSES = 8
_MAX_RUN = 4
# Words for kinds of things that are the last word of many names.
_CLOSING = frozenset(
    ["disease", "disorder", "syndrome", "infection", "receptor", "channel", "kinase", "transporter"]
)
_VERBAL = re.compile(r"(?:ly|ing|ed)$")
_ADJECTIVE = re.compile(r"(?:ive|ic|al|ary|ant|ent|ar|or|oid|wide|ine|s)$")


def known_words(names: Iterable[str]) -> frozenset[str]:
    """All words of the names, as :func:`loose` writes them."""
    return frozenset(word for name in names for word in loose(name).split())


def unknown_words(
    question: str, covered: Iterable[tuple[int, int]], known: frozenset[str]
) -> tuple[Word, ...]:
    """The words nothing explains, in order.

    >>> [w.text for w in unknown_words("what are the targets of xyzzamib?", [], frozenset())]
    ['xyzzamib']
    """
    regions = tuple(covered)
    return tuple(
        word
        for word in words_of(question)
        if not word.plain
        and _long_enough(word.text)
        and not any(word.start < b and word.end > a for a, b in regions)
        and not all(part in known for part in loose(word.text).split())
    )


def _long_enough(text: str) -> bool:
    letters = sum(c.isalpha() for c in text)
    return letters >= 5 or (letters >= 2 and any(c.isdigit() for c in text)) or is_symbol(text)


def guessable(question: str, unknown: Sequence[Word]) -> tuple[Mention, ...]:
    """The runs of words that may be misspelt names: around each unknown word, the longest first.

    >>> words = unknown_words("drugs for brest cancer", [], frozenset(["cancer", "drug"]))
    >>> [m.text for m in guessable("drugs for brest cancer", words)]
    ['brest cancer', 'brest']
    """
    runs: dict[tuple[int, int], Mention] = {}
    for segment in segments(words_of(question)):
        for i, first in enumerate(segment):
            for last in segment[i : i + _MAX_RUN]:
                run = [w for w in segment if first.start <= w.start <= last.start]
                odd = [w for w in run if w in unknown]
                if not odd or first.links or first.generic or last.links or not _typed(run):
                    continue
                text = question[first.start : last.end]
                runs[(first.start, last.end)] = Mention(text, first.start, last.end)
    ranked = sorted(runs.values(), key=lambda m: (-(m.end - m.start), m.start))
    return _few_each(ranked, unknown)


def beside(question: str, accepted: Sequence[tuple[int, int]]) -> tuple[Mention, ...]:
    """Odd words right beside an accepted mention, each with the mention, as one longer name.

    >>> beside("genes of brest cancer", [(15, 21)])[0].text
    'brest cancer'
    """
    found = []
    for segment in segments(words_of(question)):
        for left, right in pairwise(segment):
            for word, other in ((left, right), (right, left)):
                region = next((r for r in accepted if r[0] <= other.start < r[1]), None)
                taken = any(a <= word.start < b for a, b in accepted)
                if region is None or taken or not _odd(word):
                    continue
                start, end = min(word.start, region[0]), max(word.end, region[1])
                found.append(Mention(question[start:end], start, end))
    return tuple(found[:3])


def _odd(word: Word) -> bool:
    text = word.text.lower()
    usual = ordinary(text) or _ADJECTIVE.search(text)
    return not word.plain and len(text) >= 4 and text.isalpha() and not usual


def _typed(run: Sequence[Word]) -> bool:
    """Whether a run may be a misspelt name: a single word must not look like plain English."""
    if len(run) > 1:
        return not (run[0].common or run[-1].common)
    return not _VERBAL.search(run[0].text.lower())


def _few_each(ranked: Sequence[Mention], unknown: Sequence[Word]) -> tuple[Mention, ...]:
    """At most four runs for a word (the word alone always among them), eight words in all."""
    kept: dict[tuple[int, int], Mention] = {}
    for word in unknown[:MAX_GUESSES]:
        around = [m for m in ranked if m.start <= word.start and word.end <= m.end]
        alone = [m for m in around if (m.start, m.end) == (word.start, word.end)]
        for mention in [*around[:3], *alone]:
            kept[(mention.start, mention.end)] = mention
    return tuple(sorted(kept.values(), key=lambda m: (-(m.end - m.start), m.start)))


def nameless(
    question: str, unknown: Sequence[Word], covered: Sequence[tuple[int, int]] = ()
) -> tuple[Mention, ...]:
    """The unknown words that stand where a name is expected, each as the whole name it is part of.

    >>> q = "Does zorblatinib treat vague artery disease, reportedly?"
    >>> [m.text for m in nameless(q, unknown_words(q, [], frozenset(["artery"])))]
    ['zorblatinib', 'vague artery disease']
    """
    found: dict[tuple[int, int], Mention] = {}
    runs = segments(words_of(question))
    for word in unknown:
        start, end = whole_name(runs, word, covered)
        expected = not ordinary(word.text) and awaited(question, start, end, covered)
        if expected or in_slot(question, word.start, word.end, covered):
            found[(start, end)] = Mention(question[start:end], start, end)
    return tuple(found.values())


def whole_name(
    runs: Sequence[Sequence[Word]], word: Word, covered: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """The extent of the name a word is part of: content words around it, and a closing noun.

    Neither linking and ordinary words nor accepted mentions belong to it; of words for kinds of
    things only those that end names ("vague artery *disease*").
    """
    run = next((r for r in runs if word in r), [word])
    place = run.index(word)
    first = last = place
    while first > 0 and _is_content(run[first - 1], covered):
        first -= 1
    while last + 1 < len(run) and _is_content(run[last + 1], covered):
        last += 1
    if last + 1 < len(run) and run[last + 1].text.lower() in _CLOSING:
        last += 1
    return run[first].start, run[last].end


def _is_content(word: Word, covered: Sequence[tuple[int, int]]) -> bool:
    return not word.plain and not any(word.start < b and word.end > a for a, b in covered)
