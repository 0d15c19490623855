"""A language model is called through the same room, and no ``OPENAI_*`` variable has an effect."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import openai
import orjson
import pytest
from net_support import Script, at, jump, ok, raw_server, read_request

from fedrag.errors import ConfigError, OfflineError, RateLimitedError, UnavailableError
from fedrag.net import Cache, Caller, Cassette, Endpoint, Net, underlying

MODEL = Endpoint("llm", "http://127.0.0.1:8080/v1", trusted=True, retries=1, timeout=60.0)
COMPLETION = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "qwen",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "SLC12A3"},
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
}
EVERY_VARIABLE = {
    "OPENAI_API_KEY": "sk-ambient-key-000000000000",
    "OPENAI_ADMIN_KEY": "sk-admin-ambient-00000000000",
    "OPENAI_ORG_ID": "org-ambient",
    "OPENAI_ORGANIZATION": "org-ambient",
    "OPENAI_PROJECT_ID": "proj-ambient",
    "OPENAI_PROJECT": "proj-ambient",
    "OPENAI_WEBHOOK_SECRET": "whsec-ambient",
    "OPENAI_BASE_URL": "http://192.0.2.1/ambient",
    "OPENAI_API_BASE": "http://192.0.2.1/ambient",
    "OPENAI_CUSTOM_HEADERS": "X-Ambient: ambient\nAuthorization: Bearer ambient",
    "OPENAI_API_TYPE": "azure-ambient",
    "OPENAI_API_VERSION": "2099-ambient",
    "OPENAI_MTLS_HOSTS": "ambient.example.org",
    "AZURE_OPENAI_ENDPOINT": "http://192.0.2.1/ambient",
    "AZURE_OPENAI_API_KEY": "ambient",
    "AZURE_OPENAI_AD_TOKEN": "ambient",
}


async def chat(
    caller: Caller, endpoint: Endpoint = MODEL, key: str | None = None, **more: Any
) -> Any:
    """One chat completion, as the room for answers makes it."""
    async with caller.openai_client(endpoint, key=key) as http:
        client = openai.AsyncOpenAI(
            base_url=endpoint.base_url, api_key=key or "none", http_client=http, max_retries=0
        )
        return await client.chat.completions.create(
            model="qwen", messages=[{"role": "user", "content": "?"}], **{"temperature": 0, **more}
        )


@pytest.mark.parametrize("key", [None, "k3y-of-the-user"])
async def test_no_openai_variable_leaks_into_a_request(
    key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in EVERY_VARIABLE.items():
        monkeypatch.setenv(name, value)
    received: list[tuple[bytes, bytes]] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.append(await read_request(reader))
        body = orjson.dumps(COMPLETION)
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        writer.write(head % len(body) + body)
        await writer.drain()

    async with raw_server(answer) as server, Net() as net:
        endpoint = at(server, service="llm", base_url=server.base_url + "/v1")
        completion = await chat(net.caller_for(), endpoint, key)
    assert completion.choices[0].message.content == "SLC12A3"
    ((head, body),) = received
    assert b"ambient" not in head.lower() + body.lower()
    first, *lines = head.decode().strip().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    assert first == "POST /v1/chat/completions HTTP/1.1"
    assert headers["authorization"] == f"bearer {key or 'none'}"
    assert set(headers) == {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "user-agent",
        "content-type",
        "content-length",
        "authorization",
    }
    assert headers["user-agent"].startswith("fedrag/")


async def test_the_test_sets_every_variable_the_package_reads() -> None:
    folder = Path(openai.__file__).parent
    read = re.compile(r"environ\.get\(\s*[\"'](\w*OPENAI_\w+)[\"']")
    names = {
        name for file in folder.rglob("*.py") for name in read.findall(file.read_text("utf-8"))
    }
    assert "OPENAI_ORG_ID" in names
    assert names - {"OPENAI_LOG"} <= set(EVERY_VARIABLE)  # LOG turns on logging, changes no request


async def test_a_request_to_any_other_address_is_never_sent() -> None:
    script = Script([ok(COMPLETION)])
    async with Net(transport=script) as net:
        http = net.caller_for().openai_client(MODEL, key="k3y-of-the-user")
        client = openai.AsyncOpenAI(
            base_url="https://api.openai.com/v1", api_key="x", http_client=http, max_retries=0
        )
        with pytest.raises((openai.APIConnectionError, ConfigError)) as caught:
            await client.models.list()
        assert "would go to api.openai.com, not to 127.0.0.1:8080" in str(underlying(caught.value))
    assert script.requests == []


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (404, openai.NotFoundError),
        (500, openai.InternalServerError),
    ],
)
async def test_a_refusal_is_a_response_live_and_replayed(
    code: int, kind: type[openai.APIStatusError], tmp_path: Path
) -> None:
    script = Script([httpx2.Response(code, json={"error": {"message": "no json_schema"}})])
    cassette = Cassette(tmp_path / "c.json")
    async with Net(transport=script, record=cassette, cache=Cache(tmp_path / "k")) as net:
        live = await failure(net, kind)
        await failure(net, kind)
    assert len(script.requests) == 2  # neither repeated by itself nor cached
    cassette.save()
    async with Net(replay=Cassette.load(tmp_path / "c.json")) as net:
        replayed = await failure(net, kind)
    assert live.status_code == replayed.status_code == code
    assert live.body == replayed.body == {"message": "no json_schema"}


async def failure(net: Net, kind: type[openai.APIStatusError]) -> openai.APIStatusError:
    caller = net.caller_for()
    with pytest.raises(kind) as caught:
        await chat(caller)
    assert [line.outcome for line in caller.trace] == ["unavailable"]
    assert caller.trace[0].status == caught.value.status_code
    return caught.value


@pytest.mark.parametrize("code", [429, 503])
def test_a_busy_model_is_tried_again_then_answers_as_it_is(code: int) -> None:
    script = Script([httpx2.Response(code, headers={"retry-after": "3"}), ok(COMPLETION)])

    async def run() -> str:
        async with Net(transport=script) as net:
            return str((await chat(net.caller_for())).choices[0].message.content)

    assert jump(run()) == "SLC12A3"
    assert script.times == [0, 3]
    always = Script([httpx2.Response(code, json={"error": "busy"})])

    async def refused() -> int:
        async with Net(transport=always) as net:
            with pytest.raises(openai.APIStatusError) as caught:
                await chat(net.caller_for())
            return caught.value.status_code

    assert jump(refused()) == code
    assert len(always.requests) == 2


def test_a_rest_the_model_asks_for_beyond_the_deadline_is_a_rate_limit() -> None:
    script = Script([httpx2.Response(429, headers={"retry-after": "100"}), ok(COMPLETION)])

    async def run() -> None:
        async with Net(transport=script) as net:
            with pytest.raises(openai.RateLimitError):
                await chat(net.caller_for(deadline=10))
            with pytest.raises((openai.APIConnectionError, RateLimitedError)) as caught:
                await chat(net.caller_for(deadline=10), top_p=1)
            assert isinstance(underlying(caught.value), RateLimitedError)

    jump(run())
    assert len(script.requests) == 1


def test_a_model_that_is_down_and_one_that_is_slow_are_told_apart() -> None:
    async def run(script: Script) -> BaseException:
        async with Net(transport=script) as net:
            with pytest.raises((openai.APIConnectionError, UnavailableError)) as caught:
                await chat(net.caller_for(deadline=30))
            return caught.value

    down = jump(run(Script([httpx2.ConnectError("refused")])))
    assert "llm could not be reached at 127.0.0.1:8080: refused" in str(underlying(down))
    slow = jump(run(Script([ok(COMPLETION)], seconds=50)))
    assert isinstance(slow, openai.APITimeoutError)
    assert "deadline of 30 s reached" in str(underlying(slow))


async def test_a_replay_miss_can_be_told_from_a_broken_connection() -> None:
    async with Net(replay=Cassette()) as net:
        with pytest.raises((openai.APIConnectionError, OfflineError)) as caught:
            await chat(net.caller_for())
    error = underlying(caught.value)
    assert isinstance(error, OfflineError)
    assert "llm POST /chat/completions" in str(error)


async def test_model_calls_are_recorded_without_the_key_and_replayed(tmp_path: Path) -> None:
    key = "a-key-of-no-known-shape"
    echo = {**COMPLETION, "system_fingerprint": f"echo {key}"}
    cassette = Cassette(tmp_path / "c.json")
    async with Net(transport=Script([ok(echo)]), record=cassette) as net:
        live = await chat(net.caller_for(), key=key, user="me")
    cassette.save()
    assert key not in (tmp_path / "c.json").read_text("utf-8")
    loaded = Cassette.load(tmp_path / "c.json")
    assert loaded.verify() == []
    async with Net(replay=loaded) as net:
        caller = net.caller_for()
        replayed = await chat(caller, key=key, user="someone else")
        assert caller.mode == "replay"
        with pytest.raises((openai.APIConnectionError, OfflineError)):
            await chat(caller, key=None)  # that a key was sent is part of the call
    assert replayed.choices == live.choices
    assert replayed.usage == live.usage


@pytest.mark.parametrize(
    ("options", "made"), [({}, 1), ({"temperature": 0.7}, 2), ({"temperature": None}, 2)]
)
async def test_only_repeatable_model_calls_are_cached(
    options: Mapping[str, Any], made: int, tmp_path: Path
) -> None:
    script = Script([ok(COMPLETION)])
    async with Net(transport=script, cache=Cache(tmp_path / "c")) as net:
        for _ in range(2):
            await chat(net.caller_for(), **options)
    assert len(script.requests) == made


async def test_models_are_listed_through_the_room_as_well() -> None:
    script = Script([ok({"object": "list", "data": []})])
    async with Net(transport=script) as net:
        caller = net.caller_for()
        http = caller.openai_client(MODEL, key=None)
        client = openai.AsyncOpenAI(base_url=MODEL.base_url, api_key="x", http_client=http)
        assert (await client.models.list()).data == []
    assert [(line.method, line.path) for line in caller.trace] == [("GET", "/models")]
    assert script.requests[0].headers["authorization"] == "Bearer none"
