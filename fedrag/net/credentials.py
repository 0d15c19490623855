"""What lets a caller in: where it is sent, and what must never be written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedrag.net.key import CREDENTIALS, IDENTITY

__all__ = ["secret_values", "sort_credentials", "split_headers"]

# Headers that let a caller in; given among plain headers, they are treated as credentials.
_SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"}
)


def split_headers(headers: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Headers without and with secrets, lower-case.

    >>> split_headers({"Accept": "text/csv", "Authorization": "Bearer x"})
    ({'accept': 'text/csv'}, {'authorization': 'Bearer x'})
    """
    plain = {k.lower(): v for k, v in headers.items() if k.lower() not in _SECRET_HEADERS}
    secret = {k.lower(): v for k, v in headers.items() if k.lower() in _SECRET_HEADERS}
    return plain, secret


def sort_credentials(
    credentials: Mapping[str, str],
) -> tuple[tuple[tuple[str, str], ...], dict[str, str]]:
    """Credentials by where they go: query parameters, and headers.

    >>> sort_credentials({"api_key": "1234", "X-Api-Key": "5678"})
    ((('api_key', '1234'),), {'x-api-key': '5678'})
    """
    named = CREDENTIALS | IDENTITY
    headers = {k.lower(): v for k, v in credentials.items()}
    query = tuple((k, v) for k, v in credentials.items() if _is_parameter(k, named))
    return query, {k: v for k, v in headers.items() if not _is_parameter(k, named)}


def _is_parameter(name: str, named: frozenset[str]) -> bool:
    return name.lower() in named and name.lower() not in _SECRET_HEADERS


def secret_values(
    headers: Mapping[str, str], query: Sequence[tuple[str, str]], json: Any
) -> tuple[str, ...]:
    """Every secret of a call, longest first, so that a part never spoils the whole."""
    values = [part for value in headers.values() for part in (value, *value.split()[1:])]
    values += [value for name, value in query if name.lower() in CREDENTIALS]
    if isinstance(json, dict):
        values += [str(v) for k, v in json.items() if str(k).lower() in CREDENTIALS]
    return tuple(sorted(set(values), key=len, reverse=True))
