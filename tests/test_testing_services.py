"""The loopback services answer in the shapes of the real ones, and what the facts say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest
import yaml

from fedrag.testing import FactBook, FactNode, Federation, Statement, Trapi

HCTZ = "MESH:D006852"
VERSIONS = ("1.4", "1.5", "1.6", "2.0")


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    services = {f"v{version}": Trapi(version=version) for version in VERSIONS}  # type: ignore[arg-type]
    with Federation(trapi=services, kps=1) as running:
        yield running


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=20.0) as made:
        yield made


def hop(
    subject: dict[str, Any], target: dict[str, Any], *predicates: str, **more: Any
) -> dict[str, Any]:
    """A one-hop query graph ``a -e-> b``."""
    edge: dict[str, Any] = {"subject": "a", "object": "b", **more}
    if predicates:
        edge["predicates"] = [f"biolink:{name}" for name in predicates]
    return {"nodes": {"a": subject, "b": target}, "edges": {"e": edge}}


def ids(*curies: str) -> dict[str, Any]:
    return {"ids": list(curies)}


def kind(*names: str) -> dict[str, Any]:
    return {"categories": [f"biolink:{name}" for name in names]}


@pytest.fixture(scope="module")
def ask(federation: Federation, client: httpx2.Client) -> Any:
    def asked(graph: dict[str, Any], service: str = "bte") -> dict[str, Any]:
        url = f"{federation.base_urls[service]}/query"
        reply = client.post(url, json={"message": {"query_graph": graph}})
        assert reply.status_code == 200, reply.text
        payload: dict[str, Any] = reply.json()
        return payload

    return asked


def bound(payload: dict[str, Any], key: str) -> set[str]:
    """The names of the nodes bound to a query node."""
    nodes = payload["message"]["knowledge_graph"]["nodes"]
    results = payload["message"]["results"]
    return {nodes[b["id"]]["name"] for r in results for b in r["node_bindings"][key]}


# --- Node Normalizer ----------------------------------------------------------------------------


def shape(value: Any) -> Any:
    """JSON types of a value, keys kept, list items united."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        merged: dict[str, Any] = {}
        for item in value:
            if isinstance(item, dict):
                merged |= shape(item)
        return [merged] if merged else [type(item).__name__ for item in value[:1]]
    return type(value).__name__


def test_a_gene_is_normalised_in_the_recorded_shape(
    federation: Federation, client: httpx2.Client, corpora: Path
) -> None:
    path = corpora / "recorded" / "nodenorm" / "nb_post_three_one_unknown_null.json"
    recorded = json.loads(path.read_bytes())
    body = {"curies": ["UniProtKB:P55017", "CURIE:NOTHING"], "conflate": True}
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    told = client.post(url, json=body).json()
    want = shape(recorded["HGNC:613"])
    del want["information_content"]  # often absent
    assert shape(told["UniProtKB:P55017"]) == want
    assert told["CURIE:NOTHING"] is None
    assert told["UniProtKB:P55017"]["id"] == {"identifier": "NCBIGene:6559", "label": "SLC12A3"}
    assert told["UniProtKB:P55017"]["type"][0] == "biolink:Gene"
    assert "biolink:Protein" in told["UniProtKB:P55017"]["type"]


def test_without_conflation_gene_and_protein_are_two(
    federation: Federation, client: httpx2.Client
) -> None:
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    body = {"curies": ["UniProtKB:P55017", "HGNC:10912"], "conflate": False}
    told = client.post(url, json=body).json()
    protein, gene = told["UniProtKB:P55017"], told["HGNC:10912"]
    assert protein["id"]["identifier"] == "UniProtKB:P55017"
    assert protein["id"]["label"] == "Solute carrier family 12 member 3"
    assert protein["type"][0] == "biolink:Protein"
    assert [i["identifier"] for i in protein["equivalent_identifiers"]] == ["UniProtKB:P55017"]
    assert gene["type"][0] == "biolink:Gene"
    assert "biolink:Protein" not in gene["type"]


