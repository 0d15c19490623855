"""Scores of a run: counted exactly, headline outside the split, the same whenever computed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fedrag.bench.marks import Mark
from fedrag.bench.model import (
    ArmResult,
    CitedLine,
    Context,
    FoundEntity,
    Gold,
    Kind,
    Question,
    QuestionResult,
    Thing,
)
from fedrag.bench.questions import read_questions
from fedrag.bench.score import mark
from fedrag.bench.scores import TIMED, compare, mark_all, run_scores, summarise
from fedrag.bench.split import is_development

pytest.importorskip("statsmodels", reason="the extra bench is not installed")
pytest.importorskip("scipy", reason="the extra bench is not installed")

ARMS = ("ranking", "model_only", "pruned", "t10")


def question(number: int, kind: Kind = "gene", **more: Any) -> Question:
    made = Question(
        f"{kind}-{number}",
        kind,
        "?",
        (Gold(f"GOLD{number}", (f"HGNC:{number}",), (f"alias {number}",)),),
        Thing("drug", ("DRUGBANK:DB1",)),
        Thing("disease", ("MESH:D1",)),
        published=(f"GOLD{number}",),
        drug_key=f"DRUGBANK:DB{number:05}",
    )
    return replace(made, **more)


def result(
    asked: Question, answers: dict[str, str | None], rank: int | None = 1, **more: Any
) -> QuestionResult:
    gold = asked.golds[0].name
    arms = {
        arm: ArmResult(arm, answer, abstained=answer is None) for arm, answer in answers.items()
    }
    arms["t10"] = ArmResult("t10", context=Context(2, 20, {gold: rank}))
    made = QuestionResult(asked.id, asked.kind, arms=arms, ranks={gold: rank}, **more)
    return replace(made, retrieved=Context(9, 100, {gold: rank}), page=Context(4, 25, {gold: rank}))


QUESTIONS = [question(number, alternatives=1 + number % 2) for number in range(1, 41)]
REST = [q for q in QUESTIONS if not is_development(q.drug_key)]


def results() -> list[QuestionResult]:
    """Ranking right but for every fifth; the model alone on every fourth, by alias; one failed."""
    made = []
    for number, asked in enumerate(QUESTIONS, start=1):
        gold = asked.golds[0]
        alone = gold.synonyms[0] if number % 4 == 0 else "something else"
        pruned = None if number % 10 == 0 else gold.name
        ranked = "another" if number % 5 == 0 else gold.name
        answers = {"ranking": ranked, "model_only": alone, "pruned": pruned}
        made.append(result(asked, answers, rank=2 if number % 5 == 0 else 1))
    made[6] = QuestionResult(made[6].id, "gene", error="PlanError: nothing fits")
    return made


def value(scores: dict[str, Any], name: str) -> tuple[float | None, int]:
    return scores[name]["value"], scores[name]["n"]


# --- one arm ------------------------------------------------------------------------------------


def marks_of(arms: Sequence[ArmResult], **more: Any) -> list[Mark]:
    made = []
    for number, arm in enumerate(arms, start=1):
        asked = question(number)
        ran = QuestionResult(asked.id, "gene", arms={arm.arm: arm}, **more)
        made.append(mark(asked, ran, arm.arm))
    return made


def test_errors_and_abstentions_are_wrong_and_told_apart() -> None:
    marks = marks_of(
        [
            ArmResult("pruned", "GOLD1"),
            ArmResult("pruned", "alias 2"),
            ArmResult("pruned", "GOLD"),  # a part of the gold: right by the published rule alone
            ArmResult("pruned", abstained=True),
            ArmResult("pruned", error="timed out"),
        ]
    )
    scores = summarise(marks)
    assert (scores["accuracy"].count, scores["accuracy"].n) == (2, 5)
    assert (scores["accuracy_answered"].count, scores["accuracy_answered"].n) == (2, 3)
    assert scores["published_rule"].value == 0.4
    assert [scores[n].count for n in ("answered", "abstained", "error", "failed")] == [3, 1, 1, 0]
    assert scores["hits@1"].value == scores["mrr"].value == 0.4
    low, high = scores["accuracy"].low, scores["accuracy"].high
    assert (low, high) == pytest.approx((0.1176207, 0.7692757), abs=1e-7)


def test_rows_are_counted_each_with_its_own_gold() -> None:
    golds = (Gold("imatinib", ()), Gold("dasatinib", ()))
    several = question(1, "drug", golds=golds, published=("imatinib", "dasatinib", "imatinib"))
    single = question(2, "drug")
    marks = [
        mark(
            asked,
            QuestionResult(asked.id, "drug", arms={"pruned": ArmResult("pruned", name)}),
            "pruned",
        )
        for asked, name in ((several, "imatinib"), (single, "GOLD2"))
    ]
    scores = summarise(marks)
    assert (scores["accuracy"].count, scores["accuracy"].n) == (2, 2)
    assert (scores["rows_accuracy"].count, scores["rows_accuracy"].n) == (3, 4)
    assert (scores["rows_published_rule"].count, scores["rows_published_rule"].n) == (3, 4)


def test_citations_are_pooled_and_answers_judged_whole() -> None:
    good = CitedLine("E1", "s", "infores:x", supports=True)
    bad = CitedLine("E2", "s", "infores:x")
    context = Context(5, 50, {"GOLD1": 1})
    marks = marks_of(
        [
            ArmResult("pruned", "GOLD1", context=context, citations=("E1",), cited=(good,)),
            ArmResult(
                "pruned", "x", context=context, citations=("E1", "E2", "E9"), cited=(good, bad)
            ),
            ArmResult("pruned", "x", context=context),
            ArmResult("pruned", abstained=True, context=context),
        ]
    )
    scores = summarise(marks)
    assert (scores["citations_exist"].count, scores["citations_exist"].n) == (3, 4)
    assert (scores["citations_support"].count, scores["citations_support"].n) == (2, 3)
    assert (scores["answers_cited"].count, scores["answers_cited"].n) == (2, 3)
    assert (scores["answers_soundly_cited"].count, scores["answers_soundly_cited"].n) == (1, 3)


def test_accuracy_is_told_with_the_gold_in_the_context_and_without() -> None:
    with_gold, without = Context(5, 50, {"GOLD1": 3}), Context(0, 0, {})
    marks = marks_of(
        [
            ArmResult("pruned", "GOLD1", context=with_gold),
            ArmResult("pruned", "x", context=without),
            ArmResult("pruned", "alias 3", context=without),
        ]
    )
    scores = summarise(marks)
    assert (scores["context_gold"].count, scores["context_empty"].count) == (1, 2)
    assert scores["accuracy_with_gold"].value == 1.0
    assert scores["accuracy_without_gold"].value == 0.5
    assert scores["context_tokens"].value == 50 / 3


def test_a_failed_question_is_one_without_a_gold_in_its_context() -> None:
    marks = marks_of([ArmResult("pruned", "x", context=Context(1, 9, {"GOLD1": 1}))])
    failed = question(2)
    marks.append(mark(failed, QuestionResult(failed.id, "gene", error="PlanError: none"), "pruned"))
    scores = summarise(marks)
    assert (scores["context_gold"].count, scores["context_gold"].n) == (1, 2)
    assert scores["context_recall"].value == 0.5
    assert scores["failed"].count == 1


def test_an_arm_without_a_model_scores_its_context_alone() -> None:
    marks = marks_of([ArmResult("t10", context=Context(1, 9, {"GOLD1": 1})), ArmResult("t10")])
    failed = question(3)
    marks.append(mark(failed, QuestionResult(failed.id, "gene", error="PlanError: none"), "t10"))
    scores = summarise(marks)
    assert (scores["accuracy"].value, scores["accuracy"].n) == (None, 0)
    assert (scores["hits@1"].n, scores["answered"].n, scores["mrr"].n) == (0, 0, 0)
    assert (scores["context_gold"].count, scores["context_gold"].n) == (1, 2)


def test_cost_and_tokens_are_summed_over_those_that_tell_them() -> None:
    marks = marks_of(
        [
            ArmResult("pruned", "x", prompt_tokens=10, completion_tokens=1, cost=0.1, seconds=1.0),
            ArmResult("pruned", "x", prompt_tokens=20, completion_tokens=2, cost=0.2, seconds=4.0),
            ArmResult("pruned", "x", seconds=2.5),
        ]
    )
    scores = summarise(marks)
    assert (scores["tokens_total"].value, scores["tokens_total"].n) == (33.0, 3)
    assert scores["cost_total"].value == pytest.approx(0.3)
    assert scores["cost_total"].n == 2
    assert [scores[n].value for n in ("seconds", "seconds_median", "seconds_max")] == [
        2.5,
        2.5,
        4.0,
    ]


def test_of_no_marks_every_score_is_none() -> None:
    assert {(s.value, s.n, s.low, s.high) for s in summarise([]).values()} == {
        (None, 0, None, None)
    }


def test_cosine_is_told_with_its_model_and_counts_the_unanswered() -> None:
    class Alike:
        name = "toy"

        def __call__(self, answer: str, gold: str) -> float:
            return 0.9 if answer == "near" else 0.3

    answers = [
        ArmResult("pruned", "near"),
        ArmResult("pruned", "far"),
        ArmResult("pruned", abstained=True),
    ]
    marks = []
    for number, arm in enumerate(answers, start=1):
        asked = question(number)
        ran = QuestionResult(asked.id, "gene", arms={"pruned": arm})
        marks.append(mark(asked, ran, "pruned", similarity=Alike()))
    scores = summarise(marks)
    assert (scores["cosine>=0.90"].count, scores["cosine>=0.90"].n) == (1, 3)
    assert (scores["cosine>=0.95"].count, scores["rows_cosine>=0.80"].count) == (0, 1)
    assert scores["cosine_mean"].value == pytest.approx(0.6)
    assert scores["cosine_mean"].n == 2
    assert {s.model for name, s in scores.items() if "cosine" in name} == {"toy"}
    assert {s.model for name, s in scores.items() if "cosine" not in name} == {None}
    assert not any("cosine" in name for name in summarise(marks_of(answers)))


# --- two arms -----------------------------------------------------------------------------------


def test_two_arms_are_compared_on_the_questions_that_both_have() -> None:
    by_arm = mark_all(QUESTIONS, results(), ARMS)
    compared = compare(by_arm["pruned"], by_arm["model_only"])
    # 40 questions, one failed in both; pruned wrong at 10, 20, 30, 40; alone right at every 4th
    assert (compared.first, compared.second, compared.rule) == ("pruned", "model_only", "right")
    assert compared.n == 40
    assert (compared.both, compared.first_only) == (8, 27)
    assert (compared.second_only, compared.neither) == (2, 3)
    assert compared.odds_ratio == 13.5
    assert compared.p == pytest.approx(2 * (1 + 29 + 29 * 28 / 2) / 2**29, rel=1e-12)
    assert compared.difference == 25 / 40
    assert compared.low is not None
    assert compared.high is not None
    assert compared.low < 25 / 40 < compared.high
    other = compare(by_arm["model_only"], by_arm["pruned"])
    assert (other.odds_ratio, other.p, other.difference) == (2 / 27, compared.p, -25 / 40)


def test_the_published_rule_compares_what_it_counts() -> None:
    by_arm = mark_all(QUESTIONS, results(), ARMS)
    compared = compare(by_arm["pruned"], by_arm["model_only"], rule="substring")
    assert (compared.rule, compared.both, compared.second_only) == ("substring", 0, 0)
    assert (compared.odds_ratio, compared.odds_high) == (None, None)


def test_pairs_are_by_question_and_the_rest_is_left_out() -> None:
    first = marks_of([ArmResult("a", "GOLD1"), ArmResult("a", "x"), ArmResult("a", "GOLD3")])
    second = marks_of([ArmResult("b", "GOLD1"), ArmResult("b", "x")])
    compared = compare(first[::-1], second)
    assert (compared.n, compared.both, compared.neither, compared.p) == (2, 1, 1, 1.0)
    assert (compared.odds_ratio, compared.odds_low, compared.odds_high) == (None, None, None)
    assert (compared.difference, compared.low, compared.high) == (0.0, None, None)
    with pytest.raises(ValueError, match="without marks"):
        compare(first, [])


# --- a run --------------------------------------------------------------------------------------


def test_the_headline_is_over_the_questions_outside_the_development_split() -> None:
    scores = run_scores(QUESTIONS, results(), ARMS)
    assert 25 < len(REST) < 40
    assert scores["n"] == len(REST) == scores["strata"]["rest"]["n"]
    right = [int(q.id[5:]) % 5 != 0 and q.id != "gene-7" for q in REST]
    assert value(scores["arms"]["ranking"], "accuracy") == (sum(right) / len(REST), len(REST))
    assert scores["arms"]["ranking"]["hits@3"]["count"] == len(REST) - (
        any(q.id == "gene-7" for q in REST)
    )
    assert value(scores["retrieval"], "gold_in_evidence")[1] == len(REST)
    assert scores["split"] == {"seed": 20260, "share": 0.2}
    everything = run_scores(QUESTIONS, results(), ARMS, share=0.0)
    assert value(everything["arms"]["ranking"], "accuracy") == (31 / 40, 40)
    assert everything["strata"]["development"]["n"] == 0


def test_the_parts_make_up_the_whole_and_several_proteins_are_told_apart() -> None:
    parts = run_scores(QUESTIONS, results(), ARMS)["strata"]
    names = ["all", "development", "rest", "single_protein", "several_proteins"]
    assert list(parts) == names
    n = {name: parts[name]["n"] for name in names}
    assert n["all"] == n["development"] + n["rest"] == 40
    assert n["rest"] == n["single_protein"] + n["several_proteins"]
    assert n["several_proteins"] == sum(q.alternatives > 1 for q in REST)
    assert "accuracy" in parts["several_proteins"]["arms"]["ranking"]
    assert parts["several_proteins"]["retrieval"]["gold_in_evidence"]["n"] == n["several_proteins"]


def test_drug_questions_are_told_apart_by_how_many_golds_they_have() -> None:
    golds = (Gold("a", ()), Gold("b", ()))
    asked = [question(1, "drug"), question(2, "drug", golds=golds)]
    ran = [result(q, {"ranking": q.golds[0].name}) for q in asked]
    parts = run_scores(asked, ran, ("ranking",), share=0.0)["strata"]
    assert (parts["one_gold"]["n"], parts["several_golds"]["n"]) == (1, 1)
    assert parts["several_golds"]["retrieval"]["recall"]["value"] == 0.5
    assert parts["several_golds"]["retrieval"]["gold_in_evidence"]["value"] == 1.0


def test_retrieval_counts_entities_evidence_and_pruning() -> None:
    asked = question(1)
    entities = (
        FoundEntity("drug", "DRUGBANK:DB1", "drug", "drug"),
        FoundEntity("thing", "X:1", "thing"),
    )
    more = {
        "entities": entities,
        "services": {"a": "ok", "b": "timeout"},
        "calls": 6,
        "seconds": 2.0,
    }
    ran = result(asked, {"ranking": "GOLD1"}, rank=7, **more)
    found = run_scores([asked], [ran], ("ranking",), share=0.0)["retrieval"]
    assert value(found, "entities_precision") == (0.5, 2)
    assert value(found, "entities_recall") == (0.5, 2)
    assert value(found, "entities_joint") == (0.0, 1)
    assert [found[f"recall@{k}"]["value"] for k in (1, 5, 10, 20, 40)] == [0, 0, 1, 1, 1]
    assert [found[f"gold@{k}"]["count"] for k in (1, 5, 10)] == [0, 0, 1]
    assert value(found, "gold_kept") == (1.0, 1)
    assert value(found, "tokens_kept") == (0.25, 1)
    assert value(found, "services_answered") == (0.5, 2)
    assert (value(found, "calls"), value(found, "seconds_total")) == ((6.0, 1), (2.0, 1))


def test_what_nothing_was_kept_of_is_unmeasured_and_not_nought() -> None:
    """A question that could not be run is a miss of its gold, not of its entities and clock."""
    asked = [question(1), question(2)]
    entities = (
        FoundEntity("drug", "DRUGBANK:DB1", "drug", "drug"),
        FoundEntity("disease", "MESH:D1", "disease", "disease"),
    )
    told: dict[str, Any] = {"services": {"a": "ok"}, "calls": 6, "seconds": 2.0, "edges": 5}
    ran = result(asked[0], {"pruned": "GOLD1"}, entities=entities, **told)
    arm = replace(ran.arms["pruned"], calls=1, prompt_tokens=9, seconds=3.0)
    failed = QuestionResult(asked[1].id, "gene", error="PlanError: nothing fits")
    both = [replace(ran, arms={"pruned": arm}), failed]
    scores = run_scores(asked, both, ("pruned",), share=0.0)
    found = scores["retrieval"]
    assert [value(found, name) for name in ("entities_precision", "entities_recall")] == [
        (1.0, 2),
        (1.0, 2),
    ]
    assert value(found, "entities_joint") == (1.0, 1)
    for name, mean in (("edges", 5), ("calls", 6), ("seconds", 2), ("services_asked", 1)):
        assert value(found, name) == (mean, 1)
    assert (value(found, "tokens"), value(found, "tokens_kept_total")) == ((100, 1), (0.25, 1))
    for name in ("gold_in_evidence", "gold_in_page", "gold_in_candidates", "recall", "gold@1"):
        assert value(found, name) == (0.5, 2)
    own = scores["arms"]["pruned"]
    assert value(own, "accuracy") == (0.5, 2)
    assert [value(own, name) for name in ("calls", "prompt_tokens", "seconds")] == [
        (1, 1),
        (9, 1),
        (3, 1),
    ]


def test_entities_that_were_kept_of_a_failed_question_count() -> None:
    asked = question(1)
    entities = (FoundEntity("drug", "DRUGBANK:DB1", "drug", "drug"),)
    failed = QuestionResult(asked.id, "gene", error="ServiceError: down", entities=entities)
    found = run_scores([asked], [failed], (), share=0.0)["retrieval"]
    assert (value(found, "entities_recall"), value(found, "entities_joint")) == ((0.5, 2), (0, 1))


def test_tokens_kept_are_told_as_the_mean_of_questions_and_of_all_together() -> None:
    asked = [question(1), question(2)]
    ran = [result(q, {"ranking": None}) for q in asked]
    ran[0] = replace(ran[0], retrieved=Context(9, 900), page=Context(1, 90))
    ran[1] = replace(ran[1], retrieved=Context(1, 100), page=Context(1, 100))
    found = run_scores(asked, ran, ("ranking",), share=0.0)["retrieval"]
    assert value(found, "tokens_kept") == (0.55, 2)
    whole = found["tokens_kept_total"]
    assert (whole["value"], whole["n"], whole["low"]) == (0.19, 2, None)


def test_every_arm_is_compared_once_with_each_baseline_by_both_rules() -> None:
    told = run_scores(QUESTIONS, results(), ARMS)["comparisons"]
    assert [(c["first"], c["second"], c["rule"]) for c in told] == [
        ("ranking", "model_only", "right"),
        ("ranking", "model_only", "substring"),
        ("pruned", "model_only", "right"),
        ("pruned", "model_only", "substring"),
        ("pruned", "ranking", "right"),
        ("pruned", "ranking", "substring"),
    ]


def test_one_answer_a_question_cannot_be_right_of_more_than_663_of_the_842_drug_rows(
    corpora: Path,
) -> None:
    asked, _ = read_questions(corpora / "bte_rag" / "DMDB_go_bp_filtered.csv")
    ran = []
    for one in asked:
        ((best, _),) = Counter(one.published).most_common(1)
        ran.append(QuestionResult(one.id, "drug", arms={"ranking": ArmResult("ranking", best)}))
    scores = run_scores(asked, ran, ("ranking",), share=0.0)["arms"]["ranking"]
    assert (scores["accuracy"]["count"], scores["accuracy"]["n"]) == (641, 641)
    assert (scores["rows_accuracy"]["count"], scores["rows_accuracy"]["n"]) == (663, 842)
    # by the substring rule a little more: "Estradiol" is a part of "Ethinylestradiol"
    assert scores["rows_published_rule"]["count"] == 666


def test_what_was_not_run_failed_or_is_unknown_is_named() -> None:
    stray = QuestionResult("gene-99", "gene")
    scores = run_scores(QUESTIONS, [*results()[:-1], stray], ARMS)
    assert (scores["questions"], scores["scored"]) == (40, 39)
    assert (scores["not_run"], scores["unknown"]) == (["gene-40"], ["gene-99"])
    assert scores["failed"] == {"gene-7": "PlanError: nothing fits"}


def test_of_two_results_of_one_question_the_last_counts() -> None:
    asked = question(1)
    wrong, right = result(asked, {"ranking": "x"}), result(asked, {"ranking": "GOLD1"})
    scores = run_scores([asked], [wrong, right], ("ranking",), share=0.0)
    assert value(scores["arms"]["ranking"], "accuracy") == (1.0, 1)


def test_the_model_behind_the_cosine_is_named_and_no_other_is_called_the_published_one() -> None:
    class Alike:
        name = "toy"
        published = False

        def __call__(self, answer: str, gold: str) -> float:
            return 1.0

    scores = run_scores(QUESTIONS, results(), ARMS, similarity=Alike())
    assert scores["similarity"] == {"model": "toy", "published": False}
    assert scores["arms"]["pruned"]["cosine>=1.00"]["model"] == "toy"
    assert run_scores(QUESTIONS, results(), ARMS)["similarity"] is None


def test_scores_are_json_and_equal_to_the_last_digit_from_lines_read_back() -> None:
    first = json.dumps(run_scores(QUESTIONS, results(), ARMS), allow_nan=False)
    lines = [json.loads(json.dumps(one.to_dict())) for one in results()]
    again = [QuestionResult.from_dict(line) for line in reversed(lines)]
    assert json.dumps(run_scores(QUESTIONS, again, ARMS), allow_nan=False) == first
    assert {"seconds", "seconds_total"} <= TIMED


def test_nothing_run_yet_is_scored_as_nothing() -> None:
    scores = run_scores(QUESTIONS, [], ARMS)
    assert (scores["n"], scores["scored"], scores["comparisons"]) == (0, 0, [])
    assert value(scores["arms"]["ranking"], "accuracy") == (None, 0)
