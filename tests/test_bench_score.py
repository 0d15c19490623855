"""What is right and what is not: identifiers, names, the published rule, places, citations."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from fedrag.bench.marks import Citations, Places, Rows
from fedrag.bench.match import forms, matching, names_gold, spelling
from fedrag.bench.model import (
    ArmResult,
    CitedLine,
    Context,
    FoundEntity,
    Gold,
    Question,
    QuestionResult,
    RankedCandidate,
    Thing,
)
from fedrag.bench.score import mark

PTGS2 = Gold(
    "PTGS2",
    ("UniProt:P35354", "HGNC:9605", "NCBIGene:5743"),
    ("COX-2", "prostaglandin-endoperoxide synthase 2", "Cyclooxygenase-2"),
)
GENE = Question(
    "gene-1",
    "gene",
    "Which gene ...?",
    (PTGS2,),
    Thing("celecoxib", ("DRUGBANK:DB00482",)),
    Thing("Pain", ("MESH:D010146",)),
    published=("PTGS2",),
)
DRUGS = (
    Gold("imatinib", ("DRUGBANK:DB00619", "MESH:D000068877"), ("Gleevec",)),
    Gold("dasatinib", ("DRUGBANK:DB01254",)),
    Gold("midostaurin", ("DRUGBANK:DB06595",)),
)
DRUG = Question(
    "drug-1",
    "drug",
    "Which Drug ...?",
    DRUGS,
    None,
    Thing("Systemic mast cell disease", ("MESH:D034721",)),
    Thing("cell population proliferation", ("GO:0008283",)),
    published=("imatinib", "dasatinib"),
)


def ran(arm: ArmResult, question: Question = GENE, **more: object) -> QuestionResult:
    result = QuestionResult(question.id, question.kind, arms={arm.arm: arm})
    return replace(result, **more)  # type: ignore[arg-type]


def ranked(ranks: Mapping[str, int | None], question: Question = DRUG) -> QuestionResult:
    return ran(ArmResult("ranking", "x", items=("x",)), question, ranks=ranks)


# --- names and identifiers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "PTGS2",
        "ptgs2",
        " PTGS2. ",
        '"PTGS2"',
        "**PTGS2**",
        "PTGS2 gene",
        "the PTGS2 gene",
        "Gene: PTGS2",
        "COX-2",
        "COX2",
        "cox 2",
        "COX\u20112",  # a hyphen that does not break
        "Cyclooxygenase\u20132",  # an en dash
        "Prostaglandin-endoperoxide synthase 2",
        "PTGS2 (prostaglandin-endoperoxide synthase 2)",
        "Prostaglandin G/H synthase 2 (PTGS2)",
        "PTGS2 [human]",
        "prostaglandin H2 synthase, also known as COX-2",
        "ＰＴＧＳ２",  # full width
    ],
)
def test_a_gold_is_named_by_any_spelling_of_any_of_its_names(answer: str) -> None:
    assert names_gold(answer, PTGS2) == "name"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " ",
        "2",
        "PTGS",
        "COX",
        "COX-1",
        "PTGS1",
        "PTGS22",
        "PTGS2 inhibitor",
        "PTGS2, PTGS1",
        "PTGS1 and PTGS2",
        "PTGS1/PTGS2",
        "COX-1 (PTGS1) and COX-2 (PTGS2)",
        "COX-1 and COX-2 (PTGS2)",
        "none",
        None,
    ],
)
def test_a_part_of_a_name_or_several_things_are_not_the_gold(answer: str | None) -> None:
    assert names_gold(answer, PTGS2) is None


def test_without_the_synonym_cox_2_is_not_known_for_ptgs2() -> None:
    assert names_gold("COX-2", Gold("PTGS2", ("HGNC:9605",))) is None


@pytest.mark.parametrize(
    "answer",
    [
        "HGNC:9605",
        "hgnc:9605",
        "cyclooxygenase (HGNC:9605)",
        "UniProtKB:P35354",
        "HGNC:9605, NCBIGene:5743.",
        "HGNC:9605 ENSEMBL:ENSG00000073756",  # another vocabulary, which the gold has no word of
    ],
)
def test_an_identifier_in_the_answer_names_the_gold(answer: str) -> None:
    assert names_gold(answer, PTGS2) == "identifier"


@pytest.mark.parametrize(
    "answer", ["HGNC:960", "HGNC:96055", "HGNC:9604", "HGNC:9604 or HGNC:9605"]
)
def test_another_identifier_or_two_of_one_vocabulary_do_not(answer: str) -> None:
    assert names_gold(answer, PTGS2) is None


def test_the_published_files_prefixes_are_the_others() -> None:
    assert names_gold(None, DRUGS[0], "DB:DB00619") == "identifier"
    assert names_gold(None, PTGS2, "UniProtKB:P35354") == "identifier"
    assert names_gold("x", PTGS2, "NCBIGene:57430") is None


def test_an_identifier_counts_before_a_name_and_the_first_gold_before_the_others() -> None:
    assert matching("imatinib", DRUGS, "DRUGBANK:DB01254") == (1, "identifier")
    twins = (Gold("a", (), ("x",)), Gold("b", (), ("x",)))
    assert matching("X", twins) == (0, "name")
    assert matching("y", twins) is None
    assert matching("y", ()) is None


def test_blanks_and_hyphens_count_between_digits_and_beside_signs() -> None:
    assert spelling("IL-1 2") != spelling("IL-12")
    assert spelling("Cl-") != spelling("Cl")
    assert spelling("(+)-tramadol") != spelling("(-)-tramadol")
    assert spelling("5-HT2A") == spelling("5‑HT₂A") == spelling("5 HT 2A")
    assert spelling("PPARγ") == spelling("PPAR-gamma")
    assert spelling("µ-opioid receptor") == spelling("mu opioid receptor")


def test_an_empty_answer_has_no_form_and_a_gold_without_names_none_to_meet() -> None:
    assert forms("") == forms(" \u200b ") == frozenset()
    assert names_gold(".", Gold("", (), (" ", "\u200b"))) is None
    assert names_gold("", Gold("", (), (" ", "\u200b"))) is None


def test_spelling_never_makes_two_things_of_drugmechdb_one(corpora: Path) -> None:
    records = json.loads((corpora / "drugmechdb" / "indication_paths.json").read_bytes())
    by_key: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for node in (node for record in records for node in record["nodes"]):
        by_key[spelling(node["name"])][node["name"].casefold()].add(node["id"])
    apart = {
        key: sorted(names)
        for key, names in by_key.items()
        if len(names) > 1 and not set.intersection(*names.values())
    }
    # Two identifiers each, and one thing each; the first of two bacteria.
    assert apart == {
        "50sribosomalproteinl10": ["50s ribosomal protein l-10", "50s ribosomal protein l10"],
        "penicillinbindingproteins": ["penicillin binding proteins", "penicillin-binding proteins"],
        "gonadotropinreleasinghormone": [
            "gonadotropin releasing hormone",
            "gonadotropin-releasing hormone",
        ],
        "gammaaminobutyricacid": ["gamma-aminobutyric acid", "γ-aminobutyric acid"],
    }


# --- right, and the published rule beside it -----------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "right", "substring"),
    [
        ("PTGS2", True, True),
        ("COX-2", True, False),
        ("PTGS", False, True),
        ("", False, True),
        ("PTGS1", False, False),
    ],
)
def test_the_fair_rule_and_the_published_one_stand_side_by_side(
    answer: str, right: bool, substring: bool
) -> None:
    scored = mark(GENE, ran(ArmResult("pruned", answer)), "pruned")
    assert (scored.outcome, scored.right, scored.substring) == ("answered", right, substring)
    assert scored.rows == Rows(1, int(right), int(substring))
    assert scored.gold == ("PTGS2" if right else None)


def test_one_answer_is_right_of_one_published_row_only() -> None:
    scored = mark(DRUG, ran(ArmResult("pruned", "Gleevec"), DRUG), "pruned")
    assert (scored.right, scored.by, scored.gold) == (True, "name", "imatinib")
    assert scored.rows == Rows(2, 1, 0)
    exact = mark(DRUG, ran(ArmResult("pruned", "dasatinib"), DRUG), "pruned")
    assert (exact.rows, exact.substring) == (Rows(2, 1, 1), True)
    # right by DrugMechDB, though no published row has it
    other = mark(DRUG, ran(ArmResult("pruned", "midostaurin"), DRUG), "pruned")
    assert (other.right, other.rows) == (True, Rows(2, 0, 0))


def test_a_published_row_may_repeat_and_may_go_by_a_synonym() -> None:
    question = replace(DRUG, published=("Imatinib", "GLEEVEC", "nilotinib"))
    scored = mark(question, ran(ArmResult("pruned", "imatinib"), question), "pruned")
    assert scored.rows == Rows(3, 2, 1)


def test_a_question_outside_the_published_set_has_no_rows() -> None:
    question = replace(GENE, published=())
    scored = mark(question, ran(ArmResult("pruned", "PTGS2")), "pruned")
    assert (scored.right, scored.rows, scored.substring) == (True, None, None)


def test_a_candidate_that_the_run_knew_for_the_gold_is_right_by_identifier() -> None:
    candidates = (
        RankedCandidate("other", "ENSEMBL:ENSG1", 2.0),
        RankedCandidate("cyclooxygenase", "ENSEMBL:ENSG00000073756", 1.0),
    )
    arm = ArmResult("written", "cyclooxygenase", curie="ENSEMBL:ENSG00000073756")
    known = ran(arm, candidates=candidates, ranks={"PTGS2": 2})
    assert mark(GENE, known, "written").by == "identifier"
    assert mark(GENE, replace(known, ranks={"PTGS2": 1}), "written").right is False
    assert mark(GENE, replace(known, ranks={"PTGS2": None}), "written").right is False


# --- outcomes -----------------------------------------------------------------------------------


def test_an_abstention_an_error_and_a_failure_are_wrong_and_told_apart() -> None:
    abstained = mark(GENE, ran(ArmResult("pruned", abstained=True)), "pruned")
    error = mark(GENE, ran(ArmResult("pruned", error="answered prose")), "pruned")
    failed = mark(GENE, QuestionResult("gene-1", "gene", error="PlanError: none"), "pruned")
    for scored, outcome in ((abstained, "abstained"), (error, "error"), (failed, "failed")):
        assert (scored.outcome, scored.right, scored.rows) == (outcome, False, Rows(1, 0, 0))
        assert scored.places == Places((None,))
        assert scored.citations is None
    assert (error.error, failed.error) == ("answered prose", "PlanError: none")


def test_what_an_arm_named_before_it_abstained_or_failed_does_not_count() -> None:
    arm = ArmResult("pruned", "PTGS2", items=("PTGS2",), error="timed out")
    assert mark(GENE, ran(arm), "pruned").places == Places((None,))
    arm = ArmResult("pruned", "PTGS2", items=("PTGS2",), abstained=True)
    assert mark(GENE, ran(arm), "pruned").right is False


def test_a_context_without_a_model_is_neither_right_nor_wrong() -> None:
    arm = ArmResult("t10", context=Context(3, 40, {"PTGS2": 2}))
    scored = mark(GENE, ran(arm), "t10")
    assert (scored.outcome, scored.right, scored.rows, scored.places) == ("unasked",) + (None,) * 3
    assert scored.given is not None
    assert (scored.given.sentences, scored.given.golds) == (3, Places((2,)))


def test_an_arm_that_answered_is_not_failed_by_the_question() -> None:
    result = ran(ArmResult("model_only", "PTGS2"), error="ServiceError: all failed")
    assert mark(GENE, result, "model_only").outcome == "answered"
    assert mark(GENE, result, "model_only").retrieval.failed
    assert mark(GENE, result, "pruned").outcome == "failed"


def test_another_questions_result_and_an_arm_that_was_not_run_are_refused() -> None:
    with pytest.raises(ValueError, match="the result of 'gene-1' is not one of question 'drug-1'"):
        mark(DRUG, ran(ArmResult("pruned", "x")), "pruned")
    with pytest.raises(ValueError, match="question 'gene-1' was not asked of arm 'full'"):
        mark(GENE, ran(ArmResult("pruned", "x")), "full")


# --- places -------------------------------------------------------------------------------------


def test_places_of_the_ranking_arm_are_those_of_the_whole_ranking() -> None:
    places = mark(
        DRUG, ranked({"imatinib": 3, "dasatinib": None, "midostaurin": 12}), "ranking"
    ).places
    assert places == Places((3, None, 12))
    assert [places.hit(k) for k in (1, 3, 5, 10)] == [False, True, True, True]
    assert [places.precision(k) for k in (1, 3, 5, 10)] == [0, 1 / 3, 1 / 5, 1 / 10]
    assert [places.recall(k) for k in (1, 3, 5, 10)] == [0, 1 / 3, 1 / 3, 1 / 3]
    assert [places.f1(k) for k in (1, 3, 5)] == [0, 1 / 3, 0.25]
    assert places.reciprocal == 1 / 3


def test_two_golds_that_are_one_candidate_are_one_place_and_two_found() -> None:
    places = mark(DRUG, ranked({"imatinib": 1, "dasatinib": 1, "midostaurin": 2}), "ranking").places
    assert places is not None
    assert (places.precision(1), places.recall(1)) == (1.0, 2 / 3)
    assert (places.precision(3), places.recall(3), places.f1(3)) == (2 / 3, 1.0, 0.8)


def test_no_gold_in_the_ranking_scores_nought() -> None:
    places = Places((None, None))
    assert (places.hit(10), places.precision(1), places.recall(10), places.f1(5)) == (
        False,
        0,
        0,
        0,
    )
    assert places.reciprocal == 0


def test_an_arm_with_its_own_items_is_judged_by_them() -> None:
    arm = ArmResult(
        "written", "sunitinib", items=("sunitinib", "Dasatinib", "gleevec", "dasatinib")
    )
    result = ran(arm, DRUG, ranks={"imatinib": 1, "dasatinib": 2, "midostaurin": 3})
    scored = mark(DRUG, result, "written")
    assert (scored.right, scored.places) == (False, Places((3, 2, None)))


def test_the_identifier_is_the_answers_and_not_the_other_items() -> None:
    arm = ArmResult("written", "a", curie="HGNC:9605", items=("b", "a"))
    assert mark(GENE, ran(arm), "written").places == Places((2,))


def test_an_answer_without_items_is_the_only_one() -> None:
    assert mark(GENE, ran(ArmResult("pruned", "COX-2")), "pruned").places == Places((1,))


# --- retrieval, entities, citations, cosine -----------------------------------------------------


def test_where_the_golds_stand_in_the_evidence_and_on_the_page() -> None:
    result = ran(
        ArmResult("pruned", "x", context=Context(0, 0)),
        DRUG,
        retrieved=Context(50, 900, {"imatinib": 41, "dasatinib": 6, "midostaurin": None}),
        page=Context(40, 700, {"dasatinib": 6}),
        services={"a": "ok", "b": "empty", "c": "timeout", "d": "skipped", "e": "truncated"},
        edges=7,
        left_out=2,
    )
    scored = mark(DRUG, result, "pruned")
    found = scored.retrieval
    assert found.everything.golds == Places((41, 6, None))
    assert [found.everything.golds.recall(k) for k in (5, 10, 40)] == [0, 1 / 3, 1 / 3]
    assert found.everything.golds.recall() == 2 / 3
    assert found.page.golds == Places((None, 6, None))
    assert (found.asked, found.answered, found.edges, found.left_out) == (4, 3, 7, 2)
    assert scored.given is not None
    assert (scored.given.sentences, scored.given.golds.hit()) == (0, False)


def test_entities_are_judged_against_what_the_question_names() -> None:
    disease = FoundEntity("mast cell disease", "MESH:D034721", "Mastocytosis", "disease")
    process = FoundEntity("proliferation", "GO:0008283", "proliferation", "process")
    stray = FoundEntity("cell", "CL:0000000", "cell")
    drug = FoundEntity("drug", "X:1", "drug", "drug")  # which this question does not name

    def judged(*entities: FoundEntity) -> tuple[int, int, int, int, bool | None]:
        one = mark(DRUG, ran(ArmResult("pruned", "x"), DRUG, entities=entities), "pruned").retrieval
        return one.found, one.found_right, one.named, one.named_found, one.joint

    assert judged(disease, process) == (2, 2, 2, 2, True)
    assert judged(disease, process, stray, drug) == (4, 2, 2, 2, True)
    assert judged(disease, disease) == (2, 2, 2, 1, False)
    assert judged() == (0, 0, 2, 0, False)


def test_entities_of_a_question_that_failed_are_not_known() -> None:
    failed = mark(DRUG, QuestionResult("drug-1", "drug", error="PlanError: none"), "pruned")
    assert failed.retrieval.joint is None
    assert not failed.retrieval.knows_entities
    assert not failed.retrieval.everything.golds.hit()


def test_citations_exist_when_their_line_does_and_support_when_it_is_about_the_answer() -> None:
    lines = (
        CitedLine("E1", "a", "infores:x", supports=True),
        CitedLine("E2", "b", "infores:x", supports=False),
        CitedLine("E3", "c", "infores:x", supports=None),  # cited for another candidate
    )
    arm = ArmResult(
        "pruned", "x", context=Context(9, 99), citations=("E1", "E2", "E3", "E77"), cited=lines
    )
    scored = mark(GENE, ran(arm), "pruned")
    assert scored.citations == Citations(given=4, exist=3, lines=2, support=1)
    assert not Citations(3, 2, 2, 1).sound
    assert Citations(1, 1, 1, 1).sound
    assert not Citations(0, 0, 0, 0).sound
    alone = mark(GENE, ran(replace(arm, arm="model_only", context=None)), "model_only")
    assert alone.citations is None


def letters(answer: str, gold: str) -> float:
    """The share of letters in common: a stand-in for the model."""
    ours, theirs = set(answer.casefold()), set(gold.casefold())
    return len(ours & theirs) / len(ours | theirs)


def test_cosine_is_of_the_likest_gold_and_of_each_row() -> None:
    scored = mark(DRUG, ran(ArmResult("pruned", "dasatinib"), DRUG), "pruned", similarity=letters)
    assert scored.cosine == 1.0
    assert scored.rows is not None
    assert scored.rows.cosines == (letters("dasatinib", "imatinib"), 1.0)
    assert scored.cosine_model == "unnamed"


def test_no_answer_and_an_empty_one_have_no_cosine() -> None:
    for arm in (ArmResult("pruned", ""), ArmResult("pruned", abstained=True)):
        scored = mark(DRUG, ran(arm, DRUG), "pruned", similarity=letters)
        assert scored.cosine is None
        assert scored.rows is not None
        assert scored.rows.cosines == (None, None)


def test_calls_tokens_cost_and_seconds_are_the_arms_own() -> None:
    arm = ArmResult("pruned", "x", calls=2, prompt_tokens=900, completion_tokens=12, cost=0.5)
    scored = mark(GENE, ran(replace(arm, seconds=1.5), calls=31, seconds=4.0), "pruned")
    assert (scored.calls, scored.prompt_tokens, scored.completion_tokens) == (2, 900, 12)
    assert (scored.cost, scored.seconds) == (0.5, 1.5)
    assert (scored.retrieval.calls, scored.retrieval.seconds) == (31, 4.0)
