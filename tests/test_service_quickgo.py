"""QuickGO: annotations by a curator with their negations, and how GO terms hang together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_requests, next_request, read_answer

BRAF, RAF1 = "UniProtKB:P15056", "UniProtKB:P04049"
KINASE = "GO:0004672"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("quickgo",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "quickgo", name, *inputs)


def test_a_negated_annotation_stays_negative(federation: Federation) -> None:
    found = asked(federation, "gene-in-process", BRAF, RAF1)
    assert [(r.input, r.output, r.negated) for r in found.records] == [
        (BRAF, "GO:0000165", False),
        (BRAF, "GO:0006915", True),
        (RAF1, "GO:0000165", False),
    ]
    assert found.records[0].publications == ("PMID:17563371",)
    assert (found.records[0].input_name, found.records[0].output_name) == ("BRAF", "MAPK cascade")
    assert [(a.type_id, a.value) for a in found.records[1].attributes] == [
        ("go_qualifier", "NOT|involved_in"),
        ("go_evidence", "IMP"),
        ("assigned_by", "UniProt"),
    ]


def test_what_was_inferred_electronically_is_left_out(federation: Federation) -> None:
    assert asked(federation, "gene-in-component", BRAF).statements == [(BRAF, "GO:0005886")]
    assert asked(federation, "gene-enables-function", BRAF).statements == [(BRAF, "GO:0004674")]


def test_the_genes_of_a_process_are_of_the_organism_asked(federation: Federation) -> None:
    found = asked(federation, "process-with-gene", "GO:0000165")
    assert found.statements == [("GO:0000165", BRAF), ("GO:0000165", RAF1)]
    assert {record.taxon for record in found.records} == {"NCBITaxon:9606"}
    (request,) = build_requests(operation("quickgo", "process-with-gene"), ["GO:0000165"])
    query = dict(request.query)
    assert (query["taxonId"], query["goUsage"], query["goId"]) == ("9606", "exact", "GO:0000165")


def test_the_relation_to_a_child_decides_the_statement(federation: Federation) -> None:
    statements = {
        name: asked(federation, name, KINASE).statements
        for name in ("term-above-term.1", "term-regulated [2]", "term-regulated.1 [2]")
    }
    assert statements == {
        "term-above-term.1": [(KINASE, "GO:0004674")],
        "term-regulated [2]": [(KINASE, "GO:0045859")],
        "term-regulated.1 [2]": [(KINASE, "GO:0045860")],
    }
    raised = operation("quickgo", "term-regulated.1 [2]")
    assert (raised.predicate, raised.qualifiers) == (
        "biolink:regulated_by",
        (("biolink:subject_direction_qualifier", "upregulated"),),
    )
    assert asked(federation, "term-above-term", KINASE).statements == []
    assert asked(federation, "term-has-part", "GO:0000165").statements == [
        ("GO:0000165", "GO:0004708")
    ]


def test_all_that_is_asked_of_a_gene_or_a_term_is_one_call_each() -> None:
    calls: dict[str, set[str]] = {}
    for one in shipped("quickgo").operations:
        curie = f"{one.input_prefix}:{'P15056' if one.input_prefix == 'UniProtKB' else '0004672'}"
        key = f"{one.path} {one.input_prefix}"
        calls.setdefault(key, set()).add(repr(build_requests(one, [curie])))
    assert {key: len(made) for key, made in calls.items()} == {
        "/annotation/search UniProtKB": 1,
        "/annotation/search GO": 1,
        "/ontology/go/terms/{ids} GO": 1,
    }


def test_pages_are_counted_from_one_to_the_end() -> None:
    made = operation("quickgo", "gene-in-process")
    first = build_requests(made, [BRAF])[0]
    second = next_request(made, first, {"numberOfHits": 150, "results": [{}] * 100}, 1)
    assert second is not None
    assert dict(second.query)["page"] == "2"
    assert next_request(made, second, {"numberOfHits": 150, "results": [{}] * 50}, 2) is None


def test_an_unknown_term_is_empty_and_a_wrong_one_a_failure(federation: Federation) -> None:
    unknown = asked(federation, "term-above-term", "GO:9999999")
    assert ([c.status_code for c in unknown.calls], unknown.failures) == ([404], [])
    wrong = Request("GET", "/annotation/search", (("geneProductId", "nonsense!"),))
    response = send(federation, "quickgo", wrong)
    assert response.status_code == 400
    assert response.json()["messages"] == ["The 'id' parameter contains invalid values: nonsense!"]


def test_the_recorded_terms(corpora: Path) -> None:
    """Seven molecular functions of BRAF: 129 children, told apart by their relation."""
    path = corpora / "recorded" / "other_quickgo" / "terms_braf_20260811.json"
    payload: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    terms = [row["id"] for row in payload["results"]]
    relations = Counter(
        c["relation"] for row in payload["results"] for c in row.get("children", ())
    )
    read = {
        name: read_answer(operation("quickgo", name), payload, terms).records
        for name in (
            "term-above-term.1",
            "term-regulated [2]",
            "term-regulated.1 [2]",
            "term-regulated.2 [2]",
        )
    }
    assert [len(found) for found in read.values()] == [
        relations["is_a"],
        relations["regulates"],
        relations["positively_regulates"],
        relations["negatively_regulates"],
    ]
    assert ("GO:0004672", "GO:0004674") in [(r.input, r.output) for r in read["term-above-term.1"]]
    assert [(r.input, r.output) for r in read["term-regulated.2 [2]"]][:2] == [
        ("GO:0004672", "GO:0004860"),
        ("GO:0004672", "GO:0006469"),
    ]
    assert read_answer(operation("quickgo", "term-above-term"), payload, terms).records == ()
