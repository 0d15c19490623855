"""Answers of odd shapes, made into rows that name their inputs before they are read.

``rows_from``: an object whose keys are values (tissues of the Human Protein Atlas) becomes an array
of rows. ``echo_aligned``: a record that tells by position what it is about (g:Profiler) gets the
names themselves, where the echo is looked for. Nothing that came is changed; what is rewritten is
copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fedrag.metakg.xfedrag import EchoAligned, Manner
from fedrag.xbte.paths import MISSING, Path, as_path, read

__all__ = ["prepared"]

_DEPTH = 32


def prepared(manner: Manner, payload: Any) -> Any:
    """The answer as mappings can read it; the same object where nothing is odd.

    >>> prepared(Manner(rows_from="tpm"), {"tpm": {"liver": "85.3"}})
    {'tpm': [{'name': 'liver', 'value': '85.3'}]}
    >>> aligned = Manner(echo_aligned=EchoAligned("genes", "terms.in"))
    >>> prepared(aligned, {"genes": ["a", "b"], "terms": [{"id": 1, "in": [["IBA"], []]}]})["terms"]
    [{'id': 1, 'in': ['a']}]
    """
    if manner.rows_from is not None:
        payload = _changed(payload, as_path(manner.rows_from), _table)
    if manner.echo_aligned is not None:
        payload = _named(manner.echo_aligned, payload)
    return payload


def _table(node: Any) -> Any:
    if isinstance(node, Mapping):
        return [{"name": name, "value": value} for name, value in node.items()]
    return None  # what is no table has no rows


def _named(aligned: EchoAligned, payload: Any) -> Any:
    names = read(payload, as_path(aligned.names))

    def of(flags: Any) -> list[Any]:
        """Nobody, unless there is one flag for each name."""
        if not (isinstance(names, list) and isinstance(flags, list) and len(names) == len(flags)):
            return []
        return [name for name, flag in zip(names, flags, strict=True) if flag]

    return _changed(payload, as_path(aligned.flags), of)


def _changed(node: Any, path: Path, change: Callable[[Any], Any], depth: int = 0) -> Any:
    """A copy with what stands at a path changed; arrays on the way are gone through."""
    if not path:
        return change(node)
    if isinstance(node, list):
        deeper = node if depth < _DEPTH else ()  # arrays in arrays end somewhere
        return [_changed(element, path, change, depth + 1) for element in deeper]
    if not isinstance(node, Mapping) or node.get(path[0], MISSING) is MISSING:
        return node
    return {**node, path[0]: _changed(node[path[0]], path[1:], change)}
