"""What a sentence's text spells out: which named thing does what to which, clause by clause.

No parser: names are known beforehand, and between two names stand few words. What cannot be read
so is handed back (``loose``, ``dangling``) for the check to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fedrag.answer.claims import oriented
from fedrag.answer.names import Mention
from fedrag.answer.relations import Relation, kinds_of, speaks_of_loss
from fedrag.answer.words import Cue, cues, is_negated, net_sign, wordset

__all__ = ["Reading", "read_text"]

_COORDINATION = re.compile(
    r"[\s,;/&]*(?:and|or|as well as|,|/|&)?[\s,]*(?:the )?\s*", re.IGNORECASE
)
_SHARED_SUBJECT = re.compile(r"^[\s,]*(?:and|but|or)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:which|that|whom|whose(?: \w+)?)\s*(?:\w+ly\s*)?$", re.IGNORECASE)
_BY_DOING = re.compile(r"^\W*(?:by|through|via)\s+(?:\w+ly\s+)?\w+ing\b", re.IGNORECASE)
_COPULA = re.compile(
    r"[\s,]*(?:(?:is|are|includes?|comprises?|being|such as|namely)\b|:)[\s:]*(?:the )?\s*",
    re.IGNORECASE,
)
_THROUGH = re.compile(r"[\s,]*\b(?:through|via|by way of|by)\s+(?:the \w+ )?\s*", re.IGNORECASE)
_NEW_CLAUSE = re.compile(r"\s*[,;]?\s*(?:and|but)\s+(?:the \w+ )?", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:the \w+ )?")
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


# Words that may follow a verb without being a thing of their own.
_EMPTY = wordset(
    """a an the its it this that these those their of in on to for by with via through from and or
    as at which who is are was were be been can may might could also both thereby thus activity
    activities expression abundance amount level levels function secretion synthesis signaling
    gene genes protein proteins drug disease condition patients people adults effect effects
    direct directly indirect indirectly decreased increased reduced elevated strongly evidence
    according based here returned cited statement statements source sources data more less further
    them him her symptoms action target targets answer gene's not does do did cannot never no there
    returned found stated show shows say says indicate indicates suggest suggests agent compound
    medication therapy treatment medicine because since while when most likely main best known
    mechanism way how so but only then primarily mainly specifically clearly one"""
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The relations a text spells out, and the cues that belong to none of them."""

    relations: tuple[Relation, ...]
    loose: tuple[Cue, ...]
    dangling: tuple[str, ...]  # a verb with an object that is no known name


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

        self.between: tuple[Relation, ...] = ()  # "A is linked to B", until "through C" follows
        self.prefix = text[: mentions[0].start]
        opening = cues(self.prefix)
        self.opening = tuple(c for c in opening if c.form == "event")  # "Inhibition of A by B"
        self.by_doing = opening if _BY_DOING.match(self.prefix) else ()  # "By inhibiting A, B ..."
        # "Drugs that treat A are B and C", "Targets of A include B"
        listed = len(mentions) > 1 and _COPULA.fullmatch(text[mentions[0].end : mentions[1].start])
        self.heading = opening if listed and not self.opening and not self.by_doing else ()

    def read(self) -> Reading:
        if not self.by_doing and not self.heading:
            self._prefix()
        for before, after in pairwise(self.mentions):
            self._between(before, after, self.text[before.end : after.start])
        self._suffix(self.text[self.mentions[-1].end :])
        return Reading(tuple(self.relations), tuple(self.loose), tuple(self.dangling))

    def _prefix(self) -> None:
        """Cues before the first mention; an unknown thing that acts there is noted."""
        prefix = self.prefix
        rest = [c for c in cues(prefix) if c.form != "event" and not self._adjective(c, prefix)]
        self.loose.extend(_real(rest))
        for cue in rest:
            named = [w for w in _words(prefix[: cue.start].lower()) if w not in _EMPTY]
            if cue.form == "active" and named:
                self.dangling.append(f"{' '.join(named)} {cue.word}")

    @staticmethod
    def _adjective(cue: Cue, prefix: str) -> bool:
        return cue.form == "passive" and not re.search(r"\bby\b", prefix[cue.end :])

    def _between(self, before: Mention, after: Mention, words: str) -> None:
        found = cues(words)
        if self.by_doing and before is self.mentions[0] and _COMMA.fullmatch(words):
            self._add(after, before, self.prefix, self.by_doing, is_negated(self.prefix))
            self.subjects, self.last = [after], [after]
        elif self.heading and (
            before is self.mentions[0] or (self.current is None and _COORDINATION.fullmatch(words))
        ):
            self._add_read(after, self.mentions[0], self.prefix, self.heading)
            self.subjects, self.last = [after], [after]
        elif found and (head := self._relative_before(before)):
            self._after_relative(head, before, after, words)
        elif self.current and _NEW_CLAUSE.fullmatch(words) and self._acts(after):
            self.subjects, self.last, self.current = [after], [after], None
        elif self.between and _THROUGH.fullmatch(words):
            self._through(after)
        elif not found and _COORDINATION.fullmatch(words):
            self._join(after)
        elif found and self._clause(words):
            self._start_clause(before, after, words, found)
        elif found:
            self._relate(self.last, after, words, found)
        elif self.opening and re.match(r"(?:\s+\w+){0,3}\s+by\b", words):
            self._by(after)
        else:
            self.last, self.current = [after], None

    def _acts(self, mention: Mention) -> bool:
        """Whether a verb follows at once: "..., and B treats C" opens a clause of its own."""
        after = self.text[mention.end :]
        found = cues(after)
        lead = after[: found[0].start] if found else ""
        return bool(found) and found[0].form == "active" and not set(_words(lead)) - {"also"}

    def _through(self, middle: Mention) -> None:
        """ "A is linked to B through C": C is what is related to both."""
        ends = self.between
        self.between = ()
        self.relations = [r for r in self.relations if r not in ends]
        for relation in ends:
            for end in (relation.subject, relation.object):
                self.relations.append(
                    replace(relation, subject=end, object=middle.ids, either_way=True)
                )
        self.subjects, self.last, self.current = [middle], [middle], None

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
        for patient in self.last:
            self._add(after, patient, self.prefix, self.opening, is_negated(self.prefix))
        self.subjects, self.last = [after], [after]

    def _relate(
        self, subjects: list[Mention], after: Mention, words: str, found: Sequence[Cue]
    ) -> None:
        self._dangle(words, found, last=False)
        self.subjects = subjects
        self.current = (words, found, subjects)
        self.last = [after]
        made = len(self.relations)
        for subject in subjects:
            self._add_read(subject, after, words, found)
        new = self.relations[made:]
        self.between = tuple(new) if all(r.kinds == ("link",) for r in new) else ()

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
            of_loss=speaks_of_loss(words),
        )
        self.relations.append(oriented(relation, found, words))

    def _add(
        self, left: Mention, right: Mention, words: str, found: Sequence[Cue], negated: bool
    ) -> None:
        sign, wording = net_sign(tuple(found), words), " ".join(c.word for c in found)
        relation = Relation(
            left.ids, right.ids, sign, 0, kinds_of(tuple(found)), negated, False, wording
        )
        self.relations.append(replace(relation, of_loss=speaks_of_loss(words)))

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

    def _relative_before(self, mention: Mention) -> Mention | None:
        """The "A" of "A, which B ..." when this is its "B"."""
        at = self.mentions.index(mention)
        if at == 0:
            return None
        head = self.mentions[at - 1]
        return head if _RELATIVE.search(self.text[head.end : mention.start]) else None

    def _after_relative(self, head: Mention, actor: Mention, after: Mention, words: str) -> None:
        """ "A, which B inhibits, treats C": B inhibits A, and A treats C."""
        inner, comma, outer = words.partition(",")
        found = cues(inner)
        if not comma or not found or not cues(outer):
            self._relate(self.last, after, words, cues(words))
            return
        self._add(actor, head, inner, found, is_negated(inner))
        self._relate([head], after, outer, cues(outer))

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
                if any(w not in _EMPTY for w in _words(phrase.lower())):
                    self.dangling.append(f"{cue.word} {phrase.strip()}")


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text)


def _merged(mentions: Sequence[Mention]) -> Mention:
    """One mention that may be any of these."""
    ids = frozenset(i for m in mentions for i in m.ids)
    first = mentions[0]
    return Mention(first.start, first.end, ids, first.text)
