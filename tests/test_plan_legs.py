"""Conditions that must hold at once, each asked as it would be asked alone."""

from __future__ import annotations

import pytest
from plan_material import planned

from fedrag.datamodel import QueryPlan
from fedrag.errors import PlanError

HARM = {"biolink:contraindicated_in", "biolink:causes", "biolink:exacerbates_condition"}
LESS = (("biolink:object_direction_qualifier", "decreased"),)


def predicates(made: QueryPlan) -> list[set[str]]:
    return [set(edge.predicates) for edge in made.edges]


@pytest.mark.parametrize(
    "question",
    [
        "Which medicines relieve both {disease:migraine} and {disease:vertigo}?",
        "What cures {disease:scabies} and {disease:head lice}?",
        "drugs for {disease:migraine} that also help in {disease:anxiety}",
    ],
)
def test_two_diseases_to_treat_ask_for_treatment_and_for_harm_on_both(question: str) -> None:
    made = planned(question)
    assert (made.template, made.must_reach_all, made.treatment) == ("two-conditions", True, True)
    for asked in predicates(made):
        assert asked > HARM
        assert "biolink:treats" in asked
        assert "biolink:correlated_with" not in asked


def test_contraindication_is_a_condition_of_its_own() -> None:
    made = planned("Which drugs are contraindicated in {disease:porphyria} and {disease:asthma}?")
    assert predicates(made) == [{"biolink:contraindicated_in"}] * 2
    assert not made.treatment


def test_to_treat_one_disease_and_harm_another_is_refused() -> None:
    with pytest.raises(PlanError) as refused:
        planned("Which drugs treat {disease:migraine} and are contraindicated in {disease:angina}?")
    assert "contraindicated in angina" in refused.value.message
    assert "ask both apart" in str(refused.value)


def test_the_words_before_a_gene_give_its_edge_the_direction() -> None:
    made = planned("Which drugs treat {disease:angina} by blocking {gene:ADRB1}?")
    of_gene = next(edge for edge in made.edges if edge.key == "drug_gene")
    assert of_gene.qualifiers == LESS
    assert made.understood == (
        "drugs and chemicals that inhibit or decrease ADRB1 (gene), and drugs that treat or are "
        "studied in angina (disease); both must hold"
    )
    plain = planned("Which drugs treat {disease:angina} and act on {gene:ADRB1}?")
    assert all(not edge.qualifiers for edge in plain.edges)


def test_one_verb_serves_both_of_its_objects() -> None:
    made = planned("Which drugs inhibit {gene:JAK1} and {gene:TYK2}?")
    assert [edge.qualifiers for edge in made.edges] == [LESS, LESS]
    assert [(edge.subject, edge.object) for edge in made.edges] == [
        ("candidate", "a"),
        ("candidate", "b"),
    ]


def test_targets_of_two_drugs_say_that_both_are_meant() -> None:
    made = planned("targets of {chemical:sunitinib} and of {chemical:sorafenib}")
    assert made.understood == (
        "genes and proteins that sunitinib (chemical) acts on, and likewise for sorafenib "
        "(chemical); both must hold"
    )
    assert [(edge.subject, edge.object) for edge in made.edges] == [
        ("a", "candidate"),
        ("b", "candidate"),
    ]


def test_a_level_and_a_disease_are_two_conditions() -> None:
    made = planned("Which drugs treat {disease:gout} by lowering {chemical:urate}?")
    assert made.edges[1].qualifiers == LESS
    assert made.treatment


def test_what_no_template_asks_alone_stays_open() -> None:
    made = planned("Which genes take part in both {process:autophagy} and {process:apoptosis}?")
    assert predicates(made) == [set(), set()]
    assert made.understood.startswith("genes connected to both")


def test_or_between_two_things_is_not_both() -> None:
    with pytest.raises(PlanError) as refused:
        planned("Which drugs treat {disease:scabies} or {disease:head lice}?")
    assert "'or' between them asks two questions" in refused.value.message
    assert planned("Does {chemical:ivermectin} treat {disease:scabies} or {disease:lice}?")


MORE = (("biolink:object_direction_qualifier", "increased"),)


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("{gene:AGTR1} blockers for {disease:hypertension}", LESS),
        ("Which {gene:EGFR} inhibitors treat {disease:lung cancer}?", LESS),
        ("{gene:AGTR1}-blocking drugs in {disease:hypertension}", LESS),
        ("{gene:HRH1} inverse agonists for {disease:allergy}", LESS),
        ("What {gene:PPARG}-activators treat {disease:diabetes}?", MORE),
        ("agonists of {gene:ADRB2} for {disease:asthma}", MORE),
        ("drugs for {disease:asthma} that are {gene:ADRB2} agonists", MORE),
    ],
)
def test_the_noun_after_a_gene_gives_its_edge_the_direction(
    question: str, direction: tuple[tuple[str, str], ...]
) -> None:
    made = planned(question)
    edges = {edge.key: edge for edge in made.edges}
    assert made.template == "drug-by-gene-and-disease"
    assert edges["drug_gene"].qualifiers == direction
    assert edges["drug_disease"].qualifiers == ()
    assert "biolink:treats" in edges["drug_disease"].predicates


def test_each_of_two_genes_has_its_own_direction() -> None:
    made = planned("Which compounds are {gene:MTOR} activators and {gene:PIK3CA} inhibitors?")
    assert [edge.qualifiers for edge in made.edges] == [MORE, LESS]
    both = planned("Which compounds are {gene:MTOR} and {gene:PIK3CA} inhibitors?")
    assert [edge.qualifiers for edge in both.edges] == [LESS, LESS]
