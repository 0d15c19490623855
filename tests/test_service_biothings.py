"""The BioThings services that ship, over HTTP against a stand-in that answers as they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, Identifier, NormalizedNode, QueryEdge, QueryNode
from fedrag.evidence.attributes import phase
from fedrag.execute import Ask, Outcome
from fedrag.execute.annotated import AnnotatedService
from fedrag.metakg import Operation, Service, load_service, validate_document
from fedrag.net import Net
from fedrag.resources import metakg_dir
from fedrag.testing.federation import Federation
from fedrag.xbte import Record, build_requests, read_answer

NAMES = (
    "mychem",
    "mygene",
    "mygene-cpdb",
    "mydisease",
    "myvariant",
    "dgidb",
    "diseases",
    "go",
    "hpo",
    "ttd",
)
DRUG, GENE, DISEASE = "biolink:SmallMolecule", "biolink:Gene", "biolink:Disease"
VARIANT, PHENOTYPE = "biolink:SequenceVariant", "biolink:PhenotypicFeature"
PROCESS, PATHWAY = "biolink:BiologicalProcess", "biolink:Pathway"
LOWERS = (
    ("biolink:object_aspect_qualifier", "activity"),
    ("biolink:object_direction_qualifier", "decreased"),
    ("biolink:qualified_predicate", "biolink:causes"),
)
RAISES = (
    ("biolink:object_aspect_qualifier", "activity"),
    ("biolink:object_direction_qualifier", "increased"),
    ("biolink:qualified_predicate", "biolink:causes"),
)
# What the Node Normalizer calls these.
SAME: Mapping[str, tuple[str, ...]] = {
    "CHEBI:45783": ("PUBCHEM.COMPOUND:5291", "CHEMBL.COMPOUND:CHEMBL941", "UNII:BKJ8M8G5HI"),
    "CHEBI:8863": ("CHEMBL.COMPOUND:CHEMBL744", "UNII:7LJ087RS6F"),
    "NCBIGene:6331": ("UniProtKB:Q14524",),
    "MONDO:0011996": ("DOID:8552", "MESH:D015464"),
    "MONDO:0009529": ("OMIM:246900", "orphanet:2394"),
    "MONDO:0005124": ("DOID:4325",),
}


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=NAMES) as running:
        yield running


def document(name: str) -> Path:
    return metakg_dir() / f"{name}.yaml"


def shipped(name: str, federation: Federation) -> Service:
    """The service as it ships, but at its stand-in."""
    service = load_service(document(name))
    base = federation.base_urls[name]
    return replace(
        service,
        endpoint=replace(service.endpoint, base_url=base, trusted=True, per_minute=None, retries=0),
    )


async def equivalents(ids: Sequence[str]) -> Mapping[str, NormalizedNode | None]:
    return {
        curie: NormalizedNode(
            curie, None, (), tuple(Identifier(one, None) for one in (curie, *SAME[curie]))
        )
        for curie in ids
        if curie in SAME
    }


def run(
    federation: Federation,
    name: str,
    subject: tuple[str, tuple[str, ...]],
    predicate: str,
    object_: tuple[str, tuple[str, ...]],
    **more: Any,
) -> Outcome:
    """Ask a service one query edge through the executor."""
    nodes = {"a": QueryNode("a", (subject[0],), subject[1])}
    nodes["b"] = QueryNode("b", (object_[0],), object_[1])
    ids = {key: node.ids for key, node in nodes.items() if node.ids}
    edge = QueryEdge("e", "a", "b", (f"biolink:{predicate}",) if predicate else (), ())
    ask = Ask(edge, nodes, ids, equivalents, **more)

    async def work() -> Outcome:
        async with Net() as net:
            return await AnnotatedService(shipped(name, federation)).run(ask, net.caller_for())

    return asyncio.run(work())


def ask(federation: Federation, operation: Operation, curies: Sequence[str]) -> tuple[Record, ...]:
    """One operation by hand: requests, HTTP, records."""
    records: list[Record] = []
    base = federation.base_urls[operation.service]
    with httpx2.Client() as client:
        for request in build_requests(operation, curies):
            reply = client.request(
                request.method,
                base + request.path,
                params=list(request.query),
                data=dict(request.form or ()),
            )
            reply.raise_for_status()
            reading = read_answer(operation, reply.json(), request.inputs)
            records += reading.records
    return tuple(records)


def operation(name: str, named: str, prefix: str = "") -> Operation:
    found = [
        o
        for o in load_service(document(name)).operations
        if o.id.split()[2] == named and prefix in ("", o.input_prefix)
    ]
    assert found, named
    return found[0]


def examples() -> Iterator[tuple[str, str, str, str]]:
    for name in NAMES:
        listed = yaml.safe_load(document(name).read_text(encoding="utf-8"))["components"][
            "x-bte-kgs-operations"
        ]
        for named, annotation in listed.items():
            for example in annotation["testExamples"]:
                yield name, named, example["qInput"], example["oneOutput"]


def pairs(edges: Sequence[Edge]) -> set[tuple[str, str]]:
    return {(edge.subject.found, edge.object.found) for edge in edges}


def told(record: Record) -> dict[str, Any]:
    return {attribute.type_id: attribute.value for attribute in record.attributes}


# --- the documents ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_document_has_no_problem(name: str) -> None:
    assert validate_document(document(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_says_where_its_knowledge_comes_from(name: str) -> None:
    service = load_service(document(name))
    assert service.operations
    for one in service.operations:
        assert (one.source or "").startswith("infores:")
        assert one.source != service.infores
        mined = one.agent_type == "text_mining_agent"
        assert not (mined and one.knowledge_level == "knowledge_assertion")


@pytest.mark.parametrize("name", NAMES)
def test_qualifiers_and_prefixes_are_those_of_biolink(name: str) -> None:
    model = biolink()
    for one in load_service(document(name)).operations:
        for prefix in (one.input_prefix, one.output_prefix):
            assert model.canonical_prefix(prefix) == prefix
        forwards = one.qualifiers if model.is_canonical(one.predicate) else ()
        assert not any(kind.startswith("biolink:subject") for kind, _ in forwards)


@pytest.mark.parametrize("name", NAMES)
def test_what_can_be_asked_forwards_can_be_asked_backwards(name: str) -> None:
    model = biolink()
    asked = {
        (o.subject_category, o.predicate, o.object_category, tuple(sorted(o.qualifiers)))
        for o in load_service(document(name)).operations
    }
    one_way = {
        (subject.removeprefix("biolink:"), predicate.removeprefix("biolink:"))
        for subject, predicate, object_, qualifiers in asked
        if (object_, model.inverse(predicate), subject, model.invert_qualifiers(qualifiers))
        not in asked
    }
    # Relations of diseases to diseases; risk and protection, of which ClinVar's classes are asked
    # from the variant alone.
    told_once = {
        "mydisease": {("Disease", "contributes_to")},
        "myvariant": {
            ("SequenceVariant", "associated_with_increased_likelihood_of"),
            ("SequenceVariant", "associated_with_decreased_likelihood_of"),
        },
    }
    assert one_way == told_once.get(name, set())


def test_what_a_licence_keeps_for_academics_is_a_document_apart() -> None:
    assert [n for n in NAMES if not load_service(document(n)).commercial] == ["mygene-cpdb"]


@pytest.mark.parametrize(("name", "named", "given", "found"), list(examples()))
def test_an_example_of_a_document_holds(
    federation: Federation, name: str, named: str, given: str, found: str
) -> None:
    one = operation(name, named, given.partition(":")[0])
    nobody = f"{one.input_prefix}:0000000"
    records = ask(federation, one, [nobody, given])
    assert found in {record.output for record in records}
    assert {record.input for record in records} == {given}


# --- few calls ----------------------------------------------------------------------------------


def test_a_drug_is_asked_about_once_for_everything_mychem_says_of_its_targets(
    federation: Federation,
) -> None:
    outcome = run(federation, "mychem", (DRUG, ("CHEBI:45783",)), "", (GENE, ()))
    assert (outcome.calls, outcome.failures) == (1, [])
    assert pairs(outcome.edges) == {("CHEMBL.COMPOUND:CHEMBL941", "UniProtKB:P10721")}


def test_a_target_is_asked_about_once_for_both_sources(federation: Federation) -> None:
    outcome = run(federation, "mychem", (DRUG, ()), "affects", (GENE, ("NCBIGene:6331",)))
    assert outcome.calls == 1
    [edge] = outcome.edges
    assert (edge.subject.found, edge.predicate) == ("UniProtKB:Q14524", "biolink:affected_by")
    assert edge.object.found == "UNII:7LJ087RS6F"
    assert edge.sources[0].resource_id == "infores:drugcentral"


# --- MyChem -------------------------------------------------------------------------------------


def test_the_kind_of_action_decides_the_direction(federation: Federation) -> None:
    outcome = run(federation, "mychem", (DRUG, ("CHEBI:8863",)), "affects", (GENE, ()))
    directions = {edge.object.found: edge.qualifiers for edge in outcome.edges}
    assert directions == {
        "UniProtKB:O15554": RAISES,
        "UniProtKB:Q9UGI6": RAISES,
        "UniProtKB:Q92952": RAISES,
        "UniProtKB:Q14524": LOWERS,
    }


def test_targets_of_other_organisms_and_of_no_stated_action_are_no_effects(
    federation: Federation,
) -> None:
    riluzole = ["CHEMBL.COMPOUND:CHEMBL744"]
    bound = ask(federation, operation("mychem", "drugcentral-binds-target"), riluzole)
    assert [record.output for record in bound] == ["UniProtKB:P23975", "UniProtKB:Q8TCU5"]
    raised = ask(federation, operation("mychem", "drugcentral-raises-target"), riluzole)
    assert "UniProtKB:P70604" not in {record.output for record in raised}  # of the rat
    assert told(raised[0])["action_type"] == "ACTIVATOR"


def test_another_mechanism_of_a_drug_does_not_speak_for_the_target_asked(
    federation: Federation,
) -> None:
    """Sacituzumab govitecan binds TACSTD2 and inhibits topoisomerase I."""
    lowered = operation("mychem", "target-lowered-by")
    bound = operation("mychem", "target-bound-by")
    targets = ["UniProtKB:P09758", "UniProtKB:P11387"]
    antibody = "CHEMBL.COMPOUND:CHEMBL3545262"
    # Asked together, each of the two hits tells both mechanisms.
    found = {(r.input, r.output, r.output_name) for r in ask(federation, lowered, targets)}
    assert found == {("UniProtKB:P11387", antibody, "SACITUZUMAB GOVITECAN")}
    assert {(r.input, r.output) for r in ask(federation, bound, targets)} == {
        ("UniProtKB:P09758", antibody)
    }


def test_a_mechanism_keeps_its_references_and_names(federation: Federation) -> None:
    [record] = ask(
        federation, operation("mychem", "drug-lowers-target"), ["CHEMBL.COMPOUND:CHEMBL48361"]
    )
    assert (record.input_name, record.output_name) == ("DABIGATRAN", "Prothrombin")
    assert record.publications == ("PMID:20352166",)


def test_what_meets_a_fusion_protein_meets_none_of_its_parts(federation: Federation) -> None:
    """Imatinib inhibits Bcr/Abl and KIT; nobody says that it inhibits BCR."""
    imatinib = "CHEMBL.COMPOUND:CHEMBL941"
    lowered = ask(federation, operation("mychem", "drug-lowers-target"), [imatinib])
    assert [(r.output, r.output_name) for r in lowered] == [
        ("UniProtKB:P10721", "Stem cell growth factor receptor")
    ]
    parts = ["UniProtKB:P11274", "UniProtKB:P00519"]
    assert ask(federation, operation("mychem", "target-lowered-by"), parts) == ()


@pytest.mark.parametrize("kind", ["PROTEIN FAMILY", "PROTEIN COMPLEX", "CHIMERIC PROTEIN", None])
def test_a_target_that_is_not_told_to_be_one_protein_is_left_out(kind: str | None) -> None:
    target = {"action_type": "INHIBITOR", "target_components": {"uniprot": ["P1", "P2"]}}
    known = target if kind is None else {**target, "target_type": kind}
    molecule = {"molecule_chembl_id": "CHEMBL1", "drug_mechanisms": [known]}
    hit = {"_id": "x", "chembl": molecule}
    for named in ("drug-lowers-target", "drug-binds-target"):
        payload = [{"query": "CHEMBL1", **hit}]
        asked = ["CHEMBL.COMPOUND:CHEMBL1"]
        assert read_answer(operation("mychem", named), payload, asked).records == ()
    payload = [{"query": "P1", **hit}]
    made = operation("mychem", "target-lowered-by")
    assert read_answer(made, payload, ["UniProtKB:P1"]).records == ()


def test_phase_four_without_a_label_is_a_trial() -> None:
    """As ChEMBL's own document has it: a trial after approval for something else is in phase 4."""
    trial = {"type": "ClinicalTrials", "id": "NCT1", "ClinicalTrials": "NCT1"}
    label = {"type": "DailyMed", "id": "x", "DailyMed": "x"}
    rows = [
        {"mesh_id": "D1", "max_phase_for_ind": "4.0", "indication_refs": trial},
        {"mesh_id": "D2", "max_phase_for_ind": 4.0, "indication_refs": [trial, label]},
        {"mesh_id": "D3", "max_phase_for_ind": "0.5", "indication_refs": [trial]},
        {"mesh_id": "D4", "max_phase_for_ind": "-1.0", "indication_refs": [trial]},
    ]
    molecule = {"molecule_chembl_id": "CHEMBL1", "drug_indications": rows}

    def read(named: str, *asked: str) -> list[tuple[str, str]]:
        payload = [{"query": asked[0].partition(":")[2], "_id": "x", "chembl": molecule}]
        reading = read_answer(operation("mychem", named), payload, asked)
        return [(r.input, r.output) for r in reading.records]

    drug, diseases = "CHEMBL.COMPOUND:CHEMBL1", [f"MESH:D{n}" for n in (1, 2, 3, 4)]
    assert read("drug-treats", drug) == [(drug, "MESH:D2")]
    assert read("drug-in-trials", drug) == [(drug, "MESH:D1"), (drug, "MESH:D3")]
    assert read("disease-treated-by", *diseases) == [("MESH:D2", drug)]
    assert read("disease-tried-with", *diseases) == [("MESH:D1", drug), ("MESH:D3", drug)]


