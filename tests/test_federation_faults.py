"""Zero is not an outage, for annotated services too: a fault costs its service alone."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from api_questions import BOTH, DRUGS, QUESTION_OF, THERAPIES, TOKEN_NAME, Asker, without
from federated import report
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tenacity import wait_none

from fedrag.datamodel import Answer
from fedrag.errors import UnavailableError
from fedrag.testing import Federation
from fedrag.testing.apis import APIS
from fedrag.testing.apis.oncokb import TOKEN
from fedrag.testing.web import answer as reply

SERVICES = sorted(APIS)
GRAPHQL = ("civic", "opentargets")


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with Federation(apis=tuple(APIS)) as federation:
        yield Asker(federation)


@pytest.fixture(autouse=True)
def _well(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A token of OncoKB, and further attempts without a pause; every fault ends with its test."""
    monkeypatch.setenv(TOKEN_NAME, TOKEN)
    monkeypatch.setattr("fedrag.net.retry._BACKOFF", wait_none())
    yield
    asker.federation.heal()


def faulty(asker: Asker, service: str, fault: str, **details: Any) -> tuple[Answer, Answer]:
    """The answer to the service's question with all well, and with the fault."""
    healthy = asker.healthy(QUESTION_OF[service])
    asker.federation.fault(service, fault, **details)
    return healthy, asker.anew(QUESTION_OF[service])


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("500", "unavailable"),
        ("html", "bad_payload"),
        ("429_bare", "rate_limited"),
        ("truncated_json", "bad_payload"),
        ("reset", "unavailable"),
    ],
)
def test_a_fault_ends_in_its_own_state_and_costs_no_other_services_edges(
    asker: Asker, service: str, fault: str, state: str
) -> None:
    healthy, answer = faulty(asker, service, fault)
    row = report(answer, service)
    assert (row.state, row.edges) == (state, 0)
    assert row.reason
    assert {edge.id for edge in answer.edges} == without(healthy, service)
    assert answer.completeness in ("partial", "unknown")
    assert report(healthy, service).state == "ok"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_says_nothing_is_a_timeout(asker: Asker, service: str) -> None:
    healthy = asker.healthy(QUESTION_OF[service])
    asker.federation.fault(service, "hang")
    configs = asker.federation.service_configs()
    configs[service] = dataclasses.replace(configs[service], timeout=0.15)
    answer = asker.anew(QUESTION_OF[service], services=configs)
    assert (report(answer, service).state, report(answer, service).edges) == ("timeout", 0)
    assert {edge.id for edge in answer.edges} == without(healthy, service)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_is_gone_is_unavailable(asker: Asker, service: str) -> None:
    healthy = asker.healthy(QUESTION_OF[service])
    configs = asker.federation.service_configs()
    configs[service] = dataclasses.replace(configs[service], base_url="http://127.0.0.1:9")
    answer = asker.anew(QUESTION_OF[service], services=configs)
    assert report(answer, service).state == "unavailable"
    assert {edge.id for edge in answer.edges} == without(healthy, service)


def test_a_long_wait_that_a_service_asks_for_is_not_waited_for(asker: Asker) -> None:
    healthy, answer = faulty(asker, "ctd", "429", seconds=3600)
    assert report(answer, "ctd").state == "rate_limited"
    assert len(asker.federation.calls_of("ctd")) > 0
    assert {edge.id for edge in answer.edges} == without(healthy, "ctd")


@pytest.mark.parametrize("service", ["hpa", "reactome", "string"])
def test_404_means_nothing_known_only_where_the_document_says_so(
    asker: Asker, service: str
) -> None:
    _, answer = faulty(asker, service, "404")
    assert report(answer, service).state == "empty"
    _, answer = faulty(asker, "ctd", "404")
    assert report(answer, "ctd").state == "unavailable"


def test_one_failed_call_of_several_makes_a_service_truncated(asker: Asker) -> None:
    _, answer = faulty(asker, "string", "422", path="/interaction_partners", times=1)
    row = report(answer, "string")
    assert row.state == "truncated"
    assert row.edges > 0
    assert "calls failed: string answered 422" in row.reason


