"""Cassettes: readable, the same whatever the order, without secrets, and true on replay."""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from net_support import PUBLIC, Script, at, jump, ok

from fedrag import __version__
from fedrag.errors import (
    CassetteError,
    NeedsKeyError,
    OfflineError,
    RateLimitedError,
    ServiceError,
    ServiceTimeoutError,
    TruncatedError,
    UnavailableError,
)
from fedrag.net import Cache, Cassette, Net, Reply, call_key
from fedrag.net.body import decode_body, encode_body
from fedrag.net.call import Call
from fedrag.net.interaction import Interaction

ANSWER = {"message": {"results": [], "z": 1, "a": [1.5, None, "é"]}}


def call(path: str = "/query", **options: Any) -> Call:
    json, query = options.pop("json", None), tuple(options.pop("query", ()))
    endpoint = at(PUBLIC, service=options.pop("service", "bte"))
    credentialed = options.get("credentialed", False)
    key = call_key(endpoint.service, "POST", path, query, json, credentialed)
    return Call(endpoint, "POST", path, key, query=query, json=json, **options)


def reply(value: Any = ANSWER, *, at: str = "2025-01-01T00:00:00Z", **changes: Any) -> Reply:
    body = value if isinstance(value, bytes) else orjson.dumps(value)
    facts = {"status": 200, "headers": {"content-type": "application/json"}, **changes}
    return Reply(body=body, retrieved_at=at, origin="live", seconds=1.5, **facts)


def saved(cassette: Cassette) -> dict[str, Any]:
    document: dict[str, Any] = orjson.loads(cassette.to_bytes())
    return document


# --- the file -----------------------------------------------------------------------------------


def test_the_file_is_readable_and_says_where_and_when(tmp_path: Path) -> None:
    cassette = Cassette.new(tmp_path / "c.json", note="Loopback services.")
    cassette.add_question("What treats hypertension?")
    cassette.add(call(json={"submitter": "fedrag", "q": 1}), reply())
    assert cassette.save() == tmp_path / "c.json"
    text = (tmp_path / "c.json").read_text("utf-8")
    assert '\n  "meta": {\n    "format": 1,\n' in text
    pretty = '"a": [\n              1.5,\n              null,\n              "é"'
    assert pretty in text
    document = orjson.loads(text)
    assert document["meta"] == {
        "format": 1,
        "fedrag_version": __version__,
        "recorded_at": "2025-01-01T00:00:00Z",
        "recorded_from": {"bte": "https://bte.example.org/v1"},
        "note": "Loopback services.",
        "questions": ["What treats hypertension?"],
    }
    (interaction,) = document["interactions"]
    assert interaction == {
        "key": call(json={"q": 1}).key,
        "service": "bte",
        "method": "POST",
        "path": "/query",
        "json": {"q": 1},
        "credentials": False,
        "retrieved_at": "2025-01-01T00:00:00Z",
        "status": 200,
        "headers": {"content-type": "application/json"},
        "body": {"json": ANSWER},
    }


def test_the_order_of_calls_does_not_matter(tmp_path: Path) -> None:
    calls = [(call(f"/{i}"), reply([i], at=f"2025-01-01T00:00:0{i}Z")) for i in range(9)]
    texts = set()
    for seed in range(5):
        random.Random(seed).shuffle(calls)
        cassette = Cassette()
        for one, answer in calls:
            cassette.add(one, answer)
            cassette.add_question(f"Q{one.path}")
            cassette.add_failure(one, UnavailableError("late", service="bte"))
        texts.add(cassette.to_bytes())
    assert len(texts) == 1


def test_large_bodies_are_written_on_one_line_and_read_back(tmp_path: Path) -> None:
    cassette = Cassette(tmp_path / "c.json")
    large = [{"i": i} for i in range(1000)]
    cassette.add(call(), reply(large))
    cassette.save()
    assert len((tmp_path / "c.json").read_text("utf-8").splitlines()) < 40
    assert Cassette.load(tmp_path / "c.json").reply(call()).json() == large


