"""Failures told with HTTP 200, and answers that are none."""

from __future__ import annotations

from typing import Any

import pytest
from trapi_messages import edge, read, response

from fedrag.errors import BadPayloadError


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        ("Error", "Error: no edges"),
        ("QueryNotTraversable", "QueryNotTraversable: no edges"),
        ("KPsNotAvailable", "KPsNotAvailable: no edges"),
        ("Failed", "Failed: no edges"),
        (500, "500: no edges"),
        ("500", "500: no edges"),
        ("Success", None),
        ("Complete", None),
        ("Completed with 0 errors", None),
        ("CompletionFailed", "CompletionFailed: no edges"),
        ("OK", None),
        (200, None),
        (None, None),
        (True, None),
        ([], None),
        ("", None),
    ],
)
def test_a_failure_may_be_told_in_the_status(status: Any, failure: str | None) -> None:
    payload = response(status=status, description="no edges")
    payload["message"]["results"] = []
    assert read(payload).failure == failure


def test_a_failure_may_be_told_in_the_logs_alone() -> None:
    logs = [
        {"level": "INFO", "message": "started"},
        None,
        {"level": "ERROR", "message": "no KPs\n  answered"},
    ]
    empty = response(status="Success", logs=logs)
    empty["message"]["results"] = None
    assert read(empty).failure == "no KPs answered"
    assert read(response(edge(), status="Success", logs=logs)).failure is None


def test_a_failure_keeps_the_edges_that_came() -> None:
    answer = read(response(edge(), status="Error", logs=[{"level": "ERROR", "message": "late"}]))
    assert (len(answer.edges), answer.failure) == (1, "Error: late")


def test_a_failed_response_without_a_message_tells_its_failure() -> None:
    answer = read({"status": "Error", "description": "timed out", "message": None})
    assert (answer.edges, answer.failure) == ((), "Error: timed out")


def test_a_long_failure_is_cut() -> None:
    answer = read({"status": "Error", "description": "x" * 10_000, "message": {}})
    assert answer.failure is not None
    assert len(answer.failure) == 300


@pytest.mark.parametrize(
    ("more", "truncated"),
    [
        ({"logs": [{"level": "WARNING", "message": "Results were truncated to 500"}]}, True),
        ({"logs": [{"level": "DEBUG", "message": "log truncated"}]}, False),
        ({"description": "Max number of results reached"}, True),
        ({"status": "Running"}, True),
        ({"logs": None, "status": "Success"}, False),
    ],
)
def test_a_service_may_say_that_it_cut_its_answer(more: dict[str, Any], truncated: bool) -> None:
    assert read(response(edge(), **more)).truncated is truncated


@pytest.mark.parametrize(
    "payload",
    [None, [], "x", 3, True, {}, {"detail": "gone"}, {"message": None}, {"message": "invalid"}],
)
def test_what_is_no_response_is_a_bad_payload(payload: Any) -> None:
    with pytest.raises(BadPayloadError) as caught:
        read(payload)
    assert (caught.value.service, caught.value.state) == ("bte", "bad_payload")


def test_a_bad_payload_shows_what_the_service_said() -> None:
    with pytest.raises(BadPayloadError, match="Your input query graph is invalid"):
        read({"message": "Your input query graph is invalid"})
