"""Questions with no TRAPI reasoner up: the annotated services answer them together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_questions import (
    BOTH,
    DISEASES,
    DRUGS,
    GENE,
    MINED,
    PARTNERS,
    PATHWAYS,
    PHENOTYPE,
    PROCESS,
    PROCESSES,
    QUESTION_OF,
    RISK,
    SYMPTOMS,
    TARGETS,
    TERMS,
    THERAPIES,
    TISSUES,
    TOKEN_NAME,
    TRIAL,
    Asker,
    contributors,
    edges_between,
)
from click.testing import CliRunner
from federated import flags, report

from fedrag.cli.main import cli
from fedrag.datamodel import Answer, Edge
from fedrag.testing import Federation
from fedrag.testing.apis import APIS
from fedrag.testing.apis.oncokb import TOKEN

QUESTIONS = sorted({*QUESTION_OF.values(), DRUGS, GENE, TRIAL, BOTH})
DECREASED = (
    ("biolink:object_aspect_qualifier", "activity"),
    ("biolink:object_direction_qualifier", "decreased"),
    ("biolink:qualified_predicate", "biolink:causes"),
)


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    """All stand-ins, each question asked of them once."""
    with Federation(apis=tuple(APIS)) as federation:
        yield Asker(federation)


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user has a token of OncoKB."""
    monkeypatch.setenv(TOKEN_NAME, TOKEN)


def chain(edge: Edge) -> list[tuple[str, str, tuple[str, ...]]]:
    """Where an edge came from: source, role and what it had it from."""
    return [
        (source.resource_id, source.role.removesuffix("_knowledge_source"), source.upstream)
        for source in edge.sources
    ]


def one(edges: list[Edge], service: str) -> Edge:
    """The edge among some that a service told."""
    (found,) = (edge for edge in edges if service in edge.answered_by)
    return found


# --- who answers --------------------------------------------------------------------------------


def test_every_annotated_service_has_a_question_here() -> None:
    assert set(QUESTION_OF) == set(APIS)


@pytest.mark.parametrize("service", sorted(APIS))
def test_every_service_contributes_an_edge(asker: Asker, service: str) -> None:
    answer = asker.healthy(QUESTION_OF[service])
    assert service in contributors(answer)
    row = report(answer, service)
    assert row.state == "ok"
    assert row.edges > 0


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_service_fails_and_the_reasoner_is_not_asked(asker: Asker, question: str) -> None:
    answer = asker.healthy(question)
    states = {row.service: row.state for row in answer.services}
    assert states.pop("bte") == "skipped"
    assert set(states.values()) <= {"ok", "empty", "inapplicable"}
    assert answer.completeness == "complete"
    assert asker.federation.calls_of("bte") == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_edge_says_where_it_is_from_and_how_it_is_known(asker: Asker, question: str) -> None:
    edges = asker.healthy(question).edges
    assert edges
    for edge in edges:
        assert [role for _, role, _ in chain(edge)].count("primary") == 1, chain(edge)
        known = {name for name, _, _ in chain(edge)}
        assert all(set(upstream) <= known for _, _, upstream in chain(edge))
        assert edge.subject.name
        assert edge.object.name
        assert edge.retrieved_at


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_only_mined_from_texts_never_stands_before_curated_evidence(
    asker: Asker, question: str
) -> None:
    mined = [candidate.text_mined_only for candidate in asker.healthy(question).candidates]
    assert mined == sorted(mined)


# --- a drug -------------------------------------------------------------------------------------


def test_six_services_name_the_targets_of_a_drug_together(asker: Asker) -> None:
    answer = asker.healthy(TARGETS)
    assert contributors(answer) == {"chembl", "ctd", "dgidb", "mychem", "opentargets", "ttd"}
    # Of the fusion Bcr/Abl, BCR is a part that nobody says imatinib meets.
    assert [c.name for c in answer.candidates] == ["ABL1", "KIT", "EGFR"]
    assert "ABL1: imatinib decreases activity of ABL1" in answer.text
    assert {answer.candidates[0].curie, answer.candidates[1].curie} == {
        "NCBIGene:25",
        "NCBIGene:3815",
    }


