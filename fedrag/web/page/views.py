"""What the templates show of an answer: grouped, counted, with the addresses that belong to it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.datamodel import Answer, Entity, Evidence, QueryPlan, ServiceReport
from fedrag.errors import FedragError, OfflineError
from fedrag.export.text import replay_banner
from fedrag.plan import plan_to_trapi
from fedrag.web.desk import AskRequest, Desk
from fedrag.web.page.drawing import draw_evidence, draw_plan
from fedrag.web.page.request import address

__all__ = ["answer_view", "error_view", "form_view"]

_SHOWN_CANDIDATES, _MOST_CANDIDATES = 10, 200
_COPIED = ("json", "trapi", "csv")
_EXAMPLES = 6


@dataclass(frozen=True, slots=True)
class Filters:
    """What evidence can be filtered by: each source and level with how many sentences have it.

    :ivar least: the smallest weight of a sentence; ``most``: the largest.
    """

    sources: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, int], ...]
    least: float
    most: float


def form_view(desk: Desk, request: AskRequest | None) -> dict[str, Any]:
    """The form: what was asked, who can be asked, and questions to begin with."""
    services = [s.name for s in desk.session.knowledge if s.enabled]
    return {
        "request": request,
        "services": sorted(services),
        "examples": _parted(_examples(desk), _EXAMPLES),
        "recorded": desk.session.recorded,
    }


def _examples(desk: Desk) -> list[tuple[str, str]]:
    """Questions with their addresses: those of a replayed cassette, the short ones first."""
    known = desk.session.recorded_questions or (
        "What are the targets of imatinib?",
        "Which drugs treat Fabry disease?",
        "What links PCSK9 and hypercholesterolemia?",
    )
    ordered = sorted(known, key=lambda question: (len(question), question))
    return [(question, address(AskRequest.of(question))) for question in ordered]


def answer_view(answer: Answer, request: AskRequest, forms: Mapping[str, Any]) -> dict[str, Any]:
    """An answer's whole page.

    :param forms: the export forms on offer, by name.
    """
    keys = [item.key for item in answer.evidence]
    return {
        "answer": answer,
        "keys": frozenset(keys),
        "banner": _banner(answer),
        "choices": [_choice(entity, request) for entity in answer.entities],
        "candidates": _parted(answer.candidates[:_MOST_CANDIDATES], _SHOWN_CANDIDATES),
        "left": max(len(answer.candidates) - _MOST_CANDIDATES, 0),
        "filters": _filters(answer.evidence),
        "graph": draw_evidence(answer),
        "plan": plan_view(answer.plan) if answer.plan else None,
        "asked": [report for report in answer.services if _was_asked(report)],
        "unasked": _unasked(answer.services),
        "copies": _links(request, (name for name in _COPIED if name in forms)),
        "downloads": _links(request, (name for name in forms if name != "text")),
        "link": address(request),
        "seconds": answer.timings.get("total_seconds"),
    }


def error_view(error: FedragError, request: AskRequest | None) -> dict[str, Any]:
    """What failed, and where an entity is unknown the questions that may have been meant."""
    mention = getattr(error, "mention", "")
    nearest = getattr(error, "nearest", ())
    meant = [(name, _instead(request, mention, name)) for name in nearest] if request else []
    return {
        "error": error,
        "unrecorded": isinstance(error, OfflineError),
        "mention": mention,
        "meant": [(name, address) for name, address in meant if address],
    }


def _instead(request: AskRequest, mention: str, name: str) -> str:
    """The address of the same question with another name in it; "" where it holds no such."""
    if not mention or mention not in request.question:
        return ""
    return address(AskRequest.of(request.question.replace(mention, name, 1)))


def _banner(answer: Answer) -> dict[str, str] | None:
    if answer.mode != "replay":
        return None
    recorded = answer.recorded
    return {
        "title": replay_banner(answer),
        "when": recorded.get("recorded_at", "")[:10],
        "note": recorded.get("note", ""),
    }


def _choice(entity: Entity, request: AskRequest) -> dict[str, Any]:
    """An entity with what it may also have meant, to choose from."""
    pinned = dict(request.pins).get(entity.mention, "")
    others = [one for one in entity.candidates if one.curie != entity.curie]
    return {"entity": entity, "pinned": pinned, "others": others}


def _parted(items: Sequence[Any], most: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """The first ones and the rest; two or three more are not hidden."""
    return (items, ()) if len(items) <= most + 3 else (items[:most], items[most:])


def _filters(evidence: Iterable[Evidence]) -> Filters:
    items = list(evidence)
    sources = Counter(s for item in items for s in {e.primary_source for e in item.edges})
    levels = Counter(level for item in items for level in {e.knowledge_level for e in item.edges})
    weights = [item.rank for item in items] or [0.0]
    return Filters(
        tuple(sorted(sources.items())), tuple(sorted(levels.items())), min(weights), max(weights)
    )


def plan_view(plan: QueryPlan) -> dict[str, Any]:
    """A plan as a graph, as TRAPI, and hop by hop who is asked and who is not."""
    return {
        "plan": plan,
        "graph": draw_plan(plan),
        "trapi": json.dumps({"message": {"query_graph": plan_to_trapi(plan)[0]}}, indent=2),
        "hops": [
            {
                "edge": edge,
                "asked": [a for a in plan.assignments if a.edge == edge.key and a.asked],
                "unasked": _by_reason(
                    (a.reason, a.service)
                    for a in plan.assignments
                    if a.edge == edge.key and not a.asked
                ),
            }
            for edge in plan.edges
        ],
    }


def _by_reason(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for reason, service in pairs:
        grouped.setdefault(reason, []).append(service)
    return grouped


def _was_asked(report: ServiceReport) -> bool:
    return bool(report.calls) or report.state not in ("inapplicable", "skipped")


def _unasked(reports: Iterable[ServiceReport]) -> dict[tuple[str, str], list[str]]:
    """Services that were not asked, by the state and reason that they share."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        if not _was_asked(report):
            grouped.setdefault((report.state, report.reason), []).append(report.service)
    return grouped


def _links(request: AskRequest, forms: Iterable[str]) -> list[tuple[str, str]]:
    return [(form, address(request, f"download/{form}")) for form in forms]
