"""The tools at work: one session, the answers it gave, and a result for every call, errors too."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from fedrag.config import Settings
from fedrag.errors import ConfigError, RunError
from fedrag.session import Session
from fedrag.tools.arguments import checked_call, pins_of
from fedrag.tools.pages import page_of
from fedrag.tools.problems import ToolProblem, as_result
from fedrag.tools.shelf import Shelf, Shelved
from fedrag.tools.views import View, answer_view, evidence_view, resolution_view, services_view

if TYPE_CHECKING:
    from fedrag.execute import ServiceCheck

__all__ = ["Toolbox"]

Progress = Callable[[str], None]
_AT_ONCE = 8  # calls that ask the network at one time in one toolbox; further ones wait
_CHECKED = 120.0  # seconds that a check of the services is good for, so that pages can be turned


@dataclass(frozen=True, slots=True)
class Call:
    """One call under way: its checked arguments, whom its steps are told, and who makes it."""

    given: Mapping[str, Any]
    progress: Progress | None
    client: str | None


class Toolbox:
    """The four tools over one session.

    :param session: an open session, which is then closed by whoever made it; or settings.
    :param shelf: where answers are remembered; a new one when not given.
    :param options: of a session of its own: as for :class:`fedrag.session.Session`.
    :raises ConfigError: an option that does not exist, or a value out of its range.

    >>> async def two() -> str:
    ...     async with Toolbox(replay="demo") as box:
    ...         told = await box.call("ask", {"question": "what are the targets of imatinib?"})
    ...         shown = await box.call("evidence", {"run": told["run"], "id": "E1"})
    ...         return shown["edges"][0]["predicate"]
    >>> asyncio.run(two())
    'biolink:affects'
    """

    def __init__(
        self,
        session: Session | Settings | None = None,
        *,
        shelf: Shelf | None = None,
        **options: Any,
    ) -> None:
        self._own = not isinstance(session, Session)
        self.session = session if isinstance(session, Session) else Session(session, **options)
        if options and not self._own:
            raise ConfigError("options are for a session that the toolbox opens itself")
        self.shelf = shelf if shelf is not None else Shelf()
        self._under = _digest(self.session, options)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._checked: tuple[float, dict[str, ServiceCheck]] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the session where the toolbox opened it."""
        if self._own:
            await self.session.aclose()

    async def call(
        self,
        name: Any,
        arguments: Any = None,
        *,
        progress: Progress | None = None,
        client: str | None = "",
    ) -> dict[str, Any]:
        """The result of one call, an error's too; cancelling it cancels the calls of services.

        :param progress: called with one line for each step.
        :param client: who calls, where several share the toolbox: an id without its run is looked
            for in that one's answers alone. ``None``: it cannot be told, and a run is wanted.
        """
        try:
            tool, given = checked_call(name, arguments)
            view = await _WORK[tool.name](self, Call(given, progress, client))
            return _page(view, given)
        except Exception as error:
            return as_result(error)

    async def ask(self, call: Call) -> View:
        """The tool ``ask``; later pages are of the answer that the first one told."""
        question, pins = call.given["question"], pins_of(call.given["entities"] or ())
        only, exclude = tuple(call.given["only"] or ()), tuple(call.given["exclude"] or ())
        asked = (self._under, call.client, question, tuple(sorted(pins.items())), only, exclude)
        shelved = self.shelf.like(asked) if call.given["page"] > 1 else None
        if shelved is None:
            session = self._narrowed(only, exclude)
            async with self._turns:
                answer = await session.ask(question, pins=pins, progress=call.progress)
            shelved = self.shelf.add(answer, asked, call.client)
        return answer_view(shelved)

    def _narrowed(self, only: tuple[str, ...], exclude: tuple[str, ...]) -> Session:
        try:
            fewer = only or exclude
            return self.session.narrowed(only=only, exclude=exclude) if fewer else self.session
        except ConfigError as error:
            raise ToolProblem(
                "invalid_arguments", error.message, remedy="services lists their names"
            ) from error

    async def evidence(self, call: Call) -> View:
        """The tool ``evidence``: looked for in memory, then in the log of runs."""
        wanted, run = call.given["id"].strip().strip("[]"), call.given["run"]
        held = self._held(run, call.client)
        for shelved in held:
            if (view := _shown(shelved, wanted)) is not None:
                return view
        # The log does not say who asked: without a run, it is read for one client alone.
        unread = not held if run else not call.client
        if unread:
            logged = await asyncio.to_thread(self._logged, run, wanted)
            if logged is not None:
                return logged
        where = f"the run {run[:80]!r}" if run else "the runs that are remembered"
        raise ToolProblem("not_found", f"there is no evidence or edge {wanted[:80]!r} in {where}")

    def _held(self, run: str | None, client: str | None) -> list[Shelved]:
        """The answers that may be meant: of the run, else of the client, the newest first."""
        if run:
            shelved = self.shelf.get(run)
            return [shelved] if shelved else []
        if client is None:
            raise ToolProblem(
                "invalid_arguments",
                "evidence needs the run here: several clients ask, and all have keys like E1",
                remedy="give run, as ask told it with the answer",
            )
        return list(self.shelf.newest(client))

    def _logged(self, run: str | None, wanted: str) -> View | None:
        """What the log of runs has; a key without a run says nothing there.

        A run is named in full: what the log would take too, ``last`` or a beginning, may be of
        somebody else.
        """
        from fedrag.runs import open_log

        log = open_log(self.session.settings)
        try:
            if run is None:
                found = log.find_edge(wanted)
                if found is None:
                    return None
                record = found[0]
            else:
                record = log.get(run)
            answer = record.restored() if run in (None, record.id) else None
        except RunError:
            return None
        return _shown(Shelved(record.id, answer), wanted) if answer else None

    async def resolve(self, call: Call) -> View:
        """The tool ``resolve``: a text in which nothing is recognised is taken as one name."""
        text = call.given["text"].strip()
        async with self._turns:
            resolution = await self.session.resolve(text)
            if not resolution.entities and not resolution.unresolved:
                # Capitals say nothing in a text of nothing else; in a sentence, KIT is a gene.
                resolution = await self.session.resolve(f"what is {text}?")
        return resolution_view(resolution, text)

    async def services(self, call: Call) -> View:
        """The tool ``services``; only a check asks the network."""
        states = await self._states(call.given["page"]) if call.given["check"] else {}
        return services_view(self.session.services, states)

    async def _states(self, page: int) -> dict[str, ServiceCheck]:
        now = time.monotonic()
        if page > 1 and self._checked and now - self._checked[0] < _CHECKED:
            return self._checked[1]
        async with self._turns:
            states = await self.session.check()
        self._checked = (now, states)
        return states


