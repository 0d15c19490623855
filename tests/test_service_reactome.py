"""Reactome: who takes part in which pathway, and nothing more than that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_calls import Asked, ask, operation, send, shipped

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_requests, read_answer

BRAF, CASCADE = "UniProtKB:P15056", "REACT:R-HSA-5673001"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("reactome",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "reactome", name, *inputs)


def test_the_pathways_of_a_protein_and_of_a_small_molecule(federation: Federation) -> None:
    found = asked(federation, "protein-in-pathway", BRAF)
    assert found.statements == [(BRAF, "REACT:R-HSA-5673000")]
    assert found.records[0].output_name == "RAF activation"
    assert asked(federation, "chemical-in-pathway", "CHEBI:16113").statements == [
        ("CHEBI:16113", "REACT:R-HSA-191273")
    ]


def test_a_protein_in_no_pathway_is_no_failure(federation: Federation) -> None:
    found = asked(federation, "protein-in-pathway", "UniProtKB:Q00000", BRAF)
    assert [call.status_code for call in found.calls] == [404, 200]
    assert found.calls[0].json()["reason"] == "NOT_FOUND"
    assert (found.failures, found.statements) == ([], [(BRAF, "REACT:R-HSA-5673000")])


def test_participants_are_proteins_or_molecules_by_their_reference(
    federation: Federation,
) -> None:
    proteins = asked(federation, "pathway-with-protein", CASCADE)
    assert proteins.statements == [(CASCADE, BRAF)]
    assert proteins.dropped == {"an identifier of another kind": 1}
    assert asked(federation, "pathway-with-chemical", CASCADE).statements == [
        (CASCADE, "CHEBI:30616")
    ]
    requests = [
        build_requests(operation("reactome", name), [CASCADE])
        for name in ("pathway-with-protein", "pathway-with-chemical")
    ]
    assert requests[0] == requests[1]


def test_participants_have_the_names_that_stand_with_their_identifiers(
    federation: Federation,
) -> None:
    """Reactome writes "UniProt:P15056 BRAF" and "ATP(4-) [ChEBI:30616]"."""
    (protein,) = asked(federation, "pathway-with-protein", CASCADE).records
    (chemical,) = asked(federation, "pathway-with-chemical", CASCADE).records
    assert (protein.output, protein.output_name) == (BRAF, "BRAF")
    assert (chemical.output, chemical.output_name) == ("CHEBI:30616", "ATP(4-) [ChEBI:30616]")


def test_a_pathway_has_pathways_and_no_reactions_for_parts(federation: Federation) -> None:
    assert asked(federation, "pathway-with-pathway", CASCADE).statements == [
        (CASCADE, "REACT:R-HSA-5673000")
    ]


def test_no_operation_states_an_effect() -> None:
    assert {one.predicate for one in shipped("reactome").operations} == {
        "biolink:participates_in",
        "biolink:has_participant",
        "biolink:has_part",
    }


def test_the_species_is_that_of_the_question() -> None:
    made = operation("reactome", "protein-in-pathway")
    (request,) = build_requests(made, [BRAF], variables={"taxon": "10090"})
    assert (request.path, request.query) == (
        "/data/mapping/UniProt/P15056/pathways",
        (("species", "10090"),),
    )


def test_it_tells_its_version(federation: Federation) -> None:
    response = send(federation, "reactome", Request("GET", "/data/database/version"))
    assert response.text == "96"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("pathway-with-protein", "participants_r_hsa_5673001_20260811"),
        ("pathway-with-pathway", "events_r_hsa_5673001_20260811"),
    ],
)
def test_a_recorded_answer_cut_down_to_names_makes_no_edge(
    corpora: Path, name: str, file: str
) -> None:
    path = corpora / "recorded" / "other_reactome" / f"{file}.json"
    payload: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    assert len(payload) == 10
    assert {key for row in payload for key in row} == {"displayName"}
    assert read_answer(operation("reactome", name), payload, [CASCADE]).records == ()
