"""A loopback CIViC: ``POST /graphql``, executed against the part of its schema that is asked for.

Queries are run for real (graphql-core, of the extra ``test``) over a few rows of CIViC's evidence
table. As there, connections are pages with a cursor, a text filters by substring (profiles by their
beginning), only what the status asks for is listed, and errors arrive with HTTP 200. A page holds
at most 10 here, not 100, so that a handful of facts is paged.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import orjson
from graphql import GraphQLSchema, build_schema, graphql_sync
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.apis.civic_facts import book
from fedrag.testing.apis.civic_schema import SCHEMA
from fedrag.testing.web import answer

__all__ = ["PAGE", "routes", "schema"]

PAGE = 10

Node = dict[str, Any]
Test = Callable[[Node], bool]


def routes() -> list[BaseRoute]:
    """The service's one path."""
    return [Route("/graphql", _graphql, methods=["POST"])]


@cache
def schema() -> GraphQLSchema:
    """The schema, with its resolvers."""
    made = build_schema(SCHEMA)
    query, gene = made.get_type("Query"), made.get_type("Gene")
    for name, resolve in _ROOT.items():
        query.fields[name].resolve = resolve  # type: ignore[union-attr]
    gene.fields["variants"].resolve = _variants  # type: ignore[union-attr]
    profile = made.get_type("MolecularProfile")
    profile.fields["evidenceCountsByStatus"].resolve = _counts  # type: ignore[union-attr]
    return made


