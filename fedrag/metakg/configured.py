"""The documents that ship under the user's settings, and TRAPI services of the user's own."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from fedrag.config import ServiceConfig, Settings
from fedrag.errors import ConfigError
from fedrag.metakg.document import Service, document_files, load_services, trapi_minor
from fedrag.net import Endpoint, check_address
from fedrag.resources import metakg_dir

__all__ = ["services_from_settings"]

_OWN_PRIORITY = 20  # what a user adds by hand stands before what ships
_SWITCHED_OFF = "switched off in the configuration"
_EXCLUDED = "excluded by --exclude-service or the configuration"
_NOT_CHOSEN = "not among the services chosen with --only or the configuration"


def shipped_names() -> frozenset[str]:
    """The names of the services that have a document.

    >>> sorted(shipped_names())
    ['bte', 'nameres', 'nodenorm']
    """
    return frozenset(path.stem for path in document_files(metakg_dir()))


def services_from_settings(settings: Settings) -> tuple[Service, ...]:
    """All services, by priority and name; those that are off stay in, ``enabled`` False.

    :raises ConfigError: a service that is unknown, has no address, speaks an unknown protocol, or
        has a setting out of range.

    >>> own = ServiceConfig(protocol="trapi", base_url="http://127.0.0.1:8000")
    >>> [s.name for s in services_from_settings(Settings(services={"mine": own}))]
    ['nameres', 'nodenorm', 'mine', 'bte']
    """
    services = {service.name: service for service in load_services(metakg_dir())}
    for name, config in settings.services.items():
        if name in services:
            services[name] = _overridden(services[name], config)
        else:
            services[name] = _added(name, config, services)
    _check_names((*settings.only, *settings.exclude), services)
    chosen = [
        _limited(_chosen(service, settings), settings.max_answer_bytes)
        for service in services.values()
    ]
    return tuple(sorted(chosen, key=lambda s: (s.priority, s.name)))


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
    if not config.enabled:
        given |= {"enabled": False, "why_off": _SWITCHED_OFF}
    return replace(service, endpoint=_endpoint(service.endpoint, config), **given)


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
