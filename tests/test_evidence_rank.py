"""Ranking: reach first, then closeness, strength, sources, stage; harm only takes away."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from evidence_material import (
    DECREASES,
    HCTZ,
    HYPERTENSION,
    NEAR,
    drug_plan,
    edge,
    entity,
    gene_plan,
    node,
    text_mined,
)

from fedrag.datamodel import (
    Attribute,
    Candidate,
    Edge,
    Identifier,
    NormalizedNode,
    QueryEdge,
    QueryNode,
    QueryPlan,
)
from fedrag.evidence import rank
from fedrag.execute.retrieval import Retrieval

DRUG = node("CHEBI:5778", "hydrochlorothiazide", "drug")
DISEASE = node("MONDO:0005044", "hypertension", "disease")
SLC12A3, ACE, OTHER = node("HGNC:10912", "SLC12A3"), node("HGNC:2707", "ACE"), node("HGNC:3", "C")
PROCESS = node("GO:0070294", "renal sodium ion absorption", "process")
GIVEN = edge(DRUG, "treats", DISEASE)


def hops(plan: QueryPlan, found: Mapping[str, Sequence[Edge]], **fields: Any) -> Retrieval:
    """A retrieval whose edges were found by the hops named."""
    found_by: dict[str, tuple[str, ...]] = {}
    edges: dict[str, Edge] = {}
    for key, made in found.items():
        for one in made:
            edges[one.id] = one
            found_by[one.id] = (*found_by.get(one.id, ()), key)
    return Retrieval(tuple(edges.values()), found_by, **fields)


def genes(found: Mapping[str, Sequence[Edge]], **fields: Any) -> tuple[Candidate, ...]:
    plan = gene_plan()
    return rank(plan, (HCTZ, HYPERTENSION), hops(plan, found, **fields))


def drugs(edges: Sequence[Edge], plan: QueryPlan | None = None) -> tuple[Candidate, ...]:
    plan = plan or drug_plan()
    return rank(plan, (HYPERTENSION,), hops(plan, {"treats": edges}))


def drug(number: int, name: str | None = None, kind: str = "drug") -> Any:
    return node(f"CHEBI:{number}", name or f"drug {number}", kind)


MECHANISM: dict[str, Sequence[Edge]] = {
    "given": [GIVEN],
    "drug_near": [edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES)],
    "disease_near": [
        edge(PROCESS, "contributes_to", DISEASE),
        edge(ACE, "gene_associated_with_condition", DISEASE),
    ],
    "near_disease_gene": [edge(SLC12A3, "affects", PROCESS)],
}


def test_the_drugs_target_beats_a_gene_that_is_only_near_the_disease() -> None:
    first, second = genes(MECHANISM)
    assert (first.name, first.reaches) == ("SLC12A3", ("CHEBI:5778", "MONDO:0005044"))
    assert (second.name, second.reaches) == ("ACE", ("MONDO:0005044",))
    assert first.score > second.score + 9
    assert first.status is None


def test_a_curated_target_two_hops_from_the_disease_beats_text_mined_neighbours_of_both() -> None:
    found = dict(MECHANISM)
    found["drug_near"] = [
        *MECHANISM["drug_near"],
        text_mined(DRUG, "interacts_with", OTHER),
    ]
    found["disease_near"] = [
        *MECHANISM["disease_near"],
        text_mined(OTHER, "associated_with", DISEASE),
    ]
    assert [c.name for c in genes(found)][:2] == ["SLC12A3", "C"]


def test_what_the_drug_acts_on_is_before_what_is_only_near_that() -> None:
    """One gene is reached over another drug of the disease, the other is the drug's own target."""
    sibling, third = drug(7), node("HGNC:4", "D")
    found: dict[str, Sequence[Edge]] = {
        "given": [GIVEN],
        "drug_near": [
            edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES),
            edge(DRUG, "affects", OTHER, qualifiers=DECREASES),
        ],
        "disease_near": [edge(sibling, "treats", DISEASE)],
        "near_disease_gene": [
            edge(sibling, "affects", OTHER, qualifiers=DECREASES),
            edge(sibling, "affects", third, qualifiers=DECREASES),
        ],
    }
    ranked = genes(found)
    assert [c.name for c in ranked] == ["C", "SLC12A3", "D"]
    assert [len(c.reaches) for c in ranked] == [2, 1, 2]