async def _graphql(request: Request) -> Response:
    try:
        asked = orjson.loads(await request.body())
        text = asked["query"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return answer({"errors": [{"message": "No query string was present"}]})
    made = graphql_sync(schema(), text, variable_values=asked.get("variables") or {})
    if not made.errors:
        return answer({"data": made.data})
    told: Node = {"errors": [error.formatted for error in made.errors]}
    return answer(told if made.data is None else {**told, "data": made.data})


# --- fields of the query ------------------------------------------------------------------------


def _evidence_items(_root: Any, _info: Any, **given: Any) -> Node:
    return _connection(_items(book().evidence, "evidenceType", given), given)


def _all_assertions(_root: Any, _info: Any, **given: Any) -> Node:
    return _connection(_items(book().assertions, "assertionType", given), given)


def _profile(_root: Any, _info: Any, id: int) -> Node | None:
    return next((node for node in book().profiles if node["id"] == id), None)


def _profiles(_root: Any, _info: Any, **given: Any) -> Node:
    """By the beginning of the name or of an alias; those with accepted evidence alone, if asked."""
    start = str(given.get("name") or "").casefold()
    allele = given.get("alleleRegistryId")
    accepted = {n["molecularProfile"]["id"] for n in book().evidence if n["status"] == "ACCEPTED"}
    tests: list[Test] = [
        lambda n: any(
            name.casefold().startswith(start) for name in (n["name"], *n["molecularProfileAliases"])
        )
    ]
    if allele is not None:
        tests.append(lambda n: any(v["alleleRegistryId"] == allele for v in n["variants"]))
    if given.get("evidenceStatusFilter") == "WITH_ACCEPTED":
        tests.append(lambda n: n["id"] in accepted)
    return _connection(_passing(book().profiles, tests), given)


def _all_variants(_root: Any, _info: Any, **given: Any) -> Node:
    """The single variants of all genes, by the beginning of their name or of an alias."""
    start = str(given.get("name") or "").casefold()
    alone = [node["variants"][0] for node in book().profiles if not node["isComplex"]]

    def fits(node: Node) -> bool:
        names = (node["name"], *node["variantAliases"])
        return any(name.casefold().startswith(start) for name in names)

    return _connection(_passing(alone, [fits]), given)


def _counts(profile: Node, _info: Any) -> Node:
    """How many items of a profile are accepted."""
    own = (n for n in book().evidence if n["molecularProfile"]["id"] == profile["id"])
    return {"acceptedCount": sum(n["status"] == "ACCEPTED" for n in own)}


def _genes(_root: Any, _info: Any, **given: Any) -> Node:
    tests: list[Test] = []
    if (numbers := given.get("entrezIds")) is not None:
        tests.append(lambda n: n["entrezId"] in numbers)
    if (symbols := given.get("entrezSymbols")) is not None:
        tests.append(lambda n: n["name"] in symbols)
    return _connection(_passing(book().genes, tests), given)


def _variants(gene: Node, _info: Any, **given: Any) -> Node:
    start = str(given.get("name") or "").casefold()

    def fits(node: Node) -> bool:
        names = (node["name"], *node["variantAliases"])
        return any(name.casefold().startswith(start) for name in names)

    return _connection(_passing(gene["all_variants"], [fits]), given)


def _therapies(_root: Any, _info: Any, **given: Any) -> Node:
    return _connection(_named(book().therapies, "ncitId", given), given)


def _diseases(_root: Any, _info: Any, **given: Any) -> Node:
    return _connection(_named(book().diseases, "doid", given), given)


_ROOT: dict[str, Callable[..., Any]] = {
    "evidenceItems": _evidence_items,
    "assertions": _all_assertions,
    "molecularProfile": _profile,
    "molecularProfiles": _profiles,
    "genes": _genes,
    "variants": _all_variants,
    "therapies": _therapies,
    "diseases": _diseases,
}


# --- filters and pages --------------------------------------------------------------------------


def _items(nodes: Sequence[Node], kind: str, given: Node) -> list[Node]:
    """Evidence items or assertions: what is not asked for filters nothing."""
    status = given.get("status") or "NON_REJECTED"
    tests: list[Test] = []
    if status != "ALL":
        kept = ("ACCEPTED", "SUBMITTED") if status == "NON_REJECTED" else (status,)
        tests.append(lambda n: n["status"] in kept)
    if (wanted := given.get(kind)) is not None:
        tests.append(lambda n: n[kind] == wanted)
    if (number := given.get("molecularProfileId")) is not None:
        tests.append(lambda n: n["molecularProfile"]["id"] == number)
    if (part := given.get("molecularProfileName")) is not None:
        tests.append(lambda n: part.casefold() in n["molecularProfile"]["name"].casefold())
    if (therapy := given.get("therapyId")) is not None:
        tests.append(lambda n: any(t["id"] == therapy for t in n["therapies"]))
    if (disease := given.get("diseaseId")) is not None:
        tests.append(lambda n: (n["disease"] or {}).get("id") == disease)
    return _passing(nodes, tests)


def _named(nodes: Sequence[Node], code: str, given: Node) -> list[Node]:
    tests: list[Test] = []
    if (wanted := given.get(code)) is not None:
        tests.append(lambda n: n[code] == wanted)
    if (number := given.get("id")) is not None:
        tests.append(lambda n: n["id"] == number)
    if (part := given.get("name")) is not None:
        tests.append(lambda n: part.casefold() in n["name"].casefold())
    return _passing(nodes, tests)


def _passing(nodes: Sequence[Node], tests: Sequence[Test]) -> list[Node]:
    return [node for node in nodes if all(test(node) for test in tests)]


def _connection(nodes: Sequence[Node], given: Node) -> Node:
    """The page behind the cursor."""
    size = max(1, min(given.get("first") or PAGE, PAGE))
    after = given.get("after")
    start = int(b64decode(after)) if after else 0
    page = list(nodes[start : start + size])
    end = start + len(page)
    return {
        "nodes": page,
        "totalCount": len(nodes),
        "pageCount": -(-len(nodes) // size),
        "pageInfo": {
            "startCursor": _cursor(start + 1) if page else None,
            "endCursor": _cursor(end) if page else None,
            "hasNextPage": end < len(nodes),
            "hasPreviousPage": start > 0,
        },
    }


def _cursor(position: int) -> str:
    return b64encode(str(position).encode()).decode()
