"""Is a service up: one cheap call, past the cache, and the state it ended in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fedrag.datamodel import ServiceState
from fedrag.errors import ServiceError
from fedrag.execute.credentials import credentials_of
from fedrag.metakg import Service
from fedrag.net import Caller, Reply

__all__ = ["ServiceCheck", "check_service"]


@dataclass(frozen=True, slots=True)
class ServiceCheck:
    """How one service answered: ``version`` as it tells it, empty where it does not."""

    service: str
    state: ServiceState
    reason: str = ""
    seconds: float = 0.0
    version: str = ""


async def check_service(service: Service, caller: Caller) -> ServiceCheck:
    """Call a service once. Nothing is raised: a failure is the state of the report."""
    if not service.enabled:
        return ServiceCheck(service.name, "skipped", service.why_off)
    call = service.check_call or ({"path": service.meta_path} if service.meta_path else {})
    if not call:
        return ServiceCheck(service.name, "skipped", "its document names nothing cheap to ask")
    start = time.perf_counter()
    try:
        reply = await _asked(service, call, caller)
        told = reply.json()
    except ServiceError as error:
        spent = round(time.perf_counter() - start, 3)
        return ServiceCheck(service.name, error.state, str(error), spent)
    spent = round(time.perf_counter() - start, 3)
    return ServiceCheck(service.name, "ok", "", spent, _version(told, call))


async def _asked(service: Service, call: Mapping[str, Any], caller: Caller) -> Reply:
    query = [(str(name), str(value)) for name, value in call.get("parameters", {}).items()]
    body = call.get("body")
    form: list[tuple[str, str]] | None = None
    if isinstance(body, Mapping) and call.get("body_type") == "form":
        form = [(str(name), str(value)) for name, value in body.items()]
    return await caller.send(
        service.endpoint,
        str(call.get("method", "get")).upper(),
        str(call["path"]),
        query=query,
        json=None if form is not None else body,
        form=form,
        credentials=credentials_of(service),
        store=False,
    )


def _version(told: Any, call: Mapping[str, Any]) -> str:
    """What stands where the document says that the version is."""
    path = str(call.get("version", ""))
    for step in path.split(".") if path != "." else ():
        if isinstance(told, list) and told:
            told = told[0]
        told = told.get(step) if isinstance(told, dict) else None
    return str(told) if isinstance(told, str | int | float) else ""
