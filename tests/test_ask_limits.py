"""What a question says beyond what can be asked is told early, and refused with ``strict``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from federated import ask, flags

from fedrag.cli.main import cli
from fedrag.config import load_settings
from fedrag.errors import ConfigError, PlanError
from fedrag.testing import FactBook, FactNode, Federation, Statement

TESTOSIS, PROBITIS = "MONDO:0000001", "MONDO:0000002"
_NAMES = ("one", "two", "three", "four", "five")
_LINKS = tuple("ABCDEFGHIJKLMNOPQRST")  # genes between drugone and testosis
_SMALL = ("biolink:SmallMolecule",)


def _drug(name: str) -> str:
    return f"CHEBI:{_NAMES.index(name) + 1}"


def _gene(number: int) -> str:
    return f"NCBIGene:{number}"


def _effect(aspect: str, direction: str) -> tuple[tuple[str, str], ...]:
    return (
        ("biolink:qualified_predicate", "biolink:causes"),
        ("biolink:object_aspect_qualifier", aspect),
        ("biolink:object_direction_qualifier", direction),
    )


def _nodes() -> list[FactNode]:
    human = ("NCBITaxon:9606",)
    genes = {1: "GENEA", 2: "GENEB", 3: "GENEC"}
    return [
        *(FactNode(_drug(name), f"drug{name}", _SMALL) for name in _NAMES),
        *(FactNode(_gene(n), name, ("biolink:Gene",), taxa=human) for n, name in genes.items()),
        FactNode(TESTOSIS, "testosis", ("biolink:Disease",)),
        FactNode(PROBITIS, "probitis", ("biolink:Disease",)),
        FactNode("HP:0000001", "shakes", ("biolink:PhenotypicFeature",)),
        FactNode("CHEBI:99", "aminol", _SMALL),
    ]


def _book() -> FactBook:
    """GENEA is hit by two drugs and behind testosis; GENEC breaks down aminol."""
    inhibits = _effect("activity", "decreased")
    return FactBook.from_statements(
        [
            Statement(_drug("one"), "biolink:affects", _gene(1), qualifiers=inhibits),
            Statement(_drug("two"), "biolink:affects", _gene(1), qualifiers=inhibits),
            Statement(_drug("three"), "biolink:affects", _gene(2)),
            Statement(_gene(1), "biolink:contributes_to", TESTOSIS),
            Statement(_drug("one"), "biolink:treats", TESTOSIS),
            Statement(_drug("four"), "biolink:preventative_for_condition", TESTOSIS),
            Statement("HP:0000001", "biolink:manifestation_of", TESTOSIS),
            Statement(
                _gene(3),
                "biolink:affects",
                "CHEBI:99",
                qualifiers=_effect("degradation", "increased"),
            ),
            Statement("CHEBI:99", "biolink:affects", _gene(2)),
        ],
        _nodes(),
    )


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation(_book()) as running:
        yield running


def names(answer: Any) -> list[str]:
    return [candidate.name for candidate in answer.candidates]


# --- left out -----------------------------------------------------------------------------------


def test_the_text_says_first_what_it_is_not_limited_by(world: Federation) -> None:
    answer = ask(world, "Which beta blockers treat testosis in pregnancy?")
    assert answer.unused == ("beta blockers", "in pregnancy")
    assert answer.text.splitlines()[0] == (
        'This answer leaves out "beta blockers" and "in pregnancy" and is not limited by them.'
    )
    assert names(answer)[0] == "drugone"
    one = ask(world, "Does drugone treat testosis in children?")
    assert one.text.startswith(
        'This answer leaves out "in children" and is not limited by it. Supported as a treatment:'
    )


def test_an_abstention_says_it_too(world: Federation) -> None:
    answer = ask(world, "Which oral drugs treat probitis?")
    assert answer.abstained
    assert answer.text.startswith('This answer leaves out "oral" and is not limited by it. No evi')


def test_what_is_not_answered_is_told_as_left_out(world: Federation) -> None:
    answer = ask(world, "genes involved in testosis that drugs target")
    assert answer.unused == ("that drugs target",)
    assert answer.to_dict()["unused"] == ["that drugs target"]
    assert answer.text.startswith('This answer leaves out "that drugs target"')


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which oral drugs treat testosis in children?", '"oral", "in children"'),
        ("genes involved in testosis that drugs target", '"that drugs target"'),
    ],
)
def test_strict_refuses_what_cannot_be_applied(world: Federation, question: str, told: str) -> None:
    with pytest.raises(PlanError) as refused:
        ask(world, question, strict=True)
    assert f"but {told} could not be applied" in refused.value.message
    assert refused.value.message.startswith("understood: ")
    assert refused.value.hint == "ask without these words, or without --strict"


def test_strict_answers_what_is_asked_in_full(world: Federation) -> None:
    assert names(ask(world, "Which drugs treat testosis?", strict=True))[0] == "drugone"


def test_the_command_line_exits_with_2(world: Federation) -> None:
    question = "What is the safest drug for testosis?"
    result = CliRunner().invoke(
        cli, ["ask", question, "--strict", "--no-cache", *flags(world)], standalone_mode=False
    )
    assert isinstance(result.exception, PlanError)
    assert (result.exception.exit_code, result.stdout) == (2, "")
    assert '"safest" could not be applied' in result.exception.message


# --- two hops, directions, predicates -----------------------------------------------------------


def test_drugs_of_the_same_target_are_others_with_both_legs_cited(world: Federation) -> None:
    answer = ask(world, "drugs with the same target as drugone")
    assert names(answer) == ["drugtwo"]
    assert answer.text.splitlines()[1] == (
        "1. drugtwo: drugtwo decreases activity of GENEA [E1]. drugone decreases activity of GENEA "
        "[E2]."
    )


def test_drugs_that_target_genes_of_a_disease(world: Federation) -> None:
    answer = ask(world, "Which drugs target genes involved in testosis?")
    assert sorted(names(answer)) == ["drugone", "drugtwo"]
    treated = ask(world, "Which diseases are treated by GENEA inhibitors?")
    assert names(treated) == ["testosis"]
    assert treated.text.endswith("Research use; not medical advice. Retractions not checked.")


def test_an_enzyme_acts_on_the_chemical(world: Federation) -> None:
    answer = ask(world, "Which enzyme breaks down aminol?")
    assert names(answer) == ["GENEC"]
    assert "GENEC increases degradation of aminol [E1]" in answer.text


def test_blockers_of_a_gene_for_a_disease(world: Federation) -> None:
    assert names(ask(world, "GENEA blockers for testosis")) == ["drugone"]
    assert names(ask(world, "GENEA activators for testosis")) == []


def test_a_sign_is_found_through_the_inverse_predicate(world: Federation) -> None:
    assert names(ask(world, "What are the symptoms of testosis?")) == ["shakes"]


def test_to_prevent_is_not_to_treat(world: Federation) -> None:
    answer = ask(world, "Which drugs prevent testosis?")
    (only,) = answer.candidates
    assert (only.name, only.status) == ("drugfour", "other_diseases")
    assert only.status_detail == "stated to prevent this disease by drugmechdb, not to treat it"
    treats = ask(world, "Does drugone prevent testosis?").text
    assert treats.startswith("No edge that states this was returned, which is no denial;")
    assert treats.endswith("Research use; not medical advice. Retractions not checked.")
    prevents = ask(world, "Does drugfour treat testosis?").text
    assert prevents.startswith("No edge that supports a treatment, between drugfour and testosis,")


# --- three things -------------------------------------------------------------------------------


def test_the_one_of_three_that_nothing_links_is_named(world: Federation) -> None:
    text = ask(world, "What links drugone, testosis and probitis?").text
    assert text.startswith(
        "Nothing that links probitis to drugone or testosis was returned, which is not to say that "
        "there is none. A direct relation was returned [E1]."
    )
    assert "drugone and testosis are also connected through GENEA [E2][E3]." in text
    linked = ask(world, "What links drugone, GENEA and testosis?").text
    assert "Nothing that links" not in linked


def test_two_of_three_that_only_something_else_joins_are_told(world: Federation) -> None:
    text = ask(world, "What links drugtwo, testosis and probitis?").text
    assert text.startswith("Nothing that links probitis to drugtwo or testosis was returned")
    assert "No direct edge between drugtwo and testosis was returned" in text
    assert "they are connected through GENEA [E1][E2]" in text


# --- legs ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crowded() -> Iterator[Federation]:
    """Twenty genes between drugone and testosis."""
    links = [
        FactNode(_gene(100 + n), f"LINK{letter}", ("biolink:Gene",), taxa=("NCBITaxon:9606",))
        for n, letter in enumerate(_LINKS)
    ]
    ways = [
        statement
        for link in links
        for statement in (
            Statement(_drug("one"), "biolink:affects", link.curie),
            Statement(link.curie, "biolink:contributes_to", TESTOSIS),
        )
    ]
    with Federation(FactBook.from_statements(ways, [*_nodes(), *links])) as running:
        yield running


@pytest.mark.parametrize(("top_k", "named"), [(40, 7), (8, 4), (3, 1)])
def test_what_connects_two_things_is_named_with_both_its_legs(
    crowded: Federation, top_k: int, named: int
) -> None:
    answer = ask(crowded, "What links drugone and testosis?", top_k=top_k)
    told = answer.text.split("connected through ", 1)[1].split(" that this text", 1)[0]
    assert len(re.findall(r"LINK[A-T] \[E\d+\]\[E\d+\]", told)) == named
    assert told.endswith(f" and {20 - named} more")
    assert set(re.findall(r"E\d+", answer.text)) <= {item.key for item in answer.evidence}


def test_a_leg_that_found_no_place_on_the_page_is_told(crowded: Federation) -> None:
    question = "Which genes explain how drugone acts on testosis?"
    whole = ask(crowded, question).text.splitlines()
    assert whole[7] == "7. LINKG: drugone affects LINKG [E13]. LINKG contributes to testosis [E14]."
    cut = ask(crowded, question, top_k=3).text.splitlines()
    assert cut[2] == (
        "2. LINKB: drugone affects LINKB [E3]. What connects it to testosis is not on this page."
    )


# --- the name of a status -----------------------------------------------------------------------


def test_the_old_name_of_a_status_is_still_taken(world: Federation) -> None:
    assert load_settings({"status": ("approved",)}, environ={}).status == ("established",)
    with pytest.raises(ConfigError, match="there is no status 'licensed'"):
        load_settings({"status": ("licensed",)}, environ={})
    answer = ask(world, "Which drugs treat testosis?", status=("approved",))
    assert [(c.name, c.status) for c in answer.candidates] == [("drugone", "established")]
