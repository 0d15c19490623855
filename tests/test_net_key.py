"""What makes two calls the same: not who asks, nor where, nor in which order."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedrag.net import call_key
from fedrag.net.key import CREDENTIALS, IDENTITY, sends_credentials, strip_json, strip_query
from fedrag.net.redact import redact

BODY: dict[str, Any] = {"message": {"query_graph": {"nodes": {}, "edges": {}}}}


def key(**changes: Any) -> str:
    call = {"service": "bte", "method": "POST", "path": "/query", "query": (), "json": BODY}
    return call_key(**{**call, "credentials": False, **changes})


def test_the_key_of_a_known_call_never_changes() -> None:
    assert key() == ("aef491f6979d13fd4b40a8b9c9882b753d51c9ff57bf4661ad87dfbd0cc8606e")


@pytest.mark.parametrize("submitter", ["fedrag", "someone else", None])
def test_the_submitter_of_a_trapi_query_is_not_in_the_key(submitter: str | None) -> None:
    assert key(json={"submitter": submitter, **BODY}) == key()


@pytest.mark.parametrize("name", sorted(IDENTITY | CREDENTIALS))
def test_no_identity_or_credential_parameter_is_in_the_key(name: str) -> None:
    assert key(query=[(name, "x"), ("a", "1")]) == key(query=[("a", "1")])
    assert key(query=[(name.upper(), "x"), ("a", "1")]) == key(query=[("a", "1")])
    assert key(json={**BODY, name: "x"}) == key()


@pytest.mark.parametrize(
    "changes",
    [
        {"service": "arax"},
        {"method": "GET"},
        {"path": "/v1/query"},
        {"query": [("limit", "1")]},
        {"json": {"message": None}},
        {"json": None},
        {"json": {}},
        {"credentials": True},
        {"json": {**BODY, "key": {"nested": "things are the service's own"}}},
    ],
)
def test_everything_that_may_change_the_answer_is_in_the_key(changes: dict[str, Any]) -> None:
    assert key(**changes) != key()


def test_a_nested_submitter_is_part_of_the_question() -> None:
    assert key(json={"message": {"submitter": "a"}}) != key(json={"message": {"submitter": "b"}})


def test_case_of_the_method_and_the_leading_slash_do_not_matter() -> None:
    assert key(method="post", path="query") == key()


@given(st.permutations([("a", "1"), ("b", "2"), ("b", "1"), ("c", "")]))
def test_the_order_of_the_query_does_not_matter(query: list[tuple[str, str]]) -> None:
    assert key(query=query) == key(query=[("a", "1"), ("b", "1"), ("b", "2"), ("c", "")])


@given(st.dictionaries(st.text(), st.recursive(st.integers(0, 9), st.lists)))
def test_the_order_of_a_body_does_not_matter(body: dict[str, Any]) -> None:
    assert key(json=dict(reversed(body.items()))) == key(json=body)


@given(st.dictionaries(st.sampled_from(["submitter", "user", "ids", "key"]), st.text()))
def test_what_is_stored_of_a_body_has_the_same_key(body: dict[str, str]) -> None:
    stored = orjson.loads(orjson.dumps(strip_json(body)))
    assert key(json=stored) == key(json=body)
    assert strip_json(stored) == stored


def test_stripping_keeps_the_rest() -> None:
    assert strip_query([("b", "1"), ("api_key", "x"), ("a", "2")]) == (("a", "2"), ("b", "1"))
    assert strip_json([{"user": "x"}]) == [{"user": "x"}]


def test_an_identity_is_no_credential() -> None:
    assert not sends_credentials([("email", "me@example.org"), ("tool", "fedrag")], {"user": "x"})
    assert sends_credentials([("API_KEY", "x")], None)
    assert sends_credentials([], {"access_token": "x"})


@pytest.mark.parametrize(
    "secret",
    [
        "Bearer abcdefghijklmnop1",
        "sk-abcdefghijklmnopqrstu",
        "ghp_abcdefghijklmnopqrstuv",
        "hf_abcdefghijklmnopqrstuv",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def",
    ],
)
def test_what_is_shaped_like_a_key_is_removed(secret: str) -> None:
    assert redact(f'{{"error": "bad {secret}"}}') == '{"error": "bad [removed]"}'


@pytest.mark.parametrize(
    "text", ["the bearer chromosomes-of-this", "Bearer tokens", "a risk-benefit-analysis-of-drugs"]
)
def test_prose_is_left_alone(text: str) -> None:
    assert redact(text) == text
