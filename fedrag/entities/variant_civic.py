"""CIViC, as far as naming goes: which molecular profile a variant is there (GraphQL).

A profile is what CIViC hangs evidence on: mostly one variant, in some six hundred cases a
combination, which is never taken for one of its parts. Names are asked left-anchored, so that more
comes back than is meant. Source: CIViC's GraphQL schema (https://civicdb.org/api/graphiql).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from fedrag.errors import BadPayloadError

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = [
    "Profile",
    "profile_by_id",
    "profiles_named",
    "profiles_of_allele",
    "profiles_of_variant",
    "variants_named",
]

_MAX_PAGES = 5
_VARIANT = """variants { id name variantAliases feature { name featureInstance { ... on Gene \
{ entrezId } } }
        ... on GeneVariant { alleleRegistryId clinvarIds hgvsDescriptions } }"""
_NODE = (
    f"id name link isComplex isMultiVariant deprecated molecularProfileAliases\n      {_VARIANT}"
)
_SEARCH = """query MolecularProfiles(${name}: {type}!, $after: String, \
$evidence: AssociatedEvidenceStatusFilter = WITH_ACCEPTED) {
  molecularProfiles({name}: ${name}, first: 100, after: $after, evidenceStatusFilter: $evidence) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { NODE }
  }
}"""
_ONE = f"query MolecularProfile($id: Int!) {{ molecularProfile(id: $id) {{ {_NODE} }} }}"
_VARIANTS = """query Variants($name: String!) {
  variants(name: $name, first: 50) {
    nodes { id name variantAliases deprecated
      feature { name featureInstance { ... on Gene { entrezId } } }
      singleVariantMolecularProfile { id name evidenceCountsByStatus { acceptedCount } } }
  }
}"""


@dataclass(frozen=True, slots=True)
class Profile:
    """One molecular profile. ``evidence`` counts its accepted items, where that was asked.

    :ivar genes: (symbol, CURIE of the gene or None) of its variants.
    :ivar combined: it is a combination of variants, not one.
    """

    id: int
    name: str
    aliases: tuple[str, ...] = ()
    combined: bool = False
    genes: tuple[tuple[str, str | None], ...] = ()
    identifiers: tuple[str, ...] = ()
    evidence: int = 0

    @property
    def curie(self) -> str:
        """The identifier under which evidence is asked."""
        return f"civic.mpid:{self.id}"


async def profiles_named(caller: Caller, endpoint: Endpoint, name: str) -> list[Profile]:
    """The profiles whose name or an alias begins so.

    :raises ServiceError: CIViC failed, or told an error.
    """
    return await _search(caller, endpoint, "name", "String", name)


async def profiles_of_allele(caller: Caller, endpoint: Endpoint, allele: str) -> list[Profile]:
    """The profiles with a variant of this ClinGen allele (``CA123643``); raises as above."""
    return await _search(caller, endpoint, "alleleRegistryId", "String", allele)


async def profiles_of_variant(caller: Caller, endpoint: Endpoint, variant: int) -> list[Profile]:
    """The profiles with the variant of this CIViC id; raises as above."""
    return await _search(caller, endpoint, "variantId", "Int", variant)


async def profile_by_id(caller: Caller, endpoint: Endpoint, number: int) -> list[Profile]:
    """The profile of this id, none where there is none; raises as above."""
    data = await _ask(caller, endpoint, _ONE, {"id": number})
    return list(_profiles([data.get("molecularProfile")]))


async def variants_named(caller: Caller, endpoint: Endpoint, name: str) -> list[Profile]:
    """The single-variant profiles of all genes' variants whose name begins so; raises as above."""
    data = await _ask(caller, endpoint, _VARIANTS, {"name": name})
    return list(_of_variants(_nodes(data.get("variants"))))


async def _search(
    caller: Caller, endpoint: Endpoint, argument: str, kind: str, value: str | int
) -> list[Profile]:
    text = _search_text(argument, kind)
    variables: dict[str, Any] = {argument: value}
    found: list[Profile] = []
    for _ in range(_MAX_PAGES):
        page = (await _ask(caller, endpoint, text, variables)).get("molecularProfiles")
        found += _profiles(_nodes(page))
        info = page.get("pageInfo") if isinstance(page, dict) else None
        if not isinstance(info, dict) or not info.get("hasNextPage") or not info.get("endCursor"):
            break
        variables = {argument: value, "after": info["endCursor"]}
    return found


def _search_text(argument: str, kind: str) -> str:
    return _SEARCH.replace("{name}", argument).replace("{type}", kind).replace("NODE", _NODE)


async def _ask(
    caller: Caller, endpoint: Endpoint, query: str, variables: Mapping[str, Any]
) -> dict[str, Any]:
    """One call; an error that is told with HTTP 200 is one all the same."""
    body = {"query": query, "variables": dict(variables)}
    reply = await caller.send(endpoint, "POST", "/graphql", json=body)
    try:
        payload = reply.json()
        data = payload.get("data") if isinstance(payload, dict) else None
        if not isinstance(data, dict) or payload.get("errors"):
            raise BadPayloadError(_said(payload, endpoint.service), service=endpoint.service)
    except BadPayloadError:
        caller.discard(reply, endpoint)
        raise
    return data


def _said(payload: Any, service: str) -> str:
    errors = payload.get("errors") if isinstance(payload, dict) else None
    first = errors[0] if isinstance(errors, list) and errors else None
    if isinstance(first, dict) and isinstance(first.get("message"), str):
        return f"{service} answered with an error: {first['message'][:200]}"
    return f"{service} answered no GraphQL data"


# --- reading -------------------------------------------------------------------------------------


def _nodes(connection: Any) -> list[Any]:
    nodes = connection.get("nodes") if isinstance(connection, dict) else None
    return nodes if isinstance(nodes, list) else []


def _profiles(nodes: Sequence[Any]) -> Iterator[Profile]:
    for node in nodes:
        if not _is_named(node) or node.get("deprecated") is True:
            continue
        listed = node.get("variants")
        variants = [v for v in listed if isinstance(v, dict)] if isinstance(listed, list) else []
        alone = len(variants) == 1
        own = _texts(variants[0].get("variantAliases")) if alone else ()
        yield Profile(
            id=int(node["id"]),
            name=node["name"],
            aliases=(*_texts(node.get("molecularProfileAliases")), *own),
            combined=bool(node.get("isComplex") or node.get("isMultiVariant")) or len(variants) > 1,
            genes=tuple(dict.fromkeys(gene for v in variants if (gene := _gene(v)))),
            identifiers=_identifiers(variants[0]) if alone else (),
        )


def _of_variants(nodes: Sequence[Any]) -> Iterator[Profile]:
    for node in nodes:
        profile = node.get("singleVariantMolecularProfile") if isinstance(node, dict) else None
        gene = _gene(node) if isinstance(node, dict) else None
        if not _is_named(profile) or node.get("deprecated") is True:
            continue
        counts = profile.get("evidenceCountsByStatus")
        count = counts.get("acceptedCount") if isinstance(counts, dict) else None
        yield Profile(
            id=int(profile["id"]),
            name=profile["name"],
            aliases=(*_texts(node.get("name")), *_texts(node.get("variantAliases"))),
            genes=(gene,) if gene else (),
            evidence=count if isinstance(count, int) else 0,
        )


def _is_named(node: Any) -> TypeGuard[dict[str, Any]]:
    return (
        isinstance(node, dict)
        and isinstance(node.get("id"), int)
        and isinstance(node.get("name"), str)
    )


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
