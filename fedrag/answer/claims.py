"""What a sentence claims, as its writer says it beside the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fedrag.answer.names import Names
from fedrag.answer.relations import Relation, kinds_of, speaks_of_loss
from fedrag.answer.words import Cue, cues, is_negated, net_sign

__all__ = ["Claim", "Statement", "claim_relation", "contradicts_itself", "oriented", "strip_keys"]

_DIRECTED = frozenset({"sign", "regulate", "bind", "link"})  # what may increase or decrease
_LEADING = re.compile(r"^\s*(E\d+)\s*[:.)]\s*")  # "E1: A decreases B"
_KEY = re.compile(r"\s*\[\s*(E\d+(?:\s*[,;]\s*E\d+)*)\s*\]")


@dataclass(frozen=True, slots=True)
class Claim:
    """One relation as the writer states it beside the sentence."""

    subject: str
    predicate: str
    object: str
    negated: bool = False
    direction: str = ""  # "increases", "decreases", or empty


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, the claims it is said to make, and the evidence keys it cites."""

    text: str
    keys: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


def strip_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its ``[E1]`` marks (or a line's ``E1:``), and the keys they named.

    >>> strip_keys("A decreases B [E1, E3].")
    ('A decreases B.', ('E1', 'E3'))
    """
    marks = [*_LEADING.finditer(text), *_KEY.finditer(text)]
    keys = [k for m in marks for k in re.findall(r"E\d+", m.group(1))]
    return _KEY.sub("", _LEADING.sub("", text)).strip(), tuple(dict.fromkeys(keys))


def claim_relation(claim: Claim, names: Names) -> Relation:
    """The relation of a claim; a passive predicate ("inhibited by") turns the ends around."""
    words = claim.predicate.replace("biolink:", "").replace("_", " ")
    found = cues(words)
    subject, object_ = names.resolve(claim.subject), names.resolve(claim.object)
    relation = Relation(
        subject,
        object_,
        sign=_claim_sign(claim, words, found),
        kinds=kinds_of(found),
        negated=claim.negated or is_negated(words),
        wording=words,
        of_loss=speaks_of_loss(words),
    )
    return oriented(relation, found, words)


def _claim_sign(claim: Claim, words: str, found: Sequence[Cue]) -> int:
    """What the claim says of increase or decrease.

    Of "treats" or "causes" it says neither: a model that must fill in a direction guesses one.
    """
    said = net_sign(tuple(found), words)
    if found and not said and not set(kinds_of(tuple(found))) & _DIRECTED:
        return 0
    return net_sign(cues(claim.direction), claim.direction) or said


def contradicts_itself(claim: Claim) -> bool:
    """Whether a claim's predicate and its direction say opposite things.

    >>> contradicts_itself(Claim("A", "activates", "B", direction="decreases"))
    True
    """
    words = claim.predicate.replace("_", " ")
    stated, said = net_sign(cues(claim.direction), claim.direction), net_sign(cues(words), words)
    return stated * said < 0


def oriented(relation: Relation, found: Sequence[Cue], words: str) -> Relation:
    """The relation with its ends in the order in which they act."""
    for cue in found:
        after = words[cue.end :]
        if cue.form == "active":
            return relation
        if cue.form == "patient" or (cue.form == "passive" and re.search(r"\b(by|with)\b", after)):
            return _turned(relation)
        if cue.form == "agent":
            acts = re.search(r"\b(?:of|for|against)\b", after + cue.word)
            return relation if acts else _turned(relation)
        if cue.form == "event":
            return _turned(relation) if re.match(r".*\bby\b", after) else relation
    if found and all(c.form in ("mutual", "passive") for c in found):
        return replace(relation, either_way=True)
    ends_open = words.strip().endswith((" of", " by", " in"))
    return replace(relation, either_way=True) if not found and ends_open else relation


def _turned(relation: Relation) -> Relation:
    return replace(relation, subject=relation.object, object=relation.subject)
