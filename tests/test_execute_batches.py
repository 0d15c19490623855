"""Requests a TRAPI service can take: never more identifiers than it allows, every pair asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import httpx2
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_material import service

from fedrag.datamodel import QueryEdge, QueryNode
from fedrag.execute.service import Ask
from fedrag.execute.trapi_service import TrapiService, _batches
from fedrag.metakg import load_services
from fedrag.net import Net
from fedrag.resources import metakg_dir


def ids(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}:{number}" for number in range(count))


@pytest.mark.parametrize(
    ("subjects", "objects", "requests"),
    [(150, 0, 1), (151, 0, 2), (310, 0, 3), (75, 75, 1), (149, 1, 1), (150, 1, 2), (310, 200, 12)],
)
def test_a_request_to_bte_has_at_most_150_identifiers_in_all(
    subjects: int, objects: int, requests: int
) -> None:
    bte = next(s for s in load_services(metakg_dir()) if s.name == "bte")
    bound = {"a": ids("A", subjects)} | ({"b": ids("B", objects)} if objects else {})
    batches = list(_batches(bound, bte.batch_size))
    assert max(sum(map(len, batch.values())) for batch in batches) <= 150
    assert len(batches) == requests


@given(st.integers(1, 60), st.integers(1, 60), st.integers(2, 20))
def test_every_pair_is_asked_exactly_once(subjects: int, objects: int, size: int) -> None:
    bound = {"a": ids("A", subjects), "b": ids("B", objects)}
    batches = list(_batches(bound, size))
    asked = [pair for batch in batches for pair in product(batch["a"], batch["b"])]
    assert sorted(asked) == sorted(product(*bound.values()))
    assert all(len(batch["a"]) + len(batch["b"]) <= size for batch in batches)


def test_without_a_limit_there_is_one_request_and_without_identifiers_none() -> None:
    bound = {"a": ids("A", 5000), "b": ids("B", 10)}
    assert list(_batches(bound, None)) == [bound]
    assert list(_batches({}, 150)) == []
    assert list(_batches({"a": ("A:1",), "b": ("B:1",)}, 1)) == [{"a": ("A:1",), "b": ("B:1",)}]


async def test_a_failed_batch_costs_its_own_edges_alone() -> None:
    sent: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        nodes = orjson.loads(request.content)["message"]["query_graph"]["nodes"]
        sent.append({key: node.get("ids") for key, node in nodes.items()})
        if "A:0" in nodes["a"]["ids"]:
            return httpx2.Response(422, text="no")
        first = nodes["a"]["ids"][0]
        return httpx2.Response(200, json=one_edge(first))

    small = replace(service("kp"), batch_size=2)
    nodes = {"a": QueryNode("a", ids=ids("A", 5)), "b": QueryNode("b", ("biolink:Gene",))}
    ask = Ask(QueryEdge("e", "a", "b"), nodes, {"a": ids("A", 5)})
    async with Net(transport=httpx2.MockTransport(answer)) as net:
        outcome = await TrapiService(small).run(ask, net.caller_for(deadline=20))
    assert sorted(s["a"] for s in sent) == [["A:0", "A:1"], ["A:2", "A:3"], ["A:4"]]
    assert (outcome.calls, len(outcome.failures), len(outcome.edges)) == (3, 1, 2)


def one_edge(subject: str) -> dict[str, Any]:
    return {
        "message": {
            "knowledge_graph": {
                "nodes": {subject: {}, "NCBIGene:1": {}},
                "edges": {
                    "x": {
                        "subject": subject,
                        "predicate": "biolink:affects",
                        "object": "NCBIGene:1",
                        "sources": [
                            {
                                "resource_id": "infores:x",
                                "resource_role": "primary_knowledge_source",
                            }
                        ],
                    }
                },
            },
            "results": [
                {
                    "node_bindings": {"a": [{"id": subject}], "b": [{"id": "NCBIGene:1"}]},
                    "analyses": [{"edge_bindings": {"e": [{"id": "x"}]}}],
                }
            ],
        }
    }
