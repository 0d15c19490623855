"""Mentions: the pieces of a question that name something, found without a language model.

Fixed mentions come from the question's form: a benchmark template's slots, ``Drug X`` and
``process: P`` markers, quoted strings, CURIEs, pins. :func:`find_mentions` finds these; candidate
spans (:mod:`fedrag.entities.spans`) fill what is left. All offsets are into the question as given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from fedrag.biolink import biolink
from fedrag.entities.spans import words_of
from fedrag.entities.text import clean, tidy

__all__ = [
    "CHEMICAL",
    "DISEASE",
    "GENE",
    "PROCESS",
    "How",
    "Mention",
    "find_mentions",
    "located",
    "template",
]

GENE = ("biolink:Gene", "biolink:Protein")
DISEASE = ("biolink:Disease", "biolink:DiseaseOrPhenotypicFeature")
PHENOTYPE = ("biolink:PhenotypicFeature", "biolink:DiseaseOrPhenotypicFeature")
CHEMICAL = ("biolink:ChemicalEntity",)
PROCESS = ("biolink:BiologicalProcess", "biolink:BiologicalProcessOrActivity")
PATHWAY = ("biolink:Pathway", "biolink:BiologicalProcessOrActivity")
ANATOMY = ("biolink:AnatomicalEntity",)

How = Literal["marker", "quoted", "curie", "exact", "pinned", "llm"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of the question that may name something.

    :ivar start: offset in the question, -1 when the text is not in it (a pin, a model's word).
    :ivar how: what made it a mention; ``exact`` is a candidate span.
    :ivar expects: categories its wording asks for, the one to show first; any, when empty.
    :ivar curie: the identifier typed or pinned, in Translator's spelling.
    :ivar firm: its extent is certain, so a part of it is never taken for the whole.
    """

    text: str
    start: int
    end: int
    how: How = "exact"
    expects: tuple[str, ...] = ()
    curie: str | None = None
    firm: bool = True


# --- the benchmark's templates ------------------------------------------------------------------

_TEMPLATES: tuple[tuple[re.Pattern[str], re.Pattern[str], tuple[tuple[str, ...], ...]], ...] = (
    (
        re.compile(
            r"\s*which gene plays the most significant mechanistic role in how drug\s+", re.I
        ),
        re.compile(r"\streats or impacts the disease\s", re.I),
        (CHEMICAL, DISEASE),
    ),
    (
        re.compile(r"\s*which biochemical entity is affected by the drug\s+", re.I),
        re.compile(r"\svia its mechanism of action in treating the disease\s", re.I),
        (CHEMICAL, DISEASE),
    ),
    (
        re.compile(r"\s*which drug can be used in the treatment of\s+", re.I),
        re.compile(r"\sby targeting biological process:\s", re.I),
        (DISEASE, PROCESS),
    ),
)


def template(question: str) -> tuple[Mention, ...]:
    """The two slots of a benchmark question, whatever stands in them; empty for any other question.

    Source: the exact templates of BTE-RAG's DrugMechDB benchmarks.

    >>> question = (
    ...     "Which Drug can be used in the treatment of Fever "
    ...     "by targeting biological process: temperature homeostasis?"
    ... )
    >>> [m.text for m in template(question)]
    ['Fever', 'temperature homeostasis']
    """
    text = tidy(question)
    for begin, between, expects in _TEMPLATES:
        head = begin.match(text)
        middle = between.search(text, head.end()) if head else None
        if head is None or middle is None:
            continue
        first = _marked(question, head.end(), middle.start(), expects[0])
        second = _marked(question, middle.end(), _last(text), expects[1])
        return tuple(m for m in (first, second) if m.text)
    return ()


def _last(text: str) -> int:
    return len(text.rstrip(" ?.!"))


def _marked(
    question: str, start: int, end: int, expects: tuple[str, ...], *, firm: bool = True
) -> Mention:
    """The mention between two offsets, blanks and quotation marks taken off its edges."""
    text = tidy(question)[start:end]
    start, end = start + len(text) - len(text.lstrip(' "“”')), end
    end = start + len(tidy(question)[start:end].rstrip(' "“”'))
    return Mention(question[start:end], start, end, "marker", expects, firm=firm)


# --- other markers ------------------------------------------------------------------------------

_KINDS: dict[str, tuple[str, ...]] = {
    "drug": CHEMICAL,
    "chemical": CHEMICAL,
    "compound": CHEMICAL,
    "disease": DISEASE,
    "disorder": DISEASE,
    "phenotype": PHENOTYPE,
    "symptom": PHENOTYPE,
    "gene": GENE,
    "protein": GENE,
    "process": PROCESS,
    "biological process": PROCESS,
    "pathway": PATHWAY,
}
_LABEL = re.compile(
    r"\b(?P<kind>biological process|process|drug|chemical|compound|disease|disorder|phenotype|"
    r"symptom|gene|protein|pathway)\s?:\s*(?=[\w(\"“'])",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^;?!\n]{1,300}?(?=\s*[,.]?(?:\s+and)?\s*(?:[;?!\n]|$))")
