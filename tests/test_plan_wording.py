"""What a question asks for, read from its wording with the mentions masked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fedrag.datamodel import Entity
from fedrag.plan.examples import read_example
from fedrag.plan.wording import Wording, read_wording


def wording(example: str) -> Wording:
    question, entities = read_example(example)
    return read_wording(question, entities)


@pytest.mark.parametrize(
    ("question", "masked"),
    [
        ("Which drugs target {gene:EGFR}?", "which drugs target GENE?"),
        ("Does Drug {chemical:X} treat the Disease {disease:Y}?", "does CHEMICAL treat DISEASE?"),
        ("biological process: {process:cell growth} and the gene {gene:KIT}", "PROCESS and GENE"),
        ("“{disease:gout}”'s cause", "DISEASE's cause"),
        ("What do genes {gene:A} and {gene:B} share?", "what do GENE and GENE share?"),
        ("the {gene:TP53} protein in {disease:glioma} patients", "the GENE in DISEASE"),
        ("Which drugs treat {disease:drug-induced side effects}", "which drugs treat DISEASE"),
    ],
)
def test_mentions_are_masked_with_what_announces_them(question: str, masked: str) -> None:
    assert wording(question).masked == masked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which gene explains {chemical:x}?", "gene"),
        ("What drug targets are there in {disease:x}?", "gene"),
        ("Which drug targets {gene:x}?", "drug"),
        ("Which kinase inhibitors treat {disease:x}?", "drug"),
        ("Which side effects has {chemical:x}?", "side_effect"),
        ("causes of {disease:x}", "cause"),
        ("What causes {disease:x}?", None),
        ("What is used in the treatment of {disease:x}?", None),
        ("Is there evidence for {chemical:x} as a treatment for {disease:y}?", None),
        ("Is {gene:x} a target of {chemical:y}?", None),
        ("Are there drugs for {disease:x}?", "drug"),
        ("Can you name genes of {disease:x}?", "gene"),
        ("How does {chemical:x} change gene expression?", None),
        ("How many genes are linked to {disease:x}?", "gene"),
        ("Tell me how {chemical:x} affects cells", None),
        ("{disease:x}: which enzyme is missing?", "gene"),
        ("What do mutations in {gene:x} cause?", None),
        ("Which biochemical entity does {chemical:x} change?", "metabolite"),
        ("what transcription factors bind {gene:x}", "gene"),
        ("In which tissues is {gene:x} found?", "anatomy"),
        ("Which cell surface receptors does {chemical:x} bind?", "gene"),
        ("What is {chemical:x} an inhibitor of?", None),
        ("information on genes for {disease:x}", "gene"),
    ],
)
def test_the_noun_asked_for(question: str, asked: str | None) -> None:
    assert wording(question).asked == asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Wich symtoms has {disease:x}?", "phenotype"),
        ("waht protiens does {chemical:x} bind", "gene"),
        ("treatement of {disease:x}", "drug"),
        ("Which desease does {gene:x} cause?", "disease"),
        ("How is {chemical:x} processed?", None),
        ("Does {chemical:x} protect against {disease:y}?", None),
    ],
)
def test_a_misspelt_noun_is_still_read(question: str, asked: str | None) -> None:
    assert wording(question).asked == asked


@pytest.mark.parametrize(
    ("question", "several", "best"),
    [
        ("Which gene is most important in {disease:x}?", False, True),
        ("Which genes are most important in {disease:x}?", True, False),
        ("Which drug treats {disease:x}?", False, False),
        ("top 5 genes of {disease:x}", True, False),
        ("Which virus causes {disease:x}?", False, False),
        ("Which viruses cause {disease:x}?", True, False),
    ],
)
def test_the_number_asked_for(question: str, several: bool, best: bool) -> None:
    read = wording(question)
    assert (read.several, read.best) == (several, best)


def test_words_inside_a_name_are_no_cues() -> None:
    read = wording("Tell me of {disease:adverse effects of drugs that inhibit genes}")
    assert read.masked == "tell me of DISEASE"
    assert not read.has("{down}")
    assert read.asked is None


def test_a_pinned_entity_is_masked_where_its_name_stands() -> None:
    question, (entity,) = read_example("Which drugs treat {disease:high blood pressure}?")
    pinned = replace(entity, start=-1, end=-1)
    assert read_wording(question, [pinned]).masked == "which drugs treat DISEASE?"


def test_offsets_beyond_the_question_do_no_harm() -> None:
    entity = Entity("gout", 90, 94, "MONDO:1", "gout", ("biolink:Disease",), "pinned")
    assert read_wording("What treats gout?", [entity]).masked == "what treats DISEASE?"


def test_nested_mentions_are_masked_once() -> None:
    question, (outer,) = read_example("Which genes cause {disease:lung cancer}?")
    inner = replace(outer, start=outer.start + 5, curie="EXAMPLE:inner")
    assert read_wording(question, [outer, inner]).masked == "which genes cause DISEASE?"
