"""DrugMechDB as the question sets are made of it: its records, their paths, the names of things.

A record is a node-link graph. Its *label paths* are the simple paths from ``Drug`` to ``Disease``
on the graph of its nodes' labels: two proteins side by side are one step, and a record without
either label has no path. The drug of a record is its first node.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import ConfigError

__all__ = ["Corpus", "Record", "ids_of", "label_paths", "load_corpus", "on_path"]

Record = Mapping[str, Any]
_PUBLISHED_NAMES = Path(__file__).with_name("published_names.json")
_FILE = "give DrugMechDB's indication_paths.json"


@dataclass(frozen=True, slots=True)
class Corpus:
    """All records of one file. Identifiers are spelled as the records spell them (``DB:``).

    :ivar names: what each identifier is called; see :func:`load_corpus`.
    """

    records: Sequence[Record]
    names: Mapping[str, str]
    file: str
    sha256: str


def load_corpus(path: Path) -> Corpus:
    """The corpus in a DrugMechDB ``indication_paths.json``.

    A thing's name is the one of the last record that names it. A copy that was sorted by record no
    longer tells which that was: so of several names the one counts that the published questions
    use, where DrugMechDB still has it.

    :raises ConfigError: the file is missing or no DrugMechDB, or a record lacks what it must have.
    """
    try:
        content = path.read_bytes()
        records = orjson.loads(content)
    except (OSError, orjson.JSONDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", hint=_FILE) from error
    if not isinstance(records, list) or not records:
        raise ConfigError(f"{path} is not DrugMechDB: no list of records", hint=_FILE)
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        if wrong := _wrong(record, seen):
            raise ConfigError(f"{path}, record {number}: {wrong}", hint=_FILE)
    sha256 = hashlib.sha256(content).hexdigest()
    return Corpus(records, names_of(records), path.name, sha256)


def names_of(
    records: Iterable[Record], published: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What each identifier is called.

    :param published: identifier → the name to take where the records have it; the shipped ones
        when not given.
    """
    last: dict[str, str] = {}
    every: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for node in record["nodes"]:
            last[node["id"]] = node["name"]
            every[node["id"]].add(node["name"])
    wanted = _published_names() if published is None else published
    return last | {one: name for one, name in wanted.items() if name in every.get(one, ())}


@cache
def _published_names() -> Mapping[str, str]:
    names: Mapping[str, str] = orjson.loads(_PUBLISHED_NAMES.read_bytes())["names"]
    return names


def _wrong(record: Any, seen: set[str]) -> str | None:
    """What a record lacks; ``None`` for a good one, whose identifier is then among ``seen``."""
    if not isinstance(record, dict) or not isinstance(record.get("graph"), dict):
        return "no graph"
    graph = record["graph"]
    for key in ("_id", "disease_mesh", "drug"):
        if not isinstance(graph.get(key), str) or not graph[key].strip():
            return f"its graph has no {key}"
    for key in ("drugbank", "drug_mesh"):
        if not isinstance(graph.get(key), str | None):
            return f"its {key} is no text"
    name = graph["_id"]
    if name in seen:
        return f"{name} is the identifier of two records"
    seen.add(name)
    nodes: Any = record.get("nodes")
    links: Any = record.get("links")
    if not _all_text(nodes, ("id", "label", "name")) or not nodes:
        return f"{name} has no nodes with id, label and name"
    if not _all_text(links, ("source", "target", "key")):
        return f"{name} has no links with source, target and key"
    known = {node["id"] for node in nodes}
    ends = (link[end] for link in links for end in ("source", "target"))
    stray = next((end for end in ends if end not in known), None)
    return f"{name} links {stray}, which is none of its nodes" if stray is not None else None


def _all_text(items: Any, keys: Sequence[str]) -> bool:
    return isinstance(items, list) and all(
        isinstance(item, dict) and all(isinstance(item.get(key), str) for key in keys)
        for item in items
    )


def ids_of(record: Record, prefix: str) -> list[str]:
    """The distinct identifiers of a record's nodes that begin with ``prefix``, in order.

    >>> ids_of({"nodes": [{"id": "GO:1"}, {"id": "CL:2"}, {"id": "GO:1"}]}, "GO:")
    ['GO:1']
    """
    found = (node["id"] for node in record["nodes"] if node["id"].startswith(prefix))
    return list(dict.fromkeys(found))


def label_paths(record: Record) -> list[tuple[str, ...]]:
    """The simple paths from ``Drug`` to ``Disease`` on the graph of labels.

    >>> nodes = [{"id": "a", "label": "Drug"}, {"id": "b", "label": "Protein"},
    ...          {"id": "c", "label": "Protein"}, {"id": "d", "label": "Disease"}]
    >>> links = [{"source": s, "target": t} for s, t in ("ab", "ac", "bd", "cd")]
    >>> label_paths({"nodes": nodes, "links": links})
    [('Drug', 'Protein', 'Disease')]
    """
    label = {node["id"]: node["label"] for node in record["nodes"]}
    after: dict[str, dict[str, None]] = defaultdict(dict)
    for link in record["links"]:
        after[label[link["source"]]][label[link["target"]]] = None
    return list(_walk(("Drug",), after))


def _walk(
    path: tuple[str, ...], after: Mapping[str, Mapping[str, None]]
) -> Iterator[tuple[str, ...]]:
    if path[-1] == "Disease":
        yield path
        return
    for label in after.get(path[-1], ()):
        if label not in path:
            yield from _walk((*path, label), after)


def on_path(record: Record) -> set[str]:
    """The identifiers that lie on a path from the record's first node to its last, ends included.

    >>> on_path({"nodes": [{"id": c} for c in "abcd"],
    ...          "links": [{"source": s, "target": t} for s, t in ("ab", "bd", "cd")]}) == {*"abd"}
    True
    """
    forward: dict[str, list[str]] = defaultdict(list)
    backward: dict[str, list[str]] = defaultdict(list)
    for link in record["links"]:
        forward[link["source"]].append(link["target"])
        backward[link["target"]].append(link["source"])
    first, last = (record["nodes"][place]["id"] for place in (0, -1))
    return _reached(first, forward) & _reached(last, backward)


def _reached(start: str, after: Mapping[str, Sequence[str]]) -> set[str]:
    reached, waiting = set[str](), [start]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += after.get(one, ())
    return reached
