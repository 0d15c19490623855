"""Human Protein Atlas: names of tissues and places become identifiers, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from api_calls import Asked, ask, operation, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import build_requests, read_answer

ALB, CCNB1, BRAF = "ENSEMBL:ENSG00000163631", "ENSEMBL:ENSG00000134057", "ENSEMBL:ENSG00000157764"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("hpa",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "hpa", name, *inputs)


def test_a_gene_is_expressed_in_the_tissues_it_is_specific_to(federation: Federation) -> None:
    found = asked(federation, "gene-expressed-in-tissue", ALB, CCNB1)
    assert found.statements == [
        (ALB, "UBERON:0002107"),
        (CCNB1, "UBERON:0002371"),
        (CCNB1, "UBERON:0001744"),
        (CCNB1, "UBERON:0000473"),
    ]
    record = found.records[1]
    assert (record.input_name, record.output_name) == ("CCNB1", "bone marrow")
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("normalized_tpm", "41.1"),
        ("tissue_specificity", "Tissue enhanced"),
        ("tissue_distribution", "Detected in many"),
    ]


def test_a_gene_specific_to_no_tissue_has_no_tissue(federation: Federation) -> None:
    found = asked(federation, "gene-expressed-in-tissue", BRAF)
    assert (found.records, found.failures) == ([], [])


def test_main_and_further_places_are_told_apart_and_a_new_name_is_counted(
    federation: Federation,
) -> None:
    main = asked(federation, "gene-mainly-in-component", ALB, CCNB1)
    assert main.statements == [
        (ALB, "GO:0005783"),
        (ALB, "GO:0005794"),
        (CCNB1, "GO:0005829"),
    ]
    assert [record.output_name for record in main.records] == [
        "Endoplasmic reticulum",
        "Golgi apparatus",
        "Cytosol",
    ]
    further = asked(federation, "gene-also-in-component", ALB, CCNB1)
    assert further.statements == [(CCNB1, "GO:0005654")]
    assert further.dropped == {"no usable identifier": 1}


def test_an_unknown_gene_is_404_and_no_failure(federation: Federation) -> None:
    found = asked(federation, "gene-expressed-in-tissue", "ENSEMBL:ENSG00000000000")
    assert ([call.status_code for call in found.calls], found.failures) == ([404], [])


def test_all_of_a_gene_is_one_call() -> None:
    calls = {repr(build_requests(one, [ALB])) for one in shipped("hpa").operations}
    assert len(calls) == 1
    (request,) = build_requests(operation("hpa", "gene-expressed-in-tissue"), [ALB])
    assert request.path == "/ENSG00000163631.json"


def test_a_table_that_is_none_makes_no_record() -> None:
    made = operation("hpa", "gene-expressed-in-tissue")
    odd: list[Any] = [
        None,
        [],
        "liver",
        7,
        [{"name": "liver"}],
        {"": "1"},
        {"Liver of a fish": "1"},
    ]
    for broken in odd:
        payload = {"Gene": "X", "RNA tissue specific nTPM": broken}
        assert read_answer(made, payload, [ALB]).records == ()
    payload = {"Gene": "X", "RNA tissue specific nTPM": {"Liver": None}}
    (record,) = read_answer(made, payload, [ALB]).records
    assert (record.output, record.output_name) == ("UBERON:0002107", "Liver")


def test_nothing_of_it_was_ever_recorded() -> None:
    service = shipped("hpa")
    assert service.verified is False
    assert {one.knowledge_level for one in service.operations} == {"observation"}
