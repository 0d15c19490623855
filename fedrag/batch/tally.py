"""How the questions of a batch came out, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.batch.lines import Verdict, verdict_of

__all__ = ["Tally"]

_WORDS: Mapping[Verdict, str] = {
    "answered": "answered",
    "no_evidence": "without evidence",
    "refused": "not answerable",
    "bad_row": "in rows that could not be read",
    "failed": "failed",
}


@dataclass(slots=True)
class Tally:
    """How the questions of a batch came out.

    :ivar total: how many there are.
    :ivar earlier: how many of them an earlier run had done.
    :ivar verdicts: how many came out how (:func:`fedrag.batch.verdict_of`), the earlier ones too.
    :ivar kinds: how many errors there are of each kind.
    :ivar notes: what the caches of calls had to say, each thing once.

    >>> tally = Tally(2)
    >>> tally.add({"answer": None, "error": {"kind": "PlanError"}})
    >>> tally.done, tally.exit_code
    (1, 4)
    """

    total: int
    earlier: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, line: Mapping[str, Any], *, earlier: bool = False) -> None:
        """Count one line."""
        self.verdicts[verdict_of(line)] += 1
        self.earlier += earlier
        if line["error"]:
            self.kinds[str(line["error"].get("kind"))] += 1

    def note(self, told: str) -> None:
        """Keep what a cache had to say. Workers may give other reasons: the first one stands."""
        what = told.partition(": ")[0]
        if all(note.partition(": ")[0] != what for note in self.notes):
            self.notes.append(told)

    @property
    def done(self) -> int:
        """How many questions have a line."""
        return sum(self.verdicts.values())

    @property
    def exit_code(self) -> int:
        """0 all answered; 3 some failed and may be asked again; 2 bad rows; 4 some unanswered."""
        if self.verdicts["failed"]:
            return 3
        if self.verdicts["bad_row"]:
            return 2
        return 4 if self.verdicts["no_evidence"] or self.verdicts["refused"] else 0

    def told(self, seconds: float) -> str:
        """One line for a person.

        >>> Tally(1).told(2.0)
        '0 of 1 questions in 2.0 s'
        """
        parts = [f"{self.done} of {self.total} questions in {seconds:.1f} s"]
        parts += [f"{n} {word}" for key, word in _WORDS.items() if (n := self.verdicts[key])]
        if self.earlier:
            parts.append(f"{self.earlier} of them done earlier")
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(self.kinds.items()))
        return ", ".join(parts) + (f" (errors: {kinds})" if kinds else "")

    def to_dict(self, seconds: float) -> dict[str, Any]:
        """The same for a program."""
        return {
            "questions": self.total,
            "done": self.done,
            "done_earlier": self.earlier,
            **{key: self.verdicts[key] for key in _WORDS},
            "errors": dict(sorted(self.kinds.items())),
            "notes": list(self.notes),
            "seconds": round(seconds, 3),
            "exit_code": self.exit_code,
        }
