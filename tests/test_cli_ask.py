"""The command line against the loopback federation: what a person sees, and what a pipe gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from federated import GENE_QUESTION, flags

from fedrag.cli.main import cli
from fedrag.errors import AmbiguousEntityError, FedragError, ServiceError
from fedrag.testing import Federation


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


@pytest.fixture(autouse=True)
def _healthy(federation: Federation) -> Iterator[None]:
    yield
    federation.heal()


def run(federation: Federation, command: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli,
        [command, *arguments, "--no-cache", *flags(federation)],
        standalone_mode=False,
        catch_exceptions=True,
    )


def as_json(result: Result) -> Any:
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def test_the_answer_is_on_stdout_and_nothing_else(federation: Federation) -> None:
    result = run(federation, "ask", GENE_QUESTION)
    assert result.return_value == 0
    assert result.stdout.startswith("SLC12A3 is the best supported of ")
    assert result.stderr == ""
    for heading in ("Understood", "Candidates", "Evidence", "Services", "Completeness: complete"):
        assert f"\n{heading}" in result.stdout
    assert "it is not a probability" in result.stdout


def test_explained_points_add_up_to_the_score(federation: Federation) -> None:
    output = as_json(run(federation, "ask", GENE_QUESTION, "--json"))
    for candidate in output["candidates"]:
        total = sum(line["points"] for line in candidate["explanation"])
        assert total == pytest.approx(candidate["score"], abs=1e-3)
    text = run(federation, "ask", GENE_QUESTION, "--explain").stdout
    assert "reaches 2 of 2 given entities" in text


def test_tsv_has_one_line_per_retrieved_edge(federation: Federation) -> None:
    output = as_json(run(federation, "ask", GENE_QUESTION, "--json"))
    lines = run(federation, "ask", GENE_QUESTION, "--format", "tsv").stdout.splitlines()
    assert lines[0].split("\t")[:4] == ["key", "id", "subject", "subject_name"]
    assert len(lines) == output["edges_retrieved"] + 1
    assert all(len(line.split("\t")) == len(lines[0].split("\t")) for line in lines)


def test_a_pinned_entity_is_used(federation: Federation) -> None:
    result = run(
        federation, "ask", GENE_QUESTION, "--entity", "hypertension=MESH:D006973", "--json"
    )
    entities = as_json(result)["entities"]
    pinned = next(e for e in entities if e["how"] == "pinned")
    assert pinned["mention"] == "hypertension"
    assert pinned["curie"] == "MONDO:0005044"


def test_resolve_shows_the_step_alone_and_typos(federation: Federation) -> None:
    result = run(federation, "resolve", "hydrochlorothiazid", "and", "imatanib")
    assert result.return_value == 0
    assert "hydrochlorothiazid → Hydrochlorothiazide" in result.stdout
    assert "imatanib → imatinib" in result.stdout
    assert '"imatanib" was read as imatinib' in result.stdout


def test_resolving_nothing_exits_with_5(federation: Federation) -> None:
    assert run(federation, "resolve", "zorbalixinib").return_value == 5


def test_an_unknown_curie_is_unresolved(federation: Federation) -> None:
    result = run(federation, "ask", "what are the targets of DRUGBANK:DB99999?")
    assert isinstance(result.exception, FedragError)
    assert result.exception.exit_code == 5
    assert "DRUGBANK:DB99999" in str(result.exception)


def test_other_spellings_of_prefixes_are_accepted(federation: Federation) -> None:
    output = as_json(run(federation, "ask", "what are the targets of DB:DB00999?", "--json"))
    assert output["entities"][0]["curie"] == "DRUGBANK:DB00999"
    assert output["candidates"][0]["name"] == "SLC12A3"


def test_ambiguity_is_shown_and_strict_refuses_it(federation: Federation) -> None:
    question = "what are the diseases of cox1?"
    (entity,) = as_json(run(federation, "resolve", question, "--json"))["entities"]
    assert entity["ambiguous"]
    assert entity["candidates"]
    refused = run(federation, "ask", question, "--strict")
    assert isinstance(refused.exception, AmbiguousEntityError)
    assert refused.exception.exit_code == 5
    assert '--entity "cox1=CURIE"' in str(refused.exception)
    answered = run(federation, "ask", question)
    assert "'cox1' was taken as" in answered.stdout


def test_a_bad_pin_is_named(federation: Federation) -> None:
    result = run(federation, "ask", GENE_QUESTION, "--entity", "hypertension=MONDO:9999999")
    told = "'hypertension' is pinned to MONDO:9999999: the Node Normalizer does not know"
    assert told in str(result.exception)
    result = run(federation, "ask", GENE_QUESTION, "--entity", "hypertension=hello world")
    assert "is no identifier of the form PREFIX:ID" in str(result.exception)


def test_an_unknown_name_with_an_address_is_a_trapi_service_of_ones_own(
    federation: Federation,
) -> None:
    url = federation.base_urls["bte"]
    own = ("--only", "kp9", "--base-url", f"kp9={url}")
    output = as_json(run(federation, "ask", GENE_QUESTION, *own, "--json"))
    rows = {row["service"]: row["state"] for row in output["services"]}
    assert rows["kp9"] == "ok"


def test_a_taxon_may_be_given_as_digits(federation: Federation) -> None:
    output = as_json(run(federation, "ask", GENE_QUESTION, "--taxon", "9606", "--json"))
    assert output["answer"]["name"] == "SLC12A3"


def test_interrupting_exits_with_130_and_keeps_what_was_recorded(
    federation: Federation, tmp_path: Path
) -> None:
    import signal
    import subprocess
    import sys
    import time

    federation.fault("bte", "hang", path="/query")
    federation.calls.clear()
    tape = tmp_path / "tape.json"
    command = [sys.executable, "-m", "fedrag", "ask", GENE_QUESTION, "--no-cache"]
    process = subprocess.Popen(
        [*command, "--record", str(tape), *flags(federation)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not federation.calls_of("nodenorm") and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told
    assert "hydrochlorothiazide" in tape.read_text()


def test_plan_prints_query_graphs_and_who_is_asked(federation: Federation) -> None:
    result = run(federation, "plan", GENE_QUESTION)
    assert result.return_value == 0
    assert "bte" in result.stdout
    output = as_json(run(federation, "plan", GENE_QUESTION, "--json"))
    assert output["plan"]["template"] == "gene-by-drug-and-disease"
    assert output["queries"]
    assert {a["service"] for a in output["plan"]["assignments"] if a["asked"]} == {"bte"}


def test_strict_prints_a_partial_answer_and_fails(federation: Federation) -> None:
    federation.fault("bte", "422", path="/query", times=1)
    result = run(federation, "ask", GENE_QUESTION, "--strict")
    assert isinstance(result.exception, ServiceError)
    assert "partial" in str(result.exception)
    assert "Completeness: partial" in result.stdout


def test_a_cassette_that_cannot_be_written_does_not_cost_the_answer(
    federation: Federation, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = run(federation, "ask", GENE_QUESTION, "--record", str(blocked / "tape.json"))
    assert isinstance(result.exception, FedragError)
    assert "cannot write the cassette" in str(result.exception)
    assert "SLC12A3 is the best supported" in result.stdout


def test_recorded_then_replayed_is_the_same_but_for_mode(
    federation: Federation, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.json"
    live = as_json(run(federation, "ask", GENE_QUESTION, "--record", str(tape), "--json"))
    replayed = json.loads(
        CliRunner()
        .invoke(cli, ["ask", GENE_QUESTION, "--replay", str(tape), "--json"], standalone_mode=False)
        .stdout
    )
    for key in ("answer", "candidates", "evidence", "services", "completeness", "entities"):
        assert replayed[key] == live[key], key
    assert (live["mode"], replayed["mode"]) == ("live", "replay")


def test_a_failed_call_is_recorded_and_replays_as_the_same_state(
    federation: Federation, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.json"
    federation.fault("bte", "500", path="/query")
    live = run(federation, "ask", GENE_QUESTION, "--record", str(tape), "--json")
    replayed = CliRunner().invoke(
        cli, ["ask", GENE_QUESTION, "--replay", str(tape), "--json"], standalone_mode=False
    )
    assert (live.return_value, replayed.return_value) == (3, 3)
    rows = [json.loads(r.stdout)["services"] for r in (live, replayed)]
    assert rows[0] == rows[1]
    assert next(r for r in rows[0] if r["service"] == "bte")["state"] == "unavailable"


def test_cached_calls_answer_offline_and_a_miss_is_unavailable(
    federation: Federation, tmp_path: Path
) -> None:
    settings = ["--config", str(tmp_path / "c.toml"), *flags(federation)]
    (tmp_path / "c.toml").write_text(f"cache_dir = {str(tmp_path / 'cache')!r}\n")
    first = CliRunner().invoke(cli, ["ask", GENE_QUESTION, "--json", *settings])
    offline = CliRunner().invoke(cli, ["ask", GENE_QUESTION, "--json", "--offline", *settings])
    one, two = json.loads(first.stdout), json.loads(offline.stdout)
    assert (one["mode"], two["mode"]) == ("live", "cache")
    assert one["answer"] == two["answer"]
    other = "what are the targets of imatinib?"
    missed = CliRunner().invoke(cli, ["ask", other, "--offline", *settings], standalone_mode=False)
    assert isinstance(missed.exception, ServiceError)
    assert "offline, not cached" in str(missed.exception)


def test_services_lists_addresses_and_checks_them(federation: Federation) -> None:
    federation.fault("bte", "500")
    result = run(federation, "services", "--check", "--json")
    rows = {row["service"]: row for row in as_json(result)}
    assert rows["nodenorm"]["state"] == "ok"
    assert rows["bte"]["state"] == "unavailable"
    assert rows["bte"]["base_url"] == federation.base_urls["bte"]


def test_metakg_lists_shows_and_finds_paths(federation: Federation) -> None:
    listed = CliRunner().invoke(cli, ["metakg", "list", "--no-cache", *flags(federation)])
    assert "bte          Protein → BiologicalProcess" in listed.stdout
    shown = CliRunner().invoke(cli, ["metakg", "show", "bte", "--no-cache", *flags(federation)])
    assert "treats" in shown.stdout
    paths = CliRunner().invoke(
        cli, ["metakg", "paths", "Drug", "BiologicalProcess", "--no-cache", *flags(federation)]
    )
    assert "→" in paths.stdout


def test_cassette_and_cache_commands(tmp_path: Path) -> None:
    shown = CliRunner().invoke(cli, ["cassette", "show", "demo"])
    assert "DrugMechDB" in shown.stdout
    verified = CliRunner().invoke(cli, ["cassette", "verify", "demo"], standalone_mode=False)
    assert verified.return_value == 0
    stats = CliRunner().invoke(cli, ["cache", "stats", "--dir", str(tmp_path), "--json"])
    assert json.loads(stats.stdout)["answers"] == 0
    cleared = CliRunner().invoke(cli, ["cache", "clear", "--dir", str(tmp_path)])
    assert "0 calls forgotten" in cleared.stderr


def test_names_from_outside_cannot_rewrite_the_terminal() -> None:
    from fedrag.cli.output import plain

    assert plain("SLC12A3\x1b[2J\u202e\x07") == "SLC12A3[2J"


def test_what_was_left_out_is_told_beside_what_was_understood(federation: Federation) -> None:
    question = "Which oral zorbs treat Fabry disease?"
    output = as_json(run(federation, "ask", question, "--json"))
    assert "zorbs" in " ".join(output["unused"])
    text = run(federation, "ask", question).stdout
    understood = text.split("\nUnderstood\n")[1].split("\n\n")[0]
    assert "left out, not applied: " in understood
    assert "zorbs" in understood