def test_one_statement_of_two_services_is_one_edge_with_both(asker: Asker) -> None:
    edges = edges_between(asker.healthy(TARGETS), "imatinib", "affects", "KIT")
    merged = one(edges, "mychem")
    assert set(merged.answered_by) == {"chembl", "mychem"}
    assert sorted(merged.qualifiers) == list(DECREASED)
    assert chain(merged)[0] == ("infores:chembl", "primary", ())
    assert chain(merged)[1] == ("infores:mychem-info", "aggregator", ("infores:chembl",))


def test_aggregators_stand_behind_the_source_they_took_it_from(asker: Asker) -> None:
    edges = edges_between(asker.healthy(TARGETS), "imatinib", "affects", "KIT")
    assert {edge.primary_source for edge in edges} == {"infores:chembl", "infores:dgidb"}
    assert chain(one(edges, "opentargets")) == [
        ("infores:chembl", "primary", ()),
        ("infores:open-targets", "aggregator", ("infores:chembl",)),
    ]
    assert chain(one(edges, "dgidb")) == [
        ("infores:dgidb", "primary", ()),
        ("infores:biothings-dgidb", "aggregator", ("infores:dgidb",)),
    ]


def test_publications_are_kept_edge_by_edge(asker: Asker) -> None:
    answer = asker.healthy(TARGETS)
    abl1 = edges_between(answer, "imatinib", "affects", "ABL1")
    assert one(abl1, "ctd").publications == ("PMID:11423618", "PMID:12637471")
    assert one(abl1, "dgidb").publications == ("PMID:8616716",)
    (binds,) = edges_between(answer, "imatinib", "physically_interacts_with", "KIT")
    assert binds.publications == ("PMID:15123710",)


def test_what_was_seen_in_mice_is_told_as_such(asker: Asker) -> None:
    (edge,) = edges_between(asker.healthy(TARGETS), "imatinib", "interacts_with", "EGFR")
    assert ("biolink:species_context_qualifier", "NCBITaxon:10090") in edge.qualifiers
    assert "imatinib interacts with EGFR in mice" in asker.healthy(TARGETS).text


# --- drugs of a disease -------------------------------------------------------------------------


def test_a_treatment_is_asserted_by_curated_sources(asker: Asker) -> None:
    answer = asker.healthy(DRUGS)
    (drug,) = answer.candidates
    assert (drug.name, drug.status) == ("imatinib", "established")
    assert contributors(answer) == {"chembl", "ctd", "mychem", "opentargets", "ttd"}
    treats = edges_between(answer, "imatinib", "treats", "Chronic myeloid leukemia")
    assert {edge.primary_source for edge in treats} == {
        "infores:chembl",
        "infores:open-targets",
        "infores:ttd",
    }
    assert one(treats, "chembl").publications == (
        "http://www.accessdata.fda.gov/drugsatfda_docs/label/2008/021588s024lbl.pdf",
        "clinicaltrials:NCT00006343",
    )


def test_a_role_in_therapy_is_no_approval(asker: Asker) -> None:
    """CTD's "therapeutic" is kept as what it is."""
    answer = asker.healthy(DRUGS)
    (edge,) = [edge for edge in answer.edges if edge.answered_by == ("ctd",)]
    assert edge.predicate == "biolink:treats_or_applied_or_studied_to_treat"
    assert edge.publications == ("PMID:12637609",)


def test_a_trial_is_not_shown_as_a_treatment(asker: Asker) -> None:
    answer = asker.healthy(TRIAL)
    assert "imatinib is in clinical trials for systemic sclerosis" in answer.text
    assert "treats systemic sclerosis" not in answer.text
    found = {edge.predicate for edge in answer.edges if edge.object.name == "systemic sclerosis"}
    assert found == {"biolink:in_clinical_trials_for"}


def test_a_mechanism_joins_what_different_services_know(asker: Asker) -> None:
    """The drug's targets from some, the gene's part in the disease from another."""
    answer = asker.healthy(GENE)
    assert answer.name == "ABL1"
    assert "imatinib decreases activity of ABL1" in answer.text
    assert "ABL1 is associated with Chronic myeloid leukemia" in answer.text
    assert len(answer.candidates[0].reaches) == 2


