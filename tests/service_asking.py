"""Asking one stood-in service over real HTTP, through the executor that questions use."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import yaml

from fedrag.biolink import biolink
from fedrag.config import Settings
from fedrag.datamodel import Edge, Identifier, NormalizedNode, QueryEdge, QueryNode
from fedrag.execute import Ask, Outcome
from fedrag.execute.annotated import AnnotatedService
from fedrag.metakg import Operation, Service, load_service
from fedrag.metakg.configured import services_from_settings
from fedrag.net import Net
from fedrag.testing import Federation
from fedrag.xbte import (
    Record,
    Request,
    build_lookups,
    build_requests,
    next_request,
    read_answer,
    read_lookup,
    stands_for,
)

Qualifiers = tuple[tuple[str, str], ...]


def stood_in(federation: Federation, name: str) -> Service:
    """A shipped service at its stand-in's address, without pauses between attempts."""
    settings = Settings(services=federation.service_configs())
    service = next(s for s in services_from_settings(settings) if s.name == name)
    return replace(service, endpoint=replace(service.endpoint, retries=0))


def asked(
    service: Service,
    ids: Sequence[str],
    subject: str,
    predicate: str | None,
    object_: str,
    *,
    qualifiers: Qualifiers = (),
    names: Mapping[str, str] | None = None,
    settings: Mapping[str, object] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Outcome:
    """One query edge from identifiers that are known to what is not; categories without prefix.

    :param names: labels of identifiers, as the Node Normalizer would give them.
    :param transport: in place of the network.
    """
    nodes = {
        "a": QueryNode("a", (f"biolink:{subject}",), tuple(ids)),
        "b": QueryNode("b", (f"biolink:{object_}",)),
    }
    predicates = (f"biolink:{predicate}",) if predicate else ()
    known = {
        curie: NormalizedNode(curie, name, (f"biolink:{subject}",), (Identifier(curie, name),))
        for curie, name in (names or {}).items()
    }

    async def equivalents(curies: Sequence[str]) -> Mapping[str, NormalizedNode | None]:
        return {curie: known.get(curie) for curie in curies}

    ask = Ask(
        QueryEdge("e", "a", "b", predicates, qualifiers), nodes, {"a": tuple(ids)}, equivalents
    )

    async def work() -> Outcome:
        async with Net(transport=transport) as net:
            own = replace(service, settings={**service.settings, **(settings or {})})
            return await AnnotatedService(own).run(ask, net.caller_for())

    return asyncio.run(work())


def statements(edges: Sequence[Edge]) -> list[tuple[str, str, str]]:
    """Subject, predicate (``not`` before it where it is denied) and object, in order."""
    return [
        (
            edge.subject.found,
            ("not " if edge.negated else "") + edge.predicate.removeprefix("biolink:"),
            edge.object.found,
        )
        for edge in edges
    ]


def told(edge: Edge) -> dict[str, object]:
    """Attributes by name, nested ones among them."""
    found: dict[str, object] = {}
    for attribute in edge.attributes:
        found[attribute.type_id] = attribute.value
        found |= {inner.type_id: inner.value for inner in attribute.attributes}
    return found


def unknown_words(service: Service) -> set[str]:
    """Predicates, categories and qualifier values that the Biolink Model does not have."""
    model, wrong = biolink(), set()
    for operation in service.operations:
        wrong |= {
            category
            for category in (operation.subject_category, operation.object_category)
            if not model.is_category(category)
        }
        if not model.is_predicate(operation.predicate):
            wrong.add(operation.predicate)
        for kind, value in operation.qualifiers:
            if kind.endswith("qualified_predicate") and not model.is_predicate(value):
                wrong.add(value)
    return wrong


def answered(
    operation: Operation,
    base_url: str,
    inputs: Sequence[str],
    headers: Mapping[str, str] | None = None,
) -> list[Record]:
    """What one operation finds: look-up, requests, pages and reading, without the executor."""

    def send(request: Request) -> Any:
        form = dict(request.form) if request.form is not None else None
        return httpx2.request(
            request.method,
            base_url + request.path,
            params=list(request.query),
            data=form,
            json=request.json,
            headers=dict(headers or {}),
        ).json()

    own: dict[str, tuple[str, ...]] | None = None
    if operation.manner.lookup is not None:
        own = {}
        for request in build_lookups(operation, inputs):
            own |= read_lookup(operation, request, send(request))
    given = stands_for(own or {})
    records: list[Record] = []
    for request in build_requests(operation, inputs, own=own):
        page = 0
        following: Request | None = request
        while following is not None:
            payload = send(following)
            page += 1
            records += read_answer(operation, payload, following.inputs, own=given).records
            following = next_request(operation, following, payload, page)
    return records


def examples(document: Path) -> list[tuple[Operation, str, str]]:
    """The ``testExamples`` of a document: the operation, what goes in, one thing that comes out."""
    annotations = yaml.safe_load(document.read_text(encoding="utf-8"))["components"][
        "x-bte-kgs-operations"
    ]
    written = {
        name + (f".{number}" if number else ""): annotation.get("testExamples", [])
        for name, listed in annotations.items()
        for number, annotation in enumerate(listed)
    }
    return [
        (operation, example["qInput"], example["oneOutput"])
        for operation in load_service(document).operations
        for example in written.get(operation.id.split()[2], [])
        if example["qInput"].partition(":")[0] == operation.input_prefix
    ]
