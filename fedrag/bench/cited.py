"""What an answer cites, and whether that is about the answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from fedrag.bench.gold import identifiers_of
from fedrag.bench.model import CitedLine
from fedrag.datamodel import Candidate, Evidence, Sentence

__all__ = ["cited_lines", "keys_about"]

_MARK = r"\[E\d[^\[\]]*\]"
_KEY = re.compile(r"E\d+")


def cited_lines(
    keys: Sequence[str],
    lines: Sequence[Evidence],
    candidate: Candidate | None,
    *,
    about: Collection[str] | None = None,
) -> tuple[CitedLine, ...]:
    """The cited lines that exist, each with whether it is about the candidate answered.

    :param about: the keys cited for the answer; without, all of them. What is cited for something
        else neither supports the answer nor fails to: ``supports`` is ``None`` there.
    """
    by_key = {item.key: item for item in lines}
    ids = {candidate.curie, *candidate.identifiers} if candidate else set()
    return tuple(
        _line(by_key[key], ids, asked=about is None or key in about)
        for key in keys
        if key in by_key
    )


def _line(item: Evidence, ids: set[str], *, asked: bool) -> CitedLine:
    supports = item.polarity != "against" and not ids.isdisjoint(identifiers_of(item.edges))
    return CitedLine(
        item.key,
        item.sentence,
        item.edges[0].primary_source,
        tuple(edge.id for edge in item.edges),
        tuple(dict.fromkeys(p for edge in item.edges for p in edge.publications))[:5],
        supports if asked else None,
    )


def keys_about(
    sentences: Iterable[Sentence], answer: Candidate, candidates: Iterable[Candidate]
) -> frozenset[str]:
    """The keys that sentences cite for the answer, and not for another candidate.

    A key is cited for the candidates named since the keys before it: of "KIT [E1] is the first,
    tied with ABL1 [E2]" only ``E1`` is cited for KIT.

    >>> kit, abl1 = (Candidate(f"X:{name}", name, (), 1.0) for name in ("KIT", "ABL1"))
    >>> told = Sentence("KIT [E1] is the first, tied with ABL1 [E2].", ("E1", "E2"))
    >>> sorted(keys_about([told], kit, [kit, abl1]))
    ['E1']
    """
    names = sorted({one.name for one in (answer, *candidates)}, key=lambda name: (-len(name), name))
    either = "|".join(map(re.escape, names))
    part = re.compile(rf"(?P<mark>{_MARK})|(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
    found: set[str] = set()
    for sentence in sentences:
        named: set[str] = set()
        closed = False  # whether the names so far have had their keys
        for match in part.finditer(sentence.text):
            if mark := match["mark"]:
                closed = True
                if answer.name.casefold() in named:
                    found.update(_KEY.findall(mark))
            else:
                name = match.group().casefold()
                named = {name} if closed else {*named, name}
                closed = False
    return frozenset(found)
