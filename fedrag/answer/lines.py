"""Sentences of an answer and what they rest on, shared by every kind of answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.against import against_others, unseen_against
from fedrag.answer.draft import Draft, Material
from fedrag.answer.wording import (
    abstention,
    cited,
    closing,
    joined,
    marks,
    plural,
    status_text,
)
from fedrag.datamodel import Candidate, Evidence, Sentence

__all__ = [
    "SHOWN",
    "abstain",
    "against_sentences",
    "finish",
    "say",
    "shown",
    "supported",
    "unsupported",
]

SHOWN = 3  # sentences of evidence for a single answer


def abstain(material: Material, why: str) -> Draft:
    """An answer that is none."""
    return Draft(material.plan.kind, abstention(material, why), abstained=True)


def finish(material: Material, draft: Draft, lines: Sequence[Sentence], glue: str = " ") -> Draft:
    """The draft with its sentences, and the run's own statements after them."""
    text = glue.join(line.text for line in lines)
    tail = " ".join([*unseen_against(material), *closing(material)])
    if tail:
        text += ("\n" if glue == "\n" else " ") + tail
    return replace(draft, text=text, sentences=tuple(lines))


def say(text: str, keys: Sequence[str]) -> Sentence:
    """A sentence and the keys it cites, each once."""
    return Sentence(text, tuple(dict.fromkeys(keys)))


def supported(material: Material) -> list[tuple[Candidate, tuple[str, ...]]]:
    """The candidates that the page supports, with the keys that name them, best first.

    A step on a path ("A treats B") names no candidate beyond it, so it is cited for the best one
    alone, whose whole path is shown.
    """
    pairs: list[tuple[Candidate, tuple[str, ...]]] = []
    for candidate in material.candidates:
        keys = material.own_keys(candidate)
        if not keys and not pairs:
            keys = material.keys_for(candidate)
        if keys:
            pairs.append((candidate, keys))
    return pairs


def shown(material: Material, candidate: Candidate) -> list[Sentence]:
    """The best sentences of a candidate: what joins it to a given entity, then its path's steps."""
    by_key = material.by_key()
    own = [by_key[key] for key in material.own_keys(candidate)]
    steps = [i for key in material.keys_for(candidate) if (i := by_key[key]) not in own]
    entities = range(len(material.entities))

    def first_at(index: int) -> Evidence | None:
        return next((i for i in own if any(material.touches(e, index) for e in i.edges)), None)

    joining = [item for index in entities if (item := first_at(index)) is not None]
    ordered = {item.key: item for item in [*joining, *own, *steps]}
    if len(joining) == len(material.entities):
        ordered = {item.key: item for item in [*joining, *own]}
    return [say(cited(i), [i.key]) for i in list(ordered.values())[:SHOWN]]


def against_sentences(material: Material, candidate: Candidate) -> list[Sentence]:
    """The evidence against a candidate, named in the answer."""
    keys = material.keys_against(candidate)
    if not keys:
        return []
    by_key = material.by_key()
    named = "; ".join(cited(by_key[key]).rstrip(".") for key in keys[:3])
    more = f"; and {len(keys) - 3} more" if len(keys) > 3 else ""
    return [say(f"Evidence against {candidate.name}: {named}{more}.", keys[:3])]


def unsupported(material: Material) -> Draft:
    """There is evidence, but none that supports a candidate, or none of the wanted status."""
    against = against_others(material)
    if material.left_out:
        draft = finish(material, Draft(material.plan.kind, "", abstained=True), against)
        return replace(draft, text=f"{_none_of_status(material)} {draft.text.strip()}".strip())
    if not against:
        why = "Evidence was returned, but no candidate that it supports was found"
        return abstain(material, why)
    keys = [key for line in against for key in line.citations]
    text = f"Nothing returned supports a candidate; what was returned speaks against {marks(keys)}."
    return finish(material, Draft(material.plan.kind, ""), [say(text, keys[:4]), *against])


def _none_of_status(material: Material) -> str:
    """What the wanted status left out, counted by the status it has."""
    counts = sorted(material.left_out.items(), key=lambda pair: (-pair[1], pair[0]))
    total = sum(count for _, count in counts)
    were = "was" if total == 1 else "were"
    told = joined([f"{count:,} {status_text(status)}" for status, count in counts])
    return (
        f"{plural(total, 'supported candidate')} {were} returned, none of the status asked for: "
        f"{told}. Without --status they are listed."
    )
