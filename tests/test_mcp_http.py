"""The MCP server over streamable HTTP, as a process of its own: clients, and who is kept out."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from federated import flags
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_support import QUESTION, cancelled_while_asking, over_http

from fedrag.cli.main import cli
from fedrag.errors import ConfigError
from fedrag.mcp.http import PATH, create_app
from fedrag.testing import Federation
from fedrag.tools import Toolbox
from fedrag.web.server import binding

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
TOKEN = "a-token-of-the-test"


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation() as federation:
        yield federation


@pytest.fixture(scope="module")
def address(world: Federation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on loopback that asks the federation."""
    folder = tmp_path_factory.mktemp("mcp")
    with over_http(folder, *flags(world), "--no-cache") as url:
        yield url


@pytest.fixture(autouse=True)
def _healthy(world: Federation) -> Iterator[None]:
    yield
    world.heal()


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_asks_opens_and_hears_of_progress(address: str, mode: Mode) -> None:
    heard: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with Client(address, mode=mode) as client:
        told = await client.call_tool("ask", {"question": QUESTION}, progress_callback=progress)
        assert told.structured_content["name"] == "ABL1"
        assert told.structured_content["mode"] == "live"
        assert heard == ["recognising entities", "bte: drug – target"]
        asked = {"run": told.structured_content["run"], "id": "E1"}
        shown = await client.call_tool("evidence", asked)
        assert shown.structured_content["key"] == "E1"
        wrong = await client.call_tool("evidence", {**asked, "id": "E99"})
        assert wrong.is_error
        assert wrong.structured_content["error"]["code"] == "not_found"


async def test_evidence_of_a_run_is_there_for_the_next_client(address: str) -> None:
    async with Client(address) as first:
        told = (await first.call_tool("ask", {"question": QUESTION})).structured_content
    async with Client(address) as second:
        shown = await second.call_tool("evidence", {"run": told["run"], "id": "E1"})
    assert shown.structured_content["sentence"] == told["evidence"][0]["sentence"]


async def test_each_session_opens_a_key_of_its_own_answers(address: str) -> None:
    async with (
        Client(address, mode="legacy") as first,
        Client(address, mode="legacy") as second,
        Client(address, mode="legacy") as third,
    ):
        asked = [
            (await client.call_tool("ask", {"question": question})).structured_content["run"]
            for client, question in ((first, QUESTION), (second, QUESTION))
        ]
        shown = [
            (await client.call_tool("evidence", {"id": "E1"})).structured_content
            for client in (first, second, third)
        ]
    assert [one["run"] for one in shown[:2]] == asked
    assert shown[2]["error"]["code"] == "not_found"


@pytest.mark.parametrize("headers", [{}, {"mcp-session-id": "mine"}])
async def test_where_there_are_no_sessions_a_key_wants_its_run(
    address: str, headers: dict[str, str]
) -> None:
    async with (
        httpx2.AsyncClient(headers=headers) as web,
        Client(streamable_http_client(address, http_client=web)) as client,
    ):
        assert "passing the `run`" in str(client.instructions)
        told = await client.call_tool("ask", {"question": QUESTION})
        edge = told.structured_content["evidence"][0]["edges"][0]
        for wanted in ("E1", edge):
            shown = await client.call_tool("evidence", {"id": wanted})
            assert shown.is_error
            assert shown.structured_content["error"]["code"] == "invalid_arguments"
            assert "give run" in shown.structured_content["error"]["remedy"]


async def test_many_calls_at_once_each_have_their_own_result(address: str) -> None:
    found: dict[str, str] = {}

    async def one(client: Client, name: str) -> None:
        told = await client.call_tool("resolve", {"text": name})
        found[name] = told.structured_content["entities"][0]["name"]

    names = ["imatinib", "KIT", "ABL1", "PDGFRA", "Tardive dyskinesia", "Hydrochlorothiazide"]
    async with Client(address) as client, anyio.create_task_group() as tasks:
        for name in names:
            tasks.start_soon(one, client, name)
    assert found == {name: name for name in names}


@pytest.mark.parametrize("mode", MODES)
async def test_cancelling_a_call_cancels_the_calls_of_services(
    address: str, world: Federation, mode: Mode
) -> None:
    world.fault("bte", "hang", path="/query")
    before = len(world.calls_of("bte", "/query"))
    async with Client(address, mode=mode) as client:
        await cancelled_while_asking(client, world)
        with anyio.fail_after(20):
            while len(world.calls_of("bte", "/query")) == before:
                await anyio.sleep(0.02)
        assert [call.status for call in world.calls_of("bte", "/query")[before:]] == [None]
        world.heal()
        told = await client.call_tool("ask", {"question": QUESTION})
        assert told.structured_content["name"] == "ABL1"


async def test_calls_are_recorded_when_the_server_is_ended(
    tmp_path: Path, world: Federation
) -> None:
    cassette = tmp_path / "made.json"
    with over_http(tmp_path, *flags(world), "--no-cache", "--record", str(cassette)) as url:
        async with Client(url) as client:
            await client.call_tool("ask", {"question": QUESTION})
    assert QUESTION in cassette.read_text()


# --- who is kept out ----------------------------------------------------------------------------


