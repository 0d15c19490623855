"""One SmartAPI document → one :class:`Service`.

A service is a document, not a class (the protocol is in code, the API in YAML): OpenAPI 3 with
``x-translator`` (infores), ``x-trapi`` (version, limits), x-bte annotations, and ``x-fedrag`` (a
closed vocabulary, ``fedrag/schemas/x-fedrag.json``). Addresses are not judged here but when the
user's settings are known, when they are called, and by ``validate_document``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from fedrag.errors import ConfigError
from fedrag.metakg.compiled import Compiled, read_compiled
from fedrag.metakg.manners import read_auth
from fedrag.metakg.operations import Operation
from fedrag.metakg.outline import servers, wanted_credentials
from fedrag.metakg.xfedrag import Auth
from fedrag.metakg.yamlfile import YamlError, line_of, tree_of
from fedrag.net import Endpoint

__all__ = [
    "Protocol",
    "Role",
    "Service",
    "document_files",
    "load_service",
    "load_services",
    "service_of",
]

Protocol = Literal["trapi", "rest", "graphql"]
Role = Literal["entities", "knowledge"]

_MIDDLE_PRIORITY = 50
_SUFFIXES = (".yaml", ".yml", ".json")


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


def load_services(folder: Path, cache: Path | None = None) -> tuple[Service, ...]:
    """The services of all documents in a folder, by priority and name.

    :param cache: the folder of compiled documents; ``None``: compile all of them anew.
    :raises ConfigError: a document cannot be used; the file, the line and the reason are named.

    >>> from fedrag.resources import metakg_dir
    >>> "bte" in [service.name for service in load_services(metakg_dir())]
    True
    """
    services: dict[str, Service] = {}
    for path in document_files(folder):
        service = load_service(path, cache)
        if service.name in services:
            raise ConfigError(f"{path}: a second document of the name {service.name!r}")
        services[service.name] = service
    return tuple(sorted(services.values(), key=lambda s: (s.priority, s.name)))


def document_files(folder: Path) -> tuple[Path, ...]:
    """The YAML and JSON files of a folder, by name (``ConfigError``: there is no such folder)."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder", hint="name a folder of SmartAPI documents")
    return tuple(sorted(p for p in folder.iterdir() if p.suffix in _SUFFIXES and p.name[0] != "."))


def load_service(path: Path, cache: Path | None = None) -> Service:
    """The service one document describes; its name is the file's.

    :param cache: the folder of compiled documents; ``None``: compile it anew.
    :raises ConfigError: what is wrong, with file and line.

    >>> from fedrag.resources import metakg_dir
    >>> load_service(metakg_dir() / "bte.yaml").endpoint.per_minute
    15.0
    """
    compiled = read_compiled(path, cache)
    if compiled.problem is not None:
        raise YamlError(path, *compiled.problem)
    try:
        return service_of(compiled, path.stem)
    except Misplaced as error:
        line = _line(path, compiled, error.place)
        raise YamlError(path, line, f"{'.'.join(map(str, error.place))}: {error}") from error


def _line(path: Path, compiled: Compiled, place: tuple[str | int, ...]) -> int:
    if place[0] not in compiled.outline:  # it is missing: no need to look for it
        return 1
    return line_of(tree_of(path, path.read_bytes()), place)


class Misplaced(Exception):
    """Something wrong at a place of the document; the line is looked up only then."""

    def __init__(self, place: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.place = place


def service_of(compiled: Compiled, name: str, *, verified: bool = True) -> Service:
    """The service that a compiled document describes, under a name.

    It is off where its calls want credentials that ``x-fedrag`` does not tell how to send.

    :param verified: whether its answers count as seen where the document does not say.

    :raises Misplaced: the document lacks what a service must have.
    """
    document = compiled.outline
    info = _table(document, "info")
    own = _table(info, "x-fedrag", "info")
    trapi = _table(info, "x-trapi", "info")
    protocol = cast(Protocol, own.get("protocol") or ("trapi" if trapi else "rest"))
    auth = read_auth(own)
    refused = _refused_auth(auth, name)
    if wanted := "" if auth else wanted_credentials(document):
        refused = f"it asks for credentials its x-fedrag does not describe: {wanted}"
    return Service(
        name=name,
        title=str(info.get("title") or name),
        protocol=protocol,
        role=cast(Role, own.get("role", "knowledge")),
        endpoint=_endpoint(document, name, own, trapi),
        infores=str(_table(info, "x-translator", "info").get("infores") or f"infores:{name}"),
        trapi_version=trapi_minor(trapi.get("version", "1.5")),
        query_path=_path(document, "/query", "post") or "/query",
        meta_path=_path(document, "/meta_knowledge_graph", "get") if protocol == "trapi" else None,
        batch_size=own.get("batch_size", _limit(trapi.get("batch_size_limit"))),
        licence=own.get("licence"),
        homepage=own.get("homepage"),
        priority=own.get("priority", _MIDDLE_PRIORITY),
        operations=compiled.operations(name) if protocol != "trapi" else (),
        verified=own.get("verified", verified),
        enabled=not refused,
        why_off=refused,
        auth=None if refused else auth,
        commercial=own.get("commercial", True),
        share=own.get("share", True),
        check_call=own.get("check", {}),
    )


def _refused_auth(auth: Auth | None, name: str) -> str:
    """Why a document gets no key: it may ask for its own service's alone.

    A document may come from anybody. What it names is sent to the host it names, so no variable is
    read that the user did not set for just this service.
    """
    own = f"FEDRAG_{re.sub(r'[^A-Z0-9]', '_', name.upper())}_TOKEN"
    if auth is None or auth.env == own:
        return ""
    return f"it asks for the variable {auth.env}, and its own would be {own}"


def _endpoint(
    document: Mapping[str, Any], name: str, own: Mapping[str, Any], trapi: Mapping[str, Any]
) -> Endpoint:
    urls = servers(document)
    if not urls:
        raise Misplaced(("servers",), "the document names no server")
    pace = own.get("pace", {})
    return Endpoint(
        service=name,
        base_url=urls[0],
        per_minute=_rate(pace.get("per_minute", trapi.get("rate_limit"))),
        concurrency=pace.get("concurrency", 8),
        timeout=float(own.get("timeout", 30.0)),
        mirrors=tuple(urls[1:]),
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


def _table(parent: Mapping[str, Any], key: str, *above: str) -> Mapping[str, Any]:
    value = parent.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Misplaced((*above, key), "must be a mapping")
    return value


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