def test_a_set_of_targets_is_tested_for_enrichment(asker: Asker) -> None:
    answer = asker.healthy(PROCESS)
    assert answer.name == "peptidyl-tyrosine phosphorylation"
    edge = one(
        edges_between(answer, "peptidyl-tyrosine phosphorylation", "has_participant", "ABL1"),
        "gprofiler",
    )
    assert edge.knowledge_level == "statistical_association"
    assert ("biolink:adjusted_p_value", 0.0009) in [
        (attribute.type_id, attribute.value) for attribute in edge.attributes
    ]


# --- a gene -------------------------------------------------------------------------------------


def test_the_diseases_of_a_gene_keep_what_is_said_of_its_variants_apart(asker: Asker) -> None:
    answer = asker.healthy(DISEASES)
    assert contributors(answer) == {"civic", "diseases"}
    (marker,) = edges_between(answer, "BRAF", "biomarker_for", "thyroid cancer")
    form = ("biolink:subject_form_or_variant_qualifier", "genetic_variant_form")
    assert marker.qualifiers == (form,)
    assert "A genetic variant of BRAF is a biomarker for thyroid cancer" in answer.text
    assert {"melanoma", "thyroid cancer"} <= {c.name for c in answer.candidates}


def test_partners_have_a_direction_and_a_sign(asker: Asker) -> None:
    answer = asker.healthy(PARTNERS)
    assert contributors(answer) == {"string"}
    assert [c.name for c in answer.candidates] == ["MDM2"]
    (up,) = edges_between(answer, "TP53", "regulates", "MDM2")
    (down,) = edges_between(answer, "MDM2", "regulates", "TP53")
    assert ("biolink:object_direction_qualifier", "upregulated") in up.qualifiers
    assert ("biolink:object_direction_qualifier", "downregulated") in down.qualifiers
    assert "TP53 upregulates activity or abundance of MDM2" in answer.text


def test_pathways_and_processes_of_a_gene_are_candidates_whoever_named_them(asker: Asker) -> None:
    answer = asker.healthy(PATHWAYS)
    assert contributors(answer) == {"mygene-cpdb", "quickgo", "reactome"}
    assert {c.name for c in answer.candidates if c.support} == {
        "ErbB signaling pathway",
        "MAPK cascade",
        "MAPK signaling pathway",
        "RAF activation",
        "protein serine/threonine kinase activity",
    }


def test_what_is_denied_is_no_candidate(asker: Asker) -> None:
    answer = asker.healthy(PATHWAYS)
    (denied,) = [edge for edge in answer.edges if edge.negated]
    assert denied.object.name == "apoptotic process"
    assert "BRAF is not actively involved in apoptotic process" in answer.text
    assert "apoptotic process" not in {c.name for c in answer.candidates if c.support}


def test_annotations_by_experiment_stand_before_those_by_inference(asker: Asker) -> None:
    names = [c.name for c in asker.healthy(PROCESSES).candidates]
    assert names[0] == "protein phosphorylation"
    assert names.index("ATP binding") > names.index("G1/S transition of mitotic cell cycle")
    assert names.index("DNA repair") > names.index("G1/S transition of mitotic cell cycle")


def test_where_a_gene_is_expressed_is_told_by_name(asker: Asker) -> None:
    answer = asker.healthy(TISSUES)
    assert answer.curie == "UBERON:0002107"
    assert "ALB is expressed in liver" in answer.text


def test_phenotypes_are_found_from_either_end(asker: Asker) -> None:
    symptoms = asker.healthy(SYMPTOMS)
    assert {c.name for c in symptoms.candidates} == {"Hypotonia", "Lethargy"}
    gene = asker.healthy(PHENOTYPE)
    assert (gene.name, gene.curie) == ("FBN1", "NCBIGene:2200")


def test_two_terms_are_joined_by_the_ontology(asker: Asker) -> None:
    answer = asker.healthy(TERMS)
    assert "Golgi inheritance has the part Golgi reassembly" in answer.text
    assert "go" in contributors(answer)


# --- curated and mined --------------------------------------------------------------------------


