"""The examples that templates carry: questions with their entities marked, ``{gene:KIT}``.

They say what a template is for, and each must select its template (a test runs them all).
"""

from __future__ import annotations

import re

from fedrag.datamodel import Entity

__all__ = ["read_example"]

_MARK = re.compile(r"\{([a-z]+):([^}]*)\}")
# The categories the Node Normalizer gives such things, most specific first.
_CATEGORIES = {
    "gene": ("Gene", "GeneOrGeneProduct", "BiologicalEntity", "Protein", "Polypeptide"),
    "chemical": ("SmallMolecule", "MolecularEntity", "ChemicalEntity", "NamedThing"),
    "disease": ("Disease", "DiseaseOrPhenotypicFeature", "BiologicalEntity"),
    "phenotype": ("PhenotypicFeature", "DiseaseOrPhenotypicFeature", "BiologicalEntity"),
    "process": ("BiologicalProcess", "BiologicalProcessOrActivity", "BiologicalEntity"),
    "pathway": ("Pathway", "BiologicalProcess", "BiologicalProcessOrActivity"),
    "anatomy": ("AnatomicalEntity", "OrganismalEntity", "BiologicalEntity"),
    "organism": ("OrganismTaxon", "NamedThing"),
    "variant": ("SequenceVariant", "BiologicalEntity"),
}


def read_example(example: str) -> tuple[str, tuple[Entity, ...]]:
    """The question without its marks, and an entity for each of them.

    >>> question, entities = read_example("What inhibits {gene:MTOR}?")
    >>> question, entities[0].curie, entities[0].start
    ('What inhibits MTOR?', 'EXAMPLE:MTOR', 14)
    """
    question, entities, end = "", [], 0
    for mark in _MARK.finditer(example):
        question += example[end : mark.start()]
        family, name = mark.groups()
        entities.append(
            Entity(
                mention=name,
                start=len(question),
                end=len(question) + len(name),
                curie=f"EXAMPLE:{re.sub(r'[^A-Za-z0-9]+', '_', name)}",
                name=name,
                categories=tuple(f"biolink:{category}" for category in _CATEGORIES[family]),
                how="exact",
            )
        )
        question += name
        end = mark.end()
    return question + example[end:], tuple(entities)
