"""The one table from DrugMechDB's relation names to Biolink."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from fedrag.errors import ConfigError
from fedrag.testing.records import to_facts
from fedrag.testing.relations import RELATIONS, relation


@pytest.fixture(scope="module")
def model() -> dict[str, Any]:
    """The Biolink Model's own YAML, out of its wheel."""
    spec = importlib.util.find_spec("biolink_model")
    assert spec is not None
    assert spec.submodule_search_locations
    path = Path(spec.submodule_search_locations[0]) / "schema" / "biolink_model.yaml"
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return loaded


def _readings() -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    return [
        (name, *entry.reading(chemical_source=chemical))
        for name, entry in RELATIONS.items()
        for chemical in (False, True)
    ]


def _slot(curie: str) -> str:
    return curie.removeprefix("biolink:").replace("_", " ")


def test_every_predicate_is_a_real_biolink_predicate_and_the_canonical_one(
    model: dict[str, Any],
) -> None:
    slots = model["slots"]
    for name, predicate, _ in _readings():
        slot = slots[_slot(predicate)]
        ancestors = [_slot(predicate)]
        while parent := (slots[ancestors[-1]] or {}).get("is_a"):
            ancestors.append(parent)
        assert ancestors[-1] in ("related to", "interacts with"), name
        assert "deprecated" not in slot, name
        assert "inverse" not in slot, f"{name} should be stored the other way round"


def test_every_qualifier_takes_a_value_of_its_own_enumeration(model: dict[str, Any]) -> None:
    enums = model["enums"]
    allowed = {
        "biolink:object_aspect_qualifier": set(
            enums["GeneOrGeneProductOrChemicalEntityAspectEnum"]["permissible_values"]
        ),
        "biolink:object_direction_qualifier": set(
            enums["DirectionQualifierEnum"]["permissible_values"]
        ),
        "biolink:qualified_predicate": {"biolink:causes"},
    }
    for name, _, qualifiers in _readings():
        for kind, value in qualifiers:
            assert value in allowed[kind], name


@pytest.mark.parametrize(
    ("name", "predicate", "swap"),
    [
        ("treats", "biolink:treats", False),
        ("contraindicated for", "biolink:contraindicated_in", False),
        ("positively correlated with", "biolink:positively_correlated_with", False),
        ("negatively correlated with", "biolink:negatively_correlated_with", False),
        ("prevents", "biolink:preventative_for_condition", False),
        ("affects risk for", "biolink:affects_likelihood_of", False),
        ("manifestation of", "biolink:manifestation_of", False),
        ("in taxon", "biolink:in_taxon", False),
        ("caused by", "biolink:causes", True),
        ("is metabolite of", "biolink:has_metabolite", True),
    ],
)
def test_meanings(name: str, predicate: str, swap: bool) -> None:
    assert (relation(name).predicate, relation(name).swap) == (predicate, swap)


def test_decreasing_an_activity_is_affects_qualified_as_biolink_4_says() -> None:
    assert relation("decreases activity of").reading(chemical_source=True) == (
        "biolink:affects",
        (
            ("biolink:qualified_predicate", "biolink:causes"),
            ("biolink:object_aspect_qualifier", "activity"),
            ("biolink:object_direction_qualifier", "decreased"),
        ),
    )


def test_a_protein_regulates_but_a_chemical_affects() -> None:
    entry = relation("negatively regulates")
    protein = entry.reading(chemical_source=False)
    assert protein == (
        "biolink:regulates",
        (("biolink:object_direction_qualifier", "downregulated"),),
    )
    predicate, qualifiers = entry.reading(chemical_source=True)
    assert predicate == "biolink:affects"
    assert dict(qualifiers)["biolink:object_direction_qualifier"] == "decreased"


def test_the_table_holds_the_corpus_67_names_and_no_other(corpora: Path) -> None:
    records = json.loads((corpora / "drugmechdb" / "indication_paths.json").read_bytes())
    names = {link["key"] for record in records for link in record["links"]}
    assert len(names) == 67
    assert set(RELATIONS) == names


def test_an_unmapped_name_fails_the_build_and_says_where() -> None:
    record = {
        "graph": {
            "_id": "R1",
            "drug": "a",
            "drug_mesh": "MESH:D1",
            "disease": "b",
            "disease_mesh": "MESH:D2",
        },
        "nodes": [
            {"id": "MESH:D1", "label": "Drug", "name": "a"},
            {"id": "MESH:D2", "label": "Disease", "name": "b"},
        ],
        "links": [{"key": "enchants", "source": "MESH:D1", "target": "MESH:D2"}],
    }
    with pytest.raises(ConfigError, match=r"'enchants' in record R1 .*RELATIONS"):
        to_facts([record])
