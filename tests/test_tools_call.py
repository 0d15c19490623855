"""The tools called: what they tell, and what they tell when something is wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from federated import GENE_QUESTION

from fedrag.datamodel import Answer
from fedrag.session import Session
from fedrag.testing import Federation
from fedrag.tools import CODES, Toolbox, call_tool
from fedrag.tools.pages import tokens
from fedrag.tools.shelf import Shelf

QUESTION = "what are the targets of imatinib?"


def call(tool: str, arguments: Any = None, **options: Any) -> dict[str, Any]:
    """A call that the demo's cassette answers."""
    return call_tool(tool, arguments, replay="demo", **options)


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation() as federation:
        yield federation


@pytest.fixture(autouse=True)
def _healthy(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "world" in request.fixturenames:
        request.getfixturevalue("world").heal()


def live(federation: Federation, tool: str, **arguments: Any) -> dict[str, Any]:
    """A call that a loopback federation answers."""
    services = federation.service_configs()
    return call_tool(tool, arguments, services=services, cache=False)


# --- ask ----------------------------------------------------------------------------------------


def test_an_answer_comes_with_what_it_rests_on() -> None:
    told = call("ask", {"question": QUESTION})
    assert (told["name"], told["curie"]) == ("ABL1", "NCBIGene:25")
    assert (told["mode"], told["completeness"], told["abstained"]) == ("replay", "complete", False)
    assert "ABL1: imatinib decreases activity of ABL1 [E1]" in told["answer"]
    assert told["entities"] == [
        {"mention": "imatinib", "curie": "DRUGBANK:DB00619", "name": "imatinib"}
    ]
    assert [c["name"] for c in told["candidates"]][::2] == ["ABL1", "KIT"]
    first = told["evidence"][0]
    assert (first["key"], first["sources"]) == ("E1", ["infores:drugmechdb"])
    assert len(first["edges"][0]) == 16
    assert told["failed"] == []
    assert told["next_page"] is None


def test_a_longer_answer_is_turned_page_by_page() -> None:
    first = call("ask", {"question": QUESTION, "max_tokens": 400})
    assert first["left"]["evidence"] == 4
    pages = [first]
    while page := pages[-1]["next_page"]:
        pages.append(call("ask", {"question": QUESTION, "max_tokens": 400, "page": page}))
    told = [one["key"] for page in pages for one in page.get("evidence", [])]
    assert told == ["E1", "E2", "E3", "E4"]
    assert {page["run"] for page in pages} == {first["run"]}  # the same answer, not asked again
    assert len(pages) > 1
    assert max(tokens(page) for page in pages) <= 400


def test_the_page_of_a_call_under_other_options_is_of_its_own_answer() -> None:
    asked = {"question": QUESTION, "max_tokens": 400}
    first = call("ask", asked, log=False)
    second = call("ask", {**asked, "page": 2}, log=False)
    other = call("ask", {**asked, "page": 2}, log=False, top_k=1)
    assert second["run"] == first["run"]
    assert "there is no page 2" in other["error"]["message"]  # of one candidate


def test_the_page_of_a_live_call_is_not_that_of_a_recording(world: Federation) -> None:
    asked = {"question": QUESTION, "max_tokens": 400}
    told = [call("ask", asked), live(world, "ask", **asked)]
    assert [one["mode"] for one in told] == ["replay", "live"]
    pages = [call("ask", {**asked, "page": 2}), live(world, "ask", **asked, page=2)]
    assert [one["mode"] for one in pages] == ["replay", "live"]
    assert [one["run"] for one in pages] == [one["run"] for one in told]


def test_arguments_may_be_the_json_that_a_model_wrote() -> None:
    nulls = {"entities": None, "only": None, "exclude": None, "max_tokens": None, "page": None}
    told = call("ask", json.dumps({"question": QUESTION, **nulls}))
    assert told["name"] == "ABL1"


def test_an_entity_can_be_pinned_and_services_left_out(world: Federation) -> None:
    pinned = live(
        world,
        "ask",
        question="what are the targets of the drug?",
        entities=["the drug=DRUGBANK:DB00619"],
    )
    assert pinned["entities"][0]["curie"] == "DRUGBANK:DB00619"
    assert pinned["name"] == "ABL1"
    none = live(world, "ask", question=QUESTION, exclude=["bte"])
    assert none["error"]["code"] == "not_plannable"
    assert "no service can be asked" in none["error"]["message"]
    assert live(world, "ask", question=QUESTION, only=["bte"])["name"] == "ABL1"


def test_a_service_that_failed_is_told_beside_the_answer() -> None:
    with Federation(kps=1) as world:
        world.fault("kp1", "500")
        told = live(world, "ask", question=GENE_QUESTION)
    assert told["completeness"] == "partial"
    assert [(one["service"], one["state"]) for one in told["failed"]] == [("kp1", "unavailable")]
    assert told["name"] == "SLC12A3"


def test_only_narrows_one_question_and_not_the_next(world: Federation) -> None:
    async def two() -> tuple[dict[str, Any], dict[str, Any]]:
        async with Toolbox(services=world.service_configs(), cache=False) as box:
            narrowed = await box.call("ask", {"question": QUESTION, "exclude": ["bte"]})
            return narrowed, await box.call("ask", {"question": QUESTION})

    narrowed, whole = asyncio.run(two())
    assert "error" in narrowed
    assert whole["name"] == "ABL1"


def test_the_sync_call_is_safe_inside_a_running_loop() -> None:
    async def inside() -> dict[str, Any]:
        return call("ask", {"question": QUESTION})

    assert asyncio.run(inside())["name"] == "ABL1"


def test_a_toolbox_leaves_a_session_it_was_given_open() -> None:
    async def twice() -> list[Any]:
        async with Session(replay="demo") as session:
            names = []
            for _ in range(2):
                async with Toolbox(session) as box:
                    names.append((await box.call("ask", {"question": QUESTION}))["name"])
            return names

    assert asyncio.run(twice()) == ["ABL1", "ABL1"]


# --- evidence -----------------------------------------------------------------------------------


def test_evidence_is_addressed_by_its_key_and_by_its_edge() -> None:
    asked = call("ask", {"question": QUESTION})
    line = asked["evidence"][1]
    by_key = call("evidence", {"run": asked["run"], "id": line["key"]})
    by_edge = call("evidence", {"run": asked["run"], "id": line["edges"][0]})
    assert by_key["sentence"] == line["sentence"]
    assert by_edge == by_key  # its key and sentence too
    edge = by_key["edges"][0]
    assert edge["qualifiers"]["biolink:object_direction_qualifier"] == "decreased"
    assert [s["resource_role"] for s in edge["sources"]] == [
        "primary_knowledge_source",
        "aggregator_knowledge_source",
    ]
    assert by_key["records"][0]["url"].startswith("https://www.cancer.gov/")
    assert {a["attribute_type_id"] for a in by_key["attributes"]} >= {"biolink:xref"}


def test_without_a_run_the_newest_answer_that_has_it_is_meant() -> None:
    asked = call("ask", {"question": QUESTION})
    assert call("evidence", {"id": "[E1]"})["run"] == asked["run"]


def test_evidence_is_read_from_the_log_where_memory_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    asked = call("ask", {"question": QUESTION}, log_dir=tmp_path)
    monkeypatch.setattr("fedrag.tools.front._SHELF", Shelf())
    edge = asked["evidence"][2]["edges"][0]
    by_key = call("evidence", {"run": asked["run"], "id": "E3"}, log_dir=tmp_path)
    assert by_key["edges"][0]["id"] == edge
    by_edge = call("evidence", {"id": edge}, log_dir=tmp_path)
    assert by_edge == by_key
    assert by_edge["sentence"] == asked["evidence"][2]["sentence"]
    assert call("evidence", {"id": "E3"}, log_dir=tmp_path)["error"]["code"] == "not_found"


@pytest.mark.parametrize("named", ["last", "2"])
def test_a_run_that_is_not_named_in_full_is_not_guessed(named: str, tmp_path: Any) -> None:
    call("ask", {"question": QUESTION}, log_dir=tmp_path)
    told = call("evidence", {"run": named, "id": "E1"}, log_dir=tmp_path)
    assert told["error"]["code"] == "not_found"


def test_a_key_without_a_run_opens_only_what_its_client_asked(tmp_path: Any) -> None:
    async def both() -> list[dict[str, Any]]:
        async with Toolbox(replay="demo", log_dir=tmp_path) as box:
            asked = await box.call("ask", {"question": QUESTION}, client="a")
            edge = asked["evidence"][0]["edges"][0]
            wanted = [("a", "E1"), ("a", edge), ("b", "E1"), ("b", edge), (None, "E1")]
            told = [await box.call("evidence", {"id": i}, client=c) for c, i in wanted]
            given = {"run": asked["run"], "id": "E1"}
            return [*told, *[await box.call("evidence", given, client=c) for c in ("b", None)]]

    told = asyncio.run(both())
    codes = [one["error"]["code"] if "error" in one else one["key"] for one in told]
    assert codes[:4] == ["E1", "E1", "not_found", "not_found"]
    assert codes[4:] == ["invalid_arguments", "E1", "E1"]
    assert "give run" in told[4]["error"]["remedy"]


def test_an_answer_that_is_not_logged_can_be_opened_too(tmp_path: Any) -> None:
    asked = call("ask", {"question": QUESTION}, log=False, log_dir=tmp_path)
    assert asked["run"].startswith("unlogged-")
    shown = call("evidence", {"run": asked["run"], "id": "E1"}, log=False, log_dir=tmp_path)
    assert shown["key"] == "E1"
    assert not list(tmp_path.iterdir())


def test_memory_holds_so_many_answers_and_so_many_edges() -> None:
    answer = _small_answer()
    shelf = Shelf(most=3)
    runs = [shelf.add(answer).run for _ in range(5)]
    assert [shelved.run for shelved in shelf.newest()] == runs[:1:-1]
    full = Shelf(most_edges=2 * len(answer.all_edges))
    kept = [full.add(answer).run for _ in range(4)]
    assert [full.get(run) is not None for run in kept] == [False, False, True, True]


def _small_answer() -> Answer:
    import fedrag

    return fedrag.ask(QUESTION, replay="demo", log=False)


# --- resolve, services --------------------------------------------------------------------------


def test_entities_are_resolved_and_the_unresolved_told() -> None:
    told = call("resolve", {"text": "what are the targets of imatinib?"})
    assert told["entities"][0]["curie"] == "DRUGBANK:DB00619"
    assert told["entities"][0]["categories"][0] == "biolink:SmallMolecule"
    unknown = call("resolve", {"text": "What are the targets of zorbalixinib?"})
    assert [one["mention"] for one in unknown["unresolved"]] == ["zorbalixinib"]


def test_a_name_that_is_also_a_word_resolves_by_itself(world: Federation) -> None:
    told = live(world, "resolve", text="KIT")
    assert [one["curie"] for one in told["entities"]] == ["NCBIGene:3815"]
    nothing = live(world, "resolve", text="hello there")
    assert (nothing["entities"], len(nothing["unresolved"])) == ([], 1)


def test_services_are_listed_and_checked(world: Federation) -> None:
    world.fault("bte", "500")
    told = live(world, "services", check=True, max_tokens=4_000)
    states = {row["name"]: row.get("state") for row in told["services"]}
    assert states["nodenorm"] == "ok"
    assert states["bte"] == "unavailable"
    assert states["string"] == "skipped"
    unchecked = live(world, "services", max_tokens=4_000)
    assert not any("state" in row for row in unchecked["services"])


def test_turning_the_page_of_a_check_calls_nothing_again(world: Federation) -> None:
    async def both() -> tuple[int, int]:
        async with Toolbox(services=world.service_configs(), cache=False) as box:
            given = {"check": True, "max_tokens": 400}
            await box.call("services", given)
            before = len(world.calls)
            second = await box.call("services", {**given, "page": 2})
            assert any("state" in row for row in second["services"])
            return before, len(world.calls)

    before, after = asyncio.run(both())
    assert before == after


async def test_what_needs_no_network_does_not_wait_for_calls_that_hang(world: Federation) -> None:
    world.fault("bte", "hang", path="/query")
    async with Toolbox(services=world.service_configs(), cache=False) as box:
        asked = [asyncio.create_task(box.call("ask", {"question": QUESTION})) for _ in range(12)]
        while not world.gates["bte"].active:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            listed = await box.call("services")
            shown = await box.call("evidence", {"id": "E1"})
        assert not any(task.done() for task in asked)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    assert listed["services"]
    assert shown["error"]["code"] == "not_found"


# --- errors are results -------------------------------------------------------------------------

WRONG: list[tuple[str, Any, str, str]] = [
    ("asks", {}, "unknown_tool", "asks"),
    ("", None, "unknown_tool", "''"),
    ("ask", {}, "invalid_arguments", "needs the argument 'question'"),
    ("ask", None, "invalid_arguments", "needs the argument 'question'"),
    ("ask", [QUESTION], "invalid_arguments", "an object, not list"),
    ("ask", '{"question": "what', "invalid_arguments", "no JSON"),
    ("ask", {"question": 7}, "invalid_arguments", "question is text, not 7"),
    ("ask", {"question": "  "}, "invalid_arguments", "question is empty"),
    ("ask", {"question": "\ud800"}, "invalid_arguments", "no valid Unicode"),
    ("ask", {"question": QUESTION, "pages": 2}, "invalid_arguments", "did you mean 'page'"),
    ("ask", {"question": QUESTION, "page": "2"}, "invalid_arguments", "a whole number"),
    ("ask", {"question": QUESTION, "page": True}, "invalid_arguments", "a whole number"),
    ("ask", {"question": QUESTION, "page": 0}, "invalid_arguments", "from 1"),
    ("ask", {"question": QUESTION, "page": 9}, "invalid_arguments", "no page 9"),
    ("ask", {"question": QUESTION, "max_tokens": 10}, "invalid_arguments", "from 400"),
    ("ask", {"question": QUESTION, "only": "bte"}, "invalid_arguments", "a list of texts"),
    ("ask", {"question": QUESTION, "only": ["nix"]}, "invalid_arguments", "no service is called"),
    ("ask", {"question": QUESTION, "entities": ["x"]}, "invalid_arguments", "mention=CURIE"),
    ("ask", {"question": QUESTION, "only": ["a"] * 51}, "invalid_arguments", "more than 50"),
    ("ask", {"question": "hello there"}, "not_plannable", "no entity was recognised"),
    ("ask", {"question": "What are the targets of zorbalixinib?"}, "entity_unresolved", "zorbal"),
    ("ask", {"question": "what are the targets of aspirin?"}, "not_recorded", "no such call"),
    ("evidence", {"id": "E1", "run": "20200101T000000-abcdef"}, "not_found", "E1"),
    ("evidence", {"id": "0123456789abcdef"}, "not_found", "0123456789abcdef"),
    ("services", {"check": "yes"}, "invalid_arguments", "true or false"),
]


@pytest.mark.parametrize(("tool", "arguments", "code", "words"), WRONG)
def test_what_is_wrong_is_a_result_with_a_code_and_a_remedy(
    tool: str, arguments: Any, code: str, words: str
) -> None:
    told = call(tool, arguments)
    assert told.keys() == {"error"}
    assert told["error"].keys() == {"code", "message", "remedy"}
    assert told["error"]["code"] == code
    assert words in told["error"]["message"]
    assert told["error"]["remedy"]
    assert "--" not in told["error"]["remedy"]  # flags are for people


def test_the_remedy_of_an_unresolved_entity_is_written_for_an_agent() -> None:
    told = call("ask", {"question": "What are the targets of zorbalixinib?"})
    assert 'entities: ["zorbalixinib=CURIE"]' in told["error"]["remedy"]


def test_a_service_that_every_question_needs_is_an_error_when_it_is_down(
    world: Federation,
) -> None:
    world.fault("nameres", "500")
    told = live(world, "ask", question=QUESTION, max_tokens=400)
    assert told["error"]["code"] == "service_failed"
    assert "nameres" in told["error"]["message"]


def test_megabytes_of_arguments_are_refused_in_few_words() -> None:
    for big in ({"question": "x" * 5_000_000}, {"x" * 5_000_000: 1}, {"question": [0] * 1_000_000}):
        told = call("ask", big)
        assert told["error"]["code"] == "invalid_arguments"
        assert tokens(told) < 400


def test_wrong_options_of_the_session_are_a_result_too() -> None:
    assert call("ask", {"question": QUESTION}, topk=3)["error"]["code"] == "configuration"
    assert call_tool("ask", {"question": "x"}, replay="nix")["error"]["code"] == "configuration"


def test_a_call_that_is_wrong_in_itself_opens_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("fedrag.tools.toolbox.Session", lambda *_, **__: opened.append(1))
    assert call("asks", {})["error"]["code"] == "unknown_tool"
    for wrong in ({"question": 7}, {"question": QUESTION, "entities": ["x"]}):
        assert call("ask", wrong)["error"]["code"] == "invalid_arguments"
    assert opened == []


def test_a_fault_of_the_code_is_a_result_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(Session, "resolve", broken)
    told = call("resolve", {"text": "imatinib"})
    assert told["error"]["code"] == "internal"
    assert "ZeroDivisionError: by zero" in told["error"]["message"]


def test_every_code_has_a_remedy() -> None:
    assert all(CODES.values())
    assert {code for _, _, code, _ in WRONG} < set(CODES)


# --- cancelled ----------------------------------------------------------------------------------


async def test_a_cancelled_call_cancels_the_calls_of_services(world: Federation) -> None:
    world.fault("bte", "hang", path="/query")
    async with Toolbox(services=world.service_configs(), cache=False) as box:
        before = len(world.calls_of("bte", "/meta_knowledge_graph"))
        task = asyncio.create_task(box.call("ask", {"question": QUESTION}))
        while len(world.calls_of("bte", "/meta_knowledge_graph")) == before:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)  # that call is over, and the next one hangs
        while not world.gates["bte"].active:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while world.gates["bte"].active:
            await asyncio.sleep(0.01)
    assert world.calls_of("bte", "/query")[-1].status is None  # hung up on
