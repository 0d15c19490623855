"""The HTML page that stands alone."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from export_material import EVIL, demo, full_edge, hostile, of_edges

from fedrag.datamodel import Answer
from fedrag.export import answer_to_page
from fedrag.export.page import segments

_VOID = {"meta", "br", "link", "img", "input"}


class Page(HTMLParser):
    """Tags, identifiers, links and text of a page; fails where tags are not closed in order."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.html = answer_to_page(answer)
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(self.html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in _VOID:
            self._open.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(demo())


def test_each_key_of_the_answer_is_a_link_to_its_evidence(page: Page) -> None:
    anchors = {link[1:] for link in page.links if link.startswith("#")}
    assert anchors >= {"E1", "E2", "E3"}
    assert anchors <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert [key for key in page.ids if key.startswith("E")] == [e.key for e in demo().evidence]


def test_a_key_that_no_evidence_has_stays_text() -> None:
    answer = of_edges(full_edge())
    assert list(segments(replace(answer, text="So [E1, E2]; [E3] [x]."))) == [
        ("So ", False), ("[", False), ("", False), ("E1", True), (", ", False), ("E2", False),
        ("", False), ("]", False), ("; ", False), ("[", False), ("", False), ("E3", False),
        ("", False), ("]", False), (" [x].", False),
    ]  # fmt: skip


def test_the_page_says_all_of_the_answer(page: Page) -> None:
    words = " ".join(page.text.split())
    for said in (
        "Recorded demo, not a live answer",
        "SLC12A3 is the best supported of 40 candidates",
        "Completeness: complete",
        "a gene that explains how Hydrochlorothiazide",
        "infores:drugmechdb via infores:fedrag-testing",
        "infores:drugmechdb: 252 edges",
        "switched off in the configuration",
        "near_disease: the 100 best-ranked of 110 were asked onwards",
    ):
        assert said in words
    assert "https://pubmed.ncbi.nlm.nih.gov/25079851/" in page.links


def test_nothing_is_fetched_and_the_policy_allows_the_style_alone(page: Page) -> None:
    assert page.tags.isdisjoint({"script", "img", "link", "iframe", "object", "form"})
    assert "style" not in page.attributes
    style = re.search(r"<style>(.*?)</style>", page.html, re.S)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page.html
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_names_from_outside_are_text() -> None:
    page = Page(hostile())
    assert "script" not in page.tags
    assert not any(name.startswith("on") for name in page.attributes)
    assert all(link.startswith(("https://", "http://", "#")) for link in page.links)
    assert page.text.count("<script>alert(1)</script>") >= 8
    assert "\x1b" not in page.html
    assert "\x00" not in page.html
    assert EVIL not in page.html


def test_an_abstention_says_so_and_leaves_out_what_is_not_there() -> None:
    answer = replace(of_edges(cited=0), abstained=True, entities=(), notes=(), plan=None)
    page = Page(answer)
    assert "abstained: no evidence was found" in page.text
    assert set(page.ids) == {"answer", "services"}


def test_the_page_is_the_same_each_time(page: Page) -> None:
    assert answer_to_page(demo()) == page.html
