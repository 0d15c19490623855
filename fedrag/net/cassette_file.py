"""How a cassette lies on disk: read with the line where it breaks, replaced in one step."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import orjson

from fedrag.errors import CassetteError

__all__ = ["FORMAT", "PACKED", "read_document", "refuse", "replace_file"]

FORMAT = 1
PACKED = ".zst"  # the end of a name whose file is compressed
_WINDOW = 27  # 128 MiB, the widest that every reader takes by default
_LARGEST = 2_000_000_000  # bytes, unpacked


def read_document(path: Path) -> dict[str, Any]:
    """A file's JSON, checked as far as its outer form goes."""
    try:
        document = orjson.loads(_plain(path))
    except OSError as error:
        refuse(path, f"cannot be read: {error.strerror or error}")
    except orjson.JSONDecodeError as error:
        refuse(path, f"line {error.lineno}, column {error.colno}: {error.msg}")
    if not isinstance(document, dict) or not isinstance(document.get("interactions"), list):
        refuse(path, "line 1: this is JSON, but not a cassette")
    meta = document.get("meta")
    if not isinstance(meta, dict) or not _sound(meta):
        refuse(path, "its meta is missing or malformed")
    if meta.get("format") != FORMAT:
        refuse(path, f"it has format {meta.get('format')!r}, this fedrag reads {FORMAT}")
    return document


def _plain(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix != PACKED:
        return content
    import zstandard  # late: only packed cassettes need it

    try:
        with zstandard.ZstdDecompressor().stream_reader(content) as reader:
            plain: bytes = reader.read(_LARGEST + 1)
    except zstandard.ZstdError as error:
        refuse(path, f"cannot be unpacked: {error}")
    if len(plain) > _LARGEST:
        refuse(path, f"it is larger than {_LARGEST:,} bytes when unpacked")
    return plain


def _packed(content: bytes) -> bytes:
    """Compressed with matches across the whole file: its calls repeat each other far apart.

    On 36 MB of recorded calls this is smaller than the highest plain level, in a thirtieth of
    the time; a long run saves its recording every half minute.
    """
    import zstandard

    far = zstandard.ZstdCompressionParameters.from_level(12, enable_ldm=True, window_log=_WINDOW)
    return zstandard.ZstdCompressor(compression_params=far).compress(content)


def _sound(meta: dict[str, Any]) -> bool:
    lists = isinstance(meta.get("questions", []), list)
    return lists and isinstance(meta.get("recorded_from", {}), dict)


def refuse(path: Path, what: str) -> NoReturn:
    """Say what is wrong with a cassette, and stop."""
    raise CassetteError(f"the cassette {path}: {what}", hint="record it again, or mend the file")


def _mode(target: Path) -> int:
    """The rights that a file has, or those of any new file: it holds the user's questions."""
    if target.is_file():
        return target.stat().st_mode & 0o777
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def replace_file(target: Path, content: bytes) -> None:
    """Write a file in one step, packed where its name says so, leaving nothing when that fails."""
    if target.suffix == PACKED:
        content = _packed(content)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
