"""Where settings come from: a TOML file and ``FEDRAG_*`` environment variables."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from fedrag.config import LLMConfig, ServiceConfig, Settings
from fedrag.config_cache import check_cache_url
from fedrag.errors import ConfigError

__all__ = ["from_arguments", "from_environ", "from_file"]

_SIMPLE: dict[str, type] = {
    "deadline": float,
    "top_k": int,
    "max_tokens": int,
    "taxon": str,
    "embedder": str,
    "cache_max_age": float,
    "cache_size": int,
    "cache_url": str,
    "log_keep": int,
    "max_answer_bytes": int,
    "email": str,
    "registry": str,
}
_FLAGS = ("cache", "log", "offline", "strict", "llm_entities", "commercial_ok")
_FOLDERS = ("cache_dir", "log_dir")
_LISTS = ("only", "exclude", "status")
_KINDS: dict[str, type] = {
    "enabled": bool,
    "per_minute": float,
    "timeout": float,
    "concurrency": int,
    "batch_size": int,
    "context_tokens": int,
    "input_price": float,
    "output_price": float,
    "settings": dict,
}


def config_path(environ: Mapping[str, str]) -> Path:
    """The TOML file that is read when no other is named."""
    if named := environ.get("FEDRAG_CONFIG"):
        return Path(named)
    base = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "fedrag" / "config.toml"


def from_file(path: Path | None, environ: Mapping[str, str]) -> dict[str, Any]:
    """The values of the TOML file, ``llm`` as a mapping; empty where there is no default file.

    :raises ConfigError: a named file is missing; one is unreadable; an unknown key; a wrong type.
    """
    named = path is not None or bool(environ.get("FEDRAG_CONFIG"))
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
    return {key: _value(key, value, path) for key, value in raw.items()}


def _value(key: str, value: Any, path: Path) -> Any:
    if key == "services":
        tables = _typed(path, key, value, dict)
        return {name: _service(name, table, path) for name, table in tables.items()}
    if key == "llm":
        return _table(f"{path} [llm]", value, LLMConfig)
    if key in _LISTS:
        listed = _typed(path, key, value, list)
        return tuple(_typed(path, key, item, str) for item in listed)
    if key in _FLAGS:
        return _typed(path, key, value, bool)
    if key in _FOLDERS:
        return Path(_typed(path, key, value, str)).expanduser()
    if key in _SIMPLE:
        return _typed(path, key, value, _SIMPLE[key])
    known = ", ".join(sorted(f.name for f in fields(Settings)))
    raise ConfigError(f"{path}: unknown key {key!r}", hint=f"known keys: {known}")


def _typed(where: object, key: str, value: Any, kind: type) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {dict: "a table", list: "a list", str: "text", bool: "true or false"}
        told = type(value).__name__ if key == "key" else repr(value)  # a secret is not shown
        raise ConfigError(f"{where}: {key} must be {words.get(kind, 'a number')}, not {told}")
    return value


def _service(name: str, table: Any, path: Path) -> ServiceConfig:
    return ServiceConfig(**_table(f"{path} [services.{name}]", table, ServiceConfig))


def _table(where: str, table: Any, kind: type[ServiceConfig] | type[LLMConfig]) -> dict[str, Any]:
    """A table of a TOML file whose keys are the fields of ``kind``."""
    if not isinstance(table, dict):
        raise ConfigError(f"{where} must be a table, not {table!r}")
    known = {f.name for f in fields(kind)}
    if unknown := set(table) - known:
        raise ConfigError(
            f"{where}: unknown key {sorted(unknown)[0]!r}",
            hint=f"known keys: {', '.join(sorted(known))}",
        )
    typed = {key: _typed(where, key, value, _KINDS.get(key, str)) for key, value in table.items()}
    for key, value in typed.get("settings", {}).items():
        if not isinstance(value, str | int | float):
            raise ConfigError(f"{where}: settings.{key} must be a text or a number, not {value!r}")
    return typed


def from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    """The values of ``FEDRAG_*`` variables, ``llm`` as a mapping; an empty one counts as unset.

    >>> from_environ({"FEDRAG_TOP_K": "5", "FEDRAG_ONLY": "bte, civic", "FEDRAG_LLM": "qwen"})
    {'top_k': 5, 'only': ('bte', 'civic'), 'llm': {'model': 'qwen'}}
    """
    values: dict[str, Any] = {}
    for key, kind in _SIMPLE.items():
        if text := environ.get(f"FEDRAG_{key.upper()}"):
            try:
                values[key] = kind(text)
            except ValueError as error:
                raise ConfigError(f"FEDRAG_{key.upper()}={text!r} must be a number") from error
    if "cache_url" in values:
        check_cache_url(values["cache_url"], "FEDRAG_CACHE_URL: ")
    for key in _LISTS:
        if text := environ.get(f"FEDRAG_{key.upper()}"):
            values[key] = tuple(name.strip() for name in text.split(",") if name.strip())
    for key in _FLAGS:
        if text := environ.get(f"FEDRAG_{key.upper()}"):
            values[key] = _flag(f"FEDRAG_{key.upper()}", text)
    for key in _FOLDERS:
        if folder := environ.get(f"FEDRAG_{key.upper()}"):
            values[key] = Path(folder).expanduser()
    names = {"model": "FEDRAG_LLM", "url": "FEDRAG_LLM_URL", "key": "FEDRAG_LLM_KEY"}
    if llm := {key: environ[name] for key, name in names.items() if environ.get(name)}:
        values["llm"] = llm
    return values


def from_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as Python code gives them: of the right types, or refused by name.

    A name or a text with commas will do where names are listed.

    :raises ConfigError: a value of another type than the setting has.

    >>> from_arguments({"only": "bte, civic", "deadline": 5})
    {'only': ('bte', 'civic'), 'deadline': 5.0}
    """
    return {key: _argument(key, value) for key, value in given.items()}


def _argument(key: str, value: Any) -> Any:
    if key in _LISTS:
        names = value.split(",") if isinstance(value, str) else value
        if isinstance(names, Iterable) and not isinstance(names, Mapping):
            return tuple(_typed("the arguments", key, name, str).strip() for name in names)
        raise ConfigError(f"{key} must be a list of names, not {value!r}")
    if key in _FLAGS:
        return _typed("the arguments", key, value, bool)
    if key in _FOLDERS:
        return Path(_typed("the arguments", key, os.fspath(value), str)).expanduser()
    if key == "services":
        return _services(value)
    if key == "llm":
        return _llm(value)
    return _typed("the arguments", key, value, _SIMPLE[key]) if key in _SIMPLE else value


def _services(value: Any) -> Mapping[str, ServiceConfig]:
    if isinstance(value, Mapping) and all(isinstance(one, ServiceConfig) for one in value.values()):
        return value
    raise ConfigError(
        "services must map names to ServiceConfig", hint='to ask some alone: only=["bte"]'
    )


def _llm(value: Any) -> LLMConfig | dict[str, Any]:
    if isinstance(value, LLMConfig):
        return value
    if not isinstance(value, Mapping):
        raise ConfigError(
            f"llm must be a table of a model and its address, not {type(value).__name__}",
            hint='as in llm={"model": "qwen2.5", "url": "http://127.0.0.1:8080/v1"}',
        )
    return _table("llm", {k: v for k, v in value.items() if v is not None}, LLMConfig)


def _flag(name: str, text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ConfigError(f"{name}={text!r} must be 1 or 0")
