"""Which edges of a message its results use: bound ones, and those of auxiliary graphs behind them.

An answer's knowledge graph often holds more than its answers. What counts is bound: in
``analyses`` (TRAPI 1.4 and later) or on the result itself (before), as lists of ``{"id": …}`` or as
one ``{"ids": […]}`` (2.0), by the ``support_graphs`` of an analysis, by Pathfinder's
``path_bindings``, and by the ``biolink:support_graphs`` of an edge that is bound, however deep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["BoundEdges", "bound_edges"]

Asked = dict[str, str]  # CURIE as returned → CURIE of the question it was found for


class BoundEdges:
    """The keys of bound edges in the order of the results, each with what it was asked for."""

    def __init__(self, edges: Mapping[str, Any], graphs: Mapping[str, Any]) -> None:
        self.asked: dict[str, Asked] = {}
        self.missing: Counter[str] = Counter()
        self._edges = edges
        self._graphs = graphs
        self._followed: set[str] = set()
        self._absent: set[str] = set()

    def bind(self, keys: Iterator[str], asked: Asked) -> None:
        """Take these edges, and those of the auxiliary graphs they name."""
        waiting = list(keys)
        for key in waiting:
            if key in self.asked or key in self._absent:
                continue
            if key not in self._edges:
                self._absent.add(key)
                self.missing["edge id bound but absent"] += 1
                continue
            self.asked[key] = asked
            for graph in _support_graphs(self._edges[key]):
                waiting.extend(self._graph_edges(graph))

    def follow(self, graphs: Iterator[str], asked: Asked) -> None:
        """Take the edges of these auxiliary graphs."""
        for graph in graphs:
            self.bind(self._graph_edges(graph), asked)

    def _graph_edges(self, name: str) -> Iterator[str]:
        if name in self._followed:
            return
        self._followed.add(name)
        graph = self._graphs.get(name)
        if graph is None:
            self.missing["auxiliary graph is missing"] += 1
            return
        yield from _ids(graph.get("edges") if isinstance(graph, dict) else graph)


def bound_edges(
    results: Sequence[Any],
    edges: Mapping[str, Any],
    graphs: Mapping[str, Any],
    query_ids: Mapping[str, Sequence[str]],
) -> BoundEdges:
    """Walk the results.

    :param query_ids: the identifiers each query node was asked with; where there is one, a node
        bound to that query node was found for it, unless its binding names another ``query_id``.
    """
    bound = BoundEdges(edges, graphs)
    for result in results:
        if not isinstance(result, dict):
            bound.missing["result is not an object"] += 1
            continue
        asked = _asked(result.get("node_bindings"), query_ids)
        analyses = result.get("analyses")
        for analysis in (result, *(analyses if isinstance(analyses, list) else ())):
            if isinstance(analysis, dict):
                bound.bind(_binding_ids(analysis.get("edge_bindings")), asked)
                bound.follow(_binding_ids(analysis.get("path_bindings")), asked)
                bound.follow(_ids(analysis.get("support_graphs")), asked)
    return bound


def _binding_ids(bindings: Any) -> Iterator[str]:
    if isinstance(bindings, dict):
        for binding in bindings.values():
            yield from _ids(binding)


def _ids(value: Any) -> Iterator[str]:
    """Identifiers in ``"a"``, ``["a"]``, ``[{"id": "a"}]``, ``{"id": "a"}``, ``{"ids": ["a"]}``."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                yield item
            elif isinstance(item, dict):
                yield from _object_ids(item)
    elif isinstance(value, dict):
        yield from _object_ids(value)


def _object_ids(binding: dict[str, Any]) -> Iterator[str]:
    for named in (binding.get("id"), *_list(binding.get("ids"))):
        if isinstance(named, str):
            yield named


def _asked(bindings: Any, query_ids: Mapping[str, Sequence[str]]) -> Asked:
    asked: Asked = {}
    for node, binding in bindings.items() if isinstance(bindings, dict) else ():
        ids = query_ids.get(node, ())
        for item in binding if isinstance(binding, list) else [binding]:
            named = item.get("query_id") if isinstance(item, dict) else None
            if not (isinstance(named, str) and named):
                named = ids[0] if len(ids) == 1 else None
            for found in _ids(item) if named else ():
                if found != named and found not in ids:
                    asked.setdefault(found, named or "")
    return asked


def _support_graphs(edge: Any) -> Iterator[str]:
    attributes = edge.get("attributes") if isinstance(edge, dict) else None
    for attribute in _list(attributes):
        if isinstance(attribute, dict) and attribute.get("attribute_type_id") in _SUPPORT:
            yield from _ids(attribute.get("value"))


_SUPPORT = ("biolink:support_graphs", "biolink:support_graph")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