_WORK: Mapping[str, Any] = {
    "ask": Toolbox.ask,
    "evidence": Toolbox.evidence,
    "resolve": Toolbox.resolve,
    "services": Toolbox.services,
}


def _page(view: View, given: Mapping[str, Any]) -> dict[str, Any]:
    number = given["page"]
    page = page_of(
        view.head, view.short, view.sections, page=number, max_tokens=given["max_tokens"]
    )
    if page is None:
        raise ToolProblem(
            "invalid_arguments",
            f"there is no page {number}",
            remedy="follow next_page, with the same max_tokens; null is the end",
        )
    return page


def _shown(shelved: Shelved, wanted: str) -> View | None:
    """The evidence of a key or the edge of an id in one answer."""
    evidence = shelved.evidence(wanted)
    if evidence is not None:
        return evidence_view(shelved.run, evidence.edges, evidence)
    edge = shelved.edge(wanted)
    return evidence_view(shelved.run, [edge], shelved.behind(edge)) if edge else None


def _digest(session: Session, options: Mapping[str, Any]) -> str:
    """What answers depend on beside the call: settings, services, and the cassette in use.

    One shelf may serve sessions of different options: a page is never of another's answer.
    """
    cassettes = [
        str(Path(options[name]).absolute()) for name in ("replay", "record") if options.get(name)
    ]
    services = [(service.name, service.enabled) for service in session.services]
    facts = (session.settings, cassettes, session.recorded, session.recorded_questions, services)
    return hashlib.sha256(repr(facts).encode()).hexdigest()
