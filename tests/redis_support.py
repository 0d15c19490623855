"""A real Redis for tests: Debian's ``redis-server`` on a free loopback port, or on a socket."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

BINARY = shutil.which("redis-server") or shutil.which("valkey-server")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class RedisServer:
    """One server process of our own, and what can befall it."""

    def __init__(self, folder: Path, *options: str, password: str = "") -> None:
        self.port = free_port()
        self.password = password
        self.url = f"redis://{f':{password}@' if password else ''}127.0.0.1:{self.port}/0"
        self.socket = folder / "redis.sock"
        secret = ("--requirepass", password) if password else ()
        self._command = [
            *(str(BINARY), "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(folder)),
            *("--save", "", "--appendonly", "no", "--unixsocket", str(self.socket)),
            *(*secret, *options),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(400):
            try:
                self.send("PING")
            except redis.ConnectionError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError("redis-server did not start")

    def stop(self) -> None:
        """End it at once; what it held is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Let it take connections and say nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it speak again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def send(self, *command: Any) -> Any:
        """One command over a connection of its own."""
        with redis.Redis.from_url(self.url, socket_timeout=5, protocol=2) as client:
            return client.execute_command(*command)

    def keys(self, pattern: str = "*") -> list[str]:
        """The keys it holds."""
        return sorted(key.decode() for key in self.send("KEYS", pattern))


@contextmanager
def redis_server(folder: Path, *options: str, password: str = "") -> Iterator[RedisServer]:
    """A running server; the test is skipped where none is installed."""
    if BINARY is None:
        pytest.skip("no redis-server: apt-get install redis-server")
    server = RedisServer(folder, *options, password=password)
    server.start()
    try:
        yield server
    finally:
        server.stop()
