"""``x-fedrag`` as a document writes it → :class:`Manner`, and what is wrong with it.

The closed schema (``fedrag/schemas/x-fedrag.json``) alone says what may stand there; reading
starts where it found nothing wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from fedrag.metakg.references import Place
from fedrag.metakg.xfedrag import (
    Auth,
    Combine,
    Condition,
    EchoAligned,
    Ends,
    Lookup,
    Manner,
    OutputLookup,
    Pagination,
    PrefixFrom,
    Reshape,
    SourcesFrom,
)
from fedrag.resources import schema_path

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

__all__ = ["merged", "read_auth", "read_manner", "restored_manner", "x_fedrag_problems"]

ALWAYS = Condition("", negate=True)  # none of no values: it holds for every record


def x_fedrag_problems(
    raw: Any, place: Place = (), *, operation: bool = False
) -> Iterator[tuple[Place, str]]:
    """Everything wrong with an ``x-fedrag``: its place and the problem.

    :param operation: it stands on an operation, where fewer keys may stand than on ``info``.

    >>> list(x_fedrag_problems({"tiemout": 3, "priority": 5}))[0][0]
    ('tiemout',)
    """
    for error in _validator(operation).iter_errors(raw):
        yield from _told(error, place)


def _told(error: ValidationError, place: Place) -> Iterator[tuple[Place, str]]:
    at: Place = (*place, *error.absolute_path)
    schema: dict[str, Any] = cast(dict[str, Any], error.schema)
    if error.validator == "additionalProperties":
        known = schema["properties"]
        for key in sorted(set(cast(dict[str, Any], error.instance)) - set(known), key=str):
            yield (*at, key), f"unknown key; known: {', '.join(sorted(known))}"
    elif error.validator == "anyOf":
        told = schema.get("description", "a path, or {path: ..., prefix: ...}")
        yield at, f"{error.instance!r:.80} does not fit: {told}"
    else:
        yield at, error.message


@lru_cache(maxsize=2)
def _validator(operation: bool) -> Draft202012Validator:
    import orjson
    from jsonschema import Draft202012Validator

    schema = orjson.loads(schema_path("x-fedrag").read_bytes())
    if operation:
        inner = {"$defs": schema["$defs"], "$ref": "#/$defs/operation"}
        return Draft202012Validator(inner)
    return Draft202012Validator(schema)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two ``x-fedrag`` as one: the keys of ``above`` win, ``settings`` and ``pace`` key by key.

    >>> merged({"batch_size": 9, "settings": {"a": 1}}, {"settings": {"b": 2}})
    {'batch_size': 9, 'settings': {'a': 1, 'b': 2}}
    """
    both = {**below, **above}
    for key in ("settings", "pace"):
        if isinstance(below.get(key), Mapping) and isinstance(above.get(key), Mapping):
            both[key] = {**below[key], **above[key]}
    return both


def read_auth(raw: Mapping[str, Any]) -> Auth | None:
    """The credentials that a valid ``x-fedrag`` of ``info`` names."""
    if "auth" not in raw:
        return None
    told = raw["auth"]
    return Auth(**{**told, "open_hosts": tuple(told.get("open_hosts", ()))})


def read_manner(raw: Mapping[str, Any]) -> Manner:
    """What a valid ``x-fedrag`` says of an operation; keys of ``info`` alone are passed over.

    >>> read_manner({"where": {"level": {"not": "D"}}}).where[0].values
    ('D',)
    """
    plain = [f.name for f in fields(Manner) if f.name not in _READERS and f.name in raw]
    told: dict[str, Any] = {key: raw[key] for key in plain}
    told |= {key: read(raw[key]) for key, read in _READERS.items() if key in raw}
    if "qualifiers_from" in raw:
        told |= _qualifiers_from(raw["qualifiers_from"])
    return Manner(**told)


def restored_manner(told: Mapping[str, Any]) -> Manner:
    """A manner from its fields as plain JSON (``dataclasses.asdict`` of one, written and read).

    >>> from dataclasses import asdict
    >>> one = read_manner({"where": {"a": 1}, "ends": {"first": "x", "second": "y"}})
    >>> restored_manner(asdict(one)) == one
    True
    """
    made = {key: make(told[key]) for key, make in _RESTORERS.items() if told[key] is not None}
    return Manner(**{**told, **made})


def _conditions(raw: Any) -> tuple[Condition, ...]:
    if raw is True:
        return (ALWAYS,)
    return tuple(_condition(path, told) for path, told in raw.items())


def _condition(path: str, told: Any) -> Condition:
    if not isinstance(told, Mapping):
        return Condition(path, values=_values(told))
    if "not" in told:
        return Condition(path, values=_values(told["not"]), negate=True)
    if "above" in told:
        return Condition(path, above=float(told["above"]))
    if "below" in told:
        return Condition(path, below=float(told["below"]))
    return Condition(path, exists=told["exists"])


def _values(told: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in (told if isinstance(told, list) else [told]))


def _text(value: str | float | bool) -> str:
    """A value as JSON would write it, without quotes: YAML's ``true`` is the text ``true``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reshape(raw: Mapping[str, Any]) -> dict[str, Reshape]:
    return {path: Reshape(**told) for path, told in raw.items()}


def _only_where(raw: Mapping[str, Any]) -> dict[str, tuple[Condition, ...]]:
    return {path: _conditions(told) for path, told in raw.items()}


def _combine(raw: Mapping[str, Any]) -> Combine:
    return Combine(**{**raw, "when": _conditions(raw.get("when", {}))})


def _qualifiers_from(raw: Mapping[str, Any]) -> dict[str, Any]:
    named = {kind.removeprefix("biolink:"): told for kind, told in raw.items()}
    pairs = {k: t if isinstance(t, Mapping) else {"path": t} for k, t in named.items()}
    return {
        "qualifiers_from": {kind: told["path"] for kind, told in pairs.items()},
        "qualifier_prefixes": {k: told["prefix"] for k, told in pairs.items() if "prefix" in told},
    }


def _restored_conditions(listed: list[Any]) -> tuple[Condition, ...]:
    return tuple(Condition(**{**one, "values": tuple(one["values"])}) for one in listed)


def _restored_combine(raw: Mapping[str, Any]) -> Combine:
    return Combine(**{**raw, "when": _restored_conditions(raw["when"])})


_READERS: dict[str, Callable[[Any], Any]] = {
    "pagination": lambda raw: Pagination(**raw),
    "echo_aligned": lambda raw: EchoAligned(**raw),
    "ends": lambda raw: Ends(**raw),
    "prefix_from": lambda raw: PrefixFrom(**raw),
    "sources_from": lambda raw: SourcesFrom(**raw),
    "lookup": lambda raw: Lookup(**raw),
    "output_lookup": lambda raw: OutputLookup(**raw),
    "where": _conditions,
    "negated": _conditions,
    "combine": _combine,
    "reshape": _reshape,
    "only_where": _only_where,
    "empty_status": tuple,
}
_RESTORERS: dict[str, Callable[[Any], Any]] = {
    **_READERS,
    "where": _restored_conditions,
    "negated": _restored_conditions,
    "combine": _restored_combine,
    "only_where": lambda raw: {path: _restored_conditions(told) for path, told in raw.items()},
}
