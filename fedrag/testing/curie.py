"""DrugMechDB's identifiers in Translator's spelling."""

from __future__ import annotations

__all__ = ["curie_of"]

_PREFIXES = {
    "DB": "DRUGBANK",
    "UniProt": "UniProtKB",
    "taxonomy": "NCBITaxon",
    "reactome": "REACT",
    "InterPro": "interpro",
    "Pfam": "PFAM",
    "TIGR": "TIGRFAM",
}


def curie_of(text: str) -> str:
    """A record's identifier as a CURIE with Biolink's prefix; stray blanks and marks removed.

    >>> curie_of("reactome:R-HSA-416476\\ufeff")
    'REACT:R-HSA-416476'
    >>> curie_of("DB:DB00619")
    'DRUGBANK:DB00619'
    """
    prefix, _, reference = text.replace("\ufeff", "").strip().partition(":")
    return f"{_PREFIXES.get(prefix, prefix)}:{reference.strip()}"
