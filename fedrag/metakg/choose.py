"""Which operations of a service answer a query edge, asked from its known end.

An operation states ``subject –predicate→ object`` and is called with subjects. It answers a query
edge from the edge's subject when its statement is what is asked, and from the edge's object when
its statement, read from the other end, is. What an operation's records say of qualifiers is known
beforehand, so one that does not say what is asked is not called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.metakg.fit import Qualifiers, below, readings
from fedrag.metakg.operations import Operation
from fedrag.weight import ONWARD, statement_weight

__all__ = ["Operations", "goes_onward", "promise"]

_ANY = ("biolink:NamedThing",)
_FAMILIES = (
    "biolink:ChemicalEntity",
    "biolink:DiseaseOrPhenotypicFeature",
    "biolink:GeneOrGeneProduct",
    "biolink:BiologicalProcessOrActivity",
)
# Categories that services file everything of a kind under.
_ROUGH = frozenset(
    f"biolink:{name}"
    for name in ("ChemicalEntity", "DiseaseOrPhenotypicFeature", "GeneOrGeneProduct")
)
# Ancestors that say nothing of what a thing is.
_EMPTY_WORDS = frozenset(
    f"biolink:{name}"
    for name in ("NamedThing", "Entity", "BiologicalEntity", "ThingWithTaxon", "OntologyClass")
)


class Operations:
    """The operations of one service, by the categories they lead from and to.

    >>> from fedrag.metakg.operations import Operation
    >>> one = Operation("1", "x", "get", "/", "biolink:Drug", "biolink:treats", "biolink:Disease")
    >>> known = Operations([one])
    >>> len(known.from_subject(["biolink:Drug"], [], ["biolink:Disease"]))
    1
    >>> known.from_object(["biolink:Drug"], [], ["biolink:Disease"])
    ()
    >>> len(known.from_object(["biolink:Disease"], ["biolink:treated_by"], ["biolink:Drug"]))
    1
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._pairs: dict[str, dict[str, list[Operation]]] = {}
        for operation in operations:
            objects = self._pairs.setdefault(operation.subject_category, {})
            objects.setdefault(operation.object_category, []).append(operation)

    def from_subject(
        self,
        subjects: Sequence[str],
        predicates: Sequence[str],
        objects: Sequence[str],
        qualifiers: Qualifiers = (),
    ) -> tuple[Operation, ...]:
        """Operations to call with the subjects of a query edge."""
        ahead, _ = readings(tuple(predicates))
        return self._fitting(subjects, ahead, objects, qualifiers)

    def from_object(
        self,
        subjects: Sequence[str],
        predicates: Sequence[str],
        objects: Sequence[str],
        qualifiers: Qualifiers = (),
    ) -> tuple[Operation, ...]:
        """Operations to call with the objects of a query edge, which they have as subjects."""
        _, behind = readings(tuple(predicates))
        turned = biolink().invert_qualifiers(qualifiers)
        return self._fitting(objects, behind, subjects, turned)

    def _fitting(
        self,
        given: Sequence[str],
        predicates: frozenset[str] | None,
        got: Sequence[str],
        qualifiers: Qualifiers,
    ) -> tuple[Operation, ...]:
        return tuple(
            operation
            for operation in self._between(given, got)
            if predicates is None or operation.predicate in predicates
            if all(says(operation, kind, value) for kind, value in qualifiers)
        )

    def _between(self, given: Sequence[str], got: Sequence[str]) -> Iterator[Operation]:
        from_, to = _kin(tuple(given)), _wide(tuple(got))
        for subject in self._pairs:
            if subject in from_:
                for object_ in self._pairs[subject]:
                    if object_ in to:
                        yield from self._pairs[subject][object_]


@lru_cache(maxsize=256)
def _wide(categories: tuple[str, ...]) -> frozenset[str]:
    """What is asked for, and what it is filed under by a service that is less specific.

    Of a service's chemicals some are drugs: which ones is known when they are normalised.
    """
    model = biolink()
    above = {up for c in categories for up in model.category_ancestors(c)}
    return below(categories or _ANY) | (above & _ROUGH)


@lru_cache(maxsize=256)
def _kin(categories: tuple[str, ...]) -> frozenset[str]:
    """The categories an identifier of these may be filed under by a service.

    What is given is known by its identifier, and an operation takes only its own prefixes, so one
    that calls a mixture a small molecule, or a disease a phenotype, still understands it.
    """
    model = biolink()
    families = {f for f in _FAMILIES if model.is_a(categories, f)}
    above = {up for c in categories for up in model.category_ancestors(c)} - _EMPTY_WORDS
    return below((*categories, *sorted(families)) or _ANY) | frozenset(above)


def promise(operation: Operation) -> float:
    """How much one statement of an operation weighs, in (0, 1]."""
    return statement_weight(
        operation.predicate,
        operation.qualifiers,
        operation.knowledge_level,
        operation.agent_type,
    )


def goes_onward(operation: Operation) -> bool:
    """Whether an operation is asked of what was found: what it states weighs enough, or it is a
    question about a set (enrichment), which has no other place.
    """
    return operation.manner.min_inputs is not None or promise(operation) >= ONWARD


def says(operation: Operation, kind: str, value: str) -> bool:
    """Whether records of an operation may have a qualifier's value, or a more specific one."""
    if kind.removeprefix("biolink:") in operation.manner.qualifiers_from:
        return True
    wanted = biolink().qualifier_value_descendants(kind, value)
    if kind == "biolink:qualified_predicate":
        wanted = tuple(name.removeprefix("biolink:") for name in wanted)
    told = [v.removeprefix("biolink:") for k, v in operation.qualifiers if k == kind]
    return any(one in wanted for one in told)
