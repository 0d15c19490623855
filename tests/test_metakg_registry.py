"""The SmartAPI registry: fetched whole or not at all, and its documents treated as strangers'."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from fedrag.config import ServiceConfig, Settings, store_dir
from fedrag.errors import BadPayloadError, ConfigError, UnavailableError
from fedrag.metakg import Service, Synced, services_from_settings, sync_registry
from fedrag.metakg.registry import NO_PRODUCTION, registry_services
from fedrag.net import Net

Answer = Callable[[httpx2.Request], httpx2.Response]


def document(title: str, url: str = "https://api.example.org", **more: Any) -> dict[str, Any]:
    operation = {
        "inputs": [{"id": "NCBIGene", "semantic": "Gene"}],
        "outputs": [{"id": "MONDO", "semantic": "Disease"}],
        "predicate": "causes",
        "response_mapping": {"MONDO": "mondo"},
        **more.pop("operation", {}),
    }
    return {
        "_id": title.lower().replace(" ", "") + "0123456789",
        "openapi": "3.0.3",
        "info": {"title": title, **more.pop("info", {})},
        "servers": [{"url": url, "x-maturity": "production"}],
        "paths": {"/query": {"get": {"x-bte-kgs-operations": [operation]}}},
        **more,
    }


def infores(name: str) -> dict[str, Any]:
    return {"x-translator": {"infores": f"infores:{name}"}}


def answer_with(hits: list[Any], etag: str = '"one"', **more: Any) -> Answer:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.headers.get("if-none-match") == etag:
            return httpx2.Response(304, headers={"etag": etag})
        return httpx2.Response(200, json={"hits": hits, **more}, headers={"etag": etag})

    return answer


async def synced(folder: Path, answer: Answer, url: str | None = None) -> Synced:
    async with Net(transport=httpx2.MockTransport(answer)) as net:
        return await sync_registry(net.caller_for(deadline=5), folder, url=url)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_sync_asks_the_registry_as_it_wants_to_be_asked(tmp_path: Path) -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200, json={"hits": [document("One")]})

    await synced(tmp_path, answer)
    (request,) = asked
    assert str(request.url).startswith("https://smart-api.info/api/query?")
    assert dict(request.url.params) == {
        "q": "tags.name:translator",
        "size": "1000",
        "raw": "1",
        "fields": "paths,servers,tags,components.x-bte*,info,_meta",
    }
    assert "if-none-match" not in request.headers


async def test_a_sync_writes_one_document_per_file_and_says_what_it_got(tmp_path: Path) -> None:
    plain = {"_id": "x", "info": {"title": "TRAPI"}, "paths": {"/query": {"post": {}}}}
    hits = [document("One Two"), document("Three"), plain, "no document", None]
    got = await synced(tmp_path / "registry", answer_with(hits, total=9))
    assert got == Synced(tmp_path / "registry", 2, changed=True, others=1, unread=2, missing=4)
    assert names(got.folder) == [
        ".sync.json",
        "one-two-onetwo0123456789.json",
        "three-three0123456789.json",
    ]
    kept = orjson.loads((got.folder / "three-three0123456789.json").read_bytes())
    assert kept["info"] == {"title": "Three"}


async def test_what_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    answer = answer_with([document("One")])
    first = await synced(tmp_path, answer)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    second = await synced(tmp_path, answer)
    assert (first.changed, second.changed, second.documents) == (True, False, 1)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


async def test_a_tag_without_its_documents_is_not_sent(tmp_path: Path) -> None:
    answer = answer_with([document("One")])
    await synced(tmp_path, answer)
    next(tmp_path.glob("one-*.json")).unlink()
    assert (await synced(tmp_path, answer)).changed


async def test_a_new_answer_replaces_what_was_there(tmp_path: Path) -> None:
    await synced(tmp_path, answer_with([document("One"), document("Two")]))
    got = await synced(tmp_path, answer_with([document("Two"), document("Three")], '"two"'))
    assert got.documents == 2
    assert names(tmp_path) == [
        ".sync.json",
        "three-three0123456789.json",
        "two-two0123456789.json",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200, json={"hits": []}),
        httpx2.Response(200, json=[1]),
        httpx2.Response(200, json={"hits": ["x", {"info": {}}]}),
        httpx2.Response(200, text="<html>maintenance</html>"),
        httpx2.Response(404, text="gone"),
        httpx2.Response(302, headers={"location": "https://evil.example.org/api/query"}),
    ],
)
async def test_a_registry_that_fails_leaves_what_was_there(
    tmp_path: Path, answer: httpx2.Response
) -> None:
    await synced(tmp_path, answer_with([document("One")]))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises((BadPayloadError, UnavailableError)):
        await synced(tmp_path, lambda _: answer)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


async def test_another_registry_is_the_users_to_name(tmp_path: Path) -> None:
    hosts: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        hosts.append(request.url.host)
        return httpx2.Response(200, json={"hits": [document("One")]})

    await synced(tmp_path, answer, url="http://127.0.0.1:8000")
    assert hosts == ["127.0.0.1"]


async def test_a_document_cannot_choose_where_it_is_written(tmp_path: Path) -> None:
    hostile = document("../../etc/passwd") | {"_id": "../../../x\x00"}
    got = await synced(tmp_path / "registry", answer_with([hostile]))
    assert names(got.folder) == [".sync.json", "etc-passwd-x.json"]
    assert names(tmp_path) == ["registry"]


async def test_the_recorded_registry_answer_becomes_services(corpora: Path, tmp_path: Path) -> None:
    recorded = (corpora / "recorded/trapi/smartapi_registry_multiomics.json").read_bytes()
    got = await synced(tmp_path / "registry", lambda _: httpx2.Response(200, content=recorded))
    assert (got.documents, got.others, got.unread, got.missing) == (5, 0, 0, 0)
    services = registry_services(got.folder, None, ())
    assert [(s.name, len(s.operations), s.priority, s.enabled) for s in services] == [
        ("clinical-risk-kp-api", 294, 70, True),
        ("drug-response-kp-api", 2, 70, True),
        ("multiomics-wellness-kp-api", 128, 70, True),
        ("tcga-mutation-frequency-kp-api", 2, 50, True),
    ]
    assert {s.endpoint.base_url.partition("://")[0] for s in services} == {"https"}
    assert not any(s.verified for s in services)


# ---------------------------------------------------------------- a folder as services


def folder_of(path: Path, *documents: dict[str, Any]) -> Path:
    path.mkdir(exist_ok=True)
    for number, one in enumerate(documents):
        (path / f"{number}.json").write_bytes(orjson.dumps(one))
    return path


def configured(folder: Path, **settings: Any) -> dict[str, Service]:
    made = Settings(registry=str(folder), cache_dir=folder.parent / "cache", **settings)
    return {service.name: service for service in services_from_settings(made)}


def test_names_come_from_infores_or_title_and_none_comes_twice(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path / "r",
        document("Some API", info=infores("a-source")),
        document("Some (API)!"),
        document("Some other API", "https://b.example.org", info=infores("a-source")),
        document("bte", "https://c.example.org"),
    )
    shipped = services_from_settings(Settings(cache_dir=tmp_path / "cache"))
    services = registry_services(folder, None, shipped)
    assert [s.name for s in services] == ["a-source", "some-api", "a-source-2", "bte-2"]
    assert [s.infores for s in services] == [
        "infores:a-source",
        "infores:some-api",
        "infores:a-source",
        "infores:bte-2",
    ]
    assert {o.service for s in services for o in s.operations} == {s.name for s in services}


def test_a_document_that_ships_wins_over_the_registrys_of_the_same_source(tmp_path: Path) -> None:
    known = document("Another explorer", info=infores("biothings-explorer"))
    services = configured(folder_of(tmp_path / "r", known, document("Mine")))
    assert "mine" in services
    assert services["bte"].title == "BioThings Explorer"
    assert [s for s in services if "explorer" in s] == []


def test_two_documents_of_one_title_and_server_are_asked_once(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path / "r",
        document("Mine", _meta={"last_updated": "2021-01-01"}),
        document("Mine", _meta={"last_updated": "2024-01-01"}, operation={"predicate": "treats"}),
    )
    (service,) = registry_services(folder, None, ())
    assert service.operations[0].predicate == "biolink:treats"


def test_documents_without_operations_are_left_out(tmp_path: Path) -> None:
    trapi = document("TRAPI", info={"x-trapi": {"version": "1.5.0"}})
    trapi["paths"] = {"/query": {"post": {}}}
    assert registry_services(folder_of(tmp_path / "r", trapi, {"a": 1}), None, ()) == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"servers": [{"url": "https://10.0.0.8/v1"}]},
            "the address https://10.0.0.8/v1 is not a public one",
        ),
        (
            {"servers": [{"url": "https://169.254.169.254/latest"}]},
            "the address https://169.254.169.254/latest is not a public one",
        ),
        (
            {"servers": [{"url": "http://api.example.org"}]},
            "the address http://api.example.org is not https",
        ),
        (
            {"servers": [{"url": "https://a.example.org", "x-maturity": "staging"}]},
            NO_PRODUCTION,
        ),
        (
            {
                "security": [{"token": []}],
                "components": {"securitySchemes": {"token": {"type": "oauth2"}}},
            },
            "it asks for credentials its x-fedrag does not describe: token (oauth2)",
        ),
        (
            {"info": {"title": "Mine", "x-fedrag": {"auth": {"oauth": "K"}}}},
            "its document cannot be used: 0.json:1: info.x-fedrag.auth.oauth: unknown key",
        ),
        ({"servers": []}, "its document cannot be used: 0.json: servers: the document names no"),
    ],
)
def test_a_document_that_is_refused_stays_in_the_table_with_the_reason(
    tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    services = configured(folder_of(tmp_path / "r", {**document("Mine"), **change}))
    mine = services["mine"]
    assert not mine.enabled
    assert mine.why_off.startswith(why)


def test_a_file_that_cannot_be_parsed_stays_in_the_table_with_the_reason(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "r", document("Mine"))
    (folder / "Broken One.yaml").write_text("a: [b\n")
    broken = configured(folder)["broken-one"]
    assert (broken.enabled, broken.operations) == (False, ())
    assert broken.why_off.startswith("its document cannot be used: Broken One.yaml:2: is not YAML")


def test_the_users_own_address_for_a_registry_service_is_trusted(tmp_path: Path) -> None:
    staging = [{"url": "https://a.example.org", "x-maturity": "staging"}]
    folder = folder_of(tmp_path / "r", {**document("Mine"), "servers": staging})
    own = {"mine": ServiceConfig(base_url="http://127.0.0.1:8000")}
    mine = configured(folder, services=own)["mine"]
    assert (mine.enabled, mine.why_off) == (True, "")
    assert (mine.endpoint.base_url, mine.endpoint.trusted) == ("http://127.0.0.1:8000", True)
    assert mine.operations[0].server == "https://a.example.org"


def test_a_service_of_the_users_own_keeps_its_name(tmp_path: Path) -> None:
    own = {"mine": ServiceConfig(protocol="trapi", base_url="https://trapi.example.org")}
    services = configured(folder_of(tmp_path / "r", document("Mine")), services=own)
    assert services["mine"].protocol == "trapi"
    assert services["mine-2"].protocol == "rest"


def test_the_registrys_services_can_be_chosen_and_excluded(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "r", document("Mine"), document("Yours"))
    chosen = configured(folder, only=("mine",))
    assert (chosen["mine"].enabled, chosen["yours"].enabled) == (True, False)
    assert not configured(folder, exclude=("mine",))["mine"].enabled


def test_synced_needs_a_sync_first(tmp_path: Path) -> None:
    settings = Settings(registry="synced", cache_dir=tmp_path)
    with pytest.raises(ConfigError, match="fedrag metakg sync"):
        services_from_settings(settings)
    folder_of(store_dir(settings, "registry"), document("Mine"))
    assert "mine" in {s.name for s in services_from_settings(settings)}


def test_a_registry_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a folder"):
        services_from_settings(Settings(registry=str(tmp_path / "none"), cache_dir=tmp_path))


def test_a_registry_folder_without_documents_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    (folder / "readme.txt").write_text("documents go here")
    with pytest.raises(ConfigError, match=r"r holds no documents \(put SmartAPI documents there"):
        services_from_settings(Settings(registry=str(folder), cache_dir=tmp_path))


def test_a_registry_folder_that_adds_nothing_is_told(tmp_path: Path) -> None:
    bare = folder_of(tmp_path / "r", document("Bare") | {"paths": {}})
    settings = Settings(registry=str(bare), cache_dir=tmp_path)
    with pytest.raises(ConfigError, match=r"nothing in .*r \(1 document\) adds a service"):
        services_from_settings(settings)
    shipped = document("My own MyChem", info=infores("mychem-info"))
    again = folder_of(tmp_path / "s", document("Bare") | {"paths": {}}, shipped)
    with pytest.raises(ConfigError, match=r"\(2 documents\) adds a service .*do not ship"):
        services_from_settings(Settings(registry=str(again), cache_dir=tmp_path))


def test_a_registry_folder_of_which_every_document_is_off_says_why(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "r", document("Mine", url="http://api.example.org"))
    added = configured(folder)["mine"]
    assert (added.enabled, "is not https" in added.why_off) == (False, True)


def test_the_registrys_folder_becomes_services_of_which_the_sound_ones_are_on(
    corpora: Path, tmp_path: Path
) -> None:
    settings = Settings(registry=str(corpora / "smartapi"), cache_dir=tmp_path)
    shipped = {s.name for s in services_from_settings(Settings(cache_dir=tmp_path))}
    added = [s for s in services_from_settings(settings) if s.name not in shipped]
    off = {s.name: s.why_off for s in added if not s.enabled}
    assert {name for name, why in off.items() if "is not https" in why} == {
        "cohd-api",
        "harmonizome",
        "lincs",
    }
    assert off["biothings-mabs"] == NO_PRODUCTION
    assert "holds a space" in off["automat-covid-phenotypes-api"]
    assert "is not YAML" in off["text-mining-x-bte-operations"]
    assert len(off) == 6
    assert {s.name for s in added} >= {"biothings-semmeddb", "pharmgkb", "monarchinitiative"}
