"""A two-hop query with 1,000 intermediate identifiers, every answer taking 300 ms.

drug –affects→ 1,000 genes –associated with→ diseases, over two TRAPI services, the second one
slower to be asked (30 calls in a minute at most, one at a time): without it the query must end
within 3 s, with it within 3 s plus what that pace costs. Services run in another process on
loopback; meta-knowledge graphs are read beforehand, everything else is asked.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fedrag.config import ServiceConfig, load_settings
from fedrag.query import QueryAnswer
from fedrag.session import Session
from fedrag.testing import Federation
from fedrag.testing.facts import FactBook, Statement
from fedrag.testing.federation import Trapi

LATENCY, LIMIT = 0.3, 3.0
GENES, DISEASES = 1_000, 200
QUERY = {
    "nodes": {
        "drug": {"ids": ["CHEBI:1"], "categories": ["biolink:SmallMolecule"]},
        "gene": {"categories": ["biolink:Gene"]},
        "disease": {"categories": ["biolink:Disease"]},
    },
    "edges": {
        "e0": {"subject": "drug", "predicates": ["biolink:affects"], "object": "gene"},
        "e1": {
            "subject": "gene",
            "predicates": ["biolink:gene_associated_with_condition"],
            "object": "disease",
        },
    },
}


def facts() -> FactBook:
    """One drug, its genes, and two diseases for each."""
    said = "biolink:gene_associated_with_condition"
    genes = [f"NCBIGene:{n}" for n in range(1, GENES + 1)]
    return FactBook.from_statements(
        [
            *(Statement("CHEBI:1", "biolink:affects", gene) for gene in genes),
            *(
                Statement(gene, said, f"MONDO:{(n + step) % DISEASES}")
                for n, gene in enumerate(genes)
                for step in (1, 7)
            ),
        ]
    )


def serve() -> None:
    """The services, until stdin closes."""
    trapi = {"bte": Trapi(), "kp2": Trapi(infores="infores:fedrag-testing-kp2")}
    with Federation(facts(), trapi=trapi, latency=LATENCY) as running:
        print(json.dumps(running.base_urls), flush=True)
        sys.stdin.read()


@contextmanager
def services() -> Iterator[dict[str, ServiceConfig]]:
    """The services of another process, as settings."""
    command = [sys.executable, __file__, "--serve"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        urls: dict[str, str] = json.loads(process.stdout.readline())
        try:
            yield {
                name: ServiceConfig(base_url=url, protocol="trapi" if name == "kp2" else None)
                for name, url in urls.items()
                if name != "llm"
            }
        finally:
            process.stdin.close()


async def asked(known: dict[str, ServiceConfig], *only: str) -> tuple[QueryAnswer, float]:
    """One query with only the meta-knowledge graphs in its cache, and the seconds it took.

    It is asked once before, by another session, so that the loopback services have their answers
    ready: what they need to find them is not the client's time.
    """
    options = {"services": known, "only": only}
    async with Session(load_settings({**options, "cache": False})) as session:
        await session.query(QUERY)
    with tempfile.TemporaryDirectory() as folder:
        async with Session(load_settings({**options, "cache_dir": Path(folder)})) as session:
            await session.metakg()
            start = time.perf_counter()
            answer = await session.query(QUERY)
            return answer, time.perf_counter() - start


def show(title: str, answer: QueryAnswer, taken: float, pace: float) -> bool:
    """Print one measurement; whether it is within its limit."""
    message = answer.response["message"]
    hop = answer.hops[1]
    calls = sum(report.calls for report in answer.services)
    print(
        f"{title}: {taken:.2f} s = {taken / LATENCY:.1f} × latency "
        f"(limit {LIMIT:.1f} s{f' + {pace:.1f} s of pace' if pace else ''}); "
        f"{hop.asked:,} intermediate identifiers, {calls} calls, "
        f"{len(message['results']):,} results, {len(message['knowledge_graph']['edges']):,} edges"
    )
    assert hop.asked == GENES
    assert len(message["results"]) == 2 * GENES
    return taken <= LIMIT + pace


def main() -> int:
    """Both measurements; exit code 1 when one is over its limit."""
    with services() as known:
        free = show("two hops", *asyncio.run(asked(known, "bte")), pace=0.0)
        # 150 identifiers a call: seven calls one after another, 2 s apart, are 12 s of pace.
        slow = replace(known["kp2"], batch_size=150, per_minute=30.0, concurrency=1)
        paced = {**known, "kp2": slow}
        kept = show("with a paced service", *asyncio.run(asked(paced, "bte", "kp2")), pace=14.0)
    return 0 if free and kept else 1


if __name__ == "__main__":
    if "--serve" in sys.argv:
        serve()
    else:
        sys.exit(main())
