"""What the loopback CIViC knows, as the objects its schema promises.

Evidence items are real rows of CIViC's nightly table (CC0), whose words (``Sensitivity/Response``,
``Does Not Support``) become those of GraphQL here. The table holds no assertions: two, and one item
that is only submitted, are made in the schema's shape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

__all__ = ["Book", "Item", "book", "evidence_node", "profile_node"]

_FILE = Path(__file__).with_name("civic_facts.json")
_APART = re.compile(r"\s+(?:AND|OR)\s+")
_ENTREZ = {
    "BRAF": 673,
    "CHEK2": 11200,
    "DPYD": 1806,
    "EGFR": 1956,
    "FGFR1": 2260,
    "FGFR3": 2261,
    "JAK2": 3717,
    "KIT": 3815,
    "KRAS": 3845,
    "MTHFR": 4524,
    "RAD51D": 5892,
    "SETBP1": 26040,
    "SRSF2": 6427,
    "TP53": 7157,
    "TSC1": 7248,
}
_BRAF_V600E = {
    "variantAliases": ["VAL600GLU", "V640E", "RS113488022"],
    "alleleRegistryId": "CA123643",
    "clinvarIds": ["13961"],
    "hgvsDescriptions": ["NM_004333.4:c.1799T>A", "NP_004324.2:p.Val600Glu"],
}


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the evidence table, in its words."""

    evidence: int
    profile: int
    profile_name: str
    doid: str
    disease: str
    therapies: Sequence[str]
    interaction: str
    type: str
    direction: str
    level: str
    significance: str
    citation: str
    source: str
    citation_text: str
    rating: int | None
    origin: str
    status: str = "accepted"


@dataclass(frozen=True, slots=True)
class Book:
    """Everything, as lists of nodes in the order of their numbers."""

    evidence: list[dict[str, Any]]
    assertions: list[dict[str, Any]]
    profiles: list[dict[str, Any]]
    genes: list[dict[str, Any]]
    therapies: list[dict[str, Any]]
    diseases: list[dict[str, Any]]


def _enum(words: str) -> str:
    """``Sensitivity/Response`` → ``SENSITIVITYRESPONSE``, ``N/A`` → ``NA``."""
    return words.upper().replace("/", "").replace(" ", "_").replace("-", "_")


def profile_node(number: int, name: str) -> dict[str, Any]:
    """A molecular profile with the variants its name speaks of.

    >>> pair = profile_node(4660, "EGFR L858R AND EGFR T790M")
    >>> pair["isComplex"], [variant["name"] for variant in pair["variants"]]
    (True, ['L858R', 'T790M'])
    """
    # Brackets that stand apart group variants; those in a name are part of it.
    parts = [part.removeprefix("( ").removesuffix(" )") for part in _APART.split(name)]
    variants = [_variant(part.removeprefix("NOT ").strip(), number) for part in parts]
    several = len(parts) > 1
    profile: dict[str, Any] = {
        "id": number,
        "name": name,
        "link": f"/molecular-profiles/{number}",
        "isComplex": several or name.startswith("NOT "),
        "isMultiVariant": several,
        "deprecated": False,
        "molecularProfileAliases": [],
        "variants": variants,
    }
    if not profile["isComplex"]:
        symbol = variants[0]["feature"]["name"]
        aliases = variants[0]["variantAliases"]
        profile["molecularProfileAliases"] = [f"{symbol} {alias}" for alias in aliases]
        variants[0]["singleVariantMolecularProfile"] = profile
    return profile


def _variant(written: str, number: int) -> dict[str, Any]:
    symbol, _, change = written.partition(" ")
    fusion = "::" in symbol
    kind = "Fusion" if fusion else "Gene"
    instance = {
        "__typename": kind,
        "id": number,
        "name": symbol,
        "entrezId": _ENTREZ.get(symbol, 0),
    }
    return {
        "__typename": f"{kind}Variant",
        "id": number + 1000,
        "name": change,
        "link": f"/variants/{number + 1000}",
        "variantAliases": [],
        "deprecated": False,
        "alleleRegistryId": None,
        "clinvarIds": [],
        "hgvsDescriptions": [],
        "feature": {"id": number, "name": symbol, "featureInstance": instance},
        **(_BRAF_V600E if written == "BRAF V600E" else {}),
    }


