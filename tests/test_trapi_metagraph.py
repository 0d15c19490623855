"""Meta knowledge graphs as services give them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fedrag.errors import BadPayloadError
from fedrag.trapi import MetaTriple, read_meta_knowledge_graph


def meta_edge(**more: Any) -> dict[str, Any]:
    return {
        "subject": "biolink:SmallMolecule",
        "predicate": "biolink:affects",
        "object": "biolink:Gene",
        **more,
    }


def qualifier(kind: str, *values: str) -> dict[str, Any]:
    return {"qualifier_type_id": kind, "applicable_values": list(values)}


def test_the_official_meta_edge_with_qualifiers(corpora: Path) -> None:
    payload = json.loads((corpora / "trapi" / "metaedge_with_qualifiers.json").read_bytes())
    triples, prefixes = read_meta_knowledge_graph(payload)
    assert triples == [
        MetaTriple(
            "biolink:ChemicalEntity",
            "biolink:affects",
            "biolink:Gene",
            (
                ("biolink:object_aspect_qualifier", ("expression", "abundance", "activity")),
                ("biolink:qualified_predicate", ("biolink:causes",)),
                ("biolink:subject_aspect_qualifier", ("abundance", "degradation")),
            ),
            ("lookup",),
        )
    ]
    assert prefixes["biolink:MolecularActivity"] == ("RHEA", "REACT", "GO", "UMLS")


def test_the_older_shape_of_35_recorded_services(corpora: Path) -> None:
    name = "metakg_35_KPs_predicates_snapshot.json"
    documents = json.loads((corpora / "recorded" / "trapi" / name).read_bytes())
    assert len(documents) == 35
    for document in documents:
        triples, prefixes = read_meta_knowledge_graph(document)
        stated = {
            (subject, predicate, object_)
            for subject, objects in document["predicates"].items()
            for object_, predicates in objects.items()
            for predicate in predicates
        }
        assert {(t.subject, t.predicate, t.object) for t in triples} == stated
        assert len(triples) == len(stated)
        named = {f"biolink:{name.removeprefix('biolink:')}" for name in document["nodes"]}
        assert set(prefixes) == named
        assert all(len(prefix) > 1 for listed in prefixes.values() for prefix in listed)


def test_a_triple_given_twice_is_one_with_the_values_of_both() -> None:
    direction, aspect = "biolink:object_direction_qualifier", "biolink:object_aspect_qualifier"
    triples, _ = read_meta_knowledge_graph(
        {
            "nodes": {},
            "edges": [
                meta_edge(qualifiers=[qualifier(direction, "increased"), qualifier(aspect)]),
                meta_edge(
                    qualifiers=[qualifier(direction, "decreased"), qualifier(aspect, "activity")],
                    knowledge_types=["lookup"],
                ),
            ],
        }
    )
    [triple] = triples
    assert triple.qualifiers == ((aspect, ()), (direction, ("increased", "decreased")))
    assert triple.knowledge_types == ("lookup",)


def test_bad_entries_cost_themselves() -> None:
    triples, prefixes = read_meta_knowledge_graph(
        {
            "nodes": {"Gene": {"id_prefixes": None}, "biolink:Drug": None},
            "edges": [
                None,
                "x",
                meta_edge(predicate=None),
                meta_edge(qualifiers=[None, {}, {"qualifier_type_id": 3}], knowledge_types=None),
                {"subject": "Gene", "predicate": "affects", "object": "Gene", "extra": 1},
            ],
        }
    )
    assert triples == [
        MetaTriple("biolink:SmallMolecule", "biolink:affects", "biolink:Gene"),
        MetaTriple("biolink:Gene", "biolink:affects", "biolink:Gene"),
    ]
    assert prefixes == {"biolink:Gene": (), "biolink:Drug": ()}


@pytest.mark.parametrize("payload", [None, [], "x", {}, {"edges": None}, {"detail": "gone"}])
def test_what_is_no_meta_knowledge_graph_is_a_bad_payload(payload: Any) -> None:
    with pytest.raises(BadPayloadError) as caught:
        read_meta_knowledge_graph(payload, service="robokop")
    assert caught.value.service == "robokop"
