"""How many calls wait for one another: the depth of a question's calls, not its seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from federated import GENE_QUESTION

from fedrag.config import load_settings
from fedrag.session import Session
from fedrag.testing import Federation
from fedrag.testing.wire import Call


def depth(calls: Sequence[Call]) -> int:
    """The longest chain of calls that each began after the one before it had ended."""
    best: list[tuple[float, int]] = []
    for call in sorted(calls, key=lambda c: c.at):
        before = max((n for ended, n in best if ended <= call.at), default=0)
        best.append((call.at + call.seconds, before + 1))
    return max((n for _, n in best), default=0)


@pytest.mark.parametrize(
    ("question", "trips"),
    [("What are the targets of Drug hydrochlorothiazide?", 4), (GENE_QUESTION, 5)],
)
async def test_calls_that_need_not_wait_for_each_other_do_not(
    question: str, trips: int, tmp_path: Path
) -> None:
    """Name Resolver, Node Normalizer, one wave or two, Node Normalizer."""
    with Federation(kps=3) as federation:
        settings = load_settings({"services": federation.service_configs(), "cache_dir": tmp_path})
        async with Session(settings) as session:
            await session.metakg()
            federation.calls.clear()
            federation.delay(0.15)
            await session.ask(question)
    assert depth(federation.calls) == trips
