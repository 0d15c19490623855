"""KGX: what its specification and the Biolink Model ask of nodes and edges.

Its own validator judges such files in ``benchmarks/oracles.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evidence_material import node
from export_material import demo, full_edge, of_edges

from fedrag.biolink import biolink
from fedrag.datamodel import Attribute

REQUIRED = {
    "id",
    "category",
    "subject",
    "predicate",
    "object",
    "knowledge_level",
    "agent_type",
    "primary_knowledge_source",
    "aggregator_knowledge_source",
}


def only_edge(**changes: Any) -> dict[str, Any]:
    edges: list[dict[str, Any]] = of_edges(replace(full_edge(), **changes)).to_kgx()["edges"]
    (written,) = edges
    return written


def test_every_edge_of_the_demo_has_what_biolink_requires_and_ends_among_the_nodes() -> None:
    graph = demo().to_kgx()
    nodes = {each["id"]: each for each in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"])
    assert len(graph["edges"]) == len(demo().all_edges)
    for edge in graph["edges"]:
        assert set(edge) >= REQUIRED
        assert {edge["subject"], edge["object"]} <= set(nodes)
        assert edge["aggregator_knowledge_source"][-1] == "infores:fedrag"
    for each in nodes.values():
        assert each["name"]
        assert all(biolink().is_a(c, "biolink:NamedThing") for c in each["category"])


def test_qualifiers_are_slots_of_the_edge() -> None:
    edge = only_edge()
    assert edge["qualified_predicate"] == "biolink:causes"
    assert edge["object_aspect_qualifier"] == "activity"
    assert edge["object_direction_qualifier"] == "decreased"


def test_the_sources_are_told_in_short_and_as_a_chain() -> None:
    edge = only_edge()
    assert edge["primary_knowledge_source"] == "infores:drugcentral"
    assert edge["aggregator_knowledge_source"] == ["infores:hub", "infores:fedrag"]
    assert edge["supporting_data_source"] == ["infores:trials"]
    assert [s["resource_id"] for s in edge["sources"]][-1] == "infores:fedrag"
    assert edge["sources"][1]["upstream_resource_ids"] == ["infores:drugcentral"]
    assert edge["publications"][0] == "PMID:15774254"


def test_what_was_found_is_kept_beside_what_it_is_called() -> None:
    graph = of_edges(full_edge()).to_kgx()
    assert graph["edges"][0]["original_subject"] == "CHEBI:5778"
    drug, gene = graph["nodes"]
    assert drug["equivalent_identifiers"] == ["CHEBI:5778"]
    assert gene == {
        "id": "NCBIGene:6559",
        "category": ["biolink:Gene"],
        "name": "SLC12A3",
        "taxa": ["NCBITaxon:9606"],
    }


def test_a_negated_statement_says_so_and_others_say_no() -> None:
    assert only_edge(negated=True)["negated"] is True
    assert only_edge()["negated"] is False


def test_categories_that_no_node_can_have_are_left_out() -> None:
    gene = replace(
        node("NCBIGene:1", "g"),
        categories=("biolink:Gene", "biolink:GeneOrGeneProduct", "biolink:Entity", "biolink:Nope"),
    )
    odd = replace(node("X:1", ""), categories=("biolink:Nope",))
    graph = of_edges(replace(full_edge(), subject=gene, object=odd)).to_kgx()
    assert [n["category"] for n in graph["nodes"]] == [["biolink:Gene"], ["biolink:NamedThing"]]
    assert graph["nodes"][1]["name"] == "X:1"


def test_attributes_are_kept_whole_but_for_those_told_elsewhere() -> None:
    score = Attribute("biolink:p_value", 0.01, "infores:hub")
    level = Attribute("biolink:knowledge_level", "prediction")
    attributes = only_edge(attributes=(score, level))["attributes"]
    assert [(a["attribute_type_id"], a["value"]) for a in attributes] == [("biolink:p_value", 0.01)]


def test_a_qualifier_given_twice_keeps_both_values() -> None:
    kind = "biolink:disease_context_qualifier"
    edge = only_edge(qualifiers=((kind, "MONDO:1"), (kind, "MONDO:2")))
    assert edge["disease_context_qualifier"] == ["MONDO:1", "MONDO:2"]
