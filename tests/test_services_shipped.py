"""What eight shipped documents say: valid, with examples that fit, in words Biolink knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from api_calls import NAMES, shipped

from fedrag.biolink import biolink
from fedrag.metakg import validate_document
from fedrag.resources import metakg_dir
from fedrag.testing.apis import APIS, routes_of


def annotated(name: str) -> Iterator[Mapping[str, Any]]:
    document = yaml.safe_load((metakg_dir() / f"{name}.yaml").read_text(encoding="utf-8"))
    for listed in document["components"]["x-bte-kgs-operations"].values():
        yield from listed


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_valid_and_every_operation_of_it_is_listed(name: str) -> None:
    assert validate_document(metakg_dir() / f"{name}.yaml") == []
    pairs = sum(len(one["inputs"]) * len(one["outputs"]) for one in annotated(name))
    assert len(shipped(name).operations) == pairs


@pytest.mark.parametrize("name", NAMES)
def test_examples_have_the_prefixes_of_their_operation(name: str) -> None:
    examples = 0
    for one in annotated(name):
        inputs = {given["id"] for given in one["inputs"]}
        outputs = {got["id"] for got in one["outputs"]}
        outputs |= set(one.get("x-fedrag", {}).get("prefix_from", {}).get("prefixes", {}).values())
        for example in one["testExamples"]:
            assert example["qInput"].partition(":")[0] in inputs
            assert example["oneOutput"].partition(":")[0] in outputs
            examples += 1
    assert examples > 0


@pytest.mark.parametrize("name", NAMES)
def test_qualifiers_are_those_of_the_biolink_model(name: str) -> None:
    model = biolink()
    for one in shipped(name).operations:
        told = {kind.removeprefix("biolink:"): value for kind, value in one.qualifiers}
        if "qualified_predicate" in told:
            assert model.is_predicate(told.pop("qualified_predicate"))
        for kind, value in told.items():
            assert kind.endswith(("_aspect_qualifier", "_direction_qualifier"))
            # A value that is none of the enumeration has itself alone below it.
            assert value in {"activity", "expression", "abundance"} | {
                "increased",
                "decreased",
                "upregulated",
                "downregulated",
            }
        aspects = [kind for kind in told if "aspect" in kind]
        assert not aspects or one.predicate in ("biolink:affects", "biolink:affected_by")


@pytest.mark.parametrize("name", NAMES)
def test_a_document_says_whose_it_is_and_how_to_ask(name: str) -> None:
    service = shipped(name)
    assert service.infores.startswith("infores:")
    assert service.licence
    assert service.homepage
    assert service.endpoint.base_url.startswith("https://")
    assert service.endpoint.concurrency <= 4
    assert service.check_call["path"].startswith("/")
    assert all(one.knowledge_level and one.agent_type for one in service.operations)
    assert APIS[name] == name
    assert routes_of(name)


def test_curated_mechanisms_come_first_and_mined_text_last() -> None:
    order = sorted(NAMES, key=lambda name: shipped(name).priority)
    assert (order[0], order[-1]) == ("chembl", "pubtator3")
    assert [name for name in NAMES if not shipped(name).commercial] == ["ctd"]
    assert [name for name in NAMES if not shipped(name).verified] == [
        "chembl",
        "reactome",
        "hpa",
    ]


def test_no_association_is_called_a_mechanism() -> None:
    """A mechanism (``affects``) comes from ChEMBL's mechanisms and CTD's interactions alone."""
    affecting = {
        (name, one.source)
        for name in NAMES
        for one in shipped(name).operations
        if one.predicate in ("biolink:affects", "biolink:affected_by")
    }
    assert {name for name, _ in affecting} == {"opentargets", "chembl", "ctd"}
    treating = {
        (name, one.id.split()[-1])
        for name in NAMES
        for one in shipped(name).operations
        if one.predicate in ("biolink:treats", "biolink:treated_by")
    }
    assert {operation for _, operation in treating} == {
        "drug-approved-for-disease",
        "disease-approved-drug",
        "[2]",
        "[3]",
    }
