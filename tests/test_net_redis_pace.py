"""One pace for several workers: the bucket, the slots and the rests they share, on a real Redis."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from net_support import PUBLIC, at
from redis_support import RedisServer, free_port, redis_server

from fedrag.errors import RateLimitedError
from fedrag.net import Endpoint
from fedrag.net.pace import bucket
from fedrag.net.redis_link import RedisLink
from fedrag.net.shared_pace import SharedPace
from fedrag.testing import Federation


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def server(running: RedisServer) -> RedisServer:
    """The running server, empty."""
    running.send("FLUSHALL")
    return running


class Workers:
    """Some workers, each with a link and a pace of its own."""

    def __init__(self, url: str, endpoint: Endpoint, count: int = 2) -> None:
        self.links = [RedisLink(url) for _ in range(count)]
        self.paces = [SharedPace(link, "here", endpoint) for link in self.links]
        self.granted: list[float] = []
        self.active = 0
        self.most_active = 0

    async def call(self, number: int, seconds: float = 0.0, *, patience: float = 100.0) -> None:
        """One call of the worker of that number (counted round)."""
        async with self.paces[number % len(self.paces)].turn(lambda: patience):
            self.granted.append(time.monotonic())
            self.active += 1
            self.most_active = max(self.active, self.most_active)
            await asyncio.sleep(seconds)
            self.active -= 1

    def close(self) -> None:
        for link in self.links:
            link.close()

    @property
    def notes(self) -> list[str]:
        return [note for link in self.links for note in link.notes]


def leases(server: RedisServer) -> int:
    """How many calls are under way, as the server knows it."""
    return sum(server.send("ZCARD", key) for key in server.keys("fedrag:pace:*:leases"))


def waits(pace: SharedPace, count: int) -> list[float]:
    """What so many calls that come at once are told: 0, or the seconds to wait."""
    answers = [pace._take(f"lease {i}") for i in range(count)]
    return [-1.0 if answer is None else answer[1] / 1e6 for answer in answers]


def most_within(times: list[float], seconds: float) -> int:
    """The most calls that any window of so many seconds holds."""
    return max(sum(first <= one < first + seconds for one in times) for first in times)


# --- the bucket ---------------------------------------------------------------------------------


@pytest.mark.parametrize("per_minute", [4, 6, 15, 40, 60, 180, 7.5])
def test_the_first_calls_go_at_once_and_the_next_as_the_local_bucket_would_have_it(
    per_minute: float, server: RedisServer
) -> None:
    burst, seconds = bucket(per_minute)
    workers = Workers(server.url, at(PUBLIC, per_minute=per_minute, concurrency=100), 1)
    told = waits(workers.paces[0], int(burst) + 1)
    workers.close()
    assert told[:-1] == [0.0] * int(burst)
    assert told[-1] == pytest.approx(seconds / burst, abs=0.1)


async def test_calls_of_two_workers_are_spaced_as_those_of_one(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=1200))  # one every 50 ms
    await asyncio.gather(*(workers.call(i) for i in range(16)))
    workers.close()
    assert workers.granted[-1] - workers.granted[0] >= 15 * 0.05 - 0.05
    assert most_within(workers.granted, 0.25) <= 7  # five, one at the edge, one held up
    assert workers.notes == []
    assert leases(server) == 0


async def test_without_a_declared_pace_nothing_waits(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=None, concurrency=50))
    await asyncio.gather(*(workers.call(i, 0.1) for i in range(50)))
    workers.close()
    assert workers.most_active == 50


async def test_services_do_not_wait_for_each_other(server: RedisServer) -> None:
    endpoint = at(PUBLIC, per_minute=1)
    link = RedisLink(server.url)
    one, two = SharedPace(link, "one", endpoint), SharedPace(link, "two", endpoint)
    async with asyncio.timeout(5), one.turn(lambda: 1), two.turn(lambda: 1):
        assert leases(server) == 2
    link.close()


# --- slots --------------------------------------------------------------------------------------


async def test_no_more_calls_are_under_way_together_than_the_service_allows(
    server: RedisServer,
) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=None, concurrency=2), 3)
    await asyncio.gather(*(workers.call(i, 0.05) for i in range(9)))
    workers.close()
    assert workers.most_active == 2
    assert leases(server) == 0


async def test_a_slot_is_held_for_as_long_as_the_call_lasts(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.shared_pace._LEASE", 0.4)
    monkeypatch.setattr("fedrag.net.shared_pace._RENEW", 0.1)
    workers = Workers(server.url, at(PUBLIC, concurrency=1))
    holding = asyncio.ensure_future(workers.call(0, 1.2))
    while not workers.granted:
        await asyncio.sleep(0.01)
    await asyncio.gather(holding, workers.call(1))
    workers.close()
    assert workers.most_active == 1
    assert workers.granted[1] - workers.granted[0] >= 1.2


async def test_a_worker_that_was_killed_holds_its_slot_no_longer_than_its_lease(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.shared_pace._LEASE", 0.5)
    workers = Workers(server.url, at(PUBLIC, concurrency=1))
    assert waits(workers.paces[0], 1) == [0.0]  # and never released
    started = time.monotonic()
    await workers.call(1)
    workers.close()
    assert 0.4 < time.monotonic() - started < 2


async def test_a_call_that_is_given_up_while_it_waits_takes_nothing(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, concurrency=1))
    holding = asyncio.ensure_future(workers.call(0, 0.3))
    while not workers.granted:
        await asyncio.sleep(0.01)
    waiting = asyncio.ensure_future(workers.call(1))
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.gather(holding, waiting, return_exceptions=True)
    workers.close()
    assert len(workers.granted) == 1
    assert leases(server) == 0


async def test_a_call_that_fails_gives_its_slot_back(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, concurrency=1))
    with pytest.raises(ZeroDivisionError):
        async with workers.paces[0].turn(lambda: 1):
            raise ZeroDivisionError
    await workers.call(1)
    workers.close()
    assert len(workers.granted) == 1


# --- rests --------------------------------------------------------------------------------------


async def test_a_rest_that_one_worker_is_asked_for_is_kept_by_the_other(
    server: RedisServer,
) -> None:
    workers = Workers(server.url, PUBLIC)
    started = time.monotonic()
    await workers.paces[0].rest(0.5)
    await workers.paces[0].rest(0.1)  # a shorter one takes nothing back
    await workers.call(1)
    workers.close()
    assert 0.5 <= workers.granted[0] - started < 1.5


async def test_a_call_that_cannot_sit_out_the_others_rest_fails_at_once(
    server: RedisServer,
) -> None:
    workers = Workers(server.url, PUBLIC)
    await workers.paces[0].rest(60)
    started = time.monotonic()
    with pytest.raises(RateLimitedError, match=r"asks to wait 60 s, more than the 10 s"):
        await workers.call(1, patience=10)
    workers.close()
    assert time.monotonic() - started < 1
    assert workers.granted == []


async def test_nobody_rests_for_longer_than_an_hour(server: RedisServer) -> None:
    workers = Workers(server.url, PUBLIC)
    await workers.paces[0].rest(1e9)
    answer = workers.paces[1]._take("lease")
    workers.close()
    assert answer is not None
    assert answer[0] == b"rest"
    assert answer[1] / 1e6 == pytest.approx(3600, abs=5)


# --- what lies there, and troubles --------------------------------------------------------------


async def test_numbers_planted_in_the_future_stop_nobody_for_long(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=600))
    await workers.call(0)
    (key,) = (key for key in server.keys("fedrag:pace:*") if not key.endswith(":leases"))
    server.send("HSET", key, "tat", "9007199254740000")
    started = time.monotonic()
    await asyncio.wait_for(workers.call(1), 10)
    assert time.monotonic() - started < 1
    server.send("HSET", key, "rest", "9007199254740000")
    assert waits(workers.paces[0], 1) == [pytest.approx(3600, abs=1)]
    time.sleep(0.05)
    assert waits(workers.paces[1], 1)[0] < 3600 - 0.04  # it runs out
    workers.close()


async def test_what_is_no_number_leaves_each_worker_its_own_pace(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=600), 1)
    await workers.call(0)
    (key,) = (key for key in server.keys("fedrag:pace:*") if not key.endswith(":leases"))
    server.send("HSET", key, "tat", "soon")
    await workers.call(0)
    workers.close()
    assert len(workers.granted) == 2
    (note,) = workers.notes
    assert "refuses EVAL" in note


def test_nothing_is_left_on_the_server_for_good(server: RedisServer) -> None:
    workers = Workers(server.url, at(PUBLIC, per_minute=15), 1)
    asyncio.run(workers.paces[0].rest(0.01))
    time.sleep(0.02)
    assert waits(workers.paces[0], 1) == [0.0]
    workers.close()
    lasting = [server.send("PTTL", key) for key in server.keys("fedrag:*")]
    assert len(lasting) == 2
    assert all(0 < milliseconds <= 120_000 for milliseconds in lasting)


async def test_where_the_server_is_gone_each_worker_keeps_its_own_pace() -> None:
    workers = Workers(f"redis://127.0.0.1:{free_port()}", at(PUBLIC, per_minute=60))
    started = time.monotonic()
    await asyncio.gather(*(workers.call(i) for i in range(10)))
    await workers.paces[0].rest(1)
    workers.close()
    assert len(workers.granted) == 10
    assert time.monotonic() - started < 3
    assert len(workers.notes) == 2  # one of each worker


async def test_a_server_that_ends_while_a_call_waits_lets_it_go(tmp_path: Path) -> None:
    with redis_server(tmp_path) as own:
        workers = Workers(own.url, at(PUBLIC, concurrency=1))
        holding = asyncio.ensure_future(workers.call(0, 2.0))
        while not workers.granted:
            await asyncio.sleep(0.01)
        waiting = asyncio.ensure_future(workers.call(1))
        await asyncio.sleep(0.1)
        own.stop()
        await waiting
        assert not holding.done()
        await holding
        workers.close()


# --- two processes ------------------------------------------------------------------------------

WORKER = """
import asyncio, sys
from fedrag.net import Endpoint, Net
from fedrag.net.redis_link import RedisLink

