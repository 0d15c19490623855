"""Open Targets: mechanisms keep their direction, approvals and trials apart, scores as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_requests, failure_of, next_request, read_answer

PEMBROLIZUMAB, SALBUTAMOL = "CHEMBL.COMPOUND:CHEMBL3137343", "CHEMBL.COMPOUND:CHEMBL714"
EGFR, BRCA1 = "ENSEMBL:ENSG00000146648", "ENSEMBL:ENSG00000012048"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("opentargets",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "opentargets", name, *inputs)


def test_an_inhibitor_decreases_its_target_and_an_agonist_does_not(federation: Federation) -> None:
    found = asked(federation, "drug-decreases-target", PEMBROLIZUMAB, SALBUTAMOL)
    record = found.records[0]
    assert found.statements == [(PEMBROLIZUMAB, "ENSEMBL:ENSG00000188389")]
    assert (record.input_name, record.output_name) == ("PEMBROLIZUMAB", "PDCD1")
    assert record.publications == (
        "http://www.accessdata.fda.gov/drugsatfda_docs/label/2014/125514lbl.pdf",
    )
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("mechanism_of_action", "Programmed cell death protein 1 inhibitor"),
        ("action_type", "INHIBITOR"),
        ("target_name", "Programmed cell death protein 1"),
    ]
    assert asked(federation, "drug-increases-target", PEMBROLIZUMAB, SALBUTAMOL).statements == [
        (SALBUTAMOL, "ENSEMBL:ENSG00000169252")
    ]


def test_an_antisense_drug_lowers_expression_and_a_binding_agent_only_interacts(
    federation: Federation,
) -> None:
    tofersen, rituximab = "CHEMBL.COMPOUND:CHEMBL3833346", "CHEMBL.COMPOUND:CHEMBL1201576"
    both = (tofersen, rituximab)
    assert asked(federation, "drug-silences-target", *both).statements == [
        (tofersen, "ENSEMBL:ENSG00000142168")
    ]
    assert asked(federation, "drug-meets-target", *both).statements == [
        (rituximab, "ENSEMBL:ENSG00000156738")
    ]
    assert operation("opentargets", "drug-meets-target").predicate == "biolink:interacts_with"


def test_a_trial_is_no_treatment_and_an_unknown_stage_is_neither(federation: Federation) -> None:
    approved = asked(federation, "drug-approved-for-disease", PEMBROLIZUMAB)
    tried = asked(federation, "drug-in-trials-for-disease", PEMBROLIZUMAB)
    assert approved.statements == [(PEMBROLIZUMAB, "MONDO:0005105")]
    assert tried.statements == [(PEMBROLIZUMAB, "MONDO:0005140")]
    assert operation("opentargets", "drug-approved-for-disease").predicate == "biolink:treats"
    assert asked(federation, "disease-approved-drug", "MONDO:0005140").statements == []
    assert asked(federation, "disease-drug-in-trials", "MONDO:0005140").statements == [
        ("MONDO:0005140", PEMBROLIZUMAB)
    ]


def test_scores_come_with_associations_of_any_vocabulary_above_a_tenth(
    federation: Federation,
) -> None:
    found = asked(federation, "target-with-disease", EGFR, BRCA1)
    assert found.statements == [
        (EGFR, "MONDO:0005233"),
        (EGFR, "MONDO:0005061"),
        (BRCA1, "orphanet:145"),
    ]
    assert [(a.type_id, a.value) for a in found.records[2].attributes] == [
        ("biolink:has_confidence_score", 0.8278129212540785)
    ]
    assert len(found.calls) == 1
    assert asked(federation, "disease-with-target", "MONDO:0005233").statements == [
        ("MONDO:0005233", EGFR)
    ]
    assert asked(federation, "disease-with-target.1", "orphanet:145").statements == [
        ("orphanet:145", BRCA1)
    ]


def test_all_that_is_asked_of_a_drug_is_one_call() -> None:
    calls = {
        repr(build_requests(one, [PEMBROLIZUMAB, SALBUTAMOL]))
        for one in shipped("opentargets").operations
        if one.input_prefix == "CHEMBL.COMPOUND"
    }
    assert len(calls) == 1


def test_what_is_not_known_is_no_failure(federation: Federation) -> None:
    unknown = asked(federation, "drug-decreases-target", "CHEMBL.COMPOUND:CHEMBL1")
    nowhere = asked(federation, "disease-with-target", "MONDO:9999999")
    assert (unknown.records, unknown.failures) == ([], [])
    assert (nowhere.records, nowhere.failures) == ([], [])


def test_errors_are_seen_with_200_and_with_400(federation: Federation) -> None:
    made = operation("opentargets", "drug-decreases-target")
    many = {"ids": [f"CHEMBL{number}" for number in range(60)]}
    dear = Request("POST", "/graphql", json={"query": "{ drugs(", "variables": many})
    response = send(federation, "opentargets", dear)
    assert response.status_code == 200
    assert failure_of(made, response.json()) == "Query is too expensive."
    old = Request("POST", "/graphql", json={"query": "{ target { knownDrugs } }"})
    response = send(federation, "opentargets", old)
    assert response.status_code == 400
    assert failure_of(made, response.json()) == (
        "Cannot query field 'knownDrugs' on type 'Target'."
    )


def test_a_full_page_of_associations_asks_for_the_next_one() -> None:
    made = operation("opentargets", "target-with-disease")
    first = build_requests(made, [EGFR])[0]
    rows = [{"score": 0.5, "disease": {"id": f"MONDO_{n:07}"}} for n in range(500)]
    payload = {"data": {"target": [{"id": EGFR[8:], "associatedDiseases": {"rows": rows}}]}}
    following = next_request(made, first, payload, 1)
    assert following is not None
    assert following.json["variables"] == {"ids": [EGFR[8:]], "index": 1, "size": 500}
    assert next_request(made, first, payload, 3) is None


# --- the recorded answers -----------------------------------------------------------------------


def recorded(corpora: Path, name: str) -> Any:
    path = corpora / "recorded" / "other_opentargets" / f"{name}_20260811.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_recorded_diseases_of_egfr_and_brca1(corpora: Path) -> None:
    made = operation("opentargets", "target-with-disease")
    egfr = read_answer(made, recorded(corpora, "clinical_egfr"), [EGFR])
    assert [(r.output, r.output_name) for r in egfr.records] == [
        ("MONDO:0005233", "non-small cell lung carcinoma"),
        ("MONDO:0005061", "lung adenocarcinoma"),
        ("MONDO:0004992", "cancer"),
        ("MONDO:0010150", "head and neck squamous cell carcinoma"),
        ("MONDO:0008903", "lung cancer"),
    ]
    brca1 = read_answer(made, recorded(corpora, "clinical_brca1"), [BRCA1])
    assert [r.output for r in brca1.records] == [
        "MONDO:0007254",
        "orphanet:145",
        "MONDO:0054748",
        "MONDO:0008170",
        "MONDO:0021100",
    ]
    assert brca1.records[0].attributes[0].value == 0.8390422150884005
    assert (egfr.dropped, brca1.dropped) == ((), ())


def test_the_recorded_drug_candidates_of_egfr(corpora: Path) -> None:
    made = operation("opentargets", "target-of-drug")
    payload = recorded(corpora, "clinical_egfr")
    reading = read_answer(made, payload, [EGFR])
    rows = payload["data"]["target"]["drugAndClinicalCandidates"]["rows"]
    assert len(reading.records) == len(rows) > 50
    assert (reading.records[2].output, reading.records[2].output_name) == (
        "CHEMBL.COMPOUND:CHEMBL1173655",
        "AFATINIB",
    )
    assert read_answer(made, recorded(corpora, "clinical_brca1"), [BRCA1]).records == ()


def test_the_recorded_drug_has_its_target_and_stages_once_identifiers_are_there(
    corpora: Path,
) -> None:
    """The capture left identifiers and action types out; with them it is read as it stands."""
    payload = recorded(corpora, "drug_pembrolizumab")
    mechanism = operation("opentargets", "drug-decreases-target")
    assert read_answer(mechanism, payload, [PEMBROLIZUMAB]).records == ()
    drug = payload["data"]["drug"]
    row = drug["mechanismsOfAction"]["rows"][0]
    row["actionType"], row["targets"][0]["id"] = "INHIBITOR", "ENSG00000188389"
    for number, one in enumerate(drug["indications"]["rows"]):
        one["disease"]["id"] = f"MONDO_{number:07}"
    (target,) = read_answer(mechanism, payload, [PEMBROLIZUMAB]).records
    assert (target.output, target.output_name) == ("ENSEMBL:ENSG00000188389", "PDCD1")
    treats = operation("opentargets", "drug-approved-for-disease")
    tries = operation("opentargets", "drug-in-trials-for-disease")
    approved = read_answer(treats, payload, [PEMBROLIZUMAB]).records
    tried = read_answer(tries, payload, [PEMBROLIZUMAB]).records
    stages = [one["maxClinicalStage"] for one in drug["indications"]["rows"]]
    assert len(approved) == stages.count("APPROVAL") > 0
    assert len(approved) + len(tried) + stages.count("UNKNOWN") == 266
    assert {"melanoma", "non-small cell lung carcinoma"} <= {r.output_name for r in approved}
