"""``validate_document``: every problem with its line, none hidden by another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from test_metakg_document import SOUND, written

from fedrag.metakg import Problem, check_document, load_service, validate_document

OPERATIONS = """\
openapi: 3.0.3
info:
  title: Annotated
  version: "1"
servers:
  - url: https://api.transltr.io
paths:
  /gene:
    get:
      x-bte-kgs-operations:
        - inputs: [{id: NCBIGene, semantic: Gene}]
          outputs: [{id: MONDO, semantic: Illness}]
          predicate: causes
          response_mapping: {MONDO: disease.mondo}
        - $ref: "#/components/x-bte-kgs-operations/nowhere"
  /drug:
    post:
      x-bte-kgs-operations:
        - $ref: "#/components/x-bte-kgs-operations/targets"
components:
  x-bte-kgs-operations:
    targets:
      - inputs: [{id: DRUGBANK, semantic: Drug}]
        outputs: [{id: NCBIGene, semantic: Gene}, {id: UniProtKB, semantic: Protein}]
        predicate: tickles
        response_mapping: {NCBIGene: a, UniProtKB: b}
      - inputs: [{id: DRUGBANK, semantic: Drug}]
        predicate: affects
"""


def problems(folder: Path, text: str) -> list[tuple[int, str, str]]:
    return [(p.line, p.where, p.message) for p in validate_document(written(folder, text))]


def test_a_sound_document_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, SOUND) == []


@pytest.mark.parametrize(
    ("change", "line", "where", "told"),
    [
        (("timeout: 12", "tiemout: 12"), 16, "info.x-fedrag.tiemout", "unknown key; known: auth"),
        (("concurrency: 3", "concurrency: 0"), 15, "info.x-fedrag.pace.concurrency", "minimum"),
        (("  priority: 5", "  priority: high"), 17, "info.x-fedrag.priority", "is not of type"),
        (("infores:a-service", "infores:A Service"), 6, "info.x-translator.infores", "infores"),
        (("version: 1.4.0", "version: new"), 9, "info.x-trapi.version", "its TRAPI version"),
        (("openapi: 3.0.3", "swagger: 2.0"), 1, "openapi", "must be OpenAPI 3"),
        (
            ("https://a.transltr.io/1.4/", "https://192.168.1.7/v1"),
            21,
            "servers.1.url",
            "https://192.168.1.7/v1 is not a public one",
        ),
        (
            ("https://a.transltr.io/1.4/", "https://localhost:8000"),
            21,
            "servers.1.url",
            "https://localhost:8000 is not a public one",
        ),
        (("  - url: https://test", "  - uri: https://test"), 19, "servers.0", "has no url"),
    ],
)
def test_a_problem_is_told_with_its_line_and_place(
    tmp_path: Path, change: tuple[str, str], line: int, where: str, told: str
) -> None:
    found = problems(tmp_path, SOUND.replace(*change))
    assert [(f[0], f[1]) for f in found] == [(line, where)]
    assert told in found[0][2]


@pytest.mark.parametrize("url", ["http://a.transltr.io", 'curl -X GET "https://a.transltr.io'])
def test_an_address_that_is_refused_only_when_it_is_called_is_a_warning(
    tmp_path: Path, url: str
) -> None:
    text = SOUND.replace("https://a.transltr.io/1.4/", f"'{url}'")
    (problem,) = validate_document(written(tmp_path, text))
    assert (problem.level, problem.line, problem.where) == ("warning", 21, "servers.1.url")
    assert load_service(tmp_path / "mine.yaml").endpoint.base_url == url


@pytest.mark.parametrize(
    "url", ["http://10.1.2.3/v1", "http://localhost:8000", "https://me:secret@a.transltr.io"]
)
def test_an_address_that_must_never_be_called_is_an_error(tmp_path: Path, url: str) -> None:
    text = SOUND.replace("https://a.transltr.io/1.4/", url)
    (problem,) = validate_document(written(tmp_path, text))
    assert (problem.level, problem.where) == ("error", "servers.1.url")
    assert "secret" not in problem.message


def test_a_fragment_of_a_document_is_a_warning(tmp_path: Path) -> None:
    (problem,) = validate_document(written(tmp_path, "Gene-Disease:\n  - predicate: causes\n"))
    assert (problem.level, problem.line) == ("warning", 1)
    assert problem.message.startswith("is a fragment")


def test_credentials_nobody_describes_are_an_error(tmp_path: Path) -> None:
    text = OPERATIONS.replace("servers:", "security:\n  - key: []\nservers:").replace(
        "components:", "components:\n  securitySchemes:\n    key: {type: http, scheme: bearer}"
    )
    found = [m for _, where, m in problems(tmp_path, text) if where == "security"]
    assert found == [
        "its calls want credentials that no x-fedrag auth describes: key (http bearer)"
    ]


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = SOUND.replace("timeout: 12", "tiemout: 12").replace("https://a.", "http://a.")
    text = text.replace("infores:a-service", "a-service")
    assert [line for line, _, _ in problems(tmp_path, text)] == [6, 16, 21]


def test_missing_servers_are_a_problem(tmp_path: Path) -> None:
    text = SOUND.replace("servers:", "places:")
    assert problems(tmp_path, text) == [(1, "servers", "the document names no server")]


def test_broken_operations_cost_themselves_alone(tmp_path: Path) -> None:
    found = validate_document(written(tmp_path, OPERATIONS))
    assert [(p.level, p.line, p.where, p.operation, p.message) for p in found] == [
        (
            "warning",
            9,
            "paths./gene.get",
            "get /gene 0",
            "biolink:Illness is not a Biolink 4.4.6 category",
        ),
        (
            "error",
            15,
            "paths./gene.get.x-bte-kgs-operations.1",
            "get /gene nowhere",
            "#/components/x-bte-kgs-operations/nowhere leads nowhere",
        ),
        (
            "warning",
            17,
            "paths./drug.post",
            "post /drug targets",
            "biolink:tickles is not a Biolink 4.4.6 predicate",
        ),
        (
            "error",
            27,
            "components.x-bte-kgs-operations.targets.1",
            "post /drug targets.1",
            "the operation cannot be read: it has no 'outputs'",
        ),
        (
            "error",
            27,
            "components.x-bte-kgs-operations.targets.1",
            "post /drug targets.1",
            "the operation cannot be read: it has no 'response_mapping'",
        ),
    ]


def test_yaml_that_cannot_be_parsed_is_one_problem_with_its_line(tmp_path: Path) -> None:
    found = problems(tmp_path, "openapi: 3.0.3\ninfo:\n  - a\n  b: c\n")
    assert [(line, where) for line, where, _ in found] == [(4, "")]
    assert found[0][2].startswith("is not YAML: ")


def test_a_file_that_is_not_there_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    (problem,) = validate_document(tmp_path / "no.yaml")
    assert (problem.line, problem.message) == (0, "cannot be read: No such file or directory")


def test_a_problem_prints_as_compilers_do() -> None:
    assert str(Problem(Path("a.yaml"), 3, "info", "is wrong")) == "a.yaml:3: info: is wrong"
    assert str(Problem(Path("a.yaml"), 3, "", "is wrong")) == "a.yaml:3: is wrong"
    warning = Problem(Path("a.yaml"), 3, "", "is old", level="warning")
    assert str(warning) == "a.yaml:3: warning: is old"


def test_counts_are_of_what_compiles(tmp_path: Path) -> None:
    report = check_document(written(tmp_path, OPERATIONS))
    assert (report.annotations, report.meta_edges) == (2, 3)


# ---------------------------------------------------------------- structure, paths, templates

CALL = """\
openapi: 3.0.3
info: {title: Called, version: "1"}
servers: [{url: https://api.example.org/v1}]
paths:
  /query:
    get:
      x-bte-kgs-operations:
        - useTemplating: true
          inputs: [{id: NCBIGene, semantic: Gene}]
          outputs: [{id: MONDO, semantic: Disease}]
          parameters: {q: "{{ queryInputs }}"}
          predicate: causes
          response_mapping: {MONDO: mondo}
"""


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{", "unexpected 'end of template'"),
        ("{{ queryInputs | nosuch }}", "No filter named 'nosuch'."),
        ("{% include '/etc/passwd' %}", "may not hold Include"),
        ("{{ 9**9**9 }}", "may not hold Pow"),
        ("{{ self }}", "may not name 'self'"),
        ("{% for x in queryInputs %}{{ loop }}{% endfor %}", "may not name 'loop'"),
    ],
)
def test_a_template_that_can_never_be_filled_is_an_error_at_its_operation(
    tmp_path: Path, template: str, told: str
) -> None:
    (problem,) = validate_document(written(tmp_path, CALL.replace("{{ queryInputs }}", template)))
    where = "paths./query.get.x-bte-kgs-operations.0"
    assert (problem.level, problem.line, problem.where) == ("error", 8, where)
    assert problem.message.endswith(told)


def test_templates_that_can_be_filled_and_read_from_the_loop_are_sound(tmp_path: Path) -> None:
    loop = "{% for x in queryInputs %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}"
    assert problems(tmp_path, CALL) == []
    assert problems(tmp_path, CALL.replace("{{ queryInputs }}", loop)) == []


@pytest.mark.parametrize(
    "path",
    ["//evil.org/x", "/../../admin", "/a/%2e%2E/b", "@evil.org/x", '"/x\\r\\nHost: a"', "/a?b=c"],
)
@pytest.mark.parametrize("annotated", [True, False])
def test_a_path_that_leads_out_of_the_service_is_an_error(
    tmp_path: Path, path: str, annotated: bool
) -> None:
    quoted = path if path.startswith('"') else f'"{path}"'
    text = CALL.replace("  /query:", f"  {quoted}:")
    if not annotated:
        text = text[: text.index("      x-bte")] + "      summary: nothing\n"
    report = check_document(written(tmp_path, text))
    assert [(p.level, p.line) for p in report.problems] == [("error", 5)]
    assert report.meta_edges == 0
    assert "\n" not in str(report.problems[0])


@pytest.mark.parametrize(
    ("change", "line", "where"),
    [
        (("title: Called", "title: null"), 2, "info.title"),
        (("title: Called", "title: 3"), 2, "info.title"),
        (("title: Called, ", ""), 2, "info"),
        (("  /query:", "  /other: 3\n  /query:"), 5, "paths./other"),
    ],
)
def test_what_is_not_built_as_openapi_says_is_an_error(
    tmp_path: Path, change: tuple[str, str], line: int, where: str
) -> None:
    (problem,) = validate_document(written(tmp_path, CALL.replace(*change)))
    assert (problem.level, problem.line, problem.where) == ("error", line, where)


def test_paths_that_are_no_mapping_are_an_error(tmp_path: Path) -> None:
    text = CALL[: CALL.index("paths:")] + "paths: [1, 2]\n"
    assert problems(tmp_path, text) == [
        (4, "paths", "must be a mapping of paths, not [1, 2]"),
    ]


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x.org", "//127.0.0.1/", "javascript:alert(1)"]
)
def test_a_server_of_another_scheme_is_an_error(tmp_path: Path, url: str) -> None:
    text = CALL.replace("https://api.example.org/v1", url)
    (problem,) = validate_document(written(tmp_path, text))
    assert (problem.level, problem.where) == ("error", "servers.0.url")


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_key_given_twice_at_the_top_is_told_with_its_line(tmp_path: Path, suffix: str) -> None:
    again = CALL + "info: {title: Again, version: '2'}\n"
    line = 14
    if suffix == "json":
        again = json.dumps(yaml.safe_load(CALL))[:-1] + ',\n"info": {"title": "Again"}}'
        line = 2
    path = tmp_path / f"mine.{suffix}"
    path.write_text(again)
    assert [(p.level, p.line, p.message) for p in validate_document(path)] == [
        ("error", line, "the key 'info' is given 2 times; the last one holds")
    ]


def test_every_wrong_field_of_an_operation_is_told(tmp_path: Path) -> None:
    text = CALL[: CALL.index("          inputs:")] + (
        "          inputs: x\n          outputs: 3\n          parameters: 7\n"
        "          predicate: []\n          response_mapping: 'no'\n"
    )
    found = validate_document(written(tmp_path, text))
    assert [(p.level, p.line, p.where.rpartition(".")[2]) for p in found] == [
        ("error", 9, "inputs"),
        ("error", 10, "outputs"),
        ("error", 11, "parameters"),
        ("error", 12, "predicate"),
        ("error", 13, "response_mapping"),
    ]