def test_drug_chemical_conflation_merges_salts_only_when_asked(client: httpx2.Client) -> None:
    salt = FactNode("MESH:C1", "doxil citrate", ("biolink:SmallMolecule",), group="MESH:D1")
    lead = FactNode("MESH:D1", "doxil", ("biolink:SmallMolecule",), group="MESH:D1")
    facts = FactBook.from_statements([("MESH:C1", "biolink:treats", "MONDO:1")], [salt, lead])
    with Federation(facts) as running:
        url = f"{running.base_urls['nodenorm']}/get_normalized_nodes"
        query = {"curie": "MESH:C1"}
        apart = client.get(url, params=query).json()["MESH:C1"]
        merged = client.get(url, params={**query, "drug_chemical_conflate": "true"}).json()
    assert apart["id"]["identifier"] == "MESH:C1"
    assert merged["MESH:C1"]["id"] == {"identifier": "MESH:D1", "label": "doxil"}
    found = [i["identifier"] for i in merged["MESH:C1"]["equivalent_identifiers"]]
    assert found == ["MESH:D1", "MESH:C1"]


def test_counts_of_prefixes_are_strings(federation: Federation, client: httpx2.Client) -> None:
    told = client.get(f"{federation.base_urls['nodenorm']}/get_curie_prefixes").json()
    assert told["biolink:Pathway"]["curie_prefix"]["REACT"].isdigit()


def test_a_call_without_curies_is_refused(federation: Federation, client: httpx2.Client) -> None:
    url = f"{federation.base_urls['nodenorm']}/get_normalized_nodes"
    reply = client.post(url, json={"curies": []})
    assert reply.status_code == 422
    assert reply.json()["detail"][0]["loc"] == ["body", "curies"]


# --- Name Resolver ------------------------------------------------------------------------------


def lookup(
    federation: Federation, client: httpx2.Client, *texts: str, **options: Any
) -> dict[str, list[dict[str, Any]]]:
    url = f"{federation.base_urls['nameres']}/bulk-lookup"
    told: dict[str, list[dict[str, Any]]] = client.post(
        url, json={"strings": list(texts), **options}
    ).json()
    return told


def test_lookups_have_the_recorded_shape(
    federation: Federation, client: httpx2.Client, corpora: Path
) -> None:
    path = corpora / "recorded" / "nameres" / "nb_bulk_lookup_three_strings.json"
    recorded = json.loads(path.read_bytes())["cox1"][0]
    told = lookup(federation, client, "SLC12A3")["SLC12A3"][0]
    assert shape(told) == shape(recorded)
    one = client.get(f"{federation.base_urls['nameres']}/lookup", params={"string": "SLC12A3"})
    assert one.json()[0] == told


def test_the_recorded_wrong_top_hits_come_first(
    federation: Federation, client: httpx2.Client
) -> None:
    told = lookup(federation, client, "cox1", "GC", "diabetes", "MYB")
    found = {text: [hit["curie"] for hit in hits] for text, hits in told.items()}
    assert found["cox1"][:2] == ["NCBIGene:5183112", "NCBIGene:808251"]
    assert told["cox1"][0]["taxa"] == ["NCBITaxon:229533", "NCBITaxon:5518"]
    assert found["GC"][:2] == ["MONDO:0004277", "NCBIGene:2638"]
    assert found["diabetes"][:2] == ["UMLS:C0011847", "MONDO:0005015"]
    assert told["MYB"][0]["taxa"] == ["NCBITaxon:9615"]
    assert found["MYB"][1] == "NCBIGene:4602"


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"only_taxa": "NCBITaxon:9606"}, "NCBIGene:4512"),
        ({"only_taxa": "NCBITaxon:9940"}, "NCBIGene:808251"),
        ({"offset": 1, "limit": 1}, "NCBIGene:808251"),
    ],
)
def test_filters_apply_before_the_limit(
    federation: Federation, client: httpx2.Client, options: dict[str, Any], first: str
) -> None:
    assert lookup(federation, client, "cox1", **options)["cox1"][0]["curie"] == first


