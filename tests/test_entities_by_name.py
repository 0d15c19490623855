"""Things that a service names by identifiers nobody knows, found by their names.

As in life, the Node Normalizer's cliques of chemicals hold no NCIt here: CIViC's drugs are known to
nobody by their codes, and no drug has a code that CIViC could be asked with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from federated import ask, report

from fedrag.biolink import biolink
from fedrag.datamodel import Answer, Edge
from fedrag.session import Session
from fedrag.testing import FactBook, FactNode, Federation
from fedrag.testing.apis.cliques import with_cliques

THERAPIES = "Which drugs treat BRAF V600E melanoma?"
RESISTANT = "Which variants predict resistance to vemurafenib?"
TWIN = FactNode("CHEBI:999999", "Cetuximab", ("biolink:SmallMolecule",))  # another of that name


def as_in_life(facts: FactBook) -> FactBook:
    """The stand-ins' nodes: no chemical has an NCIt code, oxaliplatin is called a disease."""
    book = with_cliques(facts)
    nodes = {curie: _as_in_life(node) for curie, node in book.nodes.items()}
    return FactBook({**nodes, TWIN.curie: TWIN}, book.statements, book.records)


def _as_in_life(node: FactNode) -> FactNode:
    if not biolink().is_a(node.categories, "biolink:ChemicalEntity"):
        return node
    known = tuple(pair for pair in node.identifiers if not pair[0].startswith("NCIT:"))
    categories = ("biolink:Disease",) if node.name == "oxaliplatin" else node.categories
    return replace(node, identifiers=known, categories=categories)


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fedrag.testing.federation.with_cliques", as_in_life)
        federation = Federation(apis=("civic",))
    with federation:
        yield federation


@pytest.fixture(autouse=True)
def _healed(world: Federation) -> Iterator[None]:
    yield
    world.heal()


@pytest.fixture(scope="module")
def therapies(world: Federation) -> Answer:
    return ask(world, THERAPIES)


def ends(answer: Answer, found: str) -> set[tuple[str, str, str]]:
    """What became of an identifier that CIViC wrote: itself, its group and its name."""
    every = (end for edge in answer.all_edges for end in (edge.subject, edge.object))
    return {(end.curie, end.canonical, end.name) for end in every if end.found == found}


def test_a_drug_that_civic_knows_by_ncit_alone_ends_on_its_chebi(therapies: Answer) -> None:
    vemurafenib = ("CHEBI:63637", "CHEBI:63637", "vemurafenib")
    assert ends(therapies, "NCIT:C64768") == {vemurafenib}
    supported = {c.curie: c.name for c in therapies.candidates if c.support}
    assert supported["CHEBI:63637"] == "vemurafenib"
    assert report(therapies, "civic").state == "ok"


def test_all_strangers_of_a_hop_are_looked_up_in_one_call_by_name(world: Federation) -> None:
    world.calls.clear()
    ask(world, THERAPIES)
    asked = [set(call.body["strings"]) for call in world.calls_of("nameres", "/bulk-lookup")]
    assert [names for names in asked if "Vemurafenib" in names] == [
        {
            "Binimetinib + Cetuximab + Encorafenib",
            "Cetuximab",
            "Dabrafenib",
            "Dabrafenib + Trametinib",
            "Mirdametinib",
            "Oxaliplatin",
            "Panitumumab",
            "Panitumumab + Vemurafenib",
            "Trametinib",
            "Vemurafenib",
        }
    ]


def test_what_is_not_looked_up_for_its_mere_number_is_told(
    world: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.execute.normalise.MOST_NAMES", 3)
    world.calls.clear()
    answer = ask(world, THERAPIES)
    looked_up = [call.body["strings"] for call in world.calls_of("nameres", "/bulk-lookup")]
    assert [len(names) for names in looked_up][-2:] == [3, 3]  # after the wave, and at the end
    told = [note for note in answer.notes if "were not looked up by name" in note]
    assert [note.rpartition(": ")[2] for note in told] == ["4"]


def test_a_name_that_two_things_bear_stays_a_stranger(therapies: Answer) -> None:
    assert ends(therapies, "NCIT:C1723") == {("NCIT:C1723", "NCIT:C1723", "Cetuximab")}


def test_a_name_that_only_something_else_bears_stays_a_stranger(therapies: Answer) -> None:
    assert ends(therapies, "NCIT:C1181") == {("NCIT:C1181", "NCIT:C1181", "Oxaliplatin")}


@pytest.mark.parametrize("fault", ["503", "html", "truncated_json"])
def test_a_dead_name_resolver_costs_the_names_and_nothing_else(
    world: Federation, therapies: Answer, fault: str, tmp_path: Path
) -> None:
    """What the question names was looked up before it died."""

    async def work() -> Answer:
        services = world.service_configs()
        async with Session(services=services, cache=True, cache_dir=tmp_path) as session:
            await session.resolve(THERAPIES)
            world.fault("nameres", fault)
            return await session.ask(THERAPIES)

    answer = asyncio.run(work())
    assert ends(answer, "NCIT:C64768") == {("NCIT:C64768", "NCIT:C64768", "Vemurafenib")}
    assert {said(e) for e in answer.all_edges} == {said(e) for e in therapies.all_edges}
    assert "Vemurafenib" in {c.name for c in answer.candidates if c.support}
    assert report(answer, "civic").state == "ok"


def said(edge: Edge) -> tuple[str, str, str, bool]:
    """What a service said, in its own identifiers."""
    return edge.subject.found, edge.predicate, edge.object.found, edge.negated


def test_a_drug_that_no_code_of_ncit_stands_for_is_asked_of_civic_by_name(
    world: Federation,
) -> None:
    answer = ask(world, RESISTANT)
    assert answer.candidates[0].name == "KRAS G12D"
    assert answer.candidates[0].curie == "civic.mpid:79"
    assert (
        "KRAS G12D is associated with resistance to vemurafenib in Hairy Cell Leukemia "
        "(CIViC level C, rating 2 of 5)" in answer.text
    )
    alone = {e.object.canonical for e in answer.edges if "combination" not in e.object.curie}
    assert alone == {"CHEBI:63637"}
