"""Odd but possible input: nothing crashes, nothing that was won is lost, no secret is told."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from net_support import PUBLIC, at

import fedrag
from fedrag.config import LLMConfig, Settings
from fedrag.errors import BadPayloadError, ConfigError, UnavailableError
from fedrag.export.html import _link
from fedrag.metakg.compiled import compile_document
from fedrag.net import Cassette, Net, Reply
from fedrag.query import parse_query
from fedrag.session import Session
from fedrag.web.server import read_token

QUESTION = "what are the targets of imatinib?"
LOCAL = "http://127.0.0.1:9/v1"


def deep(levels: int) -> bytes:
    return b'{"a": ' + b"[" * levels + b"]" * levels + b"}"


def test_json_that_could_not_be_written_again_is_not_read() -> None:
    told = {"content-type": "application/json"}
    reply = Reply(200, told, deep(150), "2025-01-01T00:00:00Z", "live", 0.1, "ctd")
    assert reply.json()
    reply = Reply(200, told, deep(260), "2025-01-01T00:00:00Z", "live", 0.1, "ctd")
    with pytest.raises(BadPayloadError, match="ctd answered JSON that is nested too deeply"):
        reply.json()
    with pytest.raises(ConfigError, match="nested too deeply"):
        parse_query(deep(260))


async def test_a_header_that_cannot_be_sent_is_not_quoted() -> None:
    for key in ("hunter-two\nsecret", "schlüssel-geheim"):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            here = at(
                PUBLIC, base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", trusted=True
            )
            async with Net() as net:
                headers = {"authorization": f"Bearer {key}"}
                with pytest.raises(UnavailableError) as caught:
                    await net.caller_for().send(here, "GET", "/x", credentials=headers)
        told = f"{caught.value} {caught.value.hint}"
        assert "a header of the request cannot be sent" in told
        assert not any(part in told for part in ("hunter", "secret", "geheim"))


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    session = Session(llm={"model": "m", "url": LOCAL, "key": " s3cret-key\n"}, log=False)
    assert session.settings.llm is not None
    assert session.settings.llm.key == "s3cret-key"
    blank = Session(Settings(llm=LLMConfig("m", LOCAL, " \n")), log=False)
    assert blank.settings.llm is not None
    assert blank.settings.llm.key is None


@pytest.mark.parametrize("key", ["s3cret\nfeed", "schlüssel"])
def test_a_key_that_is_none_is_refused_and_not_quoted(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Session(llm={"model": "m", "url": LOCAL, "key": key}, log=False)
    assert not any(word in str(caught.value) for word in key.split())


@pytest.mark.parametrize(
    "url", [f"{LOCAL}?api-version=1", f"{LOCAL}#x", "http://me:hunter2@127.0.0.1/v1", "http://[x"]
)
def test_an_address_of_no_model_is_refused_before_anyone_is_asked(url: str) -> None:
    with pytest.raises(ConfigError, match="no address of a language model") as caught:
        Session(llm={"model": "m", "url": url}, log=False)
    assert "hunter2" not in str(caught.value)


def test_a_time_that_never_ends_is_none() -> None:
    with pytest.raises(ConfigError, match="deadline must be above 0, not inf"):
        Session(deadline=float("inf"), log=False)


def test_bytes_that_are_no_characters_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="bytes that are no characters"):
        fedrag.ask("targets of imatinib\udcff?", replay="demo")


@pytest.mark.parametrize("levels", [3, 30])
def test_a_document_whose_aliases_unfold_without_end_is_refused(levels: int) -> None:
    lines = ["info:", "  title: a", "  a0: &a0 [1,1,1,1,1,1,1,1,1,1]"]
    for level in range(1, levels):
        aliases = ",".join([f"*a{level - 1}"] * 10)
        lines.append(f"  a{level}: &a{level} [{aliases}]")
    made = compile_document(Path("a.yaml"), "\n".join(lines).encode())
    refused = (1, "outside its operations: it holds more than 20,000 values")
    assert made.problem == (None if levels == 3 else refused)


def test_an_address_that_is_none_is_shown_as_text() -> None:
    assert _link("http://[x", "record") == "record"


def test_a_saved_cassette_keeps_the_rights_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    before = os.umask(0o027)
    try:
        Cassette(path).save()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o600)
    cassette = Cassette(path)
    cassette.add_question(QUESTION)
    cassette.save()
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_empty_token_is_none() -> None:
    assert read_token(None, "") is None
