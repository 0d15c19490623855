"""Settings: flags over ``FEDRAG_*`` variables over a TOML file. No import side effects."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from fedrag.errors import ConfigError

__all__ = ["LLMConfig", "ServiceConfig", "Settings", "default_cache_dir", "load_settings"]


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """A language model the user named. ``key`` is never printed, logged or stored."""

    model: str
    url: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    context_tokens: int = 8000
    input_price: float | None = None  # US dollars per million tokens
    output_price: float | None = None


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """What a user says of one service: another address, another pace, off, or a new TRAPI one."""

    base_url: str | None = None
    enabled: bool = True
    protocol: str | None = None  # needed for a service that has no document ("trapi")
    infores: str | None = None
    trapi_version: str | None = None
    per_minute: float | None = None
    concurrency: int | None = None
    timeout: float | None = None
    batch_size: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run can be told; each field is a flag, a variable and a TOML key."""

    services: Mapping[str, ServiceConfig] = field(default_factory=dict)
    only: tuple[str, ...] = ()  # ask only these knowledge services
    exclude: tuple[str, ...] = ()  # never ask these
    deadline: float = 120.0
    top_k: int = 40
    max_tokens: int = 3000
    taxon: str = "NCBITaxon:9606"
    embedder: str = "lexical"  # "lexical", "neural", or a local path / model name
    llm: LLMConfig | None = None
    llm_entities: bool = False  # let the language model propose mentions too
    cache: bool = True
    cache_dir: Path | None = None
    cache_max_age: float = 7 * 86400.0
    cache_size: int = 1_000_000_000
    max_answer_bytes: int = 100_000_000
    offline: bool = False
    email: str | None = None  # told to services that ask callers to identify themselves
    strict: bool = False
    status: tuple[str, ...] = ()  # keep only treatment candidates with these statuses


_SIMPLE: dict[str, type] = {
    "deadline": float,
    "top_k": int,
    "max_tokens": int,
    "taxon": str,
    "embedder": str,
    "cache_max_age": float,
    "cache_size": int,
    "max_answer_bytes": int,
    "email": str,
}
_FLAGS = ("cache", "offline", "strict", "llm_entities")


def config_path(environ: Mapping[str, str]) -> Path:
    """The TOML file that is read when no other is named."""
    if named := environ.get("FEDRAG_CONFIG"):
        return Path(named)
    base = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "fedrag" / "config.toml"


