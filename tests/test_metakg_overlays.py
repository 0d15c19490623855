"""What the old engine had in its code, as data under the registry's documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from fedrag.metakg import Operation, load_service
from fedrag.metakg.manners import x_fedrag_problems
from fedrag.metakg.overlays import overlaid, overlays_bytes
from fedrag.metakg.xfedrag import Condition, SourcesFrom
from fedrag.xbte import build_requests, read_answer


@pytest.mark.parametrize("table", ["servers", "titles", "infores"])
def test_overlays_keep_to_the_vocabulary(table: str) -> None:
    entries = orjson.loads(overlays_bytes())[table]
    assert entries
    problems = [(name, p) for name, raw in entries.items() for p in x_fedrag_problems(raw)]
    assert problems == []


def test_an_overlay_lies_under_the_documents_own_words() -> None:
    info = {"title": "x", "x-translator": {"infores": "infores:ctd"}, "x-fedrag": {"batch_size": 9}}
    own = overlaid({"info": info}, "https://biothings.ncats.io/x")["info"]["x-fedrag"]
    assert (own["batch_size"], own["echo_field"], own["pace"]) == (
        9,
        "data.Input",
        {"concurrency": 1},
    )


def test_a_document_no_overlay_speaks_of_stays_as_it_is() -> None:
    document = {"info": {"title": "x"}}
    assert overlaid(document, "https://example.org") is document


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("CTD__smartapi.yaml", {"batch_size": 80, "echo_field": "data.Input"}),
        ("semmeddb__smartapi.reassembled.yaml", {"batch_size": 50}),
        ("text_mining__smartapi.yaml", {"batch_size": 50}),
        ("drug_response_kp__smartapi.yaml", {"batch_size": 100}),
        ("mychem.info__openapi_full.yml", {"batch_size": 1000}),
        ("AGR__agr.yaml", {"batch_size": 1000}),
        ("ebi_proteins__openapi.yml", {"empty_status": (404,), "batch_size": None}),
        (
            "biolink__openapi.yml",
            {
                "sources_from": SourcesFrom(
                    "items.primary_knowledge_source", "items.aggregator_knowledge_source"
                ),
                "negated": (Condition("items.negated", ("true",)),),
            },
        ),
        ("pharmgkb__smartapi.yaml", {"empty_status": (404,), "pagination": None}),
        ("hetio__smartapi.yaml", {"batch_size": None}),
    ],
)
def test_the_registrys_documents_get_what_the_old_engine_had_in_its_code(
    corpora: Path, file: str, expected: Mapping[str, Any]
) -> None:
    service = load_service(corpora / "smartapi" / file)
    for operation in service.operations:
        assert {key: getattr(operation.manner, key) for key in expected} == expected


def test_text_mining_comes_last_and_what_forbids_commerce_says_so(corpora: Path) -> None:
    folder = corpora / "smartapi"
    semmed = load_service(folder / "semmeddb__smartapi.reassembled.yaml")
    ctd = load_service(folder / "CTD__smartapi.yaml")
    assert (semmed.priority, semmed.commercial) == (90, True)
    assert (ctd.priority, ctd.commercial) == (20, False)


# ------------------------------------ CTD, EBI and Monarch: no code of their own


def operation_of(corpora: Path, file: str, name: str) -> Operation:
    operations = load_service(corpora / "smartapi" / file).operations
    return next(o for o in operations if o.id.endswith(f" {name}"))


def recorded(corpora: Path, name: str) -> Any:
    return json.loads((corpora / "xbte/responses/transform" / name).read_bytes())


def test_ctd_is_paired_by_its_input_field_and_its_publications_are_parted(corpora: Path) -> None:
    operation = replace(
        operation_of(corpora, "CTD__smartapi.yaml", "disease2chemical_1"),
        mapping={"MESH": "data.DiseaseID", "ref_pmid": "data.PubMedIDs"},
    )
    answer = recorded(corpora, "ctd/response2.json")
    reading = read_answer(operation, answer, ["MESH:D003634", "MESH:D00363"])
    assert {record.input for record in reading.records} == {"MESH:D003634"}
    assert len(reading.records) == sum(row["Input"] == "d003634" for row in answer)
    farmers = next(r for r in reading.records if r.output == "MESH:D000382")
    assert len(farmers.publications) == 10
    assert farmers.publications[0] == "PMID:12584743"


def test_ctd_is_asked_80_at_a_time(corpora: Path) -> None:
    operation = operation_of(corpora, "CTD__smartapi.yaml", "disease2chemical_1")
    requests = build_requests(operation, [f"MESH:D{n:06}" for n in range(100)])
    assert [len(request.inputs) for request in requests] == [80, 20]


def test_of_ebi_only_reactions_are_outputs(corpora: Path) -> None:
    operation = operation_of(corpora, "ebi_proteins__openapi.yml", "gene_to_rhea_reaction")
    answer = recorded(corpora, "ebi_protein/response.json")
    reading = read_answer(operation, answer, ["UniProtKB:Q93099"])
    assert [(r.input, r.output) for r in reading.records] == [("UniProtKB:Q93099", "RHEA:15449")]
    assert dict(reading.dropped) == {"an identifier of another kind": 4}  # CHEBI, of the reaction


def test_monarch_tells_sources_and_negation_in_each_record(corpora: Path) -> None:
    operation = operation_of(corpora, "biolink__openapi.yml", "disease-pheno")
    item = {
        "subject": "MONDO:0007298",
        "object": "HP:0006855",
        "object_label": "Cerebellar vermis atrophy",
        "primary_knowledge_source": "infores:hpo-annotations",
        "aggregator_knowledge_source": ["infores:monarchinitiative"],
        "publications": ["PMID:1"],
        "negated": None,
    }
    answer = {"items": [item, {**item, "object": "HP:0001251", "negated": True}], "total": 2}
    reading = read_answer(operation, answer, ["MONDO:0007298"])
    assert [(r.output, r.negated) for r in reading.records] == [
        ("HP:0006855", False),
        ("HP:0001251", True),
    ]
    primary, aggregator = reading.records[0].sources
    assert (primary.resource_id, primary.role) == (
        "infores:hpo-annotations",
        "primary_knowledge_source",
    )
    assert (aggregator.resource_id, aggregator.upstream) == (
        "infores:monarchinitiative",
        ("infores:hpo-annotations",),
    )
