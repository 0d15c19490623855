"""Treatment questions asked of a small world: support, trials and harm are told apart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from federated import ask

from fedrag.datamodel import Answer
from fedrag.testing import FactBook, FactNode, Federation, Statement

DISCLAIMER = "Research use; not medical advice. Retractions not checked."
DISEASE, GENE = "MONDO:0000001", "NCBIGene:1"
_NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_INHIBITS = (
    ("qualified_predicate", "biolink:causes"),
    ("object_aspect_qualifier", "activity"),
    ("object_direction_qualifier", "decreased"),
)


def _drug(name: str) -> str:
    return f"CHEBI:{_NAMES.index(name) + 1}"


def _book() -> FactBook:
    """Six drugs treat testosis, one of which is contraindicated too; four others do not."""
    nodes = [FactNode(_drug(n), f"drug{n}", ("biolink:SmallMolecule",)) for n in _NAMES]
    nodes.append(FactNode(DISEASE, "testosis", ("biolink:Disease",)))
    nodes.append(FactNode(GENE, "GENEA", ("biolink:Gene",), taxa=("NCBITaxon:9606",)))
    mined = Statement(
        _drug("three"),
        "biolink:treats",
        DISEASE,
        agent_type="text_mining_agent",
        knowledge_level="not_provided",
    )
    treating = ("four", "five", "six", "seven", "eight", "ten")
    return FactBook.from_statements(
        [
            *(Statement(_drug(name), "biolink:treats", DISEASE) for name in treating),
            Statement(_drug("one"), "biolink:in_clinical_trials_for", DISEASE),
            Statement(_drug("one"), "biolink:affects", GENE, qualifiers=_INHIBITS),
            Statement(GENE, "biolink:contributes_to", DISEASE),
            Statement(_drug("two"), "biolink:treats", DISEASE, negated=True),
            mined,
            Statement(_drug("nine"), "biolink:causes", DISEASE),
            Statement(_drug("ten"), "biolink:contraindicated_in", DISEASE),
        ],
        nodes,
    )


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation(_book()) as running:
        yield running


@pytest.fixture(scope="module")
def listed(world: Federation) -> Answer:
    return ask(world, "Which drugs treat testosis?")


@pytest.mark.parametrize("top_k", [1, 2, 40])
def test_ties_are_counted_in_the_ranking_whatever_the_page_holds(
    world: Federation, top_k: int
) -> None:
    answer = ask(world, "Which drugs treat testosis?", top_k=top_k)
    assert [c.score for c in answer.candidates][:5] == [answer.candidates[0].score] * 5
    first = answer.text.splitlines()[0]
    assert " are tied as best supported of 8 candidates returned; " in first
    assert (4 if top_k == 1 else 3 if top_k == 2 else 2) == int(
        first.partition(" more are tied")[0].split()[-1]
    )
    one = ask(world, "Which drug best treats testosis?", top_k=top_k).text
    assert one.startswith(
        "drugeight [E1] is the best supported of 8 candidates returned, tied with"
    )
    if top_k == 1:
        assert "tied with 4 others: the evidence does not tell them apart." in one


def test_what_nothing_supports_is_no_candidate_returned_and_has_no_status(listed: Answer) -> None:
    status = {c.name: c.status for c in listed.candidates}
    assert (status["drugtwo"], status["drugnine"]) == (None, None)
    assert status["drugten"] == "established"
    assert status["drugone"] == "in_trials"
    assert listed.text.startswith(
        "drugeight [E1], drugfive [E2], drugfour [E3] and 2 more are tied"
    )


def test_evidence_against_is_named_for_whom_the_list_shows_and_apart_for_others(
    listed: Answer,
) -> None:
    against = {c.name: c.against_keys for c in listed.candidates if c.against}
    assert sorted(against) == ["drugnine", "drugten", "drugtwo"]
    lines = listed.text.splitlines()
    ten, nine, two = (against[name][0] for name in ("drugten", "drugnine", "drugtwo"))
    assert f"   Evidence against drugten: drugten is contraindicated in testosis [{ten}]." in lines
    assert any(f"but also stated as contraindicated [{ten}]): drugten treats" in x for x in lines)
    assert (
        f"Not supported by anything returned, only spoken against: drugnine causes testosis "
        f"[{nine}]; drugtwo does not treat testosis [{two}]."
    ) in lines
    assert lines[-1] == f"All that is cited: drugmechdb; knowledge assertion. {DISCLAIMER}"


def test_evidence_against_that_found_no_place_on_the_page_is_named(world: Federation) -> None:
    text = ask(world, "Which drugs treat testosis?", top_k=1).text
    assert (
        "Evidence against 3 further candidates is not on this page: drugten, drugnine and drugtwo."
    ) in text


@pytest.mark.parametrize(
    ("drug", "start"),
    [
        (
            "four",
            "Supported as a treatment: drugfour treats testosis [E1] (drugmechdb; knowledge "
            "assertion). Status: established treatment of this disease (treats, asserted by "
            "drugmechdb).",
        ),
        (
            "ten",
            "Supported as a treatment: drugten treats testosis [E1]. Status: established treatment "
            "of this disease (treats, asserted by drugmechdb). Evidence against: drugten is "
            "contraindicated in testosis [E2]. All that is cited: drugmechdb; knowledge assertion.",
        ),
        (
            "three",
            "Supported as a treatment by text mining alone, which is weak: drugthree treats "
            "testosis [E1] (drugmechdb; knowledge level not provided, text-mined). Status: "
            "preclinical or text-mined only.",
        ),
        (
            "one",
            "No edge that supports a treatment, between drugone and testosis, was returned, which "
            "is not to say that there is none. Trials or studies, which are not yet a treatment: "
            "drugone is in clinical trials for testosis [E1]. Status: in clinical trials for this "
            "disease, phase not stated. They are also connected through GENEA [E2][E3]. drugone "
            "decreases activity of GENEA [E2]. GENEA contributes to testosis [E3]. All that is "
            "cited: drugmechdb; knowledge assertion.",
        ),
        (
            "nine",
            "No edge that supports a treatment, between drugnine and testosis, was returned, which "
            "is not to say that there is none. Evidence against: drugnine causes testosis [E1] "
            "(drugmechdb; knowledge assertion).",
        ),
        (
            "two",
            "No edge that supports a treatment, between drugtwo and testosis, was returned, which "
            "is not to say that there is none. Evidence against: drugtwo does not treat testosis "
            "[E1] (drugmechdb; knowledge assertion).",
        ),
    ],
)
def test_does_it_treat_tells_support_trials_and_harm_apart(
    world: Federation, drug: str, start: str
) -> None:
    answer = ask(world, f"Does drug{drug} treat testosis?")
    assert answer.kind == "relation"
    assert answer.text == f"{start} {DISCLAIMER}"
    assert all(c.status is None for c in answer.candidates)


def test_a_page_of_one_still_holds_both_sides_of_a_treatment(world: Federation) -> None:
    answer = ask(world, "Is drugten a treatment for testosis?", top_k=1)
    assert "Supported as a treatment: drugten treats testosis [E1]" in answer.text
    assert "Evidence against: drugten is contraindicated in testosis [E2]" in answer.text
    polarity = {item.sentence: item.polarity for item in answer.evidence}
    assert polarity["drugten is contraindicated in testosis"] == "against"


def test_a_cause_that_was_asked_for_is_a_direct_relation(world: Federation) -> None:
    answer = ask(world, "Does drugnine cause testosis?")
    assert answer.text.startswith("The returned edge states this [E1]. drugnine causes testosis")
    assert DISCLAIMER not in answer.text


@pytest.mark.parametrize(("status", "kept"), [("in_trials", 1), ("other_diseases", 0)])
def test_a_status_filter_tells_in_the_text_what_it_left_out(
    world: Federation, status: str, kept: int
) -> None:
    answer = ask(world, "Which drugs treat testosis?", status=(status,))
    assert len([c for c in answer.candidates if c.support]) == kept
    assert answer.abstained is (kept == 0)
    if kept:
        assert answer.text.startswith(
            "drugone [E1] is the only candidate of this status returned (7 of another status left "
            "out):"
        )
    else:
        assert answer.text.startswith(
            "8 supported candidates were returned, none of the status asked for: 6 'established "
            "treatment of this disease', 1 'in clinical trials for this disease' and 1 "
            "'preclinical or text-mined only'. Without --status they are listed."
        )
    assert "only spoken against: drugnine causes testosis" in answer.text
