"""The retrieved edges as tab-separated values, one edge a line."""

from __future__ import annotations

from fedrag.datamodel import Answer, Edge

__all__ = ["answer_to_tsv"]

_COLUMNS = (
    "key", "id", "subject", "subject_name", "predicate", "object", "object_name", "qualifiers",
    "negated", "primary_source", "aggregators", "publications", "cited_by_record", "record_urls",
    "knowledge_level", "agent_type", "answered_by", "retrieved_at",
)  # fmt: skip


def answer_to_tsv(answer: Answer) -> str:
    """All retrieved edges, a header line first; ``key`` is filled where the page cites the edge."""
    keys = {edge.id: evidence.key for evidence in answer.evidence for edge in evidence.edges}
    lines = ["\t".join(_COLUMNS)]
    lines += ["\t".join(_cell(v) for v in _row(edge, keys)) for edge in answer.all_edges]
    return "\n".join(lines) + "\n"


def _row(edge: Edge, keys: dict[str, str]) -> tuple[str, ...]:
    return (
        keys.get(edge.id, ""),
        edge.id,
        edge.subject.curie,
        edge.subject.name,
        edge.predicate,
        edge.object.curie,
        edge.object.name,
        "|".join(f"{key}={value}" for key, value in edge.qualifiers),
        str(edge.negated).lower(),
        edge.primary_source,
        "|".join(edge.aggregators),
        "|".join(edge.publications),
        "|".join(edge.cited_by_record),
        "|".join(edge.record_urls),
        edge.knowledge_level,
        edge.agent_type,
        "|".join(edge.answered_by),
        edge.retrieved_at,
    )


def _cell(value: str) -> str:
    """Without tabs and line ends; a leading sign a spreadsheet would run as a formula is quoted."""
    value = " ".join(value.split())
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value
