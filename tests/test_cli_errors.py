"""The command line: help, usage errors, exit codes and messages without tracebacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def fedrag(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fedrag", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_help_and_version_do_not_import_what_they_do_not_need() -> None:
    code = (
        "import sys\n"
        "from fedrag.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as stop:\n    assert stop.code == 0\n"
        "heavy = {'httpx2', 'openai', 'numpy', 'jsonschema', 'rich', 'yaml', 'diskcache'}\n"
        "loaded = heavy & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ask" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "--no-cache", "   "], "the question is empty"),
        (["ask", "--no-cache", "x" * 50_000], "has 50,000 characters, more than 2,000"),
        (["ask", "--llm", "some-model", "what?"], "has no address"),
        (["ask", "--llm-url", "http://127.0.0.1:1/v1", "what?"], "no language model is named"),
        (["ask", "--llm", "m", "--llm-url", "notaurl", "what?"], "'notaurl' is no address"),
        (["ask", "--taxon", "human", "what?"], "'human' is no taxon"),
        (["ask", "--base-url", "nodenrom=http://127.0.0.1:1", "what?"], "is it nodenorm?"),
        (["ask", "--base-url", "bte=ftp://example.org", "what?"], "ftp"),
        (["ask", "--exclude-service", "nameres", "what?"], "nameres cannot be switched off"),
        (["ask", "--replay", "demo", "--record", "x.json", "what?"], "nothing to record"),
        (["ask", "--entity", "nonsense", "what?"], "--entity wants KEY=VALUE"),
        (["ask", "--config", "/nowhere.toml", "what?"], "no configuration file at /nowhere.toml"),
        (["ask", "--replay", "nosuchcassette", "what?"], "no cassette is called 'nosuchcassette'"),
        (["ask", "--template", "nosuch", "--replay", "demo", "targets of imatinib"], "nosuch"),
        (["ask"], "Missing argument"),
        (["nosuchcommand"], "No such command"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(arguments: list[str], words: str) -> None:
    done = fedrag(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_with_json_an_error_is_json_too() -> None:
    done = fedrag("ask", "--replay", "demo", "--json", "What are the targets of zorbalixinib?")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == error["exit_code"] == 5
    assert error["kind"] == "UnresolvedEntityError"
    assert "zorbalixinib" in error["message"]
    assert "zorbalixinib" in done.stderr


def test_a_malformed_configuration_names_file_and_key(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[services.bte]\nbase_ulr = 'https://example.org'\n")
    done = fedrag("ask", "--config", str(config), "what?")
    assert done.returncode == 2
    assert "[services.bte]: unknown key 'base_ulr'" in done.stderr
    assert "base_url" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_encoding_without_a_character_costs_no_answer(encoding: str) -> None:
    command = [sys.executable, "-m", "fedrag", "ask", "--replay", "demo"]
    done = subprocess.run(
        [*command, "what are the targets of imatinib?"],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"imatinib decreases activity of KIT [E3]" in done.stdout


def test_json_and_another_form_are_refused_together() -> None:
    done = fedrag("ask", "--replay", "demo", "--json", "--format", "csv", "targets of imatinib")
    said = "--json and --format csv: use one of the two"
    assert done.returncode == 2
    assert said in done.stderr
    assert json.loads(done.stdout)["error"]["message"] == said


@pytest.mark.parametrize("asked", [("--json",), ("--format", "json"), ("--format=json",)])
def test_an_error_is_json_however_json_was_asked_for(asked: tuple[str, ...]) -> None:
    done = fedrag("ask", "--replay", "demo", *asked, "What are the targets of zorbalixinib?")
    assert json.loads(done.stdout)["error"]["kind"] == "UnresolvedEntityError"
