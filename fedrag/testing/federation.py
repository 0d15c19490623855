"""A whole federation on this machine, over real HTTP, for tests, recordings and closed worlds.

One uvicorn server in a thread serves every service under a prefix of its own. Faults, latencies and
the model's behaviour may change while it runs.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import uvicorn
from starlette.routing import Mount, Router

from fedrag.config import ServiceConfig
from fedrag.errors import ConfigError, FedragError
from fedrag.metakg import shipped_names
from fedrag.testing.apis import routes_of
from fedrag.testing.apis.cliques import with_cliques
from fedrag.testing.facts import FactBook
from fedrag.testing.faults import Fault, check
from fedrag.testing.llm import LoopbackModel
from fedrag.testing.nameres import NameResolver
from fedrag.testing.nodenorm import NodeNormalizer
from fedrag.testing.shapes import Speaker, Style, Version
from fedrag.testing.trapi import TrapiService
from fedrag.testing.wire import Call, Gate

__all__ = ["INFORES", "Federation", "Trapi"]

INFORES = "infores:fedrag-testing"  # of no live service, so that nobody takes it for one


@dataclass(frozen=True, slots=True)
class Trapi:
    """How one TRAPI service is set up. ``facts`` are the federation's own when not given."""

    facts: FactBook | None = None
    infores: str = INFORES
    version: Version = "1.5"
    style: Style = "asked"
    expand: bool = False
    max_results: int = 5000


