"""The values of an operation's call, with identifiers put in.

A document with ``useTemplating`` writes Nunjucks templates over ``queryInputs`` (a text, or a list
where a call takes several) and the variables its ``settings`` name; an older one writes
``{inputs[0]}``. Both come from outside: what a template may hold and make is bounded
(:mod:`fedrag.xbte.sandbox`), and what is wrong with one is said, never thrown as it comes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fedrag.errors import ConfigError
from fedrag.xbte.filters import MAX_CHARACTERS, Listed, bounded

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["check_template", "filled", "insert", "render", "render_json", "render_value"]

_OPENINGS = ("{{", "{%", "{#")
_OLDER = "{inputs[0]}"
_MAX_TEMPLATE = 20_000  # characters
_RETURN = "\uf00d"  # stands for a carriage return, which the lexer would turn into a newline
_FAULTS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
    SyntaxError,
)


def render(text: str, variables: Mapping[str, Any]) -> str:
    """The text with its expressions filled in; a bare list prints comma-joined.

    :raises ConfigError: it is no template, is not allowed, or cannot be filled with these values.

    >>> render("subject.id:{{ queryInputs | rmPrefix() | wrap('\\"') }}", {"queryInputs": "GO:1"})
    'subject.id:"1"'
    >>> render("{{ queryInputs | replPrefix('GO') }}", {"queryInputs": ["1", "2"]})
    'GO:1,GO:2'
    """
    return _rendered(text, variables, in_json=False)[0] if _is_template(text) else text


def render_value(text: str, variables: Mapping[str, Any]) -> Any:
    """A text of a JSON body, rendered.

    One that is nothing but ``{{ … | dump }}`` becomes the value itself: a list stays a list.

    >>> render_value("{{ queryInputs | dump }}", {"queryInputs": ["a", "b"]})
    ['a', 'b']
    >>> render_value("{{ queryInputs }}", {"queryInputs": ["a", "b"]})
    'a,b'
    """
    if not _is_template(text):
        return text
    rendered, dumped = _rendered(text, variables, in_json=False)
    return json.loads(rendered) if dumped else rendered


def render_json(text: str, variables: Mapping[str, Any]) -> Any:
    """A JSON body written as one text: rendered, then read as JSON.

    What is put in between quotation marks is escaped, so that no identifier ends them.

    :raises ConfigError: as :func:`render`, or what comes out is not JSON.

    >>> render_json('{"ids": {{ queryInputs | dump }}}', {"queryInputs": ["a"]})
    {'ids': ['a']}
    >>> render_json('{"id": "{{ queryInputs }}"}', {"queryInputs": 'a", "b": "c'})
    {'id': 'a", "b": "c'}
    """
    rendered = _rendered(text, variables, in_json=True)[0] if _is_template(text) else text
    try:
        return json.loads(rendered, strict=False)  # a GraphQL text may run over several lines
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"the body {_shown(text)} does not become JSON: {error}") from error


def insert(text: str, joined: str) -> str:
    """The older form: ``{inputs[0]}`` stands for the identifiers, joined by the separator.

    >>> insert("target:{inputs[0]}", "P1,P2")
    'target:P1,P2'
    """
    return bounded(text.replace(_OLDER, joined)) if _OLDER in text else text


def filled(value: Any, fill: Callable[[str], Any]) -> Any:
    """A nested value with every text in it filled; keys, numbers and booleans stay.

    >>> filled({"a": ["x", 1, {"b": "y"}]}, str.upper)
    {'a': ['X', 1, {'b': 'Y'}]}
    """
    if isinstance(value, str):
        return fill(value)
    if isinstance(value, Mapping):
        return {key: filled(item, fill) for key, item in value.items()}
    return [filled(item, fill) for item in value] if isinstance(value, list | tuple) else value


def check_template(text: str) -> None:
    """Find what is wrong with a template without filling it.

    :raises ConfigError: it is no template, or holds what none may hold.

    >>> check_template("{{ queryInputs | rmPrefix }}")
    >>> check_template("{{ x.y }}")
    Traceback (most recent call last):
    fedrag.errors.ConfigError: the template '{{ x.y }}' may not read the attribute 'y'
    """
    if _is_template(text):
        _ready(text, in_json=False)


def _is_template(text: str) -> bool:
    return any(opening in text for opening in _OPENINGS)


def _rendered(text: str, variables: Mapping[str, Any], *, in_json: bool) -> tuple[str, bool]:
    template, dumped = _ready(text, in_json=in_json)
    given = {n: Listed(v) if isinstance(v, list | tuple) else v for n, v in variables.items()}
    try:
        made = _run(template, given)
    except _faults() as error:
        raise ConfigError(
            f"the template {_shown(text)} cannot be filled: {_said(error)}"
        ) from error
    return made.replace(_RETURN, "\r"), dumped


def _run(template: Template, variables: Mapping[str, Any]) -> str:
    pieces: list[str] = []
    room = MAX_CHARACTERS
    for piece in template.generate(variables):
        room -= len(piece)
        if room < 0:
            raise ValueError(f"makes more than {MAX_CHARACTERS} characters")
        pieces.append(piece)
    return "".join(pieces)


def _ready(text: str, *, in_json: bool) -> tuple[Template, bool]:
    if len(text) > _MAX_TEMPLATE:
        raise ConfigError(f"the template {_shown(text)} is longer than {_MAX_TEMPLATE} characters")
    try:
        return _compiled(text, in_json)
    except _faults() as error:
        raise ConfigError(f"the template {_shown(text)} {_said(error)}") from error


@lru_cache(maxsize=4096)
def _compiled(text: str, in_json: bool) -> tuple[Template, bool]:
    from fedrag.xbte.sandbox import compile_template

    return compile_template(text.replace("\r", _RETURN), in_json=in_json)


def _faults() -> tuple[type[Exception], ...]:
    """Everything jinja2, and what a filter makes of wrong arguments, may raise."""
    from jinja2 import TemplateError

    return (TemplateError, *_FAULTS)


def _said(error: Exception) -> str:
    return str(getattr(error, "message", None) or error or type(error).__name__)


def _shown(text: str, limit: int = 120) -> str:
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
