"""The answer to "what links A and B" and "does A treat B": direct edges, then intermediates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.draft import Draft, Material
from fedrag.answer.lines import SHOWN, finish, say, shown, supported
from fedrag.answer.pair import against_pair, direct_items, is_against, treatment_lines
from fedrag.answer.verdict import verdict
from fedrag.answer.wording import (
    abstention,
    caveats,
    cited,
    joined,
    marks,
    reaches_all,
    text_mined,
)
from fedrag.datamodel import Candidate, Evidence, Sentence

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
    linking = [c for c in near if reaches_all(material, c)]
    if not direct and not linking:
        return _apart(material, near)
    told = treatment_lines if material.plan.treatment else _direct
    lines = told(material, direct) + _connected(material, linking, bool(direct))
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
        lines += verdict(material, direct)
        said = "A direct relation was" if len(yes) == 1 else "Direct relations were"
        weak = ", by text mining alone" if all(map(text_mined, yes)) else ""
        if weak or not lines:
            lines.append(say(f"{said} returned{weak} {marks(keys)}.", keys[:4]))
        lines += [say(cited(i), [i.key]) for i in yes[:SHOWN]]
    return lines + against_pair(material)


def _connected(material: Material, linking: Sequence[Candidate], direct: bool) -> list[Sentence]:
    if not linking:
        return []
    named, keys = _with_keys(material, linking[:_LISTED])
    best = linking[0]
    if direct:
        return [say(f"They are also connected through {named}.", keys), *shown(material, best)]
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
    keys = [[s.citations[0] for s in shown(material, c)][:4] for c in candidates]
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
