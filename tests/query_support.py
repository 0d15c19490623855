"""Asking a loopback federation query graphs; every response is held against TRAPI's own schema."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

from fedrag.query import QueryAnswer
from fedrag.session import query_graph
from fedrag.testing import Federation
from fedrag.testing.facts import FactBook, FactNode, Statement
from fedrag.testing.federation import Trapi

VERSIONS = ("1.5", "1.6", "2.0")
CAUSES = ("biolink:qualified_predicate", "biolink:causes")
DECREASED = ("biolink:object_direction_qualifier", "decreased")
DOWN = ("biolink:object_direction_qualifier", "downregulated")
ACTIVITY = ("biolink:object_aspect_qualifier", "activity")

DRUG, OTHER_DRUG, SALT = "CHEBI:1", "CHEBI:2", "CHEBI:11"
GENE, OTHER_GENE, THIRD_GENE = "NCBIGene:1", "NCBIGene:2", "NCBIGene:3"
DISEASE, SUBTYPE, OTHER_DISEASE = "MONDO:0000001", "MONDO:0000011", "MONDO:0000002"
PROCESS = "GO:0000001"
HUMAN, MOUSE = "NCBITaxon:9606", "NCBITaxon:10090"


def _gene(number: int, taxon: str = HUMAN) -> FactNode:
    return FactNode(
        f"NCBIGene:{number}",
        f"GENE{number}",
        ("biolink:Gene", "biolink:Protein"),
        ((f"NCBIGene:{number}", f"GENE{number}"), (f"HGNC:{number}", f"GENE{number}")),
        proteins=((f"UniProtKB:P{number}", f"protein {number}"),),
        taxa=(taxon,),
    )


def _disease(curie: str, name: str, *others: str) -> FactNode:
    identifiers = ((curie, name), *((other, name) for other in others))
    return FactNode(curie, name, ("biolink:Disease",), identifiers)


NODES = (
    FactNode(DRUG, "drug one", ("biolink:SmallMolecule",), ((DRUG, "drug one"),), group=DRUG),
    FactNode(SALT, "drug one salt", ("biolink:SmallMolecule",), ((SALT, "salt"),), group=DRUG),
    FactNode(OTHER_DRUG, "drug two", ("biolink:SmallMolecule",), ((OTHER_DRUG, "drug two"),)),
    _gene(1),
    _gene(2),
    _gene(3),
    _gene(9, MOUSE),
    _disease(DISEASE, "disease one", "MESH:D000001"),
    _disease(SUBTYPE, "disease one, subtype a"),
    _disease(OTHER_DISEASE, "disease two"),
)
TEXT: dict[str, Any] = {"knowledge_level": "not_provided", "agent_type": "text_mining_agent"}
FACTS = FactBook.from_statements(
    [
        Statement(DRUG, "biolink:treats", DISEASE, publications=("PMID:1",)),
        Statement(SALT, "biolink:treats", OTHER_DISEASE),
        Statement(OTHER_DRUG, "biolink:treats", SUBTYPE),
        Statement(OTHER_DRUG, "biolink:treats", OTHER_DISEASE, negated=True),
        Statement(DRUG, "biolink:affects", GENE, (ACTIVITY, DOWN, CAUSES)),
        Statement(DRUG, "biolink:affects", OTHER_GENE, **TEXT),
        Statement(OTHER_DRUG, "biolink:affects", OTHER_GENE, (ACTIVITY, DECREASED, CAUSES)),
        Statement(OTHER_DRUG, "biolink:affects", "NCBIGene:9"),
        Statement(GENE, "biolink:physically_interacts_with", OTHER_GENE),
        Statement(THIRD_GENE, "biolink:physically_interacts_with", OTHER_GENE),
        Statement(GENE, "biolink:gene_associated_with_condition", DISEASE),
        Statement(OTHER_GENE, "biolink:gene_associated_with_condition", SUBTYPE),
        Statement(GENE, "biolink:participates_in", PROCESS),
        Statement(SUBTYPE, "biolink:subclass_of", DISEASE, primary="infores:mondo"),
    ],
    NODES,
)


# --- graphs -------------------------------------------------------------------------------------


def node(*ids: str, kind: str | None = None, **more: Any) -> dict[str, Any]:
    """A query node."""
    made: dict[str, Any] = {"ids": list(ids)} if ids else {}
    if kind:
        made["categories"] = [f"biolink:{kind}"]
    return made | more


def edge(subject: str, object_: str, *predicates: str, **more: Any) -> dict[str, Any]:
    """A query edge."""
    made: dict[str, Any] = {"subject": subject, "object": object_}
    if predicates:
        made["predicates"] = [f"biolink:{predicate}" for predicate in predicates]
    return made | more


def graph(nodes: Mapping[str, Any], edges: Mapping[str, Any]) -> dict[str, Any]:
    """A bare query graph."""
    return {"nodes": dict(nodes), "edges": dict(edges)}


def qualified(*sets: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Qualifier constraints as TRAPI 1.x writes them."""
    return {
        "qualifier_constraints": [
            {
                "qualifier_set": [
                    {"qualifier_type_id": kind, "qualifier_value": value} for kind, value in one
                ]
            }
            for one in sets
        ]
    }


