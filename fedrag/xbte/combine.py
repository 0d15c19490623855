"""Several things a record names together stay one: a combination of drugs, of variants.

A record of dabrafenib with trametinib says nothing of either alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedrag.xbte.fields import Identity
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import scalars

__all__ = ["Combination", "combination"]


@dataclass(frozen=True, slots=True)
class Combination:
    """A node made of several. ``curie`` is None where one of them has no identifier."""

    curie: str | None
    name: str | None


def combination(prefix: str, made: Identity, ids: Any, names: Any) -> Combination | None:
    """The combination that identifiers and names make; None where they are fewer than two things.

    Identifiers are in order (numbers by size), names in theirs, so that one combination has one
    CURIE and one name however the service lists it.

    >>> combination("civic.therapies", Identity(), [22, 4], ["Trametinib", "Dabrafenib"])
    Combination(curie='civic.therapies:4+22', name='Dabrafenib + Trametinib')
    >>> combination("civic.therapies", Identity(), [4, None], ["Dabrafenib", "Trametinib"])
    Combination(curie=None, name='Dabrafenib + Trametinib')
    >>> combination("civic.therapies", Identity(), 4, "Dabrafenib") is None
    True
    """
    found = [local for v in made.of(ids) for s in scalars(v) if (local := _local(s))]
    labels = [label for v in scalars(names) if (label := text(v))]
    if max(len(set(found)), len(labels)) < 2:
        return None
    if labels and len(labels) != len(found):
        return Combination(None, " + ".join(labels))
    paired = dict(zip(found, labels or found, strict=True))
    ordered = sorted(paired, key=_size)
    name = " + ".join(paired[local] for local in ordered) if labels else None
    return Combination(f"{prefix}:{'+'.join(ordered)}", name)


def _local(value: Any) -> str:
    return text(value).rpartition(":")[2]


def _size(local: str) -> tuple[int, str]:
    """Numbers by size, before everything else, which goes by the alphabet."""
    return (len(local), local) if local.isdigit() else (10**6, local)
