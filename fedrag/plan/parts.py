"""The part of a question that stands for things it does not name: "genes of X", "X inhibitors"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fedrag.plan.lexicon import ANY_NOUN, TOKEN, expand
from fedrag.plan.wording import Wording

__all__ = ["BETWEEN", "NOUN", "SAME", "Part", "find_part", "is_other"]

_WORDS = 6  # between a noun and the name it belongs to
# What may stand in between, by the kind of answer that names it: its nouns, token and category.
BETWEEN = {
    "gene": (
        r"(?:molecular |drug |protein )?targets?|genes?|proteins?|receptors?|enzymes?|kinases?|"
        r"transporters?|(?:ion )?channels?|mechanisms?(?: of action)?|mode of action",
        "GENE",
        "biolink:Gene",
    ),
    "drug": (
        r"drugs?|medications?|medicines?|chemicals?|compounds?|inhibitors?|agonists?|antagonists?|"
        r"blockers?|activators?",
        "CHEMICAL",
        "biolink:ChemicalEntity",
    ),
    "disease": (
        r"diseases?|disorders?|conditions?|indications?|infections?",
        "DISEASE",
        "biolink:Disease",
    ),
    "process": (
        r"pathways?|(?:biological )?process(?:es)?",
        "PROCESS",
        "biolink:BiologicalProcess",
    ),
}
_ALIKE = (frozenset({"drug", "chemical", "metabolite"}), frozenset({"disease", "phenotype"}))
NOUN = re.compile("|".join(rf"(?P<{name}>\b(?:{b[0]})\b)" for name, b in BETWEEN.items()))
# How the name follows: "genes of X", "involved in X", "that cause X", "targets as X".
_JOINS = re.compile(
    r"^(?:of|in|for|by|with|from|to|behind|underlying|against|that|which|whose|shared|\w+ed|\w+ing|"
    r"known|bound|driven|mutated|as)\b(?!.*\b(?:and|or|but)\b)[^,;:]*$"
)
SAME = re.compile(r"\b(?:same|shar(?:e|es|ed|ing)|identical)\b")
_LEAD = re.compile(r"(?:\b(?:the|a|an|any|all|same|identical|common|its|their|known) )*$")
_MANNER = re.compile(r"m(?:echanism|ode)")  # it stands for targets only where it is "the same"
_BEING = re.compile(r"(?:\b(?:be|as|like|including|or|and)(?: an?| the)?|/)\s*$")
_IS = re.compile(r"\b(?:is|are|was|were)(?: an?| the)?\s*$")  # "which genes are targets of X"


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a question that stands for things in between: their kind, and where it is."""

    family: str
    start: int
    end: int


def find_part(wording: Wording) -> Part | None:
    """The words that stand for unnamed things: a noun with the name it belongs to."""
    masked, asked = wording.masked, wording.asked
    tokens = list(TOKEN.finditer(masked))
    if not asked or not tokens:
        return None
    nouns = list(NOUN.finditer(masked))
    first = _first(masked, asked)
    for noun in reversed(nouns):
        family = noun.lastgroup or ""
        if noun.start() < first or not is_other(family, asked, masked[first : noun.start()]):
            continue
        same = SAME.search(masked[: noun.start()]) is not None
        if _MANNER.match(noun.group()) and not same:
            continue
        after = next((t for t in tokens if t.start() >= noun.end()), None)
        words = masked[noun.end() : after.start()].strip() if after else ""
        if after and _JOINS.match(words) and len(words.split()) <= _WORDS:
            if words == "as" and not same:
                continue
            return Part(family, _start(masked, noun.start()), after.end())
        before = next((t for t in reversed(tokens) if t.end() <= noun.start()), None)
        touching = before and not masked[before.end() : noun.start()].strip(" -")
        if before and touching and before.start() > first:
            return Part(family, before.start(), noun.end())
    return None


def _first(masked: str, asked: str) -> int:
    """Where the noun that is asked for ends."""
    found = (m for m in ANY_NOUN.finditer(masked) if m.lastgroup == asked)
    return next((m.end() for m in found), 0)


def _start(masked: str, noun: int) -> int:
    """Where a part begins: "the same" belongs to it."""
    lead = _LEAD.search(masked[:noun])
    return lead.start() if lead else noun


def is_other(family: str, asked: str, between: str) -> bool:
    """Whether a noun names something else than the answer: of its kind only where they meet."""
    thing = {"gene", "variant", "biomarker"} | _ALIKE[0]
    if _BEING.search(between) or (_IS.search(between) and {family, asked} <= thing):
        return False
    if family == asked or any({family, asked} <= group for group in _ALIKE):
        meets = rf"{expand('{interact}')}|{expand('{regulate}')}"
        return re.search(meets, between) is not None and not re.search(r"[,;:]", between)
    return True
