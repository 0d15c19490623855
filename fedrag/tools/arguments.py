"""Arguments of a call, checked against the tool's table before anything is done."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from fedrag.tools.pages import SMALLEST
from fedrag.tools.problems import ToolProblem
from fedrag.tools.schemas import LARGEST_TOKENS, TOOLS, Argument, Tool

__all__ = ["checked_call", "pins_of"]

_TYPES = {"string": "text", "integer": "a whole number", "boolean": "true or false"}
_LONGEST = 2_000  # characters of one text
_MOST = 50  # texts of one list


def checked_call(name: Any, arguments: Any) -> tuple[Tool, dict[str, Any]]:
    """The tool, and each of its arguments: as given, or its default.

    :param arguments: a mapping, its JSON text (as OpenAI sends it), or nothing.
    :raises ToolProblem: ``unknown_tool`` or ``invalid_arguments``; the message names the argument.

    >>> checked_call("services", {"check": True})[1]
    {'check': True, 'max_tokens': 2000, 'page': 1}
    """
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ToolProblem("unknown_tool", f"there is no tool {str(name)[:80]!r}")
    given = _mapping(tool, arguments)
    for key in given:
        if key not in tool.arguments:
            raise ToolProblem(
                "invalid_arguments",
                f"{tool.name} takes no argument {str(key)[:80]!r}{_near(key, tool.arguments)}",
                remedy=f"it takes: {', '.join(tool.arguments)}",
            )
    values = {key: _value(tool, key, given.get(key)) for key in tool.arguments}
    pins_of(values.get("entities") or ())
    return tool, values


def _mapping(tool: Tool, arguments: Any) -> Mapping[str, Any]:
    if isinstance(arguments, str | bytes):
        try:
            arguments = orjson.loads(arguments) if arguments.strip() else {}
        except orjson.JSONDecodeError as error:
            raise ToolProblem(
                "invalid_arguments", f"the arguments of {tool.name} are no JSON: {error}"
            ) from error
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        kind = type(arguments).__name__
        raise ToolProblem(
            "invalid_arguments", f"the arguments of {tool.name} are an object, not {kind}"
        )
    return arguments


def _value(tool: Tool, name: str, value: Any) -> Any:
    argument = tool.arguments[name]
    if value is None:
        if argument.required:
            raise ToolProblem("invalid_arguments", f"{tool.name} needs the argument {name!r}")
        return argument.default
    if not _fits(argument, value):
        wanted = _TYPES.get(argument.kind, "a list of texts")
        told = f"{tool.name}: {name} is {wanted}, not {_shown(value)}"
        raise ToolProblem("invalid_arguments", told)
    _check_text(tool, name, [value] if isinstance(value, str) else value)
    _check_range(tool, name, value)
    return value


def _fits(argument: Argument, value: Any) -> bool:
    if argument.kind == "string":
        return isinstance(value, str)
    if argument.kind == "boolean":
        return isinstance(value, bool)
    if argument.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _check_text(tool: Tool, name: str, texts: Any) -> None:
    """Refuse what is too long, empty, or no Unicode (half a surrogate pair)."""
    if not isinstance(texts, list | tuple):
        return
    if len(texts) > _MOST:
        raise ToolProblem(
            "invalid_arguments", f"{tool.name}: {name} holds {len(texts)} texts, more than {_MOST}"
        )
    for text in texts:
        if len(text) > _LONGEST:
            told = f"{len(text):,} characters, more than {_LONGEST:,}"
            raise ToolProblem("invalid_arguments", f"{tool.name}: {name} has {told}")
        if not text.strip() or not _is_unicode(text):
            told = "is no valid Unicode" if text.strip() else "is empty"
            raise ToolProblem("invalid_arguments", f"{tool.name}: {name} {told}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_range(tool: Tool, name: str, value: Any) -> None:
    lowest, highest = {"max_tokens": (SMALLEST, LARGEST_TOKENS), "page": (1, 10_000)}.get(
        name, (value, value)
    )
    if not lowest <= value <= highest:
        raise ToolProblem(
            "invalid_arguments",
            f"{tool.name}: {name} is from {lowest:,} to {highest:,}, not {_shown(value)}",
        )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _near(name: Any, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(name)[:80], list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def pins_of(entities: Iterable[str]) -> dict[str, str]:
    """``mention=CURIE`` texts as a mapping.

    :raises ToolProblem: one that is not like that.

    >>> pins_of(["hypertension=MONDO:0005044"])
    {'hypertension': 'MONDO:0005044'}
    """
    pins = {}
    for text in entities:
        mention, _, curie = text.rpartition("=")
        if not mention.strip() or ":" not in curie:
            raise ToolProblem(
                "invalid_arguments",
                f"ask: {_shown(text)} is not like mention=CURIE",
                remedy='write it like "hypertension=MONDO:0005044"; resolve finds CURIEs',
            )
        pins[mention.strip()] = curie.strip()
    return pins
