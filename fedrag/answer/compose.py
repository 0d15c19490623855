"""The answer without a language model: the best supported candidates, said with their evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fedrag.answer.against import against_others
from fedrag.answer.draft import Draft, Material
from fedrag.answer.in_place import of_gene
from fedrag.answer.lines import (
    abstain,
    against_sentences,
    finish,
    say,
    shown,
    supported,
    unsupported,
    ways,
)
from fedrag.answer.relation import relation
from fedrag.answer.wording import (
    caveats,
    cited,
    joined,
    marks,
    plural,
    status_told,
    status_words,
    unseen_ends,
)
from fedrag.datamodel import (
    Candidate,
    Completeness,
    Entity,
    Evidence,
    QueryPlan,
    Sentence,
    ServiceReport,
)

__all__ = ["compose", "compose_from"]

_LISTED = 7  # items of a list
_RUNNERS_UP = 3
_STEPS = 2  # of ways through other things, told of an item of a list
_TIE = 1e-9
_HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)


def compose(
    question: str,
    plan: QueryPlan,
    entities: Sequence[Entity],
    candidates: Sequence[Candidate],
    evidence: Sequence[Evidence],
    services: Sequence[ServiceReport],
    completeness: Completeness,
    *,
    left_out: Mapping[str, int] | None = None,
) -> Draft:
    """Write the answer from ranked candidates and keyed evidence, in code.

    An abstention when there is no evidence, when none of it touches an entity of the question, or
    when no candidate can be cited. Never "no": what was not returned is only that.

    :param candidates: best first, with their evidence keys.
    :param evidence: with keys, in page order.
    :param left_out: how many supported candidates the wanted status left out, by their status.
    """
    return compose_from(
        Material(
            question,
            plan,
            tuple(entities),
            tuple(candidates),
            tuple(evidence),
            tuple(services),
            completeness,
            left_out=left_out or {},
        )
    )


def compose_from(material: Material) -> Draft:
    """:func:`compose` for a bundled :class:`Material`."""
    if not material.by_key():
        return abstain(material, "No evidence was returned")
    if not _touched(material):
        why = "Nothing that was returned touches what the question names: no evidence was found"
        return abstain(material, why)
    if material.plan.kind == "relation":
        return relation(material)
    return _list(material) if material.plan.kind == "list" else _one(material)


def _touched(material: Material) -> bool:
    if not material.entities:
        return True
    edges = [edge for item in material.evidence for edge in item.edges]
    return any(material.touches(e, i) for e in edges for i in range(len(material.entities)))


# --- one ----------------------------------------------------------------------------------------


def _one(material: Material) -> Draft:
    ranked = supported(material)
    if not ranked:
        return unsupported(material)
    best, keys = ranked[0]
    tied = _tied(material, best)
    lines = [say(f"{text} {marks(keys)}.", keys[:4]) for text in caveats(material, best)]
    lines.append(_lead(material, ranked, tied))
    lines += shown(material, best)
    lines += against_sentences(material, best)
    lines += _runners_up([pair for pair in ranked[1:] if pair[0] not in tied])
    lines += against_others(material, [best.curie])
    draft = Draft("one", "", name=best.name, curie=best.curie, items=(best.name,))
    return finish(material, _named(material, draft), lines)


def _tied(material: Material, best: Candidate) -> list[Candidate]:
    """The others of the same score, whether the page has room for their evidence or not."""
    others = (c for c in material.backed() if c.curie != best.curie)
    return [c for c in others if abs(c.score - best.score) < _TIE]


def _returned(material: Material) -> str:
    """Such as "best supported of 12 candidates returned": of all that something supports."""
    count = len(material.backed())
    others = sum(material.left_out.values())
    kind = " of this status" if others else ""
    rest = f" ({others:,} of another status left out)" if others else ""
    if placed := of_gene(material.plan):
        first = "the only candidate" if count == 1 else f"the first of {plural(count, 'candidate')}"
        return f"{first}{kind} returned{rest}, {placed}"
    if count == 1:
        return f"the only candidate{kind} returned{rest}"
    return f"the best supported of {plural(count, 'candidate')}{kind} returned{rest}"


def _lead(
    material: Material, ranked: list[tuple[Candidate, tuple[str, ...]]], tied: list[Candidate]
) -> Sentence:
    best, keys = ranked[0]
    words, contra = status_told(material, best)
    status = f" Status: {words}." if words else ""
    if not tied:
        text = f"{best.name} is {_returned(material)} {marks(keys)}.{status}"
        return say(text, [*keys[:4], *contra])
    others = [(c, k) for c, k in ranked if c in tied][:4]
    text = (
        f"{best.name} {marks(keys, 2)} is {_returned(material)}, tied with "
        f"{_some(others, len(tied))}: the evidence does not tell them apart.{status}"
    )
    return say(text, [*keys[:2], *(k[0] for _, k in others), *contra])


def _some(pairs: Sequence[tuple[Candidate, tuple[str, ...]]], total: int) -> str:
    """Names with a key each, and how many more there are."""
    named = [f"{c.name} {marks(k, 1)}" for c, k in pairs]
    more = total - len(pairs)
    return joined([*named, *([f"{more:,} {'more' if named else 'others'}"] if more else [])])


def _runners_up(ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> list[Sentence]:
    if not ranked:
        return []
    shown = ranked[:_RUNNERS_UP]
    named = joined([f"{c.name}{_bracketed(status_words(c))} {marks(k, 2)}" for c, k in shown])
    verb = "comes" if len(shown) == 1 else "come"
    return [say(f"Next {verb} {named}.", [key for _, k in shown for key in k[:2]])]


def _bracketed(words: str) -> str:
    inner = words.replace(" (", ": ").replace(")", "")
    return f" ({inner})" if words else ""


# --- list ---------------------------------------------------------------------------------------


def _list(material: Material) -> Draft:
    ranked = supported(material)
    if not ranked:
        return unsupported(material)
    shown = ranked[:_LISTED]
    lines = [*_count(material, ranked), _list_lead(material, ranked)]
    for number, (candidate, keys) in enumerate(shown, start=1):
        lines += _item(material, number, candidate, keys)
    lines += against_others(material, [c.curie for c, _ in shown])
    best = shown[0][0]
    draft = Draft(
        "list", "", name=best.name, curie=best.curie, items=tuple(c.name for c, _ in shown)
    )
    return finish(material, _named(material, draft), lines, glue="\n")


def _named(material: Material, draft: Draft) -> Draft:
    """The draft; what is told of other variants than the one asked about is no answer to name."""
    return replace(draft, name=None, curie=None) if material.plan.in_place else draft


def _count(
    material: Material, ranked: Sequence[tuple[Candidate, tuple[str, ...]]]
) -> list[Sentence]:
    """To "how many": what was returned, which need not be all there are."""
    if not _HOW_MANY.search(material.question):
        return []
    count, keys = len(material.backed()), [k[0] for _, k in ranked[:3]]
    were = "was" if count == 1 else "were"
    told = f"{plural(count, 'supported candidate')} {were} returned, which need not be all"
    return [say(f"{told} {marks(keys)}.", keys)]


def _list_lead(material: Material, ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> Sentence:
    best, tied = ranked[0][0], _tied(material, ranked[0][0])
    top = [pair for pair in ranked if pair[0] == best or pair[0] in tied][:3]
    keys = [k[0] for _, k in top]
    told = _returned(material)
    listed = min(len(ranked), _LISTED)
    order = "in order" if listed == len(material.backed()) else f"the first {listed} in order"
    order = "the first by name" if listed == 1 else order
    if not tied:
        order = f"; {order}" if len(material.backed()) > 1 else ""
        return say(f"{_some(top, 1)} is {told}{order}:", keys)
    text = f"{_some(top, 1 + len(tied))} are tied as {told.removeprefix('the ')}; {order}"
    return say(f"{text}{' (ties by name)' if listed > 1 else ''}:", keys)


def _item(
    material: Material, number: int, candidate: Candidate, keys: Sequence[str]
) -> list[Sentence]:
    """One line of a list, with a sentence for each hop on its ways, and one more against it."""
    hops = ways(material, candidate)[: max(1, len(material.entities)) + _STEPS]
    told = [hop[0] for hop in hops]
    weak = "".join(f" {text}." for text in caveats(material, candidate))
    more = [k for k in keys if k not in {item.key for item in told}][:3]
    also = f" Also {marks(more)}." if more else ""
    if ends := unseen_ends(material, candidate):
        also += f" What connects it to {joined(ends)} is not on this page."
    words, contra = status_told(material, candidate)
    name = f"{candidate.name}{_bracketed(words)}"
    text = f"{number}. {name}:{weak} {' '.join(cited(item) for item in told)}{also}"
    lines = [say(text, [*(item.key for item in told), *more, *contra])]
    for line in against_sentences(material, candidate):
        lines.append(replace(line, text=f"   {line.text}"))
    return lines
