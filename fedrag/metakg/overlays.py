"""What registry documents need and do not say: ``fedrag/data/overlays.json`` under their own words.

The NodeJS engine kept batch sizes, pairing and separators in a list of API titles in its code. Here
they are data, in the vocabulary of ``x-fedrag``, and a document's own ``x-fedrag`` wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from fedrag.metakg.manners import merged

__all__ = ["overlaid", "overlays_bytes"]

_FILE = Path(__file__).resolve().parent.parent / "data" / "overlays.json"


@lru_cache(maxsize=1)
def overlays_bytes() -> bytes:
    """The file as it is: what was compiled with another one is compiled anew."""
    return _FILE.read_bytes()


def overlaid(document: Mapping[str, Any], server: str) -> Mapping[str, Any]:
    """The document with what the overlays say under its own ``x-fedrag``.

    :param server: its base URL.

    >>> document = {"info": {"title": "x", "x-translator": {"infores": "infores:ctd"}}}
    >>> overlaid(document, "https://ctdbase.org")["info"]["x-fedrag"]["batch_size"]
    80
    """
    info = document.get("info")
    if not isinstance(info, Mapping):
        return document
    below: dict[str, Any] = {}
    for found in _fitting(info, server.partition("://")[2] + "/"):
        below = merged(below, found)
    own = info.get("x-fedrag", {})
    if not below or not isinstance(own, Mapping):
        return document
    return {**document, "info": {**info, "x-fedrag": merged(below, own)}}


def _fitting(info: Mapping[str, Any], server: str) -> Iterator[Mapping[str, Any]]:
    """What holds for a document, the more particular after the more general."""
    tables = _tables()
    prefixes = [prefix for prefix in tables["servers"] if server.startswith(prefix)]
    yield from (tables["servers"][prefix] for prefix in sorted(prefixes, key=len))
    translator = info.get("x-translator")
    infores = translator.get("infores") if isinstance(translator, Mapping) else None
    for table, name in (("titles", info.get("title")), ("infores", infores)):
        if isinstance(name, str) and name in tables[table]:
            yield tables[table][name]


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, dict[str, Any]]]:
    tables: dict[str, dict[str, dict[str, Any]]] = orjson.loads(overlays_bytes())
    return tables
