"""A session keeps each run it asked, failures too, and never lets the log stand in the way."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from federated import ask

import fedrag
from fedrag.config import LLMConfig
from fedrag.errors import EntityError, FedragError, OfflineError, PlanError, ServiceError
from fedrag.resources import cassettes_dir
from fedrag.runs import RunLog
from fedrag.session import Session
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


def test_an_answer_knows_its_run_and_the_run_its_answer(log: RunLog) -> None:
    answer = fedrag.ask(QUESTION, replay="demo", top_k=5)
    record = log.get(answer.run)
    assert record.restored() == answer
    assert record.outcome == "answered"
    assert record.settings["top_k"] == 5
    assert record.seconds >= answer.timings["total_seconds"]
    assert "run" not in answer.to_dict()


def test_a_replay_names_its_cassette_by_hash(log: RunLog) -> None:
    fedrag.ask(QUESTION, replay="demo")
    cassette = log.get().cassette
    demo = cassettes_dir() / "demo.json"
    assert cassette == {
        "name": "demo",
        "path": str(demo.resolve()),
        "sha256": hashlib.sha256(demo.read_bytes()).hexdigest(),
        "how": "replayed",
    }


def test_a_folder_of_cassettes_has_one_hash(log: RunLog, tmp_path: Path) -> None:
    folder = tmp_path / "tapes"
    folder.mkdir()
    content = (cassettes_dir() / "demo.json").read_bytes()
    (folder / "a.json").write_bytes(content)
    fedrag.ask(QUESTION, replay=folder)
    cassette = log.get().cassette
    assert cassette is not None
    expected = hashlib.sha256(hashlib.sha256(content).digest()).hexdigest()
    assert (cassette["name"], cassette["sha256"]) == ("tapes", expected)


def test_a_recording_names_the_cassette_that_was_written(
    federation: Federation, log: RunLog, tmp_path: Path
) -> None:
    path = tmp_path / "my.json"
    answer = ask(federation, record=path)
    record = log.get(answer.run)
    assert record.cassette is not None
    assert record.cassette["how"] == "recorded"
    assert record.cassette["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert record.restored() == answer


def test_pins_and_template_are_kept(federation: Federation, log: RunLog) -> None:
    pins = {"hypertension": "MESH:D006973"}
    ask(federation, pins=pins, template="gene-by-drug-and-disease")
    record = log.get()
    assert (record.pins, record.template) == (pins, "gene-by-drug-and-disease")
    assert set(record.settings["services"]) == set(federation.service_configs())


def test_an_entity_that_is_not_found_is_a_run_too(log: RunLog) -> None:
    with pytest.raises(EntityError) as raised:
        fedrag.ask(UNKNOWN, replay="demo")
    record = log.get(raised.value.run)
    assert record.outcome == "failed"
    assert record.mode == "replay"
    assert record.answer is None
    assert record.error is not None
    assert record.error["kind"] == "UnresolvedEntityError"
    assert record.error["message"] == raised.value.message
    assert record.error["exit_code"] == 5
    assert record.timings["entities_seconds"] > 0


def test_a_miss_of_the_cassette_is_kept(log: RunLog) -> None:
    with pytest.raises(OfflineError):
        fedrag.ask("what are the targets of aspirin?", replay="demo")
    summary = log.list()[0]
    assert (summary.outcome, summary.error, summary.cassette) == ("failed", "OfflineError", "demo")


def test_with_strict_the_refused_answer_is_kept_and_knows_its_run(
    federation: Federation, log: RunLog
) -> None:
    federation.fault("kp1", "500", path="/query")
    try:
        with pytest.raises(ServiceError, match="partial") as raised:
            ask(federation, strict=True)
    finally:
        federation.heal()
    record = log.get()
    assert record.outcome == "failed"
    assert record.completeness == "partial"
    answer = raised.value.answer
    assert answer is not None
    assert answer.run == record.id
    assert record.restored() == answer


def test_an_error_nobody_foresaw_is_kept(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **options: Any) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("fedrag.pipeline.rank", broken)
    with pytest.raises(ZeroDivisionError):
        fedrag.ask(QUESTION, replay="demo")
    assert log.list()[0].error == "ZeroDivisionError"


def test_what_is_no_question_is_no_run(log: RunLog) -> None:
    with pytest.raises(FedragError, match="empty"):
        fedrag.ask("  ", replay="demo")
    assert len(log) == 0


def test_nothing_is_kept_when_told_so(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fedrag.ask(QUESTION, replay="demo", log=False).run == ""
    monkeypatch.setenv("FEDRAG_LOG", "0")
    assert fedrag.ask(QUESTION, replay="demo").run == ""
    with pytest.raises(EntityError) as raised:
        fedrag.ask(UNKNOWN, replay="demo")
    assert raised.value.run == ""
    assert not log.folder.exists()


def test_a_benchmark_keeps_no_runs(log: RunLog) -> None:
    async def stages() -> None:
        async with Session(replay="demo") as session:
            await session.run(QUESTION).answer()

    asyncio.run(stages())
    assert not log.folder.exists()


@pytest.mark.parametrize("where", ["file/runs", "file"])
def test_a_folder_that_cannot_be_written_costs_one_note(
    tmp_path: Path, where: str, federation: Federation
) -> None:
    (tmp_path / "file").touch()
    answer = fedrag.ask(QUESTION, replay="demo", log_dir=tmp_path / where)
    assert answer.name == "ABL1"
    assert answer.run == ""
    told = [note for note in answer.notes if "not kept" in note]
    assert len(told) == 1
    assert str(tmp_path / "file") in told[0]
    with pytest.raises(EntityError, match="zorbalixinib"):  # not the log's error
        fedrag.ask(UNKNOWN, replay="demo", log_dir=tmp_path / where)


def test_no_home_costs_one_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("FEDRAG_LOG_DIR")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    answer = fedrag.ask(QUESTION, replay="demo")
    assert [note for note in answer.notes if "home directory" in note]


def test_no_secret_reaches_the_log(
    federation: Federation, log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", "hunter22-oncokb")
    llm = LLMConfig("loopback-1", federation.base_urls["llm"], key="hunter22-llm", timeout=5.0)
    ask(federation, llm=llm, email="hunter22@example.org")
    record = log.get()
    assert record.settings["llm"]["model"] == "loopback-1"
    assert "hunter22" not in str(record.to_dict())
    assert b"hunter22" not in record.body


def test_runs_are_written_beside_the_event_loop(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    add = RunLog.add

    def noted(self: RunLog, record: Any) -> str:
        threads.append(threading.current_thread().name)
        return add(self, record)

    monkeypatch.setattr(RunLog, "add", noted)
    loops: list[str] = []

    async def asked() -> None:
        loops.append(threading.current_thread().name)
        async with Session(replay="demo") as session:
            answers = await asyncio.gather(*(session.ask(QUESTION) for _ in range(5)))
        assert len({answer.run for answer in answers}) == 5

    asyncio.run(asked())
    assert len(threads) == 5
    assert not set(threads) & set(loops)
    assert len(log) == 5


def test_a_narrowed_session_keeps_what_it_asked_with(log: RunLog) -> None:
    async def asked() -> str:
        async with Session(replay="demo") as session:
            answer = await session.narrowed(only=["bte"]).ask(QUESTION)
        return answer.run

    record = log.get(asyncio.run(asked()))
    assert record.settings["only"] == ["bte"]


def test_a_session_of_many_questions_prunes_its_log(log: RunLog) -> None:
    async def asked() -> None:
        async with Session(replay="demo", log_keep=2) as session:
            for _ in range(5):
                await session.ask(QUESTION)

    asyncio.run(asked())
    assert len(log) == 2


def test_a_question_that_no_service_can_be_asked_is_kept(
    federation: Federation, log: RunLog
) -> None:
    with pytest.raises(PlanError):
        ask(federation, only=("hpo",))
    assert log.get().error is not None
    assert log.list()[0].error == "PlanError"
