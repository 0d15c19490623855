"""Answers of real services, read: the engine's recorded transforms, and where we deviate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xbte_reading import inputs_of, load, of_edge, operation, raw_of

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Combine, Condition, EchoAligned, Ends, Manner, PrefixFrom, Reshape
from fedrag.xbte import failure_of, read_answer

# What the engine has in code for two services, and a document says in ``x-fedrag``.
SAID = {
    "art_ctd2": Manner(echo_field="Input", split={"data.PubMedIDs": "|"}),
    "art_ebi_protein": Manner(where=(Condition("comments.reaction.dbReferences.type", ("Rhea",)),)),
}
TRANSFORMS = {
    "art_ctd2": 58,
    "art_ebi_protein": 1,
    "art_mychem_post": 18,
    "art_mygene_post": 27,
    "art_ols": 20,
    "bte_biothings_disease_query__head2026__DOID-condition_associated_with_gene-ENSEMBL_0": 42,
    "bte_mychem_query__head2026__UMLS-interacts_with-UniProtKB_32": 8,
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_recorded_transform_is_reproduced_in_objects_attributes_and_order(
    name: str, corpora: Path
) -> None:
    transform = load(corpora / "xbte" / "transforms" / f"{name}.json")
    asked = of_edge(transform["edge"], SAID.get(name, Manner()))
    reading = read_answer(asked, raw_of(transform, corpora / "xbte"), inputs_of(transform["edge"]))
    assert [(r.output, list(r.mapped.items())) for r in reading.records] == [
        (wanted["object"], list(wanted["mappedResponse"].items()))
        for wanted in transform["records"]
    ]
    assert len(reading.records) == TRANSFORMS[name]


def test_every_recorded_transform_is_compared(corpora: Path) -> None:
    names = {path.stem for path in (corpora / "xbte" / "transforms").glob("*.json")}
    assert names == set(TRANSFORMS)


def test_publications_of_older_mappings_count_where_the_engine_has_none(corpora: Path) -> None:
    transform = load(corpora / "xbte" / "transforms" / "art_mygene_post.json")
    raw = raw_of(transform, corpora / "xbte")
    reading = read_answer(of_edge(transform["edge"]), raw, ["NCBIGene:1017"])
    assert reading.records[0].publications == ("PMID:21873635",)
    assert reading.records[1].publications == ()
    assert transform["records"][0]["publications"] == []
    assert [a.type_id for a in reading.records[0].attributes] == ["evidence", "term"]


def test_a_hit_of_1017_is_never_given_to_101() -> None:
    hits = [
        {"query": "1017", "go": {"BP": {"id": "GO:0000082"}}},
        {"query": "101", "go": {"BP": {"id": "GO:0000086"}}},
    ]
    asked = operation({"GO": "go.BP.id"}, "GO", method="post")
    for inputs in (["NCBIGene:1017", "NCBIGene:101"], ["NCBIGene:101", "NCBIGene:1017"]):
        reading = read_answer(asked, hits, inputs)
        assert [(r.input, r.output) for r in reading.records] == [
            ("NCBIGene:1017", "GO:0000082"),
            ("NCBIGene:101", "GO:0000086"),
        ]


def test_every_civic_disease_has_only_its_own_publications() -> None:
    # The mapping of myvariant.info's document: ``_id`` takes the common prefix to nothing, which
    # gave every disease the publications of all evidence.
    mapping = {
        "DOID": "civic.evidence_items.disease.doid",
        "input_name": "_id",
        "ref_pmid": "civic.evidence_items.source.pubmed",
        "ref_clinicaltrials": "civic.evidence_items.source.clinical_trials.nct_id",
    }
    trial = {"nct_id": "NCT01524978", "name": "x"}
    evidence = [
        {"disease": {"doid": "1909"}, "source": {"pubmed": "20979469", "clinical_trials": []}},
        {"disease": {"doid": "9256"}, "source": {"pubmed": 22460905}},
        {"disease": {"doid": "4947"}, "source": {"pubmed": "26287849", "clinical_trials": [trial]}},
        {"disease": None, "source": {"pubmed": "1"}},
        {"disease": {"doid": None}, "source": {"pubmed": "2"}},
    ]
    hit = {
        "query": "rs113488022",
        "_id": "chr7:g.140453136A>T",
        "civic": {"evidence_items": evidence},
    }
    asked = operation(mapping, "DOID", takes="DBSNP", method="post")
    reading = read_answer(asked, [hit], ["DBSNP:rs113488022"])
    assert [(r.output, r.publications) for r in reading.records] == [
        ("DOID:1909", ("PMID:20979469",)),
        ("DOID:9256", ("PMID:22460905",)),
        ("DOID:4947", ("PMID:26287849", "clinicaltrials:NCT01524978")),
    ]
    assert {r.input_name for r in reading.records} == {"chr7:g.140453136A>T"}
    assert reading.dropped == (("no usable identifier", 1),)


def test_a_get_of_biothings_belongs_to_the_input(corpora: Path) -> None:
    folder = corpora / "xbte" / "responses" / "transform" / "biothings"
    edge = load(folder / "drug_response_example_edge.json")
    reading = read_answer(
        of_edge(edge), load(folder / "drug_response_get_response.json"), ["PUBCHEM:11373846"]
    )
    first = reading.records[0]
    assert (len(reading.records), reading.dropped) == (732, ())  # five hits name no gene
    assert (first.input, first.output) == ("PUBCHEM:11373846", "NCBIGene:25925")
    assert first.mapped["disease_context"] == "MONDO:0007256"
    assert [(a.type_id, a.value) for a in first.attributes][:2] == [
        ("effect_size", -4.759981891973518),
        ("pvalue", 9.986386935856386e-06),
    ]


def test_an_identifier_written_as_an_address_is_read(corpora: Path) -> None:
    folder = corpora / "xbte" / "responses" / "transform" / "opentarget"
    edge = load(folder / "edge.json")
    reading = read_answer(
        of_edge(edge), load(folder / "response.json"), ["ENSEMBL:ENSG00000120251"]
    )
    assert reading.records[0].output == "CHEMBL.COMPOUND:CHEMBL220492"
    assert reading.records[0].mapped == {"moleculeType": "Small molecule", "name": "TOPIRAMATE"}
    outputs = [r.output for r in reading.records]
    assert (len(outputs), outputs.count("CHEMBL.COMPOUND:CHEMBL1214124")) == (100, 5)


def test_ctd_pairs_by_its_own_field(corpora: Path) -> None:
    folder = corpora / "xbte" / "responses" / "transform" / "ctd"
    asked = of_edge(load(folder / "edge.json"), SAID["art_ctd2"])
    reading = read_answer(asked, load(folder / "response.json"), ["NCBIGene:1017", "NCBIGene:101"])
    assert [(r.input, r.output, r.publications) for r in reading.records] == [
        ("NCBIGene:1017", "MESH:D008545", ("PMID:21559390",)),
        ("NCBIGene:1017", "MESH:D000077195", ("PMID:29464035",)),
    ]
    mixed = read_answer(asked, load(folder / "response2.json"), ["MESH:D003634", "MESH:mercury"])
    assert len(mixed.records) == 135
    assert [r.input for r in mixed.records].count("MESH:mercury") == 77


def test_documents_of_the_registry_work_as_they_are(corpora: Path) -> None:
    folder = corpora / "xbte" / "responses" / "transform"
    ctd = of_edge(load(folder / "ctd" / "edge.json"))
    mixed = read_answer(
        ctd, load(folder / "ctd" / "response2.json"), ["MESH:D003634", "MESH:mercury"]
    )
    assert [r.input for r in mixed.records].count("MESH:D003634") == 58
    assert (len(mixed.records), mixed.dropped) == (135, ())
    reaction = of_edge(load(folder / "ebi_protein" / "edge.json"))
    reading = read_answer(
        reaction, load(folder / "ebi_protein" / "response.json"), ["UniProtKB:Q93099"]
    )
    assert [r.output for r in reading.records] == ["RHEA:15449"]
    assert reading.dropped == (("an identifier of another kind", 4),)


def test_monarch_needs_no_code_of_its_own(corpora: Path) -> None:
    folder = corpora / "xbte" / "responses" / "transform" / "biolink"
    mapping = {
        "HGNC": "associations.object.id",
        "output_name": "associations.object.label",
        "ref_pmid": "associations.publications.id",
        "relation": "associations.relation.label",
    }
    manner = Manner(
        prefix_from=PrefixFrom("associations.object.id", {"HGNC": "HGNC"}),
        taxon_field="associations.object.taxon.id",
    )
    asked = operation(mapping, "HGNC", takes="MONDO", manner=manner)
    reading = read_answer(asked, load(folder / "response.json"), ["MONDO:0019037"])
    assert len(reading.records) == 18
    assert [(r.output, r.output_name, r.publications) for r in reading.records[1:3]] == [
        ("HGNC:10956", "SLCO1A2", ()),
        ("HGNC:11441", "STX6", ("PMID:21685912", "PMID:30089514")),
    ]
    assert {(r.input, r.taxon) for r in reading.records} == {("MONDO:0019037", "NCBITaxon:9606")}


def test_sources_named_by_slots_become_a_chain() -> None:
    item = {
        "object": "MONDO:0005148",
        "publications": ["PMID:1", "OMIM:2"],
        "primary_knowledge_source": "infores:omim",
        "aggregator_knowledge_source": ["infores:monarchinitiative", "infores:hpo-annotations"],
    }
    mapping = {
        "MONDO": "items.object",
        "ref_pmid": "items.publications",
        "trapi_sources": "items.sources",
    }
    (record,) = read_answer(
        operation(mapping, "MONDO", takes="HGNC"), {"items": [item]}, ["HGNC:1"]
    ).records
    assert record.publications == ("PMID:1", "OMIM:2")
    assert [(s.resource_id, s.role.partition("_")[0], s.upstream) for s in record.sources] == [
        ("infores:omim", "primary", ()),
        ("infores:hpo-annotations", "aggregator", ("infores:omim",)),
        ("infores:monarchinitiative", "aggregator", ("infores:hpo-annotations",)),
    ]


def test_trapi_attributes_and_sources_are_taken_as_they_are() -> None:
    attributes = [
        {"attribute_type_id": "biolink:publications", "value": ["PMID:9", "PMC:8"]},
        {"attribute_type_id": "biolink:p_value", "value": 0.01, "attribute_source": "infores:x"},
        {"attribute_type_id": "biolink:negated", "value": True},
        "no attribute",
    ]
    sources = [
        {"resource_id": "infores:pubmed", "resource_role": "supporting_data_source"},
        {
            "resource_id": "infores:tmkp",
            "resource_role": "primary_knowledge_source",
            "upstream_resource_ids": ["infores:pubmed"],
        },
    ]
    mapping = {
        "MONDO": "object.MONDO",
        "edge-attributes": "association.edge_attributes",
        "trapi_sources": "association.sources",
    }
    hit = {
        "query": ["CHEBI:1", "biolink:treats"],
        "object": {"MONDO": "MONDO:2"},
        "association": {"edge_attributes": attributes, "sources": sources},
    }
    asked = operation(mapping, "MONDO", takes="CHEBI", method="post")
    (record,) = read_answer(asked, {"max_total": 1, "hits": [hit]}, ["CHEBI:1", "CHEBI:11"]).records
    assert (record.input, record.output, record.negated) == ("CHEBI:1", "MONDO:2", True)
    assert record.publications == ("PMID:9", "PMC:8")
    assert (record.attributes[1].value, record.attributes[1].source) == (0.01, "infores:x")
    assert [(s.resource_id, s.upstream) for s in record.sources] == [
        ("infores:pubmed", ()),
        ("infores:tmkp", ("infores:pubmed",)),
    ]


def test_a_pair_is_read_from_the_end_that_was_asked(corpora: Path) -> None:
    pairs = load(corpora / "recorded" / "string" / "biomcp_string__network_braf_20260811.json")
    ends = Ends("stringId_A", "stringId_B", "preferredName_A", "preferredName_B")
    manner = Manner(ends=ends, taxon_field="ncbiTaxonId", confidence_field="score")
    asked = operation({"experiments": "escore"}, "ENSEMBL", takes="ENSEMBL", manner=manner)
    own = {"9606.ENSP00000256078": ["NCBIGene:3845"]}
    reading = read_answer(asked, pairs, ["NCBIGene:3845"], own=own)
    (record,) = reading.records
    assert (record.input, record.output) == ("NCBIGene:3845", "ENSEMBL:ENSP00000222005")
    assert (record.input_name, record.output_name) == ("KRAS", "CDC37")
    assert record.taxon == "NCBITaxon:9606"
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("experiments", 0.082),
        ("biolink:has_confidence_score", 0.604),
    ]
    assert reading.dropped == (("answers none of the inputs", 4),)
    by_name = read_answer(asked, pairs, ["SYMBOL:CDC37"])
    assert [r.output_name for r in by_name.records] == ["MAP2K1", "MAP2K2", "HRAS", "KRAS", "NRAS"]


def test_a_pair_of_which_both_ends_were_asked_is_read_both_ways() -> None:
    manner = Manner(ends=Ends("a", "b", "a_name", "b_name"))
    asked = operation({}, "SYMBOL", takes="SYMBOL", manner=manner)
    pairs = [{"a": "1.X", "b": "1.Y", "a_name": "X", "b_name": "Y"}, {"a": "1.X", "b": "1.X"}]
    own = {"1.X": ["SYMBOL:X"], "1.Y": ["SYMBOL:Y"]}
    reading = read_answer(asked, pairs, ["SYMBOL:X", "SYMBOL:Y"], own=own)
    assert [(r.input, r.output, r.output_name) for r in reading.records] == [
        ("SYMBOL:X", "SYMBOL:1.Y", "Y"),
        ("SYMBOL:Y", "SYMBOL:1.X", "X"),
        ("SYMBOL:X", "SYMBOL:1.X", None),
    ]


NODES = "data.evidenceItems.nodes"
CIVIC = {
    "NCIT": f"{NODES}.therapies.ncitId",
    "output_name": f"{NODES}.therapies.name",
    "level": f"{NODES}.evidenceLevel",
}


def civic(*items: dict[str, Any]) -> dict[str, Any]:
    return {"data": {"evidenceItems": {"nodes": list(items)}}}


def therapies(*names: str) -> list[dict[str, Any]]:
    known = {"Dabrafenib": 22, "Trametinib": 19, "Imatinib": 3}
    return [{"id": known.get(n), "ncitId": f"C{known.get(n)}", "name": n} for n in names]


TOGETHER = Condition(f"{NODES}.therapyInteractionType", ("COMBINATION", "SEQUENTIAL"))
AS_OUTPUT = Combine(
    f"{NODES}.therapies.id", f"{NODES}.therapies.name", "civic.therapies", "output", (TOGETHER,)
)


def test_a_combination_stays_one_output() -> None:
    asked = operation(CIVIC, "NCIT", takes="civic.vid", manner=Manner(combine=AS_OUTPUT))
    payload = civic(
        {
            "evidenceLevel": "A",
            "therapyInteractionType": "COMBINATION",
            "therapies": therapies("Dabrafenib", "Trametinib"),
        },
        {"evidenceLevel": "B", "therapyInteractionType": None, "therapies": therapies("Imatinib")},
        {
            "evidenceLevel": "C",
            "therapyInteractionType": "SUBSTITUTES",
            "therapies": therapies("Dabrafenib", "Imatinib"),
        },
        {"therapyInteractionType": "COMBINATION", "therapies": therapies("Imatinib", "New one")},
        {"therapyInteractionType": "COMBINATION", "therapies": therapies("Imatinib")},
        {
            "therapyInteractionType": "COMBINATION",
            "therapies": [*therapies("Imatinib"), {"name": "whose place nobody knows"}],
        },
    )
    reading = read_answer(asked, payload, ["civic.vid:12"])
    assert [(r.output, r.output_name, r.mapped.get("level")) for r in reading.records] == [
        ("NCIT:C3", "Imatinib", "B"),
        ("NCIT:C22", "Dabrafenib", "C"),
        ("NCIT:C3", "Imatinib", "C"),
        ("civic.therapies:19+22", "Dabrafenib + Trametinib", "A"),
        ("civic.therapies:3+new-one", "Imatinib + New one", None),
        ("NCIT:C3", "Imatinib", None),
    ]
    assert reading.dropped == (("a combination of which a part has no identifier", 1),)


def test_a_combination_that_was_asked_by_one_part_is_what_the_record_is_about() -> None:
    mapping = {"DOID": f"{NODES}.disease.doid", "output_name": f"{NODES}.disease.name"}
    combine = Combine(AS_OUTPUT.id, AS_OUTPUT.name, "civic.therapies", "input", (TOGETHER,))
    manner = Manner(combine=combine, echo_field=f"{NODES}.therapies.name")
    asked = operation(mapping, "DOID", takes="NAME", manner=manner)
    disease = {"doid": "1909", "name": "Melanoma"}
    together = {"therapyInteractionType": "COMBINATION", "disease": disease}
    payload = civic(
        {**together, "therapies": therapies("Dabrafenib", "Trametinib")},
        {"disease": disease, "therapies": therapies("Dabrafenib")},
        {"disease": disease, "therapies": therapies("Imatinib")},
    )
    reading = read_answer(asked, payload, ["NAME:dabrafenib"])
    assert [(r.input, r.found_input, r.found_input_name, r.output) for r in reading.records] == [
        ("NAME:dabrafenib", "civic.therapies:19+22", "Dabrafenib + Trametinib", "DOID:1909"),
        ("NAME:dabrafenib", None, None, "DOID:1909"),
    ]
    assert reading.dropped == (("answers none of the inputs", 1),)


def test_what_a_record_names_together_is_combined_without_a_condition_too() -> None:
    combine = Combine("items.parts.id", "items.parts.name", "P")
    asked = operation({"X": "items.parts.id"}, "X", manner=Manner(combine=combine))
    parts = [{"id": i, "name": n} for i, n in ((10, "b"), (9, "a"))]
    reading = read_answer(asked, {"items": [{"parts": parts}, {"parts": parts[:1]}]}, ["A:1"])
    assert [(r.output, r.output_name) for r in reading.records] == [
        ("P:9+10", "a + b"),
        ("X:10", None),
    ]


def test_negation_and_qualifiers_are_decided_by_the_record() -> None:
    mapping = {"NCIT": "items.drug"}
    manner = Manner(
        negated=(Condition("items.direction", ("DOES_NOT_SUPPORT",)),),
        qualifiers_from={"disease_context_qualifier": "items.doid"},
        qualifier_prefixes={"disease_context_qualifier": "DOID"},
    )
    asked = operation(mapping, "NCIT", manner=manner)
    items = [
        {"drug": "C1", "direction": "does_not_support", "doid": "1909"},
        {"drug": "C1", "direction": "SUPPORTS", "doid": "DOID:1909"},
        {"drug": "C2", "direction": None, "doid": ["1", "2"]},
    ]
    one, two, three = read_answer(asked, {"items": items}, ["NCBIGene:1"]).records
    assert (one.negated, two.negated, three.negated) == (True, False, False)
    assert one.qualifiers == two.qualifiers == (("biolink:disease_context_qualifier", "DOID:1909"),)
    assert three.qualifiers == ()
    assert [(a.type_id, a.value) for a in three.attributes] == [
        ("biolink:disease_context_qualifier", ["DOID:1", "DOID:2"])
    ]


def test_a_prefix_is_decided_by_the_data_and_another_is_left_out() -> None:
    manner = Manner(
        prefix_from=PrefixFrom("data.DiseaseID", {"MESH": "MESH", "OMIM": "OMIM"}),
        split={"data.DiseaseID": "|"},
    )
    asked = operation({"MESH": "data.DiseaseID"}, "MESH", manner=manner)
    rows = [{"DiseaseID": "MESH:D1|OMIM:2"}, {"DiseaseID": "DOID:3"}, {"DiseaseID": ""}]
    reading = read_answer(asked, rows, ["NCBIGene:1"])
    assert [r.output for r in reading.records] == ["MESH:D1", "OMIM:2"]
    assert reading.dropped == (("an identifier of another kind", 2),)


def test_open_targets_prefixes_are_read_behind_an_underscore() -> None:
    path = "data.target.associatedDiseases.rows.disease.id"
    told = PrefixFrom(path, {"MONDO": "MONDO", "Orphanet": "orphanet"})
    asked = operation({"MONDO": path}, "MONDO", manner=Manner(prefix_from=told))
    rows = [{"disease": {"id": i}} for i in ("MONDO_0007254", "Orphanet_145", "EFO_1")]
    payload = {"data": {"target": {"associatedDiseases": {"rows": rows}}}}
    reading = read_answer(asked, payload, ["ENSEMBL:ENSG1"])
    assert [r.output for r in reading.records] == ["MONDO:0007254", "orphanet:145"]


def test_an_identifier_is_reshaped_and_a_citation_of_another_kind_is_left_out() -> None:
    manner = Manner(
        reshape={"items.ref": Reshape(behind="/", add="R-")},
        only_where={"items.sources.citation": (Condition("items.sources.type", ("PUBMED",)),)},
    )
    mapping = {"REACT": "items.ref", "ref_pmid": "items.sources.citation"}
    sources = [{"citation": "11", "type": "PUBMED"}, {"citation": "22", "type": "ASCO"}]
    payload = {"items": [{"ref": "path/HSA-1", "sources": sources}, {"ref": 7}]}
    one, two = read_answer(
        operation(mapping, "REACT", manner=manner), payload, ["NCBIGene:1"]
    ).records
    assert (one.output, one.publications) == ("REACT:R-HSA-1", ("PMID:11",))
    assert (two.output, two.publications) == ("REACT:R-7", ())


def test_a_table_names_identifiers_and_an_address_is_made_of_a_number() -> None:
    manner = Manner(
        reshape={
            "places": Reshape(table={"Cytosol": "GO:0005829"}),
            "id": Reshape(add="https://example.org/"),
        }
    )
    mapping = {"GO": "places", "output_name": "places", "source_url": "id", "other": "places"}
    asked = operation(mapping, "GO", manner=manner)
    payload = {"places": ["cytosol", "Nowhere"], "id": 7}
    reading = read_answer(asked, payload, ["A:1"])
    (record,) = reading.records
    assert (record.output, record.output_name) == ("GO:0005829", "cytosol")
    assert record.record_urls == ("https://example.org/7",)
    assert [(a.type_id, a.value) for a in record.attributes] == [("other", "cytosol")]
    assert reading.dropped == (("no usable identifier", 1),)
    assert read_answer(asked, {"places": None}, ["A:1"]).dropped == ()


def test_a_record_that_tells_by_position_is_read() -> None:
    manner = Manner(echo_aligned=EchoAligned("genes", "result.intersections"))
    asked = operation({"GO": "result.native"}, "GO", takes="ENSEMBL", manner=manner)
    terms = [
        {"native": "GO:1", "intersections": [["IBA"], []]},
        {"native": "GO:2", "intersections": [[], ["IEA", "IC"]]},
        {"native": "GO:3", "intersections": [["IBA"]]},
    ]
    payload = {"genes": ["ENSG1", "ENSG2"], "result": terms}
    reading = read_answer(asked, payload, ["ENSEMBL:ENSG2", "ENSEMBL:ENSG1"])
    assert [(r.input, r.output) for r in reading.records] == [
        ("ENSEMBL:ENSG1", "GO:1"),
        ("ENSEMBL:ENSG2", "GO:2"),
    ]
    assert reading.dropped == (("answers none of the inputs", 1),)
    assert payload["result"] is terms
    assert terms[0]["intersections"] == [["IBA"], []]


def test_attributes_can_be_nested_under_one_of_them() -> None:
    mapping = {"GO": "id", "study": "study", "p_value": "p"}
    asked = operation(mapping, "GO", manner=Manner(nest_under="study"))
    (record,) = read_answer(asked, {"id": 1, "study": "S1", "p": 0.5}, ["NCBIGene:1"]).records
    (study,) = record.attributes
    assert (study.type_id, study.value) == ("study", "S1")
    assert [(a.type_id, a.value) for a in study.attributes] == [("p_value", 0.5)]


def test_lists_torn_apart_by_dotted_keys_are_not_given_to_every_output() -> None:
    mapping = {"GO": "go.BP.id", "pubmed": "go.BP.pubmed", "name": "name"}
    hit = {"query": "1", "name": "x", "go.BP.id": ["GO:1", "GO:2"], "go.BP.pubmed": [11, 22]}
    asked = operation(mapping, "GO", method="post")
    both = read_answer(asked, [hit], ["NCBIGene:1"]).records
    assert [(r.output, r.publications, len(r.attributes)) for r in both] == [
        ("GO:1", (), 1),
        ("GO:2", (), 1),
    ]
    alone = {"query": "1", "go.BP.id": "GO:1", "go.BP.pubmed": [11, 22]}
    (record,) = read_answer(asked, [alone], ["NCBIGene:1"]).records
    assert record.publications == ("PMID:11", "PMID:22")


def test_an_answer_that_names_nobody_is_dropped_when_several_were_asked() -> None:
    asked = operation({"GO": "items.id"}, "GO")
    payload = {"items": [{"id": "GO:1"}, {"id": "GO:2"}]}
    assert len(read_answer(asked, payload, ["NCBIGene:1"]).records) == 2
    reading = read_answer(asked, payload, ["NCBIGene:1", "NCBIGene:2"])
    assert reading.records == ()
    assert reading.dropped == (("does not say what it answers", 2),)


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ({"errors": [{"message": "Field\n 'x'\x1b"}], "data": None}, "Field 'x'"),
        ({"errors": [{"message": "late"}], "data": {"a": {"b": 1}}}, None),
        ({"success": False, "error": "Bad q"}, "Bad q"),
        ({"success": True, "hits": []}, None),
        ({"data": {"gene": None}}, None),
        ([{"query": "1"}], None),
        (None, None),
    ],
)
def test_a_failure_told_with_success_is_seen(payload: Any, told: str | None) -> None:
    assert failure_of(operation({}, "GO"), payload) == told


def test_a_failure_stands_where_the_document_says() -> None:
    asked = operation({}, "GO", manner=Manner(error_field="Error"))
    assert failure_of(asked, [{"Error": "not found", "ErrorMessage": "x"}]) == "not found"
    assert failure_of(asked, {"Error": {"message": "m" * 400}}) == "m" * 300
    assert failure_of(asked, {"Error": ""}) is None
    assert failure_of(asked, {"errors": [{"message": "x"}]}) is None


def test_the_recorded_answers_of_whole_queries_never_fail(corpora: Path) -> None:
    pairs = load(corpora / "xbte" / "responses" / "_request_response_pairs.json")
    assert len(pairs) == 53
    given = [pair["response"] for pair in pairs if "response" in pair]
    given += [load(path) for path in sorted((corpora / "recorded" / "biothings").glob("*.json"))]
    semmed = operation({"UMLS": "object.umls", "ref_pmid": "predication.pmid"}, "UMLS")
    post = operation(
        {"UMLS": "object.umls", "ref_pmid": "predication.pmid"},
        "UMLS",
        takes="UMLS",
        method="post",
    )
    found = [
        (record.input, record.output)
        for payload in given
        for record in read_answer(post, payload, ["UMLS:C0282687", "UMLS:C0751434"]).records
    ]
    assert {asked for asked, _ in found} == {"UMLS:C0282687", "UMLS:C0751434"}
    assert all(output.startswith("UMLS:C") for _, output in found)
    assert all(read_answer(semmed, payload, ["UMLS:C1"]).dropped == () for payload in given)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
KEYS = st.sampled_from(
    ["query", "hits", "notfound", "a", "b", "c", "data", "a.b", "errors", "message", "success", ""]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=40,
)
FULL = Manner(
    echo_field="b.c",
    split={"a.b": "|"},
    prefix_from=PrefixFrom("a.c", {"X": "X", "Y": "Y"}),
    reshape={"a.b": Reshape("/", "R-")},
    only_where={"a.c": (Condition("a.message", ("x",)),)},
    nest_under="n",
    where=(Condition("a.errors", ("no",), negate=True),),
    negated=(Condition("b", above=0.5), Condition("c", exists=True)),
    qualifiers_from={"q": "a.data"},
    qualifier_prefixes={"q": "DOID"},
    combine=Combine("a.b", "a.c", "P", "input"),
    taxon_field="c",
    confidence_field="b",
    error_field="errors",
)
MAPPING = {
    "X": "a.b",
    "input_name": "c",
    "output_name": "a.c",
    "ref_pmid": "a.b.c",
    "ref_url": "b",
    "ref_isbn": "c",
    "source_url": "a.data",
    "edge-attributes": "a.c",
    "trapi_sources": "a.sources",
    "n": "a.message",
    "other": "a.c",
}
SHAPES: list[Callable[[str], Operation]] = [
    lambda method: operation(MAPPING, "X", method=method),
    lambda method: operation(MAPPING, "X", method=method, manner=FULL),
    lambda method: operation(MAPPING, "X", method=method, manner=Manner(ends=Ends("a.b", "a.c"))),
    lambda method: operation(
        MAPPING, "X", method=method, manner=Manner(combine=Combine("a.b.c", "a.b", "P"))
    ),
    lambda method: operation({"X": "data.a", "trapi_sources": "data.c"}, "X", method=method),
    lambda method: operation({"n": "hits.a"}, "X", method=method),
    lambda method: operation(
        MAPPING,
        "X",
        method=method,
        manner=Manner(rows_from="a", echo_aligned=EchoAligned("c", "b")),
    ),
]


@settings(max_examples=300, deadline=None)
@given(ANYTHING, st.sampled_from(SHAPES), st.sampled_from(["get", "post"]))
def test_no_payload_raises(payload: Any, shape: Callable[[str], Operation], method: str) -> None:
    asked = shape(method)
    for inputs in ((), ("NCBIGene:1",), ("NCBIGene:1", "NCBIGene:0")):
        reading = read_answer(asked, payload, inputs, own={"a": ["NCBIGene:1"]})
        assert all(r.input in {*inputs, "NCBIGene:1"} for r in reading.records)
        assert all(count > 0 for _, count in reading.dropped)
    failure_of(asked, payload)


def test_deep_and_long_payloads_are_read_without_falling_over() -> None:
    deep: Any = "1"
    for _ in range(900):
        deep = [deep]
    nested: Any = "1"
    for _ in range(900):
        nested = {"a": nested}
    for payload in (deep, nested, {"a": {"b": deep}}, {"a": {"b": nested, "c": deep}}):
        for shape in SHAPES:
            assert read_answer(shape("get"), payload, ["NCBIGene:1"]).records == ()
    long = {"a": [{"b": "x" * 5000}, {"b": "|".join(map(str, range(1000)))}]}
    split = operation({"X": "a.b"}, "X", manner=Manner(split={"a.b": "|"}))
    reading = read_answer(split, long, ["NCBIGene:1"])
    assert (len(reading.records), reading.dropped) == (1000, (("no usable identifier", 1),))
