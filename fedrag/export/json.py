"""The documented JSON form (``fedrag/schemas/answer.json``): all of an answer, nothing dropped."""

from __future__ import annotations

from typing import Any

from fedrag import __version__
from fedrag.biolink import biolink
from fedrag.datamodel import (
    Answer,
    Candidate,
    Edge,
    EdgeNode,
    Entity,
    Evidence,
    QueryPlan,
)
from fedrag.trapi import attribute_to_trapi, write_graph

__all__ = [
    "SCHEMA_VERSION",
    "answer_to_dict",
    "edge_to_dict",
    "entity_to_dict",
    "plan_to_dict",
    "publication_url",
]

SCHEMA_VERSION = "1.0"
_PUBLICATION_URLS = {
    "PMID": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "PMC": "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/",
    "PMCID": "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/",
    "doi": "https://doi.org/{}",
    "DOI": "https://doi.org/{}",
    "NCT": "https://clinicaltrials.gov/study/{}",
    "clinicaltrials": "https://clinicaltrials.gov/study/{}",
}


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """All of an answer as plain JSON values.

    Replaying one cassette twice gives equal dictionaries but for ``timings``.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "fedrag_version": __version__,
        "biolink_version": biolink().version,
        "mode": answer.mode,
        "recorded": dict(answer.recorded) or None,
        "question": answer.question,
        "entities": [entity_to_dict(entity) for entity in answer.entities],
        "unused": list(answer.unused),
        "plan": plan_to_dict(answer.plan) if answer.plan else None,
        "answer": _answer(answer),
        "candidates": [_candidate(c) for c in answer.candidates],
        "evidence": [_evidence(e) for e in answer.evidence],
        "edges_retrieved": len(answer.all_edges),
        "services": [s.to_dict() for s in answer.services],
        "completeness": answer.completeness,
        "rejected_citations": [
            {
                "text": r.text,
                "citations": list(r.citations),
                "reason": r.reason,
                "repaired": r.repaired,
            }
            for r in answer.rejected_citations
        ],
        "notes": list(answer.notes),
        "llm": _llm(answer),
        "timings": dict(answer.timings),
    }


def publication_url(publication: str) -> str | None:
    """A link for a publication's CURIE, the URL itself, or None where there is none.

    >>> publication_url("PMID:15774254")
    'https://pubmed.ncbi.nlm.nih.gov/15774254/'
    """
    if publication.startswith(("http://", "https://")):
        return publication
    prefix, _, local = publication.partition(":")
    if not local and prefix.startswith("PMC"):
        prefix, local = "PMC", prefix
    if not local and prefix.startswith("NCT"):
        prefix, local = "NCT", prefix
    if prefix in ("PMC", "PMCID") and local.isdecimal():
        local = f"PMC{local}"
    template = _PUBLICATION_URLS.get(prefix)
    return template.format(local) if template and local else None


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "kind": answer.kind,
        "text": answer.text,
        "name": answer.name,
        "curie": answer.curie,
        "items": list(answer.items),
        "abstained": answer.abstained,
        "sentences": [
            {"text": s.text, "citations": list(s.citations), "supported": s.supported}
            for s in answer.sentences
        ],
    }


def entity_to_dict(entity: Entity) -> dict[str, Any]:
    """One resolved mention with everything it may also have meant."""
    return {
        "mention": entity.mention,
        "start": entity.start,
        "end": entity.end,
        "curie": entity.curie,
        "name": entity.name,
        "categories": list(entity.categories),
        "how": entity.how,
        "score": entity.score,
        "taxa": list(entity.taxa),
        "ambiguous": entity.ambiguous,
        "unconflated": entity.unconflated,
        "conflated": list(entity.conflated),
        "identifiers": [
            {"curie": i.curie, "label": i.label, "taxa": list(i.taxa)} for i in entity.identifiers
        ],
        "candidates": [
            {
                "curie": c.curie,
                "name": c.name,
                "categories": list(c.categories),
                "taxa": list(c.taxa),
                "score": c.score,
                "matched": c.matched,
                "match": c.match,
            }
            for c in entity.candidates
        ],
    }


def plan_to_dict(plan: QueryPlan) -> dict[str, Any]:
    """A plan with its TRAPI query graph and, for each hop, who is asked and who is not."""
    return {
        "template": plan.template,
        "title": plan.title,
        "kind": plan.kind,
        "understood": plan.understood,
        "answer_node": plan.answer_node,
        "also_answer": list(plan.also_answer),
        "answer_categories": list(plan.answer_categories),
        "query_graph": write_graph(plan.nodes, plan.edges),
        "waves": {edge.key: edge.wave for edge in plan.edges},
        "caps": {edge.key: edge.cap for edge in plan.edges if edge.cap},
        "assignments": [
            {"edge": a.edge, "service": a.service, "asked": a.asked, "reason": a.reason}
            for a in plan.assignments
        ],
        "notes": list(plan.notes),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "name": candidate.name,
        "curie": candidate.curie,
        "categories": list(candidate.categories),
        "score": candidate.score,
        "status": candidate.status,
        "status_detail": candidate.status_detail,
        "evidence": list(candidate.evidence_keys),
        "against": list(candidate.against_keys),
        "support_edges": list(candidate.support),
        "against_edges": list(candidate.against),
        "reaches": list(candidate.reaches),
        "identifiers": list(candidate.identifiers),
        "parent": candidate.parent,
        "text_mined_only": candidate.text_mined_only,
        "explanation": [
            {"label": line.label, "points": line.points, "detail": line.detail}
            for line in candidate.explanation
        ],
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "key": evidence.key,
        "sentence": evidence.sentence,
        "score": evidence.score,
        "polarity": evidence.polarity,
        "query_edges": list(evidence.query_edges),
        "edges": [edge_to_dict(edge) for edge in evidence.edges],
    }


def edge_to_dict(edge: Edge) -> dict[str, Any]:
    """One edge with its whole passport."""
    return {
        "id": edge.id,
        "subject": _end(edge.subject),
        "predicate": edge.predicate,
        "object": _end(edge.object),
        "qualifiers": dict(edge.qualifiers),
        "negated": edge.negated,
        "primary_source": edge.primary_source,
        "sources": [
            {
                "resource_id": s.resource_id,
                "resource_role": s.role,
                "upstream_resource_ids": list(s.upstream),
                "source_record_urls": list(s.record_urls),
            }
            for s in edge.sources
        ],
        "publications": [{"id": p, "url": publication_url(p)} for p in edge.publications],
        "cited_by_record": [{"id": p, "url": publication_url(p)} for p in edge.cited_by_record],
        "record_urls": list(edge.record_urls),
        "knowledge_level": edge.knowledge_level,
        "agent_type": edge.agent_type,
        "attributes": [attribute_to_trapi(a) for a in edge.attributes],
        "answered_by": list(edge.answered_by),
        "retrieved_at": edge.retrieved_at,
    }


def _end(end: EdgeNode) -> dict[str, Any]:
    return {
        "curie": end.curie,
        "name": end.name,
        "categories": list(end.categories),
        "canonical": end.canonical,
        "found": end.found,
        "found_name": end.found_name,
        "asked": end.asked,
        "taxa": list(end.taxa),
    }


def _llm(answer: Answer) -> dict[str, Any] | None:
    usage = answer.llm
    if usage is None:
        return None
    return {
        "model": usage.model,
        "url": usage.url,
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost": usage.cost,
        "structured": usage.structured,
        "error": usage.error,
    }
