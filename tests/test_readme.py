"""What the README says works: its Python, and every command and option it names."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

import fedrag
from fedrag.cli.main import cli
from fedrag.metakg import shipped_names
from fedrag.testing import Federation

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
NOT_OURS = {"--drugmechdb", "--nthreads"}  # python -m fedrag.testing, dask worker


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def options(command: click.Command) -> set[str]:
    own = {flag for parameter in command.params for flag in parameter.opts}
    if isinstance(command, click.Group):
        own |= {flag for sub in command.commands.values() for flag in options(sub)}
    return own


def test_the_python_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask, agent = blocks("python")
    exec(compile(ask, "README.md", "exec"), {})
    monkeypatch.setattr(fedrag, "call_tool", partial(fedrag.call_tool, replay="demo"))
    with Federation() as federation:
        federation.llm.behave("agent")
        here = agent.replace("http://127.0.0.1:8080/v1", federation.base_urls["llm"])
        made: dict[str, Any] = {}
        exec(compile(here, "README.md", "exec"), made)
        made["client"].close()
    assert "imatinib decreases activity of ABL1 [E1]" in capsys.readouterr().out


def test_every_option_the_readme_names_exists() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    assert named - NOT_OURS <= options(cli) | {"--version", "--help"}


@pytest.mark.parametrize(
    "line", [line for block in blocks("sh") for line in block.splitlines() if "fedrag " in line]
)
def test_every_command_the_readme_shows_exists(line: str) -> None:
    found = re.search(r"(?:^|/|\s)fedrag (\w+)(?: (\w+))?", line)
    if found is None:
        assert "python -m fedrag.testing" in line
        return
    command = cli.commands[found[1]]
    if isinstance(command, click.Group):
        assert found[2] in command.commands


def test_every_service_that_ships_is_in_the_readmes_table() -> None:
    named = set(re.findall(r"^\| (.*?) \|", README, re.MULTILINE))
    told = {name for row in named for name in re.findall(r"`([\w-]+)`", row)}
    assert shipped_names() - {"nameres", "nodenorm"} <= told


def test_the_readme_starts_with_its_two_commands() -> None:
    first, second, *_ = blocks("sh")
    assert "fedrag ask --replay demo" in first
    assert len(first.splitlines()) == len(second.splitlines()) == 1
    assert second.rstrip().endswith("-m pytest -q -n 2")


def test_exit_codes_are_those_of_the_errors() -> None:
    from fedrag import errors

    told = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    raised = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.FedragError)
    }
    assert raised <= told
    assert {0, 1, 2, 3, 4, 5, 130} == told
