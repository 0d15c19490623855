"""Shipped services asked by the executor over HTTP: edges with their passport, and failures."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from api_calls import NAMES, shipped

from fedrag.datamodel import Edge, Identifier, NormalizedNode, QueryEdge, QueryNode
from fedrag.execute import Ask, Outcome
from fedrag.execute.annotated import AnnotatedService
from fedrag.net import Net
from fedrag.testing.federation import Federation

CHEMICAL, GENE, PROTEIN = "biolink:ChemicalEntity", "biolink:Gene", "biolink:Protein"
DISEASE, PATHWAY, PROCESS = "biolink:Disease", "biolink:Pathway", "biolink:BiologicalProcess"
PEMBROLIZUMAB = NormalizedNode(
    "UNII:DPT0O3T46P",
    "pembrolizumab",
    ("biolink:Drug",),
    (Identifier("UNII:DPT0O3T46P"), Identifier("CHEMBL.COMPOUND:CHEMBL3137343")),
)
BRAF = NormalizedNode(
    "NCBIGene:673",
    "BRAF",
    (GENE,),
    (Identifier("NCBIGene:673"), Identifier("UniProtKB:P15056")),
)
KNOWN = {node.curie: node for node in (PEMBROLIZUMAB, BRAF)}


@pytest.fixture(scope="module")
def running() -> Iterator[Federation]:
    with Federation(apis=NAMES) as federation:
        yield federation


@pytest.fixture
def federation(running: Federation) -> Federation:
    """All eight services, well again."""
    running.heal()
    return running


async def equivalents(ids: Sequence[str]) -> Mapping[str, NormalizedNode | None]:
    return {curie: KNOWN.get(curie) for curie in ids}


def executed(
    federation: Federation,
    name: str,
    *known: str,
    subject: str,
    predicates: tuple[str, ...] = (),
    qualifiers: tuple[tuple[str, str], ...] = (),
    object_: str,
    at: str = "a",
) -> Outcome:
    """One edge ``a → b`` with one end known, asked of one service."""
    service = shipped(name)
    endpoint = replace(
        service.endpoint,
        base_url=federation.base_urls[name],
        trusted=True,
        per_minute=None,
        retries=0,
        timeout=5.0,
    )
    ids = {at: known}
    nodes = {
        "a": QueryNode("a", (subject,), ids.get("a", ())),
        "b": QueryNode("b", (object_,), ids.get("b", ())),
    }
    ask = Ask(QueryEdge("e", "a", "b", predicates, qualifiers), nodes, ids, equivalents)

    async def work() -> Outcome:
        async with Net() as net:
            asked = AnnotatedService(replace(service, endpoint=endpoint))
            return await asked.run(ask, net.caller_for())

    return asyncio.run(work())


def said(edges: Sequence[Edge]) -> list[tuple[str, str, str]]:
    return sorted((e.subject.curie, e.predicate, e.object.curie) for e in edges)


def test_what_a_drug_does_to_its_target_with_source_and_aggregator(
    federation: Federation,
) -> None:
    outcome = executed(
        federation,
        "opentargets",
        PEMBROLIZUMAB.curie,
        subject=CHEMICAL,
        predicates=("biolink:affects",),
        object_=GENE,
    )
    (edge,) = outcome.edges
    assert (edge.subject.curie, edge.object.curie, edge.object.name) == (
        "CHEMBL.COMPOUND:CHEMBL3137343",
        "ENSEMBL:ENSG00000188389",
        "PDCD1",
    )
    assert edge.qualifiers == (
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:object_direction_qualifier", "decreased"),
        ("biolink:qualified_predicate", "biolink:causes"),
    )
    assert [(s.resource_id, s.role) for s in edge.sources] == [
        ("infores:chembl", "primary_knowledge_source"),
        ("infores:open-targets", "aggregator_knowledge_source"),
    ]
    assert (outcome.failures, outcome.calls, edge.answered_by) == ([], 1, ("opentargets",))


def test_treating_asks_for_approvals_and_the_broader_word_for_trials_too(
    federation: Federation,
) -> None:
    treated = executed(
        federation,
        "opentargets",
        PEMBROLIZUMAB.curie,
        subject=CHEMICAL,
        predicates=("biolink:treats",),
        object_=DISEASE,
    )
    assert [(e.predicate, e.object.curie) for e in treated.edges] == [
        ("biolink:treats", "MONDO:0005105")
    ]
    both = executed(
        federation,
        "opentargets",
        PEMBROLIZUMAB.curie,
        subject=CHEMICAL,
        predicates=("biolink:treats_or_applied_or_studied_to_treat",),
        object_=DISEASE,
    )
    assert sorted((e.predicate, e.object.curie) for e in both.edges) == [
        ("biolink:in_clinical_trials_for", "MONDO:0005140"),
        ("biolink:treats", "MONDO:0005105"),
    ]
    assert both.calls == 1


def test_the_drugs_of_a_protein_are_found_by_way_of_its_target(federation: Federation) -> None:
    outcome = executed(
        federation,
        "chembl",
        "UniProtKB:Q15116",
        subject=CHEMICAL,
        predicates=("biolink:affects",),
        qualifiers=(("biolink:object_direction_qualifier", "decreased"),),
        object_=PROTEIN,
        at="b",
    )
    found = {e.object.curie for e in outcome.edges} | {e.subject.curie for e in outcome.edges}
    assert found == {
        "UniProtKB:Q15116",
        "CHEMBL.COMPOUND:CHEMBL3137343",
        "CHEMBL.COMPOUND:CHEMBL4297723",
    }
    assert outcome.failures == []


def test_everything_a_drug_does_to_proteins_is_two_calls(federation: Federation) -> None:
    outcome = executed(
        federation,
        "chembl",
        PEMBROLIZUMAB.curie,
        "CHEMBL.COMPOUND:CHEMBL714",
        "CHEMBL.COMPOUND:CHEMBL941",
        "CHEMBL.COMPOUND:CHEMBL1201576",
        subject=CHEMICAL,
        object_=PROTEIN,
    )
    directions = {
        (e.subject.curie, e.object.curie, e.object.name): (
            e.predicate,
            dict(e.qualifiers).get("biolink:object_direction_qualifier"),
        )
        for e in outcome.edges
    }
    pd1, kit = "Programmed cell death protein 1", "Mast/stem cell growth factor receptor Kit"
    assert directions == {
        ("CHEMBL.COMPOUND:CHEMBL3137343", "UniProtKB:Q15116", pd1): (
            "biolink:affects",
            "decreased",
        ),
        ("CHEMBL.COMPOUND:CHEMBL941", "UniProtKB:P10721", kit): ("biolink:affects", "decreased"),
        ("CHEMBL.COMPOUND:CHEMBL714", "UniProtKB:P07550", "Beta-2 adrenergic receptor"): (
            "biolink:affects",
            "increased",
        ),
        ("CHEMBL.COMPOUND:CHEMBL1201576", "UniProtKB:P11836", "B-lymphocyte antigen CD20"): (
            "biolink:interacts_with",
            None,
        ),
    }
    assert (outcome.calls, outcome.failures, len(outcome.edges)) == (2, [], 4)
    assert outcome.dropped == [("an output that its look-up does not know", 1)]
    assert {e.object.taxa for e in outcome.edges} == {("NCBITaxon:9606",)}


def test_a_gene_is_asked_by_the_identifier_that_a_service_takes(federation: Federation) -> None:
    outcome = executed(
        federation,
        "reactome",
        BRAF.curie,
        subject=GENE,
        predicates=("biolink:participates_in",),
        object_=PATHWAY,
    )
    assert said(outcome.edges) == [
        ("UniProtKB:P15056", "biolink:participates_in", "REACT:R-HSA-5673000")
    ]
    assert outcome.edges[0].subject.asked == BRAF.curie


def test_404_is_empty_where_the_document_says_so(federation: Federation) -> None:
    outcome = executed(
        federation,
        "reactome",
        "UniProtKB:Q00000",
        subject=GENE,
        predicates=("biolink:participates_in",),
        object_=PATHWAY,
    )
    assert (outcome.edges, outcome.failures, outcome.calls) == ([], [], 1)


def test_a_negated_annotation_is_a_negated_edge(federation: Federation) -> None:
    outcome = executed(
        federation,
        "quickgo",
        BRAF.curie,
        subject=GENE,
        predicates=("biolink:participates_in",),
        object_=PROCESS,
    )
    assert sorted((e.object.curie, e.negated) for e in outcome.edges) == [
        ("GO:0000165", False),
        ("GO:0006915", True),
    ]
    assert {s.resource_id for e in outcome.edges for s in e.sources} == {
        "infores:goa",
        "infores:ebi-quick-go",
    }


def test_mined_relations_name_their_article(federation: Federation) -> None:
    outcome = executed(
        federation,
        "pubtator3",
        "NCBIGene:672",
        subject=GENE,
        predicates=("biolink:associated_with",),
        object_=DISEASE,
    )
    (edge,) = outcome.edges
    assert (edge.object.curie, edge.publications, edge.agent_type) == (
        "MESH:D061325",
        ("PMID:20516115",),
        "text_mining_agent",
    )


def test_a_term_of_a_set_is_an_edge_of_the_genes_it_holds(federation: Federation) -> None:
    genes = ("ENSEMBL:ENSG00000118729", "ENSEMBL:ENSG00000143318", "ENSEMBL:ENSG00000198947")
    outcome = executed(
        federation,
        "gprofiler",
        *genes,
        subject=GENE,
        predicates=("biolink:participates_in",),
        object_=PROCESS,
    )
    terms = [(e.subject.curie, e.object.curie) for e in outcome.edges]
    assert sorted(terms) == [
        (genes[0], "GO:0010881"),
        (genes[0], "GO:0014809"),
        (genes[0], "REACT:R-HSA-5578775"),
        (genes[0], "WIKIPATHWAYS:WP536"),
        (genes[1], "GO:0014809"),
        (genes[1], "REACT:R-HSA-5578775"),
        (genes[1], "WIKIPATHWAYS:WP536"),
        (genes[2], "GO:0010881"),
        (genes[2], "GO:0014809"),
    ]
    assert outcome.calls == 1
    alone = executed(federation, "gprofiler", genes[0], subject=GENE, object_=PROCESS)
    assert (alone.edges, alone.calls) == ([], 0)


def test_places_of_a_gene_are_identifiers(federation: Federation) -> None:
    outcome = executed(
        federation,
        "hpa",
        "ENSEMBL:ENSG00000163631",
        subject=GENE,
        predicates=("biolink:located_in",),
        object_="biolink:AnatomicalEntity",
    )
    assert said(outcome.edges) == [
        ("ENSEMBL:ENSG00000163631", "biolink:expressed_in", "UBERON:0002107"),
        ("ENSEMBL:ENSG00000163631", "biolink:located_in", "GO:0005783"),
        ("ENSEMBL:ENSG00000163631", "biolink:located_in", "GO:0005794"),
    ]
    assert outcome.calls == 1


@pytest.mark.parametrize("fault", ["html", "429_bare", "500", "truncated_json", "reset"])
@pytest.mark.parametrize("name", ["ctd", "opentargets", "quickgo", "reactome", "chembl"])
def test_a_broken_service_is_a_failure_and_no_empty_answer(
    federation: Federation, name: str, fault: str
) -> None:
    federation.fault(name, fault)
    known, subject, object_ = {
        "ctd": ("NCBIGene:1017", GENE, DISEASE),
        "opentargets": (PEMBROLIZUMAB.curie, CHEMICAL, DISEASE),
        "quickgo": (BRAF.curie, GENE, PROCESS),
        "reactome": (BRAF.curie, GENE, PATHWAY),
        "chembl": (PEMBROLIZUMAB.curie, CHEMICAL, DISEASE),
    }[name]
    outcome = executed(federation, name, known, subject=subject, object_=object_)
    assert outcome.edges == []
    assert outcome.failures != []
