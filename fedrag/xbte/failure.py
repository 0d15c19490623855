"""Failures that services tell with HTTP 200."""

from __future__ import annotations

from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import MISSING, as_path, nodes, read

__all__ = ["failure_of"]

_LONGEST = 300  # characters of a failure's text
_UNSAID = "the service says that it failed"


def failure_of(operation: Operation, payload: Any) -> str | None:
    """The failure that an answer with HTTP 200 tells, None where it tells none.

    It stands at ``error_field`` where a document names one. GraphQL tells it in ``errors``, where
    no data come with them; BioThings with ``success: false``.

    >>> operation = Operation("x", "civic", "post", "/graphql", "", "", "")
    >>> failure_of(operation, {"errors": [{"message": "Field 'x' doesn't exist"}], "data": None})
    "Field 'x' doesn't exist"
    >>> failure_of(operation, {"data": {"gene": None}}) is None
    True
    """
    path = operation.manner.error_field
    if path is not None:
        return _said(read(payload, as_path(path)))
    if type(payload) is not dict:
        return None
    if payload.get("success") is False:
        return _said(payload.get("error")) or _UNSAID
    errors = payload.get("errors")
    if type(errors) is not list or not all(type(e) is dict and "message" in e for e in errors):
        return None
    data = payload.get("data")
    if type(data) is dict and any(value is not None for value in data.values()):
        return None
    return _said(errors)


def _said(value: Any) -> str | None:
    """A failure's own words on one line, control characters taken out; None for none."""
    if value is MISSING or value in (None, False, "", 0) or value == [] or value == {}:
        return None
    first_told = next(iter(nodes(value, ())), None)
    if type(first_told) is dict:
        first_told = next(
            (first_told[key] for key in ("message", "error", "detail") if key in first_told),
            None,
        )
    words = " ".join("".join(c if c.isprintable() else " " for c in text(first_told)).split())
    return words[:_LONGEST] or _UNSAID
