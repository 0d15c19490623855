"""A loopback Human Protein Atlas: one object for a gene, by its Ensembl identifier.

Fields are those of the atlas's JSON as its users read them; no answer of it was ever recorded. The
facts are real ones, few. An unknown gene is 404 with a page.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

# gene → symbol, accession, specificity, tissues, main places, further places
_GENES: dict[str, tuple[str, str, str, dict[str, str] | None, list[str], list[str] | None]] = {
    "ENSG00000163631": (
        "ALB",
        "P02768",
        "Tissue enriched",
        {"liver": "105947.1"},
        ["Endoplasmic reticulum", "Golgi apparatus"],
        None,
    ),
    "ENSG00000134057": (
        "CCNB1",
        "P14635",
        "Tissue enhanced",
        {"bone marrow": "41.1", "lymphoid tissue": "45.9", "testis": "42.5"},
        ["Cytosol"],
        ["Nucleoplasm", "Some new place"],
    ),
    "ENSG00000157764": ("BRAF", "P15056", "Low tissue specificity", None, ["Vesicles"], None),
}


def routes() -> list[BaseRoute]:
    """The genes."""
    return [Route("/{gene}.json", _gene)]


async def _gene(request: Request) -> Response:
    gene = request.path_params["gene"]
    if gene not in _GENES:
        return HTMLResponse("<html><title>404</title></html>", 404)
    return answer(_entry(gene, *_GENES[gene]))


def _entry(
    gene: str,
    symbol: str,
    accession: str,
    specificity: str,
    tissues: dict[str, str] | None,
    main: list[str],
    further: list[str] | None,
) -> dict[str, Any]:
    return {
        "Gene": symbol,
        "Ensembl": gene,
        "Uniprot": [accession],
        "RNA tissue specificity": specificity,
        "RNA tissue distribution": "Detected in many",
        "RNA tissue specific nTPM": tissues,
        "Reliability (IF)": "Supported",
        "Subcellular location": main + (further or []),
        "Subcellular main location": main,
        "Subcellular additional location": further,
        "Blood concentration - Conc. blood MS [pg/L]": None,
    }
