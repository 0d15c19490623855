"""Answers kept between runs, by key. Losing them costs time only, so no trouble here is an error.

A store that cannot be opened or written is done without, a corrupt one is set aside and begun
anew; ``notes`` says so, once each. Several processes may use one store at the same time.
"""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from fedrag.net.call import Reply
from fedrag.net.packing import RefusedRowError, age, packed, unpacked

if TYPE_CHECKING:
    import diskcache

__all__ = ["Cache", "keepable"]

_BUSY = 5.0  # seconds another process may hold the store before it is done without, this once

# What SQLite says of a disk that is full, read-only, out of reach or in others' hands.
_DISK_TROUBLE = ("full", "readonly", "unable to open", "disk I/O", "locked", "access permission")


class Cache:
    """A folder of answers.

    :param directory: made when it is first needed.
    :param size_limit: bytes on disk, above which the oldest answers are dropped.
    :param max_age: seconds after which an answer is asked for again.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = Cache(Path(folder) / "calls")
    ...     cache.put("k", Reply(200, {}, b"[]", "2999-01-01T00:00:00Z", "live", 0.1))
    ...     print(cache.get("k").origin)
    ...     cache.close()
    cache
    """

    def __init__(
        self, directory: Path, *, size_limit: int = 1_000_000_000, max_age: float = 7 * 86400.0
    ) -> None:
        self.directory = Path(directory)
        self.size_limit = size_limit
        self.max_age = max_age
        self.notes: list[str] = []
        self._store: diskcache.Cache | None = None
        self._lock = threading.RLock()  # the event loop reads while a worker writes
        self._given_up = False
        self._hits = 0
        self._misses = 0

    def get(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The reply kept as ``name``, or ``None``. A row fedrag cannot have written is dropped."""
        value = self._guarded("get", name)
        reply = unpacked(value, service, key) if value else None
        if value and reply is None:
            self._refused(name)
        if reply is not None and age(reply.retrieved_at) > self.max_age:
            reply = None
        self._hits += reply is not None
        self._misses += reply is None
        return reply

    async def find(self, name: str, *, service: str = "", key: str = "") -> Reply | None:
        """The same for an event loop: a file of this machine is read faster than a thread is."""
        return self.get(name, service=service, key=key)

    def put(self, name: str, reply: Reply) -> None:
        """Keep a reply."""
        self._guarded("set", name, packed(reply), expire=self.max_age)

    def delete(self, name: str) -> None:
        """Forget a reply."""
        self._guarded("delete", name)

    def clear(self) -> int:
        """Forget everything; the number of answers there were."""
        return int(self._guarded("clear") or 0)

    def expire(self) -> int:
        """Forget what is too old; the number of answers that were."""
        return int(self._guarded("expire") or 0)

    def stats(self) -> dict[str, Any]:
        """What the store holds, and how it served this process."""
        return {
            "directory": str(self.directory),
            "answers": int(self._guarded("__len__") or 0),
            "bytes": int(self._guarded("volume") or 0),
            "size_limit": self.size_limit,
            "max_age": self.max_age,
            "hits": self._hits,
            "misses": self._misses,
        }

    def close(self) -> None:
        """Close the store; it opens again when it is needed."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def release(self) -> None:
        """Close this thread's own connection; the store stays open for the others."""
        store = self._store
        if store is not None:
            store.close()

    def _guarded(self, method: str, *args: Any, **options: Any) -> Any:
        """Call the store, whatever state it is in; ``None`` where it cannot answer."""
        import diskcache

        for _ in range(2):  # once more after a corrupt store was set aside
            if self._given_up:
                return None
            try:
                return getattr(self._opened(), method)(*args, **options)
            except RefusedRowError:
                self._refused(args[0])
                return None
            except diskcache.Timeout as error:
                cause = error.__context__  # diskcache says so of a read-only store as well
                if not isinstance(cause, sqlite3.Error) or "locked" in str(cause):
                    return None  # another process is writing: nobody's fault
                self._recover(cause)
            except (OSError, sqlite3.Error, TypeError, KeyError, ValueError) as error:
                self._recover(error)
        return None

    def _opened(self) -> diskcache.Cache:
        with self._lock:
            return self._open()

    def _open(self) -> diskcache.Cache:
        if self._store is None:
            import diskcache

            from fedrag.net.disk import SafeDisk

            self._store = diskcache.Cache(
                str(self.directory.expanduser()),
                timeout=_BUSY,
                disk=SafeDisk,
                size_limit=self.size_limit,
                disk_min_file_size=32_768,
                eviction_policy="least-recently-stored",
                statistics=0,
                tag_index=0,
                cull_limit=2,  # so many of the oldest go for each one that comes
            )
        return self._store

    def _refused(self, name: Any) -> None:
        self._note("the cache held an entry that fedrag did not write; it was ignored and removed")
        if isinstance(name, str):
            self._guarded("delete", name)

    def _recover(self, error: Exception) -> None:
        """Set a corrupt store aside; go on without one that cannot be used."""
        with self._lock:
            if not self._given_up:
                self._set_aside(error)

    def _set_aside(self, error: Exception) -> None:
        self._drop()
        if _is_about_the_disk(error):
            self._given_up = True
            self._note(f"going on without the cache in {self.directory}: {error}")
            return
        aside = self.directory.with_name(f"{self.directory.name}.corrupt-{_stamp()}")
        try:
            self.directory.rename(aside)
        except OSError as failure:
            self._given_up = True
            self._note(f"the cache in {self.directory} is corrupt, and cannot be moved: {failure}")
        else:
            self._note(f"the cache was corrupt ({error}); it was moved to {aside} and begun anew")

    def _drop(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            try:
                store.close()
            except sqlite3.Error as error:
                self._note(f"the cache did not close: {error}")

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _is_about_the_disk(error: Exception) -> bool:
    """Whether the disk, not the store's content, is the trouble."""
    if isinstance(error, OSError):
        return True
    return isinstance(error, sqlite3.OperationalError) and any(
        word in str(error) for word in _DISK_TROUBLE
    )


def keepable(reply: Reply) -> bool:
    """Whether a reply is an answer: 2xx, and readable as what it says it is.

    HTML in the place of JSON, broken JSON, ``null`` and nothing at all are failures in disguise.

    >>> keepable(Reply(200, {}, b"<html>busy</html>", "", "live", 0.1))
    False
    """
    kind = reply.headers.get("content-type", "").lower()
    if not 200 <= reply.status < 300 or "html" in kind or not reply.body.strip():
        return False
    if kind and "json" not in kind:
        return not reply.body.lstrip()[:9].lower().startswith((b"<html", b"<!doctype"))
    try:
        return orjson.loads(reply.body) is not None
    except orjson.JSONDecodeError:
        return False


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