def test_an_adverse_event_has_its_name(federation: Federation) -> None:
    antibody = ["CHEMBL.COMPOUND:CHEMBL3545262"]
    [event] = ask(federation, operation("mychem", "drug-adverse-event"), antibody)
    assert (event.output, event.output_name) == ("MEDDRA:10029354", "Neutropenia")
    [drug] = ask(federation, operation("mychem", "adverse-event-of"), ["MEDDRA:10029354"])
    assert (drug.output, drug.output_name) == ("UNII:M9BYU8XDQ6", "SACITUZUMAB GOVITECAN")


def test_only_a_marketed_indication_is_a_treatment(federation: Federation) -> None:
    outcome = run(federation, "mychem", (DRUG, ("CHEBI:45783",)), "", (DISEASE, ()))
    said = {edge.object.found: (edge.predicate, phase(edge)) for edge in outcome.edges}
    assert said == {
        "MESH:D015464": ("biolink:treats", 4.0),
        "MESH:D012595": ("biolink:in_clinical_trials_for", 2.0),
    }
    trial = next(edge for edge in outcome.edges if edge.object.found == "MESH:D012595")
    assert trial.publications == ("clinicaltrials:NCT00555581",)


def test_an_indication_can_be_asked_from_the_disease(federation: Federation) -> None:
    outcome = run(federation, "mychem", (DRUG, ()), "treats", (DISEASE, ("MONDO:0011996",)))
    [edge] = outcome.edges
    assert (edge.subject.found, edge.predicate) == ("MESH:D015464", "biolink:treated_by")
    assert (edge.object.found, edge.object.name) == ("CHEMBL.COMPOUND:CHEMBL941", "IMATINIB")
    assert phase(edge) == 4.0


