"""The filters of x-bte templates, with the meaning Nunjucks and the x-bte engine gave them.

Those over text work on each element of a list. Semantics: the templating section of the x-bte
manual; ``join`` and ``dump`` as Nunjucks has them. What a filter makes is bounded, since templates
come from outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["FILTERS", "MAX_CHARACTERS", "Json", "Listed", "TooLong", "printed"]

MAX_CHARACTERS = 4 * 1024 * 1024  # of what one template may make


class TooLong(ValueError):
    """A template made more text than any request may carry."""


class Listed(list[Any]):
    """A list that prints as JavaScript prints one: its elements with commas between them.

    >>> str(Listed(["a", True, 1.0]))
    'a,true,1'
    """

    def __str__(self) -> str:
        return printed(self)


class Json(str):
    """Text that is JSON already, so that nothing in it is escaped again."""

    __slots__ = ()


def printed(value: Any) -> str:
    """A value as JavaScript prints it: what the authors of x-bte documents saw.

    >>> [printed(value) for value in (True, 1000, 0.5, 1.0, None, ["a", 1], 1e-7)]
    ['true', '1000', '0.5', '1', '', 'a,1', '1e-7']
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number(value)
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ",".join(map(printed, value))
    return json.dumps(value) if isinstance(value, Mapping) else str(value)


def _number(value: float) -> str:
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return re.sub(r"e([+-])0*(\d)", r"e\1\2", repr(value))


def each(change: Callable[..., str]) -> Callable[..., Any]:
    """A filter over text that maps over lists."""

    def mapped(value: Any, *given: Any, **named: Any) -> Any:
        if not isinstance(value, list | tuple):
            return bounded(change(printed(value), *given, **named))
        changed = Listed(change(printed(item), *given, **named) for item in value)
        if sum(map(len, changed)) > MAX_CHARACTERS:
            raise TooLong(f"makes more than {MAX_CHARACTERS} characters")
        return changed

    return mapped


def bounded(text: str) -> str:
    """The text, unless it is too long (:class:`TooLong`)."""
    if len(text) > MAX_CHARACTERS:
        raise TooLong(f"makes more than {MAX_CHARACTERS} characters")
    return text


def substr(text: str, begin: int | None = None, end: int | None = None) -> str:
    """The characters from ``begin`` up to ``end``; negative numbers count from the end."""
    return text[begin:end]


def add_prefix(text: str, prefix: str | None = None, delim: str | None = None) -> str:
    """The text with a prefix before it.

    >>> add_prefix("1017", "NCBIGene"), add_prefix("1017", "NCBIGene", "-"), add_prefix("1017")
    ('NCBIGene:1017', 'NCBIGene-1017', '1017')
    """
    return f"{prefix}{_colon(delim)}{text}" if prefix else text


def rm_prefix(text: str, delim: str | None = None) -> str:
    """The piece after the delimiter (the second one), or the text when there is none.

    >>> rm_prefix("MONDO:0005148"), rm_prefix("0005148"), rm_prefix("a:b:c"), rm_prefix("a:b", "-")
    ('0005148', '0005148', 'b', 'a:b')
    """
    pieces = text.split(_colon(delim))
    return text if len(pieces) == 1 else pieces[1]


def repl_prefix(text: str, prefix: str | None = None, delim: str | None = None) -> str:
    """The text with another prefix, or with one where there was none.

    >>> repl_prefix("GO:0051320", "go"), repl_prefix("0051320", "GO"), repl_prefix("GO:0051320")
    ('go:0051320', 'GO:0051320', '0051320')
    """
    return add_prefix(rm_prefix(text, delim), prefix, delim)


def wrap(text: str, start: Any = None, end: Any = None) -> str:
    """The text between ``start`` and ``end`` (``start`` again, unless given).

    >>> wrap("Q9H6Z9", '"'), wrap("Q9H6Z9", "(", ")"), wrap("Q9H6Z9")
    ('"Q9H6Z9"', '(Q9H6Z9)', 'Q9H6Z9')
    """
    if start is None:
        return text
    return printed(start) + text + printed(start if end is None else end)


def replace(text: str, old: str, new: str) -> str:
    """The text with every ``old`` replaced."""
    if text.count(old) * len(new) > MAX_CHARACTERS:
        raise TooLong(f"makes more than {MAX_CHARACTERS} characters")
    return text.replace(old, new)


def join(value: Any, delim: str | None = None) -> str:
    """The elements as one text, with nothing between them unless ``delim`` is given.

    A single text stays as it is, where Nunjucks has an error.

    >>> join(["a", "b"]), join(["a", "b"], "|"), join("ab", "|")
    ('ab', 'a|b', 'ab')
    """
    return _joined(value, "" if delim is None else delim)


def join_safe(value: Any, delim: str | None = None) -> str:
    """The elements as one text, with commas unless ``delim`` is given; a text stays as it is.

    >>> join_safe(["a", "b"]), join_safe(["a", "b"], "|"), join_safe("ab", "|")
    ('a,b', 'a|b', 'ab')
    """
    return _joined(value, "," if delim is None else delim)


def dump(value: Any, spaces: int | None = None) -> Json:
    """The value as JSON.

    >>> dump(["a", "b"]), dump('say "x"'), dump(5)
    ('["a","b"]', '"say \\\\"x\\\\""', '5')
    """
    if spaces is not None and not 0 <= spaces <= 10:
        raise ValueError("dump takes an indentation of 0 to 10")
    separators = (",", ":") if not spaces else None
    text = json.dumps(value, ensure_ascii=False, indent=spaces or None, separators=separators)
    return Json(bounded(text))


def _joined(value: Any, delim: str) -> str:
    if not isinstance(value, list | tuple):
        return printed(value)
    if len(value) * len(delim) > MAX_CHARACTERS:
        raise TooLong(f"makes more than {MAX_CHARACTERS} characters")
    return bounded(delim.join(map(printed, value)))


def _colon(delim: str | None) -> str:
    return ":" if delim is None else delim


FILTERS: dict[str, Callable[..., Any]] = {
    "addPrefix": each(add_prefix),
    "dump": dump,
    "join": join,
    "joinSafe": join_safe,
    "lower": each(str.lower),
    "replPrefix": each(repl_prefix),
    "replace": each(replace),
    "rmPrefix": each(rm_prefix),
    "substr": each(substr),
    "trim": each(str.strip),
    "upper": each(str.upper),
    "wrap": each(wrap),
}