def test_saving_merges_with_what_is_there(tmp_path: Path) -> None:
    for name in ("a", "b"):
        cassette = Cassette(tmp_path / "c.json", note=f"Note {name}.")
        cassette.add_question(f"Question {name}?")
        cassette.add(call(f"/{name}"), reply([name]))
        cassette.add(call("/shared"), reply([name], at=f"2025-01-0{ord(name) - 96}T00:00:00Z"))
        cassette.save()
    loaded = Cassette.load(tmp_path / "c.json")
    assert loaded.reply(call("/a")).json() == ["a"]
    assert loaded.reply(call("/b")).json() == ["b"]
    assert loaded.reply(call("/shared")).json() == ["b"]  # the later recording counts
    assert loaded.questions == ["Question a?", "Question b?"]
    assert loaded.note == "Note a. Note b."
    assert loaded.recorded_at == "2025-01-02T00:00:00Z"


def test_saving_twice_changes_nothing(tmp_path: Path) -> None:
    cassette = Cassette(tmp_path / "c.json", note="n")
    cassette.add(call(), reply())
    cassette.save()
    first, written = (tmp_path / "c.json").read_bytes(), (tmp_path / "c.json").stat().st_ino
    cassette.save()
    assert (tmp_path / "c.json").read_bytes() == first
    assert (tmp_path / "c.json").stat().st_ino == written  # not even written again
    assert os.listdir(tmp_path) == ["c.json"]


@pytest.mark.parametrize("change", ["call", "failure", "question", "merged", "lost"])
def test_whatever_is_new_since_the_last_save_is_saved(tmp_path: Path, change: str) -> None:
    cassette, path = Cassette(tmp_path / "c.json"), tmp_path / "c.json"
    cassette.add(call(), reply())
    cassette.save()
    if change == "call":
        cassette.add(call("/more"), reply())
    elif change == "failure":
        cassette.add_failure(call("/more"), UnavailableError("down", service="bte"))
    elif change == "question":
        cassette.add_question("What is new?")
    elif change == "merged":
        other = Cassette()
        other.add(call("/more"), reply())
        cassette.merge(other)
    else:
        path.unlink()
    cassette.save()
    loaded = Cassette.load(path)
    assert loaded.to_bytes() == cassette.to_bytes()


def test_a_packed_cassette_is_small_where_calls_repeat_each_other_far_apart(
    tmp_path: Path,
) -> None:
    noise = random.Random(1)
    body = [noise.randbytes(30_000).hex() for _ in range(150)]  # 9 MB of text, 4.5 MB of noise
    cassette = Cassette(tmp_path / "c.json.zst")
    for path in ("/a", "/b"):
        cassette.add(call(path), reply(body))
    cassette.save()
    assert (tmp_path / "c.json.zst").stat().st_size < 1.2 * 4_500_000
    assert Cassette.load(tmp_path / "c.json.zst").reply(call("/b")).json() == body


def test_a_failed_save_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette = Cassette(tmp_path / "c.json")
    cassette.add(call(), reply())
    cassette.save()
    before = (tmp_path / "c.json").read_bytes()
    cassette.add(call("/more"), reply())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CassetteError, match="No space left on device"):
        cassette.save()
    assert (tmp_path / "c.json").read_bytes() == before
    assert os.listdir(tmp_path) == ["c.json"]


def test_a_file_that_is_no_cassette_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"my": "data"}')
    cassette = Cassette(tmp_path / "c.json")
    cassette.add(call(), reply())
    with pytest.raises(CassetteError, match="not a cassette"):
        cassette.save()
    assert (tmp_path / "c.json").read_text() == '{"my": "data"}'


