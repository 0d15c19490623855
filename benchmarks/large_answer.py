"""A 5 MB TRAPI answer read, merged and put into sentences; a 60 MB one read or refused.

Memory is the peak resident size above the idle process with everything imported, as a multiple of
the answer's size. Each size runs in a process of its own.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from pathlib import Path

import orjson

from fedrag.datamodel import Edge
from fedrag.evidence import to_evidence
from fedrag.trapi import canonical_direction, merge_edges, read_response


def synthetic(size: int) -> bytes:
    """A TRAPI 1.5 answer of about ``size`` bytes: one disease, many chemicals, three sources."""
    nodes = {"MONDO:0005044": {"name": "hypertensive disorder", "categories": ["biolink:Disease"]}}
    edges: dict[str, object] = {}
    results: list[dict[str, object]] = []
    number = written = 0
    while written < size:
        curie = f"CHEBI:{100000 + number}"
        nodes[curie] = {"name": f"substance {number}", "categories": ["biolink:SmallMolecule"]}
        bound: list[dict[str, object]] = []
        for source in range(3):
            key = f"e{number}-{source}"
            bound.append({"id": key, "attributes": []})
            edges[key] = _edge(curie, number, source)
        results.append(_result(curie, bound))
        number += 1
        written += 3 * 1000 + 500
    return orjson.dumps(
        {
            "message": {
                "query_graph": {
                    "nodes": {"n0": {"ids": ["MONDO:0005044"]}, "n1": {}},
                    "edges": {"e01": {"subject": "n0", "object": "n1"}},
                },
                "knowledge_graph": {"nodes": nodes, "edges": edges},
                "results": results,
            }
        }
    )


def _edge(curie: str, number: int, source: int) -> dict[str, object]:
    predicate = ("treats", "in_clinical_trials_for", "affects")[source]
    return {
        "subject": curie,
        "predicate": f"biolink:{predicate}",
        "object": "MONDO:0005044",
        "sources": [
            {"resource_id": f"infores:source{source}", "resource_role": "primary_knowledge_source"},
            {
                "resource_id": "infores:biothings-explorer",
                "resource_role": "aggregator_knowledge_source",
                "upstream_resource_ids": [f"infores:source{source}"],
            },
        ],
        "attributes": [
            {"attribute_type_id": "biolink:knowledge_level", "value": "knowledge_assertion"},
            {"attribute_type_id": "biolink:agent_type", "value": "manual_agent"},
            {
                "attribute_type_id": "biolink:publications",
                "value": [f"PMID:{number * 10 + n}" for n in range(20)],
            },
            {"attribute_type_id": "biolink:description", "value": "a sentence of support " * 8},
        ],
    }


def _result(curie: str, bound: list[dict[str, object]]) -> dict[str, object]:
    return {
        "node_bindings": {
            "n0": [{"id": "MONDO:0005044", "attributes": []}],
            "n1": [{"id": curie, "attributes": []}],
        },
        "analyses": [{"resource_id": "infores:bte", "edge_bindings": {"e01": bound}}],
    }


def read(body: bytes) -> tuple[int, int]:
    """Read, turn, merge, write sentences: the way of an answer through the pipeline."""
    found = read_response(
        orjson.loads(body),
        service="bte",
        infores="infores:biothings-explorer",
        retrieved_at="2026-11-29T00:00:00Z",
        query_ids={"n0": ("MONDO:0005044",)},
    )
    merged: tuple[Edge, ...] = merge_edges(canonical_direction(edge) for edge in found.edges)
    return len(merged), len(to_evidence(merged, ()))


def resident(field: str) -> int:
    """``VmRSS`` or ``VmHWM`` of this process in bytes (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field} in /proc/self/status")


def measure(megabytes: int) -> None:
    """One size, in this process; prints a JSON line."""
    read(synthetic(50_000))
    body = synthetic(megabytes * 1_000_000)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    idle = resident("VmRSS") - len(body)
    start = time.perf_counter()
    edges, sentences = read(body)
    taken = time.perf_counter() - start
    ratio = (resident("VmHWM") - idle) / len(body)
    print(
        json.dumps(
            {
                "bytes": len(body),
                "edges": edges,
                "sentences": sentences,
                "seconds": round(taken, 2),
                "memory_ratio": round(ratio, 1),
            }
        )
    )


def main() -> None:
    """Measure each size in a fresh process."""
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]))
        return
    for megabytes, limit in ((5, "1 s, ratio 10"), (60, "none: it must not fall over")):
        done = subprocess.run(
            [sys.executable, __file__, str(megabytes)], check=True, capture_output=True, text=True
        )
        print(f"{megabytes} MB: {done.stdout.strip()}  (limit {limit})")


if __name__ == "__main__":
    main()
