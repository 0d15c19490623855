"""The JSON a language model answers with, read as tolerantly as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedrag.answer.claims import Claim, Statement
from fedrag.answer.prompt import MAX_SENTENCES

__all__ = ["ModelAnswer", "read_answer"]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a language model answered, before any check."""

    abstain: bool
    answer: str
    items: tuple[str, ...]
    statements: tuple[Statement, ...]


def read_answer(value: dict[str, Any]) -> ModelAnswer | None:
    """The answer in a JSON object, or ``None`` when it has not the shape asked for.

    >>> read_answer({"abstain": True})
    ModelAnswer(abstain=True, answer='', items=(), statements=())
    """
    sentences = value.get("sentences")
    if value.get("abstain") is True:
        return ModelAnswer(True, "", (), ())
    if not isinstance(sentences, list):
        return None
    statements = tuple(s for item in sentences[: 2 * MAX_SENTENCES] if (s := _statement(item)))
    answer = value.get("answer")
    items = value.get("items")
    if not statements:
        return None
    return ModelAnswer(
        False,
        answer.strip() if isinstance(answer, str) else "",
        tuple(i for i in items if isinstance(i, str) and i) if isinstance(items, list) else (),
        statements,
    )


def _statement(item: Any) -> Statement | None:
    if isinstance(item, str):
        return Statement(item)
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return None
    keys = item.get("keys", item.get("citations", ()))
    keys = [keys] if isinstance(keys, str) else keys if isinstance(keys, list) else []
    claims = item.get("claims", item.get("claim"))
    claims = claims if isinstance(claims, list) else [claims]
    return Statement(
        item["text"].strip(),
        tuple(str(k).strip("[] ") for k in keys),
        tuple(c for raw in claims if (c := _claim(raw))),
    )


def _claim(raw: Any) -> Claim | None:
    if not isinstance(raw, dict):
        return None
    subject, predicate, obj = (raw.get(name) for name in ("subject", "predicate", "object"))
    if not (isinstance(subject, str) and isinstance(obj, str) and subject and obj):
        return None
    direction = raw.get("direction")
    return Claim(
        subject,
        predicate if isinstance(predicate, str) else "",
        obj,
        negated=raw.get("negated") is True,
        direction=direction if isinstance(direction, str) and direction != "none" else "",
    )
