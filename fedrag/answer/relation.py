"""The answer to "what links A and B": direct edges, then the intermediates that connect them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.draft import Draft, Material
from fedrag.answer.lines import SHOWN, finish, say, shown, supported
from fedrag.answer.wording import abstention, caveats, cited, joined, marks, plural, reaches_all
from fedrag.datamodel import Candidate, Evidence, Sentence

__all__ = ["relation"]

_LISTED = 7  # intermediates named


def relation(material: Material) -> Draft:
    """Direct edges first, then what connects the given entities; what is missing is never "no".

    An abstention when nothing joins them: what touches one of them alone is then only named.
    """
    direct = [i for i in material.evidence if i.key and _joins(material, i)]
    yes = [i for i in direct if i.polarity != "against" and not i.edges[0].negated]
    no = [i for i in direct if i not in yes]
    seen = {i.key for i in direct}
    near = [c for c, keys in supported(material) if set(keys) - seen]
    linking = [c for c in near if reaches_all(material, c)]
    if not direct and not linking:
        return _apart(material, near)
    lines = _direct(yes, no) + _connected(material, linking, bool(yes))
    best = linking[0] if linking and not yes else None
    draft = Draft(
        "relation",
        "",
        name=best.name if best else None,
        curie=best.curie if best else None,
        items=tuple(c.name for c in linking[:_LISTED]),
    )
    return finish(material, draft, lines)


def _joins(material: Material, item: Evidence) -> bool:
    """Whether an edge joins two of the question's entities directly."""
    count = range(len(material.entities))
    return any(sum(material.touches(edge, i) for i in count) > 1 for edge in item.edges)


def _direct(yes: list[Evidence], no: list[Evidence]) -> list[Sentence]:
    lines = []
    if yes:
        many = len(yes)
        verb = "states" if many == 1 else "state"
        text = f"{plural(many, 'returned edge')} {verb} a direct relation {marks(_keys(yes))}."
        lines.append(say(text, _keys(yes)[:4]))
        lines += [say(cited(i), [i.key]) for i in yes[:SHOWN]]
    if no:
        named = "; ".join(cited(i).rstrip(".") for i in no[:SHOWN])
        lines.append(say(f"Evidence against: {named}.", _keys(no)[:SHOWN]))
    return lines


def _keys(items: Sequence[Evidence]) -> list[str]:
    return [i.key for i in items]


def _connected(material: Material, linking: Sequence[Candidate], direct: bool) -> list[Sentence]:
    if not linking:
        return []
    named, keys = _with_keys(material, linking[:_LISTED])
    if direct:
        return [say(f"They are also connected through {named}.", keys)]
    best = linking[0]
    best_keys = material.own_keys(best) or material.keys_for(best)
    ends = joined([e.name for e in material.entities])
    text = (
        f"No direct edge between {ends} was returned, which is not to say that there is none; "
        f"they are connected through {named}."
    )
    weak = [say(f"{t} {marks(best_keys)}.", best_keys[:4]) for t in caveats(material, best)]
    return [*weak, say(text, keys), *shown(material, best)]


def _with_keys(material: Material, candidates: Sequence[Candidate]) -> tuple[str, list[str]]:
    """The candidates in words, each with the keys that join it to the given entities."""
    keys = [[s.citations[0] for s in shown(material, c)][:2] for c in candidates]
    named = joined([f"{c.name} {marks(k)}" for c, k in zip(candidates, keys, strict=True)])
    return named, [key for group in keys for key in group]


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