def test_uses_are_told_apart(federation: Federation) -> None:
    def found(named: str, *curies: str) -> list[tuple[str, str]]:
        return [(r.input, r.output) for r in ask(federation, operation("mychem", named), curies)]

    imipramine, sotalol = "CHEMBL.COMPOUND:CHEMBL11", "CHEMBL.COMPOUND:CHEMBL471"
    assert found("drugcentral-treats", imipramine, sotalol) == [
        (imipramine, "UMLS:C0011581"),
        (sotalol, "UMLS:C0042514"),
    ]
    assert found("drugcentral-off-label", imipramine) == [(imipramine, "UMLS:C0027796")]
    assert found("drugcentral-contraindicated", imipramine, sotalol) == [
        (sotalol, "UMLS:C0020621"),
        (sotalol, "UMLS:C0004096"),
    ]
    asthma = "UMLS:C0004096"
    assert found("drugcentral-contraindication", asthma) == [(asthma, "UNII:A6D97U294I")]
    assert found("drugcentral-treated-by", asthma) == []


# --- MyGene, MyDisease, MyVariant ---------------------------------------------------------------


def test_computed_annotations_are_told_apart_from_curated_ones(federation: Federation) -> None:
    gene = (GENE, ("NCBIGene:1017",))
    outcome = run(federation, "mygene", gene, "actively_involved_in", (PROCESS, ()))
    assert outcome.calls == 1
    told_by = {edge.object.found: edge.agent_type for edge in outcome.edges}
    assert told_by == {
        "GO:0000082": "manual_agent",
        "GO:0006468": "manual_agent",
        "GO:0006281": "automated_agent",
    }


