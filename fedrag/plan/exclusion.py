"""Questions that deny or exclude: "drugs that do not treat X", "X but not Y", "non-opioid drugs".

What was not returned is not known to be false, and candidates are not subtracted from each other,
so such a question is refused with what was understood; answered as if the "not" were not there, it
would get the opposite of what it asks. Words that exclude nothing which was recognised ("besides
dialysis") become a note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fedrag.datamodel import Entity
from fedrag.errors import PlanError
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import named
from fedrag.plan.lexicon import ANY_NOUN, ASKS, HOW, TOKEN, YES_NO
from fedrag.plan.wording import Wording

__all__ = ["check_exclusions"]

_MODAL = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|may|might)"
# What only looks like a negation, or is how a contraindication is asked for.
_HARMLESS = re.compile(
    r"\bnot (?:only|just|merely|solely|simply|necessarily)\b|\bbut also\b|\b(?:whether )?or not\b|"
    r"\b(?:if|why) not\b|\bnot (?:sure|certain|clear)\b|\bno longer than\b|"
    r"\b(?:i|we|you)(?: am| are|'m|'re)?(?: do| did)?(?: not|n't)\b|"
    r"\b(?:should|must|ought)(?: \w+)?(?: not|n't)\b|\b(?:shouldn't|mustn't)\b|"
    r"\b(?:can ?not|can't|(?:is|are|may|can|could)(?: not|n't)|not)(?: to)?(?: be)? "
    r"(?:mix|take|give|combine|prescribe|administer)\w*\b|"
    r"\bnot (?:to )?be (?:used|given|taken|combined|mixed|prescribed)\b|"
    r"\b(?:happens?|develops?|occurs?|works?|functions?|survives?|lives?) without\b|"
    r"^\W*(?:is|are|does|do|did|can|could|has|have|would|will)n't\b|"
    # ... names of things that are no denials of others
    r"\bnon-?(?:\s*-)?\s*(?:small|hodgkin|alcohol\w*|steroidal?|coding|specific|selective|"
    r"invasive|receptor|canonical|communicable|fatal|ischa?emic|responders?|compliance|prescription|"
    r"commercial|profit)\b|\btrue or false\b|"
    # ... how harm is asked for: "should people with gout avoid aspirin", "drugs to avoid in gout"
    r"\b(?:should|must|to|patients?|people|why|who|i|we|one|pregnant|women|children|help|helps|you|with|have)"
    r"(?: \w+)? avoid\b"
)
_EXCLUDES = re.compile(
    rf"\bbut (?:not|never|no)\b|\bbut (?:\w+ )?{_MODAL}(?: not|n't)\b|"
    r"\bexcept(?:ing)?\b|\bother than\b|\b(?:apart|aside) from\b|\bbesides\b|\bexcluding\b|"
    r"\bdifferences? between\b|\black(?:s|ing)? (?:any )?(?:activity|effects?|action)\b|"
    r"\bwithout\b|\binstead of\b|\brather than\b|\bsave for\b|"
    r"\b(?:with|has|have|had|having) no\b|\bexclud(?:e|es|ed)\b|\bomit(?:s|ted|ting)?\b|"
    r"\b(?:leav(?:e|es|ing)|rul(?:e|es|ed|ing)) out\b|\b(?:ignor|disregard)(?:e|es|ing|s)?\b|"
    r"\bavoid(?:s|ing)?\b|\bspar(?:e|es|ed|ing)\b|\bdevoid of\b|\bfree (?:of|from)\b|"
    r"\bbarring\b|\bunlike\b"
)
_NON = re.compile(r"\bnon-?(?= ?[A-Z]{4,})|\bnon-[a-z]+")
# What is excluded stands before: "HER2-negative", "potassium-sparing".
_WITHOUT = re.compile(
    r"\b[A-Z]{4,}(?: ?- ?(?:sparing|free|negative|lacking|independent|unrelated)| negative)\b"
    r"(?! regulat| feedback)"
)
_FALSE = re.compile(
    r"\b(?:false|untrue|wrong|incorrect|mistaken|(?:myth|lie|misconception|mistake))"
    r"(?: to (?:say|think|claim|believe|state|assume))?,? that\b|"
    r"^\W*(?:is|was) (?:it|this) (?:false|untrue|incorrect)\b|\b(?:refut|disprov)\w+|"
    r"\bden(?:y|ies|ied|ying)\b"
)
_NEGATES = re.compile(
    rf"\b{_MODAL}(?: \w+)?(?: not|n't)\b|\bcan ?not\b|\bcan't\b|\bwon't\b|\bnever\b|\bnot\b|"
    r"\bnor\b|\bneither\b|\bfail(?:s|ed|ing)? to\b|\bno longer\b|\bunable to\b|"
    r"\binef(?:fective|ficacious)\b|\binactive (?=against|in\b|on\b|at\b)|"
    r"\bun(?:related|linked|connected) to\b|\bun(?:affected|changed|influenced) by\b|"
    r"\bindependent(?:ly)? of\b"
)
_CLAUSE = re.compile(r"[,;:()]|\b(?:and|or) (?=which|what|how)")
_ASIDE = re.compile(r"\b(?:if|when|although|though|because|since|while|who|whose|whom)\b")
_NEAR = 6  # words between a word that excludes and what it excludes


def check_exclusions(wording: Wording, entities: Sequence[Entity]) -> dict[str, str]:
    """What the question excludes that could not be taken into account: the words, and a note.

    :raises PlanError: it excludes something that was recognised, or asks for what does not hold.
    """
    notes: dict[str, str] = {}
    for sentence, offset in _asking(_blanked(wording.masked)):
        if match := _FALSE.search(sentence):
            raise _denied(_phrase(sentence, match, offset, wording), wording, entities)
        if match := _WITHOUT.search(sentence) or _NON.search(sentence):
            raise _refused(_phrase(sentence, match, offset, wording), wording, entities)
        for match in _EXCLUDES.finditer(sentence):
            phrase = _phrase(sentence, match, offset, wording)
            if TOKEN.search(_following(sentence, match)):
                raise _refused(phrase, wording, entities)
            notes[phrase] = f"the question excludes something ({phrase!r}); that was not considered"
        rest = _EXCLUDES.sub(lambda m: " " * len(m.group()), sentence)
        for match in _NEGATES.finditer(rest):
            phrase = _phrase(sentence, match, offset, wording)
            kind = _kind_after(rest, match)
            if _is_yes_no(sentence, wording) or (kind and _is_contrast(rest, match, kind, wording)):
                continue
            if not kind and not _is_aside(rest, match):
                raise _denied(phrase, wording, entities)
            notes[phrase] = f"the question denies something ({phrase!r}); that was not considered"
    return notes


def _blanked(masked: str) -> str:
    return _HARMLESS.sub(lambda match: " " * len(match.group()), masked)


def _asking(text: str) -> list[tuple[str, int]]:
    """The sentences that ask, with their offsets; all where none does."""
    found = [(m.group(), m.start()) for m in re.finditer(r"[^.!?]+", text)]
    asking = [(s, at) for s, at in found if ASKS.search(s) or HOW.search(s) or YES_NO.match(s)]
    return asking or found


def _following(sentence: str, match: re.Match[str]) -> str:
    """The next words of the clause after a match, up to the first mention."""
    clause = _CLAUSE.split(sentence[match.end() :])[0]
    words = " ".join(clause.split()[:_NEAR])
    mention = TOKEN.search(words)
    return words[: mention.end()] if mention else words


def _phrase(sentence: str, match: re.Match[str], offset: int, wording: Wording) -> str:
    """The words of a negation and what follows, with the mentions as the question has them."""
    said = f"{match.group()} {_following(sentence, match)}".strip()
    said = re.sub(r"(?<=\w) ?- ?(?=\w)", "-", said)
    before = len(TOKEN.findall(wording.masked[: offset + match.start()]))
    names = iter(wording.mentions[before:])
    return TOKEN.sub(lambda token: next(names, token.group().lower()), said)


def _kind_after(text: str, match: re.Match[str]) -> str | None:
    """The kind of thing that is denied, where the next word names one: "not steroids"."""
    noun = ANY_NOUN.match(text[match.end() :].lstrip())
    return noun.lastgroup if noun else None


def _is_contrast(text: str, match: re.Match[str], kind: str, wording: Wording) -> bool:
    """Whether "proteins, not compounds" only repeats which kind is asked for."""
    return text[: match.start()].rstrip().endswith(",") and kind != wording.asked


def _is_yes_no(sentence: str, wording: Wording) -> bool:
    """ "Does X not treat Y?": the answer tells what speaks for it and what against it anyway."""
    return wording.asked is None and YES_NO.match(sentence) is not None


def _is_aside(text: str, match: re.Match[str]) -> bool:
    """Whether it stands in a clause of its own: "when X does not work", "who do not respond"."""
    clause = _CLAUSE.split(text[: match.start()])[-1]
    aside = list(_ASIDE.finditer(clause))
    return bool(aside) and not re.search(r"\b(?:which|that|what)\b", clause[aside[-1].end() :])


def _understood(wording: Wording, entities: Sequence[Entity]) -> str:
    asked = f"{ANSWERS[wording.asked].many}, with " if wording.asked else ""
    return f"understood: {asked}{', '.join(named(entity) for entity in entities)}"


def _refused(phrase: str, wording: Wording, entities: Sequence[Entity]) -> PlanError:
    return PlanError(
        f"{_understood(wording, entities)}; but {phrase!r} excludes something, and exclusion is "
        "not supported",
        hint=_apart(entities),
    )


def _apart(entities: Sequence[Entity]) -> str:
    names = [entity.name or entity.mention for entity in entities]
    if len(names) == 1:
        return "ask without it, and look for it among the candidates"
    return f"ask without it, or about {' and '.join(names)} apart, and compare the answers"


def _denied(phrase: str, wording: Wording, entities: Sequence[Entity]) -> PlanError:
    return PlanError(
        f"{_understood(wording, entities)}; but {phrase!r} asks for what does not hold, which "
        "cannot be answered: what is not returned is not known to be false",
        hint=_apart(entities)
        if len(entities) > 1
        else "ask without the negation; evidence against a candidate is told with the answer",
    )
