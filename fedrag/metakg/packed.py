"""Operations as JSON: rows of indices into tables, so that what thousands share is there once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fedrag.metakg.manners import restored_manner
from fedrag.metakg.operations import CallTemplate, Operation

__all__ = ["operations_of", "restored_tables", "tables_of"]


def tables_of(operations: Sequence[Operation]) -> dict[str, Any]:
    """Operations as rows of indices into tables of what they are made of, plain JSON all of it.

    >>> one = Operation("a", "", "get", "/", "biolink:Gene", "biolink:causes", "biolink:Disease")
    >>> operations_of(restored_tables(tables_of([one])), "mine")[0].service
    'mine'
    """
    texts, calls, mappings, manners, qualifiers = (_Table() for _ in range(5))
    rows = [
        [
            *map(texts.index, _texts(operation)),
            qualifiers.index(operation.qualifiers),
            calls.index(id(operation.call), operation.call),
            mappings.index(id(operation.mapping), operation.mapping),
            manners.index(id(operation.manner), operation.manner),
        ]
        for operation in operations
    ]
    return {
        "texts": texts.values,
        "qualifiers": qualifiers.values,
        "calls": [asdict(call) for call in calls.values],
        "mappings": mappings.values,
        "manners": [asdict(manner) for manner in manners.values],
        "rows": rows,
    }


def _texts(operation: Operation) -> tuple[str | None, ...]:
    return (
        operation.id,
        operation.method,
        operation.path,
        operation.subject_category,
        operation.predicate,
        operation.object_category,
        operation.input_prefix,
        operation.output_prefix,
        operation.source,
        operation.knowledge_level,
        operation.agent_type,
        operation.server,
    )


class _Table:
    """Values in the order they came, each once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def index(self, key: Hashable, value: Any = None) -> int:
        """The place of a value, which is its own key where it is not given."""
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(key if value is None else value)
        return self._places[key]


def restored_tables(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with what operations are made of in place of its JSON."""
    return {
        **raw,
        "qualifiers": [tuple((k, v) for k, v in pairs) for pairs in raw["qualifiers"]],
        "calls": [
            CallTemplate(**{**call, "path_parameters": tuple(call["path_parameters"])})
            for call in raw["calls"]
        ],
        "manners": [restored_manner(manner) for manner in raw["manners"]],
    }


def operations_of(tables: Mapping[str, Any], service: str) -> tuple[Operation, ...]:
    """The rows as operations; written out, since there are thousands of them."""
    text, qualifiers, calls = tables["texts"], tables["qualifiers"], tables["calls"]
    mappings, manners = tables["mappings"], tables["manners"]
    return tuple(
        Operation(
            text[id_],
            service,
            text[method],
            text[path],
            text[subject],
            text[predicate],
            text[object_],
            qualifiers[qualified],
            text[given],
            text[got],
            calls[call],
            mappings[mapping],
            text[source],
            text[level],
            text[agent],
            manners[manner],
            text[server],
        )
        for (
            id_,
            method,
            path,
            subject,
            predicate,
            object_,
            given,
            got,
            source,
            level,
            agent,
            server,
            qualified,
            call,
            mapping,
            manner,
        ) in tables["rows"]
    )
