"""The part of BioThings' query language that its clients send: fields, values, and, or, not.

``chembl.pref_name:IMATINIB``, ``a.b:("x y" OR z)``, ``_exists_:a.b``, ``NOT``, parentheses. A word
without a field is looked for in all values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["holds", "values"]

_TOKEN = re.compile(r'\s*(\(|\)|"[^"]*"|[^\s()":]+:(?=\S)|[^\s()"]+)')
Test = Callable[[Mapping[str, Any]], bool]


def values(document: Any, path: str) -> list[str]:
    """All values at a dot path as text, arrays gone through; of an empty path, all there are.

    >>> values({"a": [{"b": 1}, {"b": ["x", None]}]}, "a.b")
    ['1', 'x']
    """
    return list(_values(document, path.split(".") if path else None))


def _values(node: Any, path: list[str] | None) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _values(item, path)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if path is None:
                yield from _values(value, None)
            elif path and path[0] == key:
                yield from _values(value, path[1:])
    elif node is not None and not path:
        yield str(node)


def holds(query: str, document: Mapping[str, Any]) -> bool:
    """Whether a query finds a document.

    >>> gene = {"symbol": "BRAF", "kind": ["a b", "c"]}
    >>> holds('symbol:braf AND kind:("a b" OR x)', gene), holds("NOT _exists_:symbol", gene)
    (True, False)
    """
    return _Parser(_TOKEN.findall(query)).whole()(document)


class _Parser:
    """Or binds weakest, then and (which may be left out), then not."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]

    def whole(self, field: str = "") -> Test:
        tests = [self._all(field)]
        while self._next("OR"):
            tests.append(self._all(field))
        return lambda document: any(test(document) for test in tests)

    def _all(self, field: str) -> Test:
        tests = [self._one(field)]
        while self.tokens and self.tokens[-1] not in ("OR", ")"):
            self._next("AND")
            tests.append(self._one(field))
        return lambda document: all(test(document) for test in tests)

    def _one(self, field: str) -> Test:
        if self._next("NOT"):
            inner = self._one(field)
            return lambda document: not inner(document)
        if self._next("("):
            inner = self.whole(field)
            self._next(")")
            return inner
        token = self.tokens.pop() if self.tokens else ""
        if token.endswith(":"):
            return self._one(token[:-1])
        return _test(field, token.strip('"'))

    def _next(self, token: str) -> bool:
        if self.tokens and self.tokens[-1] == token:
            self.tokens.pop()
            return True
        return False


def _test(field: str, value: str) -> Test:
    if field == "_exists_":
        return lambda document: bool(values(document, value))
    wanted = value.casefold()
    return lambda document: wanted in ("*", *(v.casefold() for v in values(document, field)))
