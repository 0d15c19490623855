"""A loopback ChEMBL: mechanisms, targets and indications, with ChEMBL's pages.

Mechanisms have the shape of a published answer about pembrolizumab, targets and indications that
of ChEMBL's own documentation. The facts are real ones, few. A call without a filter that this
service knows is 400 with an ``error_message``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

_FDA = "http://www.accessdata.fda.gov/drugsatfda_docs"
_GLEEVEC = (("FDA", "label/2008/021588s024lbl.pdf", f"{_FDA}/label/2008/021588s024lbl.pdf"),)
_LABEL = (("FDA", "label/2014/125514lbl.pdf", f"{_FDA}/label/2014/125514lbl.pdf"),)
_ARTICLES = (
    ("PubMed", "11426832", "http://europepmc.org/abstract/MED/11426832"),
    ("PubMed", "12130730", "http://europepmc.org/abstract/MED/12130730"),
    (
        "Wikipedia",
        "Probenecid#Pharmacology",
        "http://en.wikipedia.org/wiki/Probenecid#Pharmacology",
    ),
)
# molecule, target, action, wording, references (type, id, address)
_MECHANISMS = (
    (
        "CHEMBL941",
        "CHEMBL1936",
        "INHIBITOR",
        "Stem cell growth factor receptor inhibitor",
        _GLEEVEC,
    ),
    ("CHEMBL941", "CHEMBL2096618", "INHIBITOR", "Bcr/Abl fusion protein inhibitor", _GLEEVEC),
    (
        "CHEMBL3137343",
        "CHEMBL3307223",
        "INHIBITOR",
        "Programmed cell death protein 1 inhibitor",
        _LABEL,
    ),
    (
        "CHEMBL4297723",
        "CHEMBL3307223",
        "INHIBITOR",
        "Programmed cell death protein 1 inhibitor",
        _LABEL,
    ),
    ("CHEMBL714", "CHEMBL210", "AGONIST", "Beta-2 adrenergic receptor agonist", _LABEL),
    (
        "CHEMBL1201576",
        "CHEMBL2058",
        "BINDING AGENT",
        "B-lymphocyte antigen CD20 binding agent",
        _LABEL,
    ),
    (
        "CHEMBL897",
        "CHEMBL1641347",
        "INHIBITOR",
        "Solute carrier family 22 member 6 inhibitor",
        _ARTICLES,
    ),
    ("CHEMBL325041", "CHEMBL2364701", "INHIBITOR", "26S proteasome inhibitor", _LABEL),
)
# target → name, type, components (accession, description)
_TARGETS: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "CHEMBL1936": (
        "Stem cell growth factor receptor",
        "SINGLE PROTEIN",
        (("P10721", "Mast/stem cell growth factor receptor Kit"),),
    ),
    "CHEMBL2096618": (
        "Bcr/Abl fusion protein",
        "CHIMERIC PROTEIN",
        (
            ("P00519", "Tyrosine-protein kinase ABL1"),
            ("P11274", "Breakpoint cluster region protein"),
        ),
    ),
    "CHEMBL3307223": (
        "Programmed cell death protein 1",
        "SINGLE PROTEIN",
        (("Q15116", "Programmed cell death protein 1"),),
    ),
    "CHEMBL210": (
        "Beta-2 adrenergic receptor",
        "SINGLE PROTEIN",
        (("P07550", "Beta-2 adrenergic receptor"),),
    ),
    "CHEMBL2058": (
        "B-lymphocyte antigen CD20",
        "SINGLE PROTEIN",
        (("P11836", "B-lymphocyte antigen CD20"),),
    ),
    "CHEMBL1641347": (
        "Solute carrier family 22 member 6",
        "SINGLE PROTEIN",
        (("Q4U2R8", "Solute carrier family 22 member 6"),),
    ),
    "CHEMBL2364701": (
        "26S proteasome",
        "PROTEIN COMPLEX",
        (
            ("P28074", "Proteasome subunit beta type-5"),
            ("P20618", "Proteasome subunit beta type-1"),
        ),
    ),
}
# molecule, MeSH id, heading, EFO id, term, phase, references (type, id)
_INDICATIONS = (
    (
        "CHEMBL941",
        "D015464",
        "Leukemia, Myelogenous, Chronic, BCR-ABL Positive",
        "EFO:0000339",
        "chronic myelogenous leukemia",
        "4.0",
        (("FDA", "label/2008/021588s024lbl.pdf"), ("ClinicalTrials", "NCT00006343")),
    ),
    (
        "CHEMBL941",
        "D012595",
        "Scleroderma, Systemic",
        "EFO:0000717",
        "systemic scleroderma",
        "2.0",
        (("ClinicalTrials", "NCT00555581"),),
    ),
    (
        "CHEMBL3137343",
        "D008545",
        "Melanoma",
        "EFO:0000756",
        "melanoma",
        "4.0",
        (("FDA", "label/2014/125514lbl.pdf"), ("ClinicalTrials", "NCT01704287")),
    ),
    (
        "CHEMBL3137343",
        "D010051",
        "Ovarian Neoplasms",
        "EFO:0003893",
        "ovarian neoplasm",
        "3.0",
        (("ClinicalTrials", "NCT03740165"),),
    ),
    (
        "CHEMBL714",
        "D017563",
        "Lung Diseases, Interstitial",
        "EFO:0004244",
        "interstitial lung disease",
        "4.0",
        (("ClinicalTrials", "NCT00000001"),),
    ),
)


def routes() -> list[BaseRoute]:
    """The three resources and the service's state."""
    return [
        Route("/mechanism.json", _of("mechanisms", _mechanisms)),
        Route("/target.json", _of("targets", _targets)),
        Route("/drug_indication.json", _of("drug_indications", _indications)),
        Route("/status.json", _status),
    ]


