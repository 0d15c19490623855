"""What a sentence claims: as its writer says (:class:`Claim`), and as its text reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fedrag.answer.names import Mention, Names
from fedrag.answer.relations import Relation, kinds_of
from fedrag.answer.words import Cue, cues, is_negated, net_sign, wordset

__all__ = ["Claim", "Reading", "Statement", "claim_relation", "read_text", "strip_keys"]

_KEY = re.compile(r"\s*\[\s*(E\d+(?:\s*[,;]\s*E\d+)*)\s*\]")
_COORDINATION = re.compile(
    r"[\s,;/&]*(?:and|or|as well as|,|/|&)?[\s,]*(?:the )?\s*", re.IGNORECASE
)
_SHARED_SUBJECT = re.compile(r"^[\s,]*(?:and|but|or)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:which|that|whom)\b\s*(?:\w+ly\s*)?$", re.IGNORECASE)
_BEFORE_UP = re.compile(
    r"(?:increased|elevated|raised|high|higher|activation of|gain of|overexpression of)"
    r"(?: (?:activity|expression|levels?|amounts?|abundance)(?: of)?)?(?: the)?\s*$",
    re.IGNORECASE,
)
_BEFORE_DOWN = re.compile(
    r"(?:decreased|reduced|lowered|low|lower|loss of|lack of|inhibition of|deficient)"
    r"(?: (?:activity|expression|levels?|amounts?|abundance|function)(?: of)?)?(?: the)?\s*$",
    re.IGNORECASE,
)


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


@dataclass(frozen=True, slots=True)
class Reading:
    """The relations a text spells out, and the cues that belong to none of them."""

    relations: tuple[Relation, ...]
    loose: tuple[Cue, ...]
    dangling: tuple[str, ...]  # a verb with an object that is no known name


def strip_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its ``[E1]`` marks, and the keys they named.

    >>> strip_keys("A decreases B [E1, E3].")
    ('A decreases B.', ('E1', 'E3'))
    """
    keys = [k for m in _KEY.finditer(text) for k in re.findall(r"E\d+", m.group(1))]
    return _KEY.sub("", text).strip(), tuple(dict.fromkeys(keys))


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
    )
    return _oriented(relation, found, words)


def _claim_sign(claim: Claim, words: str, found: Sequence[Cue]) -> int:
    stated = net_sign(cues(claim.direction), claim.direction)
    return stated or net_sign(tuple(found), words)


def _oriented(relation: Relation, found: Sequence[Cue], words: str) -> Relation:
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


# --- reading the text ---------------------------------------------------------------------------


def read_text(text: str, mentions: Sequence[Mention]) -> Reading:
    """The relations between neighbouring mentions, clause by clause.

    Words between two mentions that hold a cue relate them; a bare "and" or comma shares the
    relation of its neighbour ("A decreases B and C"); "and treats" keeps the subject before it.
    """
    if not mentions:
        return Reading((), _real(cues(text)), ())
    reader = _Reader(text, mentions)
    return reader.read()


def _real(found: Sequence[Cue]) -> tuple[Cue, ...]:
    return tuple(c for c in found if c.kind != "link")


