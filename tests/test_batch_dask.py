"""The same batch on a real Dask cluster of processes, with workers and the scheduler killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from batch_support import QUESTION, ids, lines, questions
from click.testing import CliRunner
from federated import flags
from redis_support import free_port, redis_server

from fedrag.batch import Row, Spread, session_from_setup, setup_of
from fedrag.batch.worker import answer_task, task_of
from fedrag.cli.main import cli
from fedrag.config import LLMConfig, Settings
from fedrag.errors import ConfigError, UnavailableError
from fedrag.testing import Federation

# Anything may be slow when a whole cluster starts on two busy cores.
pytestmark = pytest.mark.timeout(300)
PATIENCE = 60.0


class Cluster:
    """``dask scheduler`` and ``dask worker`` processes on free ports of this machine."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--no-show")
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, what: str, *more: str) -> subprocess.Popen[bytes]:
        common = ["--scheduler-file", str(self._file), "--host", "127.0.0.1"]
        common += ["--dashboard-address", "127.0.0.1:0"]
        with (self.folder / f"{what}.log").open("ab") as log:
            command = [sys.executable, "-m", "dask", what, *common, *more]
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)

    def with_workers(self, number: int) -> None:
        """See to it that so many workers are alive."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        where = ("--local-directory", str(self.folder))
        while len(self.workers) < number:
            self.workers.append(self._start("worker", "--nthreads", "1", "--no-nanny", *where))

    @property
    def address(self) -> str:
        """Of the scheduler, once it is there."""
        until = time.monotonic() + 120
        while not (self._file.is_file() and self._file.stat().st_size):
            assert time.monotonic() < until, (self.folder / "scheduler.log").read_text()
            time.sleep(0.05)
        return str(json.loads(self._file.read_bytes())["address"])

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(timeout=30)


class Clusters:
    """One cluster for all tests, another when a test has killed its scheduler."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.all: list[Cluster] = []

    def get(self, workers: int = 2) -> Cluster:
        if not self.all or self.all[-1].scheduler.poll() is not None:
            self.all.append(Cluster(self._folder / str(len(self.all))))
        self.all[-1].with_workers(workers)
        return self.all[-1]


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clusters]:
    started = Clusters(tmp_path_factory.mktemp("dask"))
    try:
        yield started
    finally:
        for cluster in started.all:
            cluster.stop()


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


def command(cluster: Cluster, *arguments: str) -> list[str]:
    return [
        *(sys.executable, "-m", "fedrag", "batch", *arguments),
        *("--dask", cluster.address, "--no-cache", "--no-log"),
    ]


def _wait_for_lines(path: Path, number: int) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().count(b"\n") >= number:
            return
        time.sleep(0.02)
    raise AssertionError(f"no {number} lines came")


