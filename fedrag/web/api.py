"""The JSON API: ask, resolve, plan, services, runs and health, over one desk."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag.datamodel import Answer
from fedrag.execute import ServiceCheck
from fedrag.export import answer_to_dict
from fedrag.export.forms import FORMS, render
from fedrag.runs import RunRecord, open_log
from fedrag.web.desk import Desk
from fedrag.web.flights import Progress
from fedrag.web.read import Asked, json_object, read_ask, read_plan, read_resolve
from fedrag.web.refuse import JSON, RUN_HEADER, RequestError, client_of, to_json
from fedrag.web.shapes import plan_shape, resolution_shape, services_shape
from fedrag.web.stream import EventStream, while_there

__all__ = ["api_routes"]

_EVENTS = "text/event-stream"
_CHECKED = 30.0  # seconds that the states of services are told again without calling them


class _Api:
    """The endpoints over one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._checks: tuple[float, dict[str, ServiceCheck]] | None = None
        self._checking = asyncio.Lock()

    async def ask(self, request: Request) -> Response:
        """``POST /ask``: the answer, or with ``Accept: text/event-stream`` its progress too."""
        asked = read_ask(await json_object(request), FORMS)
        client = client_of(request)
        if _EVENTS in request.headers.get("accept", ""):
            if asked.form != "json":
                raise RequestError(
                    "events carry JSON alone",
                    status=400,
                    hint="leave out format, or take the run's id to /runs/ID?format=…",
                )
            return EventStream(lambda progress: self._told(asked, client, progress))
        answer = await while_there(request, self._desk.ask(asked.request, client=client))
        return await _answered(answer, asked.form)

    async def _told(self, asked: Asked, client: str, progress: Progress) -> tuple[bytes, str]:
        answer = await self._desk.ask(asked.request, client=client, progress=progress)
        return await asyncio.to_thread(_as_json, answer), answer.run

    async def resolve(self, request: Request) -> Response:
        """``POST /resolve``: the entities of a text."""
        text, pins = read_resolve(await json_object(request))
        work = self._desk.resolve(text, pins, client=client_of(request))
        return _json(resolution_shape(await while_there(request, work)))

    async def plan(self, request: Request) -> Response:
        """``POST /plan``: what a question would ask, and of whom."""
        asked = read_plan(await json_object(request))
        work = self._desk.plan(asked, client=client_of(request))
        plan, resolution = await while_there(request, work)
        return _json(plan_shape(asked.question, plan, resolution))

    async def services(self, request: Request) -> Response:
        """``GET /services``; with ``?check=true`` each is called once, at most twice a minute."""
        wanted = request.query_params.get("check", "").lower() in ("1", "true", "yes")
        checks = await self._checked(client_of(request)) if wanted else {}
        return _json(services_shape(self._desk.session.services, checks))

    async def _checked(self, client: str) -> dict[str, ServiceCheck]:
        async with self._checking:
            if self._checks is None or time.monotonic() - self._checks[0] > _CHECKED:
                self._checks = (time.monotonic(), await self._desk.check(client=client))
            return self._checks[1]

    async def run(self, request: Request) -> Response:
        """``GET /runs/{id}``: one run from the log; with ``?format=`` its answer in that form."""
        run = request.path_params["run"]
        form = request.query_params.get("format")
        if form is not None and form not in FORMS:
            raise RequestError(f"there is no format {form[:40]!r}", status=400, hint=_forms())
        if form is None:
            return _json(await asyncio.to_thread(lambda: self._record(run).to_dict()))
        kept = self._desk.kept_run(run)
        answer = kept if kept is not None else await asyncio.to_thread(self._restored, run)
        response = await _answered(answer, form)
        # A file, not a page: an answer in HTML must not be shown as a part of this site.
        name = f"fedrag-{run}{FORMS[form].suffix}"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    def _record(self, run: str) -> RunRecord:
        return open_log(self._desk.session.settings).get(run)

    def _restored(self, run: str) -> Answer:
        answer = self._record(run).restored()
        if answer is None:
            raise RequestError("this run failed and has no answer", status=404)
        return answer

    async def health(self, _: Request) -> Response:
        """``GET /health``: that it works, and how much is going on."""
        turns = self._desk.turns
        busy = {"under_way": turns.at_once - turns.free, "waiting": turns.waiting}
        return _json({"status": "ok", **busy})


def api_routes(desk: Desk) -> list[Route]:
    """The routes of the JSON API."""
    api = _Api(desk)
    exact = "{run:run_id}"  # nothing shorter: who does not know an id is not shown a run
    return [
        Route("/ask", api.ask, methods=["POST"]),
        Route("/resolve", api.resolve, methods=["POST"]),
        Route("/plan", api.plan, methods=["POST"]),
        Route("/services", api.services, methods=["GET"]),
        Route(f"/runs/{exact}", api.run, methods=["GET"]),
        Route("/health", api.health, methods=["GET"]),
    ]


async def _answered(answer: Answer, form: str) -> Response:
    """An answer in a form; a large one is written beside the event loop."""
    headers = {RUN_HEADER: answer.run} if answer.run else {}
    if form == "json":
        return Response(await asyncio.to_thread(_as_json, answer), 200, headers, JSON)
    text = await asyncio.to_thread(render, answer, form)
    return Response(text, 200, headers, FORMS[form].media_type)


def _as_json(answer: Answer) -> bytes:
    return to_json(answer_to_dict(answer))


def _json(value: object) -> Response:
    return Response(to_json(value), media_type=JSON)


def _forms() -> str:
    return f"there are: {', '.join(FORMS)}"
