"""Who is let in, and what a client that means no good meets."""

from __future__ import annotations

import base64
import json
import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from web_api_support import IMATINIB, JSON, Served, demo, read_all, wait_until

from fedrag.errors import ConfigError
from fedrag.web import server
from fedrag.web.bodies import BodyGuard
from fedrag.web.server import binding, read_token

TOKEN = "a-token-of-twenty-four-x"
ASK = json.dumps({"question": IMATINIB}).encode()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with demo() as running:
        yield running


@pytest.fixture(scope="module")
def locked() -> Iterator[Served]:
    with demo(token=TOKEN, hosts=()) as running:
        yield running


def head(length: int | str, *lines: str) -> bytes:
    sent = [
        "POST /ask HTTP/1.1",
        "host: 127.0.0.1",
        f"content-type: {JSON}",
        f"content-length: {length}",
    ]
    return "\r\n".join([*sent, *lines, "", ""]).encode()


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def still_answers(served: Served) -> None:
    assert served.get("/health").json()["status"] == "ok"


# --- names and origins --------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1:1", "[::1]:8000"])
def test_loopback_names_are_answered(served: Served, host: str) -> None:
    assert served.get("/health", host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "[", "a/b"]
)
def test_a_name_pointed_here_by_another_site_is_not_answered(served: Served, host: str) -> None:
    reply = served.get("/health", host=host)
    assert (reply.status, reply.error()["kind"]) == (403, "RequestError")


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://127.0.0.1/health", 200),
        ("HTTP://localhost:8000/health?x=1", 200),
        ("https://127.0.0.1/nowhere", 404),
        ("http://127.0.0.1", 200),
        ("http://evil.example/health", 403),  # what the target says stands over the Host header
        ("http://[/health", 404),
    ],
)
def test_a_target_in_absolute_form_is_its_path_and_its_host(
    served: Served, target: str, status: int
) -> None:
    head = f"GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    assert served.raw(head.encode()).startswith(b"HTTP/1.1 %d " % status)


def test_two_host_headers_are_refused(served: Served) -> None:
    sent = b"GET /health HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n"
    assert status(served.raw(sent)) in (400, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"origin": "file://"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "cors"},
        {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors"},
    ],
)
def test_what_another_sites_page_sends_is_refused(served: Served, headers: dict[str, str]) -> None:
    for reply in (
        served.post("/ask", {"question": IMATINIB}, **headers),
        served.get("/services", **headers),
    ):
        assert reply.status == 403
        assert "another site" in reply.error()["message"]


def test_the_own_page_and_a_link_from_elsewhere_are_welcome(served: Served) -> None:
    own = {"origin": f"http://127.0.0.1:{served.port}", "sec_fetch_site": "same-origin"}
    assert served.post("/ask", {"question": IMATINIB}, **own).status == 200
    visit = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert served.get("/", sec_fetch_dest="document", **visit).status == 200
    assert served.get("/", sec_fetch_dest="iframe", **visit).status == 403


def test_no_other_site_may_read_an_answer(served: Served) -> None:
    asked = {"access-control-request-method": "POST", "origin": "http://evil.example"}
    for reply in (served.send("OPTIONS", "/ask", None, asked), served.get("/health")):
        assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/health", "/nowhere", "/", "/openapi.json"])
def test_every_answer_has_the_headers_that_keep_a_browser_safe(served: Served, path: str) -> None:
    headers = served.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


# --- the token ----------------------------------------------------------------------------------


def basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"anyone:{password}".encode()).decode()


@pytest.mark.parametrize(
    "shown", [f"Bearer {TOKEN}", f"bearer  {TOKEN}", basic(TOKEN)], ids=["bearer", "case", "basic"]
)
def test_who_shows_the_token_is_let_in(locked: Served, shown: str) -> None:
    reply = locked.post("/ask", {"question": IMATINIB}, authorization=shown, host="any.example")
    assert reply.status == 200


