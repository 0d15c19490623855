"""Compiled documents, and the cache of them: reading YAML anew takes twenty times as long.

A compiled document is plain JSON: an outline for the service, and its operations as rows of indices
into tables of what they share. It lies zstd-compressed under a hash of the document's bytes, this
version, the Biolink version, the schema and the overlays; never a pickle. One that cannot be read
is made anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fedrag import __version__
from fedrag.biolink import biolink
from fedrag.metakg.annotations import Flaw
from fedrag.metakg.manners import x_fedrag_problems
from fedrag.metakg.operations import Operation, read_operations
from fedrag.metakg.outline import outline, servers
from fedrag.metakg.overlays import overlaid, overlays_bytes
from fedrag.metakg.packed import operations_of, restored_tables, tables_of
from fedrag.metakg.values import Unreadable, check_size
from fedrag.metakg.yamlfile import YamlError, line_of, parse, tree_of
from fedrag.resources import schema_path

__all__ = ["Compiled", "compile_document", "read_compiled"]

_FORMAT = "2"
_LARGEST = 200_000_000  # decompressed bytes
_MOST_FILES = 600
_MOST_READ = 400
_DUMP = orjson.OPT_NON_STR_KEYS


@dataclass(frozen=True, slots=True)
class Compiled:
    """One document, ready to become a service.

    ``problem`` is the line and the words of what makes it unusable as a whole; then there is
    nothing else. Operations are made when the service's name is known.
    """

    outline: Mapping[str, Any]
    flaws: tuple[Flaw, ...] = ()
    problem: tuple[int, str] | None = None
    tables: Mapping[str, Any] | None = None

    @property
    def count(self) -> int:
        """How many operations there are."""
        return len(self.tables["rows"]) if self.tables else 0

    def operations(self, service: str) -> tuple[Operation, ...]:
        """The operations, of a service of this name."""
        return operations_of(self.tables, service) if self.tables else ()


# By key, so that the next session of a process need not read it again.
_READ: dict[str, Compiled] = {}


def compile_document(path: Path, content: bytes) -> Compiled:
    """Compile a document's bytes; whatever is wrong with them is in the result.

    :param path: what its problems are told of.
    """
    return _decoded(_encoded(path, content))


def read_compiled(path: Path, cache: Path | None = None) -> Compiled:
    """A document compiled, from the cache where it is there.

    :param cache: the folder of the cache; ``None``: compile it anew and keep nothing.
    :raises YamlError: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise YamlError(path, 0, f"cannot be read: {error.strerror or error}") from error
    if cache is None:
        return compile_document(path, content)
    key = _key(path, content)
    if key not in _READ:
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[key] = _cached(path, content, cache / f"{key}.json.zst")
    return _READ[key]


def _cached(path: Path, content: bytes, kept: Path) -> Compiled:
    import zstandard

    with suppress(OSError, ValueError, LookupError, TypeError, zstandard.ZstdError):
        return _decoded(_unpacked(kept.read_bytes()))
    made = _encoded(path, content)
    with suppress(OSError):  # a folder that cannot be written costs time, not the answer
        _keep(kept, zstandard.ZstdCompressor(level=3, write_checksum=True).compress(made))
    return _decoded(made)


def _key(path: Path, content: bytes) -> str:
    """What the compiled form depends on, as a file name."""
    digest = hashlib.blake2b(digest_size=20)
    salt = (_FORMAT, __version__, biolink().version, path.suffix)
    digest.update("\0".join(salt).encode() + b"\0" + overlays_bytes() + b"\0")
    digest.update(schema_path("x-fedrag").read_bytes() + b"\0")
    digest.update(content)
    return digest.hexdigest()


def _unpacked(packed: bytes) -> bytes:
    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
        content = reader.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError("a compiled document that is longer than any can be")
    return bytes(content)


def _keep(file: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, and let old ones go."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as part:
            part.write(content)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    files = sorted(file.parent.glob("*.json.zst"), key=lambda f: f.stat().st_mtime)
    for old in files[:-_MOST_FILES]:
        old.unlink(missing_ok=True)


def _encoded(path: Path, content: bytes) -> bytes:
    try:
        return orjson.dumps(_made(path, content), default=str, option=_DUMP)
    except YamlError as error:
        problem = [error.line, error.problem]
    except orjson.JSONEncodeError as error:
        problem = [1, f"holds a value that JSON cannot: {error}"]
    return orjson.dumps({"outline": {}, "problem": problem, "flaws": []})


def _made(path: Path, content: bytes) -> dict[str, Any]:
    document = parse(path, content)
    try:
        check_size(outline(document))
    except Unreadable as error:
        raise YamlError(path, 1, f"outside its operations: {error}") from error
    if (problem := _x_fedrag_problem(path, content, document)) is not None:
        return {"outline": outline(document), "problem": problem, "flaws": []}
    server = next(iter(servers(document)), "")
    document = dict(overlaid(document, server))
    operations, flaws = read_operations(document, "", server)
    return {
        "outline": outline(document),
        "problem": None,
        "flaws": [[flaw.place, flaw.message, flaw.operation, flaw.fatal] for flaw in flaws],
        "tables": tables_of(operations),
    }


def _x_fedrag_problem(
    path: Path, content: bytes, document: Mapping[str, Any]
) -> tuple[int, str] | None:
    """The line and the words of the first thing wrong with the ``x-fedrag`` of ``info``."""
    info = document.get("info")
    if not isinstance(info, Mapping) or "x-fedrag" not in info:
        return None
    for place, message in x_fedrag_problems(info["x-fedrag"], ("info", "x-fedrag")):
        line = line_of(tree_of(path, content), place)
        return line, f"{'.'.join(map(str, place))}: {message}"
    return None


def _decoded(content: bytes) -> Compiled:
    """A compiled document from its JSON (``ValueError``, ``LookupError``: it is none)."""
    raw = orjson.loads(content)
    problem = raw["problem"]
    return Compiled(
        outline=raw["outline"],
        flaws=tuple(Flaw(tuple(place), *rest) for place, *rest in raw["flaws"]),
        problem=None if problem is None else (problem[0], problem[1]),
        tables=restored_tables(raw["tables"]) if "tables" in raw else None,
    )