_CAPITAL = re.compile(
    r"\b(?P<kind>Drug|Chemical|Compound|Disease|Disorder|Phenotype|Symptom|Gene|Protein|Process|"
    r"Biological [Pp]rocess|Pathway)\s+(?=[\w(\"“'])"
)
_MARKER_ENDS = frozenset(
    [
        "via",
        "for",
        "against",
        "through",
        "the",
        "in",
        "on",
        "used",
        "and",
        "or",
        "work",
        "when",
        "as",
        "with",
    ]
)


def _labelled(question: str) -> Iterator[Mention]:
    """``gene: X``, up to the next label or the end of the clause."""
    text = tidy(question)
    heads = list(_LABEL.finditer(text))
    for head, following in zip_longest(heads, heads[1:]):
        stop = following.start() if following else len(text)
        name = _LABELLED.match(text[head.end() : min(stop, head.end() + 300)])
        if name:
            end = head.end() + name.end()
            yield _marked(question, head.end(), end, _KINDS[head["kind"].lower()], firm=False)


def _capitalised(question: str) -> Iterator[Mention]:
    """``Drug X`` up to a word that no name holds; the extent is a guess, so not firm."""
    words = words_of(question)
    for match in _CAPITAL.finditer(tidy(question)):
        after = [w for w in words if w.start >= match.end() - 1][:12]
        kept = []
        for i, word in enumerate(after):
            if word.breaks or word.segment != after[0].segment:
                break
            if i and (word.text in _MARKER_ENDS or word.text in ("Drug", "Disease")):
                break
            kept.append(word)
        while kept and (kept[-1].links or kept[-1].common):
            kept.pop()
        if kept and not all(w.plain for w in kept):
            expects = _KINDS[match["kind"].lower()]
            yield _marked(question, kept[0].start, kept[-1].end, expects, firm=False)


# --- quotes, CURIEs, pins -----------------------------------------------------------------------

_QUOTED = re.compile(
    r"\"(?P<a>[^\"“”]{2,150})\"|“(?P<b>[^\"“”]{2,150})”|«(?P<c>[^«»]{2,150})»|"
    r"(?<![\w)])['‘](?P<d>[^'‘’]{2,150})['’](?!\w)"
)
_CURIE = re.compile(
    r"(?<![\w:/.])[A-Za-z][\w.]{0,40}:(?:[A-Za-z]{2,20}:)?[A-Za-z0-9][\w.\-]{0,60}(?<![.\-])"
)


def _quoted(question: str) -> Iterator[Mention]:
    for match in _QUOTED.finditer(question):
        group = match.lastgroup or "a"
        text = match[group]
        if len(text.split()) <= 15 and any(c.isalpha() for c in text):
            start = match.start(group) + len(text) - len(text.lstrip())
            yield Mention(text.strip(), start, start + len(text.strip()), "quoted")


def _curies(question: str) -> Iterator[Mention]:
    for match in _CURIE.finditer(question):
        if curie := biolink().parse_curie(match.group()):
            yield Mention(match.group(), match.start(), match.end(), "curie", curie=curie)


def _where(question: str, name: str) -> tuple[int, int]:
    """Where a name stands in the question as whole words, (-1, -1) when it does not."""
    pattern = rf"(?<!\w){re.escape(tidy(name).strip())}(?!\w)"
    match = re.search(pattern, tidy(question), re.IGNORECASE)
    return match.span() if match else (-1, -1)


def located(question: str, mention: Mention) -> Mention | None:
    """The mention with the offsets of its text, None when the question does not hold the text.

    >>> located("Does ASPIRIN help?", Mention("aspirin", -1, -1, "llm")).text
    'ASPIRIN'
    """
    start, end = mention.start, mention.end
    if start < 0 or question[start:end] != mention.text:
        start, end = _where(question, mention.text) if mention.text.strip() else (-1, -1)
    if start < 0:
        return None
    return replace(mention, text=question[start:end], start=start, end=end, firm=False)


def _pinned(question: str, pins: Mapping[str, str]) -> Iterator[Mention]:
    for name, curie in pins.items():
        known = biolink().parse_curie(curie) or curie
        start, end = _where(question, name)
        yield Mention(clean(name), start, end, "pinned", curie=known)


def find_mentions(question: str, pins: Mapping[str, str] | None = None) -> tuple[Mention, ...]:
    """The fixed mentions of a question, in order; the surer one wins where two overlap.

    :param pins: mention → CURIE, what the user says a mention means.

    >>> [(m.text, m.how) for m in find_mentions('Does "COX-2" cause Disease gout?')]
    [('COX-2', 'quoted'), ('gout', 'marker')]
    >>> find_mentions("What does DB:DB00999 treat?")[0].curie
    'DRUGBANK:DB00999'
    """
    slots = template(question)
    sources = [
        _pinned(question, pins or {}),
        iter(slots),
        _curies(question),
        _quoted(question),
        iter(()) if slots else _labelled(question),
        iter(()) if slots else _capitalised(question),
    ]
    kept: list[Mention] = []
    for source in sources:
        for mention in source:
            apart = all(mention.start >= m.end or mention.end <= m.start for m in kept)
            if mention.text and (mention.start < 0 or apart):
                kept.append(mention)
    return tuple(sorted(kept, key=lambda m: (m.start if m.start >= 0 else 10**9, m.text)))
