"""How a change of a gene is written, in one canonical form: ``V600E``, ``Exon 19 Deletion``.

Protein changes follow HGVS (https://hgvs-nomenclature.org), in one-letter codes as oncologists and
CIViC write them; changes of a whole gene follow CIViC's names.
"""

from __future__ import annotations

import re

__all__ = [
    "alteration",
    "is_dna_change",
    "is_substitution",
    "protein_change",
    "spellings",
    "three_letter",
]

_ONE = "ACDEFGHIKLMNPQRSTVWY"
_THREE = {
    "Ala": "A", "Arg": "R", "Asn": "N", "Asp": "D", "Cys": "C", "Gln": "Q", "Glu": "E", "Gly": "G",
    "His": "H", "Ile": "I", "Leu": "L", "Lys": "K", "Met": "M", "Phe": "F", "Pro": "P", "Ser": "S",
    "Thr": "T", "Trp": "W", "Tyr": "Y", "Val": "V", "Ter": "*",
}  # fmt: skip
_LETTERS = {one: three for three, one in _THREE.items()}
_NAMES = re.compile("|".join(_THREE), re.IGNORECASE)
_AT = rf"[{_ONE}]\d{{1,5}}"
_CHANGE = re.compile(
    rf"(?P<sub>{_AT})(?P<to>[{_ONE}*=X])|"
    rf"(?P<shift>{_AT}[{_ONE}*]?)fs(?:(?:\*|X|Ter)(?:\d+|\?)?)?|"
    rf"(?P<range>{_AT}(?:_{_AT})?)(?P<event>delins|del|dup|ins)(?P<with>[{_ONE}*]*)|"
    rf"(?P<codon>{_AT})"
)
_DELETED = re.compile(rf"(?:Δ|∆|delta[ -]?|del-?)(?P<at>{_AT})", re.IGNORECASE)
_BASES = r"[ACGTacgt]+"
_DNA = re.compile(
    rf"[cgmn]\.[-*]?\d+(?:[+-]\d+)?(?:_[-*]?\d+(?:[+-]\d+)?)?"
    rf"(?:{_BASES}>{_BASES}|{_BASES}?=|del(?:{_BASES})?(?:ins{_BASES})?|dup(?:{_BASES})?|"
    rf"ins{_BASES}|inv)"
)
_EXON = r"(?:exons? ?|ex ?)(?P<n>\d+(?:-\d+)?)[ -]?"
_AT_EXON = r" (?:in|of|at) exon (?P<n>\d+)"
_OF_GENE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (rf"{_EXON}(?:in-?frame )?del(?:etion)?s?", "Exon {n} Deletion"),
        (rf"{_EXON}(?:in-?frame )?ins(?:ertion)?s?", "Exon {n} Insertion"),
        (rf"(?:in-?frame )?deletions?{_AT_EXON}|del ?(?P<m>19)", "Exon {n} Deletion"),
        (rf"(?:in-?frame )?insertions?{_AT_EXON}", "Exon {n} Insertion"),
        (rf"skipping{_AT_EXON}", "Exon {n} Skipping Mutation"),
        (rf"mutations?{_AT_EXON}", "Exon {n} Mutation"),
        (
            rf"{_EXON}skip(?:ping|ped)?(?: mutations?| variants?| alterations?)?",
            "Exon {n} Skipping Mutation",
        ),
        (rf"{_EXON}(?:mutations?|mutants?|mutated)", "Exon {n} Mutation"),
        (r"amplifi(?:cations?|ed)", "Amplification"),
        (r"ITD|internal tandem duplications?", "ITD"),
        (r"TKD", "TKD"),
        (r"over-?express(?:ion|ed|ing)", "Overexpression"),
        (r"under-?express(?:ion|ed|ing)", "Underexpression"),
        (r"delet(?:ion|ed)", "Deletion"),
        (r"wild[ -]?type", "Wildtype"),
        (r"loss[ -]of[ -]function", "Loss-of-function"),
        (r"loss", "Loss"),
    )
)


def protein_change(text: str) -> str | None:
    """The change in one-letter codes, without ``p.``; None when it is written in no known way.

    >>> protein_change("p.Val600Glu"), protein_change("(V600E)"), protein_change("ΔF508")
    ('V600E', 'V600E', 'F508del')
    >>> protein_change("p.Glu746_Ala750del"), protein_change("p.Vat600Glu")
    ('E746_A750del', None)
    """
    bare = text.strip().removeprefix("p.").strip("()[]")
    if deleted := _DELETED.fullmatch(bare):
        bare = f"{deleted['at'].upper()}del"
    if _NAMES.match(bare):
        bare = _NAMES.sub(lambda name: _THREE[name[0].capitalize()], bare)
    found = _CHANGE.fullmatch(bare) or _CHANGE.fullmatch(_capitals(bare))
    if found is None:
        return None
    if found["sub"]:
        return found["sub"] + ("*" if found["to"] == "X" else found["to"])
    return _capitals(found[0]).replace("Ter", "*").replace("fsX", "fs*")


def _capitals(change: str) -> str:
    """Letters of amino acids as capitals, the words of HGVS small."""
    return re.sub(r"DELINS|DEL|DUP|INS|FS", lambda word: word[0].lower(), change.upper())


def is_substitution(change: str) -> bool:
    """Whether one amino acid takes another's place, or a stop does.

    >>> is_substitution("V600E"), is_substitution("V600"), is_substitution("E746_A750del")
    (True, False, False)
    """
    found = _CHANGE.fullmatch(change)
    return found is not None and found["sub"] is not None


def three_letter(change: str) -> str:
    """The same change in three-letter codes, with ``p.``.

    >>> three_letter("V600E")
    'p.Val600Glu'
    """
    long = re.sub(rf"[{_ONE}](?=\d)|(?<=\d)[{_ONE}*]$", lambda one: _LETTERS[one[0]], change)
    return f"p.{long}"


def spellings(change: str) -> tuple[str, ...]:
    """The change and how CIViC may shorten it: ``W288Cfs*12`` is ``W288fs`` there.

    >>> spellings("W288Cfs*12")
    ('W288Cfs*12', 'W288fs')
    """
    found = re.fullmatch(rf"(?P<at>{_AT})[{_ONE}*]?fs.*", change)
    return tuple(dict.fromkeys((change, f"{found['at']}fs"))) if found else (change,)


def is_dna_change(text: str) -> bool:
    """Whether it is a sound HGVS change of a coding, genomic or other nucleotide sequence.

    >>> is_dna_change("c.1799T>A"), is_dna_change("g.140453136A>T"), is_dna_change("c.1799")
    (True, True, False)
    """
    return _DNA.fullmatch(text) is not None


def alteration(text: str) -> str | None:
    """CIViC's name for a change that is told of a whole gene or exon; None when it is none.

    >>> alteration("exon 19 deletions"), alteration("amplified"), alteration("expression")
    ('Exon 19 Deletion', 'Amplification', None)
    >>> alteration("del19"), alteration("ex20ins"), alteration("deletion in exon 19")
    ('Exon 19 Deletion', 'Exon 20 Insertion', 'Exon 19 Deletion')
    """
    plain = " ".join(text.split())
    for pattern, name in _OF_GENE:
        if found := pattern.fullmatch(plain):
            told = found.groupdict()
            return name.format(n=told.get("n") or told.get("m"))
    return None
