"""The evidence and the plan as drawings, for the templates: what is a box, what is a link.

Nothing here is markup. Names from outside stay plain text, which the templates escape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fedrag.biolink import biolink
from fedrag.datamodel import Answer, EdgeNode, Evidence, QueryEdge, QueryNode, QueryPlan
from fedrag.web.page.geometry import Box, Drawing, Hop, box, draw
from fedrag.web.page.layout import place

__all__ = ["draw_evidence", "draw_plan", "kind_of"]

_KINDS = (
    ("gene", ("biolink:GeneOrGeneProduct", "biolink:GeneFamily", "biolink:SequenceVariant")),
    ("drug", ("biolink:ChemicalEntity",)),
    ("disease", ("biolink:DiseaseOrPhenotypicFeature",)),
    ("process", ("biolink:BiologicalProcessOrActivity",)),
)


def kind_of(categories: Sequence[str]) -> str:
    """Which of five kinds the categories make a thing: they share a colour.

    >>> kind_of(["biolink:SmallMolecule"]), kind_of(["biolink:Cell"])
    ('drug', 'other')
    """
    for kind, ancestors in _KINDS:
        if any(biolink().is_a(categories, ancestor) for ancestor in ancestors):
            return kind
    return "other"


# --- evidence -----------------------------------------------------------------------------------


def draw_evidence(answer: Answer) -> Drawing:
    """Each keyed sentence as one link between the things that it speaks of."""
    keyed = [item for item in answer.evidence if item.edges]
    ends = _ends(keyed)
    given = [entity.curie for entity in answer.entities]
    answers = set(_named(answer))
    pairs = [_pair(item) for item in keyed]
    placed = place(sorted(ends, key=lambda c: (ends[c].name.lower(), c)), pairs, given)
    boxes = {
        curie: box(curie, end.name, curie, kind_of(end.categories), _role(curie, given, answers))
        for curie, end in ends.items()
    }
    return draw(boxes, placed, [_statement(item) for item in keyed])


def _statement(item: Evidence) -> Hop:
    mined = all(edge.agent_type.startswith("text_mining") for edge in item.edges)
    return Hop(
        item.key,
        *_pair(item),
        title=item.sentence,
        label=item.key,
        polarity=item.polarity,
        weight=round(item.rank, 3),
        mined=mined,
    )


def _named(answer: Answer) -> list[str]:
    """The candidates that the answer puts forward."""
    if answer.abstained:
        return []
    return [c.curie for c in answer.candidates if c.curie == answer.curie or c.name in answer.items]


def _ends(keyed: Iterable[Evidence]) -> dict[str, EdgeNode]:
    ends: dict[str, EdgeNode] = {}
    for item in keyed:
        for end in (item.edges[0].subject, item.edges[0].object):
            ends.setdefault(_where(end), end)
    return ends


def _where(end: EdgeNode) -> str:
    return end.canonical or end.curie


def _pair(item: Evidence) -> tuple[str, str]:
    edge = item.edges[0]  # the others say the same of the same two, by other sources
    return _where(edge.subject), _where(edge.object)


def _role(curie: str, given: Sequence[str], answers: set[str]) -> str:
    if curie in given:
        return "given"
    return "answer" if curie in answers else ""


# --- plan ---------------------------------------------------------------------------------------


def draw_plan(plan: QueryPlan) -> Drawing:
    """The query graph: what is given, what is looked for, and the hops between."""
    given = [node.key for node in plan.nodes if node.ids]
    touched = {key for edge in plan.edges for key in (edge.subject, edge.object)}
    nodes = [node for node in plan.nodes if node.key in touched]
    pairs = [(edge.subject, edge.object) for edge in plan.edges]
    placed = place([node.key for node in nodes], pairs, given)
    boxes = {node.key: _query_box(node, plan) for node in nodes}
    return draw(boxes, placed, [_hop(edge) for edge in plan.edges])


def _query_box(node: QueryNode, plan: QueryPlan) -> Box:
    categories = " or ".join(c.removeprefix("biolink:") for c in node.categories[:2])
    name = (node.name or node.ids[0]) if node.ids else f"any {categories or 'thing'}"
    detail = ", ".join((*node.ids, *node.categories))
    wanted = node.key in (plan.answer_node, *plan.also_answer)
    role = "given" if node.ids else ("answer" if wanted else "")
    return box(node.key, name, detail, kind_of(node.categories), role)


def _hop(edge: QueryEdge) -> Hop:
    return Hop(edge.key, edge.subject, edge.object, _asked(edge), _label(edge), chip=False)


def _asked(edge: QueryEdge) -> str:
    predicates = ", ".join(p.removeprefix("biolink:") for p in edge.predicates) or "related_to"
    qualifiers = (f"{kind.removeprefix('biolink:')}={value}" for kind, value in edge.qualifiers)
    return "; ".join((f"{edge.key}: {predicates}", *qualifiers))


def _label(edge: QueryEdge) -> str:
    first = (edge.predicates or ("biolink:related_to",))[0]
    more = f" +{len(edge.predicates) - 1}" if len(edge.predicates) > 1 else ""
    return f"{edge.key}: {first.removeprefix('biolink:').replace('_', ' ')}{more}"
