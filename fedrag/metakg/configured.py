"""The documents that ship under the user's settings, and TRAPI services of the user's own."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from fedrag.config import ServiceConfig, Settings, store_dir
from fedrag.errors import ConfigError
from fedrag.metakg.document import Service, document_files, load_services, trapi_minor
from fedrag.metakg.operations import Operation
from fedrag.metakg.registry import (
    NO_PRODUCTION,
    nothing_added,
    registry_folder,
    registry_services,
)
from fedrag.metakg.xfedrag import Manner
from fedrag.net import Endpoint, check_address
from fedrag.resources import metakg_dir

__all__ = ["known_names", "narrowed", "services_from_settings", "shipped_names"]

_OWN_PRIORITY = 20  # what a user adds by hand stands before what ships
_SWITCHED_OFF = "switched off in the configuration"
_EXCLUDED = "excluded by --exclude or the configuration"
_NOT_CHOSEN = "not among the services chosen with --services or the configuration"
_NOT_ASKED = "left out of this question"
_NOT_COMMERCIAL = "its licence forbids commercial use (--commercial-ok leaves it out)"


def shipped_names() -> frozenset[str]:
    """The names of the services that have a document.

    >>> {"bte", "nameres", "nodenorm"} <= shipped_names()
    True
    """
    return frozenset(path.stem for path in document_files(metakg_dir()))


def known_names(settings: Settings) -> frozenset[str]:
    """The names of the services that have a document, here or in the registry that is named."""
    return frozenset(_documented(settings))


def _documented(settings: Settings) -> dict[str, Service]:
    """The services that ship, then those of the registry, by name."""
    compiled = store_dir(settings, "compiled")
    shipped = load_services(metakg_dir(), compiled)
    found = list(shipped)
    if settings.registry:
        folder = registry_folder(settings.registry, store_dir(settings, "registry"))
        own = [name for name, config in settings.services.items() if config.protocol == "trapi"]
        added = registry_services(folder, compiled, shipped, own)
        if not added:
            raise nothing_added(folder)
        found += added
    return {service.name: service for service in found}


def services_from_settings(settings: Settings) -> tuple[Service, ...]:
    """All services, by priority and name; those that are off stay in, ``enabled`` False.

    :raises ConfigError: a service that is unknown, has no address, speaks an unknown protocol, or
        has a setting out of range; a registry that is not there or adds nothing.

    >>> own = ServiceConfig(protocol="trapi", base_url="http://127.0.0.1:8000")
    >>> "mine" in [s.name for s in services_from_settings(Settings(services={"mine": own}))]
    True
    """
    services = _documented(settings)
    for name, config in settings.services.items():
        if name in services:
            services[name] = _overridden(services[name], config)
        else:
            services[name] = _added(name, config, services)
    _check_names((*settings.only, *settings.exclude), services)
    chosen = [
        _limited(_chosen(_admitted(service), settings), settings.max_answer_bytes)
        for service in services.values()
    ]
    return tuple(sorted(chosen, key=lambda s: (s.priority, s.name)))


def narrowed(
    services: Sequence[Service], only: Sequence[str], exclude: Sequence[str]
) -> tuple[Service, ...]:
    """The services, with all switched off that one question leaves out; none is switched on.

    :param only: knowledge services, all when empty; ``exclude``: knowledge services.
    :raises ConfigError: there is no such knowledge service.

    >>> narrowed((), (), ())
    ()
    """
    known = {service.name for service in services if service.role == "knowledge"}
    _check_names((*only, *exclude), known)
    off = set(exclude) | (known.difference(only) if only else set())
    return tuple(
        replace(s, enabled=False, why_off=_NOT_ASKED) if s.enabled and s.name in off else s
        for s in services
    )


def _admitted(service: Service) -> Service:
    """Off where its address must not be called; told of the key that is missing."""
    if not service.enabled:
        return service
    try:
        check_address(service.endpoint.base_url, service.endpoint.trusted)
    except ConfigError as error:
        return replace(service, enabled=False, why_off=str(error))
    auth = service.auth
    if auth is None or os.environ.get(auth.env, "").strip():
        return service
    is_open = urlsplit(service.endpoint.base_url).hostname in auth.open_hosts
    return service if is_open else replace(service, missing_key=auth.env)


def _added(name: str, config: ServiceConfig, known: Collection[str]) -> Service:
    """A service without a document: any TRAPI base URL."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
        raise ConfigError(
            f"{name!r} cannot be a service's name", hint="use small letters, digits, - and _"
        )
    if config.protocol is None:
        raise ConfigError(
            f"no service is called {name!r}{_nearest(name, known)}",
            hint="a service of your own needs protocol = 'trapi' and a base_url",
        )
    if not config.base_url:
        raise ConfigError(f"the service {name!r} has no base_url")
    service = Service(
        name=name,
        title=name,
        protocol="trapi",
        role="knowledge",
        endpoint=Endpoint(service=name, base_url=config.base_url, trusted=True),
        infores=f"infores:{name.replace('_', '-')}",
        meta_path="/meta_knowledge_graph",
        priority=_OWN_PRIORITY,
    )
    return _overridden(service, config)


