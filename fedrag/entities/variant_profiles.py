"""CIViC's molecular profiles, read from its answers: strict where an answer is no answer at all.

A profile that cannot be read among others is passed over; an answer without the list that was
asked for, or with nothing readable in it, is an error of CIViC, never "there is none".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

__all__ = ["Profile", "nodes_at", "of_variants", "one_at", "profiles_in"]

_VERSION = re.compile(r"\.\d+(?=:)")


@dataclass(frozen=True, slots=True)
class Profile:
    """One molecular profile. ``evidence`` counts its accepted items, where that was asked.

    :ivar genes: (symbol, CURIE of the gene or None) of its variants.
    :ivar combined: it is a combination of variants, not one.
    :ivar hgvs: how HGVS describes it (``NM_004333.4:c.1799T>A``), of a single variant.
    """

    id: int
    name: str
    aliases: tuple[str, ...] = ()
    combined: bool = False
    genes: tuple[tuple[str, str | None], ...] = ()
    identifiers: tuple[str, ...] = ()
    evidence: int = 0
    hgvs: tuple[str, ...] = ()

    @property
    def curie(self) -> str:
        """The identifier under which evidence is asked."""
        return f"civic.mpid:{self.id}"

    @property
    def parts(self) -> frozenset[str]:
        """The names of the variants that occur together in it, in small letters.

        >>> sorted(Profile(4660, "EGFR L858R AND EGFR T790M").parts)
        ['egfr l858r', 'egfr t790m']
        """
        return frozenset(part.strip("() ") for part in self.name.casefold().split(" and "))

    def is_described(self, description: str) -> bool:
        """Whether HGVS describes it so; a change alone (``c.1799T>A``) fits on any sequence.

        >>> braf = Profile(12, "BRAF V600E", hgvs=("NM_004333.4:c.1799T>A",))
        >>> braf.is_described("NM_004333.6:c.1799T>A"), braf.is_described("c.1799T>A")
        (True, True)
        """
        wanted = _VERSION.sub("", description)
        own = {_VERSION.sub("", one) for one in self.hgvs}
        return wanted in own if ":" in wanted else any(o.endswith(f":{wanted}") for o in own)


def nodes_at(data: Mapping[str, Any], field: str) -> list[Any]:
    """The nodes of a connection.

    :raises ValueError: there is no list of them, or nothing in it has an id and a name.
    """
    connection = data.get(field)
    nodes = connection.get("nodes") if isinstance(connection, dict) else None
    if not isinstance(nodes, list):
        raise ValueError(f"no list of {field}")
    if nodes and not any(_is_named(node) for node in nodes):
        raise ValueError(f"a list of {field} without their ids and names")
    return nodes


def one_at(data: Mapping[str, Any], field: str) -> list[Any]:
    """The one node of a field, none where that is null; raises as above."""
    node = data.get(field)
    if field not in data or not (node is None or _is_named(node)):
        raise ValueError(f"no {field} with id and name, nor that there is none")
    return [] if node is None else [node]


def profiles_in(nodes: Sequence[Any]) -> Iterator[Profile]:
    """The profiles that can be read and are in use."""
    for node in nodes:
        if not _is_named(node) or node.get("deprecated") is True:
            continue
        listed = node.get("variants")
        variants = [v for v in listed if isinstance(v, dict)] if isinstance(listed, list) else []
        alone = variants[0] if len(variants) == 1 else {}
        yield Profile(
            id=node["id"],
            name=node["name"],
            aliases=(*_texts(node.get("molecularProfileAliases")), *_aliases(alone)),
            combined=bool(node.get("isComplex") or node.get("isMultiVariant")) or len(variants) > 1,
            genes=tuple(dict.fromkeys(gene for v in variants if (gene := _gene(v)))),
            identifiers=_identifiers(alone),
            hgvs=_texts(alone.get("hgvsDescriptions")),
        )


def of_variants(nodes: Sequence[Any]) -> Iterator[Profile]:
    """The profiles of single variants that are listed as variants."""
    for node in nodes:
        profile = node.get("singleVariantMolecularProfile") if isinstance(node, dict) else None
        gene = _gene(node) if isinstance(node, dict) else None
        if not _is_named(profile) or node.get("deprecated") is True:
            continue
        counts = profile.get("evidenceCountsByStatus")
        count = counts.get("acceptedCount") if isinstance(counts, dict) else None
        yield Profile(
            id=profile["id"],
            name=profile["name"],
            aliases=(*_texts(node.get("name")), *_aliases(node)),
            genes=(gene,) if gene else (),
            identifiers=_identifiers(node),
            evidence=count if isinstance(count, int) else 0,
            hgvs=_texts(node.get("hgvsDescriptions")),
        )


def _is_named(node: Any) -> TypeGuard[dict[str, Any]]:
    return (
        isinstance(node, dict)
        and isinstance(node.get("id"), int)
        and isinstance(node.get("name"), str)
    )


def _aliases(variant: Mapping[str, Any]) -> tuple[str, ...]:
    return _texts(variant.get("variantAliases"))


def _gene(variant: Mapping[str, Any]) -> tuple[str, str | None] | None:
    feature = variant.get("feature")
    name = feature.get("name") if isinstance(feature, dict) else None
    if not isinstance(feature, dict) or not isinstance(name, str):
        return None
    instance = feature.get("featureInstance")
    entrez = instance.get("entrezId") if isinstance(instance, dict) else None
    return name, f"NCBIGene:{entrez}" if isinstance(entrez, int) else None


def _identifiers(variant: Mapping[str, Any]) -> tuple[str, ...]:
    """ClinGen allele and ClinVar identifiers of a single variant."""
    allele = variant.get("alleleRegistryId")
    named = [f"CAID:{allele}"] if isinstance(allele, str) and allele.startswith("CA") else []
    clinvar = (i for i in _texts(variant.get("clinvarIds")) if i.isdigit())
    return (*named, *(f"CLINVAR:{i}" for i in clinvar))


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
