"""A loopback PubTator3: articles on an entity, and articles with the relations found in them.

Articles have the recorded shape (their passages left out), search results that of published
answers. The facts are real ones, few: the relation of BRCA1 is the recorded one. None of the
articles asked for is 400, as PubTator says it.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

_PAGE = 10
# entity as PubTator names it → its kind, identifier in an article, name
_ENTITIES = {
    "@GENE_672": ("Gene", "672", "BRCA1"),
    "@GENE_7124": ("Gene", "7124", "TNF"),
    "@DISEASE_MESH:D061325": (
        "Disease",
        "MESH:D061325",
        "Hereditary Breast and Ovarian Cancer Syndrome",
    ),
    "@DISEASE_MESH:D015673": ("Disease", "MESH:D015673", "Fatigue Syndrome Chronic"),
    "@CHEMICAL_MESH:D006854": ("Chemical", "MESH:D006854", "Hydrocortisone"),
    "@CHEMICAL_MESH:D003907": ("Chemical", "MESH:D003907", "Dexamethasone"),
}
# article → relations (kind, first, second, score)
_ARTICLES = {
    20516115: [("Association", "@DISEASE_MESH:D061325", "@GENE_672", "0.9997")],
    9989716: [
        ("Treatment", "@CHEMICAL_MESH:D006854", "@DISEASE_MESH:D015673", "0.9871"),
        ("Association", "@DISEASE_MESH:D015673", "@GENE_7124", "0.8124"),
        ("Comparison", "@CHEMICAL_MESH:D006854", "@CHEMICAL_MESH:D003907", "0.7012"),
    ],
    15661559: [("Association", "@DISEASE_MESH:D015673", "@CHEMICAL_MESH:D006854", "0.9019")],
}


def routes() -> list[BaseRoute]:
    """Search, export and autocompletion."""
    return [
        Route("/search/", _search),
        Route("/publications/export/biocjson", _export),
        Route("/entity/autocomplete/", _autocomplete),
    ]


async def _search(request: Request) -> Response:
    asked = request.query_params.get("text", "")
    found = [
        pmid
        for pmid, relations in _ARTICLES.items()
        if any(asked in (first, second) for _, first, second, _ in relations)
    ]
    page = int(request.query_params.get("page", "1"))
    results = [
        {"_id": str(pmid), "pmid": pmid, "title": f"Article {pmid}", "score": 264.7}
        for pmid in found[(page - 1) * _PAGE : page * _PAGE]
    ]
    told = {"page_size": _PAGE, "current": page, "count": len(found)}
    return answer({"results": results, **told, "total_pages": -(-len(found) // _PAGE)})


async def _export(request: Request) -> Response:
    asked = request.query_params.get("pmids", "").split(",")
    known = [int(one) for one in asked if one.isdigit() and int(one) in _ARTICLES]
    if not known:
        return answer({"detail": "Could not retrieve publications"}, 400)
    return answer({"PubTator3": [_article(one) for one in known]})


def _article(pmid: int) -> dict[str, Any]:
    return {
        "_id": f"{pmid}|None",
        "id": str(pmid),
        "infons": {},
        "passages": [],
        "relations": [
            {
                "id": f"R{number}",
                "infons": {
                    "score": score,
                    "role1": _role(first),
                    "role2": _role(second),
                    "type": kind,
                },
                "nodes": [{"refid": str(number - 1), "role": "1,2"}],
            }
            for number, (kind, first, second, score) in enumerate(_ARTICLES[pmid], 1)
        ],
        "pmid": pmid,
        "pmcid": None,
    }


def _role(entity: str) -> dict[str, Any]:
    kind, identifier, name = _ENTITIES[entity]
    return {
        "identifier": identifier,
        "type": kind,
        "valid": True,
        "biotype": kind.lower(),
        "name": name,
        "accession": f"@{kind.upper()}_{name.replace(' ', '_')}",
    }


async def _autocomplete(request: Request) -> Response:
    asked = request.query_params.get("query", "").casefold()
    return answer(
        [
            {
                "_id": f"@{kind.upper()}_{name.replace(' ', '_')}",
                "biotype": kind.lower(),
                "db_id": identifier.rpartition(":")[2],
                "name": name,
                "match": f"Matched on name <m>{name}</m>",
            }
            for kind, identifier, name in _ENTITIES.values()
            if asked and asked in name.casefold()
        ]
    )
