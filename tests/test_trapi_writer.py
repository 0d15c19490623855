"""Queries validate against the schema of the version they are written for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from fedrag.datamodel import QueryEdge, QueryNode
from fedrag.trapi import write_graph, write_query

SCHEMAS = {
    "1.4.2": "TranslatorReasonerAPI.v1.4.2.yaml",
    "1.5.0": "TranslatorReasonerAPI.v1.5.0.yaml",
    "1.6.0": "TranslatorReasonerAPI.v1.6.0-beta.yaml",
    "2.0.0": "TranslatorReasonerAPI.2.0-branch-2026-05-14.yaml",
}
NODES = {
    "drug": QueryNode("drug", ("biolink:ChemicalEntity",), ("CHEBI:5778",), name="HCTZ", entity=0),
    "disease": QueryNode("disease", (), ("MONDO:0005044", "MESH:D006973")),
    "gene": QueryNode("gene", ("biolink:Gene", "biolink:Protein")),
    "unused": QueryNode("unused"),
}
QUALIFIERS = (
    ("biolink:object_aspect_qualifier", "activity"),
    ("biolink:object_direction_qualifier", "decreased"),
    ("biolink:qualified_predicate", "biolink:causes"),
)
EDGES = (
    QueryEdge("e0", "drug", "gene", ("biolink:affects",), QUALIFIERS, from_node="drug"),
    QueryEdge("e1", "gene", "disease", wave=2, cap=20, from_node="gene"),
)


def closed(value: Any) -> Any:
    """A TRAPI schema as JSON Schema: references to other sites accept anything, null where said."""
    if isinstance(value, list):
        return [closed(item) for item in value]
    if not isinstance(value, dict):
        return value
    if str(value.get("$ref", "")).startswith("http"):
        return {}
    kept = {key: closed(item) for key, item in value.items() if key != "nullable"}
    return {"anyOf": [kept, {"type": "null"}]} if value.get("nullable") else kept


def validator(corpora: Path, version: str, name: str) -> Any:
    document = yaml.safe_load((corpora / "trapi" / SCHEMAS[version]).read_text(encoding="utf-8"))
    schema = closed({"components": {"schemas": document["components"]["schemas"]}})
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", **schema})


def query(version: str, **more: Any) -> dict[str, Any]:
    return write_query(nodes=NODES, edges=EDGES, version=version, submitter="fedrag", **more)


def graph(version: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = query(version)["message"]["query_graph"]
    return found


@pytest.mark.parametrize("version", SCHEMAS)
def test_queries_of_one_and_two_hops_validate(corpora: Path, version: str) -> None:
    check = validator(corpora, version, "Query")
    check.validate(query(version))
    one = write_query(nodes=NODES, edges=EDGES[:1], version=version, submitter="fedrag")
    check.validate(one)
    assert list(one["message"]["query_graph"]["nodes"]) == ["drug", "gene"]


@pytest.mark.parametrize("version", SCHEMAS)
@pytest.mark.parametrize(
    "mistake",
    [
        {"subject": 3},
        {"predicates": ["affects"]},
        {"qualifier_constraints": [{"qualifier_set": "x"}], "constraints": {"qualifiers": "x"}},
    ],
)
def test_the_schema_would_have_seen_a_mistake(
    corpora: Path, version: str, mistake: dict[str, Any]
) -> None:
    body = query(version)
    body["message"]["query_graph"]["edges"]["e0"] |= mistake
    assert not validator(corpora, version, "Query").is_valid(body)


def test_a_query_says_who_asks_and_nothing_of_the_plan() -> None:
    assert query("1.5.0") == {
        "message": {
            "query_graph": {
                "nodes": {
                    "drug": {"ids": ["CHEBI:5778"], "categories": ["biolink:ChemicalEntity"]},
                    "gene": {"categories": ["biolink:Gene", "biolink:Protein"]},
                    "disease": {"ids": ["MONDO:0005044", "MESH:D006973"]},
                },
                "edges": {
                    "e0": {
                        "subject": "drug",
                        "object": "gene",
                        "predicates": ["biolink:affects"],
                        "qualifier_constraints": [
                            {
                                "qualifier_set": [
                                    {"qualifier_type_id": kind, "qualifier_value": value}
                                    for kind, value in QUALIFIERS
                                ]
                            }
                        ],
                    },
                    "e1": {"subject": "gene", "object": "disease"},
                },
            }
        },
        "submitter": "fedrag",
    }


def test_version_2_writes_qualifiers_as_constraints() -> None:
    edge = graph("2.0.0")["edges"]["e0"]
    assert edge["constraints"] == {"qualifiers": [dict(QUALIFIERS)]}
    assert "qualifier_constraints" not in edge


@pytest.mark.parametrize("version", ["1.5", "v1.5.0", "1.6.0-beta", "1.3.0", "", "unheard of"])
def test_versions_are_read_loosely(version: str) -> None:
    assert "qualifier_constraints" in graph(version)["edges"]["e0"]


def test_before_1_3_qualifiers_cannot_be_asked() -> None:
    assert set(graph("1.2.0")["edges"]["e0"]) == {"subject", "object", "predicates"}


def test_identifiers_may_be_bound_when_they_are_known() -> None:
    body = query("1.5.0", ids={"gene": ["NCBIGene:6559"], "drug": ()})
    nodes = body["message"]["query_graph"]["nodes"]
    assert nodes["gene"]["ids"] == ["NCBIGene:6559"]
    assert "ids" not in nodes["drug"]
    assert nodes["disease"]["ids"] == ["MONDO:0005044", "MESH:D006973"]


def test_the_graph_alone_is_what_the_query_holds() -> None:
    assert write_graph(NODES, EDGES) == graph("1.5.0")
    assert write_graph(tuple(NODES.values()), EDGES) == graph("1.5.0")
    with pytest.raises(KeyError):
        write_graph({}, EDGES)
