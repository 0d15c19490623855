"""The answer without a language model: what it says, in which order, and when it says nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from answer_material import (
    CA2,
    E1,
    E2,
    E3,
    E4,
    E5,
    E6,
    E7,
    E8,
    E10,
    E11,
    ENTITIES,
    EVIDENCE,
    GENES,
    GOUT,
    HCTZ,
    KCNMA1,
    LISINOPRIL,
    PLAN,
    QUESTION,
    SERVICES,
    candidate,
    edge,
    evidence,
    material,
)

from fedrag.answer import Draft, compose
from fedrag.answer.compose import compose_from
from fedrag.datamodel import EdgeNode, ServiceReport

DISCLAIMER = "Research use; not medical advice. Retractions not checked."
LIST = replace(PLAN, kind="list")
RELATION = replace(PLAN, kind="relation")
TREATMENT = replace(PLAN, kind="list", treatment=True, answer_categories=("biolink:Drug",))


def check_citations(draft: Draft) -> None:
    """Every sentence cites what is in the evidence, and its text shows those keys."""
    keys = {e.key for e in EVIDENCE}
    assert draft.sentences
    for line in draft.sentences:
        assert line.supported
        assert line.citations
        assert set(line.citations) <= keys
        assert set(re.findall(r"\[(E\d+)\]", line.text)) == set(line.citations)
        assert line.text in draft.text


def test_one_answer_reads_as_prose() -> None:
    draft = compose(QUESTION, PLAN, ENTITIES, GENES, EVIDENCE, SERVICES, "complete")
    assert draft.text == (
        "SLC12A3 is the best supported of 3 candidates returned [E1][E2]. "
        "Hydrochlorothiazide decreases activity of SLC12A3 [E1] (drugmechdb; knowledge assertion). "
        "SLC12A3 contributes to hypertensive disorder [E2] (drugmechdb; knowledge assertion). "
        "Next come CA2 [E5][E11] and KCNMA1 [E4]."
    )
    assert (draft.kind, draft.name, draft.curie, draft.items) == (
        "one",
        "SLC12A3",
        "NCBIGene:6559",
        ("SLC12A3",),
    )
    check_citations(draft)


def test_ties_are_named() -> None:
    tied = (GENES[0], replace(GENES[1], score=9.0), GENES[2])
    draft = compose_from(material(candidates=tied))
    assert draft.text.startswith(
        "SLC12A3 [E1][E2] is the best supported of 3 candidates returned, tied with CA2 [E5]: "
        "the evidence does not tell them apart."
    )
    assert draft.text.endswith("Next comes KCNMA1 [E4].")
    check_citations(draft)


def test_weak_support_is_said_first() -> None:
    draft = compose_from(material(candidates=(GENES[2],)))
    assert draft.text.startswith(
        "Weak support: what speaks for KCNMA1 is only text-mined [E4]. "
        "Partial support: what was returned connects KCNMA1 to Hydrochlorothiazide, "
        "not to hypertensive disorder [E4]. KCNMA1 is the only candidate returned [E4]."
    )
    assert "(semmeddb; knowledge level not provided, text-mined)" in draft.text
    check_citations(draft)


def test_evidence_against_is_named_and_never_counted_as_support() -> None:
    gouty = candidate(HCTZ, 3.0, E7, against=(E6, E8))
    draft = compose_from(material(candidates=(gouty,)))
    assert (
        "Evidence against Hydrochlorothiazide: Hydrochlorothiazide does not treat gout "
        "[E6]; Hydrochlorothiazide contributes to gout [E8]." in draft.text
    )
    assert draft.text.count("drugmechdb; knowledge assertion") == 1
    check_citations(draft)


def test_against_alone_is_no_answer_and_no_silence() -> None:
    harmful = candidate(HCTZ, -2.0, against=(E8,))
    draft = compose_from(material(candidates=(harmful,)))
    assert draft.text.startswith("Nothing returned supports a candidate; what was returned speaks")
    assert "contributes to gout [E8]" in draft.text
    assert (draft.name, draft.abstained) == (None, False)
    check_citations(draft)


def test_list_gives_each_item_its_evidence_on_its_own_line() -> None:
    draft = compose_from(material(plan=LIST))
    lines = draft.text.splitlines()
    assert lines[0] == "SLC12A3 [E1] is the best supported of 3 candidates returned; in order:"
    assert lines[1] == (
        "1. SLC12A3: Hydrochlorothiazide decreases activity of SLC12A3 [E1] "
        "(drugmechdb; knowledge assertion). SLC12A3 contributes to hypertensive disorder [E2] "
        "(drugmechdb; knowledge assertion)."
    )
    assert lines[3].startswith(
        "3. KCNMA1: Weak support: what speaks for KCNMA1 is only text-mined."
    )
    assert draft.items == ("SLC12A3", "CA2", "KCNMA1")
    check_citations(draft)


def test_list_names_ties_at_the_top_and_stops_at_seven() -> None:
    nodes = [EdgeNode(f"NCBIGene:{n}", f"GENE{n}", ("biolink:Gene",)) for n in range(9)]
    items = [
        evidence(f"E{n}", f"Hydrochlorothiazide affects GENE{n}", edge(HCTZ, "affects", node))
        for n, node in enumerate(nodes)
    ]
    ranked = tuple(candidate(n, 1.0, i) for n, i in zip(nodes, items, strict=True))
    draft = compose_from(material(plan=LIST, candidates=ranked, evidence=tuple(items)))
    assert draft.text.startswith(
        "GENE0 [E0], GENE1 [E1], GENE2 [E2] and 6 more are tied as best supported of 9 candidates "
        "returned; the first 7 in order (ties by name):"
    )
    assert len(draft.items) == 7


def test_treatment_shows_status_and_ends_with_the_disclaimer() -> None:
    drug = candidate(HCTZ, 5.0, E3, status="in_trials", status_detail="phase 3")
    draft = compose_from(material(plan=TREATMENT, candidates=(drug,)))
    assert "1. Hydrochlorothiazide (in clinical trials for this disease, phase 3):" in draft.text
    assert draft.text.endswith(DISCLAIMER)
    one = compose_from(material(plan=replace(TREATMENT, kind="one"), candidates=(drug,)))
    assert "Status: in clinical trials for this disease, phase 3." in one.text


@pytest.mark.parametrize(
    "question",
    ["Which drugs target BRAF V600E?", "What does the variant do?", "rs1801133 and gout"],
)
def test_variant_questions_end_with_the_disclaimer(question: str) -> None:
    assert compose_from(material(question=question)).text.endswith(DISCLAIMER)


def test_other_questions_do_not() -> None:
    assert DISCLAIMER not in compose_from(material()).text


def test_relation_gives_direct_edges_first() -> None:
    draft = compose_from(material(plan=RELATION))
    assert draft.text.startswith(
        "A direct relation was returned [E3]. Hydrochlorothiazide treats hypertensive disorder [E3]"
    )
    assert "They are also connected through SLC12A3 [E1][E2] and CA2 [E5][E11]." in draft.text
    assert "KCNMA1" not in draft.text
    assert (draft.name, draft.items) == (None, ("SLC12A3", "CA2"))
    check_citations(draft)


def test_no_direct_edge_is_never_no() -> None:
    draft = compose_from(material(plan=RELATION, evidence=(E1, E2, E5, E11)))
    assert draft.text.startswith(
        "No direct edge between Hydrochlorothiazide and hypertensive disorder was returned, which "
        "is not to say that there is none; they are connected through SLC12A3 [E1][E2]"
    )
    assert draft.name == "SLC12A3"
    check_citations(draft)


def test_a_negated_direct_edge_is_named_as_against() -> None:
    question = replace(ENTITIES[1], curie="MONDO:0005393", name="gout", identifiers=())
    given = material(plan=RELATION, entities=(ENTITIES[0], question), evidence=(E6, E7))
    text = compose_from(replace(given, plan=replace(RELATION, nodes=()))).text
    assert text.startswith("A direct relation was returned [E7].")
    assert "Evidence against: Hydrochlorothiazide does not treat gout [E6]" in text


def test_relation_that_nothing_joins_is_an_abstention_that_names_what_is_near() -> None:
    draft = compose_from(material(plan=RELATION, evidence=(E4,), candidates=(GENES[2],)))
    assert draft.abstained
    assert (draft.name, draft.items) == (None, ())
    assert draft.text.startswith(
        "Nothing that connects Hydrochlorothiazide and hypertensive disorder was returned under "
        "these constraints:"
    )
    assert draft.text.endswith("Connected to Hydrochlorothiazide alone: KCNMA1 [E4].")
    check_citations(draft)


def test_a_step_on_a_path_is_not_cited_for_what_lies_beyond_it() -> None:
    """CA2 is reached over Lisinopril; the step between drug and disease does not name it."""
    step = E10
    near = evidence("E12", "Lisinopril interacts with CA2", edge(LISINOPRIL, "interacts_with", CA2))
    beyond = replace(candidate(CA2, 4.0, step, near), reaches=("MONDO:0005044",))
    unnamed = candidate(KCNMA1, 3.0, step)
    given = material(candidates=(GENES[0], beyond, unnamed), evidence=(*EVIDENCE, near))
    assert "Next comes CA2 [E12]." in compose_from(given).text
    best = compose_from(replace(given, candidates=(beyond,))).text
    assert best.index("interacts with CA2 [E12]") < best.index(
        "treats essential hypertension [E10]"
    )


def test_abstention_tells_who_was_asked_and_who_failed() -> None:
    services = (
        ServiceReport("nodenorm", "ok", role="entities"),
        ServiceReport("bte", "empty", title="BioThings Explorer"),
        ServiceReport("aragorn", "timeout", "no answer in 30 s"),
        ServiceReport("oncokb", "needs_key"),
    )
    draft = compose_from(
        material(evidence=(), candidates=(), services=services, completeness="partial")
    )
    assert draft.abstained
    assert (draft.name, draft.sentences) == (None, ())
    assert draft.text == (
        "No evidence was returned under these constraints: a gene between Hydrochlorothiazide and "
        "hypertensive disorder; with Hydrochlorothiazide (CHEBI:5778) and hypertensive disorder "
        "(MONDO:0005044). Services: BioThings Explorer (answered: nothing); aragorn (failed: "
        "timeout, no answer in 30 s); oncokb (not asked: needs a key). That nothing was returned "
        'does not mean that the answer is "no". This answer is partial.'
    )


def test_no_service_answering_is_told_from_no_evidence() -> None:
    services = (ServiceReport("bte", "unavailable", "connection refused"),)
    draft = compose_from(
        material(evidence=(), candidates=(), services=services, completeness="unknown")
    )
    assert "bte (failed: unavailable, connection refused)" in draft.text
    assert draft.text.endswith("No service answered, so nothing is known of what they hold.")


def test_evidence_that_touches_no_entity_is_an_abstention() -> None:
    stray = evidence("E1", "CA2 interacts with KCNMA1", edge(CA2, "interacts_with", KCNMA1))
    draft = compose_from(material(evidence=(stray,), candidates=(candidate(CA2, 1.0, stray),)))
    assert draft.abstained
    assert draft.text.startswith("Nothing that was returned touches what the question names")


def test_evidence_without_candidates_is_an_abstention() -> None:
    draft = compose_from(material(candidates=()))
    assert draft.abstained
    assert "no candidate that it supports" in draft.text


def test_partial_is_said_with_who_failed() -> None:
    services = (*SERVICES, ServiceReport("other", "truncated", "one of two calls failed"))
    draft = compose_from(material(services=services, completeness="partial"))
    assert draft.text.endswith(
        "This answer is partial: other (answered in part, one of two calls failed)."
    )


def test_many_sources_are_counted() -> None:
    edges = [edge(HCTZ, "treats", GOUT, source=f"infores:s{n}") for n in range(5)]
    item = evidence("E1", "Hydrochlorothiazide treats gout", *edges)
    draft = compose_from(material(evidence=(item,), candidates=(candidate(GOUT, 1.0, item),)))
    assert "[E1] (s0, s1, s2 and 2 more; knowledge assertion)." in draft.text


def test_a_status_that_leaves_nothing_is_said_with_counts() -> None:
    left_out = {"established": 90, "in_trials": 7}
    draft = compose_from(material(plan=TREATMENT, candidates=(), left_out=left_out))
    assert draft.abstained
    assert draft.text == (
        "97 supported candidates were returned, none of the status asked for: 90 'established "
        "treatment of this disease' and 7 'in clinical trials for this disease'. Without --status "
        f"they are listed. {DISCLAIMER}"
    )


def test_a_status_that_leaves_some_out_is_said_where_candidates_are_counted() -> None:
    drugs = (candidate(HCTZ, 5.0, E3, status="in_trials"),)
    draft = compose_from(material(plan=TREATMENT, candidates=drugs, left_out={"established": 1200}))
    assert draft.text.startswith(
        "Hydrochlorothiazide [E3] is the only candidate of this status returned (1,200 of another "
        "status left out):"
    )


def test_evidence_against_others_is_told_in_full_for_five_and_named_for_more() -> None:
    nodes = [EdgeNode(f"CHEBI:{n}", f"drug{n}", ("biolink:Drug",)) for n in range(14)]
    items = [
        evidence(f"E{n + 20}", f"drug{n} causes gout", edge(d, "causes", GOUT), polarity="against")
        for n, d in enumerate(nodes)
    ]
    harmful = [candidate(d, -1.0, against=(i,)) for d, i in zip(nodes, items, strict=True)]
    given = material(
        plan=TREATMENT, candidates=(GENES[0], *harmful), evidence=(E1, E2, E3, *items[2:])
    )
    text = compose_from(given).text
    assert "Evidence against 2 further candidates is not on this page: drug0 and drug1." in text
    line = next(x for x in text.splitlines() if x.startswith("Not supported"))
    assert line.startswith("Not supported by anything returned, only spoken against: drug2 causes")
    assert line.endswith(
        "drug6 causes gout [E26]; also drug7 [E27], drug8 [E28], drug9 [E29], drug10 [E30], "
        "drug11 [E31], drug12 [E32] and drug13 [E33]."
    )


def test_use_for_this_disease_is_not_told_as_use_for_others() -> None:
    drug = candidate(
        HCTZ, 5.0, E3, status="other_diseases",
        status_detail="used for this disease, approval not stated",
    )  # fmt: skip
    text = compose_from(material(plan=TREATMENT, candidates=(drug,))).text
    assert "1. Hydrochlorothiazide (used for this disease, approval not stated):" in text


def test_of_many_services_that_could_not_be_asked_an_abstention_tells_how_many() -> None:
    asked = ServiceReport("bte", "empty", title="BioThings Explorer", calls=1)
    idle = tuple(ServiceReport(f"kp{n}", "inapplicable", "has no such calls") for n in range(20))
    draft = compose_from(material(evidence=(), candidates=(), services=(asked, *idle)))
    assert (
        "Services: BioThings Explorer (answered: nothing); 20 others could not be asked this "
        "(see the table)." in draft.text
    )
    assert "kp7" not in draft.text