def test_a_worker_killed_in_mid_run_costs_no_question_and_doubles_none(
    federation: Federation, clusters: Clusters, tmp_path: Path
) -> None:
    out, file = tmp_path / "o.jsonl", questions(tmp_path / "q.jsonl", 12)
    dask = clusters.get()
    federation.calls.clear()
    federation.delay(0.4, "bte")
    try:
        live = [str(file), "--out", str(out), *flags(federation)]
        with subprocess.Popen(
            command(dask, *live), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            _wait_for_lines(out, 3)
            os.kill(dask.workers[0].pid, signal.SIGKILL)
            printed, words = process.communicate(timeout=200)
        assert dask.workers[1].poll() is None
    finally:
        federation.delay(0.0)
    assert (process.returncode, printed) == (0, b""), words
    assert sorted(ids(out)) == sorted(f"q{i}" for i in range(1, 13))
    assert all(line["answer"]["answer"]["name"] == "ABL1" for line in lines(out))
    summary = [line for line in words.decode().splitlines() if not line.startswith("- ")]
    assert len(summary) == 1, words
    assert summary[0].startswith("12 of 12 questions in ")
    # No more was asked again than what the dead worker had in hand and had not handed over.
    assert 12 <= len(federation.calls_of("bte", "/query")) <= 14


def test_the_lines_are_those_of_one_process_and_come_in_order(
    federation: Federation, clusters: Clusters, tmp_path: Path
) -> None:
    file = tmp_path / "q.csv"
    file.write_text(
        f"id,question,entities\na,{QUESTION},\n"
        f"b,,\nc,What are the targets of zorbalixinib?,\n"
        f"d,what are the targets of STI571?,STI571=CHEBI:45783\n"
    )
    here = [sys.executable, "-m", "fedrag", "batch", str(file), "--no-cache", "--no-log"]
    same = ["--ordered", "--brief", *flags(federation)]
    alone = subprocess.run([*here, *same], capture_output=True, timeout=60, check=False)
    done = subprocess.run(
        command(clusters.get(), str(file), *same), capture_output=True, timeout=200, check=False
    )
    assert done.returncode == alone.returncode, done.stderr
    assert done.stdout == alone.stdout
    assert [orjson.loads(line)["id"] for line in done.stdout.splitlines()] == ["a", "b", "c", "d"]
    assert b"each worker keeps its own pace and cache; --cache redis" in done.stderr


def test_a_scheduler_that_goes_away_ends_the_run_and_the_rest_is_asked_later(
    federation: Federation, clusters: Clusters, tmp_path: Path
) -> None:
    out, file = tmp_path / "o.jsonl", questions(tmp_path / "q.jsonl", 12)
    live = [str(file), "--out", str(out), *flags(federation)]
    dask = clusters.get()
    address = dask.address
    federation.delay(0.4, "bte")
    try:
        with subprocess.Popen(command(dask, *live), stderr=subprocess.PIPE) as process:
            _wait_for_lines(out, 2)
            dask.scheduler.kill()
            _, words = process.communicate(timeout=120)
    finally:
        federation.delay(0.0)
    assert process.returncode == 3, words
    assert f"the Dask scheduler at {address} went away" in words.decode()
    assert b"Traceback" not in words
    done = len(ids(out))
    assert 2 <= done < 12
    here = [sys.executable, "-m", "fedrag", "batch", *live, "--resume", "--no-cache", "--no-log"]
    again = subprocess.run(here, capture_output=True, timeout=120, check=False)
    assert again.returncode == 0, again.stderr
    assert f"{done} of them done earlier" in again.stderr.decode()
    assert sorted(ids(out)) == sorted(f"q{i}" for i in range(1, 13))


def test_workers_share_the_calls_that_one_of_them_made(
    federation: Federation, clusters: Clusters, tmp_path: Path
) -> None:
    texts = (
        QUESTION,
        "What links PCSK9 and hypercholesterolemia?",
        "What are the side effects of imatinib?",
        "How is SLC18A2 connected to tardive dyskinesia?",
    )
    file = tmp_path / "q.jsonl"
    file.write_text("\n".join(json.dumps({"question": text}) for text in texts))
    dask = clusters.get()
    with redis_server(tmp_path) as redis:
        outs = [tmp_path / "first.jsonl", tmp_path / "again.jsonl"]
        calls = []
        for out in outs:
            federation.calls.clear()
            live = [str(file), "--out", str(out), "--ordered", *flags(federation)]
            shared = [*live, "--dask", dask.address, "--cache", redis.url, "--no-log"]
            batch = [sys.executable, "-m", "fedrag", "batch", *shared]
            done = subprocess.run(batch, capture_output=True, timeout=200, check=False)
            assert done.returncode == 4, done.stderr  # of one it knows nothing
            assert b"keeps its own pace" not in done.stderr
            calls.append(len(federation.calls))
        assert redis.keys("fedrag:*")
    first, again = (lines(out) for out in outs)
    assert calls[0] > 0
    assert calls[1] == 0
    assert [line["answer"]["mode"] for line in again] == ["cache"] * 4
    told = [[line["answer"]["answer"] for line in batch] for batch in (first, again)]
    assert told[0] == told[1]


async def test_a_cluster_without_workers_and_no_cluster_are_told(tmp_path: Path) -> None:
    setup = setup_of(Settings(), replay="demo")
    empty = Cluster(tmp_path / "dask")
    try:
        with pytest.raises(UnavailableError, match="has no worker") as told:
            async with Spread(empty.address, setup, patience=PATIENCE / 10):
                pass
        assert told.value.hint == f"start some with `dask worker {empty.address}`"
    finally:
        empty.stop()
    with pytest.raises(UnavailableError, match="does not answer"):
        async with Spread(empty.address, setup, patience=1.0):
            pass


class _Listener:
    """A port on which something listens that is no scheduler."""

    def __init__(self, says: bytes) -> None:
        self._says = says
        self._kept: list[asyncio.StreamWriter] = []

    async def __call__(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._kept.append(writer)
        writer.write(self._says)
        if self._says.endswith(b"!"):
            writer.close()

    async def close(self) -> None:
        for writer in self._kept:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


_HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"


@pytest.mark.parametrize("says", [b"", b"gone!", _HTTP], ids=["silent", "closes", "http"])
async def test_what_is_no_scheduler_is_told_and_never_waited_for_without_end(
    says: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.batch.spread._HELLO", 2.0)
    listener = _Listener(says)
    server = await asyncio.start_server(listener, "127.0.0.1", 0)
    address = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        async with asyncio.timeout(20):
            with pytest.raises(UnavailableError, match=f"{address} is no Dask scheduler"):
                async with Spread(address, b"{}"):
                    pass
    finally:
        await listener.close()
        server.close()


def test_a_batch_over_a_web_server_ends_with_its_error_alone(
    federation: Federation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.batch.spread._HELLO", 2.0)
    url = federation.base_urls["bte"]
    address = "tcp://" + url.removeprefix("http://").partition("/")[0]
    file = str(questions(tmp_path / "q.jsonl", 1))
    asked = ["batch", file, "--replay", "demo", "--no-log", "--dask", address]
    result = CliRunner().invoke(cli, asked, standalone_mode=False)
    assert f"what answers at {address} is no Dask scheduler" in str(result.exception)
    assert (result.stdout, result.stderr) == ("", "")


def test_workers_that_cannot_use_the_cache_tell_it_once(
    federation: Federation, clusters: Clusters, tmp_path: Path
) -> None:
    gone = f"redis://127.0.0.1:{free_port()}/0"
    file = questions(tmp_path / "q.jsonl", 4)
    live = [str(file), "--brief", *flags(federation), "--cache", gone, "--no-log"]
    batch = [sys.executable, "-m", "fedrag", "batch", *live, "--dask", clusters.get().address]
    done = subprocess.run(batch, capture_output=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.decode().count(f"going on without the shared cache and pace of {gone}") == 1
    assert [orjson.loads(line)["answer"]["name"] for line in done.stdout.splitlines()] == (
        ["ABL1"] * 4
    )


async def test_a_worker_that_cannot_build_the_session_ends_the_run(clusters: Clusters) -> None:
    told = orjson.loads(setup_of(Settings(), replay="demo"))
    setup = orjson.dumps({**told, "fedrag_version": "0.0.0"})
    async with Spread(clusters.get().address, setup, patience=PATIENCE) as spread:
        with pytest.raises(ConfigError, match=r"the batch 0\.0\.0") as error:
            await spread.ask(Row("a", 1, QUESTION))
        assert error.value.hint == "install the same version for both"


async def test_a_cluster_that_loses_its_last_worker_ends_the_run(clusters: Clusters) -> None:
    dask = clusters.get()
    setup = setup_of(Settings(log=False), replay="demo")
    # The worker is waited for first: only then is a short patience no matter of luck.
    async with Spread(dask.address, setup, patience=PATIENCE):
        pass
    async with Spread(dask.address, setup, patience=PATIENCE / 10) as spread:
        await spread.ask(Row("a", 1, QUESTION))
        for worker in dask.workers:
            worker.kill()
            worker.wait(timeout=30)
        with pytest.raises(UnavailableError, match="has no worker"):
            await spread.ask(Row("b", 2, QUESTION))


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "http://a:1", "tcp://a:b", "tcp://a:1/x", "/s"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="is no address of a Dask scheduler"):
        Spread(address, b"{}")


# --- what goes to a worker ------------------------------------------------------------------------


def test_a_task_carries_no_secret_and_a_worker_takes_its_own() -> None:
    settings = Settings(
        llm=LLMConfig("qwen", "http://127.0.0.1:8080/v1", key="sk-very-secret", timeout=7.0),
        cache_url="redis://:hunter22@127.0.0.1:6379/0",
        only=("bte",),
        top_k=7,
    )
    setup = setup_of(settings)
    task = task_of(Row("a", 1, QUESTION), setup, short=True)
    for secret in (b"sk-very-secret", b"hunter22"):
        assert secret not in task
    with pytest.raises(ConfigError, match=r"redis://127\.0\.0\.1:6379/0 wants a password"):
        session_from_setup(setup, {})
    own = {
        "FEDRAG_CACHE_URL": "redis://:hunter22@127.0.0.1:6379/0",
        "FEDRAG_LLM": "other",
        "FEDRAG_LLM_URL": "http://127.0.0.1:8080/v1",
        "FEDRAG_LLM_KEY": "sk-own",
    }
    built = session_from_setup(setup, own).settings
    assert (built.cache_url, built.only, built.top_k) == (settings.cache_url, ("bte",), 7)
    assert built.llm == LLMConfig("qwen", "http://127.0.0.1:8080/v1", key="sk-own", timeout=7.0)


def test_a_worker_whose_own_settings_are_wrong_names_the_variable() -> None:
    setup = setup_of(Settings(cache_url="redis://:hunter22@127.0.0.1:6379/0"))
    with pytest.raises(ConfigError, match="FEDRAG_CACHE_URL: the address of the shared cache"):
        session_from_setup(setup, {"FEDRAG_CACHE_URL": "hunter22@nowhere"})
    with pytest.raises(ConfigError, match="wants a password") as unset:
        session_from_setup(setup, {"FEDRAG_CACHE_URL": ""})
    assert "set FEDRAG_CACHE_URL" in str(unset.value.hint)
    assert session_from_setup(setup_of(Settings()), {"FEDRAG_CACHE_URL": ""}).settings == (
        session_from_setup(setup_of(Settings()), {}).settings
    )


def test_a_workers_own_cache_does_not_stand_in_for_the_one_that_was_named() -> None:
    own = {"FEDRAG_CACHE_URL": "redis://127.0.0.1:2/0"}
    for url in ("redis://127.0.0.1:1/0", None):
        session = session_from_setup(setup_of(Settings(cache_url=url)), own)
        assert session.settings.cache_url == url


def test_a_session_is_built_as_it_is_here(federation: Federation, tmp_path: Path) -> None:
    settings = Settings(
        services=federation.service_configs(), log=False, email="me@example.org", deadline=9.0
    )
    session = session_from_setup(setup_of(settings), {"XDG_CONFIG_HOME": str(tmp_path)})
    assert session.settings.services == settings.services
    assert (session.settings.log, session.settings.email) == (False, "me@example.org")
    assert session.settings.deadline == 9.0


def test_a_worker_never_raises_and_keeps_one_session() -> None:
    setup = setup_of(Settings(log=False), replay="demo")
    answered = [answer_task(task_of(Row(i, i, QUESTION), setup, short=True)) for i in (1, 2)]
    both = [[orjson.loads(part) for part in one.split(b"\n")] for one in answered]
    assert [(line["answer"]["name"], notes) for line, notes in both] == [("ABL1", [])] * 2
    from fedrag.batch import worker

    home = worker._at_home()
    assert list(home._sessions) == [setup.decode()]
    for n in range(6):
        other = setup_of(Settings(log=False, top_k=10 + n), replay="demo")
        answer_task(task_of(Row("a", 1, QUESTION), other, short=True))
    assert len(home._sessions) == 4
    broken = orjson.loads(answer_task(task_of(Row("a", 1, "?"), b"{", short=True)))
    assert broken["setup"]["kind"] == "JSONDecodeError"
    missing = {**orjson.loads(setup), "replay": ["no", "/nowhere/no.json"]}
    told = orjson.loads(answer_task(task_of(Row("a", 1, "?"), orjson.dumps(missing), short=True)))
    assert told["setup"]["message"] == "no cassette is called 'no'"
