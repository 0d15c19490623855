"""The tools at work: one session, the answers it gave, and a result for every call, errors too."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from fedrag.config import Settings
from fedrag.errors import ConfigError, FedragError, RunError
from fedrag.session import Session, run_sync
from fedrag.tools.arguments import checked_call, pins_of
from fedrag.tools.pages import page_of
from fedrag.tools.problems import ToolProblem, as_result
from fedrag.tools.shelf import Shelf, Shelved
from fedrag.tools.views import View, answer_view, evidence_view, resolution_view, services_view

if TYPE_CHECKING:
    from fedrag.execute import ServiceCheck

__all__ = ["Toolbox", "acall_tool", "call_tool"]

Progress = Callable[[str], None]
_SHELF = Shelf()  # of the plain front, whose every call opens a session of its own
_AT_ONCE = 8  # calls under way in one toolbox; further ones wait
_CHECKED = 120.0  # seconds that a check of the services is good for, so that pages can be turned


def call_tool(
    name: str, arguments: Mapping[str, Any] | str | None = None, **options: Any
) -> dict[str, Any]:
    """Call one of the tools that :func:`fedrag.tool_schema` tells of.

    :param arguments: a mapping, or its JSON text as a language model writes it.
    :param options: as for :func:`fedrag.ask`: ``replay``, ``config``, ``services``, ``deadline`` …
    :returns: the result, plain JSON values, never more than the ``max_tokens`` of the call; or
        ``{"error": {"code", "message", "remedy"}}`` with a code of :data:`fedrag.tools.CODES`.
        Nothing is raised for what a language model can get wrong.

    Safe inside a running event loop too. To make many calls over shared connections, use a
    :class:`Toolbox`.

    >>> call_tool("ask", {"question": "what are the targets of imatinib?"}, replay="demo")["name"]
    'ABL1'
    """
    return run_sync(acall_tool(name, arguments, **options))


async def acall_tool(
    name: str, arguments: Mapping[str, Any] | str | None = None, **options: Any
) -> dict[str, Any]:
    """The coroutine behind :func:`call_tool`."""
    try:
        toolbox = Toolbox(shelf=_SHELF, **options)
    except FedragError as error:
        return as_result(error)
    async with toolbox:
        return await toolbox.call(name, arguments)


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
        self, name: Any, arguments: Any = None, *, progress: Progress | None = None
    ) -> dict[str, Any]:
        """The result of one call, an error's too; cancelling it cancels the calls of services.

        :param progress: called with one line for each step.
        """
        try:
            tool, given = checked_call(name, arguments)
            async with self._turns:
                view = await _WORK[tool.name](self, given, progress)
            return _page(view, given)
        except Exception as error:
            return as_result(error)

    async def ask(self, given: Mapping[str, Any], progress: Progress | None) -> View:
        """The tool ``ask``; later pages are of the answer that the first one told."""
        pins = pins_of(given["entities"] or ())
        only, exclude = tuple(given["only"] or ()), tuple(given["exclude"] or ())
        asked = (given["question"], tuple(sorted(pins.items())), only, exclude)
        shelved = self.shelf.like(asked) if given["page"] > 1 else None
        if shelved is None:
            session = self._narrowed(only, exclude)
            answer = await session.ask(given["question"], pins=pins, progress=progress)
            shelved = self.shelf.add(answer, asked)
        return answer_view(shelved)

    def _narrowed(self, only: tuple[str, ...], exclude: tuple[str, ...]) -> Session:
        try:
            fewer = only or exclude
            return self.session.narrowed(only=only, exclude=exclude) if fewer else self.session
        except ConfigError as error:
            raise ToolProblem(
                "invalid_arguments", error.message, remedy="services lists their names"
            ) from error

    async def evidence(self, given: Mapping[str, Any], _: Progress | None) -> View:
        """The tool ``evidence``: looked for in memory, then in the log of runs."""
        wanted, run = given["id"].strip().strip("[]"), given["run"]
        held = [self.shelf.get(run)] if run else list(self.shelf.newest())
        for shelved in held:
            if shelved is not None and (view := _shown(shelved, wanted)) is not None:
                return view
        logged = None if any(held) and run else await asyncio.to_thread(self._logged, run, wanted)
        if logged is not None:
            return logged
        where = f"the run {run!r}" if run else "the runs that are remembered"
        raise ToolProblem("not_found", f"there is no evidence or edge {wanted[:80]!r} in {where}")

    def _logged(self, run: str | None, wanted: str) -> View | None:
        """What the log of runs has; a key without a run says nothing there."""
        from fedrag.runs import open_log

        log = open_log(self.session.settings)
        try:
            if run is None:
                found = log.find_edge(wanted)
                return evidence_view(found[0].id, [found[1]]) if found else None
            record = log.get(run)
            answer = record.restored()
        except RunError:
            return None
        return _shown(Shelved(record.id, answer), wanted) if answer else None

    async def resolve(self, given: Mapping[str, Any], _: Progress | None) -> View:
        """The tool ``resolve``: a text in which nothing is recognised is taken as one name."""
        text = given["text"].strip()
        resolution = await self.session.resolve(text)
        if not resolution.entities and not resolution.unresolved:
            # Capitals say nothing in a text of nothing but capitals; in a sentence, KIT is a gene.
            resolution = await self.session.resolve(f"what is {text}?")
        return resolution_view(resolution, text)

    async def services(self, given: Mapping[str, Any], _: Progress | None) -> View:
        """The tool ``services``."""
        states = await self._states(given["page"]) if given["check"] else {}
        return services_view(self.session.services, states)

    async def _states(self, page: int) -> dict[str, ServiceCheck]:
        now = time.monotonic()
        if page > 1 and self._checked and now - self._checked[0] < _CHECKED:
            return self._checked[1]
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
    return evidence_view(shelved.run, [edge]) if edge else None
