"""Query graphs of one hop and many over real HTTP: joins, directions, hierarchies, equivalents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import query_support as q
from query_support import (
    ACTIVITY,
    CAUSES,
    DECREASED,
    DISEASE,
    DRUG,
    GENE,
    OTHER_DISEASE,
    OTHER_DRUG,
    OTHER_GENE,
    SALT,
    SUBTYPE,
    THIRD_GENE,
    ask,
    bound,
    edge,
    edges_of,
    graph,
    logged,
    node,
    qualified,
)

from fedrag.errors import PlanError
from fedrag.testing import Federation


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with q.federation() as running:
        yield running


@pytest.fixture(scope="module")
def wide() -> Iterator[Federation]:
    """A service that also answers for what is a kind of what it is asked."""
    with q.federation(trapi=q.descendants()) as running:
        yield running


def test_the_official_schemas_are_there_to_check_responses_with(corpora: Path) -> None:
    assert [q._validator(version) is None for version in q.VERSIONS] == [False, False, False]
    broken: dict[str, Any] = {"message": {"knowledge_graph": {"nodes": {"a": {}}, "edges": {}}}}
    for version in q.VERSIONS:
        assert list(q._validator(version).iter_errors(broken))


ONE_HOP = graph(
    {"a": node(DISEASE, kind="Disease"), "b": node(kind="ChemicalEntity")},
    {"e": edge("b", "a", "treats")},
)


@pytest.mark.parametrize("version", q.VERSIONS)
def test_one_hop_in_each_version(world: Federation, version: Any) -> None:
    answer = ask(world, ONE_HOP, trapi=version)
    assert (bound(answer, "a", "b"), answer.exit_code) == ([(DISEASE, DRUG)], 0)
    assert answer.response["schema_version"] == f"{version}.0"
    assert answer.response["status"] == "Success"
    assert answer.completeness == "complete"
    (found,) = answer.response["message"]["knowledge_graph"]["edges"].values()
    assert (found["subject"], found["predicate"], found["object"]) == (
        DRUG,
        "biolink:treats",
        DISEASE,
    )
    levels = {a["attribute_type_id"]: a["value"] for a in found["attributes"]}
    assert levels["biolink:publications"] == ["PMID:1"]
    if version == "2.0":
        levels = {f"biolink:{key}": found[key] for key in ("knowledge_level", "agent_type")}
    assert levels["biolink:knowledge_level"] == "knowledge_assertion"
    assert levels["biolink:agent_type"] == "manual_agent"


def test_asked_from_the_other_end_it_is_the_same_edge(world: Federation) -> None:
    turned = graph(ONE_HOP["nodes"], {"e": edge("a", "b", "treated_by")})
    one, other = ask(world, ONE_HOP), ask(world, turned)
    assert edges_of(one) == edges_of(other) == [(DRUG, "treats", DISEASE)]
    assert bound(one, "a", "b") == bound(other, "a", "b")


def test_an_equivalent_identifier_finds_the_same_and_is_named_as_query_id(
    world: Federation,
) -> None:
    asked = graph(ONE_HOP["nodes"] | {"a": node("MESH:D000001")}, ONE_HOP["edges"])
    (result,) = ask(world, asked).results
    assert result["node_bindings"]["a"] == [
        {"id": DISEASE, "attributes": [], "query_id": "MESH:D000001"}
    ]
    assert "query_id" not in result["node_bindings"]["b"][0]
    assert "support_graphs" not in result["analyses"][0]


def test_predicates_follow_the_hierarchy_and_none_means_any(world: Federation) -> None:
    def found(*predicates: str) -> list[tuple[str, str, str]]:
        nodes = {"a": node(GENE), "b": node(kind="NamedThing")}
        return edges_of(ask(world, graph(nodes, {"e": edge("a", "b", *predicates)})))

    interacts = (GENE, "physically_interacts_with", OTHER_GENE)
    assert found("interacts_with") == [interacts]
    associated = (GENE, "gene_associated_with_condition", DISEASE)
    assert found("associated_with", "interacts_with") == [associated, interacts]
    everything = found()
    assert found("related_to") == everything
    assert len(everything) == 4
    assert (DRUG, "affects", GENE) in everything  # read backwards: the gene is affected by it


def test_a_symmetric_predicate_is_found_from_either_end(world: Federation) -> None:
    nodes = {"a": node(OTHER_GENE), "b": node(kind="Gene")}
    for ends in (("a", "b"), ("b", "a")):
        answer = ask(world, graph(nodes, {"e": edge(*ends, "physically_interacts_with")}))
        assert bound(answer, "a", "b") == [(OTHER_GENE, GENE), (OTHER_GENE, THIRD_GENE)]


def test_qualifiers_follow_their_values_down_and_are_turned_with_the_edge(
    world: Federation,
) -> None:
    wanted = qualified((CAUSES, DECREASED, ACTIVITY))
    nodes = {"drug": node(kind="SmallMolecule"), "gene": node(GENE, kind="Gene")}
    asked = ask(world, graph(nodes, {"e": edge("drug", "gene", "affects", **wanted)}))
    assert edges_of(asked) == [(DRUG, "affects", GENE)]  # it says downregulated
    turned = qualified(
        (
            ("biolink:qualified_predicate", "biolink:caused_by"),
            ("biolink:subject_direction_qualifier", "decreased"),
            ("biolink:subject_aspect_qualifier", "activity"),
        )
    )
    answer = ask(world, graph(nodes, {"e": edge("gene", "drug", "affected_by", **turned)}))
    assert edges_of(answer) == [(DRUG, "affects", GENE)]
    (found,) = answer.response["message"]["knowledge_graph"]["edges"].values()
    assert {"qualifier_type_id": ACTIVITY[0], "qualifier_value": "activity"} in found["qualifiers"]
    increased = qualified(((DECREASED[0], "increased"),))
    with pytest.raises(PlanError, match="none with object direction increased"):
        ask(world, graph(nodes, {"e": edge("drug", "gene", "affects", **increased)}))


def test_one_of_several_sets_of_qualifiers_must_hold(world: Federation) -> None:
    sets = qualified((DECREASED, ACTIVITY), (("biolink:object_aspect_qualifier", "expression"),))
    nodes = {"drug": node(OTHER_DRUG), "gene": node(kind="Gene")}
    answer = ask(world, graph(nodes, {"e": edge("drug", "gene", "affects", **sets)}))
    assert bound(answer, "gene") == [(OTHER_GENE,)]
    newer = {"constraints": {"qualifiers": [dict([DECREASED, ACTIVITY])]}}
    again = ask(world, graph(nodes, {"e": edge("drug", "gene", "affects", **newer)}), trapi="2.0")
    assert bound(again, "gene") == [(OTHER_GENE,)]
    written = again.response["message"]["query_graph"]["edges"]["e"]
    assert written["constraints"] == newer["constraints"]


def test_a_gene_and_its_protein_are_one_thing_and_a_salt_is_its_parent(world: Federation) -> None:
    nodes = {"protein": node("UniProtKB:P1"), "drug": node(kind="SmallMolecule")}
    answer = ask(world, graph(nodes, {"e": edge("drug", "protein", "affects")}))
    assert bound(answer, "drug") == [(DRUG,)]
    asked = graph({"d": node(SALT), "x": node(kind="Disease")}, {"e": edge("d", "x", "treats")})
    assert bound(ask(world, asked), "d", "x") == [(DRUG, DISEASE), (SALT, OTHER_DISEASE)]


def test_two_hops_ask_the_second_with_what_the_first_found(world: Federation) -> None:
    world.calls.clear()
    asked = graph(
        {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
        {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
    )
    answer = ask(world, asked)
    assert bound(answer, "a", "b", "c") == [(DISEASE, DRUG, GENE), (DISEASE, DRUG, OTHER_GENE)]
    first, second = q.asked(world)
    assert first["nodes"]["a"]["ids"] == [DISEASE]
    assert second["nodes"]["b"]["ids"] == [DRUG]
    # The specific, curated statement comes before the text-mined one.
    assert q.ids(answer.results[0]["node_bindings"]["c"]) == [GENE]


def test_three_hops_from_both_ends_meet_in_the_middle(world: Federation) -> None:
    world.calls.clear()
    asked = graph(
        {
            "drug": node(OTHER_DRUG),
            "target": node(kind="Gene"),
            "partner": node(kind="Gene"),
            "process": node(q.PROCESS),
        },
        {
            "e0": edge("drug", "target", "affects"),
            "e1": edge("target", "partner", "interacts_with"),
            "e2": edge("partner", "process", "participates_in"),
        },
    )
    answer = ask(world, asked)
    assert bound(answer, "drug", "target", "partner", "process") == [
        (OTHER_DRUG, OTHER_GENE, GENE, q.PROCESS)
    ]
    sent = q.asked(world)
    assert sorted("".join(g["edges"]) for g in sent[:2]) == ["e0", "e2"]
    both = {key: one["ids"] for key, one in sent[2]["nodes"].items()}
    assert both == {"target": [OTHER_GENE], "partner": [GENE]}


def test_a_branch_and_an_intersection(world: Federation) -> None:
    branch = graph(
        {"g": node(GENE), "drug": node(kind="SmallMolecule"), "x": node(kind="Disease")},
        {"e0": edge("drug", "g", "affects"), "e1": edge("g", "x", "associated_with")},
    )
    assert bound(ask(world, branch), "drug", "x") == [(DRUG, DISEASE)]
    both = graph(
        {"a": node(GENE), "b": node(OTHER_GENE), "drug": node(kind="SmallMolecule")},
        {"e0": edge("drug", "a", "affects"), "e1": edge("drug", "b", "affects")},
    )
    assert bound(ask(world, both), "drug") == [(DRUG,)]  # drug two affects only the second


def test_both_ends_given_and_parallel_edges(world: Federation) -> None:
    nodes = {"a": node(GENE, THIRD_GENE), "b": node(OTHER_GENE, DISEASE)}
    answer = ask(world, graph(nodes, {"e": edge("a", "b")}))
    assert bound(answer, "a", "b") == [
        (GENE, DISEASE),
        (GENE, OTHER_GENE),
        (THIRD_GENE, OTHER_GENE),
    ]
    edges = {"e0": edge("a", "b", "interacts_with"), "e1": edge("b", "a", "associated_with")}
    assert ask(world, graph(nodes, edges)).exit_code == 4  # no pair is related in both ways


def test_edges_that_do_not_satisfy_the_query_edge_are_left_out_and_counted(
    world: Federation,
) -> None:
    nodes = {"x": node(OTHER_DISEASE), "drug": node(kind="SmallMolecule")}
    answer = ask(world, graph(nodes, {"e": edge("drug", "x", "treats")}))
    assert bound(answer, "drug") == [(SALT,)]
    assert answer.hops[0].left_out == {"negated": 1}
    denied = {"attribute_constraints": [_is("biolink:negated", True)]}
    answer = ask(world, graph(nodes, {"e": edge("drug", "x", "treats", **denied)}))
    assert bound(answer, "drug") == [(OTHER_DRUG,)]


def _is(name: str, value: Any, operator: str = "==", negate: bool = False) -> dict[str, Any]:
    written = {"id": name, "name": name, "operator": operator, "value": value}
    return written | ({"not": True} if negate else {})


def test_constraints_on_attributes_levels_and_sources_hold(world: Federation) -> None:
    def genes(version: Any = "2.0", **more: Any) -> list[tuple[str, ...]]:
        nodes = {"d": node(DRUG), "g": node(kind="Gene")}
        asked = graph(nodes, {"e": edge("d", "g", "affects", **more)})
        return bound(ask(world, asked, trapi=version), "g")

    assert genes() == [(GENE,), (OTHER_GENE,)]
    mined = {"behavior": "DENY", "values": ["text_mining_agent"]}
    assert genes(constraints={"agent_type": mined}) == [(GENE,)]
    level = {"behavior": "ALLOW", "values": ["not_provided"]}
    assert genes("1.5", constraints={"knowledge_level": level}) == [(OTHER_GENE,)]
    sources = {"behavior": "DENY", "values": ["infores:fedrag-testing"]}
    assert genes(constraints={"sources": sources}) == []
    assert genes(constraints={"sources": sources | {"primary_only": True}}) == genes()
    assert genes("1.6", attribute_constraints=[_is("biolink:agent_type", "text.*", "matches")]) == [
        (OTHER_GENE,)
    ]
    not_mined = _is("biolink:agent_type", "text_mining_agent", negate=True)
    assert genes("1.5", attribute_constraints=[not_mined]) == [(GENE,)]


def test_what_is_a_kind_of_the_disease_counts_for_it_and_an_auxiliary_graph_says_why(
    wide: Federation,
) -> None:
    for version in q.VERSIONS:
        answer = ask(wide, ONE_HOP, trapi=version)
        assert bound(answer, "a", "b") == [(DISEASE, DRUG), (SUBTYPE, OTHER_DRUG)]
        message = answer.response["message"]
        narrower = next(r for r in answer.results if q.ids(r["node_bindings"]["b"]) == [OTHER_DRUG])
        (name,) = narrower["analyses"][0]["support_graphs"]
        (key,) = message["auxiliary_graphs"][name]["edges"]
        link = message["knowledge_graph"]["edges"][key]
        assert (link["subject"], link["predicate"], link["object"]) == (
            SUBTYPE,
            "biolink:subclass_of",
            DISEASE,
        )
        if version != "2.0":
            assert narrower["node_bindings"]["a"][0]["query_id"] == DISEASE


def test_two_hops_through_a_kind_of_the_disease_join_on_what_was_asked(wide: Federation) -> None:
    asked = graph(
        {"g": node(kind="Gene"), "x": node(DISEASE), "d": node(kind="SmallMolecule")},
        {"e0": edge("g", "x", "associated_with"), "e1": edge("d", "x", "treats")},
    )
    rows = bound(ask(wide, asked), "g", "x", "d")
    both = f"{DISEASE} {SUBTYPE}"
    assert rows == [
        (GENE, DISEASE, DRUG),
        (GENE, both, OTHER_DRUG),
        (OTHER_GENE, both, DRUG),
        (OTHER_GENE, SUBTYPE, OTHER_DRUG),
    ]


def test_genes_of_other_organisms_are_left_out_unless_they_are_asked_for(
    world: Federation,
) -> None:
    asked = graph({"d": node(OTHER_DRUG), "g": node(kind="Gene")}, {"e": edge("d", "g", "affects")})
    answer = ask(world, asked)
    assert bound(answer, "g") == [(OTHER_GENE,)]
    assert answer.hops[0].left_out == {"of another organism": 1}
    assert any("--taxon asks for another organism" in line for line in logged(answer))
    assert bound(ask(world, asked, taxon="10090"), "g") == [("NCBIGene:9",)]
    given = graph({"d": node(kind="SmallMolecule"), "g": node("NCBIGene:9")}, asked["edges"])
    assert bound(ask(world, given), "d") == [(OTHER_DRUG,)]


def test_sets_collate_and_a_whole_set_must_be_there(world: Federation) -> None:
    nodes = {"g": node(kind="Gene", set_interpretation="COLLATE"), "d": node(DRUG)}
    (result,) = ask(world, graph(nodes, {"e": edge("d", "g", "affects")}), trapi="2.0").results
    assert q.ids(result["node_bindings"]["g"]) == [GENE, OTHER_GENE]
    older = {"g": node(kind="Gene", is_set=True), "d": node(DRUG)}
    answer = ask(world, graph(older, {"e": edge("d", "g", "affects")}))
    assert len(answer.results) == 1
    assert answer.response["message"]["query_graph"]["nodes"]["g"]["is_set"] is True

    def drugs(kind: str) -> list[tuple[str, ...]]:
        members = node("uuid:1", member_ids=[GENE, OTHER_GENE], set_interpretation=kind)
        nodes = {"g": members, "d": node(kind="SmallMolecule")}
        return bound(ask(world, graph(nodes, {"e": edge("d", "g", "affects")})), "g", "d")

    whole = (f"{GENE} {OTHER_GENE}", DRUG)
    assert drugs("ALL") == [whole]
    assert drugs("MANY") == [whole, (OTHER_GENE, OTHER_DRUG)]


def test_equal_queries_get_equal_responses(world: Federation) -> None:
    asked = graph(
        {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
        {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
    )
    one, other = (ask(world, asked).response for _ in range(2))
    for response in (one, other):
        del response["timings"]
        for entry in response["logs"]:
            del entry["timestamp"]
    assert one == other


def test_replays_of_a_cassette_are_equal_to_the_byte_but_for_timings(
    world: Federation, tmp_path: Path
) -> None:
    asked = graph(
        {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
        {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
    )
    tape = tmp_path / "tape.json"
    ask(world, asked, record=tape)
    recorded = json.loads(tape.read_bytes())
    recorded["meta"]["recorded_at"] = "2025-01-02T03:04:05Z"
    tape.write_text(json.dumps(recorded))
    told = []
    for _ in range(2):
        response = ask(world, asked, replay=tape).response
        del response["timings"]
        told.append(json.dumps(response))
        assert {e["timestamp"] for e in response["logs"]} == {"2025-01-02T03:04:05Z"}
    assert told[0] == told[1]
