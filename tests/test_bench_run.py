"""A run over a question set: arms, leave-one-out, what is kept, and taking it up again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from fedrag.bench.arms import ARMS, Case, default_arms
from fedrag.bench.gold import enriched
from fedrag.bench.missed import is_done, not_recorded
from fedrag.bench.model import ArmResult, Context, Gold, Question, QuestionResult, Thing
from fedrag.bench.prompt import system_prompt
from fedrag.bench.questions import Refused, write_questions
from fedrag.bench.results import Writer, fingerprint, read_run
from fedrag.bench.run import Plan, Runner, chosen
from fedrag.bench.split import is_development
from fedrag.bench.world import CLOSED_WORLD
from fedrag.config import LLMConfig
from fedrag.errors import ConfigError
from fedrag.session import Session, run_sync
from fedrag.testing import Federation
from fedrag.testing.federation import INFORES

WARFARIN = Question(
    id="gene:warfarin",
    kind="gene",
    text=(
        "Which gene plays the most significant mechanistic role in how Drug warfarin treats or "
        "impacts the Disease Thrombosis?"
    ),
    golds=(Gold("VKORC1", ("UniProtKB:Q9BQB6",)),),
    drug=Thing("warfarin", ("DRUGBANK:DB00682", "MESH:D014859")),
    disease=Thing("Thrombosis", ("MESH:D013927",)),
    published=("VKORC1",),
    records=("DB00682_MESH_D013927_1",),
    drug_key="DRUGBANK:DB00682",
)
AGALSIDASE = Question(
    id="gene:agalsidase",
    kind="gene",
    text=(
        "Which gene plays the most significant mechanistic role in how Drug Agalsidase beta treats "
        "or impacts the Disease Fabry's disease?"
    ),
    golds=(Gold("GLA", ("UniProtKB:P06280",)),),
    drug=Thing("Agalsidase beta", ("MESH:C459420", "DRUGBANK:DB00103")),
    disease=Thing("Fabry's disease", ("MESH:D000795",)),
    published=("GLA",),
    records=("DB00103_MESH_D000795_1",),
    drug_key="DRUGBANK:DB00103",
)
NOWHERE = replace(
    WARFARIN,
    id="gene:nowhere",
    text=(
        "Which gene plays the most significant mechanistic role in how Drug zorbalixinib treats or "
        "impacts the Disease Thrombosis?"
    ),
)
QUESTIONS = (WARFARIN, AGALSIDASE, NOWHERE)


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "gene.jsonl"
    write_questions(path, QUESTIONS)
    return path


def plan_of(source: Path, **over: object) -> Plan:
    base = Plan("gene", QUESTIONS, source, ("ranking", "pruned", "full", "t50"), "live")
    return replace(base, **over)  # type: ignore[arg-type]


def run(
    plan: Plan, federation: Federation, folder: Path, *, resume: bool = False
) -> dict[str, QuestionResult]:
    async def work() -> None:
        async with Session(services=federation.service_configs(), cache=False) as session:
            await Runner(plan, session).run(folder, resume=resume)

    run_sync(work())
    return read_run(folder).results


def test_a_question_is_retrieved_ranked_and_judged_by_identifier(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    result = run(plan_of(source), federation, tmp_path / "out")["gene:warfarin"]
    assert result.ranks == {"VKORC1": 1}
    assert result.candidates[0].name == "VKORC1"
    assert result.retrieved.gold_at["VKORC1"] is not None
    assert result.page.gold_at["VKORC1"] is not None
    assert {(e.mention, e.role) for e in result.entities} == {
        ("warfarin", "drug"),
        ("Thrombosis", "disease"),
    }
    assert result.services["bte"] == "ok"
    assert result.completeness == "complete"


def test_ranking_alone_answers_and_its_citations_exist_and_support(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    arm = run(plan_of(source), federation, tmp_path / "out")["gene:warfarin"].arms["ranking"]
    assert arm.answer == "VKORC1"
    assert arm.error is None
    assert arm.citations
    assert {line.key for line in arm.cited} == set(arm.citations)
    assert arm.cited[0].supports
    assert arm.calls == 0


def test_without_a_model_the_contexts_of_the_other_arms_are_measured(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    result = run(plan_of(source), federation, tmp_path / "out")["gene:warfarin"]
    full, half = result.arms["full"], result.arms["t50"]
    assert full.answer is None
    assert full.context is not None
    assert full.context.gold_at["VKORC1"] is not None
    assert half.context is not None
    assert half.context.sentences < full.context.sentences


def test_a_question_that_cannot_be_run_is_a_result_with_its_error(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    results = run(plan_of(source), federation, tmp_path / "out")
    assert results["gene:nowhere"].error is not None
    assert "zorbalixinib" in results["gene:nowhere"].error
    assert len(results) == 3


def test_leave_one_out_drops_the_edges_of_the_questions_own_record(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    whole = run(plan_of(source), federation, tmp_path / "whole")["gene:agalsidase"]
    without = run(plan_of(source, leave_one_out=True), federation, tmp_path / "without")
    left = without["gene:agalsidase"]
    assert whole.left_out == 0
    assert whole.ranks == {"GLA": 1}
    assert left.left_out > 0
    assert left.edges < whole.edges
    assert read_run(tmp_path / "without").meta["leave_one_out"] is True


def test_the_same_system_prompt_stands_in_every_arm_of_a_model(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    llm = LLMConfig("loopback-1", federation.base_urls["llm"])
    before = len(federation.calls)
    arms = ("ranking", "model_only", "pruned", "full", "lines", "t10")
    result = run(plan_of(source, llm=llm, arms=arms), federation, tmp_path / "out")
    asked = [c.body for c in federation.calls[before:] if c.service == "llm"]
    systems = {m["content"] for body in asked for m in body["messages"] if m["role"] == "system"}
    assert systems == {system_prompt("gene")}
    assert read_run(tmp_path / "out").meta["system_prompt"] == system_prompt("gene")
    alone = [body for body in asked if "<data>" not in body["messages"][-1]["content"]]
    assert alone
    told = result["gene:warfarin"].arms["pruned"]
    assert told.calls >= 1
    assert told.context is not None
    listed = ["Candidates, best" in body["messages"][-1]["content"] for body in asked]
    assert (sum(listed), len(listed)) == (2 * 2, 5 * 2)  # pruned and full, of two questions
    free = result["gene:warfarin"].arms["lines"]
    assert (free.context, free.curie) == (told.context, None)  # a name it was free to give
    assert free.answer
    assert free.citations


def test_a_model_that_is_down_costs_its_arms_and_nothing_else(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    llm = LLMConfig("nobody", "http://127.0.0.1:9/v1", timeout=2.0)
    plan = plan_of(source, llm=llm, arms=("ranking", "model_only"))
    result = run(plan, federation, tmp_path / "out")["gene:warfarin"]
    assert result.arms["ranking"].answer == "VKORC1"
    assert result.arms["model_only"].answer is None
    assert result.arms["model_only"].error is not None


def test_a_killed_run_is_taken_up_where_it_stood(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    run(plan_of(source), federation, folder)
    path = folder / "results.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:40])  # killed in the middle of the second line
    before = len(federation.calls)
    results = run(plan_of(source), federation, folder, resume=True)
    assert set(results) == {q.id for q in QUESTIONS}
    first = QuestionResult.from_dict(orjson.loads(lines[0]))
    assert results[first.id] == first
    assert len(federation.calls) > before
    assert all(orjson.loads(line) for line in path.read_bytes().splitlines())


def test_a_finished_run_asks_for_nothing_when_taken_up(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    run(plan_of(source), federation, tmp_path / "out")
    meta = tmp_path / "out" / "run.json"
    told = {**orjson.loads(meta.read_bytes()), "finished": "2026-01-01T00:00:00+00:00"}
    told["evidence"] = "closed world"  # as a run finds out from what it is answered
    meta.write_bytes(orjson.dumps(told))
    before = len(federation.calls_of("bte", "/query"))
    run(plan_of(source), federation, tmp_path / "out", resume=True)
    assert len(federation.calls_of("bte", "/query")) == before
    assert orjson.loads(meta.read_bytes()) == told


def scripted(monkeypatch: pytest.MonkeyPatch, failing: set[str]) -> list[str]:
    """Arms that say their turn, or fail; the names of those that were asked."""
    asked: list[str] = []

    async def arm(name: str, case: Case) -> ArmResult:
        asked.append(name)
        if name in failing:
            return ArmResult(name, error="UnavailableError: llm", context=Context(1))
        return ArmResult(
            name, f"turn {len(asked)}", context=None if name == "alone" else Context(1)
        )

    monkeypatch.setattr("fedrag.bench.run.run_arm", arm)
    return asked


def test_an_arm_that_answered_is_not_asked_again_for_one_that_failed(
    federation: Federation, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, folder = plan_of(source, questions=(WARFARIN,), arms=("alone", "a", "b")), tmp_path / "o"
    failing = {"b"}
    asked = scripted(monkeypatch, failing)
    run(plan, federation, folder)
    failing |= {"alone", "a"}  # would be lost now
    first = run(plan, federation, folder, resume=True)[WARFARIN.id]
    assert [first.arms[name].answer for name in plan.arms] == ["turn 1", "turn 2", None]
    failing.clear()
    second = run(plan, federation, folder, resume=True)[WARFARIN.id]
    assert [second.arms[name].answer for name in plan.arms] == ["turn 1", "turn 2", "turn 5"]
    assert asked == ["alone", "a", "b", "b", "b"]


def test_an_arm_is_asked_again_where_other_evidence_came_back(
    federation: Federation, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, folder = plan_of(source, questions=(WARFARIN,), arms=("alone", "a", "b")), tmp_path / "o"
    failing = {"b"}
    scripted(monkeypatch, failing)
    run(plan, federation, folder)
    path = folder / "results.jsonl"
    line = orjson.loads(path.read_bytes())
    line["page"]["sentences"] += 1  # as if a service had said more then
    path.write_bytes(orjson.dumps(line) + b"\n")
    failing.clear()
    again = run(plan, federation, folder, resume=True)[WARFARIN.id]
    assert [again.arms[name].answer for name in plan.arms] == ["turn 1", "turn 4", "turn 5"]


def test_nothing_that_was_answered_is_lost_when_all_fails_on_taking_it_up(
    federation: Federation, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, folder = plan_of(source, questions=(WARFARIN,), arms=("a", "b")), tmp_path / "o"
    scripted(monkeypatch, {"b"})
    run(plan, federation, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"}
    nobody = {
        name: replace(one, base_url="http://127.0.0.1:9", per_minute=1e6)
        for name, one in federation.service_configs().items()
    }

    async def work() -> None:
        async with Session(services=nobody, cache=False) as session:
            await Runner(plan, session).run(folder, resume=True)

    run_sync(work())
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"}
    assert after == before  # its golds keep their identifiers too
    assert len(read_run(folder).questions[0].golds[0].identifiers) > 1


def test_a_question_without_an_edge_is_not_done_while_a_service_was_down() -> None:
    down = QuestionResult("a", "gene", services={"bte": "unavailable", "mychem": "ok"})
    assert not is_done(down)
    assert is_done(replace(down, services={"bte": "empty"}))
    assert is_done(replace(down, edges=3))
    assert not is_done(replace(down, error="ConfigError: no such embedder"))


def test_an_embedder_that_cannot_be_had_stops_a_run_before_it_begins(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        how = {"services": federation.service_configs(), "cache": False}
        async with Session(**how, embedder=str(tmp_path / "none"), offline=True) as session:  # type: ignore[arg-type]
            await Runner(plan_of(source), session).run(tmp_path / "out")

    with pytest.raises(ConfigError):
        run_sync(work())
    assert not (tmp_path / "out").exists()


def test_a_question_of_the_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    Writer(tmp_path, {"format": 1, "set": "gene"}, QUESTIONS, resume=False).close()
    path = tmp_path / "questions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"UniProtKB:P06280", b"NOPREFIX:P06280"))
    read = read_run(tmp_path)
    assert [q.id for q in read.questions] == [WARFARIN.id, NOWHERE.id]
    assert read.notes[0].startswith("questions.jsonl, row 2 was passed over: ")


def test_the_closed_world_is_noted_when_it_is_seen_and_not_at_the_end(
    federation: Federation, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    add = Writer.add

    def read_then_added(self: Writer, result: QuestionResult) -> None:
        told.append(orjson.loads((tmp_path / "out" / "run.json").read_bytes())["evidence"])
        add(self, result)

    monkeypatch.setattr(Writer, "add", read_then_added)
    run(plan_of(source, questions=(WARFARIN,)), federation, tmp_path / "out")
    assert told == ["closed world"]


def test_what_a_recording_of_the_closed_world_is_of_shows_in_its_answers(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    cassette = tmp_path / "mine.json"
    plan = plan_of(source, questions=(WARFARIN,), evidence="recorded", recorded_from="live")

    async def work(folder: str, **how: object) -> None:
        async with Session(services=federation.service_configs(), cache=False, **how) as session:  # type: ignore[arg-type]
            await Runner(plan, session).run(tmp_path / folder)

    run_sync(work("recorded", record=cassette))
    run_sync(work("replayed", replay=cassette))
    meta = read_run(tmp_path / "replayed").meta
    assert (meta["evidence"], meta["recorded_from"]) == ("recorded", "closed world")


def test_a_folder_that_holds_a_run_is_not_written_over(tmp_path: Path) -> None:
    meta = {"format": 1, "set": "gene", "arms": ["ranking"]}
    Writer(tmp_path, meta, QUESTIONS, resume=False).close()
    with pytest.raises(ConfigError, match="already holds a run"):
        Writer(tmp_path, meta, QUESTIONS, resume=False)
    with pytest.raises(ConfigError, match="with arms"):
        Writer(tmp_path, {**meta, "arms": ["full"]}, QUESTIONS, resume=True)


def test_the_last_line_of_a_question_counts_and_a_broken_one_is_told(tmp_path: Path) -> None:
    writer = Writer(tmp_path, {"format": 1, "set": "gene"}, QUESTIONS, resume=False)
    writer.add(QuestionResult("gene:warfarin", "gene", edges=1))
    writer.add(QuestionResult("gene:warfarin", "gene", edges=2))
    writer.close()
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"id": "gene:aga')
    read = read_run(tmp_path)
    assert read.results["gene:warfarin"].edges == 2
    assert "line 3" in read.notes[0]


def test_a_run_taken_up_elsewhere_keeps_the_notes_of_both(tmp_path: Path) -> None:
    meta = {"format": 1, "set": "gene", "note": "two cores"}
    for note in ("two cores", "two cores", "four cores", "four cores", ""):
        Writer(tmp_path, {**meta, "note": note}, QUESTIONS, resume=True).close()
    assert read_run(tmp_path).meta["note"] == "two cores; then: four cores"


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"run\.json"):
        read_run(tmp_path)


def test_replaying_a_recorded_run_gives_the_same_results(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    cassette = tmp_path / "set.cassette.json.zst"
    plan = plan_of(source, questions=(WARFARIN, AGALSIDASE))

    async def work(folder: str, **how: object) -> None:
        async with Session(services=federation.service_configs(), cache=False, **how) as session:  # type: ignore[arg-type]
            await Runner(plan, session).run(tmp_path / folder)

    run_sync(work("recorded", record=cassette))
    run_sync(work("once", replay=cassette))
    run_sync(work("again", replay=cassette))
    assert plain(tmp_path / "once") == plain(tmp_path / "again") == plain(tmp_path / "recorded")


def test_a_question_that_was_not_recorded_is_an_error_of_its_own_and_asked_again(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    cassette, folder = tmp_path / "set.cassette.json.zst", tmp_path / "out"

    async def work(plan: Plan, folder: Path, *, resume: bool = False, **how: object) -> None:
        async with Session(services=federation.service_configs(), cache=False, **how) as session:  # type: ignore[arg-type]
            await Runner(plan, session).run(folder, resume=resume)

    run_sync(work(plan_of(source, questions=(WARFARIN,)), tmp_path / "rec", record=cassette))
    everything = plan_of(source, questions=(AGALSIDASE, WARFARIN))
    run_sync(work(everything, folder, replay=cassette))
    results = read_run(folder).results
    assert results[WARFARIN.id].ranks == {"VKORC1": 1}
    lost = results[AGALSIDASE.id].error or ""
    assert lost.startswith("OfflineError: the cassette holds no such call: nodenorm")
    assert "warfarin" not in lost  # what it was recorded for may be a hundred questions
    assert not_recorded(lost)
    before = (folder / "results.jsonl").read_bytes()
    run_sync(work(everything, folder, resume=True))
    again = read_run(folder)
    assert again.results[AGALSIDASE.id].ranks == {"GLA": 1}
    assert (folder / "results.jsonl").read_bytes().startswith(before)
    assert len((folder / "results.jsonl").read_bytes().splitlines()) == 3
    assert len(again.questions[0].golds[0].identifiers) > 1  # and its golds have all identifiers


def test_a_service_that_is_not_cached_offline_is_not_taken_for_one_that_found_nothing(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    plan = plan_of(source, questions=(WARFARIN,))
    settings = {"cache_dir": tmp_path / "cache", "services": federation.service_configs()}

    async def work(folder: str, *, ask: bool = True, **how: object) -> None:
        async with Session(**settings, **how) as session:  # type: ignore[arg-type]
            if ask:
                await Runner(plan, session).run(tmp_path / folder)
            else:  # all that the question needs but what bte is asked
                run = session.run(WARFARIN.text)
                await enriched(WARFARIN, run.normalizer)
                await run.plan()

    run_sync(work("", ask=False))
    run_sync(work("half", offline=True))
    lost = read_run(tmp_path / "half").results[WARFARIN.id].error or ""
    assert lost.startswith("OfflineError: offline, not cached: bte POST")
    run_sync(work("whole"))
    run_sync(work("offline", offline=True))
    assert read_run(tmp_path / "offline").results[WARFARIN.id].ranks == {"VKORC1": 1}


def test_a_run_is_taken_up_with_the_files_it_was_begun_with_alone(tmp_path: Path) -> None:
    first, second, copy = (tmp_path / name for name in ("one.json", "two.json", "copy.json"))
    for path, content in ((first, "[]"), (second, "[1]"), (copy, "[]")):
        path.write_text(content)
    meta = {"format": 1, "set": "gene", "cassette": None}
    for key in ("corpus", "cassette"):
        folder, begun = tmp_path / key, {**meta, key: fingerprint(first)}
        Writer(folder, begun, QUESTIONS, resume=False).close()
        assert read_run(folder).meta[key] == {
            "name": "one.json",
            "sha256": hashlib.sha256(b"[]").hexdigest(),
        }
        Writer(folder, {**begun, key: fingerprint(copy)}, QUESTIONS, resume=True).close()
        with pytest.raises(ConfigError, match=rf"a run with {key} copy\.json .* not two\.json"):
            Writer(folder, {**begun, key: fingerprint(second)}, QUESTIONS, resume=True)
        with pytest.raises(ConfigError, match=f"with {key} .* not None"):
            Writer(folder, {**begun, key: None}, QUESTIONS, resume=True)
    older = tmp_path / "older"
    Writer(older, {"format": 1, "set": "gene"}, QUESTIONS, resume=False).close()
    Writer(older, {**meta, "corpus": fingerprint(first)}, QUESTIONS, resume=True).close()


def test_a_setting_that_cannot_be_written_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot hold the settings"):
        Writer(tmp_path / "new", {"limit": 10**30}, QUESTIONS, resume=False)
    assert not (tmp_path / "new").exists()


def test_a_replay_without_the_models_calls_still_ranks(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    cassette = tmp_path / "set.cassette.json.zst"
    plan = plan_of(source, questions=(WARFARIN,), arms=("ranking",))
    llm = LLMConfig("nobody", "http://127.0.0.1:9/v1", timeout=2.0)
    arms = ("ranking", "model_only", "pruned", "written")

    async def work(plan: Plan, folder: str, **how: object) -> None:
        async with Session(services=federation.service_configs(), cache=False, **how) as session:  # type: ignore[arg-type]
            await Runner(plan, session).run(tmp_path / folder)

    run_sync(work(plan, "rec", record=cassette))
    run_sync(work(replace(plan, llm=llm, arms=arms), "out", replay=cassette))
    result = read_run(tmp_path / "out").results[WARFARIN.id]
    assert result.error is None
    assert result.arms["ranking"].answer == "VKORC1"
    told = {name: arm.error for name, arm in result.arms.items() if name != "ranking"}
    assert set(told) == {"model_only", "pruned", "written"}
    assert set(told.values()) == {
        "OfflineError: the cassette holds no such call: llm POST /chat/completions"
    }


@pytest.mark.parametrize("model", [None, "loopback-1"])
def test_the_full_context_is_cut_to_the_window_with_a_model_and_without(
    federation: Federation, source: Path, tmp_path: Path, model: str | None
) -> None:
    url = federation.base_urls["llm"]
    lines = []
    for window in (800, 100_000):
        llm = LLMConfig(model, url, context_tokens=window) if model else None
        plan = plan_of(
            source, questions=(WARFARIN,), arms=("full",), llm=llm, context_tokens=window
        )
        folder = tmp_path / str(window)
        context = run(plan, federation, folder)[WARFARIN.id].arms["full"].context
        assert context is not None
        assert read_run(folder).meta["context_tokens"] == window
        lines.append(context)
    assert lines[0].tokens < 800
    assert lines[0].sentences < lines[1].sentences


def test_a_recorded_result_is_kept_only_once_its_calls_are(
    federation: Federation, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fedrag.bench.run._SAVED", 0.0)  # saved after each question
    cassette, copy = tmp_path / "set.cassette.json.zst", tmp_path / "first.cassette.json.zst"
    plan, add = plan_of(source, questions=(WARFARIN, AGALSIDASE), concurrency=1), Writer.add

    def copied_then_added(self: Writer, result: QuestionResult) -> None:
        if not copy.exists():
            copy.write_bytes(cassette.read_bytes())
        add(self, result)

    monkeypatch.setattr(Writer, "add", copied_then_added)

    async def work(folder: str, plan: Plan, **how: object) -> None:
        async with Session(services=federation.service_configs(), cache=False, **how) as session:  # type: ignore[arg-type]
            await Runner(plan, session).run(tmp_path / folder)

    run_sync(work("recorded", plan, record=cassette))
    run_sync(work("first", replace(plan, questions=(WARFARIN,)), replay=copy))
    of_warfarin = [one for one in plain(tmp_path / "recorded") if one.id == WARFARIN.id]
    assert plain(tmp_path / "first") == of_warfarin


def plain(folder: Path) -> list[QuestionResult]:
    """The results without what a clock told."""
    results = read_run(folder).results
    return [
        replace(
            result,
            seconds=0.0,
            arms={name: replace(arm, seconds=0.0) for name, arm in result.arms.items()},
        )
        for _, result in sorted(results.items())
    ]


def test_a_sample_is_seeded_and_keeps_the_order_of_the_set() -> None:
    many = [replace(WARFARIN, id=f"gene:{n}") for n in range(50)]
    first = chosen(many, sample=10, seed=7, limit=None)
    assert first == chosen(many, sample=10, seed=7, limit=None)
    assert first != chosen(many, sample=10, seed=8, limit=None)
    assert [int(q.id[5:]) for q in first] == sorted(int(q.id[5:]) for q in first)
    assert chosen(many, sample=10, seed=7, limit=3) == first[:3]


def test_questions_are_taken_from_one_side_of_the_development_split() -> None:
    many = [replace(WARFARIN, id=f"gene:{n}", drug_key=f"DRUGBANK:DB{n:05}") for n in range(60)]
    tuned = chosen(many, part="development", sample=None, seed=1, limit=None)
    rest = chosen(many, part="rest", sample=20, seed=1, limit=None)
    assert {is_development(q.drug_key) for q in tuned} == {True}
    assert {is_development(q.drug_key) for q in rest} == {False}
    assert len(rest) == 20
    everything = chosen(many, part="all", sample=None, seed=1, limit=None)
    assert everything == tuple(many)


def test_refused_rows_are_told_in_the_run(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    plan = plan_of(source, refused=(Refused(4, "gene:x", "it has no gold"),))
    run(plan, federation, tmp_path / "out")
    told = read_run(tmp_path / "out").meta["excluded_questions"]
    assert told == [{"id": "gene:x", "row": 4, "reason": "it has no gold"}]


def test_a_run_over_the_loopback_federation_is_named_closed_world(
    federation: Federation, source: Path, tmp_path: Path
) -> None:
    assert CLOSED_WORLD == INFORES
    run(plan_of(source), federation, tmp_path / "out")
    assert read_run(tmp_path / "out").meta["evidence"] == "closed world"


def test_arms_that_need_a_model_are_no_default_without_one() -> None:
    assert "model_only" not in default_arms(None)
    assert default_arms(None) == ("ranking", "pruned", "full")
    model = default_arms(LLMConfig("m", "http://127.0.0.1:1/v1"))
    assert model == ("ranking", "model_only", "pruned", "full")
    assert set(model) <= set(ARMS)
