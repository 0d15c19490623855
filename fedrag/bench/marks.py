"""What one arm's answer to one question scored: plain values, each with its own meaning.

:func:`fedrag.bench.score.mark` fills them in, :mod:`fedrag.bench.summary` adds them up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fedrag.bench.match import How
from fedrag.bench.model import Kind

__all__ = ["Citations", "Given", "Mark", "Outcome", "Places", "Retrieval", "Rows"]

Outcome = Literal["answered", "abstained", "error", "failed", "unasked"]


@dataclass(frozen=True, slots=True)
class Places:
    """Where each gold stands in a list, from 1; ``None`` where it is not in it.

    Golds may share a place (one candidate is both): then they are two for recall and one for
    precision. Precision is out of k, however short the list.

    >>> places = Places((2, None, 7))
    >>> places.hit(1), places.hit(3), places.recall(3), places.precision(3), places.f1(3)
    (False, True, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
    >>> places.reciprocal, places.recall(), Places(()).recall()
    (0.5, 0.6666666666666666, 0.0)
    """

    at: tuple[int | None, ...]

    def _within(self, k: int | None) -> list[int]:
        return [place for place in self.at if place is not None and (k is None or place <= k)]

    def hit(self, k: int | None = None) -> bool:
        """Whether any gold is among the first ``k`` (anywhere by default)."""
        return bool(self._within(k))

    def recall(self, k: int | None = None) -> float:
        """The share of the golds that is among the first ``k``."""
        return len(self._within(k)) / len(self.at) if self.at else 0.0

    def precision(self, k: int) -> float:
        """The share of the first ``k`` places that hold a gold."""
        return len(set(self._within(k))) / k

    def f1(self, k: int) -> float:
        """The harmonic mean of precision and recall, 0 where both are."""
        precision, recall = self.precision(k), self.recall(k)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    @property
    def reciprocal(self) -> float:
        """1 / the best place of a gold, 0 where there is none: its mean is the MRR."""
        within = self._within(None)
        return 1 / min(within) if within else 0.0


@dataclass(frozen=True, slots=True)
class Rows:
    """One answer against the single golds of the published rows: counts of rows.

    :ivar right: by identifier or name, against the row's own gold alone.
    :ivar substring: by the published rule.
    :ivar cosines: to each row's gold, ``None`` without an answer; empty where not measured.
    """

    n: int
    right: int
    substring: int
    cosines: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Citations:
    """Citations of an answer: given, and those of them that exist.

    :ivar lines: lines cited for the answer, not for another candidate that is told beside it.
    :ivar support: those of them that are about it.
    """

    given: int
    exist: int
    lines: int
    support: int

    @property
    def sound(self) -> bool:
        """Whether there are citations, and all of them exist and support the answer."""
        return 0 < self.given == self.exist and 0 < self.lines == self.support


@dataclass(frozen=True, slots=True)
class Given:
    """A list of evidence lines: how long it is, and where the golds are in it."""

    sentences: int
    tokens: int
    golds: Places


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What is the same for all arms of a question.

    :ivar failed: the question could not be run: a gold is nowhere then, and a miss everywhere,
        while what nothing was kept of (entities, lines, services, calls, time) is not measured.
    :ivar named: things that the question names; ``named_found`` those of them that were found.
    :ivar found: mentions that were resolved; ``found_right`` those that the question does name.
    :ivar everything: all evidence, heaviest first; ``page`` what default pruning left of it.
    :ivar candidates: where the golds are among the candidates.
    :ivar asked: services that were asked; those of them that answered, wholly or in part.
    """

    failed: bool
    named: int
    named_found: int
    found: int
    found_right: int
    everything: Given
    page: Given
    candidates: Places
    edges: int
    left_out: int
    asked: int
    answered: int
    calls: int
    seconds: float

    @property
    def knows_entities(self) -> bool:
        """Whether its entities are known: a question that failed may have kept none."""
        return not self.failed or self.found > 0

    @property
    def joint(self) -> bool | None:
        """Whether everything that the question names was found; ``None`` where it is not known."""
        return self.named_found == self.named if self.knows_entities else None


@dataclass(frozen=True, slots=True)
class Mark:
    """All scores of one arm's answer to one question; ``None`` where a score does not apply.

    :ivar outcome: ``failed``: the question could not be run; ``error``: the arm failed;
        ``unasked``: the arm has a context, but there was no model to ask.
    :ivar right: whether the answer names any gold; ``False`` for abstentions and errors.
    :ivar by: how it does, ``gold`` which one.
    :ivar substring: whether the published rule is met by any of the published golds.
    :ivar places: where the golds are in the ranking, or among what the arm named.
    :ivar given: the arm's context.
    :ivar cosine: of the answer to the likest gold; ``cosine_model`` says by which model.
    """

    id: str
    kind: Kind
    arm: str
    outcome: Outcome
    retrieval: Retrieval
    right: bool | None = None
    by: How | None = None
    gold: str | None = None
    substring: bool | None = None
    rows: Rows | None = None
    places: Places | None = None
    given: Given | None = None
    citations: Citations | None = None
    cosine: float | None = None
    cosine_model: str | None = None
    calls: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    error: str | None = None
