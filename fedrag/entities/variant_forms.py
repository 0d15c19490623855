"""The forms variants are written in, as patterns over a question; what they mean is read elsewhere.

Groups: ``gene`` or ``five`` and ``three`` (partners of a fusion), ``change``, ``protein`` (a
protein change told in brackets), ``sequence``, ``chromosome``, ``id``, ``noun``.
"""

from __future__ import annotations

import re

__all__ = ["FORMS"]

_BOUND, _END = r"(?<![\w.:>*-])", r"(?![\w*>])"
_GENE = r"(?P<gene>[A-Za-z][A-Za-z0-9]{0,9}(?:-[A-Za-z0-9]{1,6})?)"
_SYMBOL = r"(?P<gene>[A-Z][A-Za-z0-9]{1,9}(?:-[A-Z0-9]{1,4})?)(?![\w-])"
_NOUN = (
    r"(?:mutations?|mutants?|mutated|variants?|alterations?|substitutions?|changes?|alleles?|SNPs?)"
)
_AFTER = rf"(?:[ -]{_NOUN}(?!\w)|-(?:positive|driven|bearing|carrying|harbou?ring)(?!\w))?"

# --- protein changes: one-letter, three-letter, deleted (ΔF508), or anything after "p." -----------
_ONE = "ACDEFGHIKLMNPQRSTVWY"
_THREE = r"(?i:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter)"
_EVENT = r"(?:(?i:delins|del|dup|ins)|DELINS|DEL|DUP|INS)"
_TAIL = rf"(?:[{_ONE}]?(?:fs|FS)(?:\*|X)?\d*|(?:_[{_ONE}]\d+)?{_EVENT}[{_ONE}*]*|[{_ONE}*=X])"
_SHORT = rf"(?:[{_ONE}][1-9]\d{{0,4}}{_TAIL}|[{_ONE}][1-9]\d{{1,3}})"
_SMALL = rf"(?:[{_ONE.lower()}]\d{{2,5}}[{_ONE.lower()}])"
_LONG = rf"(?:{_THREE}\d{{1,5}}(?:_{_THREE}\d{{1,5}})?(?:{_THREE}|\*|=)?(?:{_EVENT}|fs)?[\w*]*)"
_DELETED = r"(?:(?:Δ|∆|(?i:delta)[ -]?|del)[A-Z]\d{2,4})"
_SAID = r"(?:p\.\(?[A-Za-z][\w*=]{0,40}\)?)"
_PROTEIN = rf"(?P<change>{_SAID}|\(?(?:{_LONG}|{_SHORT}|{_SMALL}|{_DELETED})\)?)"

# --- changes of a whole gene, fusions ------------------------------------------------------------
_EXON = (
    r"(?:exons? ?|ex ?)\d+(?:-\d+)?[ -]?(?:(?:in-?frame )?(?:deletion|insertion|del|ins)s?|"
    r"mutations?|mutants?|mutated|skip(?:ping|ped)(?: mutations?| variants?| alterations?)?)|"
    r"(?:in-?frame )?(?:deletions?|insertions?|skipping|mutations?) (?:in|of|at) exon \d+|del ?19"
)
_AMOUNT = r"amplifi(?:cations?|ed)|(?:over|under)-?express(?:ion|ed|ing)"
_LOST = r"internal tandem duplications?|loss[ -]of[ -]function|loss|delet(?:ion|ed)|wild[ -]?type"
_FUSED = r"(?i:(?:gene )?fusions?|rearrang(?:ements?|ed)|translocations?)(?!\w)"
_JOINED = rf"(?:{_FUSED}|positive(?!\w))"
_PARTNER = "(?:v|[A-Za-z][A-Za-z0-9]{1,9})"

# --- sequences, identifiers ----------------------------------------------------------------------
_SEQUENCE = r"(?P<sequence>(?:N[CGMPR]_|X[MPR]_|LRG_|ENS[GTP])\d+(?:\.\d+)?(?:[tp]\d+)?)"
_REST = r"[^\s,;?!]*[^\s,;?!.:)]"  # up to what ends a sentence
_TOLD = r"(?: ?\((?P<protein>p\.[^\s()]+)\))?"

