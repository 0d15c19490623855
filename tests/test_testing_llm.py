"""The loopback language model: good answers to any schema, and what real servers do instead."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from fedrag.errors import ConfigError
from fedrag.testing import FactBook, Federation, Raw

PROMPT = "Evidence:\n[E3] Hydrochlorothiazide decreases activity of SLC12A3.\n[E4] A treats B."
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": ["string", "null"]},
        "abstained": {"type": "boolean"},
        "sentences": {"type": "array", "items": {"$ref": "#/$defs/Sentence"}},
    },
    "$defs": {
        "Sentence": {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "citations": {"type": "array", "items": {"enum": ["E3", "E4"]}},
                "claim": {
                    "anyOf": [
                        {
                            "type": "object",
                            "properties": {
                                "subject": {"type": "string"},
                                "predicate": {"type": "string"},
                                "direction": {"enum": ["increases", "decreases", "none"]},
                                "object": {"type": "string"},
                                "negated": {"type": "boolean"},
                            },
                        },
                        {"type": "null"},
                    ]
                },
            },
        }
    },
}
WANTED = {
    "name": "SLC12A3",
    "abstained": False,
    "sentences": [
        {
            "text": "Hydrochlorothiazide decreases activity of SLC12A3.",
            "citations": ["E3"],
            "claim": {
                "subject": "Hydrochlorothiazide",
                "predicate": "decreases activity of",
                "direction": "decreases",
                "object": "SLC12A3",
                "negated": False,
            },
        }
    ],
}


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    facts = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:1")])
    with Federation(facts) as running:
        yield running


def form(kind: str) -> dict[str, Any]:
    if kind == "json_schema":
        return {"type": kind, "json_schema": {"name": "answer", "schema": SCHEMA}}
    return {"type": kind, "schema": SCHEMA} if kind == "json_object" else {"type": "text"}


def chat(
    federation: Federation, kind: str = "json_schema", prompt: str = PROMPT
) -> httpx2.Response:
    body = {
        "model": "any",
        "messages": [{"role": "user", "content": prompt}],
        "response_format": form(kind),
    }
    return httpx2.post(f"{federation.base_urls['llm']}/chat/completions", json=body, timeout=10.0)


def content(reply: httpx2.Response) -> Any:
    return reply.json()["choices"][0]["message"]["content"]


@pytest.mark.parametrize("kind", ["json_schema", "json_object"])
def test_good_fills_the_schema_from_the_first_evidence_line(
    federation: Federation, kind: str
) -> None:
    federation.llm.behave("good")
    assert json.loads(content(chat(federation, kind))) == WANTED


def test_good_finds_the_schema_in_the_prompt_when_nowhere_else(federation: Federation) -> None:
    federation.llm.behave("good")
    prompt = f"{PROMPT}\nAnswer as JSON that meets {json.dumps(SCHEMA)}"
    assert json.loads(content(chat(federation, "text", prompt))) == WANTED


def test_good_writes_prose_without_a_schema(federation: Federation) -> None:
    federation.llm.behave("good")
    said = content(chat(federation, "text"))
    assert said == "Hydrochlorothiazide decreases activity of SLC12A3. [E3]"


def test_a_reply_may_be_any_function_of_the_request(federation: Federation) -> None:
    federation.llm.reply = lambda request: {"echo": request["model"]}
    assert json.loads(content(chat(federation))) == {"echo": "any"}
    federation.llm.reply = lambda _: Raw(418, {"error": "teapot"})
    assert chat(federation).status_code == 418


@pytest.mark.parametrize(
    ("behaviour", "status", "steps"),
    [
        ("400_on_schema", 400, ["json_object", "text"]),
        ("500_on_schema", 500, ["json_object", "text"]),
        ("400_on_json", 400, ["text"]),
    ],
)
def test_a_server_may_refuse_structured_output(
    federation: Federation, behaviour: str, status: int, steps: list[str]
) -> None:
    federation.llm.behave(behaviour)
    refused = chat(federation, "json_schema")
    assert refused.status_code == status
    assert "json_schema" in refused.json()["error"]["message"]
    assert [chat(federation, step).status_code for step in steps] == [200] * len(steps)


def test_content_comes_in_many_forms(federation: Federation) -> None:
    found = {}
    for behaviour in ("empty", "null", "parts", "reasoning", "fenced", "invalid_json"):
        federation.llm.behave(behaviour)
        found[behaviour] = chat(federation).json()["choices"][0]["message"]
    assert found["empty"]["content"] == ""
    assert found["null"]["content"] is None
    assert json.loads(found["parts"]["content"][0]["text"]) == WANTED
    assert found["reasoning"]["reasoning_content"]
    assert found["fenced"]["content"].startswith("<think>")
    with pytest.raises(json.JSONDecodeError):
        json.loads(found["invalid_json"]["content"])


def test_a_wrong_key_cites_what_does_not_exist(federation: Federation) -> None:
    federation.llm.behave("wrong_key")
    said = json.loads(content(chat(federation, "text", PROMPT + json.dumps(SCHEMA_FREE))))
    assert said["citations"] == ["E999"]


SCHEMA_FREE = {"properties": {"citations": {"type": "array", "items": {"type": "string"}}}}


def test_errors_come_in_many_shapes(federation: Federation) -> None:
    found = {}
    for behaviour in ("401", "404", "context", "error_string", "error_detail", "error_200"):
        federation.llm.behave(behaviour)
        reply = chat(federation)
        found[behaviour] = (reply.status_code, reply.json())
    assert found["401"][1]["error"]["code"] == 401
    assert found["404"][1]["error"]["code"] == "model_not_found"
    assert found["context"][1]["error"]["code"] == "context_length_exceeded"
    assert found["error_string"] == (
        400,
        {"code": "invalid-argument", "error": "Incorrect API key."},
    )
    assert found["error_detail"] == (500, {"detail": "out of memory"})
    assert found["error_200"][0] == 200
    with pytest.raises(ConfigError, match="no behaviour 'wise'"):
        federation.llm.behave("wise")


def test_a_completion_has_the_recorded_keys(federation: Federation, corpora: Path) -> None:
    folder = corpora / "recorded" / "llm"
    tape = yaml.safe_load((folder / "rubyopenai_ollama_llama3_chat.yml").read_text())
    bodies = [call["response"]["body"]["string"] for call in tape["http_interactions"]]
    recorded = json.loads(next(body for body in bodies if body.startswith("{")))
    federation.llm.behave("good")
    told = chat(federation).json()
    assert set(recorded) - {"system_fingerprint"} <= set(told)
    assert set(recorded["choices"][0]) <= set(told["choices"][0])
    assert set(recorded["usage"]) <= set(told["usage"])
    listed = httpx2.get(f"{federation.base_urls['llm']}/models").json()
    assert listed["data"][0]["id"] == "loopback-1"
