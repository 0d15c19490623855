"""The drawings of the page: where things stand, and that the same graph has the same picture."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import fedrag
from fedrag.datamodel import Answer, QueryEdge, QueryNode, QueryPlan
from fedrag.web.page.drawing import draw_evidence, draw_plan, kind_of
from fedrag.web.page.geometry import Box, Drawing
from fedrag.web.page.layout import place

PCSK9 = "What links PCSK9 and hypercholesterolemia?"


@pytest.fixture(scope="module")
def linked() -> Answer:
    return fedrag.ask(PCSK9, replay="demo", log=False)


def test_what_links_two_given_things_stands_between_them() -> None:
    pairs = [("drug", "gene"), ("gene", "disease"), ("drug", "only-drug"), ("x", "disease")]
    nodes = ["disease", "drug", "gene", "only-drug", "x"]
    placed = place(nodes, pairs, ["drug", "disease"])
    columns = {node: spot.column for node, spot in placed.items()}
    assert columns == {"drug": 0, "only-drug": 1, "gene": 2, "x": 3, "disease": 4}


def test_with_one_given_thing_columns_are_steps_from_it() -> None:
    placed = place(["a", "b", "c"], [("b", "a"), ("c", "b")], ["a"])
    assert [placed[node].column for node in "abc"] == [0, 1, 2]


def test_what_nothing_reaches_comes_last_around_its_most_linked_node() -> None:
    pairs = [("a", "b"), ("c", "hub"), ("d", "hub")]
    placed = place(["a", "b", "c", "d", "hub"], pairs, ["a"])
    assert [placed[node].column for node in ("a", "b", "hub", "c", "d")] == [0, 1, 2, 3, 3]


def test_neighbours_stand_side_by_side_so_that_links_do_not_cross() -> None:
    # b1 … b4 are linked to a1 … a4, and their own order would cross every one of these links
    pairs = [("s", f"a{n}") for n in range(1, 5)]
    pairs += [(f"a{n}", f"b{5 - n}") for n in range(1, 5)]
    nodes = ["s", *(f"a{n}" for n in range(1, 5)), *(f"b{n}" for n in range(1, 5))]
    placed = place(nodes, pairs, ["s"])
    rows = [(placed[one].row, placed[other].row) for one, other in pairs[4:]]
    assert all(one == other for one, other in rows)


def test_no_two_things_share_a_place_and_tall_columns_are_split() -> None:
    nodes = ["hub", *(f"n{n:03}" for n in range(60))]
    placed = place(nodes, [("hub", node) for node in nodes[1:]], ["hub"])
    assert len(set(placed.values())) == len(nodes)
    assert max(spot.row for spot in placed.values()) < 16
    assert max(spot.column for spot in placed.values()) == 4


@pytest.mark.parametrize("given", [[], ["not there"], ["n1", "n1"]])
def test_given_things_that_are_not_drawn_cost_nothing(given: list[str]) -> None:
    assert set(place(["n1", "n2"], [("n1", "n2")], given)) == {"n1", "n2"}


def test_an_empty_graph_has_no_places() -> None:
    assert place([], [], ["a"]) == {}


def overlapping(drawn: Drawing) -> list[tuple[str, str]]:
    def apart(one: Box, other: Box) -> bool:
        wide = abs(one.x - other.x) >= (one.width + other.width) / 2
        return wide or abs(one.y - other.y) >= (one.height + other.height) / 2

    boxes = drawn.boxes
    return [(a.id, b.id) for n, a in enumerate(boxes) for b in boxes[n + 1 :] if not apart(a, b)]


def test_evidence_is_one_link_a_sentence_between_boxes_that_do_not_overlap(linked: Answer) -> None:
    drawn = draw_evidence(linked)
    assert [link.key for link in drawn.links] == [item.key for item in linked.evidence]
    ends = {end for link in drawn.links for end in (link.source, link.target)}
    assert ends == {box.id for box in drawn.boxes}
    assert overlapping(drawn) == []


def test_everything_drawn_lies_within_the_picture(linked: Answer) -> None:
    drawn = draw_evidence(linked)
    for box in drawn.boxes:
        assert box.width / 2 < box.x < drawn.width - box.width / 2
        assert box.height / 2 < box.y < drawn.height - box.height / 2
    assert all(0 < link.x < drawn.width and 0 < link.y < drawn.height for link in drawn.links)


def test_the_question_s_things_are_marked_and_stand_at_the_sides(linked: Answer) -> None:
    boxes = {box.name: box for box in draw_evidence(linked).boxes}
    given = [box for box in boxes.values() if box.role == "given"]
    assert {box.name for box in given} == {"PCSK9", "Hypercholesterolemia"}
    others = [box.x for box in boxes.values() if box.role != "given"]
    assert boxes["PCSK9"].x < min(others)
    assert boxes["Hypercholesterolemia"].x > max(others)
    assert boxes["alirocumab"].role == "answer"
    assert boxes["Triglycerides"].role == ""


def test_the_same_evidence_in_another_order_has_the_same_picture(linked: Answer) -> None:
    shuffled = list(linked.evidence)
    random.Random(7).shuffle(shuffled)
    one, other = draw_evidence(linked), draw_evidence(replace(linked, evidence=tuple(shuffled)))
    assert {box.id: box for box in one.boxes} == {box.id: box for box in other.boxes}
    assert (one.width, one.height) == (other.width, other.height)


def test_several_statements_on_the_same_two_things_are_drawn_apart(linked: Answer) -> None:
    first = linked.evidence[0]
    twice = replace(linked, evidence=(first, replace(first, key="E99")))
    one, other = draw_evidence(twice).links
    assert one.path != other.path
    assert abs(one.x - other.x) >= 30.0 or abs(one.y - other.y) >= 18.0  # a label's size


def test_a_statement_of_a_thing_on_itself_is_a_loop(linked: Answer) -> None:
    edge = linked.evidence[0].edges[0]
    own = replace(linked.evidence[0], edges=(replace(edge, object=edge.subject),))
    drawn = draw_evidence(replace(linked, evidence=(own,)))
    assert len(drawn.boxes) == 1
    assert drawn.links[0].x > drawn.boxes[0].x + drawn.boxes[0].width / 2
    assert drawn.links[0].x < drawn.width


def test_an_answer_without_evidence_has_an_empty_picture(linked: Answer) -> None:
    drawn = draw_evidence(replace(linked, evidence=()))
    assert (drawn.boxes, drawn.links) == ((), ())


def test_text_mining_is_told_apart_only_where_nothing_else_says_it(linked: Answer) -> None:
    item = linked.evidence[0]
    mined = replace(item.edges[0], agent_type="text_mining_agent")
    both = replace(item, edges=(mined, item.edges[0]))
    alone = replace(item, edges=(mined,))
    assert not draw_evidence(replace(linked, evidence=(both,))).links[0].mined
    assert draw_evidence(replace(linked, evidence=(alone,))).links[0].mined


def test_a_long_name_is_cut_in_its_box_and_kept_whole_beside_it(linked: Answer) -> None:
    item = linked.evidence[0]
    edge = replace(item.edges[0], object=replace(item.edges[0].object, name="x" * 300))
    drawn = draw_evidence(replace(linked, evidence=(replace(item, edges=(edge,)),)))
    box = next(box for box in drawn.boxes if box.name == "x" * 300)
    assert box.label == "x" * 23 + "…"
    assert box.width < 220


def test_the_hops_of_a_plan_have_labels_beside_its_boxes_not_on_them(linked: Answer) -> None:
    assert linked.plan is not None
    drawn = draw_plan(linked.plan)
    places = [(link.x, link.y - 10.0) for link in drawn.links]
    assert len(set(places)) == len(linked.plan.edges) == 3  # one passes the node between
    for x, y in places:
        assert 0 < y < drawn.height
        assert not any(
            abs(box.x - x) < box.width / 2 and abs(box.y - y) < box.height / 2
            for box in drawn.boxes
        )


def test_a_plan_shows_what_is_given_what_is_sought_and_each_hop() -> None:
    plan = QueryPlan(
        template="t",
        title="T",
        kind="one",
        nodes=(
            QueryNode("drug", ("biolink:SmallMolecule",), ("CHEBI:1",), "metformin"),
            QueryNode("gene", ("biolink:Gene",)),
            QueryNode("idle", ("biolink:Cell",)),
        ),
        edges=(QueryEdge("hop", "drug", "gene", ("biolink:affects", "biolink:regulates")),),
        answer_node="gene",
        answer_categories=("biolink:Gene",),
    )
    drawn = draw_plan(plan)
    assert [(box.label, box.role) for box in drawn.boxes] == [
        ("metformin", "given"),
        ("any Gene", "answer"),
    ]
    assert [link.label for link in drawn.links] == ["hop: affects +1"]
    assert drawn.kinds == ("gene", "drug")


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        ("Gene", "gene"),
        ("Protein", "gene"),
        ("SequenceVariant", "gene"),
        ("Drug", "drug"),
        ("SmallMolecule", "drug"),
        ("ChemicalMixture", "drug"),
        ("Disease", "disease"),
        ("PhenotypicFeature", "disease"),
        ("Pathway", "process"),
        ("MolecularActivity", "process"),
        ("Cell", "other"),
        ("no such category", "other"),
    ],
)
def test_each_thing_has_the_colour_of_its_kind(category: str, kind: str) -> None:
    assert kind_of([f"biolink:{category}"]) == kind


def test_a_thing_without_a_category_is_of_the_other_kind() -> None:
    assert kind_of([]) == "other"