def test_without_its_look_up_a_service_is_unavailable(asker: Asker) -> None:
    healthy, answer = faulty(asker, "string", "500", path="/get_string_ids")
    assert report(answer, "string").state == "unavailable"
    assert {edge.id for edge in answer.edges} == without(healthy, "string")


# --- errors that come with 200 ------------------------------------------------------------------


@pytest.mark.parametrize("service", GRAPHQL)
@pytest.mark.parametrize("data", [None, {}, {"found": None}])
def test_an_error_of_graphql_is_a_bad_payload_and_no_empty_answer(
    asker: Asker, service: str, data: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"data": data, "errors": [{"message": "Internal server error: statement timeout"}]}

    async def failing(_: Any) -> Response:
        return reply(told)

    healthy = asker.healthy(QUESTION_OF[service])
    app = Router([Route("/graphql", failing, methods=["POST"])])
    monkeypatch.setattr(asker.federation.gates[service], "app", app)
    answer = asker.anew(QUESTION_OF[service])
    assert report(answer, service).state == "bad_payload"
    assert "statement timeout" in report(answer, service).reason
    assert {edge.id for edge in answer.edges} == without(healthy, service)


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("content", [None, 7, "no", [None, 1, "x"]])
def test_json_of_another_shape_is_a_bad_payload_and_breaks_nothing(
    asker: Asker, service: str, content: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def strange(_: Any) -> Response:
        return reply(content)

    healthy = asker.healthy(QUESTION_OF[service])
    app = Router([Route("/{path:path}", strange, methods=["GET", "POST"])])
    monkeypatch.setattr(asker.federation.gates[service], "app", app)
    answer = asker.anew(QUESTION_OF[service])
    assert report(answer, service).state == "bad_payload"
    assert {edge.id for edge in answer.edges} == without(healthy, service)


# --- paging -------------------------------------------------------------------------------------

PAGED = {
    "chembl": DRUGS,
    "civic": QUESTION_OF["civic"],
    "dgidb": QUESTION_OF["dgidb"],
    "mychem": QUESTION_OF["mychem"],
    "mygene": QUESTION_OF["mygene"],
    "opentargets": BOTH,
    "quickgo": QUESTION_OF["quickgo"],
}
_PLACES = frozenset(("from", "offset", "page", "after", "index"))
_COUNTS = frozenset(("max_total", "total_count", "numberOfHits"))


class Endless:
    """A service before which every page is the first, and after which there is always one more.

    With ``same`` the pages are equal to the last byte.
    """

    def __init__(self, app: ASGIApp, *, same: bool) -> None:
        self.app, self.same, self.pages = app, same, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one call."""
        self.pages += 1
        query = [
            pair for pair in parse_qsl(scope["query_string"].decode()) if pair[0] not in _PLACES
        ]
        content = _first_page((await receive())["body"])
        inner = {**scope, "query_string": urlencode(query).encode()}
        inner["headers"] = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
        parts: list[bytes] = []

        async def given() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        async def keep(message: Message) -> None:
            parts.append(message.get("body", b""))

        await self.app(inner, given, keep)
        number = 0 if self.same else self.pages
        response = reply(_with_more(json.loads(b"".join(parts)), number))
        await response(scope, receive, send)


def _first_page(body: bytes) -> bytes:
    """A body without what says which page is asked for."""
    try:
        asked = json.loads(body)
    except ValueError:
        pairs = parse_qsl(body.decode(), keep_blank_values=True)
        return urlencode([pair for pair in pairs if pair[0] not in _PLACES]).encode()
    variables = asked.get("variables", {})
    asked["variables"] = {k: v for k, v in variables.items() if k not in _PLACES}
    return json.dumps(asked).encode()


def _with_more(payload: Any, number: int) -> Any:
    """An answer that promises another page, and is a full one."""
    if isinstance(payload, list):
        return [_with_more(one, number) for one in payload]
    if not isinstance(payload, dict):
        return payload
    made = {key: _with_more(value, number) for key, value in payload.items()}
    made |= dict.fromkeys(_COUNTS & made.keys(), 10**9)
    if "hasNextPage" in made:
        made |= {"hasNextPage": True, "endCursor": f"cursor-{number}"}
    if isinstance(made.get("rows"), list):
        made["rows"] *= 500
    return made | {"page_number": number}


@pytest.mark.parametrize("service", sorted(PAGED))
def test_paging_that_never_ends_stops_and_is_told(
    asker: Asker, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = asker.healthy(PAGED[service])
    gate = asker.federation.gates[service]
    endless = Endless(gate.app, same=False)
    monkeypatch.setattr(gate, "app", endless)
    answer = asker.anew(PAGED[service])
    row = report(answer, service)
    assert row.state == "truncated"
    assert "pages that were read" in row.reason
    assert 3 <= endless.pages <= 200
    assert {edge.id for edge in answer.edges} == {edge.id for edge in healthy.edges}


@pytest.mark.parametrize("service", sorted(PAGED))
def test_a_page_that_comes_again_ends_the_paging(
    asker: Asker, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = asker.healthy(PAGED[service])
    gate = asker.federation.gates[service]
    endless = Endless(gate.app, same=True)
    monkeypatch.setattr(gate, "app", endless)
    before = len(asker.federation.calls_of(service))
    answer = asker.anew(PAGED[service])
    calls = asker.federation.calls_of(service)[before:]
    assert endless.pages == len(calls) <= 20
    assert report(answer, service).state == "truncated"
    assert {edge.id for edge in answer.edges} == {edge.id for edge in healthy.edges}


# --- documents that are refused -----------------------------------------------------------------

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Mine", "x-translator": {"infores": "infores:mine", "component": "KP"}},
    "servers": [{"url": "https://api.example.org", "x-maturity": "production"}],
    "paths": {
        "/targets": {
            "get": {
                "x-bte-kgs-operations": [
                    {
                        "inputs": [{"id": "CHEMBL.COMPOUND", "semantic": "SmallMolecule"}],
                        "outputs": [{"id": "NCBIGene", "semantic": "Gene"}],
                        "predicate": "affects",
                        "parameters": {"drug": "{inputs[0]}"},
                        "response_mapping": {"NCBIGene": "gene"},
                    }
                ]
            }
        }
    },
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"servers": [{"url": "https://10.0.0.7/api"}]}, "is not a public one"),
        ({"servers": [{"url": "https://localhost/api"}]}, "is not a public one"),
        ({"servers": [{"url": "http://api.example.org"}]}, "is not https"),
        (
            {
                "security": [{"login": []}],
                "components": {"securitySchemes": {"login": {"type": "openIdConnect"}}},
            },
            "asks for credentials its x-fedrag does not describe: login (openIdConnect)",
        ),
        (
            {"info": {**DOCUMENT["info"], "x-fedrag": {"auth": {"password": "MINE"}}}},  # type: ignore[dict-item]
            "info.x-fedrag.auth.password: unknown key",
        ),
    ],
)
def test_a_refused_document_is_skipped_with_the_reason_and_costs_nothing(
    asker: Asker, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    (tmp_path / "mine.json").write_text(json.dumps({**DOCUMENT, **change}))
    healthy = asker.healthy(QUESTION_OF["chembl"])
    answer = asker.anew(QUESTION_OF["chembl"], registry=str(tmp_path))
    row = report(answer, "mine")
    assert (row.state, row.calls) == ("skipped", 0)
    assert why in row.reason
    assert {edge.id for edge in answer.edges} == {edge.id for edge in healthy.edges}
    assert answer.completeness == "complete"


# --- OncoKB: the user's key, and what may not be passed on --------------------------------------


def test_without_a_token_oncokb_needs_a_key_and_is_not_called(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = asker.healthy(THERAPIES)
    monkeypatch.delenv(TOKEN_NAME)
    before = len(asker.federation.calls_of("oncokb"))
    answer = asker.anew(THERAPIES)
    row = report(answer, "oncokb")
    assert row.state == "needs_key"
    assert TOKEN_NAME in row.reason
    assert len(asker.federation.calls_of("oncokb")) == before
    assert {edge.id for edge in answer.edges} == without(healthy, "oncokb")


@pytest.mark.parametrize("token", ["wrong-token", "narrow-token"])
def test_a_token_that_is_refused_is_a_matter_of_the_key(
    asker: Asker, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_NAME, token)
    answer = asker.anew(THERAPIES)
    assert report(answer, "oncokb").state == "needs_key"
    assert token not in json.dumps(answer.to_dict())
    assert token not in str(answer)


def test_the_token_is_sent_and_never_written_down(asker: Asker, tmp_path: Path) -> None:
    before = len(asker.federation.calls_of("oncokb"))
    answer = asker.anew(THERAPIES, cache=True, cache_dir=tmp_path)
    (call,) = asker.federation.calls_of("oncokb")[before:]
    assert call.headers["authorization"] == f"Bearer {TOKEN}"
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert all(TOKEN.encode() not in content for content in written)
    told = (str(answer), json.dumps(answer.to_dict()), json.dumps(answer.to_trapi()))
    assert all(TOKEN not in text for text in told)


def test_what_may_not_be_passed_on_is_not_asked_for_a_cassette(
    asker: Asker, tmp_path: Path
) -> None:
    """A replay could not have OncoKB's answers, so a recording is made without them."""
    cassette = tmp_path / "c.json"
    healthy = asker.anew(THERAPIES)
    before = len(asker.federation.calls_of("oncokb"))
    recorded = asker.anew(THERAPIES, record=str(cassette))
    row = report(recorded, "oncokb")
    assert (row.state, "licence" in row.reason) == ("skipped", True)
    assert len(asker.federation.calls_of("oncokb")) == before
    assert {edge.id for edge in recorded.edges} == without(healthy, "oncokb")
    replayed = asker.anew(THERAPIES, replay=str(cassette))
    assert report(replayed, "oncokb").reason == row.reason
    assert {edge.id for edge in replayed.edges} == {edge.id for edge in recorded.edges}


# --- what a variant is called --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("500", "unavailable"),
        ("html", "bad_payload"),
        ("429_bare", "rate_limited"),
        ("reset", "unavailable"),
        ("truncated_json", "bad_payload"),
        ("empty", "bad_payload"),
    ],
)
def test_a_name_that_could_not_be_looked_up_is_the_services_own_failure(
    asker: Asker, fault: str, state: str
) -> None:
    asker.federation.fault("civic", fault)
    answer = asker.anew(THERAPIES)
    row = report(answer, "civic")
    assert (row.state, row.edges) == (state, 0)
    assert (row.failed, bool(row.reason)) == (1, True)
    assert answer.completeness == "partial"
    assert report(answer, "oncokb").state == "ok"
    with pytest.raises(UnavailableError, match="civic"):
        asker.anew(THERAPIES, strict=True)


