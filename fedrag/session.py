"""Services, connections, cache and cassettes for any number of questions; and the plain front.

:func:`ask` is the plain front, :func:`aask` the coroutine, :class:`Session` what both use and what
asks many questions over shared connections, pace and cache.
"""

from __future__ import annotations

import asyncio
import copy
import os
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from fedrag.config import Settings, checked, default_cache_dir, load_settings, store_dir
from fedrag.datamodel import Answer, Edge, QueryPlan
from fedrag.entities import Resolution
from fedrag.errors import CassetteError, ConfigError
from fedrag.execute import ServiceCheck, check_service
from fedrag.metakg import (
    MetaKG,
    Service,
    Synced,
    narrowed,
    read_metakg,
    services_from_settings,
    sync_registry,
)
from fedrag.net import Blobs, Cache, Caller, Cassette, Net, Store
from fedrag.pipeline import Desk, Run

if TYPE_CHECKING:
    from fedrag.net.redis_link import RedisLink
    from fedrag.query import Limits, QueryAnswer, TrapiVersion
    from fedrag.runs import RunKeeper

__all__ = [
    "Session",
    "aask",
    "aquery_graph",
    "ask",
    "cassette_path",
    "query_graph",
    "run_sync",
]

T = TypeVar("T")
Progress = Callable[[str], None]


def ask(question: str, **options: Any) -> Answer:
    """Answer one question.

    :param options: ``pins`` (mention → CURIE), ``template`` and ``progress`` as in
        :meth:`Session.ask`; ``config``, ``record`` and ``replay`` as in :class:`Session`; and every
        field of :class:`fedrag.config.Settings`, like ``deadline``, ``top_k``, ``strict``, ``llm``.

    Safe inside a running event loop too (a notebook): the work then happens in a thread of its own.

    :raises FedragError: see :mod:`fedrag.errors` for the tree.

    >>> answer = ask("what are the targets of imatinib?", replay="demo")
    >>> answer.candidates[0].name
    'ABL1'
    """
    return run_sync(aask(question, **options))


async def aask(question: str, **options: Any) -> Answer:
    """The coroutine behind :func:`ask`."""
    per_question = {k: options.pop(k) for k in ("pins", "template", "progress") if k in options}
    async with Session(**options) as session:
        return await session.ask(question, **per_question)


def query_graph(query: Any, **options: Any) -> QueryAnswer:
    """Answer one TRAPI query graph over every service that can serve its edges.

    :param query: decoded JSON (a whole query, a message, or a bare query graph), or its text.
    :param options: ``trapi``, ``limits`` and ``progress`` as in :meth:`Session.query`; the others
        as for :func:`ask`.
    :raises FedragError: see :mod:`fedrag.errors` for the tree.
    """
    return run_sync(aquery_graph(query, **options))


async def aquery_graph(query: Any, **options: Any) -> QueryAnswer:
    """The coroutine behind :func:`query_graph`."""
    per_query = {k: options.pop(k) for k in ("trapi", "limits", "progress") if k in options}
    async with Session(**options) as session:
        return await session.query(query, **per_query)


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from plain code, whether or not an event loop runs here."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["value"] = asyncio.run(coroutine)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=work, name="fedrag")
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    result: T = outcome["value"]
    return result


