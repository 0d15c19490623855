"""Kinds of things: what a category is good for as an entity, and which prefixes curate it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fedrag.biolink import biolink

__all__ = ["CURATED", "POOR", "Group", "fit_of", "group_of"]

Group = Literal["gene", "disease", "chemical", "process", "variant", "place"]

_GROUPS: tuple[tuple[Group, tuple[str, ...]], ...] = (
    ("gene", ("biolink:Gene", "biolink:Protein", "biolink:GeneFamily", "biolink:RNAProduct")),
    ("disease", ("biolink:DiseaseOrPhenotypicFeature",)),
    ("chemical", ("biolink:ChemicalEntity", "biolink:Drug")),
    ("process", ("biolink:BiologicalProcessOrActivity",)),
    ("variant", ("biolink:SequenceVariant",)),
    ("place", ("biolink:AnatomicalEntity", "biolink:OrganismTaxon", "biolink:OrganismalEntity")),
)
_JUNK = frozenset(
    [
        "biolink:CellLine",
        "biolink:Cohort",
        "biolink:IndividualOrganism",
        "biolink:Case",
        "biolink:PopulationOfIndividualOrganisms",
        "biolink:StudyPopulation",
    ]
)
CURATED = {
    "gene": ("NCBIGene", "HGNC", "ENSEMBL", "UniProtKB", "PR"),
    "disease": ("MONDO", "DOID", "orphanet", "OMIM", "HP", "EFO", "MESH"),
    "chemical": ("CHEBI", "DRUGBANK", "PUBCHEM.COMPOUND", "CHEMBL.COMPOUND", "UNII", "MESH"),
    "process": ("GO", "REACT", "WIKIPATHWAYS", "KEGG.PATHWAY", "SMPDB", "MESH"),
    "variant": ("CAID", "CLINVAR", "DBSNP"),
    "place": ("UBERON", "CL", "GO", "NCBITaxon", "MESH"),
}
POOR = frozenset(["UMLS", "SNOMEDCT", "RXCUI", "MEDDRA", "NCIT", "ICD10", "ICD9", "LOINC"])


def group_of(categories: Sequence[str]) -> Group | None:
    """The kind of thing the categories (most specific first) say; None for what is no entity.

    >>> group_of(["biolink:SmallMolecule"]), group_of(["biolink:Publication"])
    ('chemical', None)
    """
    model = biolink()
    for category in categories:
        if category in _JUNK:
            return None
        for group, ancestors in _GROUPS:
            if any(model.is_a(category, ancestor) for ancestor in ancestors):
                return group
    return None


def fit_of(categories: Sequence[str], expects: Sequence[str]) -> int:
    """The place in ``expects`` of the first category that fits; its length when none does.

    >>> fit_of(["biolink:PhenotypicFeature"], ["biolink:Disease", "biolink:PhenotypicFeature"])
    1
    """
    model = biolink()
    for i, category in enumerate(expects):
        if model.is_a(categories, category):
            return i
    return len(expects)
