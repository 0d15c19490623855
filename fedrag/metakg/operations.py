"""The x-bte annotations of a document, as far as planning asks: which triples it can be asked.

How a request is built from an operation and how its answer is read belong to the executors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.metakg.xfedrag import Manner

__all__ = ["CallTemplate", "Flaw", "Operation", "read_operations"]

_KEY = "x-bte-kgs-operations"
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """How an operation's call is written, before identifiers are put in.

    ``parameters`` hold those of the path too, which ``path_parameters`` names. ``templated``: the
    values are Nunjucks/Jinja templates over ``queryInputs``; else ``{inputs[0]}`` stands for it.
    """

    method: str
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    path_parameters: tuple[str, ...] = ()
    body: Mapping[str, Any] | str | None = None
    body_type: Literal["form", "json"] = "form"
    templated: bool = False
    batch: bool = False
    separator: str = ","


@dataclass(frozen=True, slots=True)
class Operation:
    """One call a service offers: from identifiers of one category to objects of another.

    Categories and predicate carry ``biolink:``, prefixes are as the document writes them. An
    annotation with several inputs or outputs gives one operation for each pair. ``mapping`` is the
    response mapping: name → path into the answer; ``output_prefix`` is one of its names.
    """

    id: str
    service: str
    method: str
    path: str
    subject_category: str
    predicate: str
    object_category: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    input_prefix: str = ""
    output_prefix: str = ""
    call: CallTemplate = CallTemplate("get", "/")
    mapping: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None  # infores of the primary source
    knowledge_level: str = "not_provided"
    agent_type: str = "not_provided"
    manner: Manner = Manner()


@dataclass(frozen=True, slots=True)
class Flaw:
    """An annotation that cannot be used, and where it is in the document."""

    place: Place
    message: str


def read_operations(
    document: Mapping[str, Any], service: str
) -> tuple[tuple[Operation, ...], tuple[Flaw, ...]]:
    """All operations of a document; a broken one costs itself alone and is told as a flaw."""
    operations: list[Operation] = []
    flaws: list[Flaw] = []
    for method, path, place, annotation in _annotations(document, flaws):
        try:
            operations += _compiled(annotation, service, method, path, place)
        except (KeyError, TypeError, AttributeError) as error:
            flaws.append(Flaw(place, f"the operation cannot be read: {_said(error)}"))
    return tuple(operations), tuple(flaws)


def _annotations(
    document: Mapping[str, Any], flaws: list[Flaw]
) -> Iterator[tuple[str, str, Place, Any]]:
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, Mapping) else ():
        for method in ("get", "post"):
            call = item.get(method) if isinstance(item, Mapping) else None
            listed = call.get(_KEY) if isinstance(call, Mapping) else None
            for position, entry in enumerate(listed if isinstance(listed, list) else ()):
                place: Place = ("paths", path, method, _KEY, position)
                for annotation in _resolved(document, entry, place, flaws):
                    yield method, path, place, annotation


def _resolved(
    document: Mapping[str, Any], entry: Any, place: Place, flaws: list[Flaw]
) -> list[Any]:
    """What an entry stands for: itself, or what its ``$ref`` leads to (one operation or a list)."""
    if isinstance(entry, Mapping) and isinstance(entry.get("$ref"), str):
        target: Any = document
        for step in entry["$ref"].removeprefix("#/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, Mapping) else None
        if target is None:
            flaws.append(Flaw(place, f"{entry['$ref']} leads nowhere"))
            return []
        entry = target
    return entry if isinstance(entry, list) else [entry]


def _compiled(
    annotation: Mapping[str, Any], service: str, method: str, path: str, place: Place
) -> Iterator[Operation]:
    inputs, outputs = annotation["inputs"], annotation["outputs"]
    qualifiers = _qualifiers(annotation.get("qualifiers"))
    for given in inputs:
        for got in outputs:
            yield Operation(
                id=f"{method} {path} {place[-1]}",
                service=service,
                method=method,
                path=path,
                subject_category=_prefixed(given["semantic"]),
                predicate=_prefixed(annotation["predicate"]),
                object_category=_prefixed(got["semantic"]),
                qualifiers=qualifiers,
                input_prefix=str(given["id"]),
                output_prefix=str(got["id"]),
            )


def _qualifiers(table: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(table, Mapping):
        return ()
    return tuple(sorted((_prefixed(str(kind)), str(value)) for kind, value in table.items()))


def _prefixed(name: str) -> str:
    return name if name.startswith("biolink:") else f"biolink:{name}"


def _said(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)
