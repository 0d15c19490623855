"""What the wording beside a mention says about its kind: "gene X", "X mutations", "treat X".

A noun right before a mention names the mention's kind ("the gene X"); with "of" or "for" between
them it mostly names what is asked of it ("genes of X", "symptoms of X", "drugs for X"), and says of
X only what such things belong to. A hint decides between equally spelled things; it never removes
the only one there is.
"""

from __future__ import annotations

import re

from fedrag.entities.mentions import CHEMICAL, DISEASE, GENE, PATHWAY, PHENOTYPE, PROCESS
from fedrag.entities.text import tidy

__all__ = ["expected"]

_FILLER = r"(?:(?:the|a|an|called|named|known as|such as|like|human|severe|acute|chronic)\s+)*"
_SICKNESS = r"diseases?|disorders?|syndromes?|conditions?|illness(?:es)?"
_BEFORE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"genes?|proteins?|oncogene|enzyme|kinase|mutations? (?:in|of)|variants? (?:in|of)|"
        r"expression of|partners? of|interactors? of|"
        r"(?:inhibitors?|activators?|agonists?|antagonists?|blockers?|ligands?|modulators?) of",
        GENE,
    ),
    # "the process of X" names it; the processes of X are what is asked of a gene, a disease, ...
    (r"process(?:es)?|process of", PROCESS),
    (r"pathways?", PATHWAY),
    (r"symptoms?|phenotypes?", PHENOTYPE),
    (
        rf"{_SICKNESS}|(?:disease|disorder|condition) of|patients with|people with|"
        r"(?:symptoms?|signs?|phenotypes?|features?|manifestations?) (?:of|in)|"
        r"risk (?:of|for)|suffer(?:ing)? from|"
        r"treat(?:s|ing|ed)?|treatments? (?:of|for)|therap(?:y|ies) (?:of|for)|"
        r"cures?(?: for)?|manag(?:e|es|ement of)|"
        r"(?:drugs?|medications?|medicines?|remed(?:y|ies)) (?:of|for|against|in)|"
        r"indicated (?:for|in)|contraindicated in|"
        r"(?:genes?|proteins?|biomarkers?) (?:for|of|in|behind|causing)|"
        r"used (?:for|against|in)|prevents?|preventing|diagnos(?:is|ed) (?:of|with)|"
        r"predisposes? to|susceptibility to",
        DISEASE,
    ),
    (
        r"drugs?|medications?|medicines?|compounds?|chemicals?|inhibitors?|agonists?|"
        r"antagonists?|side effects of|adverse (?:events|effects|reactions) of|"
        r"mechanism of action of|targets? of|indications? (?:of|for)|treat(?:ed|ment) with|"
        r"therapy with|dose of|doses of|taking|pharmacology of|toxicity of|prescribed",
        CHEMICAL,
    ),
)
_AFTER: tuple[tuple[str, tuple[str, ...]], ...] = (
    # Not "genes" and "proteins": in "X genes" they are mostly what is asked for.
    (
        r"gene\b(?!\s+therap)|protein|mutations?|mutants?|variants?|expression|"
        r"loc(?:us|i)|polymorphisms?|alleles?|kinase|-?mutant|-?mutated|-?amplified",
        GENE,
    ),
    (r"patients?|sufferers|symptoms|phenotypes|diagnosis|-?(?:associated|related) genes?", DISEASE),
    (r"pathway", PATHWAY),
    (r"process", PROCESS),
    (
        r"(?:treats?|is used|be used|toxicity|dose|tablets?|side effects|works?|"
        r"is indicated|is prescribed|-?induced|exerts?)",
        CHEMICAL,
    ),
)
_BEFORE_RULES = tuple(
    (re.compile(rf"\b(?:{words})\s+{_FILLER}[\"'“‘(]?$", re.I), kind) for words, kind in _BEFORE
)
_AFTER_RULES = tuple(
    (re.compile(rf"[\"'”’)]?[\s-]*(?:{words})\b", re.I), kind) for words, kind in _AFTER
)


def expected(question: str, start: int, end: int) -> tuple[str, ...]:
    """Categories that the words around ``question[start:end]`` ask for; empty when they do not say.

    >>> expected("which drugs treat GC?", 18, 20)
    ('biolink:Disease', 'biolink:DiseaseOrPhenotypicFeature')
    >>> expected("which drugs act on the GC gene?", 23, 25)
    ('biolink:Gene', 'biolink:Protein')
    >>> expected("genes of hypertension", 9, 21)
    ('biolink:Disease', 'biolink:DiseaseOrPhenotypicFeature')
    """
    text = tidy(question)
    after = text[end : end + 40]
    for rule, kind in _AFTER_RULES:
        if rule.match(after):
            return kind
    before = text[max(0, start - 80) : start]
    for rule, kind in _BEFORE_RULES:
        if rule.search(before):
            return kind
    return ()
