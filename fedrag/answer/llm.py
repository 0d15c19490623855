"""One language model in one run: structured replies from any OpenAI-compatible server.

Servers differ in how they accept a schema, so the request steps down: ``json_schema``, then
``json_object`` with the schema inside (llama.cpp), then plain ``json_object``, then the prompt
alone. The rung that worked is kept for the rest of the run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from fedrag.answer.prompt import strip_reasoning
from fedrag.answer.reply import ModelReply, ReplyError, Usage, error_text, json_objects, read_body
from fedrag.config import LLMConfig
from fedrag.datamodel import LLMUsage
from fedrag.errors import LLMError, OfflineError, ServiceError, ServiceTimeoutError
from fedrag.net import Caller, Endpoint, underlying

if TYPE_CHECKING:
    import openai

__all__ = ["LanguageModel", "TooLongError"]

_RUNGS = ("json_schema", "json_object+schema", "json_object", "prompt")
_STEP_DOWN = frozenset({400, 415, 422, 500, 501})
_CHECK = "check --llm and --llm-url"
_SLOW = "give it longer: timeout under [llm] in the configuration, and --deadline"
_PLACEHOLDER = "none"  # the package insists on a key; local servers want none
_MAX_CALLS = 10  # of one structured reply: four rungs and the adaptations
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|too (?:long|many tokens|large)|"
    r"exceeds? (?:the )?(?:available |maximum |model)|input_token_count|tokens? limit|"
    r"reduce the length|prompt is too long",
    re.IGNORECASE,
)
_NO_ACCESS = re.compile(
    r"api[ _-]?key|authenticat|unauthori[sz]ed|model_not_found|"
    r"does not exist|no such model|model .{0,60}not found|insufficient_quota|billing",
    re.IGNORECASE,
)
# What a server may refuse by name, and what is then left out: (pattern, parameter).
_REFUSABLE = (
    (re.compile(r"temperature", re.I), "temperature"),
    (re.compile(r"\bseed\b", re.I), "seed"),
    (re.compile(r"max_tokens|max_completion_tokens", re.I), "max_tokens"),
    (re.compile(r"does not support '?system|system (?:role|message|prompt)", re.I), "system"),
)
T = TypeVar("T")


class TooLongError(LLMError):
    """The prompt does not fit the server's context window, or its allowance of tokens a minute."""


@dataclass(slots=True)
class _Run:
    """What is learnt of a model in one run: the rung that works, what it refuses, what it cost."""

    rung: int = 0
    worked: str | None = None
    refused: set[str] = field(default_factory=set)
    calls: int = 0
    told: list[Usage] = field(default_factory=list)


_RUNS: WeakKeyDictionary[Caller, dict[LLMConfig, _Run]] = WeakKeyDictionary()


