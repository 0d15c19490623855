"""Who can serve which query edge, the reasons, paths of categories, and speed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from plan_material import service, telling

from fedrag.metakg import MetaEdge, MetaKG, Operation, load_service
from fedrag.metakg.xfedrag import Manner
from fedrag.trapi import read_meta_knowledge_graph

DRUG, GENE, DISEASE = ("biolink:ChemicalEntity",), ("biolink:Gene",), ("biolink:Disease",)
DIRECTION = "biolink:object_direction_qualifier"


def test_a_more_specific_category_and_predicate_fit() -> None:
    metakg = telling([("SmallMolecule", "regulates", "Gene")])
    assert metakg.serves("bte", DRUG, ("biolink:affects",), GENE) == (
        True,
        "has ChemicalEntity–Gene edges with 1 fitting predicate",
    )
    assert metakg.serves("bte", ("biolink:Drug",), (), GENE)[0] is False
    assert metakg.serves("bte", DRUG, ("biolink:treats",), GENE) == (
        False,
        "has ChemicalEntity–Gene edges, but none with treats",
    )


@pytest.mark.parametrize(
    ("triple", "predicates", "served"),
    [
        (("Disease", "treated_by", "ChemicalEntity"), ("biolink:treats",), True),
        (("Disease", "treated_by", "ChemicalEntity"), ("biolink:causes",), False),
        (("Disease", "treats", "ChemicalEntity"), ("biolink:treats",), False),
        (("Disease", "correlated_with", "ChemicalEntity"), ("biolink:correlated_with",), True),
        (("Disease", "biomarker_for", "ChemicalEntity"), ("biolink:associated_with",), True),
        (("Disease", "related_to", "ChemicalEntity"), ("biolink:treats",), False),
        (("Disease", "anything_new", "ChemicalEntity"), (), True),
        (("Disease", "causes", "ChemicalEntity"), ("biolink:related_to",), True),
        (("ChemicalEntity", "treats", "Disease"), ("biolink:treated_by",), False),
    ],
)
def test_an_edge_is_served_from_its_other_end_through_inverse_and_symmetry(
    triple: tuple[str, str, str], predicates: tuple[str, ...], served: bool
) -> None:
    assert telling([triple]).serves("bte", DRUG, predicates, DISEASE)[0] is served


def test_genes_and_proteins_are_one_as_conflation_has_them() -> None:
    metakg = telling([("ChemicalEntity", "affects", "Protein")])
    assert metakg.serves("bte", DRUG, (), GENE)[0] is True


def test_what_a_service_does_not_hold_is_said_plainly() -> None:
    metakg = telling([("Gene", "causes", "Disease")])
    assert metakg.serves("bte", DRUG, (), ("biolink:PhenotypicFeature",)) == (
        False,
        "has no edges between ChemicalEntity and PhenotypicFeature",
    )
    many = ("biolink:Cell", "biolink:Pathway", "biolink:OrganismTaxon")
    assert metakg.serves("bte", DRUG, (), many)[1] == (
        "has no edges between ChemicalEntity and Cell (or 2 others)"
    )


def test_a_service_that_told_nothing_is_asked_anyway() -> None:
    metakg = MetaKG([service()], {"bte": None})
    assert metakg.serves("bte", DRUG, (), GENE) == (
        True,
        "its meta-knowledge graph was not available, so it is asked anyway",
    )


def test_a_service_that_is_off_or_annotates_no_call_is_not_asked() -> None:
    off = service("off", enabled=False, why_off="switched off in the configuration")
    rest = replace(service("rest"), protocol="rest")
    metakg = MetaKG([off, rest], {"off": None, "rest": None})
    assert metakg.serves("off", DRUG, (), GENE) == (False, "switched off in the configuration")
    assert metakg.serves(rest, DRUG, (), GENE) == (
        False,
        "its document annotates no call",
    )


@pytest.mark.parametrize(
    ("declared", "served"),
    [
        ((), True),
        (((DIRECTION, "decreased"),), True),
        (((DIRECTION, "downregulated"),), True),
        (((DIRECTION, ""),), True),
        ((("biolink:object_aspect_qualifier", "activity"),), True),
        (((DIRECTION, "increased"),), False),
    ],
)
def test_qualifiers_are_tolerated_unless_others_are_declared(
    declared: tuple[tuple[str, str], ...], served: bool
) -> None:
    edge = MetaEdge("biolink:ChemicalEntity", "biolink:affects", "biolink:Gene", "bte", declared)
    metakg = MetaKG([service()], {"bte": (edge,)})
    asked = ((DIRECTION, "decreased"),)
    answer = metakg.serves("bte", DRUG, ("biolink:affects",), GENE, asked)
    assert answer[0] is served
    if not served:
        assert answer[1] == (
            "has ChemicalEntity–Gene edges, but none with object direction decreased"
        )


def test_qualifiers_turn_with_the_edge() -> None:
    turned = (("biolink:subject_direction_qualifier", "decreased"),)
    edge = MetaEdge("biolink:Gene", "biolink:affected_by", "biolink:ChemicalEntity", "bte", turned)
    metakg = MetaKG([service()], {"bte": (edge,)})
    for value, served in (("decreased", True), ("increased", False)):
        asked = ((DIRECTION, value),)
        assert metakg.serves("bte", DRUG, ("biolink:affects",), GENE, asked)[0] is served


def test_operations_of_a_document_are_meta_edges(corpora: Path) -> None:
    document = load_service(corpora / "smartapi" / "MGIgene2phenotype__smartapi.yaml")
    metakg = MetaKG([document], {})
    edges = metakg.meta_edges(document.name)
    assert edges
    assert {e.operation is not None and e.service for e in edges} == {document.name}
    assert metakg.triples() == tuple(
        sorted(edges, key=lambda e: (e.subject, e.predicate, e.object, e.service, e.qualifiers))
    )


# --- paths --------------------------------------------------------------------------------------


def names(route: tuple[object, ...]) -> list[str]:
    steps = [(s.subject, s.object) for s in route]  # type: ignore[attr-defined]
    return [c.removeprefix("biolink:") for c in (steps[0][0], *(there for _, there in steps))]


def test_paths_come_shortest_first_and_tell_predicates_and_services() -> None:
    metakg = telling(
        [
            ("SmallMolecule", "affects", "Gene"),
            ("Gene", "causes", "Disease"),
            ("Drug", "treats", "Disease"),
            ("Disease", "treated_by", "Drug"),
            ("NamedThing", "related_to", "NamedThing"),
        ]
    )
    direct, over_gene = metakg.paths("biolink:Drug", "biolink:Disease")
    assert names(direct) == ["ChemicalEntity", "Disease"]
    assert direct[0].predicates == ("biolink:treated_by", "biolink:treats")
    assert direct[0].services == ("bte",)
    assert names(over_gene) == ["ChemicalEntity", "Gene", "Disease"]


def test_paths_stop_at_three_hops_and_at_the_limit() -> None:
    chain = ["OrganismTaxon", "Cell", "Gene", "Pathway", "Disease"]
    metakg = telling([(a, "related_to", b) for a, b in pairwise(chain)])
    assert metakg.paths("biolink:OrganismTaxon", "biolink:Disease") == []
    assert metakg.paths("biolink:OrganismTaxon", "biolink:Disease", max_hops=9) == []
    (three,) = metakg.paths("biolink:OrganismTaxon", "biolink:Pathway")
    assert names(three) == chain[:4]
    assert metakg.paths("biolink:OrganismTaxon", "biolink:Pathway", max_hops=2) == []
    assert metakg.paths("biolink:OrganismTaxon", "biolink:Pathway", limit=0) == []


def test_the_better_known_of_two_paths_comes_first() -> None:
    one = [
        MetaEdge(f"biolink:{s}", "biolink:related_to", f"biolink:{o}", "a")
        for s, o in (
            ("ChemicalEntity", "Cell"),
            ("Cell", "Disease"),
            ("ChemicalEntity", "Gene"),
            ("Gene", "Disease"),
        )
    ]
    two = [replace(e, service="b") for e in one[2:]]
    metakg = MetaKG([service("a"), service("b")], {"a": tuple(one), "b": tuple(two)})
    routes = metakg.paths("biolink:ChemicalEntity", "biolink:Disease")
    assert [names(r)[1] for r in routes][:2] == ["Gene", "Cell"]


def test_paths_use_no_service_that_is_off() -> None:
    edges = (MetaEdge("biolink:Gene", "biolink:causes", "biolink:Disease", "bte"),)
    metakg = MetaKG([service(enabled=False)], {"bte": edges})
    assert metakg.paths("biolink:Gene", "biolink:Disease") == []


# --- size ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def snapshot(corpora: Path) -> MetaKG:
    """The 35 meta-knowledge graphs of the recorded snapshot: 86,305 triples."""
    recorded = corpora / "recorded" / "trapi" / "metakg_35_KPs_predicates_snapshot.json"
    services, edges = [], {}
    for number, provider in enumerate(json.loads(recorded.read_text(encoding="utf-8"))):
        name = f"kp{number}"
        triples, _ = read_meta_knowledge_graph(provider)
        services.append(service(name))
        edges[name] = tuple(MetaEdge(t.subject, t.predicate, t.object, name) for t in triples)
    return MetaKG(services, edges)


def test_a_large_meta_knowledge_graph_answers_in_milliseconds(snapshot: MetaKG) -> None:
    assert len(snapshot.triples()) == 86305
    largest = max(snapshot.services, key=lambda s: len(snapshot.meta_edges(s.name) or ()))
    assert len(snapshot.meta_edges(largest.name) or ()) == 45283
    snapshot.serves(largest, GENE, (), GENE)  # the first call makes the index
    questions = [
        (DRUG, (), DISEASE),
        (DRUG, ("biolink:treats", "biolink:affects"), DISEASE),
        (("biolink:NamedThing",), (), ("biolink:NamedThing",)),
        (GENE, ("biolink:causes",), ("biolink:Disease", "biolink:PhenotypicFeature")),
    ]
    for subjects, predicates, objects in questions:
        assert snapshot.serves(largest, subjects, predicates, objects)[0] is True


def test_paths_over_the_snapshot_are_bounded(snapshot: MetaKG) -> None:
    routes = snapshot.paths("biolink:Drug", "biolink:Disease")
    assert len(routes) == 20
    assert [len(route) for route in routes] == sorted(len(route) for route in routes)
    assert names(routes[0]) == ["ChemicalEntity", "Disease"]


def test_weak_statements_are_asked_of_what_the_question_names_and_not_onwards() -> None:
    weak = Operation(
        "post /network",
        "string",
        "post",
        "/network",
        "biolink:Gene",
        "biolink:interacts_with",
        "biolink:Gene",
        knowledge_level="prediction",
        agent_type="computational_model",
    )
    strong = replace(
        weak,
        id="get /curated",
        predicate="biolink:regulates",
        knowledge_level="knowledge_assertion",
        agent_type="manual_agent",
    )
    of_a_set = replace(weak, id="post /enrichment", manner=Manner(min_inputs=2))
    string = replace(service("string"), protocol="rest", operations=(weak,))
    asked = ("string", GENE, (), GENE)
    assert MetaKG([string], {}).serves(*asked) == (True, "has 1 fitting call")
    assert MetaKG([string], {}).serves(*asked, onward=True) == (
        False,
        "its associations, predictions or text mining are asked of what the question names alone",
    )
    whole = replace(string, operations=(weak, strong, of_a_set))
    assert MetaKG([whole], {}).serves(*asked) == (True, "has 3 fitting calls")
    assert MetaKG([whole], {}).serves(*asked, onward=True) == (True, "has 2 fitting calls")
