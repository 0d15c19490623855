"""Pace: bursts, spacing, slots, rests and circuit breakers, on a clock that jumps."""

from __future__ import annotations

import asyncio
import math

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from net_support import PUBLIC, Script, at, clock, jump, ok

from fedrag.errors import RateLimitedError, UnavailableError
from fedrag.net import Net
from fedrag.net.pace import Breaker, bucket


async def ask(net: Net, number: int, per_minute: float | None, **manners: int) -> float:
    endpoint = at(PUBLIC, per_minute=per_minute, **manners)
    await net.caller_for(deadline=None).send(endpoint, "GET", f"/{number}")
    return clock()


def times(
    count: int, per_minute: float | None, seconds: float = 0.0, **manners: int
) -> list[float]:
    """When each of ``count`` calls, wanted at once, is sent."""
    script = Script([ok()], seconds=seconds)

    async def run() -> None:
        async with Net(transport=script) as net:
            await asyncio.gather(*(ask(net, i, per_minute, **manners) for i in range(count)))

    jump(run())
    return script.times


def test_one_call_a_second_is_spaced_evenly() -> None:
    assert times(4, 60) == pytest.approx([0, 1, 2, 3], abs=0.01)


def test_three_calls_a_second_are_spaced_evenly() -> None:
    assert times(4, 180) == pytest.approx([0, 1 / 3, 2 / 3, 1], abs=0.01)


def test_fifteen_a_minute_lets_six_go_at_once() -> None:
    sent = times(15, 15)
    assert sent[:6] == [0] * 6
    assert sent[6] == pytest.approx(40 / 6, abs=0.01)
    assert sent[14] == pytest.approx(60, abs=0.1)


def test_without_a_declared_pace_nothing_waits() -> None:
    assert times(8, None) == [0] * 8


def test_no_more_calls_are_under_way_than_the_service_allows() -> None:
    assert times(5, None, seconds=10, concurrency=2) == [0, 0, 10, 10, 20]


@given(st.floats(min_value=0.5, max_value=1000))
def test_no_minute_ever_holds_more_calls_than_allowed(per_minute: float) -> None:
    burst, seconds = bucket(per_minute)
    spread = 60 * burst / seconds
    allowed = per_minute if burst > 1 else per_minute + 1
    assert 1 <= burst <= 6
    assert spread + (burst if burst > 1 else 0) <= allowed + 1e-9


def test_two_questions_share_the_pace_of_a_service() -> None:
    script = Script([ok()])

    async def run() -> None:
        async with Net(transport=script) as net:
            one, two = net.caller_for(), net.caller_for()
            endpoint = at(PUBLIC, per_minute=60)
            await asyncio.gather(one.send(endpoint, "GET", "/1"), two.send(endpoint, "GET", "/2"))

    jump(run())
    assert script.times == pytest.approx([0, 1], abs=0.01)


def test_retries_count_against_the_pace() -> None:
    script = Script([httpx2.Response(500), httpx2.Response(500), ok()])

    async def run() -> None:
        async with Net(transport=script) as net:
            await net.caller_for().send(at(PUBLIC, per_minute=6), "GET", "/")

    jump(run())
    assert bucket(6) == (2, 30.0)
    first, second, third = script.times
    assert second < 1.1
    assert third == pytest.approx(15.0, abs=1.1)
    assert first == 0


def test_a_rest_that_one_call_is_asked_for_is_kept_by_the_others() -> None:
    script = Script([httpx2.Response(429, headers={"retry-after": "20"}), ok()])

    async def run() -> list[float]:
        async with Net(transport=script) as net:

            async def later() -> float:
                await asyncio.sleep(5)
                return await ask(net, 2, None)

            return list(await asyncio.gather(ask(net, 1, None), later()))

    assert jump(run()) == pytest.approx([20, 20], abs=0.01)
    assert script.times == pytest.approx([0, 20, 20], abs=0.01)


def test_a_call_that_cannot_sit_out_the_rest_fails_at_once() -> None:
    script = Script([httpx2.Response(429, headers={"retry-after": "60"}), ok()])

    async def run() -> None:
        async with Net(transport=script) as net:
            patient, hasty = net.caller_for(deadline=None), net.caller_for(deadline=10)
            waiting = asyncio.ensure_future(patient.send(PUBLIC, "GET", "/1"))
            await asyncio.sleep(1)
            with pytest.raises(RateLimitedError, match=r"asks to wait 59 s, more than the 9 s"):
                await hasty.send(PUBLIC, "GET", "/2")
            assert clock() == 1
            await waiting
            assert clock() == 60

    jump(run())


def test_the_breaker_opens_after_five_failed_calls_and_tries_again_after_a_while() -> None:
    script = Script([httpx2.ConnectError("refused")] * 5 + [ok()])
    endpoint = at(PUBLIC, retries=0)

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for()
            for i in range(5):
                with pytest.raises(UnavailableError, match="could not be reached"):
                    await caller.send(endpoint, "GET", f"/{i}")
            with pytest.raises(UnavailableError, match="circuit breaker open after 5 failures"):
                await caller.send(endpoint, "GET", "/5")
            assert len(script.requests) == 5
            await asyncio.sleep(30)
            assert (await caller.send(endpoint, "GET", "/6")).status == 200
            assert (await caller.send(endpoint, "GET", "/7")).status == 200

    jump(run())


def test_one_service_behind_a_breaker_leaves_the_others_alone() -> None:
    script = Script([httpx2.ConnectError("refused")] * 5 + [ok()])

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for()
            for i in range(5):
                with pytest.raises(UnavailableError):
                    await caller.send(at(PUBLIC, retries=0), "GET", f"/{i}")
            await caller.send(at(PUBLIC, service="arax"), "GET", "/")

    jump(run())


def test_half_open_lets_one_call_try_and_reopens_when_it_fails() -> None:
    async def run() -> None:
        breaker = Breaker("bte", limit=2, rest=10)
        breaker.failed()
        breaker.check()
        breaker.failed()
        await asyncio.sleep(10)
        breaker.check()
        with pytest.raises(UnavailableError):
            breaker.check()
        breaker.failed()
        await asyncio.sleep(9)
        with pytest.raises(UnavailableError):
            breaker.check()
        await asyncio.sleep(1)
        breaker.check()
        breaker.succeeded()
        breaker.check()

    jump(run())


@pytest.mark.parametrize("status", [400, 404, 422, 429])
def test_a_service_that_says_no_is_not_broken(status: int) -> None:
    script = Script([httpx2.Response(status)])

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for()
            for i in range(7):
                with pytest.raises((UnavailableError, RateLimitedError), match=str(status)):
                    await caller.send(at(PUBLIC, retries=0), "GET", f"/{i}")

    jump(run())
    assert len(script.requests) == 7


def test_answers_in_between_keep_the_breaker_closed() -> None:
    script = Script([httpx2.Response(500), httpx2.Response(500), ok()] * 4)

    async def run() -> None:
        async with Net(transport=script) as net:
            caller = net.caller_for(deadline=math.inf)
            for i in range(12):
                if i % 3 == 2:
                    await caller.send(at(PUBLIC, retries=0), "GET", f"/{i}")
                else:
                    with pytest.raises(UnavailableError, match="answered 500"):
                        await caller.send(at(PUBLIC, retries=0), "GET", f"/{i}")

    jump(run())
