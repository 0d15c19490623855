"""What is kept of a run: the whole answer, and no secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from federated import GENE_QUESTION, ask

import fedrag
from fedrag.config import LLMConfig, ServiceConfig, Settings, load_settings
from fedrag.datamodel import Answer, Attribute, EdgeNode
from fedrag.errors import EntityError, FedragError, RunError
from fedrag.runs import (
    RunLog,
    RunRecord,
    as_then,
    changes,
    error_to_dict,
    log_folder,
    settings_to_dict,
)
from fedrag.runs.record import with_answer
from fedrag.runs.whole import read_answer, write_answer
from fedrag.testing import Federation

DEMO = (
    GENE_QUESTION,
    "Which drugs treat Fabry disease?",
    "How is SLC18A2 connected to tardive dyskinesia?",
    "What links eliglustat and fibromyalgia?",
    "Which genes are involved in multiple myeloma?",
)


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


@pytest.fixture(scope="module")
def answer() -> Answer:
    return fedrag.ask(GENE_QUESTION, replay="demo", log=False)


def recorded(answer: Answer) -> RunRecord:
    begun = RunRecord(answer.question, "2026-11-30T09:01:02+00:00", 0.5, id="r")
    return replace(begun, **with_answer(answer))


@pytest.mark.parametrize("question", DEMO)
def test_an_answer_is_read_back_as_it_was(question: str) -> None:
    answer = fedrag.ask(question, replay="demo", log=False)
    again = read_answer(write_answer(answer))
    assert again == answer
    assert again.to_dict() == answer.to_dict()
    assert again.to_trapi() == answer.to_trapi()
    assert str(again) == str(answer)


def test_an_answer_a_model_wrote_is_read_back_as_it_was(federation: Federation) -> None:
    llm = LLMConfig("loopback-1", federation.base_urls["llm"], timeout=5.0)
    answer = ask(federation, llm=llm, log=False)
    assert answer.llm is not None
    assert read_answer(write_answer(answer)) == answer


def test_values_of_every_json_kind_survive(answer: Answer) -> None:
    nested = Attribute("a:b", None, attributes=(Attribute("c:d", [1, {"e": 0.5}, True]),))
    values = (Attribute("a:b", {"x": ["\u2028", 2**53]}), nested)
    edge = replace(answer.edges[0], attributes=values, qualifiers=(("a", "b"), ("c", "d")))
    spoiled = replace(answer, all_edges=(edge,), evidence=(), timings={"services": {"x": 1}})
    assert read_answer(write_answer(spoiled)) == spoiled


def test_an_edge_of_the_page_that_was_not_retrieved_is_kept_too(answer: Answer) -> None:
    lone = replace(answer, all_edges=())
    again = read_answer(write_answer(lone))
    assert again.evidence == answer.evidence


def test_an_edge_is_written_once(answer: Answer) -> None:
    edge = replace(answer.evidence[0].edges[0], id="once-and-only-once")
    evidence = replace(answer.evidence[0], edges=(edge,))
    text = write_answer(replace(answer, all_edges=(edge,), evidence=(evidence, evidence)))
    assert text.count(b'"id":"once-and-only-once"') == 1


def test_an_answer_of_another_version_is_read(answer: Answer) -> None:
    document = orjson.loads(write_answer(answer))
    document["answer"]["mood"] = "good"  # a field that is gone since
    del document["answer"]["rejected_citations"]  # one that came later
    for edge in document["edges"]:
        edge["subject"]["weight"] = 3
        del edge["retrieved_at"]
    again = read_answer(orjson.dumps(document))
    assert again.candidates == answer.candidates
    assert again.rejected_citations == ()
    assert {edge.retrieved_at for edge in again.edges} == {""}
    assert isinstance(again.edges[0].subject, EdgeNode)


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{}",
        b'{"edges": [], "answer": {}}',
        b'{"edges": 1, "answer": {}}',
        b'{"edges": [], "answer": {"all_edges": [5], "evidence": []}}',
        b'{"edges": [{"id": "e"}], "answer": {"all_edges": [0], "evidence": []}}',
        b"{",
    ],
)
def test_a_body_that_is_no_answer_says_so(body: bytes) -> None:
    record = RunRecord("q", "2026-11-30T09:01:02+00:00", 0.5, id="r", body=body)
    with pytest.raises(RunError, match="the run r cannot be read"):
        record.restored()


def test_a_record_says_what_the_issue_lists(answer: Answer) -> None:
    told = recorded(answer).to_dict()
    assert told["question"] == GENE_QUESTION
    assert told["plan"]["query_graph"]["nodes"]
    assert told["fedrag_version"] == fedrag.__version__
    assert told["biolink_version"] == answer.to_dict()["biolink_version"]
    assert told["python"].count(".") == 2
    assert sum(told["sources"].values()) == len(answer.edges)
    assert told["sources"]["infores:drugmechdb"] > 0
    assert {row["service"] for row in told["services"]} == {s.service for s in answer.services}
    assert told["timings"]["total_seconds"] > 0
    assert told["answer"] == answer.to_dict()
    assert orjson.loads(orjson.dumps(told)) is not None


def test_the_version_told_is_that_of_the_run(answer: Answer) -> None:
    old = replace(recorded(answer), fedrag_version="0.0.9", biolink_version="4.0.0")
    told = old.answer
    assert told is not None
    assert (told["fedrag_version"], told["biolink_version"]) == ("0.0.9", "4.0.0")


def test_the_passport_of_any_retrieved_edge_can_be_had(answer: Answer) -> None:
    record = recorded(answer)
    by_id = {e["id"]: e for item in answer.to_dict()["evidence"] for e in item["edges"]}
    for edge in answer.edges[::40]:
        passport = record.edge(edge.id)
        assert passport is not None
        assert passport["id"] == edge.id
        assert passport == by_id.get(edge.id, passport)
    assert record.edge('"') is None
    assert record.edge(answer.edges[0].id[:-1]) is None


def test_an_error_is_told_whole_and_without_secrets() -> None:
    error = EntityError(
        "nothing for hunter22", mention="x", nearest=("y",), hint="sk-abcdefghijklmnopqrstuv"
    )
    assert error_to_dict(error, ["hunter22"]) == {
        "kind": "EntityError",
        "message": "nothing for [removed]",
        "hint": "[removed]",
        "exit_code": 5,
        "nearest": ["y"],
    }
    assert error_to_dict(ZeroDivisionError("by zero"))["kind"] == "ZeroDivisionError"


# --- settings -----------------------------------------------------------------------------------


def secretive(**more: Any) -> Settings:
    return Settings(
        llm=LLMConfig("m", "http://me:hunter22@127.0.0.1:1/v1?key=hunter23", key="hunter24"),
        cache_url="redis://:hunter25@127.0.0.1:6379/3",
        email="hunter26@example.org",
        services={
            "bte": ServiceConfig(base_url="http://u:hunter27@127.0.0.1:2/v1?token=hunter28"),
            "mine": ServiceConfig(protocol="trapi", settings={"api_key": "hunter29", "depth": 3}),
        },
        **more,
    )


def test_no_secret_is_kept_in_settings() -> None:
    told = settings_to_dict(secretive())
    text = orjson.dumps(told).decode()
    assert "hunter" not in text
    assert told["llm"]["url"] == "http://127.0.0.1:1/v1"
    assert told["cache_url"] == "redis://127.0.0.1:6379/3"
    assert told["services"]["bte"] == {"base_url": "http://127.0.0.1:2/v1"}
    assert told["services"]["mine"] == {"protocol": "trapi", "settings": {"depth": 3}}


def test_settings_come_back_as_they_were_with_the_secrets_of_today() -> None:
    llm = LLMConfig("m", "http://127.0.0.1:1/v1", key="hunter24")
    then = secretive(top_k=7, only=("bte", "mine"), cache=False, taxon="NCBITaxon:10090")
    then, now = (replace(one, llm=llm) for one in (then, secretive(deadline=5.0)))
    again = as_then(now, orjson.loads(orjson.dumps(settings_to_dict(then))))
    assert again == replace(then, services=again.services)
    assert again.services["mine"] == then.services["mine"]
    assert again.services["bte"].base_url == "http://127.0.0.1:2/v1"


def test_what_the_user_says_today_goes_over_the_run() -> None:
    then = settings_to_dict(
        Settings(
            top_k=7, deadline=9.0, services={"bte": ServiceConfig(base_url="http://a", timeout=3.0)}
        )
    )
    given = {
        "deadline": 60.0,
        "top_k": None,
        "llm": {"model": None, "url": None},
        "services": {"bte": ServiceConfig(base_url="http://b")},
    }
    again = as_then(Settings(deadline=60.0, top_k=99), then, given)
    assert (again.deadline, again.top_k) == (60.0, 7)
    assert again.services == {"bte": ServiceConfig(base_url="http://b", timeout=3.0)}


def test_a_service_that_is_configured_since_is_not_asked_for_the_run_of_then() -> None:
    now = Settings(services={"mine": ServiceConfig(base_url="http://a", protocol="trapi")})
    assert as_then(now, settings_to_dict(Settings())).services == {}


def test_a_key_goes_only_to_the_address_it_is_for() -> None:
    then = settings_to_dict(Settings(llm=LLMConfig("m", "http://127.0.0.1:1/v1", key="hunter24")))
    other = Settings(llm=LLMConfig("m", "http://elsewhere.example/v1", key="of elsewhere"))
    assert as_then(other, then).llm == LLMConfig("m", "http://127.0.0.1:1/v1")
    same = Settings(llm=LLMConfig("new", "http://127.0.0.1:1/v1", key="of today"))
    assert as_then(same, then).llm == LLMConfig("m", "http://127.0.0.1:1/v1", key="of today")


def test_settings_of_another_version_are_read() -> None:
    then = settings_to_dict(Settings(top_k=7)) | {"mood": "good"}
    del then["taxon"]
    assert as_then(Settings(), then).top_k == 7


def test_the_folder_is_the_users_state_unless_another_is_named(tmp_path: Path) -> None:
    environ = {"FEDRAG_LOG_DIR": str(tmp_path), "FEDRAG_LOG_KEEP": "5"}
    settings = load_settings(environ=environ)
    assert log_folder(settings) == tmp_path
    assert settings.log_keep == 5
    home = log_folder(Settings(), {})
    assert home == Path.home() / ".local" / "state" / "fedrag" / "runs"
    with pytest.raises(FedragError, match="log_keep must be above 0"):
        load_settings({"log_keep": 0}, environ={})


# --- what changed -------------------------------------------------------------------------------


def test_the_same_answer_again_is_no_change(answer: Answer) -> None:
    found = changes(recorded(answer), answer)
    assert not found
    assert list(found.lines())[-1].startswith("nothing changed")


def test_edges_services_and_the_answer_are_compared(answer: Answer, tmp_path: Path) -> None:
    gone, *rest = answer.edges
    new = replace(rest[0], id="new-one")
    report = replace(answer.services[0], state="timeout")
    other = replace(
        answer,
        name="KCNQ1",
        text="KCNQ1 it is.",
        completeness="partial",
        all_edges=(*rest, new),
        services=(report, *answer.services[1:-1]),
        entities=(replace(answer.entities[0], curie="CHEBI:1"), *answer.entities[1:]),
    )
    log = RunLog(tmp_path)
    found = changes(log.get(log.add(recorded(answer))), other)
    assert found.to_dict() == {
        "changed": True,
        "failure": None,
        "answer": ["SLC12A3", "KCNQ1"],
        "text": True,
        "completeness": ["complete", "partial"],
        "entities": {
            answer.entities[0].mention: [
                f"{answer.entities[0].name} ({answer.entities[0].curie})",
                f"{answer.entities[0].name} (CHEBI:1)",
            ]
        },
        "services": {
            report.service: [answer.services[0].state, "timeout"],
            answer.services[-1].service: [answer.services[-1].state, "not asked"],
        },
        "edges_added": ["new-one"],
        "edges_gone": [gone.id],
        "around": {},
    }
    lines = list(found.lines())
    assert "answer: SLC12A3 → KCNQ1" in lines
    assert "1 edges added" not in lines
    assert "1 edge added" in lines
    assert any(line.startswith("  - ") and gone.id in line for line in lines)


def test_versions_and_the_cassette_are_compared(answer: Answer) -> None:
    tape = {"name": "demo", "path": "", "sha256": "a" * 64, "how": "replayed"}
    then = replace(recorded(answer), fedrag_version="0.0.9", cassette=tape)
    found = changes(then, answer, tape | {"sha256": "b" * 64})
    assert not found  # what was found is the same
    assert found.to_dict()["around"] == {
        "fedrag": ["0.0.9", fedrag.__version__],
        "cassette": ["demo " + "a" * 12, "demo " + "b" * 12],
    }


def test_an_answer_after_a_failure_is_a_change(answer: Answer) -> None:
    error = {"kind": "PlanError", "message": "nothing can be asked", "hint": None}
    then = RunRecord(answer.question, "2026-11-30T09:01:02+00:00", 0.5, error=error)
    found = changes(then, answer)
    assert found
    assert "it had failed: PlanError: nothing can be asked" in list(found.lines())
