"""Harm is not support, and neither is negation; in other questions a cause is what is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from evidence_material import (
    DECREASES,
    HYPERTENSION,
    drug_plan,
    edge,
    gene_plan,
    node,
    quals,
)

from fedrag.datamodel import Edge, QueryNode, QueryPlan
from fedrag.evidence import polarity
from fedrag.evidence.polarity import judge
from fedrag.evidence.scope import Scope

DRUG = node("CHEBI:1", "a drug", "drug")
DISEASE = node("MONDO:0005044", "hypertension", "disease")
OTHER = node("MONDO:0000001", "another disease", "disease")
GENE = node("HGNC:1", "A")


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        ("contraindicated_in", {}),
        ("causes", {}),
        ("contributes_to", {}),
        ("exacerbates_condition", {}),
        ("promotes_condition", {}),
        ("predisposes_to_condition", {}),
        ("has_adverse_event", {}),
        ("has_side_effect", {}),
        ("associated_with_resistance_to", {}),
        ("associated_with_increased_likelihood_of", {}),
        ("affects_likelihood_of", {"object_direction": "increased"}),
        ("affects", {"qualified_predicate": "biolink:causes", "object_direction": "increased"}),
        ("affects", {"object_aspect": "severity", "object_direction": "increased"}),
        ("causes_adverse_event", {}),
        ("worsens", {}),
        ("associated_with_response_to", {"response_context": "negative"}),
    ],
)
def test_harm_is_against_in_a_treatment_question(predicate: str, found: dict[str, str]) -> None:
    assert polarity(_made(DRUG, predicate, DISEASE, **found), drug_plan()) == "against"


@pytest.mark.parametrize(
    "predicate",
    ["adverse_event_of", "contribution_from", "caused_by", "has_contraindication"],
)
def test_harm_told_from_the_disease_is_against_too(predicate: str) -> None:
    assert polarity(_made(DISEASE, predicate, DRUG), drug_plan()) == "against"


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        ("treats", {}),
        ("in_clinical_trials_for", {}),
        ("related_to", {}),
        ("preventative_for_condition", {}),
        ("ameliorates_condition", {}),
        ("associated_with_decreased_likelihood_of", {}),
        ("affects_likelihood_of", {"object_direction": "decreased"}),
        ("affects", {"qualified_predicate": "biolink:causes", "object_direction": "decreased"}),
        ("affects", {}),
    ],
)
def test_what_helps_supports_a_treatment(predicate: str, found: dict[str, str]) -> None:
    assert polarity(_made(DRUG, predicate, DISEASE, **found), drug_plan()) == "support"


def test_a_negated_edge_never_supports_a_treatment() -> None:
    plan = drug_plan()
    assert polarity(edge(DRUG, "treats", DISEASE, negated=True), plan) == "against"
    assert polarity(edge(DRUG, "treats", OTHER, negated=True), plan) == "context"
    assert polarity(edge(GENE, "affects", DISEASE, negated=True), plan) == "context"
    denied_harm = edge(DRUG, "causes", DISEASE, negated=True)
    assert polarity(denied_harm, plan) == "context"
    assert not judge(denied_harm, Scope.of(plan)).links


def test_harm_to_another_disease_or_by_a_gene_is_not_against() -> None:
    plan = drug_plan()
    assert polarity(edge(DRUG, "has_adverse_event", OTHER), plan) == "context"
    assert polarity(edge(GENE, "causes", DISEASE), plan) == "support"
    assert judge(edge(GENE, "causes", DISEASE), Scope.of(plan)).links


def test_causing_a_process_is_how_a_drug_may_work() -> None:
    plan = drug_plan()
    process = node("GO:0006915", "apoptotic process", "process")
    assert polarity(edge(DRUG, "causes", process), plan) == "support"


def test_in_a_gene_question_a_cause_is_support() -> None:
    plan = gene_plan()
    assert polarity(edge(GENE, "causes", DISEASE), plan) == "support"
    assert polarity(edge(GENE, "contributes_to", DISEASE), plan) == "support"
    assert polarity(edge(GENE, "causes", DISEASE, negated=True), plan) == "against"


def test_in_a_side_effect_question_side_effects_are_support() -> None:
    plan = drug_plan(treatment=False)
    for predicate in ("causes", "has_side_effect", "has_adverse_event"):
        assert polarity(edge(DRUG, predicate, DISEASE), plan) == "support"


def test_what_touches_neither_candidate_nor_given_is_context() -> None:
    process, cell = node("GO:1", "p", "process"), node("GO:2", "q", "process")
    assert polarity(edge(process, "affects", cell), gene_plan()) == "context"


def test_a_phenotype_that_never_occurs_is_against() -> None:
    plan = drug_plan(treatment=False)
    absent = _made(DISEASE, "has_phenotype", DRUG, frequency="HP:0040285")
    assert polarity(absent, plan) == "against"


def test_a_given_entity_is_known_by_its_other_identifiers() -> None:
    scope = Scope.of(drug_plan(), (HYPERTENSION,))
    found = node("MONDO:0001134", "essential hypertension", "disease", asked="MESH:D006973")
    assert scope.given_at(found) == "MONDO:0005044"
    assert judge(edge(DRUG, "contraindicated_in", found), scope).polarity == "against"


def _made(subject: Any, predicate: str, obj: Any, **found: str) -> Edge:
    return edge(subject, predicate, obj, qualifiers=quals(**found))


def test_decreasing_a_gene_is_no_harm() -> None:
    assert polarity(edge(DRUG, "affects", GENE, qualifiers=DECREASES), drug_plan()) == "support"


def _relation(*given: tuple[str, str], treatment: bool = True) -> QueryPlan:
    """What links these things: (CURIE, category) each."""
    nodes = tuple(QueryNode(f"n{i}", (kind,), (curie,)) for i, (curie, kind) in enumerate(given))
    return QueryPlan("relation", "", "relation", nodes, (), "n0", (), treatment=treatment)


@pytest.mark.parametrize(
    ("predicate", "negated", "expected"),
    [
        ("treats", False, "support"),
        ("in_clinical_trials_for", False, "support"),
        ("treats", True, "against"),
        ("contraindicated_in", False, "against"),
        ("causes", False, "against"),
        ("contraindicated_in", True, "context"),
    ],
)
def test_harm_is_against_between_the_two_of_does_it_treat(
    predicate: str, negated: bool, expected: str
) -> None:
    given = (("CHEBI:1", "biolink:Drug"), ("MONDO:0005044", "biolink:Disease"))
    made = edge(DRUG, predicate, DISEASE, negated=negated)
    assert polarity(made, _relation(*given)) == expected
    if predicate == "causes":
        assert polarity(made, _relation(*given, treatment=False)) == "support"


def test_a_gene_that_causes_the_disease_speaks_against_no_drug() -> None:
    given = (
        ("CHEBI:1", "biolink:Drug"),
        ("HGNC:1", "biolink:Gene"),
        ("MONDO:0005044", "biolink:Disease"),
    )
    assert polarity(edge(GENE, "causes", DISEASE), _relation(*given)) == "support"
