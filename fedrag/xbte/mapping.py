"""A response mapping, with what ``x-fedrag`` adds to it, compiled into one way through an answer.

Everything an operation wants of an answer is a slot of one :class:`~fedrag.xbte.paths.Plan` along
the path of the output's identifier; what each slot means is said here. Compiled once per
operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Condition, Manner
from fedrag.xbte.conditions import check_of
from fedrag.xbte.fields import Checks, Field, Identity, Role, Slots
from fedrag.xbte.paths import Path, Plan, as_path, plan, shared
from fedrag.xbte.references import kind_of_reference

__all__ = ["CompiledMapping", "Wanted", "compiled"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The slots of what is read beside the mapping's own fields; ``()`` where nothing is."""

    output: Slots = ()  # the output itself
    echo: Slots = ()
    where: Checks = ()
    negated: Checks = ()
    prefix: Slots = ()
    taxon: Slots = ()
    confidence: Slots = ()
    primary: Slots = ()
    aggregators: Slots = ()
    qualifiers: tuple[tuple[str, str, Slots], ...] = ()  # type, prefix of bare identifiers, where
    second: Slots = ()
    first_name: Slots = ()
    second_name: Slots = ()
    combined: Slots = ()
    combined_names: Slots = ()
    when: Checks = ()


@dataclass(frozen=True, slots=True)
class CompiledMapping:
    """What an operation reads of an answer. ``steps`` are the first keys of its paths."""

    anchor: Path
    plan: Plan
    fields: tuple[Field, ...]
    judged: bool  # attributes may say that it is not so, or hold publications of their own
    wanted: Wanted
    output: Identity
    second: Identity
    echo: Identity
    combined: Identity
    steps: frozenset[str]
    whole: CompiledMapping | None = None  # reads records whose outputs are one combination


class _Slots:
    """Collects the paths to read along an anchor."""

    def __init__(self, anchor: Path) -> None:
        self.anchor = anchor
        self.paths: dict[Path, int] = {}

    def at(self, path: Path) -> int:
        return self.paths.setdefault(path, len(self.paths))

    def of(self, path: str | None) -> Slots:
        """A path into the whole answer; one that is none of it is looked for in the record.

        In the record means: from the element the anchor leads to outwards.
        """
        if path is None:
            return ()
        keys = as_path(path)
        if not keys or not self.anchor or keys[0] == self.anchor[0]:
            return (self.at(keys),)
        depths = range(len(self.anchor) - 1, -1, -1)
        return tuple(self.at(self.anchor[:depth] + keys) for depth in depths)

    def checks(self, conditions: Iterable[Condition]) -> Checks:
        return tuple((self.of(c.path), check_of(c)) for c in conditions)


class _Same:
    """An operation by identity: it holds dicts, so it cannot be hashed by value."""

    __slots__ = ("operation",)

    def __init__(self, operation: Operation) -> None:
        self.operation = operation

    def __hash__(self) -> int:
        return id(self.operation)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.operation is self.operation


def compiled(operation: Operation) -> CompiledMapping:
    """The operation's mapping, compiled; kept, so that the next page costs nothing."""
    return _compiled(_Same(operation))


@lru_cache(maxsize=4096)
def _compiled(key: _Same) -> CompiledMapping:
    operation = key.operation
    manner = operation.manner
    written = manner.ends.first if manner.ends else _output_path(operation)
    combine = manner.combine
    whole = None
    if combine is not None and combine.side == "output":
        whole = _made(operation, _group(as_path(combine.id), combine.when))
    return replace(_made(operation, as_path(written)), whole=whole)


def _made(operation: Operation, anchor: Path) -> CompiledMapping:
    manner, slots = operation.manner, _Slots(anchor)
    fields = tuple(_fields(operation, slots))
    wanted = _wanted(operation, slots)
    ends, combine = manner.ends, manner.combine
    paths = (*operation.mapping.values(), *((ends.first, ends.second) if ends else ()))
    return CompiledMapping(
        anchor=anchor,
        plan=plan(anchor, list(slots.paths)),
        fields=fields,
        judged=any(f.role == "trapi" or f.name.endswith("negated") for f in fields),
        wanted=wanted,
        output=_identity(manner, ends.first if ends else _output_path(operation)),
        second=_identity(manner, ends.second if ends else ""),
        echo=_identity(manner, _echo(manner) or ""),
        combined=_identity(manner, combine.id if combine else ""),
        steps=frozenset(as_path(path)[0] for path in paths if path),
    )


def _output_path(operation: Operation) -> str:
    mapping = operation.mapping
    if operation.output_prefix in mapping:
        return mapping[operation.output_prefix]
    wanted = operation.output_prefix.casefold()
    return next((path for name, path in mapping.items() if name.casefold() == wanted), "")


