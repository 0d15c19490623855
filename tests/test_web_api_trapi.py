"""fedrag as a TRAPI service: what a client of BioThings Explorer would ask and read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import query_support as q
import yaml
from query_support import DISEASE, GENE, OTHER_GENE, edge, graph, node
from web_api_support import IMATINIB, Served, demo

from fedrag.config import ServiceConfig
from fedrag.metakg import load_service
from fedrag.session import query_graph
from fedrag.testing import Federation
from fedrag.web import create_app
from fedrag.web.openapi import openapi_document

TWO_HOPS = graph(
    {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
    {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
)
ONE_HOP = graph(
    {"a": node(DISEASE), "b": node(kind="SmallMolecule")}, {"e0": edge("b", "a", "treats")}
)


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with q.federation() as running:
        yield running


@pytest.fixture(scope="module")
def served(world: Federation) -> Iterator[Served]:
    options = {"services": world.service_configs(), "cache": False, "log": False}
    with Served(create_app(**options)) as running:
        yield running


def asked(query: Any) -> dict[str, Any]:
    return {"message": {"query_graph": query}}


def validator(document: dict[str, Any], name: str) -> Any:
    """One schema of an OpenAPI document, with what it refers to."""
    return jsonschema_rs.validator_for(
        {
            "$ref": f"#/components/schemas/{name}",
            "components": q._plain(document["components"]),
        }
    )


def errors(schema: Any, value: Any) -> list[str]:
    return [f"{list(e.instance_path)}: {e.message}" for e in schema.iter_errors(value)][:5]


def official() -> dict[str, Any]:
    here = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    folder = Path(os.environ.get("FEDRAG_CORPORA", here)) / "trapi"
    path = folder / "TranslatorReasonerAPI.v1.5.0.yaml"
    if not path.is_file():
        pytest.skip("the schema of TRAPI is not here: set FEDRAG_CORPORA")
    document: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return document


# --- queries ------------------------------------------------------------------------------------


def test_a_query_is_answered_as_fedrag_query_answers_it(world: Federation, served: Served) -> None:
    reply = served.post("/query", asked(TWO_HOPS))
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    response = reply.json()
    q.check(response, "1.5")
    assert (response["schema_version"], response["status"]) == ("1.5.0", "Success")
    bound = [
        curie for r in response["message"]["results"] for curie in q.ids(r["node_bindings"]["c"])
    ]
    assert bound == [GENE, OTHER_GENE]
    own = q.ask(world, asked(TWO_HOPS), only=()).response
    assert response["message"] == json.loads(json.dumps(own["message"]))


def test_a_dead_service_is_told_as_one_and_no_failure_of_http(
    world: Federation, served: Served
) -> None:
    world.fault("bte", "html", path="/query")
    try:
        reply = served.post("/query", asked(ONE_HOP))
    finally:
        world.heal()
    assert (reply.status, reply.json()["status"]) == (200, "KPsNotAvailable")
    assert reply.json()["message"]["results"] == []


@pytest.mark.parametrize(
    ("query", "status", "code", "says"),
    [
        (asked({"nodes": {}, "edges": {}}), 400, "ConfigError", "nodes"),
        (asked(graph({"a": node(DISEASE)}, {"e": edge("a", "z")})), 400, "ConfigError", "z"),
        ({"nothing": 1}, 400, "ConfigError", "there is no query graph in it"),
        ([], 400, "ConfigError", "a TRAPI query is an object"),
        (b"{", 400, "ConfigError", "line 1, column 2"),
        (b'{"message": "\xff"}', 400, "ConfigError", "UTF-8"),
        (b"[" * 200_000, 400, "ConfigError", "nested too deeply"),
        (b'{"x": ' * 300 + b"1" + b"}" * 300, 400, "ConfigError", "nested too deeply"),
        (
            asked({"nodes": {"a": node(DISEASE), "b": {}}, "paths": {"p": {}}}),
            501,
            "RequestError",
            "pathfinder",
        ),
        (
            asked(graph({"a": node("MONDO:9999999"), "b": {}}, {"e": edge("a", "b")})),
            200,
            "QueryNotTraversable",
            "MONDO:9999999",
        ),
    ],
)
def test_an_error_is_told_in_trapis_own_form(
    served: Served, query: Any, status: int, code: str, says: str
) -> None:
    reply = served.post("/query", query)
    response = reply.json()
    assert (reply.status, response["status"]) == (status, code)
    assert says in response["description"]
    (entry,) = response["logs"]
    assert (entry["level"], entry["code"]) == ("ERROR", code)
    assert errors(validator(openapi_document(), "Response"), response) == []
    assert errors(validator(official(), "Response"), response) == []


def test_a_query_nobody_can_serve_comes_back_beside_the_reason(served: Served) -> None:
    query = graph({"a": node("MONDO:9999999"), "b": {}}, {"e": edge("a", "b")})
    message = served.post("/query", asked(query)).json()["message"]
    assert message["query_graph"]["nodes"]["a"]["ids"] == ["MONDO:9999999"]
    assert (message["results"], message["knowledge_graph"]) == ([], {"nodes": {}, "edges": {}})


def test_a_query_that_is_not_said_to_be_json_is_refused(served: Served) -> None:
    reply = served.send("POST", "/query", b"{}", {"content-type": "text/plain"})
    assert (reply.status, reply.json()["status"]) == (415, "RequestError")


# --- the meta-knowledge graph -------------------------------------------------------------------


def test_the_meta_knowledge_graph_is_that_of_all_services_together(served: Served) -> None:
    told = served.get("/meta_knowledge_graph").json()
    assert errors(validator(official(), "MetaKnowledgeGraph"), told) == []
    triples = {(e["subject"], e["predicate"], e["object"]) for e in told["edges"]}
    assert ("biolink:SmallMolecule", "biolink:treats", "biolink:Disease") in triples
    assert len(triples) == len(told["edges"])
    assert "NCBIGene" in told["nodes"]["biolink:Gene"]["id_prefixes"]
    assert {end for s, _, o in triples for end in (s, o)} == told["nodes"].keys()


def test_annotated_services_are_in_it_too() -> None:
    with (
        Federation(apis=("chembl",)) as world,
        Served(create_app(services=world.service_configs(), cache=False, log=False)) as served,
    ):
        told = served.get("/meta_knowledge_graph").json()
    assert errors(validator(official(), "MetaKnowledgeGraph"), told) == []
    assert "CHEMBL.COMPOUND" in str(told["nodes"])


def test_it_is_read_once_and_again_after_a_failure() -> None:
    with Federation() as world:
        world.fault("bte", "html", path="/meta_knowledge_graph", times=1)
        options = {"services": world.service_configs(), "cache": False, "log": False}
        with Served(create_app(**options)) as served:
            assert served.get("/meta_knowledge_graph").json()["edges"] == []
            first = served.get("/meta_knowledge_graph")
            assert first.json()["edges"]
            calls = len(world.calls_of("bte"))
            assert served.get("/meta_knowledge_graph").body == first.body
            assert len(world.calls_of("bte")) == calls


# --- the document -------------------------------------------------------------------------------


def test_the_document_says_that_this_is_a_trapi_service(served: Served) -> None:
    document = served.get("/openapi.json").json()
    info = document["info"]
    assert info["x-trapi"]["version"] == "1.5.0"
    assert info["x-translator"]["infores"] == "infores:fedrag"
    assert document["servers"][0]["url"] == f"http://127.0.0.1:{served.port}/"
    routes = {path for path in document["paths"] if "{" not in path}
    assert routes == {
        "/ask",
        "/resolve",
        "/plan",
        "/services",
        "/health",
        "/query",
        "/meta_knowledge_graph",
    }
    for path, methods in document["paths"].items():
        for method in methods:  # whatever is told of is there
            status = served.send(method.upper(), path.replace("{id}", "x"), b"", {}).status
            assert (status == 404) == (path == "/runs/{id}")
            assert status != 405


def test_the_document_is_read_as_that_of_a_service(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps(openapi_document("https://ask.example.org")))
    service = load_service(file)
    assert (service.protocol, service.trapi_version) == ("trapi", "1.5")
    assert (service.infores, service.query_path) == ("infores:fedrag", "/query")
    assert service.meta_path == "/meta_knowledge_graph"
    assert service.endpoint.base_url == "https://ask.example.org"


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = openapi_document()
    text = json.dumps(document)
    named = {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert named <= document["components"]["schemas"].keys()
    assert "$defs" not in text
    assert '"const"' not in text
    assert '"null"' not in text  # OpenAPI 3.0 says nullable


def test_the_document_tells_of_the_runs_id_and_of_both_ways_to_name_services() -> None:
    document = openapi_document()
    told = document["paths"]["/ask"]["post"]["responses"]["200"]["headers"]
    with demo(log=True) as served:
        reply = served.post("/ask", {"question": IMATINIB, "exclude": "chembl, dgidb"})
        listed = served.post("/ask", {"question": IMATINIB, "exclude": ["chembl", "dgidb"]})
    (name,) = told
    assert reply.headers[name.lower()]
    assert reply.json()["services"] == listed.json()["services"]
    ask = validator(document, "Ask")
    for given in ("chembl, dgidb", ["chembl", "dgidb"]):
        assert errors(ask, {"question": "?", "exclude": given}) == []
    assert errors(ask, {"question": "?", "exclude": {"chembl": True}}) != []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"submitter": 5}, "submitter: must be a text"),
        ({"bypass_cache": "yes"}, "bypass_cache: must be true or false"),
        ({"parameters": {"timeout": 0}}, "parameters.timeout: must be seconds"),
    ],
)
def test_what_a_query_says_beside_its_graph_is_checked(
    served: Served, more: dict[str, Any], says: str
) -> None:
    graph = {
        "nodes": {"a": {"ids": ["MONDO:0005044"]}, "b": {}},
        "edges": {"e": {"subject": "b", "object": "a"}},
    }
    reply = served.post("/query", {"message": {"query_graph": graph}, **more})
    assert reply.status == 400
    assert reply.json()["description"].startswith(says)


def test_answers_are_as_the_document_says() -> None:
    document = openapi_document()
    with demo() as served:
        answer = served.post("/ask", {"question": IMATINIB}).json()
        assert errors(validator(document, "Answer"), answer) == []
        error = served.post("/ask", {}).json()
        assert errors(validator(document, "Error"), error) == []
        spoiled = answer | {"completeness": "perhaps"}
        assert errors(validator(document, "Answer"), spoiled) != []


def test_responses_are_as_the_document_says(served: Served) -> None:
    document = openapi_document()
    response = served.post("/query", asked(TWO_HOPS)).json()
    assert errors(validator(document, "Response"), response) == []
    told = served.get("/meta_knowledge_graph").json()
    assert errors(validator(document, "MetaKnowledgeGraph"), told) == []
    assert errors(validator(document, "Query"), asked(TWO_HOPS)) == []
    assert errors(validator(document, "Query"), {"query": 1}) != []
    response["message"]["knowledge_graph"]["edges"]["x"] = {"subject": DISEASE}
    assert errors(validator(document, "Response"), response) != []


@pytest.mark.parametrize(
    "name", ["Message", "Query", "Response", "Result", "Edge", "Node", "QEdge"]
)
def test_the_documents_trapi_is_that_of_the_standard(name: str) -> None:
    """The same properties, required and nullable as in the schema of TRAPI 1.5."""
    theirs = official()["components"]["schemas"][name]
    ours = openapi_document()["components"]["schemas"][name]
    assert set(theirs["properties"]) <= set(ours["properties"])
    assert set(theirs.get("required", ())) == set(ours.get("required", ()))


# --- fedrag asks fedrag -------------------------------------------------------------------------


def test_fedrag_can_ask_fedrag_as_one_of_its_services(world: Federation, served: Served) -> None:
    others = {name: one for name, one in world.service_configs().items() if name != "bte"}
    others["bte"] = ServiceConfig(enabled=False)
    others["upstream"] = ServiceConfig(
        base_url=f"http://127.0.0.1:{served.port}", protocol="trapi", infores="infores:fedrag"
    )
    answer = query_graph(asked(ONE_HOP), services=others, cache=False)
    direct = q.ask(world, asked(ONE_HOP), only=())
    assert q.bound(answer, "b") == q.bound(direct, "b") != []
    assert {row.service: row.state for row in answer.services}["upstream"] == "ok"
