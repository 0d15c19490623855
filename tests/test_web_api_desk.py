"""Turns, flights, and what a desk keeps: the parts that need no HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from web_api_support import IMATINIB, UNKNOWN

from fedrag.errors import UnresolvedEntityError
from fedrag.session import Session
from fedrag.web.beside import SessionBeside
from fedrag.web.desk import AskRequest, Desk, DeskLimits
from fedrag.web.flights import Flights
from fedrag.web.turns import BusyError, Turns


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


# --- turns --------------------------------------------------------------------------------------


class Line:
    """Clients that take turns, each holding its own until it is told to end."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.served: list[str] = []
        self.done = asyncio.Event()
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, name: str) -> None:
        self.tasks[name] = asyncio.create_task(self._one(name))

    async def _one(self, name: str) -> None:
        async with self.turns.turn(name[0]):
            self.served.append(name)
            await self.done.wait()


async def test_one_of_each_client_is_served_before_the_second_of_any() -> None:
    line = Line(Turns(1, 10))
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        line.ask(name)
        await settle()
    assert (line.served, line.turns.waiting) == (["a1"], 5)
    line.done.set()
    await asyncio.gather(*line.tasks.values())
    assert line.served == ["a1", "a2", "b1", "c1", "a3", "b2"]
    assert (line.turns.free, line.turns.waiting) == (1, 0)


async def test_no_more_run_at_once_than_may() -> None:
    line = Line(Turns(3, 10))
    for name in "abcde":
        line.ask(name)
    await settle()
    assert (len(line.served), line.turns.free, line.turns.waiting) == (3, 0, 2)
    line.done.set()
    await asyncio.gather(*line.tasks.values())


async def test_who_gives_up_waiting_takes_nobodys_turn() -> None:
    line = Line(Turns(1, 10))
    for name in ("a1", "b1", "c1"):
        line.ask(name)
    await settle()
    line.tasks["b1"].cancel()
    await settle()
    assert line.turns.waiting == 1
    line.done.set()
    await line.tasks["c1"]
    assert (line.served, line.turns.free) == (["a1", "c1"], 1)


async def test_a_turn_that_comes_as_its_client_goes_is_passed_on() -> None:
    line = Line(Turns(1, 10))
    for name in ("a1", "b1", "c1"):
        line.ask(name)
    await settle()
    line.done.set()  # a1 ends in the next step of the loop, and hands its turn to b1 ...
    await asyncio.sleep(0)
    line.tasks["b1"].cancel()  # ... which goes in the same moment
    with contextlib.suppress(asyncio.CancelledError):
        await line.tasks["b1"]
    await line.tasks["c1"]
    assert "c1" in line.served
    assert (line.turns.free, line.turns.waiting) == (1, 0)


async def test_a_full_line_says_when_to_come_again() -> None:
    line = Line(Turns(1, 1))
    for name in ("a1", "a2"):
        line.ask(name)
    await settle()
    with pytest.raises(BusyError) as raised:
        async with line.turns.turn("b"):
            pass
    assert 1 <= raised.value.retry_after <= 60
    line.done.set()
    await asyncio.gather(*line.tasks.values())
    assert line.turns.free == 1


async def test_a_turn_that_fails_is_given_back() -> None:
    turns = Turns(1, 1)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            async with turns.turn():
                raise ValueError("no")
    assert turns.free == 1


# --- flights ------------------------------------------------------------------------------------


async def test_the_same_key_runs_once_and_tells_latecomers_all() -> None:
    flights: Flights[str] = Flights()
    started = 0
    go = asyncio.Event()

    async def start(say: Callable[[str], None]) -> str:
        nonlocal started
        started += 1
        say("one")
        await go.wait()
        say("two")
        return "done"

    first: list[str] = []
    second: list[str] = []
    early = asyncio.create_task(flights.join("k", start, first.append))
    await settle()
    late = asyncio.create_task(flights.join("k", start, second.append))
    await settle()
    go.set()
    assert (await early, await late, started) == ("done", "done", 1)
    assert first == second == ["one", "two"]
    assert flights.under_way == 0


