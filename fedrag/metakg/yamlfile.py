"""YAML with line numbers: plain values for reading, a node tree for telling where a mistake is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from fedrag.errors import ConfigError

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["YamlError", "line_of", "parse", "read_bytes", "tree_of"]

Place = Sequence[str | int]


class YamlError(ConfigError):
    """A file that is not the YAML it should be; ``line`` is 1 at the top, 0 for the whole file."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")
        self.line = line
        self.problem = problem


def read_bytes(path: Path) -> bytes:
    """The bytes of a document (:class:`YamlError` when it cannot be read)."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise YamlError(path, 0, f"cannot be read: {error.strerror or error}") from error


def parse(path: Path, content: bytes) -> dict[str, Any]:
    """The mapping that YAML, or JSON where the file's name says so, holds.

    :param path: what its problems are told of.
    :raises YamlError: with the line, for anything else.

    >>> parse(Path("a.yaml"), b"openapi: 3.0.3")
    {'openapi': '3.0.3'}
    """
    value = _json(path, content) if path.suffix == ".json" else _yaml(path, content)
    if not isinstance(value, dict):
        raise YamlError(path, 1, "must be a mapping (an OpenAPI document)")
    return value


def _yaml(path: Path, content: bytes) -> Any:
    import yaml

    text = _text(path, content)
    try:
        # Safe: the C loader of plain YAML types, several times as fast as the Python one.
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _located(path, error) from error


def _json(path: Path, content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise YamlError(path, error.lineno, f"is not JSON: {error.msg}") from error


def tree_of(path: Path, content: bytes) -> Node | None:
    """The node tree of a document, each node with its line."""
    import yaml

    try:
        return yaml.compose(_text(path, content), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise _located(path, error) from error


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise YamlError(path, line, "is not UTF-8") from error


def line_of(tree: Node | None, place: Place) -> int:
    """The line of the deepest node on the way to ``place`` (keys and list positions)."""
    from yaml.nodes import MappingNode, SequenceNode

    line = 1
    node = tree
    for step in place:
        if isinstance(node, MappingNode):
            for key, value in node.value:
                if key.value == str(step):
                    line, node = key.start_mark.line + 1, value
                    break
            else:
                return line
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        else:
            return line
    return line


def _located(path: Path, error: Exception) -> YamlError:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return YamlError(path, 1, f"is not YAML: {str(error).splitlines()[0]}")
    problem = getattr(error, "problem", None) or "cannot be parsed"
    return YamlError(path, mark.line + 1, f"is not YAML: {problem}")
