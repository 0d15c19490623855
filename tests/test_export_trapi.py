"""An answer as TRAPI: every name it uses is there, and every type is a CURIE.

The field's own validators judge such responses in ``benchmarks/oracles.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evidence_material import node
from export_material import demo, full_edge, of_edges

from fedrag.datamodel import Attribute, Candidate
from fedrag.trapi import curie_typed


def message(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = answer.to_trapi()["message"]
    return found


def bound(result: dict[str, Any]) -> set[str]:
    return {one["id"] for each in result["node_bindings"].values() for one in each}


def test_what_a_result_binds_is_in_the_knowledge_graph() -> None:
    made = message(demo())
    assert len(made["results"]) == len(demo().candidates)
    for result in made["results"]:
        assert bound(result) <= set(made["knowledge_graph"]["nodes"])


def test_a_conflated_identifier_is_bound_to_the_node_that_stands_for_it() -> None:
    protein = node("UniProtKB:P55017", "SLC12A3", "protein", canonical="NCBIGene:6559")
    best = Candidate("NCBIGene:6559", "SLC12A3", ("biolink:Gene",), 1.0)
    answer = replace(of_edges(replace(full_edge(), object=protein)), candidates=(best,))
    made = message(answer)
    assert "UniProtKB:P55017" in bound(made["results"][0])
    assert "NCBIGene:6559" not in made["knowledge_graph"]["nodes"]


def test_what_no_edge_names_is_added_with_its_name() -> None:
    best = Candidate("NCBIGene:1", "A1BG", ("biolink:Gene",), 1.0)
    made = message(replace(of_edges(full_edge()), candidates=(best,)))
    nodes = made["knowledge_graph"]["nodes"]
    assert nodes["NCBIGene:1"]["name"] == "A1BG"
    assert nodes["MONDO:0005044"]["categories"] == ["biolink:Disease"]
    assert bound(made["results"][0]) <= set(nodes)


def test_a_type_that_is_no_curie_is_told_as_the_sources_own_name() -> None:
    inner = Attribute("reviewer", "x")
    own = Attribute("go_evidence", "IDA", "infores:quickgo", attributes=(inner,))
    elsewhere = Attribute("biolink:support_graphs", ["aux1"])
    edge = replace(full_edge(), attributes=(own, elsewhere, Attribute("biolink:p_value", 0.1)))
    (written,) = message(of_edges(edge))["knowledge_graph"]["edges"].values()
    types = {a["attribute_type_id"]: a for a in written["attributes"]}
    assert types["biolink:Attribute"] == {
        "attribute_type_id": "biolink:Attribute",
        "original_attribute_name": "go_evidence",
        "value": "IDA",
        "attribute_source": "infores:quickgo",
        "attributes": [
            {
                "attribute_type_id": "biolink:Attribute",
                "original_attribute_name": "reviewer",
                "value": "x",
            }
        ],
    }
    assert types["biolink:p_value"]["value"] == 0.1
    assert "biolink:support_graphs" not in types


def test_a_name_the_source_gave_already_is_kept() -> None:
    given = {"attribute_type_id": "", "original_attribute_name": "pval", "value": 1}
    assert curie_typed(given) == given | {"attribute_type_id": "biolink:Attribute"}
    assert curie_typed({"attribute_type_id": "", "value": 1}) == {
        "attribute_type_id": "biolink:Attribute",
        "value": 1,
    }
