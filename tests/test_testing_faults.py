"""Every fault does over HTTP what its name says, for as long as it was told to."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from test_testing_services import errors, validator

from fedrag.errors import ConfigError, FedragError
from fedrag.testing import FactBook, Federation, Statement, Trapi
from fedrag.testing.faults import TRAPI_FAULTS
from fedrag.testing.species import orthologue_curie

GRAPH = {
    "nodes": {"a": {"ids": ["MESH:D006852"]}, "b": {"categories": ["biolink:Gene"]}},
    "edges": {"e": {"subject": "a", "object": "b"}},
}
BODY = {"message": {"query_graph": GRAPH}}


@pytest.fixture(scope="module")
def running() -> Iterator[Federation]:
    with Federation(trapi={"v2": Trapi(version="2.0")}) as federation:
        yield federation


@pytest.fixture
def federation(running: Federation) -> Federation:
    running.heal()
    running.delay(0.0)
    running.calls.clear()
    return running


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=20.0) as made:
        yield made


def query(federation: Federation, client: httpx2.Client, service: str = "bte") -> httpx2.Response:
    return client.post(f"{federation.base_urls[service]}/query", json=BODY)


def told(federation: Federation, client: httpx2.Client, fault: str) -> dict[str, Any]:
    federation.fault("bte", fault)
    payload: dict[str, Any] = query(federation, client).json()
    return payload


# --- on the wire --------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 422, 500, 503])
def test_a_status(federation: Federation, client: httpx2.Client, status: int) -> None:
    federation.fault("nameres", str(status))
    reply = client.get(f"{federation.base_urls['nameres']}/lookup", params={"string": "x"})
    assert reply.status_code == status
    assert "as told" in reply.json()["detail"]


def test_a_page_instead_of_json(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "html")
    reply = query(federation, client)
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.content.startswith(b"<!DOCTYPE html>")


def test_429_with_and_without_retry_after_and_as_html(
    federation: Federation, client: httpx2.Client
) -> None:
    federation.fault("bte", "429", times=1, seconds=7)
    federation.fault("bte", "429_bare", times=1)
    federation.fault("bte", "429_html", times=1)
    timed, bare, page, fine = (query(federation, client) for _ in range(4))
    assert (timed.status_code, timed.headers["retry-after"]) == (429, "7")
    assert bare.status_code == 429
    assert "retry-after" not in bare.headers
    assert page.status_code == 429
    assert page.content.startswith(b"<!DOCTYPE html>")
    assert fine.status_code == 200


def test_a_reset_in_mid_body(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "reset")
    with pytest.raises(httpx2.RemoteProtocolError):
        query(federation, client)


def test_json_that_stops_half_way(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "truncated_json")
    reply = query(federation, client)
    assert reply.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        reply.json()


def test_nothing_at_all(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "empty")
    assert query(federation, client).content == b""


def test_a_slow_drip_arrives_whole_but_late(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "slow_drip", seconds=0.5)
    begun = time.monotonic()
    reply = query(federation, client)
    assert time.monotonic() - begun > 0.4
    assert len(reply.json()["message"]["results"]) == 1


def test_a_hang_says_nothing_until_the_caller_leaves(federation: Federation) -> None:
    federation.fault("bte", "hang")
    with httpx2.Client(timeout=0.3) as impatient, pytest.raises(httpx2.ReadTimeout):
        query(federation, impatient)


def test_a_huge_answer_is_valid_and_as_large_as_asked(
    federation: Federation, client: httpx2.Client, corpora: Path
) -> None:
    federation.fault("bte", "huge", value="3000000")
    reply = query(federation, client)
    assert 3_000_000 <= len(reply.content) < 4_500_000
    payload = reply.json()
    assert errors(validator(corpora, "1.5", "Response"), payload) == []
    message = payload["message"]
    assert len(message["results"]) == len(message["knowledge_graph"]["edges"]) > 1000


def test_a_huge_answer_is_sent_while_it_is_made(federation: Federation) -> None:
    federation.fault("bte", "huge")
    url = f"{federation.base_urls['bte']}/query"
    with httpx2.Client(timeout=60.0) as client, client.stream("POST", url, json=BODY) as reply:
        size = sum(len(piece) for piece in reply.iter_raw())
    assert size >= 60_000_000


def test_a_fault_may_be_limited_to_a_path(federation: Federation, client: httpx2.Client) -> None:
    federation.fault("bte", "500", path="/meta_knowledge_graph")
    assert query(federation, client).status_code == 200
    meta = client.get(f"{federation.base_urls['bte']}/meta_knowledge_graph")
    assert meta.status_code == 500


def test_an_unknown_fault_is_refused(federation: Federation) -> None:
    with pytest.raises(ConfigError, match="no fault 'gremlins'"):
        federation.fault("bte", "gremlins")


# --- inside the answer --------------------------------------------------------------------------


def test_null_and_missing_graphs(federation: Federation, client: httpx2.Client) -> None:
    message = told(federation, client, "null")["message"]
    assert message["knowledge_graph"] is message["results"] is message["auxiliary_graphs"] is None
    federation.heal()
    assert "knowledge_graph" not in told(federation, client, "missing")["message"]


def test_names_go_missing(federation: Federation, client: httpx2.Client) -> None:
    nodes = told(federation, client, "empty_names")["message"]["knowledge_graph"]["nodes"]
    assert [node.get("name", "absent") for node in nodes.values()] == [None, "absent"]


def test_one_bad_edge(federation: Federation, client: httpx2.Client) -> None:
    edges = told(federation, client, "bad_edge")["message"]["knowledge_graph"]["edges"]
    assert list(edges.values()) == [None]


def test_a_failure_told_in_the_status_or_only_in_the_logs(
    federation: Federation, client: httpx2.Client
) -> None:
    assert told(federation, client, "failure_in_status")["status"] == "Failed"
    federation.heal()
    quiet = told(federation, client, "failure_in_logs")
    assert quiet["status"] == "Success"
    assert quiet["logs"][-1]["level"] == "ERROR"
    assert quiet["message"]["results"] is None


def test_odd_values(federation: Federation, client: httpx2.Client) -> None:
    assert told(federation, client, "int_status")["status"] == 200
    for fault, key, value in [
        ("qualifiers_null", "qualifiers", None),
        ("undeclared", "x_score", [1, "two", None, {"three": 3.0}]),
    ]:
        federation.heal()
        edges = told(federation, client, fault)["message"]["knowledge_graph"]["edges"]
        assert [edge[key] for edge in edges.values()] == [value]
    federation.heal()
    edges = told(federation, client, "string_publications")["message"]["knowledge_graph"]["edges"]
    assert [edge["attributes"][-1]["value"] for edge in edges.values()] == ["PMID:1"]


@pytest.mark.parametrize("service", ["bte", "v2"])
def test_the_wrong_species_comes_beside_the_right_one(
    federation: Federation, client: httpx2.Client, service: str
) -> None:
    federation.fault(service, "wrong_species")
    message = query(federation, client, service).json()["message"]
    pig = "NCBIGene:9823000006559"
    nodes = message["knowledge_graph"]["nodes"]
    assert nodes[pig]["name"] == nodes["NCBIGene:6559"]["name"] == "SLC12A3"
    assert len(message["results"]) == 2
    objects = {edge["object"] for edge in message["knowledge_graph"]["edges"].values()}
    assert objects == {"NCBIGene:6559", pig}
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    told = client.post(url, json={"curies": [pig]}).json()[pig]
    assert told["taxa"] == ["NCBITaxon:9823"]
    assert told["id"]["label"] == "SLC12A3"


def test_only_ncbi_genes_have_made_up_orthologues() -> None:
    assert orthologue_curie("UniProtKB:P1") is None


@pytest.mark.parametrize("fault", sorted(TRAPI_FAULTS))
def test_a_fault_in_an_empty_answer_breaks_nothing_else(fault: str) -> None:
    facts = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:1")])
    with Federation(facts) as running, httpx2.Client() as client:
        running.fault("bte", fault)
        assert query(running, client).status_code == 200


def test_one_bad_curie_fails_a_whole_normaliser_call(
    federation: Federation, client: httpx2.Client
) -> None:
    federation.fault("nodenorm", "bad_curie", value="BAD:1")
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    assert client.post(url, json={"curies": ["HGNC:10912", "BAD:1"]}).status_code == 500
    fine = client.post(url, json={"curies": ["HGNC:10912"]})
    assert fine.json()["HGNC:10912"]["id"]["label"] == "SLC12A3"


def test_taxa_and_everything_may_be_absent(federation: Federation, client: httpx2.Client) -> None:
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    federation.fault("nodenorm", "no_taxa")
    assert b"taxa" not in client.post(url, json={"curies": ["HGNC:10912"]}).content
    federation.heal("nodenorm")
    federation.fault("nodenorm", "all_null")
    assert client.post(url, json={"curies": ["HGNC:10912"]}).json() == {"HGNC:10912": None}


# --- the federation -----------------------------------------------------------------------------


def test_calls_are_logged_as_the_service_saw_them(
    federation: Federation, client: httpx2.Client
) -> None:
    federation.fault("bte", "500", times=1)
    query(federation, client)
    client.post(f"{federation.base_urls['bte']}/query", json=BODY, headers={"X-Who": "me"})
    failed, fine = federation.calls_of("bte", "/query")
    assert (failed.status, fine.status) == (500, 200)
    assert fine.method == "POST"
    assert fine.body == BODY
    assert fine.headers["x-who"] == "me"
    assert federation.calls_of("nodenorm") == []


async def test_latency_is_per_service_and_calls_overlap(federation: Federation) -> None:
    federation.delay(0.3, "bte")
    async with httpx2.AsyncClient(timeout=20.0) as client:
        url = f"{federation.base_urls['bte']}/query"
        await asyncio.gather(*(client.post(url, json=BODY) for _ in range(5)))
    assert federation.gates["bte"].most_active == 5


def test_several_providers_may_know_different_things() -> None:
    one = FactBook.from_statements([Statement("CHEBI:1", "biolink:treats", "MONDO:1")])
    two = FactBook.from_statements([Statement("CHEBI:2", "biolink:treats", "MONDO:1")])
    graph = {
        "nodes": {"a": {"categories": ["biolink:ChemicalEntity"]}, "b": {"ids": ["MONDO:1"]}},
        "edges": {"e": {"subject": "a", "object": "b"}},
    }
    setup = {"kp": Trapi(two, infores="infores:two")}
    with Federation(one, trapi=setup, kps=2) as running, httpx2.Client() as client:
        found = {
            name: [
                result["node_bindings"]["a"][0]["id"]
                for result in client.post(
                    f"{running.base_urls[name]}/query", json={"message": {"query_graph": graph}}
                ).json()["message"]["results"]
            ]
            for name in ("bte", "kp1", "kp2", "kp")
        }
        url = f"{running.base_urls['nodenorm']}/get_normalized_nodes"
        known = client.post(url, json={"curies": ["CHEBI:1", "CHEBI:2"]}).json()
        configs = running.service_configs()
    assert found == {"bte": ["CHEBI:1"], "kp1": ["CHEBI:1"], "kp2": ["CHEBI:1"], "kp": ["CHEBI:2"]}
    assert all(known.values())
    assert configs["kp"].infores == "infores:two"
    assert configs["kp"].protocol == "trapi"


def test_a_federation_starts_and_stops() -> None:
    facts = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:1")])
    for _ in range(3):
        with Federation(facts) as running:
            port = int(running.base_urls["bte"].split(":")[2].split("/")[0])
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(f"http://127.0.0.1:{port}/bte/v1/meta_knowledge_graph")
    with pytest.raises(FedragError, match="not running"):
        _ = running.base_urls


def test_a_port_in_use_is_said() -> None:
    facts = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:1")])
    with Federation(facts) as running:
        port = int(running.base_urls["bte"].split(":")[2].split("/")[0])
        with (
            pytest.raises(ConfigError, match=f"port {port} cannot be used"),
            Federation(facts, port=port),
        ):
            pass
