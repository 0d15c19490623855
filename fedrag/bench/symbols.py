"""Human gene symbols by UniProt accession, from a table (:mod:`fedrag.bench.mygene` asks for them).

A table is ``accession<TAB>symbol``, or HGNC's: the complete set, or a custom download, whose
columns are headed otherwise. What else a table tells of a gene (HGNC and NCBI identifiers,
aliases) is kept; what it does not tell comes from the HGNC entries that ship.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from fedrag.errors import ConfigError
from fedrag.testing.tables import load_identifiers

__all__ = ["Gene", "Genes", "Symbols", "human_symbol", "load_symbols", "read_symbols"]

_ACCESSION = re.compile(
    r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}", re.ASCII
)
# What the columns are called: in HGNC's complete set, in its custom downloads, in a plain table.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "accession": ("accession", "uniprot", "uniprot accession", "uniprot_accession", "entry"),
    "symbol": ("symbol", "approved symbol", "gene symbol", "gene_symbol"),
    "hgnc": ("hgnc_id", "hgnc id"),
    "name": ("name", "approved name"),
    "status": ("status",),
    "aliases": ("alias_symbol", "alias symbols"),
    "previous": ("prev_symbol", "previous symbols"),
    "ncbi": ("entrez_id", "ncbi gene id(supplied by ncbi)", "ncbi gene id"),
    "uniprot": ("uniprot_ids", "uniprot id(supplied by uniprot)", "uniprot accession"),
}
_HINT = "give `accession<TAB>symbol` with that header, or HGNC's complete set"


@dataclass(frozen=True, slots=True)
class Gene:
    """A human gene. ``hgnc`` and ``ncbi`` are CURIEs, "" where unknown."""

    symbol: str
    hgnc: str = ""
    ncbi: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbols:
    """Genes by UniProt accession.

    :ivar source: where they are from, in words.
    :ivar sha256: of the table; "" for MyGene.info.
    :ivar several: accessions that it gives several symbols, with these; the first counts.
    """

    genes: Mapping[str, Gene]
    source: str
    sha256: str = ""
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def by_accession(self) -> dict[str, str]:
        """The symbols alone."""
        return {accession: gene.symbol for accession, gene in self.genes.items()}

    def without(self, accessions: Iterable[str]) -> list[str]:
        """Those of the accessions that have no symbol, in their order.

        >>> Symbols({"P10721": Gene("KIT")}, "a test").without(["P10721", "P35354"])
        ['P35354']
        """
        return [accession for accession in accessions if accession not in self.genes]


def load_symbols(path: Path) -> Symbols:
    """The symbols of a table.

    :raises ConfigError: it cannot be read, or its header is of neither kind.
    """
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", hint=_HINT) from error
    table, kind = _table(text, str(path))
    digest = hashlib.sha256(content).hexdigest()
    return Symbols(table.genes, f"{kind} {path.name}", digest, table.several)


def read_symbols(text: str, path: str = "the table") -> tuple[dict[str, Gene], str]:
    """The genes of a table's text by accession, and what kind of table it is.

    An accession that a table gives two genes has the first one.

    :raises ConfigError: a header of neither kind, or a table without any accession.

    >>> read_symbols("accession\\tsymbol\\nP10721\\tKIT\\n")[0]["P10721"].symbol
    'KIT'
    """
    table, kind = _table(text, path)
    return table.genes, kind


class Genes:
    """Genes as they are read; of an accession the first one counts."""

    def __init__(self) -> None:
        self.genes: dict[str, Gene] = {}
        self.several: dict[str, tuple[str, ...]] = {}

    def add(self, accession: str, gene: Gene) -> None:
        """A gene of an accession; ``several`` tells where it is not the first."""
        first = self.genes.setdefault(accession, gene)
        known = self.several.get(accession, (first.symbol,))
        if gene.symbol not in known:
            self.several[accession] = (*known, gene.symbol)


def _table(text: str, path: str) -> tuple[Genes, str]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
    except csv.Error as error:
        raise ConfigError(f"{path} is no table: {error}", hint=_HINT) from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    header = rows[0] if rows else []
    places = _places(header)
    if {"hgnc", "symbol", "uniprot"} <= places.keys():
        table, kind = _hgnc(rows[1:], places), "the HGNC table"
    elif {"accession", "symbol"} <= places.keys():
        table, kind = _pairs(rows[1:], places), "the table"
    elif len(header) == 2 and _ACCESSION.fullmatch(header[0].strip()):
        table, kind = _pairs(rows, {"accession": 0, "symbol": 1}), "the table"
    else:
        shown = ", ".join(cell.strip() for cell in header[:6])[:120] or "nothing"
        raise ConfigError(f"{path} is no table of gene symbols: it begins with {shown}", hint=_HINT)
    if not table.genes:
        raise ConfigError(f"{path} gives no UniProt accession a symbol", hint=_HINT)
    return table, kind


def _places(header: Sequence[str]) -> dict[str, int]:
    """Where each column is that is known by one of its headings."""
    at = {cell.strip().casefold(): place for place, cell in enumerate(header)}
    found = {}
    for column, headings in _COLUMNS.items():
        known = [at[heading] for heading in headings if heading in at]
        if known:
            found[column] = known[0]
    return found


def _pairs(rows: Iterable[Sequence[str]], places: Mapping[str, int]) -> Genes:
    found = Genes()
    for row in rows:
        accession, symbol = (_cell(row, places, column) for column in ("accession", "symbol"))
        if accession and symbol:
            found.add(accession, Gene(symbol))
    return found


def _hgnc(rows: Iterable[Sequence[str]], places: Mapping[str, int]) -> Genes:
    found = Genes()
    for row in rows:
        cells = {column: _cell(row, places, column) for column in places}
        if not cells["symbol"] or cells.get("status", "Approved") != "Approved":
            continue
        aliases = (*_several(cells.get("aliases", "")), *_several(cells.get("previous", "")))
        gene = Gene(
            cells["symbol"],
            cells["hgnc"],
            f"NCBIGene:{cells['ncbi']}" if cells.get("ncbi") else "",
            cells.get("name", ""),
            tuple(dict.fromkeys(aliases)),
        )
        for accession in re.split(r"[|,\s]+", cells["uniprot"]):
            if accession:
                found.add(accession, gene)
    return found


def _cell(row: Sequence[str], places: Mapping[str, int], column: str) -> str:
    place = places[column]
    return row[place].strip() if place < len(row) else ""


def _several(cell: str) -> list[str]:
    return [part.strip() for part in re.split(r"\||,\s", cell) if part.strip()]


def completed(accession: str, gene: Gene) -> Gene:
    """The gene with what the HGNC entries that ship know of its protein.

    >>> completed("P10721", Gene("KIT")).hgnc
    'HGNC:6342'
    """
    entry = _shipped().get(accession)
    if entry is None:
        return gene
    hgnc, symbol, name, ncbi, _, aliases = entry
    known = dict.fromkeys((*gene.aliases, symbol, *aliases))
    return replace(
        gene,
        hgnc=gene.hgnc or hgnc,
        ncbi=gene.ncbi or (f"NCBIGene:{ncbi}" if ncbi else ""),
        name=gene.name or name,
        aliases=tuple(alias for alias in known if alias != gene.symbol),
    )


def human_symbol(accession: str) -> str | None:
    """The symbol in the HGNC entries that ship, of the proteins that DrugMechDB names.

    >>> human_symbol("P10721"), human_symbol("P00000")
    ('KIT', None)
    """
    entry = _shipped().get(accession)
    return str(entry[1]) if entry else None


@cache
def _shipped() -> Mapping[str, list[Any]]:
    genes: Mapping[str, list[Any]] = load_identifiers()["genes"]
    return genes
