"""MyVariant.info, as far as naming goes: which genomic variant a protein change or an rsID is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedrag.entities.biothings import find
from fedrag.entities.variant_change import protein_change

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["Hit", "by_identifier", "by_protein_change"]

_FIELDS = "_id,clingen.caid,clinvar.gene.symbol,dbnsfp.genename,dbnsfp.hgvsp,dbsnp.rsid"
_MOST = 10
# Where MyVariant.info keeps what kind of identifier.
_AT = {
    "DBSNP": "dbsnp.rsid",
    "CAID": "clingen.caid",
    "c.": "clinvar.hgvs.coding",
    "g.": "clinvar.hgvs.genomic",
    "p.": "clinvar.hgvs.protein",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """One genomic variant. ``changes`` are its protein changes on all transcripts (``V600E``)."""

    id: str  # chr7:g.140453136A>T, on GRCh37
    rsid: str | None = None
    allele: str | None = None
    genes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Its CURIEs, the one that names exactly this allele first."""
        allele = (f"CAID:{self.allele}",) if self.allele else ()
        known = (f"DBSNP:{self.rsid}",) if self.rsid else ()
        return (*allele, *known, f"HGVS:{self.id}")


async def by_protein_change(
    caller: Caller, endpoint: Endpoint, gene: str, change: str
) -> list[Hit]:
    """The genomic variants that make this change in a gene's protein, on some transcript.

    :raises ServiceError: the call failed.
    """
    query = f'dbnsfp.genename:{gene} AND dbnsfp.hgvsp:"p.{change}"'
    hits = await _query(caller, endpoint, query)
    return [hit for hit in hits if gene in hit.genes and change in hit.changes]


async def by_identifier(caller: Caller, endpoint: Endpoint, curie: str) -> list[Hit]:
    """The genomic variants of an rsID, ClinGen allele or HGVS expression.

    :raises ServiceError: the call failed.
    """
    prefix, _, local = curie.partition(":")
    if local.startswith("chr"):
        return await _query(caller, endpoint, f'_id:"{local}"')
    field = _AT.get(prefix) or _AT.get(local.partition(":")[2][:2])
    return await _query(caller, endpoint, f'{field}:"{local}"') if field else []


async def _query(caller: Caller, endpoint: Endpoint, query: str) -> list[Hit]:
    return list(_read(await find(caller, endpoint, query, _FIELDS, size=str(_MOST))))


def _read(hits: list[dict[str, Any]]) -> Iterator[Hit]:
    for hit in hits:
        name = hit.get("_id")
        if not isinstance(name, str):
            continue
        said = (protein_change(text) for text in _at(hit, "dbnsfp", "hgvsp"))
        genes = [*_at(hit, "dbnsfp", "genename"), *_at(hit, "clinvar", "gene", "symbol")]
        yield Hit(
            id=name,
            rsid=next(iter(_at(hit, "dbsnp", "rsid")), None),
            allele=next(iter(_at(hit, "clingen", "caid")), None),
            genes=tuple(dict.fromkeys(genes)),
            changes=tuple(dict.fromkeys(change for change in said if change)),
        )


def _at(value: Any, *path: str) -> list[str]:
    """The texts at a path; BioThings answers hold a value or a list at any step."""
    found = [value]
    for step in path:
        inner = [one.get(step) for one in found if isinstance(one, Mapping)]
        found = [x for one in inner for x in (one if isinstance(one, list) else [one])]
    return [one for one in found if isinstance(one, str)]
