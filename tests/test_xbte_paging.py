"""Pages are asked for until there are none, and no service can make that go on for ever."""

from __future__ import annotations

from typing import Any

import pytest

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Manner, Pagination
from fedrag.xbte.paging import came_before, next_request, records_remain, why_cut
from fedrag.xbte.record import Request


def operation(pagination: Pagination | None = None) -> Operation:
    return Operation(
        id="get /query mine",
        service="mine",
        method="get",
        path="/query",
        subject_category="biolink:Gene",
        predicate="biolink:related_to",
        object_category="biolink:Disease",
        manner=Manner(pagination=pagination),
    )


def read_all(
    asked: Operation, first: Request, answers: Any, *, seen: set[bytes] | None = None
) -> list[Request]:
    """The requests made while ``answers(request)`` gives the payload of each."""
    made = [first]
    while following := next_request(asked, made[-1], answers(made[-1]), len(made), seen=seen):
        made.append(following)
        assert len(made) < 1000, "it goes on for ever"
    return made


POST = Request("POST", "/query", (("size", "1000"),), form=(("q", "1,2"),), inputs=("X:1", "X:2"))
GET = Request("GET", "/query", (("q", "x"), ("size", "1000")))


def test_biothings_posts_go_on_while_max_total_says_so() -> None:
    made = read_all(operation(), POST, lambda _: {"max_total": 2001, "hits": [{}] * 1000})
    assert [dict(request.query).get("from") for request in made] == [None, "1000", "2000"]
    assert made[1] == Request(
        "POST", "/query", (("size", "1000"), ("from", "1000")), POST.form, None, POST.inputs
    )
    assert next_request(operation(), POST, {"max_total": 1000, "hits": [{}]}, 1) is None
    assert next_request(operation(), POST, [{"query": "1", "_id": "1"}], 1) is None


def test_a_biothings_page_is_as_long_as_the_document_says() -> None:
    short = Request("POST", "/query", (("size", "50"),), form=(("q", "1"),))
    made = read_all(operation(), short, lambda _: {"max_total": 120, "hits": [{}]})
    assert [dict(request.query).get("from") for request in made] == [None, "50", "100"]
    unsaid = Request("POST", "/query", form=(("q", "1"),))
    assert next_request(operation(), unsaid, {"max_total": 999, "hits": [{}]}, 1) is None


def test_biothings_gets_stop_at_the_window_of_ten_thousand() -> None:
    answer = {"took": 3, "total": 25_000, "hits": [{}] * 1000}
    made = read_all(operation(), GET, lambda _: answer)
    assert len(made) == 10
    assert made[-1].query == (("q", "x"), ("size", "1000"), ("from", "9000"))
    assert records_remain(operation(), made[-1], answer, 10)
    assert not records_remain(operation(), made[0], answer, 1)


def test_the_last_biothings_page_is_cut_to_the_window() -> None:
    odd = Request("GET", "/query", (("size", "700"),))
    made = read_all(operation(), odd, lambda _: {"took": 3, "total": 25_000, "hits": [{}] * 700})
    assert dict(made[-1].query) == {"size": "200", "from": "9800"}
    assert len(made) == 15


@pytest.mark.parametrize(
    "payload",
    [
        None,
        "<html>",
        [],
        {},
        {"hits": []},
        {"hits": {}, "max_total": 5000},
        {"hits": [{}], "max_total": "many"},
        {"hits": [{}], "max_total": True},
        {"hits": [{}], "max_total": "9" * 5000},
        {"hits": [{}], "max_total": None},
        {"took": 1, "total": {"value": 9000}, "hits": [{}]},
        {"took": 1, "total": 9000, "hits": []},
        {"total": 9000, "hits": [{}]},
    ],
)
def test_an_answer_that_says_nothing_of_more_is_the_last(payload: Any) -> None:
    for request in (GET, POST):
        if request is POST and isinstance(payload, dict) and "max_total" not in payload:
            continue
        assert next_request(operation(), request, payload, 1) is None


