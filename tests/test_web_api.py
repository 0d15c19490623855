"""The JSON API over HTTP: what it answers, what it refuses, and what it stops."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from federated import GENE_QUESTION
from web_api_support import IMATINIB, NOT_RECORDED, UNKNOWN, Served, demo, read_all, wait_until

import fedrag
from fedrag.errors import PlanError
from fedrag.export.forms import FORMS, render
from fedrag.session import Session
from fedrag.testing import Federation
from fedrag.web import create_app
from fedrag.web.desk import DeskLimits


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with demo(log=True, log_dir=tmp_path_factory.mktemp("runs")) as running:
        yield running


@pytest.fixture
def slow() -> Iterator[Federation]:
    with Federation() as running:
        running.delay(0.3, "bte")
        yield running


def live(world: Federation, **options: Any) -> Served:
    limits = options.pop("limits", None)
    services = world.service_configs()
    app = create_app(services=services, cache=False, log=False, limits=limits, **options)
    return Served(app)


def steady(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "timings"}


# --- what is answered ---------------------------------------------------------------------------


def test_ask_gives_the_documented_answer(served: Served) -> None:
    reply = served.post("/ask", {"question": IMATINIB})
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    expected = fedrag.ask(IMATINIB, replay="demo").to_dict()
    assert steady(reply.json()) == steady(json.loads(json.dumps(expected)))
    assert reply.json()["answer"]["name"] == "ABL1"


def test_spaces_that_say_nothing_make_no_other_question(served: Served) -> None:
    first = served.post("/ask", {"question": IMATINIB})
    again = served.post("/ask", {"question": f"  {IMATINIB.replace(' ', '  ')}\n"})
    assert again.json() == first.json()  # timings too: a replay is answered once


@pytest.mark.parametrize("name", sorted(FORMS))
def test_each_form_of_an_answer_can_be_asked_for(served: Served, name: str) -> None:
    reply = served.post("/ask", {"question": IMATINIB, "format": name})
    assert reply.status == 200
    assert (
        reply.headers["content-type"].partition(";")[0]
        == (FORMS[name].media_type.partition(";")[0])
    )
    if name != "json":
        (answer,) = (a for _, a in served.desk._kept.values() if a.question == IMATINIB)
        assert reply.body.decode() == render(answer, name)


def test_entities_are_pinned_as_an_object_or_as_pairs(slow: Federation) -> None:
    with live(slow) as running:
        body = {"text": "the pressure", "entities": {"the pressure": "MONDO:0005044"}}
        by_object = running.post("/resolve", body)
        by_pairs = running.post("/resolve", body | {"entities": ["the pressure=MONDO:0005044"]})
    assert by_object.json() == by_pairs.json()
    (entity,) = by_object.json()["entities"]
    assert (entity["curie"], entity["how"]) == ("MONDO:0005044", "pinned")


def test_resolve_tells_what_is_unresolved_instead_of_failing(served: Served) -> None:
    reply = served.post("/resolve", {"text": UNKNOWN})
    assert reply.status == 200
    assert [one["mention"] for one in reply.json()["unresolved"]] == ["zorbalixinib"]


def test_a_plan_asks_nobody(served: Served) -> None:
    told = served.post("/plan", {"question": IMATINIB}).json()
    assert told["question"] == IMATINIB
    (entity,) = told["entities"]
    assert entity["name"] == "imatinib"
    assert told["queries"][0]["nodes"]
    assert {a["service"] for a in told["plan"]["assignments"] if a["asked"]} == {"bte"}


def test_services_are_listed_and_called_only_when_that_is_asked_for(slow: Federation) -> None:
    slow.heal()
    with live(slow) as running:
        rows = {row["service"]: row for row in running.get("/services").json()["services"]}
        assert rows["bte"]["enabled"]
        assert "state" not in rows["bte"]
        assert slow.calls_of("bte") == []
        checked = running.get("/services?check=true").json()["services"]
        assert {row["service"]: row["state"] for row in checked}["bte"] == "ok"
        calls = len(slow.calls)
        assert running.get("/services?check=true").json()["services"] == checked
        assert len(slow.calls) == calls  # told again, not called again


def test_no_address_and_no_key_of_a_service_is_told(slow: Federation) -> None:
    with live(slow) as running:
        text = running.get("/services").body.decode()
    assert slow.base_urls["bte"] not in text
    assert "ONCOKB" not in text


def test_only_and_exclude_choose_services_for_one_question(slow: Federation) -> None:
    slow.delay(0.0)
    with live(slow) as running:
        asked = {"question": GENE_QUESTION}
        refused = running.post("/ask", asked | {"exclude": ["bte"]})
        assert (refused.status, refused.error()["kind"]) == (422, "PlanError")
        assert "left out of this question" in refused.error()["message"]
        assert running.post("/ask", asked | {"only": "bte"}).status == 200
        assert running.post("/ask", asked).status == 200
        unknown = running.post("/ask", asked | {"only": ["bta"]})
        assert unknown.status == 400
        assert "did you mean 'bte'?" in unknown.error()["message"]


def test_health_says_what_is_going_on(served: Served) -> None:
    assert served.get("/health").json() == {"status": "ok", "under_way": 0, "waiting": 0}


def test_others_are_answered_while_a_long_answer_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = threading.Event()

    async def read(*_: Any, **__: Any) -> Any:
        reading.set()
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            pass
        raise PlanError("it took its time")

    monkeypatch.setattr(Session, "resolve", read)
    with demo() as running, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(running.post, "/resolve", {"text": "imatinib"})
        assert reading.wait(10)
        assert running.get("/health").json()["under_way"] == 1
        assert not slow.done()
        assert slow.result().error()["message"] == "it took its time"


# --- runs ---------------------------------------------------------------------------------------


def test_a_run_is_shown_to_whoever_knows_its_whole_id(served: Served) -> None:
    answer = served.post("/ask", {"question": IMATINIB})
    run = answer.headers["x-fedrag-run"]
    record = served.get(f"/runs/{run}").json()
    assert (record["id"], record["question"]) == (run, IMATINIB)
    assert steady(record["answer"]) == steady(answer.json())
    as_table = served.get(f"/runs/{run}?format=tsv")
    assert as_table.headers["content-disposition"] == f'attachment; filename="fedrag-{run}.tsv"'
    assert as_table.body == served.post("/ask", {"question": IMATINIB, "format": "tsv"}).body
    for less in (run[:15], "last", "..%2f..%2fetc%2fpasswd"):
        assert served.get(f"/runs/{less}").status == 404
    missing = served.get("/runs/20000101T000000-000000")
    assert (missing.status, missing.error()["kind"]) == (404, "RunError")


def test_a_run_is_found_again_after_a_restart(tmp_path: Path) -> None:
    with demo(log=True, log_dir=tmp_path) as first:
        reply = first.post("/ask", {"question": IMATINIB})
        table = first.post("/ask", {"question": IMATINIB, "format": "tsv"}).body
    run = reply.headers["x-fedrag-run"]
    with demo(log=True, log_dir=tmp_path) as second:
        assert second.get(f"/runs/{run}").json()["question"] == IMATINIB
        assert second.get(f"/runs/{run}?format=tsv").body == table


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/ask", {}, "question is missing"),
        ("/ask", {"question": "  "}, "question is empty"),
        ("/ask", {"question": 3}, "question must be text, not a number"),
        ("/ask", {"question": True}, "question must be text, not true or false"),
        ("/ask", {"question": "x" * 2_001}, "question has 2,001 characters, more than 2,000"),
        ("/ask", {"question": "x", "fromat": "tsv"}, "no field 'fromat'; did you mean 'format'?"),
        ("/ask", {"question": "x", "format": "pdf"}, "format must be one of"),
        ("/ask", {"question": "x", "entities": "a=b"}, "entities must be an object"),
        ("/ask", {"question": "x", "entities": ["a"]}, "entities wants MENTION=CURIE, not 'a'"),
        ("/ask", {"question": "x", "entities": {"a": 1}}, "'a' must have a CURIE"),
        ("/ask", {"question": "x", "entities": {"": "b"}}, "'' must have a CURIE"),
        ("/ask", {"question": "x", "only": {"a": 1}}, "only must be a list"),
        ("/ask", {"question": "x", "exclude": [1]}, "exclude must be a list"),
        ("/ask", {"question": "x", "only": ["a"] * 101}, "only has more than 100 entries"),
        ("/ask", [], "the body must be an object, not a list"),
        ("/ask", None, "the body must be an object, not null"),
        ("/ask", b'{"question": NaN}', "the body is no JSON"),
        ("/ask", b'{"question": "' + b"\xff" + b'"}', "the body is no JSON"),
        ("/ask", b"[" * 100_000, "the body is no JSON"),
        ("/ask", b"", "the body is no JSON"),
        ("/plan", {"question": "x", "format": "json"}, "there is no field 'format'"),
        ("/resolve", {"question": "x"}, "there is no field 'question'"),
        ("/resolve", {"text": None}, "text is empty"),
    ],
)
def test_a_wrong_body_is_refused_by_the_name_of_what_is_wrong(
    served: Served, path: str, body: Any, says: str
) -> None:
    reply = served.post(path, body)
    assert reply.status == 400
    assert says in reply.error()["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    [
        ("GET", "/nowhere", 404, "there is nothing at /nowhere"),
        ("GET", "/ask", 405, "/ask does not take GET"),
        ("DELETE", "/health", 405, "/health does not take DELETE"),
        ("POST", "/ask", 415, "the body must be application/json, not of no type"),
    ],
)
def test_a_wrong_request_says_so_in_json(
    served: Served, method: str, path: str, status: int, says: str
) -> None:
    reply = served.send(method, path, None, {})
    assert (reply.status, reply.headers["content-type"]) == (status, "application/json")
    assert says in reply.error()["message"]


@pytest.mark.parametrize(
    ("question", "status", "kind"),
    [(UNKNOWN, 422, "UnresolvedEntityError"), (NOT_RECORDED, 422, "OfflineError")],
)
def test_what_cannot_be_answered_has_its_own_status(
    served: Served, question: str, status: int, kind: str
) -> None:
    reply = served.post("/ask", {"question": question})
    assert (reply.status, reply.error()["kind"]) == (status, kind)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/ask", {"question": NOT_RECORDED}),
        ("/plan", {"question": NOT_RECORDED}),
        ("/resolve", {"text": "warfarin"}),
    ],
)
def test_what_a_recording_does_not_hold_is_told_briefly(
    served: Served, path: str, body: dict[str, str]
) -> None:
    reply = served.post(path, body)
    told = reply.error()
    assert reply.status == 422
    assert told["message"].startswith("this recording has no answer to that: ")
    assert told["hint"].startswith("it holds ")
    assert "imatinib" not in told["hint"]  # the questions themselves are the page's
    assert len(reply.body) < 400


def test_every_service_of_a_replay_is_told_when_its_check_is_not_recorded(served: Served) -> None:
    reply = served.get("/services?check=true")
    rows = {row["service"]: row for row in reply.json()["services"]}
    assert (reply.status, len(rows)) == (200, len(served.desk.session.services))
    assert rows["bte"]["state"] == "ok"
    unheld = [row for row in rows.values() if "the cassette holds no such call" in row["reason"]]
    assert unheld
    assert {row["state"] for row in unheld} == {"skipped"}


def test_hints_name_fields_where_the_command_line_has_flags(served: Served) -> None:
    hint = served.post("/ask", {"question": UNKNOWN}).error()["hint"]
    assert hint == 'pin it with "entities": {"zorbalixinib": "CURIE"}'


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_an_answer_that_strict_refuses_comes_with_the_error(accept: str) -> None:
    with Federation(kps=1) as world:
        world.fault("kp1", "html", path="/query")
        with live(world, strict=True) as running:
            reply = running.post("/ask", {"question": GENE_QUESTION}, accept=accept)
    told = reply.json() if accept == "application/json" else reply.events()[-1][1]
    assert told["error"]["kind"] == "UnavailableError"
    assert told.get("status", reply.status) == 502
    assert told["answer"]["completeness"] == "partial"
    assert told["answer"]["candidates"]


def test_an_internal_error_tells_nothing_of_the_inside(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(served.desk, "resolve", broken)
    reply = served.post("/resolve", {"text": "imatinib"})
    assert (reply.status, reply.error()["message"]) == (500, "internal error")
    assert b"secret" not in reply.body
    assert reply.headers["x-content-type-options"] == "nosniff"


# --- progress -----------------------------------------------------------------------------------


def test_events_tell_each_step_and_then_the_answer(served: Served) -> None:
    question = "What links PCSK9 and hypercholesterolemia?"
    reply = served.post("/ask", {"question": question}, accept="text/event-stream")
    assert reply.headers["content-type"].startswith("text/event-stream")
    kinds = [kind for kind, _ in reply.events()]
    assert kinds == ["progress"] * (len(kinds) - 1) + ["answer"]
    assert reply.events()[0][1] == {"line": "recognising entities"}
    assert reply.events()[-1][1] == served.post("/ask", {"question": question}).json()


def test_events_end_with_the_error_where_there_is_one(served: Served) -> None:
    reply = served.post("/ask", {"question": UNKNOWN}, accept="text/event-stream")
    kind, told = reply.events()[-1]
    assert (kind, told["status"]) == ("error", 422)
    assert told["error"]["kind"] == "UnresolvedEntityError"


def test_events_have_no_other_form(served: Served) -> None:
    asked = {"question": IMATINIB, "format": "csv"}
    reply = served.post("/ask", asked, accept="text/event-stream")
    assert (reply.status, reply.error()["message"]) == (400, "events carry JSON alone")


# --- what is stopped ----------------------------------------------------------------------------


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_client_that_goes_stops_its_calls(slow: Federation, accept: str) -> None:
    slow.delay(30.0, "bte")
    with live(slow) as running:
        body = json.dumps({"question": GENE_QUESTION}).encode()
        head = (
            f"POST /ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"accept: {accept}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        connection = running.connect()
        connection.sendall(head.encode() + body)
        wait_until(lambda: running.desk.turns.free < running.desk.turns.at_once)
        connection.close()
        wait_until(lambda: running.desk._flights.under_way == 0)
        wait_until(lambda: running.desk.turns.free == running.desk.turns.at_once)
        wait_until(lambda: not running.desk.session.net._flights._all)


def test_a_run_that_two_wait_for_goes_on_when_one_goes(slow: Federation) -> None:
    with live(slow) as running:
        with ThreadPoolExecutor(2) as pool:
            replies = [
                pool.submit(running.post, "/ask", {"question": GENE_QUESTION}) for _ in range(2)
            ]
            wait_until(lambda: running.desk._flights.under_way == 1)
            body = json.dumps({"question": GENE_QUESTION}).encode()
            head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            third = running.connect()
            third.sendall(b"POST /ask HTTP/1.1\r\nhost: localhost\r\n" + head.encode() + body)
            third.close()
            first, second = (reply.result() for reply in replies)
        assert first.status == 200
        assert first.json() == second.json()
        once = len(slow.calls_of("bte", "/query"))
        running.post("/ask", {"question": GENE_QUESTION})
        assert len(slow.calls_of("bte", "/query")) == 2 * once  # live, it is asked again


def test_a_request_that_takes_too_long_is_given_up(slow: Federation) -> None:
    slow.delay(30.0, "bte")
    with live(slow, limits=DeskLimits(seconds=0.4)) as running:
        reply = running.post("/ask", {"question": GENE_QUESTION})
        assert (reply.status, reply.error()["kind"]) == (504, "SlowError")
        wait_until(lambda: running.desk._flights.under_way == 0)


def test_more_than_may_wait_are_told_when_to_come_again(slow: Federation) -> None:
    slow.delay(1.0, "nameres")
    with live(slow, limits=DeskLimits(at_once=1, waiting=1)) as running:
        asked = threading.Barrier(3)

        def ask(mention: str) -> tuple[int, str]:
            asked.wait()
            reply = running.post("/resolve", {"text": mention})
            return reply.status, reply.headers.get("retry-after", "")

        with ThreadPoolExecutor(3) as pool:
            told = sorted(pool.map(ask, ("hypertension", "imatinib", "PCSK9")))
        assert [status for status, _ in told] == [200, 200, 503]
        assert int(told[2][1]) >= 1


def test_what_is_under_way_is_stopped_with_the_server(slow: Federation) -> None:
    slow.delay(30.0, "bte")
    with live(slow) as running:
        connection = running.connect()
        body = json.dumps({"question": GENE_QUESTION}).encode()
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        connection.sendall(b"POST /ask HTTP/1.1\r\nhost: localhost\r\n" + head.encode() + body)
        wait_until(lambda: running.desk._flights.under_way == 1)
        running._server.force_exit = True
    assert running.desk._flights.under_way == 0
    read_all(connection)
    connection.close()
