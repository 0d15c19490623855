"""The MCP server over stdio: the SDK's own client starts it as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from federated import flags
from mcp_support import QUESTION, cancelled_while_asking, command, environment, over_stdio

from fedrag.testing import Federation

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")  # both generations of the protocol


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation() as federation:
        yield federation


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_lists_calls_and_hears_of_progress(tmp_path: Path, mode: Mode) -> None:
    heard: list[tuple[float, str | None]] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async with over_stdio(tmp_path, "--replay", "demo", mode=mode) as client:
        assert client.server_info is not None
        assert client.server_info.name == "fedrag"
        assert "citing evidence" in str(client.instructions)
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["ask", "evidence", "resolve", "services"]
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        assert all(tool.output_schema for tool in tools)

        told = await client.call_tool("ask", {"question": QUESTION}, progress_callback=progress)
        assert not told.is_error
        assert told.structured_content["name"] == "ABL1"
        assert json.loads(told.content[0].text) == told.structured_content  # type: ignore[union-attr]
        assert heard == [(1, "recognising entities"), (2, "bte: drug – target")]

        asked = {"run": told.structured_content["run"], "id": "E2"}
        shown = await client.call_tool("evidence", asked)  # the client checks the output schema
        assert shown.structured_content["edges"][0]["primary_source"] == "infores:drugmechdb"
        found = await client.call_tool("resolve", {"text": "imatinib"})
        assert found.structured_content["entities"][0]["name"] == "imatinib"
        listed = await client.call_tool("services", {})
        assert len(listed.structured_content["services"]) > 20

        for name, given, code in (
            ("asks", {}, "unknown_tool"),
            ("ask", {}, "invalid_arguments"),
            ("ask", {"question": ["x"]}, "invalid_arguments"),
            ("ask", {"question": "x" * 5_000_000}, "invalid_arguments"),
            ("ask", {"question": "What are the targets of zorbalixinib?"}, "entity_unresolved"),
        ):
            wrong = await client.call_tool(name, given)
            assert wrong.is_error
            assert wrong.structured_content["error"]["code"] == code


@pytest.mark.parametrize("mode", MODES)
async def test_cancelling_a_call_cancels_the_calls_of_services(
    tmp_path: Path, world: Federation, mode: Mode
) -> None:
    arguments = [*flags(world), "--no-cache"]
    async with over_stdio(tmp_path, *arguments, mode=mode) as client:
        world.fault("bte", "hang", path="/query")
        before = len(world.calls_of("bte", "/query"))
        await cancelled_while_asking(client, world)
        with anyio.fail_after(20):
            while len(world.calls_of("bte", "/query")) == before:
                await anyio.sleep(0.02)
        hung_up = world.calls_of("bte", "/query")[before:]
        assert [call.status for call in hung_up] == [None]  # left without an answer, and not again
        world.heal()
        told = await client.call_tool("ask", {"question": QUESTION})  # and the server goes on
        assert told.structured_content["name"] == "ABL1"


def _line(number: int | None, method: str, **params: Any) -> bytes:
    told = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(told | ({} if number is None else {"id": number})).encode() + b"\n"


def _conversation() -> bytes:
    about = {"name": "test", "version": "0"}
    version = "2025-06-18"
    return b"".join(
        [
            _line(1, "initialize", protocolVersion=version, capabilities={}, clientInfo=about),
            _line(None, "notifications/initialized"),
            b"this is no JSON\n",
            b'{"jsonrpc": "2.0", "id": 7}\n',
            _line(2, "tools/list"),
            _line(3, "tools/call", name="ask", arguments={"question": QUESTION}),
            _line(4, "tools/call", name="ask", arguments="wrong"),
            _line(5, "nothing/like/it"),
        ]
    )


def test_nothing_but_json_rpc_is_on_standard_output(tmp_path: Path) -> None:
    server = subprocess.Popen(
        command("--replay", "demo"),
        env=environment(tmp_path, PYTHONWARNINGS="default"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin
    assert server.stdout
    server.stdin.write(_conversation())
    server.stdin.flush()
    answers: dict[Any, Any] = {}
    while not {1, 2, 3, 4, 5} <= answers.keys():
        message = json.loads(server.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        answers[message.get("id")] = message
    rest, _ = server.communicate(timeout=60)  # standard input is closed: the server ends by itself
    assert rest == b""
    assert server.returncode == 0
    assert answers[3]["result"]["structuredContent"]["name"] == "ABL1"
    assert answers[4]["error"]["code"] == -32602
    assert answers[5]["error"]["code"] == -32601


def test_settings_that_are_wrong_leave_standard_output_empty(tmp_path: Path) -> None:
    done = subprocess.run(
        command("--replay", "nix"),
        env=environment(tmp_path),
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no cassette is called 'nix'" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_though_its_client_still_listens(
    tmp_path: Path, world: Federation, number: signal.Signals
) -> None:
    world.heal()
    cassette = tmp_path / "made.json"
    server = subprocess.Popen(
        command(*flags(world), "--no-cache", "--record", str(cassette)),
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin
    assert server.stdout
    server.stdin.write(_conversation())
    server.stdin.flush()
    while json.loads(server.stdout.readline()).get("id") != 3:
        pass
    server.send_signal(number)
    assert server.wait(timeout=60) == 128 + number
    server.communicate()
    assert QUESTION in cassette.read_text()


async def test_calls_are_recorded_when_the_client_leaves(tmp_path: Path, world: Federation) -> None:
    world.heal()
    cassette = tmp_path / "made.json"
    arguments = [*flags(world), "--no-cache", "--record", str(cassette)]
    async with over_stdio(tmp_path, *arguments) as client:
        await client.call_tool("ask", {"question": QUESTION})
    with anyio.fail_after(20):
        while not cassette.exists():
            await anyio.sleep(0.05)
    assert QUESTION in cassette.read_text()
