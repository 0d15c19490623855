"""Whether meta-edges fit a query edge: categories, predicates in either direction, qualifiers.

Categories fit by the Biolink hierarchy (what is asked, or more specific), predicates by hierarchy,
inverse and symmetry, qualifiers unless the service declares other values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from fedrag.biolink import biolink

__all__ = ["Index", "Qualifiers", "below", "readings"]

Qualifiers = tuple[tuple[str, str], ...]
# One meta-edge's declared qualifiers: type → the values it may have (empty: any).
Declared = Mapping[str, frozenset[str]]

# Node Normalizer conflates these, and services type one thing as either.
_SAME = (("biolink:Gene", "biolink:Protein"),)


class Triple(Protocol):
    """What an index needs to know of a meta-edge."""

    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def object(self) -> str: ...
    @property
    def qualifiers(self) -> Qualifiers: ...


class Index:
    """Meta-edges of one service by subject category, object category and predicate."""

    def __init__(self, edges: Iterable[Triple]) -> None:
        self._pairs: dict[str, dict[str, dict[str, list[Declared]]]] = {}
        for edge in edges:
            objects = self._pairs.setdefault(edge.subject, {}).setdefault(edge.object, {})
            objects.setdefault(edge.predicate, []).append(_declared(edge.qualifiers))

    def predicates(self, subjects: Sequence[str], objects: Sequence[str]) -> set[str]:
        """All predicates from one side to the other."""
        return set().union(*self._between(subjects, objects))

    def tolerant(
        self,
        predicates: set[str],
        subjects: Sequence[str],
        objects: Sequence[str],
        qualifiers: Qualifiers,
    ) -> set[str]:
        """Those of the predicates whose meta-edges may have these qualifiers."""
        if not qualifiers:
            return predicates
        between = list(self._between(subjects, objects))
        return {
            p
            for p in predicates
            if _tolerates((d for b in between for d in b.get(p, ())), qualifiers)
        }

    def _between(
        self, subjects: Sequence[str], objects: Sequence[str]
    ) -> Iterator[dict[str, list[Declared]]]:
        from_, to = below(tuple(subjects)), below(tuple(objects))
        for subject in from_ & self._pairs.keys():
            for object_ in to & self._pairs[subject].keys():
                yield self._pairs[subject][object_]


def _declared(qualifiers: Qualifiers) -> Declared:
    values: dict[str, set[str]] = {}
    for kind, value in qualifiers:
        values.setdefault(kind, set()).add(value)
    return {
        kind: frozenset() if "" in allowed else frozenset(allowed)
        for kind, allowed in values.items()
    }


@lru_cache(maxsize=256)
def below(categories: tuple[str, ...]) -> frozenset[str]:
    """The categories, what conflation takes for the same, and everything below."""
    asked = set(categories)
    for pair in _SAME:
        if asked.intersection(pair):
            asked.update(pair)
    model = biolink()
    return frozenset(below for c in asked for below in model.category_descendants(c))


@lru_cache(maxsize=256)
def readings(predicates: tuple[str, ...]) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """The predicates that fit read forwards, and backwards; ``None``: any."""
    model = biolink()
    if not predicates or "biolink:related_to" in predicates:
        return None, None
    ahead = {below for p in predicates for below in model.predicate_descendants(p)}
    behind = {inverse for p in ahead if (inverse := model.inverse(p))}
    for predicate in predicates:
        if inverse := model.inverse(predicate):  # a symmetric one is its own
            behind.update(model.predicate_descendants(inverse))
    return frozenset(ahead), frozenset(behind)


def _tolerates(declared: Iterable[Declared], qualifiers: Qualifiers) -> bool:
    """Whether some meta-edge may hold statements with these qualifiers.

    One that declares nothing of a qualifier may: many services do not list theirs.
    """
    return any(
        all(_allows(d.get(kind), kind, value) for kind, value in qualifiers) for d in declared
    )


def _allows(values: frozenset[str] | None, kind: str, value: str) -> bool:
    if not values:
        return True
    return not values.isdisjoint(biolink().qualifier_value_descendants(kind, value))