def _post(address: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    """One plain request; (status, body)."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
    every = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    try:
        connection.request("POST", parts.path, body, every)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def _hello() -> bytes:
    params: dict[str, Any] = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }
    told = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    return json.dumps(told).encode()


def test_a_plain_client_gets_in(address: str) -> None:
    status, body = _post(address, _hello())
    assert status == 200
    assert b'"name":"fedrag"' in body


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Host": "evil.example:80", "Origin": "http://evil.example:80"},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_pages_of_other_sites_are_refused(address: str, headers: dict[str, str]) -> None:
    status, body = _post(address, _hello(), **headers)
    assert status == 403
    assert b"fedrag" not in body


def test_bodies_that_are_too_large_or_no_json_are_refused(address: str) -> None:
    assert _post(address, b"x" * 5_000_000)[0] == 413
    assert _post(address, b"{")[0] == 400
    assert _post(address, b"[" * 100_000)[0] == 400
    assert _post(address, _hello(), Content_Type="text/plain")[0] == 400
    assert _post(address, _hello())[0] == 200  # and the server is still there


async def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fedrag.mcp.http._BODY_SECONDS", 0.05)
    sent: list[Any] = []
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> Any:
        if (part := next(parts, None)) is None:
            await anyio.sleep_forever()
        return part

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", b"90")]
    scope = {"type": "http", "method": "POST", "path": PATH, "headers": headers}
    async with Toolbox(replay="demo") as box:
        with anyio.fail_after(5):
            await create_app(box, binding("127.0.0.1", None))(scope, receive, send)
    assert sent[0]["status"] == 408
    assert b"did not come within" in sent[1]["body"]


def test_every_name_of_the_service_is_let_in_and_no_other(tmp_path: Path) -> None:
    with over_http(tmp_path, "--replay", "demo", "--allow-host", "Fedrag.example") as url:
        port = urlsplit(url).port
        for name in ("127.0.0.1", "LOCALHOST", "[::1]", "fedrag.example", "FEDRAG.Example"):
            for host in (name, f"{name}:{port}", f"{name}:443"):
                assert _post(url, _hello(), Host=host)[0] == 200, host
                assert _post(url, _hello(), Host=host, Origin=f"http://{host}")[0] == 200, host
        for host in ("evil.example", "fedrag.example.evil", "fedrag.example@evil", ""):
            assert _post(url, _hello(), Host=host)[0] == 403, host


@pytest.mark.parametrize(
    "flag", ["--host=127.0.0.1", "--port=8750", "--token-file=t", "--allow-host=x"]
)
@pytest.mark.parametrize("transport", [[], ["--transport", "stdio"]])
def test_flags_of_http_are_a_usage_error_over_stdio(transport: list[str], flag: str) -> None:
    done = CliRunner().invoke(cli, ["mcp", "--replay", "demo", *transport, flag])
    assert done.exit_code == 2
    assert f"{flag.partition('=')[0]}: only with --transport http" in done.output


def test_elsewhere_than_on_loopback_a_token_is_needed_to_start() -> None:
    done = CliRunner().invoke(cli, ["mcp", "--transport", "http", "--host", "0.0.0.0", "--port=0"])
    assert isinstance(done.exception, ConfigError)
    assert "a token is wanted" in str(done.exception)
    assert "--token-file" in str(done.exception.hint)


async def test_elsewhere_everybody_shows_the_token(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    arguments = ("--host", "0.0.0.0", "--token-file", str(file), "--replay", "demo")
    with over_http(tmp_path, *arguments) as url:
        url = url.replace("0.0.0.0", "127.0.0.1")
        for shown in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
            assert _post(url, _hello(), **shown)[0] == 401
        headers = {"Authorization": f"Bearer {TOKEN}"}
        assert _post(url, _hello(), **headers, Origin="https://evil.example")[0] == 403
        async with (
            httpx2.AsyncClient(headers=headers) as web,
            Client(streamable_http_client(url, http_client=web)) as client,
        ):
            told = await client.call_tool("ask", {"question": QUESTION})
            assert told.structured_content["name"] == "ABL1"
    assert TOKEN not in (tmp_path / "stderr.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--token-file", "/nowhere/token"], "cannot be read"),
        (["--token-file", "/dev/null"], "at least 16"),
        (["--host", "127.0.0.1.invalid"], "a token is wanted"),
    ],
)
def test_what_cannot_be_served_is_told(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(cli, ["mcp", "--transport", "http", "--replay", "demo", *arguments])
    assert isinstance(done.exception, ConfigError)
    assert words in str(done.exception)
    assert done.stdout == ""


def test_a_port_that_does_not_exist_is_a_usage_error() -> None:
    done = CliRunner().invoke(cli, ["mcp", "--transport", "http", "--port", "99999"])
    assert done.exit_code == 2
    assert "65535" in done.output


def test_a_port_that_is_taken_is_told(address: str) -> None:
    port = str(urlsplit(address).port)
    done = CliRunner().invoke(cli, ["mcp", "--transport", "http", "--replay=demo", "--port", port])
    assert isinstance(done.exception, ConfigError)
    assert f":{port} cannot be used" in str(done.exception)


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [n for n in sys.modules if n.startswith("fedrag.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [n for n in sys.modules if n == "mcp" or n.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = CliRunner().invoke(cli, ["mcp", "--replay", "demo"])
    assert isinstance(done.exception, ConfigError)
    assert "fedrag-bio[mcp]" in str(done.exception.hint)
