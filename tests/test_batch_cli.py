"""``fedrag batch``: lines on stdout or in a file, words on stderr, exit codes, kill and resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from batch_support import QUESTION, ids, lines, questions
from click.testing import CliRunner, Result
from federated import flags
from redis_support import free_port

from fedrag.cli.main import cli
from fedrag.errors import ConfigError
from fedrag.testing import Federation

REPLAY = ("--replay", "demo", "--no-log")
UNKNOWN, UNCONNECTED = (
    "What are the targets of zorbalixinib?",
    "What links eliglustat and fibromyalgia?",
)


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(
        cli, ["batch", *arguments], input=stdin, standalone_mode=False, catch_exceptions=True
    )


def told(result: Result) -> list[dict[str, Any]]:
    assert result.exception is None, result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "fedrag", "batch", *arguments]


def rows(*texts: str) -> bytes:
    return "\n".join(json.dumps({"question": text}) for text in texts).encode()


def test_each_question_is_one_line_on_stdout_and_the_summary_is_on_stderr() -> None:
    result = run("-", *REPLAY, "--ordered", stdin=rows(QUESTION, UNKNOWN, UNCONNECTED))
    first, second, third = told(result)
    schema = json.loads((Path(__file__).parent.parent / "fedrag/schemas/answer.json").read_text())
    jsonschema.validate(first["answer"], schema)
    assert list(first) == [
        "id",
        "row",
        "question",
        "entities",
        "template",
        "answer",
        "error",
        "run",
    ]
    assert (first["id"], first["question"], first["error"]) == (1, QUESTION, None)
    assert first["answer"]["answer"]["name"] == "ABL1"
    assert (second["answer"], second["error"]["kind"]) == (None, "UnresolvedEntityError")
    assert "zorbalixinib" in second["error"]["message"]
    assert third["answer"]["answer"]["abstained"] is True
    assert result.return_value == 4
    (summary,) = result.stderr.splitlines()
    assert summary.startswith("3 of 3 questions in ")
    assert summary.endswith(
        "s, 1 answered, 1 without evidence, 1 not answerable (errors: UnresolvedEntityError 1)"
    )


def test_brief_keeps_the_answer_and_the_sources_of_the_keys_it_cites() -> None:
    (line,) = told(run("-", *REPLAY, "--brief", stdin=rows(QUESTION)))
    answer = line["answer"]
    assert list(answer) == ["name", "curie", "text", "items", "completeness", "abstained", "keys"]
    assert (answer["name"], answer["curie"], answer["abstained"]) == ("ABL1", "NCBIGene:25", False)
    assert answer["keys"]["E1"] == {"sources": ["infores:drugmechdb"], "publications": []}
    assert all(f"[{key}]" in answer["text"] for key in answer["keys"])


def test_a_table_with_pins_of_its_own_and_one_bad_row(tmp_path: Path) -> None:
    table = tmp_path / "q.csv"
    table.write_text(
        "id,question,entities\n"
        "a,what are the targets of STI571?,STI571=CHEBI:45783\n"
        'b,,\nc,"What links PCSK9 and hypercholesterolemia?",\n'
    )
    result = run(str(table), *REPLAY, "--ordered")
    first, second, third = told(result)
    assert first["entities"] == {"STI571": "CHEBI:45783"}
    assert (second["id"], second["error"]["message"]) == ("b", "row 3 has no question")
    assert third["answer"]["answer"]["items"] == ["alirocumab", "Evolocumab"]
    assert result.return_value in (2, 3)


def test_entity_and_template_options_are_for_every_row() -> None:
    result = run("-", *REPLAY, "--template", "no_such_template", stdin=rows(QUESTION))
    (line,) = told(result)
    assert line["template"] == "no_such_template"
    assert "no_such_template" in line["error"]["message"]
    pinned = run("-", *REPLAY, "--entity", "imatinib=CHEBI:45783", stdin=rows(QUESTION))
    assert told(pinned)[0]["entities"] == {"imatinib": "CHEBI:45783"}


def test_what_a_replay_does_not_hold_fails_alone_and_is_exit_3() -> None:
    result = run("-", *REPLAY, "--ordered", stdin=rows("what causes gout?", QUESTION))
    first, second = told(result)
    assert first["error"]["kind"] == "OfflineError"
    assert second["error"] is None
    assert result.return_value == 3


def test_a_service_that_is_down_is_asked_again_on_resuming(
    federation: Federation, tmp_path: Path
) -> None:
    out, file = tmp_path / "o.jsonl", questions(tmp_path / "q.jsonl", 3)
    live = [str(file), "--out", str(out), "--no-cache", *flags(federation), "--concurrency", "1"]
    federation.fault("nameres", "500", times=None)
    try:
        down = run(*live)
    finally:
        federation.heal()
    assert down.return_value == 3
    assert {line["error"]["kind"] for line in lines(out)} == {"UnavailableError"}
    healed = run(*live, "--resume")
    assert (healed.return_value, healed.stdout) == (0, "")
    assert ids(out) == ["q1", "q2", "q3"]
    assert all(line["answer"]["answer"]["name"] == "ABL1" for line in lines(out))


def test_the_summary_is_json_on_stdout_where_the_lines_go_elsewhere(tmp_path: Path) -> None:
    out = str(tmp_path / "o.jsonl")
    file = str(questions(tmp_path / "q.jsonl", 2))
    result = run(file, "--out", out, "--json", *REPLAY)
    summary = json.loads(result.stdout)
    assert (summary["questions"], summary["answered"], summary["exit_code"]) == (2, 2, 0)
    again = json.loads(run(file, "--out", out, "--json", "--resume", *REPLAY).stdout)
    assert (again["done"], again["done_earlier"]) == (2, 2)


@pytest.mark.parametrize("more", [["--brief"], []])
def test_a_cache_that_cannot_be_used_is_told_once(
    federation: Federation, tmp_path: Path, more: list[str]
) -> None:
    gone = f"redis://127.0.0.1:{free_port()}/0"
    file = str(questions(tmp_path / "q.jsonl", 3))
    live = [file, "--cache", gone, "--no-log", *more, *flags(federation)]
    words = f"going on without the shared cache and pace of {gone}"
    result = run(*live)
    assert result.stderr.count(words) == 1
    assert result.stderr.splitlines()[-1].startswith("3 of 3 questions")
    summary = json.loads(run(*live, "--out", str(tmp_path / "o"), "--json").stdout)
    (note,) = summary["notes"]
    assert note.startswith(words)


def test_each_line_names_the_run_that_is_kept(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("FEDRAG_LOG_DIR", str(tmp_path))
    asked = told(run("-", "--replay", "demo", "--ordered", stdin=rows(QUESTION, UNKNOWN)))
    for line in asked:
        shown = CliRunner().invoke(
            cli, ["runs", "show", line["run"], "--json"], standalone_mode=False
        )
        assert line["question"] in shown.stdout
    assert [line["run"] for line in told(run("-", *REPLAY, stdin=rows(QUESTION)))] == [None]


def test_no_progress_without_a_terminal_and_bars_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "[" not in run("-", *REPLAY, stdin=rows(QUESTION)).stderr
    monkeypatch.setattr("fedrag.cli.batch.progress_line", lambda line: bars.append(line))
    bars: list[str] = []
    run("-", *REPLAY, stdin=rows(QUESTION, QUESTION))
    assert [bar.split(",")[0] for bar in bars] == [
        f"[{'.' * 30}] 0/2 questions",
        f"[{'#' * 15}{'.' * 15}] 1/2 questions",
        f"[{'#' * 30}] 2/2 questions",
    ]


def test_a_batch_that_was_recorded_replays_to_the_same_lines(
    federation: Federation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.batch.run._SAVED", 0.0)
    tape = str(tmp_path / "tape.json")
    live = [*flags(federation), "--ordered", "--brief", "--no-log"]
    texts = rows(QUESTION, UNKNOWN, UNCONNECTED)
    recorded = run("-", *live, "--no-cache", "--record", tape, stdin=texts)
    replayed = run("-", *live, "--replay", tape, stdin=texts)
    assert (recorded.return_value, replayed.return_value) == (4, 4)
    assert told(replayed) == told(recorded)


# --- what cannot be done is told before anything is asked -----------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-", "--resume"], "--resume goes on with a file"),
        (["-", "--dask", "tcp://127.0.0.1:1", "--record", "c.json"], "--record keeps the calls"),
        (["-", "--dask", "http://scheduler/"], "is no address of a Dask scheduler"),
        (["/nowhere/q.jsonl"], "/nowhere/q.jsonl cannot be read: No such file or directory"),
        (["-", "--concurrency", "0"], "0 is not in the range"),
    ],
)
def test_wrong_options_are_one_message(arguments: list[str], words: str) -> None:
    result = run(*arguments, *REPLAY, stdin=rows(QUESTION))
    assert words in str(getattr(result.exception, "message", result.exception))
    assert result.stdout == ""


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("-", *REPLAY, "--dask", "tcp://127.0.0.1:1", stdin=rows(QUESTION))
    assert isinstance(result.exception, ConfigError)
    assert result.exception.hint == "pip install 'fedrag-bio[dask]'"
    assert "0 of 1 questions" not in result.stderr


def test_the_questions_are_not_written_over(tmp_path: Path) -> None:
    file = questions(tmp_path / "q.jsonl", 1)
    before = file.read_bytes()
    for more in ([], ["--resume"]):
        result = run(str(file), "--out", str(file), *more, *REPLAY)
        assert "is the file of questions itself" in str(result.exception)
    out = tmp_path / "o.jsonl"
    out.write_text("mine\n")
    assert isinstance(run(str(file), "--out", str(out), *REPLAY).exception, ConfigError)
    assert (file.read_bytes(), out.read_text()) == (before, "mine\n")


# --- processes that are killed, interrupted, or not read ------------------------------------------


def _wait_for_lines(path: Path, number: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().count(b"\n") >= number:
            return
        time.sleep(0.02)
    raise AssertionError(f"no {number} lines came")


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_and_each_question_has_one_line(
    federation: Federation, tmp_path: Path, ending: signal.Signals
) -> None:
    out, file = tmp_path / "o.jsonl", questions(tmp_path / "q.jsonl", 8)
    live = [str(file), "--out", str(out), "--no-cache", "--no-log", *flags(federation)]
    federation.delay(0.2, "bte")
    try:
        with subprocess.Popen(
            command(*live, "--concurrency", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            _wait_for_lines(out, 2)
            process.send_signal(ending)
            _, words = process.communicate(timeout=60)
    finally:
        federation.delay(0.0)
    assert process.returncode == (-9 if ending == signal.SIGKILL else 130), words
    assert b"Traceback" not in words
    before = lines(out)
    assert 2 <= len(before) < 8
    with out.open("ab") as file_of_lines:
        file_of_lines.write(b'{"id":"q8","row":8,"quest')  # as a kill in mid-write leaves it
    federation.calls.clear()
    result = run(*live, "--resume", "--ordered")
    assert result.return_value == 0, result.stderr
    assert ids(out) == [f"q{i}" for i in range(1, 9)]
    # Equal calls at one time are made once, so there may be fewer than questions.
    assert 1 <= len(federation.calls_of("bte", "/query")) <= 8 - len(before)
    assert f"{len(before)} of them done earlier" in result.stderr
    assert all(line in lines(out) for line in before)


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    file = questions(tmp_path / "q.jsonl", 9)
    read, write = os.pipe()
    with subprocess.Popen(
        command(str(file), *REPLAY), stdout=write, stderr=subprocess.PIPE
    ) as process:
        os.close(write)
        assert os.read(read, 10).startswith(b'{"id":"q')
        os.close(read)
        _, words = process.communicate(timeout=60)
    assert process.returncode == 0, words
    assert len(words.splitlines()) == 1
    assert b"Traceback" not in words


def test_a_full_disk_is_told_and_the_lines_before_it_are_whole(tmp_path: Path) -> None:
    file, out = questions(tmp_path / "q.jsonl", 5), tmp_path / "o.jsonl"
    limited = ["bash", "-c", 'ulimit -f 64; exec "$@"', "-", *command(str(file), *REPLAY)]
    done = subprocess.run(
        [*limited, "--out", str(out)], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2, done.stderr
    assert b"File too large" in done.stderr
    assert b"Traceback" not in done.stderr
    whole = out.read_bytes().rpartition(b"\n")[0].splitlines()
    assert 1 <= len(whole) < 5
    assert run(str(file), "--out", str(out), "--resume", *REPLAY).return_value == 0
    assert sorted(ids(out)) == sorted(f"q{i}" for i in range(1, 6))
