"""The language model client against a loopback server: every rung, every recorded error shape."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from answer_server import ModelServer, Scripted, chat, failure, model_server

from fedrag.answer.llm import LanguageModel, TooLongError
from fedrag.answer.reply import ReplyError, error_text, json_objects, read_body
from fedrag.config import LLMConfig
from fedrag.errors import LLMError, OfflineError
from fedrag.net import Cassette, Net

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
MESSAGES = ({"role": "system", "content": "be brief"}, {"role": "user", "content": "a?"})
GOOD = chat('{"a": 1}')


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def read(value: dict[str, Any]) -> int | None:
    found = value.get("a")
    return found if isinstance(found, int) else None


async def ask(server: ModelServer, *, times: int = 1, **config: Any) -> tuple[int, LanguageModel]:
    async with Net() as net:
        caller = net.caller_for(deadline=20)
        llm = LLMConfig("m", server.url, **{"timeout": 5.0, **config})
        for _ in range(times):
            model = LanguageModel(llm, caller)
            value, _ = await model.structured(MESSAGES, SCHEMA, read)
        return value, model


async def test_json_schema_is_tried_first_and_deterministically(server: ModelServer) -> None:
    server.answers(GOOD)
    value, model = await ask(server)
    assert value == 1
    body = server.bodies[0]
    assert body["response_format"]["json_schema"] == {
        "name": "answer",
        "strict": True,
        "schema": SCHEMA,
    }
    assert (body["temperature"], body["seed"], body["model"]) == (0, 0, "m")
    assert model.usage().structured == "json_schema"


@pytest.mark.parametrize("status", [400, 422, 500, 501])
async def test_steps_down_when_the_server_refuses_a_schema(
    server: ModelServer, status: int
) -> None:
    refusal = failure(status, {"error": {"message": "response_format not supported"}})
    server.answers(refusal, GOOD)
    value, model = await ask(server)
    assert value == 1
    assert server.rungs == ["json_schema", "json_object+schema"]
    assert model.usage().structured == "json_object"


async def test_steps_down_to_the_prompt_alone(server: ModelServer) -> None:
    refusal = failure(400, {"error": "unknown field response_format"})
    server.answers(refusal, refusal, refusal, chat('Sure:\n```json\n{"a": 3}\n```'))
    value, model = await ask(server)
    assert value == 3
    assert server.rungs == ["json_schema", "json_object+schema", "json_object", "prompt"]
    assert model.usage().structured == "prompt"


async def test_steps_down_on_content_that_is_not_the_json_asked_for(server: ModelServer) -> None:
    server.answers(chat("The answer is one."), chat('{"b": 1}'), GOOD)
    assert (await ask(server))[0] == 1
    assert server.rungs == ["json_schema", "json_object+schema", "json_object"]


async def test_the_rung_that_worked_is_kept_for_the_run(server: ModelServer) -> None:
    server.answers(failure(500, {"error": "grammar"}), GOOD, chat('{"a": 2}'))
    async with Net() as net:
        caller = net.caller_for(deadline=20)
        llm = LLMConfig("m", server.url)
        await LanguageModel(llm, caller).structured(MESSAGES, SCHEMA, read)
        other = ({"role": "user", "content": "other"},)
        model = LanguageModel(llm, caller)
        await model.structured(other, SCHEMA, read)
        assert model.usage().calls == 3
    assert server.rungs[-1] == "json_object+schema"


@pytest.mark.parametrize(
    "reply",
    [
        chat('{"a": 1}', reasoning='so {"a": 2}'),
        chat('<think>{"a": 9}?</think>\n{"a": 1}'),
        chat('hidden reasoning {"a": 9}</think>{"a": 1}'),
        chat([{"type": "text", "text": '{"a":'}, {"type": "text", "text": " 1}"}]),
        chat(None, reasoning_content='thus {"a": 5}, no: {"a": 1}'),
        chat("", reasoning='{"a": 1}'),
        chat('[{"a": 1}]'),
        chat('\ufeff {"a": 1} trailing {'),
    ],
    ids=["beside reasoning", "think", "open think", "parts", "null", "empty", "list", "trailing"],
)
async def test_content_in_every_shape(server: ModelServer, reply: Scripted) -> None:
    server.answers(reply)
    assert (await ask(server))[0] == 1
    assert len(server.bodies) == 1


async def test_a_stream_that_was_not_asked_for_is_read(server: ModelServer) -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": '{"a"'}}]},
        {"choices": [{"index": 0, "delta": {"content": ": 1}"}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}},
    ]
    text = ": PROCESSING\n\n" + "".join(f"data: {json.dumps(c)}\n\n" for c in chunks)
    server.answers((200, text + "data: [DONE]\n\n", "text/event-stream"))
    value, model = await ask(server)
    assert value == 1
    assert (model.usage().prompt_tokens, model.usage().completion_tokens) == (7, 2)


async def test_tokens_are_summed_and_cost_needs_prices(server: ModelServer) -> None:
    server.answers(failure(500, {"error": "x"}), chat("no json"), GOOD)
    _, model = await ask(server, input_price=2.0, output_price=10.0)
    usage = model.usage()
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (3, 200, 20)
    assert usage.cost == pytest.approx((200 * 2 + 20 * 10) / 1e6)


async def test_cost_is_unknown_without_prices_or_tokens(server: ModelServer) -> None:
    server.answers(GOOD)
    assert (await ask(server))[1].usage().cost is None
    status, body, kind = GOOD
    bare = {k: v for k, v in json.loads(body).items() if k != "usage"}
    server.answers((status, json.dumps(bare), kind))
    _, model = await ask(server, input_price=1.0, output_price=1.0)
    assert (model.usage().prompt_tokens, model.usage().cost) == (0, None)


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("Unrecognized request argument supplied: seed", "seed"),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", "max_tokens"),
    ],
)
async def test_a_refused_parameter_is_left_out(
    server: ModelServer, message: str, gone: str
) -> None:
    server.answers(failure(400, {"error": {"message": message, "code": "unsupported"}}), GOOD)
    assert (await ask(server))[0] == 1
    assert gone in server.bodies[0]
    assert gone not in server.bodies[1]
    assert server.rungs == ["json_schema", "json_schema"]


async def test_no_openai_variable_has_an_effect(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("API_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL", "ADMIN_KEY", "WEBHOOK_SECRET")
    for name in names:
        monkeypatch.setenv(f"OPENAI_{name}", "http://127.0.0.1:9/leak")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-leak: leak")
    server.answers(GOOD)
    assert (await ask(server))[0] == 1
    assert "leak" not in json.dumps([server.headers, server.bodies])
    assert server.headers[0]["authorization"] == "Bearer none"


async def test_the_users_key_is_sent_and_not_shown(server: ModelServer) -> None:
    server.answers(failure(401, {"error": {"message": "bad key"}}))
    with pytest.raises(LLMError) as caught:
        await ask(server, key="sk-very-secret")
    assert server.headers[0]["authorization"] == "Bearer sk-very-secret"
    assert "sk-very-secret" not in str(caught.value)


async def test_an_address_with_the_path_spelt_out_is_accepted(server: ModelServer) -> None:
    server.answers(GOOD)
    server.url += "/chat/completions"
    assert (await ask(server))[0] == 1


async def test_html_with_200_is_a_failure_that_names_it(server: ModelServer) -> None:
    server.answers((200, "<!doctype html><html><body>Welcome</body></html>", "text/html"))
    with pytest.raises(LLMError, match="not JSON: HTML: Welcome"):
        await ask(server)


async def test_unreachable_is_an_llm_error(server: ModelServer) -> None:
    server.url = "http://127.0.0.1:9/v1"
    with pytest.raises(LLMError, match="did not answer usably"):
        await ask(server)


async def test_slow_is_an_llm_error(server: ModelServer) -> None:
    import time

    def slow(_: dict[str, Any]) -> Scripted:
        time.sleep(0.6)
        return GOOD

    server.answers(slow)
    with pytest.raises(LLMError, match="did not answer") as caught:
        await ask(server, timeout=0.15)
    assert "give it longer" in str(caught.value)


async def test_a_reply_cut_off_says_so(server: ModelServer) -> None:
    server.answers(chat('{"a": ', finish="length"))
    with pytest.raises(LLMError, match="cut off"):
        await ask(server)


async def test_a_replay_without_the_call_is_an_offline_error(tmp_path: Path) -> None:
    async with Net(replay=Cassette.new(tmp_path / "empty.json")) as net:
        model = LanguageModel(LLMConfig("m", "http://127.0.0.1:9/v1"), net.caller_for())
        with pytest.raises(OfflineError):
            await model.structured(MESSAGES, SCHEMA, read)


# --- error bodies by themselves -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"error": {"message": "m", "code": 401}}', "m [401]"),
        ('{"error": {"message": "m", "code": null}}', "m"),
        ('{"error": "bare"}', "bare"),
        ('{"detail": "not found"}', "not found"),
        ('{"error": {"detail": "deep"}}', "deep"),
        ('{"detail": [{"loc": ["body"], "msg": "field required"}]}', "field required"),
        ("[]", "[]"),
        ("plain words", "plain words"),
        ("<html><h1>502 Bad Gateway</h1></html>", "HTML: 502 Bad Gateway"),
    ],
)
def test_error_message_of_every_shape(body: str, said: str) -> None:
    assert error_text(body) == said


def test_json_objects_are_found_among_other_text() -> None:
    assert list(json_objects('x {"a": {"b": 1}} y {broken {"c": 2}')) == [{"a": {"b": 1}}, {"c": 2}]


# --- recordings ---------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """The recordings' own tags: ``!binary`` is base64 there."""


