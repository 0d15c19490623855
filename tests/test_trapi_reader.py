"""What a naive TRAPI client trips over in a message: nulls, versions, what was asked."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from trapi_messages import attribute, edge, only, read, response

# --- edges that cannot be read ------------------------------------------------------------------


def test_a_bad_edge_costs_that_edge_and_is_counted_by_reason() -> None:
    answer = read(
        response(
            edge(),
            None,
            None,
            "not an edge",
            edge(subject=None),
            edge(object=""),
            edge(predicate=None),
            edge(predicate=["biolink:treats"]),
        )
    )
    assert len(answer.edges) == 1
    assert answer.dropped == (
        ("edge is null", 2),
        ("predicate is missing", 2),
        ("edge is not an object", 1),
        ("no object", 1),
        ("no subject", 1),
    )


def test_only_bound_edges_count() -> None:
    payload = response(edge(), edge())
    payload["message"]["results"][0]["analyses"][0]["edge_bindings"]["e01"] = [{"id": "1"}]
    answer = read(payload)
    assert (len(answer.edges), answer.dropped) == (1, (("not bound", 1),))


def test_a_binding_to_an_absent_edge_is_counted_once() -> None:
    payload = response(edge())
    bindings = payload["message"]["results"][0]["analyses"][0]["edge_bindings"]["e01"]
    bindings += [{"id": "gone"}, {"id": "gone"}, {"id": None}, None, 7]
    answer = read(payload)
    assert (len(answer.edges), answer.dropped) == (1, (("edge id bound but absent", 1),))


@pytest.mark.parametrize("results", [None, [], {}, "none", [None, 3]])
def test_edges_without_results_are_not_bound(results: Any) -> None:
    payload = response(edge(), edge())
    payload["message"]["results"] = results
    answer = read(payload)
    assert answer.edges == ()
    assert dict(answer.dropped)["not bound"] == 2
    del payload["message"]["results"]
    assert read(payload).dropped == (("not bound", 2),)


@pytest.mark.parametrize("graph", [None, {}, {"nodes": None, "edges": None}, [], "x"])
def test_a_missing_knowledge_graph_is_no_crash(graph: Any) -> None:
    payload = response(edge())
    payload["message"]["knowledge_graph"] = graph
    answer = read(payload)
    assert (answer.edges, answer.dropped) == ((), (("edge id bound but absent", 1),))
    assert answer.results == 1


def test_missing_nodes_leave_an_edge_without_names() -> None:
    payload = response(edge())
    payload["message"]["knowledge_graph"]["nodes"] = {"CHEBI:5778": None}
    found = only(payload)
    assert (found.subject.name, found.subject.found_name, found.subject.categories) == (
        "",
        None,
        (),
    )
    assert found.object.curie == "MONDO:0005044"


# --- versions -----------------------------------------------------------------------------------


def test_bindings_of_every_version_bind() -> None:
    result = response(edge())["message"]["results"][0]
    shapes: list[dict[str, Any]] = [
        {"edge_bindings": {"e01": [{"id": "0"}]}},  # 1.3 and before: on the result
        {"edge_bindings": {"e01": [{"id": "0"}]}, "analyses": None},
        {"analyses": [{"edge_bindings": {"e01": [{"id": "0", "attributes": []}]}}]},  # 1.4 to 1.6
        {"analyses": [{"edge_bindings": {"e01": {"ids": ["0"]}}}]},  # 2.0
        {"analyses": [None, {"edge_bindings": {"e00": None, "e01": ["0"]}}]},
    ]
    for shape in shapes:
        payload = response(edge())
        payload["message"]["results"] = [{"node_bindings": result["node_bindings"], **shape}]
        assert len(read(payload).edges) == 1, shape


def test_path_bindings_and_support_graphs_lead_through_auxiliary_graphs() -> None:
    support = [attribute("biolink:support_graphs", ["a2", "a1"])]
    payload = response(edge(), edge(attributes=support), edge(), edge(), edge())
    message = payload["message"]
    message["auxiliary_graphs"] = {
        "a1": {"edges": ["1"], "attributes": []},  # its edge leads back to it
        "a2": {"edges": ["2"]},
        "a3": {"edges": ["3"]},
    }
    message["results"][0]["analyses"] = [
        {"path_bindings": {"p0": [{"id": "a1"}]}},
        {"path_bindings": {"p0": {"ids": ["a3"]}}, "support_graphs": ["a4"]},
    ]
    answer = read(payload)
    assert len(answer.edges) == 3
    assert answer.dropped == (("not bound", 2), ("auxiliary graph is missing", 1))


def test_a_bare_message_is_read() -> None:
    assert len(read(response(edge())["message"]).edges) == 1


def test_keys_nobody_declared_are_no_trouble() -> None:
    payload = response(edge(new_key={"a": [1]}, id="0"), pubmed=1, job_url="x")
    payload["message"]["results"][0] |= {"score": 3, "essence": "x", "row_data": [None]}
    payload["message"]["extra"] = []
    assert len(read(payload).edges) == 1


# --- what was asked -----------------------------------------------------------------------------


def test_the_identifier_asked_comes_from_the_binding() -> None:
    found = only(response(edge()))
    assert (found.object.found, found.object.asked) == ("MONDO:0005044", "MESH:D006973")
    assert (found.subject.found, found.subject.asked) == ("CHEBI:5778", None)


def test_without_a_query_id_a_single_identifier_was_the_one_asked() -> None:
    payload = response(edge())
    bindings = payload["message"]["results"][0]["node_bindings"]
    bindings["n0"] = {"ids": ["MONDO:0005044"]}
    assert only(payload).object.asked == "MESH:D006973"
    assert only(payload, query_ids={"n0": ["UMLS:C0020538"]}).object.asked == "UMLS:C0020538"
    assert only(payload, query_ids={"n0": ["MONDO:0005044"]}).object.asked is None
    assert only(payload, query_ids={"n0": ["MESH:D006973", "MESH:D1"]}).object.asked is None
    assert only(payload, query_ids={}).object.asked is None


def test_what_was_asked_is_told_result_by_result() -> None:
    payload = response(edge(), edge(object="MONDO:0001134"))
    message = payload["message"]
    second = copy.deepcopy(message["results"][0])
    message["results"][0]["analyses"][0]["edge_bindings"]["e01"] = [{"id": "0"}]
    second["analyses"][0]["edge_bindings"]["e01"] = [{"id": "1"}]
    second["node_bindings"]["n0"] = [{"id": "MONDO:0001134", "query_id": "MESH:D000075222"}]
    message["results"].append(second)
    asked = [e.object.asked for e in read(payload, query_ids={"n0": ["MESH:D006973", "x"]}).edges]
    assert asked == ["MESH:D006973", "MESH:D000075222"]
