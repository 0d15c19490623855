"""Reading what TRAPI services say of themselves; a failure costs that service alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from plan_material import service

from fedrag.errors import ConfigError
from fedrag.metakg import MetaKG, Service, read_metakg
from fedrag.net import Net

META = {
    "nodes": {"biolink:Gene": {"id_prefixes": ["NCBIGene"]}},
    "edges": [
        {
            "subject": "biolink:ChemicalEntity",
            "predicate": "biolink:affects",
            "object": "biolink:Gene",
            "qualifiers": [
                {
                    "qualifier_type_id": "biolink:object_direction_qualifier",
                    "applicable_values": ["increased", "decreased"],
                },
                {"qualifier_type_id": "biolink:object_aspect_qualifier"},
            ],
        }
    ],
}
Answer = Callable[[httpx2.Request], httpx2.Response]


async def read(answer: Answer, *services: Service) -> tuple[MetaKG, tuple[str, ...]]:
    async with Net(transport=httpx2.MockTransport(answer)) as net:
        return await read_metakg(net.caller_for(deadline=20.0), services)


def asked(name: str, **changes: Any) -> Service:
    whole = service(name)
    endpoint = replace(whole.endpoint, retries=0)
    return replace(whole, endpoint=endpoint, meta_path="/meta_knowledge_graph", **changes)


async def test_the_triples_and_qualifiers_of_a_service_are_read() -> None:
    seen: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(f"{request.method} {request.url}")
        return httpx2.Response(200, json=META)

    metakg, notes = await read(answer, asked("bte"))
    assert seen == ["GET https://bte.transltr.io/meta_knowledge_graph"]
    assert notes == ()
    (edge,) = metakg.meta_edges("bte") or ()
    assert (edge.subject, edge.predicate, edge.object) == (
        "biolink:ChemicalEntity",
        "biolink:affects",
        "biolink:Gene",
    )
    assert set(edge.qualifiers) == {
        ("biolink:object_direction_qualifier", "increased"),
        ("biolink:object_direction_qualifier", "decreased"),
        ("biolink:object_aspect_qualifier", ""),
    }


@pytest.mark.parametrize(
    "broken",
    [
        httpx2.Response(500, text="oops"),
        httpx2.Response(404, text="nothing here"),
        httpx2.Response(200, html="<html>maintenance</html>"),
        httpx2.Response(200, json=None),
        httpx2.Response(200, json={"message": {}}),
    ],
)
async def test_a_service_that_fails_is_noted_and_asked_anyway(broken: httpx2.Response) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.host.startswith("bad"):
            return httpx2.Response(broken.status_code, content=broken.content)
        return httpx2.Response(200, json=META)

    metakg, notes = await read(answer, asked("bad"), asked("good"))
    assert metakg.meta_edges("bad") is None
    assert len(metakg.meta_edges("good") or ()) == 1
    assert len(notes) == 1
    assert notes[0].startswith("the meta-knowledge graph of bad could not be read (")
    assert metakg.serves("bad", ("biolink:Cell",), (), ("biolink:Cell",))[0] is True
    assert metakg.serves("good", ("biolink:Cell",), (), ("biolink:Cell",))[0] is False


async def test_a_service_that_is_off_or_tells_nothing_is_not_called() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise AssertionError(f"called {request.url}")

    silent = replace(asked("silent"), meta_path=None)
    metakg, notes = await read(answer, asked("off", enabled=False, why_off="off"), silent)
    assert notes == ()
    assert metakg.serves("silent", ("biolink:Gene",), (), ("biolink:Gene",))[0] is True
    assert metakg.serves("off", ("biolink:Gene",), (), ("biolink:Gene",)) == (False, "off")


async def test_an_address_of_a_document_that_is_not_public_is_refused_when_it_is_called() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise AssertionError(f"called {request.url}")

    private = asked("private")
    endpoint = replace(private.endpoint, base_url="http://10.0.0.8/v1")
    with pytest.raises(ConfigError, match=r"10\.0\.0\.8"):
        await read(answer, replace(private, endpoint=endpoint))
