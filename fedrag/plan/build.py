"""A chosen template and its entities → a :class:`QueryPlan`, with who is asked each edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from fedrag.datamodel import AnswerKind, Assignment, Entity, QueryNode, QueryPlan
from fedrag.metakg import MetaKG
from fedrag.plan.answers import ANSWERS
from fedrag.plan.families import (
    categories_to_ask,
    categories_to_serve,
    families_of,
    kind_word,
)
from fedrag.plan.lexicon import TREATS
from fedrag.plan.template import Graph, Template
from fedrag.plan.wording import Wording

__all__ = ["asks_treatment", "assign", "bound_node", "build", "can_start", "named", "unused_notes"]

# What is said of a drug that one would like to work where there is a variant.
_WANTED = r"{respond}|\b(?:get|gets|receive|receives|take|takes|use|used|uses)\b"


def build(
    template: Template,
    filled: Mapping[str, int],
    entities: Sequence[Entity],
    wording: Wording,
    metakg: MetaKG,
) -> QueryPlan:
    """The plan a filled template stands for. Nodes of the category asked for need ``asked``."""
    graph = template.graph
    asked = ANSWERS[wording.asked].categories if wording.asked else ()
    single = _single_ends(graph)
    nodes = []
    for node in graph.nodes:
        if node.slot is not None:
            bound = bound_node(node.key, filled[node.slot], entities)
            if node.key in single:
                bound = replace(bound, categories=bound.categories[:1])
            nodes.append(bound)
        else:
            nodes.append(QueryNode(node.key, categories=node.categories or asked))
    plan = QueryPlan(
        template=template.id,
        title=template.title,
        kind=_kind(template, wording),
        nodes=tuple(nodes),
        edges=graph.edges,
        answer_node=graph.answer_node,
        answer_categories=(),
        also_answer=graph.also_answer,
        must_reach_all=template.must_reach_all,
        treatment=template.treatment or _asks_treatment(template, filled, entities, wording),
        response=template.response,
        understood=_understood(template, filled, entities, wording),
        notes=unused_notes(entities, filled.values()),
    )
    categories = graph.answer_categories or plan.node(graph.answer_node).categories
    return assign(replace(plan, answer_categories=categories), metakg)


def _asks_treatment(
    template: Template, filled: Mapping[str, int], entities: Sequence[Entity], wording: Wording
) -> bool:
    given = [entities[position] for position in filled.values()]
    return template.kind == "relation" and asks_treatment(given, wording)


def asks_treatment(given: Sequence[Entity], wording: Wording) -> bool:
    """Whether how these are related asks if, or how, a drug among them treats a disease, or works
    where there is a variant."""
    families = [families_of(entity) for entity in given]
    pairs = list(permutations(families, 2))
    if any("chemical" in one and "variant" in other for one, other in pairs):
        return wording.has(rf"{TREATS}|{_WANTED}") and not wording.has("{resist}")
    pair = any("chemical" in one and "disease" in other for one, other in pairs)
    return pair and wording.has(TREATS)


def bound_node(key: str, position: int, entities: Sequence[Entity]) -> QueryNode:
    """The query node of a given entity."""
    entity = entities[position]
    return QueryNode(
        key=key,
        categories=categories_to_ask(entity),
        ids=(entity.curie,),
        name=entity.name,
        entity=position,
    )


def _single_ends(graph: Graph) -> set[str]:
    """Ends of edges with qualifiers: TRAPI allows these on one category at each end only."""
    qualified = [edge for edge in graph.edges if edge.qualifiers]
    return {key for edge in qualified for key in (edge.subject, edge.object)}


def _kind(template: Template, wording: Wording) -> AnswerKind:
    """One or several, as the question's number says; a relation stays one."""
    if template.kind == "relation" or wording.asked is None:
        return template.kind
    if wording.several:
        return "list"
    return "one" if wording.best else template.kind


def _understood(
    template: Template, filled: Mapping[str, int], entities: Sequence[Entity], wording: Wording
) -> str:
    family = ANSWERS.get(wording.asked or "")
    words = {slot: named(entities[position]) for slot, position in filled.items()}
    words["asked"] = family.one if family else "thing"
    words["askeds"] = family.many if family else "things"
    return template.understood.format(**words)


def named(entity: Entity) -> str:
    """An entity for people: ``Hydrochlorothiazide (drug)``."""
    return f"{entity.name or entity.mention} ({kind_word(entity)})"


def unused_notes(entities: Sequence[Entity], used: Iterable[int]) -> tuple[str, ...]:
    """One note for each entity that the plan leaves out."""
    positions = set(used)
    return tuple(
        f"{entity.mention!r} was recognised as {named(entity)}, but this plan does not use it"
        for position, entity in enumerate(entities)
        if position not in positions
    )


def assign(plan: QueryPlan, metakg: MetaKG) -> QueryPlan:
    """The plan with who is asked each edge, and why the others are not."""
    assignments = []
    for edge in plan.edges:
        subjects, objects = (_serving(plan.node(key)) for key in (edge.subject, edge.object))
        for service in metakg.services:
            asked, reason = metakg.serves(
                service,
                subjects,
                edge.predicates,
                objects,
                edge.qualifiers,
                onward=edge.wave > 1,
            )
            assignments.append(Assignment(edge.key, service.name, asked, reason))
    return replace(plan, assignments=tuple(assignments))


def _serving(node: QueryNode) -> tuple[str, ...]:
    return categories_to_serve(node.categories) if node.ids else node.categories


def can_start(plan: QueryPlan) -> bool:
    """Whether some service is asked a first hop."""
    asked = {a.edge for a in plan.assignments if a.asked}
    return any(edge.wave == 1 and edge.key in asked for edge in plan.edges)
