"""One SmartAPI document → one :class:`Service`.

A service is a document, not a class (the protocol is in code, the API in YAML): OpenAPI 3 with
``x-translator`` (infores), ``x-trapi`` (version, limits) and ``x-fedrag`` (pace, timeout, licence,
priority: a closed vocabulary, ``fedrag/schemas/x-fedrag.json``). Addresses are not judged here but
when they are called, and by ``validate_document``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from fedrag.errors import ConfigError
from fedrag.metakg.operations import Operation, read_operations
from fedrag.metakg.xfedrag import Auth
from fedrag.metakg.yamlfile import YamlError, line_of, read_tree, read_yaml
from fedrag.net import Endpoint

__all__ = ["Protocol", "Role", "Service", "document_files", "load_service", "load_services"]

Protocol = Literal["trapi", "rest", "graphql"]
Role = Literal["entities", "knowledge"]

_KEYS = frozenset(
    (
        "protocol",
        "role",
        "pace",
        "timeout",
        "batch_size",
        "priority",
        "licence",
        "homepage",
        "verified",
    )
)
_PACE_KEYS = frozenset(("per_minute", "concurrency"))
_MIDDLE_PRIORITY = 50
_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Service:
    """Something that is asked over the network, as its document and the user describe it.

    ``priority`` orders services, lowest first. A service that is off stays in the table:
    ``enabled`` is False and ``why_off`` says why. ``verified`` is False when no real answer of
    the service was ever seen.
    """

    name: str
    title: str
    protocol: Protocol
    role: Role
    endpoint: Endpoint
    infores: str
    trapi_version: str = "1.5"
    query_path: str = "/query"
    meta_path: str | None = None
    batch_size: int | None = None
    licence: str | None = None
    homepage: str | None = None
    priority: int = _MIDDLE_PRIORITY
    operations: tuple[Operation, ...] = ()
    verified: bool = True
    enabled: bool = True
    why_off: str = ""
    auth: Auth | None = None
    missing_key: str = ""  # the environment variable that would have to hold the user's key
    commercial: bool = True  # False where the licence forbids commercial use
    share: bool = True  # False where the licence keeps answers out of cassettes
    check_call: Mapping[str, Any] = field(default_factory=dict)  # one cheap call: is it up?
    settings: Mapping[str, Any] = field(default_factory=dict)  # template variables the user set


def load_services(folder: Path) -> tuple[Service, ...]:
    """The services of all YAML documents in a folder, by priority and name.

    :raises ConfigError: a document cannot be used; the file, the line and the reason are named.

    >>> from fedrag.resources import metakg_dir
    >>> [service.name for service in load_services(metakg_dir())]
    ['nameres', 'nodenorm', 'bte']
    """
    services: dict[str, Service] = {}
    for path in document_files(folder):
        service = load_service(path)
        if service.name in services:
            raise ConfigError(f"{path}: a second document of the name {service.name!r}")
        services[service.name] = service
    return tuple(sorted(services.values(), key=lambda s: (s.priority, s.name)))


def document_files(folder: Path) -> tuple[Path, ...]:
    """The YAML files of a folder, sorted by name (``ConfigError`` when there is no such folder)."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder", hint="name a folder of SmartAPI documents")
    return tuple(sorted(p for p in folder.iterdir() if p.suffix in _SUFFIXES and p.name[0] != "."))


def load_service(path: Path) -> Service:
    """The service one document describes; its name is the file's.

    :raises ConfigError: what is wrong, with file and line.

    >>> from fedrag.resources import metakg_dir
    >>> load_service(metakg_dir() / "bte.yaml").endpoint.per_minute
    15.0
    """
    document = read_yaml(path)
    try:
        return _service(document, path)
    except _Misplaced as error:
        line = line_of(read_tree(path), error.place)
        raise YamlError(path, line, f"{'.'.join(map(str, error.place))}: {error}") from error


