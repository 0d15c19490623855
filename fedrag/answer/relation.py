"""The answer to "what links A and B" and "does A treat B": direct edges, then intermediates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.draft import Draft, Material
from fedrag.answer.in_place import is_of_gene, of_gene
from fedrag.answer.lines import SHOWN, finish, say, shown, supported
from fedrag.answer.pair import against_pair, direct_items, is_against, treatment_lines
from fedrag.answer.verdict import verdict
from fedrag.answer.wording import (
    abstention,
    caveats,
    cited,
    joined,
    marks,
    reached_by,
    reaches_all,
    text_mined,
    unseen_ends,
)
from fedrag.datamodel import Candidate, Evidence, Sentence
from fedrag.evidence.contexts import given_context
from fedrag.evidence.scope import Scope

__all__ = ["relation"]

_LISTED = 7  # intermediates named


def relation(material: Material) -> Draft:
    """Direct edges first, then what connects the given entities; what is missing is never "no".

    Where a treatment is asked about, what supports it, trials, and what speaks against it are told
    apart. An abstention when nothing joins the given entities: what touches one alone is only
    named.
    """
    direct = direct_items(material)
    seen = {i.key for i in direct}
    near = [c for c, keys in supported(material) if set(keys) - seen]
    linking = [c for c in near if reaches_all(material, c)] or _joining_most(material, near)
    if not direct and not linking:
        return _apart(material, near)
    told = treatment_lines if material.plan.treatment else _direct
    lines = told(material, direct) + _connected(material, linking, bool(direct))
    lines = _with_unlinked(material, direct, near, lines)
    best = linking[0] if linking and not direct else None
    draft = Draft(
        "relation",
        "",
        name=best.name if best else None,
        curie=best.curie if best else None,
        items=tuple(c.name for c in linking[:_LISTED]),
    )
    return finish(material, draft, lines)


def _direct(material: Material, direct: Sequence[Evidence]) -> list[Sentence]:
    yes = [i for i in direct if not is_against(i)]
    lines: list[Sentence] = []
    if yes:
        keys = [i.key for i in yes]
        placed = _of_gene(material, yes)
        lines += [] if placed else verdict(material, direct)
        said = "A direct relation was" if len(yes) == 1 else "Direct relations were"
        weak = ", by text mining alone" if all(map(text_mined, yes)) else ""
        if weak or not lines:
            lines.append(say(f"{said} returned{weak}{placed} {marks(keys)}.", keys[:4]))
        lines += [say(cited(i), [i.key]) for i in yes[:SHOWN]]
    return lines + against_pair(material)


def _of_gene(material: Material, items: Sequence[Evidence]) -> str:
    """That these relations are a gene's, which was asked about in place of its variant."""
    plan = material.plan
    scope = Scope.of(plan, material.entities)
    of = any(is_of_gene(item, plan, scope) for item in items)
    return f", {of_gene(plan)}" if of else ""


def _joining_most(material: Material, near: Sequence[Candidate]) -> list[Candidate]:
    """Of three things or more: what joins the same ones as the best candidate that joins two."""
    joining = [c for c in near if len(reached_by(material, c)) > 1]
    return [c for c in joining if reached_by(material, c) == reached_by(material, joining[0])]


def _with_unlinked(
    material: Material,
    direct: Sequence[Evidence],
    near: Sequence[Candidate],
    lines: Sequence[Sentence],
) -> list[Sentence]:
    """The lines, opened by the given entities that nothing returned joins to the others."""
    count = range(len(material.entities))
    scope = Scope.of(material.plan, material.entities)
    joins = [{i for i in count if _names(material, d, i, scope)} for d in direct]
    groups: list[set[int]] = [{i} for i in count]
    for join in (*joins, *(set(reached_by(material, c)) for c in near)):
        touched = [group for group in groups if group & join]
        groups = [g for g in groups if not g & join]
        groups += [set().union(*touched)] if touched else []
    most = max(groups, key=len)
    alone = [e.name for i, e in enumerate(material.entities) if i not in most]
    if not alone or not lines:
        return list(lines)
    others = joined([e.name for i, e in enumerate(material.entities) if i in most], "or")
    text = (
        f"Nothing that links {joined(alone)} to {others} was returned, which is not to say that "
        f"there is none. {lines[0].text}"
    )
    return [Sentence(text, lines[0].citations), *lines[1:]]


def _names(material: Material, item: Evidence, index: int, scope: Scope) -> bool:
    """Whether a statement is of a given entity: at one of its ends, or the disease it holds in."""
    curie = material.entities[index].curie
    return any(material.touches(e, index) or given_context(e, scope) == curie for e in item.edges)


def _connected(material: Material, linking: Sequence[Candidate], direct: bool) -> list[Sentence]:
    if not linking:
        return []
    best = linking[0]
    reached = reached_by(material, best)
    among = sum(reached_by(material, c) >= reached for c in material.backed())
    named, keys = _with_keys(material, linking, among=among)
    ends = joined([e.name for i, e in enumerate(material.entities) if i in reached])
    if direct:
        they = "They" if reaches_all(material, best) else ends
        return [say(f"{they} are also connected through {named}.", keys), *shown(material, best)]
    best_keys = material.own_keys(best) or material.keys_for(best)
    text = (
        f"No direct edge between {ends} was returned, which is not to say that there is none; "
        f"they are connected through {named}."
    )
    weak = [say(f"{t} {marks(best_keys)}.", best_keys[:4]) for t in caveats(material, best)]
    return [*weak, say(text, keys), *shown(material, best)]


def _with_keys(
    material: Material, candidates: Sequence[Candidate], *, among: int = 0
) -> tuple[str, list[str]]:
    """The candidates in words, each with the keys that join it to the given entities.

    Those whose whole way is not on the page are counted.

    :param among: how many there are, on the page or not.
    """
    whole = [c for c in candidates if not unseen_ends(material, c)] or candidates[:1]
    listed = whole[:_LISTED]
    keys = [[s.citations[0] for s in shown(material, c)][:4] for c in listed]
    names = [f"{c.name} {marks(k)}" for c, k in zip(listed, keys, strict=True)]
    if (rest := among - len(listed)) > 0:
        names.append(f"{rest:,} more that this text does not show")
    return joined(names), [key for group in keys for key in group]


def _apart(material: Material, near: Sequence[Candidate]) -> Draft:
    """Nothing joins the given entities: an abstention that names what touches each alone."""
    ends = joined([e.name for e in material.entities])
    text = abstention(material, f"Nothing that connects {ends} was returned")
    lines = []
    for index, entity in enumerate(material.entities):
        ids = material.entity_ids(index)
        if touching := [c for c in near if ids & set(c.reaches)][:3]:
            named, keys = _with_keys(material, touching)
            lines.append(say(f"Connected to {entity.name} alone: {named}.", keys))
    draft = Draft("relation", "", abstained=True, sentences=tuple(lines))
    return replace(draft, text=" ".join([text, *(line.text for line in lines)]))
