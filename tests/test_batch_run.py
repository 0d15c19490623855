"""Running a batch: bounds, order, and a file that survives whatever ends the run."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import orjson
import pytest
from batch_support import ANSWER, Asker, down, ids, lines, some

from fedrag.batch import BadRow, FileOutput, Row, RowError, StreamOutput, Tally, run_rows
from fedrag.batch.lines import bad_line, error_line, line_of
from fedrag.batch.run import asked_here
from fedrag.errors import (
    AmbiguousEntityError,
    CassetteError,
    ConfigError,
    OfflineError,
    PlanError,
    ServiceTimeoutError,
)
from fedrag.session import Session


def output(path: Path, rows: Sequence[Row | BadRow], **options: Any) -> FileOutput:
    return FileOutput(path, rows, **{"resume": True, "short": True, **options})


async def run(
    path: Path, rows: Sequence[Row | BadRow], ask: Asker, *, ordered: bool = False, **options: Any
) -> Tally:
    out = output(path, rows)
    try:
        await run_rows(rows, ask, out, ordered=ordered, **options)
    finally:
        out.close(ordered=ordered)
    return out.tally


async def test_a_recording_that_cannot_be_saved_costs_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Recording:
        store_notes = ()
        recording = True

        def save_recording(self) -> None:
            raise CassetteError("the disk is full")

    async def line(_: Any, row: Row, *, short: bool) -> bytes:
        return orjson.dumps({"id": row.id, "row": row.number, "error": None})

    told: list[str] = []
    monkeypatch.setattr("fedrag.batch.run._SAVED", -1.0)
    monkeypatch.setattr("fedrag.batch.run.answer_line", line)
    ask = cast(Asker, asked_here(cast(Session, Recording()), note=told.append))
    await run(tmp_path / "o", some(3), ask)
    assert sorted(ids(tmp_path / "o")) == ["q1", "q2", "q3"]
    assert set(told) == {"the disk is full"}


# --- so many at a time, and in order --------------------------------------------------------------


@pytest.mark.parametrize("bound", [1, 3])
async def test_no_more_are_asked_at_a_time_than_was_said(tmp_path: Path, bound: int) -> None:
    ask = Asker()
    await run(tmp_path / "o", some(12), ask, concurrency=bound)
    assert ask.most == bound
    assert sorted(ids(tmp_path / "o")) == sorted(row.id for row in some(12))


async def test_lines_come_as_they_are_done_or_in_the_order_of_the_rows(tmp_path: Path) -> None:
    slow_first = {"q1": 50}
    await run(tmp_path / "as_done", some(4), Asker(slow_first))
    assert ids(tmp_path / "as_done") == ["q2", "q3", "q4", "q1"]
    await run(tmp_path / "ordered", some(4), Asker(slow_first), ordered=True)
    assert ids(tmp_path / "ordered") == ["q1", "q2", "q3", "q4"]


async def test_in_order_only_so_many_lines_wait_in_memory(tmp_path: Path) -> None:
    ask = Asker({"q1": 5_000})
    task = asyncio.create_task(run(tmp_path / "o", some(500), ask, ordered=True, concurrency=2))
    for _ in range(1_000):
        await asyncio.sleep(0)
    assert len(ask.asked) == 33  # 32 done and waiting, and the slow one
    await task
    assert ids(tmp_path / "o") == [row.id for row in some(500)]


async def test_the_tally_is_told_after_each_line() -> None:
    stream, told = io.BytesIO(), []
    out = StreamOutput(stream, some(3))
    ask = Asker(fails={"q2": down()})
    await run_rows(some(3), ask, out, progress=lambda tally: told.append(tally.done))
    assert told == [1, 2, 3]
    assert out.tally.verdicts == {"answered": 2, "failed": 1}
    assert stream.getvalue().count(b"\n") == 3


# --- what ends a run early ------------------------------------------------------------------------


async def test_what_was_answered_is_written_when_something_ends_the_run(tmp_path: Path) -> None:
    ask = Asker({"q1": 1_000, "q3": 30}, fails={"q3": RuntimeError("the cluster is gone")})
    with pytest.raises(RuntimeError, match="the cluster is gone"):
        await run(tmp_path / "o", some(9), ask, ordered=True, concurrency=3)
    assert "q1" not in ids(tmp_path / "o")
    assert ids(tmp_path / "o")[0] == "q2"
    assert ids(tmp_path / "o") == sorted(set(ids(tmp_path / "o")))


async def test_an_interrupted_run_goes_on_and_ends_in_order(tmp_path: Path) -> None:
    ask, path = Asker({"q1": 10**9}), tmp_path / "o"
    task = asyncio.create_task(run(path, some(9), ask, ordered=True, concurrency=2))
    for _ in range(100):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ids(path) == [f"q{i}" for i in range(2, 10)]
    again = Asker()
    tally = await run(path, some(9), again, ordered=True)
    assert (again.asked, tally.earlier) == (["q1"], 8)
    assert ids(path) == [f"q{i}" for i in range(1, 10)]


class _Full(StreamOutput):
    """A disk that is full from the third line on."""

    tries = 0

    def write(self, line: bytes, row: int) -> None:
        self.tries += 1
        if self.tries >= 3:
            raise OSError(28, "No space left on device")
        super().write(line, row)


async def test_a_full_disk_ends_the_run_and_no_line_is_tried_twice() -> None:
    out = _Full(io.BytesIO(), some(9))
    with pytest.raises(OSError, match="No space left"):
        await run_rows(some(9), Asker(), out)
    assert out.tries == 3
    assert out.tally.done == 2


# --- going on with a file -------------------------------------------------------------------------


def write(path: Path, written: Iterable[bytes], end: bytes = b"") -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in written) + end)
    return path


async def test_a_half_written_last_line_is_cut_and_its_question_asked_again(
    tmp_path: Path,
) -> None:
    rows = some(3)
    whole = line_of(rows[1], answer=ANSWER)
    for length in (1, 7, len(whole) - 1, len(whole)):  # the last lacks its end alone
        path = write(tmp_path / "o", [line_of(rows[0], answer=ANSWER)], whole[:length])
        ask = Asker()
        await run(path, rows, ask)
        assert ask.asked == ["q2", "q3"]
        assert ids(path) == ["q1", "q2", "q3"]
        path.unlink()


async def test_zeros_after_a_power_cut_are_cut(tmp_path: Path) -> None:
    path = write(tmp_path / "o", [line_of(some(1)[0], answer=ANSWER)], b"\0" * 300)
    await run(path, some(2), Asker())
    assert ids(path) == ["q1", "q2"]


_AGAIN = (
    down(),
    ServiceTimeoutError("late", service="bte"),
    OfflineError("not in the cassette"),
    RuntimeError("a bug"),
)
_FINAL = (PlanError("nothing fits"), AmbiguousEntityError("two fit", mention="it"))


@pytest.mark.parametrize("error", _AGAIN, ids=lambda error: type(error).__name__)
async def test_what_failed_for_want_of_time_or_connection_is_asked_again_and_has_one_line(
    tmp_path: Path, error: Exception
) -> None:
    rows = some(3)
    written = [line_of(rows[0], answer=ANSWER), error_line(rows[1], error)]
    path, ask = write(tmp_path / "o", written), Asker()
    tally = await run(path, rows, ask)
    assert ask.asked == ["q2", "q3"]
    assert ids(path) == ["q1", "q2", "q3"]
    assert (tally.exit_code, tally.earlier, tally.kinds) == (0, 1, {})


@pytest.mark.parametrize("error", _FINAL, ids=lambda error: type(error).__name__)
async def test_what_the_question_is_the_cause_of_is_not_asked_again(
    tmp_path: Path, error: Exception
) -> None:
    path, ask = write(tmp_path / "o", [error_line(some(1)[0], error)]), Asker()
    tally = await run(path, some(2), ask)
    assert ask.asked == ["q2"]
    assert (tally.exit_code, tally.kinds) == (4, {type(error).__name__: 1})


async def test_an_answer_that_no_service_gave_is_asked_again(tmp_path: Path) -> None:
    unknown = {**ANSWER, "abstained": True, "completeness": "unknown"}
    path, ask = write(tmp_path / "o", [line_of(some(1)[0], answer=unknown)]), Asker()
    await run(path, some(1), ask)
    assert ask.asked == ["q1"]
    assert lines(path)[0]["answer"] == ANSWER


async def test_a_mended_row_and_a_changed_pin_are_asked(tmp_path: Path) -> None:
    first: list[Row | BadRow] = [
        Row("a", 1, "?"),
        BadRow("b", 2, RowError("row 2 has no question")),
        Row("c", 3, "?"),
    ]
    path = tmp_path / "o"
    assert (await run(path, first, Asker())).exit_code == 2
    mended = [Row("a", 1, "?", {"it": "X:1"}), Row("b", 2, "whole"), Row("c", 3, "?")]
    ask = Asker()
    assert (await run(path, mended, ask, ordered=True)).exit_code == 0
    assert ask.asked == ["a", "b"]
    assert ids(path) == ["a", "b", "c"]
    assert lines(path)[0]["entities"] == {"it": "X:1"}


@pytest.mark.parametrize("error", [*_AGAIN, *_FINAL], ids=lambda error: type(error).__name__)
async def test_a_question_that_had_an_error_is_asked_as_it_was_mended(
    tmp_path: Path, error: Exception
) -> None:
    rows = some(2)
    written = [error_line(rows[0], error), line_of(rows[1], answer=ANSWER)]
    path, ask = write(tmp_path / "o", written), Asker()
    mended = [Row("q1", 1, "question one, mended"), rows[1]]
    tally = await run(path, mended, ask, ordered=True)
    assert (ask.asked, tally.earlier) == (["q1"], 1)
    assert [line["question"] for line in lines(path)] == ["question one, mended", "question 2"]


async def test_a_bad_row_has_one_line_however_often_it_is_met(tmp_path: Path) -> None:
    rows: list[Row | BadRow] = [*some(1), BadRow("q1", 2, RowError("row 2 has the id of row 1"))]
    for _ in range(3):
        tally = await run(tmp_path / "o", rows, Asker())
    assert [line["row"] for line in lines(tmp_path / "o")] == [1, 2]
    assert (tally.done, tally.earlier, tally.exit_code) == (2, 1, 2)


def test_a_file_of_other_questions_is_left_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "o", [line_of(some(1)[0], answer=ANSWER)], b'{"id":')
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="holds another question of id q1: 'question 1'"):
        output(path, [Row("q1", 1, "something else")])
    with pytest.raises(ConfigError, match="short form"):
        output(path, some(1), short=False)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"my thesis\n", b"my thesis", b'{"id": 1}\n', b"[1]\n", b"\xff\xfe\n"]
)
def test_a_file_that_is_no_output_is_never_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "thesis"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="line 1 was not written by `fedrag batch`"):
        output(path, some(1))
    with pytest.raises(ConfigError, match="already holds something"):
        output(path, some(1), resume=False)
    assert path.read_bytes() == content


def test_lines_of_questions_that_are_not_asked_here_stay_and_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "o", [line_of(row, answer=ANSWER) for row in some(3)])
    out = output(path, some(1))
    out.close()
    assert out.notes == (f"{path}: 2 lines are of no question asked here; they stay",)
    assert (out.tally.done, ids(path)) == (1, ["q1", "q2", "q3"])


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    first = output(tmp_path / "o", some(1))
    with pytest.raises(ConfigError, match="is being written by another"):
        output(tmp_path / "o", some(1))
    first.close()
    output(tmp_path / "o", some(1)).close()


def test_the_file_stays_locked_after_lines_were_taken_out(tmp_path: Path) -> None:
    path = write(tmp_path / "o", [error_line(some(1)[0], down())])
    path.chmod(0o640)
    first = output(path, some(1))
    with pytest.raises(ConfigError, match="is being written by another"):
        output(path, some(1))
    first.close()
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["o"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written: No such file"):
        output(tmp_path / "no" / "o", some(1))
    with pytest.raises(ConfigError, match="cannot be written: Is a directory"):
        output(tmp_path, some(1))


# --- how it came out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ({"answered": 3}, 0),
        ({"answered": 3, "no_evidence": 1}, 4),
        ({"refused": 1}, 4),
        ({"bad_row": 1, "refused": 1}, 2),
        ({"failed": 1, "bad_row": 1, "refused": 1}, 3),
    ],
)
def test_the_exit_code_says_whether_to_ask_again(verdicts: dict[str, int], code: int) -> None:
    tally = Tally(3)
    tally.verdicts.update(verdicts)
    assert tally.exit_code == code


def test_what_a_cache_says_is_kept_once_though_its_reasons_differ() -> None:
    tally = Tally(1)
    for told in ("going on without r://h:1: refused", "going on without r://h:1: late", "other"):
        tally.note(told)
    assert tally.notes == ["going on without r://h:1: refused", "other"]
    assert tally.to_dict(1.0)["notes"] == tally.notes


def test_each_error_counts_as_what_it_is() -> None:
    tally = Tally(3)
    tally.add(orjson.loads(bad_line(BadRow(1, 1, RowError("no question")))))
    tally.add(orjson.loads(error_line(some(1)[0], CassetteError("no cassette"))))
    tally.add(orjson.loads(error_line(some(1)[0], ValueError("a bug"))), earlier=True)
    assert tally.verdicts == {"bad_row": 1, "refused": 1, "failed": 1}
    assert tally.told(1.25) == (
        "3 of 3 questions in 1.2 s, 1 not answerable, 1 in rows that could not be read, 1 failed, "
        "1 of them done earlier (errors: CassetteError 1, RowError 1, ValueError 1)"
    )
