"""Run folders as the report takes them: read, checked, scored, each with a short letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedrag.bench.marks import Mark
from fedrag.bench.model import Question, QuestionResult
from fedrag.bench.report.words import KINDS, arm_order, evidence_label
from fedrag.bench.score import Similarity
from fedrag.errors import ConfigError

__all__ = ["Section", "by_kind", "collect"]

_FILES = {
    "run.json": "what was run",
    "questions.jsonl": "the questions that were run",
    "results.jsonl": "one result a line",
}
_SIDES = {"rest": "outside the development split", "development": "of the development split"}
_UNREAD = "name the folder that `fedrag bench run --out DIR` wrote, or run it again"


@dataclass(frozen=True, slots=True)
class Section:
    """One run of the report.

    :ivar key: unique on the page, ``r1`` and so on; ``letter`` stands for the run in figures.
    :ivar name: the folder's name, with its parents where two are called the same.
    :ivar marks: of every arm, over all questions that were run.
    :ivar scores: what :func:`fedrag.bench.scores.run_scores` gives.
    :ivar development: ids of the questions that the headline leaves out.
    :ivar notes: lines of the results that could not be read.
    """

    key: str
    letter: str
    name: str
    meta: Mapping[str, Any]
    questions: tuple[Question, ...]
    results: Mapping[str, QuestionResult]
    marks: Mapping[str, Sequence[Mark]]
    scores: Mapping[str, Any]
    development: frozenset[str]
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The set: ``gene``, ``metabolite`` or ``drug``."""
        return self.questions[0].kind

    @property
    def arms(self) -> list[str]:
        """Its arms in the order of the page."""
        return arm_order(self.scores["arms"])

    @property
    def evidence(self) -> str:
        """The kind of evidence in words."""
        return evidence_label(self.meta)

    @property
    def part(self) -> str:
        """Which part of its set it was of, where it was not of the whole: a sample, a limit."""
        told = []
        if sample := self.meta.get("sample"):
            told.append(f"sample of {sample.get('n', '?')}")
        if limit := self.meta.get("limit"):
            told.append(f"first {limit}")
        if side := _SIDES.get(str(self.meta.get("part"))):
            told.append(side)
        return ", ".join(told)

    @property
    def unfinished(self) -> str:
        """How far a run is that has not come to its end; empty where it has."""
        if self.meta.get("finished") and not self.scores["not_run"]:
            return ""
        return f"{self.progress} questions run so far"

    @property
    def progress(self) -> str:
        """How many of its questions have a result."""
        return f"{self.scores['scored']:,} of {len(self.questions):,}"

    @property
    def title(self) -> str:
        """How the run is called in legends and headings of tables."""
        return f"{self.letter}: {self.name} ({self.evidence})"

    def score(self, arm: str, name: str) -> Mapping[str, Any] | None:
        """A headline score of an arm; ``None`` where there is none."""
        found: Mapping[str, Any] | None = self.scores["arms"].get(arm, {}).get(name)
        return found

    def shared(self, name: str) -> Mapping[str, Any] | None:
        """A headline score of the retrieval."""
        found: Mapping[str, Any] | None = self.scores["retrieval"].get(name)
        return found

    def rest(self, arm: str) -> list[Mark]:
        """Marks of an arm that the headline is over."""
        return [mark for mark in self.marks.get(arm, ()) if mark.id not in self.development]

    def ran(self) -> Iterator[tuple[Question, QuestionResult]]:
        """The questions that the headline is over, with their results."""
        for question in self.questions:
            if question.id in self.results and question.id not in self.development:
                yield question, self.results[question.id]


def collect(folders: Sequence[Path], *, similarity: Similarity | None = None) -> list[Section]:
    """Read and score run folders.

    :raises ConfigError: one of them is not a run, lacks a file, or holds no result yet.
    """
    names = _names(folders)
    return [
        _section(number, folder, name, similarity)
        for number, (folder, name) in enumerate(zip(folders, names, strict=True), start=1)
    ]


def by_kind(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Runs by the question set they are of, in the order of the sets."""
    order = [*KINDS, *(s.kind for s in sections)]
    kinds = sorted({s.kind for s in sections}, key=order.index)
    return {kind: [s for s in sections if s.kind == kind] for kind in kinds}


# --- reading ------------------------------------------------------------------------------------


def _section(number: int, folder: Path, name: str, similarity: Similarity | None) -> Section:
    from fedrag.bench.results import read_run
    from fedrag.bench.scores import mark_all, run_scores
    from fedrag.bench.split import is_development

    _check(folder)
    run = read_run(folder)
    if not run.questions or not run.results:
        missing = "result" if run.questions else "question"
        raise ConfigError(
            f"{folder} holds no {missing} yet", hint="finish it with `fedrag bench run --resume`"
        )
    own = _own(folder, run.questions, run.results)
    arms = _arms(run.meta, own)
    split = _split(run.meta)
    results = list(run.results.values())
    marks = mark_all(run.questions, results, arms, similarity=similarity)
    scores = run_scores(run.questions, results, arms, similarity=similarity, marks=marks, **split)
    tuned = (q.id for q in run.questions if is_development(q.drug_key, **split))
    return Section(
        key=f"r{number}",
        letter=_letter(number),
        name=name,
        meta=run.meta,
        questions=tuple(run.questions),
        results=own,
        marks=marks,
        scores=scores,
        development=frozenset(tuned),
        notes=tuple(run.notes),
    )


def _own(
    folder: Path, questions: Sequence[Question], results: Mapping[str, QuestionResult]
) -> dict[str, QuestionResult]:
    """The results of the run's own questions: a file may hold lines of others."""
    asked = {question.id for question in questions}
    own = {id: result for id, result in results.items() if id in asked}
    if not own:
        raise ConfigError(
            f"{folder}: no line of results.jsonl is of a question of questions.jsonl",
            hint="the two files are of different runs: put those of one run together",
        )
    return own


def _check(folder: Path) -> None:
    """A folder that lacks something is told before anything is read of it."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder", hint=_UNREAD)
    missing = [f"{name} ({what})" for name, what in _FILES.items() if not (folder / name).is_file()]
    if missing:
        raise ConfigError(
            f"{folder} is not a whole run: it lacks {', '.join(missing)}", hint=_UNREAD
        )


def _split(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Seed and share of the development split, as the run has them."""
    from fedrag.bench.split import SPLIT_SEED

    given = meta.get("split") or {}
    return {"seed": given.get("seed", SPLIT_SEED), "share": given.get("share", 0.2)}


def _arms(meta: Mapping[str, Any], results: Mapping[str, QuestionResult]) -> list[str]:
    """Arms as the run names them, and any that its results hold besides."""
    seen = (arm for result in results.values() for arm in result.arms)
    return arm_order([*map(str, meta.get("arms") or ()), *seen])


def _letter(number: int) -> str:
    """``A`` to ``Z``, then ``A2`` and so on."""
    turn, at = divmod(number - 1, 26)
    return chr(ord("A") + at) + (str(turn + 1) if turn else "")


def _names(folders: Sequence[Path]) -> list[str]:
    """The shortest ends of the paths that tell them apart."""
    whole = [folder.resolve() for folder in folders]
    if repeated := [str(path) for path, count in Counter(whole).items() if count > 1]:
        raise ConfigError(f"{repeated[0]} is named twice", hint="name each run once")
    for length in range(1, 8):
        names = ["/".join(path.parts[-length:]) for path in whole]
        if len(set(names)) == len(names):
            return names
    return [str(path) for path in whole]
