"""Settings: flags over variables over the file, and a clear word for every wrong value."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from fedrag.config import ServiceConfig, Settings, default_cache_dir, load_settings, store_dir
from fedrag.errors import ConfigError
from fedrag.session import Session


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_flags_win_over_variables_and_variables_over_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "deadline = 1\ntop_k = 2\nmax_tokens = 3\n")
    environ = {"FEDRAG_TOP_K": "20", "FEDRAG_MAX_TOKENS": "30"}
    settings = load_settings({"max_tokens": 300}, environ=environ, path=path)
    assert (settings.deadline, settings.top_k, settings.max_tokens) == (1.0, 20, 300)


@pytest.mark.parametrize(
    ("file", "environ", "flags"),
    [
        ("", {"FEDRAG_LLM": "m"}, {"url": "http://127.0.0.1:1/v1"}),
        ("", {"FEDRAG_LLM_URL": "http://127.0.0.1:1/v1"}, {"model": "m"}),
        ("[llm]\nmodel = 'x'\nurl = 'http://127.0.0.1:1/v1'\n", {}, {"model": "m"}),
        ("[llm]\nmodel = 'm'\nurl = 'http://x'\n", {}, {"url": "http://127.0.0.1:1/v1"}),
    ],
)
def test_a_language_model_may_be_named_in_parts(
    tmp_path: Path, file: str, environ: dict[str, str], flags: dict[str, Any]
) -> None:
    environ = {**environ, "FEDRAG_LLM_KEY": "k"}
    llm = load_settings({"llm": flags}, environ=environ, path=write(tmp_path, file)).llm
    assert llm is not None
    assert (llm.model, llm.url, llm.key) == ("m", "http://127.0.0.1:1/v1", "k")


def test_a_key_alone_names_no_language_model() -> None:
    assert load_settings(environ={"FEDRAG_LLM_KEY": "k"}).llm is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("services = 3", "services must be a table"),
        ("[services]\nbte = 3", "must be a table, not 3"),
        ("[llm]\nmodel = 3\nurl = 'http://x'", "model must be text, not 3"),
        ("[llm]\nmodel = 'm'\nurl = 'http://x'\ntimeout = 'a'", "timeout must be a number"),
        ("status = ['nope']", "there is no status 'nope'"),
        ("only = [3]", "only must be text, not 3"),
        ("cache_max_age = -5", "cache_max_age must be above 0"),
        ("top_k = 0", "top_k must be above 0"),
        ("strict = 1", "strict must be true or false"),
        ("nosuch = 1", "unknown key 'nosuch'"),
        ("deadline = ", "must be TOML"),
    ],
)
def test_a_wrong_value_in_the_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(environ={}, path=write(tmp_path, text))
    assert words in str(caught.value)


def test_an_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    named = [*(field.name for field in fields(Settings)), "config", "llm_url", "llm_key"]
    empty = {f"FEDRAG_{name.upper()}": "" for name in named}
    path = write(tmp_path, 'strict = true\ntop_k = 7\nlog_dir = "/tmp/l"\nemail = "a@b.org"')
    assert load_settings(environ=empty, path=path) == load_settings(environ={}, path=path)
    home = {"XDG_CONFIG_HOME": str(tmp_path / "none")}
    assert load_settings(environ={**empty, **home}) == load_settings(environ=home)


@pytest.mark.parametrize(
    ("name", "value"), [("FEDRAG_TOP_K", "many"), ("FEDRAG_STRICT", "perhaps")]
)
def test_a_wrong_variable_is_named(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"{name}='{value}'"):
        load_settings(environ={name: value})


def test_a_key_is_never_shown() -> None:
    llm = load_settings(
        {"llm": {"model": "m", "url": "http://127.0.0.1:1"}}, environ={"FEDRAG_LLM_KEY": "sk-1"}
    ).llm
    assert "sk-1" not in repr(llm)


def test_the_settings_of_a_services_document_are_a_table_and_merge(tmp_path: Path) -> None:
    path = write(tmp_path, "[services.string.settings]\nrequired_score = 0.4\nspecies = '9606'\n")
    over = {"string": ServiceConfig(settings={"species": "10090"}, timeout=5.0)}
    string = load_settings({"services": over}, environ={}, path=path).services["string"]
    assert string == ServiceConfig(
        settings={"required_score": 0.4, "species": "10090"}, timeout=5.0
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[services.x]\nsettings = 3", "[services.x]: settings must be a table, not 3"),
        ("[services.x.settings]\na = [1]", "settings.a must be a text or a number, not [1]"),
    ],
)
def test_settings_of_a_document_that_cannot_be_are_named(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(environ={}, path=write(tmp_path, text))
    assert words in str(caught.value)


def test_the_registry_and_commerce_are_settings_like_others(tmp_path: Path) -> None:
    path = write(tmp_path, "registry = 'synced'\ncommercial_ok = false\n")
    settings = load_settings(environ={"FEDRAG_COMMERCIAL_OK": "1"}, path=path)
    assert (settings.registry, settings.commercial_ok) == ("synced", True)
    over = load_settings(environ={"FEDRAG_REGISTRY": "/tmp/documents"}, path=path)
    assert over.registry == "/tmp/documents"


def test_what_is_kept_beside_the_calls_has_its_own_folders(tmp_path: Path) -> None:
    environ_home = default_cache_dir().parent
    assert store_dir(Settings(), "compiled") == environ_home / "compiled"
    assert store_dir(Settings(cache_dir=tmp_path), "registry") == tmp_path / "registry"


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ({"services": ["civic"]}, 'to ask some alone: only=["bte"]'),
        ({"top_k": "ten"}, "top_k must be a number, not 'ten'"),
        ({"strict": "x"}, "strict must be true or false, not 'x'"),
        ({"only": 3}, "only must be a list of names, not 3"),
        ({"exclude": [3]}, "exclude must be text, not 3"),
        ({"llm": "qwen"}, "llm must be a table of a model and its address, not str"),
        ({"llm": {"model": "a", "url": 5}}, "llm: url must be text, not 5"),
        ({"llm": {"model": "a", "adress": "b"}}, "llm: unknown key 'adress'"),
        ({"llm": {"model": "a", "url": "b", "key": ["s3cret"]}}, "llm: key must be text, not list"),
        ({"replay": 5}, "replay must be a path or a name, not 5"),
        ({"record": 5}, "record must be a path or a name, not 5"),
        ({"config": 5}, "config must be a path or a name, not 5"),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused_by_name(over: dict[str, Any], words: str) -> None:
    for settings in (None, Settings()):
        with pytest.raises(ConfigError, match=re.escape(words)):
            Session(settings, cache=False, log=False, **over)


@pytest.mark.parametrize("pins", ["imatinib", ["imatinib"], {"imatinib": 5}, {5: "CHEBI:45783"}])
def test_pins_that_are_no_mentions_with_their_curies_are_refused(pins: Any) -> None:
    session = Session(cache=False, log=False)
    with pytest.raises(ConfigError, match="pins must map mentions to CURIEs"):
        session.run("what are the targets of imatinib?", pins=pins)


def test_lists_are_variables_too() -> None:
    environ = {"FEDRAG_ONLY": "bte, civic", "FEDRAG_EXCLUDE": "string", "FEDRAG_STATUS": ""}
    settings = load_settings(environ=environ, path=None)
    assert (settings.only, settings.exclude, settings.status) == (("bte", "civic"), ("string",), ())


def test_names_may_be_given_as_one_text() -> None:
    session = Session(only="bte, civic", exclude=["string"], cache=False, log=False)
    assert session.settings.only == ("bte", "civic")
    assert session.settings.exclude == ("string",)
