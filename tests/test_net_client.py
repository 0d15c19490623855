"""What a call sends, what it follows, what it shares, and what it leaves in the trace."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from net_support import PUBLIC, Script, at, clock, jump, ok

import fedrag.net
from fedrag import __version__
from fedrag.errors import (
    BadPayloadError,
    OfflineError,
    ServiceError,
    ServiceTimeoutError,
    TruncatedError,
    UnavailableError,
)
from fedrag.net import Cache, Caller, Cassette, Net, Reply, underlying

TRUSTED = at(PUBLIC, base_url="http://127.0.0.1:8000/bte/", trusted=True)


async def one(script: Script, **options: Any) -> httpx2.Request:
    """The request that one call sends."""
    async with Net(transport=script, caller=options.pop("caller", "")) as net:
        await net.caller_for().send(options.pop("endpoint", PUBLIC), "POST", "/query", **options)
    return script.requests[0]


async def test_a_request_says_who_asks_and_wants_json() -> None:
    request = await one(Script([ok()]), json={"a": 1}, caller="me@example.org")
    assert request.headers["user-agent"] == f"fedrag/{__version__} (me@example.org)"
    assert request.headers["accept"] == "application/json"
    assert request.headers["content-type"] == "application/json"
    assert request.content == b'{"a":1}'
    assert str(request.url) == "https://bte.example.org/v1/query"


async def test_a_caller_cannot_smuggle_a_header() -> None:
    request = await one(Script([ok()]), caller="me\r\nX-Evil: 1)\u00e9")
    assert request.headers["user-agent"] == f"fedrag/{__version__} (meX-Evil: 1)"


async def test_the_query_keeps_its_order_and_repetitions() -> None:
    request = await one(Script([ok()]), query=[("curie", "A:1"), ("curie", "B:2"), ("a", "x y")])
    assert request.url.query == b"curie=A%3A1&curie=B%3A2&a=x+y"


async def test_a_path_cannot_open_a_query_and_slashes_do_not_double() -> None:
    script = Script([ok()])
    async with Net(transport=script) as net:
        await net.caller_for().send(TRUSTED, "GET", "/a?b#c/d")
    assert str(script.requests[0].url) == "http://127.0.0.1:8000/bte/a%3Fb%23c/d"


async def test_credentials_go_where_their_name_says() -> None:
    request = await one(
        Script([ok()]), credentials={"Authorization": "Bearer t0ken", "api_key": "k3y"}
    )
    assert request.headers["authorization"] == "Bearer t0ken"
    assert request.url.query == b"api_key=k3y"


async def test_other_headers_may_replace_the_defaults() -> None:
    request = await one(Script([ok()]), headers={"Accept": "text/tab-separated-values"})
    assert request.headers["accept"] == "text/tab-separated-values"


async def test_cookies_are_never_sent_back() -> None:
    script = Script([httpx2.Response(200, json=[], headers={"set-cookie": "id=7; Path=/"}), ok()])
    async with Net(transport=script) as net:
        caller = net.caller_for()
        await caller.send(PUBLIC, "GET", "/1")
        await caller.send(PUBLIC, "GET", "/2")
    assert "cookie" not in script.requests[1].headers


def redirect(to: str, code: int = 307) -> httpx2.Response:
    return httpx2.Response(code, headers={"location": to})


@pytest.mark.parametrize("code", [301, 302, 307, 308])
async def test_a_redirect_on_the_same_host_keeps_method_and_body(code: int) -> None:
    script = Script([redirect("/v2/query", code), ok()])
    await one(script, json={"a": 1}, credentials={"authorization": "Bearer t0ken"})
    again = script.requests[1]
    assert (again.method, again.content) == ("POST", b'{"a":1}')
    assert str(again.url) == "https://bte.example.org/v2/query"
    assert again.headers["authorization"] == "Bearer t0ken"


async def test_see_other_becomes_a_get() -> None:
    script = Script([redirect("https://bte.example.org/result/1", 303), ok()])
    await one(script, json={"a": 1})
    assert (script.requests[1].method, script.requests[1].content) == ("GET", b"")


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example.org/",
        "http://bte.example.org/v1/query",
        "https://bte.example.org:8443/",
        "//evil.example.org/",
        "https://me@bte.example.org/",
        "file:///etc/passwd",
    ],
)
async def test_a_redirect_to_anywhere_else_is_not_followed(to: str) -> None:
    script = Script([redirect(to), ok()])
    with pytest.raises(UnavailableError, match="which is not asked"):
        await one(script, credentials={"authorization": "Bearer t0ken"})
    assert len(script.requests) == 1


async def test_http_may_become_https_on_the_same_host() -> None:
    script = Script([redirect("https://nas/query"), ok()])
    await one(script, endpoint=at(TRUSTED, base_url="http://nas"))
    assert str(script.requests[1].url) == "https://nas/query"


async def test_a_loop_of_redirects_ends_after_three() -> None:
    script = Script([redirect("/v1/query")])
    with pytest.raises(UnavailableError, match="redirected more than 3 times"):
        await one(script)
    assert len(script.requests) == 4


async def test_an_answer_over_the_limit_is_refused_with_the_way_to_raise_it() -> None:
    script = Script([httpx2.Response(200, content=b"x" * 1001)])
    with pytest.raises(TruncatedError) as caught:
        await one(script, endpoint=at(PUBLIC, max_bytes=1000))
    assert str(caught.value) == (
        "bte answered more than 1,000 bytes (ask for less, or raise the setting max_answer_bytes)"
    )
    assert len(script.requests) == 1
    request = await one(Script([httpx2.Response(200, content=b"x" * 1000)]))
    assert request.method == "POST"


async def test_only_the_headers_that_matter_are_kept() -> None:
    async with Net(transport=Script([ok([1])])) as net:
        reply = await net.caller_for().send(PUBLIC, "GET", "/")
    assert reply.headers == {"content-type": "application/json"}
    assert (reply.json(), reply.origin, reply.service) == ([1], "live", "bte")
    assert reply.retrieved_at.endswith("Z")
    assert len(reply.retrieved_at) == 20


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"<!DOCTYPE html><html>busy", "text/html", "answered HTML"),
        (b"  <html>busy", "", "answered HTML"),
        (b'{"message": {', "application/json", "answered broken JSON"),
        (b"", "application/json", "answered nothing"),
        (b"busy", "text/plain", "answered something else"),
    ],
)
def test_what_is_not_json_says_what_it_is(body: bytes, kind: str, words: str) -> None:
    reply = Reply(200, {"content-type": kind}, body, "", "live", 0.0, service="bte")
    with pytest.raises(BadPayloadError, match=words) as caught:
        reply.json()
    assert caught.value.service == "bte"
    assert len(str(caught.value)) < 160


# --- single flight ------------------------------------------------------------------------------


def test_identical_calls_under_way_are_made_once() -> None:
    script = Script([ok([1])], seconds=10)

    async def run() -> None:
        async with Net(transport=script) as net:
            callers = [net.caller_for() for _ in range(4)]
            bodies: list[Any] = [{"submitter": name, "q": 1} for name in "abcd"]
            replies = await asyncio.gather(
                *(
                    c.send(PUBLIC, "POST", "/q", json=b)
                    for c, b in zip(callers, bodies, strict=True)
                )
            )
        assert [reply.json() for reply in replies] == [[1]] * 4
        assert [len(caller.trace) for caller in callers] == [1] * 4

    jump(run())
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    "other", [{"json": {"q": 2}}, {"store": False}, {"credentials": {"authorization": "Bearer x"}}]
)
def test_calls_that_differ_are_made_each(other: dict[str, Any]) -> None:
    script = Script([ok([1])], seconds=10)

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for()
            await asyncio.gather(
                caller.send(PUBLIC, "POST", "/q", json={"q": 1}),
                caller.send(PUBLIC, "POST", "/q", **{"json": {"q": 1}, **other}),
            )

    jump(run())
    assert len(script.requests) == 2


def test_followers_outlive_a_leader_whose_deadline_comes_first() -> None:
    script = Script([ok([1])], seconds=10)

    async def run() -> None:
        async with Net(transport=script) as net:
            leader = asyncio.ensure_future(net.caller_for(deadline=3).send(PUBLIC, "GET", "/"))
            await asyncio.sleep(1)
            follower = asyncio.ensure_future(net.caller_for().send(PUBLIC, "GET", "/"))
            with pytest.raises(ServiceTimeoutError, match="deadline of 3 s"):
                await leader
            assert clock() == 3
            assert (await follower).json() == [1]
            assert clock() == 10

    jump(run())
    assert len(script.requests) == 1


def test_followers_outlive_a_leader_that_is_cancelled() -> None:
    script = Script([ok([1])], seconds=10)

    async def run() -> None:
        async with Net(transport=script) as net:
            leader = asyncio.ensure_future(net.caller_for().send(PUBLIC, "GET", "/"))
            await asyncio.sleep(1)
            follower = asyncio.ensure_future(net.caller_for().send(PUBLIC, "GET", "/"))
            await asyncio.sleep(1)
            leader.cancel()
            assert (await follower).json() == [1]
            assert leader.cancelled()

    jump(run())
    assert len(script.requests) == 1


def test_a_call_nobody_waits_for_any_more_is_stopped_and_can_be_made_again() -> None:
    script = Script([ok([1])], seconds=10)

    async def run() -> None:
        async with Net(transport=script) as net:
            first = asyncio.ensure_future(net.caller_for().send(PUBLIC, "GET", "/"))
            await asyncio.sleep(1)
            first.cancel()
            await asyncio.sleep(0)
            assert (await net.caller_for().send(PUBLIC, "GET", "/")).json() == [1]
            assert clock() == 11

    jump(run())
    assert len(script.requests) == 2


def test_a_patient_follower_lets_the_call_retry_past_the_leaders_deadline() -> None:
    script = Script([httpx2.Response(429, headers={"retry-after": "20"}), ok([1])], seconds=2)

    async def run() -> None:
        async with Net(transport=script) as net:
            leader = asyncio.ensure_future(net.caller_for(deadline=10).send(PUBLIC, "GET", "/"))
            await asyncio.sleep(1)
            follower = net.caller_for(deadline=60).send(PUBLIC, "GET", "/")
            assert (await follower).json() == [1]
            with pytest.raises(ServiceTimeoutError):
                await leader

    jump(run())
    assert script.times == [0, 22]


def test_a_failure_is_everyones_own() -> None:
    script = Script([httpx2.Response(404)], seconds=1)

    async def run() -> list[Any]:
        async with Net(transport=script) as net:
            calls = [net.caller_for().send(PUBLIC, "GET", "/") for _ in range(3)]
            return list(await asyncio.gather(*calls, return_exceptions=True))

    errors = jump(run())
    assert [str(error) for error in errors] == ["bte answered 404 to GET /"] * 3
    assert len({id(error) for error in errors}) == 3
    assert len(script.requests) == 1


def test_closing_the_net_stops_calls_under_way() -> None:
    script = Script([ok()], seconds=100)

    async def run() -> None:
        net = Net(transport=script)
        waiting = asyncio.ensure_future(net.caller_for().send(PUBLIC, "GET", "/"))
        await asyncio.sleep(1)
        await net.aclose()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert clock() == 1

    jump(run())


def test_a_net_belongs_to_one_event_loop() -> None:
    net = Net(transport=Script([ok()]))

    async def run() -> int:
        return (await net.caller_for().send(PUBLIC, "GET", "/")).status

    assert asyncio.run(run()) == 200
    with pytest.raises(RuntimeError, match="one event loop"):
        asyncio.run(run())


# --- deadlines, modes and traces ----------------------------------------------------------------


def test_one_deadline_is_shared_by_all_calls_of_a_question() -> None:
    script = Script([ok()], seconds=8)

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for(deadline=10)
            assert caller.remaining() == 10
            await caller.send(PUBLIC, "GET", "/1")
            assert caller.remaining() == 2
            with pytest.raises(ServiceTimeoutError):
                await caller.send(PUBLIC, "GET", "/2")
            assert caller.remaining() == 0
            with pytest.raises(ServiceTimeoutError):
                await caller.send(PUBLIC, "GET", "/3")
            assert [line.path for line in caller.trace] == ["/1", "/2", "/3"]
            assert net.caller_for(deadline=None).remaining() == float("inf")

    jump(run())
    assert len(script.requests) == 2


def test_waiting_for_ones_turn_counts_against_the_deadline_but_not_the_timeout() -> None:
    script = Script([ok()], seconds=20)
    endpoint = at(PUBLIC, concurrency=1, timeout=25.0)

    async def run() -> list[Any]:
        async with Net(transport=script) as net:
            caller = net.caller_for(deadline=50)
            calls = [caller.send(endpoint, "GET", f"/{i}") for i in range(3)]
            return list(await asyncio.gather(*calls, return_exceptions=True))

    results = jump(run())
    assert [type(result).__name__ for result in results] == [
        "Reply",
        "Reply",
        "ServiceTimeoutError",
    ]


async def ask_twice(caller: Caller) -> list[str]:
    return [(await caller.send(PUBLIC, "GET", path)).origin for path in ("/1", "/2")]


async def test_the_mode_says_where_the_replies_came_from(tmp_path: Path) -> None:
    cassette = Cassette()
    async with Net(
        cache=Cache(tmp_path / "c"), record=cassette, transport=Script([ok([1])])
    ) as net:
        caller = net.caller_for()
        assert caller.mode == "live"
        assert await ask_twice(caller) == ["live", "live"]
        assert caller.mode == "live"
        again = net.caller_for()
        assert await ask_twice(again) == ["cache", "cache"]
        modes = [again.mode]
        await again.send(PUBLIC, "GET", "/3")
        modes.append(again.mode)
        assert modes == ["cache", "live"]
        assert [line.origin for line in again.trace] == ["cache", "cache", "live"]
        assert [line.bytes for line in again.trace] == [3, 3, 3]
    async with Net(replay=cassette) as net:
        replayed = net.caller_for()
        assert replayed.mode == "replay"
        assert await ask_twice(replayed) == ["replay", "replay"]


async def test_offline_what_is_not_cached_is_unavailable(tmp_path: Path) -> None:
    script = Script([ok([1])])
    async with Net(cache=Cache(tmp_path / "c"), transport=script) as net:
        await net.caller_for().send(PUBLIC, "GET", "/1")
    async with Net(cache=Cache(tmp_path / "c"), offline=True, transport=script) as net:
        caller = net.caller_for()
        assert (await caller.send(PUBLIC, "GET", "/1")).json() == [1]
        with pytest.raises(UnavailableError, match=r"^offline, not cached: "):
            await caller.send(PUBLIC, "GET", "/2")
    assert len(script.requests) == 1
    assert [line.outcome for line in caller.trace] == ["ok", "unavailable"]


async def test_a_cached_reply_keeps_the_time_of_its_first_call(tmp_path: Path) -> None:
    async with Net(cache=Cache(tmp_path / "c"), transport=Script([ok([1])])) as net:
        first = await net.caller_for().send(PUBLIC, "GET", "/")
        second = await net.caller_for().send(PUBLIC, "GET", "/")
    assert second.retrieved_at == first.retrieved_at
    assert (second.body, second.headers, second.key) == (first.body, first.headers, first.key)


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(500),
        httpx2.Response(404),
        httpx2.Response(200, html="<html>busy</html>"),
        httpx2.Response(
            200, content=b'{"message": {', headers={"content-type": "application/json"}
        ),
        httpx2.Response(200, content=b"null", headers={"content-type": "application/json"}),
        httpx2.Response(200, content=b""),
    ],
)
async def test_failures_are_never_cached(answer: httpx2.Response, tmp_path: Path) -> None:
    script = Script([answer, ok([1])])
    async with Net(cache=Cache(tmp_path / "c"), transport=script) as net:
        caller = net.caller_for()
        endpoint = at(PUBLIC, retries=0)
        with contextlib.suppress(ServiceError):
            await caller.send(endpoint, "GET", "/")
        assert (await caller.send(endpoint, "GET", "/")).json() == [1]
        assert (await caller.send(endpoint, "GET", "/")).origin == "cache"
    assert len(script.requests) == 2


async def test_a_failure_told_with_200_can_be_taken_out_of_the_cache(tmp_path: Path) -> None:
    script = Script([ok({"status": "Failed"}), ok([1])])
    async with Net(cache=Cache(tmp_path / "c"), transport=script) as net:
        caller = net.caller_for()
        caller.discard(await caller.send(PUBLIC, "GET", "/"), PUBLIC)
        assert (await caller.send(PUBLIC, "GET", "/")).json() == [1]


async def test_store_false_is_not_cached(tmp_path: Path) -> None:
    script = Script([ok([1])])
    async with Net(cache=Cache(tmp_path / "c"), transport=script) as net:
        for _ in range(2):
            await net.caller_for().send(PUBLIC, "GET", "/", store=False)
    assert len(script.requests) == 2


async def test_a_stand_in_on_this_machine_never_answers_for_the_real_service(
    tmp_path: Path,
) -> None:
    script = Script([ok(["made up"]), ok(["real"]), ok(["other"])])
    other = at(TRUSTED, base_url="http://127.0.0.1:9000")
    async with Net(cache=Cache(tmp_path / "c"), transport=script) as net:
        caller = net.caller_for()
        answers = [
            (await caller.send(endpoint, "GET", "/")).json()
            for endpoint in (TRUSTED, PUBLIC, other, PUBLIC, TRUSTED)
        ]
    assert answers == [["made up"], ["real"], ["other"], ["real"], ["made up"]]
    assert len(script.requests) == 3


# --- the room -----------------------------------------------------------------------------------


def test_the_rooms_names_are_the_documented_ones() -> None:
    assert fedrag.net.__all__ == [
        "Blobs",
        "Cache",
        "CallRecord",
        "Caller",
        "Cassette",
        "Endpoint",
        "Net",
        "Reply",
        "Store",
        "call_key",
        "check_address",
        "underlying",
    ]
    assert all(hasattr(fedrag.net, name) for name in fedrag.net.__all__)


def test_importing_the_room_loads_nothing_heavy() -> None:
    heavy = "'httpx2', 'openai', 'diskcache', 'tenacity', 'zstandard', 'aiolimiter', 'anyio'"
    code = f"import sys, fedrag.net; print([m for m in ({heavy}) if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_replay_never_loads_the_http_library(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\n"
        "from fedrag.errors import OfflineError\n"
        "from fedrag.net import Cassette, Endpoint, Net\n"
        "async def run():\n"
        "    async with Net(replay=Cassette()) as net:\n"
        "        try:\n"
        "            await net.caller_for().send(Endpoint('x', 'https://x.org'), 'GET', '/')\n"
        "        except OfflineError:\n"
        "            print('httpx2' in sys.modules)\n"
        "asyncio.run(run())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_error_behind_another_librarys_error_is_found() -> None:
    inner = OfflineError("not recorded")
    outer = RuntimeError("connection error")
    outer.__cause__ = inner
    assert underlying(outer) is inner
    assert underlying(RuntimeError("x")) is None