def evidence_node(
    item: Item,
    profiles: Mapping[int, dict[str, Any]],
    therapies: Mapping[str, dict[str, Any]],
    diseases: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:
    """An evidence item as the schema promises it."""
    return {
        "id": item.evidence,
        "name": f"EID{item.evidence}",
        "link": f"/evidence/{item.evidence}",
        "status": _enum(item.status),
        "flagged": False,
        "evidenceType": _enum(item.type),
        "evidenceDirection": _enum(item.direction),
        "evidenceLevel": item.level,
        "evidenceRating": item.rating,
        "significance": _enum(item.significance),
        "variantOrigin": _enum(item.origin),
        "therapyInteractionType": _enum(item.interaction) or None,
        "description": f"{item.profile_name}: {item.significance} ({item.direction}).",
        "disease": diseases.get(item.disease),
        "therapies": [therapies[name] for name in item.therapies],
        "molecularProfile": profiles[item.profile],
        "source": {
            "id": item.evidence,
            "citation": item.citation_text,
            "citationId": item.citation,
            "sourceType": _enum(item.source),
        },
    }


@cache
def book() -> Book:
    """The facts, read once."""
    told = orjson.loads(_FILE.read_bytes())
    items = [Item(*row) for row in told["items"]]
    items.append(_submitted(items[0]))
    therapies = {n: {"id": i, "name": n, "ncitId": c} for i, n, c in told["therapies"]}
    named = dict.fromkeys(item.disease for item in items if item.disease)
    doids = {item.disease: item.doid for item in items}
    diseases = {n: {"id": i, "name": n, "doid": doids[n] or None} for i, n in enumerate(named, 201)}
    names = dict(sorted({item.profile: item.profile_name for item in items}.items()))
    profiles = {number: profile_node(number, name) for number, name in names.items()}
    evidence = [evidence_node(i, profiles, therapies, diseases) for i in items]
    return Book(
        evidence=sorted(evidence, key=lambda node: int(node["id"])),
        assertions=_assertions(evidence, profiles, therapies, diseases),
        profiles=list(profiles.values()),
        genes=_genes(list(profiles.values())),
        therapies=list(therapies.values()),
        diseases=list(diseases.values()),
    )


def _submitted(like: Item) -> Item:
    """An item nobody has accepted yet; read by nobody who does not ask for such."""
    fields = {name: getattr(like, name) for name in Item.__slots__}
    return Item(**{**fields, "evidence": 99_999, "status": "submitted"})


def _assertions(
    evidence: Sequence[dict[str, Any]],
    profiles: Mapping[int, dict[str, Any]],
    therapies: Mapping[str, dict[str, Any]],
    diseases: Mapping[str, dict[str, Any]],
) -> list[dict[str, Any]]:
    items = {node["id"]: node for node in evidence}
    shared = {"status": "ACCEPTED", "flagged": False, "variantOrigin": "SOMATIC"}
    combination = {
        "assertionType": "PREDICTIVE",
        "assertionDirection": "SUPPORTS",
        "significance": "SENSITIVITYRESPONSE",
        "ampLevel": "TIER_I_LEVEL_A",
        "regulatoryApproval": True,
        "fdaCompanionTest": True,
        "nccnGuideline": {"id": 1, "name": "Melanoma"},
        "therapyInteractionType": "COMBINATION",
        "summary": "BRAF V600E melanoma responds to dabrafenib with trametinib.",
        "disease": diseases["Melanoma"],
        "therapies": [therapies["Dabrafenib"], therapies["Trametinib"]],
        "molecularProfile": profiles[12],
        "evidenceItems": [items[95], items[7260]],
    }
    outcome = {
        "assertionType": "PROGNOSTIC",
        "assertionDirection": "SUPPORTS",
        "significance": "POOR_OUTCOME",
        "summary": "BRAF V600E goes with a poor outcome in colorectal cancer.",
        "disease": diseases["Colorectal Cancer"],
        "therapies": [],
        "molecularProfile": profiles[12],
        "evidenceItems": [items[103]],
    }
    return [
        {"id": n, "name": f"AID{n}", "link": f"/assertions/{n}", **shared, **told}
        for n, told in ((7, combination), (20, outcome))
    ]


def _genes(profiles: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for profile in profiles:
        variant = profile["variants"][0]
        if not profile["isComplex"] and variant["__typename"] == "GeneVariant":
            found.setdefault(variant["feature"]["name"], []).append(variant)
    return [
        {"id": number, "name": symbol, "entrezId": _ENTREZ[symbol], "all_variants": variants}
        for number, (symbol, variants) in enumerate(sorted(found.items()), 1)
    ]