async def main(url, base, name, per_minute, concurrency, count):
    endpoint = Endpoint("bte", base, trusted=True, per_minute=per_minute, concurrency=concurrency)
    async with Net(shared=RedisLink(url) if url else None) as net:
        ready = Endpoint("ready", base, trusted=True)
        await net.caller_for().send(ready, "GET", "/meta_knowledge_graph")
        print("ready", flush=True)
        sys.stdin.readline()
        calls = (
            net.caller_for().send(endpoint, "GET", "/meta_knowledge_graph", query=[(name, str(i))])
            for i in range(count)
        )
        await asyncio.gather(*calls)

url, base, name, per_minute, concurrency, count = sys.argv[1:]
asyncio.run(main(url, base, name, float(per_minute) or None, int(concurrency), int(count)))
"""


def two_workers(
    federation: Federation,
    url: str,
    *,
    per_minute: float,
    concurrency: int,
    count: int,
    refusing: float = 0.0,
) -> list[float]:
    """When the calls of two processes, begun at once, arrived at the service.

    :param refusing: seconds of rest that the first of them is told.
    """
    base = federation.base_urls["bte"]
    manners = (str(per_minute), str(concurrency), str(count))
    commands = [[sys.executable, "-c", WORKER, url, base, name, *manners] for name in "ab"]
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker(command)) for command in commands]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        federation.calls.clear()
        federation.gates["bte"].most_active = 0
        if refusing:
            federation.fault("bte", "429", times=1, seconds=refusing)
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("\n")
            worker.stdin.flush()
        assert [worker.wait() for worker in workers] == [0, 0]
    return sorted(call.at for call in federation.calls)


@contextmanager
def _worker(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A process with its ends in our hands, ended when the test is."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as federation:
        yield federation


def test_two_processes_together_keep_the_pace_of_one(
    federation: Federation, server: RedisServer
) -> None:
    evenly = two_workers(federation, server.url, per_minute=1200, concurrency=8, count=20)
    assert len(evenly) == 40
    assert evenly[-1] - evenly[0] >= 39 * 0.05 - 0.05
    assert most_within(evenly, 0.5) <= 12  # ten, one at the edge, and one that was held up


def test_two_processes_share_one_burst(federation: Federation, server: RedisServer) -> None:
    burst, seconds = bucket(50)
    assert (burst, round(seconds / burst, 2)) == (6, 1.36)
    together = two_workers(federation, server.url, per_minute=50, concurrency=8, count=4)
    assert len(together) == 8
    assert most_within(together, 1.2) == 6
    assert together[7] - together[0] >= 2 * 1.36 - 0.1
    apart = two_workers(federation, "", per_minute=50, concurrency=8, count=4)
    assert most_within(apart, 1.2) == 8  # what would be sent without the server


def test_two_processes_share_the_slots(federation: Federation, server: RedisServer) -> None:
    federation.gates["bte"].latency = 0.05
    try:
        two_workers(federation, server.url, per_minute=0, concurrency=3, count=12)
    finally:
        federation.gates["bte"].latency = 0.0
    assert federation.gates["bte"].most_active == 3


def test_a_429_told_to_one_process_stops_the_other(
    federation: Federation, server: RedisServer
) -> None:
    times = two_workers(
        federation, server.url, per_minute=600, concurrency=1, count=5, refusing=1.5
    )
    assert len(times) == 11  # one was refused and made again
    pauses = [b - a for a, b in pairwise(times)]
    assert pauses[0] >= 1.4
    assert max(pauses[1:]) < 1.0
