"""Publications as sources write them → one CURIE each.

``PMID:123``, ``PMC:123`` (the letters PMC once, as Biolink's prefix expects), ``doi:10.…``,
``clinicaltrials:NCT…``; any other CURIE or web address stays as it is, anything else is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["normalise_publication", "publications_in", "pubmed_of_url"]

_PUBMED_URL = re.compile(
    r"(?i)https?://(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov"
    r"|identifiers\.org/pubmed[/:]|(?:www\.)?europepmc\.org/(?:article|abstract)/med)"
    r"/?(?:\?term=)?([0-9]{1,9})\b"
)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (_PUBMED_URL, "PMID:"),
    (re.compile(r"(?i)(?:pmid|pubmed|medline)\s*[:_ ]?\s*([0-9]{1,9})"), "PMID:"),
    (re.compile(r"([0-9]{1,9})"), "PMID:"),
    (
        re.compile(
            r"(?i)(?:https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov"
            r"|europepmc\.org)/articles?/(?:pmc/)?|(?:pmid|pmcid|pmc)\s*:\s*)?pmc\s*:?\s*([0-9]{1,9})/?"
        ),
        "PMC:",
    ),
    (re.compile(r"(?i)(?:pmcid|pmc)\s*:\s*([0-9]{1,9})"), "PMC:"),
    (
        re.compile(r"(?i)(?:https?://(?:dx\.)?doi\.org/|doi\s*:\s*|doi\s+)?(10\.[0-9]{4,9}/\S+)"),
        "doi:",
    ),
    (
        re.compile(
            r"(?i)(?:https?://(?:www\.)?clinicaltrials\.gov/(?:ct2/show/|study/|show/)"
            r"|(?:clinicaltrials(?:\.gov)?|nct|ctgov)\s*:\s*)?(nct[0-9]{8})(?:[/?#]\S*)?"
        ),
        "clinicaltrials:",
    ),
)
_OTHER = re.compile(r"https?://\S+|[A-Za-z][A-Za-z0-9_.\-]*:(?!//)[^\s:]\S*")
_SCRIPT = re.compile(r"(?i)(?:javascript|data|vbscript|file):")
# A comma or semicolon parts two publications only where another one begins: DOIs hold both.
_BETWEEN = re.compile(
    r"(?i)\s*[,;]\s*(?=pmid|pubmed|pmc|doi|10\.[0-9]|https?:|nct|[0-9]{4,9}\s*(?:[,;]|$))"
    r"|\s+(?=pmid|pubmed|pmc|doi:|https?:|nct[0-9])"
)


def normalise_publication(text: str) -> str | None:
    """One publication as a CURIE, or as its web address; None when it is neither.

    >>> [normalise_publication(t) for t in ("pmid: 19", "PMC:8568632", "PMC8568632", "none")]
    ['PMID:19', 'PMC:8568632', 'PMC:8568632', None]
    >>> normalise_publication("https://pubmed.ncbi.nlm.nih.gov/12345/")
    'PMID:12345'
    """
    trimmed = " ".join(text.split()).strip("'\"[] ")
    for pattern, prefix in _FORMS:
        if match := pattern.match(trimmed):
            if pattern is not _PUBMED_URL and match.end() != len(trimmed):
                continue
            return prefix + _local(prefix, match.group(1))
    if _OTHER.fullmatch(trimmed) and not _SCRIPT.match(trimmed):
        return trimmed
    return None


def _local(prefix: str, local: str) -> str:
    if prefix in ("PMID:", "PMC:"):
        return str(int(local))
    if prefix == "doi:":
        return local.lower().rstrip(".")
    return local.upper()


def publications_in(value: Any) -> Iterator[str]:
    """Every publication in an attribute's value: a list, a string of several, a number, a mapping.

    >>> list(publications_in("PMID:123|PMID:456")), list(publications_in(["77, 9876", None]))
    (['PMID:123', 'PMID:456'], ['PMID:77', 'PMID:9876'])
    """
    if isinstance(value, str):
        for part in _parts(value):
            if found := normalise_publication(part):
                yield found
    elif isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9:
        yield f"PMID:{value}"
    elif isinstance(value, (list, dict)):
        for item in value:
            if isinstance(item, (str, int)):
                yield from publications_in(item)


def _parts(text: str) -> Iterable[str]:
    for part in " ".join(text.split()).split("|"):
        yield from _BETWEEN.split(part)


def pubmed_of_url(url: str) -> str | None:
    """The PMID a web address points to, None for any other address.

    >>> pubmed_of_url("http://www.ncbi.nlm.nih.gov/pubmed/123")
    'PMID:123'
    >>> pubmed_of_url("https://go.drugbank.com/drugs/DB00999") is None
    True
    """
    match = _PUBMED_URL.match(url.strip())
    return f"PMID:{int(match.group(1))}" if match else None