def test_types_and_prefixes_filter(federation: Federation, client: httpx2.Client) -> None:
    genes = lookup(federation, client, "GC", biolink_types=["Gene"])["GC"]
    assert genes[0]["curie"] == "NCBIGene:2638"
    mondo = lookup(federation, client, "diabetes", only_prefixes="MONDO")["diabetes"]
    assert {hit["curie"].split(":")[0] for hit in mondo} == {"MONDO"}
    rest = lookup(federation, client, "diabetes", exclude_prefixes="MONDO|UMLS")["diabetes"]
    assert {hit["curie"].split(":")[0] for hit in rest}.isdisjoint({"MONDO", "UMLS"})


def test_autocomplete_takes_the_last_word_as_a_prefix(
    federation: Federation, client: httpx2.Client
) -> None:
    whole = lookup(federation, client, "hydrochlorothiazid")["hydrochlorothiazid"]
    assert whole == []
    prefixed = lookup(federation, client, "hydrochlorothiazid", autocomplete=True)
    assert prefixed["hydrochlorothiazid"][0]["label"] == "Hydrochlorothiazide"


def test_synonyms_have_bare_types_and_an_equivalent_is_unknown(
    federation: Federation, client: httpx2.Client
) -> None:
    url = f"{federation.base_urls['nameres']}/synonyms"
    told = client.post(url, json={"preferred_curies": ["NCBIGene:6559", "HGNC:10912"]}).json()
    assert told["NCBIGene:6559"]["types"][0] == "Gene"
    assert "NCCT" in told["NCBIGene:6559"]["names"]
    assert told["HGNC:10912"] == {}


# --- TRAPI --------------------------------------------------------------------------------------


def nullable(node: Any) -> Any:
    """An OpenAPI 3.0 schema as JSON Schema: ``nullable`` spelt out, the workflow left unchecked."""
    if isinstance(node, list):
        return [nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    if str(node.get("$ref", "")).startswith("http"):
        return {}
    told = {k: nullable(v) for k, v in node.items() if k not in ("nullable", "example", "format")}
    return {"anyOf": [told, {"type": "null"}]} if node.get("nullable") is True else told


def validator(corpora: Path, version: str, name: str) -> Any:
    (path,) = (corpora / "trapi").glob(f"TranslatorReasonerAPI.*{version}*.yaml")
    schemas = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)["components"]
    whole = {"$ref": f"#/components/schemas/{name}", "components": nullable(schemas)}
    return jsonschema_rs.Draft202012Validator(whole)


def errors(check: Any, payload: Any) -> list[str]:
    return [f"{list(e.instance_path)}: {e.message[:200]}" for e in check.iter_errors(payload)][:5]