def test_an_edge_against_the_asked_direction_supports_nothing() -> None:
    plan = QueryPlan(
        "targets-of-drug",
        "",
        "list",
        (
            QueryNode("drug", ("biolink:ChemicalEntity",), (HCTZ.curie,), entity=0),
            QueryNode("target", ("biolink:Gene",)),
        ),
        (
            QueryEdge(
                "drug_target",
                "drug",
                "target",
                ("biolink:affects", "biolink:interacts_with"),
                from_node="drug",
            ),
        ),
        "target",
        ("biolink:Gene",),
    )
    found = {
        "drug_target": [
            edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES),
            edge(ACE, "affects", DRUG, qualifiers=DECREASES),
            edge(OTHER, "interacts_with", DRUG),
        ]
    }
    assert [c.name for c in rank(plan, (HCTZ,), hops(plan, found))] == ["SLC12A3", "C"]


def test_no_path_leads_through_the_other_given_entity() -> None:
    (only,) = genes({"given": [GIVEN], "disease_near": [edge(ACE, "causes", DISEASE)]})
    assert only.reaches == ("MONDO:0005044",)


def test_the_explanation_adds_up_to_the_score() -> None:
    for candidate in genes(MECHANISM):
        points = sum(Decimal(str(line.points)) for line in candidate.explanation)
        assert points == Decimal(str(candidate.score))
        assert all(line.points for line in candidate.explanation)
    labels = [line.label for line in genes(MECHANISM)[0].explanation]
    assert labels[:3] == [
        "reaches 2 of 2 given entities",
        "path to hydrochlorothiazide",
        "evidence to hydrochlorothiazide",
    ]
    details = {line.label: line.detail for line in genes(MECHANISM)[0].explanation}
    assert details["path to hypertension"] == "2 hops via renal sodium ion absorption"
    assert details["evidence to hydrochlorothiazide"] == (
        "best: affects (infores:drugcentral; knowledge assertion, manual agent)"
    )


def test_a_candidates_support_holds_its_whole_way() -> None:
    first = genes(MECHANISM)[0]
    wanted = {
        MECHANISM["drug_near"][0].id,
        MECHANISM["near_disease_gene"][0].id,
        MECHANISM["disease_near"][0].id,
    }
    assert set(first.support) == wanted
    assert first.support[0] == MECHANISM["drug_near"][0].id


def test_reaching_every_given_entity_outweighs_everything_else() -> None:
    strong = [
        edge(DRUG, "affects", OTHER, qualifiers=DECREASES, source=f"infores:s{i}")
        for i in range(20)
    ]
    weak = text_mined(DRUG, "related_to", ACE, level="text_co_occurrence")
    found = {
        "drug_near": [*strong, weak],
        "disease_near": [text_mined(ACE, "related_to", DISEASE, level="text_co_occurrence")],
    }
    assert [c.name for c in genes(found)] == ["ACE", "C"]


def test_a_hub_in_between_counts_less_than_a_specific_process() -> None:
    hub, special = node("GO:1", "metabolism", "process"), node("GO:2", "absorption", "process")
    crowd = [edge(node(f"HGNC:9{i}", f"G{i}"), "affects", hub) for i in range(40)]
    found = {
        "disease_near": [edge(hub, "affects", DISEASE), edge(special, "affects", DISEASE)],
        "near_disease_gene": [
            edge(ACE, "affects", hub),
            edge(SLC12A3, "affects", special),
            *crowd,
        ],
    }
    assert genes(found)[0].name == "SLC12A3"


def test_a_general_term_in_between_counts_less() -> None:
    one, two = node("GO:1", "process", "process"), node("GO:2", "absorption", "process")
    found = {
        "disease_near": [edge(one, "affects", DISEASE), edge(two, "affects", DISEASE)],
        "near_disease_gene": [edge(ACE, "affects", one), edge(SLC12A3, "affects", two)],
    }
    known = {"GO:1": NormalizedNode("GO:1", "process", (), information_content=20.0)}
    assert [c.name for c in genes(found, nodes=known)] == ["SLC12A3", "ACE"]


