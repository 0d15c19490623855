"""Whether a document is built as OpenAPI documents are: its title, servers, paths and keys.

What is found is told with the place where it stands; :mod:`fedrag.metakg.check` finds the lines.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from fedrag.errors import ConfigError
from fedrag.metakg.annotations import Flaw
from fedrag.metakg.outline import has_production
from fedrag.metakg.references import Place
from fedrag.metakg.values import Unreadable, check_path
from fedrag.metakg.yamlfile import tree_of
from fedrag.net import check_address

__all__ = ["Finding", "Level", "paths", "servers", "title", "twice"]

Level = Literal["error", "warning"]
Finding = tuple[Level, Place, str, str]  # how bad, where, of which operation, what

_METHODS = ("get", "post")
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_KEY_AT_MARGIN = re.compile(rb"^[\"']?([\w.$-]+)[\"']?[ \t]*:(?=\s)", re.M)


def title(info: Mapping[str, Any]) -> Iterator[Finding]:
    """A title there is, and it is a text."""
    named = info.get("title")
    if not isinstance(named, str) or not named.strip():
        place: Place = ("info", "title") if "title" in info else ("info",)
        yield "error", place, "", f"the title must be a text, not {named!r:.80}"


def servers(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Servers there are, and each has an address that may be called."""
    listed = document.get("servers")
    if not isinstance(listed, list) or not listed:
        yield "error", ("servers",), "", "the document names no server"
        return
    if not has_production(document):
        yield "warning", ("servers",), "", "the document names no production server"
    for position, server in enumerate(listed):
        url = server.get("url") if isinstance(server, Mapping) else None
        if not isinstance(url, str):
            yield "error", ("servers", position), "", "has no url"
            continue
        try:
            check_address(url, trusted=False)
        except ConfigError as error:
            yield _how_bad(url), ("servers", position, "url"), "", str(error)


def _how_bad(url: str) -> Level:
    """A public host over http, and prose, which has no scheme, compile and are refused later."""
    if not url.startswith(("http:", "https:")):
        return "error" if _OTHER_SCHEME.match(url) else "warning"
    try:
        check_address(url.replace("http:", "https:", 1), trusted=False)
    except ConfigError:
        return "error"
    return "warning"


def paths(document: Mapping[str, Any], flaws: tuple[Flaw, ...]) -> Iterator[Finding]:
    """Paths are a mapping of mappings, and each leads below its server.

    :param flaws: those of the operations, which tell of the paths that have some.
    """
    listed = document.get("paths")
    if listed is not None and not isinstance(listed, Mapping):
        yield "error", ("paths",), "", f"must be a mapping of paths, not {listed!r:.80}"
    told = {flaw.place for flaw in flaws}
    for path, item in listed.items() if isinstance(listed, Mapping) else ():
        place: Place = ("paths", str(path))
        if not isinstance(item, Mapping):
            yield "error", place, "", f"must be a mapping of methods, not {item!r:.80}"
            continue
        for method in _METHODS:
            if item.get(method) is not None and not isinstance(item[method], Mapping):
                yield "error", (*place, method), "", f"must be a mapping, not {item[method]!r:.80}"
        if place not in told:
            yield from _path(str(path), place)
    own = _table(_table(document, "info"), "x-fedrag")
    checked = _table(own, "check").get("path")
    if isinstance(checked, str):
        yield from _path(checked, ("info", "x-fedrag", "check", "path"))


def _path(path: str, place: Place) -> Iterator[Finding]:
    try:
        check_path(path)
    except Unreadable as error:
        yield "error", place, "", str(error)


def twice(path: Path, content: bytes) -> Iterator[tuple[int, str]]:
    """The keys at the top that stand there more than once: the line of the last, and the key.

    Whoever reads the document sees but one of them. The tree of nodes is slow to make, so it is
    made only where the text, or the decoder of JSON, gives reason to.
    """
    if not _may_repeat(path, content):
        return
    tree = tree_of(path, content)
    pairs = getattr(tree, "value", None) or ()
    lines = [(str(key.value), key.start_mark.line + 1) for key, _ in pairs if key.value != "<<"]
    counts = Counter(key for key, _ in lines)
    for key, line in dict(lines).items():
        if counts[key] > 1:
            yield line, f"the key {key!r:.80} is given {counts[key]} times; the last one holds"


def _may_repeat(path: Path, content: bytes) -> bool:
    if path.suffix != ".json":
        keys = _KEY_AT_MARGIN.findall(content)
        return len(keys) != len(set(keys)) or content.lstrip().startswith(b"{")
    keys = []

    def noted(pairs: list[tuple[str, Any]]) -> None:
        keys[:] = [key for key, _ in pairs]  # the outermost is decoded last

    json.loads(content, object_pairs_hook=noted)
    return len(keys) != len(set(keys))


def _table(parent: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = parent.get(key)
    return value if isinstance(value, Mapping) else {}
