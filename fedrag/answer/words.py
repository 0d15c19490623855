"""The words of a biomedical sentence that say how two things relate: direction, kind, negation.

A *cue* is one such word. Its sign is +1 (increases), -1 (decreases) or 0; its form tells who acts:
``active`` ("A inhibits B"), ``passive`` ("B inhibited by A"), ``agent`` ("A, an inhibitor of B"),
``event`` ("inhibition of B by A"), ``patient`` ("B is a target of A") or ``mutual``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

__all__ = ["Cue", "cues", "is_negated", "net_sign", "word_of", "wordset"]

Form = Literal["active", "passive", "agent", "event", "patient", "mutual"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A word that relates two things, and where it stands in the text it was read from."""

    kind: str  # "sign", "treat", "hedge", ...: see fedrag.answer.relations for what carries each
    sign: int
    form: Form
    start: int
    end: int
    word: str


def wordset(text: str) -> frozenset[str]:
    """The words of a text, for the tables of this room."""
    return frozenset(text.split())


_UP = """increase activate upregulate stimulate enhance induce elevate raise promote potentiate
augment boost amplify agonize agonise"""
_DOWN = """decrease inhibit downregulate suppress reduce block antagonize antagonise attenuate
diminish repress silence abolish impair inactivate deactivate deplete degrade disrupt"""
_NOUNS: tuple[tuple[int, Form, str], ...] = (
    (
        1,
        "event",
        "activation upregulation stimulation induction elevation enhancement agonism gain",
    ),
    (1, "event", "potentiation augmentation"),
    (1, "agent", "activator stimulator inducer enhancer agonist potentiator upregulator"),
    (-1, "event", "inhibition downregulation suppression reduction blockade blockage antagonism"),
    (-1, "event", "attenuation repression impairment inactivation depletion loss"),
    (-1, "agent", "inhibitor suppressor blocker antagonist repressor downregulator inactivator"),
)
_VERBS = {
    "regulate": "regulate modulate influence affect alter target",
    "treat": "treat",
    "cure": "cure",
    "hedge": "study investigate test evaluate",
    "benefit": "ameliorate improve alleviate relieve",
    "prevent": "prevent",
    "harm": "exacerbate worsen aggravate contraindicate",
    "cause": "cause trigger drive provoke",
    "bind": "bind",
}
# What "positively" and "negatively" give their sign to, and who acts then.
_SIGNED: tuple[tuple[Form, str], ...] = (
    ("active", r"ly (?:regulat|modulat|affect|influenc|alter|control)(?:es?|s|ing)?"),
    ("passive", r"ly (?:regulated|modulated|affected|influenced|altered|controlled)"),
    ("agent", r" (?:regulator|modulator|effector)s?"),
    ("event", r" (?:regulation|modulation|control|effect)"),
    ("mutual", r"(?:ly)?(?: (?:correlat|associat)(?:ed|ion|es?)(?: (?:with|to|between))?)?"),
)
_PHRASES: tuple[tuple[str, int, Form, str], ...] = (
    ("treat", 0, "agent", r"(?:treatment|therapy|cure|remedy|drug|medicine)s? (?:of|for|against)"),
    ("treat", 0, "active", r"(?:effective|active|works?) (?:against|for|in)"),
    ("treat", 0, "active", r"indicated (?:for|in)|approved (?:for|in|to treat)"),
    ("applied", 0, "active", r"(?:used|applied|given|prescribed|administered) (?:to treat|for)"),
    ("hedge", 0, "active", r"(?:in )?(?:pre-?clinical |clinical )?trials?"),
    ("benefit", 0, "active", r"protects? against|protective against|beneficial (?:in|for)"),
    ("prevent", 0, "active", r"preventati?ve (?:for|of|against)"),
    (
        "harm",
        0,
        "mutual",
        r"(?:side effect|adverse (?:event|effect|reaction))s?|contraindications?",
    ),
    ("harm", 0, "mutual", r"resistan(?:t|ce)|toxic(?:ity)?|risk (?:of|for)"),
    ("cause", 0, "active", r"leads? to|results? in|responsible for|gives? rise to|leading to"),
    ("cause", 0, "active", r"resulting in|brings? about"),
    ("cause", 0, "agent", r"cause (?:of|for)"),
    ("cause", 0, "patient", r"results? from|due to|because of|caused by"),
    ("contribute", 0, "active", r"contribut(?:es?|ed|ing) to|predispos(?:es?|ed|ing) to"),
    ("bind", 0, "mutual", r"(?:physically )?interact(?:s|ed|ing)?(?: with)?|bound (?:to|by)"),
    ("regulate", 0, "active", r"act(?:s|ing)? (?:on|upon)"),
    ("regulate", 0, "patient", r"targets? (?:of|for)"),
    ("benefit", 0, "active", r"helps? (?:in|with|against)"),
    *(
        ("sign", sign, form, rf"{word}{pattern}")
        for sign, word in ((1, "positive"), (-1, "negative"))
        for form, pattern in _SIGNED
    ),
    ("sign", 1, "mutual", r"rises?|rising|rose|goes up|climbs?"),
    ("sign", -1, "mutual", r"falls?|falling|fell|goes down|drops?|declin(?:es?|ing|ed)"),
    ("sign", -1, "active", r"lowers|lowering"),
    ("sign", -1, "passive", r"lowered"),
    (
        "link",
        0,
        "mutual",
        r"(?:associated|linked|related|connected|correlated|involved)(?: (?:with|to|in))?"
        r"|(?:links?|connects?|correlates?|relates?)(?: with| to)?|associations?"
        r"|(?:participates?|participating|participants?|takes? part)(?: in| of)?",
    ),
)
_NEGATION = re.compile(
    r"\b(?:not(?! only)|no|never|neither|nor|none|cannot|unable to|fail(?:s|ed)? to|lacks?|"
    r"lack of|absence of|without|false|untrue|wrong|refut(?:es?|ed)|disprove[sdn]?|"
    r"den(?:y|ies|ied)|rather than|instead of|hardly|unlikely)\b|n't\b|n’t\b",
    re.IGNORECASE,
)


