"""CTD: therapeutic and marker records kept apart, one action a statement, several vocabularies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_requests, read_answer

DDT, MERCURY, CISPLATIN = "MESH:D003634", "MESH:D008628", "MESH:D002945"
IMATINIB = "MESH:D000068877"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("ctd",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "ctd", name, *inputs)


def test_therapeutic_and_marker_evidence_are_different_statements(federation: Federation) -> None:
    helps = asked(federation, "chemical-therapeutic-for-disease", DDT, MERCURY)
    marks = asked(federation, "chemical-marker-of-disease", DDT, MERCURY)
    assert helps.statements == [(DDT, "MESH:D008114"), (MERCURY, "MESH:D003922")]
    assert marks.statements == [(DDT, "MESH:D018248"), (DDT, "MESH:D008114")]
    assert helps.records[0].publications == ("PMID:21035526", "PMID:3787112")
    assert (helps.records[1].input_name, helps.records[1].output_name) == (
        "Mercury",
        "Diabetes Mellitus, Type 1",
    )
    predicates = {one.predicate for one in shipped("ctd").operations}
    assert not predicates & {"biolink:treats", "biolink:causes", "biolink:contributes_to"}


def test_the_disease_tells_its_own_vocabulary(federation: Federation) -> None:
    assert asked(federation, "chemical-marker-of-disease", CISPLATIN).statements == [
        (CISPLATIN, "OMIM:613290")
    ]
    assert asked(federation, "disease-marker-chemical.1", "OMIM:613290").statements == [
        ("OMIM:613290", CISPLATIN)
    ]
    assert asked(federation, "disease-therapeutic-chemical", "MESH:D008114").statements == [
        ("MESH:D008114", DDT)
    ]


def test_genes_and_diseases_both_ways(federation: Federation) -> None:
    assert asked(federation, "gene-marker-of-disease", "NCBIGene:1017").statements == [
        ("NCBIGene:1017", "MESH:D008545")
    ]
    assert asked(federation, "gene-therapeutic-target-in-disease", "NCBIGene:5743").statements == [
        ("NCBIGene:5743", "MESH:D003110")
    ]
    assert asked(federation, "disease-therapeutic-target", "MESH:D003110").statements == [
        ("MESH:D003110", "NCBIGene:5743")
    ]
    assert asked(federation, "disease-marker-gene", "MESH:D003110").statements == []


def test_only_a_row_of_one_action_states_a_direction(federation: Federation) -> None:
    lowered = asked(federation, "chemical-affects-gene", IMATINIB)
    bound = asked(federation, "chemical-affects-gene.4", IMATINIB)
    other = asked(federation, "chemical-affects-gene.5", IMATINIB)
    assert lowered.statements == [(IMATINIB, "NCBIGene:25")]
    assert lowered.records[0].publications == ("PMID:11423618", "PMID:12637471")
    assert lowered.records[0].qualifiers == (
        ("biolink:species_context_qualifier", "NCBITaxon:9606"),
    )
    assert bound.statements == [(IMATINIB, "NCBIGene:3815")]
    assert other.statements == [(IMATINIB, "NCBIGene:1956")]
    assert other.records[0].qualifiers == (
        ("biolink:species_context_qualifier", "NCBITaxon:10090"),
    )
    assert asked(federation, "gene-affected-by-chemical", "NCBIGene:25").statements == [
        ("NCBIGene:25", IMATINIB)
    ]


def test_pathways_of_two_databases_both_ways(federation: Federation) -> None:
    reactome, kegg = "REACT:R-HSA-5668541", "KEGG.PATHWAY:hsa04917"
    assert asked(federation, "gene-in-pathway", "NCBIGene:8600").statements == [
        ("NCBIGene:8600", reactome),
        ("NCBIGene:8600", kegg),
    ]
    assert asked(federation, "pathway-with-gene", reactome).statements == [
        (reactome, "NCBIGene:8600")
    ]
    assert asked(federation, "pathway-with-gene.1", kegg).statements == [(kegg, "NCBIGene:8600")]


def test_what_is_asked_of_a_gene_is_one_call_a_report() -> None:
    of_gene = [one for one in shipped("ctd").operations if one.input_prefix == "NCBIGene"]
    calls = {repr(build_requests(one, ["NCBIGene:25", "NCBIGene:1017"])) for one in of_gene}
    assert (len(of_gene), len(calls)) == (9, 3)


def test_a_call_that_lacks_something_is_answered_by_a_page(federation: Federation) -> None:
    request = Request("GET", "/tools/batchQuery.go", (("report", "cgixns"), ("inputTerms", "x")))
    response = send(federation, "ctd", request)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")


def test_the_recorded_diseases_of_cdk2(corpora: Path) -> None:
    path = corpora / "xbte" / "responses" / "transform" / "ctd" / "response.json"
    payload = json.loads(path.read_text(encoding="utf-8"))
    made = operation("ctd", "gene-marker-of-disease")
    reading = read_answer(made, payload, ["NCBIGene:1017", "NCBIGene:101"])
    assert [(r.input, r.output, r.output_name, r.publications) for r in reading.records] == [
        ("NCBIGene:1017", "MESH:D008545", "Melanoma", ("PMID:21559390",)),
        (
            "NCBIGene:1017",
            "MESH:D000077195",
            "Squamous Cell Carcinoma of Head and Neck",
            ("PMID:29464035",),
        ),
    ]
    target = operation("ctd", "gene-therapeutic-target-in-disease")
    assert read_answer(target, payload, ["NCBIGene:1017"]).records == ()


def test_the_recorded_diseases_of_ddt_and_mercury(corpora: Path) -> None:
    """135 records: 58 answer D003634; the others were asked for by name, and answer no CURIE."""
    path = corpora / "xbte" / "responses" / "transform" / "ctd" / "response2.json"
    payload = json.loads(path.read_text(encoding="utf-8"))
    evidence = [row["DirectEvidence"] for row in payload if row["Input"] == "d003634"]
    marks = read_answer(operation("ctd", "chemical-marker-of-disease"), payload, [DDT])
    helps = read_answer(operation("ctd", "chemical-therapeutic-for-disease"), payload, [DDT])
    assert len(marks.records) == sum("marker" in one for one in evidence)
    assert len(helps.records) == sum("therapeutic" in one for one in evidence)
    assert ("MESH:D008114", "Liver Neoplasms, Experimental") in {
        (record.output, record.output_name) for record in helps.records
    }
    assert marks.records[2].publications[:2] == ("PMID:12584743", "PMID:16487989")
    assert {record.input for record in (*marks.records, *helps.records)} == {DDT}
