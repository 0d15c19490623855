"""The page over HTTP: the form, an answer, the same as events, downloads and assets."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.datamodel import Answer
from fedrag.errors import FedragError
from fedrag.export.forms import FORMS, render
from fedrag.web.desk import AskRequest, Desk
from fedrag.web.flights import Progress
from fedrag.web.page.render import asset, content_html, page_html, split_page
from fedrag.web.page.request import address, asked
from fedrag.web.page.unfolding import Unfolding
from fedrag.web.page.views import answer_view, error_view, form_view
from fedrag.web.refuse import (
    RequestError,
    client_of,
    headers_of,
    refusal,
    status_of,
    to_json,
)
from fedrag.web.stream import EventStream, while_there

__all__ = ["page_routes"]

_HTML = "text/html; charset=utf-8"
# Going back must not ask the services again, so that a browser may show what it has.
_PAGE = {"Cache-Control": "private, no-cache", "Vary": "Accept"}
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
_NAME = "fedrag"
GRACE = 0.4  # seconds; an answer that takes longer comes behind the form, with its progress


def page_routes(desk: Desk) -> list[Route]:
    """The routes of the page: ``/``, ``/download/{form}`` and ``/assets/{name}``.

    :param desk: asks for it, within the limits of the whole service.
    """
    page = _Page(desk)
    return [
        Route("/", page.home, methods=["GET"]),
        Route("/download/{form}", page.download, methods=["GET"]),
        Route("/assets/{name}", _asset, methods=["GET"]),
    ]


class _Page:
    """Handlers over one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def home(self, request: Request) -> Response:
        """The form; with a question its answer, as a page or as events."""
        ask = asked(request.query_params.multi_items())
        if ask is None or _foreign(request):
            return self._form(ask)
        if "text/event-stream" in request.headers.get("accept", ""):
            return EventStream(lambda say: self._told(ask, say, client_of(request)))
        return await self._page(request, ask)

    async def _page(self, request: Request, ask: AskRequest) -> Response:
        """The answer's page, whole, or where it takes long as it comes."""
        said: asyncio.Queue[str] = asyncio.Queue()
        work = asyncio.create_task(self._view(ask, said.put_nowait, client_of(request)))
        try:
            await while_there(request, asyncio.wait({work}, timeout=GRACE))
        except BaseException:  # the browser has gone, or the server stops
            work.cancel()
            raise
        if not work.done():
            head = {**form_view(self.desk, ask), "title": _title(ask)}
            return Unfolding(*split_page(head), work, said, _PAGE)
        view, error = work.result()
        status = status_of(error) if error else 200
        headers = {**_PAGE, **(headers_of(error) if error else {})}
        return Response(await asyncio.to_thread(page_html, view), status, headers, _HTML)

    def _form(self, ask: AskRequest | None) -> Response:
        view = {**form_view(self.desk, ask), "held": ask is not None, "title": _NAME}
        return Response(page_html(view), headers=_PAGE, media_type=_HTML)

    async def _told(self, ask: AskRequest, say: Progress, client: str) -> tuple[bytes, str]:
        """The page's content as one event."""
        view, _ = await self._view(ask, say, client)
        html = await asyncio.to_thread(content_html, view)
        return to_json({"html": html, "title": view["title"], "address": address(ask)}), ""

    async def _view(
        self, ask: AskRequest, say: Progress | None = None, client: str = ""
    ) -> tuple[dict[str, Any], FedragError | None]:
        """What is to be shown of a question, and what failed, where something did."""
        view = {**form_view(self.desk, ask), "title": _title(ask)}
        answer, error = await self._outcome(ask, say, client)
        if error is not None:
            view |= error_view(error, ask)
        if answer is not None:
            view |= answer_view(answer, ask, FORMS)
        return view, error

    async def _outcome(
        self, ask: AskRequest, say: Progress | None, client: str
    ) -> tuple[Answer | None, FedragError | None]:
        try:
            return await self.desk.ask(ask, progress=say, client=client), None
        except FedragError as error:
            return error.answer, error

    async def download(self, request: Request) -> Response:
        """The answer in one of its forms, without asking anew where it is still kept."""
        form = request.path_params["form"]
        ask = asked(request.query_params.multi_items())
        if form not in FORMS or ask is None:
            return refusal(_no_download(form, known=form in FORMS))
        if _foreign(request):
            return self._form(ask)
        work = self.desk.ask(ask, reuse=True, client=client_of(request))
        try:
            answer = await while_there(request, work)
        except FedragError as error:
            if error.answer is None:
                return refusal(error)
            answer = error.answer
        kind = FORMS[form]
        headers = {"Content-Disposition": f'attachment; filename="{_file(answer)}{kind.suffix}"'}
        body = await asyncio.to_thread(render, answer, form)
        return Response(body, headers=headers, media_type=kind.media_type)


def _title(ask: AskRequest) -> str:
    return f"{ask.question} – {_NAME}"


def _no_download(form: str, *, known: bool) -> FedragError:
    if known:
        return RequestError("no question was given", status=400, hint="say it as ?q=QUESTION")
    return RequestError(
        f"an answer has no form called {form[:40]!r}",
        status=404,
        hint=f"there are: {', '.join(FORMS)}",
    )


def _file(answer: Answer) -> str:
    """A file's name that says what is in it, in plain letters."""
    words = "-".join(re.findall(r"[a-z0-9]+", answer.question.lower()))
    return f"fedrag-{words[:60].strip('-') or 'answer'}"


def _foreign(request: Request) -> bool:
    """Whether another site's page sent the browser here: its question waits for a press of Ask."""
    return request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


async def _asset(request: Request) -> Response:
    found = asset(request.path_params["name"])
    if found is None:
        return refusal(RequestError("there is no such file", status=404))
    return Response(found[0], headers=_FOR_GOOD, media_type=found[1])
