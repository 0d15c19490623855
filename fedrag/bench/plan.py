"""What a run is of: its questions, its arms, its files; and what ``run.json`` keeps of that."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fedrag import __version__
from fedrag.bench.model import Question
from fedrag.bench.prompt import system_prompt
from fedrag.bench.questions import Refused
from fedrag.bench.results import FORMAT, fingerprint
from fedrag.bench.split import SPLIT_SEED, SPLIT_SHARE, is_development
from fedrag.config import LLMConfig, Settings

__all__ = ["Part", "Plan", "chosen", "meta_of"]

Part = Literal["all", "development", "rest"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run, and how; ``run.json`` keeps all of it.

    :ivar services: the knowledge services that can be asked.
    :ivar corpus: the DrugMechDB file of the closed world; ``cassette``: what is replayed. A run is
        taken up with the same files alone.
    :ivar context_tokens: the window of the ``full`` arm where no model has one of its own.
    """

    kind: str
    questions: tuple[Question, ...]
    source: Path
    arms: tuple[str, ...]
    evidence: str  # "closed world", "recorded" or "live"
    recorded_from: str | None = None
    services: tuple[str, ...] = ()
    leave_one_out: bool = False
    corpus: Path | None = None
    cassette: Path | None = None
    llm: LLMConfig | None = None
    context_tokens: int = 8000
    concurrency: int = 4
    part: Part = "all"
    sample: tuple[int, int] | None = None  # how many, and the seed
    limit: int | None = None
    refused: tuple[Refused, ...] = ()
    note: str = ""  # what a reader must know that no setting tells, the model's server for one

    @property
    def window(self) -> int:
        """Estimated tokens that the ``full`` arm may show."""
        return self.llm.context_tokens if self.llm else self.context_tokens


def chosen(
    questions: Sequence[Question],
    *,
    part: Part = "all",
    sample: int | None,
    seed: int,
    limit: int | None,
) -> tuple[Question, ...]:
    """A seeded sample of the questions (in the set's order), and of these the first ones.

    :param part: which side of the development split they are taken from.

    >>> one = Question("gene:1", "gene", "?", (), None, None)
    >>> [q.id for q in chosen([one], sample=5, seed=1, limit=None)]
    ['gene:1']
    """
    sides: dict[Part, tuple[bool, ...]] = {
        "all": (True, False),
        "development": (True,),
        "rest": (False,),
    }
    kept = [q for q in questions if is_development(q.drug_key) in sides[part]]
    if sample is not None and sample < len(kept):
        # By a hash of the id, so that a question's fate does not hang on the rest of the set.
        order = sorted(kept, key=lambda q: hashlib.sha256(f"{seed}:{q.id}".encode()).hexdigest())
        wanted = {q.id for q in order[:sample]}
        kept = [q for q in kept if q.id in wanted]
    return tuple(kept[:limit])


def meta_of(plan: Plan, settings: Settings, started: str) -> dict[str, Any]:
    """The content of ``run.json``.

    :param started: when, ISO 8601.
    :raises ConfigError: a file that the plan names cannot be read.
    """
    llm = plan.llm
    return {
        "format": FORMAT,
        "set": plan.kind,
        "questions": plan.source.name,
        "questions_sha256": fingerprint(plan.source)["sha256"],
        "n": len(plan.questions),
        "evidence": plan.evidence,
        "recorded_from": plan.recorded_from,
        "corpus": plan.corpus and fingerprint(plan.corpus),
        "cassette": plan.cassette and fingerprint(plan.cassette),
        "leave_one_out": plan.leave_one_out,
        "excluded": sorted(settings.exclude),
        "services": list(plan.services),
        "taxon": settings.taxon,
        "deadline": settings.deadline,
        "concurrency": plan.concurrency,
        "arms": list(plan.arms),
        "llm": llm and {"model": llm.model, "url": llm.url, "context_tokens": llm.context_tokens},
        "context_tokens": plan.window,
        "system_prompt": llm and system_prompt(plan.kind),
        "embedder": settings.embedder,
        "top_k": settings.top_k,
        "max_tokens": settings.max_tokens,
        "sample": plan.sample and {"n": plan.sample[0], "seed": plan.sample[1]},
        "part": plan.part,
        "limit": plan.limit,
        "note": plan.note,
        "split": {"seed": SPLIT_SEED, "share": SPLIT_SHARE},
        "fedrag_version": __version__,
        "started": started,
        "finished": None,
        "excluded_questions": [
            {"id": one.id, "row": one.row, "reason": one.reason} for one in plan.refused
        ],
    }
