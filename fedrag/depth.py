"""How deep JSON may be nested: what can be read can be written again."""

from __future__ import annotations

__all__ = ["nested_too_deeply"]

_DEEPEST = 200  # levels; orjson reads about 1,000 and writes 254
_OTHERS = bytes(sorted(set(range(256)) - set(b'[]{}"\\')))


def nested_too_deeply(text: bytes) -> bool:
    """Whether JSON has more than 200 levels.

    Pairs of brackets are taken out from within, a level at a time; strings, whose brackets are
    none, only where some are left.

    >>> nested_too_deeply(b'{"a": [[1]]}'), nested_too_deeply(b"[" * 201 + b"]" * 201)
    (False, True)
    >>> nested_too_deeply(b'["[[[[", "}"]')
    False
    """
    brackets = text.translate(None, _OTHERS + b'"\\')
    if _collapses(brackets):
        return False
    return not _collapses(_outside_strings(text))


def _collapses(brackets: bytes) -> bool:
    for _ in range(_DEEPEST):
        if not brackets:
            return True
        left = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if left == brackets:
            return False
        brackets = left
    return not brackets


def _outside_strings(text: bytes) -> bytes:
    marks = text.translate(None, _OTHERS).replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(marks.split(b'"')[::2]).replace(b"\\", b"")