def test_independent_sources_count_and_repeated_ones_do_not() -> None:
    twice = [
        edge(drug(1), "treats", DISEASE, source="infores:a"),
        edge(drug(1), "ameliorates_condition", DISEASE, source="infores:a"),
    ]
    two = [
        edge(drug(2), "treats", DISEASE, source="infores:a"),
        edge(drug(2), "ameliorates_condition", DISEASE, source="infores:b"),
    ]
    one = [edge(drug(3), "treats", DISEASE, source="infores:a")]
    ranked = drugs([*twice, *two, *one])
    assert ranked[0].name == "drug 2"
    assert ranked[1].score == ranked[2].score


# --- mechanisms ---------------------------------------------------------------------------------


def test_what_a_drug_acts_on_beats_what_acts_on_the_drug() -> None:
    found = {
        "drug_near": [
            edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES),
            edge(ACE, "affects", DRUG, qualifiers=DECREASES),
        ],
        "disease_near": [edge(SLC12A3, "causes", DISEASE), edge(ACE, "causes", DISEASE)],
    }
    first, second = genes(found)
    assert (first.name, second.name) == ("SLC12A3", "ACE")
    assert first.score > second.score


def test_another_drug_for_the_disease_is_no_part_of_a_mechanism() -> None:
    plan = replace(gene_plan(), answer_categories=("biolink:ChemicalEntity",))
    target, sodium = node("HGNC:10912", "SLC12A3"), drug(7, "sodium", "chemical")
    rival = drug(8, "chlorothiazide")
    found = {
        "drug_near": [edge(DRUG, "affects", target, qualifiers=DECREASES)],
        "disease_near": [
            edge(sodium, "contributes_to", DISEASE),
            edge(rival, "treats", DISEASE),
        ],
        "near_drug_gene": [
            edge(target, "affects", sodium),
            edge(rival, "affects", target, qualifiers=DECREASES),
        ],
    }
    first, second = rank(plan, (HCTZ, HYPERTENSION), hops(plan, found))
    assert first.name == "sodium"
    assert first.reaches == ("CHEBI:5778", "MONDO:0005044")
    assert second.name == "chlorothiazide"


def test_a_chemical_that_acts_on_the_drugs_target_is_not_what_the_drug_affects() -> None:
    plan = replace(gene_plan(), answer_categories=("biolink:ChemicalEntity",))
    product, rival, shared = drug(7, "product", "chemical"), drug(8, "rival"), drug(9, "shared")
    other = node("MONDO:7", "gout", "disease")
    found = {
        "drug_near": [
            edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES),
            edge(DRUG, "treats", other),
        ],
        "disease_near": [edge(PROCESS, "contributes_to", DISEASE)],
        "near_drug_gene": [
            edge(SLC12A3, "affects", product),
            edge(rival, "affects", SLC12A3, qualifiers=DECREASES),
            edge(other, "correlated_with", shared),
        ],
        "near_disease_gene": [edge(one, "affects", PROCESS) for one in (product, rival, shared)],
    }
    reached = {c.name: c.reaches for c in rank(plan, (HCTZ, HYPERTENSION), hops(plan, found))}
    assert reached["product"] == ("CHEBI:5778", "MONDO:0005044")
    assert reached["rival"] == ("MONDO:0005044",)
    assert reached["shared"] == ("MONDO:0005044",)  # what else the drug treats tells no effect
    as_gene = replace(plan, answer_categories=("biolink:Gene", "biolink:Protein"))
    upstream = {**found, "near_drug_gene": [edge(ACE, "affects", SLC12A3)]}
    (ace,) = (
        c for c in rank(as_gene, (HCTZ, HYPERTENSION), hops(as_gene, upstream)) if c.name == "ACE"
    )
    assert ace.reaches == ("CHEBI:5778",)  # a gene upstream of the target may be of the mechanism


