"""The loopback TRAPI service: ``POST /query`` and ``GET /meta_knowledge_graph``.

One service over one fact book; a federation runs as many as it is asked for. Multi-hop query graphs
are answered whole. More results than ``max_results`` are cut, and the logs say so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.biolink import biolink
from fedrag.testing.facts import FactBook, Statement
from fedrag.testing.faults import Fault, spoil
from fedrag.testing.join import Row, answer_graph
from fedrag.testing.match import BadQuery
from fedrag.testing.remembered import Remembered
from fedrag.testing.shapes import Speaker, message
from fedrag.testing.web import answer

__all__ = ["TrapiService"]

_NOW = "2025-01-01T00:00:00+00:00"  # the facts do not change; an answer repeats byte for byte
_SCHEMAS = {"1.4": "1.4.2", "1.5": "1.5.0", "1.6": "1.6.0", "2.0": "2.0.0"}


class TrapiService:
    """A TRAPI service.

    :param expand: answer for what is stated to be a kind of (``subclass_of``) a node asked, too.
    """

    def __init__(
        self, facts: FactBook, speaker: Speaker, *, expand: bool = False, max_results: int = 5000
    ) -> None:
        self.facts, self.speaker = facts, speaker
        self._expand, self._max_results = expand, max_results
        self._remembered = Remembered()

    def routes(self) -> list[Route]:
        """The service's paths."""
        return [
            Route("/query", self._query, methods=["POST"]),
            Route("/meta_knowledge_graph", self._meta, methods=["GET"]),
        ]

    async def _query(self, request: Request) -> Response:
        try:
            body = orjson.loads(await request.body())
            graph = body["message"]["query_graph"]
            fault: Fault | None = request.scope.get("fedrag.fault")
            content = self._spoilt(graph, fault) if fault else self._whole(graph)
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            return answer({"detail": f"Input is not a TRAPI query: {error!r}"}, 400)
        except BadQuery as error:
            return answer({"detail": f"Your input query graph is invalid: {error}"}, 400)
        return Response(content, media_type="application/json")

    def _spoilt(self, graph: dict[str, Any], fault: Fault) -> bytes:
        return orjson.dumps(spoil(self.respond(graph), fault, self.facts))

    def _whole(self, graph: dict[str, Any]) -> bytes:
        return self._remembered.answer(graph, lambda: self.respond(graph))

    async def _meta(self, _: Request) -> Response:
        return answer(self.meta_knowledge_graph)

    def respond(self, graph: dict[str, Any]) -> dict[str, Any]:
        """The TRAPI response to a query graph.

        :raises BadQuery: a graph that cannot be answered.
        """
        rows, asked = answer_graph(self.facts, graph, expand=self._expand)
        kept = rows[: self._max_results]
        return {
            "message": message(self.facts, self.speaker, graph, kept, asked),
            "status": "Success",
            "description": f"Query processed successfully, retrieved {len(kept)} results.",
            "schema_version": _SCHEMAS[self.speaker.version],
            "biolink_version": biolink().version,
            "logs": self._logs(rows, kept),
        }

    def _logs(self, rows: Sequence[Row], kept: Sequence[Row]) -> list[dict[str, Any]]:
        told = f"{len(kept)} results"
        logs = [{"timestamp": _NOW, "level": "INFO", "message": told}]
        if len(kept) < len(rows):
            cut = f"Maximum result limit reached: {len(kept)} of {len(rows)} results returned"
            logs.append({"timestamp": _NOW, "level": "WARNING", "message": cut})
        return logs

    @cached_property
    def meta_knowledge_graph(self) -> dict[str, Any]:
        """What the facts can answer: category pairs with predicates, and prefixes by category."""
        nodes = self.facts.nodes
        kinds: dict[tuple[str, str, str], list[Statement]] = defaultdict(list)
        for said in self.facts.statements:
            ends = (nodes[said.subject].categories[0], nodes[said.object].categories[0])
            kinds[ends[0], said.predicate, ends[1]].append(said)
        edges = [_meta_edge(*kind, said) for kind, said in sorted(kinds.items())]
        prefixes = {
            category: {"id_prefixes": list(counts), "attributes": []}
            for category, counts in self.facts.prefixes().items()
        }
        return {"nodes": prefixes, "edges": edges}


def _meta_edge(
    subject: str, predicate: str, target: str, said: Sequence[Statement]
) -> dict[str, Any]:
    values: dict[str, set[str]] = defaultdict(set)
    for statement in said:
        for kind, value in statement.qualifiers:
            values[kind].add(value)
    edge: dict[str, Any] = {"subject": subject, "predicate": predicate, "object": target}
    edge["knowledge_types"] = ["lookup"]
    if values:
        edge["qualifiers"] = [
            {"qualifier_type_id": kind, "applicable_values": sorted(seen)}
            for kind, seen in sorted(values.items())
        ]
    return edge
