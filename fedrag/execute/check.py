"""Is a service up: one cheap call, past the cache, and the state it ended in."""

from __future__ import annotations

import time

from fedrag.datamodel import ServiceReport, ServiceState
from fedrag.errors import ServiceError
from fedrag.metakg import Service
from fedrag.net import Caller

__all__ = ["check_service"]

# The entity services have no meta-knowledge graph; one short look-up each.
_LOOKUPS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "nameres": ("/lookup", (("string", "aspirin"), ("limit", "1"))),
    "nodenorm": ("/get_normalized_nodes", (("curie", "MESH:D014867"),)),
}


async def check_service(service: Service, caller: Caller) -> ServiceReport:
    """Call a service once. Nothing is raised: a failure is the state of the report."""
    path, query = _LOOKUPS.get(service.name, (service.meta_path, ()))
    if path is None:
        return _report(service, "skipped", "it has nothing cheap to ask", 0.0)
    start = time.perf_counter()
    try:
        reply = await caller.send(service.endpoint, "GET", path, query=query, store=False)
        reply.json()
    except ServiceError as error:
        return _report(service, error.state, error.message, time.perf_counter() - start)
    return _report(service, "ok", "", time.perf_counter() - start)


def _report(service: Service, state: ServiceState, reason: str, seconds: float) -> ServiceReport:
    return ServiceReport(
        service.name,
        state,
        reason,
        title=service.title,
        role=service.role,
        seconds=round(seconds, 3),
    )
