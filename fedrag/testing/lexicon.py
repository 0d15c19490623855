"""All the terms of HGNC, MONDO, ChEBI, GO, HP and MeSH beside a fact book's own nodes.

A term whose identifiers meet a node's adds its names and identifiers to that node; the others
become nodes without statements. Cross-references that the tables state (MONDO to MeSH, MeSH to
ChEBI, ChEBI to DrugBank) make one term of two; a term already taken by another node is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fedrag.testing.facts import FactBook, FactNode, Pair
from fedrag.testing.memory import without_collection
from fedrag.testing.tables import Wheel, accessions, disease_entry, gene_entry

__all__ = ["add_lexicon"]

_HUMAN = "NCBITaxon:9606"
_GO = {
    "biological_process": "BiologicalProcess",
    "molecular_function": "MolecularActivity",
    "cellular_component": "CellularComponent",
}
# MeSH trees that name things people ask about; the others (geography, people, ...) stay out
_TREES = {
    "C": "Disease",
    "D": "ChemicalEntity",
    "A11": "Cell",
    "A": "GrossAnatomicalStructure",
    "B": "OrganismTaxon",
    "F03": "Disease",
    "G": "BiologicalProcess",
}


@dataclass(frozen=True, slots=True)
class _Term:
    ids: tuple[Pair, ...]
    names: tuple[str, ...]
    categories: tuple[str, ...]
    proteins: tuple[Pair, ...] = ()
    taxa: tuple[str, ...] = ()


def add_lexicon(facts: FactBook, wheel: Wheel) -> FactBook:
    """The fact book with the wheel's terms; statements and records are unchanged."""
    with without_collection():
        return FactBook(_merge(facts, wheel), facts.statements, facts.records)


def _merge(facts: FactBook, wheel: Wheel) -> dict[str, FactNode]:
    nodes = dict(facts.nodes)
    owner = {curie: node.curie for node in facts.nodes.values() for curie in node.curies}
    for term in _terms(wheel):
        curies = [curie for curie, _ in (*term.ids, *term.proteins)]
        mine = next((owner[curie] for curie in curies if curie in owner), None)
        if mine is None:
            node = _new(term)
            nodes[node.curie] = node
            mine = node.curie
        else:
            nodes[mine] = _joined(nodes[mine], term, owner)
        for curie in curies:
            owner.setdefault(curie, mine)
    return nodes


def _new(term: _Term) -> FactNode:
    first, label = term.ids[0]
    name = label or term.names[0]
    leaves = tuple(f"biolink:{leaf}" for leaf in term.categories)
    return FactNode(first, name, leaves, term.ids, term.proteins, term.names, term.taxa)


def _joined(node: FactNode, term: _Term, owner: dict[str, str]) -> FactNode:
    """The node with a term's names, and those of its identifiers that nothing else has."""
    free = [pair for pair in (*term.ids, *term.proteins) if owner.get(pair[0]) is None]
    names = tuple(dict.fromkeys((*node.synonyms, *term.names)))
    return replace(node, synonyms=names, identifiers=(*node.identifiers, *free))


def _terms(wheel: Wheel) -> Iterator[_Term]:
    yield from _genes(wheel)
    yield from _diseases(wheel)
    yield from _chemicals(wheel)
    yield from _ontology(wheel, "go.json", "GO")
    yield from _ontology(wheel, "hp.json", "HP")
    yield from _headings(wheel)


def _genes(wheel: Wheel) -> Iterator[_Term]:
    for row in wheel.genes():
        hgnc, symbol, name, entrez, ensembl, aliases = gene_entry(row)
        ids: list[Pair] = [(f"NCBIGene:{entrez}", symbol)] if entrez else []
        ids += [(f"ENSEMBL:{ensembl}", None)] if ensembl else []
        ids.append((hgnc, symbol))
        proteins = tuple((f"UniProtKB:{accession}", None) for accession in accessions(row))
        leaves = ("Gene", "Protein") if proteins else ("Gene",)
        yield _Term(tuple(ids), (symbol, name, *aliases), leaves, proteins, (_HUMAN,))


def _diseases(wheel: Wheel) -> Iterator[_Term]:
    for term in wheel.terms("mondo.json"):
        entry = disease_entry(term)
        meshes = [x["id"] for x in term.get("xrefs", ()) if x["namespace"] == "MESH"]
        ids: list[Pair] = [(entry["id"], entry["name"])]
        ids += [(f"MESH:{mesh}", None) for mesh in meshes]
        ids += [(curie, None) for curie in entry["xrefs"]]
        yield _Term(tuple(ids), (entry["name"], *entry["syn"]), ("Disease",))


def _chemicals(wheel: Wheel) -> Iterator[_Term]:
    meshes = {row[4]: f"MESH:{row[1]}" for row in wheel.rows("mesh_mappings.tsv")}
    banks = {
        f"CHEBI:{row[2].removeprefix('CHEBI:')}": f"DRUGBANK:{row[0]}"
        for row in wheel.rows("drugbank_mappings.tsv")
        if row[1] == "CHEBI"
    }
    for term in wheel.terms("chebi.json"):
        curie = term["id"]
        others = (banks.get(curie), meshes.get(curie))
        ids = ((curie, term["name"]), *((other, None) for other in others if other))
        yield _Term(ids, (term["name"],), ("SmallMolecule",))


def _ontology(wheel: Wheel, table: str, prefix: str) -> Iterator[_Term]:
    for term in wheel.terms(table):
        curie = term["id"] if term["id"].startswith(f"{prefix}:") else f"{prefix}:{term['id']}"
        leaf = _GO.get(term["namespace"], "PhenotypicFeature")
        names = (term["name"], *term.get("synonyms", ()))
        yield _Term(((curie, term["name"]),), names, (leaf,))


def _headings(wheel: Wheel) -> Iterator[_Term]:
    for row in wheel.rows("mesh_id_label_mappings.tsv"):
        leaf = _tree_leaf(row[3].split("|"))
        if leaf is not None:
            names = (row[1], *(name for name in row[2].split("|") if name))
            yield _Term(((f"MESH:{row[0]}", row[1]),), names, (leaf,))


def _tree_leaf(places: Iterable[str]) -> str | None:
    for place in places:
        for tree, leaf in _TREES.items():
            if place.startswith(tree) and not (tree == "A" and place.startswith("A11")):
                return leaf
    return None
