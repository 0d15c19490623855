"""Variants that a question names together: CIViC may hold them as one, a combination profile.

What a tumour with both responds to is told of the combination, not of its parts (EGFR L858R alone
responds to what EGFR T790M resists), so that the combination is asked where there is one, and its
parts beside it. No further call is needed: CIViC's names are asked left-anchored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fedrag.entities.mentions import How
from fedrag.entities.variant_known import Gene, Known
from fedrag.entities.variant_profiles import Profile
from fedrag.entities.variants import Spotted

__all__ = ["Together", "together"]

_JOINT = re.compile(
    r",? ?(?:and|plus|with|as well as|together with)(?: the)? | ?[+/&] ?|, ?", re.IGNORECASE
)
Named = tuple[Spotted, Known, How]


@dataclass(frozen=True, slots=True)
class Together:
    """A combination, in the place of all its parts in the question."""

    profile: Profile
    whole: Named
    parts: tuple[Named, ...]

    @property
    def note(self) -> str:
        """What was made of the parts."""
        spotted, known, _ = self.whole
        apart = " and ".join(part.name for _, part, _ in self.parts)
        return (
            f'"{spotted.text}" was read as the combination {known.name} ({self.profile.curie}) of '
            f"CIViC; {apart} are asked as well"
        )


def together(question: str, named: Sequence[Named]) -> list[Together]:
    """The combinations among variants that stand side by side; the longest first."""
    ordered = sorted((n for n in named if n[0].start >= 0), key=lambda n: n[0].start)
    made: list[Together] = []
    start = 0
    while start < len(ordered):
        found = next(_from(question, ordered, start), None)
        made += [found] if found else []
        start += len(found.parts) if found else 1
    return made


def _from(question: str, ordered: Sequence[Named], start: int) -> Iterator[Together]:
    """The combinations that begin with one variant."""
    end = start + 1
    while end < len(ordered) and _joined(question, ordered[end - 1][0], ordered[end][0]):
        end += 1
    for last in range(end, start + 1, -1):
        parts = tuple(ordered[start:last])
        names = {known.name.casefold() for _, known, _ in parts}
        for profile in (p for _, known, _ in parts for p in known.combined):
            if profile.parts == names:
                yield _as_one(question, profile, parts)


def _joined(question: str, one: Spotted, other: Spotted) -> bool:
    return _JOINT.fullmatch(question[one.end : other.start]) is not None


def _as_one(question: str, profile: Profile, parts: tuple[Named, ...]) -> Together:
    start, end = parts[0][0].start, parts[-1][0].end
    spotted = Spotted(question[start:end], start, end, "all", change="AND", sure=False)
    gene = Gene(*profile.genes[0]) if len(profile.genes) == 1 else None
    return Together(profile, (spotted, Known(profile.name, (profile.curie,), gene), "exact"), parts)
