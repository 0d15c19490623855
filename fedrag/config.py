"""Settings: flags over ``FEDRAG_*`` variables over a TOML file. No import side effects."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from fedrag.config_cache import check_cache_url, shown_cache_url
from fedrag.datamodel import TreatmentStatus
from fedrag.errors import ConfigError

__all__ = [
    "LLMConfig",
    "ServiceConfig",
    "Settings",
    "check_cache_url",
    "checked",
    "default_cache_dir",
    "load_settings",
    "shown_cache_url",
    "store_dir",
]

_STATUS_ALIASES = {"approved": "established"}  # what a status was called before


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """A language model the user named. ``key`` is never printed, logged or stored."""

    model: str
    url: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 120.0  # seconds for one call; small models on a CPU need all of it
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
    settings: Mapping[str, Any] = field(default_factory=dict)  # its document's own variables


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run can be told. Each field is a TOML key; simple ones are variables too."""

    services: Mapping[str, ServiceConfig] = field(default_factory=dict)
    only: tuple[str, ...] = ()  # ask only these knowledge services
    exclude: tuple[str, ...] = ()  # never ask these
    registry: str | None = None  # documents beside those that ship: a folder, or "synced"
    commercial_ok: bool = False  # ask only services whose licence allows commercial use
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
    cache_url: str | None = field(default=None, repr=False)  # a shared Redis or Valkey
    log: bool = True  # keep each run, for `fedrag runs`
    log_dir: Path | None = None
    log_keep: int = 1_000  # runs; the oldest go first
    max_answer_bytes: int = 100_000_000
    offline: bool = False
    email: str | None = None  # told to services that ask callers to identify themselves
    strict: bool = False
    status: tuple[str, ...] = ()  # keep only treatment candidates with these statuses


def default_cache_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of the cache of calls when none is named.

    >>> default_cache_dir({"XDG_CACHE_HOME": "/tmp/c"}).as_posix()
    '/tmp/c/fedrag/calls'
    """
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "fedrag" / "calls"


def store_dir(settings: Settings, name: str) -> Path:
    """A folder of the cache beside the calls: ``compiled`` documents, the synced ``registry``.

    >>> store_dir(Settings(cache_dir=Path("/tmp/c")), "registry").as_posix()
    '/tmp/c/registry'
    """
    return (settings.cache_dir or default_cache_dir().parent) / name


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    path: Path | None = None,
) -> Settings:
    """Settings from file, environment and ``overrides`` (flags), the later over the earlier.

    :param overrides: field names of :class:`Settings`; ``None`` values are ignored. ``llm`` may be
        a mapping of some of its fields, which then go over those of the other sources.
    :raises ConfigError: an unknown key, a value of the wrong type, an unreadable file.

    >>> load_settings({"top_k": 5}, environ={"FEDRAG_DEADLINE": "30"}).deadline
    30.0
    """
    from fedrag.config_sources import from_arguments, from_environ, from_file

    environ = os.environ if environ is None else environ
    given = from_arguments({k: v for k, v in (overrides or {}).items() if v is not None})
    sources = [from_file(path, environ), from_environ(environ), given]
    services = _merged_services(source.pop("services", {}) for source in sources)
    llm = _merged_llm([source.pop("llm", None) for source in sources])
    values = {key: value for source in sources for key, value in source.items()}
    return checked(replace(Settings(services=services, llm=llm), **values))


def checked(settings: Settings) -> Settings:
    """The settings, ``taxon`` as a CURIE.

    :raises ConfigError: a value out of its range.

    >>> checked(Settings(taxon="9606")).taxon
    'NCBITaxon:9606'
    """
    positive = ("deadline", "top_k", "max_tokens", "cache_size", "cache_max_age")
    for name in (*positive, "max_answer_bytes", "log_keep"):
        value = getattr(settings, name)
        if not (value > 0 and math.isfinite(value)):
            raise ConfigError(f"{name} must be above 0, not {value!r}")
    statuses = tuple(_STATUS_ALIASES.get(status, status) for status in settings.status)
    for status in statuses:
        if status not in get_args(TreatmentStatus):
            known = ", ".join(get_args(TreatmentStatus))
            raise ConfigError(f"there is no status {status!r}", hint=f"there are: {known}")
    llm = None if settings.llm is None else _checked_llm(settings.llm)
    if settings.cache_url is not None:
        check_cache_url(settings.cache_url)
    return replace(settings, taxon=_taxon(settings.taxon), status=statuses, llm=llm)


def _taxon(text: str) -> str:
    digits = re.fullmatch(r"(?:NCBITaxon:|taxonomy:)?(\d+)", text.strip(), re.IGNORECASE)
    if not digits:
        raise ConfigError(
            f"{text!r} is no taxon", hint="give an NCBI Taxonomy identifier, like NCBITaxon:10090"
        )
    return f"NCBITaxon:{digits[1]}"


def _checked_llm(llm: LLMConfig) -> LLMConfig:
    """The model, its key without white space around it; neither a key nor a password is quoted."""
    try:
        address = urlsplit(llm.url)
        whole = address.scheme in ("http", "https") and bool(address.hostname)
        spare = bool(address.query or address.fragment or address.username or address.password)
    except ValueError:
        whole = spare = False
    if not whole or spare:
        told = "what has a query, a fragment, a user or a password" if spare else repr(llm.url)
        raise ConfigError(
            f"{told} is no address of a language model",
            hint="it must be like http://127.0.0.1:8080/v1; a key goes into FEDRAG_LLM_KEY",
        )
    key = (llm.key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            "the key of the language model has characters that no key has",
            hint="set FEDRAG_LLM_KEY to one line of plain characters",
        )
    return replace(llm, key=key or None)


def _merged_services(
    tables: Iterable[Mapping[str, ServiceConfig]],
) -> dict[str, ServiceConfig]:
    merged: dict[str, ServiceConfig] = {}
    untold = ServiceConfig()
    for table in tables:
        for name, config in table.items():
            below = merged.get(name, untold)
            values = {f.name: getattr(config, f.name) for f in fields(ServiceConfig)}
            given = {key: value for key, value in values.items() if value != getattr(untold, key)}
            given["settings"] = {**below.settings, **config.settings}
            merged[name] = replace(below, **given)
    return merged


def _merged_llm(parts: Sequence[LLMConfig | Mapping[str, Any] | None]) -> LLMConfig | None:
    """The language model that the sources name together; there is no default vendor."""
    named: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, LLMConfig):
            return part
        named |= {key: value for key, value in (part or {}).items() if value}
    if not named.get("model") and not named.get("url"):
        return None
    if not named.get("url"):
        raise ConfigError(
            f"the language model {named['model']!r} has no address",
            hint="add --llm-url URL or FEDRAG_LLM_URL; there is no default vendor",
        )
    if not named.get("model"):
        raise ConfigError(
            f"no language model is named for {named['url']}", hint="add --llm MODEL or FEDRAG_LLM"
        )
    return LLMConfig(**named)