def test_annotations_of_one_term_keep_their_own_evidence(federation: Federation) -> None:
    records = ask(federation, operation("mygene", "gene-process"), ["NCBIGene:1017"])
    assert [(r.output, told(r)["go_evidence"], r.publications) for r in records] == [
        ("GO:0000082", "IBA", ("PMID:21873635",)),
        ("GO:0006468", "IBA", ("PMID:21873635",)),
        ("GO:0006468", "IDA", ("PMID:12944431", "PMID:28666995")),
    ]


def test_a_process_gives_the_genes_of_the_organism_asked_about(federation: Federation) -> None:
    for taxon, gene in (("NCBITaxon:9606", "NCBIGene:1017"), ("NCBITaxon:10090", "NCBIGene:12566")):
        outcome = run(federation, "mygene", (PROCESS, ("GO:0000082",)), "", (GENE, ()), taxon=taxon)
        assert pairs(outcome.edges) == {("GO:0000082", gene)}


def test_a_term_asked_in_a_batch_has_the_evidence_of_its_own_annotation(
    federation: Federation,
) -> None:
    terms = ["GO:0000082", "GO:0006281", "GO:0006468"]
    curated = ask(federation, operation("mygene", "process-gene"), terms)
    assert {(r.input, r.output, told(r)["go_evidence"]) for r in curated} == {
        ("GO:0000082", "NCBIGene:1017", "IBA"),
        ("GO:0006468", "NCBIGene:1017", "IBA"),
        ("GO:0006468", "NCBIGene:1017", "IDA"),
    }


