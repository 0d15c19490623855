"""Conditions on records: values, none of values, thresholds, presence."""

from __future__ import annotations

from typing import Any

import pytest
from xbte_reading import operation

from fedrag.metakg.xfedrag import Condition, Manner
from fedrag.xbte import read_answer
from fedrag.xbte.conditions import check_of
from fedrag.xbte.paths import MISSING

ONE_OF = Condition("x", values=("Resistance", "1", "true"))
NONE_OF = Condition("x", values=("refuted", "0"), negate=True)
ABOVE = Condition("x", above=0.4)
BELOW = Condition("x", below=0.05)
THERE = Condition("x", exists=True)
ABSENT = Condition("x", exists=False)
ALWAYS = Condition("", negate=True)


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        (ONE_OF, "RESISTANCE", True),
        (ONE_OF, " resistance ", True),
        (ONE_OF, ["sensitivity", ["resistance"]], True),
        (ONE_OF, 1, True),
        (ONE_OF, 1.0, True),
        (ONE_OF, True, True),
        (ONE_OF, "resist", False),
        (ONE_OF, None, False),
        (ONE_OF, MISSING, False),
        (ONE_OF, {"resistance": 1}, False),
        (NONE_OF, "confirmed", True),
        (NONE_OF, "REFUTED", False),
        (NONE_OF, ["x", "refuted"], False),
        (NONE_OF, 0, False),
        (NONE_OF, None, True),
        (NONE_OF, MISSING, True),
        (ABOVE, 0.5, True),
        (ABOVE, 0.4, False),
        (ABOVE, "0.41", True),
        (ABOVE, [0.1, 0.9], True),
        (ABOVE, "high", False),
        (ABOVE, None, False),
        (BELOW, 0.01, True),
        (BELOW, "1e-9", True),
        (BELOW, 0.05, False),
        (BELOW, "unknown", False),
        (BELOW, None, False),
        (THERE, 0, True),
        (THERE, False, True),
        (THERE, "x", True),
        (THERE, " ", False),
        (THERE, [], False),
        (THERE, [None], False),
        (THERE, {}, False),
        (THERE, MISSING, False),
        (ABSENT, None, True),
        (ABSENT, MISSING, True),
        (ABSENT, "x", False),
        (ALWAYS, {"a": 1}, True),
        (ALWAYS, MISSING, True),
    ],
)
def test_a_condition_holds(condition: Condition, value: Any, holds: bool) -> None:
    assert check_of(condition)(value) is holds


def outputs(manner: Manner, payload: Any) -> list[tuple[str, bool]]:
    reading = read_answer(operation({"GO": "items.id"}, "GO", manner=manner), payload, ["A:1"])
    return [(record.output, record.negated) for record in reading.records]


PAYLOAD = {
    "version": "5",
    "items": [
        {"id": 1, "kind": "A", "refs": [{"type": "x"}, {"type": "y"}]},
        {"id": 2, "kind": "B", "refs": {"type": "y"}},
        {"id": 3},
    ],
}


def test_only_records_that_hold_everything_asked_are_read() -> None:
    kind = Condition("items.kind", ("a", "b"))
    assert outputs(Manner(where=(kind,)), PAYLOAD) == [("GO:1", False), ("GO:2", False)]
    of_type = Condition("items.refs.type", ("x",))
    assert outputs(Manner(where=(kind, of_type)), PAYLOAD) == [("GO:1", False)]


def test_a_condition_may_stand_above_the_record_and_be_written_from_the_record_on() -> None:
    assert len(outputs(Manner(where=(Condition("version", ("5",)),)), PAYLOAD)) == 3
    assert outputs(Manner(where=(Condition("kind", ("b",)),)), PAYLOAD) == [("GO:2", False)]
    assert outputs(Manner(where=(Condition("refs.type", ("x",)),)), PAYLOAD) == [("GO:1", False)]


def test_a_record_is_negated_when_all_conditions_hold() -> None:
    kind, of_type = Condition("items.kind", ("A", "B")), Condition("items.refs.type", ("x",))
    assert outputs(Manner(negated=(kind, of_type)), PAYLOAD) == [
        ("GO:1", True),
        ("GO:2", False),
        ("GO:3", False),
    ]
    assert [negated for _, negated in outputs(Manner(negated=(ALWAYS,)), PAYLOAD)] == [True] * 3
