"""Patterns of attribute constraints come from outside: none may keep the process from going on."""

from __future__ import annotations

import pytest

from fedrag.datamodel import Attribute, Edge, EdgeNode
from fedrag.errors import ConfigError
from fedrag.query.constraints import read_attribute_constraints


def matches(pattern: str, value: str) -> bool:
    given = {"id": "biolink:note", "name": "note", "operator": "matches", "value": pattern}
    (constraint,) = read_attribute_constraints([given], ("constraints",))
    note = (Attribute("biolink:note", value),)
    edge = Edge("", EdgeNode("A:1", ""), "biolink:affects", EdgeNode("B:1", ""), attributes=note)
    return constraint.holds(edge)


@pytest.mark.parametrize(
    ("pattern", "value", "found"),
    [
        ("^PMID:", "PMID:123", True),
        ("^PMID:[0-9]+$", "PMID:12a", False),
        ("cancer|carcinoma", "a carcinoma", True),
        ("phase (2|3)", "phase 3", True),
        ("(ab)+c", "ababc", True),
        (r"\(.*\)", "a (b)", True),
        ("[(+*|]x", "+x", True),
        ("^a{2,3}$", "aaa", True),
        ("colou?r", "color", True),
    ],
)
def test_a_pattern_of_ordinary_form_is_matched(pattern: str, value: str, found: bool) -> None:
    assert matches(pattern, value) is found


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(\w+:?)+!$",
        "(a+)+$",
        "((a+))+$",
        "((a)+b?)*$",
        "(a|a)*b",
        "(?:a|aa)+$",
        "(a*){2,}",
        ".*a.*b.*c",
        r"(a+)\1",
        "(?P<x>a+)(?P=x)",
        "a{4294967296}",
    ],
)
def test_a_pattern_that_could_run_away_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"could take for ever|is no regular expression"):
        matches(pattern, "a" * 40 + "!")
