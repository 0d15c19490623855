"""Form-encoded calls: sent, keyed, recorded and replayed like JSON ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
from net_support import PUBLIC

from fedrag.net import Cassette, Net
from fedrag.net.key import call_key

FIELDS = (("q", "DB00945,DB:é&"), ("scopes", "drugbank.id"), ("caller_identity", "me@lab.org"))


def answering(seen: list[httpx2.Request]) -> httpx2.MockTransport:
    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=[{"query": "DB00945"}])

    return httpx2.MockTransport(handle)


def send(net: Net) -> bytes:
    async def work() -> bytes:
        async with net:
            caller = net.caller_for()
            return (await caller.send(PUBLIC, "POST", "/query", form=FIELDS)).body

    return asyncio.run(work())


def test_a_form_is_sent_url_encoded() -> None:
    seen: list[httpx2.Request] = []
    send(Net(transport=answering(seen)))
    assert seen[0].headers["content-type"] == "application/x-www-form-urlencoded"
    assert seen[0].content == (
        b"q=DB00945%2CDB%3A%C3%A9%26&scopes=drugbank.id&caller_identity=me%40lab.org"
    )


def test_the_key_of_a_form_leaves_identity_out_and_differs_from_a_query() -> None:
    key = call_key("bte", "POST", "/query", form=FIELDS)
    assert key == call_key("bte", "POST", "/query", form=FIELDS[:2])
    assert key != call_key("bte", "POST", "/query", query=FIELDS[:2])
    assert call_key("bte", "POST", "/query") != call_key("bte", "POST", "/query", form=())


def test_a_recorded_form_is_found_again_and_keeps_no_identity(tmp_path: Path) -> None:
    tape = Cassette.new(tmp_path / "tape.json")
    live = send(Net(transport=answering([]), record=tape))
    tape.save()
    text = (tmp_path / "tape.json").read_text(encoding="utf-8")
    assert "me@lab.org" not in text
    assert "drugbank.id" in text
    again = Cassette.load(tmp_path / "tape.json")
    assert again.verify() == []
    assert send(Net(replay=again)) == live
