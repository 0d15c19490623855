"""What is wrong with a service document: every problem, with its line, without stopping at one.

An *error* is something that does not compile or is refused: the document, an operation, a key. A
*warning* is lost on nothing else: a name Biolink no longer has, an address that is refused when it
is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fedrag.biolink import biolink
from fedrag.metakg import structure
from fedrag.metakg.annotations import read_annotations
from fedrag.metakg.manners import x_fedrag_problems
from fedrag.metakg.operations import Flaw, Operation, Place, annotation_count, read_operations
from fedrag.metakg.outline import outline, servers, wanted_credentials
from fedrag.metakg.overlays import overlaid
from fedrag.metakg.structure import Finding, Level
from fedrag.metakg.yamlfile import YamlError, line_of, parse, read_bytes, tree_of

__all__ = ["Problem", "Report", "check_document", "validate_document"]

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

    Checked: YAML; title, servers and their addresses (https and public), paths; ``x-fedrag`` under
    its closed schema; infores; what a TRAPI service must say; references; templates; categories
    and predicates.

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
    findings = (*_findings(document, operations, flaws), *_calls(read, operations))
    found: dict[Finding, None] = dict.fromkeys((*own, *findings))
    for flaw in flaws:
        found["error" if flaw.fatal else "warning", flaw.place, flaw.operation, flaw.message] = None
    tree = tree_of(path, content) if found else None
    problems = [
        Problem(path, line_of(tree, at), ".".join(map(_step, at)), message, operation, level)
        for level, at, operation, message in found
    ]
    problems += [Problem(path, line, "", told) for line, told in structure.twice(path, content)]
    problems.sort(key=lambda p: (p.line, p.where, p.message))
    return Report(tuple(problems), annotation_count(operations), len(operations))


def _step(step: str | int) -> str:
    """A step on the way to a place; what breaks a line is written out."""
    text = str(step)
    return text if text.isprintable() else repr(text)[1:-1]


def _findings(
    document: Mapping[str, Any], operations: tuple[Operation, ...], flaws: tuple[Flaw, ...]
) -> Iterator[Finding]:
    if not document.keys() & {"info", "servers", "paths"}:
        yield "warning", (), "", "is a fragment: it has no info, servers or paths"
        return
    info = document.get("info")
    if not isinstance(info, Mapping):
        yield "error", ("info",), "", "is missing or is not a mapping"
        info = {}
    else:
        yield from structure.title(info)
    if not str(document.get("openapi", "")).startswith("3."):
        # What the registry hands out, with its own `_meta`, does not say it.
        level: Level = "warning" if "_meta" in document and "swagger" not in document else "error"
        yield level, ("openapi",), "", "the document must be OpenAPI 3"
    yield from structure.servers(document)
    yield from structure.paths(document, flaws)
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


def _calls(document: Mapping[str, Any], operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """What keeps calls from being made: once for each call, at the operation it is written in."""
    from fedrag.xbte.request import check_call  # it stands above this room, and loads jinja2

    places: dict[str, Place] = {}
    seen: set[int] = set()
    for operation in operations:
        if id(operation.call) in seen:
            continue
        seen.add(id(operation.call))
        problem = check_call(replace(operation, server=""))  # servers are told of elsewhere
        if problem is not None:
            places = places or {a.id: a.place for a in read_annotations(document, [])}
            # The older form leaves values out where a document is not meant to be asked.
            level: Level = "error" if operation.call.templated else "warning"
            yield level, places.get(operation.id, ()), operation.id, problem


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
