"""Which hit a mention means: names compared, categories and taxa judged, ties told."""

from __future__ import annotations

from typing import Any

import pytest
from entities_support import concepts
from hypothesis import given, settings
from hypothesis import strategies as st

from fedrag.entities.kinds import group_of
from fedrag.entities.match import match_hits
from fedrag.entities.mentions import DISEASE, GENE
from fedrag.entities.nameres import NameHit, read_hits
from fedrag.entities.order import ambiguous
from fedrag.entities.text import bag, compact, fold, loose
from fedrag.entities.typos import guess

HITS = read_hits([c.hit(1.0) for c in concepts().values()])
SMALL = ("biolink:SmallMolecule",)
SICK = ("biolink:Disease",)


def best(text: str, **options: Any) -> str:
    return match_hits([text], HITS, **options).ranked[0].hit.curie


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Löffler’s syndrome", "loffler syndrome"),
        ("TNF–α", "TNF alpha"),
        ("Ménière's disease", "Meniere disease"),
        ("(1->3)-β-D-glucan", "1 3 beta d glucan"),
        ("Graves' disease", "graves disease"),
    ],
)
def test_names_that_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tumours", "tumor"),
        ("leukaemias", "leukemia"),
        ("oesophageal", "esophageal"),
        ("therapies", "therapy"),
        ("sulphate", "sulfate"),
    ],
)
def test_names_that_are_loosely_the_same(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert loose(one) == loose(other)


def test_blanks_and_word_order_are_the_last_resort() -> None:
    assert compact("PD-L1") == compact("PDL1")
    assert bag("Colitis, Ulcerative") == bag("ulcerative colitis")
    assert bag("nausea and vomiting") != bag("vomiting nausea")


@pytest.mark.parametrize(
    ("different", "name"),
    [("type 1 diabetes", "type 2 diabetes"), ("AIDS", "AID"), ("hypotension", "hypertension")],
)
def test_what_is_not_the_same_stays_different(different: str, name: str) -> None:
    hit = NameHit("MONDO:1", name, types=SICK)
    assert match_hits([different], [hit]).ranked == ()
    assert guess(different, [hit]) is None or different == "hypotension"


@pytest.mark.parametrize(
    ("text", "curie"),
    [
        ("diabetes", "MONDO:0005015"),  # a UMLS label does not win over a MONDO synonym
        ("hypertension", "MONDO:0005044"),  # nor does a phenotype's
        ("GC", "NCBIGene:2638"),  # a symbol wins over gonorrhea's abbreviation
        ("ALS", "MONDO:0004976"),  # a disease's abbreviation wins over a gene's alias
        ("insulin", "CHEBI:145810"),
        ("Golgi", ""),
        ("BRAF", "NCBIGene:673"),
    ],
)
def test_the_recorded_wrong_top_hits_and_their_like(text: str, curie: str) -> None:
    ranked = match_hits([text], HITS, taxon="NCBITaxon:9606").ranked
    assert (ranked[0].hit.curie if ranked else "") == curie


def test_wording_comes_before_everything() -> None:
    assert best("GC", expects=DISEASE) == "MONDO:0005277"
    assert best("ALS", expects=GENE) == "NCBIGene:6647"
    assert best("hypertension", expects=("biolink:PhenotypicFeature",)) == "HP:0000822"


def test_more_identifiers_and_then_the_score_decide() -> None:
    rows = [
        NameHit("CHEBI:1", "x-ol", types=SMALL, identifiers=3, score=9),
        NameHit("DRUGBANK:2", "X-ol", types=SMALL, identifiers=8, score=1),
        NameHit("CHEBI:3", "x-ol", types=SMALL, identifiers=8, score=1),
        NameHit("CHEBI:4", "x-ol", types=SMALL, identifiers=8, score=2),
    ]
    found = [m.hit.curie for m in match_hits(["x-ol"], rows).ranked]
    assert found == ["CHEBI:4", "CHEBI:3", "DRUGBANK:2", "CHEBI:1"]


def test_publications_and_cell_lines_are_nothing() -> None:
    assert [m.hit.curie for m in match_hits(["BRAF"], HITS).ranked] == [
        "NCBIGene:673",
        "NCBIGene:403",
    ]
    assert match_hits(["hypertension and you"], HITS).ranked == ()


@pytest.mark.parametrize(
    ("category", "group"),
    [
        ("MolecularMixture", "chemical"),
        ("Drug", "chemical"),
        ("Protein", "gene"),
        ("Pathway", "process"),
        ("MolecularActivity", "process"),
        ("PhenotypicFeature", "disease"),
        ("CellularComponent", "place"),
        ("OrganismTaxon", "place"),
        ("SequenceVariant", "variant"),
        ("CellLine", None),
        ("Publication", None),
        ("Activity", None),
        ("InformationContentEntity", None),
        ("NoSuchThing", None),
    ],
)
def test_what_a_category_is_good_for(category: str, group: str | None) -> None:
    assert group_of([f"biolink:{category}", "biolink:NamedThing"]) == group


def test_equal_names_of_different_kinds_are_ambiguous() -> None:
    rows = [
        NameHit("MONDO:1", "abc", types=SICK, identifiers=5),
        NameHit("CHEBI:1", "abc", types=SMALL, identifiers=5),
    ]
    assert ambiguous(match_hits(["abc"], rows).ranked)
    assert not ambiguous(match_hits(["abc"], rows, expects=DISEASE).ranked)
    assert not ambiguous(match_hits(["abc"], rows[:1]).ranked)


def test_a_narrower_form_of_the_same_is_not_ambiguous() -> None:
    rows = [
        NameHit("MONDO:1", "migraine disorder", ("migraine",), SICK, identifiers=5),
        NameHit("MONDO:2", "migraine, susceptibility to, 1", ("migraine",), SICK, identifiers=5),
    ]
    assert not ambiguous(match_hits(["migraine"], rows).ranked)


# --- guesses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hydrochlorothiazid", "hydrochlorothiazide"),
        ("imatanib", "Imatinib"),
        ("ibuprophen", "ibuprofen"),
        ("schizofrenia", "schizophrenia"),
        ("diabetis", "diabetes"),
        ("astma", "asthma"),
        ("lukemia", "leukemia"),
        ("Parkinson diseese", "Parkinson disease"),
    ],
)
def test_near_names_are_guessed(text: str, name: str) -> None:
    found = guess(text, [NameHit("A:1", name, types=SICK)])
    assert found is not None
    assert found.match.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CYP2D6", "CYP2C6"),
        ("CYP2D6", "CYP2D7"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("vitamin d", "vitamin k"),
        ("gaut", "gout"),
        ("MET", "MEN"),
        ("hyperthermia", "hypothermia"),
        ("atorvastatin", "simvastatin"),
    ],
)
def test_other_names_are_not(text: str, name: str) -> None:
    if (text, name) == ("hyperthermia", "hypothermia"):
        assert guess(text, [NameHit("A:1", name, types=SICK)], most=1) is None
    else:
        assert guess(text, [NameHit("A:1", name, types=SICK)]) is None


def test_two_names_as_near_are_no_guess() -> None:
    rows = [NameHit("A:1", "prednisone", types=SMALL), NameHit("A:2", "prednisole", types=SMALL)]
    assert guess("prednisose", rows) is None
    assert guess("prednisose", rows[:1]) is not None


# --- odd answers --------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = ("curie", "label", "synonyms", "types", "taxa", "score", "clique_identifier_count")


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, JSON)) | JSON, max_size=4))
@settings(max_examples=150, deadline=None)
def test_whatever_a_service_answers_is_read(values: list[Any]) -> None:
    hits = read_hits(values)
    match_hits(["gout"], hits, expects=DISEASE, taxon="NCBITaxon:9606")
    guess("goutt", hits)
