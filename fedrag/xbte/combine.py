"""Several things a record names together stay one: a combination of drugs, of variants.

A record of dabrafenib with trametinib says nothing of either alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from fedrag.xbte.fields import Identity
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import scalars

__all__ = ["Combination", "combination"]

_APART = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Combination:
    """A node made of several. ``curie`` is None where nobody can say what it is made of."""

    curie: str | None
    name: str | None


def combination(prefix: str, made: Identity, ids: Any, names: Any) -> Combination | None:
    """The combination that identifiers and names make; None where they are fewer than two things.

    Identifiers are in order (numbers by size), names by the alphabet whatever their case, so that
    one combination has one CURIE and one name however a service lists it. A part without an
    identifier is told by its name.

    >>> combination("civic.therapies", Identity(), [22, 4], ["Trametinib", "Dabrafenib"])
    Combination(curie='civic.therapies:4+22', name='Dabrafenib + Trametinib')
    >>> combination("civic.therapies", Identity(), [4, None], ["Dabrafenib", "CTX-712"])
    Combination(curie='civic.therapies:4+ctx-712', name='CTX-712 + Dabrafenib')
    >>> combination("civic.therapies", Identity(), [4, 22], ["Dabrafenib"])
    Combination(curie=None, name='Dabrafenib')
    >>> combination("civic.therapies", Identity(), 4, "Dabrafenib") is None
    True
    """
    given = [_local(value) for value in made.of(ids)]
    labels = [label for v in scalars(names) if (label := text(v))]
    if max(len({local for local in given if local}), len(labels)) < 2:
        return None
    name = " + ".join(sorted(labels, key=_by_alphabet)) or None
    if labels and len(labels) != len(given):
        return Combination(None, name)
    found = {local or _slug(label) for local, label in zip(given, labels or given, strict=True)}
    curie = f"{prefix}:{'+'.join(sorted(found, key=_size))}" if "" not in found else None
    return Combination(curie, name)


def _slug(label: str) -> str:
    return _APART.sub("-", label.casefold()).strip("-")


def _by_alphabet(label: str) -> tuple[str, str]:
    return label.casefold(), label


def _local(value: Any) -> str:
    return text(value).rpartition(":")[2]


def _size(local: str) -> tuple[int, str]:
    """Numbers by size, before everything else, which goes by the alphabet."""
    return (len(local), local) if local.isdigit() else (10**6, local)
