"""``fedrag runs``: the list, one run, and a run asked again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from federated import GENE_QUESTION, ask, flags

import fedrag
from fedrag.cli.main import cli
from fedrag.datamodel import Answer
from fedrag.errors import ConfigError, EntityError, RunError
from fedrag.resources import cassettes_dir
from fedrag.runs import RunLog, RunRecord
from fedrag.testing import Federation

QUESTION = "what are the targets of imatinib?"
UNKNOWN = "What are the targets of zorbalixinib?"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(kps=1) as running:
        yield running


@pytest.fixture(autouse=True)
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunLog:
    monkeypatch.setenv("FEDRAG_LOG_DIR", str(tmp_path / "runs"))
    return RunLog(tmp_path / "runs")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(
        cli, ["runs", *arguments], standalone_mode=False, catch_exceptions=True
    )


def done(*arguments: str) -> Result:
    result = run(*arguments)
    assert result.exception is None, result.exception
    return result


def as_json(*arguments: str) -> Any:
    return json.loads(done(*arguments, "--json").stdout)


def untimed(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "", text)


def kept_answer(log: RunLog) -> Answer:
    answer = log.get().restored()
    assert answer is not None
    return answer


def failed_run(question: str = UNKNOWN) -> str:
    with pytest.raises(EntityError) as raised:
        fedrag.ask(question, replay="demo")
    return raised.value.run


def test_the_list_has_one_line_a_run_newest_first() -> None:
    answer, failure = fedrag.ask(QUESTION, replay="demo"), failed_run()
    result = done("list")
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{failure}  replay ")
    assert "UnresolvedEntityError" in first
    assert "  What are the targets of zorbalixini" in first
    assert second.startswith(f"{answer.run}  replay ")
    assert second.endswith(f"  ABL1{' ' * 17}  {QUESTION}")
    assert max(len(line) for line in result.stdout.splitlines()) <= 100
    assert result.stderr == ""


def test_the_list_as_json_is_bounded_by_its_limit() -> None:
    runs = [fedrag.ask(QUESTION, replay="demo").run for _ in range(3)]
    listed = as_json("list", "--limit", "2")
    assert [row["id"] for row in listed] == runs[:0:-1]
    assert listed[0]["answer"] == "ABL1"
    assert listed[0]["cassette"] == "demo"


def test_an_empty_log_says_where_it_looked(log: RunLog) -> None:
    result = done("list")
    assert result.stdout == ""
    assert result.stderr == f"no runs in {log.folder}\n"
    assert as_json("list") == []
    assert isinstance(run("show").exception, RunError)


def test_a_run_that_cannot_be_read_is_named(log: RunLog) -> None:
    answer = fedrag.ask(QUESTION, replay="demo")
    next(log.folder.iterdir()).write_bytes(b"spoiled")
    assert f"1 run cannot be read: {answer.run}" in done("list").stderr


def test_a_run_is_shown_with_what_it_was_asked_with() -> None:
    answer = fedrag.ask(QUESTION, replay="demo", top_k=7)
    text = done("show", answer.run[:20]).stdout
    assert f"Run {answer.run}\n  question: {QUESTION}\n" in text
    assert "  setting: top_k = 7\n" in text
    assert "  setting: deadline" not in text
    assert "  replayed: demo, SHA-256 " in text
    assert "  edges by primary source: infores:drugmechdb 4\n" in text
    assert text.endswith(str(answer))


def test_a_shown_run_has_every_form_of_its_answer(log: RunLog) -> None:
    answer = fedrag.ask(QUESTION, replay="demo")
    shown = as_json("show")
    assert shown["id"] == answer.run
    assert shown["answer"] == json.loads(json.dumps(answer.to_dict()))
    trapi = json.loads(done("show", "last", "--format", "trapi").stdout)
    assert len(trapi["message"]["knowledge_graph"]["edges"]) == len(answer.edges)
    assert done("show", "--format", "text").stdout == str(answer)
    lines = done("show", "--format", "tsv").stdout.splitlines()
    assert len(lines) == 1 + len(answer.edges)


def test_a_failed_run_is_shown_and_has_no_answer() -> None:
    failure = failed_run()
    text = done("show").stdout
    assert "  failed: UnresolvedEntityError: nothing was found for" in text
    assert as_json("show")["answer"] is None
    error = run("show", "--format", "tsv").exception
    assert isinstance(error, RunError)
    assert error.hint == f"`fedrag runs rerun {failure}` asks again"


def test_a_name_from_outside_cannot_write_to_the_terminal(log: RunLog) -> None:
    evil = RunRecord(
        "why \x1b[31m?",
        "2026-11-30T09:01:02+00:00",
        0.1,
        error={"kind": "X\x1b[2J", "message": "m\x07", "hint": None},
    )
    log.add(evil)
    shown = done("list").stdout + done("show").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_replayed_run_is_replayed_again_and_nothing_changed(log: RunLog) -> None:
    answer = fedrag.ask(QUESTION, replay="demo", top_k=1)
    result = done("rerun", "last")
    assert result.return_value == 0
    assert untimed(result.stdout) == untimed(str(answer))
    assert f"run {answer.run}, asked again: {QUESTION}" in result.stderr
    assert "- nothing changed: the same answer" in result.stderr
    again = log.get()
    assert again.id != answer.run
    assert again.settings == log.get(answer.run).settings


def test_a_rerun_ends_as_the_question_would(log: RunLog) -> None:
    failed_run()
    result = run("rerun")
    assert isinstance(result.exception, EntityError)
    assert result.stdout == ""
    assert len(log) == 2
    abstained = fedrag.ask("What links eliglustat and fibromyalgia?", replay="demo")
    assert abstained.abstained
    assert done("rerun").return_value == 4


def test_a_rerun_that_is_not_kept_leaves_no_run(log: RunLog) -> None:
    fedrag.ask(QUESTION, replay="demo")
    done("rerun", "--no-log")
    assert len(log) == 1


def test_a_cassette_that_changed_or_moved_is_told(tmp_path: Path) -> None:
    tape = tmp_path / "demo.json"
    tape.write_bytes((cassettes_dir() / "demo.json").read_bytes())
    fedrag.ask(QUESTION, replay=tape)
    tape.write_bytes(tape.read_bytes() + b"\n")
    assert "- cassette: demo " in done("rerun").stderr
    tape.unlink()  # the one of that name that ships is taken, and told to be another
    assert "- cassette: demo " in done("rerun", "--no-log").stderr


def test_what_a_service_failed_to_say_is_told(federation: Federation, log: RunLog) -> None:
    answer = ask(federation)
    federation.fault("kp1", "500", path="/query")
    federation.fault("bte", "bad_edge", path="/query")
    try:
        result = done("rerun", "--changes")
        as_data = as_json("rerun", answer.run, "--changes")
    finally:
        federation.heal()
    assert result.return_value == 0
    lines = result.stdout.splitlines()
    assert "kp1: ok → unavailable" in lines
    assert "completeness: complete → partial" in lines
    assert as_data["changed"] is True
    assert as_data["services"] == {"kp1": ["ok", "unavailable"]}
    kept = {edge.id for edge in kept_answer(log).edges}
    gone = [edge.id for edge in answer.edges if edge.id not in kept]
    assert gone
    assert as_data["edges_gone"] == gone
    assert f"{len(gone):,} {'edge' if len(gone) == 1 else 'edges'} gone" in lines
    assert [line[-17:-1] for line in lines if line.startswith("  - ")] == gone[:10]


def test_a_strict_rerun_prints_the_partial_answer_that_fails(federation: Federation) -> None:
    ask(federation, strict=True)
    federation.fault("kp1", "500", path="/query")
    try:
        result = run("rerun", "last", "--no-cache")
    finally:
        federation.heal()
    assert "partial" in str(result.exception)
    assert "Completeness: partial" in result.stdout


def test_a_run_is_asked_again_with_its_pins_template_and_services(
    federation: Federation, log: RunLog
) -> None:
    pins = {"hypertension": "MESH:D006973"}
    first = ask(federation, pins=pins, template="gene-by-drug-and-disease", only=("bte", "kp1"))
    result = done("rerun", "--json")
    again = log.get()
    before = log.get(first.run)
    assert (again.pins, again.template) == (pins, "gene-by-drug-and-disease")
    assert again.settings == before.settings
    answer = json.loads(result.stdout)
    assert answer["answer"] == json.loads(json.dumps(first.to_dict()))["answer"]
    assert "nothing changed" in result.stderr


def test_flags_of_today_go_over_the_settings_of_the_run(
    federation: Federation, log: RunLog
) -> None:
    ask(federation, only=("bte", "kp1"), top_k=3)
    done("rerun", *flags(federation), "--only", "bte", "--deadline", "30")
    settings = log.get().settings
    assert settings["top_k"] == 3
    assert settings["deadline"] == 30
    assert "bte" in settings["only"]


def test_a_replayed_run_can_be_asked_live(federation: Federation, log: RunLog) -> None:
    replayed = fedrag.ask(GENE_QUESTION, replay="demo", cache=False)
    result = done("rerun", "--live", *flags(federation))
    assert log.get().mode == "live"
    assert f"cassette: demo {log.get(replayed.run).cassette['sha256'][:12]} → none" in (  # type: ignore[index]
        result.stderr
    )


def test_a_rerun_can_be_recorded(federation: Federation, log: RunLog, tmp_path: Path) -> None:
    ask(federation)
    done("rerun", "--record", str(tmp_path / "again.json"))
    cassette = log.get().cassette
    assert cassette is not None
    assert cassette["name"] == "again"
    replayed = done("rerun", "--replay", str(tmp_path / "again.json"))
    assert "→ again " in replayed.stderr
    assert log.get().mode == "replay"


def test_clearing_forgets_all_but_what_is_to_be_kept(log: RunLog) -> None:
    runs = [fedrag.ask(QUESTION, replay="demo").run for _ in range(3)]
    assert done("clear", "--keep", "1").stderr == "2 runs forgotten\n"
    assert [summary.id for summary in log.list()] == runs[2:]
    assert done("clear").stderr == "1 run forgotten\n"
    assert len(log) == 0


def test_clearing_tells_what_it_removed_and_names_what_is_left(log: RunLog) -> None:
    runs = [fedrag.ask(QUESTION, replay="demo").run for _ in range(3)]
    stuck = log.folder / f"{runs[0]}.jsonl.zst"
    stuck.unlink()
    stuck.mkdir()
    result = run("clear")
    assert (result.return_value, result.exception) == (2, None)
    forgotten, left = result.stderr.splitlines()
    assert forgotten == "2 runs forgotten"
    assert left.startswith(f"1 run cannot be removed from {log.folder}: {runs[0]} (")


def test_the_help_of_clear_begins_with_what_keep_does() -> None:
    words = done("clear", "--help").stdout.split("\n\n")[1]
    assert words.split()[:3] == ["With", "--keep", "N,"]


def test_another_log_is_named_in_the_configuration(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("FEDRAG_LOG_DIR")
    path = tmp_path / "c.toml"
    path.write_text(f'log_dir = "{tmp_path / "mine"}"\nlog_keep = 2\n')
    run_id = fedrag.ask(QUESTION, replay="demo", config=path).run
    assert (tmp_path / "mine" / f"{run_id}.jsonl.zst").is_file()
    assert as_json("list", "--config", str(path))[0]["id"] == run_id
    path.write_text("log_keep = 0\n")
    assert isinstance(run("list", "--config", str(path)).exception, ConfigError)


def test_a_record_of_a_version_to_come_is_shown(log: RunLog) -> None:
    answer = fedrag.ask(QUESTION, replay="demo")
    record = log.get(answer.run)
    log.amend(answer.run, settings={**record.settings, "mood": "good"})
    assert '  setting: mood = "good"\n' in done("show").stdout
    assert done("rerun").return_value == 0
