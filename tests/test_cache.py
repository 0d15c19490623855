"""The cache: what it keeps, what it forgets, and what a planted row cannot do."""

from __future__ import annotations

import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import diskcache
import pytest
import zstandard
from diskcache.core import MODE_BINARY, MODE_PICKLE, MODE_RAW, MODE_TEXT

from fedrag.net import Cache, Reply
from fedrag.net.call import utc_now
from fedrag.net.disk import RefusedRowError, SafeDisk

BIG = bytes(range(256)) * 2000  # with noise, so that it stays above the limit for its own file


def reply(body: bytes = b'{"a": 1}', *, age: float = 0.0) -> Reply:
    then = datetime.now(UTC) - timedelta(seconds=age)
    when = then.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Reply(200, {"content-type": "application/json"}, body, when, "live", 1.5)


def noise(size: int, seed: int = 7) -> bytes:
    """Bytes that do not compress, the same every time."""
    import random

    return random.Random(seed).randbytes(size)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    cache = Cache(tmp_path / "calls")
    yield cache
    cache.close()


def database(cache: Cache) -> Path:
    return cache.directory / "cache.db"


def plant(cache: Cache, **row: Any) -> None:
    """Write a row as somebody with access to the folder could."""
    cache.stats()  # makes the store
    defaults = {"key": "k", "raw": 1, "store_time": 1.0, "expire_time": None, "access_time": 1.0}
    rest = {"access_count": 0, "tag": None, "size": 0, "mode": MODE_RAW, "filename": None}
    columns = {**defaults, **rest, "value": b"", **row}
    names = ", ".join(columns)
    marks = ", ".join("?" for _ in columns)
    connection = sqlite3.connect(database(cache))
    with connection:
        connection.execute(f"INSERT INTO Cache ({names}) VALUES ({marks})", list(columns.values()))
    connection.close()