# --- asking -------------------------------------------------------------------------------------


@contextmanager
def federation(facts: FactBook = FACTS, **options: Any) -> Iterator[Federation]:
    """The facts behind ``bte``, with the entity services."""
    with Federation(facts, **options) as running:
        yield running


def descendants(facts: FactBook = FACTS) -> dict[str, Trapi]:
    """``bte`` as a service that answers for what is a kind of what it is asked, too."""
    return {"bte": Trapi(facts, expand=True)}


def ask(running: Federation, query: Any, **options: Any) -> QueryAnswer:
    """One query, past the cache; the response is held against the schema of its version."""
    options.setdefault("only", tuple(running.trapi))
    options.setdefault("cache", False)
    answer = query_graph(query, services=running.service_configs(), **options)
    check(answer.response, options.get("trapi", "1.5"))
    return answer


def check(response: dict[str, Any], version: str) -> None:
    """The response is valid, and whatever it refers to is there."""
    schema = _validator(version)
    if schema is not None:
        written = json.loads(json.dumps(response))
        errors = [f"{list(e.instance_path)}: {e.message}" for e in schema.iter_errors(written)]
        assert errors[:5] == []
    message = response["message"]
    known, graphs = message["knowledge_graph"], message.get("auxiliary_graphs", {})
    used: set[str] = set()
    for found in graphs.values():
        used.update(found["edges"])
    for result in message["results"]:
        assert result["node_bindings"].keys() == message["query_graph"]["nodes"].keys()
        ends = {curie for binding in result["node_bindings"].values() for curie in ids(binding)}
        (analysis,) = result["analyses"]
        for binding in analysis["edge_bindings"].values():
            used.update(ids(binding))
            for key in ids(binding):
                assert {known["edges"][key][end] for end in ("subject", "object")} <= ends
        assert set(analysis.get("support_graphs", ())) <= graphs.keys()
        assert analysis["edge_bindings"].keys() == message["query_graph"]["edges"].keys()
        assert 0 < analysis["score"] <= 1
    assert used == known["edges"].keys()
    assert known["nodes"].keys() == {e[end] for e in known["edges"].values() for end in ENDS}
    for found in known["edges"].values():
        check_sources(found["sources"])
    scores = [result["analyses"][0]["score"] for result in message["results"]]
    assert scores == sorted(scores, reverse=True)


ENDS = ("subject", "object")


def check_sources(sources: list[dict[str, Any]]) -> None:
    """One primary source; fedrag on top; every other is upstream of someone."""
    roles = [source["resource_role"] for source in sources]
    assert roles.count("primary_knowledge_source") == 1
    assert sources[-1]["resource_id"] == "infores:fedrag"
    upstream = {name for source in sources for name in source.get("upstream_resource_ids", ())}
    named = {source["resource_id"] for source in sources}
    assert named - upstream == {"infores:fedrag"}
    assert upstream <= named


def ids(binding: Any) -> list[str]:
    """What a binding of either kind and version names."""
    return list(binding["ids"]) if isinstance(binding, dict) else [one["id"] for one in binding]


def bound(answer: QueryAnswer, *keys: str) -> list[tuple[str, ...]]:
    """What the results bind at these nodes, one CURIE each, sorted."""
    rows = []
    for result in answer.results:
        rows.append(tuple(" ".join(ids(result["node_bindings"][key])) for key in keys))
    return sorted(rows)


def edges_of(answer: QueryAnswer) -> list[tuple[str, str, str]]:
    """The knowledge graph's statements, sorted, predicates bare."""
    edges = answer.response["message"]["knowledge_graph"]["edges"].values()
    return sorted(
        (e["subject"], e["predicate"].removeprefix("biolink:"), e["object"]) for e in edges
    )


def logged(answer: QueryAnswer, level: str = "WARNING") -> list[str]:
    """The messages of this level."""
    return [e["message"] for e in answer.response["logs"] if e["level"] == level]


def asked(running: Federation, service: str = "bte") -> list[dict[str, Any]]:
    """The query graphs a service was sent."""
    calls = running.calls_of(service, "/query")
    return [call.body["message"]["query_graph"] for call in calls]


# --- the official schemas -----------------------------------------------------------------------


@cache
def _schema(path: Path) -> Any:
    document = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    whole = {"$ref": "#/components/schemas/Response", "components": _plain(document["components"])}
    return jsonschema_rs.validator_for(whole)


def _validator(version: str) -> Any:
    """The schema of a version, ``None`` where the corpora are absent (a test then skips)."""
    here = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    folder = Path(os.environ.get("FEDRAG_CORPORA", here)) / "trapi"
    paths = list(folder.glob(f"TranslatorReasonerAPI.*{version}*.yaml"))
    return _schema(paths[0]) if paths else None


def _plain(value: Any) -> Any:
    """An OpenAPI schema as JSON Schema: ``nullable`` spelt out, other sites left unchecked."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if str(value.get("$ref", "")).startswith("http"):
        return {}
    kept = {k: _plain(v) for k, v in value.items() if k not in ("nullable", "example", "format")}
    return {"anyOf": [kept, {"type": "null"}]} if value.get("nullable") is True else kept
