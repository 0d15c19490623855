"""Yes-or-no and how-many questions, status in words, and the hops an answer tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from answer_material import (
    DECREASES_ACTIVITY,
    E1,
    E2,
    E5,
    ENTITIES,
    GENES,
    GOUT,
    HCTZ,
    HYPERTENSION,
    LISINOPRIL,
    PLAN,
    SLC12A3,
    candidate,
    edge,
    evidence,
    material,
)

from fedrag.answer.compose import compose_from
from fedrag.answer.wording import status_text
from fedrag.datamodel import Entity, Evidence, QueryNode

ASKS_PAIR = replace(
    PLAN,
    kind="relation",
    nodes=(
        QueryNode("a", ("biolink:ChemicalEntity",), (HCTZ.curie,), entity=0),
        QueryNode("b", ("biolink:Gene",), (SLC12A3.curie,), entity=1),
    ),
)


def told(question: str, *found: Evidence) -> str:
    """The answer to a question about the drug and its target, of which one edge was returned."""
    pair = []
    for node in (HCTZ, SLC12A3):
        start = question.index(node.name)
        end = start + len(node.name)
        pair.append(Entity(node.name, start, end, node.curie, node.name, node.categories, "exact"))
    given = material(
        question=question,
        plan=ASKS_PAIR,
        entities=tuple(pair),
        evidence=found or (E1,),
        candidates=(),
    )
    return compose_from(given).text


@pytest.mark.parametrize(
    ("question", "start"),
    [
        (
            "Does Hydrochlorothiazide decrease the activity of SLC12A3?",
            "The returned edge states this [E1]. Hydrochlorothiazide decreases activity of",
        ),
        ("Is SLC12A3 inhibited by Hydrochlorothiazide?", "The returned edge states this [E1]."),
        (
            "Does Hydrochlorothiazide activate SLC12A3?",
            "The returned edge states the opposite direction [E1].",
        ),
        (
            "Can SLC12A3 inhibit Hydrochlorothiazide?",
            "The returned edge states the opposite direction [E1].",
        ),
        (
            "Does Hydrochlorothiazide cure SLC12A3?",
            "No edge that states this was returned, which is no denial; others were [E1].",
        ),
        ("What links Hydrochlorothiazide and SLC12A3?", "A direct relation was returned [E1]."),
    ],
)
def test_a_yes_or_no_question_is_held_against_the_edges(question: str, start: str) -> None:
    assert told(question).startswith(start)


def test_edges_that_disagree_are_both_told() -> None:
    raised = tuple((k, v.replace("decreased", "increased")) for k, v in DECREASES_ACTIVITY)
    up = [
        evidence(f"E{n}", f"Hydrochlorothiazide increases activity of SLC12A3 ({n})", one)
        for n, one in enumerate((edge(HCTZ, "affects", SLC12A3, raised),) * 5, start=2)
    ]
    text = told("Does Hydrochlorothiazide increase the activity of SLC12A3?", E1, *up)
    assert text.startswith("The returned edges disagree: 5 state this [E2][E3][E4]")
    assert ", 1 states the opposite [E1]." in text
    denied = evidence("E2", "-", edge(HCTZ, "affects", SLC12A3, DECREASES_ACTIVITY, negated=True))
    both = told("Does Hydrochlorothiazide decrease the activity of SLC12A3?", E1, denied)
    assert both.startswith("The returned edges disagree: 1 states this [E1], 1 states the opposite")


def test_more_of_a_loss_is_not_more_of_the_thing() -> None:
    lost = (
        ("biolink:qualified_predicate", "biolink:causes"),
        ("biolink:object_aspect_qualifier", "degradation"),
        ("biolink:object_direction_qualifier", "increased"),
    )
    said = "Hydrochlorothiazide increases degradation of SLC12A3"
    item = evidence("E1", said, edge(HCTZ, "affects", SLC12A3, lost))
    for wording in ("increase", "increase expression of", "decrease"):
        text = told(f"Does Hydrochlorothiazide {wording} SLC12A3?", item)
        assert text.startswith("No edge that states this was returned")
    text = told("Does Hydrochlorothiazide increase degradation of SLC12A3?", item)
    assert text.startswith("The returned edge states this [E1].")


def test_that_a_harm_is_denied_is_no_evidence_against() -> None:
    asked = replace(
        PLAN,
        kind="relation",
        treatment=True,
        nodes=(
            QueryNode("a", ("biolink:ChemicalEntity",), (HCTZ.curie,), entity=0),
            QueryNode("b", ("biolink:Disease",), (GOUT.curie,), entity=1),
        ),
    )
    said = f"{HCTZ.name} treats {GOUT.name}"
    pair = tuple(
        Entity(n.name, said.index(n.name), 0, n.curie, n.name, n.categories, "exact")
        for n in (HCTZ, GOUT)
    )
    treats = evidence("E1", said, edge(HCTZ, "treats", GOUT))
    denied = edge(HCTZ, "contraindicated_in", GOUT, negated=True)
    harmless = evidence(
        "E2", f"{HCTZ.name} is not contraindicated in {GOUT.name}", denied, polarity="context"
    )
    given = material(
        question=f"Does {said}?",
        plan=asked,
        entities=pair,
        evidence=(treats, harmless),
        candidates=(),
    )
    assert "Evidence against" not in compose_from(given).text


def test_how_many_is_answered_with_the_count_that_was_returned() -> None:
    asked = material(question="How many genes are there?", plan=replace(PLAN, kind="list"))
    assert compose_from(asked).text.startswith(
        "3 supported candidates were returned, which need not be all [E1][E5][E4]."
    )


def test_only_an_approval_that_a_source_tells_is_called_one() -> None:
    assert (
        status_text("established", "approved for gout (infores:x)") == "approved for this disease"
    )
    assert status_text("established", "treats gout, asserted by infores:x") == (
        "established treatment of this disease (treats, asserted by x)"
    )
    assert "approved" not in status_text("other_diseases")


def test_a_contraindication_for_the_same_disease_stands_beside_the_status() -> None:
    treats = evidence("E1", "Lisinopril treats gout", edge(LISINOPRIL, "treats", GOUT))
    harms = evidence(
        "E2",
        "Lisinopril is contraindicated in gout",
        edge(LISINOPRIL, "contraindicated_in", GOUT),
        polarity="against",
    )
    drug = candidate(
        LISINOPRIL,
        5.0,
        treats,
        against=(harms,),
        status="established",
        status_detail="treats gout, asserted by infores:drugmechdb",
    )
    gout = Entity("gout", 0, 4, GOUT.curie, "gout", GOUT.categories, "exact")
    plan = replace(PLAN, kind="list", treatment=True, nodes=())
    given = material(plan=plan, entities=(gout,), candidates=(drug,), evidence=(treats, harms))
    assert (
        "1. Lisinopril (established treatment of this disease: treats, asserted by drugmechdb, "
        "but also stated as contraindicated [E2]): Lisinopril treats gout [E1]."
    ) in compose_from(given).text


def test_each_hop_is_told_once_and_parallel_edges_behind_also() -> None:
    """Two edges say the first hop, one the second: the second is not crowded out."""
    parallel = evidence("E12", "Hydrochlorothiazide binds SLC12A3", edge(HCTZ, "binds", SLC12A3))
    further = evidence(
        "E13",
        "Lisinopril decreases SLC12A3",
        edge(LISINOPRIL, "affects", SLC12A3, DECREASES_ACTIVITY),
    )
    last = evidence("E14", "Lisinopril treats it", edge(LISINOPRIL, "treats", HYPERTENSION))
    gene = candidate(SLC12A3, 9.0, E1, parallel, further, last)
    draft = compose_from(material(candidates=(gene,), evidence=(E1, parallel, further, last)))
    assert (
        "Hydrochlorothiazide decreases activity of SLC12A3 [E1]. Lisinopril decreases SLC12A3 "
        "[E13]. Lisinopril treats it [E14]. Also [E12]."
    ) in draft.text


def test_two_conditions_are_both_written_and_a_common_source_is_said_once() -> None:
    both = replace(PLAN, kind="list", must_reach_all=True)
    text = compose_from(material(plan=both, candidates=GENES[:1], evidence=(E1, E2))).text
    assert text.splitlines()[1:] == [
        "1. SLC12A3: Hydrochlorothiazide decreases activity of SLC12A3 [E1]. SLC12A3 contributes "
        "to hypertensive disorder [E2].",
        "All that is cited: drugmechdb; knowledge assertion.",
    ]
    mixed = evidence(
        "E5", E5.sentence, *(replace(e, knowledge_level="prediction") for e in E5.edges)
    )
    told_apart = compose_from(
        material(plan=both, candidates=GENES[:2], evidence=(E1, E2, mixed))
    ).text
    assert "[E1] (drugmechdb; knowledge assertion)" in told_apart
    assert "[E5] (drugmechdb; prediction)" in told_apart
    assert len(ENTITIES) == 2