_WRITTEN: tuple[tuple[str, str], ...] = (
    ("profile", r"\b(?i:civic)\.(?P<kind>(?i:mpid|vid)):(?P<id>\w+)"),
    (
        "profile",
        r"\b(?i:civic)[ :](?P<kind>(?i:mpid|mp|vid|molecular profile|profile|variant))"
        r"[ :#]{1,2}(?P<id>\d+)\b",
    ),
    ("allele", r"\b(?i:CAID):(?P<id>(?i:CA)\d+)\b"),
    ("allele", r"(?<![\w.:-])(?P<id>CA\d{5,12})(?![\w-])"),  # CA125 and CA19-9 are markers
    (
        "sequence",
        rf"{_BOUND}(?:HGVS:)?{_SEQUENCE}(?:\((?P<gene>[A-Z][A-Z0-9-]*)\))?:"
        rf"(?P<change>[cgmnp]\.{_REST}\)?){_TOLD}",
    ),
    (
        "chromosome",
        rf"{_BOUND}(?:HGVS:)?(?i:chr)?(?P<chromosome>\d{{1,2}}|[XYM]|MT):(?P<change>g\.{_REST})",
    ),
    ("coding", rf"{_BOUND}(?:HGVS:)?{_GENE}[ :]{{1,2}}(?P<change>c\.{_REST}){_TOLD}"),
    ("rsid", r"(?:\b(?i:dbsnp):)?\b(?i:rs)(?P<id>[1-9]\d{2,11})\b"),
    ("fusion", rf"{_BOUND}(?P<five>{_PARTNER})::(?P<three>{_PARTNER})(?:[ -]{_FUSED})?"),
    ("fusion", rf"{_BOUND}(?P<five>{_PARTNER})[-–/](?P<three>[A-Z][A-Z0-9]{{1,9}})[ -]{_JOINED}"),
    ("fusion", rf"{_BOUND}(?P<three>[A-Z][A-Z0-9]{{1,9}})[ -]{_FUSED}"),
    ("protein", rf"{_BOUND}(?:HGVS:)?{_GENE}[ :-]{{1,2}}{_PROTEIN}{_END}{_AFTER}"),
    ("protein", rf"{_BOUND}{_GENE}\({_PROTEIN}\){_AFTER}"),
    (
        "protein",
        rf"{_BOUND}(?P<gene>[A-Z][A-Z0-9]{{1,6}}?)(?P<change>[{_ONE}]\d{{2,4}}[{_ONE}]){_END}{_AFTER}",
    ),
    (
        "protein",
        rf"{_BOUND}{_PROTEIN}{_END}(?:[ -]{_NOUN})? (?:(?:in|of|within) (?:the )?(?:human )?)?"
        rf"{_SYMBOL}(?: gene)?",
    ),
    (
        "protein",
        rf"{_BOUND}(?P<change>{_SMALL}){_END}(?:[ -]{_NOUN})? (?:(?:in|of|within) (?:the )?"
        r"(?:human )?)?(?P<gene>[a-z][a-z0-9]{1,5})(?![\w-])(?: gene)?",
    ),
    ("whole", rf"{_BOUND}{_GENE}[ -](?P<change>(?i:{_EXON}|{_AMOUNT}|{_LOST})|ITD|TKD)(?!\w)"),
    (
        "whole",
        rf"{_BOUND}(?P<change>(?i:{_EXON}|{_AMOUNT})) (?:in|of) (?:the )?{_SYMBOL}(?: gene)?",
    ),
    (
        "bare",
        rf"{_BOUND}(?P<before>(?i:mutation|variant|substitution) )?(?P<change>p\.\(?(?:{_LONG}|"
        rf"{_SHORT})\)?|[{_ONE}]\d{{2,5}}[{_ONE}*]|{_LONG}|{_DELETED}){_END}(?P<noun>{_AFTER})",
    ),
)
# (name of the form, pattern), the surer forms first.
FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern)) for name, pattern in _WRITTEN
)
