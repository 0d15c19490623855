"""The spellings a mention is looked up and compared in."""

from __future__ import annotations

import re

from fedrag.entities.text import american, clean, greek_spelled, singular

__all__ = ["eponyms", "forms", "lookups"]

_SYMBOL = re.compile(r"([A-Za-z]{1,6})(-?)(\d{1,3}[A-Za-z]?)")


def forms(text: str) -> tuple[str, ...]:
    """The spellings of a mention that are looked up and compared, the written one first.

    >>> forms("beta-blockers"), forms("COX-2"), forms("Parkinson's")[1]
    (('beta-blockers', 'beta-blocker'), ('COX-2', 'COX2'), "Parkinson's disease")
    """
    base = clean(text)
    found = [base]
    if (spelled := greek_spelled(base)) != base:
        found.append(spelled)
    words = base.split(" ")
    ones = [word if word.endswith("'s") else singular(word) for word in words]
    found += [" ".join([*words[:-1], ones[-1]]), " ".join(ones)]
    if symbol := _SYMBOL.fullmatch(base):
        found.append(symbol[1] + ("" if symbol[2] else "-") + symbol[3])
    if (usual := " ".join(american(word) for word in words)) != base:
        found.append(usual)
    if base.endswith(("'s", "s'")):
        found += [f"{base} disease", f"{base} syndrome"]
    elif "'s " in base:
        found.append(base.replace("'s ", " "))
    return tuple(dict.fromkeys(found))


def lookups(text: str) -> tuple[str, ...]:
    """What is looked up for a mention: its :func:`forms`, and "X's disease" for a plain "Xs".

    >>> lookups("parkinsons")
    ('parkinsons', 'parkinson', "parkinson's disease")
    """
    named = eponyms(text)
    return tuple(dict.fromkeys([*forms(text), *named[:1]]))


def eponyms(text: str) -> tuple[str, ...]:
    """The diseases that "alzheimers" may stand for: written with an apostrophe, or not meant.

    >>> eponyms("alzheimers"), eponyms("gout")
    (("alzheimer's disease", "alzheimer's syndrome"), ())
    """
    word = clean(text)
    one = singular(word)
    if one == word or " " in word or len(one) < 5:
        return ()
    return (f"{one}'s disease", f"{one}'s syndrome")
