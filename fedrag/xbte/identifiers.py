"""Identifiers as services write them → CURIEs under the prefix an operation declares.

A service writes ``GO:0008150``, ``HGNC:HGNC:1``, ``4325``, ``MONDO_0005737`` or a web address; the
prefix it means is the operation's, so what counts is the local part: the piece after the last
colon, without the prefix repeated in front. An identifier that names another kind itself (CHEBI
among the references of a reaction, under RHEA) is none: the engine renames it.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

from fedrag.biolink import biolink

__all__ = ["curie", "is_foreign", "local_id", "taxon", "text"]

# Notations whose local parts hold colons of their own (NM_004333.4:c.1799T>A, HLA-DRB1*15:01).
_WITH_COLONS = frozenset({"HGVS", "SPDI", "SMILES", "SYMBOL", "NAME", "PANTHER.FAMILY"})
_LONGEST = 2000  # characters; what is longer is a text, not an identifier
_ADDRESS = re.compile(r"(?i)(?:https?|ftp)://")
_ENSEMBL = re.compile(r"(?:[0-9]+\.)?(ENS[A-Z]*[0-9]{11})(?:\.[0-9]+)?")
_TAXON = re.compile(r"(?i)(?:(?:ncbi_?taxon|taxon|taxid|tax|ncbi)[:_ ])?\s*([0-9]{1,9})")


def text(value: Any) -> str:
    """A scalar as text, without blanks around it; ``""`` for what is none.

    >>> [text(v) for v in (" a ", 7, 7.0, True, None, [1], float("nan"))]
    ['a', '7', '7', 'true', '', '', '']
    """
    if type(value) is str:
        return value.strip()
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        return _digits(value)
    if type(value) is float and math.isfinite(value):
        return _digits(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return ""


def _digits(number: int) -> str:
    # Python refuses to write integers of more than 4,300 digits; no identifier is one.
    return str(number) if number.bit_length() < 1024 else ""


def curie(prefix: str, value: Any, written: str = "") -> str | None:
    """The CURIE of a value under a prefix, None where it holds no identifier.

    :param written: the prefix as the service writes it, where that is another.

    >>> [curie("HGNC", v) for v in ("HGNC:HGNC:1", "HGNC:1", 1, "", None, True)]
    ['HGNC:1', 'HGNC:1', 'HGNC:1', None, None, None]
    >>> curie("MONDO", "http://purl.obolibrary.org/obo/MONDO_0005737")
    'MONDO:0005737'
    >>> curie("HGVS", "NM_004333.4:c.1799T>A"), curie("ENSEMBL", "9606.ENSP00000269305")
    ('HGVS:NM_004333.4:c.1799T>A', 'ENSEMBL:ENSP00000269305')
    """
    if type(value) is bool or not (given := text(value)) or len(given) > _LONGEST:
        return None
    return _curie(prefix, given, written)


@lru_cache(maxsize=65536)
def _curie(prefix: str, given: str, written: str) -> str | None:
    local = local_id(prefix, given, written)
    known = bool(local) and (bool(written) or not is_foreign(prefix, given))
    return f"{prefix}:{local}" if known else None


def is_foreign(prefix: str, value: Any) -> bool:
    """Whether an identifier says itself that it is of another kind, one that Biolink knows.

    >>> [is_foreign("RHEA", v) for v in ("CHEBI:15378", "RHEA:15449", "15449", "xref:1")]
    [True, False, False, False]
    >>> is_foreign("NCBIGene", "ENTREZ:673"), is_foreign("CHEMBL.TARGET", "CHEMBL:CHEMBL5145")
    (False, False)
    """
    named, colon, _ = _without_address(text(value)).partition(":")
    if not colon or prefix.upper() in _WITH_COLONS or named.casefold() == prefix.casefold():
        return False
    spell = biolink().canonical_prefix
    known = any(spell(form) != form for form in (named.lower(), named.upper()))
    return known and _family(spell(named)) != _family(spell(prefix))


def _family(prefix: str) -> str:
    """CHEMBL of CHEMBL.COMPOUND and CHEMBL.TARGET: services write the one and mean the other."""
    return prefix.partition(".")[0].casefold()


def _without_address(given: str) -> str:
    """The last piece of a web address; anything else as it is."""
    return re.split(r"[/#=]", given.rstrip("/#="))[-1] if _ADDRESS.match(given) else given


def local_id(prefix: str, given: str, written: str = "") -> str:
    """The local part of an identifier under a prefix: ``""`` where there is none.

    >>> local_id("MONDO", "MONDO_0005737"), local_id("orphanet", "Orphanet_145")
    ('0005737', '145')
    """
    local = _without_address(given)
    if prefix.upper() not in _WITH_COLONS:
        local = local.rpartition(":")[2]
    names = (prefix, written) if written and written != prefix else (prefix,)
    for start in (f"{name}{mark}".casefold() for name in names for mark in ":_"):
        while local.casefold().startswith(start):
            local = local[len(start) :]
    if prefix == "ENSEMBL" and (known := _ENSEMBL.fullmatch(local)):
        local = known.group(1)
    return local.strip()


def taxon(value: Any) -> str | None:
    """A taxon as a CURIE, None for what is no number of the NCBI taxonomy.

    >>> taxon(9606), taxon("taxon:9606"), taxon("NCBITaxon:9606"), taxon("human")
    ('NCBITaxon:9606', 'NCBITaxon:9606', 'NCBITaxon:9606', None)
    """
    found = None if type(value) is bool else _TAXON.fullmatch(text(value))
    return f"NCBITaxon:{int(found.group(1))}" if found else None
