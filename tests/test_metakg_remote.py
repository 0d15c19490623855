"""Reading what TRAPI services say of themselves; a failure costs that service alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from net_support import clock, jump
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


@pytest.mark.parametrize(("deadline", "patience"), [(40.0, 6.0), (1000.0, 15.0), (None, 15.0)])
def test_a_silent_service_costs_a_share_of_the_time_in_all_and_is_asked_anyway(
    deadline: float | None, patience: float
) -> None:
    seen: list[str] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.url.host)
        if request.url.host.startswith("hung"):
            await asyncio.sleep(10_000)
        return httpx2.Response(200, json=META)

    async def scenario() -> None:
        async with Net(transport=httpx2.MockTransport(answer)) as net:
            hung = asked("hung")
            hung = replace(hung, endpoint=replace(hung.endpoint, retries=2, timeout=60.0))
            caller = net.caller_for(deadline=deadline)
            metakg, notes = await read_metakg(caller, (hung, asked("good")))
            assert clock() == patience
            assert metakg.meta_edges("hung") is None
            assert len(metakg.meta_edges("good") or ()) == 1
            assert notes == (
                "the meta-knowledge graph of hung could not be read (hung did not answer within "
                f"the {patience:g} s there were for it), so it is asked everything",
            )

    jump(scenario())
    assert sorted(seen) == ["good.transltr.io", "hung.transltr.io"]


def test_a_failing_read_is_not_tried_again() -> None:
    calls = 0

    def answer(_: httpx2.Request) -> httpx2.Response:
        nonlocal calls
        calls += 1
        return httpx2.Response(503)

    async def scenario() -> None:
        async with Net(transport=httpx2.MockTransport(answer)) as net:
            bad = asked("bad")
            bad = replace(bad, endpoint=replace(bad.endpoint, retries=2))
            await read_metakg(net.caller_for(deadline=40), (bad,))

    jump(scenario())
    assert calls == 1


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
