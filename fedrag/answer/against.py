"""What speaks against candidates that an answer does not list: named all the same, and apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fedrag.answer.draft import Material
from fedrag.answer.wording import cited, joined, marks, plural
from fedrag.datamodel import Candidate, Sentence

__all__ = ["against_others", "unseen_against"]

_TOLD = 5  # candidates whose evidence is told in full
_NAMED = 7  # candidates named without it

Pair = tuple[Candidate, tuple[str, ...]]


def against_others(material: Material, told: Collection[str] = ()) -> list[Sentence]:
    """Evidence on the page against candidates other than those told of already.

    What something supports is kept apart from what is only spoken against.

    :param told: CURIEs of candidates whose evidence against stands in the answer.
    """
    pairs: list[Pair] = [
        (candidate, keys)
        for candidate in material.candidates
        if candidate.curie not in told and (keys := material.keys_against(candidate))
    ]
    backed = [pair for pair in pairs if pair[0].support]
    alone = [pair for pair in pairs if not pair[0].support]
    return [
        *_told(material, "Evidence against others that were returned", backed),
        *_told(material, "Not supported by anything returned, only spoken against", alone),
    ]


def _told(material: Material, label: str, pairs: Sequence[Pair]) -> list[Sentence]:
    if not pairs:
        return []
    full, more = pairs[:_TOLD], pairs[_TOLD:]
    parts = [_statements(material, *pair) for pair in full]
    shown = more[:_NAMED]
    names = [f"{candidate.name} {marks(keys, 1)}" for candidate, keys in shown]
    if len(more) > len(shown):
        names.append(f"{len(more) - len(shown)} more")
    if names:
        parts.append(f"also {joined(names)}")
    keys = [key for _, found in full for key in found[:2]] + [found[0] for _, found in shown]
    return [Sentence(f"{label}: {'; '.join(parts)}.", tuple(dict.fromkeys(keys)))]


def _statements(material: Material, candidate: Candidate, keys: Sequence[str]) -> str:
    """The first statement against a candidate, which is named where the statement does not."""
    item = material.by_key()[keys[0]]
    text = cited(item).rstrip(".")
    if candidate.name.casefold() not in item.sentence.casefold():
        text = f"{candidate.name}: {text}"
    return f"{text}, also {marks(keys[1:2])}" if len(keys) > 1 else text


def unseen_against(material: Material) -> tuple[str, ...]:
    """Names candidates against which something was returned that is not on the page.

    None for a relation: its candidates are what links the given entities, not answers.
    """
    if material.plan.kind == "relation":
        return ()
    unseen = [c for c in material.candidates if c.against and not material.keys_against(c)]
    if not unseen:
        return ()
    names = [candidate.name for candidate in unseen[:_NAMED]]
    if len(unseen) > len(names):
        names.append(f"{len(unseen) - len(names)} more")
    count = plural(len(unseen), "further candidate")
    return (f"Evidence against {count} is not on this page: {joined(names)}.",)