def test_a_folder_gets_one_file_for_each_set_of_questions(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    files = []
    for question in ("A?", "B?", "A?"):
        cassette = Cassette.new(folder)
        cassette.add_question(question)
        cassette.add(call(f"/{question[0]}"), reply([question]))
        files.append(cassette.save())
    assert files[0] == files[2] != files[1]
    assert len(list(folder.glob("*.json"))) == 2
    loaded = Cassette.load(folder)
    assert loaded.reply(call("/B")).json() == ["B?"]
    assert sorted(loaded.questions) == ["A?", "B?"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"meta": {},\n\n "interactions": [,]}', r"c\.json: line 3, column 19"),
        ("", r"c\.json: line 1, column 1"),
        ("<html>", "line 1, column 1"),
        ("[]", "this is JSON, but not a cassette"),
        ('{"interactions": []}', "its meta is missing"),
        (
            '{"meta": {"format": 1, "questions": 7}, "interactions": []}',
            "meta is missing or malformed",
        ),
        ('{"meta": {"format": 99}, "interactions": []}', "has format 99, this fedrag reads 1"),
        ('{"meta": {"format": 1}, "interactions": [7]}', "interaction 1 is malformed"),
        (
            '{"meta": {"format": 1}, "interactions": [{"key": "k", "service": "bte"}]}',
            "interaction 1 is malformed: 'method' is missing",
        ),
        (
            '{"meta": {"format": 1}, "interactions": [{"key": 7, "service": "bte"}]}',
            "interaction 1 is malformed: 7 is not text",
        ),
    ],
)
def test_a_malformed_cassette_says_where(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(CassetteError, match=words) as caught:
        Cassette.load(tmp_path / "c.json")
    assert caught.value.exit_code == 2


def test_a_missing_cassette_and_an_empty_folder_say_so(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="No such file"):
        Cassette.load(tmp_path / "none.json")
    with pytest.raises(CassetteError, match="no cassette in the folder"):
        Cassette.load(tmp_path)


# --- bodies -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"b": 1, "a": 2}', "json"),
        (b"null", "json"),
        (b"18446744073709551615", "json"),
        (b"<!DOCTYPE html><p>busy", "text"),
        (b'{"a": ', "text"),
        (b"a\tb\r\n1\t2\r\n", "text"),
        (b"", "text"),
        (b"\xff\xfe\x00", "base64"),
        (b'"\\ud800"', "text"),
    ],
)
def test_a_body_is_stored_in_its_most_readable_form(body: bytes, kind: str) -> None:
    stored = encode_body(body, ())
    assert list(stored) == [kind]
    back = decode_body(orjson.loads(orjson.dumps(stored)))
    assert orjson.loads(back) == orjson.loads(body) if kind == "json" else back == body


def test_the_order_of_keys_in_an_answer_survives() -> None:
    assert decode_body(encode_body(b'{"b": 1, "a": 2}', ())) == b'{"b":1,"a":2}'


@given(st.binary())
def test_any_bytes_come_back(body: bytes) -> None:
    back = decode_body(orjson.loads(orjson.dumps(encode_body(body, ()))))
    try:
        assert orjson.loads(back) == orjson.loads(body)
    except orjson.JSONDecodeError:
        assert back == body


# --- replay -------------------------------------------------------------------------------------


async def test_a_replay_touches_neither_network_nor_cache(tmp_path: Path) -> None:
    cassette = Cassette()
    cassette.add(call(json={"q": 1}), reply())
    script = Script([ok()])
    cache = Cache(tmp_path / "cache")
    async with Net(replay=cassette, cache=cache, transport=script) as net:
        caller = net.caller_for(deadline=0)
        found = await caller.send(PUBLIC, "POST", "/query", json={"q": 1, "submitter": "me"})
        with pytest.raises(OfflineError):
            await caller.send(PUBLIC, "POST", "/query", json={"q": 2})
    assert found.json() == ANSWER
    assert (found.origin, found.retrieved_at, found.seconds) == (
        "replay",
        "2025-01-01T00:00:00Z",
        0.0,
    )
    assert script.requests == []
    assert not (tmp_path / "cache").exists()


async def test_a_miss_names_the_call_and_the_first_questions() -> None:
    cassette = Cassette()
    for i in range(103):
        cassette.add_question(f"Question {i:03}?")
    async with Net(replay=cassette) as net:
        with pytest.raises(OfflineError) as caught:
            await net.caller_for().send(PUBLIC, "POST", "/query")
    text = str(caught.value)
    assert text.startswith("the cassette holds no such call: bte POST /query (it was recorded for:")
    assert "Question 000?; Question 001?; Question 002?; and 100 more;" in text
    assert text.endswith("`fedrag cassette show NAME` lists them)")
    assert caught.value.exit_code == 3


