"""The JSON bodies of requests, read: every field known, of the right type, and named when wrong."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request

from fedrag.depth import nested_too_deeply
from fedrag.web.desk import AskRequest
from fedrag.web.refuse import RequestError

__all__ = ["Asked", "json_object", "pins_of", "read_ask", "read_plan", "read_resolve", "text_of"]

_LONGEST = 2_000  # characters of any text; a question has its own limit
_MOST = 100  # entries of any list
_PLAN = ("question", "entities", "template", "only", "exclude")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to ``/ask``: what is asked, and in which form the answer is wanted."""

    request: AskRequest
    form: str = "json"


async def json_object(request: Request) -> dict[str, Any]:
    """The body as a JSON object.

    :raises RequestError: 415 it is not said to be JSON (a page of another site can send other
        types unasked); 400 it is none, or no object.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise RequestError(
            f"the body must be application/json, not {kind[:60] or 'of no type'}",
            status=415,
            hint="send the header Content-Type: application/json",
        )
    try:
        body = orjson.loads(await request.body())
    except orjson.JSONDecodeError as error:
        raise RequestError(f"the body is no JSON: {error}", status=400) from error
    if nested_too_deeply(await request.body()):
        raise RequestError("the body is nested too deeply", status=400)
    if not isinstance(body, dict):
        raise RequestError(f"the body must be an object, not {_kind(body)}", status=400)
    return body


def read_ask(body: Mapping[str, Any], forms: Collection[str]) -> Asked:
    """The body of ``/ask``.

    :param forms: the forms an answer can have.

    >>> read_ask({"question": "what does imatinib target?"}, ("json",)).form
    'json'
    """
    form = text_of(body, "format") or "json"
    if form not in forms:
        raise _wrong("format", f"must be one of {', '.join(sorted(forms))}, not {form[:40]!r}")
    return Asked(read_plan(body, (*_PLAN, "format")), form)


def read_plan(body: Mapping[str, Any], known: Collection[str] = _PLAN) -> AskRequest:
    """The body of ``/plan``, and the greater part of ``/ask``.

    >>> read_plan({"question": "q", "entities": ["a=MONDO:1"], "only": "bte, string"}).only
    ('bte', 'string')
    """
    _check_names(body, known)
    return AskRequest.of(
        _needed(body, "question"),
        pins_of(body),
        template=text_of(body, "template"),
        only=_names(body, "only"),
        exclude=_names(body, "exclude"),
    )


def read_resolve(body: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The body of ``/resolve``: the text, and what is pinned.

    >>> read_resolve({"text": "imatinib"})
    ('imatinib', {})
    """
    _check_names(body, ("text", "entities"))
    return _needed(body, "text"), pins_of(body)


def text_of(body: Mapping[str, Any], name: str) -> str | None:
    """A text that may be absent."""
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong(name, f"must be text, not {_kind(value)}")
    if value and len(value) > _LONGEST:
        raise _wrong(name, f"has {len(value):,} characters, more than {_LONGEST:,}")
    return value or None


def pins_of(body: Mapping[str, Any]) -> dict[str, str]:
    """``entities``: an object of mention and CURIE, or a list of ``"mention=CURIE"``.

    >>> pins_of({"entities": ["type 2 diabetes=MONDO:0005148"]})
    {'type 2 diabetes': 'MONDO:0005148'}
    """
    given = body.get("entities") or {}
    if isinstance(given, list):
        given = dict(_pair(item) for item in given[: _MOST + 1])
    if not isinstance(given, dict):
        raise _wrong("entities", f"must be an object of mention and CURIE, not {_kind(given)}")
    if len(given) > _MOST:
        raise _wrong("entities", f"has more than {_MOST} entries")
    for mention, curie in given.items():
        if not isinstance(curie, str) or not curie.strip() or not mention.strip():
            raise _wrong("entities", f"{mention[:60]!r} must have a CURIE, as text")
    return {mention.strip(): curie.strip() for mention, curie in given.items()}


def _pair(item: Any) -> tuple[str, str]:
    mention, equals, curie = item.rpartition("=") if isinstance(item, str) else ("", "", "")
    if not equals:
        raise _wrong("entities", f"wants MENTION=CURIE, not {str(item)[:60]!r}")
    return mention, curie


def _names(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Names of services: a list, or a text with commas."""
    given = body.get(name) or []
    listed = given.split(",") if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise _wrong(name, "must be a list of the names of services")
    if len(listed) > _MOST:
        raise _wrong(name, f"has more than {_MOST} entries")
    return tuple(sorted({item.strip() for item in listed if item.strip()}))


def _needed(body: Mapping[str, Any], name: str) -> str:
    value = text_of(body, name)
    if value is None or not value.strip():
        raise _wrong(name, "is missing" if name not in body else "is empty")
    return value


def _check_names(body: Mapping[str, Any], known: Collection[str]) -> None:
    for name in body:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise RequestError(
                f"there is no field {name[:60]!r}{meant}",
                status=400,
                hint=f"there are: {', '.join(known)}",
            )


def _wrong(name: str, what: str) -> RequestError:
    return RequestError(f"{name} {what}", status=400)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
