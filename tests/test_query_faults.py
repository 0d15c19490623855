"""What goes wrong costs its own edges: dead services, empty hops, caps, the entity service away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import query_support as q
from query_support import (
    DISEASE,
    DRUG,
    GENE,
    OTHER_DISEASE,
    OTHER_GENE,
    ask,
    bound,
    edge,
    edges_of,
    graph,
    logged,
    node,
)

from fedrag.errors import PlanError
from fedrag.query import Limits, QueryAnswer
from fedrag.testing import Federation
from fedrag.testing.facts import FactBook, Statement


@pytest.fixture
def world() -> Iterator[Federation]:
    with q.federation(kps=1) as running:
        yield running


TWO_HOPS = graph(
    {"a": node(DISEASE), "b": node(kind="SmallMolecule"), "c": node(kind="Gene")},
    {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
)


def states(answer: QueryAnswer) -> dict[str, str]:
    """Of the services that were not switched off."""
    return {r.service: r.state for r in answer.services if r.state != "skipped"}


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("html", "bad_payload"),
        ("500", "unavailable"),
        ("429_bare", "rate_limited"),
        ("truncated_json", "bad_payload"),
        ("reset", "unavailable"),
    ],
)
def test_a_dead_service_costs_its_own_edges_alone(
    world: Federation, fault: str, state: str
) -> None:
    whole = ask(world, TWO_HOPS)
    world.fault("kp1", fault)
    answer = ask(world, TWO_HOPS, deadline=20)
    assert bound(answer, "b", "c") == bound(whole, "b", "c") == [(DRUG, GENE), (DRUG, OTHER_GENE)]
    assert states(answer) == {"nodenorm": "ok", "bte": "ok", "kp1": state}
    assert (answer.completeness, answer.exit_code) == ("partial", 0)
    assert any(line.startswith("e0: kp1 ") for line in logged(answer))
    rows = {row["service"]: row for row in answer.response["services"]}
    assert rows["kp1"]["state"] == state
    assert rows["kp1"]["reason"]


def test_when_no_service_answers_it_is_not_nothing_found(world: Federation) -> None:
    for name in ("bte", "kp1"):
        world.fault(name, "500", path="/query")
    answer = ask(world, TWO_HOPS)
    assert (answer.completeness, answer.exit_code) == ("unknown", 3)
    assert answer.response["status"] == "KPsNotAvailable"
    assert "no service answered for e0 (b – a)" in answer.response["description"]
    told = [e.get("code") for e in answer.response["logs"] if "no service answered" in e["message"]]
    assert told == ["KPNotAvailable", None]  # why nothing is there, and the whole in a line
    assert "EmptyHop" not in {entry.get("code") for entry in answer.response["logs"]}
    assert [hop.state for hop in answer.hops] == ["failed", "not_asked"]


def test_a_service_that_dies_between_the_hops_leaves_the_first_ones_edges() -> None:
    with q.federation() as running:

        def tell(line: str) -> None:
            if "b – c" in line:
                running.fault("bte", "500", path="/query")

        answer = ask(running, TWO_HOPS, progress=tell)
    assert (answer.exit_code, answer.completeness) == (3, "unknown")
    assert edges_of(answer) == [(DRUG, "treats", DISEASE)]
    assert answer.response["description"] == (
        "No results: no service answered for e1 (b – c); "
        "the edge that was found is in the knowledge graph"
    )


@pytest.mark.parametrize("version", q.VERSIONS)
def test_a_hop_that_finds_nothing_keeps_what_the_others_found(
    world: Federation, version: Any
) -> None:
    nodes = TWO_HOPS["nodes"] | {"c": node(kind="Disease"), "d": node(kind="Gene")}
    edges = {
        "e0": edge("b", "a", "treats"),
        "e1": edge("b", "c", "treats", constraints=_only("infores:nobody")),
        "e2": edge("c", "d"),
    }
    answer = ask(world, graph(nodes, edges), trapi=version)
    assert (answer.results, answer.exit_code, answer.completeness) == ([], 4, "complete")
    message = answer.response["message"]
    assert edges_of(answer) == [(DRUG, "treats", DISEASE)]
    assert message["auxiliary_graphs"].keys() == {"found-by-e0"}
    assert [hop.state for hop in answer.hops] == ["ok", "empty", "not_asked"]
    assert answer.response["hops"][1]["left_out"] == {"its sources is not wanted": 4}
    (marked,) = [e for e in answer.response["logs"] if e.get("code") == "EmptyHop"]
    assert marked["message"].startswith("nothing was found for e1 (b – c)")
    assert answer.response["status"] == "Success"


def test_edges_that_are_merged_are_counted_as_the_knowledge_graph_has_them() -> None:
    with q.federation(kps=1) as running:
        unwanted = edge("b", "c", "affects", constraints=_only("infores:nobody"))
        edges = {"e0": edge("b", "a", "treats"), "e1": unwanted}
        answer = ask(running, graph(TWO_HOPS["nodes"], edges))
    assert answer.hops[0].fitting == 2  # the same edge, of two services
    assert len(answer.response["message"]["knowledge_graph"]["edges"]) == 1
    assert "; the edge that was found is in" in answer.response["description"]


def _only(*sources: str) -> dict[str, Any]:
    return {"sources": {"behavior": "ALLOW", "values": list(sources)}}


def test_edges_that_meet_nowhere_are_told_apart_from_no_edges(world: Federation) -> None:
    asked = graph(
        {"a": node(OTHER_DISEASE), "b": node(kind="SmallMolecule"), "c": node("NCBIGene:9")},
        {"e0": edge("b", "a", "treats"), "e1": edge("b", "c", "affects")},
    )
    answer = ask(world, asked)
    assert answer.exit_code == 4
    assert answer.response["description"] == (
        "No results: what e0, e1 found does not meet; "
        "the 2 edges that were found are in the knowledge graph"
    )
    assert edges_of(answer) == [
        (q.SALT, "treats", OTHER_DISEASE),
        (q.OTHER_DRUG, "affects", "NCBIGene:9"),
    ]


def test_without_the_node_normalizer_identifiers_join_as_they_are_returned(
    world: Federation,
) -> None:
    world.fault("nodenorm", "500")
    answer = ask(world, TWO_HOPS, deadline=20)
    assert bound(answer, "b", "c") == [(DRUG, GENE), (DRUG, OTHER_GENE)]
    assert answer.completeness == "partial"
    assert states(answer)["nodenorm"] == "unavailable"
    assert any("identifiers are as written" in line for line in logged(answer))


def test_a_slow_service_is_merged_when_it_comes_and_left_when_it_does_not(
    world: Federation,
) -> None:
    world.delay(1.0, "kp1")
    answer = ask(world, TWO_HOPS, deadline=20)
    assert states(answer)["kp1"] == "ok"
    assert len(_sources(answer)) == 4
    world.fault("kp1", "hang", path="/query")
    answer = ask(world, TWO_HOPS, deadline=3)
    assert bound(answer, "b", "c") == [(DRUG, GENE), (DRUG, OTHER_GENE)]
    assert states(answer)["kp1"] == "timeout"
    assert len(_sources(answer)) == 3


def _sources(answer: QueryAnswer) -> list[str]:
    (found,) = (
        e
        for e in answer.response["message"]["knowledge_graph"]["edges"].values()
        if e["predicate"] == "biolink:treats"
    )
    return [source["resource_id"] for source in found["sources"]]


def test_a_service_that_is_all_there_is_to_the_first_hop_may_be_late(world: Federation) -> None:
    """The share of the first hop passes, what comes after it still leads on."""
    world.fault("bte", "500", path="/query")

    def tell(line: str) -> None:
        if line.startswith("kp1: "):
            world.delay(2.2 if "b – a" in line else 0.0, "kp1")

    answer = ask(world, TWO_HOPS, deadline=4, progress=tell)
    assert bound(answer, "b", "c") == [(DRUG, GENE), (DRUG, OTHER_GENE)]


# --- caps ---------------------------------------------------------------------------------------

MANY = FactBook.from_statements(
    [
        *(Statement(DRUG, "biolink:affects", f"NCBIGene:{n}", **q.TEXT) for n in range(1, 301)),
        Statement(DRUG, "biolink:affects", "NCBIGene:400"),
        *(
            Statement(f"NCBIGene:{n}", "biolink:gene_associated_with_condition", f"MONDO:{n}")
            for n in (5, 250, 400)
        ),
    ]
)
OUT = graph(
    {"d": node(DRUG), "g": node(kind="Gene"), "x": node(kind="Disease")},
    {"e0": edge("d", "g", "affects"), "e1": edge("g", "x", "associated_with")},
)


@pytest.fixture(scope="module")
def many() -> Iterator[Federation]:
    with q.federation(MANY) as running:
        yield running


def test_a_hop_goes_on_from_the_best_ranked_and_says_so(many: Federation) -> None:
    many.calls.clear()
    answer = ask(many, OUT, limits=Limits(ids=10))
    assert bound(answer, "g") == [("NCBIGene:400",)]  # the one that is curated
    assert answer.completeness == "partial"
    assert answer.response["hops"][1]["truncated"] == ["asked with the 10 best-ranked of 301 at g"]
    assert "e1: asked with the 10 best-ranked of 301 at g" in logged(answer)
    assert len(q.asked(many)[1]["nodes"]["g"]["ids"]) == 10


def test_a_cap_never_turns_many_into_none(many: Federation) -> None:
    """The best-ranked lead nowhere: the next best are asked."""
    nodes = OUT["nodes"] | {"x": node(kind="Disease")}
    mined = {"attribute_constraints": [_mined()]}
    asked = graph(nodes, {"e0": edge("d", "g", "affects", **mined), "e1": OUT["edges"]["e1"]})
    answer = ask(many, asked, limits=Limits(ids=100))
    assert bound(answer, "g") == [("NCBIGene:250",)]  # the third hundred by CURIE holds it
    assert answer.hops[1].asked == 200


def _mined() -> dict[str, Any]:
    name = "biolink:agent_type"
    return {"id": name, "name": name, "operator": "==", "value": "text_mining_agent"}


def test_records_and_results_are_cut_by_rank(many: Federation) -> None:
    one = graph({"d": node(DRUG), "g": node(kind="Gene")}, {"e0": edge("d", "g", "affects")})
    answer = ask(many, one, limits=Limits(edges=5))
    assert len(answer.results) == 5
    assert q.ids(answer.results[0]["node_bindings"]["g"]) == ["NCBIGene:400"]
    assert answer.hops[0].truncated == ["the 5 best-ranked of 301 edges are kept"]
    answer = ask(many, one, limits=Limits(results=3))
    assert len(answer.results) == 3
    assert "the 3 best of more than 60 results are given" in logged(answer)


def test_two_caps_together_leave_what_joins() -> None:
    """Cut each for itself, the hops would keep edges that meet nowhere."""
    genes = [f"NCBIGene:{n}" for n in range(1, 41)]
    book = FactBook.from_statements(
        [
            *(Statement(DRUG, "biolink:affects", g) for g in genes[:20]),
            *(Statement(DRUG, "biolink:affects", g, **q.TEXT) for g in genes[20:]),
            *(Statement(g, "biolink:causes", DISEASE, **q.TEXT) for g in genes[:20]),
            *(Statement(g, "biolink:causes", DISEASE) for g in genes[20:]),
        ]
    )
    asked = graph(
        {"d": node(DRUG), "g": node(kind="Gene"), "x": node(DISEASE)},
        {"e0": edge("d", "g", "affects"), "e1": edge("g", "x", "causes")},
    )
    with q.federation(book) as running:
        answer = ask(running, asked, limits=Limits(edges=10))
    assert len(answer.results) == 10
    assert bound(answer, "g")[0] == ("NCBIGene:1",)


def test_batches_are_those_the_service_takes(many: Federation) -> None:
    configs = many.service_configs()
    assert configs["bte"].batch_size is None
    nodes = {"g": node(*(f"NCBIGene:{n}" for n in range(1, 301))), "x": node(kind="Disease")}
    many.calls.clear()
    answer = ask(many, graph(nodes, {"e": edge("g", "x", "associated_with")}))
    assert bound(answer, "g", "x") == [("NCBIGene:250", "MONDO:250"), ("NCBIGene:5", "MONDO:5")]
    sizes = [len(g["nodes"]["g"]["ids"]) for g in q.asked(many)]
    assert sizes == [150, 150]  # of its document


def test_an_edge_nobody_can_serve_is_refused_before_anything_is_asked(world: Federation) -> None:
    asked = graph(
        {"a": node(GENE), "b": node(kind="OrganismTaxon")}, {"e": edge("a", "b", "causes")}
    )
    with pytest.raises(PlanError, match=r"edges\.e: no service can answer it: .*has no edges"):
        ask(world, asked)
    assert world.calls_of("bte", "/query") == []


def test_an_identifier_nobody_knows_is_refused_and_one_among_others_is_told(
    world: Federation,
) -> None:
    edges = {"e": edge("b", "a", "treats")}
    with pytest.raises(PlanError, match=r"nodes\.a: the Node Normalizer does not know MONDO:9"):
        ask(world, graph({"a": node("MONDO:9"), "b": node(kind="SmallMolecule")}, edges))
    nodes = {"a": node("MONDO:9", DISEASE), "b": node(kind="SmallMolecule")}
    answer = ask(world, graph(nodes, edges))
    assert bound(answer, "a") == [(DISEASE,)]
    assert "nodes.a: the Node Normalizer does not know MONDO:9" in logged(answer)
