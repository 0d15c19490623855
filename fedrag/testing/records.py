"""DrugMechDB's records become facts: each record's links, and one ``treats``; nothing else.

A statement that several records make is one statement with several records behind it. Names are
the records' own, the most frequent first; only genes bear their HGNC symbol instead. A protein
without an HGNC entry keeps its UniProt accession and no taxon, since the records state none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import ConfigError
from fedrag.testing.curie import curie_of
from fedrag.testing.drugs import drug_ids, match_drugs
from fedrag.testing.facts import FactBook, Statement
from fedrag.testing.nodes import Nodes, unique
from fedrag.testing.relations import Qualifiers, relation
from fedrag.testing.tables import Wanted, load_identifiers, normal, uninverted
from fedrag.testing.tally import Record, tally_of

__all__ = ["read_records", "to_facts", "wanted_of"]

_CHEMICAL_LABELS = frozenset(("Drug", "ChemicalSubstance"))
_CHEMICALS = frozenset(("biolink:SmallMolecule", "biolink:ChemicalEntity"))


def read_records(path: Path) -> list[Record]:
    """The records of a DrugMechDB ``indication_paths.json``.

    :raises ConfigError: the file is missing, or is not a list of records.
    """
    try:
        content = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise ConfigError(
            f"cannot read {path}: {error}", hint="give DrugMechDB's indication_paths.json"
        ) from error
    if not isinstance(content, list) or not all("nodes" in record for record in content):
        raise ConfigError(f"{path} is not DrugMechDB's indication_paths.json")
    return content


def wanted_of(records: Sequence[Record]) -> Wanted:
    """What the identifier tables must say for these records."""
    tally = tally_of(records)
    by_label: dict[str, set[str]] = defaultdict(set)
    for curie, labels in tally.labels.items():
        for label in labels:
            by_label[label].add(curie)
    mesh = {curie for curie in by_label["Disease"] if curie.startswith("MESH:")}
    return Wanted(
        frozenset(c.removeprefix("UniProtKB:") for c in by_label["Protein"]),
        frozenset(by_label["Drug"]),
        {
            curie: frozenset(map(normal, tally.names[curie]))
            | frozenset(map(uninverted, tally.names[curie]))
            for curie in mesh
        },
        frozenset(c for c in tally.labels if tally.label(c) in _CHEMICAL_LABELS) | _banks(records),
    )


def _banks(records: Iterable[Record]) -> set[str]:
    return {bank for record in records if (bank := drug_ids(record)[1])}


def to_facts(records: Sequence[Record], identifiers: Mapping[str, Any] | None = None) -> FactBook:
    """The fact book of these records.

    :param identifiers: the content of ``identifiers.json``; the shipped one when not given.
    :raises ConfigError: a relation without a Biolink reading.
    """
    tables = load_identifiers() if identifiers is None else identifiers
    nodes = Nodes(tally_of(records), match_drugs(records), tables)
    made: dict[tuple[str, str, str, Qualifiers], dict[str, None]] = defaultdict(dict)
    for record in records:
        for said in _said(record, nodes):
            made[said][record["graph"]["_id"]] = None
    statements = tuple(Statement(*said, records=tuple(names)) for said, names in made.items())
    urls = {r["graph"]["_id"]: unique(r.get("references") or ()) for r in records}
    return FactBook(nodes.found, statements, urls)


def _said(record: Record, nodes: Nodes) -> Iterable[tuple[str, str, str, Qualifiers]]:
    listed, bank = drug_ids(record)
    drug = listed[0] if listed else bank
    if drug:
        disease = curie_of(record["graph"]["disease_mesh"])
        yield nodes.canonical(drug), "biolink:treats", nodes.canonical(disease), ()
    for link in record["links"]:
        source, target = (nodes.canonical(curie_of(link[end])) for end in ("source", "target"))
        meant = relation(link["key"], record=record["graph"]["_id"])
        chemical = nodes.found[source].categories[0] in _CHEMICALS
        predicate, qualifiers = meant.reading(chemical_source=chemical)
        ends = (target, source) if meant.swap else (source, target)
        if source != target:
            yield ends[0], predicate, ends[1], qualifiers
