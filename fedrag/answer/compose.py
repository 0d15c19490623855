"""The answer without a language model: the best supported candidates, said with their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.draft import Draft, Material
from fedrag.answer.wording import (
    abstention,
    caveats,
    cited,
    closing,
    joined,
    marks,
    plural,
    reaches_all,
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

__all__ = ["against_sentences", "compose", "compose_from"]

_SHOWN = 3  # sentences of evidence for a single answer
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
        return _abstain(material, "No evidence was returned")
    if not _touched(material):
        why = "Nothing that was returned touches what the question names: no evidence was found"
        return _abstain(material, why)
    if material.plan.kind == "relation":
        return _relation(material)
    return _list(material) if material.plan.kind == "list" else _one(material)


def _touched(material: Material) -> bool:
    if not material.entities:
        return True
    edges = [edge for item in material.evidence for edge in item.edges]
    return any(material.touches(e, i) for e in edges for i in range(len(material.entities)))


def _abstain(material: Material, why: str) -> Draft:
    return Draft(material.plan.kind, abstention(material, why), abstained=True)


def _finish(material: Material, draft: Draft, lines: Sequence[Sentence], glue: str = " ") -> Draft:
    """The draft with its sentences, and the run's own statements after them."""
    text = glue.join(line.text for line in lines)
    tail = " ".join(closing(material))
    if tail:
        text += ("\n" if glue == "\n" else " ") + tail
    return replace(draft, text=text, sentences=tuple(lines))


def _say(text: str, keys: Sequence[str]) -> Sentence:
    return Sentence(text, tuple(dict.fromkeys(keys)))


def _supported(material: Material) -> list[tuple[Candidate, tuple[str, ...]]]:
    """The candidates that the page supports, with the keys, best first."""
    pairs = [(c, material.keys_for(c)) for c in material.candidates]
    return [(c, keys) for c, keys in pairs if keys]


# --- one ----------------------------------------------------------------------------------------


def _one(material: Material) -> Draft:
    ranked = _supported(material)
    if not ranked:
        return _unsupported(material)
    best, keys = ranked[0]
    tied = [c for c, _ in ranked[1:] if abs(c.score - best.score) < _TIE]
    lines = [_say(f"{text} {marks(keys)}.", keys[:4]) for text in caveats(material, best)]
    lines.append(_lead(material, ranked, tied))
    lines += _shown(material, keys)
    lines += against_sentences(material, best)
    lines += _runners_up(ranked[1 + len(tied) :])
    draft = Draft("one", "", name=best.name, curie=best.curie, items=(best.name,))
    return _finish(material, draft, lines)


