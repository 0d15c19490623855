"""Faults that only a real socket has: resets, slow drips, TLS, compression; and the closed net."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
from pathlib import Path

import pytest
import trustme
from net_support import at, raw_server, read_request

from fedrag.errors import ServiceTimeoutError, TruncatedError, UnavailableError
from fedrag.net import Endpoint, Net, Reply
from fedrag.net.failures import _chain

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


async def get(endpoint: Endpoint) -> Reply:
    async with Net() as net:
        return await net.caller_for(deadline=20).send(endpoint, "GET", "/x")


async def test_a_real_answer_arrives() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, body = await read_request(reader)
        echo = b'{"head": %d, "body": %s}' % (head.count(b"\r\n"), body)
        writer.write(HEAD + b"content-length: %d\r\n\r\n" % len(echo) + echo)
        await writer.drain()

    async with raw_server(answer) as endpoint, Net() as net:
        reply = await net.caller_for().send(endpoint, "POST", "/x", json=[1])
    assert reply.json()["body"] == [1]
    assert reply.headers == {"content-type": "application/json"}


async def test_a_connection_reset_in_the_body_is_tried_again() -> None:
    connections = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await read_request(reader)
        if connections == 1:
            writer.write(HEAD + b"content-length: 100\r\n\r\n[1,")
            await writer.drain()
            writer.transport.abort()
        else:
            writer.write(HEAD + b"content-length: 3\r\n\r\n[1]")
            await writer.drain()

    async with raw_server(answer) as endpoint:
        assert (await get(at(endpoint, retries=1))).json() == [1]
    assert connections == 2


async def test_a_connection_that_is_always_reset_is_unavailable() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD + b"content-length: 100\r\n\r\n[1,")
        await writer.drain()
        writer.transport.abort()

    async with raw_server(answer) as endpoint:
        with pytest.raises(UnavailableError, match=r"could not be reached at 127\.0\.0\.1:\d+"):
            await get(endpoint)


async def test_a_slow_drip_ends_with_the_timeout_though_every_byte_is_in_time() -> None:
    dripped = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal dripped
        await read_request(reader)
        writer.write(HEAD + b"content-length: 1000\r\n\r\n")
        for _ in range(1000):
            writer.write(b" ")
            await writer.drain()
            dripped += 1
            await asyncio.sleep(0.05)

    async with raw_server(answer) as endpoint:
        with pytest.raises(ServiceTimeoutError, match=r"did not answer within 0\.3 s"):
            await get(at(endpoint, timeout=0.3))
    assert 1 <= dripped < 1000


async def test_nobody_listening_is_unavailable() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with raw_server(answer) as endpoint:
        gone = endpoint
    with pytest.raises(
        UnavailableError, match=r"raw could not be reached at 127\.0\.0\.1:\d+: Connection refused"
    ):
        await get(gone)


@pytest.mark.parametrize("announced", [True, False])
async def test_an_endless_answer_is_refused_early(announced: bool) -> None:
    sent = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await read_request(reader)
        length = b"content-length: 60000000\r\n" if announced else b"connection: close\r\n"
        writer.write(HEAD + length + b"\r\n")
        for _ in range(600):
            writer.write(b" " * 100_000)
            await writer.drain()
            sent += 100_000

    async with raw_server(answer) as endpoint:
        with pytest.raises(TruncatedError, match="more than 1,000,000 bytes"):
            await get(at(endpoint, max_bytes=1_000_000))
    assert sent < 60_000_000


async def test_the_limit_is_on_what_a_small_packed_answer_unpacks_to() -> None:
    packed = gzip.compress(b" " * 50_000_000)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        length = b"content-length: %d\r\n" % len(packed)
        writer.write(HEAD + b"content-encoding: gzip\r\n" + length + b"\r\n" + packed)
        await writer.drain()

    assert len(packed) < 100_000
    async with raw_server(answer) as endpoint:
        with pytest.raises(TruncatedError):
            await get(at(endpoint, max_bytes=1_000_000))


async def test_a_server_that_speaks_no_tls_is_called_so() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    async with raw_server(answer) as endpoint:
        secure = at(endpoint, base_url=endpoint.base_url.replace("http:", "https:"))
        with pytest.raises(UnavailableError, match="TLS with 127"):
            await get(secure)


async def test_a_certificate_for_another_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("bte.example.org").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)

    async with raw_server(answer, ssl=context) as endpoint:
        with pytest.raises(UnavailableError, match=r"TLS with 127.* failed: .*not valid for"):
            await get(endpoint)


async def test_the_suite_cannot_reach_beyond_this_machine() -> None:
    with pytest.raises(OSError, match=r"^test tried to reach 192\.0\.2\.1$"):
        socket.create_connection(("192.0.2.1", 443), timeout=5)
    with pytest.raises(UnavailableError) as caught:
        await get(Endpoint("far", "http://192.0.2.1", trusted=True, retries=0, timeout=5.0))
    assert any("test tried to reach" in repr(link) for link in _chain(caught.value))


async def test_this_machine_is_never_asked_for_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD + b"content-length: 2\r\n\r\n[]")
        await writer.drain()

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, _ = await read_request(reader)
        seen.append(head.split(b"\r\n")[0])
        writer.write(HEAD + b"content-length: 3\r\n\r\n[1]")
        await writer.drain()

    seen: list[bytes] = []
    async with raw_server(answer) as endpoint, raw_server(proxy) as through:
        monkeypatch.setenv("HTTP_PROXY", through.base_url)
        monkeypatch.setenv("http_proxy", through.base_url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert (await get(endpoint)).json() == []
        assert seen == []
        far = Endpoint("far", "http://far.example.org", trusted=True, retries=0)
        assert (await get(far)).json() == [1]
        assert seen == [b"GET http://far.example.org/x HTTP/1.1"]
