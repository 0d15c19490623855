"""The call for the next page, where a service gives its records in pages.

``pagination`` of x-fedrag says how; without it BioThings' own two ways are known by the shape of
the answer. Every way ends: by the service's count, by an empty or short page, by a cursor or a page
that repeats, by ``max_pages``, by the window beyond which a service gives nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import orjson

from fedrag.metakg.operations import Operation
from fedrag.metakg.xfedrag import Pagination
from fedrag.xbte.filters import printed
from fedrag.xbte.paths import as_path, nodes
from fedrag.xbte.record import Request

__all__ = ["came_before", "next_request", "records_remain", "whole_number", "why_cut"]

_BIOTHINGS_PAGE = 1000
_BIOTHINGS_WINDOW = 10_000  # ``from`` and ``size`` together may not pass it
_DIGITS = 18  # of a number in an answer; longer ones count nothing


def next_request(
    operation: Operation,
    request: Request,
    payload: Any,
    page: int,
    *,
    seen: set[bytes] | None = None,
) -> Request | None:
    """The call for the page after the one just read, or ``None`` when there is none to ask for.

    :param request: the call that ``payload`` answers.
    :param page: how many pages were read so far (1 after the first).
    :param seen: an empty set, handed in again for each page of one call: with it, a page that came
        before ends the paging, however long the circle.

    >>> from fedrag.metakg.xfedrag import Manner
    >>> by_cursor = Pagination("cursor", "variables.after", "body", next="data.page.endCursor",
    ...     more="data.page.hasNextPage")
    >>> operation = Operation("evidence", "civic", "post", "/graphql", "biolink:Gene",
    ...     "biolink:related_to", "biolink:Drug", manner=Manner(pagination=by_cursor))
    >>> first = Request("POST", "/graphql", json={"query": "…", "variables": {"id": 5}})
    >>> answer = {"data": {"page": {"endCursor": "MQ", "hasNextPage": True}}}
    >>> next_request(operation, first, answer, 1).json["variables"]
    {'id': 5, 'after': 'MQ'}
    """
    if seen is not None and came_before(operation, payload, seen):
        return None
    return _following(operation, request, payload, page, bounded=True)


def records_remain(operation: Operation, request: Request, payload: Any, page: int) -> bool:
    """Whether the service holds more than :func:`next_request` will ever ask for (truncated)."""
    if _following(operation, request, payload, page, bounded=True) is not None:
        return False
    return _following(operation, request, payload, page, bounded=False) is not None


def why_cut(operation: Operation, request: Request, payload: Any, page: int) -> str | None:
    """Why the pages end here although the service says that there is more, ``None`` where it ends.

    >>> from fedrag.metakg.xfedrag import Manner
    >>> by_cursor = Pagination("cursor", "after", next="page.end", more="page.more")
    >>> operation = Operation("x", "civic", "get", "/", "", "", "", manner=Manner(
    ...     pagination=by_cursor))
    >>> why_cut(operation, Request("GET", "/"), {"page": {"end": None, "more": True}}, 3)
    'it says that there is more than the 3 pages that were read, and not where'
    """
    if _following(operation, request, payload, page, bounded=True) is not None:
        return None
    if records_remain(operation, request, payload, page):
        return f"it holds more than the {_read(page)}"
    if _promises(operation.manner.pagination, payload, page):
        return f"it says that there is more than the {_read(page)}, and not where"
    return None


def _read(page: int) -> str:
    return f"{page} pages that were read" if page != 1 else "1 page that was read"


def _promises(pagination: Pagination | None, payload: Any, page: int) -> bool:
    """Whether an answer says that records follow: by its flag, or by a count not yet reached."""
    if pagination is None:
        return False
    if pagination.kind == "cursor":
        return bool(pagination.more) and any(_at(payload, pagination.more or ""))
    total = _total(pagination, payload)
    read = (pagination.size or 0) * (page - 1)  # only an empty page can be short of the count
    return _count(pagination, payload) == 0 and total is not None and total > read


def came_before(operation: Operation, payload: Any, seen: set[bytes]) -> bool:
    """Whether a page holds what an earlier one of the same call held; if not, it is noted."""
    digest = blake2b(
        orjson.dumps(_held(operation, payload), option=orjson.OPT_SORT_KEYS), digest_size=16
    ).digest()
    if digest in seen:
        return True
    seen.add(digest)
    return False


def _held(operation: Operation, payload: Any) -> Any:
    """The records of a page: beside them stand times and cursors, which differ in any case."""
    pagination = operation.manner.pagination
    if pagination is not None:
        return (_at(payload, pagination.items) if pagination.items else None) or payload
    hits = payload.get("hits") if isinstance(payload, Mapping) else None
    return hits or payload


def _following(
    operation: Operation, request: Request, payload: Any, page: int, *, bounded: bool
) -> Request | None:
    pagination = operation.manner.pagination
    if pagination is None:
        return _biothings(request, payload, bounded=bounded)
    read = pagination.size * page if pagination.size else None
    if bounded and page >= pagination.max_pages:
        return None
    if bounded and pagination.limit and read is not None and read >= pagination.limit:
        return None
    if pagination.kind == "cursor":
        value = _cursor(pagination, request, payload)
    else:
        value = _number(pagination, request, payload, page)
    return None if value is None else _placed(request, pagination, value)


def _cursor(pagination: Pagination, request: Request, payload: Any) -> Any:
    if pagination.more and not any(_at(payload, pagination.more)):
        return None
    for value in _at(payload, pagination.next) if pagination.next else ():
        if value not in (None, "", False) and printed(value) != _current(request, pagination):
            return value
    return None


def _number(pagination: Pagination, request: Request, payload: Any, page: int) -> int | None:
    """The next offset or page number, if the answer lets one expect records there."""
    items = _count(pagination, payload)
    total = _total(pagination, payload)
    size = pagination.size or items
    if not size or items == 0:
        return None
    if total is not None and size * page >= total:
        return None
    if total is None and (items is None or (pagination.size and items < pagination.size)):
        return None
    current = whole_number(_current(request, pagination))
    if current is None:
        step = size if pagination.kind == "offset" else 1
        current = pagination.start + (page - 1) * step
    return current + (size if pagination.kind == "offset" else 1)


def _count(pagination: Pagination, payload: Any) -> int | None:
    """How many records this page holds, where that can be known."""
    if pagination.items is None:
        return len(payload) if isinstance(payload, list) else None
    return len(_at(payload, pagination.items))


def _total(pagination: Pagination, payload: Any) -> int | None:
    counts = _at(payload, pagination.total) if pagination.total else []
    numbers = [number for count in counts if (number := whole_number(count)) is not None]
    return max(numbers, default=None)


def _at(payload: Any, path: str) -> list[Any]:
    """Everything at a path, arrays opened; nulls are nothing."""
    return [value for value in nodes(payload, as_path(path)) if value is not None]


def _biothings(request: Request, payload: Any, *, bounded: bool) -> Request | None:
    """BioThings: a POST says ``max_total``, the most one of its queries found; a GET ``total``."""
    if not isinstance(payload, Mapping) or not isinstance(payload.get("hits"), list):
        return None
    given = dict(request.query)
    start = whole_number(given.get("from")) or 0
    size, hits = whole_number(given.get("size")), len(payload["hits"])
    if request.method.upper() == "POST":
        total, step = whole_number(payload.get("max_total")), size or _BIOTHINGS_PAGE
    else:
        total = whole_number(payload.get("total")) if hits and "took" in payload else None
        step = size or hits
    after = start + step
    if total is None or step <= 0 or after >= total or (bounded and after >= _BIOTHINGS_WINDOW):
        return None
    changes = {"from": str(after)}
    if after + step > _BIOTHINGS_WINDOW:
        changes["size"] = str(max(_BIOTHINGS_WINDOW - after, 1))
    return replace(request, query=_changed(request.query, changes))


def _placed(request: Request, pagination: Pagination, value: Any) -> Request:
    if pagination.place == "query" or (request.form is None and request.json is None):
        return replace(
            request, query=_changed(request.query, {pagination.parameter: printed(value)})
        )
    if request.form is not None:
        return replace(request, form=_changed(request.form, {pagination.parameter: printed(value)}))
    return replace(request, json=_set(request.json, pagination.parameter.split("."), value))


def _current(request: Request, pagination: Pagination) -> str | None:
    """What the request that was made says where the page is asked for."""
    if pagination.place == "query" or (request.form is None and request.json is None):
        return dict(request.query).get(pagination.parameter)
    if request.form is not None:
        return dict(request.form).get(pagination.parameter)
    found = _at(request.json, pagination.parameter)
    return printed(found[0]) if found else None


def _changed(
    pairs: tuple[tuple[str, str], ...], changes: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    kept = tuple((name, changes.get(name, value)) for name, value in pairs)
    names = {name for name, _ in pairs}
    return kept + tuple((name, value) for name, value in changes.items() if name not in names)


def _set(body: Any, path: list[str], value: Any) -> Any:
    """A copy of a JSON body with a value set at a path; what is not touched is shared."""
    table = dict(body) if isinstance(body, Mapping) else {}
    step, *rest = path
    table[step] = _set(table.get(step), rest, value) if rest else value
    return table


def whole_number(value: Any) -> int | None:
    """The number, or what a text says that is nothing but digits; anything else is none.

    >>> whole_number(12), whole_number("12"), whole_number(True), whole_number("many")
    (12, 12, None, None)
    """
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    digits = isinstance(value, str) and value.isdecimal() and len(value) <= _DIGITS
    return int(value) if digits else None
