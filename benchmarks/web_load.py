"""The web service under load: many at once, thousands in a row, and a thousand that mean no good.

``python benchmarks/web_load.py [--requests 5000] [--at-once 100] [--distinct] [--abusive 1000]``

Starts ``fedrag serve --replay demo`` as a process of its own and asks it over real HTTP:

- the questions of the demo, ``--at-once`` connections at a time: answers a second, latencies, and
  the server's memory as it goes. A replay gives an equal request its first answer again, so
  ``--distinct`` asks every question differently (it excludes other services that are off anyway):
  then each request is a whole run;
- requests that are oversized, malformed, foreign, slow or cut off: what they were told, whether the
  server still answers, and what of memory and open files is left.

Exits 1 when a limit is missed: 50 answers a second and p95 under 2 s (not with ``--distinct``),
memory that grows by at most a tenth over the second half, a server that answers after the abuse.
Needs Linux (``/proc``).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fedrag.errors import FedragError
from fedrag.net import Cassette
from fedrag.resources import cassettes_dir
from fedrag.session import Session

PER_SECOND, P95, GROWTH = 50.0, 2.0, 0.10
HEAD = "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"


@dataclass
class Server:
    """The process that is measured."""

    pid: int
    host: str
    port: int

    def megabytes(self) -> float:
        """Its resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def files(self) -> int:
        """Its open files and connections."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection."""
        return await asyncio.open_connection(self.host, self.port, limit=2**24)


@contextmanager
def serving() -> Iterator[Server]:
    command = [sys.executable, "-m", "fedrag", "serve", "--replay", "demo", "--no-log"]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            told = "".join(iter(process.stdout.readline, "}\n")) + "}"
            address = urlsplit(json.loads(told)["url"])
            yield Server(process.pid, address.hostname or "", address.port or 0)
        finally:
            process.terminate()


@dataclass
class Load:
    """What came of many requests."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)
    elapsed: float = 0.0

    def quantile(self, share: float) -> float:
        """The seconds that this share of the requests took at most."""
        ordered = sorted(self.seconds)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]

    def growth(self) -> float:
        """How much memory grew over the second half, as a share."""
        middle = self.memory[len(self.memory) // 2]
        return self.memory[-1] / middle - 1

    def report(self) -> dict[str, Any]:
        """The figures."""
        return {
            "requests": len(self.seconds),
            "statuses": dict(self.statuses),
            "per_second": round(len(self.seconds) / self.elapsed, 1),
            "p50_seconds": round(self.quantile(0.5), 4),
            "p95_seconds": round(self.quantile(0.95), 4),
            "p99_seconds": round(self.quantile(0.99), 4),
            "megabytes": [round(one, 1) for one in self.memory],
            "growth_of_second_half": round(self.growth(), 4),
        }


def bodies(distinct: bool) -> Iterator[bytes]:
    """The requests, without an end: the demo's questions over and over."""
    session = Session(replay="demo", log=False)
    off = [service.name for service in session.knowledge if not service.enabled]
    questions = [q for q in _questions() if "zorbalixinib" not in q]
    subsets = itertools.chain.from_iterable(
        itertools.combinations(off, n) for n in range(1, len(off) + 1)
    )
    for question in itertools.cycle(questions):
        asked: dict[str, Any] = {"question": question}
        if distinct:
            asked["exclude"] = list(next(subsets))
        yield json.dumps(asked).encode()


def _questions() -> list[str]:
    return list(Cassette.load(cassettes_dir() / "demo.json").meta["questions"])


def request(server: Server, body: bytes, path: str = "/ask", *more: str) -> bytes:
    head = HEAD.format(path=path, host=f"{server.host}:{server.port}")
    lines = "".join(f"{line}\r\n" for line in (f"content-length: {len(body)}", *more))
    return f"{head}{lines}\r\n".encode() + body


async def answered(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length")
    )
    return int(head.split(b" ", 2)[1]), await reader.readexactly(length)


