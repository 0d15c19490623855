"""Words that limit a question and name nothing, and names of two kinds, are told."""

from __future__ import annotations

import pytest
from entities_support import Concept, Lexicon, ask, curies

DISEASE, PROCESS = ("biolink:Disease",), ("biolink:BiologicalProcess",)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which oral drugs treat gout?", ("oral",)),
        ("Which beta blockers treat hypertension in pregnancy?", ("beta blockers", "in pregnancy")),
        ("What is the safest drug for gout?", ("safest",)),
        ("Which drugs treat gout in children?", ("in children",)),
        ("first-line treatment of severe gout", ("first-line", "severe")),
        ("Which drugs with the fewest side effects treat gout?", ("with the fewest side effects",)),
        ("Which FDA-approved drugs treat gout in pregnant women since 2015?",
         ("FDA-approved", "in pregnant women", "since 2015")),
        ("Which over-the-counter drugs treat gout?", ("over-the-counter",)),
        ("Which drugs best treat gout in mice?", ("in mice",)),
        ("Which oral zorbs treat gout?", ("oral zorbs",)),
    ],
)  # fmt: skip
async def test_what_limits_the_question_is_left_out_and_told(
    question: str, told: tuple[str, ...]
) -> None:
    assert (await ask(question)).unused == told


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs treat gout?",
        "Which gene plays the most significant role in how Drug imatinib treats Disease gout?",
        "List all the genes that matter most in hypertension",
        "Does imatinib treat gout in patients?",
    ],
)
async def test_plain_words_limit_nothing(question: str) -> None:
    assert (await ask(question)).unused == ()


async def test_a_limiting_word_inside_a_name_limits_nothing() -> None:
    lexicon = Lexicon()
    lexicon.known["MONDO:1"] = Concept("MONDO:1", "severe gout", (), DISEASE, (), 9)
    result = await ask("Which drugs treat severe gout?", lexicon)
    assert (curies(result), result.unused) == (["MONDO:1"], ())


async def test_a_class_or_a_place_that_was_set_aside_is_told_as_left_out() -> None:
    assert (await ask("Which statins treat gout?")).unused == ("statins",)
    assert (await ask("Which genes cause gout in the liver?")).unused == ("liver",)


def _lexicon() -> Lexicon:
    lexicon = Lexicon()
    for concept in (
        Concept("MONDO:21", "inflammation", (), DISEASE, (), 9),
        Concept("GO:6954", "inflammatory response", ("inflammation",), PROCESS, (), 3),
        Concept("MONDO:22", "vasoconstriction", (), DISEASE, (), 3),
    ):
        lexicon.known[concept.curie] = concept
    return lexicon


async def test_a_disease_with_the_name_of_a_process_is_noted() -> None:
    result = await ask("Which drugs affect inflammation?", _lexicon())
    assert curies(result) == ["MONDO:21"]
    assert result.notes == (
        '"inflammation" was taken as inflammation (MONDO:21); it is a name of the process '
        "inflammatory response (GO:6954) too",
    )
    decided = await ask("Which drugs treat inflammation?", _lexicon())
    assert (curies(decided), decided.notes) == (["MONDO:21"], ())


async def test_a_process_that_is_filed_as_a_disease_is_noted() -> None:
    result = await ask("Which drugs affect the process of vasoconstriction?", _lexicon())
    assert curies(result) == ["MONDO:22"]
    assert result.notes == (
        '"vasoconstriction" was asked as a BiologicalProcess; vasoconstriction (MONDO:22) is none',
    )
