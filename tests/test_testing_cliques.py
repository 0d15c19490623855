"""The stand-ins' entities: each real clique one node, merged into what is known already."""

from __future__ import annotations

from collections import Counter

import httpx2
import pytest

from fedrag.biolink import biolink
from fedrag.testing import FactBook, Federation
from fedrag.testing.apis.cliques import cliques, with_cliques
from fedrag.testing.nodenorm import NodeNormalizer

IMATINIB = "DRUGBANK:DB00619"


@pytest.fixture(scope="module")
def book() -> FactBook:
    return with_cliques(FactBook.demo())


def test_every_node_is_well_formed() -> None:
    model = biolink()
    for node in cliques():
        assert node.name, node
        assert node.curies[0] == node.curie
        assert all(model.is_category(category) for category in node.categories), node.curie
        assert all(model.parse_curie(curie) == curie for curie in node.curies), node.curies
        assert bool(node.taxa) == ("biolink:Gene" in node.categories)


def test_no_identifier_stands_for_two_nodes() -> None:
    counted = Counter(curie for node in cliques() for curie in node.curies)
    assert [curie for curie, times in counted.items() if times > 1] == []


@pytest.mark.parametrize(
    ("curie", "same"),
    [
        ("CHEBI:45783", ["CHEMBL.COMPOUND:CHEMBL941", "PUBCHEM.COMPOUND:5291"]),
        ("NCBIGene:673", ["HGNC:1097", "ENSEMBL:ENSG00000157764", "UniProtKB:P15056"]),
        ("MONDO:0005105", ["DOID:1909", "MESH:D008545", "EFO:0000756", "UMLS:C0025202"]),
        ("CHEMBL.COMPOUND:CHEMBL3137343", ["UNII:DPT0O3T46P", "DRUGBANK:DB09037"]),
    ],
)
def test_a_clique_holds_what_services_call_one_thing(curie: str, same: list[str]) -> None:
    (node,) = (node for node in cliques() if node.curie == curie)
    assert set(same) <= set(node.curies)


def test_a_node_that_is_known_is_extended_and_keeps_its_curie(book: FactBook) -> None:
    before, after = FactBook.demo().node(IMATINIB), book.node("CHEMBL.COMPOUND:CHEMBL941")
    assert before is not None
    assert after is not None
    assert (after.curie, after.name) == (before.curie, before.name) == (IMATINIB, "imatinib")
    assert after.curies[: len(before.curies)] == before.curies
    assert "CHEBI:45783" in after.curies
    assert "CHEBI:45783" not in book.nodes


def test_a_node_that_is_new_is_added(book: FactBook) -> None:
    added = book.node("DOID:4325")
    assert added is not None
    assert (added.curie, added.name) == ("MONDO:0005737", "Ebola hemorrhagic fever")
    assert FactBook.demo().node("DOID:4325") is None


def test_nothing_of_what_was_known_moves(book: FactBook) -> None:
    """What another node has is not taken from it, though the clique claims it too."""
    demo = FactBook.demo()
    for curie, node in demo.nodes.items():
        assert [book.node(one) for one in node.curies] == [book.nodes[curie]] * len(node.curies)
    assert (book.statements, book.records) == (demo.statements, demo.records)
    hypertension = book.node("HP:0000822")
    assert hypertension is not None
    assert hypertension.curie == "HP:0000822"


def test_merging_again_changes_nothing(book: FactBook) -> None:
    assert with_cliques(book).nodes == book.nodes


def test_a_gene_and_its_protein_come_apart_without_conflation(book: FactBook) -> None:
    normalizer = NodeNormalizer(book)
    gene = normalizer.normalize("HGNC:6840", False, False)
    protein = normalizer.normalize("ENSEMBL:ENSP00000302486", False, False)
    both = normalizer.normalize("UniProtKB:Q02750", True, False)
    assert gene is not None
    assert protein is not None
    assert both is not None
    assert gene["id"]["identifier"] == both["id"]["identifier"] == "NCBIGene:5604"
    assert protein["id"] == {"identifier": "UniProtKB:Q02750", "label": "MAP2K1"}


def test_a_federation_knows_them_only_with_apis() -> None:
    asked = {"curies": ["CHEMBL.COMPOUND:CHEMBL941"]}
    found = []
    for apis in ((), ("chembl",)):
        with Federation(apis=apis) as federation:
            url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
            found.append(httpx2.post(url, json=asked).json()["CHEMBL.COMPOUND:CHEMBL941"])
            assert federation.facts.nodes == FactBook.demo().nodes
    assert found[0] is None
    assert found[1]["id"] == {"identifier": IMATINIB, "label": "imatinib"}


def test_names_are_found_by_the_name_resolver() -> None:
    with Federation(apis=("chembl",)) as federation:
        url = f"{federation.base_urls['nameres']}/bulk-lookup"
        body = {"strings": ["vemurafenib", "BRAF", "Marfan syndrome", "liver"], "limit": 1}
        found = httpx2.post(url, json=body).json()
    assert {text: hits[0]["curie"] for text, hits in found.items()} == {
        "vemurafenib": "CHEBI:63637",
        "BRAF": "NCBIGene:673",
        "Marfan syndrome": "MONDO:0007947",
        "liver": "UBERON:0002107",
    }
