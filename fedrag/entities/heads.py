"""Parts of disease names: "breast" in "breast cancer" is not what the question is about.

Where the whole name is not known to the Name Resolver but a part of it is, the part says something
else: an organ, a gene, a process. Such a part is not taken, and the whole is told as unresolved. A
disease whose alias leaves out the noun ("lung" for a neoplasm of lung) is shown with the noun.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fedrag.entities.choose import Reading, is_fixed, is_wanted
from fedrag.entities.mentions import Mention
from fedrag.entities.slots import is_symbol
from fedrag.entities.spans import Word, words_of
from fedrag.entities.text import loose, tidy

__all__ = ["Whole", "whole_names"]

_KINDS = frozenset(["disease", "disorder", "syndrome", "condition", "illness"])
_TUMOURS = frozenset(
    """cancer carcinoma adenocarcinoma sarcoma tumor neoplasm malignancy lymphoma leukemia
    blastoma metastasis""".split()  # noqa: SIM905
)
_OTHERS = frozenset(
    """infection deficiency insufficiency failure fibrosis cirrhosis stenosis aneurysm dystrophy
    atrophy ulcer malformation defect dysfunction impairment edema infarction hemorrhage abscess
    inflammation injury pain attack poisoning loss""".split()  # noqa: SIM905
)
_HEADS = _KINDS | _TUMOURS | _OTHERS
# What a gene or a chemical may be the first word of; any disease may follow the name of an organ.
_OF_MOLECULES = frozenset(["deficiency", "insufficiency", "syndrome", "poisoning"])
_MAX_BETWEEN = 3
_HEAD_OF = re.compile(r"\b(?P<head>[A-Za-z]+)\s+of\s+(?:the\s+)?$")

_Regions = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Whole:
    """The readings that stand, those set aside, and whole names of which only a part is known."""

    accepted: tuple[Reading, ...]
    aside: tuple[Reading, ...]
    cut: tuple[Mention, ...]


def whole_names(question: str, accepted: Sequence[Reading], aside: Sequence[Reading]) -> Whole:
    """Take out the parts that leave a disease's head word outside; name the whole instead."""
    words = words_of(question)
    covered = [(r.mention.start, r.mention.end) for r in (*accepted, *aside)]
    cut: dict[tuple[int, int], Mention] = {}
    kept: tuple[list[Reading], list[Reading]] = ([], [])
    for place, readings in enumerate((accepted, aside)):
        for reading in readings:
            extent = _extent(question, words, reading, covered)
            if extent is None:
                kept[place].append(reading)
            elif _is_named_so(reading, question[extent[0] : extent[1]]):
                mention = replace(
                    reading.mention, text=question[extent[0] : extent[1]], start=extent[0]
                )
                kept[place].append(replace(reading, mention=replace(mention, end=extent[1])))
            elif not _is_disease(reading):
                cut[extent] = Mention(question[extent[0] : extent[1]], *extent)
            else:
                kept[place].append(reading)
    return Whole(tuple(kept[0]), tuple(kept[1]), tuple(cut.values()))


def _is_disease(reading: Reading) -> bool:
    return reading.best is not None and reading.best.group == "disease"


def _is_named_so(reading: Reading, text: str) -> bool:
    """Whether what was found is a disease of the kind that the whole text names."""
    if reading.best is None or not _is_disease(reading):
        return False
    heads = _HEADS & set(loose(text).split())
    hit = reading.best.hit
    own = {word for name in (hit.label, *hit.synonyms) for word in loose(name).split()}
    return heads <= _KINDS or bool(heads & own) or bool(heads & _TUMOURS and own & _TUMOURS)


def _extent(
    question: str, words: Sequence[Word], reading: Reading, covered: _Regions
) -> tuple[int, int] | None:
    """Where the whole name lies that the mention is only a part of; None when it is whole."""
    mention = reading.mention
    if mention.start < 0 or reading.best is None or is_fixed(mention):
        return None
    heads = _OF_MOLECULES if reading.best.group in ("gene", "chemical") else _HEADS
    own = [i for i, w in enumerate(words) if w.start < mention.end and w.end > mention.start]
    if not own:
        return None
    last = _head_after(question, words, own[-1], covered, heads)
    if last is not None:
        first, end = _first(words, own[0], covered, reading), words[last].end
        return None if is_wanted(question, first, end) else (first, end)
    of = _HEAD_OF.search(tidy(question)[: mention.start])
    if of and loose(of["head"]) in heads and not _is_disease(reading):
        return of.start("head"), mention.end
    return None


def _head_after(
    question: str, words: Sequence[Word], place: int, covered: _Regions, heads: frozenset[str]
) -> int | None:
    """The place of the last head word of the run that goes on after a mention."""
    found = None
    for i in range(place + 1, min(place + 2 + _MAX_BETWEEN, len(words))):
        word, gap = words[i], question[words[i - 1].end : words[i].start]
        if word.segment != words[place].segment or word.links or gap.strip():
            break
        if any(word.start < b and word.end > a for a, b in covered):
            break
        if loose(word.text) in heads:
            found = i
        elif word.generic or word.common or found is not None:
            break
    return found


def _first(words: Sequence[Word], place: int, covered: _Regions, reading: Reading) -> int:
    """Where the name begins: with the unrecognised words before the name of an organ."""
    first = place
    if reading.best is not None and reading.best.group == "place":
        while first > 0 and place - first < 2:
            word = words[first - 1]
            same = word.segment == words[place].segment
            free = not any(word.start < b and word.end > a for a, b in covered)
            if not same or not free or word.plain or is_symbol(word.text):
                break
            first -= 1
    return words[first].start