class _Misplaced(Exception):
    """Something wrong at a place of the document; the line is looked up only then."""

    def __init__(self, place: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.place = place


def _service(document: Mapping[str, Any], path: Path) -> Service:
    info = _table(document, "info")
    own = _own(info)
    trapi = _table(info, "x-trapi", "info")
    pace = _table(own, "pace", "info", "x-fedrag")
    name = path.stem
    server, *mirrors = _servers(document)
    protocol = cast(Protocol, own.get("protocol") or ("trapi" if trapi else "rest"))
    role = cast(Role, own.get("role", "knowledge"))
    operations, _ = read_operations(document, name)
    return Service(
        name=name,
        title=str(info.get("title") or name),
        protocol=protocol,
        role=role,
        endpoint=Endpoint(
            service=name,
            base_url=server,
            per_minute=_rate(pace.get("per_minute", trapi.get("rate_limit"))),
            concurrency=pace.get("concurrency", 8),
            timeout=float(own.get("timeout", 30.0)),
            mirrors=tuple(mirrors),
        ),
        infores=str(_table(info, "x-translator", "info").get("infores") or f"infores:{name}"),
        trapi_version=trapi_minor(trapi.get("version", "1.5")),
        query_path=_path(document, "/query", "post") or "/query",
        meta_path=_path(document, "/meta_knowledge_graph", "get") if protocol == "trapi" else None,
        batch_size=own.get("batch_size", _limit(trapi.get("batch_size_limit"))),
        licence=own.get("licence"),
        homepage=own.get("homepage"),
        priority=own.get("priority", _MIDDLE_PRIORITY),
        operations=operations if protocol != "trapi" else (),
        verified=own.get("verified", True),
    )


def _rate(value: Any) -> float | None:
    """Calls a minute; x-trapi's ``rate_limit`` is prose in some documents."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and value > 0 else None


def _limit(value: Any) -> int | None:
    number = isinstance(value, int) and not isinstance(value, bool)
    return value if number and value > 0 else None


def trapi_minor(version: object) -> str:
    """``1.5`` of ``1.5.0`` or of YAML's 1.5.

    >>> trapi_minor("1.5.0"), trapi_minor(1.5), trapi_minor("2.0.0-beta")
    ('1.5', '1.5', '2.0')
    """
    return ".".join(str(version).strip().split(".")[:2])


def _own(info: Mapping[str, Any]) -> Mapping[str, Any]:
    own = _table(info, "x-fedrag", "info")
    for key in own:
        if key not in _KEYS:
            raise _Misplaced(("info", "x-fedrag", key), f"unknown key; known: {_listed(_KEYS)}")
    for key in _table(own, "pace", "info", "x-fedrag"):
        if key not in _PACE_KEYS:
            place = ("info", "x-fedrag", "pace", key)
            raise _Misplaced(place, f"unknown key; known: {_listed(_PACE_KEYS)}")
    _check_values(own)
    return own


def _check_values(own: Mapping[str, Any]) -> None:
    allowed = {"protocol": ("trapi", "rest", "graphql"), "role": ("knowledge", "entities")}
    for key, values in allowed.items():
        if key in own and own[key] not in values:
            place = ("info", "x-fedrag", key)
            raise _Misplaced(place, f"must be {' or '.join(values)}, not {own[key]!r}")
    pace = own.get("pace", {})
    for table, key, where in (
        (own, "timeout", ()),
        (own, "batch_size", ()),
        (own, "priority", ()),
        (pace, "per_minute", ("pace",)),
        (pace, "concurrency", ("pace",)),
    ):
        value = table.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            place = ("info", "x-fedrag", *where, key)
            raise _Misplaced(place, f"must be a number above 0, not {value!r}")


def _table(parent: Mapping[str, Any], key: str, *above: str) -> Mapping[str, Any]:
    value = parent.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _Misplaced((*above, key), "must be a mapping")
    return value


def _servers(document: Mapping[str, Any]) -> list[str]:
    """The servers without trailing slashes: production first, then https; only the first is asked.

    The others are the user's to choose (``--base-url``): named, never called on their own.
    """
    listed = document.get("servers")
    servers = [s for s in listed if isinstance(s, Mapping)] if isinstance(listed, list) else []
    urls = [
        (s.get("x-maturity", "production") != "production", not url.startswith("https:"), n, url)
        for n, s in enumerate(servers)
        if isinstance(url := s.get("url"), str) and url
    ]
    if not urls:
        raise _Misplaced(("servers",), "the document names no server")
    return list(dict.fromkeys(url[3].rstrip("/") for url in sorted(urls)))


def _path(document: Mapping[str, Any], ending: str, method: str) -> str | None:
    """The shortest path without parameters that ends so and has the method."""
    paths = document.get("paths")
    fitting = [
        str(path)
        for path, item in (paths.items() if isinstance(paths, Mapping) else ())
        if str(path).endswith(ending) and "{" not in str(path)
        if isinstance(item, Mapping) and method in item
    ]
    return min(fitting, key=len, default=None)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
