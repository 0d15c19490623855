"""``fedrag services --check``: one cheap call each, with state, latency and version."""

from __future__ import annotations

import json

from click.testing import CliRunner
from federated import flags

from fedrag.cli.main import cli
from fedrag.testing import Federation
from fedrag.testing.apis import APIS


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
