"""A loopback OncoKB: annotation of a protein change, and the versions of the data.

Nothing of OncoKB may be passed on, and no answer of it was ever seen here: shapes follow its
documentation and the fields that open clients read, and what is said of BRAF, EGFR and TP53 is
common knowledge of drug labels in those shapes, without OncoKB's texts. As there, an unknown gene
or change is answered with 200 and ``geneExist`` or ``variantExist`` false, and a call without a
token with 401 (``demo`` routes are open, for three genes).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["TOKEN", "demo_routes", "routes"]

TOKEN = "loopback-token"  # noqa: S105 - the token of a service that does not exist
_NARROW = "narrow-token"  # one that does not allow the annotation

_GENES = {"BRAF": 673, "EGFR": 1956, "TP53": 7157, "ROS1": 6098}
_DEMO = frozenset(("BRAF", "TP53", "ROS1"))
_MELANOMA = ("MEL", "Melanoma", "Melanoma")
_LUNG = ("NSCLC", "Non-Small Cell Lung Cancer", "Non-Small Cell Lung Cancer")
_ANY_SOLID = ("", "", "All Solid Tumors")
_CODES = {
    "Vemurafenib": "C64768",
    "Dabrafenib": "C82386",
    "Trametinib": "C77908",
    "Erlotinib": "C65530",
    "Gefitinib": "C1855",
    "Osimertinib": "C116377",
}
# Drugs, level, cancer type, PMIDs.
_TREATMENTS: Mapping[
    tuple[str, str], list[tuple[list[str], str, tuple[str, str, str], list[str]]]
] = {
    ("BRAF", "V600E"): [
        (["Vemurafenib"], "LEVEL_1", _MELANOMA, ["21639808"]),
        (["Trametinib", "Dabrafenib"], "LEVEL_1", _MELANOMA, ["25265492"]),
        (["Dabrafenib", "Trametinib"], "LEVEL_1", _ANY_SOLID, []),
    ],
    ("EGFR", "T790M"): [
        (["Osimertinib"], "LEVEL_1", _LUNG, ["27959700"]),
        (["Erlotinib"], "LEVEL_R1", _LUNG, ["25668228"]),
        (["Gefitinib"], "LEVEL_R1", _LUNG, ["15728811"]),
    ],
}
_EFFECTS = {
    ("BRAF", "V600E"): ("Oncogenic", "Gain-of-function", ["12068308"]),
    ("EGFR", "T790M"): ("Oncogenic", "Gain-of-function", []),
    ("TP53", "R175H"): ("Oncogenic", "Loss-of-function", []),
    ("TP53", "P72R"): ("Likely Neutral", "Neutral", []),
}


def routes() -> list[BaseRoute]:
    """The service's paths; a token is wanted."""
    return [
        Route("/annotate/mutations/byProteinChange", _annotation, methods=["GET"]),
        Route("/info", _info, methods=["GET"]),
    ]


def demo_routes() -> list[BaseRoute]:
    """The demonstration server's paths: no token, three genes."""
    return [
        Route("/annotate/mutations/byProteinChange", _demo_annotation, methods=["GET"]),
        Route("/info", _info, methods=["GET"]),
    ]


async def _info(_: Request) -> Response:
    return answer(
        {
            "appName": "oncokb-public",
            "dataVersion": {"version": "v0.0", "date": "01/01/2025"},
            "ncitVersion": "0",
            "oncoTreeVersion": "oncotree_0",
        }
    )


async def _annotation(request: Request) -> Response:
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token == _NARROW:
        return _problem(403, "Forbidden", "error.http.403")
    if token != TOKEN:
        return _problem(401, "Unauthorized", "error.http.401")
    return _answered(request, frozenset(_GENES))


async def _demo_annotation(request: Request) -> Response:
    return _answered(request, _DEMO)


def _problem(status: int, title: str, message: str) -> Response:
    """An error as OncoKB's gateway words it (RFC 7807)."""
    told = {
        "title": title,
        "status": status,
        "detail": "Full authentication is required to access this resource",
        "path": "/api/v1/annotate/mutations/byProteinChange",
        "message": message,
    }
    return answer(told, status)


def _answered(request: Request, open_genes: frozenset[str]) -> Response:
    gene = request.query_params.get("hugoSymbol", "")
    change = request.query_params.get("alteration", "").removeprefix("p.")
    if not gene:
        return _problem(400, "Bad Request", "error.http.400")
    known = gene if gene in open_genes else ""
    return answer(_annotated(gene, change, known))


def _annotated(gene: str, change: str, known: str) -> dict[str, Any]:
    key = (known, change)
    oncogenic, effect, cited = _EFFECTS.get(key, ("Unknown", "Unknown", []))
    return {
        "query": {
            "hugoSymbol": gene,
            "entrezGeneId": _GENES.get(known),
            "alteration": change,
            "referenceGenome": "GRCh37",
            "tumorType": None,
        },
        "geneExist": bool(known),
        "variantExist": key in _EFFECTS,
        "alleleExist": key in _EFFECTS,
        "oncogenic": oncogenic,
        "mutationEffect": {
            "knownEffect": effect,
            "description": "",
            "citations": {"abstracts": [], "pmids": cited},
        },
        "highestSensitiveLevel": "LEVEL_1" if key in _TREATMENTS else None,
        "highestResistanceLevel": None,
        "treatments": [_treatment(change, *told) for told in _TREATMENTS.get(key, [])],
        "diagnosticImplications": [],
        "prognosticImplications": [],
        "dataVersion": "v0.0",
        "lastUpdate": "01/01/2025",
        "vus": False,
    }


def _treatment(
    change: str, drugs: list[str], level: str, cancer: tuple[str, str, str], pmids: list[str]
) -> dict[str, Any]:
    code, name, main = cancer
    return {
        "alterations": [change],
        "drugs": [{"drugName": drug, "ncitCode": _CODES[drug], "synonyms": []} for drug in drugs],
        "approvedIndications": [],
        "level": level,
        "fdaLevel": "LEVEL_Fda2",
        "levelAssociatedCancerType": {
            "code": code,
            "name": name,
            "mainType": {"name": main, "tumorForm": "SOLID"},
        },
        "pmids": pmids,
        "abstracts": [],
        "description": "",
    }
