"""Human gene symbols by UniProt accession, from MyGene.info."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fedrag.bench.symbols import Gene, Genes, Symbols
from fedrag.errors import BadPayloadError, UnavailableError

if TYPE_CHECKING:
    from fedrag.session import Session

__all__ = ["fetch_symbols"]

HUMAN = 9606


async def fetch_symbols(session: Session, accessions: Iterable[str]) -> Symbols:
    """Human gene symbols as MyGene.info gives them, through the session's cache, pace and replay.

    :raises ServiceError: it is off, offline and not cached, or did not answer as it should.
    :raises OfflineError: a replay that does not hold a call.
    """
    service = session.service("mygene")
    if not service.enabled:
        raise UnavailableError(f"mygene is off: {service.why_off}", service=service.name)
    caller = session.net.caller_for(deadline=session.settings.deadline)
    found = Genes()
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
                found.add(str(hit.get("query")), _gene(hit))
    return Symbols(found.genes, "MyGene.info", several=found.several)


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
