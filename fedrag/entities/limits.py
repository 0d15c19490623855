"""Words that limit a question and name nothing: "oral", "in children", "first-line", "safest".

Services cannot be asked by them, so an answer is not limited by them; it has to say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fedrag.entities.mentions import Mention

__all__ = ["limits", "with_class"]

_WHO = (
    r"children|child|kids|infants?|bab(?:y|ies)|newborns?|neonates?|toddlers?|adolescents?|"
    r"teenagers?|adults?|elderly|seniors?|(?:older|younger|young|old) (?:adults?|people|patients?)|"
    r"women|woman|men|males?|females?|girls?|boys?|mothers|athletes|smokers?|drinkers|diabetics|"
    r"pregnancy|breast-?feeding|lactation|lactating|nursing|mice|mouse|rats?|dogs?|cats?|horses|"
    r"primates|zebrafish|animals|livestock"
)
_HOW = (
    r"oral(?:ly)?|topical(?:ly)?|intravenous(?:ly)?|injectable|injected|inhaled|intranasal|nasal|"
    r"transdermal|sublingual|subcutaneous(?:ly)?|intramuscular|rectal|ophthalmic|intrathecal|"
    r"over[- ]the[- ]counter|otc|generic|prescription|once[- ]daily|long[- ]acting|short[- ]acting|"
    r"(?:extended|sustained|slow|immediate)[- ]release|(?:low|high)[- ]dose|herbal|"
    r"plant[- ]derived|(?:fda|ema|mhra)[- ](?:approved|licensed)|off[- ]label|investigational|"
    r"experimental"
)
_WHEN = (
    r"(?:first|second|third|fourth|last|front)[- ]line|adjuvant|neoadjuvant|maintenance|"
    r"(?:since|after|before|until) (?:19|20)\d\d|"
    r"(?:in|within|over|during) the (?:last|past|recent) (?:\w+ )?(?:years?|months?|decades?)"
)
_HOW_WELL = (
    r"saf(?:est|er)|safe (?=(?:drug|medic|treat|therap|option|alternat)\w*)|cheap(?:est|er)?|"
    r"affordable|(?:fast|new|lat|strong)est|(?:most|more|least|less) (?:effective|potent|selective|"
    r"specific|tolerated|tolerable|toxic|recent|expensive|harmful|addictive|dangerous)|"
    r"(?:best|well|better)[- ]tolerated|"
    r"with (?:the )?(?:fewest|least|fewer|less|minimal|mild|low(?:est|er)?) (?:\w+ )?\w+"
)
_HOW_BAD = (
    r"severe|mild|moderate|acute|chronic|metastatic|advanced|(?:early|late|end)[- ]stage|"
    r"stage (?:[1-4]|i{1,3}v?|iv)|relapsed|refractory|recurrent|"
    r"(?:treatment|drug|therapy)[- ]resistant"
)
_LIMIT = re.compile(
    rf"\b(?:(?:in|for|among|during|while|by|on|to|with) (?:(?:the|a|an|my|our) )?(?:[\w-]+ )?"
    rf"(?:{_WHO})(?: (?:patients?|people|women|mothers|population))?|"
    r"(?:pa?ediatric|geriatric|neonatal|pregnant|elderly)"
    r"(?: (?:patients?|people|women|population))?|"
    rf"{_HOW}|{_WHEN}|{_HOW_WELL}|{_HOW_BAD})(?![\w-])",
    re.IGNORECASE,
)
# "beta blockers": the noun of the class belongs to the words that say which.
_CLASS = re.compile(
    r"[ -]+(?:blockers?|inhibitors?|agonists?|antagonists?|activators?|modulators?|"
    r"antibod(?:y|ies)|vaccines?|analogu?es?)\b",
    re.IGNORECASE,
)


def limits(question: str, covered: Sequence[tuple[int, int]]) -> tuple[Mention, ...]:
    """What limits the question beside the names that are known, in order.

    :param covered: where these names lie; a word of theirs limits nothing.

    >>> [m.text for m in limits("Which oral drugs treat gout in children?", [(23, 27)])]
    ['oral', 'in children']
    """
    return tuple(
        Mention(match.group().strip(), *match.span())
        for match in _LIMIT.finditer(question)
        if not any(match.start() < b and match.end() > a for a, b in covered)
    )


def with_class(question: str, mention: Mention) -> Mention:
    """A phrase with the noun of its class, where that follows.

    >>> with_class("Which beta blockers are there?", Mention("beta", 6, 10)).text
    'beta blockers'
    """
    found = _CLASS.match(question, mention.end)
    end = found.end() if found else mention.end
    return Mention(question[mention.start : end], mention.start, end)
