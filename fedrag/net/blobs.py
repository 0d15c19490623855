"""Bytes by key beside the cached calls: embeddings, which cost more to compute than to keep."""

from __future__ import annotations

from fedrag.net.call import Reply, utc_now
from fedrag.net.store import Store

__all__ = ["Blobs"]


class Blobs:
    """A byte store over the cache of calls, with its limits and its refusal of pickles.

    >>> import tempfile, pathlib
    >>> from fedrag.net import Cache
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = Cache(pathlib.Path(folder))
    ...     Blobs(cache).set("vector", b"1234")
    ...     print(Blobs(cache).get("vector"))
    ...     cache.close()
    b'1234'
    """

    def __init__(self, cache: Store) -> None:
        self._cache = cache

    def get(self, key: str) -> bytes | None:
        """What is stored under the key, None where nothing is."""
        reply = self._cache.get(f"blob {key}")
        return reply.body if reply else None

    def set(self, key: str, value: bytes) -> None:
        """Store bytes under the key."""
        self._cache.put(f"blob {key}", Reply(200, {}, value, utc_now(), "live", 0.0))
