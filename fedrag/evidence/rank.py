"""Candidates, best supported first, with every point of their score explained.

The score orders candidates; it is not a probability. Its terms, the first outweighing the rest:
how many of the given entities a candidate reaches, less where it is next to none of them (in a
treatment question: where nothing says that it treats), so that what a drug acts on is before what
is only near that; by how short a path; how strong the statements on the way are (predicate,
knowledge level, agent type; see :mod:`fedrag.weight`); independent primary sources; clinical stage
(treatment questions); what sources say of their own confidence; and, taken off, evidence against.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fedrag.biolink import biolink
from fedrag.datamodel import Candidate, Edge, Entity, QueryPlan, ScoreLine, TreatmentStatus
from fedrag.evidence.candidates import answer_nodes, categories_of, name_of
from fedrag.evidence.clinical import is_response
from fedrag.evidence.graph import Graph, Reach
from fedrag.evidence.levels import level_line, status_by_level
from fedrag.evidence.lines import (
    DIGITS,
    against_line,
    confidence_line,
    described,
    is_text_mined,
    phase_line,
    sources_line,
)
from fedrag.evidence.salts import parent_name
from fedrag.evidence.scope import Scope
from fedrag.evidence.status import is_treatment, treatment_status
from fedrag.evidence.ways import asks_effects, flows, longest_way, shares
from fedrag.execute.retrieval import Retrieval

__all__ = ["rank"]

# All terms but the first add up to less than one given entity more that is reached.
_REACHED = 10.0
_FURTHER = 0.05  # of that, for each further one, for what is joined to none of them directly
_CLOSE = 2.5  # one hop; half of it for each further hop
_STRONG = 2.5


def rank(
    plan: QueryPlan, entities: Sequence[Entity], retrieval: Retrieval
) -> tuple[Candidate, ...]:
    """Every candidate that the retrieved edges hold, best supported first.

    Equal scores are ties, ordered by name and CURIE. Statements against a candidate (in a treatment
    question: harm) never add to its score; one that nothing supports has no status. With
    ``plan.must_reach_all``, candidates that do not reach every given entity are left out.
    """
    scope = Scope.of(plan, entities)
    found_by = retrieval.found_by
    edges = [e for e in retrieval.edges if not scope.swapped(e, found_by.get(e.id, ()))]
    graph = Graph.of(edges, scope, retrieval.nodes)
    nodes = answer_nodes(plan, graph, retrieval)
    hops, running = longest_way(plan), flows(plan, scope.given)
    use = scope.treats or "out" not in running.values()
    effects = asks_effects(plan, scope)
    reached = {
        curie: graph.reach(curie, hops, flow=flow, use=use, effects=effects and flow == "out")
        for curie, flow in running.items()
    }
    for one in scope.given:
        for node, way in graph.in_context(one.curie).items():
            reached[one.curie].setdefault(node, way)
    scorer = _Scorer(graph, reached, shares(graph, reached))
    ranked = [scorer.candidate(node) for node in nodes]
    if plan.must_reach_all:
        ranked = [c for c in ranked if len(c.reaches) == len(scope.given)]
    if plan.kind == "relation" and _are_joined(scope, graph):
        ranked = [c for c in ranked if len(c.reaches) > 1]  # the others link nothing
    kept = (c for c in ranked if c.support or c.against)
    return tuple(sorted(kept, key=lambda c: (-c.score, c.name.casefold(), c.curie)))


def _are_joined(scope: Scope, graph: Graph) -> bool:
    """Whether a statement joins two given entities."""
    given = {one.curie for one in scope.given}
    return any(given & graph.links.get(curie, {}).keys() for curie in given)


@dataclass(slots=True)
class _Scorer:
    graph: Graph
    reached: Mapping[str, Mapping[str, Reach]]
    shares: Mapping[str, float]

    def candidate(self, node: str) -> Candidate:
        """One candidate with its score, status and edges."""
        graph, scope = self.graph, self.graph.scope
        against = _once(graph.against.get(node, ()))
        ways = self._ways(node, against)
        direct = [
            edge
            for way in ways.values()
            if way.hops == 1
            for edge in graph.links[way.path[-2]][way.path[-1]].best()
        ]
        support = _once([*direct, *self._along(ways)])
        lines = self._lines(ways, direct, support, against)
        status, detail = self._status(node) if scope.treats and support else (None, None)
        name, categories = name_of(node, graph), categories_of(node, graph)
        known = graph.known.get(node)
        labels = [i.label for i in known.identifiers] if known else []
        return Candidate(
            curie=node,
            name=name,
            categories=categories,
            score=round(sum(line.points for line in lines), DIGITS),
            explanation=lines,
            status=status,
            status_detail=detail,
            reaches=tuple(ways),
            identifiers=tuple(i.curie for i in known.identifiers) if known else (),
            parent=self._parent(name, categories, labels),
            support=tuple(edge.id for edge in support),
            against=tuple(edge.id for edge in against),
            text_mined_only=bool(support) and all(is_text_mined(edge) for edge in support),
        )

    def _ways(self, node: str, against: Iterable[Edge]) -> dict[str, Reach]:
        """How the candidate is reached; no detour past what speaks against it directly."""
        denied = {self.graph.node(end) for edge in against for end in (edge.subject, edge.object)}
        return {
            curie: way
            for curie, ways in self.reached.items()
            if (way := ways.get(node)) is not None and (way.hops == 1 or curie not in denied)
        }

    def _is_direct(self, ways: Mapping[str, Reach]) -> bool:
        """Whether a statement joins the candidate to what is given.

        In a treatment question a disease or process counts only where treatment is said: what
        only takes part in the process that is asked about treats nothing yet.
        """
        near = [way.path for way in ways.values() if way.hops == 1]
        if not self.graph.scope.treats or len(self.graph.scope.given) < 2:
            return bool(near)
        ends = {one.curie for one in self.graph.scope.given if _is_end(one.categories)}
        return any(
            start not in ends or self.graph.links[start][end].some_use for start, end in near
        )

    def _along(self, ways: Mapping[str, Reach]) -> list[Edge]:
        return [e for way in ways.values() if way.hops > 1 for e in self.graph.path_edges(way.path)]

    def _parent(
        self, name: str, categories: tuple[str, ...], labels: Iterable[str | None]
    ) -> str | None:
        if not biolink().is_a(categories, "biolink:ChemicalEntity"):
            return None
        return parent_name(name, labels)

    # --- the score ------------------------------------------------------------------------------

    def _lines(
        self,
        ways: Mapping[str, Reach],
        direct: Sequence[Edge],
        support: Sequence[Edge],
        against: Sequence[Edge],
    ) -> tuple[ScoreLine, ...]:
        """Everything that makes up the score; the points add up to it."""
        given = {one.curie: one.name for one in self.graph.scope.given}
        lines = [
            ScoreLine(
                f"reaches {len(ways)} of {len(given)} given entities",
                round(_reached(len(ways), self._is_direct(ways)), DIGITS),
                ", ".join(given[curie] for curie in ways),
            )
        ]
        for curie, way in ways.items():
            lines += self._way_lines(given[curie], way, self.shares[curie])
        lines.append(sources_line(support))
        if self.graph.scope.treats:
            lines.append(phase_line(direct))
        lines += [
            level_line(direct, self.graph.scope),
            confidence_line(support),
            against_line(against, self.graph.scope),
        ]
        return tuple(line for line in lines if line.points)

    def _way_lines(self, name: str, way: Reach, share: float) -> list[ScoreLine]:
        via = ", ".join(name_of(node, self.graph) for node in way.path[1:-1])
        hops = f"{way.hops} hop" + ("s" if way.hops > 1 else "")
        best = self.graph.links[way.path[-2]][way.path[-1]].best(1)[0]
        close = _CLOSE / 2 ** (way.hops - 1) * share
        return [
            ScoreLine(
                f"path to {name}", round(close, DIGITS), f"{hops} via {via}" if via else hops
            ),
            ScoreLine(
                f"evidence to {name}",
                round(_STRONG * way.strength * share, DIGITS),
                f"best: {described(best)}",
            ),
        ]

    # --- treatment ------------------------------------------------------------------------------

    def _status(self, node: str) -> tuple[TreatmentStatus | None, str | None]:
        graph = self.graph
        diseases = [
            one.curie
            for one in graph.scope.given
            if biolink().is_a(one.categories, "biolink:DiseaseOrPhenotypicFeature")
        ] or [one.curie for one in graph.scope.given]
        links = graph.links.get(node, {})
        here = [e for curie in diseases if curie in links for e in links[curie].best()]
        elsewhere = [
            edge for other, link in links.items() if other not in diseases for edge in link.best()
        ]
        if not any(is_treatment(edge.predicate) for edge in (*here, *elsewhere)):
            responses = [e for edges in (here, elsewhere) for e in edges if is_response(e)]
            if responses:
                return status_by_level(responses, self.graph.scope)
        return treatment_status(here, elsewhere)


def _reached(entities: int, direct: bool) -> float:
    """The points for the given entities that are reached."""
    if direct:
        return _REACHED * entities
    return _REACHED * (1 + _FURTHER * (entities - 1)) if entities else 0.0


def _is_end(categories: Sequence[str]) -> bool:
    """Whether a given entity is a disease, or the process (or part of a cell) it works through."""
    kinds = (
        "biolink:DiseaseOrPhenotypicFeature",
        "biolink:BiologicalProcessOrActivity",
        "biolink:CellularComponent",
    )
    return any(biolink().is_a(categories, kind) for kind in kinds)


def _once(edges: Iterable[Edge]) -> list[Edge]:
    return list({edge.id: edge for edge in edges}.values())
