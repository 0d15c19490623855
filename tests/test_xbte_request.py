"""Requests of annotated operations, held against those the x-bte engine builds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx2
import pytest

from fedrag.errors import ConfigError
from fedrag.metakg import load_service
from fedrag.metakg.operations import CallTemplate, Operation
from fedrag.metakg.xfedrag import Manner
from fedrag.net.wire import address
from fedrag.xbte.filters import printed
from fedrag.xbte.record import Request
from fedrag.xbte.request import build_requests, check_call

# The engine writes form values as they are; on the wire a form is encoded. Each character that
# differs, in how many of the 891 forms, and why the decoded form is the same.
ENCODED = {
    ",": (529, "between identifiers; a server that decodes the form sees the same comma"),
    ":": (192, "between prefix and local part; may stand in a form, encoding it is always right"),
    " ": (1, "in `_id, umls` of one document's scopes; a raw space is no form at all"),
}


@lru_cache
def operations(folder: Path, file: str) -> tuple[Operation, ...]:
    return load_service(folder / "smartapi" / file.replace("/", "__")).operations


def cases(corpora: Path) -> Iterator[tuple[dict[str, Any], Operation]]:
    """Every case with the operation it is about: the one at its place among the document's."""
    for case in json.loads((corpora / "xbte" / "requests.json").read_bytes()):
        yield case, operations(corpora, case["file"])[case["op_index"]]


def as_engine(operation: Operation, request: Request) -> dict[str, Any]:
    """A request as the data write it: whole address, printed parameters, the form in one text."""
    told: dict[str, Any] = {
        "method": request.method.lower(),
        "url": operation.server.rstrip("/") + request.path,
        "params": list(request.query),
    }
    if request.form is not None:
        told["data"] = "&".join(f"{name}={value}" for name, value in request.form)
    return told


def expected(case: dict[str, Any]) -> dict[str, Any]:
    told = dict(case["request"])
    told["params"] = [(name, printed(value)) for name, value in told["params"].items()]
    return told


def test_each_request_of_the_engine_is_reproduced_and_its_broken_ones_refused_by_name(
    corpora: Path,
) -> None:
    outcomes: Counter[str] = Counter()
    refused = []
    for case, operation in cases(corpora):
        if "error" in case:
            continue
        about = case["association"]
        assert operation.input_prefix == about["input_id"]
        assert operation.predicate == f"biolink:{about['predicate']}"
        try:
            built = build_requests(operation, case["input_curies"])
        except ConfigError as error:
            refused.append(str(error))
            continue
        made = [as_engine(operation, request) for request in built]
        outcomes["same" if made == [expected(case)] else case["file"]] += 1
        assert [request.inputs for request in built] == [tuple(case["input_curies"])]
    assert outcomes == {"same": 1679}
    assert len(refused) == 4
    for told in refused:
        assert 'curl -X GET "https://automat.renci.org/covid-phenotypes' in told
        assert "where the address of a server belongs" in told


def test_a_form_on_the_wire_differs_from_the_engine_only_as_the_table_says(corpora: Path) -> None:
    differing: Counter[str] = Counter()
    for case, operation in cases(corpora):
        data = case.get("request", {}).get("data")
        if data is None:
            continue
        (request,) = build_requests(operation, case["input_curies"])
        wire = urlencode(request.form or ())
        assert parse_qsl(wire) == parse_qsl(data)
        values = "".join(value for _, value in request.form or ())
        differing.update({c for c in values if urlencode({"": c}) != f"={c}"})
    assert differing == {character: count for character, (count, _) in ENCODED.items()}


def test_documents_without_a_production_server_are_asked_at_the_one_they_name(
    corpora: Path,
) -> None:
    errors = [(case, operation) for case, operation in cases(corpora) if "error" in case]
    assert len(errors) == 8
    assert {case["file"] for case, _ in errors} == {"sepid_mab/smartapi.yaml"}
    assert {operation.server for _, operation in errors} == {
        "https://biothings.ci.transltr.io/mabs"
    }
    first = errors[0][1]
    (request,) = build_requests(first, [f"{first.input_prefix}:AB_1"])
    assert (request.method, request.path) == ("POST", "/query")
    assert ("with_total", "true") not in request.query


def test_what_the_author_of_a_path_encoded_is_not_encoded_again(corpora: Path) -> None:
    (operation,) = [o for c, o in cases(corpora) if c["file"] == "litvar/smartapi.yaml"]
    (request,) = build_requests(operation, ["DBSNP:rs121913527"])
    assert request.path == "/entity/litvar/rs121913527%23%23"
    url = httpx2.URL(address("https://127.0.0.1", request.path))
    assert url.raw_path == b"/entity/litvar/rs121913527%23%23"


