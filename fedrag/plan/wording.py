"""The question around its entities: what kind of thing is asked for, and in what number.

Mentions are masked first, each by the upper-case name of its family (``what inhibits GENE``), so
that no word inside a name acts as a cue, and cues can tell "what inhibits X" from "what does X
inhibit". A word that only announces a mention ("drug X", "Disease X", "the gene X") goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from fedrag.datamodel import Entity
from fedrag.plan.families import families_of
from fedrag.plan.lexicon import (
    ABOUT,
    AFTER,
    ANNOUNCE,
    ANY_NOUN,
    ASKS,
    AUXILIARY,
    HOW,
    NOT_ASKED_AFTER,
    RELATIVE,
    REQUEST,
    SPELLINGS,
    SUPERLATIVE,
    TELL_HOW,
    TOKEN,
    TOP_SEVERAL,
    VERBS,
    WHAT_TREATS,
    YES_NO,
    expand,
)

__all__ = ["Wording", "read_wording"]

_METABOLISES = re.compile(r"metaboli[sz]e[sd]?$")
_ACTORS = re.compile(
    r"\b(?:drugs|medications|medicines|compounds|chemicals|molecules|agents|inhibitors|antibodies|"
    r"therapies|treatments) (?:also |directly |selectively )?$"
)
_ALIKE = 0.85  # one or two letters in a word of six or more


@dataclass(frozen=True, slots=True)
class Wording:
    """What a question says besides naming things.

    ``masked`` is lower-case text with a token for each mention. ``asked`` names the answer family
    the question asks for, ``None`` when it asks for no kind of thing ("what links A and B?").
    ``several``: it asks for more than one; ``best``: for the one that stands out. ``mentions`` are
    the names behind the tokens, in their order.
    """

    masked: str
    asked: str | None
    several: bool = False
    best: bool = False
    mentions: tuple[str, ...] = ()

    def has(self, pattern: str) -> bool:
        """Whether an (expanded) cue is in the masked text."""
        return re.search(expand(pattern), self.masked) is not None


def read_wording(question: str, entities: Sequence[Entity]) -> Wording:
    """Mask the mentions and find what is asked for.

    >>> kit = Entity("KIT", 21, 24, "NCBIGene:3815", "KIT", ("biolink:Gene",), "exact")
    >>> wording = read_wording("Which drug hits gene KIT?", [kit])
    >>> wording.masked, wording.asked
    ('which drug hits GENE?', 'drug')
    """
    spans = _spans(question, entities)
    masked = _without_announcements(_masked(question, spans))
    asked, noun = _asked(masked)
    if asked is None:
        masked = _spelt(masked)
        asked, noun = _asked(masked)
    singular = noun is None or not _plural(noun)
    return Wording(
        masked=masked,
        asked=asked,
        several=not singular,
        best=bool(SUPERLATIVE.search(masked)) and not TOP_SEVERAL.search(masked) and singular,
        mentions=tuple(question[start:end] for start, end, _ in spans),
    )


def _spans(question: str, entities: Sequence[Entity]) -> list[tuple[int, int, str]]:
    """Where each mention is, and the token that masks it, in the order of the text."""
    kept: list[tuple[int, int, str]] = []
    for start, end, token in sorted(
        (*_span(question, e), families_of(e)[0].upper()) for e in entities
    ):
        if start >= (kept[-1][1] if kept else 0):  # else not in the text, or inside another
            kept.append((start, end, token))
    return kept


def _masked(question: str, spans: Sequence[tuple[int, int, str]]) -> str:
    pieces, position = [], 0
    for start, end, token in spans:
        pieces += [question[position:start].lower(), f" {token} "]
        position = end
    pieces.append(question[position:].lower())
    text = re.sub(r"[\"“”„«»`]|(?<=\s)['‘’]|['‘’](?=\s|$)", " ", "".join(pieces))
    text = re.sub(r"\s+", " ", text.replace("’", "'"))
    return re.sub(r"\s+([?!.,;:')])", r"\1", text).strip()


def _span(question: str, entity: Entity) -> tuple[int, int]:
    """Where a mention is; a pinned one is looked for; (-1, -1) when it is not there."""
    if 0 <= entity.start < entity.end <= len(question):
        return entity.start, entity.end
    for text in (entity.mention, entity.name, entity.curie):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if text and found:
            return found.span()
    return -1, -1


def _without_announcements(masked: str) -> str:
    for token, words in ANNOUNCE.items():
        named = r"(?: (?:called|named|known as))?:? "
        one = rf"\b(?:(?:the|a|an|this) )?(?:{words}){named}(?={token}\b)"
        several = (
            rf"\b(?:(?:the|these|both|two) )*(?:{words})s{named}(?={token}(?:,| and| or|/| &))"
        )
        masked = re.sub(several, "", re.sub(one, "", masked))
    for token, words in AFTER.items():
        masked = re.sub(rf"\b({token}) (?:{words})\b", r"\1", masked)
    return masked


def _spelt(masked: str) -> str:
    """The text with misspelt nouns ("symtoms", "protiens") set right."""

    def right(match: re.Match[str]) -> str:
        word = match.group()
        if _METABOLISES.match(word):
            return word  # a verb, one letter from "metabolites"
        return next(iter(get_close_matches(word, SPELLINGS, n=1, cutoff=_ALIKE)), word)

    return re.sub(r"\b[a-z]{6,}\b", right, masked)


def _asked(masked: str) -> tuple[str | None, str | None]:
    """The answer family asked for, and the noun that says so."""
    if WHAT_TREATS.match(masked):
        return "drug", None
    text = RELATIVE.sub("", ABOUT.sub("", masked))
    asks, how = ASKS.search(text), HOW.search(text)
    which = re.search(r"\bwhich\b", text)
    if YES_NO.match(text) and not REQUEST.match(text):
        return _noun(text[which.end() :]) if which else (None, None)
    if how and (asks is None or how.start() < asks.start()):
        return _noun(text[which.end() :]) if which else (None, None)
    if asks is None:
        return _noun(text)
    rest = text[asks.end() :]
    if AUXILIARY.match(rest) and (subject := TOKEN.search(rest)):
        rest = rest[subject.end() :]
    if TELL_HOW.match(rest):
        return None, None
    return _noun(rest)


def _noun(text: str) -> tuple[str | None, str | None]:
    """The first noun of an answer family that is asked for; of a compound its last."""
    found = list(ANY_NOUN.finditer(text))
    for position, match in enumerate(found):
        before = text[: match.start()].rstrip()
        if _is_verb(text, match) or NOT_ASKED_AFTER.search(before):
            continue
        head = match
        for following in found[position + 1 :]:
            if text[head.end() : following.start()].strip(" -/") or _is_verb(text, following):
                break
            head = following
        return head.lastgroup, head.group().strip()
    return None, None


def _is_verb(text: str, match: re.Match[str]) -> bool:
    """``targets GENE``, ``functions in``, ``drugs target``: the word is what something does."""
    if match.group().strip() == "target" and _ACTORS.search(text[: match.start()]):
        return True
    return any(
        re.fullmatch(word, match.group().strip()) and re.match(after, text[match.end() :])
        for word, after in VERBS
    )


def _plural(noun: str) -> bool:
    return bool(re.search(r"(?<![suio])s\b|ies$|ses$|loci$|bacteria$|fungi$", noun)) and not (
        noun.endswith(("species", "diagnosis"))
    )
