"""Identifiers of a service's own: asked for first, read by name and index, never guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fedrag.errors import ConfigError
from fedrag.metakg.operations import CallTemplate, Operation
from fedrag.metakg.xfedrag import Lookup, Manner
from fedrag.xbte.lookup import build_lookups, read_lookup
from fedrag.xbte.record import Request
from fedrag.xbte.request import build_requests

STRING_IDS = Lookup(
    "post",
    "/json/get_string_ids",
    "stringId",
    body={
        "identifiers": "{{ queryInputs | join('\r') }}",
        "species": "{{ taxon }}",
        "echo_query": 1,
    },
    echo="queryItem",
    echo_index="queryIndex",
    batch_size=2,
)
NETWORK = Operation(
    id="post /json/network functional",
    service="string",
    method="post",
    path="/json/network",
    subject_category="biolink:Gene",
    predicate="biolink:interacts_with",
    object_category="biolink:Gene",
    input_prefix="SYMBOL",
    call=CallTemplate(
        "post",
        "/json/network",
        body={"identifiers": "{{ queryInputs | join('\r') }}"},
        templated=True,
        batch=True,
    ),
    manner=Manner(lookup=STRING_IDS),
)
NAMES = ("SYMBOL:tp53", "SYMBOL:NOSUCH", "SYMBOL:CDK2")


def row(index: int, item: str | None, own: str) -> dict[str, Any]:
    said = {"queryIndex": index, "stringId": own, "ncbiTaxonId": 9606, "preferredName": "X"}
    return said | ({} if item is None else {"queryItem": item})


def asked(*inputs: str) -> Request:
    return Request("POST", "/json/get_string_ids", inputs=inputs)


def test_names_go_in_joined_by_carriage_returns_in_batches_and_once_each() -> None:
    first, second = build_lookups(NETWORK, [*NAMES, "SYMBOL:CDK2"])
    assert (first.method, first.path) == ("POST", "/json/get_string_ids")
    assert first.form == (
        ("identifiers", "tp53\rNOSUCH"),
        ("species", "9606"),
        ("echo_query", "1"),
    )
    assert (second.inputs, (second.form or ())[0]) == (
        ("SYMBOL:CDK2",),
        ("identifiers", "CDK2"),
    )
    (mouse, _) = build_lookups(NETWORK, NAMES, variables={"taxon": "10090"})
    assert ("species", "10090") in (mouse.form or ())


def test_an_operation_without_a_look_up_makes_none() -> None:
    plain = replace(NETWORK, manner=Manner())
    assert build_lookups(plain, NAMES) == []
    assert read_lookup(plain, asked(*NAMES), [row(0, "tp53", "9606.E1")]) == {}


def test_a_name_that_is_not_mapped_is_absent_and_shifts_nothing() -> None:
    payload = [row(0, None, "9606.E1"), row(2, None, "9606.E3")]
    assert read_lookup(NETWORK, asked(*NAMES), payload) == {
        "SYMBOL:tp53": ("9606.E1",),
        "SYMBOL:CDK2": ("9606.E3",),
    }


def test_the_name_goes_before_an_index_that_counts_otherwise() -> None:
    payload = [row(-1, "TP53", "9606.E1"), row(1, "CDK2", "9606.E3")]
    assert read_lookup(NETWORK, asked(*NAMES), payload) == {
        "SYMBOL:tp53": ("9606.E1",),
        "SYMBOL:CDK2": ("9606.E3",),
    }


def test_several_matches_stay_in_order_and_the_whole_curie_is_a_name_too() -> None:
    payload = [row(7, "SYMBOL:CDK2", "9606.E3"), row(7, "cdk2", "9606.E4")] * 2
    assert read_lookup(NETWORK, asked(*NAMES), payload) == {"SYMBOL:CDK2": ("9606.E3", "9606.E4")}


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        "<html>",
        {"Error": "not found"},
        [None, 3, "x"],
        [row(9, "OTHER", "9606.E1")],
        [row(-1, None, "9606.E1")],
        [{"queryIndex": "9" * 5000, "stringId": "9606.E1"}],
        [{"queryIndex": True, "stringId": "9606.E1"}],
        [{"queryIndex": 0}],
        [{"queryIndex": 0, "stringId": None}],
        [{"queryIndex": 0, "stringId": ""}],
        [{"queryIndex": 0, "stringId": {"a": 1}}],
    ],
)
def test_rows_that_say_nothing_usable_are_left_out(payload: Any) -> None:
    assert read_lookup(NETWORK, asked(*NAMES), payload) == {}


def test_rows_may_lie_inside_an_answer() -> None:
    inside = Lookup("post", "/graphql", "data.hits.gene.id", echo="data.hits.term")
    nested = replace(NETWORK, manner=Manner(lookup=inside))
    payload = {
        "data": {"hits": [{"term": "CDK2", "gene": {"id": 7}}, {"term": "TP53", "gene": None}]}
    }
    assert read_lookup(nested, asked(*NAMES), payload) == {"SYMBOL:CDK2": ("7",)}


def test_an_answer_to_one_identifier_needs_no_echo() -> None:
    bare = replace(NETWORK, manner=Manner(lookup=Lookup("get", "/{id}", "id")))
    payload = {"id": ["E1", "E2"]}
    assert read_lookup(bare, asked("SYMBOL:CDK2"), payload) == {"SYMBOL:CDK2": ("E1", "E2")}
    assert read_lookup(bare, asked(*NAMES), payload) == {}


def test_what_was_found_is_asked_in_place_of_the_names() -> None:
    own = read_lookup(
        NETWORK, asked(*NAMES), [row(0, "TP53", "9606.E1"), row(2, "CDK2", "9606.E3")]
    )
    (request,) = build_requests(NETWORK, NAMES, own=own)
    assert request.inputs == ("SYMBOL:tp53", "SYMBOL:CDK2")
    assert request.form == (("identifiers", "9606.E1\r9606.E3"),)


def test_a_look_up_that_cannot_be_made_is_refused_by_name() -> None:
    broken = replace(NETWORK, manner=Manner(lookup=replace(STRING_IDS, body={"a": "{{ nosuch }}"})))
    with pytest.raises(
        ConfigError, match=r"^string: post /json/network functional: lookup: .*nosuch"
    ):
        build_lookups(broken, NAMES)
