"""The loopback Name Resolver: ``/lookup``, ``/bulk-lookup``, ``/synonyms``, ``/status``.

Shapes are those of the recorded answers: a list or a dictionary, types with ``biolink:`` in lookups
and without it in ``/synonyms``, unbounded scores. The recorded wrong top hits are among its
concepts (``distractors.json``), whatever facts it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.biolink import biolink
from fedrag.testing.facts import FactBook, FactNode
from fedrag.testing.remembered import Remembered
from fedrag.testing.search import Concept, Hit, Index, concepts_of
from fedrag.testing.web import answer, refuse

__all__ = ["NameResolver", "distractors", "types_of"]

_DISTRACTORS = Path(__file__).with_name("distractors.json")


def distractors() -> list[tuple[FactNode, float]]:
    """Concepts that the real service has been recorded to rank first, with their scores."""
    rows = orjson.loads(_DISTRACTORS.read_bytes())["concepts"]
    return [(_distractor(row), row["score"]) for row in rows]


def _distractor(row: Mapping[str, Any]) -> FactNode:
    return FactNode(
        row["curie"],
        row["label"],
        tuple(f"biolink:{leaf}" for leaf in row["categories"]),
        ((row["curie"], row["label"]), *((curie, None) for curie in row.get("equivalent", ()))),
        synonyms=tuple(row["synonyms"]),
        taxa=tuple(row.get("taxa", ())),
    )


def types_of(categories: tuple[str, ...]) -> list[str]:
    """The leaves' ancestors, most specific first, each once."""
    model = biolink()
    return list(dict.fromkeys(t for leaf in categories for t in model.category_ancestors(leaf)))


class NameResolver:
    """The service over one fact book; its index is built when it is first asked."""

    def __init__(self, facts: FactBook) -> None:
        self._facts = facts
        self._remembered = Remembered()

    @cached_property
    def _index(self) -> Index:
        seen = {
            Concept(n.curie, n.name, n.synonyms, n.categories, n.taxa, len(n.curies), score)
            for n, score in distractors()
        }
        known = {concept.curie for concept in seen}
        own = (concept for concept in concepts_of(self._facts) if concept.curie not in known)
        return Index([*sorted(seen, key=lambda c: c.curie), *own])

    def routes(self) -> list[Route]:
        """The service's paths."""
        return [
            Route("/lookup", self._lookup, methods=["GET", "POST"]),
            Route("/bulk-lookup", self._bulk, methods=["POST"]),
            Route("/synonyms", self._synonyms, methods=["GET", "POST"]),
            Route("/status", self._status),
        ]

    async def _lookup(self, request: Request) -> Response:
        query = request.query_params
        if "string" not in query:
            return refuse(422, "query", "string")
        options: dict[str, Any] = dict(query)
        options["biolink_types"] = query.getlist("biolink_type")
        options["only_taxa"] = "|".join(query.getlist("only_taxa"))
        return answer(self.find(query["string"], options))

    async def _bulk(self, request: Request) -> Response:
        body = orjson.loads(await request.body())
        if not isinstance(body, dict) or not isinstance(body.get("strings"), list):
            return refuse(422, "body", "strings")
        found = self._remembered.answer(
            body, lambda: {text: self.find(text, body) for text in body["strings"]}
        )
        return Response(found, media_type="application/json")

    async def _synonyms(self, request: Request) -> Response:
        if request.method == "POST":
            curies = orjson.loads(await request.body())["preferred_curies"]
        else:
            curies = request.query_params.getlist("preferred_curies")
        return answer({curie: self._document(curie) for curie in curies})

    async def _status(self, _: Request) -> Response:
        return answer({"status": "ok", "message": "Loopback service.", "babel_version": "testing"})

    def find(self, text: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One lookup, with the options of ``/bulk-lookup``'s body."""
        hits = self._index.search(
            text,
            autocomplete=_true(options.get("autocomplete", False)),
            keep=_filter(options),
            limit=min(1000, int(options.get("limit", 10))),
            offset=int(options.get("offset", 0)),
        )
        highlighting = _true(options.get("highlighting", False))
        return [_result(hit, highlighting) for hit in hits]

    def _document(self, curie: str) -> dict[str, Any]:
        node = self._facts.node(curie)
        if node is None or node.curie != curie:
            return {}
        return {
            "curie": curie,
            "preferred_name": node.name,
            "names": list(node.synonyms),
            "types": [name.removeprefix("biolink:") for name in types_of(node.categories)],
            "taxa": list(node.taxa),
            "clique_identifier_count": len(node.curies),
            "shortest_name_length": min(map(len, node.synonyms), default=0),
        }


def _true(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "1", "yes", "on")


def _filter(options: Mapping[str, Any]) -> Callable[[Concept], bool]:
    model = biolink()
    kinds = [f"biolink:{k.removeprefix('biolink:')}" for k in options.get("biolink_types") or ()]
    allowed = {leaf for kind in kinds for leaf in model.category_descendants(kind)}
    only, without = (_split(options.get(key)) for key in ("only_prefixes", "exclude_prefixes"))
    taxa = _split(options.get("only_taxa"))

    def keep(concept: Concept) -> bool:
        prefix = concept.curie.split(":", 1)[0]
        return (
            (not allowed or not allowed.isdisjoint(concept.categories))
            and (not only or prefix in only)
            and prefix not in without
            and (not taxa or not concept.taxa or not taxa.isdisjoint(concept.taxa))
        )

    return keep


def _split(text: str | None) -> frozenset[str]:
    return frozenset(part for part in (text or "").split("|") if part)


def _result(hit: Hit, highlighting: bool) -> dict[str, Any]:
    concept = hit.concept
    marked = [f"<strong>{name}</strong>" for name in hit.matched]
    labels = marked[:1] if concept.label in hit.matched else []
    return {
        "curie": concept.curie,
        "label": concept.label,
        "highlighting": {"labels": labels, "synonyms": marked} if highlighting else {},
        "synonyms": sorted(concept.names, key=len),
        "taxa": list(concept.taxa),
        "types": types_of(concept.categories),
        "score": round(hit.score, 4),
        "clique_identifier_count": concept.size,
    }
