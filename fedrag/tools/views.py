"""What the tools say of an answer, its evidence, entities and services: heads and sections.

Each item is small by itself, so that a page holds several: names are cut, and of publications the
first few are given with the count of the others. ``evidence`` alone gives everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedrag.datamodel import Answer, Candidate, Edge, Entity, EntityCandidate, Evidence
from fedrag.execute import failed
from fedrag.export.json import edge_to_dict
from fedrag.tools.pages import Section, clip

if TYPE_CHECKING:
    from fedrag.entities import Resolution
    from fedrag.execute import ServiceCheck
    from fedrag.metakg import Service
    from fedrag.tools.shelf import Shelved

__all__ = ["View", "answer_view", "evidence_view", "resolution_view", "services_view"]

_NAME = 120  # bytes of a name
_LINE = 500  # bytes of a sentence or a note
_SEVERAL = 5  # publications, alternatives: as many as are worth reading at once
_LISTS = ("publications", "cited_by_record", "record_urls", "attributes")


@dataclass(frozen=True, slots=True)
class View:
    """A result before it is cut into pages. ``short`` heads the pages after the first."""

    head: Mapping[str, Any]
    sections: tuple[Section, ...]
    short: Mapping[str, Any]


def answer_view(shelved: Shelved) -> View:
    """An answer: its text, what it rests on, and what is wrong with it."""
    answer = shelved.answer
    short = {"run": shelved.run, "mode": answer.mode}
    head = {
        **short,
        "name": _cut(answer.name),
        "curie": _cut(answer.curie),
        "completeness": answer.completeness,
        "abstained": answer.abstained,
    }
    if answer.llm:
        head["written_by"] = clip(answer.llm.model, _NAME)
    sections = (
        Section("answer", _lines(answer.text), share=0.4, joined=True),
        Section("entities", [_entity(entity) for entity in answer.entities], share=0.15),
        Section("failed", _failures(answer), share=0.1),
        Section("unused", [clip(words, _NAME) for words in answer.unused], share=0.05),
        Section("candidates", [_candidate(one) for one in answer.candidates], share=0.3),
        Section("evidence", [_evidence(one) for one in answer.evidence]),
        Section("notes", _notes(answer)),
    )
    return View(head, sections, short)


def _cut(text: str | None, most: int = _NAME) -> str | None:
    return None if text is None else clip(text, most)


def _lines(text: str) -> list[str]:
    """The lines of a text, long ones cut in pieces that a page has room for."""
    pieces = []
    for line in text.splitlines():
        words = [clip(word, _LINE) for word in line.split(" ")]
        piece = ""
        for word in words:
            if len(piece) + len(word) > _LINE and piece:
                pieces.append(piece)
                piece = word
            else:
                piece = f"{piece} {word}" if piece else word
        pieces.append(piece)
    return pieces


def _entity(entity: Entity) -> dict[str, Any]:
    """What a mention was taken as; what else it may mean where that is open."""
    told: dict[str, Any] = {
        "mention": clip(entity.mention, _NAME),
        "curie": clip(entity.curie, _NAME),
        "name": clip(entity.name, _NAME),
    }
    if entity.ambiguous:
        told |= {"ambiguous": True, "or": _others(entity.candidates)}
    return told


def _others(candidates: Iterable[EntityCandidate]) -> list[str]:
    """Other readings, as ``CURIE name``."""
    first = list(candidates)[:_SEVERAL]
    return [f"{clip(one.curie, _NAME)} {clip(one.name, _NAME)}" for one in first]


def _failures(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"service": one.service, "state": one.state, "reason": clip(one.reason, _LINE // 2)}
        for one in failed(answer.services)
    ]


def _candidate(candidate: Candidate) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": clip(candidate.name, _NAME),
        "curie": clip(candidate.curie, _NAME),
        "score": round(candidate.score, 2),
        "evidence": list(candidate.evidence_keys[:_SEVERAL]),
    }
    if candidate.against_keys:
        told["against"] = list(candidate.against_keys[:_SEVERAL])
    if candidate.status:
        told["status"] = candidate.status
    if candidate.status_detail:
        told["status_detail"] = clip(candidate.status_detail, _NAME)
    return told


def _evidence(evidence: Evidence) -> dict[str, Any]:
    edges = evidence.edges
    publications = _unique(p for edge in edges for p in edge.publications)
    told: dict[str, Any] = {
        "key": evidence.key,
        "sentence": clip(evidence.sentence, _LINE),
        "polarity": evidence.polarity,
        "edges": [edge.id for edge in edges[:_SEVERAL]],
        "sources": _few(edge.primary_source for edge in edges),
        "basis": _few(f"{edge.knowledge_level}, {edge.agent_type}" for edge in edges),
    }
    if publications:
        told["publications"] = _few(publications)
    elif records := _few(url for edge in edges for url in edge.record_urls)[:2]:
        told["records"] = records
    if len(publications) > _SEVERAL:
        told["more_publications"] = len(publications) - _SEVERAL
    return told


def _notes(answer: Answer) -> list[str]:
    doubtful = [s.text for s in answer.sentences if not s.supported]
    notes = [f"not supported by what it cites: {text}" for text in doubtful]
    notes += [f"refused by the citation check: {r.text}" for r in answer.rejected_citations]
    return [clip(note, _LINE) for note in [*notes, *answer.notes]]


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _few(values: Iterable[str]) -> list[str]:
    return [clip(value, _NAME) for value in _unique(values)[:_SEVERAL]]


def evidence_view(
    run: str, edges: Sequence[Edge] | Sequence[dict[str, Any]], evidence: Evidence | None = None
) -> View:
    """Edges with their whole passports; ``evidence`` is the line that they stand behind."""
    passports = [edge if isinstance(edge, dict) else edge_to_dict(edge) for edge in edges]
    told = {
        "run": run,
        "key": evidence.key if evidence else None,
        "sentence": clip(evidence.sentence, _LINE) if evidence else None,
    }
    if evidence:
        told["polarity"] = evidence.polarity
    several = len(passports) > 1

    def listed(name: str, key: str = "") -> list[Any]:
        """One list of each passport; with several edges, each item names its own."""
        items = []
        for passport in passports:
            whose = {"edge": passport["id"]} if several else {}
            items += [{**whose, **({key: one} if key else one)} for one in passport[name]]
        return items

    cited = [{**one, "cited_by_record": True} for one in listed("cited_by_record")]
    sections = (
        Section("edges", [{k: v for k, v in p.items() if k not in _LISTS} for p in passports], 0.6),
        Section("publications", [*listed("publications"), *cited], 0.3),
        Section("records", listed("record_urls", "url"), 0.2),
        Section("attributes", listed("attributes")),
    )
    return View(told, sections, {"run": run, "key": told["key"]})


def resolution_view(resolution: Resolution, text: str) -> View:
    """The entities of a text, with what else each mention may mean, open or not.

    Where nothing in it was so much as recognised, the whole text is what is unresolved.
    """
    entities = [
        {
            **_entity(entity),
            "categories": list(entity.categories[:2]),
            "or": _others(entity.candidates),
        }
        for entity in resolution.entities
    ]
    unresolved = [
        {
            "mention": clip(one.mention, _NAME),
            "nearest": [clip(name, _NAME) for name in one.nearest[:_SEVERAL]],
        }
        for one in resolution.unresolved
    ]
    if not entities and not unresolved:
        unresolved = [{"mention": clip(text, _LINE), "nearest": []}]
    sections = (
        Section("entities", entities, 0.7),
        Section("unresolved", unresolved, 0.2),
        Section("notes", [clip(note, _LINE) for note in resolution.notes]),
    )
    return View({}, sections, {})


def services_view(services: Iterable[Service], states: Mapping[str, ServiceCheck]) -> View:
    """The services by priority, with how each answered where that was asked."""
    rows = [_service(service, states.get(service.name)) for service in services]
    return View({}, (Section("services", rows),), {})


def _service(service: Service, report: ServiceCheck | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": service.name,
        "title": clip(service.title, _NAME),
        "role": service.role,
        "infores": service.infores,
        "licence": clip(service.licence or "not told", _NAME),
    }
    if not service.enabled:
        row["off"] = clip(service.why_off, _NAME)
    if service.missing_key:
        row["needs_key"] = service.missing_key
    if report is not None:
        row |= {"state": report.state, "reason": clip(report.reason, _LINE // 2)}
    return row
