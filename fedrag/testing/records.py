"""DrugMechDB's records become facts: each record's links, and one ``treats``; nothing else.

A statement that several records make is one statement with several records behind it. Names are
the records' own, the most frequent first; only genes bear their HGNC symbol instead. A protein
without an HGNC entry keeps its UniProt accession and no taxon, since the records state none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import ConfigError
from fedrag.testing.curie import curie_of
from fedrag.testing.drugs import Drugs, drug_ids, match_drugs
from fedrag.testing.facts import FactBook, FactNode, Statement
from fedrag.testing.relations import Qualifiers, relation
from fedrag.testing.tables import Wanted, load_identifiers, normal, uninverted

__all__ = ["read_records", "to_facts", "wanted_of"]

Record = Mapping[str, Any]

_HUMAN = "NCBITaxon:9606"
_CATEGORIES = {
    "ChemicalSubstance": "ChemicalEntity",
    **{
        name: name
        for name in (
            "Disease",
            "Protein",
            "BiologicalProcess",
            "PhenotypicFeature",
            "OrganismTaxon",
            "GeneFamily",
            "GrossAnatomicalStructure",
            "MolecularActivity",
            "CellularComponent",
            "Pathway",
            "Cell",
            "MacromolecularComplex",
        )
    },
}
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


@dataclass(slots=True)
class _Tally:
    """Names and labels that the corpus gives each identifier, most frequent first."""

    names: dict[str, Counter[str]]
    labels: dict[str, Counter[str]]
    others: dict[str, dict[str, None]]  # alternative identifiers, in order

    def label(self, curie: str) -> str:
        """The most frequent label, the first seen where two are as frequent; "" without any."""
        counted = self.labels.get(curie)
        return counted.most_common(1)[0][0] if counted else ""

    def name(self, curie: str) -> str | None:
        counter = self.names.get(curie)
        return counter.most_common(1)[0][0] if counter else None

    def synonyms(self, curies: Iterable[str]) -> list[str]:
        return [
            name for curie in curies for name, _ in self.names.get(curie, Counter()).most_common()
        ]


def _tally(records: Iterable[Record]) -> _Tally:
    """Counts over a corpus. What a record is about weighs more than one node's label."""
    tally = _Tally(defaultdict(Counter), defaultdict(Counter), defaultdict(dict))
    for record in records:
        graph, (listed, bank) = record["graph"], drug_ids(record)
        for node in record["nodes"]:
            curie = curie_of(node["id"])
            tally.labels[curie][node["label"]] += 1
            for name in (node["name"], *node.get("alt_names", ())):
                tally.names[curie][name.strip()] += 1
            if node["label"] != "Drug":
                tally.others[curie] |= dict.fromkeys(map(curie_of, node.get("alt_ids") or ()))
        drug = (*listed[:1], bank)[0]
        if drug:
            tally.names[drug][graph["drug"].strip()] += 1
            tally.labels[drug]["Drug"] += 2
        disease = curie_of(graph["disease_mesh"])
        tally.names[disease][graph["disease"].strip()] += 1
        tally.labels[disease]["Disease"] += 2
    return tally


def wanted_of(records: Sequence[Record]) -> Wanted:
    """What the identifier tables must say for these records."""
    tally = _tally(records)
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
    )