def test_between_a_gene_and_a_disease_a_drug_for_both_is_a_link() -> None:
    gene = entity("HGNC:20001", "PCSK9", "gene")
    plan = QueryPlan(
        "relation-of-two",
        "relation",
        "relation",
        (
            QueryNode("a", ("biolink:Gene",), (gene.curie,), entity=0),
            QueryNode("b", ("biolink:Disease",), (HYPERTENSION.curie,), entity=1),
            QueryNode("link", NEAR),
        ),
        (
            QueryEdge("direct", "a", "b", from_node="a"),
            QueryEdge("a_link", "a", "link", from_node="a"),
            QueryEdge("link_b", "link", "b", from_node="b"),
        ),
        "link",
        NEAR,
    )
    given = node(gene.curie, "PCSK9")
    found = {
        "direct": [edge(given, "causes", DISEASE)],
        "a_link": [edge(drug(1), "affects", given)],
        "link_b": [edge(drug(1), "treats", DISEASE), edge(drug(2), "treats", DISEASE)],
    }
    (first,) = rank(plan, (gene, HYPERTENSION), hops(plan, found))
    assert (first.name, len(first.reaches)) == ("drug 1", 2)
    apart = {key: edges for key, edges in found.items() if key != "direct"}
    first, second = rank(plan, (gene, HYPERTENSION), hops(plan, apart))
    assert (first.name, len(first.reaches)) == ("drug 1", 2)
    assert (second.name, len(second.reaches)) == ("drug 2", 1)


# --- harm ---------------------------------------------------------------------------------------


def test_harm_never_adds_and_is_listed_against() -> None:
    helps, harms = edge(drug(1), "treats", DISEASE), edge(drug(1), "contraindicated_in", DISEASE)
    (with_harm,) = drugs([helps, harms])
    (without,) = drugs([helps])
    assert with_harm.score < without.score
    assert with_harm.against == (harms.id,)
    assert with_harm.support == (helps.id,)
    last = with_harm.explanation[-1]
    assert last.label == "evidence against"
    assert last.points < 0
    assert last.detail.startswith("contraindicated in (infores:drugcentral")


def test_more_harm_takes_more_away() -> None:
    helps = [edge(drug(n), "treats", DISEASE) for n in (1, 2)]
    harm = [
        edge(drug(1), "has_adverse_event", DISEASE),
        edge(drug(2), "has_adverse_event", DISEASE),
        edge(drug(2), "contraindicated_in", DISEASE),
    ]
    assert [c.name for c in drugs([*helps, *harm])] == ["drug 1", "drug 2"]


def test_a_candidate_with_harm_alone_stands_below_every_supported_one() -> None:
    ranked = drugs(
        [
            edge(drug(1), "causes", DISEASE),
            text_mined(drug(2), "related_to", DISEASE, level="text_co_occurrence"),
            edge(drug(3), "treats", DISEASE, negated=True),
        ]
    )
    assert ranked[0].name == "drug 2"
    assert all(c.score < 0 and not c.support and not c.reaches for c in ranked[1:])
    assert ranked[1].explanation[0].label == "evidence against"


def test_no_path_runs_over_harm() -> None:
    plan = replace(
        drug_plan(),
        nodes=(*drug_plan().nodes, QueryNode("near", ("biolink:ChemicalEntity",))),
        edges=(
            QueryEdge("near", "near", "disease", from_node="disease"),
            QueryEdge("further", "drug", "near", wave=2, from_node="near"),
        ),
    )
    histamine = drug(9, "histamine", "chemical")
    found = {
        "near": [edge(histamine, "causes", DISEASE)],
        "further": [edge(drug(1), "interacts_with", histamine)],
    }
    assert rank(plan, (HYPERTENSION,), hops(plan, found)) == ()


def test_no_detour_leads_past_direct_harm() -> None:
    plan = replace(
        drug_plan(),
        nodes=(*drug_plan().nodes, QueryNode("near", ("biolink:BiologicalProcess",))),
        edges=(
            QueryEdge("treats", "drug", "disease", from_node="disease"),
            QueryEdge("near", "near", "disease", from_node="disease"),
            QueryEdge("further", "drug", "near", wave=2, from_node="near"),
        ),
    )
    harmful = edge(drug(1), "causes", DISEASE)
    found = {
        "treats": [harmful],
        "near": [edge(PROCESS, "contributes_to", DISEASE)],
        "further": [edge(drug(n), "affects", PROCESS) for n in (1, 2)],
    }
    ranked = rank(plan, (HYPERTENSION,), hops(plan, found))
    assert [(c.name, c.reaches) for c in ranked] == [
        ("drug 2", ("MONDO:0005044",)),
        ("drug 1", ()),
    ]
    assert ranked[1].against == (harmful.id,)


