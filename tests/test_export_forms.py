"""The registry of forms: what it promises to the command line, the web service and Python."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from export_material import demo, hostile, of_edges

import fedrag
from fedrag.cli.ask import FORMATS
from fedrag.cli.main import cli
from fedrag.errors import ConfigError
from fedrag.export import FORMS, render
from fedrag.export.forms import to_json
from fedrag.testing.questions import demo_questions

OBJECTS = ("trapi", "kgx", "cytoscape")


def test_the_command_line_offers_every_form() -> None:
    assert tuple(FORMS) == FORMATS


def test_suffixes_are_all_different_and_begin_with_a_dot() -> None:
    suffixes = {form.suffix for form in FORMS.values()}
    assert len(suffixes) == len(FORMS)
    assert all(suffix.startswith(".") for suffix in suffixes)


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_has_a_method_for_every_form(name: str) -> None:
    answer = demo()
    made = getattr(answer, f"to_{name}")()
    written = render(answer, name)
    if name in OBJECTS:
        assert json.loads(written) == made
    elif name == "pmids":
        assert written.splitlines() == list(made)
    else:
        assert written == made


def _without_times(text: str) -> list[str]:
    return [
        re.sub(r"\d+\.\d+(e-\d+)?|\d+e-\d+|\d\d:\d\d:\d\d", "", line).strip()
        for line in text.splitlines()
    ]


@pytest.mark.parametrize("name", FORMS)
def test_ask_writes_the_form_and_nothing_else(name: str) -> None:
    question = demo_questions()[36].question
    result = CliRunner().invoke(cli, ["ask", question, "--replay", "demo", "--format", name])
    assert result.exit_code == 0
    expected = render(fedrag.ask(question, replay="demo"), name)
    if name in ("text", "json", "trapi"):  # seconds and times differ from run to run
        ours, theirs = (_without_times(text) for text in (result.stdout, expected))
        assert ours == theirs
    else:
        assert result.stdout_bytes.decode() == expected
    assert result.stderr == ""


@pytest.mark.parametrize("name", FORMS)
def test_a_form_ends_its_last_line_and_holds_no_control_characters(name: str) -> None:
    for answer in (demo(), hostile()):
        written = render(answer, name)
        assert written.endswith("\n")
        left = {c for c in written if not c.isprintable()} - {"\n", "\t"}
        assert left == ({"\r"} if name == "ris" else set())


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_without_edges_can_be_written(name: str) -> None:
    written = render(of_edges(cited=0), name)
    assert ("infores" in written) == (name == "json")  # of services, not of edges
    assert written or name in ("ris", "bibtex", "pmids")


def test_a_form_that_does_not_exist_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match="there is no form 'graphlm'; is it graphml") as caught:
        render(demo(), "graphlm")
    assert "forms: text, json, tsv" in (caught.value.hint or "")


def test_json_hides_what_a_terminal_would_obey_and_loses_nothing() -> None:
    told = {"name": "\x9b2J\x7f\u2028\x1b é"}
    written = to_json(told)
    assert json.loads(written) == told
    assert "é" in written
    assert all(c.isprintable() for c in written.replace("\n", ""))
    assert json.loads(render(hostile(), "json"))["notes"] == list(hostile().notes)


def test_the_room_loads_no_extra_and_no_template_before_it_is_needed() -> None:
    code = (
        "import fedrag.export, sys; print(*sorted({'pandas','networkx','jinja2'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
