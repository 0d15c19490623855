"""What is attempted again, how often, after how long, and when it is given up."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest
from net_support import PUBLIC, Script, Step, at, clock, jump, ok

from fedrag.errors import (
    BadPayloadError,
    ConfigError,
    NeedsKeyError,
    RateLimitedError,
    ServiceError,
    ServiceTimeoutError,
    UnavailableError,
)
from fedrag.net import CallRecord, Endpoint, Net
from fedrag.net.retry import retry_after


def outcome(
    steps: list[Step],
    *,
    endpoint: Endpoint = PUBLIC,
    deadline: float | None = 120.0,
    seconds: float = 0.0,
) -> tuple[object, Script, float, list[CallRecord]]:
    """What one call comes to: a status or an error; the script; when; the trace."""
    script = Script(steps, seconds=seconds)

    async def run() -> tuple[object, float, list[CallRecord]]:
        async with Net(transport=script) as net:
            caller = net.caller_for(deadline=deadline)
            try:
                result: object = (await caller.send(endpoint, "POST", "/query", json={})).status
            except (ServiceError, ConfigError) as error:
                result = error
            return result, clock(), caller.trace

    result, when, trace = jump(run())
    return result, script, when, trace


def status(code: int, text: str = "", **headers: str) -> httpx2.Response:
    return httpx2.Response(
        code, text=text, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


@pytest.mark.parametrize(
    "trouble",
    [
        httpx2.ConnectError("refused"),
        httpx2.ReadError("reset"),
        httpx2.RemoteProtocolError("peer closed connection"),
        httpx2.ConnectTimeout("slow"),
        httpx2.ReadTimeout("slow"),
        status(429),
        status(500),
        status(503),
    ],
)
def test_trouble_that_may_pass_is_tried_again(trouble: Step) -> None:
    result, script, _, trace = outcome([trouble, trouble, ok()])
    assert result == 200
    assert len(script.requests) == 3
    assert [line.outcome for line in trace] == ["ok"]


@pytest.mark.parametrize(
    ("trouble", "kind", "words"),
    [
        (httpx2.ConnectError("refused"), UnavailableError, "bte.example.org: refused (3 attempts)"),
        (httpx2.ReadTimeout(""), ServiceTimeoutError, "not answer within 30 s (3 attempts)"),
        (status(429), RateLimitedError, "bte answered 429 (3 attempts)"),
        (status(500, "Traceback\n  x"), UnavailableError, "500 to POST /query: Traceback x (3"),
        (httpx2.DecodingError("bad gzip"), BadPayloadError, "cannot be decompressed: bad gzip (3"),
    ],
)
def test_after_the_retries_are_spent_the_error_says_what_happened(
    trouble: Step, kind: type[ServiceError], words: str
) -> None:
    result, script, _, trace = outcome([trouble])
    assert type(result) is kind
    assert words in str(result)
    assert isinstance(result, ServiceError)
    assert result.service == "bte"
    assert len(script.requests) == 3
    assert [line.outcome for line in trace] == [kind.state]


@pytest.mark.parametrize("retries", [0, 1, 4])
def test_the_number_of_retries_is_the_endpoints(retries: int) -> None:
    _, script, _, _ = outcome([status(502)], endpoint=at(PUBLIC, retries=retries))
    assert len(script.requests) == retries + 1


@pytest.mark.parametrize("code", [401, 403])
def test_a_missing_key_is_told_at_once(code: int) -> None:
    result, script, _, _ = outcome([status(code, "no token")])
    assert isinstance(result, NeedsKeyError)
    assert result.status == code
    assert "give a valid key for bte" in str(result)
    assert len(script.requests) == 1


@pytest.mark.parametrize("code", [400, 404, 405, 413, 422])
def test_a_refused_call_is_not_repeated(code: int) -> None:
    result, script, _, trace = outcome([status(code, "<p>unknown   CURIE</p>")])
    assert isinstance(result, UnavailableError)
    assert str(result) == f"bte answered {code} to POST /query: <p>unknown CURIE</p>"
    assert result.status == trace[0].status == code
    assert len(script.requests) == 1


def test_the_waits_between_attempts_grow() -> None:
    _, script, _, _ = outcome([status(500)], endpoint=at(PUBLIC, retries=3))
    one, two, three, four = script.times
    assert 0.5 <= two - one <= 1.0
    assert 1.0 <= three - two <= 1.5
    assert 2.0 <= four - three <= 2.5


@pytest.mark.parametrize("code", [429, 503])
def test_retry_after_in_seconds_is_obeyed_to_the_second(code: int) -> None:
    result, script, _, _ = outcome([status(code, retry_after="17"), ok()])
    assert result == 200
    assert script.times == [0, 17]


def test_retry_after_as_a_date_is_obeyed() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    result, script, _, _ = outcome([status(429, retry_after=date), ok()])
    assert result == 200
    assert script.times[1] == pytest.approx(39, abs=2)


def test_a_retry_after_beyond_the_deadline_stops_at_once_and_says_so() -> None:
    result, script, when, trace = outcome([status(429, retry_after="100")], deadline=30)
    assert isinstance(result, RateLimitedError)
    assert "asks to wait 100 s, more than the 30 s that remain" in str(result)
    assert (len(script.requests), when) == (1, 0)
    assert trace[0].outcome == "rate_limited"
    assert trace[0].status == 429


def test_without_a_deadline_nobody_waits_for_hours() -> None:
    result, _, when, _ = outcome([status(429, retry_after="7200")], deadline=None)
    assert isinstance(result, RateLimitedError)
    assert "asks to wait 7200 s" in str(result)
    assert when == 0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 2.5 ", 2.5),
        ("-3", 0.0),
        ("inf", None),
        ("nan", None),
        ("", None),
        ("tomorrow", None),
        ("Wed, 01 Jan 2025 00:01:00 GMT", 60.0),
        ("Wed, 01 Jan 2025 02:01:00 +0200", 60.0),
        ("Tue, 31 Dec 2024 23:59:00 GMT", 0.0),
        ("Wednesday, 01-Jan-25 00:01:00 GMT", 60.0),
        ("Wed, 01 Jan 99999999999999999999 00:00:30 GMT", None),
        ("Wed, 01 Jan 2025 00:00:30 +99999999999999", None),
        (None, None),
    ],
)
def test_every_spelling_of_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, today=datetime(2025, 1, 1, tzinfo=UTC)) == seconds


def test_no_retry_is_begun_that_would_outlast_the_deadline() -> None:
    result, script, when, _ = outcome([status(500)], deadline=0.3)
    assert isinstance(result, UnavailableError)
    assert (len(script.requests), when) == (1, 0)


def test_the_deadline_ends_a_call_whatever_it_is_doing() -> None:
    result, script, when, trace = outcome([ok()], deadline=12, seconds=20)
    assert isinstance(result, ServiceTimeoutError)
    assert "deadline of 12 s reached" in str(result)
    assert (len(script.requests), when) == (1, 12)
    assert trace[0].outcome == "timeout"
    assert trace[0].seconds == 12


def test_the_timeout_is_that_of_one_attempt() -> None:
    result, script, when, _ = outcome([ok()], endpoint=at(PUBLIC, timeout=5.0), seconds=20)
    assert isinstance(result, ServiceTimeoutError)
    assert "did not answer within 5 s (3 attempts)" in str(result)
    assert len(script.requests) == 3
    assert 16 <= when <= 19


def test_a_wrong_tls_name_is_called_tls_and_not_tried_again() -> None:
    refused = ssl.SSLCertVerificationError(1, "certificate verify failed")
    refused.verify_message = "Hostname mismatch, certificate is not valid for 'bte.example.org'."
    error = httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]")
    error.__cause__ = refused
    result, script, _, _ = outcome([error])
    assert isinstance(result, UnavailableError)
    assert "TLS with bte.example.org failed: Hostname mismatch" in str(result)
    assert len(script.requests) == 1
