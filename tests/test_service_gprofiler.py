"""g:Profiler: a term belongs to the genes of the set that it holds, with the set's p-value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_requests, read_answer

CASQ2, CASQ1, GSTO1, DMD, GSTM2 = MUSCLE = (
    "ENSEMBL:ENSG00000118729",
    "ENSEMBL:ENSG00000143318",
    "ENSEMBL:ENSG00000148834",
    "ENSEMBL:ENSG00000198947",
    "ENSEMBL:ENSG00000213366",
)


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("gprofiler",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "gprofiler", name, *inputs)


def test_a_term_belongs_to_the_genes_it_holds_and_to_no_other(federation: Federation) -> None:
    found = asked(federation, "genes-in-process", *MUSCLE)
    assert found.statements == [
        *((gene, "GO:0014809") for gene in MUSCLE),
        *((gene, "GO:0010881") for gene in MUSCLE if gene != CASQ1),
    ]
    assert [(a.type_id, a.value) for a in found.records[0].attributes] == [
        ("biolink:adjusted_p_value", 6.045452804836617e-17),
        ("term_size", 5),
        ("query_size", 5),
        ("intersection_size", 5),
    ]
    assert len(found.calls) == 1


def test_terms_of_each_source_under_its_own_prefix(federation: Federation) -> None:
    assert asked(federation, "genes-in-reactome-pathway", *MUSCLE).statements == [
        (CASQ2, "REACT:R-HSA-5578775"),
        (CASQ1, "REACT:R-HSA-5578775"),
    ]
    assert asked(federation, "genes-in-wikipathway", *MUSCLE).statements == [
        (CASQ2, "WIKIPATHWAYS:WP536"),
        (CASQ1, "WIKIPATHWAYS:WP536"),
    ]


def test_a_term_that_is_not_significant_is_left_out(federation: Federation) -> None:
    assert asked(federation, "genes-with-phenotype", *MUSCLE).statements == []
    loose = ask(
        federation, "gprofiler", "genes-with-phenotype", *MUSCLE, variables={"threshold": 0.5}
    )
    assert loose.statements == [(CASQ2, "HP:0001644"), (DMD, "HP:0001644")]


def test_one_gene_is_no_set() -> None:
    made = operation("gprofiler", "genes-in-process")
    assert build_requests(made, [CASQ2]) == []
    (request,) = build_requests(made, [CASQ2, DMD])
    assert request.json == {
        "organism": "hsapiens",
        "query": [CASQ2[8:], DMD[8:]],
        "sources": ["GO:BP", "GO:MF", "GO:CC", "REAC", "WP", "HP"],
        "user_threshold": 0.05,
        "no_evidences": False,
    }


def test_all_sources_are_one_call() -> None:
    calls = {repr(build_requests(one, MUSCLE)) for one in shipped("gprofiler").operations}
    assert len(calls) == 1


def test_a_gene_it_does_not_know_gets_no_term(federation: Federation) -> None:
    found = asked(federation, "genes-in-process", "ENSEMBL:ENSG00000000001", CASQ2, CASQ1)
    assert found.statements == [
        (CASQ2, "GO:0014809"),
        (CASQ1, "GO:0014809"),
        (CASQ2, "GO:0010881"),
    ]


def test_a_call_without_genes_is_refused(federation: Federation) -> None:
    response = send(federation, "gprofiler", Request("POST", "/gost/profile/", json={"query": []}))
    assert (response.status_code, response.json()) == (
        400,
        {"message": "query and organism must be given"},
    )


def test_positions_that_do_not_fit_make_no_record() -> None:
    made = operation("gprofiler", "genes-in-process")
    term = {"native": "GO:0014809", "source": "GO:BP", "significant": True}
    meta = {"genes_metadata": {"query": {"query_1": {"ensgs": [CASQ2[8:], DMD[8:]]}}}}
    odd: list[Any] = [None, [], 7, "IBA", [[], []], [None, ""], [["IBA"], ["IBA"], ["IBA"]]]
    for flags in odd:
        payload = {"result": [{**term, "intersections": flags}], "meta": meta}
        assert read_answer(made, payload, [CASQ2, DMD]).records == ()
    lacking: list[Any] = [{}, {"genes_metadata": None}, None]
    for broken in lacking:
        payload = {"result": [{**term, "intersections": [["IBA"]]}], "meta": broken}
        assert read_answer(made, payload, [CASQ2, DMD]).records == ()


def test_the_recorded_profile_of_five_muscle_genes(corpora: Path) -> None:
    path = corpora / "recorded" / "gprofiler" / "gost_profile_CASQ2_truncated.json"
    payload = json.loads(path.read_text(encoding="utf-8"))
    records = read_answer(operation("gprofiler", "genes-in-process"), payload, MUSCLE).records
    assert [(record.input, record.output) for record in records] == [
        *((gene, "GO:0014809") for gene in MUSCLE),
        *((gene, "GO:0010881") for gene in MUSCLE if gene != CASQ1),
    ]
    assert records[5].attributes[0].value == 7.823665557395747e-09
