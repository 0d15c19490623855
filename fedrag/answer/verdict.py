"""What the returned edges say to a yes-or-no question: this, the opposite, or nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fedrag.answer.draft import Material
from fedrag.answer.lines import say
from fedrag.answer.names import Mention
from fedrag.answer.reading import read_text
from fedrag.answer.relations import Relation, mismatch
from fedrag.answer.wording import marks
from fedrag.datamodel import Edge, Evidence, Sentence
from fedrag.plan.lexicon import YES_NO
from fedrag.trapi import canonical_direction

__all__ = ["verdict"]


def verdict(material: Material, direct: Sequence[Evidence]) -> list[Sentence]:
    """One sentence on what "does A do this to B?" asks; none where that is not asked.

    What was not returned is never a "no".

    :param direct: the evidence that joins the things of the question.
    """
    relation = _asked(material)
    if relation is None or not direct or len(material.entities) != 2:
        return []  # of several things at once ("A and B") no single edge can state it
    if (keys := _saying([relation], direct)) and (denying := _saying(_denials(relation), direct)):
        text = (
            f"The returned edges disagree: {len(keys)} {_states(keys)} this {marks(keys)}, "
            f"{len(denying)} {_states(denying)} the opposite {marks(denying)}."
        )
        return [say(text, [*keys[:4], *denying[:4]])]
    if keys:
        verb = "edge states" if len(keys) == 1 else "edges state"
        return [say(f"The returned {verb} this {marks(keys)}.", keys[:4])]
    if keys := _saying(_opposites(relation), direct):
        verb = "edge states" if len(keys) == 1 else "edges state"
        return [say(f"The returned {verb} the opposite direction {marks(keys)}.", keys[:4])]
    keys = [item.key for item in direct]
    text = f"No edge that states this was returned, which is no denial; others were {marks(keys)}."
    return [say(text, keys[:4])]


def _asked(material: Material) -> Relation | None:
    """What a yes-or-no question asks of two of its entities."""
    question = material.question
    if not YES_NO.match(question.lower()):
        return None
    mentions = [
        Mention(e.start, e.end, material.entity_ids(i), question[e.start : e.end])
        for i, e in enumerate(material.entities)
        if 0 <= e.start < e.end
    ]
    read = read_text(question, sorted(mentions, key=lambda mention: mention.start)).relations
    return replace(read[0], negated=False) if read else None


def _states(keys: Sequence[str]) -> str:
    return "states" if len(keys) == 1 else "state"


def _denials(relation: Relation) -> list[Relation]:
    """What contradicts the relation: its increase or decrease turned around, and its negation."""
    turned = [replace(relation, sign=-relation.sign)] if relation.sign else []
    return [*turned, replace(relation, negated=True)]


def _opposites(relation: Relation) -> list[Relation]:
    """The relation with its ends, or its increase or decrease, turned around."""
    turned = replace(relation, subject=relation.object, object=relation.subject)
    return [turned, *([replace(relation, sign=-relation.sign)] if relation.sign else [])]


def _saying(relations: Sequence[Relation], items: Iterable[Evidence]) -> list[str]:
    """The keys of what says one of these."""

    def says(edges: Sequence[Edge]) -> bool:
        told = tuple(canonical_direction(edge) for edge in edges)
        return any(mismatch(relation, told) is None for relation in relations)

    return [item.key for item in items if says(item.edges)]
