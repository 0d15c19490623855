"""YAML with line numbers: plain values for reading, a node tree for telling where a mistake is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedrag.errors import ConfigError

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["YamlError", "line_of", "read_text", "read_tree", "read_yaml"]

Place = Sequence[str | int]


class YamlError(ConfigError):
    """A file that is not the YAML it should be; ``line`` is 1 at the top, 0 for the whole file."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")
        self.line = line
        self.problem = problem


def read_text(path: Path) -> str:
    """The text of a document in UTF-8 (:class:`YamlError` when it cannot be read)."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise YamlError(path, 0, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise YamlError(path, line, "is not UTF-8") from error


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping a YAML file holds.

    :raises YamlError: with the line, for anything else.
    """
    import yaml

    text = read_text(path)
    try:
        # Safe: the C loader of plain YAML types, three times as fast as the Python one.
        value = yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _located(path, error) from error
    if not isinstance(value, dict):
        raise YamlError(path, 1, "must be a mapping (an OpenAPI document)")
    return value


def read_tree(path: Path) -> Node | None:
    """The node tree of a YAML file, each node with its line."""
    import yaml

    try:
        return yaml.compose(read_text(path), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise _located(path, error) from error


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
