"""The templates that ship keep to their schema; a malformed one is refused by file and place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fedrag.errors import ConfigError
from fedrag.plan import load_templates
from fedrag.plan.templates import load_template
from fedrag.resources import schema_path, templates_dir

SCHEMA = json.loads(schema_path("template").read_text(encoding="utf-8"))
SOUND: dict[str, Any] = json.loads(
    (templates_dir() / "targets-of-drug.json").read_text(encoding="utf-8")
)
Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize("path", sorted(templates_dir().glob("*.json")), ids=lambda p: p.stem)
def test_a_template_that_ships_keeps_to_the_schema(path: Path) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert [e.message for e in Draft202012Validator(SCHEMA).iter_errors(raw)] == []
    assert load_template(path).id == raw["id"] == path.stem


def test_the_schema_itself_is_sound_and_closed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["$defs"]["edge"]["additionalProperties"] is False


def test_the_templates_the_field_needs_are_there() -> None:
    needed = {
        "gene-by-drug-and-disease",
        "metabolite-by-drug-and-disease",
        "drug-by-disease-and-process",
        "relation-of-two",
        "targets-of-drug",
        "genes-of-disease",
        "drugs-of-disease",
        "diseases-of-gene",
        "partners-of-gene",
        "phenotypes-of-disease",
        "side-effects-of-drug",
        "processes-of-gene",
        "two-conditions",
        "one-hop",
    }
    assert needed <= {template.id for template in load_templates()}


def _delete(*place: str) -> Change:
    def change(raw: dict[str, Any]) -> None:
        for step in place[:-1]:
            raw = raw[step]
        del raw[place[-1]]

    return change


def _set(value: Any, *place: str) -> Change:
    def change(raw: dict[str, Any]) -> None:
        for step in place[:-1]:
            raw = raw[step]
        raw[place[-1]] = value

    return change


EDGE = ("query_graph", "edges", "drug_target")


@pytest.mark.parametrize(
    ("change", "place", "told"),
    [
        (_delete("answer"), "the template", "'answer' is a required property"),
        (_set(1, "understood"), "understood", "is not of type 'string'"),
        (_set("maybe", "kind"), "kind", "'maybe' is not one of"),
        (_set(True, "colour"), "the template", "'colour' was unexpected"),
        (_set({}, "query_graph", "nodes", "target"), "query_graph.nodes.target", "is not valid"),
        (
            _set("0", *EDGE, "wave"),
            "query_graph.edges.drug_target.wave",
            "is not of type 'integer'",
        ),
        (_set("nobody", *EDGE, "subject"), "query_graph.edges.drug_target", "no node 'nobody'"),
        (_set(0, *EDGE, "wave"), "query_graph.edges.drug_target.wave", "must be 1 or more"),
        (
            _set(["biolink:hits"], *EDGE, "predicates"),
            "query_graph.edges.drug_target.predicates",
            "biolink:hits is not a Biolink predicate",
        ),
        (
            _set(["biolink:Jeans"], "query_graph", "nodes", "target", "categories"),
            "query_graph.nodes.target",
            "biolink:Jeans is not a Biolink",
        ),
        (_set("robot", "slots", "drug"), "slots.drug", "'robot' is not a family"),
        (_set("gene", "slots", "other"), "slots.other", "bound to exactly one node"),
        (_set("pill", "answer", "node"), "answer", "there is no node 'pill'"),
        (_set("x", *EDGE, "from"), "query_graph.edges.drug_target.from", "is not an end"),
        (_set(7, "cues"), "cues", "is not of type 'array'"),
    ],
)
def test_a_malformed_template_is_refused_with_its_place(
    tmp_path: Path, change: Change, place: str, told: str
) -> None:
    raw = copy.deepcopy(SOUND)
    change(raw)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_templates(tmp_path)
    assert str(refused.value).startswith(f"{path}: {place}: ")
    assert told in str(refused.value)


def test_a_further_hop_must_say_where_it_starts(tmp_path: Path) -> None:
    raw = copy.deepcopy(SOUND)
    del raw["query_graph"]["edges"]["drug_target"]["from"]
    raw["query_graph"]["edges"]["drug_target"]["wave"] = 2
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ConfigError, match="must say where it starts"):
        load_template(path)


def test_a_first_hop_must_start_from_a_given_entity(tmp_path: Path) -> None:
    raw = copy.deepcopy(SOUND)
    raw["query_graph"]["nodes"]["other"] = {"categories": ["biolink:Gene"]}
    raw["query_graph"]["edges"]["drug_target"]["subject"] = "other"
    raw["query_graph"]["edges"]["drug_target"]["from"] = "other"
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ConfigError, match="must start from a given entity"):
        load_template(path)


def test_qualifiers_need_one_predicate_and_single_categories(tmp_path: Path) -> None:
    raw = copy.deepcopy(SOUND)
    raw["query_graph"]["edges"]["drug_target"]["qualifier_constraints"] = [
        {
            "qualifier_set": [
                {
                    "qualifier_type_id": "biolink:object_direction_qualifier",
                    "qualifier_value": "decreased",
                }
            ]
        }
    ]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ConfigError, match="exactly one predicate and one category"):
        load_template(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[]", "is not of type 'object'"),
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_what_is_no_json_object_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as refused:
        load_template(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_template(path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no templates"):
        load_templates(tmp_path)


def test_two_templates_of_one_id_are_refused(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(SOUND), encoding="utf-8")
    with pytest.raises(ConfigError, match="a second template called 'targets-of-drug'"):
        load_templates(tmp_path)
