"""Fetching the SmartAPI registry: its annotated documents, one file each, into the cache."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import BadPayloadError, UnavailableError
from fedrag.metakg.document import document_files
from fedrag.metakg.outline import is_annotated
from fedrag.net import Caller, Endpoint

__all__ = ["Synced", "documents", "slug", "sync_registry"]

_NAME = "smartapi-registry"
_STATE = ".sync.json"
_QUERY = (
    ("q", "tags.name:translator"),
    ("size", "1000"),
    ("raw", "1"),
    ("fields", "paths,servers,tags,components.x-bte*,info,_meta"),
)


@dataclass(frozen=True, slots=True)
class Synced:
    """What a visit to the registry gave. ``documents`` are the annotated ones now in the folder."""

    folder: Path
    documents: int
    changed: bool
    others: int = 0  # documents without annotations, which are not kept
    unread: int = 0  # entries that are no documents
    missing: int = 0  # documents the registry has and did not send


async def sync_registry(caller: Caller, folder: Path, *, url: str | None = None) -> Synced:
    """Fetch the annotated documents of the registry, one file each.

    Asked with the entity tag of the last visit; where nothing changed, nothing is written. Each
    file is replaced as a whole, and the tag is noted last, so that a sync that was interrupted is
    made again.

    :param url: another registry, given by the user.
    :raises ServiceError: it did not answer, or not with documents; what is there stays.
    """
    endpoint = Endpoint(_NAME, url or "https://smart-api.info", bool(url), timeout=120.0)
    known = _state(folder)
    headers = {"if-none-match": known["etag"]} if known.get("etag") else {}
    try:
        reply = await caller.send(
            endpoint, "GET", "/api/query", query=_QUERY, headers=headers, store=False
        )
    except UnavailableError as error:
        if error.status == 304:
            return Synced(folder, len(documents(folder)), changed=False)
        if error.hint and "--base-url" in error.hint:  # it is no service, and has its own flag
            error.hint = "if that is its new address, give --url URL"
        raise
    hits = _hits(reply.json())
    named = dict(_named(hits))
    _replace_all(folder, named)
    state = {"etag": reply.headers.get("etag", ""), "retrieved_at": reply.retrieved_at}
    _write(folder / _STATE, orjson.dumps(state))
    read = sum(isinstance(hit, Mapping) for hit in hits)
    total = reply.json().get("total")
    missing = total - len(hits) if isinstance(total, int) else 0
    return Synced(
        folder,
        len(named),
        changed=True,
        others=read - len(named),
        unread=len(hits) - read,
        missing=max(missing, 0),
    )


def _hits(payload: Any) -> list[Any]:
    hits = payload.get("hits") if isinstance(payload, Mapping) else None
    if not isinstance(hits, list) or not any(isinstance(h, Mapping) and "paths" in h for h in hits):
        raise BadPayloadError("the registry answered no documents", service=_NAME)
    return hits


def _named(hits: Sequence[Any]) -> Iterator[tuple[str, bytes]]:
    """File names and contents of the annotated documents."""
    for hit in hits:
        if isinstance(hit, Mapping) and is_annotated(hit):
            info = hit.get("info")
            title = info.get("title") if isinstance(info, Mapping) else None
            told = {key: value for key, value in hit.items() if key not in ("_score", "_status")}
            name = f"{slug(str(title))[:60]}-{slug(str(hit.get('_id')))[:32]}.json"
            yield name, orjson.dumps(told, option=orjson.OPT_INDENT_2)


def _state(folder: Path) -> dict[str, Any]:
    """What the last visit left; nothing where its documents are gone."""
    try:
        state = orjson.loads((folder / _STATE).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return state if isinstance(state, dict) and documents(folder) else {}


def documents(folder: Path) -> tuple[Path, ...]:
    """The documents of a folder; none where there is no such folder."""
    return document_files(folder) if folder.is_dir() else ()


def _replace_all(folder: Path, named: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _STATE).unlink(missing_ok=True)
    for name, content in named.items():
        _write(folder / name, content)
    for path in documents(folder):
        if path.name not in named:
            path.unlink()


def _write(file: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
    with os.fdopen(descriptor, "wb") as part:
        part.write(content)
    Path(name).replace(file)


def slug(text: str) -> str:
    """A name of small letters, digits and hyphens.

    >>> slug("BioThings DGIdb API")
    'biothings-dgidb-api'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"