async def test_a_missed_model_is_told_as_what_no_replay_asks() -> None:
    cassette, model = Cassette(), replace(PUBLIC, service="llm")
    async with Net(replay=cassette) as net:
        with pytest.raises(OfflineError, match="without a language model, and a replay asks none"):
            await net.caller_for().send(model, "POST", "/chat/completions")


FAILURES: list[tuple[httpx2.Response | Exception, type[ServiceError], int | None]] = [
    (httpx2.Response(429), RateLimitedError, 429),
    (httpx2.Response(500, text="oops"), UnavailableError, 500),
    (httpx2.Response(422, text="bad graph"), UnavailableError, 422),
    (httpx2.Response(401), NeedsKeyError, 401),
    (httpx2.ConnectError("refused"), UnavailableError, None),
    (httpx2.ReadTimeout("slow"), ServiceTimeoutError, None),
    (httpx2.Response(200, content=b"x" * 2000), TruncatedError, None),
]


@pytest.mark.parametrize(("answer", "kind", "status"), FAILURES)
def test_a_failed_call_fails_the_same_way_again(
    answer: httpx2.Response | Exception,
    kind: type[ServiceError],
    status: int | None,
    tmp_path: Path,
) -> None:
    endpoint = at(PUBLIC, retries=0, max_bytes=1000)
    cassette = Cassette(tmp_path / "c.json")

    async def run(net: Net) -> ServiceError:
        async with net:
            caller = net.caller_for()
            with pytest.raises(kind) as caught:
                await caller.send(endpoint, "GET", "/")
            assert [line.outcome for line in caller.trace] == [kind.state]
            return caught.value

    live = jump(run(Net(transport=Script([answer]), record=cassette)))
    cassette.save()
    replayed = jump(run(Net(replay=Cassette.load(tmp_path / "c.json"))))
    assert type(replayed) is type(live)
    assert str(replayed) == str(live)
    assert replayed.status == live.status == status


def test_a_deadline_that_was_reached_is_recorded_too() -> None:
    cassette = Cassette()

    async def run(net: Net) -> str:
        async with net:
            with pytest.raises(ServiceTimeoutError) as caught:
                await net.caller_for(deadline=5).send(PUBLIC, "GET", "/")
            return str(caught.value)

    live = jump(run(Net(transport=Script([ok()], seconds=20), record=cassette)))
    assert jump(run(Net(replay=cassette))) == live
    assert "deadline of 5 s reached" in live


def test_an_answer_wins_over_a_failure_of_the_same_call() -> None:
    failed, answered = UnavailableError("down", service="bte"), reply([1])
    for order in ("failure first", "answer first"):
        cassette = Cassette()
        if order == "failure first":
            cassette.add_failure(call(), failed)
        cassette.add(call(), answered)
        if order == "answer first":
            cassette.add_failure(call(), failed)
        assert cassette.reply(call()).json() == [1]


async def test_what_the_cache_answered_is_recorded_as_well(tmp_path: Path) -> None:
    script = Script([ok([1])])
    async with Net(cache=Cache(tmp_path / "cache"), transport=script) as net:
        first = await net.caller_for().send(PUBLIC, "GET", "/")
    cassette = Cassette()
    async with Net(cache=Cache(tmp_path / "cache"), record=cassette, transport=script) as net:
        await net.caller_for().send(PUBLIC, "GET", "/")
    (one,) = cassette.interactions.values()
    assert (one.body, one.retrieved_at) == ({"json": [1]}, first.retrieved_at)


async def test_a_recording_replays_from_any_address() -> None:
    cassette = Cassette()
    local = at(PUBLIC, base_url="http://127.0.0.1:8000", trusted=True)
    async with Net(transport=Script([ok([1])]), record=cassette) as net:
        await net.caller_for().send(local, "GET", "/x")
    assert cassette.recorded_from == {"bte": "http://127.0.0.1:8000"}
    async with Net(replay=cassette) as net:
        assert (await net.caller_for().send(PUBLIC, "GET", "/x")).json() == [1]


async def test_html_in_the_place_of_json_replays_as_it_was() -> None:
    cassette = Cassette()
    script = Script([httpx2.Response(200, html="<html>busy</html>")])
    async with Net(transport=script, record=cassette) as net:
        live = await net.caller_for().send(PUBLIC, "GET", "/x")
    async with Net(replay=cassette) as net:
        replayed = await net.caller_for().send(PUBLIC, "GET", "/x")
    assert (replayed.body, replayed.headers) == (live.body, live.headers)