class _Nodes:
    """Makes the node of each identifier once, in the order the records name them."""

    def __init__(self, tally: _Tally, drugs: Drugs, identifiers: Mapping[str, Any]) -> None:
        self._tally, self._drugs = tally, drugs
        self._genes: Mapping[str, list[Any]] = identifiers["genes"]
        self._diseases: Mapping[str, Mapping[str, Any]] = identifiers["diseases"]
        self._biologics = frozenset(identifiers["biologics"])
        self._mesh_of = {bank: mesh for mesh, bank in drugs.same.items()}
        self._by_curie: dict[str, str] = {}
        self._accessions: dict[str, list[str]] = defaultdict(list)
        for curie in tally.labels:
            if entry := self._genes.get(curie.removeprefix("UniProtKB:")):
                self._accessions[entry[0]].append(curie)
        self._meshes: dict[str, list[str]] = defaultdict(list)
        for mesh, term in self._diseases.items():
            self._meshes[term["id"]].append(mesh)
        self.found: dict[str, FactNode] = {}

    def canonical(self, curie: str) -> str:
        """The canonical CURIE of an identifier; its node is made when it is new."""
        known = self._by_curie.get(curie)
        if known is None:
            node = self._make(curie)
            self.found.setdefault(node.curie, node)
            self._by_curie |= dict.fromkeys((curie, *node.curies), node.curie)
            if node.group and node.group not in self.found:
                self.canonical(node.group)
            known = node.curie
        return known

    def _make(self, curie: str) -> FactNode:
        label = self._tally.label(curie)
        if entry := self._genes.get(curie.removeprefix("UniProtKB:")):
            return self._gene(entry)
        if label in ("Drug", "ChemicalSubstance", ""):
            return self._chemical(curie)
        if label == "Disease" and curie in self._diseases:
            return self._disease(self._diseases[curie])
        return self._plain(curie, f"biolink:{_CATEGORIES[label]}")

    def _plain(self, curie: str, category: str, *, group: str | None = None) -> FactNode:
        curies = (curie, *self._tally.others.get(curie, ()))
        return self._node(curies, (category,), group)

    def _node(
        self, curies: Sequence[str], categories: tuple[str, ...], group: str | None
    ) -> FactNode:
        names = self._tally.synonyms(curies)
        identifiers = tuple((curie, self._tally.name(curie)) for curie in curies)
        name = names[0] if names else curies[0]
        return FactNode(curies[0], name, categories, identifiers, (), _unique(names), (), group)

    def _chemical(self, curie: str) -> FactNode:
        """Canonical is DrugBank before MeSH, as Biolink orders a chemical's prefixes."""
        mesh = self._mesh_of.get(curie, curie)
        bank = self._drugs.same.get(mesh)
        curies = [bank, mesh] if bank else [curie]
        labels = [self._tally.labels.get(one, Counter()) for one in curies]
        drug = any(label["Drug"] for label in labels)
        small = drug and any(c.startswith(("MESH:", "CHEBI:")) for c in curies)
        biologic = self._biologics.intersection(curies)
        leaf = "SmallMolecule" if small and not biologic else "ChemicalEntity"
        return self._node(curies, (f"biolink:{leaf}",), self._group(mesh))

    def _group(self, mesh: str) -> str | None:
        lead = self._drugs.salt_of.get(mesh, mesh)
        if lead == mesh and mesh not in self._drugs.salt_of.values():
            return None
        return self._drugs.same.get(lead, lead)

    def _gene(self, entry: list[Any]) -> FactNode:
        hgnc, symbol, name, entrez, ensembl, aliases = entry
        proteins = tuple((c, self._tally.name(c)) for c in self._accessions[hgnc])
        ids = [(f"NCBIGene:{entrez}", symbol)] if entrez else []
        ids += [(f"ENSEMBL:{ensembl}", None)] if ensembl else []
        ids.append((hgnc, symbol))
        spoken = self._tally.synonyms(curie for curie, _ in proteins)
        return FactNode(
            ids[0][0],
            symbol,
            ("biolink:Gene", "biolink:Protein"),
            tuple(ids),
            proteins,
            _unique((symbol, name, *aliases, *spoken)),
            (_HUMAN,),
        )

    def _disease(self, term: Mapping[str, Any]) -> FactNode:
        meshes = self._meshes[term["id"]]
        named = [(mesh, self._tally.name(mesh)) for mesh in meshes]
        others = [(curie, None) for curie in term["xrefs"]]
        spoken = self._tally.synonyms(meshes)
        return FactNode(
            term["id"],
            spoken[0],
            ("biolink:Disease",),
            ((term["id"], term["name"]), *named, *others),
            (),
            _unique((*spoken, term["name"], *term["syn"])),
        )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def to_facts(records: Sequence[Record], identifiers: Mapping[str, Any] | None = None) -> FactBook:
    """The fact book of these records.

    :param identifiers: the content of ``identifiers.json``; the shipped one when not given.
    :raises ConfigError: a relation without a Biolink reading.
    """
    tables = load_identifiers() if identifiers is None else identifiers
    nodes = _Nodes(_tally(records), match_drugs(records), tables)
    made: dict[tuple[str, str, str, Qualifiers], dict[str, None]] = defaultdict(dict)
    for record in records:
        for said in _said(record, nodes):
            made[said][record["graph"]["_id"]] = None
    statements = tuple(Statement(*said, records=tuple(names)) for said, names in made.items())
    urls = {r["graph"]["_id"]: _unique(r.get("references") or ()) for r in records}
    return FactBook(nodes.found, statements, urls)


def _said(record: Record, nodes: _Nodes) -> Iterable[tuple[str, str, str, Qualifiers]]:
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
