"""Settings as a run keeps them: what its answer depends on, and no secret; and back again.

A language model's key, a password in an address, an e-mail address and variables of a service that
look like credentials are left out. Asking a run again takes them from the settings of that day, the
key only for the address it is meant for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from fedrag.config import LLMConfig, ServiceConfig, Settings, checked

__all__ = ["as_then", "public_url", "secrets_of", "settings_to_dict"]

# Where things lie, who asks, and the log itself: nothing that an answer depends on.
_OF_THE_DAY = frozenset({"cache_dir", "log", "log_dir", "log_keep", "email"})
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth|email", re.IGNORECASE)


def public_url(url: str) -> str:
    """An address without user, password, query and fragment.

    >>> public_url("redis://:hunter22@127.0.0.1:6379/0")
    'redis://127.0.0.1:6379/0'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    netloc = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=netloc, query="", fragment=""))


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """What must not be written down, wherever it turns up.

    >>> secrets_of(Settings(cache_url="redis://:hunter22@127.0.0.1:6379/0"))
    ('hunter22',)
    """
    found = [settings.llm.key] if settings.llm else []
    addresses = [config.base_url for config in settings.services.values()]
    for url in (settings.cache_url, settings.llm.url if settings.llm else None, *addresses):
        found.append(_password(url) if url else None)
    for config in settings.services.values():
        found += [str(v) for k, v in config.settings.items() if _SECRET_NAME.search(k)]
    return tuple(secret for secret in found if secret)


def _password(url: str) -> str | None:
    try:
        return urlsplit(url).password
    except ValueError:
        return None


def settings_to_dict(settings: Settings) -> dict[str, Any]:
    """The settings as plain JSON values, without secrets.

    >>> llm = LLMConfig("qwen", "http://127.0.0.1:8080/v1", key="sk-very-secret")
    >>> "sk-very-secret" in str(settings_to_dict(Settings(llm=llm)))
    False
    """
    values = {
        one.name: getattr(settings, one.name)
        for one in fields(Settings)
        if one.name not in _OF_THE_DAY
    }
    values["services"] = {name: _service(one) for name, one in sorted(settings.services.items())}
    values["llm"] = _llm(settings.llm) if settings.llm else None
    values["cache_url"] = public_url(settings.cache_url) if settings.cache_url else None
    return {key: _plain(value) for key, value in values.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _service(config: ServiceConfig) -> dict[str, Any]:
    """What was said of one service, without what was not."""
    untold = ServiceConfig()
    told = {one.name: getattr(config, one.name) for one in fields(ServiceConfig)}
    told["base_url"] = public_url(config.base_url) if config.base_url else None
    told["settings"] = {k: v for k, v in config.settings.items() if not _SECRET_NAME.search(k)}
    return {name: value for name, value in told.items() if value != getattr(untold, name)}


def _llm(llm: LLMConfig) -> dict[str, Any]:
    told = {one.name: getattr(llm, one.name) for one in fields(LLMConfig) if one.name != "key"}
    return told | {"url": public_url(llm.url)}


def as_then(
    now: Settings, then: Mapping[str, Any], given: Mapping[str, Any] | None = None
) -> Settings:
    """The settings of a run, for asking it again.

    :param now: the settings of today; secrets and folders come from them.
    :param then: what :func:`settings_to_dict` wrote; keys of another version are passed over.
    :param given: the user's flags of today. Fields with a value here stay as they are ``now``; of
        ``services`` it is the addresses that do.
    :raises ConfigError: a value of another version is out of today's range.

    >>> then = settings_to_dict(Settings(top_k=7, only=("bte",)))
    >>> as_then(Settings(top_k=9), then, given={"top_k": 9}).only
    ('bte',)
    """
    told = {key for key, value in (given or {}).items() if value is not None}
    if not any((given or {}).get("llm", {}).values()):
        told -= {"llm"}
    known = {one.name for one in fields(Settings)} - _OF_THE_DAY - (told - {"services"})
    values = {k: _typed(v) for k, v in then.items() if k in known and v is not None}
    if "services" in values:
        here = (given or {}).get("services", {})
        values["services"] = _services_then(values["services"], now, here)
    if isinstance(values.get("llm"), Mapping):
        values["llm"] = _llm_then(values["llm"], now.llm)
    if "cache_url" in values and now.cache_url:
        values["cache_url"] = now.cache_url  # with its password, wherever it lies by now
    return checked(replace(now, **values))


def _typed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _services_then(
    then: Mapping[str, Any], now: Settings, here: Mapping[str, ServiceConfig]
) -> dict[str, ServiceConfig]:
    known = {one.name for one in fields(ServiceConfig)}
    services = dict(here)
    for name, told in then.items():
        kept = now.services.get(name, ServiceConfig()).settings
        secret = {key: value for key, value in kept.items() if _SECRET_NAME.search(key)}
        given = {key: value for key, value in told.items() if key in known}
        if name in here:
            given["base_url"] = here[name].base_url
        services[name] = ServiceConfig(**given | {"settings": secret | told.get("settings", {})})
    return services


def _llm_then(then: Mapping[str, Any], now: LLMConfig | None) -> LLMConfig:
    """The language model of that run; a key goes to no other address than the one it is for."""
    known = {one.name for one in fields(LLMConfig)} - {"key"}
    llm = LLMConfig(**{key: value for key, value in then.items() if key in known})
    if now is None or public_url(now.url) != llm.url:
        return llm
    return replace(llm, url=now.url, key=now.key)
