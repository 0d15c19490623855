"""``Net``: what all questions of a process share."""

from __future__ import annotations

import asyncio
import hashlib
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from fedrag.errors import ServiceError
from fedrag.net.call import Call, Reply
from fedrag.net.caller import Caller
from fedrag.net.cassette import Cassette
from fedrag.net.endpoint import Endpoint
from fedrag.net.flight import Flight, Flights
from fedrag.net.keeper import Keeper
from fedrag.net.pace import Breaker, Pace
from fedrag.net.store import Store

if TYPE_CHECKING:
    import httpx2

    from fedrag.net.redis_link import RedisLink
    from fedrag.net.shared_pace import SharedPace
    from fedrag.net.wire import Wire

__all__ = ["Net"]


class Net:
    """Connections, pace, circuit breakers, single flight and stores of one event loop.

    :param cache: where answers are kept between runs.
    :param record: a cassette that every call, failed ones too, is written into (saving it is the
        owner's business).
    :param replay: a cassette that alone answers; then neither network nor cache is touched.
    :param shared: a server over which several workers keep one pace.
    :param offline: what the cache does not hold is unavailable.
    :param caller: told to services in ``User-Agent`` (a mail address, say).
    :param transport: replaces the network, in tests.

    >>> import asyncio
    >>> async def mode() -> str:
    ...     async with Net(offline=True) as net:
    ...         return net.caller_for(deadline=5).mode
    >>> asyncio.run(mode())
    'live'
    """

    def __init__(
        self,
        *,
        cache: Store | None = None,
        record: Cassette | None = None,
        replay: Cassette | None = None,
        shared: RedisLink | None = None,
        offline: bool = False,
        caller: str = "",
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.cache = cache
        self._keeper = Keeper(cache) if cache is not None else None
        self.record = record
        self.replay = replay
        self.offline = offline
        self._shared = shared
        self._caller = caller
        self._transport = transport
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wire: Wire | None = None
        self._paces: dict[str, Pace] = {}
        self._breakers: dict[str, Breaker] = {}
        self._flights = Flights()

    def caller_for(self, *, deadline: float | None = 120.0) -> Caller:
        """The caller of one question.

        :param deadline: seconds from now, after which no call waits any longer; ``None``: never.
        """
        return Caller(self, deadline)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop the calls under way and close the connections and the cache."""
        await self._flights.close()
        if self._wire is not None:
            await self._wire.aclose()
            self._wire = None
        if self._keeper is not None:
            self._keeper.close()
        if self._shared is not None:
            self._shared.close()

    async def fly(self, call: Call, deadline: float) -> Reply:
        """Make the call over the network, together with whoever wants the same one."""
        self._bind()
        shared = f"{_cache_row(call)} {call.raw}" if call.store else None
        return await self._flights.join(shared, lambda flight: self._live(call, flight), deadline)

    async def cached(self, call: Call) -> Reply | None:
        """The cached reply, where there is one."""
        if self._keeper is None or not call.store:
            return None
        return await self._keeper.find(_cache_row(call), service=call.service, key=call.key)

    def discard(self, reply: Reply, endpoint: Endpoint) -> None:
        """Forget a cached reply that turned out to tell of a failure (HTTP 200, error inside)."""
        if self._keeper is not None:
            self._keeper.delete(_row(reply.key, endpoint))

    async def _live(self, call: Call, flight: Flight) -> Reply:
        from fedrag.net.retry import Again, persist

        wire = self._open_wire()
        pace, breaker = self._manners(call.endpoint)
        breaker.check()

        async def attempt() -> Reply:
            async with pace.slot(flight.remaining):
                try:
                    return await wire.attempt(call)
                except Again as again:
                    if again.error.status == 429 and again.after:
                        await pace.rest(again.after)  # the others wait too
                    raise

        try:
            reply = await persist(
                attempt, retries=call.endpoint.retries, remaining=flight.remaining
            )
        except ServiceError as error:
            _judge(breaker, error)
            raise
        breaker.succeeded()
        if self._keeper is not None and call.store:
            self._keeper.put(_cache_row(call), reply)
        return reply

    def _manners(self, endpoint: Endpoint) -> tuple[Pace, Breaker]:
        """One breaker for each service; one pace, too, for those of a host that declare the same.

        A user's own address is paced by itself: many may stand on one machine.
        """
        shared = endpoint.service
        if not endpoint.trusted:
            host = urlsplit(endpoint.base_url).hostname
            shared = f"{host} {endpoint.per_minute} {endpoint.concurrency}"
        if shared not in self._paces:
            self._paces[shared] = Pace(endpoint, self._pace_of_all(shared, endpoint))
        if endpoint.service not in self._breakers:
            self._breakers[endpoint.service] = Breaker(endpoint.service)
        return self._paces[shared], self._breakers[endpoint.service]

    def _pace_of_all(self, name: str, endpoint: Endpoint) -> SharedPace | None:
        if self._shared is None:
            return None
        from fedrag.net.shared_pace import SharedPace

        if endpoint.trusted:  # two workers may mean two places by one name
            name = f"{name} {endpoint.base_url.rstrip('/')}"
        return SharedPace(self._shared, name, endpoint)

    def _open_wire(self) -> Wire:
        if self._wire is None:
            from fedrag.net.wire import Wire

            self._wire = Wire(caller=self._caller, transport=self._transport)
        return self._wire

    def _bind(self) -> None:
        """Belong to the first event loop that makes a call; connections cannot change loops."""
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("a Net belongs to one event loop: make another one for this loop")


def _judge(breaker: Breaker, error: ServiceError) -> None:
    """A service that says no is alive; one that says nothing, or breaks, is not."""
    status = error.status or 0
    if error.state == "timeout" or (error.state == "unavailable" and not 300 <= status < 500):
        breaker.failed()
    else:
        breaker.succeeded()


def _cache_row(call: Call) -> str:
    return _row(call.key, call.endpoint)


def _row(key: str, endpoint: Endpoint) -> str:
    """The cache's row: the key, and for an address the user gave, that address.

    What a stand-in on this machine answered must never be served for the real service.
    """
    if not endpoint.trusted:
        return key
    return hashlib.sha256(f"{key} {endpoint.base_url.rstrip('/')}".encode()).hexdigest()
