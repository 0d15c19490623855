"""Human gene symbols by UniProt accession: from a table, or from MyGene.info.

A table is ``accession<TAB>symbol``, or HGNC's: the complete set, or a custom download, whose
columns are headed otherwise. What else a table tells of a gene (HGNC and NCBI identifiers,
aliases) is kept; what it does not tell comes from the HGNC entries that ship.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedrag.errors import BadPayloadError, ConfigError, UnavailableError
from fedrag.testing.tables import load_identifiers

if TYPE_CHECKING:
    from fedrag.session import Session

__all__ = ["Gene", "Symbols", "fetch_symbols", "load_symbols", "read_symbols"]

HUMAN = 9606
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
    """

    genes: Mapping[str, Gene]
    source: str
    sha256: str = ""

    @property
    def by_accession(self) -> dict[str, str]:
        """The symbols alone."""
        return {accession: gene.symbol for accession, gene in self.genes.items()}


def load_symbols(path: Path) -> Symbols:
    """The symbols of a table.

    :raises ConfigError: it cannot be read, or its header is of neither kind.
    """
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", hint=_HINT) from error
    genes, kind = read_symbols(text, str(path))
    return Symbols(genes, f"{kind} {path.name}", hashlib.sha256(content).hexdigest())


def read_symbols(text: str, path: str = "the table") -> tuple[dict[str, Gene], str]:
    """The genes of a table's text by accession, and what kind of table it is.

    An accession that a table gives two genes has the first one.

    :raises ConfigError: a header of neither kind, or a table without any accession.

    >>> read_symbols("accession\\tsymbol\\nP10721\\tKIT\\n")[0]["P10721"].symbol
    'KIT'
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
    except csv.Error as error:
        raise ConfigError(f"{path} is no table: {error}", hint=_HINT) from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    header = rows[0] if rows else []
    places = _places(header)
    if {"hgnc", "symbol", "uniprot"} <= places.keys():
        genes, kind = _hgnc(rows[1:], places), "the HGNC table"
    elif {"accession", "symbol"} <= places.keys():
        genes, kind = _pairs(rows[1:], places), "the table"
    elif len(header) == 2 and _ACCESSION.fullmatch(header[0].strip()):
        genes, kind = _pairs(rows, {"accession": 0, "symbol": 1}), "the table"
    else:
        shown = ", ".join(cell.strip() for cell in header[:6])[:120] or "nothing"
        raise ConfigError(f"{path} is no table of gene symbols: it begins with {shown}", hint=_HINT)
    if not genes:
        raise ConfigError(f"{path} gives no UniProt accession a symbol", hint=_HINT)
    return genes, kind


def _places(header: Sequence[str]) -> dict[str, int]:
    """Where each column is that is known by one of its headings."""
    at = {cell.strip().casefold(): place for place, cell in enumerate(header)}
    found = {}
    for column, headings in _COLUMNS.items():
        known = [at[heading] for heading in headings if heading in at]
        if known:
            found[column] = known[0]
    return found


def _pairs(rows: Iterable[Sequence[str]], places: Mapping[str, int]) -> dict[str, Gene]:
    genes: dict[str, Gene] = {}
    for row in rows:
        accession, symbol = (_cell(row, places, column) for column in ("accession", "symbol"))
        if accession and symbol:
            genes.setdefault(accession, Gene(symbol))
    return genes


def _hgnc(rows: Iterable[Sequence[str]], places: Mapping[str, int]) -> dict[str, Gene]:
    genes: dict[str, Gene] = {}
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
                genes.setdefault(accession, gene)
    return genes


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


@cache
def _shipped() -> Mapping[str, list[Any]]:
    genes: Mapping[str, list[Any]] = load_identifiers()["genes"]
    return genes


# --- MyGene.info ----------------------------------------------------------------------------------


async def fetch_symbols(session: Session, accessions: Iterable[str]) -> Symbols:
    """Human gene symbols as MyGene.info gives them, through the session's cache, pace and replay.

    :raises ServiceError: it is off, offline and not cached, or did not answer as it should.
    :raises OfflineError: a replay that does not hold a call.
    """
    service = session.service("mygene")
    if not service.enabled:
        raise UnavailableError(f"mygene is off: {service.why_off}", service=service.name)
    caller = session.net.caller_for(deadline=session.settings.deadline)
    genes: dict[str, Gene] = {}
    for batch in _batches(sorted(set(accessions)), service.batch_size or 100):
        body = {
            "q": batch,
            "scopes": "uniprot",
            "fields": "symbol,taxid,HGNC,entrezgene",
            "species": "human",
        }
        reply = await caller.send(service.endpoint, "POST", "/query", json=body)
        try:
            hits = _hits(reply.json(), service.name)
        except BadPayloadError:
            caller.discard(reply, service.endpoint)
            raise
        for hit in hits:
            if hit.get("symbol") and hit.get("taxid", HUMAN) == HUMAN:
                genes.setdefault(str(hit.get("query")), _gene(hit))
    return Symbols(genes, "MyGene.info")


def _batches(items: Sequence[str], size: int) -> Iterator[list[str]]:
    return (list(items[start : start + size]) for start in range(0, len(items), size))


def _hits(payload: Any, service: str) -> list[dict[str, Any]]:
    if isinstance(payload, list) and all(isinstance(hit, dict) for hit in payload):
        return payload
    raise BadPayloadError(f"{service} answered no list of hits to /query", service=service)


def _gene(hit: Mapping[str, Any]) -> Gene:
    hgnc, ncbi = str(hit.get("HGNC") or ""), str(hit.get("entrezgene") or "")
    return Gene(
        str(hit["symbol"]),
        f"HGNC:{hgnc.removeprefix('HGNC:')}" if hgnc else "",
        f"NCBIGene:{ncbi}" if ncbi else "",
    )
