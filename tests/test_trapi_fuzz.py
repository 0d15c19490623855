"""Whatever happens to a valid message on its way, reading it ends in edges or a BadPayloadError."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedrag.errors import BadPayloadError
from fedrag.trapi import (
    canonical_direction,
    merge_edges,
    read_meta_knowledge_graph,
    read_response,
)

SMALL = "abcdef:0 |,"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True),
    st.text(max_size=8),
    st.sampled_from(["biolink:treats", "PMID:1|x", "infores:x", "ids", "²", "\ud800"]),
)
KEYS = st.one_of(
    st.text(alphabet=SMALL, max_size=6),
    st.sampled_from(["id", "ids", "value", "attributes", "edges", "nodes", "results", "message"]),
    st.sampled_from(["attribute_type_id", "subject", "object", "qualifiers", "sources", "logs"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)

MESSAGE: dict[str, Any] = {
    "message": {
        "query_graph": {"nodes": {"n0": {"ids": ["A:1"]}, "n1": {}}, "edges": {}},
        "knowledge_graph": {
            "nodes": {
                "A:1": {
                    "name": "a",
                    "categories": ["biolink:Gene"],
                    "attributes": [{"attribute_type_id": "biolink:in_taxon", "value": ["x"]}],
                }
            },
            "edges": {
                "e1": {
                    "subject": "A:1",
                    "predicate": "biolink:affected_by",
                    "object": "B:2",
                    "negated": False,
                    "publications": ["PMID:1"],
                    "knowledge_level": "prediction",
                    "qualifiers": [
                        {
                            "qualifier_type_id": "biolink:qualified_predicate",
                            "qualifier_value": "biolink:caused_by",
                        }
                    ],
                    "sources": [
                        {
                            "resource_id": "infores:x",
                            "resource_role": "primary_knowledge_source",
                            "upstream_resource_ids": ["infores:y"],
                            "source_record_urls": ["https://pubmed.ncbi.nlm.nih.gov/1/"],
                        }
                    ],
                    "attributes": [
                        {
                            "attribute_type_id": "biolink:publications",
                            "value": "PMID:1|PMC2",
                            "attributes": [{"attribute_type_id": "bts:sentence", "value": {}}],
                        },
                        {"attribute_type_id": "biolink:support_graphs", "value": ["g"]},
                        {"attribute_type_id": "biolink:negated", "value": True},
                    ],
                },
                "e2": {"subject": "A:1", "predicate": "biolink:treats", "object": "B:2"},
            },
        },
        "results": [
            {
                "node_bindings": {"n0": [{"id": "A:1", "query_id": "A:0"}], "n1": {"ids": ["B"]}},
                "edge_bindings": {"e": [{"id": "e1"}]},
                "analyses": [
                    {
                        "edge_bindings": {"e": {"ids": ["e1", "e2"]}},
                        "path_bindings": {"p": [{"id": "g"}]},
                        "support_graphs": ["g"],
                    }
                ],
            }
        ],
        "auxiliary_graphs": {"g": {"edges": ["e2"], "attributes": []}},
    },
    "status": "Success",
    "description": "done",
    "logs": [{"level": "ERROR", "message": "x", "code": None}],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside."""
    found = [path]
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        found += places(value[key], (*path, key))
    return found


def replaced(message: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(message)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def survives(payload: Any) -> bool:
    """Whether it was read; a BadPayloadError is an answer too, anything else fails the test."""
    try:
        answer = read_response(payload, service="s", infores="infores:s", retrieved_at="now")
    except BadPayloadError:
        return False
    merged = merge_edges(canonical_direction(edge) for edge in answer.edges)
    assert len({edge.id for edge in merged}) == len(merged) <= len(answer.edges)
    assert all(count > 0 for _, count in answer.dropped)
    return True


PLACES = places(MESSAGE)


def test_the_message_before_any_change_is_read_whole() -> None:
    answer = read_response(MESSAGE, service="s", infores="infores:s", retrieved_at="now")
    assert (len(answer.edges), answer.dropped, answer.failure) == (2, (), None)
    assert answer.edges[0].publications == ("PMID:1", "PMC:2")
    assert answer.edges[0].cited_by_record == ("PMID:1",)


@settings(max_examples=400, deadline=None)
@given(path=st.sampled_from(PLACES), value=JSON)
def test_any_value_may_stand_anywhere(path: tuple[Any, ...], value: Any) -> None:
    survives(replaced(MESSAGE, path, value))


@settings(max_examples=150, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), JSON), min_size=2, max_size=5))
def test_several_changes_at_once(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    payload: Any = MESSAGE
    for path, value in changes:
        try:
            payload = replaced(payload, path, value)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    survives(payload)


@settings(max_examples=150, deadline=None)
@given(payload=JSON)
def test_any_json_at_all(payload: Any) -> None:
    survives(payload)
    survives({"message": payload})


@settings(max_examples=150, deadline=None)
@given(payload=JSON)
def test_any_json_in_a_meta_knowledge_graph(payload: Any) -> None:
    triples, _ = read_meta_knowledge_graph(
        {"edges": [payload, {"subject": "Gene", "predicate": "affects", "object": "Gene"}]}
        | {"nodes": payload, "predicates": payload}
    )
    assert "biolink:affects" in {triple.predicate for triple in triples}


def test_every_part_may_be_null_or_missing() -> None:
    read_at_all = 0
    for path in PLACES[1:]:
        read_at_all += survives(replaced(MESSAGE, path, None))
        without = copy.deepcopy(MESSAGE)
        inner: Any = without
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        read_at_all += survives(without)
    assert read_at_all == 2 * (len(PLACES) - 1)  # without a message, its log tells a failure


def test_attributes_nested_without_end_are_no_crash() -> None:
    nested: dict[str, Any] = {"attribute_type_id": "biolink:x", "value": 1}
    for _ in range(500):
        nested = {"attribute_type_id": "biolink:x", "value": 1, "attributes": [nested]}
    path = ("message", "knowledge_graph", "edges", "e1", "attributes")
    assert survives(replaced(MESSAGE, path, [nested]))


@pytest.mark.parametrize("seed", range(20))
def test_a_real_answer_with_holes_keeps_its_other_edges(corpora: Path, seed: int) -> None:
    path = corpora / "bte_rag" / "bte_trapi_response_MESH_D034721_ChemicalEntity.json"
    payload = json.loads(path.read_bytes())
    edges = payload["message"]["knowledge_graph"]["edges"]
    chosen = random.Random(seed).sample(sorted(edges), 20)
    for number, key in enumerate(chosen):
        holes = [None, 3, {}, {"subject": None}, {**edges[key], "predicate": None}]
        edges[key] = holes[number % len(holes)]
    answer = read_response(payload, service="bte", infores="infores:bte", retrieved_at="now")
    assert len(answer.edges) == 129
    assert dict(answer.dropped) == {
        "edge is null": 4,
        "edge is not an object": 4,
        "no subject": 8,
        "predicate is missing": 4,
    }
