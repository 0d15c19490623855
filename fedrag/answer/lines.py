"""Sentences of an answer and what they rest on, shared by every kind of answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fedrag.answer.against import against_others, unseen_against
from fedrag.answer.draft import Draft, Material
from fedrag.answer.in_place import opening
from fedrag.answer.wording import (
    abstention,
    cited,
    closing,
    joined,
    marks,
    plural,
    sourced,
    status_text,
)
from fedrag.datamodel import Candidate, Evidence, QueryPlan, Sentence

__all__ = [
    "SHOWN",
    "abstain",
    "against_sentences",
    "finish",
    "opened",
    "say",
    "shown",
    "supported",
    "unsupported",
    "ways",
    "with_unapplied",
]

SHOWN = 3  # statements of one kind told in full, or parallel ones named by key
_OFTEN = 2  # times a source is told from which on it is told once
_HOPS = 6  # three to each of two given entities


def abstain(material: Material, why: str) -> Draft:
    """An answer that is none."""
    return Draft(material.plan.kind, abstention(material, why), abstained=True)


def finish(material: Material, draft: Draft, lines: Sequence[Sentence], glue: str = " ") -> Draft:
    """The draft with its sentences, and the run's own statements after them."""
    lines, source = _said_once(material, lines)
    text = glue.join(line.text for line in lines)
    tail = " ".join([*source, *unseen_against(material), *closing(material)])
    if tail:
        text += ("\n" if glue == "\n" else " ") + tail
    return replace(draft, text=text, sentences=tuple(lines))


def opened(draft: Draft, plan: QueryPlan) -> str:
    """A draft's text, opened by what it is not about: a variant whose gene was asked about in its
    place, and words of the question that do not limit it."""
    placed = opening(plan, abstained=draft.abstained)
    text = with_unapplied(draft, plan.unapplied)
    return f"{placed}{_glue(draft)}{text}" if placed else text


def with_unapplied(draft: Draft, words: Sequence[str]) -> str:
    """A draft's text, opened by what of the question it is not limited by.

    >>> with_unapplied(Draft("one", "KIT is the best supported."), ["in children"])
    'This answer leaves out "in children" and is not limited by it. KIT is the best supported.'
    """
    if not words:
        return draft.text
    told = joined([f'"{said}"' for said in words])
    them = "it" if len(words) == 1 else "them"
    return f"This answer leaves out {told} and is not limited by {them}.{_glue(draft)}{draft.text}"


def _glue(draft: Draft) -> str:
    return "\n" if draft.kind == "list" and not draft.abstained else " "


def _said_once(
    material: Material, lines: Sequence[Sentence]
) -> tuple[Sequence[Sentence], tuple[str, ...]]:
    """Where all that is cited comes from one source in one way, that is said once, at the end."""
    by_key = material.by_key()
    origins = {sourced(by_key[key]) for line in lines for key in line.citations if key in by_key}
    said = sum(line.text.count(origin) for origin in origins for line in lines)
    if len(origins) != 1 or said < _OFTEN:
        return lines, ()
    origin = origins.pop()
    shorter = [replace(line, text=line.text.replace(f" {origin}", "")) for line in lines]
    return shorter, (f"All that is cited: {origin[1:-1]}.",)


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
    """A candidate's best sentence for each hop of its ways, what names it first; then the keys of
    further edges of these hops."""
    hops = ways(material, candidate)[:_HOPS]
    lines = [say(cited(hop[0]), [hop[0].key]) for hop in hops]
    more = [item.key for hop in hops for item in hop[1:]][:SHOWN]
    if lines and more:
        lines[-1] = say(f"{lines[-1].text} Also {marks(more)}.", [*lines[-1].citations, *more])
    return lines


def ways(material: Material, candidate: Candidate) -> list[list[Evidence]]:
    """The evidence on the page for each hop of a candidate's ways, what names it first.

    A way through other things is left out where the candidate itself is joined to everything given.
    """
    own = material.own_keys(candidate)
    steps = [key for key in material.keys_for(candidate) if key not in own]
    if _joins_all(material, own):
        steps = []
    return [*material.hops(candidate, own), *material.hops(candidate, steps)]


def _joins_all(material: Material, keys: Sequence[str]) -> bool:
    by_key = material.by_key()
    edges = [edge for key in keys for edge in by_key[key].edges]
    return all(any(material.touches(e, i) for e in edges) for i in range(len(material.entities)))


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
    told = joined([f"{count:,} '{status_text(status)}'" for status, count in counts])
    return (
        f"{plural(total, 'supported candidate')} {were} returned, none of the status asked for: "
        f"{told}. Without --status they are listed."
    )