GRAPHS = [
    hop(ids(HCTZ), kind("Gene")),
    hop(ids("MESH:D006973"), kind("ChemicalEntity")),
    hop(ids("MESH:D000068877", "UNKNOWN:1"), ids("HGNC:6342"), "related_to"),
    hop(ids("UNKNOWN:1"), kind("Gene")),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_every_answer_validates_against_the_official_schema(
    version: str, graph: dict[str, Any], ask: Any, corpora: Path
) -> None:
    payload = ask(graph, f"v{version}")
    assert errors(validator(corpora, version, "Response"), payload) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_meta_knowledge_graph_validates_and_says_what_is_there(
    version: str, federation: Federation, client: httpx2.Client, corpora: Path
) -> None:
    told = client.get(f"{federation.base_urls[f'v{version}']}/meta_knowledge_graph").json()
    assert errors(validator(corpora, version, "MetaKnowledgeGraph"), told) == []
    triples = {(e["subject"], e["predicate"], e["object"]) for e in told["edges"]}
    assert ("biolink:SmallMolecule", "biolink:affects", "biolink:Gene") in triples
    assert told["nodes"]["biolink:Gene"]["id_prefixes"][0] == "NCBIGene"


def test_a_knowledge_providers_answer_validates_too(ask: Any, corpora: Path) -> None:
    payload = ask(GRAPHS[0], "kp1")
    assert errors(validator(corpora, "1.5", "Response"), payload) == []
    (edge,) = payload["message"]["knowledge_graph"]["edges"].values()
    assert edge["subject"] == "DRUGBANK:DB00999"


def test_an_answer_is_keyed_canonically_and_says_what_was_asked(ask: Any) -> None:
    payload = ask(hop(ids(HCTZ), kind("Gene")))
    (result,) = payload["message"]["results"]
    assert result["node_bindings"] == {
        "a": [{"id": "DRUGBANK:DB00999", "attributes": [], "query_id": HCTZ}],
        "b": [{"id": "NCBIGene:6559", "attributes": []}],
    }
    (edge,) = payload["message"]["knowledge_graph"]["edges"].values()
    assert edge["predicate"] == "biolink:affects"
    primary, aggregator = edge["sources"]
    assert primary["resource_id"] == "infores:drugmechdb"
    assert primary["source_record_urls"] == ["https://go.drugbank.com/drugs/DB00999"]
    assert aggregator["upstream_resource_ids"] == ["infores:drugmechdb"]


def test_a_statement_is_found_from_its_object_and_told_the_query_s_way(ask: Any) -> None:
    payload = ask(hop(kind("Gene"), ids(HCTZ)))
    (edge,) = payload["message"]["knowledge_graph"]["edges"].values()
    assert (edge["subject"], edge["predicate"]) == ("NCBIGene:6559", "biolink:affected_by")
    told = {q["qualifier_type_id"]: q["qualifier_value"] for q in edge["qualifiers"]}
    assert told["biolink:subject_direction_qualifier"] == "decreased"


def test_predicates_follow_the_hierarchy_in_both_directions(ask: Any) -> None:
    disease = ids("MESH:D006973")
    by_ancestor = hop(kind("ChemicalEntity"), disease, "treats_or_applied_or_studied_to_treat")
    assert "Hydrochlorothiazide" in bound(ask(by_ancestor), "a")
    by_inverse = hop(disease, kind("ChemicalEntity"), "treated_by")
    assert bound(ask(by_inverse), "b") == bound(ask(by_ancestor), "a")
    wrong_way = hop(disease, kind("ChemicalEntity"), "treats")
    assert bound(ask(wrong_way), "b") == set()


def test_qualifier_constraints_accept_narrower_values_only(ask: Any) -> None:
    def wanting(aspect: str, direction: str) -> dict[str, Any]:
        pairs = {"object_aspect_qualifier": aspect, "object_direction_qualifier": direction}
        one = [
            {"qualifier_type_id": f"biolink:{k}", "qualifier_value": v} for k, v in pairs.items()
        ]
        constraint = [{"qualifier_set": one}]
        return hop(ids(HCTZ), kind("Gene"), "affects", qualifier_constraints=constraint)

    assert bound(ask(wanting("activity_or_abundance", "decreased")), "b") == {"SLC12A3"}
    assert bound(ask(wanting("activity", "increased")), "b") == set()


def test_both_ends_may_be_bound(ask: Any) -> None:
    linked = ask(hop(ids(HCTZ), ids("UniProtKB:P55017")))
    assert len(linked["message"]["results"]) == 1
    apart = ask(hop(ids("MESH:C522917"), ids("MESH:D005356")))
    assert apart["message"]["results"] == []
    assert apart["status"] == "Success"


def test_two_hops_are_joined(ask: Any) -> None:
    graph = {
        "nodes": {"d": ids(HCTZ), "g": kind("Gene"), "p": kind("BiologicalProcess")},
        "edges": {"e1": {"subject": "d", "object": "g"}, "e2": {"subject": "g", "object": "p"}},
    }
    payload = ask(graph)
    assert bound(payload, "g") == {"SLC12A3"}
    assert bound(payload, "p") == {"Renal sodium ion absorption", "Sodium Ion Homeostasis"}
    result = payload["message"]["results"][0]
    assert set(result["analyses"][0]["edge_bindings"]) == {"e1", "e2"}


def test_a_graph_without_ids_is_refused(federation: Federation, client: httpx2.Client) -> None:
    body = {"message": {"query_graph": hop(kind("Gene"), kind("Disease"))}}
    reply = client.post(f"{federation.base_urls['bte']}/query", json=body)
    assert reply.status_code == 400
    assert "must have ids" in reply.json()["detail"]


def test_hand_made_facts_say_all_that_trapi_can(client: httpx2.Client, corpora: Path) -> None:
    said = Statement(
        "CHEBI:1",
        "biolink:in_clinical_trials_for",
        "MONDO:1",
        primary="infores:aact",
        publications=("PMID:7",),
        negated=True,
        attributes=({"attribute_type_id": "biolink:max_research_phase", "value": 3},),
    )
    child = ("MONDO:2", "biolink:subclass_of", "MONDO:1")
    more = FactBook.from_statements([said, ("CHEBI:9", "biolink:treats", "MONDO:2"), child])
    setup = {"kp": Trapi(more, infores="infores:x"), "wide": Trapi(more, expand=True)}
    graph = hop(kind("ChemicalEntity"), ids("MONDO:1"))
    with Federation(more, trapi=setup) as running:
        body = {"message": {"query_graph": graph}}
        told = {
            name: client.post(f"{running.base_urls[name]}/query", json=body).json()
            for name in setup
        }
        names = running.base_urls["nodenorm"]
        node = client.get(f"{names}/get_normalized_nodes", params={"curie": "CHEBI:9"}).json()
    assert errors(validator(corpora, "1.5", "Response"), told["kp"]) == []
    (edge,) = told["kp"]["message"]["knowledge_graph"]["edges"].values()
    values = {a["attribute_type_id"]: a["value"] for a in edge["attributes"]}
    assert values["biolink:publications"] == ["PMID:7"]
    assert values["biolink:negated"] is True
    assert values["biolink:max_research_phase"] == 3
    assert [source["resource_id"] for source in edge["sources"]] == ["infores:aact", "infores:x"]
    assert bound(told["wide"], "a") == {"CHEBI:1", "CHEBI:9"}
    found = {
        binding["id"]: binding.get("query_id")
        for result in told["wide"]["message"]["results"]
        for binding in result["node_bindings"]["b"]
    }
    assert found == {"MONDO:1": None, "MONDO:2": "MONDO:1"}
    assert node["CHEBI:9"]["type"][0] == "biolink:SmallMolecule"


def test_more_results_than_the_limit_are_cut_and_the_log_says_so(client: httpx2.Client) -> None:
    facts = FactBook.from_statements(
        [(f"CHEBI:{n}", "biolink:treats", "MONDO:1") for n in range(1, 6)]
    )
    with Federation(facts, trapi={"bte": Trapi(max_results=2)}) as running:
        body = {"message": {"query_graph": hop(kind("ChemicalEntity"), ids("MONDO:1"))}}
        told = client.post(f"{running.base_urls['bte']}/query", json=body).json()
    assert len(told["message"]["results"]) == 2
    assert told["logs"][-1]["level"] == "WARNING"
    assert "2 of 5" in told["logs"][-1]["message"]


def test_the_same_question_is_answered_byte_for_byte(
    federation: Federation, client: httpx2.Client
) -> None:
    body = {"message": {"query_graph": GRAPHS[1]}}
    url = f"{federation.base_urls['bte']}/query"
    assert client.post(url, json=body).content == client.post(url, json=body).content
