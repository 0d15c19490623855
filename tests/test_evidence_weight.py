"""What a statement weighs, and how several weigh together."""

from __future__ import annotations

from itertools import pairwise

import pytest
from evidence_material import DECREASES, edge, node, text_mined
from hypothesis import given
from hypothesis import strategies as st

from fedrag.biolink import biolink
from fedrag.weight import combined, edge_weight, specificity

A, B = node("HGNC:1"), node("HGNC:2")


def test_specific_predicates_weigh_more_than_general_ones() -> None:
    order = [
        "related_to",
        "associated_with",
        "interacts_with",
        "affects",
        "treats",
    ]
    weights = [edge_weight(edge(A, predicate, B)) for predicate in order]
    assert weights == sorted(weights)
    assert len(set(weights)) == len(weights)


def test_a_direction_and_an_aspect_say_more() -> None:
    plain, qualified = edge(A, "affects", B), edge(A, "affects", B, qualifiers=DECREASES)
    assert edge_weight(qualified) > edge_weight(plain)


def test_curated_assertions_weigh_more_than_mined_and_predicted_ones() -> None:
    levels = ["text_co_occurrence", "prediction", "observation", "knowledge_assertion"]
    weights = [edge_weight(edge(A, "treats", B, level=level)) for level in levels]
    assert weights == sorted(weights)
    assert edge_weight(text_mined(A, "treats", B)) == pytest.approx(0.3)
    assert edge_weight(edge(A, "treats", B, level="a new level", agent="a new agent")) == (
        edge_weight(edge(A, "treats", B, level="not_provided", agent="not_provided"))
    )


def test_every_predicate_has_a_weight_between_nothing_and_one() -> None:
    for predicate in biolink().predicate_descendants("biolink:related_to"):
        assert 0.0 < specificity(predicate) <= 1.0
    assert specificity("biolink:no_such_predicate") == specificity("RO:0002434") == 0.25


def test_literature_co_occurrence_is_near_the_bottom() -> None:
    weak = specificity("biolink:occurs_together_in_literature_with")
    assert weak < specificity("biolink:positively_correlated_with") < specificity("biolink:binds")


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=30))
def test_together_they_weigh_at_least_the_best_and_at_most_one(weights: list[float]) -> None:
    total = combined(weights)
    assert max(weights) <= total <= 1.0
    assert combined(reversed(weights)) == total


@given(st.floats(0.01, 0.99))
def test_more_statements_never_weigh_less_but_return_less_and_less(weight: float) -> None:
    totals = [combined([weight] * n) for n in range(1, 8)]
    gains = [b - a for a, b in pairwise(totals)]
    assert all(gain >= 0 for gain in gains)
    assert all(a >= b for a, b in pairwise(gains))
