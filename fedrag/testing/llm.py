"""The loopback language model: an OpenAI-compatible ``/chat/completions`` that is no model at all.

Its words come from a *reply*: a function from the request to a string, to an object (sent as
JSON), or to a :class:`Raw` reply. ``good`` reads the evidence lines of the prompt and fills the
schema that the request (or, failing that, the prompt) carries; ``agent`` calls the tools that the
request offers. The other named behaviours are those of real servers, in the shapes of the
recordings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.errors import ConfigError
from fedrag.testing.agent import agent_message, schema_fault
from fedrag.testing.web import answer
from fedrag.testing.writer import good_reply

__all__ = ["BEHAVIOURS", "LoopbackModel", "Raw", "Reply"]

MODEL = "loopback-1"


@dataclass(frozen=True, slots=True)
class Raw:
    """A reply that is not a plain completion: its status, its body, or fields of the message."""

    status: int = 200
    body: Any = None  # the whole body; None for a completion with ``message``
    message: Mapping[str, Any] | None = None
    seconds: float = 0.0


Reply = Callable[[dict[str, Any]], str | dict[str, Any] | Raw]


def _form(request: Mapping[str, Any]) -> str:
    return str((request.get("response_format") or {}).get("type", "text"))


def _refusing(status: int, *forms: str) -> Reply:
    """Good, but for requests that want one of these forms of structured output."""

    def reply(request: dict[str, Any]) -> dict[str, Any] | str | Raw:
        if _form(request) in forms:
            message = f"response_format type {_form(request)!r} is not supported"
            return Raw(status, _error(message, "invalid_request_error", None))
        return good_reply(request)

    return reply


def _error(message: str, kind: str, code: str | int | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _saying(raw: str | Raw) -> Reply:
    return lambda _: raw


def _parts(request: dict[str, Any]) -> Raw:
    content = [{"type": "text", "text": _text(good_reply(request))}]
    return Raw(message={"content": content})


def _reasoning(request: dict[str, Any]) -> Raw:
    thought = "The evidence names one gene; E1 says so."
    return Raw(message={"content": _text(good_reply(request)), "reasoning_content": thought})


def _thinking_aloud(request: dict[str, Any]) -> str:
    return f"<think>E1 is the best line.</think>\n```json\n{_text(good_reply(request))}\n```"


def _wrong_key(request: dict[str, Any]) -> str:
    return _text(good_reply(request, key="E999"))


def _agent(request: dict[str, Any]) -> Raw:
    if fault := schema_fault(request):
        return Raw(400, _error(fault, "invalid_request_error", "invalid_function_parameters"))
    return Raw(message=agent_message(request))


_CONTEXT = "This model's maximum context length is 2048 tokens. Please reduce the length."

BEHAVIOURS: Mapping[str, Reply] = {
    "good": good_reply,
    "agent": _agent,
    "plain_text": _saying("It is SLC12A3, which everybody knows."),
    "invalid_json": _saying('{"sentences": [{"text": "It is'),
    "wrong_key": _wrong_key,
    "empty": _saying(""),
    "null": _saying(Raw(message={"content": None})),
    "parts": _parts,
    "reasoning": _reasoning,
    "fenced": _thinking_aloud,
    "400_on_schema": _refusing(400, "json_schema"),
    "500_on_schema": _refusing(500, "json_schema"),
    "400_on_json": _refusing(400, "json_schema", "json_object"),
    "401": _saying(Raw(401, _error("Invalid API key provided.", "invalid_api_key", 401))),
    "404": _saying(Raw(404, _error("The model does not exist.", "invalid", "model_not_found"))),
    "context": _saying(Raw(400, _error(_CONTEXT, "invalid", "context_length_exceeded"))),
    "error_string": _saying(Raw(400, {"code": "invalid-argument", "error": "Incorrect API key."})),
    "error_detail": _saying(Raw(500, {"detail": "out of memory"})),
    "error_200": _saying(Raw(200, {"error": {"message": "overloaded", "code": 503}})),
    "no_choices": _saying(Raw(200, {"id": "x", "object": "chat.completion", "choices": []})),
    "slow": lambda request: Raw(message={"content": _text(good_reply(request))}, seconds=30.0),
}


def _text(reply: str | dict[str, Any]) -> str:
    return reply if isinstance(reply, str) else orjson.dumps(reply).decode()


class LoopbackModel:
    """The service. Set ``reply`` to a function, or call :meth:`behave` with a name, at any time.

    >>> LoopbackModel().behave("empty")
    """

    def __init__(self) -> None:
        self.reply: Reply = good_reply

    def behave(self, name: str) -> None:
        """Behave as one of :data:`BEHAVIOURS`.

        :raises ConfigError: an unknown name.
        """
        if name not in BEHAVIOURS:
            raise ConfigError(f"no behaviour {name!r}", hint=f"known: {', '.join(BEHAVIOURS)}")
        self.reply = BEHAVIOURS[name]

    def routes(self) -> list[Route]:
        """The service's paths."""
        return [
            Route("/chat/completions", self._chat, methods=["POST"]),
            Route("/models", self._models, methods=["GET"]),
        ]

    async def _models(self, _: Request) -> Response:
        model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "fedrag"}
        return answer({"object": "list", "data": [model]})

    async def _chat(self, request: Request) -> Response:
        asked: dict[str, Any] = orjson.loads(await request.body())
        said = self.reply(asked)
        raw = said if isinstance(said, Raw) else Raw(message={"content": _text(said)})
        await asyncio.sleep(raw.seconds)
        body = raw.body if raw.body is not None else _completion(asked, raw.message or {})
        return answer(body, raw.status)


def _completion(asked: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    prompt = sum(len(str(m.get("content", "")).split()) for m in asked.get("messages", ()))
    spoken = len(str(message.get("content") or "").split())
    choice = {
        "index": 0,
        "message": {"role": "assistant", "refusal": None, **message},
        "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
        "logprobs": None,
    }
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": spoken,
        "total_tokens": prompt + spoken,
    }
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": asked.get("model", MODEL),
        "choices": [choice],
        "usage": usage,
    }
