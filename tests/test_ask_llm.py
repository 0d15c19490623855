"""With a language model: it writes from the same evidence, and code decides what stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from federated import GENE_QUESTION, ask

from fedrag.config import LLMConfig
from fedrag.datamodel import Answer
from fedrag.errors import CitationError
from fedrag.testing import Federation


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation() as running:
        yield running


@pytest.fixture(autouse=True)
def _healthy(federation: Federation) -> Iterator[None]:
    yield
    federation.llm.behave("good")
    federation.heal()


def ask_model(federation: Federation, **options: Any) -> Answer:
    llm = LLMConfig("loopback-1", federation.base_urls["llm"], timeout=5.0)
    return ask(federation, llm=llm, **options)


@pytest.mark.parametrize(
    ("behaviour", "rung"),
    [
        ("good", "json_schema"),
        ("400_on_schema", "json_object"),
        ("500_on_schema", "json_object"),
        ("400_on_json", "prompt"),
        ("parts", "json_schema"),
        ("reasoning", "json_schema"),
        ("fenced", "json_schema"),
    ],
)
def test_a_model_writes_and_its_sentences_are_checked(
    federation: Federation, behaviour: str, rung: str
) -> None:
    federation.llm.behave(behaviour)
    answer = ask_model(federation)
    assert answer.llm is not None
    assert answer.llm.structured == rung
    assert answer.llm.prompt_tokens > 0
    assert answer.sentences
    keys = {item.key for item in answer.evidence}
    assert all(set(s.citations) <= keys for s in answer.sentences if s.supported)


@pytest.mark.parametrize(
    "behaviour",
    [
        "plain_text", "invalid_json", "empty", "null", "401", "404", "context", "error_string",
        "error_detail", "error_200", "no_choices",
    ],
)  # fmt: skip
def test_a_model_that_is_down_or_wrong_costs_a_note_not_the_answer(
    federation: Federation, behaviour: str
) -> None:
    without = ask(federation)
    federation.llm.behave(behaviour)
    answer = ask_model(federation, deadline=30)
    assert answer.text == without.text
    assert answer.name == "SLC12A3"
    assert any("without a language model" in note for note in answer.notes)
    assert answer.llm is not None
    assert answer.llm.error


def test_a_key_that_does_not_exist_is_rejected_and_strict_fails(federation: Federation) -> None:
    federation.llm.behave("wrong_key")
    answer = ask_model(federation)
    assert any("E999" in rejected.citations for rejected in answer.rejected_citations)
    assert not any("E999" in s.citations for s in answer.sentences if s.supported)
    with pytest.raises(CitationError) as caught:
        ask_model(federation, strict=True)
    assert caught.value.answer is not None


def test_no_model_is_called_without_evidence(federation: Federation) -> None:
    before = len(federation.calls_of("llm"))
    answer = ask_model(federation, question="What are the side effects of imatinib?")
    assert answer.abstained
    assert answer.llm is None
    assert len(federation.calls_of("llm")) == before


def test_no_openai_variable_has_any_effect(
    federation: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-ambient-secret"
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_ADMIN_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "OPENAI_BASE_URL",
        "OPENAI_WEBHOOK_SECRET",
        "OPENAI_CUSTOM_HEADERS",
    ):
        value = f"x-leak: {secret}" if name == "OPENAI_CUSTOM_HEADERS" else secret
        monkeypatch.setenv(name, value)
    ask_model(federation)
    call = federation.calls_of("llm")[-1]
    assert secret not in repr(call)
    assert "openai-organization" not in {name.lower() for name in call.headers}


def test_the_key_goes_to_the_named_address_and_nowhere_else(federation: Federation) -> None:
    llm = LLMConfig("loopback-1", federation.base_urls["llm"], key="sk-named")
    answer = ask(federation, llm=llm)
    assert federation.calls_of("llm")[-1].headers["authorization"] == "Bearer sk-named"
    others = [c for name in ("nameres", "nodenorm", "bte") for c in federation.calls_of(name)]
    assert not any("sk-named" in repr(call) for call in others)
    assert "sk-named" not in repr(answer)
    assert "sk-named" not in str(answer.to_dict())


def test_a_model_answer_records_and_replays(federation: Federation, tmp_path: Any) -> None:
    import fedrag

    llm = LLMConfig("loopback-1", federation.base_urls["llm"], key="sk-named")
    tape = tmp_path / "tape.json"
    live = ask(federation, llm=llm, record=tape)
    assert "sk-named" not in tape.read_text()
    replayed = fedrag.ask(GENE_QUESTION, llm=llm, replay=tape)
    assert replayed.sentences == live.sentences
    assert replayed.text == live.text


def test_a_model_that_is_too_slow_is_asked_once(federation: Federation) -> None:
    federation.llm.behave("slow")
    before = len(federation.calls_of("llm"))
    llm = LLMConfig("loopback-1", federation.base_urls["llm"], timeout=0.5)
    answer = ask(federation, llm=llm)
    assert answer.name == "SLC12A3"
    assert any("without a language model" in note for note in answer.notes)
    assert answer.llm is not None
    assert answer.llm.calls == 1
    assert len(federation.calls_of("llm")) - before <= 1
