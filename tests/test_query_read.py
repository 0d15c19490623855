"""Reading query graphs: every spelling, what is refused with its place, what is noted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import query_support as q
from hypothesis import given, settings
from hypothesis import strategies as st
from query_support import ACTIVITY, CAUSES, edge, graph, node, qualified

from fedrag.biolink import biolink
from fedrag.errors import ConfigError, PlanError
from fedrag.query import parse_query, read_query
from fedrag.query.graphs import write_query_graph

NODES = {"a": node("MONDO:0005044"), "b": node(kind="Gene")}
GOOD = graph(NODES, {"e": edge("b", "a", "associated_with")})


def changed(**more: Any) -> dict[str, Any]:
    """The good graph with another edge ``e``."""
    return graph(NODES, {"e": edge("b", "a", **more)})


@pytest.mark.parametrize("wrap", [GOOD, {"query_graph": GOOD}, {"message": {"query_graph": GOOD}}])
def test_a_graph_a_message_and_a_query_are_the_same(wrap: dict[str, Any]) -> None:
    request = read_query(wrap)
    assert request.nodes["a"].ids == ("MONDO:0005044",)
    assert request.edges["e"].predicates == ("biolink:associated_with",)
    assert parse_query(json.dumps(wrap)) == parse_query(json.dumps(wrap).encode()) == request
    assert request.notes == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the query is no JSON: line 1, column 1"),
        ('{"nodes": {},}', "line 1, column 14"),
        ('{"nodes": NaN}', "NaN is no JSON value"),
        (b"\xff\xfe{", "the query is no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "a TRAPI query is an object, not a list"),
        ("null", "not null"),
        ('{"a": 1}', "there is no query graph in it (it has a)"),
        ('{"message": {}}', "message.query_graph: there is no query graph"),
        ('{"message": []}', "message: must be an object, not a list"),
        ('{"nodes": []}', "nodes: must be an object, not a list"),
        ('{"nodes": {}, "edges": {}}', "nodes: the query graph has no nodes"),
    ],
)
def test_what_is_no_query_is_told(text: str | bytes, words: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse_query(text)
    assert words in str(told.value)


def test_a_query_that_is_too_large_is_refused() -> None:
    with pytest.raises(ConfigError, match="larger than 20,000,000 bytes"):
        parse_query(" " * 20_000_001, "q.json")


def _nodes(**changes: Any) -> dict[str, Any]:
    return graph(NODES | changes, {"e": edge("b", "a")})


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (_nodes(a=node("MONDO 5044")), "nodes.a.ids[0]: 'MONDO 5044' is no CURIE"),
        (_nodes(a=node("hypertension")), "nodes.a.ids[0]: 'hypertension' is no CURIE"),
        (_nodes(a={"ids": "MONDO:1"}), "nodes.a.ids: must be a list, not 'MONDO:1'"),
        (_nodes(a={"ids": [1]}), "nodes.a.ids[0]: must be a text, not 1"),
        (_nodes(b=node(kind="Gen")), "nodes.b.categories[0]: 'biolink:Gen' is no category"),
        (_nodes(b=node(kind="Gen")), "did you mean biolink:Gene"),
        (_nodes(b={"categories": ["Gene"]}), "did you mean biolink:Gene"),
        (_nodes(b={"set_interpretation": "SOME"}), "nodes.b.set_interpretation: 'SOME' is none of"),
        (_nodes(a=node("X:1", set_interpretation="ALL")), "nodes.a.member_ids: ALL needs"),
        (_nodes(a=node("X:1", member_ids=["Y:1"])), "nodes.a.member_ids: only for ALL and MANY"),
        (_nodes(a=node("X:1", set_interpretation="COLLATE")), "COLLATE is for nodes without ids"),
        (_nodes(a=node(*(f"X:{n}" for n in range(10_001)))), "at most 10,000 are asked"),
        (graph(NODES, {"e": edge("b", "c")}), "edges.e.object: there is no node 'c'"),
        (graph(NODES, {"e": {"subject": "b"}}), "edges.e.object: must be a text, not null"),
        (graph(NODES, {"e": 1}), "edges.e: must be an object, not 1"),
        (
            graph(NODES, {"e": edge("b", "a", "treat")}),
            "edges.e.predicates[0]: 'biolink:treat' is no predicate",
        ),
        (graph(NODES, {"e": edge("b", "a", "treat")}), "did you mean biolink:treats"),
        (changed(knowledge_type="guess"), "edges.e.knowledge_type: 'guess' is not known"),
        (changed(**qualified(())), "qualifier_constraints[0].qualifier_set: a set of qualifiers"),
        (changed(**qualified((CAUSES, CAUSES))), "is constrained twice in one set"),
        (changed(**qualified((("aspect", "x"),))), "'aspect' is no qualifier"),
        (changed(constraints={"colour": {}}), "edges.e.constraints.colour: no such constraint"),
        (
            changed(constraints={"sources": {"behavior": "MAYBE", "values": ["x"]}}),
            "edges.e.constraints.sources.behavior: must be ALLOW or DENY, not 'MAYBE'",
        ),
        (
            changed(constraints={"sources": {"behavior": "DENY", "values": []}}),
            "edges.e.constraints.sources.values: must name at least one value",
        ),
        (
            changed(attribute_constraints=[{"id": "x", "operator": ">=", "value": 1}]),
            "edges.e.attribute_constraints[0].operator: '>=' is no operator",
        ),
        (
            changed(attribute_constraints=[{"id": "x", "operator": "=="}]),
            "edges.e.attribute_constraints[0]: a constraint needs a value",
        ),
        (
            changed(attribute_constraints=[{"id": "x", "operator": "matches", "value": "("}]),
            "edges.e.attribute_constraints[0].value: '(' is no regular expression",
        ),
        ({"message": {"query_graph": GOOD}, "log_level": "LOUD"}, "log_level: 'LOUD' is none of"),
        (
            {"message": {"query_graph": GOOD}, "parameters": {"timeout": "1"}},
            "parameters.timeout: must be seconds, not '1'",
        ),
        (
            {"message": {"query_graph": GOOD}, "parameters": {"timeout": 0}},
            "parameters.timeout: must be seconds, not 0",
        ),
        (
            {"message": {"query_graph": GOOD}, "parameters": {"bypass_cache": 1}},
            "parameters.bypass_cache: must be true or false, not 1",
        ),
        (
            {"message": {"query_graph": GOOD}, "bypass_cache": "yes"},
            "bypass_cache: must be true or false, not 'yes'",
        ),
        ({"message": {"query_graph": GOOD}, "submitter": 5}, "submitter: must be a text, not 5"),
        (
            {"message": {"query_graph": GOOD}, "callback": 5},
            "callback: must be a text, not 5",
        ),
        (
            {"message": {"query_graph": _nodes(a=node("X:1", is_set="yes"))}},
            "message.query_graph.nodes.a.is_set: must be true or false, not 'yes'",
        ),
        (
            {"message": {"query_graph": _nodes(a=node("no curie"))}},
            "message.query_graph.nodes.a.ids[0]",
        ),
    ],
)
def test_what_is_not_as_trapi_says_is_refused_with_its_place(
    query: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError) as told:
        read_query(query)
    assert words in str(told.value)
    assert told.value.exit_code == 2


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (graph(NODES, {}), "edges: without an edge there is nothing to look up"),
        (
            graph({"a": node(), "b": node()}, {"e": edge("a", "b")}),
            "nodes: no node has ids, so there is nothing to start from",
        ),
        (graph(NODES, {"e": edge("a", "a")}), "edges.e: both ends are the node 'a'"),
        (_nodes(c=node("MONDO:1")), "the graph is not connected, it falls into 2 parts: a, b; c"),
        (
            graph(
                NODES | {"c": node("X:1"), "d": node()},
                {"e": edge("b", "a"), "f": edge("c", "d")},
            ),
            "2 parts: a, b; c, d",
        ),
        (GOOD | {"paths": {"p": {"subject": "a", "object": "b"}}}, "paths: pathfinder queries"),
        (_nodes(a=node("X:1", constraints=[{"id": "x"}])), "nodes.a.constraints: constraints on"),
        (changed(exclude=True), "edges.e.exclude: an edge that may or must be missing"),
        (changed(option_group_id="1"), "edges.e.option_group_id"),
        (
            {"message": {"query_graph": GOOD}, "workflow": [{"id": "overlay"}]},
            "workflow[0].id: the step 'overlay' is not carried out",
        ),
        ({"message": {"query_graph": GOOD}, "callback": "http://x"}, "callback: asynchronous"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_reason(
    query: dict[str, Any], words: str
) -> None:
    with pytest.raises(PlanError) as told:
        read_query(query)
    assert words in str(told.value)


def test_too_many_nodes_and_edges_are_refused() -> None:
    nodes = {str(n): node("X:1") for n in range(31)}
    with pytest.raises(ConfigError, match="nodes: there are 31, and at most 30 are answered"):
        read_query(graph(nodes, {"e": edge("0", "1")}))
    edges = {str(n): edge("a", "b") for n in range(31)}
    with pytest.raises(ConfigError, match="edges: there are 31, and at most 30"):
        read_query(graph(NODES, edges))


def test_what_has_no_effect_is_noted() -> None:
    inner = graph(
        {"a": node("X:1", colour="red"), "b": node()},
        {"e": edge("a", "b", knowledge_type="inferred", weight=3)},
    )
    message = {"query_graph": inner, "results": [{}], "knowledge_graph": {"nodes": {"x": {}}}}
    request = read_query(
        {
            "message": message,
            "submitter": "me",
            "workflow": [{"id": "lookup"}],
            "max_results": 5,
            "log_level": "ERROR",
            "parameters": {"tiers": [0], "timeout": 12, "bypass_cache": True},
        }
    )
    assert request.notes == (
        "message.knowledge_graph of the query was not read: only its query graph is",
        "message.results of the query was not read: only its query graph is",
        "message.query_graph.nodes.a: unknown to TRAPI and without effect: colour",
        "message.query_graph.edges.e: knowledge_type 'inferred' was answered with direct look-ups "
        "alone",
        "message.query_graph.edges.e: unknown to TRAPI and without effect: weight",
        "unknown to TRAPI and without effect: max_results",
        "parameters: without effect: tiers",
    )
    assert (request.log_level, request.timeout, request.bypass_cache) == ("ERROR", 12.0, True)


@pytest.mark.parametrize(("given", "limit"), [(-1, None), (None, None), (10**400, 86_400.0)])
def test_a_timeout_of_no_limit_leaves_the_deadline_and_says_so(given: Any, limit: Any) -> None:
    request = read_query({"message": {"query_graph": GOOD}, "parameters": {"timeout": given}})
    assert request.timeout == limit
    assert any("no limit was asked for" in note for note in request.notes) is (given == -1)


def test_both_spellings_of_constraints_are_one() -> None:
    older = changed(
        attribute_constraints=[{"id": "x", "name": "x", "operator": ">", "value": 1}],
        **qualified((CAUSES, ACTIVITY)),
    )
    newer = changed(
        constraints={
            "qualifiers": [dict((CAUSES, ACTIVITY))],
            "attributes": [{"id": "x", "name": "x", "operator": ">", "value": 1}],
        }
    )
    assert read_query(older) == read_query(newer)
    empty = changed(attribute_constraints=[], qualifier_constraints=None, predicates=None)
    assert read_query(empty) == read_query(changed())


@pytest.mark.parametrize("version", q.VERSIONS)
def test_a_graph_is_written_again_valid_in_each_version(version: Any, corpora: Path) -> None:
    rules = {
        "knowledge_level": {"behavior": "ALLOW", "values": ["knowledge_assertion"]},
        "agent_type": {"behavior": "DENY", "values": ["text_mining_agent"]},
        "sources": {"behavior": "DENY", "values": ["infores:semmeddb"], "primary_only": True},
        "attributes": [{"id": "biolink:p_value", "operator": "<", "value": 0.05}],
        "qualifiers": [dict((CAUSES, ACTIVITY))],
    }
    request = read_query(
        graph(
            {
                "a": node("uuid:1", member_ids=["X:1", "X:2"], set_interpretation="MANY"),
                "b": node(kind="Gene", set_interpretation="COLLATE", extra="kept"),
                "c": node("Y:1"),
            },
            {"e": edge("b", "a", constraints=rules), "f": edge("b", "c", "treats")},
        )
    )
    written = write_query_graph(request, version)
    check(corpora, version, written)
    assert read_query(written) == request


def check(corpora: Path, version: str, written: dict[str, Any]) -> None:
    schema = q._validator(version)
    assert schema is not None
    errors = list(schema.iter_errors({"message": {"query_graph": written}}))
    assert [error.message for error in errors] == []


@pytest.mark.parametrize("name", ["1-6_example_response", "2-0_example_response"])
def test_the_official_examples_are_read(name: str, corpora: Path) -> None:
    example = json.loads((corpora / "trapi" / f"{name}.json").read_bytes())
    request = read_query({"message": {"query_graph": example["message"]["query_graph"]}})
    assert len(request.edges) >= 1
    assert request.nodes.keys() == example["message"]["query_graph"]["nodes"].keys()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("biolink:Gene"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
KEYS = st.sampled_from(
    ["ids", "categories", "set_interpretation", "member_ids", "constraints", "is_set", "x"]
)
EDGE_KEYS = st.sampled_from(
    ["predicates", "qualifier_constraints", "attribute_constraints", "constraints", "exclude"]
)


@settings(max_examples=300, deadline=None)
@given(
    top=st.dictionaries(st.sampled_from(["log_level", "parameters", "workflow", "x"]), JSON),
    one=st.dictionaries(KEYS, JSON),
    joined=st.dictionaries(EDGE_KEYS, JSON),
    ends=st.tuples(JSON | st.just("a"), JSON | st.just("b")),
)
def test_whatever_json_comes_it_is_read_or_refused(
    top: Any, one: Any, joined: Any, ends: Any
) -> None:
    inner = {
        "nodes": {"a": {"ids": ["MONDO:1"]}, "b": one},
        "edges": {"e": {"subject": ends[0], "object": ends[1], **joined}},
    }
    try:
        request = read_query({"message": {"query_graph": inner}, **top})
    except (ConfigError, PlanError):
        return
    assert read_query(write_query_graph(request, "2.0")).edges == request.edges


def test_nearest_names_come_from_the_model_that_ships() -> None:
    assert biolink().version in _refusal(_nodes(b=node(kind="Protien")))
    assert "biolink:Protein" in _refusal(_nodes(b=node(kind="Protien")))


def _refusal(query: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as told:
        read_query(query)
    return str(told.value)


def test_the_schema_check_of_these_tests_is_strict(corpora: Path) -> None:
    with pytest.raises(AssertionError):
        check(corpora, "2.0", {"nodes": {}, "edges": {}})


@pytest.mark.parametrize("written", ["CHEBI:\\ud800", "CHEBI:1\\u0000", "CHEBI:\\u0085"])
def test_an_identifier_that_no_text_can_hold_is_no_curie(written: str) -> None:
    asked = graph({"a": node("HERE"), "b": node()}, {"e": edge("a", "b")})
    text = json.dumps(asked).replace("HERE", written)
    with pytest.raises(ConfigError, match=r"nodes\.a\.ids\[0\]: .* is no CURIE"):
        parse_query(text)


def test_half_a_character_anywhere_else_is_refused() -> None:
    text = (
        '{"nodes": {"a\\ud800": {"ids": ["CHEBI:1"]}, "b": {}},'
        ' "edges": {"e": {"subject": "a\\ud800", "object": "b"}}}'
    )
    with pytest.raises(ConfigError, match=r"the query holds half a character"):
        parse_query(text)
