"""Which query edges are asked next, and from which end.

The next edge is the one with the fewest identifiers to ask with. Edges that start from few are
asked at the same time: waiting could save little. One that starts from many waits while another
may leave it with fewer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from fedrag.query.graph import GraphEdge

__all__ = ["FEW", "Turn", "layers", "next_turns"]

FEW = 50  # identifiers that cost no more than a call or two, whatever a service's batches
_BOTH_ENDS = 100  # identifiers of both ends together that are sent where both are known


@dataclass(frozen=True, slots=True)
class Turn:
    """An edge to ask now, with the nodes whose identifiers it is asked with."""

    edge: GraphEdge
    start: str
    both: bool


def next_turns(waiting: Iterable[GraphEdge], known: Mapping[str, int]) -> list[Turn]:
    """What is asked at once now.

    :param known: node key → how many things may stand there; open nodes have no entry.

    >>> chain = [GraphEdge("ab", "a", "b"), GraphEdge("bc", "b", "c"), GraphEdge("cd", "c", "d")]
    >>> [turn.edge.key for turn in next_turns(chain, {"a": 1, "d": 2})]
    ['ab', 'cd']
    >>> next_turns(chain[1:2], {"b": 900, "c": 700})
    [Turn(edge=GraphEdge(key='bc', subject='b', object='c', predicates=(), \
constraints=EdgeConstraints(qualifiers=(), attributes=(), knowledge_level=None, agent_type=None, \
sources=None), knowledge_type=None, extra={}), start='c', both=False)]
    """
    ready = []
    for edge in waiting:
        ends = [node for node in edge.ends if node in known]
        if ends:
            start = min(ends, key=lambda node: (known[node], node))
            ready.append((known[start], edge.key, start, edge))
    ready.sort(key=lambda item: item[:2])
    turns: list[Turn] = []
    taken: set[str] = set()
    for size, _, start, edge in ready:
        if not turns or size <= FEW or taken.isdisjoint(edge.ends):
            both = all(n in known for n in edge.ends)
            fits = both and sum(known[n] for n in edge.ends) <= _BOTH_ENDS
            turns.append(Turn(edge, start, fits))
            taken.update(edge.ends)
    return turns


def layers(waiting: Collection[GraphEdge], known: Collection[str]) -> int:
    """How many rounds are left at most: as far as the waiting edges lead from what is known.

    >>> layers([GraphEdge("ab", "a", "b"), GraphEdge("bc", "b", "c")], ["a"])
    2
    """
    reached, left, rounds = set(known), list(waiting), 0
    while left:
        ready = [edge for edge in left if not reached.isdisjoint(edge.ends)]
        if not ready:
            return rounds + len(left)
        rounds += 1
        left = [edge for edge in left if edge not in ready]
        reached |= {node for edge in ready for node in edge.ends}
    return rounds
