"""``fedrag bench run`` as a command: what it refuses, what it prints, its exit codes, its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench_material import PROTEIN, record, written
from click.testing import CliRunner, Result

from fedrag.bench.build import text_of
from fedrag.bench.model import Gold, Question, Thing
from fedrag.bench.questions import write_questions
from fedrag.cli.main import cli
from fedrag.resources import benchmark_sets_dir
from fedrag.testing import Federation

THROMBOSIS = ("MESH:D013927", "Disease", "Thrombosis")
NOBODY = ("--llm", "nobody", "--llm-url", "http://127.0.0.1:9/v1")


def bench(*arguments: str | Path) -> Result:
    told = ["bench", "run", "gene", *map(str, arguments)]
    return CliRunner().invoke(cli, told, standalone_mode=False)


def code(result: Result) -> int:
    if result.exception is not None:
        raise result.exception
    value: int = result.return_value
    return value


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seed", "99999999999999999999999"], "'--seed': 9+ is not in the range"),
        (["--limit", "99999999999999999999"], "'--limit': 9+ is not in the range"),
        (["--sample", "99999999999999999999"], "'--sample': 9+ is not in the range"),
        (["--top-k", "99999999999999999999"], "'--top-k': 9+ is not in the range"),
        (["--max-tokens", "0"], "'--max-tokens': 0 is not in the range"),
        (["--context-tokens", "-1"], "'--context-tokens': -1 is not in the range"),
        (["--llm-timeout", "-1"], "'--llm-timeout': -1.0 is not a number of seconds above 0"),
        (["--llm-timeout", "nan"], "'--llm-timeout': nan is not a number of seconds above 0"),
        (["--llm-timeout", "inf"], "'--llm-timeout': inf is not a number of seconds above 0"),
        (["--arms", ""], "--arms names no arm; there are ranking, "),
        (["--arms", " , "], "--arms names no arm; there are ranking, "),
        (["--drugmechdb", "x.json"], "--replay answers .* use one of the two"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_and_leaves_no_folder(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(
        cli, ["bench", "run", "gene", "--replay", "--out", str(out), *arguments]
    )
    assert result.exit_code == 2
    assert re.search(says, " ".join(result.stderr.split())), result.stderr
    assert not out.exists()


def test_resuming_needs_a_folder_and_says_when_there_was_nothing_in_it(tmp_path: Path) -> None:
    refused = CliRunner().invoke(cli, ["bench", "run", "gene", "--replay", "--resume"])
    assert refused.exit_code == 2
    assert "name its folder with --out" in refused.stderr
    out = tmp_path / "new"
    asked = ("--replay", "--resume", "--out", out, "--limit", "1", "--arms", "ranking")
    assert f"{out} holds no run: there is nothing to resume" in bench(*asked).stderr
    assert "nothing to resume" not in bench(*asked).stderr


def test_an_arm_that_failed_on_every_question_is_told_and_not_scored(tmp_path: Path) -> None:
    arms = ("--arms", "ranking,model_only")
    result = bench("--replay", "--limit", "4", "--out", tmp_path / "o", *arms, *NOBODY)
    assert code(result) == 3
    lines = result.stdout.splitlines()
    failed = "model_only: 4 of 4 failed: OfflineError: the cassette holds no such call: llm POST"
    assert [line for line in lines if line.startswith("model_only")] == [
        f"{failed} /chat/completions"
    ]
    (ranking,) = (line for line in lines if line.startswith("ranking: accuracy "))
    assert "citations_exist 1.000" in ranking
    assert "citations_support 1.000" in ranking
    assert any("hits and mrr go by identifier alone" in line for line in lines)
    said = result.stderr.splitlines()
    assert sum("a replay never asks a model: 4 answers of nobody" in line for line in said) == 1


def test_json_tells_the_errors_of_each_arm(tmp_path: Path) -> None:
    arms = ("--arms", "ranking,model_only")
    result = bench("--replay", "--limit", "2", "--out", tmp_path / "o", "--json", *arms, *NOBODY)
    assert code(result) == 3
    told = json.loads(result.stdout)
    reason = "OfflineError: the cassette holds no such call: llm POST /chat/completions"
    assert told["errors"] == {"model_only": {"failed": 2, "asked": 2, "reasons": {reason: 2}}}
    assert told["not_recorded"] == []


def test_a_model_that_fails_on_some_questions_is_scored_and_counted(tmp_path: Path) -> None:
    with Federation() as federation:
        federation.fault("llm", "401", times=1)
        url = federation.base_urls["llm"]
        source = tmp_path / "gene.jsonl"
        write_questions(source, [question("one"), question("two")])
        flags = [
            f"--base-url={name}={at}" for name, at in federation.base_urls.items() if name != "llm"
        ]
        result = bench(
            "--questions", source, "--out", tmp_path / "o", "--arms", "model_only",
            "--no-cache", "--concurrency", "1", "--llm", "loopback-1", "--llm-url", url, *flags,
        )  # fmt: skip
    assert code(result) == 0, result.stdout
    assert "model_only: 1 of 2 failed: " in result.stdout
    assert "model_only: accuracy 0.000" in result.stdout


def test_questions_that_were_not_recorded_leave_the_others_and_are_exit_3(tmp_path: Path) -> None:
    lines = (benchmark_sets_dir() / "gene.jsonl").read_bytes().splitlines(keepends=True)
    source = tmp_path / "gene.jsonl"
    write_questions(source, [question("one")])
    source.write_bytes(lines[0] + source.read_bytes() + lines[1])
    cassette = benchmark_sets_dir() / "gene.cassette.json.zst"
    asked = ("--questions", source, "--replay", cassette, "--arms", "ranking")
    result = bench(*asked, "--out", tmp_path / "o")
    assert code(result) == 3
    (told,) = (line for line in result.stdout.splitlines() if line.startswith("not run: "))
    assert told.startswith("not run: gene:one: OfflineError: the cassette holds no such call: ")
    assert len(told) < 200
    assert "ranking: accuracy " in result.stdout
    assert "1 of 3 questions could not be run" in result.stderr
    as_json = bench(*asked, "--out", tmp_path / "j", "--json")
    assert (code(as_json), json.loads(as_json.stdout)["not_recorded"]) == (3, ["gene:one"])


def test_the_development_part_prints_its_scores_named_as_such(tmp_path: Path) -> None:
    part = ("--replay", "--part", "development", "--limit", "3", "--arms", "ranking")
    result = bench(*part, "--out", tmp_path / "o")
    assert code(result) == 0
    assert "scores are over the 3 of the development split: tuned on" in result.stdout
    assert "ranking: accuracy " in result.stdout
    assert "retrieval: " in result.stdout


def test_percentile_arms_are_run_on_request_and_their_cosines_named(tmp_path: Path) -> None:
    asked = ("--replay", "--limit", "1")
    plain = bench(*asked, "--out", tmp_path / "plain").stdout
    assert "t10" not in plain
    assert "embedder" not in plain
    every = bench(*asked, "--arms", "ranking,percentiles", "--out", tmp_path / "every").stdout
    assert "\nt10: " in every
    assert "\nt90: " in every
    assert "t10, t20, t30, t40, t50, t60, t70, t80, t90: pruned by cosines of the lexical" in every


def test_the_help_lists_the_arms_the_default_and_the_exit_codes() -> None:
    told = CliRunner().invoke(cli, ["bench", "run", "--help"]).stdout
    for arm in ("ranking", "model_only", "pruned", "full", "written", "percentiles", "t10 … t90"):
        assert re.search(rf"^  {arm}  +[A-Z].*", told, re.MULTILINE), arm
    assert "Without --arms: ranking, pruned and full" in told
    assert "Exit codes: 0 " in told


# --- how it ends ----------------------------------------------------------------------------------


def question(name: str) -> Question:
    return Question(
        id=f"gene:{name}",
        kind="gene",
        text=text_of("gene", drug="warfarin", disease="Thrombosis"),
        golds=(Gold("VKORC1", ("UniProtKB:Q9BQB6",)),),
        drug=Thing("warfarin", ("DRUGBANK:DB00682",)),
        disease=Thing("Thrombosis", ("MESH:D013927",)),
        drug_key="DRUGBANK:DB00682",
    )


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A run whose model never answers, and the process of its closed world."""
    drug, protein, disease = ("MESH:D014859", "Drug", "warfarin"), PROTEIN, THROMBOSIS
    links = [(drug[0], "decreases activity of", protein[0]), (protein[0], "causes", disease[0])]
    corpus = written(folder, [record("a", (drug, protein, disease), links=links, drug="warfarin")])
    source = folder / "gene.jsonl"
    write_questions(source, [question("one")])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60.0)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        command = [sys.executable, "-m", "fedrag", "bench", "run", "gene", "--no-log"]
        command += ["--questions", str(source), "--drugmechdb", str(corpus)]
        command += ["--arms", "model_only", "--llm", "silent", "--llm-url", url]
        command += ["--out", str(folder / "out")]
        with subprocess.Popen(
            command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                held, _ = silent.accept()
                with held:
                    yield process, child_of(process.pid)
            finally:
                process.kill()


def child_of(pid: int) -> int:
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def within(seconds: float, so: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not so() and time.monotonic() < end:
        time.sleep(0.05)
    return so()


needs_proc = pytest.mark.skipif(
    not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists(),
    reason="the system does not tell a process' children in /proc",
)


@needs_proc
def test_the_closed_world_ends_with_a_run_that_was_killed(tmp_path: Path) -> None:
    with running(tmp_path) as (process, child):
        assert not gone(child)
        process.kill()
        process.wait()
        assert within(20.0, lambda: gone(child))


@needs_proc
def test_sigterm_ends_a_run_in_order(tmp_path: Path) -> None:
    with running(tmp_path) as (process, child):
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=30)
        assert process.returncode == 130
        assert told.strip() == "interrupted; nothing that was stored is lost"
        assert within(20.0, lambda: gone(child))
    assert json.loads((tmp_path / "out" / "run.json").read_text())["finished"] is None


def test_the_loopback_services_end_with_their_input_when_asked_to() -> None:
    command = [sys.executable, "-m", "fedrag.testing", "--demo", "--json"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "--until-stdin-closes"], **streams) as asked:  # type: ignore[call-overload]
        assert "nodenorm" in json.loads(asked.stdout.readline())
        assert asked.poll() is None
        asked.stdin.close()
        assert asked.wait(timeout=20) == 0
    with subprocess.Popen(command, **streams) as other:  # type: ignore[call-overload]
        other.stdout.readline()
        other.stdin.close()
        time.sleep(0.5)
        assert other.poll() is None
        other.terminate()
