"""The retrieved edges as a network for other programs: Cytoscape JSON and GraphML.

Both keep parallel edges apart (two sources that say the same are two edges) and hold flat values
alone, since that is all their readers agree on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from fedrag import __version__
from fedrag.datamodel import Answer, EdgeNode
from fedrag.export.lines import one_line
from fedrag.export.rows import edge_rows
from fedrag.export.tables import flat

__all__ = ["Link", "Network", "answer_to_cytoscape", "answer_to_graphml", "flat_facts", "network"]

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_TYPES: Mapping[type, str] = {bool: "boolean", int: "int", float: "double"}
_NODES = ("", "_name", "_categories")  # columns that are told of the nodes
_ENDS = tuple(f"{end}{column}" for end in ("subject", "object") for column in _NODES)


@dataclass(frozen=True, slots=True)
class Link:
    """One edge of a network: from ``source`` to ``target``, with everything said of it."""

    id: str
    source: str
    target: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Network:
    """An answer's network: facts by node CURIE, links in the order of the answer's edges."""

    nodes: Mapping[str, Mapping[str, Any]]
    links: tuple[Link, ...]


def network(answer: Answer) -> Network:
    """Every retrieved edge, and for each node what it is to the answer.

    A node's ``role`` is ``given``, ``candidate`` or ``other``; a candidate has its ``rank`` (from
    1) and ``score`` too. A link's ``evidence`` is its key where the page cites it.
    """
    places = _places(answer)
    nodes: dict[str, dict[str, Any]] = {}
    for edge in answer.all_edges:
        for end in (edge.subject, edge.object):
            nodes.setdefault(end.curie, _node(end, places))
    return Network(nodes, tuple(_link(row) for row in edge_rows(answer)))


def answer_to_cytoscape(answer: Answer) -> dict[str, Any]:
    """Cytoscape JSON, for Cytoscape (File, Import, Network), Cytoscape.js and networkx.

    Lists are joined by ``|``; ``interaction`` is the predicate without its prefix.
    """
    net = network(answer)
    nodes = [
        {"data": {"id": curie, "value": curie, **flat_facts(facts)}}
        for curie, facts in net.nodes.items()
    ]
    edges = [
        {
            "data": {
                "id": link.id,
                "key": link.id,  # what networkx tells parallel edges by
                "source": link.source,
                "target": link.target,
                "interaction": link.facts["label"],
                **flat_facts(link.facts),
            }
        }
        for link in net.links
    ]
    return {
        "format_version": "1.0",
        "generated_by": f"fedrag {__version__}",
        "target_cytoscapejs_version": "~3.0",
        "directed": True,
        "multigraph": True,
        "data": {"name": answer.question, "answer": answer.text},
        "elements": {"nodes": nodes, "edges": edges},
    }


def answer_to_graphml(answer: Answer) -> str:
    """GraphML, for Gephi, yEd, igraph, Cytoscape and networkx; lists are joined by ``|``."""
    net = network(answer)
    root = ET.Element("graphml", {"xmlns": _GRAPHML})
    node_keys = _keys(root, "node", net.nodes.values())
    edge_keys = _keys(root, "edge", (link.facts for link in net.links))
    graph = ET.SubElement(root, "graph", id="answer", edgedefault="directed")
    for curie, facts in net.nodes.items():
        _data(ET.SubElement(graph, "node", id=one_line(curie)), facts, node_keys)
    for link in net.links:
        ends = {"source": one_line(link.source), "target": one_line(link.target)}
        _data(ET.SubElement(graph, "edge", {"id": link.id, **ends}), link.facts, edge_keys)
    ET.indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + ET.tostring(root, encoding="unicode") + "\n"


# --- nodes and links ----------------------------------------------------------------------------


def _places(answer: Answer) -> dict[str, dict[str, Any]]:
    """What a node is to the answer, by each identifier it may come under."""
    places: dict[str, dict[str, Any]] = {}
    for rank, candidate in enumerate(answer.candidates, start=1):
        place = {"role": "candidate", "rank": rank, "score": float(candidate.score)}
        for curie in (candidate.curie, *candidate.identifiers):
            places.setdefault(curie, place)
    for entity in answer.entities:
        for given in (entity.curie, entity.unconflated):
            if given:
                places[given] = {"role": "given"}
    return places


def _node(end: EdgeNode, places: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    place = places.get(end.curie) or places.get(end.canonical) or {"role": "other"}
    category = end.categories[0] if end.categories else "biolink:NamedThing"
    return {"name": end.name or end.curie, "category": category, "taxa": end.taxa, **place}


def _link(row: Mapping[str, Any]) -> Link:
    facts = {name: value for name, value in row.items() if name not in ("key", "id", *_ENDS)}
    label = str(row["predicate"]).removeprefix("biolink:").replace("_", " ")
    facts = {"label": label, "evidence": row["key"], **facts}
    return Link(row["id"], row["subject"], row["object"], facts)


def flat_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts by name, all flat: numbers and truth values as they are, anything else as one text."""
    return {
        name: value if isinstance(value, bool | int | float) else one_line(flat(value))
        for name, value in facts.items()
    }


# --- GraphML ------------------------------------------------------------------------------------


def _keys(root: ET.Element, kind: str, facts: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """A declared key for each fact that any node (or edge) has, with its type."""
    types = {name: type(value) for each in facts for name, value in each.items()}
    keys = {name: f"{kind}-{name}" for name in types}
    for name, key in keys.items():
        typed = _TYPES.get(types[name], "string")
        named = {"id": key, "for": kind, "attr.name": name, "attr.type": typed}
        ET.SubElement(root, "key", named)
    return keys


def _data(element: ET.Element, facts: Mapping[str, Any], keys: Mapping[str, str]) -> None:
    for name, value in facts.items():
        if text := one_line(flat(value)):
            ET.SubElement(element, "data", key=keys[name]).text = text
