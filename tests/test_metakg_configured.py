"""The user's settings over the documents, and services of the user's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fedrag.config import ServiceConfig, Settings
from fedrag.errors import ConfigError
from fedrag.metakg import Service, compiled, known_names, services_from_settings


def configured(**services: ServiceConfig) -> dict[str, Service]:
    return {s.name: s for s in services_from_settings(Settings(services=services))}


def test_without_settings_the_documents_stand_as_they_are() -> None:
    services = configured()
    assert {"nameres", "nodenorm", "bte"} <= services.keys()
    order = [(service.priority, service.name) for service in services.values()]
    assert order == sorted(order)
    assert all(service.enabled for service in services.values())


def test_a_base_url_of_the_user_is_trusted_and_a_private_one_has_no_pace() -> None:
    bte = configured(bte=ServiceConfig(base_url="http://127.0.0.1:8000/bte/"))["bte"]
    assert bte.endpoint.base_url == "http://127.0.0.1:8000/bte"
    assert bte.endpoint.trusted
    assert bte.endpoint.per_minute is None
    mirror = configured(bte=ServiceConfig(base_url="https://bte.test.transltr.io/v1"))["bte"]
    assert mirror.endpoint.per_minute == 15.0


@pytest.mark.parametrize(
    ("field", "value"),
    [("per_minute", 6.0), ("concurrency", 2), ("timeout", 5.0)],
)
def test_pace_and_timeout_are_overridden_and_nothing_else(field: str, value: Any) -> None:
    plain = configured()["bte"]
    changed = configured(bte=ServiceConfig(**{field: value}))["bte"]
    assert getattr(changed.endpoint, field) == value
    assert replace(changed, endpoint=plain.endpoint) == plain
    assert not changed.endpoint.trusted


def test_batch_size_version_and_infores_are_overridden() -> None:
    config = ServiceConfig(batch_size=20, trapi_version="1.6.0", infores="infores:other")
    bte = configured(bte=config)["bte"]
    assert (bte.batch_size, bte.trapi_version, bte.infores) == (20, "1.6", "infores:other")


def test_any_trapi_base_url_becomes_a_service() -> None:
    own = ServiceConfig(protocol="trapi", base_url="http://127.0.0.1:9000/1.5", batch_size=10)
    robokop = configured(my_robokop=own)["my_robokop"]
    assert robokop.protocol == "trapi"
    assert robokop.role == "knowledge"
    assert robokop.infores == "infores:my-robokop"
    assert robokop.endpoint.base_url == "http://127.0.0.1:9000/1.5"
    assert robokop.endpoint.trusted
    assert robokop.meta_path == "/meta_knowledge_graph"
    assert robokop.batch_size == 10


def test_a_service_that_is_off_stays_and_says_why() -> None:
    off = configured(bte=ServiceConfig(enabled=False))["bte"]
    assert (off.enabled, off.why_off) == (False, "switched off in the configuration")


def test_only_and_exclude_switch_knowledge_services_off_and_never_the_entity_services() -> None:
    own = ServiceConfig(protocol="trapi", base_url="https://robokop.transltr.io")
    excluded = services_from_settings(Settings(services={"mine": own}, exclude=("bte",)))
    assert {s.name for s in excluded if not s.enabled} == {"bte"}
    chosen = services_from_settings(Settings(services={"mine": own}, only=("bte",)))
    assert {s.name for s in chosen if s.enabled} == {"nameres", "nodenorm", "bte"}
    (mine,) = (s for s in chosen if s.name == "mine")
    assert mine.why_off.startswith("not among the services chosen")


def test_the_answer_limit_reaches_every_endpoint() -> None:
    services = services_from_settings(Settings(max_answer_bytes=1234))
    assert {s.endpoint.max_bytes for s in services} == {1234}


@pytest.mark.parametrize(
    ("name", "config", "told"),
    [
        ("btee", ServiceConfig(base_url="https://x.org"), "did you mean 'bte'?"),
        ("mine", ServiceConfig(protocol="trapi"), "the service 'mine' has no base_url"),
        ("mine", ServiceConfig(protocol="soap", base_url="https://x.org"), "cannot speak 'soap'"),
        ("bte", ServiceConfig(protocol="rest"), "cannot speak 'rest'"),
        ("Mine!", ServiceConfig(protocol="trapi", base_url="https://x.org"), "service's name"),
        ("bte", ServiceConfig(base_url="bte.transltr.io"), "bte.transltr.io"),
        ("bte", ServiceConfig(per_minute=0.0), "[services.bte] per_minute must be above 0"),
        ("bte", ServiceConfig(batch_size=-1), "[services.bte] batch_size must be above 0"),
        ("bte", ServiceConfig(trapi_version="new"), "trapi_version must be like '1.5'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(name: str, config: ServiceConfig, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        services_from_settings(Settings(services={name: config}))
    assert told in str(refused.value)


def test_a_name_nobody_has_is_refused_where_services_are_chosen() -> None:
    with pytest.raises(ConfigError, match="no service is called 'robocop'"):
        services_from_settings(Settings(only=("robocop",)))
    with pytest.raises(ConfigError, match="did you mean 'bte'"):
        services_from_settings(Settings(exclude=("btee",)))


ANNOTATED = """\
openapi: 3.0.3
info:
  title: Mine
  x-fedrag:
    commercial: false
    auth:
      env: FEDRAG_MINE_TOKEN
      header: Authorization
      scheme: Bearer
      open_hosts: [demo.example.org]
    settings: {required_score: 400}