def test_a_negative_annotation_is_negative_in_both_directions() -> None:
    """The shape of MyGene.info's records; ``NOT`` stands before the relation."""
    annotated = {
        "id": "GO:0070328",
        "evidence": "IMP",
        "qualifier": "NOT involved_in",
        "term": "triglyceride homeostasis",
    }
    hit = {"_id": "1", "entrezgene": "1", "symbol": "X", "go": {"BP": annotated}}
    forwards = read_answer(
        operation("mygene", "gene-process"), [{"query": "1", **hit}], ["NCBIGene:1"]
    )
    backwards = read_answer(
        operation("mygene", "process-gene"), [{"query": "GO:0070328", **hit}], ["GO:0070328"]
    )
    assert [(r.output, r.negated) for r in forwards.records] == [("GO:0070328", True)]
    assert [(r.output, r.negated) for r in backwards.records] == [("NCBIGene:1", True)]


def test_a_refuted_gene_is_negative_and_a_disputed_one_is_left_out() -> None:
    rows = [
        {"mondo": "MONDO:0000001", "classification": "definitive"},
        {"mondo": "MONDO:0000002", "classification": "refuted"},
        {"mondo": "MONDO:0000003", "classification": "disputed"},
        {"mondo": "MONDO:0000004", "classification": "no known disease relationship"},
    ]
    hit = {"query": "1", "_id": "1", "clingen": {"clinical_validity": rows}}
    reading = read_answer(operation("mygene", "gene-disease"), [hit], ["NCBIGene:1"])
    assert [(r.output, r.negated) for r in reading.records] == [
        ("MONDO:0000001", False),
        ("MONDO:0000002", True),
    ]


def test_pathways_of_three_databases_come_in_one_call(federation: Federation) -> None:
    outcome = run(federation, "mygene-cpdb", (GENE, ("NCBIGene:8309",)), "", (PATHWAY, ()))
    assert outcome.calls == 1
    assert pairs(outcome.edges) == {
        ("NCBIGene:8309", "KEGG.PATHWAY:hsa00120"),
        ("NCBIGene:8309", "WIKIPATHWAYS:WP3942"),
    }


def test_a_disease_has_phenotypes_with_their_frequency(federation: Federation) -> None:
    [record] = ask(federation, operation("mydisease", "orphanet-phenotype"), ["orphanet:881"])
    assert record.output == "HP:0000137"
    assert told(record)["biolink:frequency_qualifier"] == "HP:0040281"


def test_other_names_of_a_disease_are_asked_only_where_mondo_has_none(
    federation: Federation,
) -> None:
    outcome = run(federation, "mydisease", (DISEASE, ("MONDO:0009529",)), "", (PHENOTYPE, ()))
    assert outcome.calls == 1
    assert {edge.object.found for edge in outcome.edges} == {"HP:0001254", "HP:0001252"}


def test_the_place_of_a_disease_is_read_in_both_directions(federation: Federation) -> None:
    outcome = run(
        federation, "mydisease", (DISEASE, ("MONDO:0002494",)), "superclass_of", (DISEASE, ())
    )
    assert outcome.calls == 1
    assert {edge.object.found for edge in outcome.edges} == {
        "MONDO:0002491",
        "MONDO:0004938",
        "MONDO:0005567",
        "MONDO:0021698",
    }


def test_a_variant_causes_what_clinvar_calls_pathogenic(federation: Federation) -> None:
    outcome = run(federation, "myvariant", (VARIANT, ("CAID:CA000129",)), "causes", (DISEASE, ()))
    assert pairs(outcome.edges) == {
        ("CAID:CA000129", "MONDO:0015356"),
        ("CAID:CA000129", "MONDO:0017623"),
    }
    assert not any(edge.negated for edge in outcome.edges)


