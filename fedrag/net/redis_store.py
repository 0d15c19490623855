"""Answers kept in a Redis or Valkey, for workers on several machines.

Keys are ``fedrag:calls:`` and the row's name, values one zstd frame each: bytes, never a pickle.
The server forgets them by their age, and by its own ``maxmemory`` and eviction policy when there
are too many. What it holds that fedrag cannot have written is a miss, and removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fedrag.net.call import Reply
from fedrag.net.packing import RefusedRowError, age, compress, decompress, packed, unpacked
from fedrag.net.redis_link import RedisLink

__all__ = ["RedisCache"]

_PREFIX = "fedrag:calls:"
_LARGEST = 64_000_000  # compressed bytes; a larger answer is asked for again
_BATCH = 1_000


class RedisCache:
    """The answers on one server; the same methods as :class:`fedrag.net.Cache`.

    :param max_age: seconds after which an answer is asked for again.

    >>> cache = RedisCache(RedisLink("redis://127.0.0.1:1"))
    >>> cache.get("k"), cache.stats()["answers"]
    (None, 0)
    """

    def __init__(self, link: RedisLink, *, max_age: float = 7 * 86400.0) -> None:
        self.link = link
        self.max_age = max_age
        self._hits = 0
        self._misses = 0

    @property
    def notes(self) -> list[str]:
        """What an answer should say of the server."""
        return self.link.notes

    def get(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The reply kept as ``name``, or ``None``."""
        value = self.link.ask("GET", _PREFIX + name)
        reply = self._read(name, value, service, key) if value is not None else None
        if reply is not None and age(reply.retrieved_at) > self.max_age:
            reply = None
        self._hits += reply is not None
        self._misses += reply is None
        return reply

    async def find(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The same for an event loop: a thread waits for the server."""
        return await self.link.aside(lambda: self.get(name, service=service, key=key))

    def put(self, name: str, reply: Reply) -> None:
        """Keep a reply; one that is very large is not kept."""
        if self.link.resting:
            return
        value = compress(packed(reply))
        if len(value) <= _LARGEST:
            self.link.ask("SET", _PREFIX + name, value, "PX", max(1, int(self.max_age * 1000)))

    def delete(self, name: str) -> None:
        """Forget a reply."""
        self.link.ask("UNLINK", _PREFIX + name)

    def clear(self) -> int:
        """Forget every call of everybody who shares the server; how many there were."""
        return sum(int(self.link.ask("UNLINK", *names) or 0) for names in self._names())

    def expire(self) -> int:
        """Nothing: the server forgets what is too old by itself."""
        return 0

    def stats(self) -> dict[str, Any]:
        """What the server holds of fedrag's calls, and how it served this process.

        ``size_limit`` is the memory the server may use for everything (``None``: unlimited).
        """
        sizes = [size for names in self._names() for size in self._sizes(names)]
        memory = self.link.ask("INFO", "memory")
        limit = memory.get("maxmemory") if isinstance(memory, dict) else None
        return {
            "address": self.link.address,
            "answers": len(sizes),
            "bytes": sum(sizes),
            "size_limit": limit or None,
            "max_age": self.max_age,
            "hits": self._hits,
            "misses": self._misses,
        }

    def close(self) -> None:
        """Close the connections; they open again when needed."""
        self.link.close()

    def release(self) -> None:
        """Nothing: connections belong to no thread."""

    def _read(self, name: str, value: Any, service: str, key: str) -> Reply | None:
        try:
            reply = unpacked(decompress(value), service, key)
        except RefusedRowError:
            reply = None
        if reply is None:
            self.link.note(
                "the shared cache held an entry that fedrag did not write; "
                "it was ignored and removed"
            )
            self.delete(name)
        return reply

    def _names(self) -> Iterator[list[bytes]]:
        """The keys of all calls, some at a time."""
        cursor = b"0"
        while True:
            page = self.link.ask("SCAN", cursor, "MATCH", _PREFIX + "*", "COUNT", _BATCH)
            if page is None:
                return
            cursor, names = page
            if names:
                yield list(names)
            if int(cursor) == 0:
                return

    def _sizes(self, names: list[bytes]) -> list[int]:
        return [int(size) for size in self.link.ask_all([("STRLEN", n) for n in names]) or ()]
