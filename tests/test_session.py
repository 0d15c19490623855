"""The plain front: options, and what is said of wrong ones."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import fedrag
from fedrag.errors import ConfigError, EntityError
from fedrag.session import Session

QUESTION = "what are the targets of imatinib?"


def test_the_package_shows_its_names() -> None:
    assert {"ask", "aask", "Answer", "FedragError"} <= set(dir(fedrag))


def test_an_option_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="there is no option 'topk'"):
        fedrag.ask(QUESTION, replay="demo", topk=3)


def test_a_configuration_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("top_k = 1\n")
    assert len(fedrag.ask(QUESTION, replay="demo", config=path).evidence) < 4


def test_options_go_over_given_settings() -> None:
    settings = Session(replay="demo", top_k=7).settings
    assert Session(settings, replay="demo", top_k=9).settings.top_k == 9
    with pytest.raises(ConfigError, match="top_k must be above 0"):
        Session(settings, replay="demo", top_k=0)


@pytest.mark.parametrize("question", [None, 3, b"what"])
def test_a_question_that_is_no_text_is_refused(question: Any) -> None:
    with pytest.raises(ConfigError, match="a question is text"):
        fedrag.ask(question, replay="demo")


def test_asking_from_a_thread_works() -> None:
    found: list[str | None] = []
    thread = threading.Thread(target=lambda: found.append(fedrag.ask(QUESTION, replay="demo").name))
    thread.start()
    thread.join()
    assert found == ["ABL1"]


def test_an_error_inside_a_running_loop_keeps_its_kind() -> None:
    async def inside() -> None:
        with pytest.raises(EntityError):
            fedrag.ask("What are the targets of zorbalixinib?", replay="demo")

    import asyncio

    asyncio.run(inside())
