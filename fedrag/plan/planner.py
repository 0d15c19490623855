"""The front of planning: question and entities in, a :class:`QueryPlan` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.datamodel import Entity, QueryPlan
from fedrag.errors import PlanError
from fedrag.metakg import MetaKG
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import build, can_start, named
from fedrag.plan.exclusion import check_exclusions
from fedrag.plan.fallback import path_plan
from fedrag.plan.families import families_of
from fedrag.plan.legs import check_alternatives, with_legs
from fedrag.plan.nested import two_hops
from fedrag.plan.select import Selection, fill_slots, select, with_variant
from fedrag.plan.template import Template
from fedrag.plan.templates import load_templates
from fedrag.plan.unanswered import check_two_questions, unanswered, unlimited
from fedrag.plan.wording import Wording, read_wording

__all__ = ["plan"]

# What can be asked of one entity of a family, for a question that did not say.
_IDEAS = {
    "chemical": "What are the targets of {name}? Which diseases does {name} treat?",
    "gene": "Which diseases are associated with {name}? Which drugs target {name}?",
    "disease": "Which genes are associated with {name}? Which drugs treat {name}?",
    "variant": "Which drugs work against {name}? What is known about {name}?",
    "process": "Which genes take part in {name}? Which drugs affect {name}?",
}


def plan(
    question: str,
    entities: Sequence[Entity],
    metakg: MetaKG,
    *,
    template: str | None = None,
) -> QueryPlan:
    """What will be asked of whom to answer a question.

    The template that fits best and that some service can start is taken; then the general ones (one
    hop, a relation, an intersection), then a shortest path over the meta-knowledge graph. The same
    question and entities always give the same plan.

    :param entities: the mentions of the question, resolved.
    :param template: force one template by its id (``id:variant`` for a variant of it).
    :raises PlanError: nothing can be planned, no service can be asked, or the question asks for
        what does not hold or excludes something; the message says what was understood.
    """
    distinct = _distinct(entities)
    if not distinct:
        raise PlanError(
            "no entity was recognised in the question, so there is nothing to ask about",
            hint="name a gene, drug, disease or process, or pin one with --entity NAME=CURIE",
        )
    wording = read_wording(question, distinct)
    ignored = check_exclusions(wording, distinct)
    check_two_questions(wording, distinct)
    if template is not None:
        chosen = _forced(template, wording, distinct)
        legs = with_legs(chosen.template, chosen.filled, distinct, wording)
        made = _askable(build(legs, chosen.filled, distinct, wording, metakg))
    else:
        made = _planned(wording, distinct, metakg)
    if made.must_reach_all:
        check_alternatives(wording, distinct)
    beyond = unanswered(wording, joined="+" in made.template)
    return replace(
        made,
        notes=(*made.notes, *ignored.values()),
        unapplied=(*_left_out(made, distinct), *ignored, *beyond, *unlimited(made, wording)),
    )


def _left_out(made: QueryPlan, entities: Sequence[Entity]) -> tuple[str, ...]:
    """The mentions of the entities that a plan does not use."""
    used = {node.entity for node in made.nodes}
    return tuple(entity.mention for n, entity in enumerate(entities) if n not in used)


def _planned(wording: Wording, entities: Sequence[Entity], metakg: MetaKG) -> QueryPlan:
    if chosen := two_hops(wording, entities):
        made = build(chosen.template, chosen.filled, entities, wording, metakg)
        if can_start(made):
            return made
    ranked = select(load_templates(), wording, entities)
    first: QueryPlan | None = None
    for selection in ranked:
        if first is not None and not selection.template.general:
            continue  # it would answer another question than the one that was understood
        template = with_variant(selection.template, wording)
        template = with_legs(template, selection.filled, entities, wording)
        made = build(template, selection.filled, entities, wording, metakg)
        if can_start(made):
            return made
        first = first or made
    if path := path_plan(wording, entities, metakg):
        return _askable(path)
    if first is not None:
        return _askable(first)
    raise _not_understood(wording, entities)


def _distinct(entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Entities in their order, each thing once."""
    return tuple({entity.curie: entity for entity in reversed(entities)}.values())[::-1]


def _forced(name: str, wording: Wording, entities: Sequence[Entity]) -> Selection:
    chosen = _by_id(name, wording)
    filled = fill_slots(chosen, entities)
    if filled is None:
        wanted = ", ".join(f"{slot} ({family})" for slot, family in chosen.slots)
        raise PlanError(
            f"the template {name!r} needs {wanted}; recognised were {_listed(entities)}",
            hint="pin what is missing with --entity NAME=CURIE",
        )
    if wording.asked is None and any(node.asked for node in chosen.graph.nodes):
        raise PlanError(
            f"the template {name!r} needs a kind of thing to ask for, and the question names none",
            hint="ask 'Which genes ...', 'Which drugs ...'",
        )
    return Selection(chosen, filled, 0)


def _by_id(name: str, wording: Wording) -> Template:
    known = load_templates()
    for template in known:
        if template.id == name:
            return with_variant(template, wording)
        for variant in template.variants:
            if f"{template.id}:{variant.id}" == name:
                return template.as_variant(variant)
    ids = ", ".join(template.id for template in known)
    raise PlanError(f"there is no template {name!r}", hint=f"there are: {ids}")


def _askable(made: QueryPlan) -> QueryPlan:
    """The plan, unless nobody can be asked its first hop."""
    if can_start(made):
        return made
    services = dict.fromkeys(a.service for a in made.assignments)
    if not services:
        raise PlanError(
            f"understood: {made.understood}; but there is no knowledge service to ask",
            hint="add one with [services.NAME] protocol = 'trapi', base_url = '...'",
        )
    reasons = {a.service: a.reason for a in reversed(made.assignments)}
    told = "; ".join(f"{name} {reasons[name]}" for name in services)
    raise PlanError(
        f"understood: {made.understood}; but no service can be asked: {told}",
        hint="see fedrag services and fedrag metakg list",
    )


def _not_understood(wording: Wording, entities: Sequence[Entity]) -> PlanError:
    asked = f", and {ANSWERS[wording.asked].many} are asked for" if wording.asked else ""
    idea = next(
        (_IDEAS[f].format(name=e.name) for e in entities for f in families_of(e) if f in _IDEAS),
        f"Which genes are related to {entities[0].name}?",
    )
    return PlanError(
        f"understood: {_listed(entities)}{asked}; but not what is asked about "
        f"{'it' if len(entities) == 1 else 'them'}",
        hint=f"ask for a kind of thing, for example: {idea}",
    )


def _listed(entities: Sequence[Entity]) -> str:
    return ", ".join(named(entity) for entity in entities)
