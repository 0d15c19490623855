"""What a question says that was not used: told in one note, or unresolved where it is needed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fedrag.entities.mentions import Mention
from fedrag.entities.slots import demanded, is_symbol, ordinary
from fedrag.entities.spans import Word, segments, words_of
from fedrag.entities.text import tidy
from fedrag.entities.unknown import whole_name

__all__ = ["note_of", "phrases", "required"]

_MAX_TOLD = 8
_OF = re.compile(r"\s+of\s+(?:the\s+)?", re.IGNORECASE)
_Regions = Sequence[tuple[int, int]]


def phrases(question: str, covered: _Regions) -> tuple[Mention, ...]:
    """The runs of content words outside the regions, in order, each once.

    >>> [m.text for m in phrases("does gout cause lactic acidosis or UTI?", [(5, 9)])]
    ['lactic acidosis', 'UTI']
    """
    runs = segments(words_of(question))
    found: dict[tuple[int, int], Mention] = {}
    for run in runs:
        for word in run:
            if _is_content(word) and not _within(word, covered):
                start, end = whole_name(runs, word, covered)
                found[(start, end)] = Mention(question[start:end], start, end)
    return _joined(question, tuple(found.values()))


def _joined(question: str, found: Sequence[Mention]) -> tuple[Mention, ...]:
    """Two phrases with "of" between them as one: "cancer of the pancreas"."""
    made: list[Mention] = []
    for mention in found:
        last = made[-1] if made else None
        if last and _OF.fullmatch(tidy(question)[last.end : mention.start]):
            made[-1] = Mention(question[last.start : mention.end], last.start, mention.end)
        else:
            made.append(mention)
    return tuple(made)


def _is_content(word: Word) -> bool:
    """Whether a word may name something: no plain English, adverb, or lone letter."""
    text = word.text
    capitals = sum(c.isupper() for c in text)
    if word.plain or not any(c.isalpha() for c in text):
        return False
    if len(text) < 4 and capitals + sum(c.isdigit() for c in text) < 2:
        return False
    return capitals > 0 or not text.endswith(("ly", "ing", "ed"))


def _within(word: Word, regions: _Regions) -> bool:
    return any(word.start < b and word.end > a for a, b in regions)


def required(
    question: str, left: Sequence[Mention], named: _Regions, *, nothing: bool
) -> tuple[Mention, ...]:
    """The phrases without which the question cannot be answered as it was asked.

    :param named: where what was recognised lies.
    :param nothing: nothing was recognised at all; then every odd word is meant.

    >>> [m.text for m in required("TP53", phrases("TP53", []), [], nothing=True)]
    ['TP53']
    """
    needed = tuple(m for m in left if demanded(question, m.start, m.end, named))
    if needed or not nothing:
        return needed
    odd = tuple(m for m in left if not ordinary(m.text) or is_symbol(m.text))
    return odd or tuple(left)


def note_of(left: Sequence[Mention]) -> str:
    """The note on phrases that were not used; empty when there are none.

    >>> note_of([Mention("angina", 0, 6), Mention("CML", 8, 11)])
    'not recognised and not used: "angina", "CML"'
    """
    texts = list({m.text.casefold(): m.text for m in left}.values())
    named = ", ".join(f'"{text}"' for text in texts[:_MAX_TOLD])
    more = f" and {len(texts) - _MAX_TOLD} more" if len(texts) > _MAX_TOLD else ""
    return f"not recognised and not used: {named}{more}" if texts else ""
