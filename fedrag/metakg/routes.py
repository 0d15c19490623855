"""Paths of categories over the meta-knowledge graph, shortest first.

Breadth first over stations, which are categories that mean something: a category below one of them
counts as it (``SmallMolecule`` as ``ChemicalEntity``), because answers of one are asked onwards as
the other; categories that say nothing lead nowhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from fedrag.biolink import biolink

__all__ = ["Pairs", "Step", "find_routes", "station"]

# (subject category, object category) → predicates and services, as ordered sets.
Pairs = dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]]

_MOST_HOPS = 3
# Stations, the more specific before what is above it.
_STATIONS = tuple(
    f"biolink:{name}"
    for name in (
        "Gene",
        "Protein",
        "SequenceVariant",
        "Pathway",
        "MolecularActivity",
        "BiologicalProcess",
        "ChemicalEntity",
        "Disease",
        "PhenotypicFeature",
        "Cell",
        "CellularComponent",
        "AnatomicalEntity",
        "OrganismTaxon",
    )
)


@dataclass(frozen=True, slots=True)
class Step:
    """One hop of a path: two categories, what relates them in either direction, and who knows."""

    subject: str
    object: str
    predicates: tuple[str, ...]
    services: tuple[str, ...]


@lru_cache(maxsize=512)
def station(category: str) -> str | None:
    """The station a category counts as; ``None`` when it is too general to be one.

    >>> station("biolink:SmallMolecule"), station("biolink:NamedThing")
    ('biolink:ChemicalEntity', None)
    """
    above = biolink().category_ancestors(category)
    return next((s for s in _STATIONS if s in above), None)


def find_routes(
    pairs: Pairs, start: str, goal: str, max_hops: int, limit: int
) -> list[tuple[Step, ...]]:
    """At most ``limit`` paths from ``start`` to ``goal``, by hops, then by how well known."""
    begin, end = station(start) or start, station(goal) or goal
    steps = _steps(pairs)
    neighbours: dict[str, list[str]] = {}
    for here, there in steps:
        neighbours.setdefault(here, []).append(there)
    routes: list[tuple[Step, ...]] = []
    for hops in range(1, min(max_hops, _MOST_HOPS) + 1):
        found = [
            tuple(steps[pair] for pair in pairwise(walk))
            for walk in _walks(neighbours, begin, end, hops)
        ]
        routes += sorted(found, key=_worth)
        if len(routes) >= limit:
            break
    return routes[:limit]


def _steps(pairs: Pairs) -> dict[tuple[str, str], Step]:
    """Every two stations that some meta-edge connects, in both directions."""
    united: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for (subject, object_), (predicates, services) in pairs.items():
        here, there = station(subject), station(object_)
        if here is None or there is None:
            continue
        for pair in {(here, there), (there, here)}:
            entry = united.setdefault(pair, (set(), set()))
            entry[0].update(predicates)
            entry[1].update(services)
    return {
        (here, there): Step(here, there, tuple(sorted(p)), tuple(sorted(s)))
        for (here, there), (p, s) in united.items()
    }


def _walks(
    neighbours: Mapping[str, Collection[str]], start: str, goal: str, hops: int
) -> Iterator[tuple[str, ...]]:
    """Walks of exactly so many hops that pass no station twice (start may be goal, in one hop)."""
    if hops == 1:
        if goal in neighbours.get(start, ()):
            yield (start, goal)
        return
    stack: list[tuple[str, ...]] = [(start,)]
    while stack:
        walk = stack.pop()
        for there in neighbours.get(walk[-1], ()):
            if len(walk) == hops:
                if there == goal:
                    yield (*walk, there)
            elif there not in walk and there != goal:
                stack.append((*walk, there))


def _worth(route: tuple[Step, ...]) -> tuple[int, int, tuple[str, ...]]:
    """Sort key: many services on the weakest hop first, then many predicates, then names."""
    services = min(len(step.services) for step in route)
    predicates = min(len(step.predicates) for step in route)
    return -services, -predicates, tuple(step.object for step in route)
