"""The shared cache: what it keeps, what it forgets, and what a server's troubles cost."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme
import zstandard
from redis_support import RedisServer, free_port, redis_server

from fedrag.config import Settings, checked, load_settings, shown_cache_url
from fedrag.errors import ConfigError, UnavailableError
from fedrag.net import Blobs, Reply
from fedrag.net.redis_link import RedisLink
from fedrag.net.redis_store import RedisCache

SECRET = "hunter2-of-the-cache"


def reply(body: bytes = b'{"a": 1}', *, age: float = 0.0) -> Reply:
    then = datetime.now(UTC) - timedelta(seconds=age)
    when = then.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Reply(200, {"content-type": "application/json"}, body, when, "live", 1.5)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def server(running: RedisServer) -> RedisServer:
    """The running server, empty."""
    running.send("FLUSHALL")
    return running


@pytest.fixture
def cache(server: RedisServer) -> Iterator[RedisCache]:
    cache = RedisCache(RedisLink(server.url))
    yield cache
    cache.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that the test may end."""
    with redis_server(tmp_path) as server:
        yield server


# --- what is kept -------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b'{"a": 1}', b"[]", bytes(range(256)) * 5000, "µ\n\n".encode()])
def test_what_is_kept_comes_back_for_another_worker(
    body: bytes, cache: RedisCache, server: RedisServer
) -> None:
    kept = reply(body)
    cache.put("k", kept)
    other = RedisCache(RedisLink(server.url))
    found = other.get("k", service="bte", key="key")
    other.close()
    assert found is not None
    assert (found.body, found.headers, found.retrieved_at) == (
        body,
        kept.headers,
        kept.retrieved_at,
    )
    assert (found.origin, found.seconds, found.service, found.key) == ("cache", 0.0, "bte", "key")
    assert cache.notes == []


def test_it_lies_compressed_under_fedrags_own_prefix(
    cache: RedisCache, server: RedisServer
) -> None:
    cache.put("k", reply(b"[" + b"0, " * 10_000 + b"0]"))
    assert server.keys() == ["fedrag:calls:k"]
    value = server.send("GET", "fedrag:calls:k")
    assert value.startswith(b"\x28\xb5\x2f\xfd")  # a zstd frame
    assert len(value) < 1000


def test_the_server_forgets_what_is_too_old(server: RedisServer) -> None:
    cache = RedisCache(RedisLink(server.url), max_age=0.3)
    cache.put("k", reply())
    assert cache.get("k") is None or server.send("PTTL", "fedrag:calls:k") <= 300
    time.sleep(0.35)
    assert server.keys() == []
    cache.close()


def test_an_answer_older_than_this_run_accepts_is_a_miss(
    cache: RedisCache, server: RedisServer
) -> None:
    cache.put("k", reply(age=500))
    strict = RedisCache(RedisLink(server.url), max_age=100)
    assert (strict.get("k"), cache.get("k") is None) == (None, False)
    strict.close()


