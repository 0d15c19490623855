"""The web service over real HTTP: a server in a thread, and a client that sends what it is told."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from types import TracebackType
from typing import Any

from starlette.applications import Starlette

from fedrag.web import create_app
from fedrag.web.desk import Desk
from fedrag.web.server import listen, server

IMATINIB = "what are the targets of imatinib?"
UNKNOWN = "What are the targets of zorbalixinib?"
NOT_RECORDED = "what are the targets of warfarin?"
JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def error(self) -> dict[str, Any]:
        return dict(self.json()["error"])

    def events(self) -> list[tuple[str, Any]]:
        """The events of a stream: kind and data."""
        parts = [part.split("\n") for part in self.body.decode().split("\n\n") if part]
        fields = [dict(line.split(": ", 1) for line in part) for part in parts]
        return [(field["event"], json.loads(field["data"])) for field in fields]


class Served:
    """An application served on a free port of this machine, as ``fedrag serve`` does it."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self._socket = listen("127.0.0.1", 0)
        self.port: int = self._socket.getsockname()[1]
        self._server = server(app)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    @property
    def desk(self) -> Desk:
        desk: Desk = self.app.state.desk
        return desk

    @property
    def connections(self) -> int:
        return len(self._server.server_state.connections)

    def __enter__(self) -> Served:
        self._thread.start()
        wait_until(lambda: self._server.started)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=15.0)
        self._socket.close()
        assert not self._thread.is_alive()

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, None, headers)

    def post(self, path: str, body: Any, **headers: str) -> Reply:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", path, data, {"content-type": JSON, **headers})

    def send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        """One request; ``_`` in a header's name stands for ``-``."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, told, response.read())
        finally:
            connection.close()

    def connect(self) -> socket.socket:
        """A bare connection, for what no decent client sends."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def raw(self, sent: bytes) -> bytes:
        """All that is answered to some bytes until the connection ends."""
        with self.connect() as connection:
            connection.sendall(sent)
            return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def demo(**options: Any) -> Served:
    """The service over the demo cassette, keeping no runs unless told otherwise."""
    options.setdefault("log", False)
    return Served(create_app(replay="demo", **options))


def wait_until(true: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.005)