OFFSET = Pagination("offset", "offset", size=10, total="count.all", items="rows")


def test_an_offset_grows_by_the_size_until_the_total() -> None:
    answer = {"count": {"all": 25}, "rows": [{}] * 10}
    made = read_all(operation(OFFSET), Request("GET", "/x", (("offset", "0"),)), lambda _: answer)
    assert [request.query for request in made] == [
        (("offset", "0"),),
        (("offset", "10"),),
        (("offset", "20"),),
    ]


def test_without_a_total_a_page_that_is_not_full_is_the_last() -> None:
    by_rows = Pagination("offset", "skip", size=10, items="rows")
    lengths = iter((10, 10, 3))
    made = read_all(
        operation(by_rows), Request("GET", "/x"), lambda _: {"rows": [{}] * next(lengths)}
    )
    assert [dict(request.query).get("skip") for request in made] == [None, "10", "20"]
    bare = Pagination("offset", "skip", size=2)
    assert next_request(operation(bare), Request("GET", "/x"), [1, 2], 1) is not None
    assert next_request(operation(bare), Request("GET", "/x"), [1], 1) is None


def test_an_empty_page_is_the_last_whatever_the_total_says() -> None:
    answer = {"count": {"all": 25}, "rows": []}
    assert next_request(operation(OFFSET), Request("GET", "/x"), answer, 1) is None


def test_what_a_page_holds_is_counted_through_nested_arrays() -> None:
    nested = Pagination("offset", "skip", size=3, items="groups.rows")
    full = {"groups": [{"rows": [1]}, {"rows": [2, 3]}]}
    following = next_request(operation(nested), Request("GET", "/x"), full, 1)
    assert following is not None
    assert dict(following.query)["skip"] == "3"


def test_pages_are_numbered_from_where_the_service_begins() -> None:
    for start in (0, 1):
        numbered = Pagination("page", "page", size=10, start=start, total="total", items="rows")
        made = read_all(
            operation(numbered), Request("GET", "/x"), lambda _: {"total": 30, "rows": [{}] * 10}
        )
        pages = [dict(request.query).get("page") for request in made]
        assert pages == [None, str(start + 1), str(start + 2)]


def test_a_number_in_a_body_goes_where_its_path_says_and_nothing_else_changes() -> None:
    in_body = Pagination("page", "variables.page.index", "body", size=2, items="rows")
    body = {"query": "q", "variables": {"page": {"index": 0, "size": 2}, "id": 5}}
    first = Request("POST", "/graphql", json=body)
    following = next_request(operation(in_body), first, {"rows": [1, 2]}, 1)
    assert following is not None
    assert following.json == {
        "query": "q",
        "variables": {"page": {"index": 1, "size": 2}, "id": 5},
    }
    assert body["variables"] == {"page": {"index": 0, "size": 2}, "id": 5}
    form = Request("POST", "/x", form=(("index", "0"), ("q", "a")))
    in_form = Pagination("page", "index", "body", size=2, items="rows")
    following = next_request(operation(in_form), form, {"rows": [1, 2]}, 1)
    assert following is not None
    assert following.form == (("index", "1"), ("q", "a"))


CURSOR = Pagination("cursor", "variables.after", "body", next="d.p.end", more="d.p.more")


def page(end: Any, more: Any = True) -> dict[str, Any]:
    return {"d": {"p": {"end": end, "more": more}}}


def test_a_cursor_is_followed_as_long_as_there_is_more() -> None:
    first = Request("POST", "/graphql", json={"query": "q", "variables": {"after": None}})
    answers = iter((page("A"), page("B"), page("C", more=False)))
    made = read_all(operation(CURSOR), first, lambda _: next(answers))
    assert [request.json["variables"]["after"] for request in made] == [None, "A", "B"]