def test_a_link_that_is_only_mined_says_so(asker: Asker) -> None:
    answer = asker.healthy(MINED)
    assert contributors(answer) == {"pubtator3"}
    assert "by text mining alone" in answer.text
    assert "is used, studied or reported to treat" in answer.text
    assert "hydrocortisone treats" not in answer.text
    assert {p for edge in answer.edges for p in edge.publications} == {
        "PMID:15661559",
        "PMID:9989716",
    }


def test_a_link_of_both_kinds_names_the_measured_one_beside_the_mined_one(asker: Asker) -> None:
    answer = asker.healthy(BOTH)
    direct = edges_between(
        answer, "BRCA1", "associated_with", "hereditary breast ovarian cancer syndrome"
    )
    assert one(direct, "opentargets").agent_type == "data_analysis_pipeline"
    assert one(direct, "pubtator3").agent_type == "text_mining_agent"
    assert one(direct, "pubtator3").publications == ("PMID:20516115",)
    assert "by text mining alone" not in answer.text


# --- variants -----------------------------------------------------------------------------------


def test_therapies_of_a_variant_come_from_both_services_with_disease_and_level(
    asker: Asker,
) -> None:
    answer = asker.healthy(THERAPIES)
    assert {"civic", "oncokb"} <= contributors(answer)
    assert "BRAF V600E is associated with sensitivity to vemurafenib" in answer.text
    assert "CIViC level A" in answer.text
    best = [c.name for c in answer.candidates if c.support][:3]
    assert "vemurafenib" in best
    assert any("Dabrafenib" in name and "Trametinib" in name for name in best)


def test_resistance_and_what_does_not_hold_are_no_therapies(asker: Asker) -> None:
    answer = asker.healthy(THERAPIES)
    supported = {c.name for c in answer.candidates if c.support}
    assert supported.isdisjoint({"cetuximab", "oxaliplatin", "Panitumumab + Vemurafenib"})
    resistant = edges_between(answer, "BRAF V600E", "associated_with_resistance_to", "cetuximab")
    assert {edge.negated for edge in resistant} == {True, False}


def test_a_risk_of_a_variant_is_a_likelihood_and_no_cause(asker: Asker) -> None:
    answer = asker.healthy(RISK)
    assert contributors(answer) == {"myvariant"}
    assert "rs429358 is associated with an increased likelihood of Alzheimer's disease" in (
        answer.text
    )
    assert "causes" not in answer.text


# --- the answer as a whole ----------------------------------------------------------------------


def test_the_answer_does_not_depend_on_who_answers_first(asker: Asker) -> None:
    healthy = asker.healthy(DRUGS)
    slow = [("chembl", "mychem"), ("opentargets", "ttd"), ("ctd", "ttd", "chembl")]
    try:
        for services in slow:
            asker.federation.delay(0.0)
            asker.federation.delay(0.05, *services)
            assert told(asker.anew(DRUGS)) == told(healthy), services
    finally:
        asker.federation.delay(0.0)


def told(answer: Answer) -> tuple[str, list[str], list[str]]:
    """The text, the candidates and the edges in their order."""
    return answer.text, [c.curie for c in answer.candidates], [e.id for e in answer.edges]


def test_the_whole_answer_is_valid_trapi_with_its_sources(asker: Asker) -> None:
    response = asker.healthy(TARGETS).to_trapi()
    edges = response["message"]["knowledge_graph"]["edges"].values()
    named = {source["resource_id"] for edge in edges for source in edge["sources"]}
    assert {"infores:chembl", "infores:ctd", "infores:dgidb", "infores:ttd"} <= named


def test_the_command_line_prints_it_and_groups_who_was_not_asked(asker: Asker) -> None:
    arguments = ["ask", TARGETS, "--no-cache", *flags(asker.federation), "--exclude", "bte"]
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert result.exception is None
    assert result.stdout.startswith("ABL1 [E1] is the best supported of ")
    assert "PMID:11423618" in result.stdout
    assert "Completeness: complete" in result.stdout
    services = " ".join(result.stdout.partition("\nServices")[2].split())
    assert "opentargets ok " in services
    assert services.count("has no calls between ChemicalEntity and Gene/Protein") == 1
