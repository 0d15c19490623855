"""The Node Normalizer's client: chunks, halving, memory, and what its answers look like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from entities_support import NODENORM, reply

from fedrag.datamodel import Identifier, NormalizedNode
from fedrag.entities import Normalizer
from fedrag.entities.conflation import merged
from fedrag.entities.normalize import read_node
from fedrag.errors import (
    BadPayloadError,
    RateLimitedError,
    ServiceError,
    ServiceTimeoutError,
    UnavailableError,
)


def known(curie: str) -> dict[str, Any]:
    return {"id": {"identifier": f"X:{curie}", "label": curie}, "type": ["biolink:Gene"]}


@dataclass
class Script:
    """A normalizer that answers through a function of the CURIEs asked."""

    answer: Callable[[list[str]], Any]
    calls: list[dict[str, Any]] = field(default_factory=list)
    discarded: int = 0

    def discard(self, *_: Any) -> None:
        self.discarded += 1

    async def send(self, *_: Any, json: Any = None, **__: Any) -> Any:
        self.calls.append(json)
        return reply(self.answer(json["curies"]))

    def normalizer(self) -> Normalizer:
        caller: Any = self
        return Normalizer(caller, NODENORM)


def everything(curies: list[str]) -> dict[str, Any]:
    return {curie: known(curie) for curie in curies}


def refusing(bad: set[str], problem: ServiceError) -> Callable[[list[str]], Any]:
    def answer(curies: list[str]) -> Any:
        if bad & set(curies):
            raise problem
        return everything(curies)

    return answer


async def test_answers_are_keyed_by_what_was_asked() -> None:
    nodes = await Script(everything).normalizer().normalize(["B:2", "A:1", "B:2"])
    assert {k: v.curie for k, v in nodes.items() if v} == {"B:2": "X:B:2", "A:1": "X:A:1"}


async def test_chunks_hold_at_most_a_thousand() -> None:
    script = Script(everything)
    nodes = await script.normalizer().normalize(f"A:{i}" for i in range(2500))
    assert [len(call["curies"]) for call in script.calls] == [1000, 1000, 500]
    assert len(nodes) == 2500
    assert all(nodes.values())


async def test_both_conflations_are_switched_together() -> None:
    script = Script(everything)
    normalizer = script.normalizer()
    await normalizer.normalize(["A:1"])
    await normalizer.normalize(["A:1"], conflate=False)
    assert [(c["conflate"], c["drug_chemical_conflate"]) for c in script.calls] == [
        (True, True),
        (False, False),
    ]


async def test_what_is_known_is_not_asked_again_unknown_included() -> None:
    script = Script(lambda curies: {"A:1": known("A:1"), "A:2": None})
    normalizer = script.normalizer()
    first = await normalizer.normalize(["A:1", "A:2", "A:3"])
    assert await normalizer.normalize(["A:3", "A:2", "A:1"]) == first
    assert first["A:2"] is first["A:3"] is None
    assert len(script.calls) == 1


@pytest.mark.parametrize(
    "problem",
    [
        UnavailableError("500", service="nodenorm", status=500),
        UnavailableError("422", service="nodenorm", status=422),
        BadPayloadError("HTML", service="nodenorm"),
    ],
)
async def test_one_bad_curie_costs_itself_alone(problem: ServiceError) -> None:
    script = Script(refusing({"A:637"}, problem))
    normalizer = script.normalizer()
    nodes = await normalizer.normalize([f"A:{i}" for i in range(1000)])
    assert [curie for curie, node in nodes.items() if node is None] == ["A:637"]
    assert len(script.calls) <= 21
    assert normalizer.failures == (problem,)


async def test_a_failed_curie_is_asked_again_the_next_time() -> None:
    bad = {"A:1"}
    script = Script(refusing(bad, UnavailableError("500", service="nodenorm", status=500)))
    normalizer = script.normalizer()
    assert (await normalizer.normalize(["A:1", "A:2"]))["A:1"] is None
    assert len(normalizer.failures) == 1
    bad.clear()
    assert (await normalizer.normalize(["A:1", "A:2"]))["A:1"] is not None
    assert not list(normalizer.failures)  # it was made good


@pytest.mark.parametrize(
    "problem",
    [
        ServiceTimeoutError("slow", service="nodenorm"),
        UnavailableError("unreachable", service="nodenorm"),
        UnavailableError("away", service="nodenorm", status=503),
        UnavailableError("Not Found", service="nodenorm", status=404),
        RateLimitedError("429", service="nodenorm", status=429),
    ],
)
async def test_a_service_that_is_away_or_slow_is_not_asked_in_halves(problem: ServiceError) -> None:
    script = Script(refusing({"A:0"}, problem))
    with pytest.raises(type(problem)):
        await script.normalizer().normalize([f"A:{i}" for i in range(100)])
    assert len(script.calls) == 1


async def test_halving_is_bounded() -> None:
    everywhere = {f"A:{i}" for i in range(1000)}
    script = Script(refusing(everywhere, UnavailableError("500", service="nodenorm", status=500)))
    with pytest.raises(UnavailableError):
        await script.normalizer().normalize(everywhere)
    assert len(script.calls) <= 66


async def test_a_chunk_that_fails_leaves_the_others() -> None:
    script = Script(refusing({"A:0000"}, ServiceTimeoutError("slow", service="nodenorm")))
    normalizer = script.normalizer()
    nodes = await normalizer.normalize([f"A:{i:04}" for i in range(1500)])
    assert sum(node is not None for node in nodes.values()) == 500
    assert [error.message for error in normalizer.failures] == ["slow"]


async def test_an_old_release_knows_none_with_a_404() -> None:
    problem = UnavailableError(
        "nodenorm answered 404: No matches found for the specified curie(s)",
        service="nodenorm",
        status=404,
    )
    script = Script(refusing({"A:1"}, problem))
    assert await script.normalizer().normalize(["A:1"]) == {"A:1": None}


@pytest.mark.parametrize("payload", [[], "x", 3, None])
async def test_another_shape_is_a_bad_payload(payload: Any) -> None:
    script = Script(lambda _: payload)
    with pytest.raises(BadPayloadError):
        await script.normalizer().normalize(["A:1"])
    assert script.discarded == 1  # it is no answer to keep


async def test_nothing_asked_is_nothing_sent() -> None:
    script = Script(everything)
    assert await script.normalizer().normalize([]) == {}
    assert script.calls == []


@pytest.mark.parametrize(
    "value", [None, [], "x", {}, {"id": None}, {"id": {}}, {"id": {"identifier": 3}}]
)
def test_what_names_no_identifier_is_no_node(value: Any) -> None:
    assert read_node(value) is None


def test_missing_and_odd_keys_cost_themselves_alone() -> None:
    node = read_node(
        {
            "id": {"identifier": "A:1"},
            "equivalent_identifiers": [
                None,
                {"label": "no id"},
                {"identifier": "A:1", "label": ""},
                {"identifier": "A:2", "label": "two", "taxa": ["NCBITaxon:9606"]},
            ],
            "type": "biolink:Gene",
            "information_content": 95,
            "new_key": 1,
        }
    )
    assert node == NormalizedNode(
        curie="A:1",
        name="two",
        categories=("biolink:Gene",),
        identifiers=(
            Identifier("A:1"),
            Identifier("A:2", "two", ("NCBITaxon:9606",)),
        ),
        taxa=("NCBITaxon:9606",),
        information_content=95.0,
    )


# --- what conflation merged ---------------------------------------------------------------------


def drug(*labels: str) -> NormalizedNode:
    identifiers = tuple(Identifier(f"X:{label}", label) for label in labels)
    return NormalizedNode(identifiers[0].curie, labels[0], ("biolink:Drug",), identifiers)


def test_each_kind_of_merge_is_one_line() -> None:
    whole = drug(
        "imatinib",
        "Imatinib",
        "imatinib mesylate",
        "(S)-imatinib",
        "imatinib 100 MG Oral Tablet",
        "Gleevec",
        "Glivec",
        "Imkeldi",
        "Imarem",
    )
    assert merged(whole, drug("imatinib")) == (
        "conflation merged salts of imatinib (X:imatinib): imatinib mesylate (X:imatinib mesylate)",
        "conflation merged enantiomers of imatinib (X:imatinib): (S)-imatinib (X:(S)-imatinib)",
        "conflation merged products of imatinib (X:imatinib): imatinib 100 MG Oral Tablet "
        "(X:imatinib 100 MG Oral Tablet)",
        "conflation merged other forms of imatinib (X:imatinib): Gleevec (X:Gleevec), "
        "Glivec (X:Glivec), Imkeldi (X:Imkeldi) and 1 more",
    )


def test_nothing_merged_is_no_line() -> None:
    assert merged(drug("aspirin"), drug("aspirin")) == ()
    assert merged(None, drug("aspirin")) == merged(drug("aspirin"), None) == ()


def test_a_gene_without_proteins_is_no_line() -> None:
    gene = NormalizedNode("NCBIGene:1", "X", ("biolink:Gene",), (Identifier("NCBIGene:1"),))
    more = NormalizedNode(
        "NCBIGene:1", "X", ("biolink:Gene",), (Identifier("NCBIGene:1"), Identifier("OMIM:1"))
    )
    assert merged(more, gene) == ()
