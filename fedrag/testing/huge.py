"""A TRAPI answer of tens of megabytes, made while it is sent.

Every result is of its own and valid: a made-up compound (its number is out of ChEBI's range) with
one edge to the node that was asked, carrying the publications that make real answers so long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Any

import orjson

from fedrag.biolink import biolink

__all__ = ["huge_answer"]

_PER_RESULT = 1500  # bytes of one result with its node and edge
_PIECE = 500


async def huge_answer(request: bytes, size: int) -> AsyncIterator[bytes]:
    """A TRAPI 1.5 response of at least ``size`` bytes to a one-hop query, in pieces."""
    graph = orjson.loads(request)["message"]["query_graph"]
    key, edge = next(iter(graph["edges"].items()))
    bound, free = edge["subject"], edge["object"]
    if not graph["nodes"][bound].get("ids"):
        bound, free = free, bound
    asked = graph["nodes"][bound]["ids"][0]
    count = size // _PER_RESULT + 1
    head = {"status": "Success", "schema_version": "1.5.0", "biolink_version": biolink().version}
    yield orjson.dumps(head)[:-1] + b',"message":{"query_graph":' + orjson.dumps(graph)
    sections = (
        (b',"knowledge_graph":{"nodes":{', _nodes(asked, count)),
        (b'},"edges":{', _edges(asked, count)),
        (b'}},"results":[', _results(key, bound, free, asked, count)),
    )
    for opening, items in sections:
        yield opening
        first = True
        while piece := list(islice(items, _PIECE)):
            yield (b"" if first else b",") + b",".join(piece)
            first = False
            await asyncio.sleep(0)
    yield b"]}}"


def _curie(place: int) -> str:
    return f"CHEBI:{900_000_000 + place}"


def _item(key: str, value: Any) -> bytes:
    return orjson.dumps(key) + b":" + orjson.dumps(value)


def _nodes(asked: str, count: int) -> Iterator[bytes]:
    yield _item(asked, {"categories": ["biolink:NamedThing"], "name": asked, "attributes": []})
    for place in range(count):
        node = {
            "categories": ["biolink:SmallMolecule"],
            "name": f"made-up compound {place}",
            "attributes": [],
        }
        yield _item(_curie(place), node)


def _edges(asked: str, count: int) -> Iterator[bytes]:
    source = {"resource_id": "infores:fedrag-testing", "resource_role": "primary_knowledge_source"}
    for place in range(count):
        papers = [f"PMID:{900_000_000 + 50 * place + paper}" for paper in range(50)]
        edge = {
            "subject": _curie(place),
            "predicate": "biolink:affects",
            "object": asked,
            "attributes": [
                {"attribute_type_id": "biolink:publications", "value": papers},
                {"attribute_type_id": "biolink:knowledge_level", "value": "not_provided"},
                {"attribute_type_id": "biolink:agent_type", "value": "text_mining_agent"},
            ],
            "sources": [source],
        }
        yield _item(f"huge-{place}", edge)


def _results(key: str, bound: str, free: str, asked: str, count: int) -> Iterator[bytes]:
    for place in range(count):
        bindings = {
            bound: [{"id": asked, "attributes": []}],
            free: [{"id": _curie(place), "attributes": []}],
        }
        analysis = {
            "resource_id": "infores:fedrag-testing",
            "edge_bindings": {key: [{"id": f"huge-{place}", "attributes": []}]},
        }
        yield orjson.dumps({"node_bindings": bindings, "analyses": [analysis]})