def test_stats_and_clear_touch_nothing_of_others(
    cache: RedisCache, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.redis_store._BATCH", 10)  # so that it takes several pages
    server.send("SET", "somebody else's", "1")
    server.send("SET", "fedrag:pace:x", "1")
    for i in range(60):
        cache.put(f"k{i}", reply(b"[1]" * i))
    cache.get("k1")
    cache.get("absent")
    stats = cache.stats()
    sizes = [server.send("STRLEN", key) for key in server.keys("fedrag:calls:*")]
    assert (stats["answers"], stats["bytes"]) == (60, sum(sizes))
    assert (stats["hits"], stats["misses"]) == (1, 1)
    assert (stats["address"], stats["size_limit"]) == (f"redis://127.0.0.1:{server.port}/0", None)
    assert cache.clear() == 60
    assert server.keys() == ["fedrag:pace:x", "somebody else's"]
    assert (cache.clear(), cache.expire()) == (0, 0)


def test_a_deleted_reply_is_gone_and_a_later_one_replaces_the_earlier(cache: RedisCache) -> None:
    cache.put("k", reply(b"[1]"))
    cache.put("k", reply(b"[2]"))
    found = cache.get("k")
    assert found is not None
    assert found.body == b"[2]"
    cache.delete("k")
    assert cache.get("k") is None


def test_embeddings_are_shared_as_well(cache: RedisCache) -> None:
    Blobs(cache).set("model sentence", b"\x00\x01")
    assert Blobs(cache).get("model sentence") == b"\x00\x01"


def test_an_answer_too_large_for_the_server_is_not_sent(
    cache: RedisCache, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.redis_store._LARGEST", 10)
    cache.put("k", reply())
    assert (server.keys(), cache.notes) == ([], [])


WRITER = """
import sys
from fedrag.net import Reply
from fedrag.net.redis_link import RedisLink
from fedrag.net.redis_store import RedisCache
cache = RedisCache(RedisLink(sys.argv[1]))
for i in range(100):
    body = (sys.argv[2] + str(i)).encode() * (5000 if i % 4 == 0 else 1)
    cache.put(f"{sys.argv[2]}{i}", Reply(200, {}, body, "2999-01-01T00:00:00Z", "live", 0.0))
    cache.put("shared", Reply(200, {}, body, "2999-01-01T00:00:00Z", "live", 0.0))
    assert cache.get("shared") is not None
print(len(cache.notes))
cache.close()
"""


def test_several_processes_write_one_cache(cache: RedisCache, server: RedisServer) -> None:
    commands = [[sys.executable, "-c", WRITER, server.url, name] for name in "ab"]
    running = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
    assert [process.communicate()[0].strip() for process in running] == ["0", "0"]
    assert cache.stats()["answers"] == 201


# --- what others wrote --------------------------------------------------------------------------


class Evil:
    """Its pickle makes a folder when it is read."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        import os

        return os.mkdir, (self.path,)


def planted(path: Path) -> dict[str, bytes]:
    pack = zstandard.ZstdCompressor().compress
    return {
        "a pickle": pickle.dumps(Evil(str(path))),
        "a compressed pickle": pack(pickle.dumps(Evil(str(path)))),
        "no zstd": b"hello",
        "nothing": b"",
        "a cut frame": pack(b"x" * 1000)[:10],
        "another shape": pack(b'{"status": "x"}\n[]'),
        "a list": pack(b"[1]\n[]"),
    }


@pytest.mark.parametrize("kind", sorted(planted(Path())))
def test_what_fedrag_did_not_write_is_a_miss_and_removed(
    kind: str, cache: RedisCache, server: RedisServer, tmp_path: Path
) -> None:
    for name in ("k", "l"):
        server.send("SET", f"fedrag:calls:{name}", planted(tmp_path / "made")[kind])
    assert (cache.get("k"), cache.get("l")) == (None, None)
    assert server.keys() == []
    assert not (tmp_path / "made").exists()
    (note,) = cache.notes
    assert "an entry that fedrag did not write" in note


def test_an_entry_that_unpacks_without_end_is_refused(
    cache: RedisCache, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.packing._LARGEST", 1_000_000)
    bomb = zstandard.ZstdCompressor().compress(b" " * 2_000_000)
    server.send("SET", "fedrag:calls:k", bomb)
    assert cache.get("k") is None
    assert server.keys() == []


def test_a_key_of_another_type_is_a_miss_and_written_over(
    cache: RedisCache, server: RedisServer
) -> None:
    server.send("RPUSH", "fedrag:calls:k", "1")
    assert cache.get("k") is None
    assert "refuses GET: WRONGTYPE" in cache.notes[0]
    cache.put("k", reply())
    assert cache.get("k") is not None


async def test_refusals_that_differ_from_key_to_key_are_one_note() -> None:
    """As a server of a cluster answers, which is no cache for us."""

    async def elsewhere(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        slot = 0
        while commands := (await reader.read(4096)).count(b"*"):
            for _ in range(commands):
                slot += 1
                writer.write(b"-MOVED %d 127.0.0.1:1\r\n" % slot)
        writer.close()

    server = await asyncio.start_server(elsewhere, "127.0.0.1", 0)
    cache = RedisCache(RedisLink(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
    assert [await cache.find(f"k{i}") for i in range(5)] == [None] * 5
    (note,) = cache.notes
    assert "refuses GET: " in note
    await asyncio.to_thread(cache.close)
    server.close()


# --- addresses ----------------------------------------------------------------------------------


def test_password_database_socket_and_the_name_valkey(tmp_path: Path) -> None:
    with redis_server(tmp_path, password=SECRET) as server:
        at = f"127.0.0.1:{server.port}"
        for url, shown in {
            f"redis://:{SECRET}@{at}/3": f"redis://{at}/3",
            f"valkey://default:{SECRET}@{at}?db=3": f"valkey://{at}",
            f"unix://:{SECRET}@{server.socket}?db=3": f"unix://{server.socket}",
        }.items():
            link = RedisLink(url)
            cache = RedisCache(link)
            cache.put("k", reply())
            assert cache.get("k") is not None
            assert (link.address, link.notes) == (shown, [])
            cache.close()
        assert server.send("INFO", "keyspace")["db3"]["keys"] == 1


@pytest.mark.parametrize("login", ["", ":wrong-password@", "nobody:wrong-password@"])
def test_a_login_that_is_refused_is_said_without_it(login: str, tmp_path: Path) -> None:
    with redis_server(tmp_path, password=SECRET) as server:
        cache = RedisCache(RedisLink(f"redis://{login}127.0.0.1:{server.port}"))
        cache.put("k", reply())
        assert cache.get("k") is None
        (note,) = cache.notes
        assert "it refuses the user or password" in note
        assert "wrong-password" not in note
        cache.close()


def test_over_tls_the_authority_must_be_known(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    certificate.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    port = free_port()
    options = ["--tls-port", str(port), "--tls-auth-clients", "no"]
    for option, file in {"cert": "cert", "key": "key", "ca-cert": "ca"}.items():
        options += [f"--tls-{option}-file", str(tmp_path / f"{file}.pem")]
    with redis_server(tmp_path, *options):
        known = RedisLink(f"rediss://127.0.0.1:{port}?ssl_ca_certs={tmp_path / 'ca.pem'}")
        unknown = RedisLink(f"rediss://127.0.0.1:{port}")
        elsewhere = RedisLink(f"rediss://localhost:{port}?ssl_ca_certs={tmp_path / 'ca.pem'}")
        assert known.ask("PING") is not None
        assert (unknown.ask("PING"), elsewhere.ask("PING")) == (None, None)
        assert "certificate" in unknown.notes[0].lower()
        for link in (known, unknown, elsewhere):
            link.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"http://:{SECRET}@h", "must begin with redis, rediss, valkey, valkeys or unix"),
        (f"{SECRET}@h:6379", "must begin with"),
        (f"redis://:{SECRET}", "host or port that cannot be read"),
        (f"redis://:pa/{SECRET}@h:6379/0", "host or port that cannot be read"),
        (f"redis://:pa#{SECRET}@h:6379/0", "host or port that cannot be read"),
        (f"redis://me@/{SECRET}", "names no host"),
        (f"redis://h/{SECRET}", "only a number after the host"),
        (f"redis://h?password={SECRET}", "options other than db, ssl_ca_certs"),
        ("rediss://h?ssl_cert_reqs=none", "options other than"),
        (f"redis://h/0#{SECRET}", "options other than"),
        (f"redis://h?db={SECRET}", "a db that is no number"),
        ("redis://h:99999", "host or port that cannot be read"),
        ("redis://h:0", "names no host"),
        ("redis://[::1", "host or port that cannot be read"),
        (f"unix://:{SECRET}@", "names no socket"),
        ("redis:", "names no host"),
        ("", "must begin with"),
    ],
)
def test_what_is_no_address_is_refused_without_showing_it(url: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        checked(Settings(cache_url=url))
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert shown_cache_url(url) == "an address that cannot be read"
    with pytest.raises(ConfigError, match=words):
        RedisLink(url)


def test_the_address_can_be_kept_off_the_command_line_and_is_not_in_a_repr(tmp_path: Path) -> None:
    url = f"redis://:{SECRET}@127.0.0.1:1/0"
    assert load_settings(environ={"FEDRAG_CACHE_URL": url}).cache_url == url
    path = tmp_path / "config.toml"
    path.write_text(f"cache_url = '{url}'\n", encoding="utf-8")
    settings = load_settings(environ={}, path=path)
    assert settings.cache_url == url
    assert SECRET not in repr(settings)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'fedrag-bio\[redis\]'"):
        RedisLink("redis://127.0.0.1")


def test_a_run_without_a_shared_cache_never_loads_its_client() -> None:
    code = "import sys, fedrag.session; print([m for m in sys.modules if m.startswith('redis')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- trouble with the server --------------------------------------------------------------------


def test_where_nothing_listens_it_is_done_without_and_said_once() -> None:
    cache = RedisCache(RedisLink(f"redis://:{SECRET}@127.0.0.1:{free_port()}/0"))
    started = time.monotonic()
    for i in range(50):
        cache.put(f"k{i}", reply())
        assert cache.get(f"k{i}") is None
    cache.delete("k")
    assert (cache.clear(), cache.stats()["answers"]) == (0, 0)
    assert time.monotonic() - started < 1
    (note,) = cache.notes
    assert note.startswith(f"going on without the shared cache and pace of {cache.link.address}: ")
    assert "refused" in note
    assert SECRET not in note
    with pytest.raises(
        UnavailableError, match=r"the shared cache at .* cannot be asked: .*refused"
    ):
        RedisLink(f"redis://127.0.0.1:{free_port()}").check()
    cache.close()


def test_a_server_that_ends_in_mid_run_is_left_alone_until_it_is_back(own: RedisServer) -> None:
    cache = RedisCache(RedisLink(own.url, rest=0.3))
    cache.put("k", reply())
    own.stop()
    assert (cache.get("k"), len(cache.notes)) == (None, 1)
    own.start()
    cache.put("k", reply())  # still left alone
    assert own.keys() == []
    time.sleep(0.35)
    cache.put("k", reply())
    assert cache.get("k") is not None
    assert len(cache.notes) == 1  # what this run missed stays said
    cache.close()


def test_a_server_in_trouble_of_two_kinds_is_one_note(
    own: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.redis_link._PATIENCE", 0.2)
    cache = RedisCache(RedisLink(own.url, rest=0.0))
    own.stop()
    assert cache.get("k") is None
    own.start()
    own.hang()
    assert cache.get("k") is None
    own.go_on()
    assert len(cache.notes) == 1
    cache.close()


def test_a_restarted_server_is_noticed_without_a_word(own: RedisServer) -> None:
    cache = RedisCache(RedisLink(own.url))
    cache.put("k", reply())
    own.stop()
    own.start()
    cache.put("l", reply())
    assert cache.get("l") is not None
    assert cache.notes == []
    cache.close()


def test_a_note_is_withdrawn_when_no_run_is_left_that_it_concerned(
    own: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.redis_link._TOLD", 0.0)
    cache = RedisCache(RedisLink(own.url, rest=0.0))
    own.stop()
    assert (cache.get("k"), len(cache.notes)) == (None, 1)
    own.start()
    cache.put("k", reply())
    assert cache.notes == []
    cache.close()


async def test_a_silent_server_costs_one_wait_and_never_the_event_loop(
    own: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.redis_link._PATIENCE", 0.5)
    cache = RedisCache(RedisLink(own.url))
    await cache.find("k")  # connected
    own.hang()
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            gaps.append(time.monotonic() - before)

    ticking = asyncio.ensure_future(tick())
    started = time.monotonic()
    found = await asyncio.gather(*(cache.find(f"k{i}") for i in range(40)))
    seconds = time.monotonic() - started
    ticking.cancel()
    assert set(found) == {None}
    assert 0.4 < seconds < 1.5
    assert len(gaps) > 10
    assert max(gaps) < 0.3
    started = time.monotonic()
    assert await cache.find("k") is None
    assert time.monotonic() - started < 0.2
    (note,) = cache.notes
    assert "no answer within 0.5 s" in note
    own.go_on()
    cache.close()


async def test_an_answer_that_trickles_in_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in b"$1000000\r\n" + b"x" * 10:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.05)
        writer.close()

    monkeypatch.setattr("fedrag.net.redis_link._WHOLE", 0.3)
    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    cache = RedisCache(RedisLink(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
    started = time.monotonic()
    assert await cache.find("k") is None
    assert time.monotonic() - started < 0.8
    assert "no whole answer within 0.3 s" in cache.notes[0]
    await asyncio.to_thread(cache.close)
    server.close()


async def test_a_server_of_another_kind_is_no_cache() -> None:
    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(web, "127.0.0.1", 0)
    cache = RedisCache(RedisLink(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
    assert await cache.find("k") is None
    assert "going on without the shared cache" in cache.notes[0]
    await asyncio.to_thread(cache.close)
    server.close()


def test_a_full_server_is_read_from_and_said_once(own: RedisServer) -> None:
    cache = RedisCache(RedisLink(own.url))
    cache.put("k", reply())
    own.send("CONFIG", "SET", "maxmemory", "1")
    cache.put("l", reply())
    cache.put("m", reply())
    assert cache.get("k") is not None
    assert cache.get("l") is None
    assert cache.stats()["size_limit"] == 1
    (note,) = cache.notes
    assert "refuses SET: " in note
    assert "maxmemory" in note
    cache.close()


def test_a_user_who_may_only_read_is_served(own: RedisServer) -> None:
    full = RedisCache(RedisLink(own.url))
    full.put("k", reply())
    full.close()
    own.send("ACL", "SETUSER", "reader", "on", f">{SECRET}", "~fedrag:*", "+get", "+client")
    cache = RedisCache(RedisLink(f"redis://reader:{SECRET}@127.0.0.1:{own.port}"))
    cache.put("l", reply())
    assert cache.get("k") is not None
    (note,) = cache.notes
    assert "refuses SET" in note
    assert SECRET not in note
    cache.close()
