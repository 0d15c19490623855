"""How far a candidate has come for the disease; salts and their parents; what attributes say."""

from __future__ import annotations

from typing import Any

import pytest
from evidence_material import edge, node, text_mined
from hypothesis import given
from hypothesis import strategies as st

from fedrag.datamodel import Attribute, Edge
from fedrag.evidence.attributes import approval, confidence, phase, phase_words, trial_phase
from fedrag.evidence.clinical import evidence_words
from fedrag.evidence.salts import parent_name
from fedrag.evidence.status import clinical_stage, treatment_status

DRUG = node("CHEBI:1", "a drug", "drug")
HERE = node("MONDO:1", "this disease", "disease")
OTHER = node("MONDO:2", "another disease", "disease")


def told(predicate: str, **attributes: Any) -> Edge:
    """An edge to this disease whose attributes are ``biolink:`` ones."""
    made = [Attribute(f"biolink:{name}", value) for name, value in attributes.items()]
    return edge(DRUG, predicate, HERE, attributes=made)


def test_approved_for_this_condition() -> None:
    made = told("treats", clinical_approval_status="biolink:approved_for_condition")
    assert treatment_status([made], []) == (
        "established",
        "approved for this disease (infores:drugcentral)",
    )


def test_treats_of_a_curated_source_is_approval_and_says_so() -> None:
    assert treatment_status([edge(DRUG, "treats", HERE)], []) == (
        "established",
        "treats this disease, asserted by infores:drugcentral",
    )


def test_treats_of_a_text_miner_is_not() -> None:
    assert treatment_status([text_mined(DRUG, "treats", HERE)], [])[0] == (
        "preclinical_or_text_mined"
    )


def test_a_trial_never_becomes_an_approval() -> None:
    trial = told("in_clinical_trials_for", max_research_phase=4)
    assert treatment_status([trial], []) == ("in_trials", "phase 4")
    without = edge(DRUG, "in_clinical_trials_for", HERE)
    assert treatment_status([without], []) == ("in_trials", "phase not stated")


def test_the_furthest_trial_counts_and_doubt_is_told() -> None:
    trials = [told("in_clinical_trials_for", max_research_phase=p) for p in (1, 2.5, 2)]
    assert treatment_status(trials, [])[1] == "phase 2/3"
    doubted = edge(
        DRUG,
        "in_clinical_trials_for",
        HERE,
        attributes=[
            Attribute("biolink:max_research_phase", 3),
            Attribute("clinical_trial_tested_intervention", "unsure"),
        ],
    )
    assert treatment_status([doubted], [])[1] == "phase 3, perhaps not the tested drug"
    assert clinical_stage(doubted)[0] == 0.0
    assert treatment_status([doubted, *trials], [])[1] == "phase 2/3"
    assert trial_phase(doubted) == (False, 3.0)


def study(number: object, tested: str) -> Attribute:
    inside = (
        Attribute("biolink:clinical_trial_phase", number),
        Attribute("clinical_trial_tested_intervention", tested),
    )
    return Attribute("biolink:supporting_study", "NCT", attributes=inside)


def test_one_doubtful_study_does_not_void_the_others() -> None:
    def trials(*attributes: Attribute) -> Edge:
        return edge(DRUG, "in_clinical_trials_for", HERE, attributes=list(attributes))

    both = trials(study("phase 3", "yes"), study("phase 2", "unsure"))
    assert clinical_stage(both) == (0.6, "phase 3")
    higher_doubted = trials(study("phase 1", "yes"), study("phase 3", "no"))
    assert clinical_stage(higher_doubted) == (0.2, "phase 1")
    highest = Attribute("biolink:max_research_phase", 3)
    assert clinical_stage(trials(highest, study("phase 3", "no")))[0] == 0.0
    assert clinical_stage(trials(highest, study("", "yes"))) == (0.6, "phase 3")


@pytest.mark.parametrize(
    ("said", "number"),
    [("-1.0", None), ("phase_iii", 3.0), ("Phase II", 2.0), (10**400, None), (True, None)],
)
def test_a_phase_is_read_however_it_is_written(said: object, number: float | None) -> None:
    assert phase(told("in_clinical_trials_for", clinical_trial_phase=said)) == number


def test_a_development_that_was_given_up_is_no_current_trial() -> None:
    given_up = told("in_clinical_trials_for", clinical_trial_phase="Discontinued in Phase 3")
    assert clinical_stage(given_up) == (0.0, "phase 3, discontinued")


def test_a_score_or_a_rating_that_is_no_number_costs_nothing_else() -> None:
    assert confidence(told("treats", has_confidence_score=10**400)) == 0.0
    odd = told("associated_with_resistance_to", evidence_level="A", evidence_rating="²")
    assert evidence_words(odd) == " (CIViC level A)"


