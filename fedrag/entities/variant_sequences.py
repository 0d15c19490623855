"""MyGene.info, as far as naming goes: of which gene a transcript or protein sequence is.

CIViC keeps HGVS descriptions but cannot be asked for one; with the gene, its variants can be
compared. Asked only for HGVS on a sequence whose gene the question does not tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fedrag.entities.biothings import find

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["genes_of_sequence"]

# Where MyGene.info keeps what kind of accession (without its version).
_AT = {
    "NM_": "refseq.rna",
    "NR_": "refseq.rna",
    "XM_": "refseq.rna",
    "XR_": "refseq.rna",
    "NP_": "refseq.protein",
    "XP_": "refseq.protein",
    "ENST": "ensembl.transcript",
    "ENSP": "ensembl.protein",
}


async def genes_of_sequence(
    caller: Caller, endpoint: Endpoint, accession: str
) -> list[tuple[str, str]]:
    """(symbol, CURIE) of the human genes that have the sequence; none for a chromosome's.

    :raises ServiceError: the call failed.
    """
    field = next((at for prefix, at in _AT.items() if accession.startswith(prefix)), None)
    if field is None:
        return []
    query = f"{field}:{accession.partition('.')[0]}"
    hits = await find(caller, endpoint, query, "symbol,entrezgene", species="human", size="3")
    told = [(hit.get("symbol"), hit.get("entrezgene")) for hit in hits]
    return [(symbol, f"NCBIGene:{gene}") for symbol, gene in told if symbol and gene]
