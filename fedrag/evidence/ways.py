"""What a plan means for the ways from its given entities: length, direction, weight.

A mechanism runs out of a drug and into a disease, so that what a drug acts on counts for more than
what acts on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fedrag.biolink import biolink
from fedrag.datamodel import QueryPlan
from fedrag.evidence.graph import MAX_HOPS, Graph, Reach
from fedrag.evidence.links import Flow
from fedrag.evidence.scope import Given, Scope

__all__ = ["asks_effects", "flows", "longest_way", "shares"]


def longest_way(plan: QueryPlan) -> int:
    """How many hops the plan's longest way from a given entity to an answer has, at most three.

    Ways through another given entity do not count.
    """
    around: dict[str, set[str]] = {}
    for hop in plan.edges:
        around.setdefault(hop.subject, set()).add(hop.object)
        around.setdefault(hop.object, set()).add(hop.subject)
    bound = {node.key for node in plan.nodes if node.ids}
    answers = {plan.answer_node, *plan.also_answer}
    longest = 1
    ways: list[tuple[str, ...]] = [(key,) for key in sorted(bound)]
    for hops in range(1, MAX_HOPS + 1):
        ways = [
            (*way, further)
            for way in ways
            for further in around.get(way[-1], set()) - bound - {*way}
        ]
        if any(way[-1] in answers for way in ways):
            longest = hops
    return longest


def flows(plan: QueryPlan, given: Sequence[Given]) -> dict[str, Flow]:
    """Which way causes run where a mechanism is asked: out of a drug, into a disease or process.

    One given entity asks for no mechanism, and neither does an intersection of conditions.
    """
    if len(given) < 2 or plan.must_reach_all:
        return {one.curie: "any" for one in given}
    return {one.curie: _flow(one) for one in given}


def asks_effects(plan: QueryPlan, scope: Scope) -> bool:
    """Whether the answer is what a given chemical affects: another chemical, in a mechanism.

    A gene that acts on a drug's target may be part of how the drug works; a chemical that does is
    another drug.
    """
    answers = plan.answer_categories
    chemical = all(biolink().is_a(one, "biolink:ChemicalEntity") for one in answers)
    out = "out" in flows(plan, scope.given).values()
    return bool(answers) and chemical and out and not plan.treatment


def _flow(given: Given) -> Flow:
    index = biolink()
    if index.is_a(given.categories, "biolink:ChemicalEntity"):
        return "out"
    ends = ("biolink:DiseaseOrPhenotypicFeature", "biolink:BiologicalProcessOrActivity")
    return "in" if any(index.is_a(given.categories, end) for end in ends) else "any"


def shares(graph: Graph, reached: Mapping[str, Mapping[str, Reach]]) -> dict[str, float]:
    """How much the way to each given entity counts; the shares of those reached add up to 1.

    To be near an entity that has few neighbours says more than to be one of hundreds around a
    common disease, so a share falls with the logarithm of their number.
    """
    raw = {
        curie: 1.0 / math.log2(2.0 + len(graph.links.get(curie, ())))
        for curie, ways in reached.items()
        if ways
    }
    total = sum(raw.values())
    return {curie: share / total for curie, share in raw.items()}