async def test_calls_made_at_once_are_recorded_once_and_in_no_order(tmp_path: Path) -> None:
    texts = set()
    for shift in range(3):
        cassette = Cassette()
        async with Net(transport=Script([ok([1])]), record=cassette) as net:
            paths = [f"/{(i + shift) % 6}" for i in range(6)] * 2
            caller = net.caller_for()
            await asyncio.gather(*(caller.send(PUBLIC, "GET", path) for path in paths))
        document = saved(cassette)
        for interaction in document["interactions"]:
            interaction.pop("retrieved_at")
        texts.add(orjson.dumps(document["interactions"]))
    assert len(texts) == 1


# --- secrets and licences -----------------------------------------------------------------------


async def test_no_secret_reaches_the_file(tmp_path: Path) -> None:
    secrets = ["t0ken-of-no-shape", "k3y-in-the-query", "p4ss-in-the-body", "me@example.org"]
    echo = Script([lambda r: httpx2.Response(200, text=f"{r.headers} {r.url} {r.content!r}")])
    cassette = Cassette(tmp_path / "c.json")
    async with Net(transport=echo, record=cassette, caller="me@example.org") as net:
        caller = net.caller_for()
        await caller.send(
            PUBLIC,
            "POST",
            "/x",
            query=[("term", "BRAF"), ("email", secrets[3])],
            json={"ids": [1], "api_key": secrets[2], "submitter": "me"},
            credentials={"Authorization": f"Bearer {secrets[0]}", "api_key": secrets[1]},
        )
        await caller.send(PUBLIC, "GET", "/y", headers={"X-API-Key": secrets[0]})
    cassette.save()
    text = (tmp_path / "c.json").read_text("utf-8")
    assert [secret for secret in secrets[:3] if secret in text] == []
    one = next(i for i in saved(cassette)["interactions"] if i["path"] == "/x")
    assert one["query"] == [["term", "BRAF"]]
    assert one["json"] == {"ids": [1]}
    assert one["credentials"] is True
    assert one["headers"] == {"content-type": "text/plain; charset=utf-8"}
    assert cassette.verify() == []


async def test_no_secret_is_in_the_message_of_a_failure() -> None:
    cassette = Cassette()
    script = Script([httpx2.Response(403, text="bad key hunter22-of-mine")])
    async with Net(transport=script, record=cassette) as net:
        with pytest.raises(NeedsKeyError) as caught:
            await net.caller_for().send(
                PUBLIC, "GET", "/", credentials={"Authorization": "Bearer hunter22-of-mine"}
            )
    assert "bad key [removed]" in str(caught.value)
    assert b"hunter22" not in cassette.to_bytes()


def tampered(tmp_path: Path) -> Path:
    """A cassette somebody edited by hand."""
    cassette = Cassette()
    cassette.add(call("/a", json={"q": 1}), reply())
    cassette.add(call("/b", service="oncokb"), reply())
    cassette.add(call("/c"), reply(["fine"]))
    document = saved(cassette)
    by_path = {one["path"]: one for one in document["interactions"]}
    by_path["/a"]["query"] = [["api_key", "1234567890"]]
    by_path["/a"]["json"]["email"] = "me@example.org"
    by_path["/a"]["headers"]["set-cookie"] = "id=7"
    by_path["/a"]["body"] = {"json": {"token": "Bearer abcdefghijklmnop1"}}
    by_path["/b"]["body"] = {"json": ["an answer of oncokb"]}
    document["meta"]["recorded_from"]["bte"] = "https://me:secret@bte.example.org/v1"
    (tmp_path / "c.json").write_bytes(orjson.dumps(document))
    return tmp_path / "c.json"


