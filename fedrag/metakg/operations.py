"""The x-bte annotations of a document, compiled: what can be asked of it, and how.

How a request is built from an operation and how its answer is read belong to ``xbte``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import orjson

from fedrag.metakg import values
from fedrag.metakg.annotations import Annotation, Flaw, read_annotations
from fedrag.metakg.described import CallTemplate, Operation
from fedrag.metakg.manners import merged, read_manner, x_fedrag_problems
from fedrag.metakg.references import BadReference, Place, resolve
from fedrag.metakg.values import Unreadable
from fedrag.metakg.xfedrag import Manner

__all__ = [
    "CallTemplate",
    "Flaw",
    "Operation",
    "Place",
    "annotation_count",
    "read_operations",
]

T = TypeVar("T")

_DUMP = orjson.OPT_NON_STR_KEYS
_MOST_PAIRS = 1_000  # of inputs and outputs of one annotation
_MOST_OPERATIONS = 20_000  # of one document


def read_operations(
    document: Mapping[str, Any], service: str, server: str = ""
) -> tuple[tuple[Operation, ...], tuple[Flaw, ...]]:
    """All operations of a document; a broken one costs itself alone and is told with flaws.

    Equal call templates, mappings and manners are one object: a document with thousands of
    operations has but a few of each.

    :param server: the base URL the document names.

    >>> read_operations({"paths": {}}, "mine")
    ((), ())
    """
    reader = _Reader(document, service, server)
    operations: list[Operation] = []
    flaws: list[Flaw] = []
    for annotation in read_annotations(document, flaws):
        try:
            made = list(reader.compiled(annotation))
        except Unreadable:
            flaws += reader.flaws(annotation)
            continue
        if len(operations) + len(made) > _MOST_OPERATIONS:
            told = f"the document holds more than {_MOST_OPERATIONS:,} meta-edges; no more are read"
            flaws.append(Flaw(annotation.place, told, annotation.id))
            break
        operations += made
    return tuple(operations), tuple(flaws)


def annotation_count(operations: Iterable[Operation]) -> int:
    """How many annotations operations come from: pairs of inputs and outputs count once."""
    return sum(not operation.id.endswith("]") for operation in operations)


class _Reader:
    """Reads the annotations of one document, whose parts they share."""

    def __init__(self, document: Mapping[str, Any], service: str, server: str) -> None:
        self._document = document
        self._service, self._server = service, server
        info = document.get("info")
        own = info.get("x-fedrag") if isinstance(info, Mapping) else None
        self._own: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
        self._pool: dict[tuple[str, bytes], Any] = {}

    def compiled(self, annotation: Annotation) -> Iterator[Operation]:
        """The operations of one annotation, one for each pair of input and output."""
        raw = annotation.value
        inputs, outputs = self._ends(raw)
        predicate = values.prefixed(values.name(raw, "predicate"))
        mapping = self._mapping(raw, predicate)
        shared: dict[str, Any] = {
            "service": self._service,
            "method": annotation.method,
            "path": annotation.path,
            "predicate": predicate,
            "qualifiers": values.qualifiers(raw.get("qualifiers")),
            "call": self._call(annotation),  # judges its path, too
            "source": values.source(raw.get("source")),
            "knowledge_level": values.knowledge_level(raw.get("knowledge_level")),
            "agent_type": values.agent_type(raw.get("agent_type")),
            "manner": self._manner(raw.get("x-fedrag")),
            "server": self._server,
        }
        pairs = [(given, got) for given in inputs for got in outputs]
        for number, ((in_prefix, subject), (out_prefix, object_)) in enumerate(pairs):
            yield Operation(
                id=annotation.id if number == 0 else f"{annotation.id} [{number + 1}]",
                subject_category=subject,
                object_category=object_,
                input_prefix=in_prefix,
                output_prefix=out_prefix,
                mapping=self._shared("mapping", values.output_under(out_prefix, mapping), dict),
                **shared,
            )

    def flaws(self, annotation: Annotation) -> list[Flaw]:
        """Everything that keeps an annotation from being compiled, not the first of it alone."""
        raw = annotation.value
        parts: tuple[Callable[[], object], ...] = (
            lambda: self._ends(raw),
            lambda: values.ends(raw, "inputs"),
            lambda: values.ends(raw, "outputs"),
            lambda: values.name(raw, "predicate"),
            lambda: self._mapping(raw, values.prefixed(str(raw.get("predicate")))),
            lambda: values.qualifiers(raw.get("qualifiers")),
            lambda: self._check_path(annotation.path),
            lambda: values.table(raw, "parameters"),
            lambda: self._body(raw),
            lambda: values.flag(raw, "useTemplating"),
            lambda: values.flag(raw, "supportBatch"),
            lambda: self._manner(raw.get("x-fedrag")),
            lambda: list(self.compiled(annotation)),
        )
        found: dict[tuple[Place, str], None] = {}
        for read in parts:
            try:
                read()
            except Unreadable as error:
                found[error.definite or (*annotation.place, *error.place), str(error)] = None
        return [Flaw(place, told, annotation.id) for place, told in found]

    def _ends(self, raw: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Inputs and outputs, of which every pair is an operation."""
        inputs, outputs = values.ends(raw, "inputs"), values.ends(raw, "outputs")
        if (pairs := len(inputs) * len(outputs)) > _MOST_PAIRS:
            told = f"inputs and outputs make {pairs:,} pairs, and at most {_MOST_PAIRS:,} are read"
            raise Unreadable(told, "inputs")
        return inputs, outputs

    def _check_path(self, path: str) -> None:
        try:
            values.check_path(path)
        except Unreadable as error:
            raise Unreadable(str(error), definite=("paths", path)) from error

    def _call(self, annotation: Annotation) -> CallTemplate:
        self._check_path(annotation.path)
        raw = annotation.value
        told = {
            "method": annotation.method,
            "path": annotation.path,
            "parameters": values.table(raw, "parameters"),
            "path_parameters": annotation.path_parameters,
            **self._body(raw),
            "templated": values.flag(raw, "useTemplating"),
            "batch": values.flag(raw, "supportBatch"),
            "separator": str(raw.get("inputSeparator", ",")),
        }
        return self._shared("call", told, _call_template)

    def _body(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        request = values.table(raw, "requestBody")
        body = request.get("body")
        if not isinstance(body, Mapping | str | None):
            raise Unreadable(
                f"must be a mapping or a text, not {body!r:.80}", "requestBody", "body"
            )
        kind = str(raw.get("requestBodyType", request.get("requestBodyType", "")))
        header = str(request.get("header") or "")
        json = "json" in header or self._own.get("protocol") == "graphql"
        json = kind == "object" if kind else json
        return {"body": body, "body_type": "json" if json else "form"}

    def _mapping(self, raw: Mapping[str, Any], predicate: str) -> Mapping[str, str]:
        key = "response_mapping" if "response_mapping" in raw else "responseMapping"
        if raw.get(key) is None:
            raise Unreadable("the operation cannot be read: it has no 'response_mapping'")
        try:
            table, place = resolve(self._document, raw[key], ())
        except BadReference as error:
            raise Unreadable(f"response mapping: {error}", key) from error
        definite = place or None
        if isinstance(table, Mapping) and len(table) == 1:  # the older form, under the predicate
            (name, inner), *_ = table.items()
            if isinstance(inner, Mapping) and values.prefixed(str(name)) == predicate:
                table = inner
        if not isinstance(table, Mapping) or not table:
            raise Unreadable("a response mapping must be a mapping", key, definite=definite)
        for name, path in table.items():
            if not isinstance(path, str):
                told = f"{name} must be a path into the answer, not {path!r:.80}"
                raise Unreadable(told, key, definite=definite and (*definite, str(name)))
        return table

    def _manner(self, raw: Any) -> Manner:
        if raw is not None:
            values.check_size(raw)
            for place, message in x_fedrag_problems(raw, ("x-fedrag",), operation=True):
                raise Unreadable(message, *place)
        manner = self._shared("manner", merged(self._own, raw or {}), read_manner)
        for lookup in (manner.lookup, manner.output_lookup):
            if lookup is not None:
                values.check_path(lookup.path)
        return manner

    def _shared(self, kind: str, value: Any, make: Callable[[Any], T]) -> T:
        """What ``make`` makes of a value, once for all equal ones; of plain JSON types alone."""
        values.check_size(value)
        try:
            key = orjson.dumps(value, default=str, option=_DUMP)
        except orjson.JSONEncodeError as error:
            raise Unreadable(f"the operation cannot be read: {error}") from error
        if (kind, key) not in self._pool:
            self._pool[kind, key] = make(orjson.loads(key))
        made: T = self._pool[kind, key]
        return made


def _call_template(told: dict[str, Any]) -> CallTemplate:
    return CallTemplate(**{**told, "path_parameters": tuple(told["path_parameters"])})
