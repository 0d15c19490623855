"""What was found so far: normalised, judged, and narrowed to what may still be part of a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from fedrag.datamodel import Edge
from fedrag.execute import Outcome
from fedrag.execute.taxa import filter_taxa
from fedrag.query.domains import Domains, best_first, consistent, within
from fedrag.query.fit import Fit, Judge
from fedrag.query.graph import QueryRequest
from fedrag.query.hops import Hop
from fedrag.query.names import Names, kinds_of
from fedrag.trapi import canonical_direction
from fedrag.weight import edge_weight

__all__ = ["Found"]

_MOST_CHUNKS = 5  # of the best-ranked identifiers, while nothing was found with the better ones


@dataclass(slots=True)
class Found:
    """The edges of every hop and what they leave at every node.

    ``fits`` are the edges that answer, by query edge; ``domains`` what may stand at each node that
    is given or was reached; ``done`` the query edges that need no more asking.
    """

    request: QueryRequest
    names: Names
    taxon: str
    most_ids: int
    hops: dict[str, Hop] = field(init=False)
    fits: dict[str, list[Fit]] = field(default_factory=dict)
    placed: dict[str, list[Edge]] = field(default_factory=dict)  # on canonical CURIEs
    domains: Domains = field(init=False)
    done: set[str] = field(default_factory=set)
    notes: dict[str, list[str]] = field(default_factory=dict)  # of the filter of organisms
    _raw: dict[str, list[Edge]] = field(default_factory=dict)  # as returned
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)
    _asked: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # by edge and start
    _taken: set[str] = field(default_factory=set)  # edges asked since all was narrowed last
    _judged: dict[str, int] = field(default_factory=dict)  # how many edges of a hop were judged

    def __post_init__(self) -> None:
        self.hops = {key: Hop(edge) for key, edge in self.request.edges.items()}
        self.domains = {node: set(keys) for node, keys in self.names.given.items()}

    def add(self, edge: str, service: str, outcome: Outcome) -> None:
        """What one service answered for one hop."""
        self.hops[edge].add(service, outcome)
        self._raw.setdefault(edge, []).extend(outcome.edges)

    @property
    def broken(self) -> bool:
        """Whether no result is possible any more: at some node nothing is left."""
        return any(not keys for keys in self.domains.values())

    # --- settling --------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Normalise and judge what came, and narrow every node to what may still stand there."""
        await self.names.canon.learn([e for edges in self._raw.values() for e in edges])
        failed = self.names.canon.canon.failure is not None
        for key, edges in self._raw.items():
            known = [] if failed else self.placed.get(key, [])
            self.placed[key] = known + [self._place(edge) for edge in edges[len(known) :]]
        asked = dict.fromkeys(key for keys in self.domains.values() for key in keys)
        kinds = kinds_of((e for edges in self.placed.values() for e in edges), asked)
        if kinds != self._kinds or failed:
            self._judged.clear()
        self._kinds = kinds
        for key, hop in self.hops.items():
            count = len(self.placed.get(key, ()))
            if hop.start and self._judged.get(key) != count:
                self._judge(key)
                self._judged[key] = count
        self._narrow()

    def _place(self, edge: Edge) -> Edge:
        return canonical_direction(self.names.canon.apply(edge))

    def _judge(self, key: str) -> None:
        edge, hop = self.request.edges[key], self.hops[key]
        judge = Judge(edge, self.request.nodes, self.names.given, self._kinds, self.names.canonical)
        fits: list[Fit] = []
        left_out: Counter[str] = Counter()
        for returned in sorted(self.placed.get(key, ()), key=_sorted_as):
            ways, reason = judge.fits(returned)
            fits += ways
            if not ways:
                left_out[reason] += 1
        self.fits[key] = self._of_organism(key, fits, left_out)
        hop.left_out, hop.fitting = left_out, len({id(fit.edge) for fit in self.fits[key]})

    def _of_organism(self, key: str, fits: list[Fit], left_out: Counter[str]) -> list[Fit]:
        """Without genes of other organisms, unless the query itself gives a gene of another."""
        given = self.names.entities(self.request.nodes.values())
        if {taxon for entity in given for taxon in entity.taxa} - {self.taxon}:
            return fits
        kept, self.notes[key] = filter_taxa([fit.edge for fit in fits], given, self.taxon)
        keep = {id(edge) for edge in kept}
        if dropped := {id(fit.edge) for fit in fits} - keep:
            left_out["of another organism"] += len(dropped)
        return [fit for fit in fits if id(fit.edge) in keep]

    def _narrow(self) -> None:
        """Arc consistency; an edge that found nothing with the best is asked with the next."""
        for key in self._taken:
            fits = self.fits.get(key, ())
            if not self.can_go_on(key) or within(self.request.edges[key], fits, self.domains):
                self.done.add(key)
        self._taken.clear()
        self._restrict()

    def _restrict(self) -> None:
        done = [self.request.edges[key] for key in sorted(self.done)]
        self.domains = consistent(done, self.fits, self.given)

    def can_go_on(self, key: str) -> bool:
        """Whether there is more to ask an edge with than it was asked with, within reason."""
        hop = self.hops[key]
        return hop.asked < hop.known and hop.asked < _MOST_CHUNKS * self.most_ids

    def reopen(self) -> bool:
        """When nothing joins because only the best-ranked were asked onwards: ask the next best.

        The hops that were cut last are asked on, and what was asked from what they found, too.
        Whether there was one; a hop that stays open because nobody answered is no reason for it.
        """
        cut = [hop for key, hop in self.hops.items() if key in self.done and self.can_go_on(key)]
        if not cut or any(hop.unanswered for hop in self.hops.values()):
            return False
        last = max(hop.turn for hop in cut)
        again = {hop.edge.key for hop in cut if hop.turn == last}
        again |= {k for k, h in self.hops.items() if h.turn > last and h.start not in self.given}
        self.done -= again
        self._restrict()
        return True

    @property
    def given(self) -> dict[str, dict[str, str]]:
        """What the query gives: node → canonical CURIE → as it is written."""
        return self.names.given

    # --- what to ask with ------------------------------------------------------------------------

    def take(self, key: str, start: str, turn: int) -> list[str]:
        """What an edge is asked with now: the best-ranked at ``start`` that it was not asked with.

        What the query gives is asked whole.
        """
        ranked, asked = self.ranked(start), self._asked.setdefault((key, start), set())
        fresh = [one for one in ranked if one not in asked]
        chosen = fresh if start in self.given else fresh[: self.most_ids]
        asked.update(chosen)
        self._taken.add(key)
        hop = self.hops[key]
        hop.start, hop.asked, hop.known = start, len(asked), len(asked.union(ranked))
        hop.turn = turn
        return chosen

    def ranked(self, node: str) -> list[str]:
        """What may stand at a node, best-ranked first."""
        done = [self.request.edges[key] for key in sorted(self.done)]
        return best_first(node, done, self.fits, self.domains[node])

    def written(self, node: str, keys: Sequence[str]) -> tuple[str, ...]:
        """The identifiers to ask with: the query's own, else each distinct thing that was found.

        What conflation takes for one (a salt and its parent, a gene and its protein) is asked as
        each of the things that services spoke of.
        """
        if node in self.given:
            wanted = set(keys)
            ids = self.request.nodes[node].ids
            return tuple(curie for curie in ids if self.names.canonical(curie) in wanted)
        found: dict[str, set[str]] = {key: set() for key in keys}
        for edge in self.request.touching(node):
            for fit in self.fits.get(edge.key, ()):
                key, end = fit.at(edge, node), fit.end(edge, node)
                if key in found:
                    found[key].add(end.curie if end.canonical == key else key)
        return tuple(dict.fromkeys(curie for key in keys for curie in sorted(found[key]) or [key]))

    # --- caps ------------------------------------------------------------------------------------

    def note_cuts(self) -> None:
        """Say which hops were asked with a part of what was known."""
        for hop in self.hops.values():
            if hop.asked < hop.known:
                of = f"{hop.asked:,} best-ranked of {hop.known:,}"
                hop.cut(f"asked with the {of} at {hop.start}")

    def cap(self, most: int) -> None:
        """Keep at most so many edges of each hop, the best-ranked; what they leave still joins.

        One hop after the other, and what may stand at the nodes in between, so that two caps
        together never leave nothing.
        """
        every = list(self.request.edges.values())
        for edge in every:
            fits = within(edge, self.fits[edge.key], self.domains)
            if len(fits) > most:
                fits.sort(key=lambda fit: (-edge_weight(fit.edge), fit.subject, fit.object))
                kept = f"the {most:,} best-ranked of {len(fits):,} edges are kept"
                self.hops[edge.key].cut(kept)
                self.fits[edge.key] = fits[:most]
                self.domains = consistent(every, self.fits, self.given)


def _sorted_as(edge: Edge) -> tuple[object, ...]:
    """An order that does not depend on which service was faster."""
    return (
        edge.subject.curie,
        edge.predicate,
        edge.object.curie,
        edge.qualifiers,
        edge.primary_source,
        edge.answered_by,
    )
