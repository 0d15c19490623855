"""The real BioThings Explorer answer at hand: systemic mastocytosis × ChemicalEntity."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fedrag.datamodel import (
    Candidate,
    Entity,
    Evidence,
    Identifier,
    QueryEdge,
    QueryNode,
    QueryPlan,
)
from fedrag.evidence import LexicalEmbedder, prune, rank, to_evidence, with_keys
from fedrag.execute.retrieval import Retrieval
from fedrag.trapi import canonical_direction, merge_edges, read_response

QUESTION = (
    "Which Drug can be used in the treatment of Systemic mast cell disease by targeting "
    "biological process: cell population proliferation?"
)
DISEASE = Entity(
    "Systemic mast cell disease",
    44,
    70,
    "MONDO:0016586",
    "systemic mastocytosis",
    ("biolink:Disease",),
    "marker",
    identifiers=(Identifier("MONDO:0016586"), Identifier("MESH:D034721")),
)
PROCESS = Entity(
    "cell population proliferation",
    101,
    130,
    "GO:0008283",
    "cell population proliferation",
    ("biolink:BiologicalProcess",),
    "marker",
)
PLAN = QueryPlan(
    "drug-by-disease-and-process",
    "drugs",
    "list",
    (
        QueryNode("disease", ("biolink:Disease",), ("MONDO:0016586",), entity=0),
        QueryNode("process", ("biolink:BiologicalProcess",), ("GO:0008283",), entity=1),
        QueryNode("drug", ("biolink:ChemicalEntity",)),
    ),
    (
        QueryEdge("disease_drug", "drug", "disease", from_node="disease"),
        QueryEdge("process_drug", "drug", "process", from_node="process"),
    ),
    "drug",
    ("biolink:ChemicalEntity",),
    treatment=True,
)
Found = tuple[tuple[Candidate, ...], tuple[Evidence, ...]]


@pytest.fixture(scope="module")
def answered(corpora: Path) -> Found:
    path = corpora / "bte_rag" / "bte_trapi_response_MESH_D034721_ChemicalEntity.json"
    read = read_response(
        json.loads(path.read_bytes()),
        service="bte",
        infores="infores:biothings-explorer",
        retrieved_at="2025-06-19T00:00:00Z",
        query_ids={"n0": ("MESH:D034721",)},
    )
    assert len(read.edges) == 149
    edges = merge_edges(canonical_direction(edge) for edge in read.edges)
    retrieval = Retrieval(edges, {edge.id: ("disease_drug",) for edge in edges})
    both = (DISEASE, PROCESS)
    candidates = rank(PLAN, both, retrieval)
    page = prune(
        QUESTION,
        to_evidence(retrieval, both, PLAN),
        candidates,
        both,
        PLAN,
        embedder=LexicalEmbedder(),
    )
    return with_keys(candidates, page), page


def test_imatinib_ranks_first(answered: Found) -> None:
    candidates, _ = answered
    first = candidates[0]
    assert (first.curie, first.name) == ("CHEBI:31690", "imatinib methanesulfonate")
    assert first.parent == "imatinib"
    assert (first.status, first.text_mined_only) == ("established", False)
    assert first.status_detail == (
        "approved for systemic mastocytosis (infores:multiomics-clinicaltrials)"
    )
    assert len(first.support) == 7
    assert first.score > candidates[1].score
    assert "6: infores:drugcentral" in " ".join(line.detail for line in first.explanation)


def test_histamine_is_low_and_what_it_contributes_to_is_against(answered: Found) -> None:
    names = [candidate.name for candidate in answered[0]]
    histamine = answered[0][names.index("Histamine")]
    assert names.index("Histamine") > 70
    assert len(histamine.against) == 1


def test_adverse_events_never_support(answered: Found) -> None:
    by_name = {candidate.name: candidate for candidate in answered[0]}
    for name in ("Metronidazole", "Cefoxitin sodium", "morphine hydrochloride"):
        assert by_name[name].score < 0
        assert by_name[name].support == ()
    assert by_name["Midostaurin"].against


def test_the_protein_among_them_is_no_candidate_and_neither_is_the_disease(
    answered: Found,
) -> None:
    names = {candidate.name for candidate in answered[0]}
    assert len(names) == 95
    assert not names & {"Interferon-alpha", "systemic mastocytosis"}


def test_a_trial_is_told_as_a_trial(answered: Found) -> None:
    by_name = {candidate.name: candidate for candidate in answered[0]}
    assert (by_name["Cladribine"].status, by_name["Cladribine"].status_detail) == (
        "in_trials",
        "phase 2/3",
    )
    assert by_name["Masitinib"].status == "preclinical_or_text_mined"
    assert by_name["Masitinib"].text_mined_only


def test_the_page_opens_with_the_treatment_and_keeps_to_its_budget(answered: Found) -> None:
    candidates, page = answered
    assert page[0].sentence == (
        "imatinib methanesulfonate treats systemic mastocytosis "
        "(asked as Systemic mast cell disease)"
    )
    assert len(page[0].edges) == 2
    assert len(page) == 40
    assert "E1" in candidates[0].evidence_keys
    assert all("is affects" not in item.sentence for item in page)
