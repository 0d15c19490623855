"""Questions about variants: which template they select, and what is asked of the gene instead."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plan_material import Triple, planned, telling, telling_nothing

from fedrag.datamodel import Entity, InPlace, QueryPlan
from fedrag.errors import PlanError
from fedrag.plan import gene_level, plan_or_gene_level
from fedrag.plan.examples import read_example

SENSITIVITY = "biolink:associated_with_sensitivity_to"
RESISTANCE = "biolink:associated_with_resistance_to"
RESPONSE = "biolink:associated_with_response_to"
OF_VARIANT: Triple = ("SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity")
OF_GENE: Triple = ("Gene", "associated_with_sensitivity_to", "ChemicalEntity")
TARGETS: Triple = ("ChemicalEntity", "affects", "Gene")
QUESTION = "Which drugs treat {variant:BRAF V600E} {disease:melanoma}?"


# The last three name no variant: they keep their templates.
_SELECT = {
    "therapies-of-variant-in-disease": [
        "Which drugs treat {variant:BRAF V600E} {disease:melanoma}?",
        "Which therapies are there for {variant:KRAS G12C} {disease:lung cancer}?",
        "best treatment for {disease:melanoma} with the {variant:V600E} mutation",
    ],
    "therapies-of-variant": [
        "What drugs target {variant:BRAF V600E}?",
        "What can be done against {variant:EGFR T790M}?",
    ],
    "evidence-on-variant": [
        "Tell me about {variant:KRAS G12C}",
        "Is {variant:BRCA1 C61G} pathogenic?",
    ],
    "evidence-on-variant-in-disease": [
        "What is known about {variant:IDH1 R132H} in {disease:glioma}?",
    ],
    "variants-of-drug:resistance": [
        "Which variants predict resistance to {chemical:vemurafenib}?",
        "Which mutations make tumours refractory to {chemical:gefitinib}?",
    ],
    "variants-of-drug:sensitivity": [
        "which mutations confer sensitivity to {chemical:imatinib}",
    ],
    "variants-of-drug": [
        "Which variants matter for {chemical:warfarin}?",
    ],
    "variants-by-gene-and-drug:resistance": [
        "Which {gene:EGFR} variants predict resistance to {chemical:erlotinib}?",
    ],
    "variants-of-drug-in-disease:sensitivity": [
        "Which mutations predict response to {chemical:imatinib} in {disease:GIST}?",
    ],
    "resisted-drugs-of-variant": [
        "Which drugs is {variant:KIT D816V} resistant to?",
    ],
    "diseases-of-variant": [
        "Which diseases does {variant:CFTR F508del} cause?",
    ],
    "response-of-variant-to-drug": [
        "Does {variant:EGFR T790M} predict resistance to {chemical:erlotinib}?",
    ],
    "response-of-variant-to-drug-in-disease": [
        "Does {chemical:vemurafenib} work in {variant:BRAF V600E} {disease:melanoma}?",
    ],
    "one-hop": [
        "Which variants of {gene:CFTR} are known?",
    ],
    "drugs-of-disease": [
        "Which drugs treat {disease:melanoma}?",
    ],
    "drug-by-gene-and-disease": [
        "Find inhibitors of {gene:BRAF} used for {disease:melanoma}.",
    ],
}


def _predicates(plan: QueryPlan, edge: str) -> tuple[str, ...]:
    return next(e.predicates for e in plan.edges if e.key == edge)


def _gene(entity: Entity) -> Entity:
    return replace(
        entity, curie="NCBIGene:673", name="BRAF", categories=("biolink:Gene",), how="exact"
    )


@pytest.mark.parametrize(("template", "question"), [(t, q) for t in _SELECT for q in _SELECT[t]])
def test_a_question_selects_its_template(template: str, question: str) -> None:
    assert planned(question).template == template


@pytest.mark.parametrize(
    ("question", "response"),
    [
        ("Which variants predict resistance to {chemical:vemurafenib}?", "resistance"),
        ("which mutations confer sensitivity to {chemical:imatinib}", "sensitivity"),
        ("Which variants predict response or resistance to {chemical:imatinib}?", ""),
    ],
)
def test_who_asks_for_one_response_is_told_of_the_other_too(question: str, response: str) -> None:
    plan = planned(question)
    assert plan.response == response
    assert _predicates(plan, "variant_drug") == (SENSITIVITY, RESISTANCE, RESPONSE)
    assert plan.answer_categories == ("biolink:SequenceVariant",)
    assert not plan.treatment


def test_therapies_are_treatments_and_their_disease_is_asked_of_what_was_found() -> None:
    plan = planned(QUESTION)
    assert plan.treatment
    first, second = plan.edges
    assert (first.subject, first.object, first.wave) == ("variant", "drug", 1)
    assert set(first.predicates) == {SENSITIVITY, RESISTANCE, RESPONSE}
    assert (second.from_node, second.object, second.wave, second.cap) == ("drug", "disease", 2, 50)
    assert not plan.must_reach_all


@pytest.mark.parametrize(
    ("question", "treatment"),
    [
        ("Is {variant:KIT D816V} sensitive to {chemical:imatinib}?", True),
        ("Does {chemical:imatinib} help against {variant:KIT D816V}?", True),
        ("Should a patient with {variant:KIT D816V} get {chemical:imatinib}?", True),
        ("Does {variant:KIT D816V} predict resistance to {chemical:imatinib}?", False),
    ],
)
def test_a_wanted_response_makes_resistance_evidence_against(
    question: str, treatment: bool
) -> None:
    assert planned(question).treatment is treatment


def test_a_variant_that_some_service_can_be_asked_about_is_asked_about() -> None:
    question, entities = read_example(QUESTION)
    genes = {entities[0].curie: _gene(entities[0])}
    metakg = telling([OF_VARIANT, OF_GENE])
    plan, kept = plan_or_gene_level(question, entities, genes, metakg)
    assert kept == entities
    assert plan.node("variant").categories == ("biolink:SequenceVariant",)


def test_where_no_service_takes_the_variant_its_gene_is_asked_with_a_note() -> None:
    question, entities = read_example(QUESTION)
    genes = {entities[0].curie: _gene(entities[0])}
    plan, instead = plan_or_gene_level(question, entities, genes, telling([OF_GENE]))
    assert [e.name for e in instead] == ["BRAF", "melanoma"]
    assert plan.template == "therapies-of-variant-in-disease"
    assert plan.node("variant").ids == ("NCBIGene:673",)
    assert plan.node("variant").categories == ("biolink:Gene",)
    assert plan.understood.endswith(
        "with BRAF (gene): what it makes the disease respond to, or "
        "resist; the gene in place of BRAF V600E"
    )
    assert plan.notes[0] == (
        "no service can be asked about BRAF V600E; asked about BRAF instead: what was found is at "
        "the level of the gene, and need not hold for this variant"
    )
    why = "no service can be asked about"
    assert plan.in_place == (InPlace("NCBIGene:673", "BRAF", "BRAF V600E", why, others=True),)


def test_where_nobody_speaks_of_a_genes_variants_the_gene_itself_is_asked() -> None:
    question, entities = read_example("Which drugs target {variant:BRAF V600E}?")
    genes = {entities[0].curie: _gene(entities[0])}
    plan, _ = plan_or_gene_level(question, entities, genes, telling([TARGETS]))
    assert plan.template == "drugs-of-gene"
    assert "asked about BRAF instead" in plan.notes[0]
    assert [one.others for one in plan.in_place] == [False]


def test_without_a_gene_the_refusal_is_that_of_the_variant() -> None:
    question, entities = read_example(QUESTION)
    with pytest.raises(PlanError, match=r"BRAF V600E \(variant\)"):
        plan_or_gene_level(question, entities, {}, telling([OF_GENE]))
    assert gene_level(question, entities, {}, telling_nothing(), "nothing was returned on") is None


def test_two_variants_of_one_gene_become_that_gene_once() -> None:
    question, entities = read_example(
        "Which drugs treat {variant:EGFR L858R} and {variant:EGFR T790M}?"
    )
    genes = {e.curie: _gene(e) for e in entities}
    found = gene_level(question, entities, genes, telling_nothing(), "nothing was returned on")
    assert found is not None
    assert [e.curie for e in found[1]] == ["NCBIGene:673"]


_RESISTED = "resisted-drugs-of-variant"


@pytest.mark.parametrize(
    ("question", "template"),
    [
        ("{variant:EGFR T790M} resistance", _RESISTED),
        ("drug resistance caused by {variant:EGFR T790M}", _RESISTED),
        ("Which drugs are resisted by {variant:EGFR T790M}?", _RESISTED),
        ("Which drugs should be avoided with {variant:BRAF V600E}?", _RESISTED),
        ("{variant:EGFR T790M} resistance in {disease:lung cancer}", f"{_RESISTED}-in-disease"),
        ("drugs in clinical trials for {disease:melanoma}", "drugs-of-disease:in-trials"),
        ("clinical trials of {chemical:imatinib}", "diseases-of-drug:in-trials"),
        ("contraindicated drugs in {disease:gout}", "drugs-causing-condition:contraindicated"),
    ],
)
def test_words_that_turn_a_question_are_planned(question: str, template: str) -> None:
    made = planned(question)
    assert (made.template, made.unapplied) == (template, ())


@pytest.mark.parametrize(
    ("question", "template", "left"),
    [
        ("{variant:BRAF V600E} contraindicated drugs", _RESISTED, "contraindicated"),
        (
            "Which drugs overcome {variant:EGFR T790M} resistance?",
            "therapies-of-variant",
            "resistance",
        ),
        ("Which drugs in trials treat {disease:melanoma}?", "drugs-of-disease", "trials"),
        (
            "What is known about resistance of {variant:BRAF V600E}?",
            "evidence-on-variant",
            "resistance",
        ),
        ("Which drugs in clinical trials target {gene:BRAF}?", "drugs-of-gene", "clinical trials"),
    ],
)
def test_words_that_turn_a_question_and_cannot_be_planned_are_told(
    question: str, template: str, left: str
) -> None:
    made = planned(question)
    assert (made.template, made.unapplied) == (template, (left,))


def test_only_trials_are_asked_for_where_these_are_asked_for() -> None:
    made = planned("Which drugs are in trials for {disease:melanoma}?")
    assert _predicates(made, "drug_disease") == ("biolink:in_clinical_trials_for",)


@pytest.mark.parametrize(
    "question",
    [
        "Does {variant:BRAF V600E} predict resistance to {chemical:vemurafenib}?",
        "Is {chemical:imatinib} in clinical trials for {disease:melanoma}?",
        "Which variants predict response or resistance to {chemical:imatinib}?",
    ],
)
def test_what_relates_given_things_or_asks_for_both_leaves_no_word_out(question: str) -> None:
    assert planned(question).unapplied == ()
