"""The folder of runs: what is written is found again, by any number of processes, and bounded."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zstandard

import fedrag
from fedrag.datamodel import Answer
from fedrag.errors import RunError
from fedrag.runs import RunLog, RunRecord
from fedrag.runs import files as run_files
from fedrag.runs.record import with_answer

START = datetime(2026, 11, 30, 9, 1, 2, tzinfo=UTC)
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from fedrag.runs import RunLog, RunRecord
log = RunLog(Path(sys.argv[1]), keep=1_000)
for number in range(50):
    log.add(RunRecord(f"{sys.argv[2]}-{number}", "2026-11-30T09:01:02.123456+00:00", 0.1))
"""


@pytest.fixture(scope="module")
def answer() -> Answer:
    return fedrag.ask("what are the targets of imatinib?", replay="demo", log=False)


@pytest.fixture
def log(tmp_path: Path) -> RunLog:
    return RunLog(tmp_path / "state" / "runs", keep=1_000)


def record(number: int = 0, question: str = "why?") -> RunRecord:
    started = START + timedelta(seconds=number)
    return RunRecord(question, started.isoformat(), 0.5)


def with_body(answer: Answer, number: int = 0) -> RunRecord:
    return replace(record(number, answer.question), **with_answer(answer))


def test_identifiers_sort_by_the_time_asked_and_say_it(log: RunLog) -> None:
    later, earlier = log.add(record(61)), log.add(record(0))
    assert earlier.startswith("20261130T090102-000")
    assert later.startswith("20261130T090203-000")
    assert [summary.id for summary in log.list()] == [later, earlier]
    assert log.get("last").id == later


def test_two_runs_of_one_second_are_listed_in_the_order_they_were_asked(log: RunLog) -> None:
    moments = [START + timedelta(milliseconds=ms) for ms in range(0, 1000, 100)]
    runs = [log.add(RunRecord("q", moment.isoformat(), 0.1)) for moment in moments]
    assert [summary.id for summary in log.list()] == runs[::-1]


def test_a_time_of_another_zone_is_told_in_utc(log: RunLog) -> None:
    assert log.add(RunRecord("q", "2026-11-30T11:01:02+02:00", 0.1))[:15] == "20261130T090102"


def test_many_processes_write_one_folder_and_nothing_is_lost(log: RunLog) -> None:
    command = [sys.executable, "-c", WRITER, str(log.folder)]
    writers = [subprocess.Popen([*command, str(number)]) for number in range(4)]
    assert [writer.wait() for writer in writers] == [0, 0, 0, 0]
    summaries = log.list(None)
    asked = {f"{writer}-{number}" for writer in range(4) for number in range(50)}
    assert {summary.question for summary in summaries} == asked
    assert len({summary.id for summary in summaries}) == 200
    assert {path.suffix for path in log.folder.iterdir()} == {".zst"}  # nothing half done


def test_a_killed_process_leaves_no_half_run(log: RunLog) -> None:
    endless = WRITER.replace("range(50)", "range(100_000)").replace("1_000", "200_000")
    writer = subprocess.Popen([sys.executable, "-c", endless, str(log.folder), "x"])
    deadline = time.monotonic() + 60
    while len(log) < 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    writer.kill()
    writer.wait()
    found = log.list(None)
    assert len(found) >= 20
    assert log.unreadable == ()
    assert all(log.get(summary.id).question.startswith("x-") for summary in found[:20])
    assert log.get(log.add(record(1))).question == "why?"


def test_a_full_disk_leaves_nothing_behind(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*lines: bytes) -> bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run_files, "_packed", full)
    with pytest.raises(OSError, match="No space left"):
        log.add(record())
    assert list(log.folder.iterdir()) == []
    answer = fedrag.ask("what are the targets of imatinib?", replay="demo", log_dir=log.folder)
    assert answer.name == "ABL1"
    assert [note for note in answer.notes if "No space left" in note]


