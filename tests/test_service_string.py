"""STRING: names first, partners in three networks, direction and sign, enrichment of a set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

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

from fedrag.metakg import Service, load_service, validate_document
from fedrag.resources import metakg_dir
from fedrag.testing import Federation
from fedrag.xbte import (
    build_lookups,
    build_requests,
    failure_of,
    read_answer,
    read_lookup,
    stands_for,
)

CDC37, MAP2K1, MAP2K2 = "UniProtKB:Q16543", "UniProtKB:Q02750", "UniProtKB:P36507"
TP53, MDM2, KRAS = "UniProtKB:P04637", "UniProtKB:Q00987", "UniProtKB:P01116"
UP = ("biolink:object_direction_qualifier", "upregulated")
DOCUMENT = metakg_dir() / "string.yaml"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("string",)) as running:
        yield running


@pytest.fixture
def string(federation: Federation) -> Service:
    return stood_in(federation, "string")


def sent(federation: Federation, path: str) -> list[dict[str, str]]:
    """The forms of the calls to a path, the last ones since the federation began."""
    return [
        {name: values[0] for name, values in parse_qs(call.body).items()}
        for call in federation.calls_of("string", path)
    ]


def test_the_document_is_valid_and_says_whose_it_is() -> None:
    service = load_service(DOCUMENT)
    assert list(validate_document(DOCUMENT)) == []
    assert unknown_words(service) == set()
    assert (service.infores, service.licence) == ("infores:string", "CC BY 4.0")
    assert (service.endpoint.per_minute, service.endpoint.concurrency) == (60.0, 1)
    assert service.endpoint.base_url == "https://string-db.org/api"


def test_what_was_never_seen_is_marked() -> None:
    service = load_service(DOCUMENT)
    unseen = {
        operation.predicate
        for operation in service.operations
        if operation.manner.verified is False
    }
    assert unseen == {
        "biolink:physically_interacts_with",
        "biolink:regulates",
        "biolink:regulated_by",
        "biolink:participates_in",
        "biolink:located_in",
    }
    assert service.verified


def test_names_are_mapped_first_and_partners_come_with_scores_of_each_channel(
    federation: Federation, string: Service
) -> None:
    federation.calls.clear()
    outcome = asked(string, [CDC37], "Protein", "interacts_with", "Protein")
    functional = [e for e in outcome.edges if e.predicate == "biolink:interacts_with"]
    assert statements(functional) == [
        (CDC37, "interacts_with", "ENSEMBL:ENSP00000358548"),
        (CDC37, "interacts_with", "ENSEMBL:ENSP00000256078"),
        (CDC37, "interacts_with", "ENSEMBL:ENSP00000262948"),
        (CDC37, "interacts_with", "ENSEMBL:ENSP00000302486"),
    ]
    last = functional[-1]
    assert (last.object.name, last.object.taxa) == ("MAP2K1", ("NCBITaxon:9606",))
    assert told(last) == {
        "string_combined_score": 0.456,
        "string_neighborhood_score": 0,
        "string_fusion_score": 0,
        "string_phylogenetic_profile_score": 0,
        "string_coexpression_score": 0.098,
        "string_experimental_score": 0.161,
        "string_database_score": 0,
        "string_textmining_score": 0.338,
        "biolink:has_confidence_score": 0.456,
    }
    assert sent(federation, "/get_string_ids")[0] == {
        "identifiers": "Q16543",
        "species": "9606",
        "echo_query": "1",
        "limit": "1",
        "caller_identity": "fedrag",
    }
    calls = sent(federation, "/interaction_partners")
    assert {call["identifiers"] for call in calls} == {"9606.ENSP00000222005"}
    # Asked for interactions, all three networks are: each once.
    assert sorted(c["network_type"] for c in calls) == ["functional", "physical", "regulatory"]


def test_settings_reach_the_call(federation: Federation, string: Service) -> None:
    federation.calls.clear()
    outcome = asked(
        string,
        [CDC37],
        "Protein",
        "physically_interacts_with",
        "Protein",
        settings={"required_score": 0.7, "species": 10090},
    )
    assert outcome.edges == []
    assert [call["species"] for call in sent(federation, "/get_string_ids")] == ["10090"]


def test_a_score_may_be_written_from_0_to_1_or_to_1000(string: Service) -> None:
    for score, partners in ((0.6, 2), (600, 2), (400, 4)):
        outcome = asked(
            string,
            [CDC37],
            "Protein",
            "interacts_with",
            "Protein",
            settings={"required_score": score},
        )
        assert len(outcome.edges) == partners


def test_unmapped_names_are_left_out_and_say_nothing_of_the_others(string: Service) -> None:
    outcome = asked(
        string,
        ["UniProtKB:NOSUCH", CDC37, "UniProtKB:NEITHER"],
        "Protein",
        "physically_interacts_with",
        "Protein",
    )
    assert outcome.failures == []
    assert {edge.subject.found for edge in outcome.edges} <= {CDC37}


def test_a_gene_that_has_but_a_symbol_is_asked_by_it(string: Service) -> None:
    outcome = asked(
        string,
        ["NCBIGene:7157"],
        "Gene",
        "physically_interacts_with",
        "Gene",
        names={"NCBIGene:7157": "TP53"},
    )
    assert [(e.subject.asked or e.subject.found, e.object.name) for e in outcome.edges] == [
        ("NCBIGene:7157", "MDM2")
    ]


def test_direction_and_sign_become_a_qualified_statement(string: Service) -> None:
    outcome = asked(string, [TP53], "Protein", "regulates", "Protein", qualifiers=(UP,))
    assert statements(outcome.edges) == [(TP53, "regulates", "ENSEMBL:ENSP00000258149")]
    edge = outcome.edges[0]
    assert dict(edge.qualifiers) == {
        "biolink:qualified_predicate": "biolink:causes",
        "biolink:object_aspect_qualifier": "activity_or_abundance",
        "biolink:object_direction_qualifier": "upregulated",
    }
    assert told(edge)["string_combined_score"] == 0.95


def test_a_regulated_protein_is_asked_backwards(string: Service) -> None:
    outcome = asked(string, [TP53], "Protein", "regulated_by", "Protein")
    assert statements(outcome.edges) == [(TP53, "regulated_by", "ENSEMBL:ENSP00000258149")]
    assert dict(outcome.edges[0].qualifiers)["biolink:subject_direction_qualifier"] == (
        "downregulated"
    )


def test_a_regulation_without_sign_claims_no_direction(string: Service) -> None:
    outcome = asked(string, [KRAS], "Protein", "regulates", "Protein")
    assert statements(outcome.edges) == [(KRAS, "regulates", "ENSEMBL:ENSP00000302486")]
    assert outcome.edges[0].qualifiers == ()


def test_a_set_is_tested_as_one_and_each_member_of_a_term_is_told(
    federation: Federation, string: Service
) -> None:
    federation.calls.clear()
    outcome = asked(string, [MAP2K1, MAP2K2, TP53], "Protein", "participates_in", "Pathway")
    assert sorted(statements(outcome.edges)) == sorted(
        (gene, "participates_in", term)
        for gene in (MAP2K1, MAP2K2)
        for term in ("REACT:R-HSA-5673001", "KEGG:hsa04010", "WIKIPATHWAYS:WP382")
    )
    edge = outcome.edges[0]
    assert told(edge)["string_set"] == ["MAP2K1", "MAP2K2"]
    assert told(edge)["string_genes_in_set"] == 2
    assert told(edge)["biolink:adjusted_p_value"] == pytest.approx(0.00150290, abs=1e-6)
    assert (edge.knowledge_level, edge.agent_type) == (
        "statistical_association",
        "data_analysis_pipeline",
    )
    assert len(sent(federation, "/enrichment")) == 1


def test_a_set_of_one_is_not_asked_since_its_neighbours_would_be_tested(
    federation: Federation, string: Service
) -> None:
    federation.calls.clear()
    outcome = asked(string, [MAP2K1], "Protein", "participates_in", "BiologicalProcess")
    assert outcome.edges == []
    assert sent(federation, "/enrichment") == []


def test_terms_that_are_not_significant_are_no_statements(string: Service) -> None:
    outcome = asked(string, [CDC37, MAP2K1], "Protein", "located_in", "CellularComponent")
    assert outcome.edges == []


def test_a_wrong_call_is_a_failure_and_an_unknown_protein_is_none(
    federation: Federation, string: Service
) -> None:
    base = federation.base_urls["string"]
    wrong = httpx2.post(f"{base}/json/interaction_partners", data={"species": "9606"})
    assert (wrong.status_code, wrong.json()[0]["Error"]) == (400, "missing parameter")
    assert failure_of(string.operations[0], wrong.json()) is not None
    unknown = httpx2.post(
        f"{base}/json/interaction_partners", data={"identifiers": "NOSUCH", "species": "9606"}
    )
    assert unknown.status_code in string.operations[0].manner.empty_status
    outcome = asked(string, ["UniProtKB:NOSUCH"], "Protein", "interacts_with", "Protein")
    assert (outcome.edges, outcome.failures) == ([], [])


def test_the_recorded_network_is_read_as_the_shape_says(corpora: Path) -> None:
    recorded = json.loads(
        (corpora / "recorded/string/biomcp_string__network_braf_20260811.json").read_bytes()
    )
    operation = load_service(DOCUMENT).operations[0]
    reading = read_answer(
        operation, recorded, ["OWN:9606.ENSP00000222005"], own={"9606.ENSP00000222005": [CDC37]}
    )
    assert [(r.input, r.output, r.output_name) for r in reading.records] == [
        (CDC37, "ENSEMBL:ENSP00000302486", "MAP2K1"),
        (CDC37, "ENSEMBL:ENSP00000262948", "MAP2K2"),
        (CDC37, "ENSEMBL:ENSP00000407586", "HRAS"),
        (CDC37, "ENSEMBL:ENSP00000256078", "KRAS"),
        (CDC37, "ENSEMBL:ENSP00000358548", "NRAS"),
    ]


def test_the_parts_fit_without_the_executor(federation: Federation) -> None:
    """Look-up, request and reading, one after the other over HTTP."""
    operation = load_service(DOCUMENT).operations[0]
    base = federation.base_urls["string"]
    look_up = build_lookups(operation, [CDC37, "UniProtKB:NOSUCH"])[0]
    assert dict(look_up.form or ())["identifiers"] == "Q16543\rNOSUCH"
    rows = httpx2.post(base + look_up.path, data=dict(look_up.form or ())).json()
    own = read_lookup(operation, look_up, rows)
    assert own == {CDC37: ("9606.ENSP00000222005",)}
    request = build_requests(operation, list(own), own=own)[0]
    answer = httpx2.post(base + request.path, data=dict(request.form or ())).json()
    reading = read_answer(operation, answer, request.inputs, own=stands_for(own))
    assert [record.output_name for record in reading.records] == [
        "NRAS",
        "KRAS",
        "MAP2K2",
        "MAP2K1",
    ]


def test_the_examples_of_the_document_hold(federation: Federation) -> None:
    base = federation.base_urls["string"]
    given_out = examples(DOCUMENT)
    assert len(given_out) == 14
    wrong = [
        (operation.id, given, output)
        for operation, given, output in given_out
        if output not in {r.output for r in answered(operation, base, [given, MAP2K2])}
    ]
    assert wrong == []
