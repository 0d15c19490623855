"""Secrets are taken out of everything that is written down or shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["REMOVED", "redact"]

REMOVED = "[removed]"
# Shapes of keys that are never anything else; a prose word after "bearer" has no digit in it.
_SHAPES = re.compile(
    r"(?i:bearer)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}"
    r"|\bsk-[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|\bhf_[A-Za-z0-9]{20,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+"
)
_SHORTEST = 6  # a shorter secret would be found in half of all texts


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """``text`` without ``secrets`` and without anything shaped like a key.

    >>> redact("invalid key hunter22", ["hunter22"])
    'invalid key [removed]'
    >>> redact("the bearer of this gene")
    'the bearer of this gene'
    """
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, REMOVED)
    return _SHAPES.sub(REMOVED, text)