class _Reader:
    def __init__(self, text: str, mentions: Sequence[Mention]) -> None:
        self.text, self.mentions = text, mentions
        self.relations: list[Relation] = []
        self.loose: list[Cue] = []
        self.dangling: list[str] = []
        self.subjects = [mentions[0]]  # those who act in the current clause
        self.last: list[Mention] = [mentions[0]]  # the group the last mention belongs to
        self.current: tuple[str, Sequence[Cue], list[Mention]] | None = None

    def read(self) -> Reading:
        prefix = self.text[: self.mentions[0].start]
        self._edge_words(prefix)
        for before, after in pairwise(self.mentions):
            self._between(before, after, self.text[before.end : after.start])
        self._suffix(self.text[self.mentions[-1].end :])
        return Reading(tuple(self.relations), tuple(self.loose), tuple(self.dangling))

    def _edge_words(self, prefix: str) -> None:
        """Cues before the first mention: "Inhibition of A by B" relates what follows."""
        found = cues(prefix)
        self.opening = (prefix, tuple(c for c in found if c.form == "event"))
        rest = [c for c in found if c.form != "event" and not self._adjective(c, prefix)]
        self.loose.extend(_real(rest))

    @staticmethod
    def _adjective(cue: Cue, prefix: str) -> bool:
        return cue.form == "passive" and not re.search(r"\bby\b", prefix[cue.end :])

    def _between(self, before: Mention, after: Mention, words: str) -> None:
        found = cues(words)
        if not found and _COORDINATION.fullmatch(words):
            self._join(after)
        elif found and self._clause(words):
            self._start_clause(before, after, words, found)
        elif found:
            self._relate(self.last, after, words, found)
        elif self.opening[1] and re.match(r"(?:\s+\w+){0,3}\s+by\b", words):
            self._by(after)
        else:
            self.last, self.current = [after], None

    @staticmethod
    def _clause(words: str) -> bool:
        return bool(
            _SHARED_SUBJECT.match(words) or re.match(r"\s*[,;]?\s*(?:\w+ing|by \w+ing)\b", words)
        )

    def _start_clause(
        self, before: Mention, after: Mention, words: str, found: Sequence[Cue]
    ) -> None:
        """A verb after "and" or a comma: its subject is the one before, or (-ing) its neighbour."""
        if _SHARED_SUBJECT.match(words):
            subjects = self.subjects
        else:
            subjects = list({id(m): m for m in [*self.subjects, before]}.values())
            subjects = [_merged(subjects)]
        self._relate(subjects, after, words, found)

    def _by(self, after: Mention) -> None:
        prefix, found = self.opening
        for patient in self.last:
            self._add(after, patient, prefix, found, is_negated(prefix))
        self.subjects, self.last = [after], [after]

    def _relate(
        self, subjects: list[Mention], after: Mention, words: str, found: Sequence[Cue]
    ) -> None:
        self._dangle(words, found, last=False)
        self.subjects = subjects
        self.current = (words, found, subjects)
        self.last = [after]
        for subject in subjects:
            self._add_read(subject, after, words, found)

    def _join(self, after: Mention) -> None:
        """ "A and B": B takes the part that A has."""
        self.last = [*self.last, after]
        if self.current is None:
            return
        words, found, subjects = self.current
        for subject in subjects:
            self._add_read(subject, after, words, found)

    def _add_read(self, left: Mention, right: Mention, words: str, found: Sequence[Cue]) -> None:
        negated = is_negated(words) or is_negated(self._before(left))
        relation = Relation(
            left.ids,
            right.ids,
            sign=net_sign(tuple(found), words),
            subject_sign=self._subject_sign(left, found),
            kinds=kinds_of(tuple(found)),
            negated=negated,
            wording=" ".join(c.word for c in found),
        )
        self.relations.append(_oriented(relation, found, words))

    def _add(
        self, left: Mention, right: Mention, words: str, found: Sequence[Cue], negated: bool
    ) -> None:
        sign, wording = net_sign(tuple(found), words), " ".join(c.word for c in found)
        self.relations.append(
            Relation(left.ids, right.ids, sign, 0, kinds_of(tuple(found)), negated, False, wording)
        )

    def _before(self, mention: Mention) -> str:
        """The words of the clause before a mention, for a negation that covers it."""
        if mention.start != self.mentions[0].start:
            return ""
        return re.split(r"[.;]", self.text[: mention.start])[-1]

    def _subject_sign(self, mention: Mention, found: Sequence[Cue]) -> int:
        if not any(c.form == "active" for c in found):
            return 0
        before = self.text[: mention.start]
        return 1 if _BEFORE_UP.search(before) else -1 if _BEFORE_DOWN.search(before) else 0

    def _suffix(self, words: str) -> None:
        found = cues(words)
        relative = self._relative(words, found)
        self._dangle(words, found, last=True)
        if not relative:
            self.loose.extend(_real(found))

    def _relative(self, words: str, found: Sequence[Cue]) -> bool:
        """ "A, which B inhibits": the verb comes after both."""
        if len(self.mentions) < 2 or not found or found[0].form != "active":
            return False
        left, right = self.mentions[-2:]
        if not _RELATIVE.search(self.text[left.end : right.start]):
            return False
        self._add(right, left, words, found[:1], is_negated(words[: found[0].end]))
        return True

    def _dangle(self, words: str, found: Sequence[Cue], *, last: bool) -> None:
        """Notes a verb whose object is no known name ("lowering blood pressure")."""
        ends = [c.start for c in found[1:]] + ([len(words)] if last else [])
        for cue, end in zip(found, ends, strict=False):
            if cue.form == "active" and cue.kind in (
                "sign",
                "treat",
                "cause",
                "prevent",
                "benefit",
            ):
                phrase = re.split(r"[.,;:()]", words[cue.end : end])[0]
                objects = [w for w in re.findall(r"[\w-]+", phrase) if w.lower() not in _EMPTY]
                if objects:
                    self.dangling.append(f"{cue.word} {phrase.strip()}")


def _merged(mentions: Sequence[Mention]) -> Mention:
    """One mention that may be any of these."""
    ids = frozenset(i for m in mentions for i in m.ids)
    first = mentions[0]
    return Mention(first.start, first.end, ids, first.text)


# Words that may follow a verb without being a thing of their own.
_EMPTY = wordset(
    """a an the its it this that these those their of in on to for by with via through from and or
    as at which who is are was were be been can may might could also both thereby thus activity
    activities expression abundance amount level levels function secretion synthesis signaling
    gene genes protein proteins drug disease condition patients people adults effect effects
    direct directly indirect indirectly decreased increased reduced elevated strongly evidence
    according based here returned cited statement statements source sources data more less further
    them him her symptoms action target targets"""
)