async def _status(_: Request) -> Response:
    return answer({"chembl_db_version": "ChEMBL_36", "status": "UP"})


def _of(name: str, rows: Callable[[Request], list[dict[str, Any]] | None]) -> Any:
    """A resource: its rows in pages of ``limit`` (20 unless asked otherwise)."""

    async def resource(request: Request) -> Response:
        found = rows(request)
        if found is None:
            return answer({"error_message": "Invalid filter"}, 400)
        limit = int(request.query_params.get("limit", "20"))
        offset = int(request.query_params.get("offset", "0"))
        after = offset + limit
        meta = {
            "limit": limit,
            "offset": offset,
            "total_count": len(found),
            "next": f"/chembl/api/data/{name}?offset={after}" if after < len(found) else None,
            "previous": None,
        }
        return answer({name: found[offset:after], "page_meta": meta})

    return resource


def _asked(request: Request, name: str) -> list[str] | None:
    given = request.query_params.get(name)
    return None if given is None else given.split(",")


def _mechanisms(request: Request) -> list[dict[str, Any]] | None:
    molecules = _asked(request, "molecule_chembl_id__in")
    targets = _asked(request, "target_chembl_id__in")
    if molecules is None and targets is None:
        return None
    return [
        {
            "action_type": action,
            "direct_interaction": 1,
            "disease_efficacy": 1,
            "max_phase": 4,
            "mechanism_of_action": wording,
            "mechanism_refs": [
                {"ref_id": one, "ref_type": type_, "ref_url": url} for type_, one, url in references
            ],
            "molecule_chembl_id": molecule,
            "parent_molecule_chembl_id": molecule,
            "target_chembl_id": target,
            "variant_sequence": None,
        }
        for molecule, target, action, wording, references in _MECHANISMS
        if (molecules is None or molecule in molecules) and (targets is None or target in targets)
    ]


def _targets(request: Request) -> list[dict[str, Any]] | None:
    targets = _asked(request, "target_chembl_id__in")
    accessions = _asked(request, "target_components__accession__in")
    kind = request.query_params.get("target_type")
    if targets is None and accessions is None:
        return None
    return [
        {
            "organism": "Homo sapiens",
            "pref_name": name,
            "target_chembl_id": target,
            "target_components": [
                {"accession": one, "component_description": told, "component_type": "PROTEIN"}
                for one, told in components
            ],
            "target_type": type_,
            "tax_id": 9606,
        }
        for target, (name, type_, components) in _TARGETS.items()
        if (targets is None or target in targets)
        and (accessions is None or any(one in accessions for one, _ in components))
        and kind in (None, type_)
    ]


def _indications(request: Request) -> list[dict[str, Any]] | None:
    molecules = _asked(request, "molecule_chembl_id__in")
    headings = _asked(request, "mesh_id__in")
    if molecules is None and headings is None:
        return None
    return [
        {
            "efo_id": efo,
            "efo_term": term,
            "indication_refs": [
                {"ref_id": one, "ref_type": type_, "ref_url": _address(type_, one)}
                for type_, one in references
            ],
            "max_phase_for_ind": phase,
            "mesh_heading": heading,
            "mesh_id": mesh,
            "molecule_chembl_id": molecule,
            "parent_molecule_chembl_id": molecule,
        }
        for molecule, mesh, heading, efo, term, phase, references in _INDICATIONS
        if (molecules is None or molecule in molecules) and (headings is None or mesh in headings)
    ]


def _address(kind: str, identifier: str) -> str:
    trial = kind == "ClinicalTrials"
    root = "https://clinicaltrials.gov/study" if trial else _FDA
    return f"{root}/{identifier}"
