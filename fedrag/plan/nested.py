"""Questions of two hops: "drugs that target genes of X", "drugs with the same target as X".

A part of such a question ("genes of X") stands for things that are not named. It is taken out, and
planned as it would be if it were asked alone; what is left is planned as if one such thing were
given. What a question says beyond that is not answered, and is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.datamodel import Entity, QueryEdge
from fedrag.errors import PlanError
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import named
from fedrag.plan.parts import BETWEEN, SAME, find_part
from fedrag.plan.select import Selection, select, with_variant
from fedrag.plan.template import Graph, Template, TemplateNode
from fedrag.plan.templates import load_templates
from fedrag.plan.wording import Wording

__all__ = ["two_hops"]

_CAP = 50  # things in between that are asked onwards
# What leads on from a treatment: harm does not.
_HELPS = frozenset(
    f"biolink:{name}"
    for name in (
        "treats",
        "treats_or_applied_or_studied_to_treat",
        "ameliorates_condition",
        "preventative_for_condition",
        "associated_with_decreased_likelihood_of",
    )
)


def two_hops(wording: Wording, entities: Sequence[Entity]) -> Selection | None:
    """The template of two hops that a question asks for; ``None`` where it asks for no such thing
    or one of the hops is no known question.

    :raises PlanError: it asks for what is shared with a thing, and names others beside it.
    """
    part = find_part(wording)
    if part is None:
        return None
    if len(entities) > 1:
        if SAME.search(wording.masked[: part.end]):
            raise _mixed(wording, entities)
        return None
    inner = _alone(wording, wording.masked[part.start : part.end], part.family, entities[0])
    token, category = BETWEEN[part.family][1:]
    said = wording.masked[: part.start] + token + wording.masked[part.end :]
    between = Entity("", -1, -1, "", "", (category,), "exact")
    outer = _alone(wording, said, wording.asked or "", between)
    if inner is None or outer is None:
        return None
    return Selection(_joined(inner, outer, ANSWERS[part.family].categories), {"given": 0}, 0)


def _alone(wording: Wording, masked: str, asked: str, entity: Entity) -> Template | None:
    """What a part asks by itself, where that is one hop."""
    part = replace(wording, masked=masked.strip(), asked=asked)
    fitting = [t for t in load_templates() if len(t.slots) == 1]
    for selection in select(fitting, part, [entity]):
        template = with_variant(selection.template, part)
        if len(template.graph.edges) == 1 and not template.graph.also_answer:
            many = ANSWERS[asked].many
            return replace(template, understood=template.understood.replace("{askeds}", many))
    return None


def _joined(inner: Template, outer: Template, kinds: tuple[str, ...]) -> Template:
    """Both hops in one: from the given thing to those in between, and on to the answer.

    :param kinds: the categories of what is in between where the first hop names none.
    """
    near = _renamed(inner, {inner.slots[0][0]: "given"}, "between", "near")
    far = _renamed(outer, {outer.slots[0][0]: "between"}, "answer", "far")
    categories = inner.graph.node(inner.graph.answer_node).categories or kinds
    if far.qualifiers:
        categories = categories[:1]  # TRAPI allows qualifiers on one category at each end only
    answer = outer.graph.node(outer.graph.answer_node)
    graph = Graph(
        nodes=(
            TemplateNode("given", slot="given"),
            TemplateNode("between", categories=categories),
            TemplateNode("answer", categories=answer.categories, asked=answer.asked),
        ),
        edges=(near, replace(far, wave=2, cap=_CAP)),
        answer_node="answer",
        answer_categories=outer.graph.answer_categories,
    )
    given = inner.understood.replace(f"{{{inner.slots[0][0]}}}", "{given}")
    return Template(
        id=f"{inner.id}+{outer.id}",
        title=f"{inner.title}, then {outer.title[0].lower()}{outer.title[1:]}",
        understood=outer.understood.replace(f"{{{outer.slots[0][0]}}}", f"any of the {given}"),
        kind=outer.kind,
        slots=(("given", inner.slots[0][1]),),
        graph=graph,
        examples=(),
    )


def _renamed(template: Template, ends: dict[str, str], answer: str, key: str) -> QueryEdge:
    """A template's only edge between nodes of other names; without harm, which leads nowhere."""
    edge = template.graph.edges[0]
    ends = ends | {template.graph.answer_node: answer}
    predicates = edge.predicates
    if template.treatment:
        predicates = tuple(p for p in predicates if p in _HELPS) or predicates
    return replace(
        edge,
        key=key,
        subject=ends[edge.subject],
        object=ends[edge.object],
        from_node=ends[edge.from_node],
        predicates=predicates,
    )


def _mixed(wording: Wording, entities: Sequence[Entity]) -> PlanError:
    many = ANSWERS[wording.asked].many if wording.asked else "things"
    names = ", ".join(named(entity) for entity in entities)
    return PlanError(
        f"understood: {many}, with {names}; but what is shared with one of them cannot be asked "
        "together with the others",
        hint="ask for what is shared first, and look for the other among the candidates",
    )
