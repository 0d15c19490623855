"""SmartAPI documents → services, and what is said of documents that cannot be used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from fedrag.config import ServiceConfig, Settings
from fedrag.errors import ConfigError, UnavailableError
from fedrag.metakg import (
    load_service,
    load_services,
    services_from_settings,
    validate_document,
)
from fedrag.metakg.document import document_files
from fedrag.net import Net
from fedrag.resources import metakg_dir

SOUND = """\
openapi: 3.0.3
info:
  title: A service
  version: "1"
  x-translator:
    infores: infores:a-service
    component: KP
  x-trapi:
    version: 1.4.0
    batch_size_limit: 40
    rate_limit: 30
  x-fedrag:
    protocol: trapi
    pace:
      concurrency: 3
    timeout: 12
    priority: 5
servers:
  - url: https://test.transltr.io
    x-maturity: testing
  - url: https://a.transltr.io/1.4/
    x-maturity: production
paths:
  /query:
    post: {}
  /smartapi/{id}/query:
    post: {}
  /meta_knowledge_graph:
    get: {}
"""


def written(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_documents_that_ship_hold_what_the_field_says_of_them() -> None:
    services = {service.name: service for service in load_services(metakg_dir())}
    assert {"bte", "nameres", "nodenorm"} <= services.keys()
    bte = services["bte"]
    assert bte.endpoint.base_url == "https://bte.transltr.io/v1"
    assert (bte.endpoint.per_minute, bte.batch_size, bte.trapi_version) == (15.0, 150, "1.5")
    assert (bte.protocol, bte.role, bte.verified) == ("trapi", "knowledge", True)
    assert (bte.query_path, bte.meta_path) == ("/query", "/meta_knowledge_graph")
    assert bte.infores == "infores:biothings-explorer"
    assert not bte.endpoint.trusted
    nodenorm = services["nodenorm"]
    assert (nodenorm.role, nodenorm.batch_size) == ("entities", 1000)
    assert nodenorm.endpoint.base_url == "https://nodenorm.transltr.io"
    assert services["nameres"].endpoint.base_url == "https://name-lookup.transltr.io"


@pytest.mark.parametrize("path", document_files(metakg_dir()), ids=lambda p: p.stem)
def test_a_document_that_ships_is_valid(path: Path) -> None:
    assert validate_document(path) == []


def test_yaml_nested_without_end_is_refused_not_a_crash(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not YAML"):
        load_service(written(tmp_path, "a: " + "[" * 20_000))


def test_a_document_is_read_with_its_limits(tmp_path: Path) -> None:
    service = load_service(written(tmp_path, SOUND))
    assert service.name == "mine"
    assert service.title == "A service"
    assert service.endpoint.base_url == "https://a.transltr.io/1.4"
    assert (service.endpoint.per_minute, service.endpoint.concurrency) == (30.0, 3)
    assert (service.endpoint.timeout, service.batch_size, service.priority) == (12.0, 40, 5)
    assert service.trapi_version == "1.4"
    assert service.query_path == "/query"


def test_prose_where_a_limit_belongs_is_no_limit(tmp_path: Path) -> None:
    text = SOUND.replace("rate_limit: 30", "rate_limit: ADD-RATE-LIMIT").replace(
        "batch_size_limit: 40", "batch_size_limit: none"
    )
    service = load_service(written(tmp_path, text))
    assert (service.endpoint.per_minute, service.batch_size) == (None, None)


def test_services_come_by_priority_and_name(tmp_path: Path) -> None:
    written(tmp_path, SOUND, "b.yaml")
    written(tmp_path, SOUND, "a.yml")
    written(tmp_path, SOUND.replace("priority: 5", "priority: 1"), "z.yaml")
    written(tmp_path, "no document", "notes.txt")
    assert [s.name for s in load_services(tmp_path)] == ["z", "a", "b"]


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    written(tmp_path, SOUND, "a.yaml")
    written(tmp_path, SOUND, "a.yml")
    with pytest.raises(ConfigError, match="a second document of the name 'a'"):
        load_services(tmp_path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a folder"):
        load_services(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "line", "told"),
    [
        (("    priority: 5", "    colour: 5"), 17, "info.x-fedrag.colour: unknown key"),
        (("      concurrency: 3", "      hurry: 3"), 15, "info.x-fedrag.pace.hurry: unknown key"),
        (("protocol: trapi", "protocol: carrier"), 13, "'carrier' is not one of ['trapi', 'rest'"),
        (("timeout: 12", "timeout: soon"), 16, "timeout: 'soon' is not of type 'number'"),
        (("servers:", "places:"), 1, "servers: the document names no server"),
        (
            ("    pace:\n      concurrency: 3", "    pace: 3"),
            14,
            "info.x-fedrag.pace: 3 is not of",
        ),
    ],
)
def test_a_document_that_cannot_be_used_is_refused_with_its_line(
    tmp_path: Path, change: tuple[str, str], line: int, told: str
) -> None:
    path = written(tmp_path, SOUND.replace(*change))
    with pytest.raises(ConfigError) as refused:
        load_service(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("openapi: 3.0.3\ninfo:\n  title: [a\nservers: []\n", 4),
        ("openapi: 3.0.3\ninfo: {title: a}\n\tservers: x\n", 3),
        ("- a\n- list\n", 1),
        ("", 1),
    ],
)
def test_what_is_no_yaml_mapping_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as refused:
        load_service(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert refused.value.exit_code == 2


def test_a_document_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"openapi: 3.0.3\ninfo: \xff\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml:2: is not UTF-8"):
        load_service(path)


def test_yaml_that_would_run_code_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "openapi: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(ConfigError, match="is not YAML"):
        load_service(path)


def test_the_registrys_documents_are_read_with_their_operations(corpora: Path) -> None:
    """73 of the 79 files hold operations, 6,443 meta-edges; one is no YAML, one names no server."""
    operations, holding, refused = 0, 0, []
    for path in sorted((corpora / "smartapi").iterdir()):
        try:
            service = load_service(path)
        except ConfigError as error:
            refused.append(str(error).split(": ", 1)[1])
            continue
        operations += len(service.operations)
        holding += bool(service.operations)
    assert (operations, holding) == (6443, 73)
    assert refused == [
        "is not YAML: could not find expected ':'",
        "servers: the document names no server",
    ]


def test_mirrors_are_kept_as_alternatives_and_are_not_asked() -> None:
    services = {service.name: service.endpoint for service in load_services(metakg_dir())}
    assert services["nameres"].base_url == "https://name-lookup.transltr.io"
    assert services["nameres"].mirrors == ("https://name-resolution-sri.renci.org",)
    assert services["nodenorm"].mirrors == ("https://nodenormalization-sri.renci.org",)
    assert services["bte"].mirrors == ()


@pytest.mark.parametrize(("status", "told"), [(None, True), (503, True), (422, False)])
async def test_a_service_that_is_down_is_told_with_its_other_server(
    status: int | None, told: bool
) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        hosts.append(request.url.host)
        if status is None:
            raise httpx2.ConnectError("no route")
        return httpx2.Response(status)

    hosts: list[str] = []
    endpoint = replace(load_service(metakg_dir() / "nameres.yaml").endpoint, retries=0)
    async with Net(transport=httpx2.MockTransport(answer)) as net:
        with pytest.raises(UnavailableError) as caught:
            await net.caller_for(deadline=5).send(endpoint, "GET", "/status")
    assert hosts == ["name-lookup.transltr.io"]
    mirror = "--base-url nameres=https://name-resolution-sri.renci.org"
    assert (mirror in str(caught.value)) is told


def test_an_address_of_the_users_own_has_no_mirrors() -> None:
    own = ServiceConfig(base_url="http://127.0.0.1:8000")
    services = {s.name: s for s in services_from_settings(Settings(services={"nameres": own}))}
    assert services["nameres"].endpoint.mirrors == ()


def asking_for(folder: Path, env: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(
        "openapi: 3.0.3\n"
        "info:\n"
        "  title: Mine\n"
        "  x-fedrag:\n"
        "    protocol: rest\n"
        f"    auth: {{env: {env}, header: Authorization}}\n"
        "servers:\n  - url: https://api.example.org/v1\n"
        "paths: {}\n",
        encoding="utf-8",
    )
    return path


def test_a_document_is_given_its_own_key(tmp_path: Path) -> None:
    made = load_service(asking_for(tmp_path, "FEDRAG_MINE_TOKEN"))
    assert made.auth is not None
    assert (made.enabled, made.auth.env) == (True, "FEDRAG_MINE_TOKEN")


def test_a_document_is_not_given_the_key_of_another(tmp_path: Path) -> None:
    """Whoever writes a document could otherwise have any secret of the user sent to his host."""
    made = load_service(asking_for(tmp_path, "FEDRAG_ONCOKB_TOKEN"))
    assert (made.auth, made.enabled) == (None, False)
    assert "FEDRAG_MINE_TOKEN" in made.why_off


@pytest.mark.parametrize("env", ["AWS_SECRET_ACCESS_KEY", "PATH", "FEDRAG_LLM_KEY"])
def test_a_document_cannot_name_any_other_variable(tmp_path: Path, env: str) -> None:
    with pytest.raises(ConfigError, match=r"info\.x-fedrag\.auth\.env"):
        load_service(asking_for(tmp_path, env))