def _forms(verb: str) -> dict[str, Form]:
    stem = verb.removesuffix("e")
    if verb.endswith("fy") or verb == "study":
        stem = verb[:-1] + "i"
        return {
            verb: "active",
            stem + "es": "active",
            stem + "ed": "passive",
            verb + "ing": "active",
        }
    third = verb + ("es" if verb.endswith(("sh", "ss")) else "s")
    return {verb: "active", third: "active", stem + "ing": "active", stem + "ed": "passive"}


def _dictionary() -> dict[str, tuple[str, int, Form]]:
    words: dict[str, tuple[str, int, Form]] = {}
    for sign, verbs in ((1, _UP), (-1, _DOWN)):
        for verb in verbs.split():
            words.update({w: ("sign", sign, form) for w, form in _forms(verb).items()})
    for sign, form, nouns in _NOUNS:
        for noun in nouns.split():
            words[noun] = words[noun + "s"] = ("sign", sign, form)
    for kind, verbs in _VERBS.items():
        for verb in verbs.split():
            words.update({w: (kind, 0, form) for w, form in _forms(verb).items()})
    del words["target"]  # far more often the noun ("the main target")
    return words


_WORDS = _dictionary()
_PHRASE = re.compile(
    "|".join(rf"(?P<p{i}>\b(?:{p[3]})\b)" for i, p in enumerate(_PHRASES)), re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]+")
_JOINED = re.compile(r"\b(up|down|de|in)-(?=regulat|activat)", re.IGNORECASE)
_INVERSE = re.compile(r"\binverse agonist", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:an?|the|this|its?|of|by|through|via)\s+$", re.IGNORECASE)


def _tidy(text: str) -> str:
    """Same length as ``text``, so that positions stay true."""
    text = _JOINED.sub(lambda m: " " + m.group(1), text)
    return _INVERSE.sub("     antagonist", text)


def cues(text: str) -> tuple[Cue, ...]:
    """The cues of a text in order; phrases win over the words inside them.

    >>> [(c.word, c.sign, c.form) for c in cues("is inhibited by")]
    [('inhibited', -1, 'passive')]
    """
    text = _tidy(text)
    found = list(_phrases(text))
    taken = [(c.start, c.end) for c in found]
    for match in _WORD.finditer(text):
        entry = _WORDS.get(match.group().lower())
        if entry and not any(s <= match.start() < e for s, e in taken):
            kind, sign, form = entry
            if form == "active" and not match.group().lower().endswith(("s", "ing")):
                form = "event" if _ARTICLE.search(text[: match.start()]) else form
            found.append(Cue(kind, sign, form, match.start(), match.end(), match.group()))
    return tuple(sorted(found, key=lambda c: c.start))


def _phrases(text: str) -> Iterator[Cue]:
    for match in _PHRASE.finditer(text):
        kind, sign, form, _ = _PHRASES[int((match.lastgroup or "p0")[1:])]
        yield Cue(kind, sign, form, match.start(), match.end(), match.group())


def is_negated(text: str) -> bool:
    """Whether the text holds a word of negation.

    >>> is_negated("does not decrease"), is_negated("not only decreases")
    (True, False)
    """
    return _NEGATION.search(text) is not None


def net_sign(found: tuple[Cue, ...], text: str) -> int:
    """The direction that cues give together: "blocks activation of" is a decrease.

    >>> net_sign(cues("blocks the activation of"), "blocks the activation of")
    -1
    """
    signed = [c for c in found if c.sign]
    if not signed:
        return 0
    total = signed[0].sign
    for before, after in pairwise(signed):
        between = text[before.end : after.start].strip().lower()
        if before.form == "active" and between in ("", "the", "its", "an", "a"):
            total *= after.sign
        elif after.sign != total:
            return 0 if after.form == "active" else total * after.sign
    return total


def word_of(sign: int) -> str:
    """The plain word for a sign."""
    return {1: "increases", -1: "decreases"}.get(sign, "gives no direction")
