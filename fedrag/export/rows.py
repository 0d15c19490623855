"""The retrieved edges as rows: the columns that the tables and the networks share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fedrag.datamodel import Answer, Edge, Evidence

__all__ = ["COLUMNS", "edge_rows"]

COLUMNS = (
    "key", "id", "subject", "subject_name", "predicate", "object", "object_name", "qualifiers",
    "negated", "primary_source", "aggregators", "publications", "cited_by_record", "record_urls",
    "knowledge_level", "agent_type", "answered_by", "retrieved_at", "subject_categories",
    "object_categories", "polarity",
)  # fmt: skip


def edge_rows(answer: Answer) -> Iterator[dict[str, Any]]:
    """One row for each retrieved edge, best evidence first; its keys are :data:`COLUMNS`.

    Texts are ``str``, lists are tuples of them, ``qualifiers`` is a dictionary, ``negated`` a
    ``bool``. ``key`` and ``polarity`` are filled where the page cites the edge, else ``""``.
    """
    cited = {edge.id: item for item in answer.evidence for edge in item.edges}
    for edge in answer.all_edges:
        yield _row(edge, cited.get(edge.id))


def _row(edge: Edge, cited: Evidence | None) -> dict[str, Any]:
    return {
        "key": cited.key if cited else "",
        "id": edge.id,
        "subject": edge.subject.curie,
        "subject_name": edge.subject.name,
        "predicate": edge.predicate,
        "object": edge.object.curie,
        "object_name": edge.object.name,
        "qualifiers": dict(edge.qualifiers),
        "negated": edge.negated,
        "primary_source": edge.primary_source,
        "aggregators": edge.aggregators,
        "publications": edge.publications,
        "cited_by_record": edge.cited_by_record,
        "record_urls": edge.record_urls,
        "knowledge_level": edge.knowledge_level,
        "agent_type": edge.agent_type,
        "answered_by": edge.answered_by,
        "retrieved_at": edge.retrieved_at,
        "subject_categories": edge.subject.categories,
        "object_categories": edge.object.categories,
        "polarity": cited.polarity if cited else "",
    }
