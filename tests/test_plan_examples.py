"""Every template's examples select it, and every query graph is valid TRAPI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema_rs import Draft4Validator
from plan_material import planned, telling_nothing

from fedrag.biolink import biolink
from fedrag.datamodel import QueryPlan
from fedrag.plan import load_templates, plan_to_trapi
from fedrag.plan.examples import read_example
from fedrag.plan.lexicon import expand

_EXAMPLES = [
    (name, example)
    for template in load_templates()
    for name, examples in (
        (template.id, template.examples),
        *((f"{template.id}:{v.id}", v.examples) for v in template.variants),
    )
    for example in examples
]
# TRAPI's own schema says "nullable" beside what JSON Schema knows; as OpenAPI 3.0 it is draft 4.
_SCHEMA = "TranslatorReasonerAPI.v1.5.0.yaml"


@pytest.fixture(scope="module")
def query_graph_schema(corpora: Path) -> Draft4Validator:
    with (corpora / "trapi" / _SCHEMA).open(encoding="utf-8") as file:
        document = yaml.load(file, Loader=yaml.CSafeLoader)
    components = json.dumps(document["components"]["schemas"])
    definitions = json.loads(components.replace("#/components/schemas/", "#/definitions/"))
    # What a query graph does not reach leads to other documents on the network.
    definitions = {k: v for k, v in definitions.items() if "https://standards" not in json.dumps(v)}
    return Draft4Validator({"$ref": "#/definitions/QueryGraph", "definitions": definitions})


@pytest.mark.parametrize(("name", "example"), _EXAMPLES)
def test_an_example_selects_its_template(name: str, example: str) -> None:
    assert planned(example).template == name


def test_there_are_at_least_four_examples_for_every_three_templates() -> None:
    assert len(_EXAMPLES) >= 140
    assert len(load_templates()) == 47


@pytest.mark.parametrize(("name", "example"), _EXAMPLES)
def test_a_plans_query_graphs_are_valid_trapi(
    name: str, example: str, query_graph_schema: Draft4Validator
) -> None:
    plan = planned(example)
    graphs = plan_to_trapi(plan)
    assert len(graphs) == (1 if len(plan.edges) == 1 else 1 + len(plan.edges))
    for graph in graphs:
        query_graph_schema.validate(graph)
        _check_semantics(graph, plan)


def _check_semantics(graph: dict[str, Any], plan: QueryPlan) -> None:
    model = biolink()
    for node in graph["nodes"].values():
        assert all(model.is_category(category) for category in node["categories"])
    for edge in graph["edges"].values():
        assert {edge["subject"], edge["object"]} <= graph["nodes"].keys()
        assert all(model.is_predicate(p) for p in edge.get("predicates", []))
        if "qualifier_constraints" in edge:  # TRAPI: one predicate, one category at each end
            assert len(edge["predicates"]) == 1
            for end in (edge["subject"], edge["object"]):
                assert len(graph["nodes"][end]["categories"]) == 1


def test_the_validator_refuses_what_is_no_query_graph(query_graph_schema: Draft4Validator) -> None:
    assert not query_graph_schema.is_valid({"nodes": {}})
    assert not query_graph_schema.is_valid({"nodes": {"a": {"categories": ["Gene"]}}, "edges": {}})


def test_every_cue_of_every_template_is_a_pattern() -> None:
    import re

    patterns = [
        pattern
        for template in load_templates()
        for pattern in (
            *template.requires,
            *template.excludes,
            *(p for p, _ in template.cues),
            *(p for v in template.variants for p in v.when),
        )
    ]
    assert len(patterns) > 100
    for pattern in patterns:
        re.compile(expand(pattern))


def test_the_benchmarks_three_wordings_select_their_templates(corpora: Path) -> None:
    """The 1,841 questions share three wordings; drug and disease names must not act as cues."""
    import csv

    wanted = {
        "DMDB_mechanistic_genes_filtered.csv": ("gene-by-drug-and-disease", "drug", "disease"),
        "DMDB_chebi_metabolite_filtered.csv": ("metabolite-by-drug-and-disease", "drug", "disease"),
        "DMDB_go_bp_filtered.csv": ("drug-by-disease-and-process", "disease", "bp"),
    }
    families = {"drug": "chemical", "disease": "disease", "bp": "process"}
    wrong, total = [], 0
    for file, (template, *columns) in wanted.items():
        with (corpora / "bte_rag" / file).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                example = _marked(row, columns, families)
                total += 1
                if planned(example).template != template:
                    wrong.append(example)
    assert total == 1841
    assert wrong == []


def _marked(row: dict[str, str], columns: list[str], families: dict[str, str]) -> str:
    """The question with its entities marked, the last one first (a name may be in another)."""
    question = row["question"]
    marks = {}
    for number, column in enumerate(columns):
        name = row[f"{column}_name"]
        at = question.rindex(name) if column in ("bp",) else question.index(name)
        marks[at] = (number, column, name)
    for at, (_, column, name) in sorted(marks.items(), reverse=True):
        mark = f"{{{families[column]}:{name.replace('}', ')')}}}"
        question = question[:at] + mark + question[at + len(name) :]
    return question


def test_reading_an_example_gives_offsets_that_hold() -> None:
    question, entities = read_example("Does {chemical:zinc} help {disease:common cold}?")
    assert question == "Does zinc help common cold?"
    assert [question[e.start : e.end] for e in entities] == ["zinc", "common cold"]
    assert telling_nothing().services[0].name == "bte"
