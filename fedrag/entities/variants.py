"""Variants as questions write them: found by their form alone, before anything is looked up.

``BRAF V600E``, ``V600E in BRAF``, ``EGFR exon 19 deletion``, ``ERBB2 amplification``, ``EML4-ALK
fusion``, HGVS, rsIDs and CIViC's identifiers. That a word beside a change is a gene's name is only
supposed here; :mod:`fedrag.entities.variant_names` has it looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fedrag.entities.text import tidy
from fedrag.entities.variant_change import alteration, is_dna_change, protein_change
from fedrag.entities.variant_forms import FORMS
from fedrag.entities.words import is_plain

__all__ = ["Kind", "Part", "Spotted", "find_variants", "read_variant"]

Kind = Literal["change", "alteration", "fusion", "bare", "dna", "rsid", "profile", "allele", "all"]
Part = tuple[str, int, int]  # a text with its offsets


@dataclass(frozen=True, slots=True)
class Spotted:
    """A piece of the question that is written like a variant.

    :ivar genes: its genes as written (both partners of a fusion); none where it names none.
    :ivar change: canonical: ``V600E``, ``Exon 19 Deletion``, ``Fusion``, ``c.1799T>A``.
    :ivar curie: the identifier that is typed, in the spelling used for it.
    :ivar core: offsets of the change alone: what is left where the gene is none.
    :ivar sure: its form says that it is meant as a variant ("p.", "mutation", an identifier).
    :ivar wrong: why it cannot be read, empty where it can.
    :ivar parts: of a combination ("EGFR L858R AND EGFR T790M"), its variants; ``change`` then
        holds the word between them.
    """

    text: str
    start: int
    end: int
    kind: Kind
    genes: tuple[Part, ...] = ()
    change: str = ""
    curie: str | None = None
    core: tuple[int, int] = (-1, -1)
    sure: bool = True
    wrong: str = ""
    parts: tuple[Spotted, ...] = ()


_Match = re.Match[str]
_COMBINED = re.compile(r" (?P<word>AND|OR) ")
_JOINED = re.compile(r",? ?(?:and|or|plus|with)?(?: the)? |/|\+|, ?")
_CURIE_LIKE = re.compile(r":([A-Z]\d+)")  # "UniProtKB:P15056" is no codon of a gene
_NO_GENES = frozenset(("HLA", "MHC"))  # "HLA A24" is a serotype


def find_variants(question: str) -> tuple[Spotted, ...]:
    """Everything that is written like a variant, in order; the surer form wins an overlap.

    >>> [(s.text, s.kind, s.change) for s in find_variants("Does EGFR p.Thr790Met matter?")]
    [('EGFR p.Thr790Met', 'change', 'T790M')]
    >>> find_variants("Which genes are linked to hypertension?")
    ()
    """
    text = tidy(question)
    kept: list[Spotted] = []
    for form, pattern in FORMS:
        for match in pattern.finditer(text):
            made = _READERS[form](match, question)
            if made and all(made.start >= k.end or made.end <= k.start for k in kept):
                kept.append(made)
    kept.sort(key=lambda s: s.start)
    return tuple(_combined(question, list(_with_followers(text, kept))))


def read_variant(text: str) -> Spotted | None:
    """The variant that a whole text is (a pinned identifier), None when it is none.

    >>> read_variant("civic.mpid:12").curie, read_variant("rs113488022").curie
    ('civic.mpid:12', 'DBSNP:rs113488022')
    """
    found = find_variants(text.strip())
    return found[0] if len(found) == 1 and found[0].text == text.strip() else None


# --- how each form is read -----------------------------------------------------------------------


def _made(match: _Match, question: str, kind: Kind, core: str = "change") -> Spotted:
    start, end = match.span()
    inner = match.span(core) if core in match.re.groupindex else (start, end)
    return Spotted(question[start:end], start, end, kind, core=inner)


def _gene(match: _Match, name: str = "gene") -> Part:
    return (match[name], *match.span(name))


def _is_symbol(word: str) -> bool:
    """Whether a word is written as gene symbols are: two capitals, or letters and digits."""
    capitals = sum(c.isupper() for c in word)
    return capitals >= 2 or (capitals >= 1 and any(c.isdigit() for c in word))


def _may_be_gene(word: str, change: str) -> bool:
    """Whether a word beside a change may name its gene; MET and KIT are symbols, "met" is none."""
    if _is_symbol(word):
        return word not in _NO_GENES
    small = len(word) <= 6 and len(change) >= 4
    return not is_plain(word.lower()) and (small or change.startswith("p."))


def _may_have_exon(word: str, name: str) -> bool:
    """Whether a word may be the gene of a change of the whole; before an exon in small letters."""
    small = name.startswith("Exon ") and len(word) <= 6 and not is_plain(word.lower())
    return _is_symbol(word) or (small and word not in _NO_GENES)


def _protein(match: _Match, question: str) -> Spotted | None:
    """Gene and protein change side by side, in either order."""
    written, gene = match["change"], _gene(match)
    change, said = protein_change(written), written.startswith("p.")
    if not _may_be_gene(gene[0], written) or (change is None and not said):
        return None
    if ":" in match[0] and not said and change in _CURIE_LIKE.findall(match[0]):
        return None
    wrong = "" if change else f'"{written}" is no protein change like p.V600E or p.Val600Glu'
    spotted = _made(match, question, "change")
    return replace(spotted, genes=(gene,), change=change or "", sure=said, wrong=wrong)


def _whole(match: _Match, question: str) -> Spotted | None:
    """A change that is told of a whole gene or an exon."""
    name = alteration(match["change"])
    if name is None or not _may_have_exon(match["gene"], name):
        return None
    spotted = _made(match, question, "alteration")
    return replace(spotted, genes=(_gene(match),), change=name, sure=False)


def _fusion(match: _Match, question: str) -> Spotted | None:
    names = [name for name in ("five", "three") if name in match.re.groupindex]
    partners = tuple(_gene(match, name) for name in names)
    if not all(_is_symbol(name) or name == "v" for name, _, _ in partners):
        return None
    spotted = _made(match, question, "fusion")
    return replace(spotted, genes=partners, change="Fusion", sure=False)


def _bare(match: _Match, question: str) -> Spotted | None:
    """A change without its gene."""
    change = protein_change(match["change"])
    if change is None:
        return None
    start, end = match.start("change"), match.end()
    told = bool(match["noun"] or match["before"]) or match["change"].startswith("p.")
    spotted = Spotted(question[start:end], start, end, "bare", core=match.span("change"))
    return replace(spotted, change=change, sure=told)


def _sequence(match: _Match, question: str) -> Spotted:
    """HGVS on a reference sequence: ``NM_004333.4(BRAF):c.1799T>A (p.Val600Glu)``."""
    change = match["change"]
    protein = protein_change(match["protein"] or (change if change.startswith("p.") else ""))
    sound = is_dna_change(change) or (change.startswith("p.") and protein is not None)
    return replace(
        _made(match, question, "dna"),
        genes=(_gene(match),) if match["gene"] else (),
        change=protein or "",
        curie=f"HGVS:{match['sequence']}:{change}",
        wrong="" if sound else _no_hgvs(change),
    )


def _chromosome(match: _Match, question: str) -> Spotted:
    """``chr7:g.140453136A>T``, spelt as MyVariant.info's identifiers are."""
    change = match["change"]
    return replace(
        _made(match, question, "dna"),
        curie=f"HGVS:chr{match['chromosome']}:{change}",
        wrong="" if is_dna_change(change) else _no_hgvs(change),
    )


