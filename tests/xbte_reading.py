"""Operations and answers for the tests of reading: made by hand, or of the conformance data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Manner

PLAIN = Manner()


def operation(
    mapping: Mapping[str, str],
    output: str,
    *,
    takes: str = "NCBIGene",
    method: str = "get",
    manner: Manner = PLAIN,
    source: str | None = None,
) -> Operation:
    """An operation that reads ``output`` out of an answer by ``mapping``."""
    return Operation(
        id="op",
        service="made",
        method=method,
        path="/query",
        subject_category="biolink:Gene",
        predicate="biolink:related_to",
        object_category="biolink:NamedThing",
        input_prefix=takes,
        output_prefix=output,
        mapping=mapping,
        source=source,
        manner=manner,
    )


def of_edge(edge: Mapping[str, Any], manner: Manner = PLAIN) -> Operation:
    """The operation behind a compiled edge of the NodeJS engine."""
    association, call = edge["association"], edge["query_operation"]
    (mapping,) = edge["response_mapping"].values()
    return operation(
        mapping,
        association["output_id"],
        takes=association["input_id"],
        method=call.get("method") or call["_method"],
        manner=manner,
        source=association.get("source"),
    )


def inputs_of(edge: Mapping[str, Any]) -> list[str]:
    """The CURIEs a compiled edge asks about."""
    given = edge["input"]["queryInputs"] if isinstance(edge["input"], dict) else edge["input"]
    prefix = edge["association"]["input_id"]
    listed = given if isinstance(given, list) else [given]
    return [one if one.startswith(f"{prefix}:") else f"{prefix}:{one}" for one in listed]


def load(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def raw_of(transform: Mapping[str, Any], folder: Path) -> Any:
    """The recorded answer behind a recorded transform."""
    name = transform["source"].partition(" ")[0].removeprefix("api_responses/")
    return load(folder / "responses" / name)
