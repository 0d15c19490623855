"""The address of a cache that machines share. It may hold a password, so no message shows it."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from fedrag.errors import ConfigError

__all__ = ["check_cache_url", "shown_cache_url"]

_SCHEMES = ("redis", "rediss", "valkey", "valkeys", "unix")
_OPTIONS = frozenset({"db", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})


def check_cache_url(url: str, where: str = "") -> None:
    """Refuse what is no address of a Redis or Valkey; no message shows it: it may be secret.

    :param where: what the message begins with: the variable that it comes from.
    :raises ConfigError: with what is wrong with it.

    >>> check_cache_url("redis://:secret@cache.example.org:6379/0")
    >>> check_cache_url("http://:secret@cache.example.org")
    Traceback (most recent call last):
    ...
    fedrag.errors.ConfigError: the address of the shared cache must begin with redis, rediss, \
valkey, valkeys or unix (like redis://127.0.0.1:6379/0; in a password, write @ / % as %40 %2F %25)
    """
    if wrong := _wrong_with_cache_url(url):
        raise ConfigError(
            f"{where}the address of the shared cache {wrong}",
            hint="like redis://127.0.0.1:6379/0; in a password, write @ / % as %40 %2F %25",
        )


def _wrong_with_cache_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # its words would show a part of the password
        return "has a host or port that cannot be read"
    if parts.scheme not in _SCHEMES:
        return f"must begin with {', '.join(_SCHEMES[:-1])} or {_SCHEMES[-1]}"
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.fragment or options.keys() - _OPTIONS:
        return f"has options other than {', '.join(sorted(_OPTIONS))}"
    if not options.get("db", "0").isdecimal():
        return "has a db that is no number"
    if parts.scheme == "unix":
        return "" if len(parts.path) > 1 and not port else "names no socket, as unix:///path does"
    if not parts.hostname or port == 0:
        return "names no host"
    return "" if re.fullmatch(r"/?\d*", parts.path) else "may have only a number after the host"


def shown_cache_url(url: str) -> str:
    """The address of a shared cache as it may be shown: without user, password and options.

    >>> shown_cache_url("redis://me:secret@127.0.0.1:6379/0")
    'redis://127.0.0.1:6379/0'
    """
    if _wrong_with_cache_url(url):
        return "an address that cannot be read"
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
