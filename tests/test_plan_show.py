"""A plan printed for people, and as TRAPI query graphs."""

from __future__ import annotations

from plan_material import planned, service, telling

from fedrag.metakg import MetaEdge, MetaKG
from fedrag.plan import explain_plan, plan_to_trapi


def test_a_one_hop_plan_is_one_query_graph() -> None:
    made = planned("Which drugs inhibit {gene:BRAF}?")
    assert plan_to_trapi(made) == [
        {
            "nodes": {
                "drug": {"categories": ["biolink:ChemicalEntity"]},
                "gene": {"ids": ["EXAMPLE:BRAF"], "categories": ["biolink:Gene"]},
            },
            "edges": {
                "drug_gene": {
                    "subject": "drug",
                    "object": "gene",
                    "predicates": ["biolink:affects"],
                    "qualifier_constraints": [
                        {
                            "qualifier_set": [
                                {
                                    "qualifier_type_id": "biolink:object_direction_qualifier",
                                    "qualifier_value": "decreased",
                                }
                            ]
                        }
                    ],
                }
            },
        }
    ]


def test_a_plan_of_several_hops_comes_whole_and_hop_by_hop() -> None:
    made = planned("What links {gene:PCSK9} and {disease:coronary artery disease}?")
    whole, *hops = plan_to_trapi(made)
    assert set(whole["nodes"]) == {"a", "b", "link"}
    assert [list(hop["edges"]) for hop in hops] == [["direct"], ["a_link"], ["link_b"]]
    assert set(hops[1]["nodes"]) == {"a", "link"}


def test_the_text_names_nodes_waves_services_and_reasons() -> None:
    off = service("off", enabled=False, why_off="switched off in the configuration")
    edges = (MetaEdge("biolink:ChemicalEntity", "biolink:treats", "biolink:Disease", "bte"),)
    made = planned("Which drugs treat {disease:gout}?", MetaKG([service(), off], {"bte": edges}))
    assert explain_plan(made).splitlines() == [
        "understood: drugs that treat or are studied in gout (disease)",
        "template:   drugs-of-disease (Drugs of a disease; answer: a list, from drug)",
        "nodes:",
        "  disease  EXAMPLE:gout gout [Disease]",
        "  drug     any ChemicalEntity",
        "wave 1:",
        "  drug_disease: drug –[treats | treats or applied or studied to treat | "
        "ameliorates condition | preventative for condition | contraindicated in | "
        "exacerbates condition | causes | contributes to | promotes condition | "
        "predisposes to condition | has adverse event | has side effect]→ disease",
        "    asks bte: has ChemicalEntity–Disease/PhenotypicFeature edges with 1 fitting predicate",
        "    does not ask off: switched off in the configuration",
    ]


def test_later_waves_tell_where_they_start_and_how_many_are_asked_onwards() -> None:
    metakg = telling([("ChemicalEntity", "affects", "Gene"), ("Gene", "causes", "Disease")])
    made = planned("Which gene explains how {chemical:x} treats {disease:y}?", metakg)
    text = explain_plan(made)
    assert "wave 2:" in text
    assert "(from the 100 best-ranked of near_drug)" in text
    assert "does not ask bte: has no edges between ChemicalEntity and Disease" in text
