"""Human by default: orthologues dropped and counted, a pathogen's genes kept, unknown kept."""

from __future__ import annotations

import pytest

from fedrag.datamodel import Edge, EdgeNode, Entity
from fedrag.execute.taxa import filter_taxa

HUMAN = "NCBITaxon:9606"


def gene(curie: str, *taxa: str) -> EdgeNode:
    return EdgeNode(curie, curie, ("biolink:Gene",), found=curie, canonical=curie, taxa=taxa)


def disease(name: str, curie: str = "MONDO:1") -> tuple[Entity, EdgeNode]:
    entity = Entity(name, 0, len(name), curie, name, ("biolink:Disease",), "exact")
    return entity, EdgeNode(curie, name, ("biolink:Disease",), found=curie, canonical=curie)


def edge(subject: EdgeNode, object_: EdgeNode, predicate: str = "biolink:related_to") -> Edge:
    return Edge("", subject, predicate, object_)


def test_orthologues_are_dropped_and_counted_by_organism() -> None:
    entity, node = disease("tuberous sclerosis")
    edges = [
        edge(gene("NCBIGene:2475", HUMAN), node),
        edge(gene("NCBIGene:100127359", "NCBITaxon:9823"), node),
        edge(gene("NCBIGene:56717", "NCBITaxon:10090"), node),
        edge(gene("NCBIGene:56718", "NCBITaxon:10090"), node),
    ]
    kept, notes = filter_taxa(edges, [entity], HUMAN)
    assert [e.subject.curie for e in kept] == ["NCBIGene:2475"]
    assert notes == [
        "3 edges to genes of other organisms than NCBITaxon:9606 were dropped "
        "(NCBITaxon:10090 2, NCBITaxon:9823 1); --taxon asks for another organism"
    ]


def test_genes_of_a_pathogen_the_disease_implies_are_kept() -> None:
    entity, node = disease("pulmonary tuberculosis")
    bacterial = edge(gene("NCBIGene:885041", "NCBITaxon:83332"), node)
    kept, notes = filter_taxa([bacterial], [entity], HUMAN)
    assert kept == [bacterial]
    assert notes == ["genes of NCBITaxon:83332 were kept: the question implies that organism"]


def test_an_infection_does_not_keep_orthologues() -> None:
    entity, node = disease("pulmonary tuberculosis")
    kept, _ = filter_taxa([edge(gene("NCBIGene:56717", "NCBITaxon:10090"), node)], [entity], HUMAN)
    assert kept == []


def test_genes_of_an_organism_that_an_edge_ties_to_the_disease_are_kept() -> None:
    entity, node = disease("river blindness")
    worm = EdgeNode(
        "NCBITaxon:6282", "Onchocerca volvulus", ("biolink:OrganismTaxon",),
        found="NCBITaxon:6282", canonical="NCBITaxon:6282",
    )  # fmt: skip
    channel = edge(gene("UniProtKB:X", "NCBITaxon:6282"), node)
    kept, _ = filter_taxa([channel, edge(worm, node, "biolink:causes")], [entity], HUMAN)
    assert channel in kept


def test_a_gene_of_unknown_organism_is_kept_and_noted() -> None:
    entity, node = disease("hypertension")
    unknown = edge(gene("UniProtKB:P55017"), node)
    kept, notes = filter_taxa([unknown], [entity], HUMAN)
    assert kept == [unknown]
    assert notes == ["1 gene or protein whose organism is not told was kept"]


@pytest.mark.parametrize(
    ("dropped", "said"),
    [
        (1, "1 edge to a gene of another organism than NCBITaxon:9606 was dropped"),
        (2, "2 edges to genes of other organisms than NCBITaxon:9606 were dropped"),
    ],
)
def test_one_edge_that_is_dropped_is_not_told_as_many(dropped: int, said: str) -> None:
    entity, node = disease("hypertension")
    edges = [edge(gene(f"NCBIGene:{n}", "NCBITaxon:10090"), node) for n in range(dropped)]
    kept, notes = filter_taxa(edges, [entity], HUMAN)
    assert kept == []
    assert notes[0].startswith(said)


def test_another_organism_can_be_asked_for() -> None:
    entity, node = disease("hypertension")
    mouse, human = (
        edge(gene("NCBIGene:1", "NCBITaxon:10090"), node),
        edge(gene("NCBIGene:2", HUMAN), node),
    )
    kept, _ = filter_taxa([mouse, human], [entity], "NCBITaxon:10090")
    assert kept == [mouse]


def test_things_that_are_not_genes_are_never_filtered() -> None:
    entity, node = disease("hypertension")
    drug = EdgeNode(
        "CHEBI:1", "a", ("biolink:SmallMolecule",), canonical="CHEBI:1", taxa=("NCBITaxon:10090",)
    )
    kept, notes = filter_taxa([edge(drug, node)], [entity], HUMAN)
    assert len(kept) == 1
    assert notes == []
