"""Conditions that a candidate must meet all at once, each asked as it would be asked alone.

"Which drugs treat A and inhibit B?" is the drugs of a disease and the inhibitors of a gene: each
edge between the answer and a given entity takes predicates, qualifiers and direction from the
template that the words on that entity select by themselves, and harm is told from treatment there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fedrag.datamodel import Entity, QueryEdge
from fedrag.errors import PlanError
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import named
from fedrag.plan.lexicon import TOKEN
from fedrag.plan.select import select, with_variant
from fedrag.plan.template import Template, TemplateNode
from fedrag.plan.templates import load_templates
from fedrag.plan.wording import Wording

__all__ = ["check_alternatives", "with_legs"]

# Words between two mentions that say nothing new of the second one.
_JOINING = re.compile(
    r"(?:\W|\b(?:a|also|an|and|as|at|both|each|either|for|from|in|of|on|or|plus|simultaneously|the|"
    r"to|together|too|well|with)\b)*"
)
_EFFECT = re.compile(
    r"^[ -]*(?:partial |inverse |selective |negative |positive )?(?:ant)?(?:agonis|inhibit|block|"
    r"activat|modulat|stimulat|suppress|degrad|induc|potentiat|silenc)\w*"
)
_OR = re.compile(r"\b[A-Z]{4,},? or (?:[a-z]+ ){0,2}[A-Z]{4,}\b")


@dataclass(frozen=True, slots=True)
class _Leg:
    """One condition: the slot of its entity, the template it selects alone, and its edge."""

    slot: str
    template: Template
    edge: QueryEdge

    @property
    def categories(self) -> tuple[str, ...]:
        return self.template.graph.node(self.template.graph.answer_node).categories

    @property
    def understood(self) -> str:
        own = self.template.slots[0][0]
        return self.template.understood.replace(f"{{{own}}}", f"{{{self.slot}}}")


def with_legs(
    template: Template, filled: Mapping[str, int], entities: Sequence[Entity], wording: Wording
) -> Template:
    """The template with each condition asked as its own words say; others are left as they are.

    :raises PlanError: one condition asks for what speaks against another (treats A, harms B).
    """
    if not template.must_reach_all:
        return template
    slots = {node.key: node.slot for node in template.graph.nodes if node.slot}
    legs: dict[str, _Leg] = {}
    for edge in template.graph.edges:
        slot = _own_slot(edge, template.graph.answer_node, slots)
        if slot and (leg := _leg(slot, edge, entities[filled[slot]], wording)):
            legs[edge.key] = leg
    if not legs:
        return template
    _check_harm(list(legs.values()), {s: entities[n] for s, n in filled.items()}, wording)
    return _with(template, legs)


def _own_slot(edge: QueryEdge, answer: str, slots: Mapping[str, str]) -> str | None:
    """The slot whose entity an edge joins to the answer."""
    ends = {edge.subject, edge.object}
    return (
        next((slots[key] for key in ends - {answer} if key in slots), None)
        if (answer in ends)
        else None
    )


def _leg(slot: str, edge: QueryEdge, entity: Entity, wording: Wording) -> _Leg | None:
    """The condition on one entity, ``None`` where no template asks just for that."""
    alone = replace(wording, masked=_clause(entity, wording))
    fitting = [t for t in load_templates() if _is_single(t)]
    if not (found := select(fitting, alone, [entity])):
        return None
    template = with_variant(found[0].template, alone)
    hop = template.graph.edges[0]
    answer = edge.subject if edge.from_node == edge.object else edge.object
    ends = {template.graph.answer_node: answer}
    subject, obj = (ends.get(key, edge.from_node) for key in (hop.subject, hop.object))
    return _Leg(
        slot,
        template,
        replace(hop, key=edge.key, subject=subject, object=obj, from_node=edge.from_node),
    )


def _is_single(template: Template) -> bool:
    """Whether a template is one hop from one entity to a kind of thing."""
    graphs = (template.graph, *(variant.graph for variant in template.variants))
    return (
        not template.general
        and len(template.slots) == 1
        and all(len(graph.edges) == 1 and not graph.also_answer for graph in graphs)
    )


def _clause(entity: Entity, wording: Wording) -> str:
    """What the question says of one entity: the words before it, or before the ones it continues
    ("treat A and B"), the noun of an effect right after it ("A blockers"), and what ends the
    sentence."""
    tokens = list(TOKEN.finditer(wording.masked))
    names = {text.casefold() for text in (entity.mention, entity.name, entity.curie)}
    at = [n for n, mention in enumerate(wording.mentions) if mention.casefold() in names]
    if not at or at[0] >= len(tokens):
        return wording.masked
    starts = [0, *(token.end() for token in tokens)]
    said = [wording.masked[start : t.start()] for start, t in zip(starts, tokens, strict=False)]
    said = [said[0], *(_EFFECT.sub("", words, count=1) for words in said[1:])]
    own = next((s for s in said[at[0] :: -1] if _says_something(s)), said[0])
    tail = _EFFECT.sub("", wording.masked[tokens[-1].end() :], count=1)
    return f"{own}{tokens[at[0]].group()}{_effect(wording.masked, tokens[at[0] :])}{tail}"


def _effect(masked: str, tokens: Sequence[re.Match[str]]) -> str:
    """The noun of an effect after the first of these, or after what it is joined to ("A and B
    blockers")."""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if found := _EFFECT.match(masked[token.end() :]):
            return found.group()
        if following is None or not _JOINING.fullmatch(masked, token.end(), following.start()):
            break
    return ""


def _says_something(words: str) -> bool:
    return _JOINING.fullmatch(words) is None


def _check_harm(legs: Sequence[_Leg], given: Mapping[str, Entity], wording: Wording) -> None:
    treats = {p for leg in legs if leg.template.treatment for p in leg.edge.predicates}
    for leg in legs:
        asked = set(leg.edge.predicates)
        if not leg.template.treatment and asked and asked < treats:
            raise PlanError(
                f"understood: {_told(legs, given, wording)}; but what speaks for the one condition "
                "speaks against the other, so they cannot be asked together",
                hint="ask both apart, and compare the answers",
            )


def _told(legs: Sequence[_Leg], given: Mapping[str, Entity], wording: Wording) -> str:
    words = {slot: named(entity) for slot, entity in given.items()}
    many = ANSWERS[wording.asked].many if wording.asked else "things"
    return "; and ".join(leg.understood.format(**words, askeds=many, asked=many) for leg in legs)


def _with(template: Template, legs: Mapping[str, _Leg]) -> Template:
    graph = template.graph
    edges = tuple(legs[e.key].edge if e.key in legs else e for e in graph.edges)
    qualified = next((leg for leg in legs.values() if leg.edge.qualifiers), None)
    nodes = graph.nodes
    if qualified:  # TRAPI allows qualifiers on one category at each end only
        nodes = tuple(
            TemplateNode(n.key, categories=qualified.categories)
            if n.key == graph.answer_node
            else n
            for n in nodes
        )
    joined = {leg.slot for leg in legs.values()} == {slot for slot, _ in template.slots}
    return replace(
        template,
        graph=replace(graph, nodes=nodes, edges=edges),
        treatment=any(leg.template.treatment for leg in legs.values()),
        understood=_all_of(list(legs.values())) if joined else template.understood,
    )


def _all_of(legs: Sequence[_Leg]) -> str:
    first = legs[0]
    said = [first.understood]
    for leg in legs[1:]:
        same = leg.template.id == first.template.id
        said.append(f"likewise for {{{leg.slot}}}" if same else leg.understood)
    return f"{', and '.join(said)}; {'both' if len(legs) == 2 else 'all'} must hold"


def check_alternatives(wording: Wording, entities: Sequence[Entity]) -> None:
    """Refuse "A or B" where a plan would ask for both at once (``PlanError``)."""
    if _OR.search(wording.masked):
        names = " and ".join(entity.name or entity.mention for entity in entities)
        raise PlanError(
            f"understood: {', '.join(named(entity) for entity in entities)}; but 'or' between "
            "them asks two questions, and what is found would have to meet both",
            hint=f"ask about {names} apart",
        )