def test_treatment_of_other_diseases_only() -> None:
    elsewhere = [edge(DRUG, "treats", OTHER)]
    assert treatment_status([text_mined(DRUG, "treats", HERE)], elsewhere) == (
        "other_diseases",
        None,
    )
    assert treatment_status([], [text_mined(DRUG, "treats", OTHER)])[0] == (
        "preclinical_or_text_mined"
    )
    assert treatment_status([], [edge(DRUG, "treats", OTHER, negated=True)])[0] == (
        "preclinical_or_text_mined"
    )


def test_use_without_approval_says_so() -> None:
    assert treatment_status([edge(DRUG, "applied_to_treat", HERE, level="observation")], []) == (
        "other_diseases",
        "used for this disease, approval not stated",
    )


def test_a_withdrawn_drug_is_not_approved() -> None:
    withdrawn = told("related_to", clinical_approval_status="post_approval_withdrawal")
    assert approval(withdrawn) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (4, 4.0),
        ("2.5", 2.5),
        (["clinical_trial_phase_3"], 3.0),
        ("biolink:clinical_trial_phase_1_to_2", 1.5),
        ("PHASE1", 1.0),
        ("Phase 2/Phase 3", 2.5),
        ("Phase III", 3.0),
        ("early phase 1", 0.5),
        ("pre_clinical_research_phase", 0.0),
        ("not_provided", None),
        (True, None),
        (2019, None),
        (None, None),
        ({"a": 1}, 1.0),
    ],
)
def test_phases_are_read_in_every_form(value: Any, said: float | None) -> None:
    assert phase(told("treats", max_research_phase=value)) == said


def test_a_nested_phase_is_read() -> None:
    study = Attribute(
        "biolink:supporting_study",
        "NCT01297777",
        attributes=(Attribute("clinical_trial_phase", 4),),
    )
    assert phase(edge(DRUG, "treats", HERE, attributes=[study])) == 4.0


def test_phase_words_cover_the_scale() -> None:
    assert [phase_words(p) for p in (0, 0.5, 1, 1.5, 2, 2.5, 3, 4)] == [
        "preclinical",
        "early phase 1",
        "phase 1",
        "phase 1/2",
        "phase 2",
        "phase 2/3",
        "phase 3",
        "phase 4",
    ]


def test_confidence_is_bounded_and_monotone() -> None:
    scores = [confidence(told("treats", extraction_confidence_score=s)) for s in (0, 0.3, 0.9, 1.1)]
    assert scores == [0.0, 0.3, 0.9, 1.0]
    counts = [confidence(told("treats", evidence_count=n)) for n in (0, 1, 10, 100, 10_000)]
    assert counts == sorted(counts)
    assert counts[0] == 0.0
    assert counts[-1] == 1.0
    assert confidence(told("treats", combined_score=700)) == 0.7
    assert confidence(told("treats", extraction_confidence_score="not a number")) == 0.0
    assert confidence(edge(DRUG, "treats", HERE, publications=["PMID:1"])) > 0.0


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists))
def test_no_attribute_value_breaks_the_reading(value: Any) -> None:
    made = told("treats", max_research_phase=value, extraction_confidence_score=value)
    number = phase(made)
    assert number is None or 0.0 <= number <= 4.0
    assert 0.0 <= confidence(made) <= 1.0


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("imatinib methanesulfonate", "imatinib"),
        ("RANITIDINE HYDROCHLORIDE", "RANITIDINE"),
        ("morphine sulfate pentahydrate", "morphine"),
        ("dexamethasone sodium phosphate", "dexamethasone"),
        ("montelukast sodium", "montelukast"),
        ("[OBSOLETE] obatoclax mesylate", "obatoclax"),
        ("cyclophosphamide hydrate", "cyclophosphamide"),
        ("imatinib", None),
        ("Potassium bicarbonate", None),
        ("Magnesium hydroxide", None),
        ("sodium chloride", None),
        ("Citric acid", None),
        ("methyl salicylate", None),
        ("zinc sulfate", None),
        ("Calcium", None),
        ("", None),
    ],
)
def test_the_parent_of_a_salt(name: str, parent: str | None) -> None:
    assert parent_name(name) == parent


def test_a_parent_takes_the_spelling_of_an_equivalent_label() -> None:
    labels = [None, "IMATINIB", "Gleevec", "imatinib", "imatinib 400 MG"]
    assert parent_name("Imatinib Mesylate", labels) == "imatinib"
    assert parent_name("Imatinib Mesylate", ["IMATINIB"]) == "IMATINIB"
