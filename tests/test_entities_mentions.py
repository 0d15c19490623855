"""Mentions and candidate spans: pure text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedrag.entities.hints import expected
from fedrag.entities.mentions import (
    CHEMICAL,
    DISEASE,
    GENE,
    PROCESS,
    Mention,
    find_mentions,
    located,
)
from fedrag.entities.spans import MAX_SPANS, spans_of, words_of
from fedrag.entities.spelling import forms

GENE_Q = (
    "Which gene plays the most significant mechanistic role in how Drug {} treats or impacts the "
    "Disease {}?"
)
METABOLITE_Q = (
    "Which biochemical entity is affected by the Drug {} via its mechanism of action in treating "
    "the Disease {} ?"
)
DRUG_Q = "Which Drug can be used in the treatment of {} by targeting biological process: {}?"


def texts(question: str) -> list[str]:
    return [m.text for m in find_mentions(question)]


def spans(question: str) -> list[str]:
    return [question[a:b] for a, b in spans_of(question)]


@pytest.mark.parametrize("form", [GENE_Q, METABOLITE_Q, DRUG_Q])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("hydrochlorothiazide", "hypertension"),
        ("Calcitonin (salmon synthetic)", "Leukemia, Lymphocytic, Chronic, B-Cell"),
        ("Serine/threonine-protein kinase mTOR", "Malignant tumor of head and/or neck"),
        ("Toxic effect of arsenic AND/OR its compounds", "RNA-directed 5'-3' RNA polymerase"),
        ("Drug treats in by via", "Gilles de la Tourette's syndrome"),
        ("what? is this", "(1->3)-beta-D-glucan biosynthetic process"),
        ("1,4-dioxane", "Thyroid cancer (Diagnostic)"),
    ],
)
def test_a_template_slot_holds_anything(form: str, first: str, second: str) -> None:
    question = form.format(first, second)
    found = find_mentions(question)
    assert [m.text for m in found] == [first, second]
    assert all(question[m.start : m.end] == m.text and m.how == "marker" for m in found)


def test_a_template_says_what_its_slots_are() -> None:
    assert [m.expects for m in find_mentions(GENE_Q.format("a", "b"))] == [CHEMICAL, DISEASE]


def test_a_template_in_other_letters_and_blanks_is_still_one() -> None:
    question = "which GENE plays the most significant mechanistic role in how drug\u00a0\u03b2x "
    question += "treats or impacts the disease  gout "
    assert texts(question) == ["\u03b2x", "gout"]


def test_quotation_marks_in_a_slot_are_no_part_of_the_name() -> None:
    assert texts(GENE_Q.format('"imatinib"', "“gout”")) == ["imatinib", "gout"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How does Drug imatinib act on Disease gout", [("imatinib", CHEMICAL), ("gout", DISEASE)]),
        ("gene: BRCA1; disease: breast cancer", [("BRCA1", GENE), ("breast cancer", DISEASE)]),
        ("Gene: BRCA1, drug: olaparib", [("BRCA1", GENE), ("olaparib", CHEMICAL)]),
    ],
)
def test_markers_outside_the_templates(
    question: str, found: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(m.text, m.expects) for m in find_mentions(question)] == found


@pytest.mark.parametrize(
    "question", ["Which Drug can be used?", "Drug treats gout", "The disease: ", "Gene is what?"]
)
def test_a_marker_without_a_name_marks_nothing(question: str) -> None:
    assert [m for m in find_mentions(question) if m.how == "marker"] == []


def test_quotes_straight_and_curly_but_no_apostrophes() -> None:
    question = (
        "Does \"aspirin\" or ‘COX-2’ or 'IL 6' help “Crohn’s disease” in Graves' and Fabry's?"
    )
    assert texts(question) == ["aspirin", "COX-2", "IL 6", "Crohn’s disease"]


@pytest.mark.parametrize(
    ("typed", "curie"),
    [
        ("DB:DB00999", "DRUGBANK:DB00999"),
        ("UniProt:P00533", "UniProtKB:P00533"),
        ("mondo:0005044", "MONDO:0005044"),
        ("ncbigene:1956", "NCBIGene:1956"),
        ("hgnc:HGNC:1100", "HGNC:1100"),
    ],
)
def test_curies_in_any_spelling(typed: str, curie: str) -> None:
    (mention,) = find_mentions(f"What does ({typed}) do, if anything?")
    assert (mention.text, mention.curie, mention.how) == (typed, curie, "curie")


@pytest.mark.parametrize(
    "text", ["at 10:30", "a 2:1 ratio", "see https://x.org:80/a", "HLA-B*57:01"]
)
def test_other_colons_are_no_curies(text: str) -> None:
    assert find_mentions(f"Is it {text}?") == ()


def test_a_pin_is_found_as_a_whole_word_whatever_its_case() -> None:
    pinned = {"hypertension": "mondo:0005044", "absent": "MONDO:1"}
    found = find_mentions("prehypertension, Hypertension", pinned)
    assert [(m.start, m.end, m.curie) for m in found] == [
        (17, 29, "MONDO:0005044"),
        (-1, -1, "MONDO:1"),
    ]


def test_a_pin_wins_over_a_marker() -> None:
    (first, second) = find_mentions(GENE_Q.format("aspirin", "gout"), {"gout": "MONDO:1"})
    assert (first.how, second.how, second.curie) == ("marker", "pinned", "MONDO:1")


def test_a_models_mention_must_be_in_the_question() -> None:
    assert located("Does ASA help?", Mention("aspirin", -1, -1, "llm")) is None
    assert located("Does ASA help?", Mention("asa", 0, 3, "llm")) == Mention(
        "ASA", 5, 8, "llm", firm=False
    )


# --- spans --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("which gene causes Crohn’s disease?", ["Crohn’s disease"], ["gene", "disease", "causes"]),
        ("bleomycin-induced lung fibrosis", ["bleomycin", "lung fibrosis"], ["induced"]),
        ("anti-TNF drugs", ["TNF"], ["drugs", "anti"]),
        ("TNF–α and PD‑L1.", ["TNF–α", "PD‑L1"], ["and"]),
        ("X-linked agammaglobulinemia", ["X-linked agammaglobulinemia"], ["linked"]),
        ("acetylsalicylic acid (aspirin)", ["acetylsalicylic acid", "aspirin"], []),
        ("Calcitonin (salmon synthetic)", ["Calcitonin (salmon synthetic)"], []),
        ("EGFR/HER2 inhibitors?", ["EGFR", "HER2", "EGFR/HER2"], ["inhibitors"]),
        ("malignant tumor of colon", ["malignant tumor of colon"], ["of colon", "tumor of"]),
        ("Diabetes Mellitus, Type 2", ["Diabetes Mellitus, Type 2"], ["2"]),
        ("Is it MET or met?", ["MET"], ["met", "it"]),
        ("the drug target; the disease gene", [], ["drug target", "disease gene"]),
    ],
)
def test_which_spans_are_candidates(question: str, holds: list[str], lacks: list[str]) -> None:
    found = spans(question)
    assert set(holds) <= set(found)
    assert not set(lacks) & set(found)


def test_spans_do_not_cross_verbs_or_sentences() -> None:
    assert spans("gout treats anemia. Edema") == ["gout", "anemia", "Edema"]


def test_a_question_in_capitals_has_no_symbols() -> None:
    assert spans("WHAT TREATS THE MALARIA") == ["MALARIA"]


def test_spans_stay_out_of_what_is_taken() -> None:
    assert spans_of("aspirin for gout", taken=[(0, 7)]) == ((12, 16),)


@pytest.mark.parametrize(
    "question",
    [
        " ".join(f"word{i}" for i in range(8000)),
        "a" * 50_000,
        "(" * 25_000 + ")" * 25_000,
        "Drug " * 10_000,
        "'" * 50_000,
        '"' * 50_000,
        "gene: " * 8_000,
        " ?" * 25_000,
        "x:1 " * 12_500,
        "α’–" * 16_000,
    ],
)
def test_a_huge_question_stays_a_bounded_call(question: str) -> None:
    assert len(spans_of(question)) <= MAX_SPANS
    assert len(find_mentions(question)) <= MAX_SPANS


def test_where_spans_are_too_many_symbols_are_kept_first() -> None:
    words = ["abc"] + [f"filler{'x' * (i % 5)}{chr(97 + i % 26)}" for i in range(400)] + ["IL17RA"]
    assert "IL17RA" in spans(" ".join(words))


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_offsets_always_give_the_text_back(question: str) -> None:
    for mention in find_mentions(question):
        assert question[mention.start : mention.end] == mention.text
        assert expected(question, mention.start, mention.end) is not None
    for start, end in spans_of(question):
        assert 0 <= start < end <= len(question)
    assert [w.text for w in words_of(question)] == [w.text for w in words_of(question)]


@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("TNF-α", "TNF-alpha"),
        ("statins", "statin"),
        ("anaemia", "anemia"),
        ("IL6", "IL-6"),
        ("COX-2", "COX2"),
        ("Gitelman's", "Gitelman's syndrome"),
        ("Crohn’s disease", "Crohn disease"),
    ],
)
def test_other_spellings_are_looked_up_too(text: str, also: str) -> None:
    assert also in forms(text)


@pytest.mark.parametrize(
    ("question", "mention", "kind"),
    [
        ("which drugs treat GC?", "GC", DISEASE),
        ("GC mutations in what?", "GC", GENE),
        ("side effects of GC", "GC", CHEMICAL),
        ("what about GC", "GC", ()),
        ("what is the gene GC for", "GC", GENE),
        ("symptoms of GC", "GC", DISEASE),
        ("a phenotype of the GC", "GC", DISEASE),
        ("genes of GC", "GC", DISEASE),
        ("GC genes", "GC", ()),
        ("drugs for GC", "GC", DISEASE),
        ("drugs of acute GC", "GC", DISEASE),
        ("the drug GC", "GC", CHEMICAL),
        ("inhibitors of GC", "GC", GENE),
        ("diseases of GC", "GC", ()),
        ("the disease of GC", "GC", DISEASE),
        ("biological processes of GC", "GC", ()),
        ("pathways of GC", "GC", ()),
        ("the process of GC", "GC", PROCESS),
        ("symptoms of the drug GC", "GC", CHEMICAL),
    ],
)
def test_wording_beside_a_mention_says_its_kind(
    question: str, mention: str, kind: tuple[str, ...]
) -> None:
    start = question.index(mention)
    assert expected(question, start, start + len(mention)) == kind
