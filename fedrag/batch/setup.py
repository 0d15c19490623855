"""A session's setup as plain JSON, so that a worker elsewhere can build the same session.

No secret is in it: as for the log of runs, keys and passwords are left out, and a worker takes them
from its own environment (``FEDRAG_LLM_KEY``, ``FEDRAG_CACHE_URL``, the services' keys). Its cache
and its log of runs lie where its own settings put them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from fedrag import __version__
from fedrag.config import Settings, load_settings, shown_cache_url
from fedrag.errors import ConfigError
from fedrag.runs import as_then, settings_to_dict
from fedrag.session import Session, cassette_path

__all__ = ["session_from_setup", "setup_of"]


def setup_of(settings: Settings, *, replay: str | Path | None = None) -> bytes:
    """What a worker needs to build a session like this one, as JSON.

    Paths (of a cassette, of a registry) go as they are: a worker must see the same files.

    >>> b'"deadline":5.0' in setup_of(Settings(deadline=5.0))
    True
    """
    plain = settings_to_dict(settings)
    if settings.registry not in (None, "synced"):
        plain["registry"] = _path(settings.registry)
    url = settings.cache_url
    told = {
        "fedrag_version": __version__,
        "settings": plain,
        "log": settings.log,
        "email": settings.email,
        "cache_login": url is not None and shown_cache_url(url) != url,
        "replay": [str(replay), _path(cassette_path(replay))] if replay else None,
    }
    return orjson.dumps(told, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def _path(path: str | Path | None) -> str | None:
    return str(Path(path).expanduser().resolve()) if path else None


def session_from_setup(setup: bytes, environ: Mapping[str, str] | None = None) -> Session:
    """The session that :func:`setup_of` describes, with this process's own secrets.

    :param environ: where they are read; the process's environment when not given.
    :raises ConfigError: it is of another version of fedrag, or this machine lacks what it names.
    """
    told = orjson.loads(setup)
    if told.get("fedrag_version") != __version__:
        raise ConfigError(
            f"the worker has fedrag {__version__}, the batch {told.get('fedrag_version')}",
            hint="install the same version for both",
        )
    own = load_settings(environ=environ)
    cache = told["settings"]["cache_url"]
    settings = replace(
        as_then(own, told["settings"]),
        cache_url=_with_login(cache, own.cache_url) if told["cache_login"] else cache,
        log=told["log"],
        email=told["email"],
    )
    return Session(settings, replay=_replay(told["replay"]))


def _with_login(wanted: str, own: str | None) -> str:
    """The same address as this machine knows it, with its password."""
    if own is None or shown_cache_url(own) != wanted:
        raise ConfigError(
            f"the cache at {wanted} wants a password, which no task carries",
            hint="set FEDRAG_CACHE_URL to the whole address where the worker runs",
        )
    return own


def _replay(told: list[Any] | None) -> str | None:
    """The cassette's path where this machine has it; else its name, for one that ships."""
    if told is None:
        return None
    name, path = told
    return str(path if Path(path).exists() else name)
