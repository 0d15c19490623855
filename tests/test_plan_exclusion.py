"""Negation and exclusion: refused or noted, never answered as if the "not" were not there."""

from __future__ import annotations

import pytest
from plan_material import planned

from fedrag.errors import PlanError


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which drugs do not treat {disease:gout}?", "'do not treat gout'"),
        ("Which drugs don't treat {disease:gout}?", '"don\'t treat gout"'),
        ("Which gene does NOT interact with {chemical:imatinib}?", "'does not interact with"),
        ("genes not associated with {disease:asthma}", "'not associated with asthma'"),
        ("Which drugs cannot treat {disease:asthma}?", "'cannot treat asthma'"),
        ("Which drugs fail to treat {disease:asthma}?", "'fail to treat asthma'"),
        ("Which drugs were never tested in {disease:asthma}?", "'never tested in asthma'"),
        ("Why does {chemical:aspirin} not treat {disease:gout}?", "not treat gout'"),
        ("Which drugs are ineffective in {disease:gout}?", "'ineffective in gout'"),
        ("genes unrelated to {disease:asthma}", "'unrelated to asthma'"),
        ("Is it false that {chemical:aspirin} treats {disease:gout}?", "'is it false that"),
        ("is it untrue that {chemical:aspirin} treats {disease:gout}", "'is it untrue that"),
        ("Is it wrong to say that {chemical:aspirin} treats {disease:gout}?", "'wrong to say that"),
        ("What would refute that {chemical:aspirin} treats {disease:gout}?", "'refute that"),
    ],
)
def test_what_does_not_hold_cannot_be_asked(question: str, said: str) -> None:
    with pytest.raises(PlanError) as caught:
        planned(question)
    assert caught.value.message.startswith("understood: ")
    assert said in caught.value.message
    assert "what is not returned is not known to be false" in caught.value.message


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which drugs treat {disease:gout} but not {disease:edema}?", "'but not edema'"),
        ("Which drugs treat {disease:gout} but don't cause {disease:edema}?", 'cause edema"'),
        ("Which drugs treat {disease:gout} without causing {disease:edema}?", "'without causing"),
        ("Which drugs other than {chemical:aspirin} treat {disease:gout}?", "'other than aspirin'"),
        ("Which drugs except {chemical:aspirin} treat {disease:gout}?", "'except aspirin'"),
        ("Besides {chemical:aspirin}, what treats {disease:gout}?", "'besides aspirin'"),
        ("drugs for {disease:gout} excluding {chemical:aspirin}", "'excluding aspirin'"),
        ("drugs for {disease:gout} with no effect on {gene:PTGS2}", "'with no effect on PTGS2'"),
        ("drugs for {disease:gout} lacking activity at {gene:PTGS2}", "'lacking activity at PTGS2"),
        ("List drugs for {disease:gout}, exclude {chemical:aspirin}", "'exclude aspirin'"),
        ("drugs for {disease:gout}, leaving out {chemical:aspirin}", "'leaving out aspirin'"),
        ("Which drugs for {disease:gout} avoid {gene:PTGS2}?", "'avoid PTGS2'"),
        ("Which drugs for {disease:gout} spare {gene:PTGS1}?", "'spare PTGS1'"),
        ("Which {gene:PTGS1}-sparing drugs treat {disease:gout}?", "'PTGS1-sparing drugs"),
        ("Which drugs treat {gene:ERBB2}-negative {disease:gout}?", "'ERBB2-negative gout'"),
        ("Which non-{chemical:opioid} drugs treat {disease:gout}?", "'non-opioid'"),
    ],
)
def test_exclusion_is_refused_with_what_to_ask_instead(question: str, said: str) -> None:
    with pytest.raises(PlanError) as caught:
        planned(question)
    assert said in caught.value.message
    assert "exclusion is not supported" in caught.value.message
    assert "gout (disease)" in caught.value.message
    assert caught.value.hint is not None
    assert " apart, and compare the answers" in caught.value.hint


def test_a_class_that_is_not_recognised_is_excluded_all_the_same() -> None:
    with pytest.raises(PlanError) as caught:
        planned("Which non-opioid drugs treat {disease:pain}?")
    assert caught.value.message == (
        "understood: drugs, with pain (disease); but 'non-opioid drugs treat pain' excludes "
        "something, and exclusion is not supported"
    )


