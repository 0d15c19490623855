"""What can go wrong on demand, by name: on the wire, or inside an otherwise good answer.

On the wire, for every service: ``html`` (a page with 200), ``429`` (with ``Retry-After: 1``, or as
many seconds as given), ``429_bare`` (without), ``429_html``, any other status as digits (``500``,
``422``, ...), ``slow_drip``, ``reset`` (closed in mid body), ``truncated_json`` (a whole reply
whose JSON stops half way), ``empty`` (200 and no body), ``hang``; and ``huge``, 60 MB of TRAPI.

Inside a TRAPI answer: ``null``, ``missing`` (no knowledge graph), ``empty_names``, ``bad_edge``,
``qualifiers_null``, ``int_status``, ``string_publications``, ``failure_in_status``,
``failure_in_logs``, ``wrong_species``, ``undeclared``. Inside the Node Normalizer's: ``bad_curie``
(the whole call fails with 500 when it holds ``value``), ``no_taxa``, ``all_null``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fedrag.errors import ConfigError
from fedrag.testing.facts import FactBook
from fedrag.testing.species import orthologue_curie

__all__ = ["NODENORM_FAULTS", "TRAPI_FAULTS", "WIRE_FAULTS", "Fault", "check", "spoil"]

WIRE_FAULTS = frozenset(
    (
        "html",
        "429_bare",
        "429_html",
        "slow_drip",
        "reset",
        "truncated_json",
        "empty",
        "hang",
        "huge",
    )
)
NODENORM_FAULTS = frozenset(("bad_curie", "no_taxa", "all_null"))


@dataclass(slots=True)
class Fault:
    """A fault in force. ``times`` counts down to nothing; ``path`` limits it to one path's end."""

    kind: str
    times: int | None = None
    seconds: float | None = None
    value: str | None = None
    path: str | None = None

    @property
    def on_the_wire(self) -> bool:
        """Whether the HTTP reply itself is spoiled, not what a good one says."""
        return self.kind in WIRE_FAULTS or self.kind.isdigit()


def check(kind: str) -> None:
    """Refuse a fault that does not exist.

    :raises ConfigError: an unknown name; the message lists the known ones.
    """
    known = WIRE_FAULTS | NODENORM_FAULTS | set(TRAPI_FAULTS)
    if kind not in known and not (kind.isdigit() and len(kind) == 3):
        raise ConfigError(
            f"no fault {kind!r}", hint=f"a status like 500, or: {', '.join(sorted(known))}"
        )


def spoil(payload: dict[str, Any], fault: Fault, facts: FactBook) -> dict[str, Any]:
    """A TRAPI response with the fault in it (unchanged when the fault is another service's)."""
    change = TRAPI_FAULTS.get(fault.kind)
    return change(payload, facts) if change else payload


