"""A stand-in for every BioThings API: small documents of real facts, asked as BioThings is asked.

Shapes as recorded of MyChem.info, MyGene.info, MyVariant.info and the DISEASES API: a batch is a
bare list, or ``{max_total, hits}`` with ``with_total``; a search is ``{took, total, max_score,
hits}``; one identifier may have several hits, an unknown one has ``notfound``; ``query`` is a list
where a list was asked. Errors as the BioThings SDK gives them. The documents are
``biothings_facts.json``, by API; a field holds a value or a list of values, as the real ones do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.apis.biothings_query import holds, values
from fedrag.testing.web import answer

__all__ = ["documents", "routes"]

_FACTS = Path(__file__).with_name("biothings_facts.json")
_SEPARATORS = re.compile(r"[\s,|+]+")
_MOST = 1000  # identifiers and hits that one call may ask for
_WINDOW = 10000  # how far `from` and `size` reach
_SCORE = 9.5
_HUMAN = ("human", "9606")
Document = Mapping[str, Any]


def routes() -> list[BaseRoute]:
    """``POST`` and ``GET /query``, ``GET /metadata``, under the base path of any of the APIs."""
    return [
        Route("/query", _query, methods=["GET", "POST"]),
        Route("/metadata", _metadata, methods=["GET"]),
    ]


@cache
def documents() -> Mapping[str, list[Document]]:
    """What the stand-ins know, by API (the name of its document in ``metakg/``)."""
    read: dict[str, list[Document]] = json.loads(_FACTS.read_text(encoding="utf-8"))
    return read


async def _query(request: Request) -> Response:
    given = await _parameters(request)
    refused = _refused(given)
    if refused is not None:
        return answer({"code": 400, "success": False, "error": "Bad Request", **refused}, 400)
    known = [d for d in _known(request) if _of_species(d, str(given.get("species", "all")))]
    if request.method == "GET":
        return answer(_searched(known, given))
    return answer(_batch(known, given))


async def _metadata(request: Request) -> Response:
    known = _known(request)
    return answer({"build_version": "loopback", "stats": {"total": len(known)}, "src": {}})


def _known(request: Request) -> list[Document]:
    """The documents of the API it is mounted as; mounted otherwise, those of all of them."""
    steps = str(request.scope.get("root_path", "")).split("/") + request.url.path.split("/")
    named = [documents()[step] for step in steps if step in documents()]
    return named[-1] if named else [d for held in documents().values() for d in held]


async def _parameters(request: Request) -> dict[str, Any]:
    """Query and body together: a form, or JSON. What the body says counts."""
    given: dict[str, Any] = dict(request.query_params)
    if request.method == "POST":
        kind = request.headers.get("content-type", "")
        if kind.startswith("application/json"):
            given.update(orjson.loads(await request.body() or b"{}"))
        else:
            given.update(parse_qsl((await request.body()).decode()))
    return given


def _refused(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is wrong with the parameters, in BioThings' words; None when nothing is."""
    if not given.get("q"):
        return {"missing": "q"}
    for name in ("size", "from"):
        if not str(given.get(name, 0)).isdigit():
            return {"keyword": name, "allowed": "an integer"}
    size, start = _number(given, "size", 10), _number(given, "from", 0)
    if size > _MOST:
        return {"keyword": "size", "max": _MOST, "num": size}
    if start + size > _WINDOW:
        return {"keyword": "from", "max": _WINDOW, "num": start + size}
    terms = len(_terms(given["q"]))
    return {"keyword": "q", "max": _MOST, "num": terms} if terms > _MOST else None


def _number(given: Mapping[str, Any], name: str, default: int) -> int:
    return int(given.get(name, default))


def _listed(value: Any) -> list[str]:
    parts = value if isinstance(value, list) else _SEPARATORS.split(str(value))
    return [str(part).strip() for part in parts if str(part).strip()]


def _of_species(document: Document, species: str) -> bool:
    """Genes of one species; documents without a species pass."""
    wanted = set(_listed(species))
    taxon = str(document.get("taxid", ""))
    human = taxon == "9606" and bool(wanted.intersection(_HUMAN))
    return not taxon or "all" in wanted or taxon in wanted or human


def _batch(known: Iterable[Document], given: Mapping[str, Any]) -> Any:
    """One after the other, the hits of each identifier; ``size`` and ``from`` are for each."""
    scopes = _listed(given.get("scopes", "_id"))
    passing = [d for d in known if "filter" not in given or holds(str(given["filter"]), d)]
    size, start = _number(given, "size", 10), _number(given, "from", 0)
    made: list[dict[str, Any]] = []
    most = 0
    for term in _terms(given["q"]):
        found = [d for d in passing if _answers(d, scopes, term)]
        most = max(most, len(found))
        hits = [_hit(d, given, query=term) for d in found[start : start + size]]
        made += hits or [{"query": term, "notfound": True}]
    if str(given.get("with_total", "")).lower() in ("true", "1"):
        return {"max_total": most, "hits": made}
    return made


def _terms(value: Any) -> list[str | list[str]]:
    """What is asked, one after the other; in JSON one may be a list, a value for each scope."""
    if not isinstance(value, list):
        return list(_listed(value))
    return [_listed(item) if isinstance(item, list) else str(item) for item in value]


def _answers(document: Document, scopes: Iterable[str], term: str | list[str]) -> bool:
    if isinstance(term, str):
        return _in_scope(document, scopes, term)
    pairs = zip(scopes, term, strict=False)
    return all(_in_scope(document, [scope], part) for scope, part in pairs)


def _in_scope(document: Document, scopes: Iterable[str], term: str) -> bool:
    wanted = term.strip('"').casefold()
    return any(wanted == v.casefold() for scope in scopes for v in values(document, scope))


def _searched(known: Iterable[Document], given: Mapping[str, Any]) -> dict[str, Any]:
    found = [d for d in known if holds(str(given["q"]), d)]
    size, start = _number(given, "size", 10), _number(given, "from", 0)
    hits = [_hit(d, given) for d in found[start : start + size]]
    return {"took": 3, "total": len(found), "max_score": _SCORE if found else None, "hits": hits}


def _hit(
    document: Document, given: Mapping[str, Any], query: str | list[str] | None = None
) -> dict[str, Any]:
    asked = _listed(given.get("fields", "all"))
    held = dict(document) if "all" in asked else _part(document, [f.split(".") for f in asked])
    told = {} if query is None else {"query": query}
    return {**told, "_id": document["_id"], "_score": _SCORE, **(held or {})}


def _part(node: Any, paths: list[list[str]]) -> Any:
    """What ``fields`` leaves of a document: licences stay, as BioThings has it."""
    if isinstance(node, list):
        return [kept for item in node if (kept := _part(item, paths)) is not None]
    if any(not path for path in paths):
        return node
    if not isinstance(node, Mapping):
        return None
    kept = {}
    for key, value in node.items():
        below = [path[1:] for path in paths if path[0] == key]
        part = _part(value, below) if below else None
        if part is not None:
            kept[key] = part
    if kept and "_license" in node:
        kept = {"_license": node["_license"], **kept}
    return kept or None
