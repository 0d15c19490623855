"""What is wrong with a service document: every problem, with its line, without stopping at one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedrag.biolink import biolink
from fedrag.errors import ConfigError
from fedrag.metakg.operations import Place, read_operations
from fedrag.metakg.yamlfile import YamlError, line_of, read_tree, read_yaml
from fedrag.net import check_address
from fedrag.resources import schema_path

__all__ = ["Problem", "validate_document"]

_INFORES = re.compile(r"infores:[a-z0-9]+(?:[-.][a-z0-9]+)*")
_TRAPI_VERSION = re.compile(r"[12]\.\d+(?:\.\d+)?(?:-[\w.]+)?")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a document. ``where`` is the place in it, dotted; line 0: all of it."""

    file: Path
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        where = f" {self.where}:" if self.where else ""
        return f"{self.file}:{self.line}:{where} {self.message}"


def validate_document(path: Path) -> list[Problem]:
    """All problems of one SmartAPI document, by line; an empty list when there are none.

    Checked: YAML; servers and their addresses (https and public); ``x-fedrag`` under its closed
    schema; infores; what a TRAPI service must say; categories and predicates of operations.

    >>> from fedrag.resources import metakg_dir
    >>> validate_document(metakg_dir() / "bte.yaml")
    []
    """
    try:
        document = read_yaml(path)
        tree = read_tree(path)
    except YamlError as error:
        return [Problem(path, error.line, "", error.problem)]
    found = [
        Problem(path, line_of(tree, place), ".".join(map(str, place)), message)
        for place, message in _findings(document, path.stem)
    ]
    return sorted(set(found), key=lambda p: (p.line, p.where, p.message))


def _findings(document: Mapping[str, Any], name: str) -> Iterator[tuple[Place, str]]:
    info = document.get("info")
    if not isinstance(info, Mapping):
        yield ("info",), "is missing or is not a mapping"
        info = {}
    if not str(document.get("openapi", "")).startswith("3."):
        yield ("openapi",), "the document must be OpenAPI 3"
    yield from _servers(document)
    yield from _x_fedrag(info)
    yield from _x_translator(info)
    yield from _x_trapi(document, info)
    yield from _operations(document, name)


def _servers(document: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    servers = document.get("servers")
    if not isinstance(servers, list) or not servers:
        yield ("servers",), "the document names no server"
        return
    for position, server in enumerate(servers):
        url = server.get("url") if isinstance(server, Mapping) else None
        if not isinstance(url, str):
            yield ("servers", position), "has no url"
            continue
        try:
            check_address(url, trusted=False)
        except ConfigError as error:
            yield ("servers", position, "url"), str(error)


def _x_fedrag(info: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    if "x-fedrag" not in info:
        return
    from jsonschema import Draft202012Validator

    schema = json.loads(schema_path("x-fedrag").read_text(encoding="utf-8"))
    for error in Draft202012Validator(schema).iter_errors(info["x-fedrag"]):
        place: Place = ("info", "x-fedrag", *error.absolute_path)
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            for key in sorted(set(error.instance) - set(known), key=str):
                yield (*place, key), f"unknown key; known: {', '.join(sorted(known))}"
        else:
            yield place, error.message


def _x_translator(info: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    told = info.get("x-translator")
    infores = told.get("infores") if isinstance(told, Mapping) else None
    if infores is not None and not _INFORES.fullmatch(str(infores)):
        yield (
            ("info", "x-translator", "infores"),
            f"{infores!r} is not an infores (infores: and small letters, digits, hyphens)",
        )


def _x_trapi(document: Mapping[str, Any], info: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    own, told = info.get("x-fedrag"), info.get("x-trapi")
    if not (isinstance(own, Mapping) and own.get("protocol") == "trapi"):
        return
    version = told.get("version") if isinstance(told, Mapping) else None
    if not _TRAPI_VERSION.fullmatch(str(version)):
        yield ("info", "x-trapi", "version"), "a TRAPI service must name its TRAPI version"
    paths = document.get("paths")
    if not any(str(path).endswith("/query") for path in paths or ()):
        yield ("paths",), "a TRAPI service must have a /query path"


def _operations(document: Mapping[str, Any], name: str) -> Iterator[tuple[Place, str]]:
    operations, flaws = read_operations(document, name)
    for flaw in flaws:
        yield flaw.place, flaw.message
    model = biolink()
    for operation in operations:
        place: Place = ("paths", operation.path, operation.method)
        for category in (operation.subject_category, operation.object_category):
            if not model.is_category(category):
                yield place, f"{category} is not a Biolink {model.version} category"
        if not model.is_predicate(operation.predicate):
            yield place, f"{operation.predicate} is not a Biolink {model.version} predicate"