def test_a_name_that_nobody_answers_in_time_is_a_timeout(asker: Asker) -> None:
    asker.federation.fault("civic", "hang")
    configs = asker.federation.service_configs()
    configs["civic"] = dataclasses.replace(configs["civic"], timeout=0.15)
    answer = asker.anew(THERAPIES, services=configs)
    assert (report(answer, "civic").state, answer.completeness) == ("timeout", "partial")


def test_myvariant_that_fails_to_name_a_variant_is_in_the_table_too(asker: Asker) -> None:
    asker.federation.fault("myvariant", "500")
    answer = asker.anew(THERAPIES)
    assert report(answer, "myvariant").state == "unavailable"
    assert (report(answer, "civic").state, answer.completeness) == ("ok", "partial")


def test_a_service_that_has_no_name_for_a_variant_has_answered(asker: Asker) -> None:
    answer = asker.anew("What is known about NM_000001.1:c.5A>T?")
    row = report(answer, "myvariant")
    assert (row.state, answer.completeness) == ("empty", "complete")
    assert row.reason.startswith("asked for its own identifier, it knows none")


def test_a_variant_that_could_not_be_looked_up_is_told_as_that(asker: Asker) -> None:
    asker.federation.fault("civic", "500")
    with pytest.raises(UnavailableError, match="could not be looked up: civic answered 500"):
        asker.anew("Which drugs work with the V600E mutation?")
