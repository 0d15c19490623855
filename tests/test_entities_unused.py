"""What a question says beside the names that are known: told, or unresolved, never dropped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from entities_support import Concept, Lexicon, ask, curies, unresolved

GOUT, IMATINIB, BREAST = "MONDO:0005393", "CHEBI:45783", "UBERON:0000310"
ORGAN = ("biolink:AnatomicalEntity",)
DISEASE = ("biolink:Disease",)


def lexicon(*more: Concept, without: tuple[str, ...] = ()) -> Lexicon:
    """The closed lexicon, some concepts more and some fewer."""
    made = Lexicon()
    made.known |= {concept.curie: concept for concept in more}
    for curie in without:
        del made.known[curie]
    return made


def with_half_names() -> Lexicon:
    """Names that hold "angina", "acidosis" and "Cushing", so that the words alone are known."""
    return lexicon(
        Concept("MONDO:1", "angina pectoris", (), DISEASE, (), 9),
        Concept("MONDO:2", "renal tubular acidosis", (), DISEASE, (), 9),
        Concept("MONDO:3", "Cushing-like adrenal failure", (), DISEASE, (), 9),
        Concept(BREAST, "breast", (), ORGAN, (), 9),
        without=("MONDO:0007254", "MONDO:0004992", "MONDO:0005010"),
    )


# --- nothing recognised at all ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("QRTZ9", "QRTZ9"),
        ("sirolimus", "sirolimus"),
        ("what are the targets of angina?", "angina"),
        ("Cushing syndrome", "Cushing syndrome"),
        ("acidosis treatment", "acidosis"),
        ("zorblatin partners please", "zorblatin"),
    ],
)
async def test_odd_words_alone_are_unresolved(question: str, mention: str) -> None:
    result = await ask(question, with_half_names())
    assert result.entities == ()
    assert unresolved(result) == [mention]


async def test_an_unresolved_word_has_its_nearest_names() -> None:
    (missing,) = (await ask("angina", with_half_names())).unresolved
    assert missing.nearest[0] == "angina pectoris"


@pytest.mark.parametrize("question", ["metphormin targets", "immatinib partners"])
async def test_a_doubled_letter_or_another_spelling_of_f_is_a_misspelling(question: str) -> None:
    (entity,) = (await ask(question)).entities
    assert entity.how == "fuzzy"


# --- one side of what was asked -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("Which medicines treat both gout and angina?", "angina"),
        ("Which medicines treat both angina and gout?", "angina"),
        ("what is the difference between gout and angina", "angina"),
        ("gout versus angina", "angina"),
        ("does imatinib treat angina?", "angina"),
        ("Can imatinib cause renal acidosis?", "renal acidosis"),
        ("How does angina worsen gout?", "angina"),
        ("which genes explain how zorbuterol treats gout", "zorbuterol"),
        ("symptoms of angina in gout", "angina"),
        ("is imatinib used for angina?", "angina"),
    ],
)
async def test_a_side_that_is_not_recognised_is_unresolved(question: str, mention: str) -> None:
    result = await ask(question, with_half_names())
    assert unresolved(result) == [mention]
    assert len(result.entities) == 1


async def test_what_else_was_not_used_is_one_note() -> None:
    result = await ask("zelvorafenib gout QRX77 angina", with_half_names())
    assert curies(result) == [GOUT]
    assert result.unresolved == ()
    assert result.notes == ('not recognised and not used: "zelvorafenib", "QRX77 angina"',)


@pytest.mark.parametrize(
    "question",
    [
        "what is given for gout",
        "MoA of imatinib",
        "moa of imatinib?",
        "the MOA of imatinib",
        "Which drugs cannot be used in gout?",
        "which drugs treat neither gout nor hypertension?",
        "Could someone perhaps tell me which genes really matter in gout?",
        "is there anything that improves gout in elderly smokers",
        "what usually happens to patients when gout begins?",
        "¿gout?",
    ],
)
async def test_plain_english_is_neither_told_nor_unresolved(question: str) -> None:
    result = await ask(question)
    assert result.unresolved == ()
    assert result.notes == ()
    assert len(result.entities) >= 1


async def test_what_is_set_aside_keeps_its_own_note_alone() -> None:
    result = await ask("Which genes cause gout in the liver among zorgs?")
    assert result.notes == (
        'not recognised and not used: "zorgs"',
        '"liver" (liver, UBERON:0002107) was not taken as an entity: it only says where',
    )


@pytest.mark.parametrize(
    "question",
    ["Which steroids treat gout?", "imatinib treats steroid-responsive gout", "gout in travellers"],
)
async def test_a_kind_or_a_modifier_is_told_not_unresolved(question: str) -> None:
    lexicon_ = lexicon(Concept("MONDO:4", "steroids travellers steroid", (), DISEASE, (), 2))
    result = await ask(question, lexicon_)
    assert result.unresolved == ()
    assert [n.partition(":")[0] for n in result.notes] == ["not recognised and not used"]


# --- parts of disease names ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("drugs in trials for breast cancer", "breast cancer"),
        ("does imatinib treat breast carcinoma?", "breast carcinoma"),
        ("genes of cancer of the breast", "cancer of the breast"),
        ("what links PCSK9 and coronary artery disease?", "coronary artery disease"),
        ("treatments of SOD1 deficiency", "SOD1 deficiency"),
        ("Disease breast cancer and imatinib", "breast cancer"),
    ],
)
async def test_a_part_is_not_taken_for_the_disease(question: str, mention: str) -> None:
    result = await ask(question, with_half_names())
    assert unresolved(result) == [mention]
    assert BREAST not in curies(result)


async def test_a_misspelt_whole_is_corrected_before_its_part_is_looked_at() -> None:
    known = Concept("MONDO:5", "breast fibrolipoma syndrome", (), DISEASE, (), 9)
    organ = Concept(BREAST, "breast", (), ORGAN, (), 9)
    result = await ask("drugs for breast fibrolipoma syndrom", lexicon(known, organ))
    assert curies(result) == ["MONDO:5"]


async def test_the_whole_name_is_shown_where_an_alias_leaves_the_noun_out() -> None:
    short = Concept("MONDO:6", "neoplasm of lung", ("lung",), DISEASE, (), 9)
    question = "Which drugs are used for lung cancer?"
    result = await ask(question, lexicon(short, without=("MONDO:0008903", "MONDO:0004992")))
    (entity,) = result.entities
    assert (entity.curie, entity.mention) == ("MONDO:6", "lung cancer")
    assert question[entity.start : entity.end] == "lung cancer"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("genes expressed in the liver", ["UBERON:0002107"]),
        ("which liver diseases does imatinib treat?", [IMATINIB]),
        ("drugs for gout disease", [GOUT]),
        ("does imatinib bind BRAF in cancer?", [IMATINIB, "NCBIGene:673", "MONDO:0004992"]),
    ],
)
async def test_a_name_beside_a_word_for_its_kind_stands(question: str, found: list[str]) -> None:
    result = await ask(question)
    assert curies(result) == found
    assert result.unresolved == ()


# --- relative pronouns --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "What is the mechanism by which imatinib treats gout?",
        "Describe the pathway through which imatinib affects gout",
        "the way in which imatinib helps in gout",
    ],
)
async def test_a_drug_after_a_relative_pronoun_is_an_entity(question: str) -> None:
    result = await ask(question)
    assert curies(result) == [IMATINIB, GOUT]
    assert result.notes == ()


async def test_a_class_after_an_asking_pronoun_is_the_kind_of_answer() -> None:
    result = await ask("Against which statins does imatinib act?")
    assert curies(result) == [IMATINIB]


# --- namesakes and pins -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"), [("GO:0008283", "GO:7"), ("CHEBI:6801", "MESH:D008687")]
)
async def test_two_identifiers_of_one_label_are_ambiguous(first: str, second: str) -> None:
    twins = Lexicon()
    own = twins.known[first]
    twins.known[second] = replace(own, curie=second, synonyms=())
    (entity,) = (await ask(own.label, twins)).entities
    assert entity.ambiguous
    assert {entity.curie, entity.candidates[0].curie} == {first, second}


async def test_two_identifiers_of_one_clique_are_not_ambiguous() -> None:
    twins = Lexicon()
    own = twins.known["GO:0008283"]
    twins.known["GO:7"] = replace(own, curie="GO:7")
    twins.merge = {"GO:7": own.node(), "GO:0008283": own.node()}
    (entity,) = (await ask(own.label, twins)).entities
    assert (entity.curie, entity.ambiguous) == ("GO:0008283", False)


async def test_a_pin_that_is_no_identifier_is_said_to_be_none() -> None:
    caller = Lexicon()
    result = await ask("what treats gout?", caller, pins={"gout": "hello world"})
    (missing,) = result.unresolved
    assert missing.reason == '"hello world" is no identifier of the form PREFIX:ID'
    assert not any("hello world" in str(body) for _, body in caller.calls)
