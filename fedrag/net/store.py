"""What every cache of calls can do, wherever it keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from fedrag.net.call import Reply

__all__ = ["Store"]


class Store(Protocol):
    """A cache of calls. Losing it costs time only: no method raises where it cannot serve.

    A folder of this machine is :class:`fedrag.net.Cache`; a Redis that several machines share is
    :class:`fedrag.net.redis_store.RedisCache`.
    """

    @property
    def notes(self) -> Sequence[str]:
        """What an answer should say of it; grows while the cache is used."""
        ...

    def get(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The reply kept as ``name``, or ``None``."""
        ...

    async def find(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The same for an event loop, which is never held up by a network."""
        ...

    def put(self, name: str, reply: Reply) -> None:
        """Keep a reply."""
        ...

    def delete(self, name: str) -> None:
        """Forget a reply."""
        ...

    def clear(self) -> int:
        """Forget everything; the number of answers there were."""
        ...

    def expire(self) -> int:
        """Forget what is too old; the number of answers that were."""
        ...

    def stats(self) -> dict[str, Any]:
        """What the store holds, and how it served this process."""
        ...

    def close(self) -> None:
        """Close the store; it opens again when it is needed."""
        ...

    def release(self) -> None:
        """Close what this thread alone had open."""
        ...
