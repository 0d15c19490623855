"""The jinja2 environment in which templates from outside are rendered.

Imported late (:mod:`fedrag.xbte.template` does): jinja2 costs more than most runs need. Nunjucks
took its language from Jinja2, and what x-bte documents use of it means the same in both.

A template may print variables, filter them, choose and loop: what it may hold is a short list of
constructs, checked before anything is compiled. Calls, attributes, assignments, arithmetic that
grows, macros and includes are none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from jinja2 import Template, TemplateSyntaxError, Undefined, nodes
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fedrag.xbte.filters import FILTERS, Json, printed

__all__ = ["compile_template"]

_LOOP = frozenset(("index", "index0", "first", "last", "length"))
_KEPT_FILTERS = frozenset(("default", "first", "last", "length"))
_TESTS = frozenset(("defined", "undefined", "none", "string", "number", "sequence"))
_MAX_NODES = 400
# Names the template language itself gives: what they stand for is no value to send.
_OWN_NAMES = frozenset(("self", "super", "caller", "varargs", "kwargs"))
_MAX_FILTERS = 40
_ALLOWED = (
    nodes.And,
    nodes.Compare,
    nodes.CondExpr,
    nodes.Const,
    nodes.Filter,
    nodes.For,
    nodes.Getattr,
    nodes.Getitem,
    nodes.If,
    nodes.Keyword,
    nodes.List,
    nodes.Name,
    nodes.Neg,
    nodes.Not,
    nodes.Operand,
    nodes.Or,
    nodes.Output,
    nodes.Slice,
    nodes.TemplateData,
    nodes.Test,
)


class _Unknown(Undefined):
    """A variable nothing gives: it may be tested (``{% if x %}``), anything else is an error."""

    __slots__ = ()

    def __str__(self) -> str:
        return self._fail_with_undefined_error()

    def __iter__(self) -> Iterator[Any]:
        return self._fail_with_undefined_error()

    def __len__(self) -> int:
        return self._fail_with_undefined_error()


class _Environment(ImmutableSandboxedEnvironment):
    """Prints as JavaScript does, gives no attribute of anything, but those of a loop."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ARG002
        return isinstance(obj, LoopContext) and attr in _LOOP


def _environment(finalize: Any) -> _Environment:
    environment = _Environment(
        autoescape=False,
        keep_trailing_newline=True,
        undefined=_Unknown,
        finalize=finalize,
        cache_size=0,  # the callers keep what was compiled
    )
    environment.globals.clear()
    kept = {name: environment.filters[name] for name in _KEPT_FILTERS}
    environment.filters = kept | FILTERS
    environment.tests = {name: environment.tests[name] for name in _TESTS}
    return environment


def _escaped(value: Any) -> str:
    """A value inside a text that will be read as JSON: what ``dump`` made stays, text is escaped.

    So no identifier closes the string it stands in.
    """
    return value if isinstance(value, Json) else json.dumps(printed(value))[1:-1]


_PLAIN = _environment(printed)
_IN_JSON = _environment(_escaped)


def compile_template(text: str, *, in_json: bool) -> tuple[Template, bool]:
    """The compiled template, and whether it is nothing but one value that ``dump`` makes JSON.

    :raises TemplateSyntaxError: it is not a template, or holds what none may hold.
    """
    environment = _IN_JSON if in_json else _PLAIN
    tree = environment.parse(text)
    _check(tree)
    dumped = _is_dump(tree)
    return environment.from_string(tree), dumped


def _check(tree: nodes.Template) -> None:
    found = list(tree.find_all(nodes.Node))
    if len(found) > _MAX_NODES or sum(isinstance(n, nodes.Filter) for n in found) > _MAX_FILTERS:
        raise TemplateSyntaxError("has too many parts", 1)
    of_loops = {id(node.node) for node in found if isinstance(node, nodes.Getattr)}
    for node in found:
        if not isinstance(node, _ALLOWED):
            raise _refused(node, f"may not hold {type(node).__name__}")
        if isinstance(node, nodes.Getattr) and not _of_loop(node):
            raise _refused(node, f"may not read the attribute {node.attr!r}")
        if isinstance(node, nodes.Name) and _is_own(node, id(node) in of_loops):
            raise _refused(node, f"may not name {node.name!r}")
        if isinstance(node, nodes.For) and (node.recursive or _inner_loop(node)):
            raise _refused(node, "may not loop inside a loop")


def _of_loop(node: nodes.Getattr) -> bool:
    return isinstance(node.node, nodes.Name) and node.node.name == "loop" and node.attr in _LOOP


def _is_own(node: nodes.Name, read_from: bool) -> bool:
    """Whether a name is the language's own; ``loop`` may be read from, and not printed itself."""
    return node.name in _OWN_NAMES or (node.name == "loop" and not read_from)


def _inner_loop(node: nodes.For) -> bool:
    return node.find(nodes.For) is not None


def _refused(node: nodes.Node, message: str) -> TemplateSyntaxError:
    return TemplateSyntaxError(message, node.lineno)


def _is_dump(tree: nodes.Template) -> bool:
    parts = [
        part
        for output in tree.body
        for part in (output.nodes if isinstance(output, nodes.Output) else [output])
        if not (isinstance(part, nodes.TemplateData) and not part.data.strip())
    ]
    return len(parts) == 1 and isinstance(parts[0], nodes.Filter) and parts[0].name == "dump"
