"""``fedrag query``: JSON on stdout, words on stderr, exit codes, replay and records."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import query_support as q
from federated import flags
from query_support import DISEASE, GENE, OTHER_GENE, edge, graph, node

from fedrag.testing import Federation

TWO_HOPS = graph(
    {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
    {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
)


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with q.federation() as running:
        yield running


def fedrag(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fedrag", "query", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def live(world: Federation) -> list[str]:
    return [*flags(world), "--no-cache"]


def genes(response: dict[str, Any]) -> list[str]:
    results = response["message"]["results"]
    return [curie for r in results for curie in q.ids(r["node_bindings"]["c"])]


@pytest.mark.parametrize("version", q.VERSIONS)
def test_a_file_gives_a_valid_response_on_stdout(
    world: Federation, tmp_path: Path, version: str
) -> None:
    file = tmp_path / "q.json"
    file.write_text(json.dumps({"message": {"query_graph": TWO_HOPS}}))
    done = fedrag(str(file), "--trapi", version, *live(world))
    assert (done.returncode, done.stderr) == (0, "")
    response = json.loads(done.stdout)
    q.check(response, version)
    assert genes(response) == [GENE, OTHER_GENE]
    (row,) = (row for row in response["services"] if row["service"] == "bte")
    assert (row["state"], row["calls"], row["edges"]) == ("ok", 2, 3)


def test_stdin_and_the_table(world: Federation) -> None:
    done = fedrag("-", "--format", "text", *live(world), stdin=json.dumps(TWO_HOPS))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["score", "edges", "a", "b", "c"]
    assert "drug one (CHEBI:1)" in lines[1]
    assert "GENE1 (NCBIGene:1)" in lines[1]
    assert "2 results" in lines
    assert "  e1 (b – c): asked from b with 1 thing; edges: 2 came, 2 fit" in lines
    assert any(line.split()[:2] == ["bte", "ok"] for line in lines)


def test_with_json_it_is_json_whatever_the_format(world: Federation) -> None:
    done = fedrag("-", "--format", "text", "--json", *live(world), stdin=json.dumps(TWO_HOPS))
    assert genes(json.loads(done.stdout)) == [GENE, OTHER_GENE]


def test_nothing_found_is_exit_4_and_tells_what_was(world: Federation) -> None:
    nobody = {"sources": {"behavior": "ALLOW", "values": ["infores:nobody"]}}
    edges = TWO_HOPS["edges"] | {"e1": edge("b", "c", "affects", constraints=nobody)}
    done = fedrag("-", *live(world), stdin=json.dumps(graph(TWO_HOPS["nodes"], edges)))
    response = json.loads(done.stdout)
    assert done.returncode == 4
    assert response["message"]["results"] == []
    assert len(response["message"]["knowledge_graph"]["edges"]) == 1
    assert "- nothing was found for e1 (b – c)" in done.stderr


def test_no_service_that_answers_is_exit_3(world: Federation) -> None:
    world.fault("bte", "500", path="/query")
    try:
        done = fedrag("-", *live(world), stdin=json.dumps(TWO_HOPS))
    finally:
        world.heal()
    assert done.returncode == 3
    assert json.loads(done.stdout)["completeness"] == "unknown"
    assert "bte" in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "stdin is no JSON: line 1, column 2"),
        (json.dumps(graph(TWO_HOPS["nodes"], {"e": edge("b", "z")})), "there is no node 'z'"),
        (json.dumps(graph({"a": {}, "b": {}}, {"e": edge("a", "b")})), "no node has ids"),
    ],
)
def test_a_wrong_query_is_one_message_and_exit_2(text: str, words: str) -> None:
    done = fedrag("-", "--json", stdin=text)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert words in json.loads(done.stdout)["error"]["message"]


def test_a_file_that_is_not_there_is_told() -> None:
    done = fedrag("/nowhere/q.json")
    assert done.returncode == 2
    assert "/nowhere/q.json cannot be read: No such file or directory" in done.stderr


def test_bypass_cache_goes_past_the_cache(world: Federation) -> None:

    def mode(**options: Any) -> str:
        text = json.dumps({"message": {"query_graph": TWO_HOPS}, **options})
        return str(json.loads(fedrag("-", *flags(world), stdin=text).stdout)["mode"])

    assert [mode(), mode(), mode(bypass_cache=True)] == ["live", "cache", "live"]


def test_a_recorded_query_replays_the_same_without_the_network(
    world: Federation, tmp_path: Path
) -> None:
    tape = str(tmp_path / "tape.json")
    text = json.dumps(TWO_HOPS)
    recorded = fedrag("-", *live(world), "--record", tape, stdin=text)
    addresses = flags(world)
    replayed = fedrag("-", *addresses, "--replay", tape, stdin=text)
    assert replayed.returncode == 0, replayed.stderr
    one, other = json.loads(recorded.stdout), json.loads(replayed.stdout)
    assert one["message"] == other["message"]
    assert (one["mode"], other["mode"]) == ("live", "replay")
    other_query = json.dumps(
        graph({"a": node(GENE), "b": node(kind="Disease")}, {"e": edge("a", "b")})
    )
    missed = fedrag("-", *addresses, "--replay", tape, stdin=other_query)
    assert missed.returncode == 3
    assert "Traceback" not in missed.stderr


def test_a_cassette_that_cannot_be_written_does_not_cost_the_response(
    world: Federation, tmp_path: Path
) -> None:
    blocked, query = tmp_path / "file", tmp_path / "q.json"
    blocked.write_text("")
    query.write_text(json.dumps(TWO_HOPS))
    done = fedrag(str(query), *live(world), "--record", str(blocked / "tape.json"))
    assert done.returncode == 2
    assert "cannot write the cassette" in done.stderr
    assert json.loads(done.stdout)["message"]["results"]


def test_caps_are_flags(world: Federation) -> None:
    done = fedrag("-", "--max-results", "1", *live(world), stdin=json.dumps(TWO_HOPS))
    response = json.loads(done.stdout)
    assert genes(response) == [GENE]
    assert response["completeness"] == "partial"
    assert "- the 1 best of 2 results are given" in done.stderr
    assert fedrag("-", "--max-ids", "0", stdin="{}").returncode == 2