def _lead(
    material: Material, ranked: list[tuple[Candidate, tuple[str, ...]]], tied: list[Candidate]
) -> Sentence:
    best, keys = ranked[0]
    count = plural(len(material.candidates), "candidate")
    status = f" Status: {status_words(best)}." if best.status else ""
    if not tied:
        return _say(
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
    return _say(text, [*keys[:2], *(k[0] for _, k in others)])


def _shown(material: Material, keys: Sequence[str]) -> list[Sentence]:
    """The best sentences of a candidate: one for each entity it reaches, then by page order."""
    by_key = material.by_key()
    items = [by_key[key] for key in keys]
    first = []
    for index in range(len(material.entities)):
        touching = (i for i in items if any(material.touches(e, index) for e in i.edges))
        if (item := next(touching, None)) is not None and item not in first:
            first.append(item)
    rest = [i for i in items if i not in first]
    return [_say(cited(i), [i.key]) for i in [*first, *rest][:_SHOWN]]


def against_sentences(material: Material, candidate: Candidate) -> list[Sentence]:
    """The evidence against a candidate, named in the answer."""
    keys = material.keys_against(candidate)
    if not keys:
        return []
    by_key = material.by_key()
    named = "; ".join(cited(by_key[key]).rstrip(".") for key in keys[:3])
    more = f"; and {len(keys) - 3} more" if len(keys) > 3 else ""
    return [_say(f"Evidence against {candidate.name}: {named}{more}.", keys[:3])]


def _runners_up(ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> list[Sentence]:
    if not ranked:
        return []
    shown = ranked[:_RUNNERS_UP]
    named = joined([f"{c.name}{_bracketed(status_words(c))} {marks(k, 2)}" for c, k in shown])
    verb = "comes" if len(shown) == 1 else "come"
    return [_say(f"Next {verb} {named}.", [key for _, k in shown for key in k[:2]])]


def _bracketed(words: str) -> str:
    return f" ({words})" if words else ""


def _unsupported(material: Material) -> Draft:
    """There is evidence, but none that supports a candidate."""
    against = [line for c in material.candidates for line in against_sentences(material, c)]
    if not against:
        why = "Evidence was returned, but no candidate that it supports was found"
        return _abstain(material, why)
    keys = [key for line in against for key in line.citations]
    text = f"Nothing returned supports a candidate; what was returned speaks against {marks(keys)}."
    return _finish(material, Draft(material.plan.kind, ""), [_say(text, keys[:4]), *against[:3]])


# --- list ---------------------------------------------------------------------------------------


def _list(material: Material) -> Draft:
    ranked = _supported(material)
    if not ranked:
        return _unsupported(material)
    shown = ranked[:_LISTED]
    lines = [_list_lead(material, ranked)]
    for number, (candidate, keys) in enumerate(shown, start=1):
        lines += _item(material, number, candidate, keys)
    best = shown[0][0]
    draft = Draft(
        "list", "", name=best.name, curie=best.curie, items=tuple(c.name for c, _ in shown)
    )
    return _finish(material, draft, lines, glue="\n")


def _list_lead(material: Material, ranked: Sequence[tuple[Candidate, tuple[str, ...]]]) -> Sentence:
    count = plural(len(material.candidates), "candidate")
    top = [(c, k) for c, k in ranked if abs(c.score - ranked[0][0].score) < _TIE]
    named = joined([f"{c.name} {marks(k, 1)}" for c, k in top[:3]])
    keys = [k[0] for _, k in top[:3]]
    if len(top) == 1:
        return _say(f"{named} is the best supported of {count} returned; in order:", keys)
    more = f" and {len(top) - 3} more" if len(top) > 3 else ""
    return _say(f"{named}{more} are tied as best supported of {count} returned; in order:", keys)


def _item(
    material: Material, number: int, candidate: Candidate, keys: Sequence[str]
) -> list[Sentence]:
    """One line of a list, and one more for what speaks against it."""
    best = _shown(material, keys)[0]
    weak = "".join(f" {text}." for text in caveats(material, candidate))
    more = [k for k in keys if k not in best.citations][:3]
    also = f" Also {marks(more)}." if more else ""
    name = f"{candidate.name}{_bracketed(status_words(candidate))}"
    text = f"{number}. {name}:{weak} {best.text}{also}"
    lines = [_say(text, [*best.citations, *more])]
    for line in against_sentences(material, candidate):
        lines.append(replace(line, text=f"   {line.text}"))
    return lines


# --- relation -----------------------------------------------------------------------------------


def _relation(material: Material) -> Draft:
    direct = [i for i in material.evidence if i.key and _joins(material, i)]
    yes = [i for i in direct if i.polarity != "against" and not i.edges[0].negated]
    no = [i for i in direct if i not in yes]
    seen = {i.key for i in direct}
    linked = [(c, k) for c, k in _supported(material) if set(k) - seen]
    linked = [(c, k) for c, k in linked if reaches_all(material, c)] or ([] if direct else linked)
    if not direct and not linked:
        return _unsupported(material)
    lines = _direct(yes, no) + _connected(material, linked, bool(yes))
    best = linked[0][0] if linked and not yes else None
    draft = Draft(
        "relation",
        "",
        name=best.name if best else None,
        curie=best.curie if best else None,
        items=tuple(c.name for c, _ in linked[:_LISTED]),
    )
    return _finish(material, draft, lines)


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
        lines.append(_say(text, _keys(yes)[:4]))
        lines += [_say(cited(i), [i.key]) for i in yes[:_SHOWN]]
    if no:
        named = "; ".join(cited(i).rstrip(".") for i in no[:_SHOWN])
        lines.append(_say(f"Evidence against: {named}.", _keys(no)[:_SHOWN]))
    return lines


def _keys(items: Sequence[Evidence]) -> list[str]:
    return [i.key for i in items]


def _connected(
    material: Material, linked: Sequence[tuple[Candidate, tuple[str, ...]]], direct: bool
) -> list[Sentence]:
    if not linked:
        return []
    ends = joined([e.name for e in material.entities])
    named = joined([f"{c.name} {marks(k, 2)}" for c, k in linked[:_LISTED]])
    keys = [key for _, k in linked[:_LISTED] for key in k[:2]]
    if direct:
        return [_say(f"They are also connected through {named}.", keys)]
    best, best_keys = linked[0]
    found = (
        f"they are connected through {named}"
        if reaches_all(material, best)
        else f"nor one that connects both; nearest to it come {named}"
    )
    text = (
        f"No direct edge between {ends} was returned, which is not to say that there is none; "
        f"{found}."
    )
    weak = [_say(f"{t} {marks(best_keys)}.", best_keys[:4]) for t in caveats(material, best)]
    return [*weak, _say(text, keys), *_shown(material, best_keys)]
