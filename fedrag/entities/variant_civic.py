"""CIViC, as far as naming goes: which molecular profile a variant is there (GraphQL).

A profile is what CIViC hangs evidence on: mostly one variant, in some six hundred cases a
combination, which is never taken for one of its parts. Names are asked left-anchored, so that more
comes back than is meant; HGVS descriptions cannot be asked for, only compared. Source: CIViC's
GraphQL schema (https://civicdb.org/api/graphiql).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from fedrag.entities.variant_profiles import Profile, nodes_at, of_variants, one_at, profiles_in
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
    "variants_of_gene",
]

T = TypeVar("T")
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
_FIELDS = """id name variantAliases deprecated
      feature { name featureInstance { ... on Gene { entrezId } } }
      singleVariantMolecularProfile { id name evidenceCountsByStatus { acceptedCount } }
      ... on GeneVariant { alleleRegistryId clinvarIds hgvsDescriptions }"""
_VARIANTS = f"""query Variants($name: String!) {{
  variants(name: $name, first: 50) {{
    nodes {{ {_FIELDS} }}
  }}
}}"""
_OF_GENE = """query GeneVariants($symbols: [String!], $after: String) {
  genes(entrezSymbols: $symbols, first: 1) {
    nodes { id name
      variants(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { FIELDS } } }
  }
}""".replace("FIELDS", _FIELDS)


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

    def read(data: Mapping[str, Any]) -> list[Profile]:
        return list(profiles_in(one_at(data, "molecularProfile")))

    return await _ask(caller, endpoint, _ONE, {"id": number}, read)


async def variants_named(caller: Caller, endpoint: Endpoint, name: str) -> list[Profile]:
    """The single-variant profiles of all genes' variants whose name, or an alias, begins so; raises
    as above."""

    def read(data: Mapping[str, Any]) -> list[Profile]:
        return list(of_variants(nodes_at(data, "variants")))

    return await _ask(caller, endpoint, _VARIANTS, {"name": name}, read)


async def variants_of_gene(caller: Caller, endpoint: Endpoint, symbol: str) -> list[Profile]:
    """The single-variant profiles of a gene's variants; raises as above."""

    def read(data: Mapping[str, Any]) -> Page:
        found: list[Profile] = []
        page: Mapping[str, Any] = {}
        for gene in nodes_at(data, "genes"):
            found += of_variants(nodes_at(gene, "variants"))
            page = gene["variants"]
        return found, _next(page)

    return await _pages(caller, endpoint, _OF_GENE, {"symbols": [symbol]}, read)


async def _search(
    caller: Caller, endpoint: Endpoint, argument: str, kind: str, value: str | int
) -> list[Profile]:
    def read(data: Mapping[str, Any]) -> Page:
        found = list(profiles_in(nodes_at(data, "molecularProfiles")))
        return found, _next(data["molecularProfiles"])

    return await _pages(caller, endpoint, _search_text(argument, kind), {argument: value}, read)


def _search_text(argument: str, kind: str) -> str:
    return _SEARCH.replace("{name}", argument).replace("{type}", kind).replace("NODE", _NODE)


# --- calls ---------------------------------------------------------------------------------------

Page = tuple[list[Profile], str | None]


def _next(page: Mapping[str, Any]) -> str | None:
    """The cursor behind a page that is not the last."""
    info = page.get("pageInfo")
    more = isinstance(info, dict) and info.get("hasNextPage")
    return info.get("endCursor") or None if isinstance(info, dict) and more else None


async def _pages(
    caller: Caller,
    endpoint: Endpoint,
    query: str,
    variables: Mapping[str, Any],
    read: Callable[[Mapping[str, Any]], Page],
) -> list[Profile]:
    found: list[Profile] = []
    given = dict(variables)
    for _ in range(_MAX_PAGES):
        page, after = await _ask(caller, endpoint, query, given, read)
        found += page
        if after is None:
            break
        given = {**variables, "after": after}
    return found


async def _ask(
    caller: Caller,
    endpoint: Endpoint,
    query: str,
    variables: Mapping[str, Any],
    read: Callable[[Mapping[str, Any]], T],
) -> T:
    """One call; an error that is told with HTTP 200, or an answer of another shape, is one."""
    body = {"query": query, "variables": dict(variables)}
    reply = await caller.send(endpoint, "POST", "/graphql", json=body)
    try:
        payload = reply.json()
        data = payload.get("data") if isinstance(payload, dict) else None
        if not isinstance(data, dict) or payload.get("errors"):
            raise BadPayloadError(_said(payload, endpoint.service), service=endpoint.service)
        return _read(data, read, endpoint.service)
    except BadPayloadError:
        caller.discard(reply, endpoint)
        raise


def _read(data: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T], service: str) -> T:
    try:
        return read(data)
    except ValueError as problem:
        raise BadPayloadError(f"{service} answered {problem}", service=service) from None


def _said(payload: Any, service: str) -> str:
    errors = payload.get("errors") if isinstance(payload, dict) else None
    first = errors[0] if isinstance(errors, list) and errors else None
    if isinstance(first, dict) and isinstance(first.get("message"), str):
        return f"{service} answered with an error: {first['message'][:200]}"
    return f"{service} answered no GraphQL data"
