"""What TRAPI services say they hold: ``GET /meta_knowledge_graph`` of each, all at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from fedrag.errors import ServiceError
from fedrag.metakg.document import Service
from fedrag.metakg.graph import MetaEdge, MetaKG
from fedrag.net import Caller
from fedrag.trapi import MetaTriple, read_meta_knowledge_graph

__all__ = ["read_metakg"]

# Planning must not wait for a service that is better just asked: seconds for all these calls
# together, and at most this share of the time the question has left.
_PATIENCE, _SHARE = 15.0, 0.15


async def read_metakg(
    caller: Caller, services: Sequence[Service]
) -> tuple[MetaKG, tuple[str, ...]]:
    """The meta-knowledge graph over the services, and a note for each that could not be read.

    A service that fails here, or takes more than 15 s or 15 % of the time that is left, is asked
    anyway; nothing is raised for it. ``OfflineError`` (a replay that does not hold the call) passes
    through.
    """
    asked = [s for s in services if s.enabled and s.protocol == "trapi" and s.meta_path]
    hurried = caller.within(min(_PATIENCE, _SHARE * caller.remaining()))
    read = await asyncio.gather(*(_read(hurried, service) for service in asked))
    meta_edges: dict[str, tuple[MetaEdge, ...] | None] = {}
    prefixes: dict[str, tuple[str, ...]] = {}
    notes = []
    for service, answer in zip(asked, read, strict=True):
        if isinstance(answer, ServiceError):
            meta_edges[service.name] = None
            notes.append(
                f"the meta-knowledge graph of {service.name} could not be read ({answer.message}), "
                "so it is asked everything"
            )
        else:
            meta_edges[service.name] = answer[0]
            for category, listed in answer[1].items():
                prefixes[category] = tuple(dict.fromkeys((*prefixes.get(category, ()), *listed)))
    return MetaKG(services, meta_edges, prefixes), tuple(notes)


_Read = tuple[tuple[MetaEdge, ...], dict[str, tuple[str, ...]]]  # and prefixes by category
# What services said, by their name and the bytes they sent: every question asks it anew.
_KNOWN: dict[tuple[str, bytes], _Read] = {}
_MOST_KNOWN = 64


async def _read(caller: Caller, service: Service) -> _Read | ServiceError:
    try:
        reply = await caller.send(
            replace(service.endpoint, retries=0), "GET", service.meta_path or ""
        )
    except ServiceError as error:
        return error
    key = (service.name, blake2b(reply.body, digest_size=16).digest())
    if (known := _KNOWN.get(key)) is not None:
        return known
    try:
        triples, prefixes = read_meta_knowledge_graph(reply.json(), service=service.name)
    except ServiceError as error:
        caller.discard(reply, service.endpoint)
        return error
    if len(_KNOWN) >= _MOST_KNOWN:
        _KNOWN.clear()
    _KNOWN[key] = tuple(_meta_edge(triple, service.name) for triple in triples), prefixes
    return _KNOWN[key]


def _meta_edge(triple: MetaTriple, service: str) -> MetaEdge:
    return MetaEdge(
        subject=triple.subject,
        predicate=triple.predicate,
        object=triple.object,
        service=service,
        qualifiers=tuple(
            (kind, value) for kind, values in triple.qualifiers for value in values or ("",)
        ),
    )