def test_sharing_an_indication_is_weaker_than_sharing_a_mechanism() -> None:
    target, other = node("HGNC:6342", "KIT"), node("MONDO:7", "leukaemia", "disease")
    plan = replace(
        drug_plan(),
        nodes=(*drug_plan().nodes, QueryNode("near")),
        edges=(
            QueryEdge("near", "near", "disease", from_node="disease"),
            QueryEdge("further", "drug", "near", wave=2, from_node="near"),
        ),
    )
    found = {
        "near": [edge(target, "affects", DISEASE), edge(other, "affects", DISEASE)],
        "further": [edge(drug(1), "treats", other), edge(drug(2), "affects", target)],
    }
    assert [c.name for c in rank(plan, (HYPERTENSION,), hops(plan, found))] == ["drug 2", "drug 1"]


PROLIFERATION = entity("GO:0008283", "cell population proliferation", "process")


def process_plan() -> QueryPlan:
    """Drugs by disease and process."""
    return replace(
        drug_plan(),
        template="drug-by-disease-and-process",
        kind="one",
        nodes=(
            *drug_plan().nodes,
            QueryNode("process", ("biolink:BiologicalProcess",), ("GO:0008283",), "process", 1),
            QueryNode("near", NEAR),
        ),
        edges=(
            QueryEdge("treats", "drug", "disease", from_node="disease"),
            QueryEdge("near", "near", "process", from_node="process"),
            QueryEdge("further", "drug", "near", wave=2, from_node="near"),
        ),
        also_answer=("near",),
    )


def by_process(found: Mapping[str, Sequence[Edge]]) -> list[Candidate]:
    plan = process_plan()
    return list(rank(plan, (HYPERTENSION, PROLIFERATION), hops(plan, found)))


def test_what_takes_part_in_the_process_is_behind_what_treats_the_disease() -> None:
    growth = node("GO:0008283", "cell population proliferation", "process")
    mediator = node("CHEBI:9", "mediator", "chemical")
    found = {
        "treats": [edge(drug(1), "treats", DISEASE), edge(mediator, "correlated_with", DISEASE)],
        "near": [edge(mediator, "affects", growth)],
    }
    assert [c.name for c in by_process(found)] == ["drug 1", "mediator"]


# --- treatment ----------------------------------------------------------------------------------


def test_clinical_stage_orders_equal_evidence_and_gives_the_status() -> None:
    def trial(number: int, phase: float) -> Edge:
        told = [Attribute("biolink:max_research_phase", phase)]
        return edge(drug(number), "in_clinical_trials_for", DISEASE, attributes=told)

    approved = [Attribute("biolink:clinical_approval_status", "biolink:approved_for_condition")]
    ranked = drugs(
        [
            trial(1, 1),
            trial(2, 3),
            edge(drug(3), "in_clinical_trials_for", DISEASE, attributes=approved),
        ]
    )
    assert [(c.name, c.status, c.status_detail) for c in ranked] == [
        ("drug 3", "established", "approved for hypertension (infores:drugcentral)"),
        ("drug 2", "in_trials", "phase 3"),
        ("drug 1", "in_trials", "phase 1"),
    ]


def test_status_of_a_drug_for_other_diseases_only() -> None:
    other = node("MONDO:9", "gout", "disease")
    made = [text_mined(drug(1), "treats", DISEASE), edge(drug(1), "treats", other)]
    first = next(c for c in drugs(made) if c.name == "drug 1")
    assert first.status == "other_diseases"


def test_text_mined_only() -> None:
    mined = [text_mined(drug(1), "treats", DISEASE)]
    assert drugs(mined)[0].text_mined_only
    assert not drugs([*mined, edge(drug(1), "treats", DISEASE)])[0].text_mined_only


