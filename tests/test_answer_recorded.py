"""The citation check over the edges of the recorded TRAPI answers: true sentences and false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from answer_material import PLAN, material

from fedrag.answer.cite import Checker
from fedrag.answer.claims import Claim, Statement
from fedrag.answer.relations import edge_sign, is_symmetric
from fedrag.datamodel import Edge, Evidence
from fedrag.errors import BadPayloadError
from fedrag.evidence import sentence, to_evidence
from fedrag.trapi import canonical_direction, read_response

_FLIPPED = {"increase": "decrease", "decrease": "increase", "upreg": "downreg", "downreg": "upreg"}


def _edges(corpora: Path) -> Iterator[Edge]:
    files = [
        *(corpora / "recorded" / "trapi").glob("*.json"),
        *(corpora / "bte_rag").glob("bte_t*"),
    ]
    for file in sorted(files):
        try:
            payload = orjson.loads(file.read_bytes())
            payload = payload.get("trapi_response", payload)
            read = read_response(
                payload, service="s", infores="infores:s", retrieved_at="", query_ids=None
            )
        except (ValueError, AttributeError, BadPayloadError):
            continue  # not a TRAPI answer: the recordings hold errors too
        yield from (canonical_direction(edge) for edge in read.edges)


@pytest.fixture(scope="module")
def recorded(corpora: Path) -> tuple[tuple[Evidence, ...], Checker]:
    found = tuple(
        replace(item, key=f"E{n}") for n, item in enumerate(to_evidence(_edges(corpora)), start=1)
    )
    given = material(plan=replace(PLAN, nodes=()), entities=(), candidates=(), evidence=found)
    return found, Checker(given)


Recorded = tuple[tuple[Evidence, ...], Checker]


def _said(item: Evidence, text: str) -> Statement:
    """The text behind an opening, so that it is never the evidence word for word."""
    return Statement(f"As returned, {text}", (item.key,))


def _claimed(edge: Edge) -> Claim:
    names = [end.name or end.curie for end in (edge.subject, edge.object)]
    return Claim(names[0], edge.predicate, names[1], edge.negated)


def test_nearly_every_true_sentence_passes(recorded: Recorded) -> None:
    found, checker = recorded
    refused = [
        item.sentence
        for item in found
        if checker.check(replace(_said(item, item.sentence), claims=(_claimed(item.edges[0]),)))
    ]
    assert len(found) > 700
    assert len(refused) <= 0.005 * len(found)


def _passing(recorded: Recorded, change: Callable[[Edge], Edge | None]) -> tuple[int, list[str]]:
    """How many false sentences were made, and those that the check let through."""
    found, checker = recorded
    made, passed = 0, []
    for item in found:
        changed = change(item.edges[0])
        if changed is None:
            continue
        made += 1
        said = _said(item, sentence(changed))
        for statement in (said, replace(said, claims=(_claimed(changed),))):
            if not checker.check(statement):
                passed.append(said.text)
    return made, passed


def test_no_negation_can_be_dropped_or_added(recorded: Recorded) -> None:
    made, passed = _passing(recorded, lambda edge: replace(edge, negated=not edge.negated))
    assert (made > 700, passed) == (True, [])


def test_no_ends_can_be_swapped_where_one_acts(recorded: Recorded) -> None:
    acts = ("treats", "affects", "regulates", "causes", "contributes_to", "trials_for", "studied")

    def swapped(edge: Edge) -> Edge | None:
        acting = edge_sign(edge) or any(name in edge.predicate for name in acts)
        if not acting or is_symmetric(edge.predicate) or edge.subject == edge.object:
            return None
        return replace(edge, subject=edge.object, object=edge.subject)

    made, passed = _passing(recorded, swapped)
    assert made > 200
    assert passed == []


def test_no_direction_can_be_turned(recorded: Recorded) -> None:
    found, checker = recorded
    made, passed = 0, []
    for item in found:
        edge = item.edges[0]
        if not edge_sign(edge) or "correlated" in edge.predicate:
            continue
        turned = tuple(
            (kind, _turned(value) if kind.endswith("object_direction_qualifier") else value)
            for kind, value in edge.qualifiers
        )
        if turned == edge.qualifiers:
            continue
        made += 1
        text = sentence(replace(edge, qualifiers=turned))
        if not checker.check(replace(_said(item, text), claims=(_claimed(edge),))):
            passed.append(text)
    assert made > 20
    assert passed == []


def _turned(value: str) -> str:
    for word, other in _FLIPPED.items():
        if value.startswith(word):
            return value.replace(word, other, 1)
    return value


def test_no_key_of_another_fact_will_do(recorded: Recorded) -> None:
    found, checker = recorded
    passed = []
    for item, other in zip(found, found[7:], strict=False):
        ends = {item.edges[0].subject.curie, item.edges[0].object.curie}
        if ends == {other.edges[0].subject.curie, other.edges[0].object.curie}:
            continue
        if not checker.check(
            replace(_said(other, item.sentence), claims=(_claimed(item.edges[0]),))
        ):
            passed.append((item.sentence, other.sentence))
    assert passed == []


def test_no_trial_becomes_a_treatment(recorded: Recorded) -> None:
    made, passed = _passing(
        recorded,
        lambda edge: (
            replace(edge, predicate="biolink:treats")
            if any(name in edge.predicate for name in ("trials", "studied_to_treat"))
            else None
        ),
    )
    assert made >= 5
    assert passed == []
