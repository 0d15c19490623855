"""A loopback Open Targets Platform: drugs, targets and diseases over GraphQL.

Shapes follow recorded answers (a drug with its indications and mechanisms; a target's diseases and
drug candidates), with the identifiers and action types that the platform's published schema has
beside them. The facts are real ones, few. A query of an unknown field is 400 with ``errors``; one
that asks too much is 200 with ``errors`` and no data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.web import answer

__all__ = ["routes"]

_MOST = 50  # identifiers in one query
_STAGES = "APPROVAL PHASE_4 PREAPPROVAL PHASE_3 PHASE_2_3 PHASE_2 PHASE_1_2 PHASE_1 EARLY_PHASE_1"

# drug → name, mechanisms (action, wording, target name, gene, symbol, reference), indications
_DRUGS: dict[str, tuple[str, list[tuple[str | None, str, str, str, str, str]], dict[str, str]]] = {
    "CHEMBL3137343": (
        "PEMBROLIZUMAB",
        [
            (
                "INHIBITOR",
                "Programmed cell death protein 1 inhibitor",
                "Programmed cell death protein 1",
                "ENSG00000188389",
                "PDCD1",
                "http://www.accessdata.fda.gov/drugsatfda_docs/label/2014/125514lbl.pdf",
            )
        ],
        {"MONDO_0005105": "APPROVAL", "MONDO_0005140": "PHASE_3", "EFO_0000181": "UNKNOWN"},
    ),
    "CHEMBL941": (
        "IMATINIB",
        [
            (
                "INHIBITOR",
                "Stem cell growth factor receptor inhibitor",
                "Stem cell growth factor receptor",
                "ENSG00000157404",
                "KIT",
                "http://www.accessdata.fda.gov/drugsatfda_docs/label/2008/021588s024lbl.pdf",
            )
        ],
        {"MONDO_0011996": "APPROVAL", "MONDO_0011719": "APPROVAL", "MONDO_0005100": "PHASE_2"},
    ),
    "CHEMBL714": (
        "ALBUTEROL",
        [
            (
                "AGONIST",
                "Beta-2 adrenergic receptor agonist",
                "Beta-2 adrenergic receptor",
                "ENSG00000169252",
                "ADRB2",
                "https://dailymed.nlm.nih.gov/dailymed/",
            )
        ],
        {"MONDO_0004979": "APPROVAL"},
    ),
    "CHEMBL3833346": (
        "TOFERSEN",
        [
            (
                "ANTISENSE INHIBITOR",
                "SOD1 mRNA antisense inhibitor",
                "Superoxide dismutase 1 mRNA",
                "ENSG00000142168",
                "SOD1",
                "https://doi.org/10.1056/nejmoa2204705",
            )
        ],
        {"MONDO_0004976": "APPROVAL"},
    ),
    "CHEMBL1201576": (
        "RITUXIMAB",
        [
            (
                "BINDING AGENT",
                "B-lymphocyte antigen CD20 binding agent",
                "B-lymphocyte antigen CD20",
                "ENSG00000156738",
                "MS4A1",
                "https://dailymed.nlm.nih.gov/dailymed/",
            )
        ],
        {"MONDO_0018906": "APPROVAL"},
    ),
}
_DISEASES = {
    "MONDO_0005105": "melanoma",
    "MONDO_0005140": "ovarian carcinoma",
    "EFO_0000181": "head and neck squamous cell carcinoma",
    "MONDO_0004979": "asthma",
    "MONDO_0011996": "chronic myelogenous leukemia, BCR-ABL1 positive",
    "MONDO_0011719": "gastrointestinal stromal tumor",
    "MONDO_0005100": "systemic scleroderma",
    "MONDO_0004976": "amyotrophic lateral sclerosis",
    "MONDO_0018906": "follicular lymphoma",
    "MONDO_0005233": "non-small cell lung carcinoma",
    "MONDO_0005061": "lung adenocarcinoma",
    "Orphanet_145": "Hereditary breast and ovarian cancer syndrome",
}
# target → symbol, diseases with scores (the first were recorded), candidates
_TARGETS: dict[str, tuple[str, dict[str, float], dict[str, str]]] = {
    "ENSG00000146648": (
        "EGFR",
        {
            "MONDO_0005233": 0.8525670184292347,
            "MONDO_0005061": 0.7744435748658476,
            "MONDO_0004979": 0.05,
        },
        {"CHEMBL1173655": "AFATINIB", "CHEMBL554": "LAPATINIB"},
    ),
    "ENSG00000097007": ("ABL1", {"MONDO_0011996": 0.7}, {"CHEMBL941": "IMATINIB"}),
    "ENSG00000012048": ("BRCA1", {"Orphanet_145": 0.8278129212540785}, {}),
}


def routes() -> list[BaseRoute]:
    """The one path of a GraphQL service."""
    return [Route("/graphql", _graphql, methods=["POST"])]


async def _graphql(request: Request) -> Response:
    body = await request.json()
    query, given = str(body.get("query", "")), body.get("variables") or {}
    if "knownDrugs" in query:
        return _errors("Cannot query field 'knownDrugs' on type 'Target'.", 400)
    if len(_listed(given.get("ids"))) > _MOST:
        return _errors("Query is too expensive.", 200)
    if "meta" in query:
        return answer({"data": {"meta": {"dataVersion": {"year": "26", "month": "06"}}}})
    if "drugs(" in query:
        found = [_drug(one, query) for one in _listed(given["ids"]) if one in _DRUGS]
        return answer({"data": {"drug": found}})
    if "targets(" in query:
        found = [_target(one, query, given) for one in _listed(given["ids"]) if one in _TARGETS]
        return answer({"data": {"target": found}})
    return answer({"data": {"disease": _disease(str(given.get("id")), query, given)}})


def _listed(ids: Any) -> Sequence[str]:
    """GraphQL takes one value where a list belongs."""
    return [ids] if isinstance(ids, str) else list(ids or ())


def _errors(message: str, status: int) -> Response:
    return answer({"data": None, "errors": [{"message": message}]}, status)


def _drug(drug: str, query: str) -> dict[str, Any]:
    name, mechanisms, indications = _DRUGS[drug]
    found: dict[str, Any] = {"id": drug, "name": name}
    if "mechanismsOfAction" in query:
        found["mechanismsOfAction"] = {"rows": [_mechanism(*one) for one in mechanisms]}
    if "indications" in query:
        found["indications"] = {
            "rows": [
                {"maxClinicalStage": stage, "disease": {"id": one, "name": _DISEASES[one]}}
                for one, stage in indications.items()
            ]
        }
    return found


def _mechanism(
    action: str | None, wording: str, target: str, gene: str, symbol: str, url: str
) -> dict[str, Any]:
    return {
        "actionType": action,
        "mechanismOfAction": wording,
        "targetName": target,
        "targets": [{"id": gene, "approvedSymbol": symbol, "approvedName": symbol}],
        "references": [{"source": "FDA", "ids": [], "urls": [url]}],
    }


def _target(target: str, query: str, given: Mapping[str, Any]) -> dict[str, Any]:
    symbol, scores, drugs = _TARGETS[target]
    found: dict[str, Any] = {"id": target, "approvedSymbol": symbol}
    if "associatedDiseases" in query:
        rows = [
            {"score": score, "disease": {"id": one, "name": _DISEASES[one]}}
            for one, score in scores.items()
        ]
        found["associatedDiseases"] = {"rows": _page(rows, given)}
    if "drugAndClinicalCandidates" in query:
        rows = [
            {"maxClinicalStage": "APPROVAL", "drug": {"id": one, "name": name}}
            for one, name in drugs.items()
        ]
        found["drugAndClinicalCandidates"] = {"rows": rows}
    return found


def _disease(disease: str, query: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    if disease not in _DISEASES:
        return None
    found: dict[str, Any] = {"id": disease, "name": _DISEASES[disease]}
    if "associatedTargets" in query:
        rows = [
            {"score": scores[disease], "target": {"id": target, "approvedSymbol": symbol}}
            for target, (symbol, scores, _) in _TARGETS.items()
            if disease in scores
        ]
        found["associatedTargets"] = {"rows": _page(rows, given)}
    if "drugAndClinicalCandidates" in query:
        rows = [
            {"maxClinicalStage": stages[disease], "drug": {"id": drug, "name": name}}
            for drug, (name, _, stages) in _DRUGS.items()
            if stages.get(disease) in _STAGES.split()
        ]
        found["drugAndClinicalCandidates"] = {"rows": rows}
    return found


def _page(rows: list[dict[str, Any]], given: Mapping[str, Any]) -> list[dict[str, Any]]:
    index, size = int(given.get("index", 0)), int(given.get("size", 25))
    return rows[index * size : (index + 1) * size]