def test_a_benign_variant_is_no_cause_and_is_told_so(federation: Federation) -> None:
    [record] = ask(
        federation, operation("myvariant", "variant-causes", "DBSNP"), ["DBSNP:rs799917"]
    )
    assert (record.output, record.negated) == ("MONDO:0011450", True)
    assert told(record)["review_status"] == "reviewed by expert panel"
    backwards = ask(federation, operation("myvariant", "disease-variant"), ["MONDO:0011450"])
    assert backwards == ()  # its pathogenic variants alone are asked for


# --- the APIs at biothings.ncats.io -------------------------------------------------------------


def test_the_claim_of_each_source_keeps_its_kind(federation: Federation) -> None:
    vemurafenib = ["CHEMBL.COMPOUND:CHEMBL1229517"]
    [inhibits] = ask(federation, operation("dgidb", "drug-lowers-gene"), vemurafenib)
    assert (inhibits.output, inhibits.output_name) == ("NCBIGene:673", "BRAF")
    assert inhibits.publications == ("PMID:20823850", "PMID:21639808")
    [binds] = ask(federation, operation("dgidb", "drug-binds-gene"), vemurafenib)
    assert told(binds)["interaction_claim_source"] == "CIViC"


def test_the_channels_of_a_gene_of_a_disease_are_kept_apart(federation: Federation) -> None:
    outcome = run(federation, "diseases", (DISEASE, ("MONDO:0005124",)), "", (GENE, ()))
    assert outcome.calls == 1
    # Two stars or less by text mining are left out.
    assert {(e.object.found, e.agent_type) for e in outcome.edges} == {
        ("ENSEMBL:ENSP00000216044", "text_mining_agent"),
        ("ENSEMBL:ENSP00000269228", "text_mining_agent"),
    }


def test_the_diseases_of_a_gene_say_no_more_than_text_mining_does(federation: Federation) -> None:
    """The channel would come with the whole gene lists of the diseases alone."""
    made = operation("diseases", "gene-disease")
    [record] = ask(federation, made, ["ENSEMBL:ENSP00000291582"])
    assert (record.output, record.attributes) == ("DOID:0050167", ())
    assert (made.knowledge_level, made.agent_type) == ("not_provided", "text_mining_agent")
    assert "associatedWith" not in made.call.parameters["fields"]


def test_regulation_of_processes_has_a_direction(federation: Federation) -> None:
    outcome = run(federation, "go", (PROCESS, ()), "regulates", (PROCESS, ("GO:0016126",)))
    [edge] = outcome.edges
    assert (edge.subject.found, edge.predicate) == ("GO:0016126", "biolink:regulated_by")
    assert edge.object.name == "negative regulation of sterol biosynthetic process"
    assert ("biolink:subject_direction_qualifier", "downregulated") in edge.qualifiers


def test_a_phenotypes_diseases_have_the_prefix_the_data_say(federation: Federation) -> None:
    outcome = run(federation, "hpo", (PHENOTYPE, ("HP:0001166",)), "", (DISEASE, ()))
    assert outcome.calls == 1
    assert pairs(outcome.edges) == {
        ("HP:0001166", "OMIM:154700"),
        ("HP:0001166", "orphanet:558"),
    }


def test_a_trial_an_approval_and_a_withdrawal_are_three_things(federation: Federation) -> None:
    said = {}
    for cid in ("126565", "133046", "33625", "15389743"):
        outcome = run(federation, "ttd", (DRUG, (f"PUBCHEM.COMPOUND:{cid}",)), "", (DISEASE, ()))
        assert outcome.calls == 1
        said[cid] = {edge.predicate.removeprefix("biolink:") for edge in outcome.edges}
    assert said == {
        "126565": {"treats"},
        "133046": {"in_clinical_trials_for"},
        "33625": {"studied_to_treat"},
        "15389743": {"in_preclinical_trials_for"},
    }


def test_a_trial_of_phase_four_is_a_trial() -> None:
    def hit(number: int, status: Any) -> dict[str, Any]:
        ends = {"object": {"mondo": f"000000{number}"}, "subject": {"pubchem_compound": "1"}}
        told = {"predicate": "biolink:treats", "clinical_trial": status}
        return {"query": "1", "_id": str(number), "association": told, **ends}

    payload = [
        hit(1, {"status": "phase 4"}),
        hit(2, {"status": "approved"}),
        hit(3, [{"status": "phase 4"}, {"status": "approved (orphan drug)"}]),
    ]
    read = {
        named: [
            r.output
            for r in read_answer(operation("ttd", named), payload, ["PUBCHEM.COMPOUND:1"]).records
        ]
        for named in ("drug-treats", "drug-in-trials")
    }
    assert read == {
        "drug-treats": ["MONDO:0000002", "MONDO:0000003"],
        "drug-in-trials": ["MONDO:0000001"],
    }