def _null(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    payload["message"] |= {"knowledge_graph": None, "results": None, "auxiliary_graphs": None}
    return payload


def _missing(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    del payload["message"]["knowledge_graph"], payload["message"]["results"]
    return payload


def _empty_names(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    """Every other node loses its name; the rest have null."""
    for place, node in enumerate(payload["message"]["knowledge_graph"]["nodes"].values()):
        if place % 2:
            del node["name"]
        else:
            node["name"] = None
    return payload


def _bad_edge(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    """The first edge is null, the second lacks its object."""
    edges = payload["message"]["knowledge_graph"]["edges"]
    keys = list(edges)
    for key in keys[:1]:
        edges[key] = None
    for key in keys[1:2]:
        del edges[key]["object"]
    return payload


def _qualifiers_null(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    for edge in payload["message"]["knowledge_graph"]["edges"].values():
        edge["qualifiers"] = None
    return payload


def _int_status(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    return {**payload, "status": 200}


def _string_publications(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    for edge in payload["message"]["knowledge_graph"]["edges"].values():
        one = {"attribute_type_id": "biolink:publications", "value": "PMID:1"}
        edge["attributes"] = [*(edge.get("attributes") or ()), one]
    return payload


def _failure_in_status(payload: dict[str, Any], facts: FactBook) -> dict[str, Any]:
    told = {
        "status": "Failed",
        "description": "Query failed: upstream knowledge providers timed out",
    }
    return {**_null(payload, facts), **told}


def _failure_in_logs(payload: dict[str, Any], facts: FactBook) -> dict[str, Any]:
    """Success in the status, an error in the logs, nothing in the message."""
    logs = payload["logs"]
    error = {**logs[0], "level": "ERROR", "code": "QueryFailed", "message": "Database unavailable"}
    return {**_null(payload, facts), "logs": [*logs, error]}


def _wrong_species(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    """Each result with a human gene comes again with the pig's, on edges of its own."""
    told = payload["message"]
    nodes, edges = told["knowledge_graph"]["nodes"], told["knowledge_graph"]["edges"]
    asked = {key for key, node in told["query_graph"]["nodes"].items() if node.get("ids")}
    fixed = {c for r in told["results"] for key in asked for c in _ids(r["node_bindings"][key])}
    pigs = {
        curie: pig for curie in nodes if curie not in fixed and (pig := orthologue_curie(curie))
    }
    for human, pig in pigs.items():
        gene = {"categories": ["biolink:Gene"], "attributes": []}
        nodes[pig] = {**gene, "name": nodes[human]["name"]}
    renamed: dict[str, str] = {}
    for key, edge in list(edges.items()):
        if not pigs.keys().isdisjoint((edge["subject"], edge["object"])):
            renamed[key] = f"{key}-pig"
            ends = {end: pigs.get(edge[end], edge[end]) for end in ("subject", "object")}
            edges[renamed[key]] = {**edge, **ends}
    told["results"] += [new for r in told["results"] if (new := _pig_result(r, pigs, renamed))]
    return payload


def _ids(binding: Any) -> list[str]:
    """The identifiers of a binding, TRAPI 1.x or 2.0."""
    return binding["ids"] if isinstance(binding, dict) else [one["id"] for one in binding]


def _replaced(bindings: Mapping[str, Any], by: Mapping[str, str]) -> dict[str, Any]:
    """Bindings with their identifiers replaced, in the same form."""
    return {
        key: {**one, "ids": [by.get(i, i) for i in one["ids"]]}
        if isinstance(one, dict)
        else [{**each, "id": by.get(each["id"], each["id"])} for each in one]
        for key, one in bindings.items()
    }


def _pig_result(
    result: Mapping[str, Any], pigs: Mapping[str, str], edges: Mapping[str, str]
) -> dict[str, Any] | None:
    bound = {curie for one in result["node_bindings"].values() for curie in _ids(one)}
    if bound.isdisjoint(pigs):
        return None
    analyses = [
        {**analysis, "edge_bindings": _replaced(analysis["edge_bindings"], edges)}
        for analysis in result["analyses"]
    ]
    nodes = _replaced(result["node_bindings"], pigs)
    return {**result, "node_bindings": nodes, "analyses": analyses}


def _undeclared(payload: dict[str, Any], _: FactBook) -> dict[str, Any]:
    payload["x_internal"] = {"job": 7}
    for edge in payload["message"]["knowledge_graph"]["edges"].values():
        edge["x_score"] = [1, "two", None, {"three": 3.0}]
    return payload


TRAPI_FAULTS: Mapping[str, Callable[[dict[str, Any], FactBook], dict[str, Any]]] = {
    "null": _null,
    "missing": _missing,
    "empty_names": _empty_names,
    "bad_edge": _bad_edge,
    "qualifiers_null": _qualifiers_null,
    "int_status": _int_status,
    "string_publications": _string_publications,
    "failure_in_status": _failure_in_status,
    "failure_in_logs": _failure_in_logs,
    "wrong_species": _wrong_species,
    "undeclared": _undeclared,
}
