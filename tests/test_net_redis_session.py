"""Whole questions over a shared cache: two workers, a server that goes, and the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from federated import GENE_QUESTION, ask, flags
from redis_support import RedisServer, free_port, redis_server

import fedrag
from fedrag.cli.main import cli
from fedrag.datamodel import Answer
from fedrag.errors import ConfigError, UnavailableError
from fedrag.export import answer_to_dict
from fedrag.testing import Federation

SECRET = "hunter2-of-the-cache"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as federation:
        yield federation


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_server(tmp_path, password=SECRET) as server:
        yield server


def shared(federation: Federation, url: str, **options: Any) -> Answer:
    return ask(federation, **{"cache": True, "cache_url": url, **options})


def about(answer: Answer) -> list[str]:
    """What the notes say of the shared cache."""
    return [note for note in answer.notes if "shared cache" in note]


def test_what_one_worker_asked_the_next_finds(federation: Federation, server: RedisServer) -> None:
    first = shared(federation, server.url)
    federation.calls.clear()
    second = shared(federation, server.url)
    assert (first.mode, second.mode) == ("live", "cache")
    assert federation.calls == []
    assert second.candidates == first.candidates
    assert (second.text, second.notes) == (first.text, first.notes)
    assert about(first) == []
    assert server.keys("fedrag:calls:*") != []


def test_another_process_finds_it_too(federation: Federation, server: RedisServer) -> None:
    shared(federation, server.url)
    federation.calls.clear()
    command = [sys.executable, "-m", "fedrag", "ask", GENE_QUESTION, "--json", "--no-log"]
    done = subprocess.run(
        [*command, "--cache", server.url, *flags(federation)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["mode"] == "cache"
    assert federation.calls == []
    assert SECRET not in done.stdout + done.stderr


def test_the_password_is_in_no_answer(federation: Federation, server: RedisServer) -> None:
    answer = shared(federation, server.url)
    server.stop()
    without = shared(federation, server.url)
    for one in (answer, without):
        assert SECRET not in json.dumps(answer_to_dict(one)) + repr(one)
    assert f"127.0.0.1:{server.port}" in about(without)[0]


def test_a_server_that_is_gone_at_the_start_costs_a_note(federation: Federation) -> None:
    usual = ask(federation)
    answer = shared(federation, f"redis://127.0.0.1:{free_port()}")
    (note,) = about(answer)
    assert note.startswith("going on without the shared cache and pace of redis://127.0.0.1:")
    assert (answer.mode, answer.text) == ("live", usual.text)
    assert answer.completeness == usual.completeness


def test_a_server_that_goes_in_mid_run_costs_a_note(
    federation: Federation, server: RedisServer
) -> None:
    usual = ask(federation)
    told: list[str] = []

    def stop(line: str) -> None:
        told.append(line)
        if len(told) == 2:  # the entities are known, the services not yet asked
            assert "cmdstat_get" in server.send("INFO", "commandstats")
            server.stop()

    answer = shared(federation, server.url, progress=stop)
    assert len(told) >= 2
    (note,) = about(answer)
    assert "going on without" in note
    assert (answer.text, answer.candidates) == (usual.text, usual.candidates)


def test_without_a_cache_the_pace_is_shared_all_the_same(
    federation: Federation, server: RedisServer
) -> None:
    answer = shared(federation, server.url, cache=False)
    assert answer.mode == "live"
    assert server.keys("fedrag:calls:*") == []
    (pace,) = (key for key in server.keys("fedrag:pace:{bte *") if not key.endswith("leases"))
    assert server.send("HGET", pace, "tat") is not None


def test_a_replay_meets_no_server() -> None:
    answer = fedrag.ask(
        GENE_QUESTION, replay="demo", cache_url=f"redis://127.0.0.1:{free_port()}", log=False
    )
    assert (answer.mode, about(answer)) == ("replay", [])


def test_offline_the_shared_cache_answers(federation: Federation, server: RedisServer) -> None:
    first = shared(federation, server.url)
    federation.calls.clear()
    answer = shared(federation, server.url, offline=True)
    assert (answer.text, answer.mode, federation.calls) == (first.text, "cache", [])


def test_the_log_of_a_trapi_response_says_so_too(federation: Federation) -> None:
    edge = {"subject": "a", "object": "b", "predicates": ["biolink:related_to"]}
    nodes = {"a": {"ids": ["DRUGBANK:DB00999"]}, "b": {"categories": ["biolink:Gene"]}}
    answer = fedrag.query_graph(
        {"nodes": nodes, "edges": {"e": edge}},
        services=federation.service_configs(),
        cache_url=f"redis://127.0.0.1:{free_port()}",
    )
    told = [line["message"] for line in answer.response["logs"] if line["level"] == "WARNING"]
    assert sum("going on without the shared cache" in line for line in told) == 1


# --- commands -----------------------------------------------------------------------------------


def run(*arguments: str, **environ: str) -> Any:
    return CliRunner().invoke(cli, arguments, env=environ)


def test_stats_and_clear_of_a_shared_cache(federation: Federation, server: RedisServer) -> None:
    shared(federation, server.url)
    stats = json.loads(run("cache", "stats", "--cache", server.url, "--json").stdout)
    assert stats["answers"] == len(server.keys("fedrag:calls:*")) > 3
    assert stats["address"] == f"redis://127.0.0.1:{server.port}/0"
    assert stats["bytes"] > 0
    shown = run("cache", "stats", FEDRAG_CACHE_URL=server.url).stdout
    assert f"answers: {stats['answers']}\n" in shown
    assert (stats["size_limit"], "size_limit" in shown) == (None, False)  # there is none
    assert SECRET not in shown
    cleared = run("cache", "clear", "--cache", server.url)
    assert f"{stats['answers']} calls forgotten" in cleared.stderr
    assert server.keys("fedrag:calls:*") == []


def test_a_server_in_an_empty_variable_is_none(tmp_path: Path) -> None:
    shown = run("cache", "stats", "--json", FEDRAG_CACHE_URL="", FEDRAG_CACHE_DIR=str(tmp_path))
    assert json.loads(shown.stdout)["directory"] == str(tmp_path)


def test_a_folder_that_is_named_goes_over_a_configured_server(
    tmp_path: Path, server: RedisServer
) -> None:
    folder = str(tmp_path / "calls")
    shown = run("cache", "stats", "--dir", folder, "--json", FEDRAG_CACHE_URL=server.url)
    assert json.loads(shown.stdout)["directory"] == folder
    both = run("cache", "clear", "--dir", folder, "--cache", server.url)
    assert both.exit_code == 2
    assert "give one of them" in both.stderr


@pytest.mark.parametrize("command", ["stats", "clear"])
def test_a_server_that_cannot_be_asked_is_an_error_of_these_commands(command: str) -> None:
    url = f"redis://:{SECRET}@127.0.0.1:{free_port()}"
    error = run("cache", command, "--cache", url).exception
    assert isinstance(error, UnavailableError)
    assert error.exit_code == 3
    assert "refused" in str(error)
    assert SECRET not in str(error)


def test_an_address_that_is_none_is_refused_before_anything_is_asked(
    federation: Federation,
) -> None:
    federation.calls.clear()
    url = f"http://:{SECRET}@127.0.0.1"
    error = run("ask", GENE_QUESTION, "--cache", url, *flags(federation)).exception
    assert isinstance(error, ConfigError)
    assert SECRET not in str(error)
    assert federation.calls == []
