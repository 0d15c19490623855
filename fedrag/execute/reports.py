"""How each service did: exactly one state, with a reason and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.datamodel import Completeness, QueryPlan, ServiceReport, ServiceState
from fedrag.errors import ServiceError
from fedrag.execute.service import Outcome
from fedrag.metakg import NEEDS_KEY, Service
from fedrag.net import Caller

__all__ = [
    "Tally",
    "completeness",
    "entity_report",
    "failed",
    "in_table_order",
    "knowledge_reports",
]

# Why an edge that was sent could not be read (fedrag.trapi); others were left out on purpose.
_UNREADABLE = frozenset(
    {
        *("edge is null", "edge is not an object", "no subject", "no object"),
        *("predicate is missing", "edge id bound but absent", "result is not an object"),
    }
)
_FAILED: frozenset[str] = frozenset({"timeout", "rate_limited", "unavailable", "bad_payload"})
_NOT_COUNTED: frozenset[str] = frozenset({"needs_key", "inapplicable", "skipped"})


@dataclass(slots=True)
class Tally:
    """What one service did over all hops of a run."""

    outcome: Outcome = field(default_factory=Outcome)
    idle: list[str] = field(default_factory=list)  # hops with nothing to ask with

    def add(self, outcome: Outcome) -> None:
        """Take over one hop's outcome."""
        self.outcome.add(outcome)


def knowledge_reports(
    plan: QueryPlan, services: Sequence[Service], tally: Mapping[str, Tally], caller: Caller
) -> tuple[ServiceReport, ...]:
    """One report per knowledge service, asked or not, in order of priority and name."""
    return tuple(_report(plan, service, tally.get(service.name), caller) for service in services)


def _report(
    plan: QueryPlan, service: Service, tally: Tally | None, caller: Caller
) -> ServiceReport:
    outcome = tally.outcome if tally else Outcome()
    # What it says of itself is read beside the plan, not for it.
    records = [r for r in caller.trace if r.service == service.name and r.path != service.meta_path]
    # Hops that asked the same thing shared one call.
    calls = len({record.key for record in records}) or outcome.calls
    failed = len({error.call or id(error) for error in outcome.failures})
    # One that is in no trace (it could not be built) may fail beside all that were made.
    some_failed = f"{failed} of {calls} calls failed" if failed < calls else "calls failed"
    state, reason = _state(plan, service, outcome, tally, some_failed, named=bool(records))
    return ServiceReport(
        service=service.name,
        title=service.title,
        infores=service.infores,
        state=state,
        reason=reason,
        calls=calls,
        failed=failed,
        cached=sum(r.origin == "cache" for r in records),
        edges=len(outcome.edges),
        dropped=tuple(sorted(_summed(outcome.dropped).items())),
        seconds=round(sum(r.seconds for r in records), 3),
    )


def _state(
    plan: QueryPlan,
    service: Service,
    outcome: Outcome,
    tally: Tally | None,
    some_failed: str,
    *,
    named: bool,
) -> tuple[ServiceState, str]:
    if not outcome.calls and not outcome.failures:
        return _unasked(plan, service, tally, named=named)
    if outcome.failures:
        first = outcome.failures[0]
        reason = first.message
        if outcome.edges:
            return "truncated", f"{some_failed}: {reason}"
        return first.state, reason
    if outcome.truncated:
        return "truncated", outcome.truncated
    if outcome.edges:
        return "ok", ""
    if unread := {
        reason: n for reason, n in _summed(outcome.dropped).items() if reason in _UNREADABLE
    }:
        told = ", ".join(f"{reason} ({count:,})" for reason, count in sorted(unread.items()))
        return "bad_payload", f"none of the edges it sent could be read: {told}"
    return "empty", "it answered and holds nothing under these constraints"


def _unasked(
    plan: QueryPlan, service: Service, tally: Tally | None, *, named: bool
) -> tuple[ServiceState, str]:
    """Why no hop called it. ``named``: it was asked what something is called there, and answered;
    where a hop then had nothing to ask with, that was the answer."""
    if not service.enabled:
        return "skipped", service.why_off or "switched off in the configuration or by a flag"
    if tally and tally.outcome.idle and named:
        return "empty", f"asked for its own identifier, it knows none ({tally.outcome.idle})"
    if tally and tally.outcome.idle:
        return "inapplicable", tally.outcome.idle
    if tally and tally.idle:
        return "inapplicable", "the earlier hops found nothing to ask it with"
    reasons = [a.reason for a in plan.assignments if a.service == service.name]
    for reason in reasons:
        if reason.startswith(NEEDS_KEY):
            return "needs_key", reason
    return "inapplicable", reasons[0] if reasons else "no hop of the plan is for it"


def _summed(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for reason, count in pairs:
        total[reason] += count
    return total


def entity_report(
    service: Service, caller: Caller, failures: Sequence[ServiceError] = ()
) -> ServiceReport:
    """The report of the Name Resolver or the Node Normalizer, from the calls it was sent.

    :param failures: calls that failed and were not made good, by a retry or in smaller pieces.
    """
    records = [r for r in caller.trace if r.service == service.name]
    state: ServiceState = "ok" if records else "skipped"
    reason = "" if records else "no call was needed"
    if failures:
        state, reason = failures[0].state, failures[0].message
        if len(failures) < len(records):
            state, reason = "truncated", f"{len(failures)} of {len(records)} calls failed: {reason}"
    return ServiceReport(
        service=service.name,
        title=service.title,
        infores=service.infores,
        role="entities",
        state=state,
        reason=reason,
        calls=len(records),
        failed=len(failures),
        cached=sum(r.origin == "cache" for r in records),
        seconds=round(sum(r.seconds for r in records), 3),
    )


def completeness(reports: Sequence[ServiceReport]) -> Completeness:
    """``complete`` when every service asked ended ok or empty; see the architecture's decision 3.

    >>> completeness([ServiceReport("a", "ok"), ServiceReport("b", "timeout")])
    'partial'
    >>> completeness([ServiceReport("a", "ok"), ServiceReport("b", "needs_key")])
    'complete'
    >>> completeness([ServiceReport("a", "ok"), ServiceReport("b", "needs_key", calls=1)])
    'partial'
    >>> completeness([ServiceReport("a", "unavailable")])
    'unknown'
    """
    counted = [r for r in reports if r.state not in _NOT_COUNTED or _refused_a_key(r)]
    knowledge = [r for r in counted if r.role == "knowledge"]
    if not knowledge or all(r.state in _FAILED or _refused_a_key(r) for r in knowledge):
        return "unknown"
    return "partial" if failed(reports) else "complete"


def failed(reports: Iterable[ServiceReport]) -> tuple[ServiceReport, ...]:
    """The services that were asked and failed, wholly or in part.

    >>> [r.service for r in failed([ServiceReport("a", "timeout"), ServiceReport("b", "skipped")])]
    ['a']
    """
    return tuple(
        r for r in reports if r.state in _FAILED or r.state == "truncated" or _refused_a_key(r)
    )


def _refused_a_key(report: ServiceReport) -> bool:
    """It was asked with the user's key, and did not take it."""
    return report.state == "needs_key" and report.calls > 0


def in_table_order(reports: Iterable[ServiceReport]) -> tuple[ServiceReport, ...]:
    """Reports in the order they are shown: entity services, then knowledge, then the model."""
    order = {"entities": 0, "knowledge": 1, "llm": 2}
    return tuple(sorted(reports, key=lambda r: order[r.role]))
