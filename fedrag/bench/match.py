"""Whether an answer names a gold: by an identifier of it, or by exactly one of its names.

Never by a part of a name: "COX" is not PTGS2, and an empty answer is nothing. Two spellings are
the same name when they differ in case, accents, kind of dash, Greek letters written out, or in a
blank or hyphen between two characters that are not both digits ("COX 2", "COX-2" and "COX2", but
not "IL-1 2" and "IL-12"). Signs stay: "Cl-" is not "Cl", nor "(+)-X" "(-)-X".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from fedrag.bench.model import Gold
from fedrag.entities.text import clean, greek_spelled

__all__ = ["How", "curies", "fold_curie", "forms", "matching", "names_gold", "spelling"]

How = Literal["identifier", "name"]

_CURIE = re.compile(r"(?<![\w.:])([A-Za-z][A-Za-z0-9._]*):([A-Za-z0-9](?:[\w.-]*\w)?)")
# The prefixes that DrugMechDB and the published files write, as the others write them.
_PREFIXES = {"db": "drugbank", "uniprot": "uniprotkb", "entrez": "ncbigene"}
_GAP = re.compile(r"([^\W_])[ -]+(?=([^\W_]))")
_WRAPPING = " \t\n\"'`*_.“”"
_BEFORE = re.compile(r"^(?:the\s+|(?:answer|gene|protein|drug|metabolite)\s*:\s*)+", re.IGNORECASE)
_AFTER = re.compile(r"\s+(?:gene|protein)$", re.IGNORECASE)
_BRACKETED = re.compile(r"([^()\[\]]*[^()\[\]\s])\s+[(\[]([^()\[\]]+)[)\]]")
_ALSO = re.compile(r",?\s+\(?(?:also known as|also called|aka|a\.k\.a\.)\s+", re.IGNORECASE)
_SEVERAL = re.compile(r"\s(?:and|or|vs|versus)\s|[;&]", re.IGNORECASE)


@lru_cache(maxsize=200_000)
def spelling(name: str) -> str:
    """What two spellings of one name have in common.

    >>> spelling("Löffler’s  syndrome") == spelling("loffler's syndrome")
    True
    >>> spelling("PPAR-γ"), spelling("5-HT 2A"), spelling("IL-1 2"), spelling("Cl-")
    ('ppargamma', '5ht2a', 'il1-2', 'cl-')
    """
    text = greek_spelled(clean(unicodedata.normalize("NFKC", name)))
    parts = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in parts if not unicodedata.combining(c)).casefold()
    return _GAP.sub(_joined, " ".join(plain.split()))


def _joined(gap: re.Match[str]) -> str:
    apart = gap.group(1).isdigit() and gap.group(2).isdigit()
    return gap.group(1) + ("-" if apart else "")


def fold_curie(curie: str) -> str:
    """A CURIE without what differs between those who write it.

    >>> fold_curie("DB:DB00619") == fold_curie("DRUGBANK:db00619")
    True
    """
    prefix, _, local = curie.strip().partition(":")
    folded = prefix.casefold()
    return f"{_PREFIXES.get(folded, folded)}:{local.upper()}"


def curies(text: str) -> tuple[str, ...]:
    """The CURIEs that a text holds, folded.

    >>> curies("KIT (HGNC:6342), not PDGFRA: NCBIGene:5156.")
    ('hgnc:6342', 'ncbigene:5156')
    """
    return tuple(fold_curie(found.group()) for found in _CURIE.finditer(text))


@lru_cache(maxsize=100_000)
def forms(answer: str) -> frozenset[str]:
    """The names that an answer gives to the one thing it names, spelled alike.

    The whole of it; without quotes, a kind word or "the"; both halves of "SYMBOL (name)" and of
    "A, also known as B". Where the part before a bracket names several things, what is in the
    bracket belongs to the last alone, and counts for nothing.

    >>> sorted(forms("KIT (mast/stem cell growth factor receptor)"))[:2]
    ['kit', 'kit (mast/stemcellgrowthfactorreceptor)']
    >>> sorted(forms("the PTGS2 gene")), forms(" ")
    (['ptgs2', 'ptgs2gene', 'theptgs2gene'], frozenset())
    """
    return frozenset(spelled for form in _forms(answer) if (spelled := spelling(form)))


def _forms(answer: str) -> Iterator[str]:
    whole = answer.strip()
    yield whole
    bare = whole.strip(_WRAPPING)
    for text in (bare, *_split(bare)):
        yield text
        start = _BEFORE.sub("", text)
        yield start
        yield _AFTER.sub("", start)


def _split(text: str) -> Iterator[str]:
    yield from (part.strip(_WRAPPING + ")") for part in _ALSO.split(text) if part != text)
    if (bracketed := _BRACKETED.fullmatch(text)) and not _ALSO.search(text):
        before, within = bracketed.groups()
        yield before
        if not _SEVERAL.search(before):
            yield within.strip(_WRAPPING)


@lru_cache(maxsize=100_000)
def _names(gold: Gold) -> frozenset[str]:
    names = (gold.name, *gold.synonyms)
    return frozenset(spelled for name in names if (spelled := spelling(name)))


@lru_cache(maxsize=100_000)
def _identifiers(gold: Gold) -> frozenset[str]:
    return frozenset(map(fold_curie, gold.identifiers))


def names_gold(answer: str | None, gold: Gold, curie: str | None = None) -> How | None:
    """How an answer names a gold, ``None`` where it does not.

    :param curie: the identifier of what was answered, where it is known.

    >>> kit = Gold("KIT", ("UniProt:P10721", "HGNC:6342"), ("c-Kit", "CD117"))
    >>> [names_gold(a, kit) for a in ("Ckit", "HGNC:6342", "KITLG", "", None)]
    ['name', 'identifier', None, None, None]
    >>> names_gold("stem cell factor receptor", kit, "UniProtKB:P10721")
    'identifier'
    """
    identifiers = _identifiers(gold)
    if curie is not None and fold_curie(curie) in identifiers:
        return "identifier"
    if answer is None:
        return None
    if _identified(curies(answer), identifiers):
        return "identifier"
    return "name" if forms(answer) & _names(gold) else None


def _identified(given: Sequence[str], identifiers: frozenset[str]) -> bool:
    """Two identifiers of one vocabulary are two things: then the answer does not name the gold."""
    right = {one.partition(":")[0] for one in given if one in identifiers}
    wrong = {one.partition(":")[0] for one in given if one not in identifiers}
    return bool(right) and not right & wrong


def matching(
    answer: str | None, golds: Sequence[Gold], curie: str | None = None
) -> tuple[int, How] | None:
    """Which of the golds an answer names, and how: an identifier counts before a name.

    >>> golds = (Gold("imatinib", ("DRUGBANK:DB00619",)), Gold("dasatinib", ("DRUGBANK:DB01254",)))
    >>> matching("Dasatinib", golds), matching("Dasatinib", golds, "DB:DB00619")
    ((1, 'name'), (0, 'identifier'))
    """
    found = [(how, at) for at, gold in enumerate(golds) if (how := names_gold(answer, gold, curie))]
    if not found:
        return None
    how, at = min(found)
    return at, how
