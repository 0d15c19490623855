"""The table of phrases, and what is said where the table has none.

``phrases.json`` holds one phrase per predicate, to be read as *subject phrase object*. A predicate
that is not in it is put into words by its grammar: the leading verb, adverb, participle or noun of
its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from fedrag.evidence.names import clean_name

__all__ = ["negate", "phrase", "predicate_name", "table", "words"]

_BE = frozenset({"is", "was", "are", "were", "may", "will", "must", "could", "should"})
_FREQUENT_ADJECTIVES = frozenset({"capable", "specific", "sufficient", "necessary", "proximal"})
_CHANGED_BY = re.compile(r"(?P<what>.+) (?P<change>increased|decreased|affected|changed) by")
_CLASS_WORDS = ("entity ", "process ")


@lru_cache(maxsize=1)
def table() -> Mapping[str, Mapping[str, str]]:
    """The sections of ``phrases.json``: predicates, negations, forms, parts, aspects, values."""
    text = (Path(__file__).parent / "phrases.json").read_text(encoding="utf-8")
    sections: dict[str, Mapping[str, str]] = json.loads(text)
    return sections


@lru_cache(maxsize=4096)
def predicate_name(predicate: str) -> str:
    """A predicate without its prefix, in the table's spelling.

    >>> predicate_name("biolink:treats"), predicate_name("treated by")
    ('treats', 'treated_by')
    """
    return clean_name(predicate, "").removeprefix("biolink:").replace(" ", "_")


def words(value: str) -> str:
    """An enumeration's value as words; a CURIE stays as it is.

    >>> words("activity_or_abundance"), words("UBERON:0002107"), words("biolink:increased")
    ('activity or abundance', 'UBERON:0002107', 'increased')
    """
    value = value.removeprefix("biolink:").strip()
    known = table()["values"].get(value)
    if known is not None:
        return known
    return value if ":" in value else value.replace("_", " ")


@lru_cache(maxsize=4096)
def phrase(predicate: str, negated: bool = False) -> str:
    """What stands between subject and object.

    >>> phrase("biolink:in_clinical_trials_for")
    'is in clinical trials for'
    >>> phrase("biolink:treats", negated=True)
    'does not treat'
    >>> phrase("biolink:has_new_relation_with"), phrase("biolink:positive_regulator_of")
    ('has new relation with', 'is a positive regulator of')
    """
    name = predicate_name(predicate)
    if negated and name in table()["negations"]:
        return table()["negations"][name]
    said = table()["predicates"].get(name) or _from_grammar(name)
    return negate(said) if negated else said


def negate(said: str) -> str:
    """The negation of a phrase, by its verb.

    >>> negate("physically interacts with"), negate("is a target for"), negate("has the part")
    ('does not physically interact with', 'is not a target for', 'does not have the part')
    """
    if said.startswith("has been "):
        return "has not been " + said.removeprefix("has been ")
    parts = said.split()
    verb = next((i for i, word in enumerate(parts) if not _is_adverbial(word)), 0)
    adverbs, rest = parts[:verb], parts[verb + 1 :]
    if parts[verb] == "can":
        return " ".join(["cannot", *rest])
    if parts[verb] in _BE:
        return " ".join([parts[verb], "not", *adverbs, *rest])
    return " ".join(["does not", *adverbs, _base_form(parts[verb]), *rest])


def _is_adverbial(word: str) -> bool:
    return word.endswith("ly") or word == "and"


def _base_form(verb: str) -> str:
    if verb in ("has", "have"):
        return "have"
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") else verb


def _from_grammar(name: str) -> str:
    """Words for a predicate that no one wrote a phrase for."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_\-]*", name):
        return f"is related ({name or 'unnamed predicate'}) to"
    said = name.replace("_", " ").lower()
    for noun in _CLASS_WORDS:  # "entity positively regulates entity"
        if said.startswith(noun) and said.endswith(" " + noun.strip()):
            said = said.removeprefix(noun).removesuffix(" " + noun.strip())
    changed = _CHANGED_BY.fullmatch(said)
    if changed:
        return f"has its {changed['what']} {changed['change']} by"
    parts = said.split()
    head = next((word for word in parts if not _is_adverbial(word)), parts[0])
    return _with_verb(said, head, parts[-1])


def _with_verb(said: str, head: str, last: str) -> str:
    if head in _BE or head in ("has", "can"):
        return said
    if head.endswith("s") and not head.endswith(("ss", "us", "is")):
        return said
    if last in ("of", "for") and not head.endswith("ed") and head not in _FREQUENT_ADJECTIVES:
        article = "an" if said[0] in "aeiou" else "a"
        return f"is {article} {said}"
    if last in ("of", "for", "to", "in", "with", "by", "from", "on", "at", "into"):
        return f"is {said}"
    return f'is linked by "{said}" to'
