"""An answer of 5 MB is read and merged without a heap of copies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from fedrag.trapi import canonical_direction, merge_edges, read_response

NAME = "bte_rag/bte_trapi_response_MESH_D034721_ChemicalEntity.json"

# Prints the peak memory above that of the idle process, as a multiple of the answer's size.
MEASURE = """
import re, sys
import orjson
from fedrag.biolink import biolink
from fedrag.trapi import canonical_direction, merge_edges, read_response
biolink().inverse("biolink:treats")
def peak():
    status = open("/proc/self/status").read()
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", status)[1]) * 1024
idle = peak()
raw = open(sys.argv[1], "rb").read()
read = read_response(orjson.loads(raw), service="bte", infores="infores:bte", retrieved_at="now")
merged = merge_edges([canonical_direction(edge) for edge in read.edges])
sys.stdout.write(f"{len(read.edges)} {(peak() - idle) / len(raw):.2f}")
"""


def enlarged(corpora: Path, size: int) -> tuple[bytes, int]:
    """The real answer several times over, each time with other chemicals: its bytes, its edges."""
    raw = orjson.dumps(orjson.loads((corpora / NAME).read_bytes())["message"])
    copies = -(-size // len(raw))
    whole: dict[str, Any] = {"nodes": {}, "edges": {}}
    results = []
    for number in range(copies):
        text = raw
        for prefix in (b"CHEBI:", b"UNII:", b"MESH:C"):
            text = text.replace(prefix, prefix + str(number).encode())
        message = orjson.loads(text)
        for key, edge in message["knowledge_graph"]["edges"].items():
            text = text.replace(key.encode(), f"{key}-{number}".encode())
            whole["edges"][f"{key}-{number}"] = edge
        whole["nodes"] |= message["knowledge_graph"]["nodes"]
        results += orjson.loads(text)["results"]
    payload = {"message": {"knowledge_graph": whole, "results": results}}
    return orjson.dumps(payload), len(whole["edges"])


def test_five_megabytes_lose_no_edge(corpora: Path) -> None:
    raw, edges = enlarged(corpora, 5_000_000)
    assert len(raw) > 5_000_000
    payload = orjson.loads(raw)
    read = read_response(payload, service="bte", infores="infores:bte", retrieved_at="now")
    merged = merge_edges([canonical_direction(edge) for edge in read.edges])
    assert (len(read.edges), read.dropped) == (edges, ())
    assert len(merged) > 0.8 * edges


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_reading_takes_less_than_ten_times_the_memory_of_the_answer(
    corpora: Path, tmp_path: Path
) -> None:
    raw, edges = enlarged(corpora, 5_000_000)
    file = tmp_path / "answer.json"
    file.write_bytes(raw)
    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, str(file)], capture_output=True, text=True, check=True
    )
    counted, multiple = ran.stdout.split()
    assert int(counted) == edges
    assert 1 < float(multiple) < 10