def test_a_salt_carries_its_identifiers_and_its_parents_name() -> None:
    salt = node("CHEBI:31690", "imatinib methanesulfonate", kind="")
    known = NormalizedNode(
        "CHEBI:31690",
        "imatinib methanesulfonate",
        ("biolink:MolecularMixture",),
        (
            Identifier("CHEBI:31690", "imatinib methanesulfonate"),
            Identifier("DRUGBANK:DB00619", "imatinib"),
        ),
    )
    plan = drug_plan()
    retrieval = hops(
        plan, {"treats": [edge(salt, "treats", DISEASE)]}, nodes={"CHEBI:31690": known}
    )
    (candidate,) = rank(plan, (HYPERTENSION,), retrieval)
    assert candidate.parent == "imatinib"
    assert candidate.identifiers == ("CHEBI:31690", "DRUGBANK:DB00619")
    assert candidate.categories == ("biolink:MolecularMixture",)


# --- who is a candidate -------------------------------------------------------------------------


def test_only_what_fits_the_answer_category_is_a_candidate() -> None:
    kinds = ("drug", "chemical", "disease", "protein", "gene", "process")
    made = [edge(node(f"X:{i}", kind, kind), "related_to", DISEASE) for i, kind in enumerate(kinds)]
    assert {c.name for c in drugs(made)} == {"drug", "chemical"}


def test_a_protein_may_answer_for_a_gene_and_an_uncategorised_node_for_anything() -> None:
    found = {
        "drug_near": [
            edge(DRUG, "affects", node("UniProtKB:P1", "kinase", "protein")),
            edge(DRUG, "affects", node("X:1", "thing", kind="")),
            edge(DRUG, "affects", PROCESS),
        ]
    }
    assert {c.name for c in genes(found)} == {"kinase", "thing"}


def test_the_given_entities_are_never_candidates_under_any_identifier() -> None:
    twin = node("DRUGBANK:DB00999", "HCTZ", "drug")
    asked = node("CHEBI:99", "a salt of it", "drug", asked="CHEBI:5778")
    plan = replace(drug_plan(), nodes=gene_plan().nodes[:2], answer_node="drug")
    plan = replace(plan, nodes=(*plan.nodes[1:], QueryNode("drug", ("biolink:ChemicalEntity",))))
    plan = replace(plan, nodes=(QueryNode("hctz", (), ("CHEBI:5778",), entity=0), *plan.nodes))
    made = [edge(twin, "treats", DISEASE), edge(asked, "treats", DISEASE)]
    assert rank(plan, (HCTZ, HYPERTENSION), hops(plan, {"treats": made})) == ()


def test_candidates_group_on_the_conflated_identifier() -> None:
    protein = replace(node("UniProtKB:P55017", "SLC12A3", "protein"), canonical="HGNC:10912")
    found = {
        "drug_near": [
            edge(DRUG, "affects", SLC12A3, source="infores:a"),
            edge(DRUG, "affects", protein, source="infores:b"),
        ]
    }
    (only,) = genes(found)
    assert (only.curie, len(only.support)) == ("HGNC:10912", 2)


def test_bindings_of_nodes_that_are_no_answer_are_no_candidates() -> None:
    plan = replace(gene_plan(), also_answer=())
    found = {
        "drug_near": [edge(DRUG, "affects", ACE)],
        "near_drug_gene": [edge(ACE, "regulates", OTHER)],
    }
    ranked = rank(plan, (HCTZ, HYPERTENSION), hops(plan, found))
    assert [c.name for c in ranked] == ["C"]


def test_an_intersection_drops_what_misses_a_given_entity() -> None:
    asthma = entity("MONDO:0004979", "asthma", "disease")
    base = drug_plan(must_reach_all=True)
    plan = replace(
        base,
        nodes=(*base.nodes, QueryNode("second", ("biolink:Disease",), (asthma.curie,), entity=1)),
        edges=(*base.edges, QueryEdge("also", "drug", "second", from_node="second")),
    )
    also = node("MONDO:0004979", "asthma", "disease")
    found = {
        "treats": [edge(drug(1), "treats", DISEASE), edge(drug(2), "treats", DISEASE)],
        "also": [edge(drug(1), "treats", also), edge(drug(3), "treats", also)],
    }
    ranked = rank(plan, (HYPERTENSION, asthma), hops(plan, found))
    assert [c.name for c in ranked] == ["drug 1"]