def operation(call: CallTemplate, manner: Manner | None = None, server: str = "") -> Operation:
    return Operation(
        id="post /query mine",
        service="mine",
        method=call.method,
        path=call.path,
        subject_category="biolink:Gene",
        predicate="biolink:related_to",
        object_category="biolink:Disease",
        input_prefix="NCBIGene",
        output_prefix="MONDO",
        call=call,
        manner=manner or Manner(),
        server=server,
    )


QUERY = CallTemplate("post", "/query", body={"q": "{{ queryInputs }}"}, templated=True, batch=True)


def genes(count: int) -> list[str]:
    return [f"NCBIGene:{number}" for number in range(1, count + 1)]


def test_identifiers_are_asked_in_batches_of_a_thousand_or_of_what_the_document_says() -> None:
    usual = build_requests(operation(QUERY), genes(2001))
    assert [len(request.inputs) for request in usual] == [1000, 1000, 1]
    assert usual[2].form == (("q", "2001"),)
    own = build_requests(operation(QUERY, Manner(batch_size=2)), genes(3))
    assert [request.form for request in own] == [(("q", "1,2"),), (("q", "3"),)]
    address_only = replace(QUERY, method="get", body=None, parameters={"q": "{{ queryInputs }}"})
    assert [len(r.inputs) for r in build_requests(operation(address_only), genes(161))] == [
        80,
        80,
        1,
    ]


def test_a_call_that_takes_one_identifier_is_made_for_each_and_sees_a_text() -> None:
    single = replace(QUERY, batch=False, body={"q": "{{ queryInputs | substr(0, 1) }}"})
    built = build_requests(operation(single, Manner(batch_size=50)), ["NCBIGene:17", "NCBIGene:29"])
    assert [(r.inputs, r.form) for r in built] == [
        (("NCBIGene:17",), (("q", "1"),)),
        (("NCBIGene:29",), (("q", "2"),)),
    ]
    assert build_requests(operation(single), []) == []


def test_the_older_form_joins_with_the_separator_of_the_document() -> None:
    older = CallTemplate(
        "post",
        "/query",
        {"always": True, "q": "x:{inputs[0]}"},
        body={"q": "{inputs[0]}", "n": 5, "raw": "{{ queryInputs }}"},
        batch=True,
        separator="|",
    )
    (request,) = build_requests(operation(older), ["NCBIGene:1", "MONDO:0000002"])
    assert request.query == (("always", "true"), ("q", "x:1|MONDO:0000002"))
    assert request.form == (("q", "1|MONDO:0000002"), ("n", "5"), ("raw", "{{ queryInputs }}"))


def test_settings_and_taxon_are_variables_with_defaults() -> None:
    call = replace(QUERY, body={"species": "{{ taxon }}", "score": "{{ required_score }}"})
    strict = operation(call, Manner(settings={"required_score": 0.4}))
    (usual,) = build_requests(strict, genes(1))
    assert usual.form == (("species", "9606"), ("score", "0.4"))
    (given,) = build_requests(strict, genes(1), variables={"required_score": 700, "taxon": "10090"})
    assert given.form == (("species", "10090"), ("score", "700"))


def test_a_parameter_with_several_values_is_named_several_times_and_null_not_at_all() -> None:
    call = replace(QUERY, parameters={"f": ["a", "{{ queryInputs }}"], "none": None, "on": False})
    (request,) = build_requests(operation(call), genes(2))
    assert request.query == (("f", "a"), ("f", "1,2"), ("on", "false"))


def test_a_json_body_is_rendered_in_every_text_and_lists_may_stay_lists() -> None:
    call = replace(
        QUERY,
        body_type="json",
        body={
            "query": "query ($ids: [String!]) { genes(ids: $ids) { id } }",
            "variables": {"ids": "{{ queryInputs | addPrefix('G') | dump }}", "size": 5},
            "also": ["{{ queryInputs }}", True, None],
        },
    )
    (request,) = build_requests(operation(call), genes(2))
    assert request.form is None
    assert request.json == {
        "query": "query ($ids: [String!]) { genes(ids: $ids) { id } }",
        "variables": {"ids": ["G:1", "G:2"], "size": 5},
        "also": ["1,2", True, None],
    }
    text = replace(call, body='{"ids": {{ queryInputs | dump }}, "n": "{{ queryInputs | first }}"}')
    assert build_requests(operation(text), genes(2))[0].json == {"ids": ["1", "2"], "n": "1"}
    older = replace(text, templated=False, body={"ids": ["{inputs[0]}"]})
    assert build_requests(operation(older), genes(2))[0].json == {"ids": ["1,2"]}


