"""Where a question expects a name: places of its wording, judged without knowing any name.

Two strengths. For a word no name holds, any place of :func:`awaited` will do. For a word that some
name does hold ("angina" in "angina pectoris") only those of :func:`demanded`: the other side of a
recognised entity, the object or subject of a verb of the question, what "targets of" is said of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fedrag.entities.text import tidy
from fedrag.entities.words import BREAKS, GENERIC, LINKS

__all__ = ["awaited", "demanded", "in_slot", "is_symbol", "ordinary"]

_Regions = Sequence[tuple[int, int]]

_ENGLISH_ENDING = re.compile(
    r"(?:ly|ing|ed|ness|ful|able|ible|wise|less|ship|ward|wards|ically|ically|ised|ized|"
    r"ative|tion|tions|sion|sions|ment|ments|ance|ances|ence|ences|ity|ities|ical|ous)$"
)
_NEVER_NOUN = re.compile(r"(?:ly|ed)$")
_ARTICLE = r"\s+(?:the\s+|a\s+|an\s+)?[\"'(]?$"
# Whatever follows these is named by the question.
_STRONG = re.compile(
    r"\b(?:does|do|did|of|between|against|treats?|treating|targets?|targeted|causes?|inhibits?|"
    r"activates?|links?|drugs?|genes?|proteins?|diseases?|syndrome|compounds?|chemicals?|"
    r"medications?|enzyme|receptor|called|named|affects?|regulates?|interacts? with)" + _ARTICLE,
    re.IGNORECASE,
)
# ... what follows these only at the question's start ("is X safe"),
_OPENING = re.compile(r"^\W*(?:can|could|will|is|are)" + _ARTICLE, re.IGNORECASE)
# ... these where the other side is a name too ("imatinib and X"),
_JOINING = re.compile(r"\s+(?:and|or|nor|than|versus|vs\.?)" + _ARTICLE, re.IGNORECASE)
_JOINED = re.compile(r"^\s+(?:and|or|nor|than|versus|vs\.?)\s+(?:the\s+)?", re.IGNORECASE)
# ... and these where the clause ends with it ("treatments for X?").
_BEFORE_LAST = re.compile(r"\b(?:by|for|with|to|from)" + _ARTICLE, re.IGNORECASE)
_CLAUSE_END = re.compile(r"^\s*(?:$|[?.,;:!)\"']|(?:and|or|in|but)\b)", re.IGNORECASE)

_PAIR = re.compile(r"\b(?:both|between|neither)" + _ARTICLE, re.IGNORECASE)
_PAIRED = re.compile(
    r"\b(?:both|between|neither)\s[^?.;:!]{2,60}\s(?:and|nor)" + _ARTICLE, re.IGNORECASE
)
_ACTS_ON = (
    r"treat|cause|cure|prevent|inhibit|activate|block|target|affect|regulate|modulate|induce|"
    r"bind|kill|trigger|mediate|suppress|stimulate|upregulate|downregulate"
)
# What these change may be any outcome ("reduces relapses"), so their object need not be a name.
_OF_DEGREE = r"reduce|increase|decrease|lower|raise|improve|alleviate|relieve|worsen"
_VERB = rf"(?:{_ACTS_ON}|{_OF_DEGREE})"
_OBJECT = re.compile(rf"\b(?:{_ACTS_ON})(?:s|d|ed|ing)?" + _ARTICLE, re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?:does|do|did|how|whether|can|could|will|would|may|might|"
    r"(?:by|through|via|with|in) which)" + _ARTICLE,
    re.IGNORECASE,
)
_PREDICATE = re.compile(rf"^\s+(?:{_VERB}|work|help|act|interact)(?:s|d|es)?\b", re.IGNORECASE)
_SAID_OF = re.compile(
    r"\b(?:targets?|genes?|proteins?|drugs?|effects|action|moa|partners?|interactors?|causes?|"
    r"symptoms?|phenotypes?|inhibitors?|activators?|agonists?|antagonists?|substrates?|"
    r"treatments?|indications?|metabolites?) of" + _ARTICLE,
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\b(?:for|against)" + _ARTICLE, re.IGNORECASE)
_NEXT = re.compile(r"\s*([\w'-]+)")


def ordinary(text: str) -> bool:
    """Whether a word ends as plain English does, and so is no name by itself.

    >>> ordinary("reportedly"), ordinary("rapamycin")
    (True, False)
    """
    return _ENGLISH_ENDING.search(text.lower()) is not None


def is_symbol(text: str) -> bool:
    """Spelt like a symbol: capitals after the first letter, or letters and digits together.

    >>> is_symbol("DMARDs"), is_symbol("SLC12A3"), is_symbol("Given")
    (True, True, False)
    """
    upper = sum(c.isupper() for c in text[1:])
    mixed = any(c.isdigit() for c in text) and sum(c.isalpha() for c in text) >= 2
    return len(text) >= 3 and (upper >= 1 or mixed)


def in_slot(question: str, start: int, end: int, covered: _Regions = ()) -> bool:
    """Whether a name is expected at this place of the question, or the text looks like a symbol.

    :param covered: where accepted mentions lie. Beside them a symbol may be any abbreviation, and
        "and ..." need not go on with a name.

    >>> in_slot("which fungi have cox1?", 17, 21), in_slot("which drugs readily bind?", 12, 19)
    (True, False)
    """
    text = question[start:end]
    if is_symbol(text) and not covered:
        return True
    if not is_symbol(text) and ordinary(text):
        return False
    return awaited(question, start, end, covered)


def awaited(question: str, start: int, end: int, covered: _Regions) -> bool:
    """Whether the words before this place, or after it, ask for a name there."""
    before, after = tidy(question)[:start], tidy(question)[end:]
    if _STRONG.search(before[-40:]) or _OPENING.search(before):
        return True
    if _joined_to(before, end, after, covered):
        return True
    return bool(_BEFORE_LAST.search(before[-40:]) and _CLAUSE_END.search(after))


def _joined_to(before: str, end: int, after: str, covered: _Regions) -> bool:
    """Whether "and", "or", "nor", "versus" join this place to an accepted mention."""
    joining, joined = _JOINING.search(before[-40:]), _JOINED.search(after)
    if joining and any(abs(len(before) - len(joining[0]) - b) <= 1 for _, b in covered):
        return True
    return joined is not None and any(abs(end + joined.end() - a) <= 1 for a, _ in covered)


def demanded(question: str, start: int, end: int, covered: _Regions) -> bool:
    """Whether the question makes no sense without a name at this place.

    >>> demanded("Which drugs treat both gout and angina?", 32, 38, [(23, 27)])
    True
    >>> demanded("drugs for gout in travellers", 18, 28, [(10, 14)])
    False
    """
    before, after, text = tidy(question)[:start], tidy(question)[end:], question[start:end]
    symbol = is_symbol(text)
    if _modifies(end, after, covered) or (not symbol and _NEVER_NOUN.search(text)):
        return False
    pair = _PAIR.search(before[-40:]) is not None
    pair = pair or _PAIRED.search(before[-80:]) is not None
    joined = _joined_to(before, end, after, covered) and (pair or symbol or not ordinary(text))
    if joined or (_ends(after) and _OBJECT.search(before[-40:])):
        return True
    return (symbol or not ordinary(text)) and _said(before[-40:], after)


def _said(before: str, after: str) -> bool:
    """Whether something is said or asked of what stands here."""
    if _SUBJECT.search(before) and _PREDICATE.search(after):
        return True
    if _SAID_OF.search(before) and _ends(after):
        return True
    return bool(_AGAINST.search(before) and _CLAUSE_END.search(after))


def _modifies(end: int, after: str, covered: _Regions) -> bool:
    """Whether a recognised name or a word for a kind of thing follows at once ("steroid X")."""
    following = _NEXT.match(after)
    if following is None:
        return False
    start = end + following.start(1)
    return following[1].lower() in GENERIC or any(a <= start < b for a, b in covered)


def _ends(after: str) -> bool:
    """Whether the noun phrase ends here."""
    following = _NEXT.match(after)
    return following is None or following[1].lower() in (LINKS | BREAKS)
