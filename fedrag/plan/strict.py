"""Reading a JSON object strictly: every key must be taken, with the type it should have."""

from __future__ import annotations

from typing import Any

__all__ = ["Strict"]


class Strict:
    """A JSON object whose every key must be taken; each method takes one.

    :raises KeyError: a key is missing. ``TypeError``: a value is of another type.

    >>> raw = Strict({"id": "a", "waves": 2})
    >>> raw.text("id"), raw.number("waves"), raw.done()
    ('a', 2, None)
    """

    def __init__(self, raw: Any) -> None:
        if not isinstance(raw, dict):
            raise TypeError("not an object")
        self._left = dict(raw)

    def text(self, key: str, default: str | None = None) -> str:
        """Text; without a default the key must be there."""
        value: str = self._take(key, str, default)
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number; without a default the key must be there."""
        value: int = self._take(key, int, default)
        if isinstance(value, bool):
            raise TypeError(f"{key} is not a number")
        return value

    def flag(self, key: str) -> bool:
        """True or false; false when it is not there."""
        value: bool = self._take(key, bool, False)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of text; empty when it is not there."""
        listed: list[str] = self._take(key, list, [])
        if not all(isinstance(item, str) for item in listed):
            raise TypeError(f"{key} holds something that is not text")
        return tuple(listed)

    def objects(self, key: str) -> list[Strict]:
        """A list of objects; empty when it is not there."""
        return [Strict(item) for item in self._take(key, list, [])]

    def object(self, key: str, default: dict[str, Any] | None = None) -> Strict:
        """An object; without a default the key must be there."""
        return Strict(self._take(key, dict, default))

    def items(self) -> list[tuple[str, Any]]:
        """Everything in it, taken."""
        left, self._left = self._left, {}
        return list(left.items())

    def done(self) -> None:
        """Nothing may be left (``ValueError``)."""
        if self._left:
            raise ValueError(f"unknown keys: {sorted(self._left)}")

    def has(self, key: str) -> bool:
        """Whether the key is there and not yet taken."""
        return key in self._left

    def _take(self, key: str, kind: type, default: Any) -> Any:
        if key not in self._left and default is not None:
            return default
        value = self._left.pop(key)
        if not isinstance(value, kind):
            raise TypeError(f"{key} is not a {kind.__name__}")
        return value
