"""Every TRAPI message at hand, from version 1.2 to 2.0, read to the last edge."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fedrag.errors import BadPayloadError
from fedrag.trapi import ReadResult, canonical_direction, merge_edges, read_response

BTE = "bte_rag/bte_trapi_response_MESH_D034721_ChemicalEntity.json"
ARAGORN = "recorded/trapi/ars_aragorn-resp.json"
PATHFINDER = "trapi/tom_example_small.json"
STRIDER = "recorded/trapi/trapi14_strider"

# File → edges read, edges in the graph that no result uses, results. Counted without fedrag: see
# ``bound_by_hand``, which is checked against these numbers too.
COUNTS = {
    BTE: (149, 0, 96),
    ARAGORN: (716, 163, 60),
    "recorded/trapi/ars_appraiser_data_input.json.gz": (716, 163, 60),
    "recorded/trapi/trapi12_aragorn_filter_input.json": (41, 0, 41),
    "recorded/trapi/trapi12_aragorn_workflow_200.json": (0, 0, 0),
    "recorded/trapi/trapi14_aragorn_multinodebind_rank.json": (2, 0, 1),
    f"{STRIDER}_EDS_path_a_response_12.06.23.json": (18, 0, 15),
    f"{STRIDER}_idiopathic_pulmonary_fibrosis_path_a_response_12.06.2023b.json": (0, 0, 0),
    "recorded/trapi/trapi15_aragorn_omnicorp_input.json": (3, 0, 1),
    "recorded/trapi/trapi15_aragorn_overlapping_set.json": (3, 1, 1),
    "recorded/trapi/trapi15_aragorn_schizo.json": (41, 0, 41),
    "recorded/trapi/trapi15_aragorn_score_test.json": (2, 0, 2),
    "recorded/trapi/trapi15_aragorn_weighted2.json": (15, 0, 3),
    "recorded/trapi/workflow_runner_response.json": (1, 0, 1),
    "trapi/1-6_example_response.json": (3, 1, 2),
    "trapi/2-0_example_response.json": (4, 0, 1),
    "trapi/causes_predicate_vs_qualifier.json": (0, 1, 0),
    "trapi/object_qualifiers.json": (1, 0, 1),
    "trapi/shepherd_example_lookup_response.json": (18, 0, 15),
    "trapi/simple.json": (2, 0, 2),
    "trapi/spec_complex_gocam_qualifiers.json": (1, 0, 1),
    "trapi/spec_simple.json": (2, 0, 2),
    "trapi/subject_and_object_qualifiers.json": (1, 0, 1),
    PATHFINDER: (396, 0, 1),
}
# Beside them lie JSON files that are no response; one is not even JSON, one is a compressed copy.
NOT_RESPONSES = (
    "recorded/trapi/metakg_35_KPs_predicates_snapshot.json",
    "recorded/trapi/smartapi_registry_multiomics.json",
    "trapi/metaedge_with_qualifiers.json",
)
UNDECODABLE = (
    "recorded/trapi/ars_aragorn-resp.json.zst",
    "recorded/trapi/trapi14_query_withops_error.json",
)


def load(path: Path) -> Any:
    raw = path.read_bytes()
    return json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)


def read(payload: Any) -> ReadResult:
    return read_response(
        payload, service="bte", infores="infores:some-service", retrieved_at="2025-06-19T19:08:15Z"
    )


def bound_by_hand(payload: Any) -> set[str]:
    """The bound edges, found another way: from sets of auxiliary graphs until nothing is new."""
    message = payload.get("message", payload)
    graphs = message.get("auxiliary_graphs") or {}
    edges = (message.get("knowledge_graph") or {}).get("edges") or {}
    text = json.dumps([r.get("edge_bindings") for r in message.get("results") or []])
    names: set[str] = set()
    for result in message.get("results") or []:
        for analysis in result.get("analyses") or []:
            text += json.dumps(analysis.get("edge_bindings"))
            names |= set(analysis.get("support_graphs") or [])
            for bindings in (analysis.get("path_bindings") or {}).values():
                names |= {binding["id"] for binding in bindings}
    bound = {key for key in edges if json.dumps(key) in text}
    while True:
        for key in bound:
            for attribute in edges[key].get("attributes") or []:
                if attribute["attribute_type_id"] == "biolink:support_graphs":
                    names |= set(attribute["value"])
        reached = {key for name in names for key in graphs[name]["edges"]}
        if reached <= bound:
            return bound
        bound |= reached


def test_every_file_of_the_corpora_is_in_one_of_the_lists(corpora: Path) -> None:
    found = {
        str(path.relative_to(corpora))
        for folder in ("recorded/trapi", "trapi")
        for path in (corpora / folder).glob("*.json*")
    }
    assert found | {BTE} == {*COUNTS, *NOT_RESPONSES, *UNDECODABLE}


@pytest.mark.parametrize("name", COUNTS)
def test_no_bound_edge_of_a_good_answer_is_lost(corpora: Path, name: str) -> None:
    payload = load(corpora / name)
    bound, unbound, results = COUNTS[name]
    assert len(bound_by_hand(payload)) == bound
    answer = read(payload)
    assert len(answer.edges) == bound
    assert answer.dropped == ((("not bound", unbound),) if unbound else ())
    assert answer.results == results
    assert (answer.failure, answer.truncated) == (None, False)
    for edge in answer.edges:
        assert edge.subject.found == edge.subject.curie == edge.subject.canonical
        assert edge.predicate.startswith("biolink:")
        assert edge.primary_source.startswith("infores:")
        assert (edge.id, edge.answered_by) == ("", ("bte",))
        assert edge.retrieved_at == "2025-06-19T19:08:15Z"


@pytest.mark.parametrize("name", NOT_RESPONSES)
def test_json_that_is_no_response_is_a_bad_payload(corpora: Path, name: str) -> None:
    with pytest.raises(BadPayloadError):
        read(load(corpora / name))


def test_the_real_answer_of_biothings_explorer(corpora: Path) -> None:
    answer = read(load(corpora / BTE))
    assert Counter(edge.predicate.removeprefix("biolink:") for edge in answer.edges) == {
        "subject_of_treatment_application_or_study_for_treatment_by": 67,
        "tested_by_clinical_trials_of": 18,
        "related_to": 16,
        "positively_correlated_with": 14,
        "adverse_event_of": 12,
        "treatment_applications_from": 11,
        "treated_by": 5,
        "contribution_from": 5,
        "treated_in_studies_by": 1,
    }
    assert {edge.subject.found for edge in answer.edges} == {"MONDO:0016586"}
    assert {edge.subject.asked for edge in answer.edges} == {"MESH:D034721"}
    assert {edge.object.asked for edge in answer.edges} == {None}
    publications = Counter(p.split(":")[0] for edge in answer.edges for p in edge.publications)
    assert publications == {"PMC": 133, "PMID": 114}  # 269 named, 22 of them twice on their edge
    assert sum(edge.knowledge_level == "not_provided" for edge in answer.edges) == 68
    assert sum(len(edge.record_urls) for edge in answer.edges) == 19
    nameless = {edge.object.found for edge in answer.edges if not edge.object.name}
    assert nameless == {"MESH:D006634", "MESH:D006635"}


def test_the_approved_treatment_keeps_its_passport(corpora: Path) -> None:
    edges = read(load(corpora / BTE)).edges
    [edge] = [e for e in edges if e.predicate == "biolink:treated_by" and e.record_urls]
    assert (edge.subject.name, edge.object.name) == (
        "systemic mastocytosis",
        "imatinib methanesulfonate",
    )
    assert [(s.resource_id, s.role, s.upstream) for s in edge.sources] == [
        ("infores:clinicaltrials", "supporting_data_source", ()),
        ("infores:aact", "supporting_data_source", ("infores:clinicaltrials",)),
        ("infores:multiomics-clinicaltrials", "primary_knowledge_source", ("infores:aact",)),
        (
            "infores:biothings-explorer",
            "aggregator_knowledge_source",
            ("infores:multiomics-clinicaltrials",),
        ),
    ]
    assert edge.primary_source == "infores:multiomics-clinicaltrials"
    assert (edge.knowledge_level, edge.agent_type) == ("knowledge_assertion", "manual_agent")
    values = {a.type_id: a.value for a in edge.attributes}
    assert values["biolink:clinical_approval_status"] == "biolink:approved_for_condition"
    assert values["biolink:max_research_phase"] == 4
    trial = edge.attributes[0]
    assert (trial.value, trial.value_url) == (
        "NCT01297777",
        "https://clinicaltrials.gov/study/NCT01297777?tab=table",
    )
    assert ("clinical_trial_phase", 4) in [(a.type_id, a.value) for a in trial.attributes]


def test_equal_statements_of_one_source_merge_and_keep_all_evidence(corpora: Path) -> None:
    edges = read(load(corpora / BTE)).edges
    merged = merge_edges(edges)
    assert len(merged) == 132
    assert len({edge.id for edge in merged}) == 132
    [cohd] = [e for e in merged if e.object.found == "CHEBI:8776" and "cohd" in e.primary_source]
    parts = [e for e in edges if e.object.found == "CHEBI:8776" and "cohd" in e.primary_source]
    assert len(parts) > 1
    told = {repr(attribute) for edge in parts for attribute in edge.attributes}
    assert {repr(attribute) for attribute in cohd.attributes} == told


def test_every_inverse_predicate_of_the_real_answer_is_turned_round(corpora: Path) -> None:
    edges = [canonical_direction(edge) for edge in read(load(corpora / BTE)).edges]
    assert Counter(edge.predicate.removeprefix("biolink:") for edge in edges) == {
        "treats_or_applied_or_studied_to_treat": 67,
        "in_clinical_trials_for": 18,
        "related_to": 16,
        "positively_correlated_with": 14,
        "has_adverse_event": 12,
        "applied_to_treat": 11,
        "treats": 5,
        "contributes_to": 5,
        "studied_to_treat": 1,
    }
    for edge in edges:
        assert (edge.object.found, edge.object.asked) == ("MONDO:0016586", "MESH:D034721")


def test_a_creative_answer_brings_the_edges_of_its_auxiliary_graphs(corpora: Path) -> None:
    payload = load(corpora / ARAGORN)
    bound = {
        binding["id"]
        for result in payload["message"]["results"]
        for analysis in result["analyses"]
        for bindings in analysis["edge_bindings"].values()
        for binding in bindings
    }
    assert len(bound) == 60  # all else is support
    edges = read(payload).edges
    predictions = [e for e in edges if e.knowledge_level == "prediction"]
    assert "biolink:occurs_together_in_literature_with" in {e.predicate for e in edges}
    assert len(edges) - len(bound) == 656
    assert "infores:aragorn" in {e.primary_source for e in predictions}


def test_pathfinder_edges_come_from_its_path_bindings(corpora: Path) -> None:
    edges = read(load(corpora / PATHFINDER)).edges
    assert Counter(edge.knowledge_level for edge in edges) == {
        "prediction": 244,
        "knowledge_assertion": 152,
    }
    assert {"CHEBI:6801", "NCBIGene:85320"} <= {e.subject.found for e in edges} | {
        e.object.found for e in edges
    }


def test_supporting_text_names_its_publications(corpora: Path) -> None:
    payload = load(corpora / PATHFINDER)
    for edge in payload["message"]["knowledge_graph"]["edges"].values():
        edge["attributes"] = [
            a for a in edge["attributes"] if a["attribute_type_id"] == "biolink:supporting_text"
        ]
    edges = [edge for edge in read(payload).edges if edge.attributes]
    assert len(edges) == 174
    assert all(edge.publications for edge in edges)
    assert {p.split(":")[0] for edge in edges for p in edge.publications} == {"PMID"}


def test_a_node_found_on_a_descendant_remembers_what_was_asked(corpora: Path) -> None:
    edges = read(load(corpora / "recorded/trapi/trapi14_aragorn_multinodebind_rank.json")).edges
    assert [(edge.object.found, edge.object.asked) for edge in edges] == [
        ("MONDO:0005015", None),
        ("MONDO:0005148", "MONDO:0005015"),
    ]


def test_edges_without_sources_stand_on_the_service_that_answered(corpora: Path) -> None:
    edges = read(load(corpora / "recorded/trapi/trapi12_aragorn_filter_input.json")).edges
    assert {edge.primary_source for edge in edges} == {"infores:some-service"}
    [first] = [e for e in edges if e.subject.found == "CHEBI:31236"]
    assert first.subject.categories[0].startswith("biolink:")


def test_fields_of_version_2_are_read(corpora: Path) -> None:
    edges = read(load(corpora / "trapi/2-0_example_response.json")).edges
    assert [
        (e.subject.found, e.knowledge_level, e.agent_type, len(e.qualifiers)) for e in edges
    ] == [
        ("CHEBI:1234", "knowledge_assertion", "manual_agent", 3),
        ("CHEBI:1234", "not_provided", "text_mining_agent", 3),
        ("NCBIGene:5555", "text_co_occurrence", "data_analysis_pipeline", 0),
        ("NCBIGene:7777", "knowledge_assertion", "automated_agent", 0),
    ]
    assert edges[0].qualifiers == (
        ("biolink:object_aspect_qualifier", "activity_or_abundance"),
        ("biolink:object_direction_qualifier", "increased"),
        ("biolink:qualified_predicate", "biolink:causes"),
    )
