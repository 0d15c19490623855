"""Pieces of an answer's prose: keys, sources, status, lists, and what is said of the run itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fedrag.answer.draft import Material
from fedrag.datamodel import Candidate, Evidence, ServiceReport
from fedrag.evidence.contexts import given_context
from fedrag.evidence.scope import Scope
from fedrag.plan.lexicon import expand

__all__ = [
    "abstention",
    "caveats",
    "cited",
    "closing",
    "joined",
    "marks",
    "plural",
    "reached_by",
    "reaches_all",
    "sourced",
    "status_text",
    "status_told",
    "status_words",
    "text_mined",
    "unseen_ends",
]

DISCLAIMER = "Research use; not medical advice. Retractions not checked."
_STATUS = {
    "established": "established treatment of this disease",
    "in_trials": "in clinical trials for this disease",
    "other_diseases": "established for other diseases only",
    "preclinical_or_text_mined": "preclinical or text-mined only",
}
_STATES = {
    "ok": "answered",
    "empty": "answered: nothing",
    "truncated": "answered in part",
    "timeout": "failed: timeout",
    "rate_limited": "failed: rate limited",
    "unavailable": "failed: unavailable",
    "bad_payload": "failed: unreadable answer",
    "needs_key": "not asked: needs a key",
    "inapplicable": "not asked: inapplicable",
    "skipped": "not asked: skipped",
}
_FAILED = frozenset({"truncated", "timeout", "rate_limited", "unavailable", "bad_payload"})
_VARIANT = re.compile(r"\b(?:variants?|mutations?|mutants?|alleles?|rs\d{3,}|[A-Z]\d+[A-Z])\b")
_CONTRAINDICATED = ("contraindicated_in", "contraindicated_for", "has_contraindication")
_ASSERTED = re.compile(r"asserted by (?:infores:)?([^\s,]+)")
_MOST_KEYS = 4
_FEW = 4  # services of one reason that are each told of in prose


def marks(keys: Sequence[str], most: int = _MOST_KEYS) -> str:
    """Keys as they stand in the text.

    >>> marks(("E1", "E3"))
    '[E1][E3]'
    """
    return "".join(f"[{key}]" for key in keys[:most])


def joined(parts: Sequence[str], last: str = "and") -> str:
    """A list in words.

    >>> joined(["A", "B", "C"])
    'A, B and C'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "candidate"), plural(3, "candidate")
    ('1 candidate', '3 candidates')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def sourced(item: Evidence) -> str:
    """Primary sources and knowledge levels of the edges behind a sentence, in brackets."""
    sources = list(dict.fromkeys(e.primary_source.removeprefix("infores:") for e in item.edges))
    shown = ", ".join(sources[:3]) + (f" and {len(sources) - 3} more" if len(sources) > 3 else "")
    levels = dict.fromkeys(_level(e.knowledge_level, e.agent_type) for e in item.edges)
    return f"({shown}; {', '.join(levels)})"


def _level(level: str, agent: str) -> str:
    words = level.replace("_", " ") if level != "not_provided" else "knowledge level not provided"
    return f"{words}, text-mined" if agent == "text_mining_agent" else words


def cited(item: Evidence) -> str:
    """A sentence of evidence with its key and where it comes from."""
    return f"{item.sentence.rstrip('. ')} [{item.key}] {sourced(item)}."


def status_words(candidate: Candidate) -> str:
    """The treatment status in words, empty where there is none."""
    if candidate.status is None:
        return ""
    return status_text(candidate.status, candidate.status_detail)


def status_told(material: Material, candidate: Candidate) -> tuple[str, tuple[str, ...]]:
    """The status in words with what contradicts it for the same disease, and the keys of that."""
    words = status_words(candidate)
    by_key = material.by_key()
    keys = tuple(
        key
        for key in material.keys_against(candidate)
        if any(e.predicate.endswith(_CONTRAINDICATED) for e in by_key[key].edges)
    )[:2]
    if not words or not keys:
        return words, ()
    return f"{words}, but also stated as contraindicated {marks(keys)}", keys


def status_text(status: str, detail: str | None = None) -> str:
    """A treatment status in words, with its phase, who asserts it, or use for this disease.

    Biolink's ``treats`` is an established treatment; only an approval that a source tells is one.

    >>> status_text("in_trials", "phase 3")
    'in clinical trials for this disease, phase 3'
    >>> status_text("established", "treats gout, asserted by infores:drugmechdb")
    'established treatment of this disease (treats, asserted by drugmechdb)'
    """
    detail = detail or ""
    if status == "established" and detail.startswith("approved"):
        return "approved for this disease"
    if asserted := _ASSERTED.search(detail):
        return f"{_STATUS[status]} (treats, asserted by {asserted[1]})"
    if status == "other_diseases" and detail:
        return detail
    return _STATUS[status] + (f", {detail}" if detail.startswith("phase") else "")


