"""Is a service up: one cheap call, past the cache, made once, and the state it ended in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fedrag.datamodel import ServiceState
from fedrag.errors import OfflineError, ServiceError
from fedrag.execute.credentials import credentials_of
from fedrag.metakg import Service
from fedrag.net import Caller, Reply

__all__ = ["ServiceCheck", "check_service"]


_LONGEST = 10.0  # seconds: who answers later is told as one that does not
_QUEUED = 1.0  # more, for its turn and the rest of an answer that has begun


@dataclass(frozen=True, slots=True)
class ServiceCheck:
    """How one service answered: ``version`` as it tells it, empty where it does not.

    The ``reason`` of one that is ``ok`` says what the call did not test.
    """

    service: str
    state: ServiceState
    reason: str = ""
    seconds: float = 0.0
    version: str = ""


async def check_service(service: Service, caller: Caller) -> ServiceCheck:
    """Call a service once; after ten seconds it is told as one that does not answer.

    Nothing is raised: a failure is the state of the report.
    """
    if not service.enabled:
        return ServiceCheck(service.name, "skipped", service.why_off)
    call = service.check_call or ({"path": service.meta_path} if service.meta_path else {})
    if not call:
        return ServiceCheck(service.name, "skipped", "its document names nothing cheap to ask")
    start = time.perf_counter()
    try:
        reply = await _asked(service, call, caller.within(_LONGEST + _QUEUED))
        told = reply.json()
    except ServiceError as error:
        spent = round(time.perf_counter() - start, 3)
        return ServiceCheck(service.name, error.state, str(error), spent)
    except OfflineError as error:
        return ServiceCheck(service.name, "skipped", error.message)
    spent = round(time.perf_counter() - start, 3)
    return ServiceCheck(service.name, "ok", _untested(service, call), spent, _version(told, call))


def _untested(service: Service, call: Mapping[str, Any]) -> str:
    """A key is tested by a call that questions make; any other may be open to everyone."""
    auth = service.auth
    asked = {operation.path for operation in service.operations}
    if auth is None or not credentials_of(service) or call["path"] in asked:
        return ""
    return f"whether it takes the key in {auth.env} was not tested"


async def _asked(service: Service, call: Mapping[str, Any], caller: Caller) -> Reply:
    query = [(str(name), str(value)) for name, value in call.get("parameters", {}).items()]
    body = call.get("body")
    form: list[tuple[str, str]] | None = None
    if isinstance(body, Mapping) and call.get("body_type") == "form":
        form = [(str(name), str(value)) for name, value in body.items()]
    return await caller.send(
        replace(service.endpoint, retries=0),
        str(call.get("method", "get")).upper(),
        str(call["path"]),
        query=query,
        json=None if form is not None else body,
        form=form,
        credentials=credentials_of(service),
        timeout=min(service.endpoint.timeout, _LONGEST),
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