def test_a_run_that_is_pruned_while_it_is_listed_is_not_called_unreadable(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = log.add(record())
    listed = ["20261130T090100-000aaa", kept]
    monkeypatch.setattr("fedrag.runs.log.run_ids", lambda folder: listed)
    assert [summary.id for summary in log.list()] == [kept]
    assert log.unreadable == ()


def test_an_identifier_that_is_taken_is_not_given_again(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = iter(["20261130T090102-000aaa", "20261130T090102-000aaa", "20261130T090102-000bbb"])
    monkeypatch.setattr(run_files, "new_id", lambda started: next(ids))
    assert log.add(record(question="first")).endswith("aaa")
    assert log.add(record(question="second")).endswith("bbb")
    assert log.get("20261130T090102-000aaa").question == "first"


def test_only_the_user_can_read_what_was_asked(log: RunLog) -> None:
    run = log.add(record())
    assert log.folder.stat().st_mode & 0o777 == 0o700
    assert run_files.run_path(log.folder, run).stat().st_mode & 0o777 == 0o600


def test_a_run_is_found_by_its_beginning(log: RunLog) -> None:
    first, second = log.add(record(0)), log.add(record(61))
    assert log.get(first[:13]).id == first
    with pytest.raises(RunError, match=r"2 runs begin with '20261130': .*, ") as told:
        log.get("20261130")
    assert first in told.value.message
    assert second in told.value.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("2019", "no run begins with '2019'"),
        ("../../etc/passwd", "no run begins with"),
        ("20261130T090102-ffffff", "there is no run 20261130T090102-ffffff"),
        ("", "2 runs begin with ''"),
    ],
)
def test_a_name_that_fits_no_run_says_so(log: RunLog, name: str, message: str) -> None:
    log.add(record(0))
    log.add(record(1))
    with pytest.raises(RunError, match=message):
        log.get(name)


def test_an_empty_log_has_no_last_run(log: RunLog) -> None:
    with pytest.raises(RunError, match="there are no runs"):
        log.get("last")
    assert log.list() == ()
    assert log.clear() == 0
    assert log.find_edge("963a50e72eb35f70") is None


def test_the_oldest_runs_go_and_the_newest_stay(tmp_path: Path) -> None:
    log = RunLog(tmp_path, keep=3)
    runs = [log.add(record(number)) for number in range(8)]
    assert [summary.id for summary in log.list(None)] == runs[:4:-1]


def test_each_process_of_one_run_keeps_the_log_bounded(tmp_path: Path) -> None:
    for number in range(130):
        RunLog(tmp_path, keep=100).add(record(number))
    assert len(RunLog(tmp_path)) == 100


