"""The Biolink index: equal to the model it is made of, and right where the model leaves a gap."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fedrag.biolink import biolink

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "fedrag" / "data" / "biolink.json"


@pytest.fixture(scope="module")
def oracle() -> Any:
    """LinkML's own reading of the wheel's YAML."""
    package = pytest.importorskip("biolink_model")
    schemaview = pytest.importorskip("linkml_runtime.utils.schemaview")
    folder = Path(next(iter(package.__path__)))
    return schemaview.SchemaView(str(folder / "schema" / "biolink_model.yaml"))


def camel(name: str) -> str:
    casing = pytest.importorskip("linkml_runtime.utils.formatutils")
    return f"biolink:{casing.camelcase(name)}"


def snake(name: str) -> str:
    casing = pytest.importorskip("linkml_runtime.utils.formatutils")
    return f"biolink:{casing.underscore(name)}"


def test_every_category_has_the_ancestors_that_linkml_finds(oracle: Any) -> None:
    model = biolink()
    checked = 0
    for name in oracle.all_classes():
        ancestors = oracle.class_ancestors(name)
        if "named thing" in ancestors:
            assert set(model.category_ancestors(camel(name))) == set(map(camel, ancestors)), name
            assert model.is_category(camel(name))
            checked += 1
    assert checked == 158


def test_every_predicate_has_the_ancestors_and_descendants_that_linkml_finds(oracle: Any) -> None:
    model = biolink()
    predicates = oracle.slot_descendants("related to")
    assert len(predicates) == 247
    for name in predicates:
        up, down = oracle.slot_ancestors(name), oracle.slot_descendants(name)
        assert set(model.predicate_ancestors(snake(name))) == set(map(snake, up)), name
        assert set(model.predicate_descendants(snake(name))) == set(map(snake, down)), name


def test_every_inverse_the_model_states_holds_in_both_directions(oracle: Any) -> None:
    model = biolink()
    stated = 0
    for name in oracle.slot_descendants("related to"):
        if inverse := oracle.get_slot(name).inverse:
            assert model.inverse(snake(name)) == snake(inverse)
            assert model.inverse(snake(inverse)) == snake(name)
            stated += 1
    assert stated == 105


def test_each_pair_of_inverses_has_exactly_one_canonical_predicate(oracle: Any) -> None:
    model = biolink()
    for name in oracle.slot_descendants("related to"):
        predicate = snake(name)
        other = model.inverse(predicate)
        assert other is not None, predicate
        if other != predicate:
            assert model.is_canonical(predicate) != model.is_canonical(other), predicate
        annotation = oracle.get_slot(name).annotations
        if annotation and getattr(annotation, "canonical_predicate", None):
            assert model.is_canonical(predicate), predicate


def test_every_prefix_of_a_category_is_its_own_canonical_spelling(oracle: Any) -> None:
    model = biolink()
    recased = {"CLINICALTRIALS": "clinicaltrials"}
    for name in oracle.all_classes():
        for prefix in oracle.get_class(name).id_prefixes:
            assert model.canonical_prefix(prefix) == recased.get(prefix, prefix)
            assert model.canonical_prefix(prefix.upper()) == recased.get(prefix, prefix)


def test_the_shipped_index_is_what_its_script_makes() -> None:
    pytest.importorskip("biolink_model")
    script = ROOT / "benchmarks" / "build_biolink_index.py"
    ran = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "up to date\n")


def test_the_index_is_small() -> None:
    assert INDEX.stat().st_size < 50_000


@pytest.mark.parametrize(
    ("predicate", "inverse"),
    [
        ("biolink:affects", "biolink:affected_by"),
        ("biolink:treats", "biolink:treated_by"),
        ("biolink:causes", "biolink:caused_by"),
        ("biolink:contribution_from", "biolink:contributes_to"),
        ("biolink:gene_product_of", "biolink:has_gene_product"),
        ("biolink:interacts_with", "biolink:interacts_with"),
        ("biolink:related_to", "biolink:related_to"),
    ],
)
def test_inverses_are_known_from_both_ends(predicate: str, inverse: str) -> None:
    assert biolink().inverse(predicate) == inverse
    assert biolink().inverse(inverse) == predicate


def test_what_the_model_does_not_know_passes_through() -> None:
    model = biolink()
    assert model.inverse("biolink:affects_activity_of") is None
    assert model.is_canonical("biolink:affects_activity_of")
    assert not model.is_predicate("biolink:affects_activity_of")
    assert model.predicate_ancestors("biolink:no_such") == ("biolink:no_such",)
    assert model.category_descendants("biolink:NoSuch") == ("biolink:NoSuch",)
    assert model.depth("biolink:no_such") == 0
    assert model.qualifier_value_descendants("biolink:no_such_qualifier", "x") == ("x",)


def test_names_may_come_without_their_prefix() -> None:
    assert biolink().is_category("Gene")
    assert biolink().predicate_ancestors("treats")[0] == "biolink:treats"


def test_categories_above_and_below_include_mixins() -> None:
    model = biolink()
    assert "biolink:GeneOrGeneProduct" in model.category_ancestors("biolink:Protein")
    assert "biolink:MolecularMixture" in model.category_descendants("biolink:ChemicalEntity")
    assert "biolink:Drug" in model.category_descendants("biolink:ChemicalOrDrugOrTreatment")
    assert model.is_a(["biolink:Cell", "biolink:Gene"], "biolink:BiologicalEntity")
    assert not model.is_a("biolink:Disease", "biolink:ChemicalEntity")
    assert not model.is_a([], "biolink:NamedThing")


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        (["biolink:ChemicalEntity", "biolink:SmallMolecule"], "biolink:SmallMolecule"),
        (["biolink:Gene", "biolink:Protein", "biolink:NamedThing"], "biolink:Gene"),
        (["biolink:GeneOrGeneProduct", "biolink:PhysicalEssence"], "biolink:GeneOrGeneProduct"),
        (["biolink:OntologyClass", "biolink:Disease"], "biolink:Disease"),
        ([], "biolink:NamedThing"),
    ],
)
def test_the_most_specific_category(categories: list[str], expected: str) -> None:
    assert biolink().most_specific(categories) == expected


def test_specific_predicates_are_deeper_than_general_ones() -> None:
    depth = biolink().depth
    assert depth("biolink:related_to") == 0
    assert depth("biolink:related_to_at_instance_level") == 1
    assert depth("biolink:affects") < depth("biolink:regulates")
    assert depth("biolink:treats_or_applied_or_studied_to_treat") < depth("biolink:treats")


def test_qualifier_values_have_more_specific_values() -> None:
    values = biolink().qualifier_value_descendants
    aspect = "biolink:object_aspect_qualifier"
    assert values(aspect, "activity_or_abundance") == (
        "activity_or_abundance",
        "abundance",
        "activity",
        "expression",
        "synthesis",
    )
    assert values("biolink:subject_direction_qualifier", "increased") == (
        "increased",
        "upregulated",
    )
    assert "antagonism" in values("biolink:causal_mechanism_qualifier", "inhibition")
    assert "biolink:causes" in values("biolink:qualified_predicate", "biolink:contributes_to")
    assert "snp_form" in values("biolink:subject_form_or_variant_qualifier", "genetic_variant_form")


def test_inverting_qualifiers_twice_gives_them_back() -> None:
    qualifiers = (
        ("biolink:anatomical_context_qualifier", "UBERON:0002113"),
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:object_direction_qualifier", "decreased"),
        ("biolink:qualified_predicate", "biolink:causes"),
        ("biolink:subject_aspect_qualifier", "abundance"),
    )
    inverted = biolink().invert_qualifiers(qualifiers)
    assert inverted == (
        ("biolink:anatomical_context_qualifier", "UBERON:0002113"),
        ("biolink:object_aspect_qualifier", "abundance"),
        ("biolink:qualified_predicate", "biolink:caused_by"),
        ("biolink:subject_aspect_qualifier", "activity"),
        ("biolink:subject_direction_qualifier", "decreased"),
    )
    assert biolink().invert_qualifiers(inverted) == qualifiers


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("DB:DB00999", "DRUGBANK:DB00999"),
        ("DrugBank:db00999", "DRUGBANK:DB00999"),
        ("UniProt:P35354", "UniProtKB:P35354"),
        ("UNIPROT:P35354", "UniProtKB:P35354"),
        ("uniprotkb:P35354", "UniProtKB:P35354"),
        ("taxonomy:9606", "NCBITaxon:9606"),
        ("NCBITaxon:9606", "NCBITaxon:9606"),
        ("reactome:R-HSA-2162123", "REACT:R-HSA-2162123"),
        ("hgnc:11009", "HGNC:11009"),
        ("HGNC:HGNC:11009", "HGNC:11009"),
        ("entrez:6559", "NCBIGene:6559"),
        ("ENTREZ_GENE:6559", "NCBIGene:6559"),
        ("NCBIGENE:6559", "NCBIGene:6559"),
        ("mesh:d006852", "MESH:D006852"),
        ("MeSH:D006852", "MESH:D006852"),
        ("Orphanet:319218", "orphanet:319218"),
        ("ORPHA:319218", "orphanet:319218"),
        ("omim:151623", "OMIM:151623"),
        ("MIM:151623", "OMIM:151623"),
        ("ChEMBL:CHEMBL435", "CHEMBL.COMPOUND:CHEMBL435"),
        ("CHEMBL:chembl435", "CHEMBL.COMPOUND:CHEMBL435"),
        ("PUBCHEM:3639", "PUBCHEM.COMPOUND:3639"),
        ("pubchem.compound:3639", "PUBCHEM.COMPOUND:3639"),
        ("CID:3639", "PUBCHEM.COMPOUND:3639"),
        ("InterPro:IPR000235", "interpro:IPR000235"),
        ("Pfam:PF00905", "PFAM:PF00905"),
        ("TIGR:02074", "TIGRFAM:02074"),
        ("HPO:0001250", "HP:0001250"),
        ("RXNORM:5487", "RXCUI:5487"),
        ("SNOMED:38341003", "SNOMEDCT:38341003"),
        (" MONDO:0005044 ", "MONDO:0005044"),
        ("FOO:123", "FOO:123"),
        ("note:this", None),
        ("process: growth", None),
        ("https://example.org/1", None),
        ("MONDO:", None),
        ("NM_000546.5:c.215C", None),
        ("ratio:10", None),
        ("", None),
    ],
)
def test_curies_are_read_in_any_spelling(written: str, canonical: str | None) -> None:
    assert biolink().parse_curie(written) == canonical


def test_every_prefix_of_drugmechdb_becomes_a_prefix_of_the_model(corpora: Path) -> None:
    records = json.loads((corpora / "drugmechdb" / "indication_paths.json").read_bytes())
    written = {node["id"].split(":")[0] for record in records for node in record["nodes"]}
    known = set(json.loads(INDEX.read_text(encoding="utf-8"))["prefixes"])
    assert {biolink().canonical_prefix(prefix) for prefix in written} <= known
    assert len(written) == 14


def test_prefixes_that_the_node_normalizer_answers_are_canonical(corpora: Path) -> None:
    answer = json.loads(
        (corpora / "recorded" / "nodenorm" / "nb_post_conflated_gene_and_drug.json").read_bytes()
    )
    prefixes = {
        item["identifier"].split(":")[0]
        for node in answer.values()
        if node
        for item in node["equivalent_identifiers"]
    }
    assert len(prefixes) >= 8
    assert {p: biolink().canonical_prefix(p) for p in prefixes} == {p: p for p in prefixes}
