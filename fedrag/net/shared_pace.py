"""One pace for all workers that share a Redis or Valkey.

What :mod:`fedrag.net.pace` keeps within a process, a script on the server keeps between processes,
in one step each time: the bucket, as the generic cell rate algorithm (ITU-T I.371, the leaky bucket
as a meter), the rest a service asked for, and how many calls are under way. The server's clock
counts. A call under way holds a lease that is renewed while it lasts, so that a worker that was
killed holds no slot for long. Where the server gives no answer, each worker keeps its own pace.
"""

from __future__ import annotations

import asyncio
import platform
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fedrag.net.endpoint import Endpoint
from fedrag.net.pace import MAX_REST, bucket, too_long
from fedrag.net.redis_link import RedisLink

__all__ = ["SharedPace"]

_LEASE = 15.0  # seconds for which a slot is held without a sign of life
_RENEW = 5.0
_LONGEST_REST = 3600.0  # seconds; a service that means more is asked again and says so again
_POLL = (0.02, 0.25)  # seconds between looks for a free slot, the first and the longest

# KEYS: manners (tat: when the bucket is empty again; rest: until when nothing is sent), leases.
# ARGV: microseconds between calls (0: no pace), burst tolerance, slots, lease, its microseconds,
# longest rest. What lies there is bounded: a clock set back, or a planted number, stops nobody.
_TAKE = """
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local function bounded(field, most)
  local value = tonumber(redis.call('HGET', KEYS[1], field) or 0)
  if value <= now + most then return value end
  redis.call('HSET', KEYS[1], field, string.format('%.0f', now + most))
  return now + most
end
local rest = bounded('rest', tonumber(ARGV[6]))
if rest > now then return {'rest', rest - now} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return {'full', 0} end
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
if interval > 0 then
  local tat = math.max(bounded('tat', tolerance + interval), now)
  if tat - tolerance > now then return {'pace', tat - tolerance - now} end
  redis.call('HSET', KEYS[1], 'tat', string.format('%.0f', tat + interval))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', (tat + interval - now) / 1000 + 60000))
end
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[5]), ARGV[4])
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', ARGV[5] / 1000))
return {'go', 0}
"""
_REST = """
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local rest = math.max(tonumber(redis.call('HGET', KEYS[1], 'rest') or 0), now + ARGV[1])
local tat = math.max(tonumber(redis.call('HGET', KEYS[1], 'tat') or 0), rest)
redis.call('HSET', KEYS[1], 'rest', string.format('%.0f', rest))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', (tat - now) / 1000 + 60000))
return 1
"""
_RENEWED = """
local t = redis.call('TIME')
local until_ = t[1] * 1000000 + t[2] + ARGV[2]
redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', until_), ARGV[1])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] / 1000))
return 1
"""


class SharedPace:
    """The manners that all workers together keep with one service.

    :param name: what the pace is for, the same in every worker.
    """

    def __init__(self, link: RedisLink, name: str, endpoint: Endpoint) -> None:
        self._link = link
        self._service = endpoint.service
        burst, seconds = bucket(endpoint.per_minute) if endpoint.per_minute else (1, 0.0)
        self._interval = round(seconds / burst * 1e6)
        self._tolerance = self._interval * (burst - 1)
        self._slots = max(1, endpoint.concurrency)
        here = _of_this_machine(endpoint.base_url)
        self._manners = f"fedrag:pace:{{{name}{here}}}"
        self._leases = f"{self._manners}:leases"

    async def rest(self, seconds: float) -> None:
        """Have all workers send nothing for ``seconds``."""
        microseconds = round(min(seconds, _LONGEST_REST) * 1e6)
        await self._link.aside(self._link.ask, "EVAL", _REST, 1, self._manners, microseconds)

    @asynccontextmanager
    async def turn(self, remaining: Callable[[], float]) -> AsyncIterator[None]:
        """Wait for this call's turn among all workers, then hold a slot.

        :raises RateLimitedError: the service asked for a longer rest than ``remaining()`` allows.
        """
        lease = uuid.uuid4().hex
        renewing: asyncio.Task[None] | None = None
        try:
            if await self._taken(lease, remaining):
                renewing = asyncio.create_task(self._renew(lease))
            yield
        finally:
            if renewing is not None:
                renewing.cancel()
            self._link.soon("ZREM", self._leases, lease)

    async def _taken(self, lease: str, remaining: Callable[[], float]) -> bool:
        """Ask until it is our turn; false where the server gives no answer."""
        poll, longest = _POLL
        while True:
            answer = await self._link.aside(self._take, lease)
            if answer is None or answer[0] == b"go":
                return answer is not None
            why, pause = answer[0], answer[1] / 1e6
            if why == b"full":
                pause, poll = poll, min(poll * 1.5, longest)
            elif why == b"rest" and pause >= (limit := min(remaining(), MAX_REST)):
                raise too_long(self._service, pause, limit)
            await asyncio.sleep(pause + 0.0005)  # not a moment too early: that costs another trip

    def _take(self, lease: str) -> tuple[bytes, int] | None:
        answer = self._link.ask(
            "EVAL",
            _TAKE,
            2,
            self._manners,
            self._leases,
            self._interval,
            self._tolerance,
            self._slots,
            lease,
            round(_LEASE * 1e6),
            round(_LONGEST_REST * 1e6),
        )
        return None if answer is None else (bytes(answer[0]), int(answer[1]))

    async def _renew(self, lease: str) -> None:
        while True:
            await asyncio.sleep(_RENEW)
            microseconds = round(_LEASE * 1e6)
            self._link.soon("EVAL", _RENEWED, 1, self._leases, lease, microseconds)


def _of_this_machine(base_url: str) -> str:
    """What tells the services on this machine from those at the same address of another one."""
    local = urlsplit(base_url).hostname in ("127.0.0.1", "::1", "localhost")
    return f" on {platform.node()}" if local else ""