def test_verify_finds_what_scrub_removes(tmp_path: Path) -> None:
    path = tampered(tmp_path)
    cassette = Cassette.load(path)
    problems = cassette.verify()
    assert len(problems) == 3
    assert any("bte POST /a" in text and "holds a secret" in text for text in problems)
    assert any("user name or password" in text for text in problems)
    assert any("oncokb: its licence forbids" in text for text in problems)
    assert cassette.scrub() == 3
    assert cassette.verify() == []
    cassette.overwrite()
    text = path.read_text("utf-8")
    for secret in ("1234567890", "me@example", "set-cookie", "abcdefgh", "an answer", "me:secret"):
        assert secret not in text
    assert Cassette.load(path).scrub() == 0
    assert Cassette.load(path).reply(call("/a", json={"q": 1})).json() == {"token": "[removed]"}


def test_verify_finds_keys_that_do_not_fit_and_bodies_that_cannot_be_read(tmp_path: Path) -> None:
    cassette = Cassette()
    for path in ("/a", "/b", "/c", "/d"):
        cassette.add(call(path), reply())
    document = saved(cassette)
    by_path = {one["path"]: one for one in document["interactions"]}
    by_path["/a"]["json"] = {"other": "question"}
    by_path["/b"]["body"] = {"base64": "%%%"}
    by_path["/c"]["body"] = {"yaml": "x"}
    by_path["/d"]["failure"] = {"state": "exploded", "message": "x"}
    (tmp_path / "c.json").write_bytes(orjson.dumps(document))
    problems = Cassette.load(tmp_path / "c.json").verify()
    assert len(problems) == 4
    text = "\n".join(problems)
    assert "bte POST /a" in text
    assert "the key does not fit the call" in text
    assert "a body of kind base64 cannot be read" in text
    assert "a body must be one of json, text, base64, removed" in text
    assert "unknown failure 'exploded'" in text


def test_scrub_drops_a_body_that_cannot_be_read_since_it_cannot_be_cleaned() -> None:
    cassette = Cassette()
    cassette.add(call(), reply())
    (one,) = cassette.interactions.values()
    cassette.interactions[one.key] = replace(one, body={"base64": "%%%"})
    with pytest.raises(CassetteError, match="cannot be read"):
        cassette.reply(call())
    assert cassette.scrub() == 1
    with pytest.raises(UnavailableError, match="recorded answer of bte was unreadable"):
        cassette.reply(call())


async def test_licensed_bodies_are_not_stored_and_say_so_on_replay() -> None:
    cassette = Cassette.new(licensed={"oncokb", "other"})
    licensed = at(PUBLIC, service="other")
    async with Net(transport=Script([ok(["secret sauce"])]), record=cassette) as net:
        live = await net.caller_for().send(licensed, "GET", "/")
    assert live.json() == ["secret sauce"]
    assert b"secret sauce" not in cassette.to_bytes()
    assert cassette.verify() == []
    async with Net(replay=cassette) as net:
        with pytest.raises(UnavailableError, match="the licence of other keeps its answers out"):
            await net.caller_for().send(licensed, "GET", "/")


def test_by_default_oncokb_is_licensed() -> None:
    cassette = Cassette()
    cassette.add(call(service="oncokb"), reply())
    (one,) = cassette.interactions.values()
    assert one.body == {"removed": "licence"}


def test_a_summary_counts_calls_by_service() -> None:
    cassette = Cassette(note="A note.")
    cassette.add_question("Q?")
    cassette.add(call("/a"), reply())
    cassette.add(call("/b", service="nodenorm"), reply())
    cassette.add_failure(call("/c"), UnavailableError("down", service="bte"))
    summary = cassette.summary()
    assert summary["calls"] == {
        "bte": {"answered": 1, "failed": 1},
        "nodenorm": {"answered": 1, "failed": 0},
    }
    assert (summary["total"], summary["questions"], summary["note"]) == (3, ["Q?"], "A note.")
    assert summary["path"] is None
    assert summary["recorded_from"]["nodenorm"] == "https://bte.example.org/v1"


def test_an_interaction_survives_its_json_form() -> None:
    bodies: list[Any] = [{"q": 1}, {}, [], None, {"submitter": "x"}]
    for body in bodies:
        one = Interaction.of_reply(call(json=body, query=[("a", "1")]), reply())
        again = Interaction.read(orjson.loads(orjson.dumps(one.to_json())))
        assert again == one
        assert again.problems() == []
