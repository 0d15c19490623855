"""OncoKB: a user's token, treatments with levels, what a change does to its gene."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest
from service_asking import (
    answered,
    asked,
    examples,
    statements,
    stood_in,
    told,
    unknown_words,
)
from starlette.routing import Router

from fedrag.execute.identifiers import inputs_for
from fedrag.metakg import Service, load_service, validate_document
from fedrag.resources import metakg_dir
from fedrag.testing import Federation
from fedrag.testing.apis.oncokb import TOKEN, demo_routes
from fedrag.xbte import build_requests, read_answer

DOCUMENT = metakg_dir() / "oncokb.yaml"
V600E, T790M = "HGVS:BRAF:p.V600E", "HGVS:EGFR:p.T790M"
CONTEXT = "biolink:disease_context_qualifier"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("oncokb",)) as running:
        yield running


@pytest.fixture
def oncokb(federation: Federation) -> Service:
    return stood_in(federation, "oncokb")


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user has a token."""
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", TOKEN)


def test_the_document_is_valid_and_tells_its_terms() -> None:
    service = load_service(DOCUMENT)
    assert list(validate_document(DOCUMENT)) == []
    assert unknown_words(service) == set()
    assert service.infores == "infores:oncokb"
    assert (service.commercial, service.share, service.verified) == (False, False, False)
    assert service.auth is not None
    assert (service.auth.env, service.auth.header, service.auth.scheme) == (
        "FEDRAG_ONCOKB_TOKEN",
        "Authorization",
        "Bearer",
    )


@pytest.mark.parametrize(
    ("curie", "gene", "change"),
    [
        (V600E, "BRAF", "V600E"),
        ("HGVS:EGFR:p.E746_A750del", "EGFR", "E746_A750del"),
        ("HGVS:TP53:p.R213*", "TP53", "R213*"),
        ("HGVS:ERBB2:Amplification", "ERBB2", "Amplification"),
    ],
)
def test_gene_and_change_are_asked_apart(curie: str, gene: str, change: str) -> None:
    request = build_requests(load_service(DOCUMENT).operations[0], [curie])[0]
    assert (request.method, request.path) == ("GET", "/annotate/mutations/byProteinChange")
    assert request.query == (
        ("hugoSymbol", gene),
        ("alteration", change),
        ("referenceGenome", "GRCh37"),
    )


@pytest.mark.parametrize("curie", [V600E, "HGVS:AR:p.T878A", "HGVS:ERBB2:Amplification"])
def test_a_gene_with_a_change_is_what_it_takes(curie: str) -> None:
    like = load_service(DOCUMENT).operations[0].manner.input_like
    assert inputs_for("HGVS", [curie], {}, like) == {curie: [curie]}


@pytest.mark.parametrize(
    "curie",
    [
        "HGVS:chr7:g.140453136A>T",
        "HGVS:NC_000007.13:g.140453136A>T",
        "HGVS:NM_004333.4:c.1799T>A",
        "HGVS:NP_004324.2:p.Val600Glu",
        "HGVS:BRAF:c.1799T>A",
    ],
)
def test_another_expression_of_hgvs_is_not_asked_about(curie: str) -> None:
    for one in load_service(DOCUMENT).operations:
        assert inputs_for("HGVS", [curie], {}, one.manner.input_like) == {}


