"""What a response mapping calls a reference → publications as CURIEs and addresses.

The name says what a bare value is (``ref_pmcid: 123``); a value that says it itself is believed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from fedrag.trapi.publications import normalise_publication, publications_in
from fedrag.xbte.identifiers import text
from fedrag.xbte.paths import scalars

__all__ = ["addresses", "kind_of_reference", "references"]

_PLAIN = re.compile(r"[|;,\s]+")  # between publications whose identifiers hold none of these
_DOI = re.compile(r"(?i)https?://[^/]+/doi/(?:[a-z]+/)*(10\.[0-9]{4,9}/[^\s?#]+)")
_ISBN = re.compile(r"(?i)(?:isbn(?:-1[03])?[:\s]*)?([0-9][0-9\- ]{8,16}[0-9xX])")
_BEYOND = 10**9  # no PMID
_SHORT = 200  # characters of a text worth remembering
_BARE = {"pmid": "PMID", "any": "PMID", "pmcid": "PMC"}  # what a number alone stands for
# Names that older mappings give to publications, beside the ``ref_…`` of the language.
_OLDER = {
    "pubmed": "pmid",
    "pmid": "pmid",
    "pmids": "pmid",
    "pmc": "pmcid",
    "pmcid": "pmcid",
    "publications": "any",
}


def kind_of_reference(name: str) -> str | None:
    """What a mapping's name says its values refer to; None when it names no reference.

    >>> [kind_of_reference(n) for n in ("ref_pmid", "ref_doi", "pubmed", "evidence", "ref_x")]
    ['pmid', 'doi', 'pmid', None, 'x']
    """
    lowered = name.lower().removeprefix("biolink:")
    if lowered.startswith("ref_"):
        return (
            lowered[4:].removesuffix("s") if lowered != "ref_clinicaltrials" else "clinicaltrials"
        )
    return _OLDER.get(lowered)


def references(kind: str, value: Any) -> list[str]:
    """The publications in a value, in its order; what is none is left out.

    >>> references("pmid", "16120699|12597452"), references("pmcid", ["PMC12", 34])
    (['PMID:16120699', 'PMID:12597452'], ['PMC:12', 'PMC:34'])
    >>> references("isbn", "978-0-306-40615-7") + references("clinicaltrials", "NCT00000102")
    ['isbn:9780306406157', 'clinicaltrials:NCT00000102']
    """
    bare = _BARE.get(kind)
    found: list[str] = []
    for item in scalars(value):
        if type(item) is int:  # by far the most frequent: a list of PMIDs
            if bare and 0 < item < _BEYOND:
                found.append(f"{bare}:{item}")
        elif type(item) is str and (given := item.strip()):
            found += (_kept if len(given) < _SHORT else _in_text)(kind, given)
    return found


def _in_text(kind: str, given: str) -> tuple[str, ...]:
    if given.isdigit() and kind != "isbn":
        return _numbered(kind, given)
    if kind == "isbn":
        found = (_ISBN.fullmatch(part.strip()) for part in re.split(r"[|;,]", given))
        return tuple(f"isbn:{re.sub(r'[- ]', '', f.group(1)).upper()}" for f in found if f)
    if kind in ("pmid", "pmcid", "clinicaltrials") and "://" not in given:
        parts = re.sub(r"(?<=:)\s+", "", given)
        return tuple(p for part in _PLAIN.split(parts) if (p := _one(kind, part)))
    return tuple(_doi(p) or p for p in publications_in(given))


_kept = lru_cache(maxsize=16384)(_in_text)


def _numbered(kind: str, digits: str) -> tuple[str, ...]:
    """What a number alone stands for."""
    known = kind in _BARE and digits.isascii() and len(digits) < 10 and int(digits) > 0
    return (f"{_BARE[kind]}:{int(digits)}",) if known else ()


def _one(kind: str, part: str) -> str | None:
    if kind == "pmcid" and part.isdigit():
        return next(iter(_numbered(kind, part)), None)
    return normalise_publication(part)


def _doi(address: str) -> str | None:
    """The DOI a publisher's address holds."""
    found = _DOI.match(address)
    return f"doi:{found.group(1).lower().rstrip('.')}" if found else None


def addresses(value: Any) -> tuple[str, ...]:
    """The web addresses in a value, each once.

    >>> addresses(["https://example.org/1", "n/a", None])
    ('https://example.org/1',)
    """
    given = (text(item) for item in scalars(value))
    return tuple(
        dict.fromkeys(a for a in given if a.startswith(("https://", "http://")) and " " not in a)
    )
