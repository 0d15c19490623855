"""Questions of two hops are planned as two hops; what is not answered of a question is named."""

from __future__ import annotations

import pytest
from plan_material import planned

from fedrag.errors import PlanError
from fedrag.plan import explain_plan, plan_to_trapi

LESS = (("biolink:object_direction_qualifier", "decreased"),)


@pytest.mark.parametrize(
    ("question", "template"),
    [
        ("drugs with the same target as {chemical:imatinib}", "targets-of-drug+drugs-of-gene"),
        ("Which other drugs share a target with {chemical:imatinib}?",
         "targets-of-drug+drugs-of-gene"),
        ("drugs with the same mechanism as {chemical:imatinib}", "targets-of-drug+drugs-of-gene"),
        ("Which drugs inhibit the target of {chemical:imatinib}?",
         "targets-of-drug+drugs-of-gene:decreased"),
        ("drugs with the same indication as {chemical:imatinib}",
         "diseases-of-drug+drugs-of-disease"),
        ("Which drugs target genes involved in {disease:asthma}?",
         "genes-of-disease+drugs-of-gene"),
        ("What drugs target proteins in the {process:mTOR signaling} pathway?",
         "one-hop+drugs-of-gene"),
        ("Which genes are targeted by drugs for {disease:asthma}?",
         "drugs-of-disease+targets-of-drug"),
        ("Which genes are targeted by {disease:asthma} drugs?",
         "drugs-of-disease+targets-of-drug"),
        ("What are the side effects of {gene:EGFR} inhibitors?",
         "drugs-of-gene:decreased+side-effects-of-drug"),
        ("Which drugs treat diseases caused by {gene:EGFR} mutations?",
         "diseases-of-gene+drugs-of-disease"),
        ("Which pathways are the targets of {chemical:imatinib} involved in?",
         "targets-of-drug+processes-of-gene"),
        ("Which diseases have the same genes as {disease:asthma}?",
         "genes-of-disease+diseases-of-gene"),
    ],
)  # fmt: skip
def test_both_hops_are_asked(question: str, template: str) -> None:
    made = planned(question)
    assert made.template == template
    near, far = made.edges
    assert (near.wave, near.from_node, far.wave, far.from_node) == (1, "given", 2, "between")
    assert far.cap == 50
    assert made.answer_node == "answer"
    assert made.unapplied == ()


@pytest.mark.parametrize(
    ("question", "template"),
    [
        ("Which genes are targets of {chemical:imatinib}?", "targets-of-drug"),
        ("Which genes are drug targets in {disease:asthma}?", "genes-of-disease"),
        ("Which drugs target genes such as {gene:EGFR}?", "drugs-of-gene"),
        ("Which genes are associated with diseases such as {disease:gout}?", "genes-of-disease"),
        ("Which drugs improve the symptoms of {disease:asthma}?", "drugs-of-disease"),
        ("Which drugs are inhibitors of {gene:EGFR}?", "drugs-of-gene:decreased"),
    ],
)
def test_one_hop_stays_one_hop(question: str, template: str) -> None:
    made = planned(question)
    assert made.template.startswith(template)
    assert (len(made.edges), made.unapplied) == (1, ())


def test_the_second_hop_keeps_its_direction_and_harm_leads_nowhere() -> None:
    made = planned("Which drugs inhibit the target of {chemical:imatinib}?")
    assert made.edges[1].qualifiers == LESS
    assert made.node("between").categories == ("biolink:Gene",)  # TRAPI: one with qualifiers
    assert len(plan_to_trapi(made)) == 3
    treated = planned("Which genes are targeted by drugs for {disease:asthma}?")
    assert "biolink:treats" in treated.edges[0].predicates
    assert "biolink:causes" not in treated.edges[0].predicates
    assert not treated.treatment  # its candidates are genes


def test_it_is_understood_in_words() -> None:
    assert planned("drugs with the same target as {chemical:imatinib}").understood == (
        "drugs and chemicals that act on any of the genes and proteins that imatinib (chemical) "
        "acts on"
    )


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("genes involved in {disease:asthma} that drugs target", "that drugs target"),
        ("Which drugs treat {disease:gout} and what are their side effects?",
         "what are their side effects"),
        ("Which drugs treat {disease:gout}? How do they work?", "how do they work"),
        ("Which drugs inhibit the degradation of {gene:TP53}?", "inhibit the degradation of"),
        ("Which drugs prevent the inhibition of {gene:CYP3A4}?", "prevent the inhibition of"),
        ("Which phenotypes are absent in {disease:Marfan syndrome}?", "absent"),
        ("Which genes are upregulated in {disease:psoriasis}?", "upregulated"),
        ("Which genes decrease the risk of {disease:gout}?", "decrease the risk"),
    ],
)  # fmt: skip
def test_the_part_that_is_not_answered_is_named(question: str, left: str) -> None:
    assert planned(question).unapplied == (left,)


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs inhibit {gene:ABL1}?",
        "Which genes are upregulated by {chemical:imatinib}?",
        "Which drugs increase the expression of {gene:TP53}?",
    ],
)
def test_a_direction_that_a_hop_asks_for_is_not_left_out(question: str) -> None:
    made = planned(question)
    assert made.unapplied == ()
    assert any(edge.qualifiers for edge in made.edges)


def test_what_is_left_out_is_shown_with_the_plan() -> None:
    shown = explain_plan(planned("genes involved in {disease:asthma} that drugs target"))
    assert shown.splitlines()[1] == "left out:   that drugs target"


def test_an_entity_that_the_plan_leaves_out_is_named() -> None:
    made = planned("Which genes are expressed in {anatomy:kidney} in {disease:gout}?")
    assert made.unapplied == ("kidney",)
    assert len(made.notes) == 1


def test_two_questions_are_refused() -> None:
    with pytest.raises(PlanError, match="that is two questions: the second one asks for genes"):
        planned("Which drugs treat {disease:gout} and which genes cause {disease:asthma}?")
    with pytest.raises(PlanError, match="what is shared with one of them cannot be asked together"):
        planned("Which drugs for {disease:gout} share a target with {chemical:imatinib}?")
    with pytest.raises(PlanError, match="what is shared with one of them cannot be asked together"):
        planned("drugs for {disease:gout} with the same target as {chemical:imatinib}")
    them = planned("What treats {disease:gout} and which of these inhibit {gene:PTGS2}?")
    assert them.must_reach_all