def test_a_drug_of_a_disease_has_its_name(federation: Federation) -> None:
    [drug] = ask(federation, operation("ttd", "disease-treated-by"), ["MONDO:0005083"])
    assert (drug.output, drug.output_name) == ("PUBCHEM.COMPOUND:4114", "Methoxsalen")


# --- shapes and failures ------------------------------------------------------------------------


def test_identifiers_nobody_knows_are_no_failure(federation: Federation) -> None:
    outcome = run(federation, "dgidb", (DRUG, ("CHEMBL.COMPOUND:CHEMBL0",)), "", (GENE, ()))
    assert (outcome.edges, outcome.failures, outcome.calls) == ([], [], 1)


def test_the_stand_in_answers_in_the_recorded_envelopes(federation: Federation) -> None:
    base = federation.base_urls["mychem"] + "/query"
    form = {
        "q": "CHEMBL941,X0",
        "scopes": "chembl.molecule_chembl_id",
        "fields": "chembl.pref_name",
    }
    with httpx2.Client() as client:
        bare = client.post(base, data=form).json()
        total = client.post(base, data={**form, "with_total": "true"}).json()
        search = client.get(
            base, params={"q": 'chembl.pref_name:"IMATINIB"', "fields": "_id"}
        ).json()
        listed = client.post(
            base,
            json={"q": [["IMATINIB", "CHEMBL941"]], "scopes": ["chembl.pref_name", "all"]},
        ).json()
        metadata = client.get(federation.base_urls["go"] + "/metadata").json()
    assert [row["query"] for row in bare] == ["CHEMBL941", "X0"]
    assert bare[0]["chembl"] == {"_license": "http://bit.ly/2KAUCAm", "pref_name": "IMATINIB"}
    assert bare[1] == {"query": "X0", "notfound": True}
    assert total == {"max_total": 1, "hits": bare}
    assert set(search) == {"took", "total", "max_score", "hits"}
    assert (search["total"], search["hits"][0]["_id"]) == (1, "KTUFNOKKBVMGRW-UHFFFAOYSA-N")
    assert listed == [{"query": ["IMATINIB", "CHEMBL941"], "notfound": True}]
    assert metadata["stats"] == {"total": 10}


@pytest.mark.parametrize(
    ("form", "told_of"),
    [
        ({"scopes": "_id"}, {"missing": "q"}),
        ({"q": "1", "size": "5000"}, {"keyword": "size", "max": 1000, "num": 5000}),
        (
            {"q": "1", "size": "1000", "from": "9500"},
            {"keyword": "from", "max": 10000, "num": 10500},
        ),
    ],
)
def test_a_bad_request_is_refused_as_biothings_does(
    federation: Federation, form: dict[str, str], told_of: dict[str, Any]
) -> None:
    with httpx2.Client() as client:
        reply = client.post(federation.base_urls["mygene"] + "/query", data=form)
    assert reply.status_code == 400
    assert reply.json() == {"code": 400, "success": False, "error": "Bad Request", **told_of}


@pytest.mark.parametrize("kind", ["400", "500", "html"])
def test_a_service_that_fails_is_a_failure_not_an_empty_answer(
    federation: Federation, kind: str
) -> None:
    federation.fault("mychem", kind)
    try:
        outcome = run(federation, "mychem", (DRUG, ("CHEBI:45783",)), "affects", (GENE, ()))
    finally:
        federation.heal("mychem")
    assert outcome.edges == []
    assert [error.service for error in outcome.failures] == ["mychem"]


def test_a_scalar_reads_like_a_list_of_one() -> None:
    mechanism = {
        "action_type": "AGONIST",
        "target_type": "SINGLE PROTEIN",
        "target_components": {"uniprot": "P07550"},
    }
    molecule = {"molecule_chembl_id": "CHEMBL714", "pref_name": "ALBUTEROL"}
    found = []
    for told_as in (
        mechanism,
        [mechanism],
        [{**mechanism, "target_components": [{"uniprot": ["P07550"]}]}],
    ):
        hit = {"query": "P07550", "_id": "x", "chembl": {**molecule, "drug_mechanisms": told_as}}
        reading = read_answer(operation("mychem", "target-raised-by"), [hit], ["UniProtKB:P07550"])
        found += [(r.input, r.output, r.output_name) for r in reading.records]
    assert found == [("UniProtKB:P07550", "CHEMBL.COMPOUND:CHEMBL714", "ALBUTEROL")] * 3


