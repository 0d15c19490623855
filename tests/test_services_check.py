"""``fedrag services --check``: one cheap call each, with state, latency and version."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from federated import flags

from fedrag.cli.main import cli
from fedrag.execute import check_service
from fedrag.metakg import Service
from fedrag.net import Endpoint, Net
from fedrag.testing import Federation
from fedrag.testing.apis import APIS
from fedrag.testing.apis.oncokb import TOKEN


def checked(federation: Federation, *more: str) -> dict[str, dict[str, object]]:
    arguments = ["services", "--check", "--json", *flags(federation), *more]
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert result.exception is None
    return {row["service"]: row for row in json.loads(result.stdout)}


def test_each_service_answers_its_own_cheap_call_and_tells_its_version() -> None:
    with Federation(apis=tuple(APIS)) as federation:
        rows = checked(federation)
        calls = [call for call in federation.calls if call.service in APIS]
    assert {name: row["state"] for name, row in rows.items() if name != "oncokb"} == {
        name: "ok" for name in rows if name != "oncokb"
    }
    assert (rows["string"]["version"], rows["mychem"]["version"]) == ("12.5", "loopback")
    assert str(rows["reactome"]["version"]).isdigit()
    assert len(calls) == len(APIS) - 1  # OncoKB was not asked: it wants a key
    assert rows["oncokb"]["state"] == "needs_key"
    assert "FEDRAG_ONCOKB_TOKEN" in str(rows["oncokb"]["reason"])


def test_a_service_that_is_down_is_told_and_the_others_are_not_touched() -> None:
    with Federation(apis=("string", "mychem")) as federation:
        federation.fault("string", "422")
        rows = checked(federation)
    assert (rows["string"]["state"], rows["mychem"]["state"]) == ("unavailable", "ok")
    assert rows["civic"]["state"] == "skipped"


async def check(answer: Any, **endpoint: Any) -> tuple[str, str, list[httpx2.Request]]:
    """State, reason and calls of one check of a service that answers so."""
    seen: list[httpx2.Request] = []

    async def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer, json={})

    service = Service(
        name="mine",
        title="Mine",
        protocol="rest",
        role="knowledge",
        endpoint=Endpoint("mine", "https://mine.example.org", **endpoint),
        infores="infores:mine",
        check_call={"path": "/version"},
    )
    async with Net(transport=httpx2.MockTransport(handle)) as net:
        report = await check_service(service, net.caller_for(deadline=None))
    return report.state, report.reason, seen


@pytest.mark.parametrize(
    ("answer", "state"),
    [(503, "unavailable"), (429, "rate_limited"), (httpx2.ReadTimeout("late"), "timeout")],
)
async def test_a_failure_is_not_tried_again(answer: Any, state: str) -> None:
    told, _, seen = await check(answer)
    assert (told, len(seen)) == (state, 1)


@pytest.mark.parametrize(("own", "allowed"), [(90.0, 10.0), (4.0, 4.0)])
async def test_a_service_has_ten_seconds_or_less_where_its_document_says_so(
    own: float, allowed: float
) -> None:
    *_, seen = await check(200, timeout=own)
    assert seen[0].extensions["timeout"]["read"] == allowed


def test_a_key_that_an_open_call_does_not_test_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", TOKEN)
    with Federation(apis=("oncokb",)) as federation:
        row = checked(federation)["oncokb"]
    assert row["state"] == "ok"
    assert row["reason"] == "whether it takes the key in FEDRAG_ONCOKB_TOKEN was not tested"
