"""What is wrong with a service document: every problem, with its line, without stopping at one.

An *error* is something that does not compile or is refused: the document, an operation, a key. A
*warning* is lost on nothing else: a name Biolink no longer has, an address that is refused when it
is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fedrag.biolink import biolink
from fedrag.errors import ConfigError
from fedrag.metakg.manners import x_fedrag_problems
from fedrag.metakg.operations import Operation, Place, annotation_count, read_operations
from fedrag.metakg.outline import has_production, outline, servers, wanted_credentials
from fedrag.metakg.overlays import overlaid
from fedrag.metakg.yamlfile import YamlError, line_of, parse, read_bytes, tree_of
from fedrag.net import check_address

__all__ = ["Problem", "Report", "check_document", "validate_document"]

Level = Literal["error", "warning"]
Finding = tuple[Level, Place, str, str]  # how bad, where, of which operation, what

_INFORES = re.compile(r"infores:[a-z0-9]+(?:[-.][a-z0-9]+)*")
_TRAPI_VERSION = re.compile(r"[12]\.\d+(?:\.\d+)?(?:-[\w.]+)?")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a document. ``where`` is the place in it, dotted; line 0: all of it."""

    file: Path
    line: int
    where: str
    message: str
    operation: str = ""
    level: Level = "error"

    def __str__(self) -> str:
        where = f" {self.where}:" if self.where else ""
        note = "warning: " if self.level == "warning" else ""
        return f"{self.file}:{self.line}:{where} {note}{self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """What one document holds and what is wrong with it.

    ``annotations`` counts its operations as they are written, ``meta_edges`` what they are with
    each pair of input and output.
    """

    problems: tuple[Problem, ...]
    annotations: int = 0
    meta_edges: int = 0


def validate_document(path: Path) -> list[Problem]:
    """All problems of one SmartAPI document, by line; an empty list when there are none.

    Checked: YAML; servers and their addresses (https and public); ``x-fedrag`` under its closed
    schema; infores; what a TRAPI service must say; references; categories and predicates.

    >>> from fedrag.resources import metakg_dir
    >>> validate_document(metakg_dir() / "bte.yaml")
    []
    """
    return list(check_document(path).problems)


def check_document(path: Path) -> Report:
    """All problems of one document, and how much it holds."""
    try:
        content = read_bytes(path)
        document = parse(path, content)
    except YamlError as error:
        return Report((Problem(path, error.line, "", error.problem),))
    own = list(_x_fedrag(document))
    server = next(iter(servers(document)), "")
    read = overlaid(_without_x_fedrag(document) if own else document, server)
    operations, flaws = read_operations(read, path.stem, server)
    found: dict[Finding, None] = dict.fromkeys((*own, *_findings(document, operations)))
    for flaw in flaws:
        found["error" if flaw.fatal else "warning", flaw.place, flaw.operation, flaw.message] = None
    tree = tree_of(path, content) if found else None
    problems = [
        Problem(path, line_of(tree, at), ".".join(map(str, at)), message, operation, level)
        for level, at, operation, message in found
    ]
    problems.sort(key=lambda p: (p.line, p.where, p.message))
    return Report(tuple(problems), annotation_count(operations), len(operations))


def _findings(document: Mapping[str, Any], operations: tuple[Operation, ...]) -> Iterator[Finding]:
    if not document.keys() & {"info", "servers", "paths"}:
        yield "warning", (), "", "is a fragment: it has no info, servers or paths"
        return
    info = document.get("info")
    if not isinstance(info, Mapping):
        yield "error", ("info",), "", "is missing or is not a mapping"
        info = {}
    if not str(document.get("openapi", "")).startswith("3."):
        # What the registry hands out, with its own `_meta`, does not say it.
        level: Level = "warning" if "_meta" in document and "swagger" not in document else "error"
        yield level, ("openapi",), "", "the document must be OpenAPI 3"
    yield from _servers(document)
    yield from _x_translator(info)
    yield from _x_trapi(document, info)
    yield from _credentials(document, info)
    yield from _operations(operations)


def _x_fedrag(document: Mapping[str, Any]) -> Iterator[Finding]:
    info = document.get("info")
    if isinstance(info, Mapping) and "x-fedrag" in info:
        for place, message in x_fedrag_problems(info["x-fedrag"], ("info", "x-fedrag")):
            yield "error", place, "", message


def _without_x_fedrag(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as it would be without what is wrong, so that the rest is judged too."""
    info = {key: value for key, value in document["info"].items() if key != "x-fedrag"}
    return {**document, "info": info}


def _servers(document: Mapping[str, Any]) -> Iterator[Finding]:
    listed = document.get("servers")
    if not isinstance(listed, list) or not listed:
        yield "error", ("servers",), "", "the document names no server"
        return
    if not has_production(document):
        yield "warning", ("servers",), "", "the document names no production server"
    for position, server in enumerate(listed):
        url = server.get("url") if isinstance(server, Mapping) else None
        if not isinstance(url, str):
            yield "error", ("servers", position), "", "has no url"
            continue
        try:
            check_address(url, trusted=False)
        except ConfigError as error:
            yield _how_bad(url), ("servers", position, "url"), "", str(error)


def _how_bad(url: str) -> Level:
    """A public host over http, and what is no address at all, compile and are refused later."""
    if not url.startswith(("http:", "https:")):
        return "warning"
    try:
        check_address(url.replace("http:", "https:", 1), trusted=False)
    except ConfigError:
        return "error"
    return "warning"


def _x_translator(info: Mapping[str, Any]) -> Iterator[Finding]:
    told = info.get("x-translator")
    infores = told.get("infores") if isinstance(told, Mapping) else None
    if infores is not None and not _INFORES.fullmatch(str(infores)):
        message = f"{infores!r} is not an infores (infores: and small letters, digits, hyphens)"
        yield "error", ("info", "x-translator", "infores"), "", message


def _x_trapi(document: Mapping[str, Any], info: Mapping[str, Any]) -> Iterator[Finding]:
    own, told = info.get("x-fedrag"), info.get("x-trapi")
    if not (isinstance(own, Mapping) and own.get("protocol") == "trapi"):
        return
    version = told.get("version") if isinstance(told, Mapping) else None
    if not _TRAPI_VERSION.fullmatch(str(version)):
        place: Place = ("info", "x-trapi", "version")
        yield "error", place, "", "a TRAPI service must name its TRAPI version"
    paths = document.get("paths")
    if not any(str(path).endswith("/query") for path in paths or ()):
        yield "error", ("paths",), "", "a TRAPI service must have a /query path"


def _credentials(document: Mapping[str, Any], info: Mapping[str, Any]) -> Iterator[Finding]:
    own = info.get("x-fedrag")
    if isinstance(own, Mapping) and "auth" in own:
        return
    if wanted := wanted_credentials(outline(document)):
        message = f"its calls want credentials that no x-fedrag auth describes: {wanted}"
        yield "error", ("security",), "", message


def _operations(operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Names that Biolink does not have, each once."""
    model = biolink()
    told: set[str] = set()
    for operation in operations:
        place: Place = ("paths", operation.path, operation.method)
        for name, kind, known in (
            (operation.subject_category, "category", model.is_category),
            (operation.object_category, "category", model.is_category),
            (operation.predicate, "predicate", model.is_predicate),
        ):
            if name not in told and not known(name):
                told.add(name)
                message = f"{name} is not a Biolink {model.version} {kind}"
                yield "warning", place, operation.id, message
        if operation.output_prefix not in operation.mapping and not operation.manner.ends:
            message = f"its response mapping has no path for its output, {operation.output_prefix}"
            yield "warning", place, operation.id, message
