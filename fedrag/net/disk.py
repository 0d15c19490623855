"""How cached bytes lie on disk: never a pickle, never a file outside the store's folder.

diskcache unpickles what a row says is a pickle (CVE-2025-69872, unpatched; its ``JSONDisk`` does
not close it), and reads and deletes whatever file a row names. Whoever can write into a shared
cache folder could run code or delete files that way. This ``Disk`` refuses both.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_BINARY, MODE_RAW, UNKNOWN

from fedrag.net.packing import RefusedRowError, compress, decompress

__all__ = ["RefusedRowError", "SafeDisk"]

# The only names diskcache gives its own files: two folders and 28 hexadecimal digits.
_OWN_NAME = re.compile(r"[0-9a-f]{2}[\\/][0-9a-f]{2}[\\/][0-9a-f]{28}\.val")


class SafeDisk(diskcache.Disk):  # type: ignore[misc]
    """Keys are text, values are bytes, stored zstd-compressed; anything else is refused."""

    def put(self, key: Any) -> tuple[str, bool]:
        """The key as stored."""
        if not isinstance(key, str):
            raise RefusedRowError(f"a key must be text, not {type(key).__name__}")
        return key, True

    def get(self, key: Any, raw: bool) -> str:
        """The key as it was given to :meth:`put`."""
        if not raw or not isinstance(key, str):
            raise RefusedRowError("a row's key is not plain text")
        return key

    def store(
        self, value: Any, read: bool, key: Any = UNKNOWN
    ) -> tuple[int, int, str | None, bytes | None]:
        """Compress and write a value."""
        if read or not isinstance(value, bytes):
            raise RefusedRowError(f"a value must be bytes, not {type(value).__name__}")
        packed = compress(value)
        row: tuple[int, int, str | None, bytes | None] = super().store(packed, False, key=key)
        return row

    def fetch(self, mode: int, filename: Any, value: Any, read: bool) -> bytes:
        """Read and decompress a value."""
        if read:
            raise RefusedRowError("files are not handed out")
        if mode == MODE_RAW and filename is None and isinstance(value, bytes):
            packed = value
        elif mode == MODE_BINARY and (path := self._own(filename)) is not None:
            packed = path.read_bytes()
        else:
            raise RefusedRowError("a row's value is not plain bytes in its own file")
        return decompress(packed)

    def remove(self, file_path: Any) -> None:
        """Delete a value's file; a name that is not its own is left alone."""
        if self._own(file_path) is not None:
            super().remove(file_path)

    def _own(self, filename: Any) -> Path | None:
        """The path of a file this store wrote, links resolved, or ``None``."""
        if not isinstance(filename, str) or not _OWN_NAME.fullmatch(filename):
            return None
        root = Path(self._directory).resolve()
        path = root.joinpath(*re.split(r"[\\/]", filename))
        return path if path.resolve() == path else None
