"""PubTator3: mined relations with their article and score, whichever end was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_lookups, read_answer

BRCA1, TNF = "NCBIGene:672", "NCBIGene:7124"
CANCER, FATIGUE = "MESH:D061325", "MESH:D015673"
HYDROCORTISONE = "MESH:D006854"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("pubtator3",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "pubtator3", name, *inputs)


def test_a_gene_is_found_at_either_end_with_article_and_score(federation: Federation) -> None:
    found = asked(federation, "gene-and-disease", BRCA1, TNF)
    assert found.statements == [(BRCA1, CANCER), (TNF, FATIGUE)]
    record = found.records[0]
    assert record.publications == ("PMID:20516115",)
    assert (record.input_name, record.output_name) == (
        "BRCA1",
        "Hereditary Breast and Ovarian Cancer Syndrome",
    )
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("relation_type", "Association"),
        ("biolink:has_confidence_score", 0.9997),
    ]
    assert asked(federation, "disease-and-gene", FATIGUE).statements == [(FATIGUE, TNF)]


def test_a_treatment_is_not_an_association_nor_the_other_way_round(
    federation: Federation,
) -> None:
    treated = asked(federation, "disease-and-chemical", FATIGUE)
    associated = asked(federation, "disease-and-chemical.1", FATIGUE)
    assert [(r.output, r.publications) for r in treated.records] == [
        (HYDROCORTISONE, ("PMID:9989716",))
    ]
    assert [(r.output, r.publications) for r in associated.records] == [
        (HYDROCORTISONE, ("PMID:15661559",))
    ]
    predicates = {one.predicate for one in shipped("pubtator3").operations}
    assert predicates == {
        "biolink:associated_with",
        "biolink:treats_or_applied_or_studied_to_treat",
        "biolink:subject_of_treatment_application_or_study_for_treatment_by",
    }


def test_two_chemicals_compared_make_no_disease_of_either(federation: Federation) -> None:
    names = ["chemical-and-disease"] + [f"chemical-and-disease.{n}" for n in (1, 2, 3)]
    found = {name: asked(federation, name, HYDROCORTISONE).statements for name in names}
    assert found == {
        "chemical-and-disease": [(HYDROCORTISONE, FATIGUE)],
        "chemical-and-disease.1": [],
        "chemical-and-disease.2": [],
        "chemical-and-disease.3": [(HYDROCORTISONE, FATIGUE)],
    }
    assert asked(federation, "chemical-and-gene", HYDROCORTISONE).statements == []


def test_an_entity_is_looked_up_by_its_identifier() -> None:
    texts = {
        name: dict(build_lookups(operation("pubtator3", name), [curie])[0].query)["text"]
        for name, curie in (
            ("gene-and-disease", BRCA1),
            ("disease-and-gene", CANCER),
            ("chemical-and-gene", HYDROCORTISONE),
        )
    }
    assert texts == {
        "gene-and-disease": "@GENE_672",
        "disease-and-gene": "@DISEASE_MESH:D061325",
        "chemical-and-gene": "@CHEMICAL_MESH:D006854",
    }


def test_an_entity_in_no_article_costs_one_call(federation: Federation) -> None:
    found = asked(federation, "gene-and-disease", "NCBIGene:1")
    assert (found.records, found.failures, len(found.calls)) == ([], [], 1)


def test_articles_that_are_none_are_refused(federation: Federation) -> None:
    request = Request("GET", "/publications/export/biocjson", (("pmids", "1"),))
    assert send(federation, "pubtator3", request).status_code == 400


def test_it_is_asked_last_and_slowly() -> None:
    service = shipped("pubtator3")
    assert (service.priority, service.endpoint.per_minute, service.endpoint.concurrency) == (
        90,
        180.0,
        1,
    )
    assert {one.agent_type for one in service.operations} == {"text_mining_agent"}


def test_the_recorded_article_on_brca1(corpora: Path) -> None:
    path = corpora / "recorded" / "pubtator3" / "biomcp_pubtator__export_20516115.json"
    payload = json.loads(path.read_text(encoding="utf-8"))
    (forward,) = read_answer(operation("pubtator3", "gene-and-disease"), payload, [BRCA1]).records
    (back,) = read_answer(operation("pubtator3", "disease-and-gene"), payload, [CANCER]).records
    assert (forward.input, forward.output, forward.publications) == (
        BRCA1,
        CANCER,
        ("PMID:20516115",),
    )
    assert (back.input, back.output, back.output_name) == (CANCER, BRCA1, "BRCA1")
    other = read_answer(operation("pubtator3", "gene-and-disease"), payload, ["NCBIGene:67"])
    assert (other.records, other.dropped) == ((), (("answers none of the inputs", 1),))
