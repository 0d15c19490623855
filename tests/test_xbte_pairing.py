"""Which hit answers which identifier: exactly, in whatever form the answer writes it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fedrag.xbte.pairing import Inputs, parts

NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("curie", "written"),
    [
        ("NCBIGene:1017", "1017"),
        ("NCBIGene:1017", 1017),
        ("NCBIGene:1017", "ncbigene:1017"),
        ("MONDO:0005737", "MONDO:0005737"),
        ("MONDO:0005737", "MONDO_0005737"),
        ("MONDO:0005737", "http://purl.obolibrary.org/obo/MONDO_0005737"),
        ("MESH:D003634", "d003634"),
        ("HGNC:1097", "HGNC:HGNC:1097"),
        ("SYMBOL:HLA-DRB1*15:01", "HLA-DRB1*15:01"),
        ("NAME:acetylsalicylic acid", "Acetylsalicylic Acid"),
    ],
)
def test_an_input_is_found_as_the_service_writes_it(curie: str, written: Any) -> None:
    assert Inputs([curie, "X:other"]).match(written) == (curie,)


@pytest.mark.parametrize("written", ["10171", "101", "1", "", None, "NCBIGene", [], {"a": 1}, True])
def test_a_part_of_an_identifier_is_not_the_identifier(written: Any) -> None:
    assert Inputs(["NCBIGene:1017", "NCBIGene:11"]).match(written) == ()


def test_case_decides_between_identifiers_that_differ_in_it_alone() -> None:
    asked = Inputs(["NAME:Abc", "NAME:aBC"])
    assert asked.match("aBC") == ("NAME:aBC",)
    assert asked.match("abc") == ("NAME:Abc", "NAME:aBC")


def test_an_own_identifier_of_the_service_stands_for_its_input() -> None:
    asked = Inputs(["NCBIGene:673"], {"9606.ENSP00000419060": ["NCBIGene:673"]})
    assert asked.match("9606.ensp00000419060") == ("NCBIGene:673",)


def test_what_was_looked_up_is_surer_than_what_looks_alike() -> None:
    asked = Inputs(["NCBIGene:1", "NCBIGene:2"], {"1": ["NCBIGene:2"]})
    assert asked.match("1") == ("NCBIGene:2",)
    assert asked.match("NCBIGene:1") == ("NCBIGene:1",)


def test_a_list_answers_several_inputs() -> None:
    asked = Inputs(["UMLS:C1", "UMLS:C2", "UMLS:C3"])
    assert asked.match(["C3", "C9", ["C1"]]) == ("UMLS:C3", "UMLS:C1")
    assert asked.queried(["C1", "C2"]) == ("UMLS:C1", "UMLS:C2")


def test_a_list_that_is_a_query_of_several_fields_answers_its_identifier() -> None:
    asked = Inputs(["NCBIGene:1", "NCBIGene:1017"])
    assert asked.queried(["1017", "biolink:affects", 1, 1]) == ("NCBIGene:1017",)
    assert asked.queried(["biolink:affects", "NCBIGene:1"]) == ("NCBIGene:1",)
    assert asked.queried(["biolink:affects", "101"]) == ()


def roots(payload: Any, inputs: list[str], steps: set[str], method: str = "get") -> list[Any]:
    dropped: Counter[str] = Counter()
    found = parts(payload, method, frozenset(steps), Inputs(inputs), dropped)
    return [*((part.root, part.inputs) for part in found), dict(dropped)]


def test_hits_that_found_nothing_are_passed_over_and_strangers_counted() -> None:
    hits = [
        {"query": "1", "notfound": True},
        {"query": "2", "x": 1},
        {"query": "3", "x": 2},
        {"x": 3},
        "no hit",
    ]
    asked = ["A:1", "A:2"]
    told = {"answers none of the inputs": 2, "no record": 1}
    for payload in (hits, {"max_total": 5, "hits": hits}, {"took": 1, "total": 5, "hits": hits}):
        assert roots(payload, asked, {"x"}, "post") == [({"query": "2", "x": 1}, ("A:2",)), told]


def test_the_only_input_is_answered_however_its_query_is_written() -> None:
    assert roots([{"query": "drug:7"}], ["A:8"], {"x"}, "post") == [
        ({"query": "drug:7"}, ("A:8",)),
        {},
    ]


def test_hits_of_a_get_are_the_answer_or_its_parts_as_the_mapping_begins() -> None:
    payload = {"took": 1, "total": 1, "hits": [{"x": 1}, {"x": 2}]}
    assert roots(payload, ["A:1"], {"hits"}) == [(payload, None), {}]
    assert roots(payload, ["A:1"], {"x"}) == [({"x": 1}, None), ({"x": 2}, None), {}]


def test_hits_of_a_get_that_tell_their_query_are_paired_when_several_were_asked() -> None:
    hits = [{"query": "1", "x": 1}, {"query": "2", "x": 2}]
    told = [(hits[0], ("A:1",)), (hits[1], ("A:2",)), {}]
    assert roots({"hits": hits}, ["A:1", "A:2"], {"x"}) == told
    assert roots({"hits": hits}, ["A:1", "A:2"], {"hits"}) == [({"hits": hits}, None), {}]


def test_elements_of_a_bare_list_tell_their_input_when_several_were_asked() -> None:
    rows = [{"Input": "d1", "x": 1}, {"x": 2}]
    assert roots(rows, ["MESH:D1", "MESH:D2"], {"data"}) == [
        ({"data": [rows[0]]}, ("MESH:D1",)),
        ({"data": [rows[1]]}, None),
        {},
    ]


def test_a_bare_list_is_read_from_data_on_or_by_its_elements() -> None:
    assert roots([{"x": 1}], ["A:1"], {"data"}) == [({"data": [{"x": 1}]}, None), {}]
    assert roots([{"x": 1}], ["A:1"], {"x"}) == [({"x": 1}, None), {}]
    assert roots([{"data": 1}], ["A:1"], {"data"}) == [({"data": 1}, None), {}]


@pytest.mark.parametrize("payload", [None, [], {"hits": []}])
def test_an_empty_answer_has_no_parts(payload: Any) -> None:
    assert roots(payload, ["A:1"], {"x"}, "post") == [{}]


def test_a_text_is_no_record() -> None:
    assert roots("<html>", ["A:1"], {"x"}) == [{"no record": 1}]


def test_dotted_keys_become_objects() -> None:
    hit = {"query": "1", "a": {"z": 0}, "a.b.c": 1, "a.b.d": [2, 3], "a.e": None}
    found = list(parts([hit], "post", NOTHING, Inputs(["A:1"]), Counter()))
    assert found[0].root == {"query": "1", "a": {"z": 0, "b": {"c": 1, "d": [2, 3]}, "e": None}}
    assert found[0].torn
    assert hit["a"] == {"z": 0}
