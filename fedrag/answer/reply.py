"""Reading what OpenAI-compatible servers really send: every shape of error, content and stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["ModelReply", "ReplyError", "Usage", "error_text", "json_objects", "read_body"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, where the server told them."""

    prompt: int = 0
    completion: int = 0
    given: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The text of a reply; ``reasoning`` is what some servers send beside or instead of it."""

    content: str
    reasoning: str = ""
    finish: str = ""
    usage: Usage = Usage()


class ReplyError(Exception):
    """A body that holds an error, or no reply at all.

    :ivar status: that of the error, if told.
    :ivar body: the whole of it, for what the shortened message may leave out.
    """

    def __init__(self, message: str, status: int | None = None, body: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.body = body


def error_text(body: str) -> str:
    """The message in an error body of any shape, at most 300 characters.

    >>> error_text('{"error": "no such model"}'), error_text('{"detail": [{"msg": "too long"}]}')
    ('no such model', 'too long')
    """
    try:
        value = json.loads(body)
    except ValueError:
        text = re.sub(r"<[^>]*>", " ", body) if "<" in body else body
        return _short(("HTML: " if "<html" in body.lower() else "") + text)
    return _short(_message(value) or body)


def _message(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, (_message(item) for item in value[:3])))
    if isinstance(value, Mapping):
        code = value.get("code")
        for name in ("error", "detail", "message", "msg", "details"):
            if value.get(name) and (text := _message(value[name])):
                known = code and str(code).lower() not in text.lower()
                return f"{text} [{code}]" if known else text
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"


def read_body(body: str) -> ModelReply:
    """The reply in a 200 body, a plain one or a stream that was not asked for.

    :raises ReplyError: an error inside, HTML, or no choices.
    """
    text = body.lstrip("\ufeff \r\n")
    if text.startswith((":", "data:", "event:")):
        return _stream(text)
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ReplyError(f"the answer is not JSON: {error_text(body) or 'empty'}") from error
    _raise_error(value)
    choices = value.get("choices") if isinstance(value, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise ReplyError(f"the answer holds no choices: {_short(text)[:120]}")
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        message = {"content": choices[0].get("text")}
    return ModelReply(
        _content(message.get("content")),
        _reasoning(message),
        str(choices[0].get("finish_reason") or ""),
        _usage(value.get("usage")),
    )


def _raise_error(value: Any) -> None:
    if isinstance(value, Mapping) and value.get("error"):
        error = value["error"]
        code = error.get("code") if isinstance(error, Mapping) else value.get("code")
        status = int(str(code)) if re.fullmatch(r"[1-5][0-9]{2}", str(code)) else None
        text = json.dumps(value)
        raise ReplyError(error_text(text), status, text)


def _content(value: Any) -> str:
    """A string, null, or a list of parts of which the text ones count."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_part(part) for part in value)
    return ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and part.get("type", "text") in ("text", "output_text"):
        text = part.get("text")
        return text if isinstance(text, str) else ""
    return ""


def _reasoning(message: Mapping[str, Any]) -> str:
    return _content(message.get("reasoning_content")) or _content(message.get("reasoning"))


def _usage(value: Any) -> Usage:
    if not isinstance(value, Mapping):
        return Usage()
    counts = [value.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (c if isinstance(c, int) else 0 for c in counts)
    return Usage(prompt, completion, any(isinstance(c, int) for c in counts))


def _stream(text: str) -> ModelReply:
    """Server-sent events: comment lines skipped, deltas joined, an error inside raised."""
    content, reasoning, finish, usage = "", "", "", Usage()
    for event in _events(text):
        _raise_error(event)
        if event.get("usage"):
            usage = _usage(event["usage"])
        for choice in event.get("choices") or []:
            delta = choice.get("delta") or choice.get("message") or {}
            content += _content(delta.get("content"))
            reasoning += _reasoning(delta)
            finish = choice.get("finish_reason") or finish
    return ModelReply(content, reasoning, finish, usage)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        data = line.removeprefix("data:").strip()
        if line.startswith("data:") and data != "[DONE]":
            try:
                value = json.loads(data)
            except ValueError:
                continue  # a keep-alive or a torn chunk
            if isinstance(value, dict):
                yield value


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object in a text, outermost only, whatever stands around (fences, chatter).

    >>> list(json_objects('Sure! ```json\\n{"a": 1}\\n```'))
    [{'a': 1}]
    """
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)
