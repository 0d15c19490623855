"""What makes two calls the same call.

The key is service, method, path, sorted query and canonical JSON (or form) body, with parameters
that name the caller or let him in taken out, plus whether credentials were sent. Base URLs are not
in it, so a call recorded from one address is found again from another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

__all__ = ["CREDENTIALS", "IDENTITY", "call_key", "sends_credentials", "strip_json", "strip_query"]

# Who asks. They never change an answer. (TRAPI's submitter, OpenAI's user, NCBI's tool and email,
# STRING's caller_identity.) Compared without case, in queries and at the top level of JSON bodies.
IDENTITY = frozenset(
    {
        "caller_identity",
        "client_id",
        "email",
        "mailto",
        "safety_identifier",
        "submitter",
        "tool",
        "user",
    }
)
# What lets the caller in. It never reaches disk; that it was sent is part of the key.
CREDENTIALS = frozenset(
    {
        "access_token",
        "api-key",
        "api_key",
        "apikey",
        "auth_token",
        "client_secret",
        "key",
        "password",
        "secret",
        "token",
    }
)
_STRIPPED = IDENTITY | CREDENTIALS


def strip_query(query: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The query as it is keyed and stored: sorted, without identity and credentials.

    >>> strip_query([("term", "BRAF"), ("email", "me@example.org"), ("db", "pubmed")])
    (('db', 'pubmed'), ('term', 'BRAF'))
    """
    return tuple(sorted((k, str(v)) for k, v in query if k.lower() not in _STRIPPED))


def strip_json(body: Any) -> Any:
    """The JSON body as it is keyed and stored: top-level identity and credentials taken out.

    Only plain values are: an object called ``key`` is the service's own business.

    >>> strip_json({"message": {}, "submitter": "fedrag"})
    {'message': {}}
    """
    if not isinstance(body, dict):
        return body
    return {name: value for name, value in body.items() if not _is_stripped(name, value)}


def _is_stripped(name: Any, value: Any) -> bool:
    plain = not isinstance(value, dict | list | tuple)
    return plain and isinstance(name, str) and name.lower() in _STRIPPED


def sends_credentials(query: Iterable[tuple[str, str]], body: Any) -> bool:
    """Whether a query or body lets the caller in by itself (``api_key=...``).

    >>> sends_credentials([("api_key", "1234")], None)
    True
    """
    names = [name for name, _ in query]
    if isinstance(body, dict):
        names += [name for name, value in body.items() if _is_stripped(name, value)]
    return any(name.lower() in CREDENTIALS for name in names)


def call_key(
    service: str,
    method: str,
    path: str,
    query: Iterable[tuple[str, str]] = (),
    json: Any = None,
    credentials: bool = False,
    form: Iterable[tuple[str, str]] | None = None,
) -> str:
    """The key of a call: 64 hexadecimal digits (SHA-256).

    :param credentials: whether credentials were sent, however they were.
    :param form: the fields of a form-encoded body, where there is one.

    >>> one = call_key("bte", "POST", "/query", (), {"message": {}, "submitter": "a"})
    >>> one == call_key("bte", "post", "query", (), {"submitter": "b", "message": {}})
    True
    """
    parts: list[Any] = [
        service,
        method.upper(),
        "/" + path.lstrip("/"),
        strip_query(query),
        strip_json(json),
        bool(credentials),
    ]
    if form is not None:
        parts.append(strip_query(form))
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()