def test_a_form_written_as_one_text_cannot_be_given_further_fields_by_an_identifier() -> None:
    call = replace(QUERY, body="identifiers={{ queryInputs | join('%0d') }}&species={{ taxon }}")
    (request,) = build_requests(operation(call), ["SYMBOL:TP53", "SYMBOL:A&species=10090"])
    assert request.form == (("identifiers", "TP53\rA&species=10090"), ("species", "9606"))


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        ("NCBIGene:1017", "/gene/NCBIGene:1017/all"),
        ("X:a/../../b", "/gene/X:a%2F..%2F..%2Fb/all"),
        ("X:..", "/gene/X:../all"),
        ("X:a?b=1#c", "/gene/X:a%3Fb=1%23c/all"),
        ("X:50%25 é", "/gene/X:50%2525%20%C3%A9/all"),
        ("X:{other}", "/gene/X:%7Bother%7D/all"),
    ],
)
def test_an_identifier_does_not_leave_its_place_in_a_path(identifier: str, path: str) -> None:
    call = CallTemplate(
        "get",
        "/gene/{id}/{other}",
        {"id": "{{ queryInputs | addPrefix(space) }}", "other": "all", "size": 5},
        path_parameters=("id", "other"),
        templated=True,
    )
    space, _, _ = identifier.partition(":")
    (request,) = build_requests(operation(call), [identifier], variables={"space": space})
    assert (request.path, request.query) == (path, (("size", "5"),))
    assert request.form is None


def test_an_identifier_of_dots_alone_is_no_step_upwards() -> None:
    call = CallTemplate("get", "/gene/{id}", {"id": "{{ queryInputs | rmPrefix }}"}, ("id",))
    templated = operation(replace(call, templated=True))
    assert build_requests(templated, ["DOID:.."])[0].path == "/gene/%2E%2E"
    older = operation(replace(call, parameters={"id": "{inputs[0]}"}))
    assert build_requests(older, ["X:."])[0].path == "/gene/%2E"


def test_only_templated_posts_to_the_biothings_host_ask_for_the_total() -> None:
    host = "https://biothings.ncats.io/ttd"
    totals = {
        (server, call.method, call.templated): ("with_total", "true")
        in build_requests(operation(call, server=server), genes(1))[0].query
        for server in (host, "https://mychem.info/v1", "https://biothings.ncats.io.example/x")
        for call in (
            QUERY,
            replace(QUERY, templated=False),
            replace(QUERY, method="get"),
        )
    }
    assert [asked for asked, yes in totals.items() if yes] == [(host, "post", True)]
    own = replace(QUERY, parameters={"size": 10, "with_total": True})
    (request,) = build_requests(operation(own, server=host), genes(1))
    assert sorted(request.query) == [("size", "10"), ("with_total", "true")]


def test_own_identifiers_are_asked_in_place_of_those_they_were_found_for() -> None:
    own = {"NCBIGene:1": ("9606.ENSP1", "9606.ENSP1b"), "NCBIGene:3": ("9606.ENSP3",)}
    first, second = build_requests(operation(QUERY, Manner(batch_size=1)), genes(3), own=own)
    assert (first.inputs, first.form) == (("NCBIGene:1",), (("q", "9606.ENSP1,9606.ENSP1b"),))
    assert (second.inputs, second.form) == (("NCBIGene:3",), (("q", "9606.ENSP3"),))


@pytest.mark.parametrize(
    ("call", "server", "said"),
    [
        (replace(QUERY, body={"q": "{{ nosuch( }}"}), "", "unexpected"),
        (replace(QUERY, parameters={"a": "{{ x | evil }}"}), "", "No filter named 'evil'"),
        (CallTemplate("get", "/gene/{id}", {"other": 1}), "", "path parameter {id} of /gene/{id}"),
        (QUERY, "curl -X GET 'https://example.org", "where the address of a server belongs"),
        (QUERY, "https://[::1", "where the address of a server belongs"),
        (QUERY, "ftp://example.org", "where the address of a server belongs"),
    ],
)
def test_a_call_that_can_never_be_made_is_told_beforehand_and_refused_by_name(
    call: CallTemplate, server: str, said: str
) -> None:
    broken = operation(call, server=server)
    told = check_call(broken)
    assert told is not None
    assert said in told
    with pytest.raises(ConfigError) as caught:
        build_requests(broken, genes(1))
    assert str(caught.value).startswith("mine: post /query mine: ")
    assert said in str(caught.value)


def test_nothing_is_told_of_a_call_that_can_be_made(corpora: Path) -> None:
    assert check_call(operation(QUERY, server="https://example.org")) is None
    told = Counter(check_call(each) is None for case, each in cases(corpora) if "error" not in case)
    assert told == {True: 1679, False: 4}