@pytest.mark.parametrize(
    "shown",
    ["", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer", "Basic !!", basic("")],
)
@pytest.mark.parametrize("path", ["/", "/services", "/openapi.json", "/nowhere", "/assets/page.js"])
def test_nobody_else_is(locked: Served, path: str, shown: str) -> None:
    reply = locked.get(path, authorization=shown)
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Basic")
    assert TOKEN.encode() not in reply.body


def test_a_body_is_not_read_of_who_may_not_come_in(locked: Served) -> None:
    with locked.connect() as connection:
        connection.sendall(head(500_000))
        assert status(connection.recv(4_096)) == 401


def test_health_is_open_and_says_no_more_than_that(locked: Served) -> None:
    assert set(locked.get("/health").json()) == {"status", "under_way", "waiting"}


def test_another_address_than_loopback_wants_a_token() -> None:
    for host in ("0.0.0.0", "192.0.2.1", "example.org", "::"):
        with pytest.raises(ConfigError, match="token"):
            binding(host, None)
    assert binding("0.0.0.0", TOKEN).hosts == frozenset()
    assert binding("0.0.0.0", TOKEN, ["Ask.example"]).hosts >= {"ask.example", "localhost"}
    assert binding("::1", None).token is None


def test_a_token_is_read_from_a_file_or_the_environment(tmp_path: Any) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\nsecond line\n")
    assert read_token(file, "another-token-of-the-environment") == TOKEN
    assert read_token(None, TOKEN) == TOKEN
    assert read_token(None, None) is None
    for bad in ("", "short", "with\x00zero-bytes-in-it", "täken-with-umlauts-x"):
        file.write_text(bad)
        with pytest.raises(ConfigError, match="at least 16 plain characters") as raised:
            read_token(file, None)
        assert not bad or bad not in str(raised.value)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_token(tmp_path / "nowhere", None)


# --- bodies -------------------------------------------------------------------------------------


def test_a_body_of_five_megabytes_is_refused_with_a_clear_answer(served: Served) -> None:
    reply = served.send("POST", "/ask", b"x" * 5_000_000, {"content-type": JSON})
    assert (reply.status, reply.error()["message"]) == (
        413,
        "the body is larger than 1,000,000 bytes",
    )
    told = served.send("POST", "/query", b"x" * 5_000_000, {"content-type": JSON})
    assert (told.status, told.json()["status"]) == (413, "RequestError")
    assert told.json()["message"]["results"] is None


def test_a_body_without_an_announced_length_is_counted(served: Served) -> None:
    part = b"%x\r\n" % 300_000 + b"x" * 300_000 + b"\r\n"
    sent = b"POST /ask HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    assert status(served.raw(sent + part * 4 + b"0\r\n\r\n")) == 413
    still_answers(served)


def test_a_client_that_asks_first_is_not_let_send_too_much(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(head(5_000_000, "expect: 100-continue"))
        assert status(read_all(connection)) == 413


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with demo() as served:
        _guard(served).seconds = 0.3
        with served.connect() as connection:
            connection.sendall(head(100) + b'{"que')
            assert status(read_all(connection)) == 408
        with served.connect() as connection:
            connection.sendall(head(len(ASK)))
            answer = b""
            for byte in ASK:  # one by one: each is in time, together they are not
                try:
                    connection.sendall(bytes([byte]))
                except OSError:
                    break
                time.sleep(0.02)
            answer = _rest(connection)
        assert status(answer) in (0, 408)
        still_answers(served)


def test_all_bodies_together_have_a_bound() -> None:
    with demo() as served:
        guard = _guard(served)
        guard.together = 1_000
        with served.connect() as first:
            first.sendall(head(900) + b"x" * 800)
            wait_until(lambda: guard.held == 800)
            refused = served.post("/ask", {"question": "x" * 300})
            assert (refused.status, refused.headers["retry-after"]) == (503, "1")
            assert served.post("/ask", {"question": IMATINIB}).status == 200
        wait_until(lambda: guard.held == 0)
        assert served.post("/ask", {"question": "x" * 300}).status != 503


def _rest(connection: socket.socket) -> bytes:
    try:
        return read_all(connection)
    except ConnectionError:
        return b""


def _guard(served: Served) -> BodyGuard:
    served.get("/health")  # the middlewares are built with the first request
    layer: Any = served.app.middleware_stack
    while not isinstance(layer, BodyGuard):
        layer = layer.app
    return layer


# --- heads and connections ----------------------------------------------------------------------


def test_a_head_that_does_not_come_is_not_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.2)
    with served.connect() as silent, served.connect() as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nhost: ")
        assert status(read_all(silent)) == 408
        assert status(read_all(slow)) == 408
    with served.connect() as again:  # on a connection that was good once
        again.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert status(again.recv(4_096)) == 200
        again.sendall(b"GET /he")
        assert status(read_all(again)) == 408
    wait_until(lambda: served.connections == 0)


def test_a_request_under_way_is_not_taken_for_a_late_head(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.2)
    with served.connect() as connection:
        connection.sendall(head(len(ASK)))
        time.sleep(0.5)
        connection.sendall(ASK)
        assert status(connection.recv(4_096)) == 200


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        (b"\x00\x01\x02\xff" * 100 + b"\r\n\r\n", (400,)),
        (b"GET / HTTP/9.9\r\n\r\n", (400, 403)),
        (b"GET /\r\n\r\n", (400, 403)),
        (b"POST /ask HTTP/1.1\r\nhost: localhost\r\ncontent-length: -5\r\n\r\n", (400,)),
        (b"POST /ask HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1, 2\r\n\r\n", (400,)),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 100_000 + b"\r\n\r\n", (400, 431)),
        (b"GET /?q=" + b"y" * 40_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n", (400, 431)),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"z" * 500 + b"\r\n\r\n", (400,)),
    ],
    ids=[
        "bytes",
        "version",
        "no version",
        "negative",
        "two lengths",
        "large head",
        "long address",
        "tls",
    ],
)
def test_what_is_no_http_is_refused(served: Served, sent: bytes, refused: tuple[int, ...]) -> None:
    with served.connect() as connection:
        connection.sendall(sent)
        assert status(connection.recv(65_536)) in refused
    still_answers(served)


def test_more_connections_than_there_may_be_are_told_so(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until(lambda: served.connections == 0)
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    with served.connect() as one, served.connect() as two:
        wait_until(lambda: served.connections == 2)
        with served.connect() as third:
            answer = read_all(third)
        assert status(answer) == 503
        assert re.search(rb'"kind":"BusyError"', answer)
        for connection in (one, two):
            connection.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert status(connection.recv(4_096)) == 200


def test_an_answer_that_nobody_reads_is_given_up(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "UNREAD_SECONDS", 0.2)
    wait_until(lambda: served.connections == 0)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", served.port))
        asked = b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
        connection.sendall(asked * 200)  # some megabytes of answers
        wait_until(lambda: served.connections == 0)
    still_answers(served)
