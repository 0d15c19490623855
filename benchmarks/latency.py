"""Round trips at 300 ms latency, and 50 questions at once against the same calls in a row.

Four TRAPI services, the Name Resolver and the Node Normalizer run in another process on loopback;
every answer takes 300 ms. Meta-knowledge graphs are read beforehand.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from pathlib import Path

from loopback import loopback

from fedrag.config import ServiceConfig, load_settings
from fedrag.session import Session
from fedrag.testing.questions import demo_questions

LATENCY = 0.3
ONE_WAVE = "What are the targets of Drug hydrochlorothiazide?"
TWO_WAVES = (
    "Which gene plays the most significant mechanistic role in how Drug hydrochlorothiazide "
    "treats or impacts the Disease hypertension?"
)


async def one(services: dict[str, ServiceConfig], question: str, trips: int) -> None:
    """One question with only the meta-knowledge graphs in its cache.

    It is asked once before, by another session, so that the loopback services, which share one
    process, have their answers ready: what they need to find them is not the client's time.
    """
    async with Session(load_settings({"services": services, "cache": False})) as session:
        await session.ask(question)
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"services": services, "cache_dir": Path(folder)})
        async with Session(settings) as session:
            await session.metakg()
            start = time.perf_counter()
            await session.ask(question)
            taken = time.perf_counter() - start
    limit = trips * LATENCY + 0.3
    ratio = taken / LATENCY
    print(f"{trips} round trips: {taken:.2f} s = {ratio:.1f} × latency (limit {limit:.1f} s)")


async def many(services: dict[str, ServiceConfig], count: int = 50, concurrency: int = 16) -> None:
    """Distinct questions at once, cache off; then every call they made, one after another."""
    settings = load_settings({"services": services, "cache": False})
    gate = asyncio.Semaphore(concurrency)
    async with Session(settings) as session:

        async def ask(question: str) -> int:
            async with gate:
                answer = await session.ask(question)
                return sum(report.calls for report in answer.services)

        start = time.perf_counter()
        calls = await asyncio.gather(*(ask(q) for q in free_questions(count)))
        taken = time.perf_counter() - start
    serial = sum(calls) * LATENCY
    print(
        f"{count} questions at concurrency {concurrency}: {taken:.1f} s; their {sum(calls)} calls "
        f"one after another take {serial:.0f} s at least: ratio {taken / serial:.3f} (limit 0.1)"
    )


def free_questions(count: int) -> list[str]:
    """Distinct questions that resolve: the demo's, then their drugs' targets."""
    questions = [q.question for q in demo_questions() if q.kind not in ("abstain", "unknown")]
    drugs = dict.fromkeys(re.findall(r"Drug (.+?) (?:treats|via)", " ".join(questions)))
    questions += [f"What are the targets of Drug {drug}?" for drug in drugs]
    return questions[:count]


def main() -> None:
    """Everything in one run."""
    with loopback(latency=LATENCY, services=4) as services:
        asyncio.run(one(services, ONE_WAVE, 4))
        asyncio.run(one(services, TWO_WAVES, 5))
        asyncio.run(many(services))


if __name__ == "__main__":
    main()
