"""Networks of the retrieved edges, read again by networkx: GraphML, Cytoscape, and its own."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import pytest
from evidence_material import edge
from export_material import demo, full_edge, hostile, of_edges

from fedrag.datamodel import Answer
from fedrag.export import answer_to_graphml, answer_to_networkx, render


def read_graphml(answer: Answer) -> Any:
    text = io.BytesIO(answer_to_graphml(answer).encode())
    return networkx.read_graphml(text, force_multigraph=True)


def read_cytoscape(answer: Answer) -> Any:
    return networkx.cytoscape_graph(json.loads(render(answer, "cytoscape")))


def links(graph: Any) -> set[tuple[str, str, str]]:
    return set(graph.edges(keys=True))


def test_all_three_hold_the_same_nodes_and_the_same_edges() -> None:
    answer = demo()
    expected = {(e.subject.curie, e.object.curie, e.id) for e in answer.all_edges}
    ours = answer_to_networkx(answer)
    for graph in (ours, read_graphml(answer), read_cytoscape(answer)):
        assert graph.is_directed()
        assert graph.is_multigraph()
        assert links(graph) == expected
        assert set(graph) == set(ours)


def test_two_sources_that_say_the_same_stay_two_edges() -> None:
    one = full_edge()
    other = edge(one.subject, "affects", one.object, source="infores:chembl")
    for read in (answer_to_networkx, read_graphml, read_cytoscape):
        assert len(links(read(of_edges(one, other)))) == 2


def test_a_node_says_what_it_is_to_the_answer() -> None:
    for graph in (answer_to_networkx(demo()), read_graphml(demo()), read_cytoscape(demo())):
        best = graph.nodes["NCBIGene:6559"]
        assert (best["name"], best["role"], best["rank"]) == ("SLC12A3", "candidate", 1)
        assert best["score"] == demo().candidates[0].score
        assert graph.nodes["MONDO:0005044"]["role"] == "given"
        roles = [facts["role"] for _, facts in graph.nodes(data=True)]
        assert roles.count("candidate") == len(demo().candidates)


def test_an_edge_keeps_its_passport() -> None:
    answer = of_edges(full_edge())
    (link,) = links(answer_to_networkx(answer))
    ours = answer_to_networkx(answer).edges[link]
    assert ours["publications"] == full_edge().publications
    assert ours["qualifiers"]["biolink:object_aspect_qualifier"] == "activity"
    for graph in (read_graphml(answer), read_cytoscape(answer)):
        facts = graph.edges[link]
        assert facts["label"] == "affects"
        assert facts["evidence"] == "E1"
        assert facts["negated"] is False
        assert facts["publications"] == "|".join(full_edge().publications)
        assert facts["primary_source"] == "infores:drugcentral"


@pytest.mark.parametrize("writer", ["graphml", "gexf", "gml"])
def test_a_flat_graph_can_be_written_by_networkx_itself(writer: str, tmp_path: Path) -> None:
    graph = demo().to_networkx(flat=True)
    path = tmp_path / "answer"
    getattr(networkx, f"write_{writer}")(graph, path)
    again = getattr(networkx, f"read_{writer}")(path)
    assert set(again) == set(graph)
    assert again.number_of_edges() == graph.number_of_edges() == len(demo().all_edges)
    best = again.nodes["NCBIGene:6559"]
    assert (best["name"], best["rank"], best["score"]) == (
        "SLC12A3", 1, demo().candidates[0].score,
    )  # fmt: skip


def test_types_are_declared_in_graphml() -> None:
    text = answer_to_graphml(demo())
    assert 'for="node" attr.name="score" attr.type="double"' in text
    assert 'for="node" attr.name="rank" attr.type="int"' in text
    assert 'for="edge" attr.name="negated" attr.type="boolean"' in text


def test_hostile_names_stay_data() -> None:
    for graph in (read_graphml(hostile()), read_cytoscape(hostile())):
        assert set(graph) == {"X:1", "X:2"}
        assert graph.nodes["X:1"]["name"].startswith("<script>alert(1)</script>]]>&\"'[2J ER")
        assert len(links(graph)) == 1


def test_a_statement_about_a_thing_itself_is_an_edge_to_itself() -> None:
    one = full_edge()
    itself = replace(one, object=one.subject)
    for read in (answer_to_networkx, read_graphml, read_cytoscape):
        assert links(read(of_edges(itself))) == {("DRUGBANK:DB00999", "DRUGBANK:DB00999", one.id)}
