"""The Name Resolver's index: names to concepts, scored as its Solr scores them.

Solr's edismax counts a query by its best name: whole preferred names above whole synonyms, both far
above names that share some words, rarer words above common ones, all times the logarithm of the
clique's size. With ``autocomplete`` the last word is a prefix. Scores are unbounded and compare
within one query only.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fedrag.testing.facts import FactBook, FactNode
from fedrag.testing.memory import without_collection

__all__ = ["Concept", "Hit", "Index", "concepts_of"]

_WORD = re.compile(r"\w+")
_WHOLE_LABEL, _WHOLE_NAME, _LABEL, _NAME = 550.0, 300.0, 25.0, 10.0
_BUDGET = 4000  # postings read per query and word; each list is sorted by length of name


@dataclass(frozen=True, slots=True)
class Concept:
    """What a search can find: a clique with both of Babel's conflations on."""

    curie: str
    label: str
    names: tuple[str, ...]
    categories: tuple[str, ...]  # leaves
    taxa: tuple[str, ...] = ()
    size: int = 1  # identifiers in the clique
    score: float | None = None  # a recorded score for a whole-name match


@dataclass(frozen=True, slots=True)
class Hit:
    """A concept found, its score, and the names that matched whole."""

    concept: Concept
    score: float
    matched: tuple[str, ...] = ()


def concepts_of(facts: FactBook) -> list[Concept]:
    """The concepts of a fact book: salts under the drug that leads them."""
    return [
        _concept(facts, node) for node in facts.nodes.values() if node.group in (None, node.curie)
    ]


def _concept(facts: FactBook, node: FactNode) -> Concept:
    members = facts.group(node)
    names = dict.fromkeys((node.name, *(name for m in members for name in m.synonyms)))
    size = sum(len(member.curies) for member in members)
    return Concept(node.curie, node.name, tuple(names), node.categories, node.taxa, size)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class Index:
    """An inverted index over concepts.

    >>> gout = Concept("MONDO:1", "gout", ("gout", "gouty arthritis"), ("biolink:Disease",))
    >>> [hit.concept.curie for hit in Index([gout]).search("gouty arthr", autocomplete=True)]
    ['MONDO:1']
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._concepts = sorted(concepts, key=lambda c: min(map(len, c.names), default=0))
        self._whole: dict[str, list[int]] = defaultdict(list)
        self._postings: dict[str, list[int]] = defaultdict(list)
        with without_collection():
            for place, concept in enumerate(self._concepts):
                self._add(place, concept)

    def _add(self, place: int, concept: Concept) -> None:
        lowered = set(map(str.lower, concept.names))
        for name in lowered:
            self._whole[name].append(place)
        for word in set(_WORD.findall("\n".join(lowered))):
            self._postings[word].append(place)

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self._postings)

    def search(
        self,
        text: str,
        *,
        autocomplete: bool = False,
        keep: Callable[[Concept], bool] = lambda _: True,
        limit: int = 10,
        offset: int = 0,
    ) -> list[Hit]:
        """The best concepts for a text, best first; ``keep`` filters before the limit."""
        lowered = " ".join(text.lower().split())
        words = _words(lowered)
        if not words:
            return []
        rough = self._rough(words, autocomplete, keep)
        whole = {p for p in self._whole.get(lowered, ()) if keep(self._concepts[p])}
        wanted = max(100, 2 * (offset + limit))
        near = heapq.nlargest(wanted, rough, key=lambda p: (rough[p], -p))
        hits = [self._hit(place, lowered, words, autocomplete) for place in whole.union(near)]
        hits.sort(key=lambda hit: (-hit.score, -hit.concept.size, hit.concept.curie))
        return hits[offset : offset + limit]

    def _rough(
        self, words: Sequence[str], autocomplete: bool, keep: Callable[[Concept], bool]
    ) -> dict[int, float]:
        """Concepts that share a word, with the summed rarity of the words they share."""
        scores: dict[int, float] = defaultdict(float)
        exact = words[:-1] if autocomplete else words
        for word in set(exact):
            self._collect(self._postings.get(word, ()), self._rarity(word), scores)
        if autocomplete:
            lists = (self._postings[word] for word in self._starting(words[-1]))
            prefixed: set[int] = set().union(*lists)
            self._collect(heapq.nsmallest(_BUDGET, prefixed), 1.0, scores)
        return {place: score for place, score in scores.items() if keep(self._concepts[place])}

    def _collect(self, places: Sequence[int], weight: float, scores: dict[int, float]) -> None:
        for place in places[:_BUDGET]:
            scores[place] += weight

    def _starting(self, prefix: str) -> list[str]:
        first = bisect_left(self._vocabulary, prefix)
        last = bisect_left(self._vocabulary, prefix + "\uffff")
        return self._vocabulary[first:last]

    def _rarity(self, word: str) -> float:
        count = len(self._postings.get(word, ()))
        return math.log(1 + (len(self._concepts) - count + 0.5) / (count + 0.5))

    def _hit(self, place: int, text: str, words: Sequence[str], autocomplete: bool) -> Hit:
        concept = self._concepts[place]
        matched = tuple(name for name in concept.names if name.lower() == text)
        base = _WHOLE_LABEL if concept.label.lower() == text else _WHOLE_NAME if matched else 0.0
        if matched and concept.score is not None:
            return Hit(concept, concept.score, matched)
        rarity = {word: self._rarity(word) for word in words}
        shared = max(self._shared(n, concept, words, rarity, autocomplete) for n in concept.names)
        return Hit(concept, (base + shared) * math.log10(9 + concept.size), matched)

    def _shared(
        self,
        name: str,
        concept: Concept,
        words: Sequence[str],
        rarity: dict[str, float],
        autocomplete: bool,
    ) -> float:
        own = _words(name)
        common = sum(rarity[word] for word in words if word in own)
        if autocomplete and any(word.startswith(words[-1]) for word in own):
            common += 1.0
        weight = _LABEL if name == concept.label else _NAME
        return weight * common / (1 + 0.3 * len(own))
