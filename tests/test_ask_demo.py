"""The demo: every recorded question replays, deterministically, with answers DrugMechDB gives."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest
from click.testing import CliRunner

import fedrag
from fedrag.cli.main import cli
from fedrag.datamodel import Answer
from fedrag.errors import OfflineError, UnresolvedEntityError
from fedrag.resources import schema_path
from fedrag.testing.questions import DemoQuestion, demo_questions

HYDROCHLOROTHIAZIDE = demo_questions()[0].question
ANSWERED = [q for q in demo_questions() if q.kind not in ("abstain", "unknown")]


def replayed(question: str) -> Answer:
    return fedrag.ask(question, replay="demo")


def without_timings(answer: Answer) -> dict[str, Any]:
    return {k: v for k, v in answer.to_dict().items() if k != "timings"}


def test_the_demo_is_large_and_varied() -> None:
    kinds = [q.kind for q in demo_questions()]
    assert len(kinds) >= 40
    assert {"gene", "metabolite", "drug", "free", "unknown"} <= set(kinds)
    assert kinds.count("abstain") >= 2
    assert kinds.count("unknown") == 1


def test_hydrochlorothiazide_acts_on_slc12a3_with_two_cited_edges_in_the_output() -> None:
    output = replayed(HYDROCHLOROTHIAZIDE).to_dict()
    assert output["answer"]["name"] == "SLC12A3"
    assert output["answer"]["curie"] == "NCBIGene:6559"
    cited = {key for s in output["answer"]["sentences"] for key in s["citations"]}
    edges = {e["id"] for item in output["evidence"] if item["key"] in cited for e in item["edges"]}
    assert len(edges) >= 2
    first = output["evidence"][0]
    assert first["sentence"] == "Hydrochlorothiazide decreases activity of SLC12A3"
    assert first["edges"][0]["primary_source"] == "infores:drugmechdb"


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda q: q.question[-60:])
def test_every_answer_matches_the_schema_and_cites_what_is_there(asked: DemoQuestion) -> None:
    output = replayed(asked.question).to_dict()
    jsonschema_rs.validator_for(json.loads(schema_path("answer").read_bytes())).validate(output)
    assert output["mode"] == "replay"
    keys = {item["key"] for item in output["evidence"]}
    cited = set(re.findall(r"\[(E\d+)\]", output["answer"]["text"]))
    assert cited
    assert cited <= keys
    for sentence in output["answer"]["sentences"]:
        assert sentence["citations"]


def test_most_gold_answers_of_drugmechdb_are_among_the_best_candidates() -> None:
    """First for three gene questions in four; the demo's other true edges compete."""
    genes = [q for q in demo_questions() if q.kind == "gene"]
    first = [q for q in genes if replayed(q.question).name in q.gold]
    assert len(first) >= 0.75 * len(genes)
    drugs = [q for q in demo_questions() if q.kind == "drug"]
    top_five = [
        q for q in drugs if {c.name for c in replayed(q.question).candidates[:5]} & set(q.gold)
    ]
    assert len(top_five) >= 0.75 * len(drugs)


def test_a_replay_is_identical_but_for_its_timings() -> None:
    one, two = (without_timings(replayed(HYDROCHLOROTHIAZIDE)) for _ in range(2))
    assert json.dumps(one) == json.dumps(two)


def test_abstaining_says_what_was_asked_of_whom_and_exits_with_4() -> None:
    for asked in demo_questions():
        if asked.kind != "abstain":
            continue
        result = CliRunner().invoke(
            cli, ["ask", "--replay", "demo", asked.question], standalone_mode=False
        )
        assert result.return_value == 4, asked.question
        assert "bte" in result.stdout


def test_an_unknown_drug_is_an_unresolved_entity() -> None:
    (unknown,) = (q.question for q in demo_questions() if q.kind == "unknown")
    with pytest.raises(UnresolvedEntityError, match="nothing was found for"):
        replayed(unknown)


def test_the_first_line_says_that_it_is_recorded() -> None:
    result = CliRunner().invoke(
        cli, ["ask", "--replay", "demo", HYDROCHLOROTHIAZIDE], standalone_mode=False
    )
    assert result.stdout.splitlines()[0] == "Recorded demo, not a live answer"
    assert result.stderr == ""


def test_a_question_the_demo_does_not_hold_says_where_what_it_holds_is_listed() -> None:
    with pytest.raises(OfflineError) as caught:
        replayed("What are the targets of Drug metformin?")
    assert "nameres POST /bulk-lookup" in str(caught.value)
    questions = sorted(question.question for question in demo_questions())
    told = f"{'; '.join(questions[:3])}; and {len(questions) - 3} more; `fedrag cassette show NAME`"
    assert told in str(caught.value)
    shown = CliRunner().invoke(cli, ["cassette", "show", "demo"]).stdout
    assert all(question in shown for question in questions)


async def test_ask_works_inside_a_running_event_loop() -> None:
    assert fedrag.ask("what are the targets of imatinib?", replay="demo").kind == "list"
    answer = await fedrag.aask("what are the targets of imatinib?", replay="demo")
    assert "ABL1" in {candidate.name for candidate in answer.candidates}