_Loader.add_constructor("!binary", lambda _, node: base64.b64decode(node.value))


def _recorded(corpora: Path) -> list[tuple[str, int, str]]:
    found = []
    for file in sorted((corpora / "recorded" / "llm").iterdir()):
        tape = yaml.load(file.read_text(encoding="utf-8"), _Loader)
        for turn in tape.get("interactions") or tape.get("http_interactions"):
            response = turn["response"]
            body = response.get("body") or {}
            text = body.get("string") if isinstance(body, dict) else body
            if "parsed_body" in response:
                text = json.dumps(response["parsed_body"])
            if isinstance(text, bytes):
                zipped = text[:2] == b"\x1f\x8b"
                text = (gzip.decompress(text) if zipped else text).decode("utf-8", "replace")
            found.append((file.name, response["status"]["code"], text or ""))
    return found


def test_every_recorded_chat_completion_is_read(corpora: Path) -> None:
    bodies = [b for _, s, b in _recorded(corpora) if s == 200 and '"choices"' in b and b[0] == "{"]
    assert len(bodies) == 40
    for body in bodies:
        reply = read_body(body)
        message = json.loads(body)["choices"][0]["message"]
        assert reply.content == (message["content"] or "")
        assert bool(reply.reasoning) == bool(
            message.get("reasoning") or message.get("reasoning_content")
        )
        assert reply.usage.completion == json.loads(body)["usage"]["completion_tokens"]


