"""When two edges are one, and which way round they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fedrag.biolink import biolink
from fedrag.datamodel import Attribute, Edge, EdgeNode, RetrievalSource
from fedrag.trapi import canonical_direction, edge_id, merge_edges

DRUG = EdgeNode("CHEBI:5778", "hydrochlorothiazide", found="DRUGBANK:DB00999")
GENE = EdgeNode("NCBIGene:6559", "SLC12A3", found="NCBIGene:6559")


def source(name: str, role: str = "primary_knowledge_source") -> RetrievalSource:
    return RetrievalSource(f"infores:{name}", role)


EDGE = Edge(
    id="",
    subject=DRUG,
    predicate="biolink:affects",
    object=GENE,
    qualifiers=(
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:object_direction_qualifier", "decreased"),
    ),
    sources=(source("drugmechdb"),),
)


def test_the_identity_is_sixteen_hexadecimal_digits_and_stays() -> None:
    assert edge_id(EDGE) == "acf4d07cc18db1bc"


@pytest.mark.parametrize(
    "other",
    [
        replace(EDGE, subject=replace(DRUG, curie="CHEBI:1")),
        replace(EDGE, object=replace(GENE, curie="NCBIGene:1")),
        replace(EDGE, predicate="biolink:regulates"),
        replace(EDGE, qualifiers=EDGE.qualifiers[:1]),
        replace(EDGE, negated=True),
        replace(EDGE, sources=(source("ctd"),)),
    ],
)
def test_each_of_the_six_parts_makes_another_edge(other: Edge) -> None:
    assert edge_id(other) != edge_id(EDGE)
    assert len(merge_edges([EDGE, other])) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(EDGE, subject=replace(DRUG, found="MESH:D006852", name="HCTZ", canonical="X:1")),
        replace(EDGE, qualifiers=EDGE.qualifiers[::-1]),
        replace(EDGE, publications=("PMID:1",), knowledge_level="prediction"),
        replace(EDGE, sources=(source("agg", "aggregator_knowledge_source"), *EDGE.sources)),
        replace(EDGE, id="anything", answered_by=("other",), retrieved_at="2025"),
    ],
)
def test_nothing_else_does(other: Edge) -> None:
    assert edge_id(other) == edge_id(EDGE)
    assert len(merge_edges([EDGE, other])) == 1


def test_parts_that_run_together_are_told_apart() -> None:
    one = replace(EDGE, qualifiers=(("a", "bc"),))
    other = replace(EDGE, qualifiers=(("ab", "c"),))
    assert edge_id(one) != edge_id(other)


def test_merging_unites_and_keeps_the_order() -> None:
    attribute = Attribute("biolink:p_value", 1)
    first = replace(
        EDGE,
        subject=replace(DRUG, name="", asked=None),
        sources=(
            replace(source("drugmechdb"), record_urls=("https://a",)),
            source("agg", "aggregator_knowledge_source"),
        ),
        publications=("PMID:2", "PMID:1"),
        cited_by_record=("PMID:9",),
        record_urls=("https://a",),
        attributes=(attribute, Attribute("biolink:p_value", 1)),
        answered_by=("bte",),
        retrieved_at="2025-06-19T19:08:15Z",
    )
    second = replace(
        EDGE,
        subject=replace(DRUG, asked="MESH:D006852", taxa=("NCBITaxon:9606",)),
        sources=(replace(source("drugmechdb"), record_urls=("https://b",)),),
        publications=("PMID:1", "PMID:3"),
        record_urls=("https://b",),
        knowledge_level="knowledge_assertion",
        agent_type="manual_agent",
        attributes=(Attribute("biolink:p_value", True), Attribute("biolink:p_value", 1.0)),
        answered_by=("robokop", "bte"),
        retrieved_at="2025-06-18T00:00:00Z",
    )
    [merged] = merge_edges([first, second])
    assert merged.id == edge_id(EDGE)
    assert (merged.subject.name, merged.subject.asked) == ("hydrochlorothiazide", "MESH:D006852")
    assert merged.subject.taxa == ("NCBITaxon:9606",)
    assert [(s.resource_id, s.record_urls) for s in merged.sources] == [
        ("infores:drugmechdb", ("https://a", "https://b")),
        ("infores:agg", ()),
    ]
    assert merged.publications == ("PMID:2", "PMID:1", "PMID:3")
    assert merged.cited_by_record == ("PMID:9",)
    assert merged.record_urls == ("https://a", "https://b")
    assert (merged.knowledge_level, merged.agent_type) == ("knowledge_assertion", "manual_agent")
    assert [repr(a.value) for a in merged.attributes] == ["1", "True", "1.0"]
    assert merged.answered_by == ("bte", "robokop")
    assert merged.retrieved_at == "2025-06-18T00:00:00Z"


def test_merged_edges_keep_the_order_of_their_first() -> None:
    other = replace(EDGE, predicate="biolink:regulates")
    merged = merge_edges([other, EDGE, replace(other, publications=("PMID:1",))])
    assert [e.predicate for e in merged] == ["biolink:regulates", "biolink:affects"]
    assert [e.id for e in merged] == [edge_id(other), edge_id(EDGE)]
    assert merge_edges(merged) == merged
    assert merge_edges([]) == ()


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("affected_by", "affects"),
        ("treated_by", "treats"),
        ("caused_by", "causes"),
        (
            "subject_of_treatment_application_or_study_for_treatment_by",
            "treats_or_applied_or_studied_to_treat",
        ),
        ("tested_by_clinical_trials_of", "in_clinical_trials_for"),
        ("adverse_event_of", "has_adverse_event"),
        ("treatment_applications_from", "applied_to_treat"),
        ("contribution_from", "contributes_to"),
        ("treated_in_studies_by", "studied_to_treat"),
        ("has_gene_product", "gene_product_of"),
        ("phenotype_of", "has_phenotype"),
        ("superclass_of", "subclass_of"),
    ],
)
def test_an_inverse_predicate_is_turned_round(said: str, written: str) -> None:
    edge = Edge("", GENE, f"biolink:{said}", DRUG)
    turned = canonical_direction(edge)
    assert (turned.subject, turned.predicate, turned.object) == (DRUG, f"biolink:{written}", GENE)
    assert turned.attributes == (Attribute("biolink:original_predicate", f"biolink:{said}"),)
    assert canonical_direction(turned) is turned


@pytest.mark.parametrize(
    "predicate", ["biolink:interacts_with", "biolink:related_to", "biolink:treats", "biolink:new"]
)
def test_symmetric_canonical_and_unknown_predicates_stay(predicate: str) -> None:
    edge = replace(EDGE, predicate=predicate)
    assert canonical_direction(edge) is edge


def test_qualifiers_are_inverted_with_the_predicate() -> None:
    said = Edge(
        id="old",
        subject=GENE,
        predicate="biolink:affected_by",
        object=DRUG,
        qualifiers=(
            ("biolink:qualified_predicate", "biolink:caused_by"),
            ("biolink:subject_aspect_qualifier", "activity"),
            ("biolink:subject_direction_qualifier", "decreased"),
        ),
    )
    turned = canonical_direction(said)
    assert turned.qualifiers == (
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:object_direction_qualifier", "decreased"),
        ("biolink:qualified_predicate", "biolink:causes"),
    )
    assert turned.id == edge_id(turned)


def test_the_same_statement_said_both_ways_is_one_edge() -> None:
    turned_round = replace(
        EDGE,
        subject=GENE,
        predicate="biolink:affected_by",
        object=DRUG,
        qualifiers=biolink().invert_qualifiers(EDGE.qualifiers),
    )
    assert len(merge_edges(map(canonical_direction, [EDGE, turned_round]))) == 1


def test_a_symmetric_statement_is_the_same_from_either_end() -> None:
    drug = EdgeNode("CHEBI:45783", "imatinib", ("biolink:SmallMolecule",))
    kit = EdgeNode("NCBIGene:3815", "KIT", ("biolink:Gene",))
    abl1 = EdgeNode("NCBIGene:25", "ABL1", ("biolink:Gene",))
    for first, second in ((drug, kit), (abl1, kit)):
        ahead = (("biolink:subject_aspect_qualifier", "activity"),)
        back = (("biolink:object_aspect_qualifier", "activity"),)
        one = Edge("", first, "biolink:interacts_with", second, qualifiers=ahead)
        two = Edge("", second, "biolink:interacts_with", first, qualifiers=back)
        assert canonical_direction(two) == canonical_direction(one) == one
        assert len(merge_edges(map(canonical_direction, (one, two)))) == 1