class Federation:
    """Node Normalizer, Name Resolver, TRAPI services and a language model, as a context manager.

    :param facts: what the services know; the demo's facts when not given.
    :param trapi: further TRAPI services, or another ``bte``, by name.
    :param kps: how many more TRAPI services (``kp1``, ``kp2``, ...) over the same facts.
    :param apis: annotated services that are stood in for, by name (``fedrag.testing.apis.APIS``);
        with them, the entity services know what their facts speak of.
    :param latency: seconds that every service waits before it answers.
    :param port: the port; a free one when 0. Only this machine can reach it.

    >>> with Federation() as federation:
    ...     federation.base_urls["bte"].startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        facts: FactBook | None = None,
        *,
        trapi: Mapping[str, Trapi] | None = None,
        kps: int = 0,
        apis: Collection[str] = (),
        latency: float = 0.0,
        port: int = 0,
    ) -> None:
        self.facts = facts if facts is not None else FactBook.demo()
        self.llm = LoopbackModel()
        self.calls: list[Call] = []
        numbered = {
            f"kp{i}": Trapi(infores=f"{INFORES}-kp{i}", style="stated") for i in range(1, kps + 1)
        }
        self.trapi: dict[str, Trapi] = {"bte": Trapi(), **numbered, **(trapi or {})}
        self.apis = tuple(apis)
        self.gates = {name: self._gate(name, latency) for name in self._names()}
        self._port = port
        self._server: _Server | None = None

    def _names(self) -> list[str]:
        return ["nodenorm", "nameres", *self.trapi, *self.apis, "llm"]

    def _gate(self, name: str, latency: float) -> Gate:
        return Gate(name, Router(self._routes(name)), self.calls, latency=latency)

    def _routes(self, name: str) -> Any:
        if name == "nodenorm":
            return NodeNormalizer(self._all_facts()).routes()
        if name == "nameres":
            return NameResolver(self._all_facts()).routes()
        if name == "llm":
            return self.llm.routes()
        if name in self.apis:
            return routes_of(name)
        setup = self.trapi[name]
        facts = self.facts if setup.facts is None else setup.facts
        speaker = Speaker(setup.infores, setup.version, setup.style)
        service = TrapiService(facts, speaker, expand=setup.expand, max_results=setup.max_results)
        return service.routes()

    def _all_facts(self) -> FactBook:
        """What the entity services know: the facts of every service, and what the apis speak of."""
        every = self.facts
        for setup in self.trapi.values():
            if setup.facts is not None:
                every = every.merged(setup.facts)
        return with_cliques(every) if self.apis else every

    # --- running ---------------------------------------------------------------------------------

    def __enter__(self) -> Federation:
        self._server = _Server(self._app(), self._port)
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def wait(self) -> None:
        """Serve until interrupted (Ctrl-C)."""
        while self._server is not None:
            time.sleep(1.0)

    def _app(self) -> Router:
        mounts: list[Mount] = []
        for name, gate in self.gates.items():
            mounts += [Mount(f"/{name}/v1", gate), Mount(f"/{name}", gate)]
        return Router(mounts)

    @property
    def base_urls(self) -> dict[str, str]:
        """Where each service is, as ``--base-url NAME=URL`` takes it."""
        if self._server is None:
            raise FedragError("the federation is not running", hint="use it in a with statement")
        root = f"http://127.0.0.1:{self._server.port}"
        plain = ("nodenorm", "nameres", *self.apis)
        return {name: f"{root}/{name}" + ("" if name in plain else "/v1") for name in self.gates}

    def service_configs(self) -> dict[str, ServiceConfig]:
        """The services as settings: the user's own addresses, and no pace.

        What ships and is not stood in for is switched off: nothing outside is ever asked.
        """
        urls = self.base_urls
        others = shipped_names() - {"nodenorm", "nameres", "bte", *self.apis}
        configs = {name: ServiceConfig(enabled=False) for name in others}
        configs |= {name: ServiceConfig(base_url=urls[name]) for name in ("nodenorm", "nameres")}
        for name in self.apis:
            configs[name] = ServiceConfig(base_url=urls[name], per_minute=1_000_000.0)
        for name, setup in self.trapi.items():
            configs[name] = ServiceConfig(
                base_url=urls[name],
                protocol="trapi",
                infores=setup.infores,
                trapi_version=setup.version,
                per_minute=1_000_000.0,
            )
        return configs

    # --- what goes wrong -------------------------------------------------------------------------

    def fault(
        self,
        service: str,
        kind: str,
        *,
        times: int | None = None,
        seconds: float | None = None,
        value: str | None = None,
        path: str | None = None,
    ) -> None:
        """Put a fault in force (see :mod:`fedrag.testing.faults`), after those already there.

        :param times: for so many calls; for all that come when not given.
        :param path: for paths that end so (``"/query"``) only.
        :raises ConfigError: an unknown fault.
        """
        check(kind)
        self.gates[service].faults.append(Fault(kind, times, seconds, value, path))

    def heal(self, service: str | None = None) -> None:
        """End the faults of one service, or of all."""
        for name, gate in self.gates.items():
            if service in (None, name):
                gate.faults.clear()

    def delay(self, seconds: float, *services: str) -> None:
        """Let these services (all, when none is named) wait so long before they answer."""
        for name in services or self.gates:
            self.gates[name].latency = seconds

    def calls_of(self, service: str, path: str = "") -> list[Call]:
        """The calls a service has had, on paths that end so, in the order they were answered."""
        return [c for c in self.calls if c.service == service and c.path.endswith(path)]


class _Server:
    """uvicorn in a thread, on a socket that is bound before it starts."""

    def __init__(self, app: Router, port: int) -> None:
        # The protocol is named because asyncio turns Nagle's delay off only where it is.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
        except OSError as error:
            self._socket.close()
            raise ConfigError(
                f"port {port} cannot be used: {error}", hint="give another, or none for a free one"
            ) from error
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            timeout_graceful_shutdown=1,
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="fedrag-federation", daemon=True)

    def _run(self) -> None:
        self._uvicorn.run(sockets=[self._socket])

    def start(self) -> None:
        """Start, and wait until the socket answers."""
        self._thread.start()
        deadline = time.monotonic() + 10.0
        while not self._uvicorn.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                raise FedragError("the loopback federation did not start")
            time.sleep(0.002)

    def stop(self) -> None:
        """Stop at once; calls in flight are cut."""
        self._uvicorn.should_exit = self._uvicorn.force_exit = True
        self._thread.join(timeout=10.0)
