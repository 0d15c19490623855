"""x-bte annotations → operations: every field, what is shared, and what a broken one costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from fedrag.metakg.operations import Flaw, Operation, annotation_count, read_operations
from fedrag.metakg.yamlfile import YamlError, parse

DOCUMENT = """\
openapi: 3.0.3
info:
  title: Annotated
  x-fedrag:
    batch_size: 7
    settings: {score: 400}
servers: [{url: https://api.example.org}]
paths:
  /gene/{id}/{kind}:
    parameters:
      - {name: kind, in: path}
    get:
      parameters:
        - $ref: "#/components/parameters/id"
        - {name: size, in: query}
      x-bte-kgs-operations:
        - supportBatch: false
          useTemplating: true
          inputs: [{id: NCBIGene, semantic: Gene}]
          outputs: [{id: MONDO, semantic: Disease}]
          parameters: {id: "{{ queryInputs }}", kind: disease, size: 5}
          predicate: biolink:causes
          qualifiers:
            qualified_predicate: causes
            biolink:object_aspect_qualifier: activity
          source: infores:omim
          knowledge_level: knowledge_assertion
          agent_type: manual_agent
          response_mapping: {$ref: "#/components/x-bte-response-mapping/disease"}
          x-fedrag:
            echo_field: gene
            settings: {species: "9606"}
  /query:
    post:
      x-bte-kgs-operations:
        - $ref: "#/components/x-bte-kgs-operations/drugs"
        - $ref: "#/components/x-bte-kgs-operations/drugs"
components:
  parameters:
    id: {name: id, in: path}
  x-bte-kgs-operations:
    drugs:
      - &drug
        supportBatch: true
        inputSeparator: "|"
        inputs: [{id: NCBIGene, semantic: Gene}]
        outputs: [{id: DRUGBANK, semantic: Drug}, {id: CHEBI, semantic: SmallMolecule}]
        requestBody: {body: {q: "{inputs[0]}"}, header: application/x-www-form-urlencoded}
        predicate: affected_by
        source: a name in words
        knowledge_level: guesswork
        responseMapping: {affected_by: {drugbank: a.b, CHEBI: a.c}}
      - <<: *drug
        requestBodyType: object
        outputs: [{id: DRUGBANK, semantic: Drug}]
  x-bte-response-mapping:
    disease: {MONDO: hits.mondo, output_name: hits.name}
"""


def read(text: str) -> tuple[tuple[Operation, ...], tuple[Flaw, ...]]:
    return read_operations(parse(Path("a.yaml"), text.encode()), "mine", "https://api.example.org")


def changed(old: str, new: str) -> tuple[tuple[Operation, ...], tuple[Flaw, ...]]:
    assert old in DOCUMENT
    return read(DOCUMENT.replace(old, new, 1))


def test_every_field_of_an_annotation_is_read() -> None:
    operations, flaws = read(DOCUMENT)
    assert flaws == ()
    one = operations[0]
    assert (one.id, one.service, one.server) == (
        "get /gene/{id}/{kind} 0",
        "mine",
        "https://api.example.org",
    )
    assert (one.subject_category, one.predicate, one.object_category) == (
        "biolink:Gene",
        "biolink:causes",
        "biolink:Disease",
    )
    assert one.qualifiers == (
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:qualified_predicate", "biolink:causes"),
    )
    assert (one.input_prefix, one.output_prefix) == ("NCBIGene", "MONDO")
    assert one.mapping == {"MONDO": "hits.mondo", "output_name": "hits.name"}
    assert (one.source, one.knowledge_level, one.agent_type) == (
        "infores:omim",
        "knowledge_assertion",
        "manual_agent",
    )
    call = one.call
    assert (call.method, call.path) == ("get", "/gene/{id}/{kind}")
    assert call.parameters == {"id": "{{ queryInputs }}", "kind": "disease", "size": 5}
    assert call.path_parameters == ("id", "kind")
    assert (call.templated, call.batch, call.separator, call.body) == (True, False, ",", None)


def test_x_fedrag_of_an_operation_goes_over_that_of_info() -> None:
    operations, _ = read(DOCUMENT)
    first, second = operations[0].manner, operations[1].manner
    assert (first.batch_size, first.echo_field) == (7, "gene")
    assert first.settings == {"score": 400, "species": "9606"}
    assert (second.batch_size, second.echo_field, second.settings) == (7, None, {"score": 400})


def test_a_reference_to_a_list_gives_all_of_it_and_outputs_give_one_operation_each() -> None:
    operations, _ = read(DOCUMENT)
    assert [(o.id, o.output_prefix, o.object_category) for o in operations[1:4]] == [
        ("post /query drugs", "DRUGBANK", "biolink:Drug"),
        ("post /query drugs [2]", "CHEBI", "biolink:SmallMolecule"),
        ("post /query drugs.1", "DRUGBANK", "biolink:Drug"),
    ]
    assert len({o.id for o in operations}) == len(operations) == 7
    assert annotation_count(operations) == 5


def test_the_older_mapping_under_its_predicate_and_in_other_letters_is_read() -> None:
    operations, _ = read(DOCUMENT)
    assert operations[1].mapping == {"DRUGBANK": "a.b", "CHEBI": "a.c"}
    assert operations[2].mapping == {"drugbank": "a.b", "CHEBI": "a.c"}


def test_a_body_is_a_form_unless_the_document_says_json() -> None:
    form, json = (read(DOCUMENT)[0][n].call for n in (1, 3))
    assert (form.body, form.body_type, form.batch, form.separator) == (
        {"q": "{inputs[0]}"},
        "form",
        True,
        "|",
    )
    assert json.body_type == "json"
    graphql, _ = changed("    batch_size: 7", "    protocol: graphql")
    assert graphql[1].call.body_type == "json"


def test_what_translator_cannot_hold_is_not_handed_on() -> None:
    drug = read(DOCUMENT)[0][1]
    assert (drug.source, drug.knowledge_level, drug.agent_type) == (
        None,
        "not_provided",
        "not_provided",
    )


def test_equal_parts_of_operations_are_one_object() -> None:
    operations, _ = read(DOCUMENT)
    assert operations[1].call is operations[2].call is operations[4].call
    assert operations[1].mapping is operations[4].mapping
    assert operations[1].manner is operations[6].manner
    assert operations[1].call is not operations[3].call


@pytest.mark.parametrize(
    ("old", "new", "place", "told"),
    [
        (
            "x-bte-kgs-operations/drugs",
            "x-bte-kgs-operations/none",
            ("paths", "/query", "post", "x-bte-kgs-operations", 0),
            "#/components/x-bte-kgs-operations/none leads nowhere",
        ),
        (
            '"#/components/x-bte-kgs-operations/drugs"',
            "https://example.org/a.yaml#/drugs",
            ("paths", "/query", "post", "x-bte-kgs-operations", 0),
            "'https://example.org/a.yaml#/drugs' is not a reference into this document (#/...)",
        ),
        (
            '"#/components/x-bte-kgs-operations/drugs"',
            '"#/info/title"',
            ("info", "title"),
            "an operation must be a mapping; this is 'Annotated'",
        ),
        (
            "x-bte-response-mapping/disease",
            "x-bte-response-mapping/sickness",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0, "response_mapping"),
            "response mapping: #/components/x-bte-response-mapping/sickness leads nowhere",
        ),
        (
            "output_name: hits.name",
            "output_name: [hits.name]",
            ("components", "x-bte-response-mapping", "disease", "output_name"),
            "output_name must be a path into the answer, not ['hits.name']",
        ),
        (
            "          predicate: biolink:causes\n",
            "",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0),
            "the operation cannot be read: it has no 'predicate'",
        ),
        (
            "inputs: [{id: NCBIGene, semantic: Gene}]",
            "inputs: [{id: NCBIGene}]",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0, "inputs", 0),
            "must have an id and a semantic: {'id': 'NCBIGene'}",
        ),
        (
            "outputs: [{id: MONDO, semantic: Disease}]",
            "outputs: MONDO",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0, "outputs"),
            "must be a list of id and semantic, not 'MONDO'",
        ),
        (
            "supportBatch: false",
            "supportBatch: 'no'",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0, "supportBatch"),
            "must be true or false, not 'no'",
        ),
        (
            "parameters: {id:",
            "parameters: # {id:\n            - {id:",
            ("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0, "parameters"),
            "must be a mapping, not [{'id': '{{ queryInputs }}', 'kind': 'disease', 'size': 5}]",
        ),
        (
            "echo_field: gene",
            "ecko_field: gene",
            (
                *("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0),
                *("x-fedrag", "ecko_field"),
            ),
            "unknown key; known: batch_size",
        ),
        (
            "echo_field: gene",
            "protocol: rest",
            (
                *("paths", "/gene/{id}/{kind}", "get", "x-bte-kgs-operations", 0),
                *("x-fedrag", "protocol"),
            ),
            "unknown key; known: batch_size",
        ),
    ],
)
def test_a_broken_operation_costs_itself_alone_and_is_told_with_its_place(
    old: str, new: str, place: tuple[Any, ...], told: str
) -> None:
    operations, flaws = changed(old, new)
    assert len(operations) in (6, 4)  # of 7: the annotation of one operation, or of three
    (flaw,) = flaws
    assert flaw.place == place
    assert flaw.message.startswith(told)
    assert flaw.fatal
    assert flaw.operation


def test_a_reference_to_nothing_or_round_in_a_circle_is_told() -> None:
    document = yaml.safe_load(
        "paths: {/a: {get: {x-bte-kgs-operations: [{$ref: '#/components/empty'},"
        " {$ref: '#/components/one'}]}}}\n"
        "components: {empty: null, one: {$ref: '#/components/two'},"
        " two: {$ref: '#/components/one'}}"
    )
    operations, flaws = read_operations(document, "mine")
    assert operations == ()
    assert [flaw.message for flaw in flaws] == [
        "#/components/empty leads nowhere",
        "components/two refers to itself",
    ]


def test_operations_in_the_old_form_are_told_and_do_no_harm() -> None:
    old = "paths: {/a: {get: {x-bte-kgs-operations: {treats: {$ref: '#/b'}}}}}"
    operations, flaws = read(old)
    assert operations == ()
    assert [(f.fatal, f.place[-1]) for f in flaws] == [(False, "x-bte-kgs-operations")]


@pytest.mark.parametrize("paths", ["3", "[a]", "{/a: 3}", "{/a: {get: 3}}", "{3: {get: {}}}"])
def test_paths_that_are_none_hold_nothing(paths: str) -> None:
    assert read(f"paths: {paths}") == ((), ())


def test_aliases_that_stand_for_billions_of_values_are_refused() -> None:
    layers = "".join(f"    l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    bomb = f"x:\n    l0: &l0 [a, b]\n{layers}" + DOCUMENT.replace(
        "parameters: {id:", "parameters: {bomb: *l11, id:"
    )
    operations, (flaw,) = read(bomb)
    assert len(operations) == 6
    assert flaw.message == "it holds more than 20,000 values"


def test_a_structure_that_holds_itself_is_refused() -> None:
    text = DOCUMENT.replace("parameters: {id:", "parameters: &p {me: *p, id:")
    operations, (flaw,) = read(text)
    assert len(operations) == 6
    assert "values" in flaw.message


def test_dates_become_text_so_that_a_compiled_document_is_the_same() -> None:
    operations, _ = changed("kind: disease", "kind: 2020-01-31")
    assert operations[0].call.parameters["kind"] == "2020-01-31"


def test_the_registrys_documents_hold_6432_operations_and_6443_meta_edges(corpora: Path) -> None:
    annotations, edges, holding, without, unreadable = 0, 0, 0, 0, 0
    lost: list[str] = []
    for path in sorted((corpora / "smartapi").iterdir()):
        try:
            document = parse(path, path.read_bytes())
        except YamlError:
            unreadable += 1
            continue
        operations, flaws = read_operations(document, path.stem)
        annotations += annotation_count(operations)
        edges += len(operations)
        holding += bool(operations)
        without += not operations
        lost += [f.operation for f in flaws if f.fatal]
        assert len({o.id for o in operations}) == len(operations)
        assert all(o.output_prefix in o.mapping for o in operations)
    assert (annotations, edges, holding, without, unreadable) == (6432, 6443, 73, 5, 1)
    assert lost == [
        "post /query AnatomicalEntity-negatively_regulated_by-SmallMolecule",
        "post /query PhenotypicFeature-negatively_regulated_by-SmallMolecule",
    ]


def test_the_largest_document_shares_what_its_operations_have_in_common(corpora: Path) -> None:
    path = corpora / "smartapi" / "semmeddb__smartapi.reassembled.yaml"
    operations, _ = read_operations(parse(path, path.read_bytes()), "semmeddb")
    assert len(operations) == 5075
    assert len({id(o.call) for o in operations}) == 1525
    assert len({id(o.mapping) for o in operations}) == 4
    assert len({id(o.manner) for o in operations}) == 1


def _crossed(inputs: int, outputs: int, annotations: int = 1) -> dict[str, Any]:
    one = {
        "inputs": [{"id": f"IN{n}", "semantic": "Gene"} for n in range(inputs)],
        "outputs": [{"id": f"OUT{n}", "semantic": "Disease"} for n in range(outputs)],
        "predicate": "causes",
        "response_mapping": {"OUT0": "a"},
    }
    return {"paths": {"/query": {"get": {"x-bte-kgs-operations": [one] * annotations}}}}


def test_an_annotation_has_at_most_a_thousand_pairs() -> None:
    assert len(read_operations(_crossed(25, 40), "mine")[0]) == 1000
    operations, (flaw,) = read_operations(_crossed(7, 143), "mine")
    assert operations == ()
    assert flaw.message == "inputs and outputs make 1,001 pairs, and at most 1,000 are read"
    assert flaw.place == ("paths", "/query", "get", "x-bte-kgs-operations", 0, "inputs")


def test_a_document_has_at_most_twenty_thousand_meta_edges() -> None:
    operations, (flaw,) = read_operations(_crossed(25, 40, annotations=22), "mine")
    assert len(operations) == 20_000
    assert flaw.place[-1] == 20
    assert "more than 20,000 meta-edges" in flaw.message


def test_a_lookup_that_leads_out_of_the_service_costs_its_operation() -> None:
    document = _crossed(1, 1)
    (annotation,) = document["paths"]["/query"]["get"]["x-bte-kgs-operations"]
    lookup = {"method": "get", "path": "/../../admin", "id": "id"}
    annotation["x-fedrag"] = {"lookup": lookup}
    operations, (flaw,) = read_operations(document, "mine")
    assert operations == ()
    assert flaw.message == "the path '/../../admin' leads out of its service's address"
