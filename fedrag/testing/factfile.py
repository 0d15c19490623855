"""The fact book as a JSON file: one node, record or statement a line, so that a diff reads well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from fedrag.errors import ConfigError
from fedrag.testing.facts import FactBook, FactNode, Statement

__all__ = ["DEMO", "facts_from_json", "facts_to_json", "lines_of"]

DEMO = Path(__file__).with_name("demo_facts.json")

_HEADER = {
    "what": "facts of DrugMechDB (CC0 1.0) for the loopback services",
    "names": "gene symbols and names from HGNC (CC0 1.0), disease terms from MONDO (CC BY 4.0)",
    "made_by": "python -m fedrag.testing.build",
}
_DEFAULTS = Statement("", "", "")
_EXTRA = ("primary", "knowledge_level", "agent_type", "publications", "negated", "attributes")


def lines_of(sections: Mapping[str, Any]) -> bytes:
    """JSON with every item of a top-level list or object on a line of its own."""
    parts = [f"{_text(name)}: {_section(value)}" for name, value in sections.items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _section(value: Any) -> str:
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{_text(k)}:{_text(v)}" for k, v in value.items()) + "\n}"
    return "[\n" + ",\n".join(_text(item) for item in value) + "\n]"


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()


def facts_to_json(facts: FactBook) -> bytes:
    """The fact book as bytes; equal fact books give equal bytes."""
    place = {record: index for index, record in enumerate(facts.records)}
    return lines_of(
        {
            "header": _HEADER,
            "nodes": [_node_out(node) for node in facts.nodes.values()],
            "records": [[record, *urls] for record, urls in facts.records.items()],
            "statements": [_statement_out(s, place) for s in facts.statements],
        }
    )


def facts_from_json(content: bytes) -> FactBook:
    """The fact book that :func:`facts_to_json` wrote.

    :raises ConfigError: not such a file.
    """
    try:
        raw = orjson.loads(content)
        names = [record[0] for record in raw["records"]]
        nodes = (_node_in(item) for item in raw["nodes"])
        return FactBook(
            {node.curie: node for node in nodes},
            tuple(_statement_in(item, names) for item in raw["statements"]),
            {record[0]: tuple(record[1:]) for record in raw["records"]},
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, IndexError, ValueError) as error:
        raise ConfigError(
            f"not a fact book: {error!r}", hint="write it with facts_to_json"
        ) from error


def _node_out(node: FactNode) -> dict[str, Any]:
    every = {
        "id": node.curie,
        "name": node.name,
        "cat": [category.removeprefix("biolink:") for category in node.categories],
        "ids": node.identifiers,
        "prot": node.proteins,
        "syn": node.synonyms,
        "taxa": node.taxa,
        "group": node.group,
    }
    return {key: value for key, value in every.items() if value}


def _node_in(item: Mapping[str, Any]) -> FactNode:
    return FactNode(
        item["id"],
        item["name"],
        tuple(f"biolink:{leaf}" for leaf in item["cat"]),
        _pairs(item.get("ids", ())),
        _pairs(item.get("prot", ())),
        tuple(item.get("syn", ())),
        tuple(item.get("taxa", ())),
        item.get("group"),
    )


def _pairs(items: Iterable[list[Any]]) -> tuple[tuple[str, str | None], ...]:
    return tuple((curie, label) for curie, label in items)


def _statement_out(statement: Statement, place: Mapping[str, int]) -> list[Any]:
    """``[subject, predicate, object, qualifiers, records, other fields that differ]``."""
    records = [place[record] for record in statement.records]
    row: list[Any] = [statement.subject, statement.predicate, statement.object]
    row += [statement.qualifiers, records]
    extra = {
        name: getattr(statement, name)
        for name in _EXTRA
        if getattr(statement, name) != getattr(_DEFAULTS, name)
    }
    return [*row, extra] if extra else row


def _statement_in(row: list[Any], names: list[str]) -> Statement:
    given: dict[str, Any] = row[5] if len(row) > 5 else {}
    extra: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
    return Statement(
        row[0],
        row[1],
        row[2],
        tuple((kind, value) for kind, value in row[3]),
        tuple(names[index] for index in row[4]),
        **extra,
    )