def default_cache_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of the cache of calls when none is named.

    >>> default_cache_dir({"XDG_CACHE_HOME": "/tmp/c"}).as_posix()
    '/tmp/c/fedrag/calls'
    """
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "fedrag" / "calls"


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    path: Path | None = None,
) -> Settings:
    """Settings from file, environment and ``overrides`` (flags), the later over the earlier.

    :param overrides: field names of :class:`Settings`; ``None`` values are ignored.
    :raises ConfigError: an unknown key, a value of the wrong type, an unreadable file.

    >>> load_settings({"top_k": 5}, environ={"FEDRAG_DEADLINE": "30"}).deadline
    30.0
    """
    environ = os.environ if environ is None else environ
    values = _from_file(path, environ)
    values.update(_from_environ(environ))
    given = {k: v for k, v in (overrides or {}).items() if v is not None}
    services = _merge_services(values.pop("services", {}), given.pop("services", {}))
    settings = replace(Settings(services=services), **{**values, **given})
    return _checked(settings)


def _checked(settings: Settings) -> Settings:
    for name in ("deadline", "top_k", "max_tokens", "cache_size", "max_answer_bytes"):
        if not getattr(settings, name) > 0:
            raise ConfigError(f"{name} must be above 0, not {getattr(settings, name)!r}")
    return settings


def _merge_services(
    base: Mapping[str, ServiceConfig], over: Mapping[str, ServiceConfig]
) -> dict[str, ServiceConfig]:
    merged = dict(base)
    for name, config in over.items():
        given = {
            f.name: getattr(config, f.name)
            for f in fields(ServiceConfig)
            if getattr(config, f.name) != f.default
        }
        merged[name] = replace(merged.get(name, ServiceConfig()), **given)
    return merged


def _from_file(path: Path | None, environ: Mapping[str, str]) -> dict[str, Any]:
    named = path is not None or "FEDRAG_CONFIG" in environ
    path = path or config_path(environ)
    if not path.is_file():
        if named:
            raise ConfigError(f"no configuration file at {path}", hint="check --config")
        return {}
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(
            f"cannot read {path}: {error}", hint="it must be TOML in UTF-8"
        ) from error
    return _from_toml(raw, path)


def _from_toml(raw: dict[str, Any], path: Path) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key == "services":
            values[key] = {name: _service(name, table, path) for name, table in value.items()}
        elif key == "llm":
            values[key] = _llm_from_table(value, path)
        elif key in ("only", "exclude", "status"):
            values[key] = tuple(_typed(path, key, value, list))
        elif key in _FLAGS:
            values[key] = _typed(path, key, value, bool)
        elif key == "cache_dir":
            values[key] = Path(_typed(path, key, value, str)).expanduser()
        elif key in _SIMPLE:
            values[key] = _typed(path, key, value, _SIMPLE[key])
        else:
            known = ", ".join(sorted(f.name for f in fields(Settings)))
            raise ConfigError(f"{path}: unknown key {key!r}", hint=f"known keys: {known}")
    return values


def _typed(where: object, key: str, value: Any, kind: type) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ConfigError(f"{where}: {key} must be {kind.__name__}, not {value!r}")
    return value


def _service(name: str, table: Any, path: Path) -> ServiceConfig:
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: [services.{name}] must be a table")
    known = {f.name for f in fields(ServiceConfig)}
    if unknown := set(table) - known:
        raise ConfigError(
            f"{path}: unknown key {sorted(unknown)[0]!r} in [services.{name}]",
            hint=f"known keys: {', '.join(sorted(known))}",
        )
    kinds: dict[str, type] = {"enabled": bool, "per_minute": float, "timeout": float}
    kinds |= {"concurrency": int, "batch_size": int}
    where = f"{path} [services.{name}]"
    return ServiceConfig(**{k: _typed(where, k, v, kinds.get(k, str)) for k, v in table.items()})


def _llm_from_table(table: Any, path: Path) -> LLMConfig:
    known = {f.name for f in fields(LLMConfig)}
    if not isinstance(table, dict) or not {"model", "url"} <= set(table) or set(table) - known:
        raise ConfigError(f"{path}: [llm] needs model and url", hint=f"known: {sorted(known)}")
    return LLMConfig(**table)


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, kind in _SIMPLE.items():
        if (text := environ.get(f"FEDRAG_{key.upper()}")) is not None:
            try:
                values[key] = kind(text)
            except ValueError as error:
                raise ConfigError(f"FEDRAG_{key.upper()}={text!r} is no {kind.__name__}") from error
    for key in _FLAGS:
        if (text := environ.get(f"FEDRAG_{key.upper()}")) is not None:
            values[key] = _flag(f"FEDRAG_{key.upper()}", text)
    if cache_dir := environ.get("FEDRAG_CACHE_DIR"):
        values["cache_dir"] = Path(cache_dir).expanduser()
    if llm := llm_from_options(None, None, environ):
        values["llm"] = llm
    return values


def _flag(name: str, text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off", ""):
        return False
    raise ConfigError(f"{name}={text!r} must be 1 or 0")


def llm_from_options(
    model: str | None, url: str | None, environ: Mapping[str, str]
) -> LLMConfig | None:
    """The language model named by flags or ``FEDRAG_LLM``, ``FEDRAG_LLM_URL``, ``FEDRAG_LLM_KEY``.

    :raises ConfigError: a model without an address: there is no default vendor.

    >>> llm_from_options("qwen", "http://127.0.0.1:8080/v1", {}).model
    'qwen'
    """
    model = model or environ.get("FEDRAG_LLM")
    url = url or environ.get("FEDRAG_LLM_URL")
    if not model:
        return None
    if not url:
        raise ConfigError(
            f"the language model {model!r} has no address",
            hint="add --llm-url URL or FEDRAG_LLM_URL; there is no default vendor",
        )
    return LLMConfig(model=model, url=url, key=environ.get("FEDRAG_LLM_KEY") or None)
