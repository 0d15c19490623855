"""Names in a sentence that nothing cited holds: gene symbols, drugs and diseases by their look.

A language model may know a true fact; an answer that cites its edges may not use it. The look of a
name decides where no list can: approved drug stems (the WHO's INN stem list), disease suffixes, and
the shape of gene symbols (HGNC: capitals and digits).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fedrag.answer.names import curies_in, normalise
from fedrag.answer.words import wordset

__all__ = ["lookalikes"]

_SYMBOL = re.compile(r"(?<![\w-])(?:[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)(?![\w])")
_MIXED = re.compile(r"(?<![\w-])(?:[a-z]{1,2}\d{2,}|[A-Z][a-z]{1,4}\d+[a-z]?)(?![\w])")
_PLAIN_ABBREVIATIONS = wordset(
    """DNA RNA MRNA ATP ADP AMP GTP GDP NAD NADH NADPH FDA EMA WHO US USA UK EU TRAPI CURIE
    ID IDS JSON API II III IV VI VII VIII IX XI XII OR AND NOT NO IN OF THE IT IS TO BY AS AN
    NSAID NSAIDS SSRI SSRIS OTC PMID PMC DOI URL NCATS BTE"""
)
_DRUG = re.compile(
    r"""\b[a-z]{2,}(?:mab|nib|pril|prilat|sartan|olol|statin|azole|cillin|mycin|micin|floxacin|
    cycline|ciclib|parib|gliptin|gliflozin|glitazone|thiazide|semide|dipine|tidine|triptan|azepam|
    zolam|barbital|caine|cept|vir|dronate|dronic|lukast|parin|platin|rubicin|taxel|tecan|oxetine|
    pramine|triptyline|peridol|apine|idone|profen|oxicam|coxib|setron|terol|phylline|glutide|limus|
    mustine|trexate|formin|onide|solone|asone|steride|afil|zosin|xaban|gatran|grel|fibrate|
    curonium|curium|ximab|tadine|rizine|zepine|bactam|penem|oxacin|vastatin|sulfa|nitrate|
    morphine|codone|fentanil|relin|reotide|pressin|iptine|lamide|amiloride|actone|oxifene?|goxin)s?\b
    |\b(?:aspirin|warfarin|insulin|lithium|ketamine|codeine|caffeine|nicotine|colchicine|quinine|
    paracetamol|acetaminophen|thyroxine|ethanol|alcohol|cannabis|cannabidiol|thalidomide|
    thiazides?|statins?|sartans?|opioids?|steroids?|corticosteroids?|diuretics?|antibiotics?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOT_DRUGS = wordset("concept accept except intercept precept april percept transcept")
_DISEASE = re.compile(
    r"""\b[a-z]{2,}(?:itis|oma|omas|emia|aemia|osis|pathy|pathies|algia|plegia|uria|dystrophy|
    atrophy|rrhea|rrhoea|rrhage|penia|megaly|iasis|phobia|lepsy|stenosis|plasia|cytosis|tension|
    oedema|paresis|spasm|phagia|pnea|kinesia)\b
    |\b(?:diabetes|diabetic|asthma|stroke|infarction|cancers?|tumou?rs?|lymphomas?|obesity|gout|
    edema|arrhythmias?|depression|anxiety|dementia|autism|malaria|tuberculosis|influenza|seizures?|
    migraine|eczema|lupus|angina|sepsis|pneumonia|glaucoma|cataracts?|hernia|rickets|scurvy|
    infertility|preeclampsia|parkinsonism|aids|covid)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOT_DISEASES = wordset(
    """diagnosis prognosis apoptosis mitosis meiosis endocytosis phagocytosis osmosis
    hypnosis symbiosis exocytosis transcytosis pinocytosis metamorphosis autocytosis aroma diploma
    stroma soma genoma academia sympathy empathy apathy tension attention extension pretension
    homeopathy"""
)
_PHRASE = re.compile(
    r"\b([A-Za-z][\w'’-]+)\s+(syndrome|disease|disorder|deficiency|failure|infection|dysfunction)s?\b",
    re.IGNORECASE,
)
_GENERAL = wordset(
    """the this that these those a an any each human genetic rare of and or in with for other same
    common complex given asked question its their which no such every some as to is treats treat
    causes monogenic inherited chronic acute underlying associated related"""
)


def lookalikes(masked: str, cited_words: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Each name-like word of a text whose cited names are blanked out, with its kind.

    :param cited_words: words that occur in cited names; a disease word among them is part of one.

    >>> list(lookalikes("inhibits TP53 and treats hepatitis", frozenset()))
    [('TP53', 'gene'), ('hepatitis', 'disease')]
    """
    for curie in curies_in(masked):
        yield curie, "identifier"
        masked = masked.replace(curie, " ")
    yield from ((w, "gene") for w in _genes(masked))
    for match in _DRUG.finditer(masked):
        if match.group().lower() not in _NOT_DRUGS:
            yield match.group(), "drug"
    yield from ((w, "disease") for w in _diseases(masked, cited_words))


def _genes(masked: str) -> Iterator[str]:
    shouted = masked.isupper()
    for match in _SYMBOL.finditer(masked):
        word = match.group()
        letters = sum(c.isalpha() for c in word)
        digits = any(c.isdigit() for c in word)
        if word in _PLAIN_ABBREVIATIONS or len(word) < 2 or (shouted and not digits):
            continue
        if digits or letters >= 3:
            yield word
    yield from (m.group() for m in _MIXED.finditer(masked))


def _diseases(masked: str, cited_words: frozenset[str]) -> Iterator[str]:
    for match in _DISEASE.finditer(masked):
        word = normalise(match.group())
        if word not in _NOT_DISEASES and word not in cited_words:
            yield match.group()
    for match in _PHRASE.finditer(masked):
        if match.group(1).lower() not in _GENERAL and normalise(match.group(1)) not in cited_words:
            yield match.group()