def _overridden(service: Service, config: ServiceConfig) -> Service:
    name = service.name
    if config.protocol is not None and config.protocol != service.protocol:
        asked = f"the service {name!r} cannot speak {config.protocol!r}"
        raise ConfigError(asked, hint=f"its protocol is {service.protocol!r}")
    _check_numbers(name, config)
    fields = ("infores", "batch_size")
    given = {f: value for f in fields if (value := getattr(config, f)) is not None}
    if config.trapi_version is not None:
        given["trapi_version"] = _version(name, config.trapi_version)
    if config.batch_size is not None:
        given["operations"] = _batched(service.operations, config.batch_size)
    if config.settings:
        given["settings"] = _known_settings(service, config.settings)
    if config.base_url is not None and service.why_off == NO_PRODUCTION:
        given |= {"enabled": True, "why_off": ""}
    if not config.enabled:
        given |= {"enabled": False, "why_off": _SWITCHED_OFF}
    return replace(service, endpoint=_endpoint(service.endpoint, config), **given)


def _batched(operations: Sequence[Operation], size: int) -> tuple[Operation, ...]:
    """Operations that ask for so many identifiers at once; what they shared they still share."""
    made: dict[int, Manner] = {}
    for operation in operations:
        if id(operation.manner) not in made:
            made[id(operation.manner)] = replace(operation.manner, batch_size=size)
    return tuple(replace(o, manner=made[id(o.manner)]) for o in operations)


def _known_settings(service: Service, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The user's values for variables that some operation of the service has.

    :raises ConfigError: none has it.
    """
    known = {name for o in service.operations for name in o.manner.settings}
    for name in given:
        if name not in known:
            raise ConfigError(
                f"[services.{service.name}.settings] has no {name!r}{_nearest(name, known)}",
                hint=f"there are: {', '.join(sorted(known)) or 'none'}",
            )
    return given


def _endpoint(endpoint: Endpoint, config: ServiceConfig) -> Endpoint:
    fields = ("per_minute", "concurrency", "timeout")
    given: dict[str, Any] = {f: v for f in fields if (v := getattr(config, f)) is not None}
    if config.base_url is not None:
        check_address(config.base_url, trusted=True)
        given |= {"base_url": config.base_url.rstrip("/"), "trusted": True, "mirrors": ()}
        if config.per_minute is None and _is_private(config.base_url):
            given["per_minute"] = None  # the document's pace is for the public host
    return replace(endpoint, **given)


def _is_private(url: str) -> bool:
    try:
        check_address(url, trusted=False)
    except ConfigError:
        return True
    return False


def _check_numbers(name: str, config: ServiceConfig) -> None:
    for field in ("per_minute", "concurrency", "timeout", "batch_size"):
        value = getattr(config, field)
        if value is not None and not value > 0:
            raise ConfigError(f"[services.{name}] {field} must be above 0, not {value!r}")


def _version(name: str, version: str) -> str:
    minor = trapi_minor(version)
    if not re.fullmatch(r"[12]\.\d", minor):
        raise ConfigError(
            f"[services.{name}] trapi_version must be like '1.5', not {version!r}",
            hint="versions 1.2 to 2.0 are written",
        )
    return minor


def _chosen(service: Service, settings: Settings) -> Service:
    """Off when the user leaves it out.

    :raises ConfigError: the service is one that every question needs.
    """
    if service.role == "entities" and (not service.enabled or service.name in settings.exclude):
        raise ConfigError(
            f"{service.name} cannot be switched off: every question needs it",
            hint="--base-url gives it another address",
        )
    if service.role != "knowledge" or not service.enabled:
        return service
    if service.name in settings.exclude:
        return replace(service, enabled=False, why_off=_EXCLUDED)
    if settings.only and service.name not in settings.only:
        return replace(service, enabled=False, why_off=_NOT_CHOSEN)
    if settings.commercial_ok and not service.commercial:
        return replace(service, enabled=False, why_off=_NOT_COMMERCIAL)
    return service


def _limited(service: Service, max_bytes: int) -> Service:
    return replace(service, endpoint=replace(service.endpoint, max_bytes=max_bytes))


def _check_names(names: Sequence[str], services: Collection[str]) -> None:
    for name in names:
        if name not in services:
            raise ConfigError(
                f"no service is called {name!r}{_nearest(name, services)}",
                hint=f"there are: {', '.join(sorted(services))}",
            )


def _nearest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
