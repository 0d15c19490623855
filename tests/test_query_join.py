"""Random worlds and graphs: hop by hop the results are those of a service that joins them whole."""

from __future__ import annotations

import random
from typing import Any

import pytest
import query_support as q
from query_support import ask, bound, edge, graph, node

from fedrag.errors import PlanError
from fedrag.query import Limits
from fedrag.testing.facts import FactBook, Statement
from fedrag.testing.join import answer_graph

THINGS = {
    "SmallMolecule": [f"CHEBI:{n}" for n in range(6)],
    "Gene": [f"NCBIGene:{n}" for n in range(8)],
    "Disease": [f"MONDO:{n}" for n in range(6)],
}
SAID = [
    ("SmallMolecule", "treats", "Disease"),
    ("SmallMolecule", "affects", "Gene"),
    ("Gene", "physically_interacts_with", "Gene"),
    ("Gene", "gene_associated_with_condition", "Disease"),
    ("SmallMolecule", "physically_interacts_with", "SmallMolecule"),
]
# Asked from either side, exactly and more widely.
ASKED = {
    "treats": ["treats", "treated_by", "related_to"],
    "affects": ["affects", "affected_by", "related_to"],
    "physically_interacts_with": ["physically_interacts_with", "interacts_with"],
    "gene_associated_with_condition": ["associated_with", "condition_associated_with_gene"],
}


def world(dice: random.Random) -> FactBook:
    statements: dict[tuple[str, str, str], Statement] = {}
    for _ in range(dice.randint(10, 60)):
        first, predicate, second = dice.choice(SAID)
        subject, object_ = dice.choice(THINGS[first]), dice.choice(THINGS[second])
        if subject != object_:
            key = (subject, predicate, object_)
            statements[key] = Statement(subject, f"biolink:{predicate}", object_)
    return FactBook.from_statements(statements.values())


def question(dice: random.Random) -> dict[str, Any]:
    """A connected graph of two to five nodes, trees and circles, one node or more given."""
    kinds = [dice.choice(list(THINGS))]
    edges: dict[str, Any] = {}
    for number in range(1, dice.randint(2, 5)):
        at = dice.randrange(number)
        fitting = [s for s in SAID if kinds[at] in (s[0], s[2])]
        first, predicate, second = dice.choice(fitting)
        forward = kinds[at] == first
        kinds.append(second if forward else first)
        edges[f"e{number}"] = _asked(dice, predicate, (at, number) if forward else (number, at))
    closing = [
        (a, s[1], b)
        for a in range(len(kinds))
        for b in range(len(kinds))
        for s in SAID
        if a != b and (kinds[a], kinds[b]) == (s[0], s[2])
    ]
    if closing and dice.random() < 0.4:
        a, predicate, b = dice.choice(closing)
        edges["closing"] = _asked(dice, predicate, (a, b))
    nodes = {f"n{number}": node(kind=kind) for number, kind in enumerate(kinds)}
    for number in {dice.randrange(len(kinds)) for _ in range(dice.randint(1, 2))}:
        chosen = dice.sample(THINGS[kinds[number]], dice.randint(1, 4))
        nodes[f"n{number}"] = node(*chosen, kind=kinds[number])
    return graph(nodes, edges)


def _asked(dice: random.Random, predicate: str, ends: tuple[int, int]) -> dict[str, Any]:
    word = dice.choice(ASKED[predicate])
    turned = word.endswith(("_by", "_gene"))
    subject, object_ = reversed(ends) if turned else ends
    return edge(f"n{subject}", f"n{object_}", word)


# The last ones found nothing once, when caps were met one hop at a time.
@pytest.mark.parametrize("seed", [*range(30), 93, 219, 318, 349, 363])
def test_results_are_those_of_a_join_of_the_whole_graph(seed: int) -> None:
    dice = random.Random(seed)
    book, asked = world(dice), question(dice)
    rows, _ = answer_graph(book, asked)
    keys = sorted(asked["nodes"])
    expected = sorted({tuple(row.nodes[key] for key in keys) for row in rows})
    with q.federation(book) as running:
        try:
            answer = ask(running, asked)
        except PlanError:
            assert expected == []  # a kind of edge the world has none of, or nobody knows an id
            return
        assert bound(answer, *keys) == expected
        few = ask(running, asked, limits=Limits(ids=2, edges=3, results=4))
    assert bool(few.results) == bool(expected)  # caps never turn many into none
    assert set(bound(few, *keys)) <= set(expected)
