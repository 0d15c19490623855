"""What a benchmark is made of: questions with their golds, and what a run found for each.

All are frozen dataclasses; a results file holds one :class:`QuestionResult` a line, as JSON. What
needs the whole of what was retrieved (where a gold stands in it) is written down while the question
runs; every score is computed from these lines afterwards, so that scoring anew asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, Self

__all__ = [
    "ArmResult",
    "CitedLine",
    "Context",
    "FoundEntity",
    "Gold",
    "Kind",
    "Question",
    "QuestionResult",
    "RankedCandidate",
    "Thing",
]

Kind = Literal["gene", "metabolite", "drug"]


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a question names. ``identifiers`` are CURIEs, the records' own first."""

    name: str
    identifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """One right answer: its name, every identifier known of it, and further names it goes by."""

    name: str
    identifiers: tuple[str, ...]
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question with all its right answers.

    :ivar id: the same whenever the set is built from the same records.
    :ivar golds: every right answer, best known first; of a drug question every drug whose record
        has this disease and this process.
    :ivar published: the single golds of the published rows, one a row, by name.
    :ivar records: identifiers of the DrugMechDB records the question was made of.
    :ivar drug_key: the drug that the tuning split goes by; of a drug question its first row's.
    :ivar alternatives: how many proteins the drug has in the whole corpus (gene questions), or
        things of the gold's kind on its paths; 1: the gold is the only one.
    """

    id: str
    kind: Kind
    text: str
    golds: tuple[Gold, ...]
    drug: Thing | None
    disease: Thing
    process: Thing | None = None
    published: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    drug_key: str = ""
    alternatives: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it; :func:`fedrag.bench.questions.read_questions` reads it back."""
        return asdict(self)


# --- results ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """A mention of the question as it was resolved; ``role`` is what the question calls it."""

    mention: str
    curie: str
    name: str
    role: str | None = None  # "drug", "disease", "process"; None: the question names no such thing


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """One candidate of the ranking."""

    name: str
    curie: str
    score: float
    keys: tuple[str, ...] = ()  # of the sentences on the page that support it


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A line of evidence that an answer cites."""

    key: str
    sentence: str
    source: str  # infores of the primary knowledge source
    edges: tuple[str, ...] = ()
    publications: tuple[str, ...] = ()
    supports: bool | None = False  # whether it is about the answer; None: cited for another thing


@dataclass(frozen=True, slots=True)
class Context:
    """Lines that an arm could see. ``gold_at`` maps each gold's name to its first line, from 1."""

    sentences: int = 0
    tokens: int = 0
    gold_at: Mapping[str, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What one arm answered to one question.

    :ivar answer: the name given, ``None`` where it abstained or failed.
    :ivar curie: the answer's identifier, where it is one of the candidates.
    :ivar items: all that was named, best first, ``answer`` included.
    :ivar error: why there is no answer (a timeout, prose), ``None`` otherwise.
    :ivar context: what the arm was given; ``None`` for an arm without context.
    :ivar citations: the keys it cited; ``cited`` are those of them that exist.
    """

    arm: str
    answer: str | None = None
    curie: str | None = None
    items: tuple[str, ...] = ()
    abstained: bool = False
    error: str | None = None
    context: Context | None = None
    citations: tuple[str, ...] = ()
    cited: tuple[CitedLine, ...] = ()
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Everything kept of one question's run; one line of ``results.jsonl``.

    :ivar error: why the question could not be run at all (``"PlanError: ..."``).
    :ivar retrieved: all evidence lines, heaviest first; ``page`` what default pruning kept.
    :ivar ranks: each gold's rank among the candidates, from 1; ``None`` where it is none of them.
    :ivar left_out: edges dropped on the client by ``--leave-one-out``.
    :ivar services: the state each service ended in.
    """

    id: str
    kind: Kind
    error: str | None = None
    template: str = ""
    completeness: str = ""
    entities: tuple[FoundEntity, ...] = ()
    edges: int = 0
    left_out: int = 0
    services: Mapping[str, str] = field(default_factory=dict)
    calls: int = 0
    seconds: float = 0.0
    retrieved: Context = field(default_factory=Context)
    page: Context = field(default_factory=Context)
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    candidates: tuple[RankedCandidate, ...] = ()  # the first ten
    candidate_count: int = 0
    arms: Mapping[str, ArmResult] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As one JSON object; :meth:`from_dict` reads it back, equal."""
        return asdict(self)

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Self:
        """A line of a results file.

        :raises KeyError, TypeError: it is not such a line.

        >>> line = QuestionResult("gene-1", "gene", arms={"ranking": ArmResult("ranking", "KIT")})
        >>> QuestionResult.from_dict(line.to_dict()) == line
        True
        """
        known = {f.name for f in fields(cls)}
        if unknown := raw.keys() - known:
            raise KeyError(f"unknown keys: {', '.join(sorted(unknown))}")
        values = dict(raw)
        values["entities"] = tuple(FoundEntity(**one) for one in raw.get("entities", ()))
        values["candidates"] = tuple(_candidate(one) for one in raw.get("candidates", ()))
        values["notes"] = tuple(raw.get("notes", ()))
        for name in ("retrieved", "page"):
            if name in raw:
                values[name] = Context(**raw[name])
        values["arms"] = {name: _arm(one) for name, one in raw.get("arms", {}).items()}
        return cls(**values)


def _candidate(raw: Mapping[str, Any]) -> RankedCandidate:
    return RankedCandidate(**{**raw, "keys": tuple(raw.get("keys", ()))})


def _arm(raw: Mapping[str, Any]) -> ArmResult:
    values = dict(raw)
    for name in ("items", "citations"):
        values[name] = tuple(raw.get(name, ()))
    values["cited"] = tuple(_line(one) for one in raw.get("cited", ()))
    if raw.get("context") is not None:
        values["context"] = Context(**raw["context"])
    return ArmResult(**values)


def _line(raw: Mapping[str, Any]) -> CitedLine:
    tuples = {name: tuple(raw.get(name, ())) for name in ("edges", "publications")}
    return CitedLine(**{**raw, **tuples})