def test_the_recorded_answer_of_drugcentral_is_read(corpora: Path) -> None:
    """A real answer of MyChem.info about riluzole; organisms other than the human are left out."""
    recorded = corpora / "recorded" / "biothings" / "bte_mychem_query.json"
    payload = httpx2.Response(200, content=recorded.read_bytes()).json()
    asked = ["CHEMBL.COMPOUND:CHEMBL744"]
    found = {
        named: [
            record.output.removeprefix("UniProtKB:")
            for record in read_answer(operation("mychem", named), payload, asked).records
        ]
        for named in (
            "drugcentral-raises-target",
            "drugcentral-lowers-target",
            "drugcentral-binds-target",
        )
    }
    assert found == {
        "drugcentral-raises-target": ["O15554", "Q9UGI6", "Q92952"],
        "drugcentral-lowers-target": ["Q14524"],
        "drugcentral-binds-target": ["P23975", "Q8TCU5"],
    }


def test_the_recorded_answer_of_diseases_is_text_mined(corpora: Path) -> None:
    recorded = corpora / "xbte" / "responses" / "biothings_disease_query.json"
    payload = httpx2.Response(200, content=recorded.read_bytes()).json()
    rows = payload["hits"][0]["DISEASES"]["associatedWith"]
    mined = read_answer(operation("diseases", "disease-gene-mined"), payload, ["DOID:4325"])
    assert [r.output for r in mined.records] == [
        f"ENSEMBL:{row['ensembl']}" for row in rows if row["confidence"] > 2
    ]
    curated = read_answer(operation("diseases", "disease-gene"), payload, ["DOID:4325"])
    assert curated.records == ()


def test_the_recorded_annotations_of_a_gene_are_read(corpora: Path) -> None:
    recorded = corpora / "recorded" / "biothings" / "callapis_mygene_query_result.json"
    payload = httpx2.Response(200, content=recorded.read_bytes()).json()
    rows = payload[0]["go"]["BP"]
    for named, computed in (("gene-process", False), ("gene-process-computed", True)):
        reading = read_answer(operation("mygene", named), payload, ["NCBIGene:1017"])
        assert [r.output for r in reading.records] == [
            row["id"] for row in rows if (row["evidence"] == "IEA") is computed
        ]


def test_the_recorded_pathways_of_a_gene_are_read(corpora: Path) -> None:
    recorded = corpora / "recorded" / "biothings" / "biomcp_mygene__get_braf_20260811.json"
    [hit] = httpx2.Response(200, content=recorded.read_bytes()).json()["hits"]
    payload = [{"query": "673", **hit}]
    reading = read_answer(operation("mygene-cpdb", "gene-kegg"), payload, ["NCBIGene:673"])
    assert [(r.output, r.output_name) for r in reading.records] == [
        (f"KEGG.PATHWAY:{row['id']}", row["name"]) for row in hit["pathway"]["kegg"]
    ]
    assert reading.records[0].output == "KEGG.PATHWAY:hsa04010"


def test_the_recorded_variant_of_pten_is_read(corpora: Path) -> None:
    recorded = (
        corpora / "recorded" / "biothings" / "biomcp_myvariant__get_pten_grch38_20260806.json"
    )
    record = httpx2.Response(200, content=recorded.read_bytes()).json()
    payload, asked = [{"query": "CA000129", **record}], ["CAID:CA000129"]
    for named in ("variant-gene", "variant-clinvar-gene"):
        [gene] = read_answer(operation("myvariant", named, "CAID"), payload, asked).records
        assert (gene.output, gene.output_name) == ("NCBIGene:5728", "PTEN")
    causes = read_answer(operation("myvariant", "variant-causes", "CAID"), payload, asked).records
    assert {(r.output, r.negated) for r in causes} == {
        ("MONDO:0008021", False),
        ("MONDO:0015356", False),
        ("MONDO:0017623", False),
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_counts_as_seen_was_read_in_a_recorded_answer(name: str) -> None:
    """By the tests above; what nobody has seen is said to be unverified."""
    seen = {
        "mychem": {"lowers", "raises", "silences", "binds"},
        "mygene": {"gene-process", "gene-process-computed"},
        "mygene-cpdb": {"gene-kegg"},
        "myvariant": {"variant-gene", "variant-clinvar-gene", "variant-causes"},
        "diseases": {"disease-gene-mined"},
    }
    seen["mychem"] = {f"drugcentral-{what}-target" for what in seen["mychem"]}
    service = load_service(document(name))
    claimed = {o.id.split()[2] for o in service.operations if o.manner.verified is not False}
    assert service.verified is (name in seen)
    assert not service.verified or claimed == seen[name]
