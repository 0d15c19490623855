"""Query graphs over annotated REST and GraphQL services, alone and beside a TRAPI service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import query_support as q
from query_support import ask, bound, edge, graph, node

from fedrag.query import QueryAnswer
from fedrag.testing import Federation
from fedrag.testing.facts import FactBook, Statement

IMATINIB, ABL1, KIT = "CHEBI:45783", "NCBIGene:25", "NCBIGene:3815"
TARGETS = ("chembl", "ctd", "dgidb", "mychem", "opentargets", "ttd")
# What no annotated service says of the targets, so that the second hop is the TRAPI service's.
BOOK = FactBook.from_statements(
    [
        Statement(ABL1, "biolink:causes", "MONDO:0000001"),
        Statement("NCBIGene:1017", "biolink:causes", "MONDO:0000001"),
    ]
)
HOP = graph({"d": node(IMATINIB), "g": node(kind="Gene")}, {"e": edge("d", "g", "affects")})
TWO_HOPS = graph(
    {"d": node(IMATINIB), "g": node(kind="Gene"), "x": node("MONDO:0000001")},
    {"e": edge("d", "g", "affects"), "f": edge("g", "x", "causes")},
)


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with q.federation(BOOK, apis=TARGETS) as running:
        yield running


@pytest.fixture(autouse=True)
def healed(world: Federation) -> Iterator[None]:
    yield
    world.heal()


def genes(answer: QueryAnswer) -> list[set[str]]:
    return [set(q.ids(result["node_bindings"]["g"])) for result in answer.results]


@pytest.mark.parametrize("version", q.VERSIONS)
def test_annotated_services_answer_without_any_trapi_service(
    world: Federation, version: Any
) -> None:
    answer = ask(world, HOP, only=TARGETS, trapi=version)
    assert genes(answer)[0] >= {ABL1}  # of the most sources
    assert any(KIT in found for found in genes(answer))
    answered = {r.service for r in answer.services if r.state == "ok"} - {"nodenorm"}
    assert answered == set(TARGETS)
    edges = answer.response["message"]["knowledge_graph"]["edges"].values()
    primary = {e["sources"][0]["resource_id"] for e in edges}
    assert {"infores:chembl", "infores:ctd", "infores:dgidb"} <= primary
    assert answer.completeness == "complete"


def test_one_service_asks_on_with_what_others_found(world: Federation) -> None:
    answer = ask(world, TWO_HOPS, only=("bte", *TARGETS))
    (row,) = bound(answer, "x")
    assert row == ("MONDO:0000001",)
    assert genes(answer)[0] >= {ABL1}
    (sent,) = q.asked(world)[-1:]
    assert sent["edges"].keys() == {"f"}


def test_a_dead_annotated_service_costs_its_own_edges_alone(world: Federation) -> None:
    whole = ask(world, HOP, only=TARGETS)
    world.fault("dgidb", "500")
    answer = ask(world, HOP, only=TARGETS)
    states = {r.service: r.state for r in answer.services if r.state != "skipped"}
    assert states.pop("dgidb") == "unavailable"
    assert set(states.values()) == {"ok"}
    assert (answer.completeness, answer.exit_code) == ("partial", 0)
    lost = _sources(whole) - _sources(answer)
    assert {names for names in lost if "infores:dgidb" in names} == lost
    assert lost


def _sources(answer: QueryAnswer) -> set[tuple[str, ...]]:
    edges = answer.response["message"]["knowledge_graph"]["edges"].values()
    return {tuple(source["resource_id"] for source in e["sources"]) for e in edges}


def test_a_given_identifier_of_any_prefix_is_enough(world: Federation) -> None:
    other = graph({"d": node("CHEMBL.COMPOUND:CHEMBL941"), "g": node(kind="Gene")}, HOP["edges"])
    answer = ask(world, other, only=TARGETS)
    assert genes(answer) == genes(ask(world, HOP, only=TARGETS))
    binding = answer.results[0]["node_bindings"]["d"][0]
    assert binding["query_id"] == "CHEMBL.COMPOUND:CHEMBL941"


def test_what_a_service_knows_by_identifiers_of_its_own_joins_by_name() -> None:
    """CIViC's drugs are NCIt codes, which no clique of a chemical holds."""
    response = "associated_with_sensitivity_to"
    hop = graph(
        {"v": node("civic.mpid:12"), "d": node(kind="ChemicalEntity")},
        {"e": edge("v", "d", response)},
    )
    with Federation(apis=("civic",)) as federation:
        answer = ask(federation, hop, only=("civic",))
        federation.fault("nameres", "500")
        without = ask(federation, hop, only=("civic",))
    found = {one for r in answer.results for one in q.ids(r["node_bindings"]["d"])}
    assert "CHEBI:63637" in found  # vemurafenib
    assert "NCIT:C64768" not in found
    as_told = {one for r in without.results for one in q.ids(r["node_bindings"]["d"])}
    assert "NCIT:C64768" in as_told
    states = {r.service: r.state for r in without.services}
    assert states["nameres"] == "unavailable"
