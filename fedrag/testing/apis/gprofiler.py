"""A loopback g:Profiler: the enrichment of a set of genes (g:GOSt).

The shape is the recorded one; which genes of the set a term holds stands in ``intersections``, by
position. Two of the terms are recorded, for five genes of muscle. A call without genes is 400.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

ABL1, KIT = "ENSG00000097007", "ENSG00000157404"
CASQ2, CASQ1, GSTO1, DMD, GSTM2 = (
    "ENSG00000118729",
    "ENSG00000143318",
    "ENSG00000148834",
    "ENSG00000198947",
    "ENSG00000213366",
)
# term, source, name, size, p-value, genes
_TERMS: tuple[tuple[str, str, str, int, float, tuple[str, ...]], ...] = (
    (
        "GO:0014809",
        "GO:BP",
        "regulation of skeletal muscle contraction by regulation of release of sequestered calcium"
        " ion",
        5,
        6.045452804836617e-17,
        (CASQ2, CASQ1, GSTO1, DMD, GSTM2),
    ),
    (
        "GO:0010881",
        "GO:BP",
        "regulation of cardiac muscle contraction by regulation of the release of sequestered"
        " calcium ion",
        22,
        7.823665557395747e-09,
        (CASQ2, GSTO1, DMD, GSTM2),
    ),
    ("GO:0018108", "GO:BP", "peptidyl-tyrosine phosphorylation", 190, 0.0009, (ABL1, KIT)),
    ("REAC:R-HSA-5578775", "REAC", "Ion homeostasis", 52, 0.001, (CASQ2, CASQ1)),
    ("WP:WP536", "WP", "Calcium regulation in cardiac cells", 150, 0.003, (CASQ2, CASQ1)),
    ("HP:0001644", "HP", "Dilated cardiomyopathy", 160, 0.3, (CASQ2, DMD)),
)


def routes() -> list[BaseRoute]:
    """The profile."""
    return [Route("/gost/profile/", _profile, methods=["POST"])]


async def _profile(request: Request) -> Response:
    body = await request.json()
    genes, threshold = body.get("query"), float(body.get("user_threshold", 0.05))
    if not genes or not body.get("organism"):
        return answer({"message": "query and organism must be given"}, 400)
    known = [one for one in genes if any(one in term[5] for term in _TERMS)]
    sources = body.get("sources") or []
    terms = [
        _term(term, known, threshold)
        for term in _TERMS
        if term[1] in sources and any(one in term[5] for one in known)
    ]
    mapping = {"mapping": {one: [one] for one in known}, "ensgs": known}
    return answer({"result": terms, "meta": {"genes_metadata": {"query": {"query_1": mapping}}}})


def _term(
    term: tuple[str, str, str, int, float, tuple[str, ...]], known: list[str], threshold: float
) -> dict[str, Any]:
    native, source, name, size, p_value, genes = term
    intersections = [["IEA"] if one in genes else [] for one in known]
    return {
        "native": native,
        "source": source,
        "name": name,
        "p_value": p_value,
        "significant": p_value < threshold,
        "term_size": size,
        "query_size": len(known),
        "intersection_size": sum(map(bool, intersections)),
        "intersections": intersections,
        "query": "query_1",
    }
