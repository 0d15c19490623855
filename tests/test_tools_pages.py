"""Pages: never over their size, and together everything there is, once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedrag.answer.prompt import token_count
from fedrag.tools.pages import SMALLEST, Section, clip, page_of, size, tokens

_TEXT = st.text(st.characters(codec="utf-8"), max_size=300)
_ITEM = st.one_of(_TEXT, st.dictionaries(st.sampled_from("abcd"), _TEXT, min_size=1, max_size=4))
_SECTIONS = st.lists(st.lists(_ITEM, max_size=30), min_size=1, max_size=5)


def _pages(sections: list[Section], max_tokens: int) -> list[dict[str, Any]]:
    head, short = {"run": "r" * 30, "name": "n"}, {"run": "r" * 30}
    pages: list[dict[str, Any]] = []
    while not pages or pages[-1]["next_page"]:
        page = page_of(head, short, sections, page=len(pages) + 1, max_tokens=max_tokens)
        assert page is not None
        pages.append(page)
    return pages


@given(_SECTIONS, st.integers(SMALLEST, 3_000), st.data())
@settings(max_examples=60, deadline=None)
def test_pages_keep_to_their_size_and_lose_nothing(
    lists: list[list[Any]], max_tokens: int, data: st.DataObject
) -> None:
    shares = data.draw(st.lists(st.floats(0.05, 1), min_size=len(lists), max_size=len(lists)))
    sections = [Section(f"s{n}", items, shares[n]) for n, items in enumerate(lists)]
    pages = _pages(sections, max_tokens)
    assert all(tokens(page) <= max_tokens for page in pages)
    for section in sections:
        told = [item for page in pages for item in page.get(section.name, [])]
        assert told == list(section.items) or any("cut" in i for i in told if isinstance(i, dict))
    assert pages[-1]["left"] == {}


def test_a_page_says_how_much_is_left() -> None:
    sections = [Section("names", [f"name {n:04}" * 5 for n in range(100)])]
    pages = _pages(sections, SMALLEST)
    assert len(pages) > 3
    assert pages[0]["left"] == {"names": 100 - len(pages[0]["names"])}
    assert pages[0]["next_page"] == 2
    assert pages[-1]["next_page"] is None


def test_a_share_leaves_room_for_the_sections_after_it() -> None:
    many = [f"line {n:04}" * 5 for n in range(200)]
    first = _pages([Section("a", many, share=0.3), Section("b", many)], 1_000)[0]
    assert size(first["a"]) <= 0.3 * 3_000
    assert len(first["b"]) > len(first["a"])


def test_lines_of_a_text_are_joined() -> None:
    page = _pages([Section("answer", ["one", "two"], joined=True)], SMALLEST)[0]
    assert page["answer"] == "one\ntwo"


def test_one_item_that_no_page_has_room_for_is_cut_and_says_so() -> None:
    whole = {"id": "E1", "value": "x" * 20_000}
    pages = _pages([Section("items", ["before", whole, "after"])], SMALLEST)
    told = [item for page in pages for item in page["items"]]
    assert [told[0], told[2]] == ["before", "after"]
    assert told[1]["id"] == "E1"
    assert told[1]["cut"] is True
    assert told[1]["value"].endswith("…")
    assert all(tokens(page) <= SMALLEST for page in pages)


def test_a_page_after_the_last_is_none() -> None:
    sections = [Section("names", ["a"])]
    assert page_of({}, {}, sections, page=2, max_tokens=SMALLEST) is None


@given(st.text(max_size=400).filter(lambda t: t.isprintable() or True), st.integers(8, 200))
@settings(deadline=None)
def test_a_clipped_text_has_no_more_bytes_than_allowed(text: str, most: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    clipped = clip(text, most)
    assert size(clipped) <= most or size(text) <= most
    assert clipped == text or clipped.endswith("…")


@pytest.mark.parametrize("value", [{"a": "SLC12A3"}, {"名": "高血压"}, ["\x01", "\\"]])
def test_the_estimate_is_never_below_that_of_prompts(value: Any) -> None:
    import orjson

    assert tokens(value) >= token_count(orjson.dumps(value).decode())