def test_every_recorded_stream_is_read_or_tells_its_error(corpora: Path) -> None:
    read_well = told = 0
    for name, status, body in _recorded(corpora):
        if status != 200 or "chat.completion.chunk" not in body or body.startswith("{"):
            continue
        if "stream_error" in name:
            with pytest.raises(ReplyError):
                read_body(body)
            told += 1
        else:
            reply = read_body(body)
            assert reply.content or "tool_calls" in body
            read_well += 1
    assert (told, read_well > 3) == (1, True)


def test_recorded_invalid_response_is_told(corpora: Path) -> None:
    [body] = [b for n, _, b in _recorded(corpora) if "invalid_response" in n]
    with pytest.raises(ReplyError, match="no choices"):
        read_body(body)


async def test_every_recorded_error_ends_in_one_clear_llm_error(
    corpora: Path, server: ModelServer
) -> None:
    errors = [(n, s, b) for n, s, b in _recorded(corpora) if s >= 400]
    assert {s for _, s, _ in errors} == {400, 401, 404, 429}
    for name, status, body in errors:
        server.bodies.clear()
        server.answers((status, body, "application/json"))
        with pytest.raises(LLMError) as caught:
            await ask(server)
        too_long = isinstance(caught.value, TooLongError)
        assert too_long == ("context_length" in name), name
        said = json.loads(body)
        message = said["error"] if isinstance(said["error"], str) else said["error"]["message"]
        assert " ".join(message.split())[:60] in str(caught.value), name
        if status != 400:
            assert set(server.rungs) == {"json_schema"}, name


@pytest.mark.parametrize("where", ["api_key", "model_not_found", "Incorrect API key"])
async def test_a_refusal_that_no_rung_heals_is_asked_once(server: ModelServer, where: str) -> None:
    server.answers(failure(400, {"error": {"message": f"{where}: no", "code": where}}))
    with pytest.raises(LLMError):
        await ask(server)
    assert len(server.bodies) == 1


async def test_recorded_system_role_refusal_moves_the_system_text(
    corpora: Path, server: ModelServer
) -> None:
    [(status, body)] = [
        (s, b) for n, s, b in _recorded(corpora) if "o1_mini_system_role[system]" in n
    ]
    server.answers((status, body, "application/json"), GOOD)
    assert (await ask(server))[0] == 1
    assert [m["role"] for m in server.bodies[1]["messages"]] == ["user"]
    assert server.bodies[1]["messages"][0]["content"] == "be brief\n\na?"
