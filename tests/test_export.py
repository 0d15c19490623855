"""The forms of an answer: schema, TRAPI, TSV, HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

import fedrag
from fedrag.datamodel import Answer
from fedrag.export import answer_to_html, answer_to_text, answer_to_trapi, answer_to_tsv
from fedrag.export.json import publication_url
from fedrag.resources import schema_path
from fedrag.testing.questions import demo_questions


@pytest.fixture(scope="module")
def answer() -> Answer:
    return fedrag.ask(demo_questions()[0].question, replay="demo")


def test_the_answer_schema_is_closed_and_names_what_the_issue_lists() -> None:
    schema = json.loads(schema_path("answer").read_bytes())
    assert schema["additionalProperties"] is False
    edge = schema["$defs"]["edge"]["required"]
    listed = "id qualifiers negated sources publications record_urls knowledge_level agent_type"
    assert {*listed.split(), "attributes", "answered_by", "retrieved_at"} <= set(edge)


def test_trapi_output_validates_against_the_official_schema(answer: Answer, corpora: Path) -> None:
    text = (corpora / "trapi" / "TranslatorReasonerAPI.v1.5.0.yaml").read_text()
    document: dict[str, Any] = yaml.safe_load(text)
    document["components"]["schemas"]["Response"]["properties"]["workflow"] = {}
    response = document["components"]["schemas"]["Response"]
    schema = {**response, "components": document["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(
        json.loads(json.dumps(answer_to_trapi(answer)))
    )


def test_trapi_names_fedrag_as_the_last_aggregator(answer: Answer) -> None:
    edges = answer_to_trapi(answer)["message"]["knowledge_graph"]["edges"]
    for edge in edges.values():
        last = edge["sources"][-1]
        assert last["resource_id"] == "infores:fedrag"
        assert last["upstream_resource_ids"]


def test_html_escapes_what_comes_from_outside(answer: Answer) -> None:
    evil = "<script>alert(1)</script>"
    first = answer.evidence[0]
    edge = replace(first.edges[0], record_urls=("javascript:alert(1)",), publications=("PMID:1",))
    spoiled = replace(
        answer,
        text=f"{evil} [E1]",
        evidence=(replace(first, sentence=evil, edges=(edge,)), *answer.evidence[1:]),
        notes=(evil,),
    )
    html = answer_to_html(spoiled)
    assert "<script>" not in html
    assert 'href="javascript:' not in html
    assert 'href="https://pubmed.ncbi.nlm.nih.gov/1/"' in html
    assert answer._repr_html_() == answer_to_html(answer)


def test_a_cell_that_a_spreadsheet_would_run_is_quoted(answer: Answer) -> None:
    node = replace(answer.edges[0].subject, name="=cmd|' /C calc'!A0\tx\ny")
    spoiled = replace(answer, all_edges=(replace(answer.edges[0], subject=node),))
    line = answer_to_tsv(spoiled).splitlines()[1]
    assert "\t'=cmd|' /C calc'!A0 x y\t" in line


@pytest.mark.parametrize(
    ("publication", "url"),
    [
        ("PMID:123", "https://pubmed.ncbi.nlm.nih.gov/123/"),
        ("doi:10.1/x", "https://doi.org/10.1/x"),
        ("clinicaltrials:NCT01297777", "https://clinicaltrials.gov/study/NCT01297777"),
        ("https://example.org/a", "https://example.org/a"),
        ("something else", None),
    ],
)
def test_publications_become_links(publication: str, url: str | None) -> None:
    assert publication_url(publication) == url


def test_text_is_deterministic_and_printing_an_answer_is_its_text(answer: Answer) -> None:
    assert str(answer) == answer_to_text(answer)
    assert str(answer).startswith("Recorded demo, not a live answer\n")


def test_ones_own_cassette_is_not_called_the_demo(answer: Answer) -> None:
    own = replace(answer, recorded={"cassette": "mine", "recorded_at": "2026-11-29T10:00:00Z"})
    first, second = str(own).splitlines()[:2]
    assert first == "Replayed from the cassette mine, not a live answer"
    assert second == "(recorded 2026-11-29)"