class LanguageModel:
    """A configured language model within one run; counts its calls, tokens and cost.

    Two made for the same caller share what was learnt and counted, so that extraction and answer
    begin on the rung that worked.

    :param llm: what the user named; nothing is taken from anywhere else.
    :param caller: the question's caller, whose pace, stores and deadline hold here too.
    """

    def __init__(self, llm: LLMConfig, caller: Caller) -> None:
        base = re.sub(r"/chat/completions/?$", "", llm.url).rstrip("/")
        self.llm = llm
        self.endpoint = Endpoint("llm", base, trusted=True, timeout=llm.timeout, retries=1)
        self._caller = caller
        self._run = _RUNS.setdefault(caller, {}).setdefault(llm, _Run())

    def usage(self, error: str | None = None) -> LLMUsage:
        """Calls, tokens and cost so far; the cost is None where prices or tokens are unknown."""
        prompt = sum(u.prompt for u in self._run.told)
        completion = sum(u.completion for u in self._run.told)
        return LLMUsage(
            model=self.llm.model,
            url=self.llm.url,
            calls=self._run.calls,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost=self._cost(prompt, completion),
            structured=self._run.worked,
            error=error,
        )

    def _cost(self, prompt: int, completion: int) -> float | None:
        prices = (self.llm.input_price, self.llm.output_price)
        known = self._run.told and all(u.given for u in self._run.told)
        if prices[0] is None or prices[1] is None or not known:
            return None
        return round((prompt * prices[0] + completion * prices[1]) / 1e6, 8)

    async def structured(
        self,
        messages: Sequence[dict[str, str]],
        schema: dict[str, Any],
        read: Callable[[dict[str, Any]], T | None],
        *,
        name: str = "answer",
        max_tokens: int = 1500,
    ) -> tuple[T, str]:
        """A reply that ``read`` accepts, and its text.

        :param read: turns a JSON object of the reply into a value, or refuses it with ``None``.
        :raises TooLongError: the prompt does not fit; send a shorter one.
        :raises LLMError: unreachable, refused, or unreadable on every rung.
        :raises OfflineError: a replay that does not hold the call.
        """
        trouble = ""
        for _ in range(_MAX_CALLS):
            request = self._request(messages, schema, name, max_tokens)
            try:
                reply = await self._send(request)
            except ReplyError as error:
                trouble = str(error)
                if not self._adapt(error):
                    raise self._failed(trouble) from error
                continue
            value, text = _read(reply, read)
            if value is not None:
                self._run.worked = _RUNGS[self._run.rung].partition("+")[0]
                return value, text
            trouble = _unreadable(reply)
            if reply.finish == "length" and 0 < reply.usage.completion < max_tokens:
                raise self._too_long(trouble)  # the context is full: no rung makes room
            if not self._step_down():
                break
        raise self._failed(trouble)

    def _request(
        self, messages: Sequence[dict[str, str]], schema: dict[str, Any], name: str, limit: int
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.llm.model,
            "messages": _without_system(messages) if "system" in self._run.refused else [*messages],
            "temperature": 0,
            "seed": 0,
            "max_tokens": limit,
        }
        for parameter in self._run.refused:
            request.pop(parameter, None)
        strict = {"name": name, "strict": True, "schema": schema}
        formats: tuple[dict[str, Any] | None, ...] = (
            {"type": "json_schema", "json_schema": strict},
            {"type": "json_object", "schema": schema},
            {"type": "json_object"},
            None,
        )
        if formats[self._run.rung] is not None:
            request["response_format"] = formats[self._run.rung]
        return request

    async def _send(self, request: dict[str, Any]) -> ModelReply:
        """One call; what went wrong becomes a :class:`ReplyError` with the status where known."""
        import openai

        self._run.calls += 1
        client = self._client()
        try:
            raw = await client.chat.completions.with_raw_response.create(**request)
            reply = read_body(raw.http_response.text)
        except openai.APIStatusError as error:
            status, body = error.status_code, error.response.text
            raise ReplyError(f"HTTP {status}: {error_text(body)}", status, body) from error
        except (TimeoutError, ServiceError, openai.OpenAIError) as error:
            raise self._unreachable(error) from error
        self._run.told.append(reply.usage)
        return reply

    def _client(self) -> openai.AsyncOpenAI:
        import openai

        return openai.AsyncOpenAI(
            api_key=_PLACEHOLDER,  # the transport puts the user's key, if any, in its place
            base_url=self.endpoint.base_url,
            http_client=self._caller.openai_client(self.endpoint, key=self.llm.key),
            max_retries=0,
            timeout=max(0.001, min(self.llm.timeout, self._caller.remaining())),
        )

    def _unreachable(self, error: Exception) -> Exception:
        cause = underlying(error)
        if isinstance(cause, OfflineError):
            return cause
        slow = isinstance(error, TimeoutError) or isinstance(cause, ServiceTimeoutError)
        return self._failed(str(cause or error), hint=_SLOW if slow else _CHECK)

    def _failed(self, trouble: str, *, hint: str = _CHECK) -> LLMError:
        return LLMError(
            f"the language model {self.llm.model!r} did not answer usably: {trouble}", hint=hint
        )

    def _adapt(self, error: ReplyError) -> bool:
        """Change the request after a refusal; False when nothing is left to change.

        :raises TooLongError: the refusal was about the prompt's length. Some servers say so as a
            429 about tokens a minute, so any 429 that is not about the account counts.
        """
        text, status = f"{error} {error.body}", error.status
        if status in (None, 400, 413, 429, 500) and _TOO_LONG.search(text):
            raise self._too_long(error)
        if status is not None and _NO_ACCESS.search(text):
            return False
        if status == 429:
            raise self._too_long(error)
        if status is not None and status not in _STEP_DOWN:
            return False
        for pattern, parameter in _REFUSABLE:
            if status == 400 and pattern.search(text) and parameter not in self._run.refused:
                self._run.refused.add(parameter)
                return True
        return status is not None and self._step_down()

    def _too_long(self, error: ReplyError | str) -> TooLongError:
        return TooLongError(
            f"the language model {self.llm.model!r} takes no prompt of this length now: {error}",
            hint="lower its context_tokens in the configuration, or wait",
        )

    def _step_down(self) -> bool:
        if self._run.rung + 1 >= len(_RUNGS):
            return False
        self._run.rung += 1
        return True


def _without_system(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """For models that take no system message: its text opens the user's."""
    system = "\n".join(m["content"] for m in messages if m["role"] == "system")
    rest = [dict(m) for m in messages if m["role"] != "system"]
    if rest and system:
        rest[0]["content"] = f"{system}\n\n{rest[0]['content']}"
    return rest


def _read(reply: ModelReply, read: Callable[[dict[str, Any]], T | None]) -> tuple[T | None, str]:
    """The first acceptable JSON object of the content, else the last one of the reasoning."""
    content = strip_reasoning(reply.content)
    for found in json_objects(content):
        if (value := read(found)) is not None:
            return value, content
    if not content:
        for found in reversed(list(json_objects(reply.reasoning))):
            if (value := read(found)) is not None:
                return value, reply.reasoning
    return None, content


def _unreadable(reply: ModelReply) -> str:
    if reply.finish == "length":
        return "its reply was cut off at the token limit"
    text = " ".join(reply.content.split())[:80]
    return f"its reply is not the JSON asked for: {text!r}" if text else "its reply is empty"
