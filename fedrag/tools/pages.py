"""Results that never outgrow a number of tokens: what does not fit comes on the next page.

A result is a head and sections. A page takes from each section, in order, up to the section's
share of the page, then fills up; what is left is counted, and the next page goes on where this one
stopped. The same call with the same number of tokens has the same pages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

__all__ = ["SMALLEST", "Section", "clip", "page_of", "size", "tokens"]

SMALLEST = 400  # tokens of a page: a head and one item fit in any case
_PER_TOKEN = 3  # bytes: the estimate of fedrag.answer.prompt.token_count, and never below it


@dataclass(frozen=True, slots=True)
class Section:
    """A list of items under a name.

    :param share: of a page, before the sections after it had theirs.
    :param joined: the items are lines of one text.
    """

    name: str
    items: Sequence[Any]
    share: float = 1.0
    joined: bool = False


def size(value: Any) -> int:
    """Bytes of a value as compact JSON.

    >>> size({"a": 1})
    7
    """
    return len(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def tokens(value: Any) -> int:
    """A cautious estimate of the tokens of a value's JSON: one for three bytes.

    >>> tokens({"a": 1})
    3
    """
    return math.ceil(size(value) / _PER_TOKEN)


def clip(text: str, most: int) -> str:
    """The text, cut so that its JSON has at most so many bytes.

    >>> clip("hydrochlorothiazide", 12)
    'hydroch…'
    """
    if size(text) <= most:
        return text
    kept = text[:most]
    while kept and (over := size(kept + "…") - most) > 0:
        kept = kept[: -max(1, over // 6)]  # no character has more than six bytes in JSON
    return kept + "…"


def page_of(
    head: Mapping[str, Any],
    short: Mapping[str, Any],
    sections: Sequence[Section],
    *,
    page: int,
    max_tokens: int,
) -> dict[str, Any] | None:
    """One page of a result; ``None`` where there are not so many.

    :param head: what the first page begins with; ``short``: what the others do.
    :param page: counted from 1.
    :param max_tokens: of the page's JSON; at least :data:`SMALLEST`.

    >>> page_of({"run": "7"}, {}, [Section("keys", ["E1"])], page=1, max_tokens=400)
    {'run': '7', 'keys': ['E1'], 'page': 1, 'next_page': None, 'left': {}}
    """
    at = [0] * len(sections)
    for number in range(1, page + 1):
        drawn = _Page(head if number == 1 else short, sections, at, number, max_tokens)
        drawn.fill()
        at = drawn.ends
        if number < page and not drawn.left:
            return None
    return drawn.result()


@dataclass(slots=True)
class _Page:
    """A page while it is filled. ``begins`` and ``ends`` are places in each section."""

    head: Mapping[str, Any]
    sections: Sequence[Section]
    begins: list[int]
    number: int
    max_tokens: int
    ends: list[int] = field(init=False)
    room: int = field(init=False)
    cut: Any = None  # the one item that had to be shortened to fit at all

    def __post_init__(self) -> None:
        self.ends = list(self.begins)
        counts = {section.name: len(section.items) for section in self.sections}
        named: dict[str, Any] = {section.name: [] for section in self.sections}
        told = {**self.head, **named, "page": self.number, "next_page": self.number + 1}
        self.room = self.max_tokens * _PER_TOKEN - size({**told, "left": counts}) - 4

    @property
    def left(self) -> dict[str, int]:
        """How many items of each section come on later pages."""
        counts = {
            s.name: len(s.items) - end for s, end in zip(self.sections, self.ends, strict=True)
        }
        return {name: count for name, count in counts.items() if count}

    def fill(self) -> None:
        """Take items: each section its share, then what there is still room for."""
        whole = self.max_tokens * _PER_TOKEN
        for place, section in enumerate(self.sections):
            self._take(place, min(self.room, int(section.share * whole)))
        for place in range(len(self.sections)):
            self._take(place, self.room)
        if self.ends == self.begins and self.left:
            self._force()

    def _take(self, place: int, room: int) -> None:
        items = self.sections[place].items
        while self.ends[place] < len(items):
            cost = size(items[self.ends[place]]) + 1
            if cost > room:
                return
            room -= cost
            self.room -= cost
            self.ends[place] += 1

    def _force(self) -> None:
        """Take one item that no page has room for, its long texts cut."""
        place = next(i for i, s in enumerate(self.sections) if self.begins[i] < len(s.items))
        self.cut = _shortened(self.sections[place].items[self.begins[place]], self.room - 1)
        self.ends[place] += 1

    def result(self) -> dict[str, Any]:
        """The page as it is told."""
        told = dict(self.head)
        for section, begin, end in zip(self.sections, self.begins, self.ends, strict=True):
            items = list(section.items[begin:end])
            if items and self.cut is not None:
                items = [self.cut]
            if section.joined and items:
                told[section.name] = "\n".join(items)
            elif items or (self.number == 1 and not section.joined and not section.items):
                told[section.name] = items
        following = self.number + 1 if self.left else None
        return {**told, "page": self.number, "next_page": following, "left": self.left}


def _shortened(item: Any, room: int) -> Any:
    """The item in so many bytes: its longest values cut first, and told as ``cut``."""
    if isinstance(item, str):
        return clip(item, room)
    if not isinstance(item, dict):
        return clip(orjson.dumps(item).decode(), room)
    kept = {**item, "cut": True}
    while (over := size(kept) - room) > 0:
        longest = max((name for name in kept if name != "cut"), key=lambda name: size(kept[name]))
        whole = kept[longest]
        text = whole if isinstance(whole, str) else orjson.dumps(whole).decode()
        if size(text) <= 12:
            del kept[longest]
        else:
            kept[longest] = clip(text, max(8, size(text) - over - 8))
    return kept
