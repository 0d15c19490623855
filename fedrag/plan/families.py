"""Kinds of given things, as questions speak of them.

A family gathers the Biolink categories a question does not tell apart: a "disease" may be typed as
a phenotypic feature, a protein drug as a protein.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.datamodel import Entity

__all__ = [
    "SLOTS",
    "categories_to_ask",
    "categories_to_serve",
    "families_of",
    "kind_word",
]

# Slot families in the order they are tried; an entity belongs to each whose category it has.
SLOTS: dict[str, tuple[str, ...]] = {
    "variant": ("biolink:SequenceVariant",),
    "gene": (
        "biolink:GeneOrGeneProduct",
        "biolink:Gene",
        "biolink:Protein",
        "biolink:GeneFamily",
        "biolink:MacromolecularComplex",
    ),
    "chemical": (
        "biolink:ChemicalEntity",
        "biolink:ChemicalOrDrugOrTreatment",
        "biolink:Treatment",
    ),
    "disease": ("biolink:DiseaseOrPhenotypicFeature",),
    "process": ("biolink:BiologicalProcessOrActivity",),
    "anatomy": ("biolink:AnatomicalEntity",),
    "organism": ("biolink:OrganismTaxon",),
}

# What a bound node's categories are written as: the widest that still says what the thing is.
_ROOTS = (
    "biolink:ChemicalEntity",
    "biolink:Gene",
    "biolink:Protein",
    "biolink:Disease",
    "biolink:PhenotypicFeature",
    "biolink:Pathway",
    "biolink:MolecularActivity",
    "biolink:BiologicalProcess",
    "biolink:Cell",
    "biolink:CellularComponent",
    "biolink:AnatomicalEntity",
    "biolink:OrganismTaxon",
    "biolink:SequenceVariant",
)
# Prefixes of vocabularies of medicines.
_MEDICINES = frozenset(("DRUGBANK", "RXCUI", "DrugCentral"))
# Categories that services give to one and the same thing.
_TYPED_AS = (
    ("biolink:Gene", "biolink:Protein"),
    ("biolink:Disease", "biolink:PhenotypicFeature"),
    ("biolink:Pathway", "biolink:BiologicalProcess", "biolink:MolecularActivity"),
)


def families_of(entity: Entity) -> tuple[str, ...]:
    """The slot families of an entity, the likeliest first.

    What the question's wording says ("biological process: vasoconstriction") comes before what the
    resolver found, then the most specific category, then the others.

    >>> families_of(Entity("KIT", 0, 3, "NCBIGene:3815", "KIT", ("biolink:Gene",), "exact"))
    ('gene',)
    """
    return _ordered(tuple(entity.categories), entity.asked_as, entity.how == "marker")


@lru_cache(maxsize=10_000)  # a plan asks thousands of times for the same few entities
def _ordered(categories: tuple[str, ...], asked_as: str | None, marked: bool) -> tuple[str, ...]:
    model, own = biolink(), _families(categories)
    given = (asked_as,) if asked_as else ()
    if not marked and own and set(own).isdisjoint(_families(given)):
        given = ()  # "hypokalemic periodic paralysis genes": the noun says what is asked for
    first = (*given, *((model.most_specific(categories),) if categories else ()))
    found = dict.fromkeys(family for category in first for family in _families((category,)))
    found |= dict.fromkeys(own)
    if model.is_a(categories, "biolink:Polypeptide") and "biolink:Gene" not in categories:
        found.setdefault("chemical")  # a biological drug, typed as the protein it is
        found.setdefault("gene")
    if model.is_a(categories, "biolink:CellularComponent"):
        found.setdefault("process")  # "by targeting the cell wall": GO has both
    return tuple(found) or ("thing",)


@lru_cache(maxsize=10_000)
def _families(categories: tuple[str, ...]) -> tuple[str, ...]:
    model = biolink()
    return tuple(
        family for family, roots in SLOTS.items() if any(model.is_a(categories, r) for r in roots)
    )


def categories_to_ask(entity: Entity) -> tuple[str, ...]:
    """The categories a query graph gives an entity's node.

    >>> drug = Entity("x", 0, 1, "CHEBI:5778", "x", ("biolink:SmallMolecule",), "exact")
    >>> categories_to_ask(drug)
    ('biolink:ChemicalEntity',)
    """
    model = biolink()
    fitting = [root for root in _ROOTS if model.is_a(entity.categories, root)]
    roots = [r for r in fitting if not any(o != r and r in _above(o) for o in fitting)]
    return tuple(roots) or entity.categories[:1] or ("biolink:NamedThing",)


def _above(category: str) -> tuple[str, ...]:
    return biolink().category_ancestors(category)


def categories_to_serve(categories: Sequence[str]) -> tuple[str, ...]:
    """Categories under which services may hold a given thing: asking one of them is worth it."""
    wider = dict.fromkeys(categories)
    for group in _TYPED_AS:
        if any(category in group for category in categories):
            wider |= dict.fromkeys(group)
    return tuple(wider)


def kind_word(entity: Entity) -> str:
    """What a person would call it: ``drug``, ``gene``, ``disease``, ...

    >>> kind_word(Entity("x", 0, 1, "MONDO:1", "x", ("biolink:Disease",), "exact"))
    'disease'
    """
    model = biolink()
    named = (entity.asked_as,) if entity.asked_as else ()
    for category, word in (
        ("biolink:Drug", "drug"),
        ("biolink:Pathway", "pathway"),
        ("biolink:Protein", "protein"),
        ("biolink:Gene", "gene"),
    ):
        if model.is_a(named, category):
            return word
    words = {"disease": "disease", "process": "process", "anatomy": "anatomical part"}
    family = families_of(entity)[0]
    if family == "variant" and model.is_a(entity.categories, "biolink:GeneOrGeneProduct"):
        return "gene"  # asked in place of its variant
    if family == "chemical":
        known = (entity.curie, *(identifier.curie for identifier in entity.identifiers))
        medicine = any(curie.partition(":")[0] in _MEDICINES for curie in known)
        return "drug" if medicine or model.is_a(entity.categories, "biolink:Drug") else "chemical"
    if family == "disease" and not model.is_a(entity.categories, "biolink:Disease"):
        return "disease" if model.is_a(named, "biolink:Disease") else "phenotype"
    if family == "process" and model.is_a(entity.categories, "biolink:Pathway"):
        return "pathway"
    return words.get(family, family)