async def load(server: Server, total: int, at_once: int, distinct: bool) -> Load:
    told, asked = Load(), iter(bodies(distinct))
    left, every = iter(range(total)), max(total // 20, 1)
    started = time.perf_counter()

    async def client() -> None:
        reader, writer = await server.connect()
        for number in left:
            begun = time.perf_counter()
            writer.write(request(server, next(asked)))
            status, _ = await answered(reader)
            told.seconds.append(time.perf_counter() - begun)
            told.statuses[status] += 1
            if number % every == 0:
                told.memory.append(server.megabytes())
        writer.close()

    await asyncio.gather(*(client() for _ in range(at_once)))
    told.elapsed = time.perf_counter() - started
    told.memory.append(server.megabytes())
    return told


# --- requests that mean no good -----------------------------------------------------------------


def abuses(server: Server) -> list[tuple[str, bytes, float]]:
    """Kind, bytes, and for how many seconds the connection is then held without a word."""
    good = b'{"question": "what are the targets of imatinib?"}'
    large = b'{"question": "' + b"x" * 5_000_000
    return [
        ("oversized", request(server, large), 0.0),
        ("malformed JSON", request(server, b"{" * 50_000), 0.0),
        ("no HTTP", b"\x00\xff\x16\x03" * 500 + b"\r\n\r\n", 0.0),
        ("wrong types", request(server, b'{"question": {"a": [1]}, "only": 7}'), 0.0),
        ("malformed TRAPI", request(server, b'{"message": {"query_graph": 5}}', "/query"), 0.0),
        ("foreign origin", request(server, good, "/ask", "origin: http://evil.example"), 0.0),
        ("large head", b"GET / HTTP/1.1\r\nx: " + b"y" * 200_000 + b"\r\n\r\n", 0.0),
        ("half a head", b"POST /ask HTTP/1.1\r\nhost:", 15.0),
        ("half a body", request(server, good)[:-10], 15.0),
        ("gone at once", request(server, good), -1.0),
    ]


async def abuse(server: Server, total: int, at_once: int) -> dict[str, Any]:
    kinds = itertools.cycle(abuses(server))
    turns = asyncio.Semaphore(at_once)
    told: Counter[str] = Counter()

    async def one(kind: str, sent: bytes, held: float) -> None:
        async with turns:
            told[f"{kind}: {await _outcome(server, sent, held)}"] += 1

    await asyncio.gather(*(one(*next(kinds)) for _ in range(total)))
    return dict(sorted(told.items()))


async def _outcome(server: Server, sent: bytes, held: float) -> str:
    reader, writer = await server.connect()
    try:
        writer.write(sent)
        if held < 0:
            return "left"
        async with asyncio.timeout(5.0 + held):
            await writer.drain()
            line = await reader.readline()
            return line.split(b" ", 2)[1].decode() if line else "closed"
    except TimeoutError:
        return "NOT ENDED"
    except OSError:
        return "closed"
    finally:
        writer.transport.abort()


async def alive(server: Server) -> float:
    """Seconds that an honest question takes."""
    begun = time.perf_counter()
    reader, writer = await server.connect()
    writer.write(request(server, b'{"question": "what are the targets of imatinib?"}'))
    status, _ = await answered(reader)
    writer.close()
    if status != 200:
        raise FedragError(f"an honest question was answered with {status}")
    return time.perf_counter() - begun


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    with serving() as server:
        await alive(server)
        told = await load(server, options.requests, options.at_once, options.distinct)
        report: dict[str, Any] = {"load": told.report()}
        files, before = server.files(), server.megabytes()
        if options.abusive:
            report["abuse"] = {
                "outcomes": await abuse(server, options.abusive, options.at_once),
                "honest_question_seconds": round(await alive(server), 4),
                "megabytes": [round(before, 1), round(server.megabytes(), 1)],
                "open_files": [files, server.files()],
            }
        report["missed"] = missed(told, report.get("abuse", {}), options.distinct)
        return report


def missed(told: Load, abused: dict[str, Any], distinct: bool) -> list[str]:
    """The limits that were not kept; those of speed are for requests that may be equal."""
    slow, late = len(told.seconds) / told.elapsed < PER_SECOND, told.quantile(0.95) > P95
    limits = {
        f"fewer than {PER_SECOND:g} a second": slow and not distinct,
        f"p95 over {P95:g} s": late and not distinct,
        f"memory grew by more than {GROWTH:.0%}": told.growth() > GROWTH,
        "not all were answered": set(told.statuses) != {200},
        "connections were left open": any(
            "NOT ENDED" in kind for kind in abused.get("outcomes", ())
        ),
    }
    return [what for what, is_so in limits.items() if is_so]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=5_000)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--distinct", action="store_true", help="every request is a run of its own")
    parser.add_argument("--abusive", type=int, default=1_000)
    report = asyncio.run(measure(parser.parse_args()))
    print(json.dumps(report, indent=2))
    return 1 if report["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