class Session:
    """Services, connections, cache and cassettes, opened once for any number of questions.

    :param settings: as :func:`fedrag.config.load_settings` gives them; further keyword arguments
        override its fields.
    :param record: a cassette file or folder to write the calls to.
    :param replay: a cassette's name (``"demo"``), file or folder; then neither network nor cache
        is used.
    :param note: a sentence about the recording, kept in the cassette.
    :param config: a TOML file of settings, as ``--config`` names one.
    :raises ConfigError: an option that does not exist, or a value out of its range.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        record: str | Path | None = None,
        replay: str | Path | None = None,
        note: str = "",
        config: str | Path | None = None,
        **overrides: Any,
    ) -> None:
        config, record, replay = (
            _path(name, value)
            for name, value in (("config", config), ("record", record), ("replay", replay))
        )
        self.settings = _settings(settings, Path(config) if config else None, overrides)
        self.services = services_from_settings(self.settings)
        if record and replay:
            raise ConfigError(
                "a replay makes no calls, so there is nothing to record",
                hint="use either --replay or --record",
            )
        if record:
            self.services = tuple(_recordable(service) for service in self.services)
        self._recording = self._new_cassette(Path(record), note) if record else None
        self._replaying = Cassette.load(cassette_path(replay)) if replay else None
        if self._replaying:
            self.services = tuple(_as_recorded(one, self._replaying) for one in self.services)
        self._cassette = Path(replay).stem if replay else ""
        self._shared = self._open_shared()
        self._cache = self._open_cache()
        self._keeper = self._new_keeper(replay)
        self._last: Answer | None = None  # so that a cassette that cannot be written costs nothing
        self.net = Net(
            cache=self._cache,
            record=self._recording,
            replay=self._replaying,
            shared=self._shared,
            offline=self.settings.offline,
            caller=self.settings.email or "",
        )

    def _new_cassette(self, path: Path, note: str) -> Cassette:
        """An empty cassette that keeps no answer of a service whose licence forbids it."""
        kept_back = [service.name for service in self.services if not service.share]
        cassette = Cassette.new(path, note=note, licensed=kept_back)
        cassette.known = {service.name: service.why_off for service in self.knowledge}
        return cassette

    def _open_shared(self) -> RedisLink | None:
        """The server that workers share: it keeps their pace even where no call is cached."""
        if self._replaying or not self.settings.cache_url:
            return None
        from fedrag.net.redis_link import RedisLink

        return RedisLink(self.settings.cache_url)

    def _open_cache(self) -> Store | None:
        if self._replaying or not self.settings.cache:
            return None
        if self._shared is not None:
            from fedrag.net.redis_store import RedisCache

            return RedisCache(self._shared, max_age=self.settings.cache_max_age)
        return Cache(
            self.settings.cache_dir or default_cache_dir(),
            size_limit=self.settings.cache_size,
            max_age=self.settings.cache_max_age,
        )

    def _new_keeper(self, replay: str | Path | None) -> RunKeeper | None:
        """What keeps each run for ``fedrag runs``, unless the settings say that none is kept."""
        if not self.settings.log:
            return None
        from fedrag.runs import RunKeeper

        keys = (os.environ.get(service.auth.env) for service in self.services if service.auth)
        return RunKeeper(
            self.settings,
            replayed=cassette_path(replay) if replay else None,
            recording=self.recording,
            secrets=tuple(key for key in keys if key),
        )

    def _store_notes(self) -> Sequence[str]:
        """What the cache or the shared server has to say; grows while they are used."""
        store = self._cache or self._shared
        return store.notes if store else ()

    @property
    def store_notes(self) -> tuple[str, ...]:
        """What the cache or the shared server had to say so far; answers have it in ``notes``."""
        return tuple(self._store_notes())

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
        """Close connections; write the cassette, also after a failure: its calls were made.

        :raises CassetteError: it cannot be written; ``.answer`` then holds the last answer.
        """
        await self.net.aclose()
        self.save_recording()

    @property
    def recording(self) -> bool:
        """Whether calls are written to a cassette."""
        return self._recording is not None

    def save_recording(self) -> None:
        """Write the calls made so far to the cassette, for a long run that may be killed.

        :raises CassetteError: it cannot be written; ``.answer`` then holds the last answer.
        """
        if self._recording is None:
            return
        try:
            written = self._recording.save()
        except CassetteError as error:
            error.answer = self._last
            raise
        if self._keeper and written:
            self._keeper.recorded(written)

    @property
    def recorded(self) -> dict[str, str]:
        """When, where and by what the replayed cassette was recorded (empty when live)."""
        if not self._replaying:
            return {}
        meta = self._replaying.meta
        facts = {key: str(meta[key]) for key in ("recorded_at", "note", "fedrag_version")}
        return {"cassette": self._cassette, **facts}

    @property
    def recorded_questions(self) -> tuple[str, ...]:
        """The questions that the replayed cassette was recorded for (none when live)."""
        return tuple(sorted(self._replaying.questions)) if self._replaying else ()

    def narrowed(self, *, only: Sequence[str] = (), exclude: Sequence[str] = ()) -> Session:
        """This session asking fewer services; connections, cache and cassettes stay shared.

        For one question among many: only the session it was made from is closed.

        :param only: ask only these knowledge services; ``exclude``: never these.
        :raises ConfigError: there is no such knowledge service.
        """
        fewer = copy.copy(self)
        fewer.services = narrowed(self.services, only, exclude)
        chosen = tuple(only) or self.settings.only
        excluded = tuple(dict.fromkeys((*self.settings.exclude, *exclude)))
        fewer.settings = replace(self.settings, only=chosen, exclude=excluded)
        return fewer

    def service(self, name: str) -> Service:
        """The service called ``name`` (``ConfigError`` when there is none)."""
        for service in self.services:
            if service.name == name:
                return service
        known = ", ".join(service.name for service in self.services)
        raise ConfigError(f"no service is called {name!r}", hint=f"there are: {known}")

    @property
    def knowledge(self) -> tuple[Service, ...]:
        """The services that answer query edges."""
        return tuple(s for s in self.services if s.role == "knowledge")

    async def metakg(self) -> tuple[MetaKG, tuple[str, ...]]:
        """The meta-knowledge graph of all knowledge services, and what could not be read."""
        return await read_metakg(self._caller(), self.knowledge)

    async def sync_registry(self, url: str | None = None) -> Synced:
        """Fetch the annotated documents of the SmartAPI registry into the cache.

        :param url: another registry than the public one.
        :raises ServiceError: it did not answer; what was fetched before stays.
        """
        folder = store_dir(self.settings, "registry")
        return await sync_registry(self._caller(), folder, url=url)

    def _caller(self) -> Caller:
        return self.net.caller_for(deadline=self.settings.deadline)

    async def check(self) -> dict[str, ServiceCheck]:
        """Call each service that is on once, the cheapest way it has, and say how it answered."""
        caller = self._caller()
        reports = await asyncio.gather(*(check_service(one, caller) for one in self.services))
        return {report.service: report for report in reports}

    async def resolve(self, question: str, *, pins: Mapping[str, str] | None = None) -> Resolution:
        """The entity step alone."""
        return await self.run(question, pins=pins).resolve()

    async def plan(
        self, question: str, *, pins: Mapping[str, str] | None = None, template: str | None = None
    ) -> tuple[QueryPlan, Resolution]:
        """Everything up to, and without, asking the knowledge services."""
        run = self.run(question, pins=pins, template=template)
        return await run.plan(), run.resolution

    async def ask(
        self,
        question: str,
        *,
        pins: Mapping[str, str] | None = None,
        template: str | None = None,
        progress: Progress | None = None,
    ) -> Answer:
        """Answer one question.

        :param pins: mention → CURIE, over what the recogniser would find.
        :param template: force one query-graph template by its id.
        :param progress: called with one line for each step, for a terminal.
        :raises FedragError: ``EntityError``, ``PlanError``, ``ServiceError`` (an entity service is
            down), ``OfflineError``; with ``strict`` also ``CitationError`` and ``ServiceError``,
            which then carry the answer in ``.answer``.
        """
        run = self.run(question, pins=pins, template=template, progress=progress)
        self._last = await self._kept(run)
        return self._last

    async def _kept(self, run: Run) -> Answer:
        """The answer of a run, or its failure, after it was written to the log of runs."""
        if self._keeper is None:
            return await run.answer()
        from fedrag.runs import Asked

        asked = Asked(run.question, self.settings, run.pins, run.template, run.timings)
        try:
            answer = await run.answer()
        except Exception as error:
            await self._keeper.failed(asked, error)
            raise
        return await self._keeper.answered(asked, answer)

    async def query(
        self,
        query: Any,
        *,
        trapi: TrapiVersion = "1.5",
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> QueryAnswer:
        """Answer one TRAPI query graph; ``.response`` of the result is the TRAPI response.

        :param query: decoded JSON (a whole query, a message, or a bare query graph), its text, or
            a :class:`fedrag.query.QueryRequest`.
        :param trapi: the version of the response: 1.5, 1.6 or 2.0. Queries of 1.4 to 2.0 are read.
        :param limits: what is cut, by rank, when there is too much.
        :param progress: called with one line for each call, for a terminal.
        :raises ConfigError: the query is not as TRAPI says; the message names the place.
        :raises PlanError: it cannot be answered, or no service can serve one of its edges.
        :raises OfflineError: a replay that does not hold a call.
        """
        from fedrag.query import Desk as QueryDesk
        from fedrag.query import Limits, answer_query, as_request

        request = as_request(query)
        seconds = self.settings.deadline
        if request.timeout is not None:
            seconds = min(seconds, request.timeout)
        desk = QueryDesk(
            caller=self.net.caller_for(deadline=seconds),
            normalizer=self.service("nodenorm"),
            resolver=self.service("nameres"),
            knowledge=self.knowledge,
            taxon=self.settings.taxon,
            limits=limits or Limits(),
            version=trapi,
            notes=_stale(request.bypass_cache, stored=self._cache is not None),
            store_notes=self._store_notes(),
        )
        return await answer_query(request, desk, progress=progress)

    def run(
        self,
        question: str,
        *,
        pins: Mapping[str, str] | None = None,
        template: str | None = None,
        progress: Progress | None = None,
        keep: Callable[[Edge], bool] | None = None,
    ) -> Run:
        """One question's run, not yet begun: for callers that need its stages one by one.

        :param keep: edges it refuses are dropped as they arrive, as if never returned.
        """
        pinned = _pins(pins)
        _check_text(question)
        if self._recording:
            self._recording.add_question(question)
        desk = Desk(
            settings=self.settings,
            caller=self._caller(),
            resolver=self.service("nameres"),
            normalizer=self.service("nodenorm"),
            knowledge=self.knowledge,
            embeddings=Blobs(self._cache) if self._cache else None,
            store_notes=self._store_notes(),
            recorded=self.recorded,
        )
        return Run(question, desk, pinned, template=template, progress=progress, keep=keep)


def _recordable(service: Service) -> Service:
    """Off in a recording where the licence keeps answers out: a replay could not have them."""
    if service.share or not service.enabled:
        return service
    why = "its licence keeps its answers out of recordings; ask it without --record"
    return replace(service, enabled=False, why_off=why)


def _as_recorded(service: Service, recording: Cassette) -> Service:
    """Off in a replay when it was off, or not there, when the recording was made."""
    if service.role != "knowledge":
        return service
    if why := recording.why_off(service.name):
        return replace(service, enabled=False, why_off=why)
    if service.auth and service.name not in recording.services:
        return replace(service, missing_key=service.auth.env)  # there was none then
    return service


def _stale(bypass: bool, *, stored: bool) -> tuple[str, ...]:
    if bypass and stored:
        return ("bypass_cache: answers may come from the cache of calls; --no-cache turns it off",)
    return ()


def _settings(settings: Settings | None, config: Path | None, over: dict[str, Any]) -> Settings:
    known = {f.name for f in fields(Settings)}
    if unknown := sorted(over.keys() - known):
        raise ConfigError(
            f"there is no option {unknown[0]!r}", hint=f"there are: {', '.join(sorted(known))}"
        )
    given = {key: value for key, value in over.items() if value is not None}
    if settings is None:
        return load_settings(given, path=config)
    from fedrag.config_sources import from_arguments

    return checked(replace(settings, **from_arguments(given)))


def _path(name: str, value: object) -> str | Path | None:
    if value is None or isinstance(value, str | Path):
        return value
    raise ConfigError(f"{name} must be a path or a name, not {value!r}")


def _check_text(question: object) -> None:
    if not isinstance(question, str):
        return  # the run says so
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(
            "the question holds bytes that are no characters",
            hint="write it in the encoding of the terminal, best UTF-8",
        ) from error


def _pins(pins: object) -> Mapping[str, str]:
    """Mentions and what they are, of the right types or refused."""
    if pins is None:
        return {}
    texts = isinstance(pins, Mapping) and all(
        isinstance(i, str) for one in pins.items() for i in one
    )
    if not texts:
        raise ConfigError(
            f"pins must map mentions to CURIEs, not {pins!r}",
            hint='as in pins={"hypertension": "MONDO:0005044"}',
        )
    return cast(Mapping[str, str], pins)


def cassette_path(named: str | Path) -> Path:
    """A cassette's file or folder: a path that exists, else one that ships under that name."""
    from fedrag.resources import cassettes_dir

    path = Path(named)
    if path.exists():
        return path
    shipped = cassettes_dir() / f"{named}.json"
    if shipped.is_file():
        return shipped
    known = ", ".join(sorted(p.stem for p in cassettes_dir().glob("*.json")))
    raise ConfigError(
        f"no cassette is called {str(named)!r}", hint=f"name a file, a folder, or one of: {known}"
    )
