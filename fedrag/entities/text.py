"""Comparing names: what two spellings of one thing have in common. Pure functions, no data.

A name is compared at four strengths, strongest first: :func:`fold` (case, accents, Greek letters,
punctuation, possessives), :func:`loose` (also plural and British spelling), :func:`compact` (also
spaces), :func:`bag` (also word order, so that "Colitis, Ulcerative" meets "ulcerative colitis").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = [
    "american",
    "bag",
    "clean",
    "compact",
    "fold",
    "greek_spelled",
    "loose",
    "singular",
    "tidy",
]

_DASHES = "\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d"
_APOSTROPHES = "\u2019\u2018\u02bc\u02b9\u2032\u00b4\uff07\u201b\u0060"
_SPACES = "\u00a0\u1680\u202f\u205f\u3000\t\n\r\v\f" + "".join(map(chr, range(0x2000, 0x200B)))
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_TIDY = str.maketrans(
    dict.fromkeys(_DASHES, "-") | dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_SPACES, " ")
)
_NO_INVISIBLE = str.maketrans(dict.fromkeys(_INVISIBLE))

_GREEK_NAMES = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
]
_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψω"
_GREEK = str.maketrans(
    dict(zip(_GREEK_LETTERS, _GREEK_NAMES, strict=True))
    | dict(zip(_GREEK_LETTERS.upper(), _GREEK_NAMES, strict=True))
    | {"ς": "sigma", "µ": "mu"}
)

_POSSESSIVE = re.compile(r"'s\b|(?<=s)'")
_NOT_WORD = re.compile(r"[\W_]+")
_LINKING = frozenset(["of", "the", "a", "an", "in", "to", "by", "with", "for", "due", "on", "from"])
_BRITISH = re.compile(r"ae|oe|(?<=\w\w)our\b|(?<=\w)yse\b|sulph|ise\b|isation")
_AMERICAN = {"ae": "e", "oe": "e", "our": "or", "yse": "yze", "sulph": "sulf"}
_AMERICAN |= {"ise": "ize", "isation": "ization"}


def tidy(text: str) -> str:
    """The text with one dash, one apostrophe and one blank; every offset stays where it was.

    >>> tidy("Crohn\\u2019s\\u00a0disease")
    "Crohn's disease"
    """
    return text.translate(_TIDY)


def clean(text: str) -> str:
    """What is sent to a service: composed, visible characters, single blanks.

    >>> clean("  mast\\u200b  cell ")
    'mast cell'
    """
    visible = unicodedata.normalize("NFC", tidy(text).translate(_NO_INVISIBLE))
    return " ".join(visible.split())


def greek_spelled(text: str) -> str:
    """Greek letters written out.

    >>> greek_spelled("TNF-α")
    'TNF-alpha'
    """
    return text.translate(_GREEK)


@lru_cache(maxsize=100_000)
def fold(text: str) -> str:
    """Lower case, no accents, Greek spelled, punctuation as blanks, no possessive.

    >>> fold("Löffler's  syndrome"), fold("TNFα (human)")
    ('loffler syndrome', 'tnfalpha human')
    """
    if not text.isascii():
        text = greek_spelled(clean(text))
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c))
    text = text.casefold()
    if "'" in text:
        text = _POSSESSIVE.sub("", text)
    return _NOT_WORD.sub(" ", text).strip()


def singular(word: str) -> str:
    """The word without its plural ending, by rule; used on both sides of a comparison only.

    >>> singular("statins"), singular("therapies"), singular("virus"), singular("abscesses")
    ('statin', 'therapy', 'virus', 'abscess')
    """
    if len(word) < 5 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "uses", "xes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=100_000)
def loose(text: str) -> str:
    """:func:`fold`, and every word singular and in American spelling.

    >>> loose("Oesophageal tumours") == loose("esophageal tumor")
    True
    """
    return " ".join(american(singular(word)) for word in fold(text).split())


def american(word: str) -> str:
    """The word in American spelling, by rule; good enough to compare, not to print.

    >>> american("anaemia"), american("tumour")
    ('anemia', 'tumor')
    """
    if len(word) < 5:
        return word
    return _BRITISH.sub(lambda m: _AMERICAN[m.group()], word)


def compact(text: str) -> str:
    """:func:`loose` without blanks: "PD-L1" and "PDL1", "cox 1" and "COX1".

    >>> compact("PD-L1") == compact("pdl1")
    True
    """
    return loose(text).replace(" ", "")


def bag(text: str) -> tuple[str, ...]:
    """The words of :func:`loose` in alphabetical order, without linking words.

    >>> bag("Malignant tumors of the colon")
    ('colon', 'malignant', 'tumor')
    """
    return tuple(sorted(word for word in loose(text).split() if word not in _LINKING))
