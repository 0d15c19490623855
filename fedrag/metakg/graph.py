"""The meta-knowledge graph: which service can serve which query edge, and why another cannot.

A meta-edge says that a service holds statements ``subject –predicate→ object`` of two categories.
A query edge is served when one fits it in either direction (``fit``). Large services list tens of
thousands of meta-edges: they are indexed by pairs of categories, and questions are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from fedrag.biolink import biolink
from fedrag.metakg.choose import Operations, goes_onward
from fedrag.metakg.document import Service
from fedrag.metakg.fit import Index, Qualifiers, readings
from fedrag.metakg.routes import Pairs, Step, find_routes

__all__ = ["NEEDS_KEY", "MetaEdge", "MetaKG", "short"]

NEEDS_KEY = "wants a key"  # how the reason begins where nothing else is missing
_WEAK = "its associations, predictions or text mining are asked of what the question names alone"
_NOT_TOLD = "its meta-knowledge graph was not available, so it is asked anyway"


@dataclass(frozen=True, slots=True)
class MetaEdge:
    """One kind of statement a service holds.

    ``qualifiers`` pairs a qualifier type with each value it may have; a type with the value ``""``
    may have any. ``operation`` is the id of the call that gives it, where there is one.
    """

    subject: str
    predicate: str
    object: str
    service: str
    qualifiers: Qualifiers = ()
    operation: str | None = None


class _Asked(NamedTuple):
    """One question to the graph."""

    subjects: tuple[str, ...]
    predicates: tuple[str, ...]
    objects: tuple[str, ...]
    qualifiers: Qualifiers
    onward: bool


class MetaKG:
    """What all services together can be asked.

    :param services: knowledge services; those that are off are never said to serve an edge.
    :param meta_edges: by service name; ``None`` where a service did not say what it holds: it is
        asked anyway. A service with operations and no entry is read from its operations.
    :param prefixes: the identifier prefixes of each category, as TRAPI services list them.
    """

    def __init__(
        self,
        services: Sequence[Service],
        meta_edges: Mapping[str, tuple[MetaEdge, ...] | None],
        prefixes: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.prefixes = dict(prefixes or {})
        self.services = tuple(s for s in services if s.role == "knowledge")
        self._by_name = {service.name: service for service in self.services}
        self._edges: dict[str, tuple[MetaEdge, ...] | None] = {
            s.name: _from_operations(s) if s.operations else meta_edges.get(s.name)
            for s in self.services
        }
        self._operations: dict[str, Operations] = {}
        self._answers: dict[tuple[str, _Asked], tuple[bool, str]] = {}

    def service(self, name: str) -> Service:
        """The knowledge service of this name (``KeyError`` when there is none)."""
        return self._by_name[name]

    def meta_edges(self, service: str) -> tuple[MetaEdge, ...] | None:
        """What a service says it holds; ``None`` when it did not say."""
        return self._edges[service]

    def serves(
        self,
        service: str | Service,
        subject_categories: Sequence[str],
        predicates: Sequence[str],
        object_categories: Sequence[str],
        qualifiers: Sequence[tuple[str, str]] = (),
        *,
        onward: bool = False,
    ) -> tuple[bool, str]:
        """Whether a service is worth asking this query edge, and the reason in one sentence.

        :param predicates: any of them fits; none: whatever relates the two categories.
        :param qualifiers: TRAPI qualifier constraints that must all hold.
        :param onward: the edge starts from what was found, where annotated services are not asked
            for predictions, associations and text mining.

        >>> MetaKG([], {}).services
        ()
        """
        known = service if isinstance(service, Service) else self._by_name[service]
        if not known.enabled:
            return False, known.why_off or "switched off"
        if known.protocol != "trapi" and not known.operations:
            return False, "its document annotates no call"
        subjects, objects = tuple(subject_categories), tuple(object_categories)
        asked = _Asked(subjects, tuple(predicates), objects, tuple(qualifiers), onward)
        served, reason = self._answer(known.name, asked)
        if known.missing_key and served:
            return False, f"{NEEDS_KEY}: set {known.missing_key} to your own"
        return served, reason

    def _answer(self, service: str, asked: _Asked) -> tuple[bool, str]:
        """The remembered answer to a question, or a new one."""
        if (service, asked) not in self._answers:
            annotated = self._by_name[service].operations
            judge = self._by_operations if annotated else self._by_meta_edges
            self._answers[service, asked] = judge(service, asked)
        return self._answers[service, asked]

    def _by_meta_edges(self, service: str, asked: _Asked) -> tuple[bool, str]:
        subjects, predicates, objects, qualifiers, _ = asked
        edges = self._edges.get(service)
        if edges is None:
            return True, _NOT_TOLD
        index = _index(edges)
        pair = f"{_named(subjects)}–{_named(objects)}"
        forward = index.predicates(subjects, objects)
        backward = index.predicates(objects, subjects)
        if not forward and not backward:
            return False, f"has no edges between {_named(subjects)} and {_named(objects)}"
        ahead, behind = readings(predicates)
        forward = forward if ahead is None else forward & ahead
        backward = backward if behind is None else backward & behind
        if not forward and not backward:
            return False, f"has {pair} edges, but none with {_predicates(predicates)}"
        served = index.tolerant(forward, subjects, objects, qualifiers)
        turned = biolink().invert_qualifiers(qualifiers)
        served |= index.tolerant(backward, objects, subjects, turned)
        if not served:
            return False, f"has {pair} edges, but none with {_qualified(qualifiers)}"
        count = f"{len(served)} fitting predicate{'s' if len(served) > 1 else ''}"
        return True, f"has {pair} edges with {count}"

    def _by_operations(self, service: str, asked: _Asked) -> tuple[bool, str]:
        """As above for an annotated service: which of its calls could answer, from either end."""
        subjects, predicates, objects, qualifiers, onward = asked
        known = self.operations(service)
        pair = f"{_named(subjects)}–{_named(objects)}"
        for (said, marked), lacking in (
            ((predicates, qualifiers), None),
            ((predicates, ()), f"has {pair} calls, but none with {_qualified(qualifiers)}"),
            (((), ()), f"has {pair} calls, but none with {_predicates(predicates)}"),
        ):
            found = {
                operation.id: goes_onward(operation)
                for choose in (known.from_subject, known.from_object)
                for operation in choose(subjects, said, objects, marked)
            }
            if found and lacking is None:
                count = sum(found.values()) if onward else len(found)
                if not count:
                    return False, _WEAK
                return True, f"has {count} fitting call{'s' if count > 1 else ''}"
            if found and lacking is not None:
                return False, lacking
        return False, f"has no calls between {_named(subjects)} and {_named(objects)}"

    def operations(self, service: str) -> Operations:
        """The operations of an annotated service, to choose from."""
        if service not in self._operations:
            self._operations[service] = Operations(self._by_name[service].operations)
        return self._operations[service]

    def paths(
        self, from_category: str, to_category: str, max_hops: int = 3, limit: int = 20
    ) -> list[tuple[Step, ...]]:
        """Paths of categories that connect two categories, shortest first.

        Each step tells its categories, predicates and services. Categories that say nothing
        (``NamedThing``, ``BiologicalEntity``) are no stations; no category comes twice.

        :param max_hops: at most 3.
        :param limit: at most so many paths.
        """
        return find_routes(self._pairs(), from_category, to_category, max_hops, limit)

    def _pairs(self) -> Pairs:
        pairs: Pairs = {}
        for service in self.services:
            if not service.enabled or service.missing_key:
                continue
            for edge in self._edges.get(service.name) or ():
                entry = pairs.setdefault((edge.subject, edge.object), ({}, {}))
                entry[0][edge.predicate] = None
                entry[1][service.name] = None
        return pairs

    def triples(self) -> tuple[MetaEdge, ...]:
        """Every meta-edge of every service, sorted."""
        every = (edge for edges in self._edges.values() for edge in edges or ())
        return tuple(
            sorted(every, key=lambda e: (e.subject, e.predicate, e.object, e.service, e.qualifiers))
        )


@lru_cache(maxsize=64)  # what a service says of itself is the same in every question of a run
def _index(edges: tuple[MetaEdge, ...]) -> Index:
    return Index(edges)


def _from_operations(service: Service) -> tuple[MetaEdge, ...]:
    return tuple(
        MetaEdge(
            subject=operation.subject_category,
            predicate=operation.predicate,
            object=operation.object_category,
            service=service.name,
            qualifiers=operation.qualifiers,
            operation=operation.id,
        )
        for operation in service.operations
    )


def short(name: str) -> str:
    """A Biolink name without its prefix, for people."""
    return name.removeprefix("biolink:")


def _named(categories: Sequence[str]) -> str:
    """One or two categories by name, more by their first and how many others."""
    names = [short(category) for category in categories] or ["NamedThing"]
    if len(names) <= 2:
        return "/".join(names)
    return f"{names[0]} (or {len(names) - 1} others)"


def _predicates(predicates: Sequence[str]) -> str:
    words = [short(predicate).replace("_", " ") for predicate in predicates]
    return " or ".join(words) if len(words) <= 3 else f"any of the {len(words)} predicates asked"


def _qualified(qualifiers: Iterable[tuple[str, str]]) -> str:
    return " and ".join(
        f"{short(kind).removesuffix('_qualifier').replace('_', ' ')} {short(value)}"
        for kind, value in qualifiers
    )