async def test_a_run_ends_with_the_last_who_waits() -> None:
    flights: Flights[None] = Flights()
    ended = asyncio.Event()

    async def start(_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    one = asyncio.create_task(flights.join("k", start))
    two = asyncio.create_task(flights.join("k", start))
    await settle()
    one.cancel()
    await settle()
    assert not ended.is_set()
    two.cancel()
    await settle()
    assert ended.is_set()
    assert flights.under_way == 0


async def test_who_comes_while_a_run_is_being_cancelled_gets_a_new_one() -> None:
    flights: Flights[str] = Flights()
    runs = 0

    async def start(_: Any) -> str:
        nonlocal runs
        runs += 1
        if runs == 1:
            await asyncio.Event().wait()
        return "second"

    one = asyncio.create_task(flights.join("k", start))
    await settle()
    one.cancel()
    await asyncio.sleep(0)
    assert await flights.join("k", start) == "second"


async def test_all_who_wait_hear_of_a_failure() -> None:
    flights: Flights[None] = Flights()

    async def start(_: Any) -> None:
        await asyncio.sleep(0.01)
        raise ValueError("it failed")

    told = await asyncio.gather(
        *(flights.join("k", start) for _ in range(3)), return_exceptions=True
    )
    assert [str(error) for error in told] == ["it failed"] * 3


# --- the desk -----------------------------------------------------------------------------------


async def test_a_replay_is_answered_once_and_a_failure_anew() -> None:
    async with Session(replay="demo", log=False) as session:
        desk = Desk(session)
        first = await desk.ask(AskRequest.of(IMATINIB))
        assert await desk.ask(AskRequest.of(IMATINIB)) is first
        for _ in range(2):
            with pytest.raises(UnresolvedEntityError):
                await desk.ask(AskRequest.of(UNKNOWN))
        assert desk.turns.free == desk.turns.at_once


async def test_no_more_answers_are_kept_than_may_be() -> None:
    questions = [IMATINIB, "What links PCSK9 and hypercholesterolemia?"]
    async with Session(replay="demo", log=False) as session:
        desk = Desk(session, DeskLimits(kept=1))
        for question in questions:
            await desk.ask(AskRequest.of(question))
        assert desk.kept(AskRequest.of(questions[0])) is None
        assert desk.kept(AskRequest.of(questions[1])) is not None


async def test_a_live_answer_is_kept_for_a_download_and_not_for_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Desk, "replaying", False)  # as a live one; the cassette still answers
    async with Session(replay="demo", log=False) as session:
        desk = Desk(session, DeskLimits(kept_seconds=60))
        first = await desk.ask(AskRequest.of(IMATINIB))
        assert await desk.ask(AskRequest.of(IMATINIB), reuse=True) is first
        assert await desk.ask(AskRequest.of(IMATINIB)) is not first
        desk.limits = DeskLimits(kept_seconds=0.0)
        assert desk.kept(AskRequest.of(IMATINIB)) is None


# --- a session beside ---------------------------------------------------------------------------


async def test_a_session_beside_answers_from_a_thread_of_its_own_and_ends_it() -> None:
    session = SessionBeside.of(Session(replay="demo", log=False))
    names: set[str] = set()
    told: list[str] = []

    def say(line: str) -> None:
        names.add(threading.current_thread().name)
        told.append(line)

    first = await session.ask(IMATINIB, progress=say)
    assert (first.name, told[0]) == ("ABL1", "recognising entities")
    assert names == {threading.current_thread().name}  # progress is told here
    assert threads() == 1
    assert (await session.narrowed(only=("bte",)).ask(IMATINIB)).name == "ABL1"
    assert threads() == 1
    await session.aclose()
    for _ in range(200):
        if not threads():
            break
        await asyncio.sleep(0.01)
    assert threads() == 0


async def test_what_is_cancelled_here_is_cancelled_there(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    async def wait(*_: Any, **__: Any) -> Any:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(Session, "resolve", wait)
    session = SessionBeside.of(Session(replay="demo", log=False))
    task = asyncio.create_task(session.resolve("imatinib"))
    assert await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    assert await asyncio.to_thread(ended.wait, 10)
    await session.aclose()


def threads() -> int:
    return sum(thread.name == "fedrag-session" for thread in threading.enumerate())
