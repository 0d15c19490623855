"""Constraints on a bound edge's attributes, knowledge level, agent type and sources.

Operators as TRAPI defines them: a comparison of lists holds when it holds for any pair of their
members, ``===`` compares values whole, ``not`` negates. An edge that lacks the attribute does not
meet a constraint, and meets its negation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.datamodel import Edge
from fedrag.query.place import Place, list_at, mapping_at, refuse, text_at
from fedrag.trapi import name_of

__all__ = [
    "AllowDeny",
    "AttributeConstraint",
    "edge_meets",
    "read_allow_deny",
    "read_attribute_constraints",
]

_LONGEST_PATTERN = 500
_LONGEST_MATCHED = 2_000  # characters of a value that a pattern is held against
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")
_GROUP = re.compile(r"\(([^()]*)\)")
_REPEATED = re.compile(r"[*+]|\{\d*,\d*\}")
_OPERATORS = ("==", ">", "<", "matches", "===")
_KEYS = ("id", "name", "not", "operator", "value", "unit_id", "unit_name")
_BARE = re.compile(r"^biolink:")


@dataclass(frozen=True, slots=True)
class AllowDeny:
    """One of the values must be there (``allow``), or none may be."""

    values: tuple[str, ...]
    allow: bool
    primary_only: bool = False

    def holds(self, found: set[str]) -> bool:
        """Whether what an edge has meets it.

        >>> AllowDeny(("infores:semmeddb",), allow=False).holds({"infores:drugcentral"})
        True
        """
        return self.allow != found.isdisjoint(self.values)


@dataclass(frozen=True, slots=True)
class AttributeConstraint:
    """A condition on one attribute. ``raw`` is as written, to be repeated."""

    id: str
    operator: str
    value: Any
    negated: bool
    raw: Mapping[str, Any] = field(compare=False)

    def holds(self, edge: Edge) -> bool:
        """Whether an edge meets it.

        >>> from fedrag.datamodel import Attribute, EdgeNode
        >>> edge = Edge("", EdgeNode("A:1", ""), "biolink:affects", EdgeNode("B:1", ""),
        ...             attributes=(Attribute("biolink:z_score", 6.4),))
        >>> constraint = AttributeConstraint("biolink:z_score", ">", 5, False, {})
        >>> constraint.holds(edge)
        True
        """
        met = any(self._met(value) for value in _values(edge, self.id))
        return met != self.negated

    def _met(self, found: Any) -> bool:
        if self.operator == "===":
            return bool(found == self.value and type(found) is type(self.value))
        compare = _COMPARE[self.operator]
        return any(compare(f, w) for f in _each(found) for w in _each(self.value))


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _values(edge: Edge, wanted: str) -> Iterator[Any]:
    """What an edge says under a type; a few of its facts are not kept as attributes."""
    name = _BARE.sub("", wanted)
    if name in _FACTS:
        yield _FACTS[name](edge)
        return
    for attribute in edge.attributes:
        if attribute.type_id == wanted or name_of(attribute) == name:
            yield attribute.value


def _sources(role: str) -> Callable[[Edge], list[str]]:
    return lambda edge: [s.resource_id for s in edge.sources if s.role == role]


_FACTS: Mapping[str, Callable[[Edge], Any]] = {
    "knowledge_level": lambda edge: edge.knowledge_level,
    "agent_type": lambda edge: edge.agent_type,
    "publications": lambda edge: list(edge.publications),
    "negated": lambda edge: edge.negated,
    "primary_knowledge_source": _sources("primary_knowledge_source"),
    "aggregator_knowledge_source": _sources("aggregator_knowledge_source"),
    "supporting_data_source": _sources("supporting_data_source"),
}


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _ordered(found: Any, wanted: Any, sign: int) -> bool:
    """Numbers, also where a service wrote them as text; texts (dates) by their letters."""
    numbers = _number(found), _number(wanted)
    if numbers[0] is not None and numbers[1] is not None:
        return (numbers[0] - numbers[1]) * sign > 0
    if isinstance(found, str) and isinstance(wanted, str):
        return found > wanted if sign > 0 else found < wanted
    return False


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return bool(found == wanted)


def _matches(found: Any, wanted: Any) -> bool:
    if not isinstance(found, str | int | float):
        return False
    return re.search(str(wanted), str(found)[:_LONGEST_MATCHED]) is not None


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": _equal,
    ">": lambda found, wanted: _ordered(found, wanted, 1),
    "<": lambda found, wanted: _ordered(found, wanted, -1),
    "matches": _matches,
}


def read_attribute_constraints(value: Any, place: Place) -> tuple[AttributeConstraint, ...]:
    """A list of TRAPI attribute constraints (``ConfigError`` with the place of what is wrong)."""
    read = []
    for number, item in enumerate(list_at(value, place)):
        here = (*place, number)
        given = mapping_at(item, here)
        operator = given.get("operator")
        if operator not in _OPERATORS:
            known = " ".join(_OPERATORS)
            raise refuse((*here, "operator"), f"{operator!r} is no operator", f"there are: {known}")
        if "value" not in given:
            raise refuse(here, "a constraint needs a value")
        if operator == "matches":
            _check_patterns(given["value"], (*here, "value"))
        constraint_id = text_at(given.get("id"), (*here, "id"))
        negated = given.get("not") is True
        raw = {key: given[key] for key in _KEYS if given.get(key) is not None}
        read.append(AttributeConstraint(constraint_id, operator, given["value"], negated, raw))
    return tuple(read)


def _check_patterns(value: Any, place: Place) -> None:
    for pattern in _each(value):
        if not isinstance(pattern, str) or len(pattern) > _LONGEST_PATTERN:
            raise refuse(place, f"must be a pattern of at most {_LONGEST_PATTERN} characters")
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise refuse(place, f"{pattern!r} is no regular expression: {error}") from error
        if _may_run_away(pattern):
            hint = (
                "repeat no group that holds a repetition or an alternative, nor more than two parts"
            )
            raise refuse(place, f"{pattern!r} could take for ever to match", hint)


def _may_run_away(pattern: str) -> bool:
    """Whether matching may take more than the square of a text's length.

    Patterns come from outside and nothing can stop one that runs: a repeated group that holds a
    repetition or an alternative is refused, so are back-references and more than two repetitions.
    """
    plain = _CLASS.sub("c", _ESCAPED.sub(lambda m: "\\1" if m[0][1].isdigit() else "e", pattern))
    if "\\1" in plain or "(?P=" in plain:
        return True
    if len(_REPEATED.findall(plain)) > 2:
        return True
    while innermost := _GROUP.search(plain):
        inside, after = innermost[1], plain[innermost.end() : innermost.end() + 1]
        loose = bool(_REPEATED.search(inside)) or "|" in inside or "~" in inside
        if loose and after and after in "*+{":
            return True
        plain = f"{plain[: innermost.start()]}{'~' if loose else 'g'}{plain[innermost.end() :]}"
    return False


def read_allow_deny(value: Any, place: Place) -> AllowDeny | None:
    """TRAPI 2.0's ``{"behavior": "ALLOW" | "DENY", "values": […]}``; ``None`` stays ``None``."""
    if value is None:
        return None
    given = mapping_at(value, place)
    behavior = given.get("behavior")
    if behavior not in ("ALLOW", "DENY"):
        raise refuse((*place, "behavior"), f"must be ALLOW or DENY, not {behavior!r}")
    listed = list_at(given.get("values"), (*place, "values"))
    values = tuple(text_at(v, (*place, "values", n)) for n, v in enumerate(listed))
    if not values:
        raise refuse((*place, "values"), "must name at least one value")
    return AllowDeny(values, behavior == "ALLOW", given.get("primary_only") is True)


def edge_meets(edge: Edge, name: str, rule: AllowDeny) -> bool:
    """Whether an edge's ``knowledge_level``, ``agent_type`` or ``sources`` meet a rule."""
    if name == "sources":
        listed = [s for s in edge.sources if not rule.primary_only or s.role.startswith("primary")]
        return rule.holds({source.resource_id for source in listed})
    return rule.holds({getattr(edge, name)})