servers: [{url: "https://api.example.org"}]
paths:
  /query:
    get:
      x-bte-kgs-operations:
        - inputs: [{id: NCBIGene, semantic: Gene}]
          outputs: [{id: MONDO, semantic: Disease}]
          predicate: causes
          response_mapping: {MONDO: mondo}
          x-fedrag: {settings: {species: "9606"}}
"""


def annotated(tmp_path: Path, config: ServiceConfig | None = None, **settings: Any) -> Service:
    folder = tmp_path / "documents"
    folder.mkdir(exist_ok=True)
    (folder / "mine.yaml").write_text(ANNOTATED)
    services = {"mine": config} if config else {}
    made = Settings(registry=str(folder), cache_dir=tmp_path, services=services, **settings)
    return next(s for s in services_from_settings(made) if s.name == "mine")


def test_the_users_values_for_a_documents_variables_are_handed_on(tmp_path: Path) -> None:
    config = ServiceConfig(settings={"required_score": 0.4, "species": "10090"})
    assert annotated(tmp_path, config).settings == {"required_score": 0.4, "species": "10090"}
    assert annotated(tmp_path).settings == {}


def test_a_batch_size_of_the_user_holds_for_every_operation(tmp_path: Path) -> None:
    mine = annotated(tmp_path, ServiceConfig(batch_size=20))
    assert (mine.batch_size, [o.manner.batch_size for o in mine.operations]) == (20, [20])
    plain = annotated(tmp_path).operations[0]
    assert replace(mine.operations[0], manner=plain.manner) == plain


def test_a_variable_the_document_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        annotated(tmp_path, ServiceConfig(settings={"required_scor": 400}))
    assert "[services.mine.settings] has no 'required_scor'" in str(refused.value)
    assert "did you mean 'required_score'?" in str(refused.value)


def test_a_licence_that_forbids_commerce_switches_off_where_commerce_is_meant(
    tmp_path: Path,
) -> None:
    assert annotated(tmp_path).enabled
    off = annotated(tmp_path, commercial_ok=True)
    assert (off.enabled, off.why_off) == (
        False,
        "its licence forbids commercial use (--commercial-ok leaves it out)",
    )


def test_a_service_without_its_key_says_which_variable_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FEDRAG_MINE_TOKEN", raising=False)
    without = annotated(tmp_path)
    assert (without.enabled, without.missing_key) == (True, "FEDRAG_MINE_TOKEN")
    monkeypatch.setenv("FEDRAG_MINE_TOKEN", "s3cret")
    given = annotated(tmp_path)
    assert given.missing_key == ""
    assert "s3cret" not in repr(given)


def test_an_open_host_of_the_service_needs_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FEDRAG_MINE_TOKEN", raising=False)
    demo = ServiceConfig(base_url="https://demo.example.org/api")
    assert annotated(tmp_path, demo).missing_key == ""


def test_the_names_that_have_a_document_include_the_registrys(tmp_path: Path) -> None:
    annotated(tmp_path)
    settings = Settings(registry=str(tmp_path / "documents"), cache_dir=tmp_path)
    assert known_names(settings) - known_names(Settings(cache_dir=tmp_path)) == {"mine"}


def test_compiled_documents_are_kept_in_the_cache_the_user_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_READ", {})
    services_from_settings(Settings(cache_dir=tmp_path))
    assert list((tmp_path / "compiled").glob("*.json.zst"))
