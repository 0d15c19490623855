"""A loopback QuickGO: annotations in pages, and GO terms with their children.

Terms have the recorded shape, annotations that of QuickGO's documentation. The facts are real
ones, few. An identifier that is none is 400 with ``messages``, an unknown term 404.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

_GENE_PRODUCT = re.compile(r"UniProtKB:[A-Z0-9-]+")
_TERM = re.compile(r"GO:[0-9]{7}")
_ASPECTS = {
    "involved_in": "biological_process",
    "enables": "molecular_function",
    "located_in": "cellular_component",
    "part_of": "cellular_component",
}
# gene product, symbol, qualifier, term, name, evidence, reference
_ANNOTATIONS = (
    ("P15056", "BRAF", "involved_in", "GO:0000165", "MAPK cascade", "IDA", "PMID:17563371"),
    (
        "P15056",
        "BRAF",
        "enables",
        "GO:0004674",
        "protein serine/threonine kinase activity",
        "IDA",
        "PMID:21441910",
    ),
    ("P15056", "BRAF", "located_in", "GO:0005829", "cytosol", "IEA", "GO_REF:0000052"),
    ("P15056", "BRAF", "located_in", "GO:0005886", "plasma membrane", "IBA", "GO_REF:0000033"),
    (
        "P15056",
        "BRAF",
        "NOT|involved_in",
        "GO:0006915",
        "apoptotic process",
        "IMP",
        "PMID:19667065",
    ),
    ("P04049", "RAF1", "involved_in", "GO:0000165", "MAPK cascade", "TAS", "PMID:8621729"),
)
# term → name, aspect, children (term, relation)
_TERMS: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "GO:0004672": (
        "protein kinase activity",
        "molecular_function",
        (
            ("GO:0004674", "is_a"),
            ("GO:0045859", "regulates"),
            ("GO:0045860", "positively_regulates"),
            ("GO:0006469", "negatively_regulates"),
            ("GO:1902911", "capable_of"),
        ),
    ),
    "GO:0000165": (
        "MAPK cascade",
        "biological_process",
        (("GO:0070371", "is_a"), ("GO:0004708", "part_of")),
    ),
    "GO:0005634": (
        "nucleus",
        "cellular_component",
        (("GO:0001673", "is_a"), ("GO:0005730", "part_of")),
    ),
}


def routes() -> list[BaseRoute]:
    """Annotations, terms and what the service says of itself."""
    return [
        Route("/annotation/search", _annotations),
        Route("/ontology/go/terms/{ids}", _terms),
        Route("/ontology/go/about", _about),
    ]


async def _about(_: Request) -> Response:
    return answer({"go": {"version": "2026-07-01"}, "eco": {"version": "2026-06-20"}})


async def _annotations(request: Request) -> Response:
    given = request.query_params
    products, terms = _listed(given.get("geneProductId")), _listed(given.get("goId"))
    wrong = [one for one in products if not _GENE_PRODUCT.fullmatch(one)]
    wrong += [one for one in terms if not _TERM.fullmatch(one)]
    if wrong or not (products or terms):
        told = [f"The 'id' parameter contains invalid values: {', '.join(wrong)}"]
        return answer({"url": str(request.url.path), "messages": told}, 400)
    rows = [
        row
        for row in map(_annotation, _ANNOTATIONS)
        if (not products or row["geneProductId"] in products)
        and (not terms or row["goId"] in terms)
    ]
    limit, page = int(given.get("limit", "25")), int(given.get("page", "1"))
    shown = rows[(page - 1) * limit : page * limit]
    info = {"resultsPerPage": limit, "current": page, "total": -(-len(rows) // limit)}
    return answer({"numberOfHits": len(rows), "results": shown, "pageInfo": info})


def _annotation(row: tuple[str, str, str, str, str, str, str]) -> dict[str, Any]:
    product, symbol, qualifier, term, name, evidence, reference = row
    return {
        "id": f"UniProtKB:{product}!1",
        "geneProductId": f"UniProtKB:{product}",
        "qualifier": qualifier,
        "goId": term,
        "goName": name,
        "goEvidence": evidence,
        "goAspect": _ASPECTS[qualifier.removeprefix("NOT|")],
        "reference": reference,
        "taxonId": 9606,
        "assignedBy": "UniProt",
        "symbol": symbol,
    }


async def _terms(request: Request) -> Response:
    asked = _listed(request.path_params["ids"])
    known = [one for one in asked if one in _TERMS]
    if not known:
        told = [f"No results found for the ids: {', '.join(asked)}"]
        return answer({"url": str(request.url.path), "messages": told}, 404)
    results = [_term(one, *_TERMS[one]) for one in known]
    return answer({"numberOfHits": len(results), "results": results, "pageInfo": None})


def _term(
    term: str, name: str, aspect: str, children: tuple[tuple[str, str], ...]
) -> dict[str, Any]:
    return {
        "id": term,
        "isObsolete": False,
        "name": name,
        "children": [{"id": one, "relation": relation} for one, relation in children],
        "aspect": aspect,
        "usage": "Unrestricted",
    }


def _listed(given: str | None) -> list[str]:
    return given.split(",") if given else []
