"""What a sentence adds to its claim that an edge would have to say, and none does.

A statement holds of two things; it knows no dose, no share of patients, no population, no safety
and no "only". Such words are refused unless a cited sentence has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["unstated"]

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?: ?%|(?![\w-]))")
_SIGNED = re.compile(r"\([+-]\)-?\w+|\b\w+[+-](?=[\s,.;:)]|$)")
_MINUS = str.maketrans({"\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2013": "-"})
_ADDED = re.compile(
    r"\b(?:"
    # whom it is for
    r"pregnan\w*|breast-?feeding|lactat\w+|child(?:ren|hood)?|p(?:a?e)diatric\w*|infants?|neonat\w*"
    r"|newborns?|adolescents?|elderly|older adults|geriatric|dogs?|cats?|horses?|mice|mouse|rats?"
    r"|(?:all|every|most|many|few|half of) (?:\w+ )?(?:patients?|people|cases|adults)"
    # how much of it, and how it is taken
    r"|dos(?:e|es|ed|age|ing)|daily|weekly|hourly|orally|intravenous\w*|per cent|percent"
    # what it would do to them
    r"|safe|safely|safety|harmless|well[- ]tolerated|lethal|fatal|deadly|kills?|side[- ]effects?"
    r"|without (?:any )?(?:risk|harm)|guarantee[sd]?|proven|always|invariably|in all cases"
    r"|(?:the )?only (?:drug|treatment|therapy|gene|protein|target|medicine|option|way|cause)"
    # advice
    r"|you|your|should|must|ought|recommend\w*|stop (?:taking|your)"
    r")\b",
    re.IGNORECASE,
)


def unstated(text: str, spoken: Iterable[str], *, names: Iterable[str] = ()) -> Iterator[str]:
    """Numbers, signs, people, doses, safety, advice: what no cited sentence says.

    :param text: a sentence without its keys; ``spoken`` the cited sentences, and what else the
        answer may repeat (a status).
    :param names: known names in the text, whose own words are not read.

    >>> list(unstated("Allopurinol treats gout in children.", ["allopurinol treats gout"]))
    ["it says 'children', which no cited edge does"]
    """
    said = " ".join(spoken).translate(_MINUS).lower()
    plain = text.translate(_MINUS)
    for found in _SIGNED.finditer(plain):
        if found.group().lower() not in said and re.search(r"[+-]", found.group()):
            yield f"it writes {found.group()}, which no cited edge does"
    for name in sorted(names, key=len, reverse=True):
        plain = plain.replace(name.translate(_MINUS), " ")
    for pattern in (_NUMBER, _ADDED):
        for found in pattern.finditer(plain):
            word = found.group().strip()
            if not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", said):
                yield f"it says {word!r}, which no cited edge does"
