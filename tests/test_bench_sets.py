"""The small sets of the checkout: whole, and answered from their cassettes without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedrag.bench.questions import read_questions
from fedrag.bench.results import read_run
from fedrag.cli.main import cli
from fedrag.resources import benchmark_sets_dir

SIZES = {"gene": 60, "metabolite": 30, "drug": 40}


@pytest.mark.parametrize("kind", SIZES)
def test_a_small_set_has_its_questions_with_golds_and_identifiers(kind: str) -> None:
    questions, refused = read_questions(benchmark_sets_dir() / f"{kind}.jsonl")
    assert refused == []
    assert len(questions) == SIZES[kind]
    assert {question.kind for question in questions} == {kind}
    assert all(gold.identifiers for question in questions for gold in question.golds)
    assert all(question.records and question.drug_key for question in questions)


def replayed(kind: str, folder: Path, *more: str) -> dict[str, object]:
    arguments = ["bench", "run", kind, "--replay", "--json", "--out", str(folder), *more]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    told: dict[str, object] = json.loads(result.stdout)
    return told


def timeless(value: object) -> Iterator[object]:
    """All scores but those that a clock told."""
    from fedrag.bench.scores import TIMED

    if isinstance(value, dict):
        for key, one in value.items():
            if key not in TIMED and key != "out":
                yield key
                yield from timeless(one)
    elif isinstance(value, list):
        for one in value:
            yield from timeless(one)
    else:
        yield value


@pytest.mark.parametrize("kind", SIZES)
def test_a_small_set_is_replayed_and_gives_the_same_numbers_twice(
    kind: str, tmp_path: Path
) -> None:
    first = replayed(kind, tmp_path / "first", "--arms", "ranking,pruned,t50")
    again = replayed(kind, tmp_path / "again", "--arms", "ranking,pruned,t50", "--concurrency", "1")
    assert (first["set"], first["n"], first["evidence"]) == (kind, SIZES[kind], "recorded")
    assert first["recorded_from"] == "closed world"
    assert list(timeless(first)) == list(timeless(again))


@pytest.mark.parametrize("kind", SIZES)
def test_a_small_set_is_replayed_without_each_questions_own_record(
    kind: str, tmp_path: Path
) -> None:
    told = replayed(kind, tmp_path / "out", "--arms", "ranking", "--leave-one-out")
    assert (told["n"], told["leave_one_out"], told["not_recorded"]) == (SIZES[kind], True, [])
    results = read_run(tmp_path / "out").results
    assert len(results) == SIZES[kind]
    assert all(result.error is None for result in results.values())
    assert sum(result.left_out for result in results.values()) > SIZES[kind]


def test_a_run_of_a_set_goes_on_after_a_limit(tmp_path: Path) -> None:
    replayed("gene", tmp_path / "out", "--arms", "ranking", "--limit", "3")
    told = replayed("gene", tmp_path / "out", "--arms", "ranking", "--resume")
    assert told["n"] == 60
    lines = (tmp_path / "out" / "results.jsonl").read_bytes().splitlines()
    assert len(lines) == 60


def test_an_arm_that_does_not_exist_is_refused_by_name(tmp_path: Path) -> None:
    arguments = ["bench", "run", "gene", "--replay", "--out", str(tmp_path / "o"), "--arms", "no"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert "there is no arm 'no'" in result.stderr