@pytest.mark.parametrize(
    "payload",
    [page(None), page(""), page("A", more=None), {}, [], None, page("HERE"), {"d": {"p": []}}],
)
def test_a_cursor_that_is_missing_or_repeats_ends_the_paging(payload: Any) -> None:
    here = Request("POST", "/graphql", json={"variables": {"after": "HERE"}})
    assert next_request(operation(CURSOR), here, payload, 1) is None


def test_a_service_that_never_ends_is_left_after_the_most_pages() -> None:
    few = Pagination("cursor", "cursor", next="next", max_pages=7)
    numbers = iter(range(1, 10_000))
    made = read_all(operation(few), Request("GET", "/x"), lambda _: {"next": next(numbers)})
    assert len(made) == 7
    assert records_remain(operation(few), made[-1], {"next": 99}, 7)
    assert not records_remain(operation(few), made[-1], {"next": None}, 7)


def test_cursors_in_a_circle_end_when_a_page_comes_again() -> None:
    circle = Pagination("cursor", "cursor", next="next", max_pages=500)

    def answers(request: Request) -> dict[str, Any]:
        here = dict(request.query).get("cursor")
        return {"rows": [here], "next": {None: "A", "A": "B", "B": "C", "C": "A"}[here]}

    made = read_all(operation(circle), Request("GET", "/x"), answers, seen=set())
    assert [dict(request.query).get("cursor") for request in made] == [None, "A", "B", "C", "A"]


def test_a_service_that_gives_the_first_page_again_and_again_is_asked_twice() -> None:
    deaf = Pagination("offset", "offset", size=2, items="rows", max_pages=500)
    made = read_all(
        operation(deaf), Request("GET", "/x"), lambda _: {"rows": ["a", "b"]}, seen=set()
    )
    assert len(made) == 2


def test_nothing_is_asked_beyond_what_the_service_gives_at_all() -> None:
    limited = Pagination("offset", "offset", size=10, items="rows", limit=30)
    answer: dict[str, Any] = {"rows": [{}] * 10}
    made = read_all(operation(limited), Request("GET", "/x"), lambda _: answer)
    assert len(made) == 3
    assert records_remain(operation(limited), made[-1], answer, 3)


@pytest.mark.parametrize(
    ("end", "more", "told"),
    [
        (None, True, True),
        ("HERE", True, True),
        ("", "yes", True),
        (None, False, False),
        ("HERE", False, False),
        ("NEXT", True, False),
    ],
)
def test_a_flag_that_promises_more_without_a_cursor_is_told(
    end: Any, more: Any, told: bool
) -> None:
    here = Request("POST", "/graphql", json={"variables": {"after": "HERE"}})
    why = why_cut(operation(CURSOR), here, page(end, more), 2)
    promised = "it says that there is more than the 2 pages that were read, and not where"
    assert why == (promised if told else None)


def test_a_cursor_that_stays_the_same_without_a_flag_is_the_end() -> None:
    scrolling = operation(Pagination("cursor", "mark", next="next"))
    assert why_cut(scrolling, Request("GET", "/x", (("mark", "A"),)), {"next": "A"}, 3) is None


def test_an_empty_page_before_the_count_is_reached_is_told() -> None:
    short = {"count": {"all": 25}, "rows": []}
    for read, told in ((1, True), (3, True), (4, False)):
        assert (why_cut(operation(OFFSET), Request("GET", "/x"), short, read) is not None) is told
    assert why_cut(operation(OFFSET), Request("GET", "/x"), {"count": {"all": 0}}, 1) is None


def test_a_page_is_known_again_by_its_records_whatever_stands_beside_them() -> None:
    plain, seen = operation(), set[bytes]()
    assert not came_before(plain, {"took": 1, "hits": [{"_id": 1}]}, seen)
    assert not came_before(plain, {"took": 1, "hits": [{"_id": 2}]}, seen)
    assert came_before(plain, {"took": 9, "hits": [{"_id": 1}]}, seen)
    assert not came_before(operation(OFFSET), {"count": {"all": 2}, "rows": [1]}, seen)
    assert came_before(operation(OFFSET), {"count": {"all": 3}, "rows": [1]}, seen)
