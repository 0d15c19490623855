"""A reply as bytes and back: one line of JSON, then the body. Never a pickle."""

from __future__ import annotations

import time
from datetime import datetime

import orjson

from fedrag.net.call import Reply

__all__ = ["RefusedRowError", "age", "compress", "decompress", "packed", "unpacked"]

_LARGEST = 2_000_000_000  # decompressed bytes; a planted row must not fill the memory


class RefusedRowError(Exception):
    """A row that fedrag cannot have written. Not an ``OSError``: those read as a miss."""


def packed(reply: Reply) -> bytes:
    """The reply as bytes, without where it came from this time.

    >>> packed(Reply(200, {}, b"[]", "2025-01-01T00:00:00Z", "live", 0.1))
    b'{"status":200,"headers":{},"retrieved_at":"2025-01-01T00:00:00Z"}\\n[]'
    """
    head = {
        "status": reply.status,
        "headers": dict(reply.headers),
        "retrieved_at": reply.retrieved_at,
    }
    return orjson.dumps(head) + b"\n" + reply.body


def unpacked(value: bytes, service: str, key: str) -> Reply | None:
    """The reply that :func:`packed` made bytes of; ``None`` for any other bytes.

    >>> reply = Reply(200, {}, b"[]", "2025-01-01T00:00:00Z", "live", 0.1)
    >>> unpacked(packed(reply), "bte", "k").origin
    'cache'
    >>> unpacked(b"anything", "bte", "k")
    """
    head, _, body = value.partition(b"\n")
    try:
        facts = orjson.loads(head)
        return Reply(
            status=int(facts["status"]),
            headers={str(k): str(v) for k, v in facts["headers"].items()},
            body=body,
            retrieved_at=str(facts["retrieved_at"]),
            origin="cache",
            seconds=0.0,
            service=service,
            key=key,
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return None


def compress(value: bytes) -> bytes:
    """The bytes as one zstd frame."""
    import zstandard

    return zstandard.ZstdCompressor(level=3).compress(value)


def decompress(value: bytes) -> bytes:
    """What :func:`compress` was given.

    :raises RefusedRowError: no zstd, or more than may be read.

    >>> decompress(compress(b"[]"))
    b'[]'
    """
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(value) as reader:
            whole = reader.read(_LARGEST + 1)
    except zstandard.ZstdError as error:
        raise RefusedRowError(f"a row cannot be decompressed: {error}") from error
    if len(whole) > _LARGEST:
        raise RefusedRowError("a row decompresses to more than may be read")
    return bytes(whole)


def age(retrieved_at: str) -> float:
    """Seconds since then; infinite for a time that cannot be read.

    >>> age("last week")
    inf
    """
    try:
        return time.time() - datetime.fromisoformat(retrieved_at).timestamp()
    except ValueError:
        return float("inf")
