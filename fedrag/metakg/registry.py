"""The SmartAPI registry, synced or any folder of documents, as services.

A document of the registry is a stranger's: its addresses must be public https ones, what it says of
credentials must be understood, and one that cannot be used stays in the table with the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fedrag.errors import ConfigError
from fedrag.metakg.compiled import Compiled, read_compiled
from fedrag.metakg.document import Misplaced, Service, document_files, service_of
from fedrag.metakg.outline import has_production, servers
from fedrag.metakg.sync import documents, slug
from fedrag.metakg.yamlfile import YamlError
from fedrag.net import Endpoint

__all__ = ["NO_PRODUCTION", "nothing_added", "registry_folder", "registry_services"]

NO_PRODUCTION = "its document names no production server"


def registry_services(
    folder: Path, cache: Path | None, shipped: Sequence[Service], taken: Collection[str] = ()
) -> tuple[Service, ...]:
    """The services of a folder of documents, beside those that ship.

    A document that describes a source which a shipped one does (the same infores) is left out, and
    one that says what another says of the same server; so are documents without annotations. One
    that cannot be used is off and says why. Names are made of infores or title.

    :param taken: names that none of them may have.
    :raises ConfigError: there is no such folder.
    """
    own = {service.infores for service in shipped}
    names = {service.name for service in shipped} | set(taken)
    services = []
    for path, compiled in _once(_read(path, cache) for path in document_files(folder)):
        infores = _infores(compiled)
        if infores in own:
            continue
        name = _free(slug(infores.removeprefix("infores:") or _title(compiled) or path.stem), names)
        service = _service(path, compiled, name)
        if service is not None:
            names.add(name)
            services.append(service)
    return tuple(services)


def _read(path: Path, cache: Path | None) -> tuple[Path, Compiled]:
    try:
        return path, read_compiled(path, cache)
    except YamlError as error:
        return path, Compiled({}, problem=(error.line, error.problem))


def _once(read: Iterator[tuple[Path, Compiled]]) -> list[tuple[Path, Compiled]]:
    """Each document once: of those with one title and server, the best told and the newest."""
    best: dict[Any, tuple[Path, Compiled]] = {}
    for path, compiled in read:
        title, urls = _title(compiled), servers(compiled.outline)
        key = (title, urls[0]) if title and urls else path
        if key not in best or _worth(compiled) > _worth(best[key][1]):
            best[key] = (path, compiled)
    return sorted(best.values(), key=lambda pair: pair[0])


def _worth(compiled: Compiled) -> tuple[bool, str]:
    meta = compiled.outline.get("_meta")
    updated = meta.get("last_updated") if isinstance(meta, Mapping) else ""
    return bool(_infores(compiled)), str(updated or "")


def _service(path: Path, compiled: Compiled, name: str) -> Service | None:
    """The service, ``None`` where the document has nothing to ask."""
    if compiled.problem is not None:
        line, problem = compiled.problem
        return _broken(path, name, _title(compiled), f"{path.name}:{line}: {problem}")
    if not compiled.count:
        return None
    try:
        service = service_of(compiled, name, verified=False)
    except Misplaced as error:
        where = ".".join(map(str, error.place))
        return _broken(path, name, _title(compiled), f"{path.name}: {where}: {error}")
    if service.enabled and not has_production(compiled.outline):
        return replace(service, enabled=False, why_off=NO_PRODUCTION)
    return service


def _broken(path: Path, name: str, title: str, why: str) -> Service:
    return Service(
        name=name,
        title=title or path.stem,
        protocol="rest",
        role="knowledge",
        endpoint=Endpoint(name, ""),
        infores=f"infores:{name}",
        verified=False,
        enabled=False,
        why_off=f"its document cannot be used: {why}",
    )


def _info(compiled: Compiled) -> Mapping[str, Any]:
    info = compiled.outline.get("info")
    return info if isinstance(info, Mapping) else {}


def _title(compiled: Compiled) -> str:
    return str(_info(compiled).get("title") or "")


def _infores(compiled: Compiled) -> str:
    told = _info(compiled).get("x-translator")
    return str(told.get("infores") or "") if isinstance(told, Mapping) else ""


def _free(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}-{n}" for n in range(2, len(taken) + 3) if f"{name}-{n}" not in taken)


def registry_folder(named: str, synced: Path) -> Path:
    """The folder that ``--registry`` names.

    :raises ConfigError: it is not there.
    """
    if named != "synced":
        return Path(named).expanduser()
    if not documents(synced):
        raise ConfigError(
            "the registry was never fetched", hint="fetch it once with `fedrag metakg sync`"
        )
    return synced


def nothing_added(folder: Path) -> ConfigError:
    """What to say of a folder that the user named and that adds no service."""
    count = len(document_files(folder))
    if not count:
        return ConfigError(
            f"{folder} holds no documents",
            hint="put SmartAPI documents there: .yaml, .yml or .json",
        )
    return ConfigError(
        f"nothing in {folder} ({count} document{'s' if count > 1 else ''}) adds a service",
        hint="it wants documents with x-bte-kgs-operations, of sources that do not ship",
    )