def _coding(match: _Match, question: str) -> Spotted | None:
    """``BRAF c.1799T>A``: the gene's name stands for its sequence."""
    change = match["change"]
    if not _is_symbol(match["gene"]):
        return None
    return replace(
        _made(match, question, "change"),
        genes=(_gene(match),),
        change=protein_change(match["protein"] or "") or change,
        wrong="" if is_dna_change(change) else _no_hgvs(change),
    )


def _no_hgvs(change: str) -> str:
    return f'"{change}" is no change as HGVS writes it (c.1799T>A, p.Val600Glu)'


def _rsid(match: _Match, question: str) -> Spotted:
    return replace(_made(match, question, "rsid"), curie=f"DBSNP:rs{match['id']}")


def _profile(match: _Match, question: str) -> Spotted:
    number = match["id"]
    kind = "vid" if match["kind"].lower() in ("vid", "variant") else "mpid"
    wrong = "" if number.isdigit() else f"CIViC's identifiers are numbers, not {number!r}"
    curie = f"civic.{kind}:{number}"
    return replace(_made(match, question, "profile"), curie=curie, wrong=wrong)


def _allele(match: _Match, question: str) -> Spotted:
    return replace(_made(match, question, "allele"), curie=f"CAID:{match['id'].upper()}")


_READERS: dict[str, Callable[[_Match, str], Spotted | None]] = {
    "profile": _profile,
    "allele": _allele,
    "sequence": _sequence,
    "chromosome": _chromosome,
    "coding": _coding,
    "rsid": _rsid,
    "fusion": _fusion,
    "protein": _protein,
    "whole": _whole,
    "bare": _bare,
}


# --- several together ----------------------------------------------------------------------------


def _with_followers(text: str, kept: Sequence[Spotted]) -> Iterator[Spotted]:
    """ "EGFR L858R and T790M": a change without a gene has that of the change it is joined to."""
    last: Spotted | None = None
    for spotted in kept:
        one = spotted
        follows = last is not None and _JOINED.fullmatch(text[last.end : spotted.start])
        if follows and last and spotted.kind == "bare" and last.kind in ("change", "alteration"):
            one = replace(spotted, kind="change", genes=last.genes)
        last = one
        yield one


def _combined(question: str, kept: Sequence[Spotted]) -> list[Spotted]:
    """Variants with a capital AND or OR between them are one: CIViC's combination profiles."""
    made: list[Spotted] = []
    for spotted in kept:
        last = made[-1] if made else None
        joint = _COMBINED.fullmatch(question[last.end : spotted.start]) if last else None
        if last is None or joint is None or spotted.wrong or last.wrong:
            made.append(spotted)
            continue
        same = last.kind == "all" and last.change == joint["word"]
        parts = (*last.parts, spotted) if same else (last, spotted)
        text = question[last.start : spotted.end]
        made[-1] = Spotted(
            text, last.start, spotted.end, "all", change=joint["word"], parts=parts, sure=False
        )
    return made