def text_mined(item: Evidence) -> bool:
    """Whether every edge behind a sentence was only mined from text."""
    return all(
        e.agent_type == "text_mining_agent" or e.knowledge_level == "text_co_occurrence"
        for e in item.edges
    )


def caveats(material: Material, candidate: Candidate) -> tuple[str, ...]:
    """What weakens a candidate's support, said before anything else; no keys yet."""
    said = []
    if candidate.text_mined_only:
        said.append(f"Weak support: what speaks for {candidate.name} is only text-mined")
    found = reached_by(material, candidate)
    missed = [e.name for i, e in enumerate(material.entities) if i not in found]
    reached = [e.name for e in material.entities if e.name not in missed]
    if missed and reached and len(material.entities) > 1:
        said.append(
            f"Partial support: what was returned connects {candidate.name} to {joined(reached)}, "
            f"not to {joined(missed, 'or')}"
        )
    return tuple(said)


def reached_by(material: Material, candidate: Candidate) -> frozenset[int]:
    """The given entities that a candidate is connected to, by position."""
    found = set(candidate.reaches)
    count = range(len(material.entities))
    return frozenset(i for i in count if found & material.entity_ids(i))


def reaches_all(material: Material, candidate: Candidate) -> bool:
    """Whether the candidate is connected to every entity of the question."""
    return len(reached_by(material, candidate)) == len(material.entities)


def unseen_ends(material: Material, candidate: Candidate) -> list[str]:
    """The given entities that a candidate is connected to by nothing on the page."""
    by_key = material.by_key()
    edges = [edge for key in material.keys_for(candidate) for edge in by_key[key].edges]
    scope = Scope.of(material.plan, material.entities)
    within = {given_context(edge, scope) for edge in edges}  # "sensitivity to X in melanoma"
    return [
        material.entities[i].name
        for i in sorted(reached_by(material, candidate))
        if material.entities[i].curie not in within
        and not any(material.touches(edge, i) for edge in edges)
    ]


def closing(material: Material, *, who: bool = True) -> tuple[str, ...]:
    """What is said of the run at the end of every answer: who failed, and the disclaimer.

    :param who: name the services that failed (not where the text has named them already).
    """
    said = []
    failed = [s for s in material.services if s.state in _FAILED]
    if material.completeness == "partial":
        names = joined([_state(s) for s in failed]) if who else ""
        said.append(f"This answer is partial{': ' if names else ''}{names}.")
    elif material.completeness == "unknown":
        said.append("No service answered, so nothing is known of what they hold.")
    if _medical(material):
        said.append(DISCLAIMER)
    return tuple(said)


def _medical(material: Material) -> bool:
    """Treatment (prevention too, and as a step on the way) and variant questions."""
    if re.search(expand("{prevent}"), material.question.lower()):
        return True
    if any("biolink:treats" in hop.predicates for hop in material.plan.edges):
        return True
    categories = [*material.plan.answer_categories]
    categories += [c for e in material.entities for c in e.categories]
    named = any(c.endswith(("Variant", ":Genotype")) for c in categories)
    return material.plan.treatment or named or bool(_VARIANT.search(material.question))


def _state(report: ServiceReport) -> str:
    name = report.title or report.service
    return f"{name} ({_STATES[report.state]}{_reason(report)})"


def _reason(report: ServiceReport) -> str:
    if not report.reason or report.state in ("ok", "empty"):
        return ""
    return f", {report.reason.rstrip('.')}"


def abstention(material: Material, why: str) -> str:
    """The text of an answer that is none: what was asked of whom, and how each did."""
    plan = material.plan
    asked = plan.understood or plan.title
    named = joined([f"{e.name} ({e.curie})" for e in material.entities])
    about = f"{asked.rstrip('.')}; with {named}" if named else asked.rstrip(".")
    said = [f"{why} under these constraints: {about}.", *_who(material.services)]
    if material.completeness != "unknown":
        said.append('That nothing was returned does not mean that the answer is "no".')
    return " ".join([*said, *closing(material, who=False)])


def _idleness(report: ServiceReport) -> str:
    """Why a service could not be asked; ``""`` of one that was, or lacks a key."""
    idle = report.state in ("inapplicable", "skipped")
    return f"{report.state}: {report.reason}" if idle else ""


def _who(services: Iterable[ServiceReport]) -> list[str]:
    """How each service did; of those that many share a reason not to be asked, how many."""
    services = list(services)
    there = [s for s in services if s.role == "knowledge"]
    idle = Counter(_idleness(s) for s in there)
    knowledge = [_state(s) for s in there if not _idleness(s) or idle[_idleness(s)] <= _FEW]
    if others := len(there) - len(knowledge):
        knowledge.append(f"{plural(others, 'other')} could not be asked this (see the table)")
    broken = [_state(s) for s in services if s.role == "entities" and s.state in _FAILED]
    said = [f"Services: {'; '.join(knowledge)}."] if knowledge else []
    return said + ([f"Identifiers: {'; '.join(broken)}."] if broken else [])
