"""A loopback Reactome content service: pathways of a protein, participants, contained events.

Shapes follow Reactome's documentation; the recorded answers are cut down to display names. The
facts are real ones, few. What is not known is 404 with Reactome's error object.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

_NAMES = {
    "R-HSA-5673001": "RAF/MAP kinase cascade",
    "R-HSA-5673000": "RAF activation",
    "R-HSA-191273": "Cholesterol biosynthesis",
}
_MEMBERS = {"UniProt:P15056": ["R-HSA-5673000"], "ChEBI:16113": ["R-HSA-191273"]}
# pathway → physical entity, its kind, reference entity, identifier, its kind
_PARTICIPANTS = {
    "R-HSA-5673001": [
        (
            "BRAF [cytosol]",
            "EntityWithAccessionedSequence",
            "uniprot:P15056",
            "UniProt:P15056 BRAF",
            "ReferenceGeneProduct",
        ),
        (
            "ATP [cytosol]",
            "SimpleEntity",
            "chebi:30616",
            "ATP(4-) [ChEBI:30616]",
            "ReferenceMolecule",
        ),
    ],
    "R-HSA-191273": [
        (
            "CHOL [endoplasmic reticulum membrane]",
            "SimpleEntity",
            "chebi:16113",
            "cholesterol [ChEBI:16113]",
            "ReferenceMolecule",
        ),
    ],
}
_EVENTS = {
    "R-HSA-5673001": [
        ("R-HSA-5673000", "RAF activation", "Pathway"),
        ("R-HSA-5672978", "RAF phosphorylates MAP2K dimer", "Reaction"),
    ],
}


def routes() -> list[BaseRoute]:
    """The four resources and the version."""
    return [
        Route("/data/mapping/{resource}/{accession}/pathways", _pathways),
        Route("/data/participants/{pathway}", _participants),
        Route("/data/pathway/{pathway}/containedEvents", _events),
        Route("/data/database/version", _version),
    ]


async def _version(_: Request) -> Response:
    return PlainTextResponse("96")


async def _pathways(request: Request) -> Response:
    place = request.path_params
    found = _MEMBERS.get(f"{place['resource']}:{place['accession']}")
    if found is None:
        return _unknown(request, f"No pathways found for {place['accession']}")
    return answer([_pathway(one) for one in found])


def _pathway(pathway: str) -> dict[str, Any]:
    return {
        "dbId": int(pathway.rpartition("-")[2]),
        "displayName": _NAMES[pathway],
        "stId": pathway,
        "stIdVersion": f"{pathway}.3",
        "isInDisease": False,
        "isInferred": False,
        "name": [_NAMES[pathway]],
        "speciesName": "Homo sapiens",
        "schemaClass": "Pathway",
    }


async def _participants(request: Request) -> Response:
    found = _PARTICIPANTS.get(request.path_params["pathway"])
    if found is None:
        return _unknown(request, "No entity found")
    return answer(
        [
            {
                "peDbId": number,
                "displayName": name,
                "schemaClass": kind,
                "refEntities": [
                    {
                        "dbId": 100 + number,
                        "stId": reference,
                        "identifier": reference.partition(":")[2],
                        "schemaClass": reference_kind,
                        "displayName": told,
                    }
                ],
            }
            for number, (name, kind, reference, told, reference_kind) in enumerate(found, 1)
        ]
    )


async def _events(request: Request) -> Response:
    found = _EVENTS.get(request.path_params["pathway"])
    if found is None:
        return _unknown(request, "No entity found")
    return answer(
        [{"stId": one, "displayName": name, "schemaClass": kind} for one, name, kind in found]
    )


def _unknown(request: Request, message: str) -> Response:
    told = {
        "code": 404,
        "reason": "NOT_FOUND",
        "messages": [message],
        "timestamp": "2026-08-11T22:00:00Z",
        "url": request.url.path,
    }
    return answer(told, 404)