class Bomb:
    """Unpickling it leaves a file behind."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (Path.touch, (self.mark,))


def bomb(mark: Path) -> bytes:
    return pickle.dumps(Bomb(mark))


def test_the_bomb_of_these_tests_goes_off_in_a_plain_diskcache(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    plain = Cache(tmp_path / "plain")
    plant(plain, mode=MODE_PICKLE, value=bomb(mark))
    plain.close()
    with diskcache.Cache(str(tmp_path / "plain")) as store:
        store.get("k")
    assert mark.exists()


# --- keeping and forgetting ---------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"[]", BIG, noise(200_000), b"", b"\n\n{}\n"])
def test_what_is_kept_comes_back_in_another_process(body: bytes, cache: Cache) -> None:
    cache.put("k", reply(body))
    cache.close()
    again = Cache(cache.directory)
    found = again.get("k", service="bte", key="abc")
    again.close()
    assert found is not None
    assert (found.status, found.body, found.origin) == (200, body, "cache")
    assert found.headers == {"content-type": "application/json"}
    assert (found.service, found.key, found.seconds) == ("bte", "abc", 0.0)


def test_nothing_is_made_before_it_is_needed(tmp_path: Path) -> None:
    Cache(tmp_path / "calls").close()
    assert not (tmp_path / "calls").exists()


def test_bytes_lie_compressed_on_disk(cache: Cache) -> None:
    cache.put("k", reply(b" " * 10_000_000))
    assert cache.stats()["bytes"] < 100_000
    connection = sqlite3.connect(database(cache))
    ((value, mode),) = connection.execute("SELECT value, mode FROM Cache").fetchall()
    connection.close()
    assert mode == MODE_RAW
    head = zstandard.ZstdDecompressor().stream_reader(value).read(20)
    assert head.startswith(b'{"status":200')


def test_an_answer_too_old_is_asked_for_again(tmp_path: Path) -> None:
    patient = Cache(tmp_path / "calls", max_age=1000)
    patient.put("k", reply(age=500))
    assert patient.get("k") is not None
    patient.close()
    strict = Cache(tmp_path / "calls", max_age=100)
    assert strict.get("k") is None
    strict.close()


def test_what_expired_is_removed(cache: Cache) -> None:
    cache.put("k", reply())
    cache.put("l", reply())
    connection = sqlite3.connect(database(cache))
    with connection:
        connection.execute("UPDATE Cache SET expire_time = 1 WHERE key = 'k'")
    connection.close()
    assert cache.get("k") is None
    assert cache.expire() == 1
    assert cache.stats()["answers"] == 1


def test_the_size_limit_drops_the_oldest(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "calls", size_limit=1_000_000)
    for i in range(30):
        cache.put(f"k{i}", reply(noise(100_000, seed=i)))
    assert cache.stats()["bytes"] <= 1_200_000
    kept = [i for i in range(30) if cache.get(f"k{i}") is not None]
    assert kept == list(range(kept[0], 30))
    assert 5 <= len(kept) <= 10
    cache.close()


def test_stats_and_clear(cache: Cache) -> None:
    for name in "abc":
        cache.put(name, reply())
    cache.get("a")
    cache.get("z")
    stats = cache.stats()
    assert stats.pop("bytes") > 0
    assert stats == {
        "directory": str(cache.directory),
        "answers": 3,
        "size_limit": 1_000_000_000,
        "max_age": 604800.0,
        "hits": 1,
        "misses": 1,
    }
    assert cache.clear() == 3
    assert cache.get("a") is None
    assert cache.notes == []


def test_a_later_answer_replaces_the_earlier(cache: Cache) -> None:
    cache.put("k", reply(noise(200_000)))
    cache.put("k", reply(b"[2]"))
    found = cache.get("k")
    assert found is not None
    assert found.body == b"[2]"
    assert list(cache.directory.rglob("*.val")) == []
    cache.delete("k")
    assert cache.get("k") is None


# --- planted rows -------------------------------------------------------------------------------


def test_a_planted_pickle_for_a_value_is_not_read(cache: Cache, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    plant(cache, mode=MODE_PICKLE, value=bomb(mark))
    assert cache.get("k") is None
    assert not mark.exists()
    assert cache.stats()["answers"] == 0  # dropped, not met again
    assert cache.notes == [
        "the cache held an entry that fedrag did not write; it was ignored and removed"
    ]


def test_a_planted_pickle_in_a_file_is_not_read(cache: Cache, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    name = "ab/cd/" + "0" * 28 + ".val"
    cache.stats()
    path = cache.directory / name
    path.parent.mkdir(parents=True)
    path.write_bytes(bomb(mark))
    plant(cache, mode=MODE_PICKLE, filename=name, value=None)
    assert cache.get("k") is None
    assert not mark.exists()


def test_a_planted_pickle_for_a_key_is_not_read(cache: Cache, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    plant(cache, key=bomb(mark), raw=0)
    store = diskcache.Cache(str(cache.directory), disk=SafeDisk)
    with pytest.raises(RefusedRowError, match="key is not plain text"):
        list(store)
    with pytest.raises(RefusedRowError):
        store.peekitem()
    store.close()
    assert cache.get("k") is None
    assert cache.clear() == 1
    assert not mark.exists()


def test_a_key_or_value_that_would_be_pickled_is_not_written(tmp_path: Path) -> None:
    with diskcache.Cache(str(tmp_path), disk=SafeDisk) as store:
        for key, value in [(("a", 1), b""), (1, b""), ("k", {"a": 1}), ("k", "text"), ("k", 1)]:
            with pytest.raises(RefusedRowError):
                store.set(key, value)
        assert len(store) == 0
        store.set("k", b"")
        with pytest.raises(RefusedRowError):
            store.read("k")


@pytest.mark.parametrize(
    "row",
    [
        {"mode": MODE_TEXT, "filename": "../secret.txt", "value": None},
        {"mode": MODE_BINARY, "filename": "../secret.txt", "value": None},
        {"mode": MODE_BINARY, "filename": "cache.db", "value": None},
        {"mode": MODE_BINARY, "filename": b"../secret.txt", "value": None},
        {"mode": MODE_BINARY, "filename": 7, "value": None},
        {"mode": MODE_BINARY, "filename": None, "value": None},
        {"mode": MODE_RAW, "value": "text"},
        {"mode": MODE_RAW, "value": 7},
        {"mode": MODE_RAW, "value": None},
        {"mode": MODE_RAW, "value": b"not zstd"},
        {"mode": MODE_RAW, "value": zstandard.ZstdCompressor().compress(b"no head")},
        {"mode": MODE_RAW, "value": zstandard.ZstdCompressor().compress(b'{"status": {}}\n')},
        {"mode": MODE_RAW, "value": zstandard.ZstdCompressor().compress(b"7\n")},
        {"mode": 99, "value": b""},
        {"mode": None, "value": b""},
    ],
)
def test_any_other_row_fedrag_did_not_write_is_a_miss(row: dict[str, Any], cache: Cache) -> None:
    (cache.directory.parent / "secret.txt").write_text("secret")
    plant(cache, **row)
    assert cache.get("k") is None
    cache.put("k", reply(b"[1]"))
    found = cache.get("k")
    assert found is not None
    assert found.body == b"[1]"
    assert (cache.directory.parent / "secret.txt").read_text() == "secret"
    assert database(cache).exists()


OUTSIDE = ["../precious.txt", "ab/../../precious.txt", "ABSOLUTE", "cache.db", "", ".", "ab/cd"]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("way", ["expire", "clear", "delete", "replace", "evict", "cull", "pop"])
def test_a_planted_file_name_is_never_deleted(
    way: str, name: str, cache: Cache, tmp_path: Path
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    name = str(precious) if name == "ABSOLUTE" else name
    (tmp_path / "calls" / "ab" / "cd").mkdir(parents=True)
    plant(cache, mode=MODE_BINARY, filename=name, value=None, expire_time=2.0, tag="t", size=10**12)
    if way == "expire":
        assert cache.expire() == 1
    elif way == "clear":
        assert cache.clear() == 1
    elif way == "delete":
        cache.delete("k")
    elif way == "replace":
        cache.put("k", reply())
    else:
        store = diskcache.Cache(str(cache.directory), disk=SafeDisk, size_limit=1)
        connection = sqlite3.connect(database(cache))
        if way == "pop":  # pop reads what has not expired, then deletes it
            with connection:
                connection.execute("UPDATE Cache SET expire_time = NULL")
            with pytest.raises(RefusedRowError):
                store.pop("k")
        else:
            assert {"evict": lambda: store.evict("t"), "cull": store.cull}[way]() == 1
        connection.close()
        store.close()
    assert precious.read_text() == "precious"
    assert database(cache).exists()
    cache.put("after", reply())
    assert cache.get("after") is not None


def test_a_linked_folder_in_the_store_leads_nowhere(cache: Cache, tmp_path: Path) -> None:
    outside = tmp_path / "outside" / "cd"
    outside.mkdir(parents=True)
    name = "0" * 28 + ".val"
    (outside / name).write_bytes(zstandard.ZstdCompressor().compress(b"secret"))
    cache.stats()
    (cache.directory / "ab").symlink_to(tmp_path / "outside", target_is_directory=True)
    plant(cache, mode=MODE_BINARY, filename=f"ab/cd/{name}", value=None)
    assert cache.get("k") is None
    assert (outside / name).exists()


def test_a_row_that_unpacks_without_end_is_refused(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.packing._LARGEST", 1_000_000)
    plant(cache, value=zstandard.ZstdCompressor().compress(b" " * 2_000_000))
    assert cache.get("k") is None
    assert len(cache.notes) == 1


# --- trouble with the store ---------------------------------------------------------------------


@pytest.mark.parametrize("damage", [b"this is no database at all, " * 400, b"SQLite format 3\0x"])
def test_a_corrupt_store_is_set_aside_and_begun_anew(damage: bytes, cache: Cache) -> None:
    cache.put("k", reply())
    cache.close()
    for leftover in cache.directory.glob("cache.db-*"):
        leftover.unlink()
    database(cache).write_bytes(damage)
    assert cache.get("k") is None
    cache.put("k", reply(b"[2]"))
    found = cache.get("k")
    assert found is not None
    assert found.body == b"[2]"
    (aside,) = cache.directory.parent.glob("calls.corrupt-*")
    assert (aside / "cache.db").read_bytes() == damage
    (note,) = cache.notes
    assert "the cache was corrupt" in note
    assert str(aside) in note


def test_a_store_damaged_while_it_is_open_is_set_aside(cache: Cache) -> None:
    for i in range(300):
        cache.put(f"k{i}", reply(noise(5_000, seed=i)))
    cache.close()
    with database(cache).open("r+b") as file:
        file.seek(4096)
        file.write(noise(400_000))
    for i in range(300):
        cache.get(f"k{i}")
    cache.put("new", reply())
    assert cache.get("new") is not None
    assert len(list(cache.directory.parent.glob("calls.corrupt-*"))) == 1


@pytest.mark.parametrize(
    "setting",
    [("eviction_policy", "none-such"), ("disk_none_such", 1), ("sqlite_none such", "x")],
)
def test_planted_settings_are_no_error(setting: tuple[str, Any], cache: Cache) -> None:
    cache.put("k", reply())
    cache.close()
    connection = sqlite3.connect(database(cache))
    with connection:
        connection.execute("INSERT OR REPLACE INTO Settings VALUES (?, ?)", setting)
    connection.close()
    cache.get("k")
    cache.put("k", reply(b"[3]"))
    found = cache.get("k")
    assert found is not None
    assert found.body == b"[3]"
    assert all("the cache was corrupt" in note for note in cache.notes)


def test_a_table_of_another_shape_is_a_corrupt_store(cache: Cache) -> None:
    cache.directory.mkdir()
    connection = sqlite3.connect(database(cache))
    with connection:
        connection.execute("CREATE TABLE Cache (rowid INTEGER PRIMARY KEY, other)")
    connection.close()
    cache.put("k", reply())
    assert cache.get("k") is not None
    assert "the cache was corrupt" in cache.notes[0]


def test_a_folder_that_cannot_be_made_is_done_without_and_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "calls")
    cache.put("k", reply())
    assert cache.get("k") is None
    assert cache.stats()["answers"] == 0
    assert cache.clear() == 0
    assert len(cache.notes) == 1
    assert cache.notes[0].startswith(f"going on without the cache in {tmp_path}/file/calls: ")
    cache.close()


def test_a_full_disk_is_done_without_and_said_once(cache: Cache) -> None:
    cache.put("k", reply(noise(1_000)))
    store = cache._store
    assert store is not None
    store._sql("PRAGMA max_page_count = 1")  # what SQLite says then is what it says of a full disk
    for i in range(40):
        cache.put(f"k{i}", reply(noise(9_000, seed=i)))
    assert cache.get("k") is None
    assert len(cache.notes) == 1
    assert "database or disk is full" in cache.notes[0]
    assert cache.directory.exists()


def test_a_disk_too_full_for_a_file_is_done_without(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SafeDisk, "_write", full)
    cache.put("k", reply(noise(200_000)))
    cache.put("l", reply(noise(200_000)))
    assert len(cache.notes) == 1
    assert "No space left on device" in cache.notes[0]


def test_a_read_only_store_is_done_without(cache: Cache) -> None:
    cache.put("k", reply())
    store = cache._store
    assert store is not None
    store._sql("PRAGMA query_only = 1")
    cache.put("l", reply())
    assert len(cache.notes) == 1
    assert "readonly" in cache.notes[0]


def test_a_store_another_process_holds_is_waited_for_then_done_without_once(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.net.cache._BUSY", 0.05)
    cache.put("k", reply())
    other = sqlite3.connect(database(cache), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cache.put("l", reply())
    assert cache.get("k") is not None  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    cache.put("m", reply())
    assert cache.get("l") is None
    assert cache.get("m") is not None
    assert cache.notes == []


WRITER = """
import sys
from pathlib import Path
from fedrag.net import Cache, Reply
cache = Cache(Path(sys.argv[1]))
for i in range(40):
    body = (sys.argv[2] + str(i)).encode() * (5000 if i % 4 == 0 else 1)
    cache.put(f"{sys.argv[2]}{i}", Reply(200, {}, body, "2999-01-01T00:00:00Z", "live", 0.0))
    cache.put("shared", Reply(200, {}, body, "2999-01-01T00:00:00Z", "live", 0.0))
    assert cache.get("shared") is not None
print(len(cache.notes))
cache.close()
"""


def test_several_processes_write_one_store(tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", WRITER, str(tmp_path / "calls"), name] for name in "abc"]
    running = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
    assert [process.communicate()[0].strip() for process in running] == ["0", "0", "0"]
    assert [process.returncode for process in running] == [0, 0, 0]
    cache = Cache(tmp_path / "calls")
    assert cache.stats()["answers"] == 121
    for name in "abc":
        for i in range(40):
            found = cache.get(f"{name}{i}")
            assert found is not None
            assert found.body.startswith(f"{name}{i}".encode())
    cache.close()


def test_the_time_of_a_call_is_in_seconds_of_utc() -> None:
    assert datetime.fromisoformat(utc_now()).tzinfo is not None
    assert len(utc_now()) == 20