def _group(identifier: Path, when: Iterable[Condition]) -> Path:
    """The element of which one array is combined: what the conditions and the array share."""
    depths = [shared(identifier, as_path(condition.path)) for condition in when if condition.path]
    depths = [depth for depth in depths if depth]
    return identifier[: min(depths)] if depths else identifier[:-2]


def _identity(manner: Manner, path: str) -> Identity:
    shape = _told(manner.reshape, path)
    separator = _told(manner.split, path)
    if shape is None:
        return Identity(separator)
    table = {**{name.casefold(): made for name, made in shape.table.items()}, **shape.table}
    return Identity(separator, shape.behind, shape.add, table)


def _told(table: Any, path: str) -> Any:
    """What a table by path says of a path; its keys may be written from the record on."""
    if path in table:
        return table[path]
    return next((told for key, told in table.items() if path.endswith(f".{key}")), None)


def _fields(operation: Operation, slots: _Slots) -> Iterator[Field]:
    manner = operation.manner
    output = _output_path(operation)
    for name, path in operation.mapping.items():
        if path == output and name.casefold() == operation.output_prefix.casefold():
            continue
        kind = kind_of_reference(name)
        role: Role = _ROLES.get(name, "attribute" if kind is None else "reference")
        conditions = _told(manner.only_where, path) or ()
        made = Identity(_told(manner.split, path)) if path == output else _identity(manner, path)
        field = Field(name, -1, role, reference=kind, made=made)
        yield _placed(field, as_path(path), conditions, slots)


_ROLES: dict[str, Role] = {
    "input_name": "input_name",
    "output_name": "output_name",
    "source_url": "record_url",
    "edge-attributes": "trapi",
    "trapi_sources": "sources",
}


def _placed(field: Field, keys: Path, conditions: Sequence[Condition], slots: _Slots) -> Field:
    """The field at its path; conditions on its values lie beside them, or further out."""
    if not conditions:
        return replace(field, slot=slots.at(keys), plain=field.made == Identity())
    depth = shared(slots.anchor, keys)
    near = [c for c in conditions if shared(keys, as_path(c.path)) > depth]
    far = [c for c in conditions if c not in near]
    inner = plan(keys[depth:], [as_path(c.path)[depth:] for c in near]) if near else None
    slot = slots.at(keys[:depth] if near else keys)
    checks = tuple(check_of(c) for c in near)
    return replace(field, slot=slot, inner=inner, only=checks, beside=slots.checks(far))


def _wanted(operation: Operation, slots: _Slots) -> Wanted:
    manner = operation.manner
    ends, combine = manner.ends, manner.combine
    echo = _echo(manner)
    primary, aggregators = _sources(operation)
    prefixes = manner.qualifier_prefixes
    return Wanted(
        output=slots.of(_output_path(operation)),
        echo=slots.of(echo),
        where=slots.checks(manner.where),
        negated=slots.checks(manner.negated),
        prefix=slots.of(manner.prefix_from.path if manner.prefix_from else None),
        taxon=slots.of(manner.taxon_field),
        confidence=slots.of(manner.confidence_field),
        primary=slots.of(primary),
        aggregators=slots.of(aggregators),
        qualifiers=tuple(
            (f"biolink:{kind.removeprefix('biolink:')}", prefixes.get(kind, ""), slots.of(path))
            for kind, path in manner.qualifiers_from.items()
        ),
        second=slots.of(ends.second if ends else None),
        first_name=slots.of(ends.first_name if ends else None),
        second_name=slots.of(ends.second_name if ends else None),
        combined=slots.of(combine.id if combine else None),
        combined_names=slots.of(combine.name if combine else None),
        when=slots.checks(combine.when if combine else ()),
    )


def _echo(manner: Manner) -> str | None:
    """Where the record names its inputs; what was told by position is put there (``prepare``)."""
    aligned = manner.echo_aligned
    return manner.echo_field or (aligned.flags if aligned is not None else None)


def _sources(operation: Operation) -> tuple[str | None, str | None]:
    """Where a record names its sources by Biolink's slots, not as TRAPI does.

    Monarch's document maps ``trapi_sources: items.sources``, which Monarch does not send; the slots
    it does send stand beside.
    """
    told = operation.manner.sources_from
    if told is not None:
        return told.primary, told.aggregators
    parent, dot, last = operation.mapping.get("trapi_sources", "").rpartition(".")
    if last != "sources":
        return None, None
    return (
        f"{parent}{dot}primary_knowledge_source",
        f"{parent}{dot}aggregator_knowledge_source",
    )
