"""One query edge, with its constraints as TRAPI 1.x and 2.0 write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedrag.errors import PlanError
from fedrag.query.constraints import read_allow_deny, read_attribute_constraints
from fedrag.query.graph import EdgeConstraints, GraphEdge, Qualifiers
from fedrag.query.place import Place, list_at, mapping_at, refuse, shown, text_at

__all__ = ["read_edge"]

_KEYS = frozenset(
    (
        "subject",
        "object",
        "predicates",
        "knowledge_type",
        "qualifier_constraints",
        "attribute_constraints",
        "constraints",
    )
)
_CONSTRAINTS = frozenset(("qualifiers", "attributes", "knowledge_level", "agent_type", "sources"))
# What an ARAX query may say of an edge; it turns the meaning of the graph round.
_TURNING = ("exclude", "option_group_id")


def read_edge(key: str, value: Any, place: Place, notes: list[str]) -> GraphEdge:
    """One edge; what has no effect is noted.

    :raises ConfigError: something is not as TRAPI says. :raises PlanError: it cannot be honoured.
    """
    given = mapping_at(value, place)
    for name in _TURNING:
        if given.get(name):
            raise PlanError(
                f"{shown((*place, name))}: an edge that may or must be missing cannot be asked",
                hint="ask the graph without it",
            )
    knowledge_type = given.get("knowledge_type")
    if knowledge_type not in (None, "lookup"):
        if knowledge_type != "inferred":
            raise refuse((*place, "knowledge_type"), f"{knowledge_type!r} is not known")
        notes.append(
            f"{shown(place)}: knowledge_type 'inferred' was answered with direct look-ups alone"
        )
    extra = {k: v for k, v in given.items() if k not in _KEYS}
    if extra:
        named = ", ".join(sorted(extra))
        notes.append(f"{shown(place)}: unknown to TRAPI and without effect: {named}")
    return GraphEdge(
        key=key,
        subject=text_at(given.get("subject"), (*place, "subject")),
        object=text_at(given.get("object"), (*place, "object")),
        predicates=_predicates(given.get("predicates"), (*place, "predicates")),
        constraints=_constraints(given, place),
        knowledge_type=knowledge_type,
        extra=extra,
    )


def _predicates(value: Any, place: Place) -> tuple[str, ...]:
    read = (text_at(item, (*place, n)).strip() for n, item in enumerate(list_at(value, place)))
    return tuple(dict.fromkeys(read))


def _constraints(given: Mapping[str, Any], place: Place) -> EdgeConstraints:
    here = (*place, "constraints")
    newer = mapping_at(given.get("constraints"), here)
    unknown = sorted(newer.keys() - _CONSTRAINTS)
    if unknown:
        known = ", ".join(sorted(_CONSTRAINTS))
        raise refuse((*here, unknown[0]), "no such constraint", f"there are: {known}")
    older = (*place, "attribute_constraints")
    attributes = read_attribute_constraints(given.get("attribute_constraints"), older)
    attributes += read_attribute_constraints(newer.get("attributes"), (*here, "attributes"))
    return EdgeConstraints(
        qualifiers=(
            *_sets(given.get("qualifier_constraints"), (*place, "qualifier_constraints")),
            *_tables(newer.get("qualifiers"), (*here, "qualifiers")),
        ),
        attributes=attributes,
        knowledge_level=read_allow_deny(newer.get("knowledge_level"), (*here, "knowledge_level")),
        agent_type=read_allow_deny(newer.get("agent_type"), (*here, "agent_type")),
        sources=read_allow_deny(newer.get("sources"), (*here, "sources")),
    )


def _sets(value: Any, place: Place) -> list[Qualifiers]:
    """TRAPI 1.x: ``[{"qualifier_set": [{"qualifier_type_id": …, "qualifier_value": …}]}]``."""
    sets = []
    for number, item in enumerate(list_at(value, place)):
        here = (*place, number, "qualifier_set")
        pairs = []
        for n, pair in enumerate(list_at(mapping_at(item, here[:-1]).get("qualifier_set"), here)):
            table = mapping_at(pair, (*here, n))
            kind = text_at(table.get("qualifier_type_id"), (*here, n, "qualifier_type_id"))
            said = text_at(table.get("qualifier_value"), (*here, n, "qualifier_value"))
            pairs.append((kind, said))
        sets.append(_set(pairs, here))
    return sets


def _tables(value: Any, place: Place) -> list[Qualifiers]:
    """TRAPI 2.0: ``[{"biolink:object_direction_qualifier": "increased"}]``."""
    return [
        _set(
            [(k, text_at(v, (*place, n, k))) for k, v in mapping_at(item, (*place, n)).items()],
            (*place, n),
        )
        for n, item in enumerate(list_at(value, place))
    ]


def _set(pairs: list[tuple[str, str]], place: Place) -> Qualifiers:
    if not pairs:
        raise refuse(place, "a set of qualifiers needs at least one")
    named = dict(pairs)
    if len(named) < len(pairs):
        raise refuse(place, "a qualifier is constrained twice in one set")
    for kind in named:
        if not kind.startswith("biolink:"):
            raise refuse(place, f"{kind!r} is no qualifier", "write it like biolink:…_qualifier")
    return tuple(sorted(pairs))
