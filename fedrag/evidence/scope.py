"""What a plan is about: its given entities under all their identifiers, and what may answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, EdgeNode, Entity, QueryEdge, QueryNode, QueryPlan
from fedrag.evidence.names import clean_name

__all__ = ["Given", "Scope", "aliases", "touches"]

_DISEASE = "biolink:DiseaseOrPhenotypicFeature"
_CHEMICAL = "biolink:ChemicalEntity"
_MEDICINES = (_CHEMICAL, "biolink:ChemicalOrDrugOrTreatment", "biolink:Polypeptide")
# A question for a drug is answered by services with any chemical category, one for a gene with its
# protein: the answer categories are widened to these.
_FAMILIES = (_CHEMICAL, "biolink:GeneOrGeneProduct")


@dataclass(frozen=True, slots=True)
class Given:
    """One entity that the question gives, as the plan binds it."""

    curie: str
    name: str
    categories: tuple[str, ...]
    nodes: tuple[str, ...]  # keys of the plan's nodes that are bound to it


@dataclass(slots=True)
class Scope:
    """Who is who on an edge, for one plan."""

    plan: QueryPlan
    given: tuple[Given, ...]
    _canonical: Mapping[str, str]  # any identifier of a given entity → its canonical CURIE
    _accepted: tuple[str, ...]
    _fits: dict[tuple[str, ...], bool] = field(default_factory=dict)
    _diseases: dict[tuple[str, ...], bool] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: QueryPlan, entities: Sequence[Entity] = ()) -> Scope:
        """The scope of a plan; entities add their equivalent identifiers."""
        canonical: dict[str, str] = {}
        given: dict[str, Given] = {}
        for node in plan.nodes:
            if not node.ids:
                continue
            one, names = _bound(node, entities)
            for name in names:
                canonical.setdefault(name, one.curie)
            before = given.get(one.curie)
            keys = (*before.nodes, node.key) if before else (node.key,)
            given[one.curie] = Given(one.curie, one.name, one.categories, keys)
        return cls(plan, tuple(given.values()), canonical, _widened(plan.answer_categories))

    def given_at(self, end: EdgeNode) -> str | None:
        """The given entity that this end is, or was found for as a descendant; None if none."""
        for name in (end.asked, end.canonical, end.curie, end.found):
            if name:
                known = self._canonical.get(name)
                if known is not None:
                    return known
        return None

    def known_as(self, curie: str) -> str | None:
        """The given entity that has this identifier, None if none has."""
        return self._canonical.get(curie)

    def fits(self, categories: tuple[str, ...]) -> bool:
        """Whether something of these categories may answer; unknown categories may."""
        if not categories or not self._accepted:
            return True
        known = self._fits.get(categories)
        if known is None:
            index = biolink()
            known = any(index.is_a(categories, wanted) for wanted in self._accepted)
            self._fits[categories] = known
        return known

    def swapped(self, edge: Edge, hops: Iterable[str]) -> bool:
        """Whether an edge says the reverse of what every hop that found it asked.

        Only for predicates that have a direction: "X decreases Y" names no target of Y. An edge
        turned to its canonical predicate ("pathway has participant gene", for a hop that asks
        what the gene participates in) is read as the hop asks it.
        """
        asked = [hop for hop in self.plan.edges if hop.key in hops]
        if not asked or biolink().symmetric(edge.predicate):
            return False
        ends = (self.given_at(edge.subject) is not None, self.given_at(edge.object) is not None)
        if ends[0] == ends[1]:
            return False
        bound = {key for one in self.given for key in one.nodes}
        return all(
            bool(hop.predicates)
            and (hop.subject in bound, hop.object in bound) == _as_asked(hop, edge, ends)[::-1]
            for hop in asked
        )

    @property
    def treats(self) -> bool:
        """Whether the candidates are treatments, or what is treated: they have a status then."""
        return self.plan.treatment and self.plan.kind != "relation"

    def treated_pair(self, edge: Edge) -> bool:
        """Whether an edge joins a given medicine and a given disease, or a given variant."""
        ends = (edge.subject, edge.object)
        if any(self.given_at(end) is None for end in ends):
            return False
        return any(
            (self.is_disease(there) or self._is_variant(there))
            and not self.is_disease(here)
            and self._is_medicine(here)
            for here, there in (ends, ends[::-1])
        )

    def _is_variant(self, end: EdgeNode) -> bool:
        """Whether a given entity is a variant, or the gene that is asked in place of one."""
        at = self.given_at(end)
        return any(
            node.ids and self._canonical.get(node.ids[0]) == at and node.key == "variant"
            for node in self.plan.nodes
        )

    def _is_medicine(self, end: EdgeNode) -> bool:
        """Whether a given entity may be one: chemicals are, and proteins that are not genes."""
        at = self.given_at(end)
        given = next(one.categories for one in self.given if one.curie == at)
        index = biolink()
        return not index.is_a(given, "biolink:Gene") and any(
            index.is_a(given, kind) for kind in _MEDICINES
        )

    def is_disease(self, end: EdgeNode) -> bool:
        """Whether this end is a disease or phenotype (for a given entity: as the plan has it)."""
        at = self.given_at(end)
        categories = end.categories
        if at is not None:
            categories += next(one.categories for one in self.given if one.curie == at)
        known = self._diseases.get(categories)
        if known is None:
            known = self._diseases[categories] = biolink().is_a(categories, _DISEASE)
        return known


def _as_asked(hop: QueryEdge, edge: Edge, ends: tuple[bool, bool]) -> tuple[bool, bool]:
    """Which ends are given, exchanged where the hop asks for the edge's inverse predicate."""
    inverse = biolink().inverse(edge.predicate)
    turned = inverse and _asks(hop, inverse) and not _asks(hop, edge.predicate)
    return ends[::-1] if turned else ends


def _asks(hop: QueryEdge, predicate: str) -> bool:
    return not set(hop.predicates).isdisjoint(biolink().predicate_ancestors(predicate))


def touches(
    edges: Iterable[Edge], plan: QueryPlan, entities: Sequence[Entity], curies: Collection[str]
) -> bool:
    """Whether an edge has one of these given entities at an end, under any of its identifiers."""
    scope = Scope.of(plan, entities)
    return any(scope.given_at(end) in curies for e in edges for end in (e.subject, e.object))


def aliases(entity: Entity) -> tuple[str, ...]:
    """All identifiers of an entity, the canonical one first."""
    names = [entity.curie, entity.unconflated or "", *(i.curie for i in entity.identifiers)]
    return tuple(dict.fromkeys(name for name in names if name))


def _bound(node: QueryNode, entities: Sequence[Entity]) -> tuple[Given, Iterable[str]]:
    if node.entity is not None and 0 <= node.entity < len(entities):
        entity = entities[node.entity]
        categories = entity.categories or node.categories
        name = clean_name(entity.name or entity.mention, entity.curie)
        one = Given(entity.curie, name, categories, (node.key,))
        return one, (*node.ids, *aliases(entity))
    first = node.ids[0]
    return Given(first, clean_name(node.name, first), node.categories, (node.key,)), node.ids


def _widened(categories: Iterable[str]) -> tuple[str, ...]:
    index = biolink()
    wanted = dict.fromkeys(categories)
    for family in _FAMILIES:
        if any(index.is_a(category, family) for category in tuple(wanted)):
            wanted[family] = None
    return tuple(wanted)
