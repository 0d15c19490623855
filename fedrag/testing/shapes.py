"""The rows of a query as a TRAPI message: 1.4, 1.5, 1.6 or 2.0.

As BioThings Explorer answers: nodes keyed by their canonical CURIE with their equivalents as
``biolink:xref``, ``query_id`` in a node binding when the identifier asked was another, knowledge
level and agent type as attributes (fields of the edge in 2.0), and an edge told in the query's
direction. A service of style ``stated`` tells it as its source does instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from fedrag.testing.facts import FactBook, FactNode, Statement
from fedrag.testing.join import Row
from fedrag.testing.match import Match, as_asked

__all__ = ["Speaker", "Style", "Version", "message"]

Version = Literal["1.4", "1.5", "1.6", "2.0"]
Style = Literal["asked", "stated"]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who tells: its infores, TRAPI version, and the direction it tells edges in."""

    infores: str
    version: Version = "1.5"
    style: Style = "asked"


Graph = Mapping[str, Any]
Asked = Mapping[str, Mapping[str, str]]


def message(
    facts: FactBook, speaker: Speaker, graph: Graph, rows: Sequence[Row], asked: Asked
) -> dict[str, Any]:
    """The TRAPI ``message`` for these rows."""
    edges: dict[str, dict[str, Any]] = {}
    nodes: dict[str, dict[str, Any]] = {}
    results = []
    for row in rows:
        for curie in row.nodes.values():
            if curie not in nodes:
                nodes[curie] = _node(facts.nodes[curie])
        bound = {key: _told(facts, speaker, found, edges) for key, found in row.edges.items()}
        results.append(_result(speaker, row, bound, asked))
    shaped: dict[str, Any] = {
        "query_graph": graph,
        "knowledge_graph": {"nodes": nodes, "edges": edges},
        "results": results,
    }
    if speaker.version != "2.0":
        shaped["auxiliary_graphs"] = {}
    return shaped


def _told(
    facts: FactBook,
    speaker: Speaker,
    matches: Sequence[Match],
    edges: dict[str, dict[str, Any]],
) -> list[str]:
    keys = []
    for match in matches:
        edge = _edge(facts, match, speaker)
        key = hashlib.md5(orjson.dumps(edge), usedforsecurity=False).hexdigest()
        edges.setdefault(key, edge)
        keys.append(key)
    return keys


def _result(
    speaker: Speaker, row: Row, bound: Mapping[str, list[str]], asked: Asked
) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for key, curie in row.nodes.items():
        query_id = asked.get(key, {}).get(curie)
        nodes[key] = _node_binding(speaker, curie, query_id)
    score = round(1.0 - 0.5 ** sum(map(len, bound.values())), 6)
    shaped = {key: _edge_binding(speaker, keys) for key, keys in bound.items()}
    analysis = {"resource_id": speaker.infores, "edge_bindings": shaped, "score": score}
    return {"node_bindings": nodes, "analyses": [analysis]}


def _node_binding(speaker: Speaker, curie: str, query_id: str | None) -> Any:
    if speaker.version == "2.0":
        return {"ids": [curie]}
    binding: dict[str, Any] = {"id": curie, "attributes": []}
    if query_id is not None and query_id != curie:
        binding["query_id"] = query_id
    return [binding]


def _edge_binding(speaker: Speaker, keys: list[str]) -> Any:
    if speaker.version == "2.0":
        return {"ids": keys}
    return [{"id": key, "attributes": []} for key in keys]


def _node(node: FactNode) -> dict[str, Any]:
    xrefs = {"attribute_type_id": "biolink:xref", "value": list(node.curies)}
    names = {"attribute_type_id": "biolink:synonym", "value": list(node.synonyms)}
    return {
        "categories": [node.categories[0]],
        "name": node.name,
        "attributes": [xrefs, names] if node.synonyms else [xrefs],
    }


def _edge(facts: FactBook, match: Match, speaker: Speaker) -> dict[str, Any]:
    said = match.statement
    told = as_asked(match) if speaker.style == "asked" else None
    predicate, qualifiers = told or (said.predicate, said.qualifiers)
    subject, target = match.ends if told else (said.subject, said.object)
    edge: dict[str, Any] = {"predicate": predicate, "subject": subject, "object": target}
    edge["attributes"] = _attributes(said, speaker)
    if speaker.version == "2.0":
        edge |= {"knowledge_level": said.knowledge_level, "agent_type": said.agent_type}
    if qualifiers:
        edge["qualifiers"] = [
            {"qualifier_type_id": kind, "qualifier_value": value} for kind, value in qualifiers
        ]
    elif speaker.style == "stated" and speaker.version != "2.0":
        edge["qualifiers"] = None  # as most knowledge providers send it
    edge["sources"] = _sources(facts, said, speaker)
    return edge


def _attributes(said: Statement, speaker: Speaker) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    if speaker.version != "2.0":
        for name in ("knowledge_level", "agent_type"):
            kind, value = f"biolink:{name}", getattr(said, name)
            shown.append(
                {"attribute_type_id": kind, "value": value, "attribute_source": said.primary}
            )
    if said.publications:
        values = list(said.publications)
        shown.append({"attribute_type_id": "biolink:publications", "value": values})
    if said.negated:
        shown.append({"attribute_type_id": "biolink:negated", "value": True})
    if said.records:
        shown.append(
            {
                "attribute_type_id": "biolink:xref",
                "original_attribute_name": "source_records",
                "value": list(said.records),
                "attribute_source": said.primary,
            }
        )
    return [*shown, *(dict(attribute) for attribute in said.attributes)]


def _sources(facts: FactBook, said: Statement, speaker: Speaker) -> list[dict[str, Any]]:
    urls = [url for record in said.records for url in facts.records.get(record, ())]
    primary: dict[str, Any] = {
        "resource_id": said.primary,
        "resource_role": "primary_knowledge_source",
    }
    if urls:
        primary["source_record_urls"] = list(dict.fromkeys(urls))
    if said.primary == speaker.infores:
        return [primary]
    aggregator = {
        "resource_id": speaker.infores,
        "resource_role": "aggregator_knowledge_source",
        "upstream_resource_ids": [said.primary],
    }
    return [primary, aggregator]
