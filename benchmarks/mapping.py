"""BioThings hits mapped per second on one core, beside a bare parse of the same answer.

Three shapes of answer: one association a hit (DGIdb, the many small APIs), several drug targets a
hit (MyChem.info, where most hits have a handful), and dozens of annotations a hit (GO in
MyGene.info). The limit, 10,000 hits a second, holds for the first two; of the third, what counts is
the records.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from fedrag.metakg.operations import Operation
from fedrag.xbte.answer import read_answer

HITS = 10_000
RUNS = 5
LIMIT = 10_000  # hits a second


@dataclass(frozen=True)
class Shape:
    """A kind of answer: the mapping that reads it, and one of its hits by number."""

    name: str
    prefixes: tuple[str, str]
    mapping: dict[str, str]
    hit: Callable[[int], dict[str, Any]]


def _association(number: int) -> dict[str, Any]:
    return {
        "query": str(number),
        "_id": f"{number}-x",
        "_score": 9.1,
        "subject": {"CHEMBL_COMPOUND": f"CHEMBL.COMPOUND:CHEMBL{number}", "name": f"drug {number}"},
        "association": {
            "provided_by": "guide",
            "pubmed": [number + 1, number + 2],
            "interaction_group_score": 0.42,
            "relation_name": "inhibitor",
        },
        "object": {"NCBIGene": str(number), "SYMBOL": f"GENE{number}"},
    }


def _targets(number: int) -> dict[str, Any]:
    targets = [
        {
            "actions": "substrate",
            "gene_name": f"CYP{number % 50}A{place}",
            "general_function": "Steroid hydroxylase activity",
            "id": f"BE{number:07d}",
            "name": f"Cytochrome P450 {place}",
            "organism": "Humans",
            "pmids": [number + 11, number + 12, number + 13],
            "specific_function": "Metabolizes several precarcinogens, drugs, and solvents. " * 4,
        }
        for place in range(4)
    ]
    return {"query": f"DB{number:05d}", "_id": "X", "_score": 6.1, "drugbank": {"enzymes": targets}}


def _annotations(number: int) -> dict[str, Any]:
    terms = [
        {
            "evidence": "IDA",
            "gocategory": "BP",
            "id": f"GO:{number % 900 + place:07d}",
            "pubmed": number + place + 1,
            "term": "mitotic cell cycle",
        }
        for place in range(27)
    ]
    return {"query": str(number), "_id": str(number), "_score": 23.2, "go": {"BP": terms}}


SHAPES = (
    Shape(
        "one association a hit",
        ("NCBIGene", "CHEMBL.COMPOUND"),
        {
            "CHEMBL.COMPOUND": "subject.CHEMBL_COMPOUND",
            "output_name": "subject.name",
            "input_name": "object.SYMBOL",
            "ref_pmid": "association.pubmed",
            "score": "association.interaction_group_score",
            "relation": "association.relation_name",
        },
        _association,
    ),
    Shape(
        "four targets a hit",
        ("DRUGBANK", "SYMBOL"),
        {
            "SYMBOL": "drugbank.enzymes.gene_name",
            "output_name": "drugbank.enzymes.name",
            "action": "drugbank.enzymes.actions",
            "ref_pmid": "drugbank.enzymes.pmids",
        },
        _targets,
    ),
    Shape(
        "27 annotations a hit",
        ("NCBIGene", "GO"),
        {
            "GO": "go.BP.id",
            "evidence": "go.BP.evidence",
            "pubmed": "go.BP.pubmed",
            "term": "go.BP.term",
        },
        _annotations,
    ),
)


def operation_of(shape: Shape) -> Operation:
    """An operation that asks BioThings in batches and reads this shape."""
    return Operation(
        id="benchmark",
        service="biothings",
        method="post",
        path="/query",
        subject_category="biolink:Gene",
        predicate="biolink:related_to",
        object_category="biolink:NamedThing",
        input_prefix=shape.prefixes[0],
        output_prefix=shape.prefixes[1],
        mapping=shape.mapping,
    )


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of a piece of work, the median of several runs."""
    taken = []
    for _ in range(RUNS):
        gc.collect()
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def measure(shape: Shape) -> str:
    """One shape, mapped in batches of 1,000 hits, as they come."""
    operation = operation_of(shape)
    bodies, batches = [], []
    for start in range(0, HITS, 1000):
        hits = [shape.hit(number) for number in range(start, start + 1000)]
        bodies.append(orjson.dumps(hits))
        batches.append((hits, [f"{shape.prefixes[0]}:{hit['query']}" for hit in hits]))

    def parse() -> None:
        for body in bodies:
            orjson.loads(body)

    def read() -> int:
        return sum(len(read_answer(operation, hits, asked).records) for hits, asked in batches)

    records, taken = read(), seconds(read)
    return (
        f"{shape.name:<22} {HITS / taken:>8,.0f} hits/s  {records / taken:>8,.0f} records/s  "
        f"{taken / seconds(parse):5.1f} times the bare parse"
    )


def main() -> None:
    """Print a line for each shape."""
    for shape in SHAPES:
        print(measure(shape))
    print(f"(limit: {LIMIT:,} hits/s)")


if __name__ == "__main__":
    main()
