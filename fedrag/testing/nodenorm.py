"""The loopback Node Normalizer: ``/get_normalized_nodes``, ``/get_curie_prefixes``, ``/status``.

An unknown CURIE is a key with ``null``; the answer's identifier may differ from the key; counts of
prefixes are strings; ``taxa`` stand on the node and on its NCBIGene and UniProtKB identifiers, and
are absent where nothing is known. ``conflate`` is on by default and ``drug_chemical_conflate`` off,
as in the real service.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.testing.facts import FactBook, FactNode
from fedrag.testing.faults import Fault
from fedrag.testing.nameres import distractors, types_of
from fedrag.testing.species import orthologue
from fedrag.testing.web import answer, refuse

__all__ = ["NodeNormalizer"]

_WITH_TAXA = ("NCBIGene:", "UniProtKB:")


class NodeNormalizer:
    """The service over one fact book, with its Name Resolver's further concepts."""

    def __init__(self, facts: FactBook) -> None:
        self._facts = facts

    @cached_property
    def _others(self) -> dict[str, FactNode]:
        return {curie: node for node, _ in distractors() for curie in node.curies}

    def routes(self) -> list[Route]:
        """The service's paths."""
        return [
            Route("/get_normalized_nodes", self._normalized, methods=["GET", "POST"]),
            Route("/get_curie_prefixes", self._prefixes, methods=["GET", "POST"]),
            Route("/status", self._status),
        ]

    async def _normalized(self, request: Request) -> Response:
        if request.method == "POST":
            options: dict[str, Any] = orjson.loads(await request.body())
            curies = options.get("curies")
        else:
            query = request.query_params
            curies, options = query.getlist("curie"), dict(query)
        if not isinstance(curies, list) or not curies:
            return refuse(422, "body", "curies")
        conflate = _on(options.get("conflate", True))
        chemical = _on(options.get("drug_chemical_conflate", False))
        entries = {curie: self.normalize(curie, conflate, chemical) for curie in curies}
        return _spoiled(entries, request.scope.get("fedrag.fault"))

    async def _prefixes(self, _: Request) -> Response:
        counted = self._facts.prefixes().items()
        shaped = {c: {"curie_prefix": {p: str(n) for p, n in by.items()}} for c, by in counted}
        return answer(shaped)

    async def _status(self, _: Request) -> Response:
        return answer({"status": "running", "babel_version": "testing"})

    def normalize(self, curie: str, conflate: bool, chemical: bool) -> dict[str, Any] | None:
        """One entry of the answer; ``None`` for an unknown CURIE."""
        node = self._facts.node(curie) or self._others.get(curie) or orthologue(self._facts, curie)
        if node is None:
            return None
        if chemical and node.group:
            members = self._facts.group(node)
            every = (pair for member in members for pair in _pairs(member))
            return _entry(members[0], every, members[0].categories)
        if node.proteins and not conflate:
            own = curie in {one for one, _ in node.proteins}
            pairs, leaf = (node.proteins, 1) if own else (node.identifiers, 0)
            return _entry(node, pairs, node.categories[leaf : leaf + 1])
        return _entry(node, (*_pairs(node), *node.proteins), node.categories)


def _pairs(node: FactNode) -> tuple[tuple[str, str | None], ...]:
    return node.identifiers or ((node.curie, node.name),)


def _spoiled(entries: dict[str, dict[str, Any] | None], fault: Fault | None) -> Response:
    """The answer, or what the fault in force makes of it."""
    kind = fault.kind if fault else None
    if fault and kind == "bad_curie" and fault.value in entries:
        return Response("Internal Server Error", 500, media_type="text/plain")
    for entry in filter(None, entries.values() if kind == "no_taxa" else ()):
        entry.pop("taxa", None)
        for identifier in entry["equivalent_identifiers"]:
            identifier.pop("taxa", None)
    return answer(dict.fromkeys(entries) if kind == "all_null" else entries)


def _on(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "1", "yes", "on")


def _entry(
    node: FactNode, pairs: Iterable[tuple[str, str | None]], leaves: tuple[str, ...]
) -> dict[str, Any]:
    listed = list(pairs)
    first, own = listed[0]
    label = node.name if first == node.curie else own or node.name
    entry: dict[str, Any] = {
        "id": {"identifier": first, "label": label},
        "equivalent_identifiers": [_identifier(curie, text, node) for curie, text in listed],
    }
    if node.taxa:
        entry["taxa"] = list(node.taxa)
    entry["type"] = types_of(leaves)
    return entry


def _identifier(curie: str, label: str | None, node: FactNode) -> dict[str, Any]:
    shown: dict[str, Any] = {"identifier": curie}
    if label is not None:
        shown["label"] = label
    if node.taxa and curie.startswith(_WITH_TAXA):
        shown["taxa"] = list(node.taxa)
    return shown
