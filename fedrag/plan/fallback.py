"""Where no template can be asked: a shortest path of categories over the meta-knowledge graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from fedrag.datamodel import AnswerKind, Entity, QueryEdge, QueryNode, QueryPlan
from fedrag.metakg import MetaKG, Step
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import asks_treatment, assign, bound_node, named, unused_notes
from fedrag.plan.families import categories_to_ask
from fedrag.plan.wording import Wording

__all__ = ["path_plan"]

_CAP = 50  # nodes asked onwards on each hop
_MOST_STATIONS = 6  # categories asked together on a hop
TEMPLATE = "shortest-path"

Route = tuple[Step, ...]


def path_plan(wording: Wording, entities: Sequence[Entity], metakg: MetaKG) -> QueryPlan | None:
    """A plan over the shortest path: from one entity to what is asked, or between two entities.

    ``None`` where there is no path of at most three hops, or nothing to connect.
    """
    if wording.asked:
        family = ANSWERS[wording.asked]
        return _to_category(wording, entities, metakg, family.categories, family.many)
    if len(entities) >= 2:
        return _between(wording, entities, metakg)
    return None


def _to_category(
    wording: Wording,
    entities: Sequence[Entity],
    metakg: MetaKG,
    goals: tuple[str, ...],
    many: str,
) -> QueryPlan | None:
    for position, entity in enumerate(entities):
        routes = _shortest(metakg, categories_to_ask(entity), goals)
        if not routes:
            continue
        stations = _stations(routes)
        nodes = [bound_node("given", position, entities)]
        nodes += [QueryNode(f"step{n}", categories=c) for n, c in enumerate(stations[:-1], 1)]
        nodes.append(QueryNode("answer", categories=goals))
        kind: AnswerKind = "list" if wording.several or not wording.best else "one"
        return assign(
            QueryPlan(
                template=TEMPLATE,
                title="Shortest path over the meta-knowledge graph",
                kind=kind,
                nodes=tuple(nodes),
                edges=_chain([node.key for node in nodes]),
                answer_node="answer",
                answer_categories=goals,
                understood=f"{many} that are related to {named(entity)}{_via(stations[:-1])}",
                notes=(_note(routes), *unused_notes(entities, (position,))),
            ),
            metakg,
        )
    return None


def _between(wording: Wording, entities: Sequence[Entity], metakg: MetaKG) -> QueryPlan | None:
    """Both ends at once, joined in the middle."""
    first, second = entities[0], entities[1]
    routes = _shortest(metakg, categories_to_ask(first), categories_to_ask(second))
    if not routes:
        return None
    stations = _stations(routes)[:-1]
    nodes = [
        bound_node("a", 0, entities),
        *(QueryNode(f"step{n}", categories=c) for n, c in enumerate(stations, 1)),
        bound_node("b", 1, entities),
    ]
    return assign(
        QueryPlan(
            template=TEMPLATE,
            title="Shortest path over the meta-knowledge graph",
            kind="relation",
            nodes=tuple(nodes),
            edges=_from_both_ends([node.key for node in nodes]),
            answer_node=nodes[1].key,
            answer_categories=nodes[1].categories,
            also_answer=tuple(node.key for node in nodes[2:-1]),
            treatment=asks_treatment((first, second), wording),
            understood=f"what links {named(first)} and {named(second)}{_via(stations)}",
            notes=(_note(routes), *unused_notes(entities, (0, 1))),
        ),
        metakg,
    )


def _shortest(metakg: MetaKG, starts: Sequence[str], goals: Sequence[str]) -> list[Route]:
    """All routes of the fewest hops between any of the categories, the best known first."""
    routes = [r for a, b in product(starts, goals) for r in metakg.paths(a, b)]
    fewest = min((len(route) for route in routes), default=0)
    return [route for route in routes if len(route) == fewest]


def _stations(routes: Sequence[Route]) -> list[tuple[str, ...]]:
    """What each hop arrives at. One station in between may be of several kinds, two are not mixed:
    the kinds of one need not lead to those of the other."""
    if len(routes[0]) > 2:
        return [(step.object,) for step in routes[0]]
    hops = zip(*routes, strict=True)
    return [tuple(dict.fromkeys(step.object for step in hop))[:_MOST_STATIONS] for hop in hops]


def _chain(keys: Sequence[str]) -> tuple[QueryEdge, ...]:
    return tuple(
        QueryEdge(
            key=f"hop{wave}",
            subject=here,
            object=there,
            wave=wave,
            cap=_CAP if wave > 1 else None,
            from_node=here,
        )
        for wave, (here, there) in enumerate(pairwise(keys), 1)
    )


def _from_both_ends(keys: Sequence[str]) -> tuple[QueryEdge, ...]:
    """First hops from both given entities, the middle one (of three hops) after them."""
    hops = list(pairwise(keys))
    edges = []
    for number, (here, there) in enumerate(hops, 1):
        middle = 1 < number < len(hops)
        last = number == len(hops) and number > 1
        edges.append(
            QueryEdge(
                key=f"hop{number}",
                subject=here,
                object=there,
                wave=2 if middle else 1,
                cap=_CAP if middle else None,
                from_node=there if last else here,
            )
        )
    return tuple(edges)


def _via(stations: Sequence[tuple[str, ...]]) -> str:
    if not stations:
        return ""
    return " through " + ", then ".join(_words(station) for station in stations)


def _words(categories: Sequence[str]) -> str:
    return " or ".join(category.removeprefix("biolink:") for category in categories)


def _note(routes: Sequence[Route]) -> str:
    route = routes[0]
    names = [route[0].subject, *(step.object for step in route)]
    path = " – ".join(name.removeprefix("biolink:") for name in names)
    return f"no template could be asked; the shortest path of the meta-knowledge graph is {path}"