def test_a_descendant_found_for_the_disease_counts_as_the_disease() -> None:
    found = node("MONDO:0001134", "essential hypertension", "disease", asked="MESH:D006973")
    (candidate,) = drugs([edge(drug(1), "treats", found)])
    assert candidate.reaches == ("MONDO:0005044",)
    assert candidate.status_detail == (
        "treats essential hypertension, asserted by infores:drugcentral"
    )


# --- order --------------------------------------------------------------------------------------


def test_ties_have_equal_scores_and_a_stable_order() -> None:
    made = [edge(drug(n, name), "treats", DISEASE) for n, name in ((3, "b"), (1, "C"), (2, "a"))]
    ranked = drugs(made)
    assert [c.name for c in ranked] == ["a", "b", "C"]
    assert len({c.score for c in ranked}) == 1


def test_the_order_of_the_edges_does_not_matter() -> None:
    made = [
        edge(drug(n), predicate, DISEASE, source=f"infores:{source}")
        for n in range(12)
        for predicate in ("treats", "related_to", "causes")
        for source in "abc"
        if (n * 7 + len(predicate) + ord(source)) % 3
    ]
    expected = drugs(made)
    for seed in range(5):
        random.Random(seed).shuffle(made)
        shuffled = drugs(made)
        assert [(c.curie, c.score, c.explanation) for c in shuffled] == [
            (c.curie, c.score, c.explanation) for c in expected
        ]
        assert [c.support for c in shuffled] == [c.support for c in expected]


def test_confidence_moves_a_score_little_and_upwards() -> None:
    def scored(score: float) -> float:
        told = [Attribute("biolink:extraction_confidence_score", score)]
        return drugs([text_mined(drug(1), "treats", DISEASE, attributes=told)])[0].score

    scores = [scored(s) for s in (0.0, 0.4, 0.8, 1.0)]
    assert scores == sorted(scores)
    assert scores[0] < scores[-1] <= scores[0] + 0.5


def test_nothing_retrieved_ranks_nothing() -> None:
    assert rank(gene_plan(), (HCTZ, HYPERTENSION), Retrieval(())) == ()


def test_names_of_candidates_are_cleaned() -> None:
    odd = node("CHEBI:1", "bad\n\u202ename", "drug")
    assert drugs([edge(odd, "treats", DISEASE)])[0].name == "bad name"
    assert drugs([edge(node("CHEBI:1", "", "drug"), "treats", DISEASE)])[0].name == "CHEBI:1"


def test_five_thousand_edges_are_ranked() -> None:
    rng = random.Random(1)
    many = [node(f"HGNC:{n}", f"gene {n}") for n in range(600)]
    found: dict[str, list[Edge]] = {key.key: [] for key in gene_plan().edges}
    for number in range(5000):
        one, two = rng.choice(many), rng.choice(many)
        source = f"infores:s{number % 17}"
        if number % 3 == 0:
            found["drug_near"].append(edge(DRUG, "affects", one, source=source))
        elif number % 3 == 1:
            found["disease_near"].append(edge(one, "associated_with", DISEASE, source=source))
        else:
            found["near_drug_gene"].append(edge(one, "regulates", two, source=source))
    plan = gene_plan()
    retrieval = hops(plan, found)
    ranked = rank(plan, (HCTZ, HYPERTENSION), retrieval)
    assert len(ranked) > 500
    assert math.isfinite(ranked[0].score)


@pytest.mark.parametrize("field", ["support", "against"])
def test_no_edge_is_on_both_sides(field: str) -> None:
    made = [
        edge(drug(1), "treats", DISEASE),
        edge(drug(1), "contraindicated_in", DISEASE),
        edge(drug(1), "related_to", DISEASE),
    ]
    (candidate,) = drugs(made)
    assert len(set(getattr(candidate, field))) == len(getattr(candidate, field))
    assert not set(candidate.support) & set(candidate.against)
