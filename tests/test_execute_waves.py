"""How a plan runs: under the deadline, with nothing lost and nothing left running."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from net_support import clock, jump
from plan_material import service

from fedrag.datamodel import Assignment, Edge, EdgeNode, QueryEdge, QueryNode, QueryPlan
from fedrag.errors import OfflineError, ServiceTimeoutError, UnavailableError
from fedrag.execute import completeness, entity_report
from fedrag.execute.engine import _Run
from fedrag.execute.reports import knowledge_reports
from fedrag.execute.service import Ask, Outcome
from fedrag.metakg import Service
from fedrag.net import Caller, CallRecord, Net

DRUG = EdgeNode("CHEBI:1", "drug", found="CHEBI:1", asked="CHEBI:1")


def gene(number: int) -> EdgeNode:
    return EdgeNode(f"NCBIGene:{number}", "", ("biolink:Gene",), found=f"NCBIGene:{number}")


def edges(count: int, first: EdgeNode = DRUG, knowledge: str = "prediction") -> list[Edge]:
    return [
        Edge("", first, "biolink:affects", gene(n), knowledge_level=knowledge)
        for n in range(1, count + 1)
    ]


def two_waves(*names: str) -> QueryPlan:
    return QueryPlan(
        template="t",
        title="",
        kind="list",
        nodes=(
            QueryNode("drug", ids=("CHEBI:1",)),
            QueryNode("gene", ("biolink:Gene",)),
            QueryNode("disease", ("biolink:Disease",)),
        ),
        edges=(
            QueryEdge("near", "drug", "gene", from_node="drug"),
            QueryEdge("far", "gene", "disease", wave=2, cap=100, from_node="gene"),
        ),
        answer_node="disease",
        answer_categories=("biolink:Disease",),
        assignments=tuple(Assignment(e, name, True, "") for e in ("near", "far") for name in names),
    )


Script = Callable[[Ask, Caller], Any]


@dataclass
class Scripted:
    """An executor that does what the test says."""

    script: Script
    service: Service

    async def run(self, ask: Ask, caller: Caller) -> Outcome:
        done: Outcome = await self.script(ask, caller)
        return done


class Silent:
    """A normalizer that knows nothing, at once."""

    failures = ()

    async def normalize(self, curies: Any, *, conflate: bool = True) -> dict[str, None]:
        return dict.fromkeys(curies)


def run_of(plan: QueryPlan, caller: Caller, **scripts: Script) -> _Run:
    normalizer: Any = Silent()
    executors = {name: Scripted(script, service(name)) for name, script in scripts.items()}
    return _Run(plan, (), executors, caller, normalizer, lambda _: None)


async def at_once(ask: Ask, _: Caller) -> Outcome:
    return Outcome(edges=edges(3) if ask.edge.key == "near" else [], calls=1)


async def never(_: Ask, __: Caller) -> Outcome:
    await asyncio.sleep(10_000)
    raise AssertionError("it was not stopped")


def test_one_silent_service_costs_neither_the_others_nor_the_next_wave() -> None:
    async def scenario() -> None:
        async with Net() as net:
            run = run_of(
                two_waves("slow", "kp"), net.caller_for(deadline=100), slow=never, kp=at_once
            )
            await run.waves()
            assert clock() == 90.5  # 10 s are kept for the last normalisation
            reports = knowledge_reports(
                run.plan, [service("slow"), service("kp")], run.tally, run.caller
            )
            assert [(r.service, r.state, r.edges) for r in reports] == [
                ("slow", "timeout", 0),
                ("kp", "ok", 3),
            ]

    jump(scenario())


def test_a_statement_of_the_opposite_direction_is_no_answer_and_is_counted() -> None:
    kind = "biolink:object_direction_qualifier"

    async def mixed(ask: Ask, _: Caller) -> Outcome:
        if ask.edge.key != "near":
            return Outcome(calls=1)
        said = ("decreased", "increased", "downregulated", "")
        found = [
            replace(one, qualifiers=((kind, value),) if value else ())
            for one, value in zip(edges(4), said, strict=True)
        ]
        return Outcome(edges=found, calls=1)

    async def scenario() -> None:
        plan = two_waves("kp")
        near = replace(plan.edges[0], qualifiers=((kind, "decreased"),))
        async with Net() as net:
            run = run_of(replace(plan, edges=(near, plan.edges[1])), net.caller_for(), kp=mixed)
            await run.waves()
            (row,) = knowledge_reports(run.plan, [service("kp")], run.tally, run.caller)
            assert (row.state, row.edges) == ("ok", 3)
            assert row.dropped == (("says the opposite direction", 1),)
            kept = [edge.object.curie for edge in run.found["near"]]
            assert kept == ["NCBIGene:1", "NCBIGene:3", "NCBIGene:4"]

    jump(scenario())


def test_what_one_service_sends_that_breaks_its_reader_costs_no_other() -> None:
    async def broken(_: Ask, __: Caller) -> Outcome:
        raise OverflowError("date value out of range")

    async def scenario() -> None:
        async with Net() as net:
            run = run_of(two_waves("odd", "kp"), net.caller_for(), odd=broken, kp=at_once)
            await run.waves()
            services = [service("odd"), service("kp")]
            reports = knowledge_reports(run.plan, services, run.tally, run.caller)
            assert [(r.service, r.state, r.edges) for r in reports] == [
                ("odd", "bad_payload", 0),
                ("kp", "ok", 3),
            ]
            assert reports[0].reason.startswith("what odd sent could not be used: OverflowError")

    jump(scenario())


def test_a_wave_of_thousands_goes_on_from_the_best_ranked_and_says_so() -> None:
    asked: list[tuple[str, ...]] = []

    async def many(ask: Ask, _: Caller) -> Outcome:
        if ask.edge.key == "near":
            curated = edges(60, knowledge="knowledge_assertion")
            return Outcome(edges=[*edges(5000), *curated], calls=1)
        asked.append(ask.ids["gene"])
        return Outcome(calls=1)

    async def scenario() -> None:
        async with Net() as net:
            run = run_of(two_waves("kp"), net.caller_for(deadline=100), kp=many)
            await run.waves()
            assert run.notes == ["gene: the 100 best-ranked of 5000 were asked onwards"]

    jump(scenario())
    (best,) = asked
    assert len(best) == 100
    assert set(best[:60]) == {f"NCBIGene:{n}" for n in range(1, 61)}


@pytest.mark.parametrize(
    "error", [OfflineError("not in the cassette"), KeyError("a fault of ours")]
)
def test_what_is_no_failure_of_a_service_ends_the_run_at_once(error: Exception) -> None:
    left: list[str] = []

    async def breaks(_: Ask, __: Caller) -> Outcome:
        await asyncio.sleep(1)
        raise error

    async def waits(_: Ask, __: Caller) -> Outcome:
        try:
            await asyncio.sleep(10_000)
        finally:
            left.append("stopped")
        return Outcome()

    async def scenario() -> None:
        async with Net() as net:
            run = run_of(two_waves("a", "b"), net.caller_for(deadline=100), a=breaks, b=waits)
            with pytest.raises(type(error)):
                await run.waves()
            assert clock() == 1.0
            assert left == ["stopped"]

    jump(scenario())


def test_an_interrupted_run_leaves_nothing_running() -> None:
    async def scenario() -> None:
        async with Net() as net:
            run = run_of(two_waves("kp"), net.caller_for(deadline=100), kp=never)
            task = asyncio.create_task(run.waves())
            await asyncio.sleep(1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert asyncio.all_tasks() == {asyncio.current_task()}

    jump(scenario())


def test_normalising_that_failed_once_and_then_worked_is_no_failure() -> None:
    class Flaky(Silent):
        calls = 0

        async def normalize(self, curies: Any, *, conflate: bool = True) -> dict[str, None]:
            Flaky.calls += 1
            if Flaky.calls <= 2:
                raise UnavailableError("busy", service="nodenorm", status=503)
            return dict.fromkeys(curies)

    async def scenario() -> None:
        async with Net() as net:
            run = run_of(two_waves("kp"), net.caller_for(deadline=100), kp=at_once)
            flaky: Any = Flaky()
            run.canon.normalizer = flaky
            await run.waves()
            assert run.canon.canon.failure is None
            assert Flaky.calls == 4

    jump(scenario())


# --- reports ------------------------------------------------------------------------------------


def record(name: str, path: str, origin: Any = "live", outcome: Any = "ok") -> CallRecord:
    return CallRecord(name, "POST", path, origin, 0.5, outcome, 200, 10, f"{path} {origin}")


def with_trace(*records: CallRecord) -> Caller:
    caller = Net(offline=True).caller_for()
    caller.trace.extend(records)
    return caller


def test_cached_calls_are_among_the_calls() -> None:
    kp = replace(service("kp"), meta_path="/meta_knowledge_graph")
    caller = with_trace(
        record("kp", "/meta_knowledge_graph", "cache"),
        record("kp", "/query", "cache"),
        record("kp", "/query"),
    )
    run = run_of(two_waves("kp"), caller)
    run._tally("kp").add(Outcome(edges=edges(1), calls=2))
    (row,) = knowledge_reports(run.plan, [kp], run.tally, caller)
    assert (row.calls, row.cached, row.seconds) == (2, 1, 1.0)


@pytest.mark.parametrize(
    ("dropped", "state"),
    [("no subject", "bad_payload"), ("not bound", "empty"), ("NCBITaxon:10090", "empty")],
)
def test_what_could_not_be_read_is_not_told_as_nothing(dropped: str, state: str) -> None:
    caller = with_trace(record("kp", "/query"))
    run = run_of(two_waves("kp"), caller)
    run._tally("kp").add(Outcome(calls=1, dropped=[(dropped, 1_200)]))
    (row,) = knowledge_reports(run.plan, [service("kp")], run.tally, caller)
    assert row.state == state
    assert (row.reason == "none of the edges it sent could be read: no subject (1,200)") == (
        state == "bad_payload"
    )


def test_a_call_that_two_hops_share_is_counted_and_fails_once() -> None:
    caller = with_trace(record("kp", "/query", outcome="timeout"), record("kp", "/query"))
    error = ServiceTimeoutError("kp did not answer", service="kp")
    error.call = "/query live"
    run = run_of(two_waves("kp"), caller)
    for _ in range(2):
        run._tally("kp").add(Outcome(edges=edges(1), failures=[error], calls=1))
    (row,) = knowledge_reports(run.plan, [service("kp")], run.tally, caller)
    assert (row.calls, row.failed, row.state) == (1, 1, "truncated")
    assert row.reason == "calls failed: kp did not answer"


def test_a_failed_call_of_an_entity_service_makes_it_truncated_and_the_answer_partial() -> None:
    nameres = replace(service("nameres"), role="entities")
    down = UnavailableError("nameres answered 500", service="nameres", status=500)
    caller = with_trace(
        record("nameres", "/bulk-lookup"), record("nameres", "/bulk-lookup", outcome="unavailable")
    )
    row = entity_report(nameres, caller, [down])
    assert (row.state, row.calls, row.failed) == ("truncated", 2, 1)
    assert row.reason == "1 of 2 calls failed: nameres answered 500"
    kp = replace(row, service="kp", role="knowledge", state="ok")
    assert completeness([row, kp]) == "partial"


def test_a_call_that_was_made_good_is_no_failure() -> None:
    nodenorm = replace(service("nodenorm"), role="entities")
    caller = with_trace(
        record("nodenorm", "/get_normalized_nodes", outcome="unavailable"),
        record("nodenorm", "/get_normalized_nodes"),
        record("nodenorm", "/get_normalized_nodes"),
    )
    row = entity_report(nodenorm, caller)
    assert (row.state, row.reason, row.failed) == ("ok", "", 0)


def test_an_entity_service_whose_calls_all_failed_is_not_skipped() -> None:
    nameres = replace(service("nameres"), role="entities")
    down = UnavailableError("away", service="nameres")
    row = entity_report(nameres, with_trace(record("nameres", "/x", outcome="unavailable")), [down])
    assert (row.state, row.reason) == ("unavailable", "away")
    assert entity_report(nameres, with_trace()).state == "skipped"
