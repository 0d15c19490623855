"""Which sentences go on the page and into the prompt. It never changes the ranking.

First what the answer stands on: each hop of the way to every given entity of the first candidate
(of all that are told of, in a list or a relation), the best sentence of each of the top five, of
each side of the question, and what speaks against the candidates shown. Then the rest by cosine
between question and sentence, and last what holds the question's own two entities alone ("X treats
Y"), which a question mostly takes for granted, unless it asks for just that: then it comes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from fedrag.datamodel import Candidate, Edge, Entity, Evidence, Polarity, QueryPlan
from fedrag.evidence.embed import Embedder
from fedrag.evidence.polarity import judge
from fedrag.evidence.scope import Scope

__all__ = ["prune", "tokens", "with_keys"]

_TOP = 5  # candidates whose best sentence is always on the page
_NEXT = 20  # candidates whose best sentence is on the page before what is only alike in words
_LISTED = 7  # candidates that a list or a relation tells of, each with its whole way
_AGAINST_EACH = 2  # statements against each of them
_AGAINST_OTHERS = 10  # other candidates, one statement against each
_DIRECT = 10  # statements of nothing but given entities, where their relation is asked
_EMBEDDED = 1000  # the weightiest statements that are compared with the question


def prune(
    question: str,
    evidence: Sequence[Evidence],
    candidates: Sequence[Candidate],
    entities: Sequence[Entity],
    plan: QueryPlan,
    *,
    embedder: Embedder,
    top_k: int = 40,
    max_tokens: int = 3000,
) -> tuple[Evidence, ...]:
    """The evidence of the page, keyed ``E1``, ``E2``, ... in its order.

    Each side of the question (a given entity, a hop of the plan) that has evidence keeps at least
    one sentence (a hop between given entities aside), even beyond ``top_k`` and ``max_tokens``;
    everything else stays within both.

    :param evidence: all of it, as :func:`fedrag.evidence.to_evidence` gives it.
    :param top_k: how many sentences at most.
    :param max_tokens: how many tokens at most, at four characters a token.
    """
    scope = Scope.of(plan, entities)
    page = _Page(evidence, top_k, max_tokens)
    pool = _Pool(evidence, scope)
    for item in (*pool.direct(), *pool.firsts(candidates)):
        page.add(item)
    for side in pool.sides():
        if not page.holds(side):
            page.add(pool.best(side, candidates), always=True)
    for item in pool.against(candidates):
        page.add(item)
    for item in pool.further(candidates):
        page.add(item)
    scores = _cosines(question, evidence, page.chosen, embedder)
    for item in pool.others(page.chosen, scores):
        page.add(item)
    return tuple(
        replace(
            evidence[item],
            key=f"E{number}",
            score=scores[item],
            polarity=_polarity(evidence[item], scope),
        )
        for number, item in enumerate(page.chosen, start=1)
    )


def _polarity(item: Evidence, scope: Scope) -> Polarity:
    if scope.swapped(item.edges[0], item.query_edges):
        return "context"
    return judge(item.edges[0], scope).polarity


def tokens(text: str) -> int:
    """An estimate of a text's tokens: a quarter of its characters, rounded up.

    >>> tokens("SLC12A3"), tokens("")
    (2, 0)
    """
    return math.ceil(len(text) / 4)


def with_keys(
    candidates: Iterable[Candidate], evidence: Sequence[Evidence]
) -> tuple[Candidate, ...]:
    """The candidates with the keys of the page's evidence for and against them."""
    keys: dict[str, str] = {edge.id: item.key for item in evidence for edge in item.edges}
    return tuple(
        replace(
            candidate,
            evidence_keys=_in_order(candidate.support, keys),
            against_keys=_in_order(candidate.against, keys),
        )
        for candidate in candidates
    )


def _in_order(edges: Iterable[str], keys: dict[str, str]) -> tuple[str, ...]:
    found = {keys[edge] for edge in edges if edge in keys}
    return tuple(sorted(found, key=lambda key: int(key.removeprefix("E"))))


@dataclass(slots=True)
class _Page:
    """What was chosen so far, by position in the evidence, within the budget."""

    evidence: Sequence[Evidence]
    top_k: int
    max_tokens: int
    chosen: list[int] = field(default_factory=list)
    _spent: int = 0
    _seen: set[str] = field(default_factory=set)

    def add(self, item: int | None, *, always: bool = False) -> None:
        """Put one on the page, if it is not there, says something new and fits."""
        if item is None or item in self.chosen:
            return
        said = self.evidence[item].sentence
        cost = tokens(said)
        fits = len(self.chosen) < self.top_k and self._spent + cost <= self.max_tokens
        if not always and (not fits or said in self._seen):
            return
        self.chosen.append(item)
        self._seen.add(said)
        self._spent += cost

    def holds(self, side: Sequence[int]) -> bool:
        """Whether one of these is on the page."""
        return bool(set(side) & set(self.chosen))


