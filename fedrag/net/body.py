"""A recorded body, in the most readable form that gives the same back."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import orjson

from fedrag.errors import CassetteError
from fedrag.net.redact import redact

__all__ = ["decode_body", "encode_body", "redact_body", "text_of"]

_KINDS = ("json", "text", "base64", "removed")


def text_of(value: Any) -> str:
    """The value, which must be text."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def encode_body(body: bytes, secrets: tuple[str, ...]) -> dict[str, Any]:
    """A body in the most readable form that gives the same back."""
    try:
        text = redact(body.decode("utf-8"), secrets)
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}
    try:
        value = orjson.loads(text)
        if orjson.loads(orjson.dumps(value)) == value:
            return {"json": value}
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass
    return {"text": text}


def redact_body(body: dict[str, Any]) -> dict[str, Any]:
    """A body without anything shaped like a key; one that cannot be read is dropped."""
    try:
        before = decode_body(body)
    except CassetteError:
        return {"removed": "unreadable"}
    after = redact(before.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return body if after == before else encode_body(after, ())


def decode_body(body: dict[str, Any]) -> bytes:
    """The bytes of a stored body.

    :raises CassetteError: it cannot be read.

    >>> decode_body(encode_body(b'{"b": 1, "a": 2}', ()))
    b'{"b":1,"a":2}'
    """
    if set(body) - set(_KINDS) or len(body) != 1:
        raise CassetteError(f"a body must be one of {', '.join(_KINDS)}, not {sorted(body)}")
    ((kind, value),) = body.items()
    try:
        if kind == "json":
            return orjson.dumps(value)
        if kind == "base64":
            return base64.b64decode(text_of(value), validate=True)
        return text_of(value).encode("utf-8", "surrogateescape") if kind == "text" else b""
    except (TypeError, binascii.Error, UnicodeEncodeError) as error:
        raise CassetteError(f"a body of kind {kind} cannot be read: {error}") from error
