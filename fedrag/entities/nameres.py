"""The Name Resolver: strings in, scored cliques out. One bulk call, filtered by nobody but us.

Its top hit is often wrong ("cox1" is a fungus's, then a sheep's), so no category, taxon or prefix
filter is sent by default: everything is kept and judged mention by mention afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedrag.errors import BadPayloadError

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["LIMIT", "NameHit", "look_up", "read_hits"]

LIMIT = 30


@dataclass(frozen=True, slots=True)
class NameHit:
    """One clique the Name Resolver offers. ``score`` is unbounded and means nothing across calls.

    ``types`` carry ``biolink:`` and are most specific first, as the service lists them.
    """

    curie: str
    label: str
    synonyms: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    taxa: tuple[str, ...] = ()
    score: float = 0.0
    identifiers: int = 0


async def look_up(
    caller: Caller,
    endpoint: Endpoint,
    strings: Iterable[str],
    *,
    limit: int = LIMIT,
    autocomplete: bool = False,
    only_taxa: str = "",
) -> dict[str, tuple[NameHit, ...]]:
    """Hits for each string, best score first; a string the service left out has none.

    :raises ServiceError: the call failed, or its answer is no ``/bulk-lookup`` answer.
    """
    wanted = sorted(set(strings))
    if not wanted:
        return {}
    body = {
        "strings": wanted,
        "autocomplete": autocomplete,
        "highlighting": False,
        "offset": 0,
        "limit": limit,
        "biolink_types": [],
        "only_prefixes": "",
        "exclude_prefixes": "",
        "only_taxa": only_taxa,
    }
    reply = await caller.send(endpoint, "POST", "/bulk-lookup", json=body)
    try:
        payload = _lists(reply.json(), endpoint.service)
    except BadPayloadError:
        caller.discard(reply, endpoint)
        raise
    return {text: read_hits(payload.get(text, [])) for text in wanted}


def _lists(payload: Any, service: str) -> dict[str, list[Any]]:
    if isinstance(payload, dict) and all(isinstance(v, list) for v in payload.values()):
        return payload
    raise BadPayloadError(
        f"{service} answered no dictionary of lists to /bulk-lookup", service=service
    )


def read_hits(values: Iterable[Any]) -> tuple[NameHit, ...]:
    """Read the results of one string; a result without a CURIE costs itself alone.

    >>> read_hits([{"curie": "MONDO:0005044", "label": "hypertension", "types": ["Disease"]}, None])
    (NameHit(curie='MONDO:0005044', label='hypertension', synonyms=(), types=('biolink:Disease',),\
 taxa=(), score=0.0, identifiers=0),)
    """
    hits = (_read(value) for value in values if isinstance(value, dict))
    return tuple(hit for hit in hits if hit is not None)


def _read(value: Mapping[str, Any]) -> NameHit | None:
    curie = value.get("curie")
    names = _strings(value.get("synonyms") or value.get("names"))
    label = value.get("label") or value.get("preferred_name") or (names[0] if names else "")
    if not isinstance(curie, str) or not curie or not isinstance(label, str):
        return None
    types = _strings(value.get("types"))
    return NameHit(
        curie=curie,
        label=label,
        synonyms=names,
        types=tuple(t if t.startswith("biolink:") else f"biolink:{t}" for t in types),
        taxa=_strings(value.get("taxa")),
        score=_number(value.get("score")),
        identifiers=int(_number(value.get("clique_identifier_count"))),
    )


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and value == value else 0.0