def test_the_folder_is_not_looked_through_for_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans: list[object] = []
    scandir = os.scandir

    def counted(folder: Path) -> Iterator[os.DirEntry[str]]:
        scans.append(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", counted)
    log = RunLog(tmp_path, keep=100)
    for number in range(300):
        log.add(record(number))
    assert len(scans) <= 2 * 300 / 5
    assert 100 <= len(log) <= 105


def test_what_a_killed_process_left_goes_when_it_is_old(tmp_path: Path) -> None:
    old, young = tmp_path / "20261130T090102-000aaa.writing", tmp_path / "x.writing"
    old.touch()
    young.touch()
    two_hours_ago = time.time() - 7_200
    os.utime(old, (two_hours_ago, two_hours_ago))
    log = RunLog(tmp_path)
    assert log.list() == ()
    log.add(record())
    assert not old.exists()
    assert young.exists()


def test_a_spoiled_run_is_passed_over_and_named(log: RunLog, answer: Answer) -> None:
    good, cut, other = (log.add(with_body(answer, number)) for number in range(3))
    path = run_files.run_path(log.folder, cut)
    path.write_bytes(path.read_bytes()[:40])
    run_files.run_path(log.folder, other).write_bytes(b"not zstd")
    assert [summary.id for summary in log.list()] == [good]
    assert log.unreadable == (other, cut)
    for run in (cut, other):
        with pytest.raises(RunError, match=f"the run {run} cannot be read"):
            log.get(run)
    found = log.find_edge(answer.edges[0].id)
    assert found is not None
    assert found[0].id == good


def test_a_run_cut_in_its_answer_is_listed_and_not_shown(log: RunLog, answer: Answer) -> None:
    run = log.add(with_body(answer))
    path = run_files.run_path(log.folder, run)
    path.write_bytes(path.read_bytes()[:-200])
    assert [summary.id for summary in log.list()] == [run]
    with pytest.raises(RunError, match="cannot be read"):
        log.get(run)


@pytest.mark.parametrize("line", [b"[]\n", b"{}\n", b'{"question": 1}\n', b"{\n", b"7\n"])
def test_json_that_is_no_run_is_refused(log: RunLog, line: bytes) -> None:
    run = log.add(record())
    packed = zstandard.ZstdCompressor().compress(line)
    run_files.run_path(log.folder, run).write_bytes(packed + packed)
    with pytest.raises(RunError, match="cannot be read"):
        log.get(run)


def test_a_planted_file_does_not_fill_the_memory(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = log.add(record())
    monkeypatch.setattr(run_files, "_LARGEST", 1_000)
    packed = zstandard.ZstdCompressor().compress(b" " * 2_000)
    run_files.run_path(log.folder, run).write_bytes(packed)
    with pytest.raises(RunError, match="larger than 1,000 bytes"):
        log.get(run)


def test_a_list_does_not_read_the_answers(log: RunLog, answer: Answer) -> None:
    run = log.add(with_body(answer))
    path = run_files.run_path(log.folder, run)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])  # the head lies before
    summary = log.list()[0]
    assert (summary.answer, summary.outcome, summary.edges) == ("ABL1", "answered", 4)


def test_an_edge_is_found_in_the_newest_run_that_has_it(log: RunLog, answer: Answer) -> None:
    log.add(with_body(answer, 0))
    newest = log.add(with_body(answer, 1))
    log.add(record(2))
    edge = answer.edges[-1]
    found = log.find_edge(edge.id)
    assert found is not None
    assert (found[0].id, found[1]["id"]) == (newest, edge.id)
    assert log.find_edge("no such edge") is None
    assert log.find_edge(edge.id, limit=1) is None


def test_a_run_is_amended_in_one_step_and_keeps_its_answer(log: RunLog, answer: Answer) -> None:
    run = log.add(with_body(answer))
    log.amend(run, cassette={"name": "c", "path": "c.json", "sha256": "0" * 64, "how": "recorded"})
    amended = log.get(run)
    assert amended.cassette is not None
    assert amended.cassette["how"] == "recorded"
    assert amended.restored() == answer
    assert len(list(log.folder.iterdir())) == 1


def test_clearing_keeps_the_newest_when_told(log: RunLog) -> None:
    runs = [log.add(record(number)) for number in range(5)]
    (log.folder / "notes.txt").write_text("the user's own")
    assert log.clear(keep=2) == 3
    assert [summary.id for summary in log.list()] == runs[:2:-1]
    assert log.clear() == 2
    assert [path.name for path in log.folder.iterdir()] == ["notes.txt"]


def test_clearing_goes_on_past_what_cannot_be_removed_and_names_it(log: RunLog) -> None:
    runs = [log.add(record(number)) for number in range(3)]
    _block(log.folder, runs[1])
    assert log.clear() == 2
    assert list(log.left) == [runs[1]]
    assert log.left[runs[1]]
    (log.folder / f"{runs[1]}.jsonl.zst").rmdir()
    assert (log.clear(), log.left) == (0, {})


def _block(folder: Path, run: str) -> None:
    """Put a folder where a run's file is: nobody, not even root, can unlink that."""
    (folder / f"{run}.jsonl.zst").unlink()
    (folder / f"{run}.jsonl.zst").mkdir()


def test_a_folder_that_cannot_be_made_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        RunLog(tmp_path / "file" / "runs").add(record())
