"""``fedrag serve`` as a process: where it listens, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fedrag.web import require

TOKEN = "a-token-of-twenty-four-x"


@contextmanager
def serving(*arguments: str, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "fedrag", "serve", "--replay", "demo", "--port", "0", "--json"]
    with subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    ) as process:
        try:
            assert process.stdout is not None
            told = "".join(iter(process.stdout.readline, "}\n")) + "}"
            yield process, json.loads(told)["url"]
        finally:
            process.kill()


def fails(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fedrag", "serve", "--replay", "demo", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environ},
    )


def get(url: str, **headers: str) -> tuple[int, Any]:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_it_serves_on_loopback_until_it_is_interrupted() -> None:
    with serving() as (process, url):
        assert url.startswith("http://127.0.0.1:")
        assert get(f"{url}health") == (200, {"status": "ok", "under_way": 0, "waiting": 0})
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert (process.returncode, said) == (0, "")


def test_with_a_token_only_those_who_show_it_may_ask(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    with serving("--host", "0.0.0.0", "--token-file", str(file)) as (_, url):
        local = url.replace("0.0.0.0", "127.0.0.1")
        assert get(f"{local}services")[0] == 401
        assert get(f"{local}services", Authorization=f"Bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--host", "0.0.0.0"), "so a token is wanted"),
        (("--host", "no.such.host.invalid"), "so a token is wanted"),
        (("--token-file", "nowhere"), "cannot be read"),
        (("--port", "70000"), "70000 is not in the range"),
        (("--record", "x.json"), "a replay makes no calls"),
        (("--only", "nobody"), "no service is called 'nobody'"),
    ],
)
def test_what_cannot_be_served_says_why(arguments: tuple[str, ...], says: str) -> None:
    done = fails(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_port_that_is_taken_says_so() -> None:
    with serving() as (_, url):
        port = url.rstrip("/").rpartition(":")[2]
        done = fails("--port", port)
    assert done.returncode == 2
    assert f"127.0.0.1:{port} cannot be used" in done.stderr


def test_a_token_that_is_too_short_is_never_shown() -> None:
    done = fails(FEDRAG_TOKEN="hunter2")
    assert done.returncode == 2
    assert "at least 16" in done.stderr
    assert "hunter2" not in done.stderr


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from fedrag.errors import ConfigError

    monkeypatch.setattr("fedrag.web.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="needs starlette") as raised:
        require()
    assert raised.value.hint == "pip install 'fedrag-bio[web]'"