@dataclass(slots=True)
class _Pool:
    """The evidence by edge, by side, and in the order of its weight."""

    evidence: Sequence[Evidence]
    scope: Scope
    _of_edge: dict[str, int] = field(init=False)
    _given: list[frozenset[str]] = field(init=False)  # the given entities each statement touches
    _own: list[bool] = field(init=False)  # nothing but given entities

    def __post_init__(self) -> None:
        self._of_edge = {e.id: i for i, item in enumerate(self.evidence) for e in item.edges}
        ends = [self._ends(item.edges[0]) for item in self.evidence]
        self._given = [frozenset(end for end in pair if end) for pair in ends]
        self._own = [None not in pair for pair in ends]

    def _ends(self, edge: Edge) -> tuple[str | None, str | None]:
        return self.scope.given_at(edge.subject), self.scope.given_at(edge.object)

    def _items(self, edges: Iterable[str]) -> list[int]:
        return list(dict.fromkeys(self._of_edge[e] for e in edges if e in self._of_edge))

    def firsts(self, candidates: Sequence[Candidate]) -> Iterator[int]:
        """What the best candidates stand on, the whole ways to each given entity first."""
        whole = 1 if self.scope.plan.kind == "one" else _LISTED
        for candidate in candidates[:whole]:
            yield from self._hops(candidate)
        for candidate in candidates[:_TOP]:
            yield from self._items(candidate.support)[:1]

    def further(self, candidates: Sequence[Candidate]) -> Iterator[int]:
        """The best sentence of each of the candidates that come next."""
        for candidate in candidates[_TOP:_NEXT]:
            yield from self._items(candidate.support)[:1]

    def direct(self) -> list[int]:
        """What joins the given entities, the weightiest first, where that is what was asked."""
        if self.scope.plan.kind != "relation":
            return []
        own = [i for i, alone in enumerate(self._own) if alone]
        return sorted(own, key=lambda i: (-self.evidence[i].rank, i))[:_DIRECT]

    def _hops(self, candidate: Candidate) -> list[int]:
        """The best statement of each hop on its ways to the given entities."""
        best: dict[frozenset[str], int] = {}
        for item in self._items(candidate.support):
            edge = self.evidence[item].edges[0]
            ends = ((end, self.scope.given_at(end)) for end in (edge.subject, edge.object))
            best.setdefault(frozenset(at or e.canonical or e.curie for e, at in ends), item)
        return list(best.values())

    def sides(self) -> list[list[int]]:
        """The evidence of each given entity and of each hop, in the plan's order.

        A statement of nothing but given entities stands for no hop, and for an entity only where
        there is nothing else, unless the relation between them is what was asked: what speaks for
        it is one side then, what speaks against it another.
        """
        plan = self.scope.plan
        by_entity = [
            [i for i, touched in enumerate(self._given) if one.curie in touched]
            for one in self.scope.given
        ]
        by_hop = [
            [i for i, item in enumerate(self.evidence) if hop.key in item.query_edges]
            for hop in plan.edges
        ]
        if plan.kind == "relation":
            own = [i for i, alone in enumerate(self._own) if alone]
            denied = [i for i in own if self._is_against(i)]
            said = [i for i in own if i not in denied]
            return [side for side in (said, denied, *by_entity, *by_hop) if side]
        entities = [self._telling(side) or side for side in by_entity]
        return [side for side in (*entities, *map(self._telling, by_hop)) if side]

    def _is_against(self, item: int) -> bool:
        return judge(self.evidence[item].edges[0], self.scope).polarity == "against"

    def _telling(self, side: list[int]) -> list[int]:
        return [item for item in side if not self._own[item]]

    def best(self, side: Sequence[int], candidates: Sequence[Candidate]) -> int:
        """A side's best sentence: the best-ranked candidate's, else the weightiest."""
        inside = set(side)
        for candidate in candidates:
            for item in self._items(candidate.support):
                if item in inside:
                    return item
        return min(side, key=lambda item: (-self.evidence[item].rank, item))

    def against(self, candidates: Sequence[Candidate]) -> Iterator[int]:
        """What speaks against the candidates that are shown, then against others."""
        for candidate in candidates[:_TOP]:
            yield from self._items(candidate.against)[:_AGAINST_EACH]
        others = [c for c in candidates[_TOP:] if c.against][:_AGAINST_OTHERS]
        for candidate in others:
            yield from self._items(candidate.against)[:1]

    def others(self, chosen: Iterable[int], scores: dict[int, float]) -> list[int]:
        """The rest by cosine, the question's own entities alone last."""
        last = self.scope.plan.kind != "relation"
        rest = scores.keys() - set(chosen)
        return sorted(
            rest,
            key=lambda i: (last and self._own[i], -scores[i], -self.evidence[i].rank, i),
        )


def _cosines(
    question: str, evidence: Sequence[Evidence], chosen: Sequence[int], embedder: Embedder
) -> dict[int, float]:
    """Cosine between the question and the weightiest sentences, and all those already chosen."""
    by_weight = sorted(range(len(evidence)), key=lambda i: (-evidence[i].rank, i))
    items = list(dict.fromkeys([*chosen, *by_weight[:_EMBEDDED]]))
    if not items:
        return {}
    rows = embedder.embed([question, *(evidence[item].sentence for item in items)])
    rows = rows.astype("float64")  # so that the sixth digit is the same on every machine
    found = rows[1:] @ rows[0]
    return {item: round(float(score), 6) for item, score in zip(items, found, strict=True)}
