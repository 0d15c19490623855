"""Where requests become runs: one session for the life of the process, and its limits.

The page, the API and the TRAPI service all ask through one :class:`Desk`, so that none of them gets
round the queue, the single flight or the time limit.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from fedrag.datamodel import Answer, QueryPlan
from fedrag.entities import Resolution
from fedrag.errors import FedragError, OfflineError
from fedrag.web.flights import Flights, Progress
from fedrag.web.turns import Turns

if TYPE_CHECKING:
    from fedrag.execute import ServiceCheck
    from fedrag.query import QueryAnswer, TrapiVersion
    from fedrag.session import Session

__all__ = ["AskRequest", "Desk", "DeskLimits", "SlowError"]

T = TypeVar("T")
Pairs = tuple[tuple[str, str], ...]


class SlowError(FedragError):
    """The request was given up: it took longer than this service lets one take."""


@dataclass(frozen=True, slots=True)
class AskRequest:
    """One question as the page or a client asks it; equal requests are the same request.

    :param pins: mention and CURIE, over what would be found.
    :param only: ask only these knowledge services; ``exclude``: never these.

    >>> AskRequest.of("what does imatinib target?", {"imatinib": "CHEBI:45783"}).pins
    (('imatinib', 'CHEBI:45783'),)
    """

    question: str
    pins: Pairs = ()
    template: str | None = None
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @classmethod
    def of(cls, question: str, pins: Mapping[str, str] | None = None, **more: Any) -> AskRequest:
        """A request from a mapping of pins; spaces of the question that say nothing are dropped."""
        return cls(" ".join(question.split()), tuple(sorted((pins or {}).items())), **more)


@dataclass(frozen=True, slots=True)
class DeskLimits:
    """What the service lets happen at once.

    :param at_once: runs under way; further ones wait for their turn.
    :param waiting: how many may wait; one more is refused with :class:`BusyError`.
    :param seconds: for one request, the wait for its turn included; ``None``: the session's
        deadline and half a minute.
    :param kept: answers kept in memory, for downloads and for replays.
    :param kept_seconds: how long a live answer is kept.
    """

    at_once: int = 8
    waiting: int = 256
    seconds: float | None = None
    kept: int = 64
    kept_seconds: float = 900.0


class Desk:
    """Asks one session on behalf of many clients.

    :param session: opened and closed by whoever made it.
    :param limits: what may happen at once.
    """

    def __init__(self, session: Session, limits: DeskLimits | None = None) -> None:
        self.session = session
        self.limits = limits or DeskLimits()
        self.seconds = self.limits.seconds or session.settings.deadline + 30.0
        self.turns = Turns(self.limits.at_once, self.limits.waiting)
        self._flights: Flights[Answer] = Flights()
        self._kept: OrderedDict[AskRequest, tuple[float, Answer]] = OrderedDict()

    @property
    def replaying(self) -> bool:
        """Whether a cassette answers: the same request then has the same answer, always."""
        return self.session.net.replay is not None

    async def ask(
        self,
        request: AskRequest,
        *,
        progress: Progress | None = None,
        reuse: bool = False,
        client: str = "",
    ) -> Answer:
        """The answer to a request.

        Equal requests at the same time share one run. A replay gives every request its first
        answer again (it would be the same but for ``timings`` and ``run``).

        :param progress: called with one line for each step.
        :param reuse: take the answer this request had a moment ago, for a download of what is
            shown; it is asked where there is none.
        :param client: whose turn it is: those who wait are served fairly by it.
        :raises FedragError: as :meth:`fedrag.session.Session.ask`; :class:`BusyError` when too many
            wait, :class:`SlowError` when it took too long.
        """
        if (reuse or self.replaying) and (kept := self.kept(request)) is not None:
            return kept

        async def run(say: Progress) -> Answer:
            async with self.turns.turn(client):
                answer = await self._session(request).ask(
                    request.question,
                    pins=dict(request.pins),
                    template=request.template,
                    progress=say,
                )
            self._keep(request, answer)
            return answer

        return await self._in_time(self._flights.join(request, run, progress))

    async def resolve(
        self, text: str, pins: Mapping[str, str] | None = None, *, client: str = ""
    ) -> Resolution:
        """The entities of a text; what is unresolved is in the result, not raised."""
        return await self._in_turn(client, lambda: self.session.resolve(text, pins=pins))

    async def plan(self, request: AskRequest, *, client: str = "") -> tuple[QueryPlan, Resolution]:
        """What a request would ask, without asking it."""
        pins, template = dict(request.pins), request.template
        return await self._in_turn(
            client,
            lambda: self._session(request).plan(request.question, pins=pins, template=template),
        )

    async def query(
        self, query: Any, *, trapi: TrapiVersion = "1.5", client: str = ""
    ) -> QueryAnswer:
        """The answer to a TRAPI query, as :meth:`fedrag.session.Session.query`."""
        return await self._in_turn(client, lambda: self.session.query(query, trapi=trapi))

    async def check(self, *, client: str = "") -> dict[str, ServiceCheck]:
        """Each service called once, the cheapest way it has."""
        return await self._in_turn(client, self.session.check)

    def kept(self, request: AskRequest) -> Answer | None:
        """The answer this request had, where it is still kept."""
        found = self._kept.get(request)
        if found is None:
            return None
        at, answer = found
        if not self.replaying and time.monotonic() - at > self.limits.kept_seconds:
            del self._kept[request]
            return None
        self._kept.move_to_end(request)
        return answer

    def kept_run(self, run: str) -> Answer | None:
        """The answer of a logged run by its id, where it is still kept."""
        answers = (answer for _, answer in self._kept.values())
        return next((a for a in answers if run and getattr(a, "run", "") == run), None)

    async def aclose(self) -> None:
        """Cancel what is under way."""
        await self._flights.close()

    def _keep(self, request: AskRequest, answer: Answer) -> None:
        self._kept[request] = (time.monotonic(), answer)
        self._kept.move_to_end(request)
        while len(self._kept) > self.limits.kept:
            self._kept.popitem(last=False)

    def _session(self, request: AskRequest) -> Session:
        if request.only or request.exclude:
            return self.session.narrowed(only=request.only, exclude=request.exclude)
        return self.session

    async def _in_turn(self, client: str, start: Callable[[], Awaitable[T]]) -> T:
        async def work() -> T:
            async with self.turns.turn(client):
                return await start()

        return await self._in_time(work())

    async def _in_time(self, work: Awaitable[T]) -> T:
        limit = asyncio.timeout(self.seconds)
        try:
            async with limit:
                return await work
        except OfflineError as error:
            raise self._not_recorded(error) from error
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise SlowError(
                f"given up after {self.seconds:g} s, the wait for a turn included",
                hint="ask again later, or something smaller",
            ) from error

    def _not_recorded(self, error: OfflineError) -> OfflineError:
        """The same, without the hundred questions that its hint lists for a terminal."""
        held = len(self.session.recorded_questions)
        told = OfflineError(
            f"this recording has no answer to that: {error.message}",
            hint=f"it holds {held} question{'' if held == 1 else 's'}, which the page at / lists",
        )
        told.answer, told.run = error.answer, error.run
        return told
