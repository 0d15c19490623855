"""A loopback CTD: the batch query, whose records repeat the term asked in small letters.

Chemical-disease and gene-disease records have the recorded shape; the other reports that of CTD's
documentation, with the spelling of the registry's document (``GeneId`` and ``PubMedIds`` beside
``GeneID`` and ``PubMedIDs``). A call that lacks a parameter is answered by a page, with 200.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

# chemical, name, disease, name, evidence, articles
_CHEMICAL_DISEASE = (
    (
        "D000068877",
        "Imatinib Mesylate",
        "MESH:D015464",
        "Leukemia, Myelogenous, Chronic, BCR-ABL Positive",
        "therapeutic",
        "12637609",
    ),
    ("D003634", "DDT", "MESH:D018248", "Adenoma, Liver Cell", "marker/mechanism", "12597452"),
    (
        "D003634",
        "DDT",
        "MESH:D008114",
        "Liver Neoplasms, Experimental",
        "marker/mechanism|therapeutic",
        "21035526|3787112",
    ),
    (
        "D008628",
        "Mercury",
        "MESH:D003922",
        "Diabetes Mellitus, Type 1",
        "therapeutic",
        "11529910",
    ),
    ("D002945", "Cisplatin", "OMIM:613290", "HEARING LOSS", "marker/mechanism", "19898482"),
)
_GENE_DISEASE = (
    ("1017", "CDK2", "MESH:D008545", "Melanoma", "marker/mechanism", "21559390"),
    ("5743", "PTGS2", "MESH:D003110", "Colonic Neoplasms", "therapeutic", "16707605"),
)
# chemical, name, gene, symbol, actions, sentence, organism, taxon, articles
_INTERACTIONS = (
    (
        "D000068877",
        "Imatinib Mesylate",
        "25",
        "ABL1",
        "decreases^activity",
        "Imatinib Mesylate results in decreased activity of ABL1 protein",
        "Homo sapiens",
        "9606",
        "11423618|12637471",
    ),
    (
        "D000068877",
        "Imatinib Mesylate",
        "3815",
        "KIT",
        "affects^binding",
        "Imatinib Mesylate binds to KIT protein",
        "Homo sapiens",
        "9606",
        "15123710",
    ),
    (
        "D000068877",
        "Imatinib Mesylate",
        "1956",
        "EGFR",
        "decreases^reaction|increases^phosphorylation",
        "Imatinib Mesylate inhibits the reaction [X increases phosphorylation of EGFR protein]",
        "Mus musculus",
        "10090",
        "15123710",
    ),
)
_PATHWAYS = (
    ("8600", "TNFSF11", "REACT:R-HSA-5668541", "TNFR2 non-canonical NF-kB pathway"),
    ("8600", "TNFSF11", "KEGG:hsa04917", "Prolactin signaling pathway"),
)


def routes() -> list[BaseRoute]:
    """The batch query, for GET and POST alike."""
    return [Route("/tools/batchQuery.go", _batch, methods=["GET", "POST"])]


async def _batch(request: Request) -> Response:
    given = request.query_params
    report, terms = given.get("report"), given.get("inputTerms")
    if not report or not terms or (report == "cgixns" and not given.get("actionTypes")):
        return HTMLResponse("<html><title>Batch Query | CTD</title></html>")
    asked = terms.split("|")
    return answer([row for one in asked for row in _rows(given.get("inputType", ""), report, one)])


def _rows(kind: str, report: str, term: str) -> Iterator[dict[str, Any]]:
    for row in _all(kind, report):
        known = row.pop("_asked")
        if term.casefold() == known.casefold():
            yield {"Input": term.lower(), **row}


def _all(kind: str, report: str) -> Iterator[dict[str, Any]]:
    if report == "cgixns":
        yield from _interactions(kind)
    elif kind == "chem" or report == "chems_curated":
        yield from _chemical_diseases(kind)
    elif "pathway" in (kind, report.removesuffix("s_curated")):
        yield from _pathways(kind)
    else:
        yield from _gene_diseases(kind)


def _chemical_diseases(kind: str) -> Iterator[dict[str, Any]]:
    for chemical, name, disease, disease_name, evidence, articles in _CHEMICAL_DISEASE:
        yield {
            "_asked": chemical if kind == "chem" else disease,
            "CasRN": "",
            "ChemicalID": chemical,
            "ChemicalName": name,
            "DirectEvidence": evidence,
            "DiseaseCategories": "",
            "DiseaseID": disease,
            "DiseaseName": disease_name,
            "PubMedIDs": articles,
        }


def _gene_diseases(kind: str) -> Iterator[dict[str, Any]]:
    for gene, symbol, disease, name, evidence, articles in _GENE_DISEASE:
        yield {
            "_asked": gene if kind == "gene" else disease,
            "DirectEvidence": evidence,
            "DiseaseCategories": "",
            "DiseaseID": disease,
            "DiseaseName": name,
            "GeneID": gene,
            "GeneSymbol": symbol,
            "PubMedIDs": articles,
        }


def _interactions(kind: str) -> Iterator[dict[str, Any]]:
    for chemical, name, gene, symbol, actions, told, organism, taxon, articles in _INTERACTIONS:
        yield {
            "_asked": chemical if kind == "chem" else gene,
            "CasRN": "",
            "ChemicalId": chemical,
            "ChemicalName": name,
            "GeneId": gene,
            "GeneSymbol": symbol,
            "Interaction": told,
            "InteractionActions": actions,
            "Organism": organism,
            "OrganismId": taxon,
            "PubMedIds": articles,
        }


def _pathways(kind: str) -> Iterator[dict[str, Any]]:
    for gene, symbol, pathway, name in _PATHWAYS:
        yield {
            "_asked": gene if kind == "gene" else pathway,
            "GeneID": gene,
            "GeneSymbol": symbol,
            "PathwayID": pathway,
            "PathwayName": name,
        }
