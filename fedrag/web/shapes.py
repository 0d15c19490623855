"""What the API answers with beside answers: resolutions, plans, services, as plain JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedrag.datamodel import QueryPlan
from fedrag.entities import Resolution
from fedrag.execute import ServiceCheck
from fedrag.export import entity_to_dict, plan_to_dict
from fedrag.metakg import Service
from fedrag.plan import plan_to_trapi

__all__ = ["plan_shape", "resolution_shape", "service_shape", "services_shape"]


def resolution_shape(resolution: Resolution) -> dict[str, Any]:
    """As ``fedrag resolve --json``.

    >>> resolution_shape(Resolution((), (), ()))
    {'entities': [], 'unresolved': [], 'notes': []}
    """
    return {
        "entities": [entity_to_dict(entity) for entity in resolution.entities],
        "unresolved": [
            {"mention": one.mention, "nearest": list(one.nearest)} for one in resolution.unresolved
        ],
        "notes": list(resolution.notes),
    }


def plan_shape(question: str, plan: QueryPlan, resolution: Resolution) -> dict[str, Any]:
    """As ``fedrag plan --json``."""
    return {
        "question": question,
        "entities": [entity_to_dict(entity) for entity in resolution.entities],
        "plan": plan_to_dict(plan),
        "queries": plan_to_trapi(plan),
    }


def service_shape(service: Service, check: ServiceCheck | None = None) -> dict[str, Any]:
    """One service: who it is, whether it is asked, and how it answered when it was called.

    Addresses and names of keys are the operator's, and stay out.
    """
    row: dict[str, Any] = {
        "service": service.name,
        "title": service.title,
        "infores": service.infores,
        "role": service.role,
        "protocol": service.protocol,
        "homepage": service.homepage,
        "licence": service.licence,
        "commercial": service.commercial,
        "operations": len(service.operations),
        "verified": service.verified,
        "enabled": service.enabled and not service.missing_key,
        "why_off": service.why_off or ("wants a key" if service.missing_key else ""),
    }
    if check is not None:
        row |= {"state": check.state, "reason": check.reason, "version": check.version}
        row["seconds"] = check.seconds
    return row


def services_shape(services: Sequence[Service], checks: dict[str, ServiceCheck]) -> dict[str, Any]:
    """All services, in the order of the table."""
    return {"services": [service_shape(one, checks.get(one.name)) for one in services]}
