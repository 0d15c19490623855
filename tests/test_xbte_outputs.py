"""Outputs that are a service's own identifiers: asked for once, named, or left out and counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fedrag.datamodel import Attribute
from fedrag.errors import ConfigError
from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Manner, OutputLookup
from fedrag.xbte import Record, build_output_lookups, read_output_lookup, with_outputs
from fedrag.xbte.outputs import Output

TARGETS = OutputLookup(
    "get",
    "/target.json",
    "targets.components.accession",
    {"id__in": "{{ queryInputs | joinSafe(',') }}", "taxon": "{{ taxon }}"},
    echo="targets.id",
    batch_size=2,
    prefix="UniProtKB",
    name="targets.components.told",
    taxon="targets.tax_id",
)
MECHANISM = Operation(
    id="get /mechanism.json drug",
    service="chembl",
    method="get",
    path="/mechanism.json",
    subject_category="biolink:ChemicalEntity",
    predicate="biolink:affects",
    object_category="biolink:Protein",
    output_prefix="CHEMBL.TARGET",
    manner=Manner(output_lookup=TARGETS),
)
T1, T2, T3 = "CHEMBL.TARGET:T1", "CHEMBL.TARGET:T2", "CHEMBL.TARGET:T3"


def target(own: str, *components: tuple[Any, Any], tax_id: Any = 9606) -> dict[str, Any]:
    told = [{"accession": one, "told": name} for one, name in components]
    return {"id": own, "components": told, "tax_id": tax_id}


def read(*targets: Any) -> dict[str, tuple[Output, ...]]:
    (request,) = build_output_lookups(MECHANISM, [T1, T2])
    return read_output_lookup(MECHANISM, request, {"targets": list(targets)})


def test_each_output_is_asked_once_in_batches_with_the_operations_variables() -> None:
    first, second = build_output_lookups(
        MECHANISM, [T1, T2, T1, T3, T3], variables={"taxon": "10090"}
    )
    assert (first.method, first.path, first.inputs) == ("GET", "/target.json", (T1, T2))
    assert first.query == (("id__in", "T1,T2"), ("taxon", "10090"))
    assert (second.inputs, second.query[0]) == ((T3,), ("id__in", "T3"))


def test_an_operation_without_one_looks_nothing_up() -> None:
    plain = replace(MECHANISM, manner=Manner())
    (request,) = build_output_lookups(MECHANISM, [T1])
    assert build_output_lookups(plain, [T1]) == []
    assert read_output_lookup(plain, request, {"targets": [target("T1", ("P1", "x"))]}) == {}


def test_a_thing_has_its_name_and_organism_and_one_not_known_has_none() -> None:
    assert read(target("t2", ("Q15116", "PD-1"))) == {
        T1: (),
        T2: (Output("UniProtKB:Q15116", "PD-1", "NCBITaxon:9606"),),
    }


def test_several_things_of_one_output_stay_several_without_a_name_that_is_not_each_ones() -> None:
    found = read(target("T1", ("P1", "one"), ("P2", "two"), ("P1", "one")))
    assert [(one.curie, one.name) for one in found[T1]] == [
        ("UniProtKB:P1", None),
        ("UniProtKB:P2", None),
    ]


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        "<html>",
        {"targets": None},
        {"targets": [None, 3, "x"]},
        {"targets": [target("T9", ("P1", "x"))]},
        {"targets": [target("T1")]},
        {"targets": [target("T1", (None, "x"), ("", "y"), (True, "z"), ({"a": 1}, "v"))]},
        {"targets": [target("T1", ("ENSEMBL:ENSG00000188389", "x"))]},
        {"targets": [{"components": [{"accession": "P1"}]}]},
    ],
)
def test_rows_that_say_nothing_usable_name_nothing(payload: Any) -> None:
    (request,) = build_output_lookups(MECHANISM, [T1, T2])
    assert read_output_lookup(MECHANISM, request, payload) == {T1: (), T2: ()}


def test_a_record_keeps_everything_but_its_output() -> None:
    record = Record(
        "CHEMBL.COMPOUND:C1",
        T1,
        output_name="own name",
        publications=("PMID:1",),
        attributes=(Attribute("chembl_target", "T1"),),
        qualifiers=(("biolink:a", "b"),),
        negated=True,
        taxon="NCBITaxon:10090",
    )
    found = {T1: [Output("UniProtKB:P1", "named", "NCBITaxon:9606"), Output("UniProtKB:P2")]}
    assert with_outputs([record], found).records == (
        replace(record, output="UniProtKB:P1", output_name="named", taxon="NCBITaxon:9606"),
        replace(record, output="UniProtKB:P2"),
    )


def test_what_is_not_known_and_what_nobody_answered_for_are_counted_apart() -> None:
    records = [Record("CHEMBL.COMPOUND:C1", one) for one in (T1, T2, T2, T3)]
    reading = with_outputs(records, {T1: [], T3: [Output("UniProtKB:P1")]})
    assert [record.output for record in reading.records] == ["UniProtKB:P1"]
    assert reading.dropped == (
        ("an output that its look-up does not know", 1),
        ("an output that could not be looked up", 2),
    )


def test_a_look_up_that_cannot_be_made_is_refused_by_name() -> None:
    lookup = replace(TARGETS, parameters={"a": "{{ nosuch }}"})
    broken = replace(MECHANISM, manner=Manner(output_lookup=lookup))
    with pytest.raises(
        ConfigError, match=r"^chembl: get /mechanism.json drug: output_lookup: .*nosuch"
    ):
        build_output_lookups(broken, [T1])
