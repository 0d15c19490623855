"""The citation check: does a cited edge say what the sentence says? Pure code, no language model.

A sentence passes when its keys exist and bear on it, when each claim and each relation its text
spells out is said by a cited edge (both ends, direction, increase or decrease, negation, strength),
and when it names no other gene, drug or disease, and adds no number, dose, population, safety or
"only" of its own. A verb it cannot read it refuses: a refused true sentence costs a repair, an
accepted false one costs the reader's trust. Other words around a claim are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fedrag.answer.claims import (
    Claim,
    Statement,
    claim_relation,
    contradicts_itself,
    strip_keys,
)
from fedrag.answer.draft import Material, node_ids
from fedrag.answer.foreign import lookalikes
from fedrag.answer.names import Mention, Names, normalise
from fedrag.answer.reading import read_text
from fedrag.answer.relations import Relation, carries, edge_sign, mismatch
from fedrag.answer.unstated import unstated
from fedrag.answer.words import Cue, is_negated, word_of
from fedrag.datamodel import Candidate, Edge, Evidence
from fedrag.trapi import canonical_direction

__all__ = ["Checker", "check_sentence"]

_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|better|worse|stronger|weaker|greater|higher|lower)(?: \w+)? than\b"
    r"|\bsuperior to\b|\bcompared (?:with|to)\b"
    r"|\b(?:most|more|highly|very) (?:effective|efficacious|potent|powerful|selective|safe)\b"
    r"|\b(?:safest|strongest|superior|first[- ]line|gold[- ]standard|preferred|of choice)\b"
    r"|\bbest (?:drug|treatment|therapy|medicine|option|choice)\b",
    re.IGNORECASE,
)


def check_sentence(statement: Statement, material: Material) -> tuple[str, ...]:
    """Why the sentence is not supported by what it cites; empty when it is.

    For many sentences of one answer make one :class:`Checker`, which reads the names once.
    """
    return Checker(material).check(statement)


class Checker:
    """The citation check over the evidence of one answer."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.names = Names(material)
        self.evidence = material.by_key()
        ids = [material.entity_ids(i) for i in range(len(material.entities))]
        self.asked = frozenset(i for group in ids for i in group)

    def check(self, statement: Statement) -> tuple[str, ...]:
        """The reasons against one sentence, in a fixed order, each once."""
        text, inline = strip_keys(statement.text)
        keys = tuple(dict.fromkeys((*statement.keys, *inline)))
        if reason := self._keys(keys, text):
            return (reason,)
        cited = [self.evidence[k] for k in keys]
        claims = tuple(single for c in statement.claims for single in self._singly(c))
        claimed = list(self._claims(claims, _edges(cited)))
        added = list(self._unstated(text, cited))
        if not added and any(normalise(text) == normalise(e.sentence) for e in cited):
            return ()  # the evidence word for word
        claimed += added
        return tuple(dict.fromkeys([*claimed, *self._text(text, cited, claims)]))

    def _singly(self, claim: Claim) -> Iterator[Claim]:
        """A claim about several things at once ("A, B and C") as one for each of them."""
        for subject in self.names.listed(claim.subject):
            for object_ in self.names.listed(claim.object):
                yield replace(claim, subject=subject, object=object_)

    def _keys(self, keys: Sequence[str], text: str) -> str | None:
        if not text:
            return "it is empty"
        if not keys:
            return "it cites nothing"
        unknown = [k for k in keys if k not in self.evidence]
        return f"there is no evidence {', '.join(unknown)}" if unknown else None

    def _claims(self, claims: Sequence[Claim], edges: tuple[Edge, ...]) -> Iterator[str]:
        for claim in claims:
            if contradicts_itself(claim):
                yield f"the claim says {claim.predicate!r} and {claim.direction!r} at once"
            relation = claim_relation(claim, self.names)
            for end, ids in ((claim.subject, relation.subject), (claim.object, relation.object)):
                if not ids and not self.names.resolve(end):
                    yield f"the claim is about {end!r}, which no evidence names"
                    break
            else:
                if reason := mismatch(relation, edges):
                    yield f"claim {claim.subject} / {claim.predicate} / {claim.object}: {reason}"

    def _text(self, text: str, cited: Sequence[Evidence], claims: Sequence[Claim]) -> Iterator[str]:
        edges = _edges(cited)
        mentions = self.names.find(text)
        yield from self._foreign(text, mentions, cited)
        yield from self._idle_keys(mentions, cited)
        reading = read_text(text, mentions)
        for relation in reading.relations:
            if reason := mismatch(relation, edges):
                yield f"{_ends(relation, mentions)}: {reason}"
        yield from (f"{phrase!r} is in no cited edge" for phrase in reading.dangling)
        backing = self._backing(claims, reading.relations, edges)
        if not backing:
            yield "nothing in it can be held against a cited edge"
            return
        yield from _loose(reading.loose, backing)
        if not reading.relations:
            yield from _negation(text, mentions, backing)
        if match := _COMPARISON.search(text):
            yield f"{match.group()!r} compares, which no edge does"
        if re.search(r"\bapproved\b", text, re.IGNORECASE):
            yield from self._approved(mentions)

    def _unstated(self, text: str, cited: Sequence[Evidence]) -> Iterator[str]:
        details = (c.status_detail for c in self.material.candidates if c.status_detail)
        spoken = [*(e.sentence for e in cited), *details]
        yield from unstated(text, spoken, names=(m.text for m in self.names.find(text)))

    def _foreign(
        self, text: str, mentions: Sequence[Mention], cited: Sequence[Evidence]
    ) -> Iterator[str]:
        """Names that are neither in the cited edges nor asked about."""
        nodes = [n for e in _edges(cited) for n in (e.subject, e.object)]
        allowed = self.asked.union(*(node_ids(n) for n in nodes))
        for mention in mentions:
            if not mention.ids & allowed:
                yield f"it names {mention.text}, which is in none of the cited edges"
        words = frozenset(w for n in nodes for w in normalise(n.name).split())
        words |= {w for e in self.material.entities for w in normalise(e.name).split()}
        spoken = self._spoken(cited)
        for word, kind in lookalikes(_blanked(text, mentions), words):
            if word not in allowed and word not in spoken:
                yield f"it names {word} (looks like a {kind}), which is in none of the cited edges"

    def _spoken(self, cited: Sequence[Evidence]) -> frozenset[str]:
        """What the cited sentences say around the names ("an SNP form of", a pathway's CURIE)."""
        rest = " ".join(_blanked(e.sentence, self.names.find(e.sentence)) for e in cited)
        return frozenset(re.findall(r"[\w:.-]*\w", rest))

    @staticmethod
    def _idle_keys(mentions: Sequence[Mention], cited: Sequence[Evidence]) -> Iterator[str]:
        named = frozenset(i for m in mentions for i in m.ids)
        for item in cited:
            if not _names_any(item, named):
                yield f"{item.key} says nothing of what the sentence names"

    def bearing(self, text: str, keys: Sequence[str]) -> tuple[str, ...]:
        """The keys without those that say nothing of what a sentence names; all if none would stay.

        What does not exist stays too, to be refused.
        """
        named = frozenset(i for m in self.names.find(text) for i in m.ids)
        known = {key: self.evidence[key] for key in keys if key in self.evidence}
        idle = {key for key, item in known.items() if not _names_any(item, named)}
        return tuple(keys) if idle == set(known) else tuple(k for k in keys if k not in idle)

    def _backing(
        self, claims: Sequence[Claim], relations: Sequence[Relation], edges: tuple[Edge, ...]
    ) -> tuple[Edge, ...]:
        """The cited edges that say a claim, or a relation of the text."""
        wanted = [*(claim_relation(c, self.names) for c in claims), *relations]
        return tuple(e for e in edges if any(mismatch(r, (e,)) is None for r in wanted))

    def _approved(self, mentions: Sequence[Mention]) -> Iterator[str]:
        named = frozenset(i for m in mentions for i in m.ids)
        approved = [
            c for c in self.material.candidates if (c.status_detail or "").startswith("approved")
        ]
        if not any(named & _candidate_ids(c) for c in approved):
            yield "it says approved, which no cited edge does"