def test_without_a_token_it_needs_a_key_and_is_not_called(
    federation: Federation, oncokb: Service
) -> None:
    federation.calls.clear()
    outcome = asked(
        oncokb, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert [failure.state for failure in outcome.failures] == ["needs_key"]
    assert federation.calls == []


@pytest.mark.parametrize("key", ["wrong-token", "narrow-token"])
def test_a_token_that_is_refused_is_a_missing_key(
    oncokb: Service, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", key)
    outcome = asked(
        oncokb, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert [failure.state for failure in outcome.failures] == ["needs_key"]
    assert key not in str(outcome.failures[0])


@pytest.mark.usefixtures("token")
def test_treatments_keep_level_disease_and_combination(oncokb: Service) -> None:
    outcome = asked(
        oncokb, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert [
        (edge.object.found, edge.object.name, dict(edge.qualifiers).get(CONTEXT))
        for edge in outcome.edges
    ] == [
        ("NCIT:C64768", "Vemurafenib", "ONCOTREE:MEL"),
        ("fedrag.combination:C77908+C82386", "Dabrafenib + Trametinib", "ONCOTREE:MEL"),
        ("fedrag.combination:C77908+C82386", "Dabrafenib + Trametinib", None),
    ]
    first, _, anywhere = outcome.edges
    assert (told(first)["oncokb_level"], told(first)["oncokb_cancer_type"]) == (
        "LEVEL_1",
        "Melanoma",
    )
    assert first.publications == ("PMID:21639808",)
    assert told(anywhere)["oncokb_main_cancer_type"] == "All Solid Tumors"


@pytest.mark.usefixtures("token")
def test_a_resistance_level_is_resistance(oncokb: Service) -> None:
    outcome = asked(
        oncokb, [T790M], "SequenceVariant", "associated_with_resistance_to", "ChemicalEntity"
    )
    assert statements(outcome.edges) == [
        (T790M, "associated_with_resistance_to", "NCIT:C65530"),
        (T790M, "associated_with_resistance_to", "NCIT:C1855"),
    ]
    assert {told(edge)["oncokb_level"] for edge in outcome.edges} == {"LEVEL_R1"}


@pytest.mark.usefixtures("token")
def test_one_call_serves_every_operation(federation: Federation, oncokb: Service) -> None:
    federation.calls.clear()
    outcome = asked(oncokb, [V600E], "SequenceVariant", None, "NamedThing")
    assert len(outcome.edges) == 4
    calls = federation.calls_of("oncokb")
    assert [call.path.removeprefix("/oncokb") for call in calls] == [
        "/annotate/mutations/byProteinChange"
    ]
    assert calls[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.usefixtures("token")
def test_what_a_change_does_to_its_gene(oncokb: Service) -> None:
    def effect(change: str) -> list[tuple[str, str | None]]:
        outcome = asked(oncokb, [f"HGVS:{change}"], "SequenceVariant", "affects", "Gene")
        return [
            (
                statements([edge])[0][1] + " " + edge.object.found,
                dict(edge.qualifiers).get("biolink:object_direction_qualifier"),
            )
            for edge in outcome.edges
        ]

    assert effect("BRAF:p.V600E") == [("affects NCBIGene:673", "increased")]
    assert effect("TP53:p.R175H") == [("affects NCBIGene:7157", "decreased")]
    assert effect("TP53:p.P72R") == [("not affects NCBIGene:7157", None)]


@pytest.mark.usefixtures("token")
@pytest.mark.parametrize("curie", ["HGVS:NOSUCH:p.V600E", "HGVS:BRAF:p.A1A"])
def test_an_unknown_gene_or_change_is_known_nothing_of(oncokb: Service, curie: str) -> None:
    outcome = asked(oncokb, [curie], "SequenceVariant", None, "NamedThing")
    assert (outcome.edges, outcome.failures) == ([], [])


@pytest.mark.usefixtures("token")
def test_a_call_without_a_gene_is_a_failure(federation: Federation) -> None:
    url = f"{federation.base_urls['oncokb']}/annotate/mutations/byProteinChange"
    reply = httpx2.get(url, headers={"Authorization": f"Bearer {TOKEN}"})
    assert (reply.status_code, reply.json()["title"]) == (400, "Bad Request")


def test_the_demonstration_server_is_open_for_three_genes() -> None:
    """Chosen as base URL it is asked without a token."""
    service = load_service(DOCUMENT)
    endpoint = replace(service.endpoint, base_url="https://demo.oncokb.org/api/v1", retries=0)
    transport = httpx2.ASGITransport(Router(demo_routes()), root_path="/api/v1")
    demo = replace(service, endpoint=endpoint)
    for curie, edges in ((V600E, 3), (T790M, 0)):
        outcome = asked(
            demo,
            [curie],
            "SequenceVariant",
            "associated_with_sensitivity_to",
            "ChemicalEntity",
            transport=transport,
        )
        assert (len(outcome.edges), outcome.failures) == (edges, [])


def test_a_drug_without_a_code_is_no_node() -> None:
    one = load_service(DOCUMENT).operations[0]
    treatment = {"level": "LEVEL_1", "drugs": [{"drugName": "X-1", "ncitCode": ""}]}
    reading = read_answer(one, {"geneExist": True, "treatments": [treatment]}, [V600E])
    assert reading.records == ()
    assert dict(reading.dropped) == {"no usable identifier": 1}


def test_the_examples_of_the_document_hold(federation: Federation) -> None:
    base = federation.base_urls["oncokb"]
    headers = {"Authorization": f"Bearer {TOKEN}"}
    given_out = examples(DOCUMENT)
    assert len(given_out) == 4
    wrong = [
        (operation.id, given, output)
        for operation, given, output in given_out
        if output not in {r.output for r in answered(operation, base, [given], headers)}
    ]
    assert wrong == []
