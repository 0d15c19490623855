"""The committed runs with a real language model: done again from their cassettes, without one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedrag.bench.model import QuestionResult
from fedrag.bench.report import build_report
from fedrag.bench.results import Run, read_run
from fedrag.cli.main import cli
from fedrag.resources import benchmark_sets_dir

RESULTS = benchmark_sets_dir().parent / "results"
RUNS = sorted(path.parent for path in RESULTS.glob("*/run.json"))


def again(run: Run, out: Path) -> Run:
    """The same run, as far as it came, with the calls that were recorded."""
    meta, kind = run.meta, run.meta["set"]
    options = {
        "--questions": RESULTS,
        "--replay": RESULTS / f"{kind}.cassette.json.zst",
        "--part": meta["part"],
        "--sample": meta["sample"]["n"],
        "--seed": meta["sample"]["seed"],
        "--limit": len(run.results),
        "--arms": ",".join(meta["arms"]),
        "--llm": meta["llm"]["model"],
        "--llm-url": meta["llm"]["url"],
        "--context-tokens": meta["context_tokens"],
        "--out": out,
    }
    told = [str(word) for option in options.items() for word in option]
    told += ["--leave-one-out"] if meta["leave_one_out"] else []
    result = CliRunner().invoke(cli, ["bench", "run", kind, *told], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return read_run(out)


def untimed(result: QuestionResult) -> QuestionResult:
    arms = {name: replace(arm, seconds=0.0) for name, arm in result.arms.items()}
    return replace(result, seconds=0.0, arms=arms)


@pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.name)
def test_a_committed_run_is_done_again_to_the_last_digit(folder: Path, tmp_path: Path) -> None:
    run = read_run(folder)
    repeated = again(run, tmp_path / "out")
    assert run.results
    assert all(result.error is None for result in run.results.values())
    assert repeated.results.keys() == run.results.keys()
    for name, result in run.results.items():
        assert untimed(repeated.results[name]) == untimed(result), name
    assert repeated.meta["system_prompt"] == run.meta["system_prompt"]


def test_the_committed_report_is_what_the_committed_runs_give(tmp_path: Path) -> None:
    build_report(RUNS, tmp_path / "report.html", markdown=tmp_path / "report.md")
    for name in ("report.html", "report.md"):
        same = (tmp_path / name).read_bytes() == (RESULTS / name).read_bytes()
        assert same, f"make {name} again: benchmarks/README.md says how"


def test_every_question_that_is_not_answered_first_is_listed_with_the_reason(corpora: Path) -> None:
    run = RESULTS / "metabolite-closed-world"
    records = corpora / "drugmechdb" / "indication_paths.json"
    script = [RESULTS.parent / "missed.py", "--drugmechdb", records, run]
    command = [sys.executable, *map(str, script)]
    told = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    later = [r for r in read_run(run).results.values() if 1 not in r.ranks.values()]
    rows = [line for line in told.splitlines() if line.count("|") == 8][2:]
    assert f"## metabolite-closed-world: {len(later)} of 50" in told
    assert len(rows) == len(later)
    assert (
        "| ezetimibe, Hyperlipidemia | lipid | 2 | 21.657 | cholesterol | 21.657 "
        "| the first has the same score: ties go by name |"
    ) in rows
