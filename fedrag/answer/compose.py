"""The answer without a language model: the best supported candidates, said with their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.draft import Draft, Material
from fedrag.answer.lines import (
    abstain,
    against_sentences,
    finish,
    say,
    shown,
    supported,
    unsupported,
)
from fedrag.answer.relation import relation
from fedrag.answer.wording import (
    caveats,
    joined,
    marks,
    plural,
    status_words,
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
_TIE = 1e-9


def compose(
    question: str,
    plan: QueryPlan,
    entities: Sequence[Entity],
    candidates: Sequence[Candidate],
    evidence: Sequence[Evidence],
    services: Sequence[ServiceReport],
    completeness: Completeness,
) -> Draft:
    """Write the answer from ranked candidates and keyed evidence, in code.

    An abstention when there is no evidence, when none of it touches an entity of the question, or
    when no candidate can be cited. Never "no": what was not returned is only that.

    :param candidates: best first, with their evidence keys.
    :param evidence: with keys, in page order.
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
    tied = [c for c, _ in ranked[1:] if abs(c.score - best.score) < _TIE]
    lines = [say(f"{text} {marks(keys)}.", keys[:4]) for text in caveats(material, best)]
    lines.append(_lead(material, ranked, tied))
    lines += shown(material, best)
    lines += against_sentences(material, best)
    lines += _runners_up(ranked[1 + len(tied) :])
    draft = Draft("one", "", name=best.name, curie=best.curie, items=(best.name,))
    return finish(material, draft, lines)


def _lead(
    material: Material, ranked: list[tuple[Candidate, tuple[str, ...]]], tied: list[Candidate]
) -> Sentence:
    best, keys = ranked[0]
    count = plural(len(material.candidates), "candidate")
    status = f" Status: {status_words(best)}." if best.status else ""
    if not tied:
        return say(
            f"{best.name} is the best supported of {count} returned {marks(keys)}.{status}",
            keys[:4],
        )
    others = [(c, k) for c, k in ranked if c in tied][:4]
    named = joined([f"{c.name} {marks(k, 1)}" for c, k in others])
    more = f" and {len(tied) - len(others)} more" if len(tied) > len(others) else ""
    text = (
        f"{best.name} {marks(keys, 2)} is the best supported of {count} returned, tied with "
        f"{named}{more}: the evidence does not tell them apart.{status}"
    )
    return say(text, [*keys[:2], *(k[0] for _, k in others)])


def _runners_up(ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> list[Sentence]:
    if not ranked:
        return []
    shown = ranked[:_RUNNERS_UP]
    named = joined([f"{c.name}{_bracketed(status_words(c))} {marks(k, 2)}" for c, k in shown])
    verb = "comes" if len(shown) == 1 else "come"
    return [say(f"Next {verb} {named}.", [key for _, k in shown for key in k[:2]])]


def _bracketed(words: str) -> str:
    return f" ({words})" if words else ""


# --- list ---------------------------------------------------------------------------------------


def _list(material: Material) -> Draft:
    ranked = supported(material)
    if not ranked:
        return unsupported(material)
    shown = ranked[:_LISTED]
    lines = [_list_lead(material, ranked)]
    for number, (candidate, keys) in enumerate(shown, start=1):
        lines += _item(material, number, candidate, keys)
    best = shown[0][0]
    draft = Draft(
        "list", "", name=best.name, curie=best.curie, items=tuple(c.name for c, _ in shown)
    )
    return finish(material, draft, lines, glue="\n")


def _list_lead(material: Material, ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> Sentence:
    count = plural(len(material.candidates), "candidate")
    top = [(c, k) for c, k in ranked if abs(c.score - ranked[0][0].score) < _TIE]
    named = joined([f"{c.name} {marks(k, 1)}" for c, k in top[:3]])
    keys = [k[0] for _, k in top[:3]]
    if len(top) == 1:
        return say(f"{named} is the best supported of {count} returned; in order:", keys)
    more = f" and {len(top) - 3} more" if len(top) > 3 else ""
    return say(f"{named}{more} are tied as best supported of {count} returned; in order:", keys)


def _item(
    material: Material, number: int, candidate: Candidate, keys: Sequence[str]
) -> list[Sentence]:
    """One line of a list, and one more for what speaks against it."""
    best = shown(material, candidate)[0]
    weak = "".join(f" {text}." for text in caveats(material, candidate))
    more = [k for k in keys if k not in best.citations][:3]
    also = f" Also {marks(more)}." if more else ""
    name = f"{candidate.name}{_bracketed(status_words(candidate))}"
    text = f"{number}. {name}:{weak} {best.text}{also}"
    lines = [say(text, [*best.citations, *more])]
    for line in against_sentences(material, candidate):
        lines.append(replace(line, text=f"   {line.text}"))
    return lines