def test_a_forced_template_does_not_hide_the_negation() -> None:
    with pytest.raises(PlanError, match="asks for what does not hold"):
        planned("Which drugs do not treat {disease:gout}?", template="drugs-of-disease")


@pytest.mark.parametrize(
    ("question", "note"),
    [
        (
            "Is there any drug for {disease:hyperkalemia} besides dialysis?",
            "the question excludes something ('besides dialysis'); that was not considered",
        ),
        (
            "Which drugs treat {disease:asthma} in patients who do not respond to steroids?",
            "the question denies something ('do not respond to steroids'); that was not considered",
        ),
    ],
)
def test_what_excludes_nothing_that_was_recognised_is_a_note(question: str, note: str) -> None:
    made = planned(question)
    assert made.template == "drugs-of-disease"
    assert made.notes == (note,)
    assert made.unapplied == (note.split("(", 1)[1].split(")")[0].strip("'"),)


@pytest.mark.parametrize(
    ("question", "template"),
    [
        ("Which drugs treat {disease:non-small cell lung carcinoma}?", "drugs-of-disease"),
        ("Which drugs treat {disease:migraine without aura}?", "drugs-of-disease"),
        ("Which drugs treat {disease:disease not otherwise specified}?", "drugs-of-disease"),
        ("Which drugs treat not only {disease:fever} but also {disease:pain}?", "two-conditions"),
        ("I do not know which gene causes {disease:asthma}.", "genes-of-disease"),
        ("She did not recover. Which drugs treat {disease:asthma}?", "drugs-of-disease"),
        ("What should I not mix with {chemical:lithium}?", "drugs-interacting-with-drug"),
        ("Which drugs can't be taken with {chemical:lithium}?", "drugs-interacting-with-drug"),
        ("Which drug should not be used in {disease:asthma}?", "drugs-causing-condition"),
        ("Does {chemical:aspirin} treat {disease:fever} or not?", "relation-of-two"),
        ("Doesn't {chemical:aspirin} treat {disease:fever}?", "relation-of-two"),
        ("Does {chemical:aspirin} not treat {disease:fever}?", "relation-of-two"),
        ("True or false: {chemical:aspirin} treats {disease:fever}", "relation-of-two"),
        ("Drugs to avoid in {disease:asthma}", "drugs-causing-condition"),
        ("Should people with {disease:asthma} avoid {chemical:aspirin}?", "relation-of-two"),
        ("Which drugs help avoid {disease:stroke}?", "drugs-of-disease:prevented"),
        ("Which non-steroidal drugs treat {disease:fever}?", "drugs-of-disease"),
        ("Which genes are negative regulators of {gene:STAT3}?",
         "partners-of-gene:regulators-decreased"),
        ("Who negatively regulates {gene:STAT3}? Looking for proteins, not compounds",
         "partners-of-gene:anything-decreasing"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_negation_is_planned(question: str, template: str) -> None:
    made = planned(question)
    assert made.template == template
    assert made.notes == ()


@pytest.mark.parametrize(
    ("question", "treatment"),
    [
        ("Does {chemical:aspirin} treat {disease:fever}?", True),
        ("Is {chemical:aspirin} a treatment for {disease:fever}?", True),
        ("Does {chemical:aspirin} work in {disease:fever}?", True),
        ("{chemical:aspirin} for {disease:fever}?", True),
        ("Can {chemical:aspirin} and {chemical:ibuprofen} treat {disease:fever}?", True),
        ("How does {chemical:aspirin} treat {disease:fever}?", True),
        ("Does {chemical:aspirin} cause {disease:fever}?", False),
        ("Does {chemical:aspirin} prevent {disease:fever}?", False),
        ("What links {chemical:aspirin} and {disease:fever}?", False),
        ("Does {gene:PTGS2} help in {disease:fever}?", False),
    ],
)
def test_a_drug_and_a_disease_with_a_treatment_verb_ask_for_treatment(
    question: str, treatment: bool
) -> None:
    made = planned(question)
    assert made.kind == "relation"
    assert made.treatment is treatment
