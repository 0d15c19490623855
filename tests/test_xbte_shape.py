"""JSON that no answer to the call looks like is a failure; what is merely empty is an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xbte_reading import load, of_edge, operation, raw_of

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import EchoAligned, Ends, Lookup, Manner, Pagination
from fedrag.xbte import misshapen
from fedrag.xbte.record import Request

GET = Request("GET", "/x")
POST = Request("POST", "/query", form=(("q", "1,2"), ("scopes", "entrezgene")))
ENTITY = operation({"GO": "go.BP.id"}, "GO")
HITS = operation({"GO": "hits.go.id"}, "GO")
ROWS = operation({"GO": "data.id"}, "GO")
PAGED = operation(
    {"GO": "results.goId"}, "GO", manner=Manner(pagination=Pagination("page", "p", items="results"))
)
FOUND = operation({"GO": "data.found.nodes.id"}, "GO")


@pytest.mark.parametrize("asked", [ENTITY, HITS, ROWS, PAGED, FOUND])
@pytest.mark.parametrize("request_", [GET, POST])
@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (None, "null"),
        ("x", "a text"),
        ("", "a text"),
        (3, "a number"),
        (0.5, "a number"),
        (False, "a flag"),
    ],
)
def test_null_and_single_values_are_never_an_answer(
    asked: Operation, request_: Request, payload: Any, told: str
) -> None:
    assert misshapen(asked, request_, payload) == told


@pytest.mark.parametrize("request_", [GET, POST])
@pytest.mark.parametrize("payload", [[1, None], [None], ["a"], [[]], [[1], ["x"]]])
def test_a_list_without_any_record_is_no_answer(request_: Request, payload: Any) -> None:
    assert misshapen(ENTITY, request_, payload) == "a list without any record"


@pytest.mark.parametrize("request_", [GET, POST])
@pytest.mark.parametrize("payload", [[], [None, {"_id": "x"}], [[{"a": 1}]], [{"notfound": True}]])
def test_an_empty_list_and_one_with_a_record_are_answers(request_: Request, payload: Any) -> None:
    assert misshapen(ENTITY, request_, payload) is None


def test_a_list_of_identifiers_is_an_answer_where_they_are_what_is_read() -> None:
    assert misshapen(operation({"GO": "data"}, "GO"), GET, ["GO:1", "GO:2"]) is None


@pytest.mark.parametrize("payload", [{}, {"hits": "x"}, {"hits": None}, {"hits": {}}, {"x": []}])
@pytest.mark.parametrize(
    ("asked", "request_"),
    [
        (ENTITY, POST),
        (ENTITY, Request("POST", "/query", json={"q": ["1"], "scopes": ["x"]})),
        (ENTITY, Request("POST", "/query", (("scopes", "x"),), form=(("q", "1"),))),
        (HITS, Request("GET", "/query", (("q", "x"),))),
    ],
)
def test_a_query_of_biothings_is_answered_with_hits(
    asked: Operation, request_: Request, payload: Any
) -> None:
    assert misshapen(asked, request_, payload) == "an object without a list of hits"
    assert misshapen(asked, request_, {"took": 1, "hits": []}) is None


def test_a_search_word_of_another_service_makes_it_no_biothings() -> None:
    search = Request("GET", "/search", (("q", "x"),))
    assert misshapen(operation({"GO": "response.docs.id"}, "GO"), search, {"response": {}}) is None


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ({}, "no data"),
        ({"dat": {}}, "no data"),
        ({"data": None}, "no data"),
        ({"data": []}, "no data"),
        ([], "no data"),
        ({"errors": "boom"}, "no data"),
        ({"data": {}}, "data without what was asked for"),
        ({"data": {"other": {}}}, "data without what was asked for"),
        ({"data": {"found": "x"}}, "a text as 'found'"),
        ({"data": {"found": None}}, None),
        ({"data": {"found": {"nodes": []}}}, None),
    ],
)
def test_graphql_answers_with_the_data_that_were_asked_for(payload: Any, told: str | None) -> None:
    assert misshapen(FOUND, GET, payload, graphql=True) == told


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ({}, "an object without 'results'"),
        ({"message": "x"}, "an object without 'results'"),
        ({"results": "x"}, "a text as 'results'"),
        ([], "a list without 'results'"),
        ([{"x": 1}], "a list without 'results'"),
        ({"results": []}, None),
        ({"results": None}, None),
        ([{"results": []}, {"x": 1}], None),
    ],
)
def test_a_page_has_the_array_that_its_document_declares(payload: Any, told: str | None) -> None:
    assert misshapen(PAGED, GET, payload) == told


@pytest.mark.parametrize("payload", [{"go": None}, {"_id": "x"}, {"go": []}, {"go": ""}, {}])
def test_an_entity_may_lack_what_is_read(payload: Any) -> None:
    assert misshapen(ENTITY, GET, payload) is None


def test_an_empty_object_is_no_answer_where_records_lie_in_an_array() -> None:
    echoing = operation({"GO": "id"}, "GO", manner=Manner(echo_field="asked"))
    for asked in (ROWS, HITS, echoing):
        assert misshapen(asked, GET, {}) == "an empty object"


def test_a_single_value_where_records_lie_is_no_answer() -> None:
    assert misshapen(ENTITY, GET, {"go": 5}) == "a number as 'go'"
    assert misshapen(operation({"GO": "go"}, "GO"), GET, {"go": "GO:1"}) is None


def test_a_pair_has_its_end_and_a_table_its_names() -> None:
    pairs = operation({}, "X", manner=Manner(ends=Ends("one", "two")))
    assert misshapen(pairs, GET, {"hits": "x"}) == "an object without 'one'"
    assert misshapen(pairs, GET, {"one": "a", "two": "b"}) is None
    inside = operation({}, "X", manner=Manner(ends=Ends("part_of.go", "_id")))
    assert misshapen(inside, GET, {"_id": "GO:1"}) is None
    aligned = Manner(echo_aligned=EchoAligned("meta.names", "result.flags"))
    table = operation({"GO": "result.native"}, "GO", manner=aligned)
    assert misshapen(table, GET, {"result": []}) == "an object without 'meta'"
    assert misshapen(table, GET, {"result": [], "meta": {}}) is None


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (None, "null"),
        ([1], "a list without any record"),
        ({}, "an object without 'targets'"),
        ({"targets": 7}, "a number as 'targets'"),
        ({"targets": []}, None),
    ],
)
def test_a_look_up_is_judged_by_its_own_paths(payload: Any, told: str | None) -> None:
    lookup = Lookup("get", "/target", "targets.own", echo="targets.parts.accession")
    assert misshapen(PAGED, GET, payload, lookup=lookup) == told


def test_a_look_up_in_a_bare_list_may_find_nothing() -> None:
    lookup = Lookup("post", "/ids", "stringId", echo="queryItem")
    assert misshapen(PAGED, GET, [], lookup=lookup) is None
    assert misshapen(PAGED, GET, [1], lookup=lookup) == "a list without any record"


def test_no_recorded_answer_of_a_real_service_is_misshapen(corpora: Path) -> None:
    judged = 0
    for path in sorted((corpora / "xbte" / "transforms").glob("*.json")):
        transform = load(path)
        asked = of_edge(transform["edge"])
        request = POST if asked.method == "post" else GET
        assert misshapen(asked, request, raw_of(transform, corpora / "xbte")) is None, path.name
        judged += 1
    assert judged == 7
