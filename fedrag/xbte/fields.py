"""What a compiled mapping reads in one place: identifiers, fields, conditions.

Values come from a row (:func:`fedrag.xbte.paths.rows`); a *slot* is a position in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.xbte.conditions import Check
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import MISSING, Plan, nodes, rows, scalars

__all__ = ["Checks", "Field", "Identity", "Role", "Slots", "first", "passes"]

Slots = tuple[int, ...]  # alternatives: the first that holds something counts
Checks = tuple[tuple[Slots, Check], ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """How what is wanted is made of what stands at a path (``split``, ``reshape``).

    ``separator`` parts several in one text; what counts stands behind ``behind``, after ``add``, or
    in the ``table``, by name: what is not in it is nothing.
    """

    separator: str | None = None
    behind: str | None = None
    add: str = ""
    table: Mapping[str, str] = field(default_factory=dict)

    @property
    def shapes(self) -> bool:
        """Whether values are made into others."""
        return self.behind is not None or bool(self.add) or bool(self.table)

    def of(self, value: Any) -> list[Any]:
        """The identifiers in a value, as the service writes them.

        >>> Identity(separator="|", behind="/").of(["a/1|b/2", None, 3])
        ['1', '2', None, '3']
        >>> Identity(table={"liver": "UBERON:0002107"}).of(["Liver", "x"])
        ['UBERON:0002107', None]
        """
        given = [None if type(v) is dict else v for v in nodes(value, ())]
        if self.separator is not None:
            given = [p for v in given for p in (v.split(self.separator) if type(v) is str else [v])]
        return [self.shaped(v) for v in given] if self.shapes else given

    def shaped(self, value: Any) -> str | None:
        """One value as it is wanted, None where it is nothing."""
        if type(value) is bool or not (written := text(value)):
            return None
        if self.table:
            return self.table.get(written) or self.table.get(written.casefold())
        return self.add + (written.rpartition(self.behind)[2] if self.behind else written)


Role = Literal[
    "attribute", "input_name", "output_name", "reference", "record_url", "trapi", "sources"
]


@dataclass(frozen=True, slots=True)
class Field:
    """A name of the mapping beside the output: where it stands, and what it stands for.

    ``plain``: it is its slot, as it stands. ``reference``: the kind of publication it names.
    ``inner`` reads a value of which only what passes ``only`` counts, ``beside`` are those of its
    conditions that lie outside of it.
    """

    name: str
    slot: int
    role: Role = "attribute"
    plain: bool = False
    reference: str | None = None
    made: Identity = Identity()
    inner: Plan | None = None
    only: tuple[Check, ...] = ()
    beside: Checks = ()

    def value(self, values: Sequence[Any]) -> Any:
        """What the field holds in a row, ``MISSING`` where it holds nothing."""
        if not passes(self.beside, values):
            return MISSING
        found = values[self.slot]
        if self.inner is not None:
            found = self._passing(found)
        if self.made.separator is not None:
            found = _split(found, self.made.separator)
        return self._shaped(found) if self.made.shapes else found

    def _shaped(self, value: Any) -> Any:
        found = [made for v in scalars(value) if (made := self.made.shaped(v)) is not None]
        return (found if type(value) is list else found[0]) if found else MISSING

    def _passing(self, node: Any) -> Any:
        assert self.inner is not None
        found = [
            leaf
            for leaf, told in rows(self.inner, node)
            if all(check(value) for check, value in zip(self.only, told, strict=True))
        ]
        return (found[0] if len(found) == 1 else found) if found else MISSING


def _split(value: Any, separator: str) -> Any:
    """A text of several as a list; anything else as it is."""
    if type(value) is str:
        return [part for piece in value.split(separator) if (part := piece.strip())]
    if type(value) is list:
        return [p for v in value for p in (_split(v, separator) if type(v) is str else [v])]
    return value


def passes(checks: Checks, values: Sequence[Any]) -> bool:
    """Whether all conditions hold for a row."""
    return all(check(first(slots, values)) for slots, check in checks)


def first(slots: Slots, values: Sequence[Any]) -> Any:
    """The first of the alternatives that holds something."""
    for slot in slots:
        if values[slot] is not MISSING:
            return values[slot]
    return MISSING
