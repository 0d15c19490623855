"""The demo's questions: what is asked, about which drugs and diseases, what DrugMechDB holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson

__all__ = ["DemoQuestion", "demo_entities", "demo_questions"]

_FILE = Path(__file__).with_name("questions.json")


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """One question of the demo.

    ``kind`` is gene, metabolite, drug, free, abstain or unknown. ``about`` are the drugs and
    diseases whose records the demo's facts hold. ``gold`` are names that DrugMechDB gives as an
    answer, for tests; nothing in the code reads them.
    """

    question: str
    kind: str
    about: tuple[str, ...]
    gold: tuple[str, ...] = ()


def demo_questions() -> tuple[DemoQuestion, ...]:
    """The demo's questions, in the order they are recorded.

    >>> demo_questions()[0].gold
    ('SLC12A3',)
    """
    return tuple(
        DemoQuestion(row["question"], row["kind"], tuple(row["about"]), tuple(row.get("gold", ())))
        for row in orjson.loads(_FILE.read_bytes())
    )


def demo_entities() -> tuple[str, ...]:
    """Every drug and disease that a demo question is about, once, sorted."""
    return tuple(sorted({curie for asked in demo_questions() for curie in asked.about}))
