"""A query of a BioThings service, for what variants are called there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fedrag.errors import BadPayloadError

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["find"]


async def find(
    caller: Caller, endpoint: Endpoint, query: str, fields: str, **more: str
) -> list[dict[str, Any]]:
    """The hits of a query; what is no object among them is left out.

    :raises ServiceError: the call failed, or its answer is none.
    """
    pairs = (("q", query), ("fields", fields), *more.items())
    reply = await caller.send(endpoint, "GET", "/query", query=pairs)
    try:
        payload = reply.json()
        hits = payload.get("hits") if isinstance(payload, dict) else None
        if not isinstance(hits, list):
            service = endpoint.service
            raise BadPayloadError(f"{service} answered no hits to /query", service=service)
    except BadPayloadError:
        caller.discard(reply, endpoint)
        raise
    return [hit for hit in hits if isinstance(hit, dict)]
