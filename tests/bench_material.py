"""What the tests of the question sets share: small records, and the symbols that ship."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from fedrag.testing.tables import load_identifiers

Node = tuple[str, str, str]  # identifier, label, name

DRUG: Node = ("MESH:D1", "Drug", "drugine")
PROTEIN: Node = ("UniProt:P10721", "Protein", "c-Kit")
PROCESS: Node = ("GO:0000001", "BiologicalProcess", "growth")
CHEMICAL: Node = ("CHEBI:1", "ChemicalSubstance", "acid")
DISEASE: Node = ("MESH:D9", "Disease", "badness")


def record(
    name: str,
    nodes: Sequence[Node],
    *,
    bank: str | None = "DB:DB00001",
    drug: str = "drugine",
    links: Sequence[tuple[str, str, str]] | None = None,
) -> dict[str, Any]:
    """A record; without links its nodes are one chain."""
    ids = [node[0] for node in nodes]
    chain = [(a, "affects", b) for a, b in pairwise(ids)]
    return {
        "graph": {
            "_id": name,
            "disease": "badness",
            "disease_mesh": ids[-1],
            "drug": drug,
            "drug_mesh": "MESH:D1",
            "drugbank": bank,
        },
        "nodes": [dict(zip(("id", "label", "name"), node, strict=True)) for node in nodes],
        "links": [{"source": a, "key": key, "target": b} for a, key, b in links or chain],
    }


def written(folder: Path, records: Any) -> Path:
    """The records as a file."""
    path = folder / "indication_paths.json"
    path.write_bytes(orjson.dumps(records))
    return path


def shipped_symbols(*, unreviewed: bool = False) -> str:
    """The symbols of all HGNC genes in DrugMechDB as a table: the shipped ones, and one more.

    The shipped identifiers leave out SLC6A1, which the only record that names it calls a family.

    :param unreviewed: with the accession that HGNC does not list, and MyGene.info knew.
    """
    rows = {accession: entry[1] for accession, entry in load_identifiers()["genes"].items()}
    rows["P30531"] = "SLC6A1"
    if unreviewed:
        rows["B4DP61"] = "SMN1"
    lines = [f"{accession}\t{symbol}\n" for accession, symbol in rows.items()]
    return "".join(["accession\tsymbol\n", *lines])
