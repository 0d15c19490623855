"""Results, knowledge graph, auxiliary graphs and logs as a TRAPI response (1.5, 1.6 or 2.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.datamodel import Attribute, Edge, EdgeNode, RetrievalSource
from fedrag.query.fit import Fit
from fedrag.query.graph import GraphEdge, QueryRequest
from fedrag.query.graphs import write_query_graph
from fedrag.query.join import SCORING, Joined, Result
from fedrag.query.knowledge import AGGREGATOR, TrapiVersion, write_edge, write_node
from fedrag.query.names import Names
from fedrag.trapi import edge_id, merge_edges
from fedrag.weight import edge_weight

__all__ = ["SCHEMA_VERSIONS", "Message"]

SCHEMA_VERSIONS: Mapping[TrapiVersion, str] = {"1.5": "1.5.0", "1.6": "1.6.0", "2.0": "2.0.0"}


@dataclass(slots=True)
class Message:
    """Writes the message of one response.

    :param found: the edges that each hop found; they are written where there are no results.
    :param infores: by the name of each service.
    :param stated: ``subclass_of`` edges that services sent, on canonical CURIEs.
    """

    request: QueryRequest
    joined: Joined
    found: Mapping[str, list[Fit]]
    names: Names
    version: TrapiVersion
    infores: Mapping[str, str]
    stated: Iterable[Edge] = ()
    _edges: list[Edge] = field(default_factory=list)
    _auxiliary: dict[str, list[str]] = field(default_factory=dict)

    def write(self) -> dict[str, Any]:
        """The message: query graph, knowledge graph, results and auxiliary graphs."""
        results = [self._result(result) for result in self.joined.results]
        if not results:
            self._keep_what_was_found()
        message: dict[str, Any] = {
            "query_graph": write_query_graph(self.request, self.version),
            "knowledge_graph": self._knowledge_graph(),
            "results": results,
        }
        if self._auxiliary or self.version != "2.0":
            more: dict[str, Any] = {} if self.version == "2.0" else {"attributes": []}
            message["auxiliary_graphs"] = {
                key: {"edges": edges, **more} for key, edges in sorted(self._auxiliary.items())
            }
        return message

    def _keep_what_was_found(self) -> None:
        """Without results, the edges that each hop found, in an auxiliary graph named after it."""
        for key, fits in sorted(self.found.items()):
            if fits:
                self._auxiliary[f"found-by-{key}"] = self._ids(fits)

    def _ids(self, fits: Iterable[Fit]) -> list[str]:
        """The identifiers of the fits' edges, weightiest first, which are then written."""
        edges = {edge_id(fit.edge): fit.edge for fit in fits}
        self._edges += [fit.edge for fit in fits]
        return sorted(edges, key=lambda key: (-edge_weight(edges[key]), key))

    # --- results ---------------------------------------------------------------------------------

    def _result(self, result: Result) -> dict[str, Any]:
        bound = {key: self._ids(fits) for key, fits in result.fits.items()}
        analysis: dict[str, Any] = {
            "resource_id": AGGREGATOR,
            "edge_bindings": {key: self._edge_binding(ids) for key, ids in bound.items()},
            "score": result.score,
            "scoring_method": SCORING,
        }
        if supports := self._supports(result):
            analysis["support_graphs"] = supports
        nodes = {key: self._node_binding(key, result) for key in self.request.nodes}
        return {"node_bindings": nodes, "analyses": [analysis]}

    def _edge_binding(self, ids: list[str]) -> Any:
        if self.version == "2.0":
            return {"ids": ids}
        return [{"id": key, "attributes": []} for key in ids]

    def _node_binding(self, node: str, result: Result) -> Any:
        """The things bound, each once, with the query's identifier where that is another."""
        bound: dict[str, str | None] = {}
        given = self.names.given.get(node, {})
        for edge, fit in self._at(node, result):
            bound.setdefault(fit.end(edge, node).curie, given.get(fit.at(edge, node)))
        if self.version == "2.0":
            return {"ids": sorted(bound)}
        return [
            {"id": curie, "attributes": []}
            | ({"query_id": asked} if asked and asked != curie else {})
            for curie, asked in sorted(bound.items())
        ]

    def _at(self, node: str, result: Result) -> Iterable[tuple[GraphEdge, Fit]]:
        for edge in self.request.touching(node):
            for fit in result.fits[edge.key]:
                yield edge, fit

    # --- more specific things than what was asked ------------------------------------------------

    def _supports(self, result: Result) -> list[str]:
        """Auxiliary graphs that say why something more specific stands for what was asked."""
        graphs: dict[str, None] = {}
        for node in self.request.nodes:
            for edge, fit in self._at(node, result):
                end, key = fit.end(edge, node), fit.at(edge, node)
                if end.canonical != key and (link := self._link(end, key, fit.edge)):
                    name = f"kind-of-{edge_id(link)}"
                    self._auxiliary[name] = [edge_id(link)]
                    self._edges.append(link)
                    graphs[name] = None
        return sorted(graphs)

    def _link(self, end: EdgeNode, key: str, edge: Edge) -> Edge | None:
        """``end subclass_of key``: as a service stated it, else as its answer implies.

        ``None`` where the Node Normalizer does not know both: they may be one and the same.
        """
        for stated in self.stated:
            ends = (stated.subject.canonical, stated.object.canonical)
            if ends in ((end.canonical, key), (key, end.canonical)):
                return stated
        known = self.names.canon.canon.conflated
        asked = self.names.node(key)
        if known.get(end.found) is None or asked is None:
            return None
        wider = EdgeNode(asked.curie, asked.name or key, asked.categories, key, canonical=key)
        told = ", ".join(edge.answered_by)
        why = f"{told} answered with the one when it was asked for the other"
        return Edge(
            id="",
            subject=end,
            predicate="biolink:subclass_of",
            object=wider,
            sources=tuple(
                RetrievalSource(self.infores[name], "primary_knowledge_source")
                for name in edge.answered_by[:1]
            ),
            attributes=(Attribute("biolink:description", why),),
            answered_by=edge.answered_by[:1],
            retrieved_at=edge.retrieved_at,
        )

    # --- knowledge graph -------------------------------------------------------------------------

    def _knowledge_graph(self) -> dict[str, Any]:
        """Every edge that something refers to, and the nodes at their ends."""
        distinct = {id(edge): edge for edge in self._edges}
        merged = merge_edges(distinct.values())
        nodes: dict[str, Any] = {}
        for edge in merged:
            for end in (edge.subject, edge.object):
                if end.curie not in nodes:
                    known = self.names.node(end.found) or self.names.node(end.curie)
                    nodes[end.curie] = write_node(end, known, self.version)
        edges = {edge.id: write_edge(edge, self.version, self.infores) for edge in merged}
        return {"nodes": dict(sorted(nodes.items())), "edges": dict(sorted(edges.items()))}
