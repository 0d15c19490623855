"""What the edges found, joined into results on the things they share.

A result binds one thing to each node (a collated node binds all that fit the rest) and every edge
between them. Its score is the geometric mean, over the query's edges, of the combined weight of
the edges bound to it (:mod:`fedrag.weight`: how specific a statement is, how it is known
and by whom; several count with diminishing returns). It lies in (0, 1], orders the results of one
query, and is not a probability.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fedrag.query.fit import Fit
from fedrag.query.graph import GraphEdge, QueryRequest
from fedrag.weight import combined, edge_weight

__all__ = ["SCORING", "Joined", "Result", "join"]

SCORING = (
    "fedrag: geometric mean over the query's edges of the combined weight of the edges bound "
    "(specificity of the predicate × knowledge level × agent type); no probability"
)
_BEAM = 20  # rows kept while joining, as a multiple of the results wanted


@dataclass(frozen=True, slots=True)
class Result:
    """One result: node key → the things bound (canonical CURIEs), edge key → what binds them."""

    nodes: Mapping[str, tuple[str, ...]]
    fits: Mapping[str, tuple[Fit, ...]]
    score: float


@dataclass(frozen=True, slots=True)
class Joined:
    """The results, best first; ``cut`` says how many were found when not all are there."""

    results: tuple[Result, ...]
    cut: str | None = None


Pair = tuple[str, str]
Row = dict[str, str]  # node → thing


class _Found:
    """The fits of one query edge by what they bind, with their combined weight."""

    def __init__(self, edge: GraphEdge, fits: Iterable[Fit]) -> None:
        self.edge = edge
        self.fits: dict[Pair, list[Fit]] = {}
        for fit in fits:
            self.fits.setdefault((fit.subject, fit.object), []).append(fit)
        self.weight = {pair: _weight(found) for pair, found in self.fits.items()}
        self._by_end: tuple[dict[str, list[Pair]], dict[str, list[Pair]]] = ({}, {})
        for pair in sorted(self.fits):
            for end, index in zip(pair, self._by_end, strict=True):
                index.setdefault(end, []).append(pair)

    def pairs(self, subject: str | None, object_: str | None) -> Sequence[Pair]:
        """The pairs that agree with what a row has bound."""
        if subject is not None and object_ is not None:
            return [(subject, object_)] if (subject, object_) in self.fits else []
        if subject is not None:
            return self._by_end[0].get(subject, ())
        if object_ is not None:
            return self._by_end[1].get(object_, ())
        return sorted(self.fits)


def _weight(fits: Iterable[Fit]) -> float:
    """Of all edges together; the same statement of one source, told by several, counts once."""
    told: dict[tuple[object, ...], float] = {}
    for fit in fits:
        edge = fit.edge
        key = (edge.primary_source, edge.predicate, edge.qualifiers, edge.negated)
        told[key] = max(told.get(key, 0.0), edge_weight(edge))
    return combined(told.values())


def join(
    request: QueryRequest,
    fits: Mapping[str, Sequence[Fit]],
    given: Mapping[str, Collection[str]],
    *,
    most: int,
) -> Joined:
    """Join the fits of all edges.

    :param fits: by query edge; an edge without any leaves no result.
    :param given: what the query gives its nodes; a set that must be whole is whole with these.
    :param most: at most so many results, the best ones.
    """
    found = {key: _Found(edge, fits.get(key, ())) for key, edge in request.edges.items()}
    if not all(one.fits for one in found.values()):
        return Joined(())
    rows, cut = _rows(request, found, most)
    results = [_result(group, found) for group in _groups(request, rows)]
    results = [r for r in results if _complete(r, request, given)]
    results.sort(key=lambda r: (-r.score, sorted(r.nodes.items())))
    told = None
    if len(results) > most or cut:
        more = "more than " if cut else ""
        told = f"the {min(most, len(results)):,} best of {more}{len(results):,} results are given"
    return Joined(tuple(results[:most]), told)


def _rows(request: QueryRequest, found: Mapping[str, _Found], most: int) -> tuple[list[Row], bool]:
    """Edge by edge, those that bind least first; of very many rows the best stay, which is told."""
    rows: list[tuple[float, Row]] = [(0.0, {})]
    cut = False
    for key in _join_order(request, found):
        one = found[key]
        edge = one.edge
        longer = [
            (
                logged + math.log(one.weight[pair]),
                {**row, edge.subject: pair[0], edge.object: pair[1]},
            )
            for logged, row in rows
            for pair in one.pairs(row.get(edge.subject), row.get(edge.object))
        ]
        if len(longer) > _BEAM * most:
            longer.sort(key=lambda item: (-item[0], sorted(item[1].items())))
            cut, longer = True, longer[: _BEAM * most]
        rows = longer
    return [row for _, row in rows], cut


def _join_order(request: QueryRequest, found: Mapping[str, _Found]) -> list[str]:
    """The smallest edge first, then always the smallest that touches what is bound."""
    waiting = sorted(request.edges, key=lambda key: (len(found[key].fits), key))
    order = [waiting.pop(0)]
    bound = set(request.edges[order[0]].ends)
    while waiting:
        key = next(k for k in waiting if not bound.isdisjoint(request.edges[k].ends))
        waiting.remove(key)
        order.append(key)
        bound.update(request.edges[key].ends)
    return order


def _groups(request: QueryRequest, rows: Iterable[Row]) -> list[list[Row]]:
    """Rows that differ at collated nodes alone go into one result."""
    single = sorted(key for key, node in request.nodes.items() if not node.collated)
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in single), []).append(row)
    return list(groups.values())


def _result(rows: Sequence[Row], found: Mapping[str, _Found]) -> Result:
    nodes = {key: tuple(sorted({row[key] for row in rows})) for key in sorted(rows[0])}
    bound: dict[str, tuple[Fit, ...]] = {}
    score = 0.0
    for key in sorted(found):
        one = found[key]
        pairs = sorted({(row[one.edge.subject], row[one.edge.object]) for row in rows})
        bound[key] = tuple(fit for pair in pairs for fit in one.fits[pair])
        score += math.log(_weight(bound[key])) / len(found)
    return Result(nodes, bound, round(math.exp(score), 6))


def _complete(result: Result, request: QueryRequest, given: Mapping[str, Collection[str]]) -> bool:
    """Whether every member is there of a set that must be there whole."""
    return all(
        len(result.nodes[key]) == len(given[key])
        for key, node in request.nodes.items()
        if node.sets == "ALL"
    )
