"""From question and entities to a plan: shapes, calls, who is asked, and what cannot be planned."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plan_material import planned, service, telling, telling_nothing

from fedrag.datamodel import Identifier, QueryPlan
from fedrag.errors import PlanError
from fedrag.metakg import MetaEdge, MetaKG
from fedrag.plan import load_templates, plan
from fedrag.plan.examples import read_example

GENE_QUESTION = (
    "Which gene plays the most significant mechanistic role in how Drug "
    "{chemical:hydrochlorothiazide} treats or impacts the Disease {disease:hypertension}?"
)


def waves(made: QueryPlan) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for edge in made.edges:
        found.setdefault(edge.wave, []).append(edge.key)
    return found


def test_the_gene_question_asks_one_and_two_hops_from_both_ends() -> None:
    made = planned(GENE_QUESTION)
    assert made.template == "gene-by-drug-and-disease"
    assert made.kind == "one"
    assert made.understood == (
        "a gene that explains how hydrochlorothiazide (chemical) acts on hypertension (disease)"
    )
    assert waves(made) == {
        1: ["drug_disease", "drug_near", "disease_near"],
        2: ["near_drug_gene", "near_disease_gene"],
    }
    assert (made.answer_node, made.also_answer) == ("gene", ("near_drug", "near_disease"))
    assert made.answer_categories == ("biolink:Gene", "biolink:Protein")
    assert made.node("drug").ids == ("EXAMPLE:hydrochlorothiazide",)
    assert made.node("drug").categories == ("biolink:ChemicalEntity",)
    assert made.node("drug").entity == 0


def test_a_medicine_is_called_a_drug() -> None:
    question, (drug, disease) = read_example(GENE_QUESTION)
    known = replace(drug, identifiers=(Identifier("DRUGBANK:DB00999"),))
    made = plan(question, [known, disease], telling_nothing())
    assert "how hydrochlorothiazide (drug) acts on" in made.understood


def test_a_gene_question_costs_bte_at_most_six_calls() -> None:
    """One call per edge: each side's categories are in one edge, and caps are below BTE's batch."""
    made = planned(GENE_QUESTION)
    assert len(made.edges) <= 6
    assert all(edge.cap is not None and edge.cap <= 150 for edge in made.edges if edge.wave > 1)
    near = made.node("near_drug").categories
    assert {"biolink:Gene", "biolink:BiologicalProcess", "biolink:ChemicalEntity"} <= set(near)
    assert "biolink:PhenotypicFeature" in near


def test_mechanistic_questions_name_no_predicates() -> None:
    for template in load_templates():
        if template.id in ("gene-by-drug-and-disease", "metabolite-by-drug-and-disease"):
            assert all(edge.predicates == () for edge in template.graph.edges)


def test_the_metabolite_question_has_a_third_hop_from_the_drug_alone() -> None:
    made = planned("Which metabolite does {chemical:allopurinol} lower in {disease:gout}?")
    third = [edge for edge in made.edges if edge.wave == 3]
    assert [(e.subject, e.object, e.from_node) for e in third] == [
        ("far_drug", "metabolite", "far_drug")
    ]
    second = {e.key: e.cap for e in made.edges if e.wave == 2}
    assert third[0].cap is not None
    assert all(cap is not None and third[0].cap < cap for cap in second.values())
    assert len(made.edges) <= 6


def test_drug_questions_ask_for_chemical_entities() -> None:
    drug_templates = {
        "drug-by-disease-and-process",
        "drug-by-gene-and-disease",
        "drugs-of-disease",
        "drugs-of-gene",
    }
    asked = {t.id: t.graph.answer_categories for t in load_templates() if t.id in drug_templates}
    assert set(asked) == drug_templates
    assert set(asked.values()) == {("biolink:ChemicalEntity",)}


def test_treatment_questions_ask_for_harm_too() -> None:
    made = planned("Which drugs treat {disease:asthma}?")
    (edge,) = made.edges
    assert made.treatment
    assert "biolink:treats_or_applied_or_studied_to_treat" in edge.predicates
    assert {
        "biolink:contraindicated_in",
        "biolink:causes",
        "biolink:contributes_to",
        "biolink:exacerbates_condition",
        "biolink:has_adverse_event",
    } <= set(edge.predicates)


def test_the_direction_of_regulation_is_the_one_asked() -> None:
    up = planned("What inhibits {gene:MTOR}?")
    assert [(e.subject, e.object) for e in up.edges] == [("partner", "gene"), ("chemical", "gene")]
    down = planned("What does {gene:PTEN} inhibit?")
    assert [(e.subject, e.object) for e in down.edges] == [("gene", "partner")]
    for made in (up, down):
        for edge in made.edges:
            assert edge.qualifiers == (("biolink:object_direction_qualifier", "decreased"),)
    both = planned("What proteins interact with {gene:TP53}?")
    assert [(e.subject, e.object) for e in both.edges] == [("gene", "partner"), ("partner", "gene")]


def test_qualified_edges_bind_a_conflated_gene_to_one_category() -> None:
    made = planned("Which genes are repressed by {gene:REST}?")
    assert made.node("gene").categories == ("biolink:Gene",)
    assert planned("Which drugs target {gene:REST}?").node("gene").categories == (
        "biolink:Gene",
        "biolink:Protein",
    )


def test_an_intersection_must_reach_all() -> None:
    made = planned("Which drugs target {gene:EGFR} and treat {disease:lung cancer}?")
    assert made.must_reach_all
    assert made.treatment
    assert waves(made) == {1: ["drug_gene", "drug_disease", "gene_disease"]}
    generic = planned("Which pathways involve both {gene:MTOR} and {gene:AKT1}?")
    assert generic.must_reach_all
    assert generic.answer_categories[:2] == ("biolink:BiologicalProcess", "biolink:Pathway")
    assert generic.understood == (
        "biological processes and pathways of MTOR (gene), and likewise for AKT1 (gene); both must "
        "hold"
    )


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which gene does {chemical:x} act on in {disease:y}?", "one"),
        ("Which genes does {chemical:x} act on in {disease:y}?", "list"),
        ("Which gene is most strongly associated with {disease:y}?", "one"),
        ("Which gene is associated with {disease:y}?", "list"),
        ("What is the best drug for {disease:y}?", "one"),
        ("What links {gene:x} and {disease:y}?", "relation"),
    ],
)
def test_the_number_of_the_noun_decides_the_kind(question: str, kind: str) -> None:
    assert planned(question).kind == kind


def test_an_entity_that_is_not_used_is_told() -> None:
    made = planned("What are the side effects of {chemical:metformin} in {organism:Homo sapiens}?")
    assert made.template == "side-effects-of-drug"
    assert made.notes == (
        "'Homo sapiens' was recognised as Homo sapiens (organism), but this plan does not use it",
    )


def test_a_symptom_beside_drug_and_disease_does_not_change_the_question() -> None:
    made = planned(
        "Which protein does {chemical:propranolol} block to lower {phenotype:heart rate} "
        "in {disease:hypertension}?"
    )
    assert made.template == "gene-by-drug-and-disease"
    assert made.node("disease").name == "hypertension"
    assert len(made.notes) == 1


def test_the_wording_decides_the_family_of_an_entity() -> None:
    question, (disease, process) = read_example(
        "Which drug treats {disease:asthma} by targeting biological process: "
        "{phenotype:vasodilation}?"
    )
    asked = replace(process, asked_as="biolink:BiologicalProcess", how="marker")
    made = plan(question, [disease, asked], telling_nothing())
    assert made.template == "drug-by-disease-and-process"
    assert made.node("process").ids == ("EXAMPLE:vasodilation",)
    assert made.node("process").categories == ("biolink:PhenotypicFeature",)


def test_a_part_of_a_cell_may_be_what_a_drug_acts_through() -> None:
    question, (disease, wall) = read_example(
        "Which Drug can be used in the treatment of {disease:skin ulcer} by targeting biological "
        "process: {anatomy:cell wall}?"
    )
    component = replace(wall, categories=("biolink:CellularComponent", "biolink:AnatomicalEntity"))
    made = plan(question, [disease, component], telling_nothing())
    assert made.template == "drug-by-disease-and-process"
    assert made.node("process").categories == ("biolink:CellularComponent",)
    assert plan(question, [disease, wall], telling_nothing()).template == "drugs-of-disease"


def test_a_protein_drug_fits_where_a_drug_is_needed() -> None:
    question, (drug, disease) = read_example(
        "Which gene explains how {chemical:filgrastim} treats {disease:neutropenia}?"
    )
    protein = replace(drug, categories=("biolink:Protein", "biolink:Polypeptide"))
    made = plan(question, [protein, disease], telling_nothing())
    assert made.template == "gene-by-drug-and-disease"
    assert made.node("drug").categories == ("biolink:Protein",)


def test_a_thing_named_twice_is_one_entity() -> None:
    made = planned("Is {gene:TP53} the same as {gene:TP53}, and which drugs target it?")
    assert made.template == "drugs-of-gene"


def test_the_same_question_always_gives_the_same_plan() -> None:
    first = planned(GENE_QUESTION)
    assert all(planned(GENE_QUESTION) == first for _ in range(5))


# --- who is asked -------------------------------------------------------------------------------


def test_every_edge_says_of_every_service_whether_it_is_asked_and_why() -> None:
    triples = (
        MetaEdge("biolink:SmallMolecule", "biolink:affects", "biolink:Gene", "good"),
        MetaEdge("biolink:Gene", "biolink:causes", "biolink:Disease", "good"),
    )
    other = (MetaEdge("biolink:Gene", "biolink:expressed_in", "biolink:Cell", "other"),)
    off = service("off", enabled=False, why_off="switched off in the configuration")
    metakg = MetaKG(
        [service("good"), service("other"), service("silent"), off],
        {"good": triples, "other": other, "silent": None},
    )
    made = planned(GENE_QUESTION, metakg)
    told = {(a.edge, a.service): (a.asked, a.reason) for a in made.assignments}
    assert len(told) == len(made.edges) * 4
    assert told["drug_disease", "good"] == (
        False,
        "has no edges between ChemicalEntity and Disease/PhenotypicFeature",
    )
    assert told["drug_near", "good"][0] is True
    assert told["disease_near", "good"][0] is True
    assert told["drug_near", "other"][0] is False
    assert told["drug_near", "silent"] == (
        True,
        "its meta-knowledge graph was not available, so it is asked anyway",
    )
    assert told["drug_near", "off"] == (False, "switched off in the configuration")


def test_a_given_disease_is_asked_of_services_that_type_it_as_a_phenotype() -> None:
    metakg = telling([("ChemicalEntity", "treats", "PhenotypicFeature")])
    made = planned("Which drugs treat {disease:fever}?", metakg)
    assert [a.asked for a in made.assignments] == [True]


# --- where no template fits ---------------------------------------------------------------------


def test_a_specific_template_that_nobody_serves_gives_way_to_the_general_hop() -> None:
    metakg = telling([("Gene", "related_to", "BiologicalProcess")])
    made = planned("Which pathways is {gene:MTOR} involved in?", metakg)
    assert made.template == "one-hop"
    assert made.edges[0].predicates == ()


def test_no_template_stands_in_that_would_answer_another_question() -> None:
    """Nobody knows treatments: drugs that cause the disease are not offered instead."""
    metakg = telling([("ChemicalEntity", "affects", "Gene"), ("Cell", "located_in", "Cell")])
    with pytest.raises(PlanError) as refused:
        planned("Which drugs treat {disease:gout}?", metakg)
    assert "drugs that treat or are studied in gout (disease)" in str(refused.value)
    assert "bte has no edges between ChemicalEntity and Disease" in str(refused.value)


def test_a_shortest_path_is_planned_where_no_direct_edge_is_known() -> None:
    metakg = telling(
        [
            ("ChemicalEntity", "affects", "Gene"),
            ("Gene", "participates_in", "Pathway"),
            ("Gene", "causes", "Disease"),
        ]
    )
    made = planned("Which pathways does {chemical:x} change?", metakg)
    assert made.template == "shortest-path"
    assert [(e.subject, e.object, e.wave, e.cap) for e in made.edges] == [
        ("given", "step1", 1, None),
        ("step1", "answer", 2, 50),
    ]
    assert made.node("step1").categories == ("biolink:Gene",)
    assert made.understood == "processes that are related to x (chemical) through Gene"
    assert "ChemicalEntity – Gene – Pathway" in made.notes[0]


def test_two_entities_without_a_link_are_joined_over_three_hops() -> None:
    metakg = telling(
        [
            ("OrganismTaxon", "related_to", "Cell"),
            ("Cell", "related_to", "AnatomicalEntity"),
            ("AnatomicalEntity", "related_to", "SequenceVariant"),
        ]
    )
    made = planned("What links {organism:x} and {variant:y}?", metakg)
    assert made.template == "shortest-path"
    assert made.kind == "relation"
    assert [(e.subject, e.object, e.wave, e.from_node) for e in made.edges] == [
        ("a", "step1", 1, "a"),
        ("step1", "step2", 2, "step1"),
        ("step2", "b", 1, "b"),
    ]


def test_no_path_of_three_hops_is_no_plan() -> None:
    metakg = telling(
        [("ChemicalEntity", "affects", "Gene"), ("Cell", "part_of", "AnatomicalEntity")]
    )
    with pytest.raises(PlanError, match="no service can be asked"):
        planned("Which cells does {chemical:x} affect?", metakg)


# --- what cannot be planned ---------------------------------------------------------------------


def test_no_entity_is_no_plan() -> None:
    with pytest.raises(PlanError, match="no entity was recognised"):
        plan("Which genes matter?", [], telling_nothing())


def test_an_entity_and_nothing_asked_is_told_with_an_idea() -> None:
    with pytest.raises(PlanError) as refused:
        planned("{chemical:imatinib}")
    message = str(refused.value)
    assert message.startswith("understood: imatinib (chemical); but not what is asked about it")
    assert "What are the targets of imatinib?" in message
    assert refused.value.exit_code == 2


def test_no_service_is_no_plan() -> None:
    with pytest.raises(PlanError, match="there is no knowledge service to ask"):
        planned("Which drugs treat {disease:gout}?", MetaKG([], {}))


def test_all_services_off_is_no_plan_and_says_so() -> None:
    off = service(enabled=False, why_off="switched off in the configuration")
    with pytest.raises(PlanError, match="bte switched off in the configuration"):
        planned("Which drugs treat {disease:gout}?", MetaKG([off], {}))


# --- a forced template --------------------------------------------------------------------------


def test_a_template_can_be_forced_and_a_variant_too() -> None:
    question = "What about {gene:MTOR}?"
    assert planned(question, template="drugs-of-gene").template == "drugs-of-gene"
    assert planned(question, template="partners-of-gene:regulators").template == (
        "partners-of-gene:regulators"
    )


def test_a_forced_template_still_takes_the_variant_of_the_wording() -> None:
    made = planned("Which drugs inhibit {gene:MTOR}?", template="drugs-of-gene")
    assert made.template == "drugs-of-gene:decreased"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("drugs-of-everything", "there is no template 'drugs-of-everything'"),
        ("drugs-of-disease", "needs disease (disease); recognised were MTOR (gene)"),
        ("one-hop", "needs a kind of thing to ask for"),
    ],
)
def test_a_forced_template_that_cannot_be_filled_is_refused(template: str, told: str) -> None:
    with pytest.raises(PlanError) as refused:
        planned("What about {gene:MTOR}?", template=template)
    assert told in str(refused.value)


# --- size ---------------------------------------------------------------------------------------


def test_a_long_question_with_many_entities_is_planned() -> None:
    names = " and ".join(f"{{gene:GENE{n}}}" for n in range(40))
    filler = "please note that this is a long question about drugs, " * 800
    made = planned(f"{filler} which diseases are linked to {names}?")
    assert made.answer_categories
    assert len(made.notes) >= 37


def test_a_noun_behind_a_name_says_what_is_asked_for_not_what_the_name_is() -> None:
    """ "myotonic dystrophy genes": the recogniser reports the noun beside the mention."""
    question, (disease,) = read_example("{disease:myotonic dystrophy} genes")
    made = plan(question, [replace(disease, asked_as="biolink:Gene")], telling_nothing())
    assert made.template == "genes-of-disease"


@pytest.mark.parametrize(
    "question",
    ["Have any genes been found for {disease:gout}?", "Has any gene been tied to {disease:gout}?"],
)
def test_asking_whether_any_are_known_asks_for_them(question: str) -> None:
    text, entities = read_example(question)
    assert plan(text, entities, telling_nothing()).template == "genes-of-disease"


def test_regulators_of_a_genes_expression_are_no_places() -> None:
    text, entities = read_example("what represses {gene:NANOG} expression?")
    assert plan(text, entities, telling_nothing()).template.startswith("partners-of-gene")


def test_a_contraindication_is_no_cause() -> None:
    text, entities = read_example("Which drugs cause {disease:gout}?")
    made = plan(text, entities, telling_nothing())
    assert made.template == "drugs-causing-condition"
    assert "biolink:causes" in made.edges[0].predicates
    assert "biolink:contraindicated_in" not in made.edges[0].predicates
