"""``fedrag serve`` as a process: where it listens, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from web_api_support import wait_until

from fedrag.testing import Federation
from fedrag.web import require

TOKEN = "a-token-of-twenty-four-x"


@contextmanager
def serving(
    *arguments: str, mode: Sequence[str] = ("--replay", "demo"), **environ: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "fedrag", "serve", *mode, "--port", "0", "--json"]
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


def test_a_recording_that_cannot_be_written_is_told_at_the_end(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    mode = ("--offline", "--record", str(blocked / "tape.json"))
    with serving(mode=mode) as (process, url):
        assert get(f"{url}health")[0] == 200
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 2
        assert "cannot write the cassette" in said
        assert "Traceback" not in said


@pytest.mark.parametrize(("number", "times"), [(signal.SIGTERM, 1), (signal.SIGINT, 2)])
def test_a_request_under_way_is_told_when_the_service_ends(number: int, times: int) -> None:
    replies: list[tuple[int, dict[str, str], str]] = []
    with Federation() as world, serving(mode=live_at(world)) as (process, url):
        world.fault("bte", "hang", path="/query")
        kinds = ("application/json", "text/event-stream")
        clients = [Thread(target=lambda k=k: replies.append(asked(url, k))) for k in kinds]
        for client in clients:
            client.start()
        wait_until(lambda: get(f"{url}health")[1]["under_way"] > 0)
        for _ in range(times):  # the second time it does not wait for what is under way
            process.send_signal(number)
            time.sleep(0.3)
        _, said = process.communicate(timeout=30)
        for client in clients:
            client.join(timeout=10)
    assert said == ""
    assert process.returncode == (0 if number == signal.SIGINT else -number)
    (_, _, events), (status, headers, body) = sorted(replies, key=lambda reply: reply[0])
    assert (status, headers["retry-after"], headers["connection"]) == (503, "5", "close")
    assert json.loads(body)["error"]["message"] == "the service is being stopped"
    assert events.rpartition("event: ")[2].startswith('error\ndata: {"error":')


def live_at(world: Federation) -> list[str]:
    """The options that ask a loopback federation, and nobody else."""
    moved = [f"--base-url={name}={url}" for name, url in world.base_urls.items()]
    return [*moved, "--services", "bte", "--no-cache", "--no-log"]


def asked(url: str, accept: str) -> tuple[int, dict[str, str], str]:
    """The answer to a question, whichever way it ends."""
    body = json.dumps({"question": "what are the targets of imatinib?"}).encode()
    headers = {"content-type": "application/json", "accept": accept}
    request = urllib.request.Request(f"{url}ask", data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=40) as response:
            return response.status, {}, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            told = {name.lower(): value for name, value in error.headers.items()}
            return error.code, told, error.read().decode()


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