def _names_any(item: Evidence, ids: frozenset[str]) -> bool:
    return any(ids & (node_ids(e.subject) | node_ids(e.object)) for e in item.edges)


def _blanked(text: str, mentions: Sequence[Mention]) -> str:
    """The text with its known names blanked out, positions kept."""
    for mention in mentions:
        text = f"{text[: mention.start]}{' ' * len(mention.text)}{text[mention.end :]}"
    return text


def _candidate_ids(candidate: Candidate) -> frozenset[str]:
    return frozenset({candidate.curie, *candidate.identifiers})


def _edges(cited: Sequence[Evidence]) -> tuple[Edge, ...]:
    """The edges in their canonical direction, so that a predicate is read in one way only."""
    return tuple(canonical_direction(e) for item in cited for e in item.edges)


def _ends(relation: Relation, mentions: Sequence[Mention]) -> str:
    """The relation in words, for a reason."""

    def name(ids: frozenset[str]) -> str:
        return next((m.text for m in mentions if m.ids & ids), "it")

    joint = relation.wording or "with"
    denial = "not " if relation.negated else ""
    return f"{name(relation.subject)} {denial}{joint} {name(relation.object)}"


def _loose(found: Sequence[Cue], backing: Sequence[Edge]) -> Iterator[str]:
    """Words of direction or kind that stand apart from the names must fit the edges too."""
    hedged = any(c.kind == "hedge" for c in found)
    for cue in found:
        if cue.sign and not any(edge_sign(e) == cue.sign for e in backing):
            said = word_of(edge_sign(backing[0]))
            yield f"it says {cue.word!r}, the cited edge {said}"
        kinds = (cue.kind, "hedge") if hedged else (cue.kind,)
        if not cue.sign and not any(carries(e, kinds) for e in backing):
            yield f"{cue.word!r} is not what the cited edge says"


def _negation(text: str, mentions: Sequence[Mention], backing: Sequence[Edge]) -> Iterator[str]:
    negated = is_negated(_blanked(text, mentions))
    if not any(e.negated == negated for e in backing):
        yield (
            "the sentence is negated, the cited edge is not"
            if negated
            else ("the cited edge is negated, the sentence is not")
        )
