"""The publications of an answer for reference managers: RIS, BibTeX, and a plain list of PMIDs.

Only what is known is written: identifiers, addresses, and the statements a publication is cited
for. Titles and authors are not known here and are never made up; reference managers complete an
entry from its PMID or DOI.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from fedrag.datamodel import Answer, Edge
from fedrag.evidence.sentences import sentence
from fedrag.export.json import publication_url
from fedrag.export.lines import one_line

__all__ = ["Publication", "answer_to_bibtex", "answer_to_pmids", "answer_to_ris", "publications"]

_MOST_NOTES = 5
_PREFIXES = {
    "pmid": "PMID",
    "pmc": "PMC",
    "pmcid": "PMC",
    "doi": "doi",
    "nct": "NCT",
    "clinicaltrials": "NCT",
}
# What TeX would read as a command, and what it is written as.
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", **{sign: f"\\{sign}" for sign in "&%$#_"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Publication:
    """One publication and what it is cited for.

    :ivar id: as the edges name it: a CURIE or an address.
    :ivar kind: ``PMID``, ``PMC``, ``doi``, ``NCT`` (a trial), ``url`` or ``other``.
    :ivar local: the identifier within its kind (``15774254``, ``PMC8568632``), else ``id``.
    :ivar notes: the statements, each with its key where the page has one.
    :ivar record_only: the source's record cites it; that it is about the statement is not said.
    """

    id: str
    kind: str
    local: str
    url: str | None
    notes: tuple[str, ...]
    record_only: bool = False

    @property
    def label(self) -> str:
        """A short name that is the same in every export: ``pmid15774254``."""
        if self.kind in ("url", "other", "doi"):
            return self.kind + hashlib.sha256(self.id.encode()).hexdigest()[:12]
        return self.local.lower() if self.kind in ("PMC", "NCT") else f"pmid{self.local}"


def publications(answer: Answer) -> tuple[Publication, ...]:
    """Every publication of the retrieved edges once, those of the page's evidence first.

    Those that a source's record cites, without it being said that they are about the statement,
    come last.
    """
    cited: dict[str, list[str]] = {}
    recorded: dict[str, list[str]] = {}
    for edge, note in _statements(answer):
        for found, listed in ((cited, edge.publications), (recorded, edge.cited_by_record)):
            for publication in listed:
                found.setdefault(publication, []).append(note)
    only = {name: notes for name, notes in recorded.items() if name not in cited}
    stated = [_publication(name, notes) for name, notes in cited.items()]
    return (*stated, *(_publication(name, notes, True) for name, notes in only.items()))


def answer_to_pmids(answer: Answer) -> tuple[str, ...]:
    """The PMIDs of the same publications in the same order, numbers alone."""
    return tuple(found.local for found in publications(answer) if found.kind == "PMID")


def answer_to_ris(answer: Answer) -> str:
    """RIS, one entry for each publication; lines end in CR LF, as the format has it.

    ``N1`` holds the statements it is cited for.
    """
    lines = [line for found in publications(answer) for line in (*_ris(found), ("ER", ""), None)]
    return "".join(f"{line[0]}  - {one_line(line[1])}\r\n" if line else "\r\n" for line in lines)


def answer_to_bibtex(answer: Answer) -> str:
    """BibTeX, one entry for each publication, keys like ``pmid15774254``.

    ``note`` holds the statements it is cited for.
    """
    return "\n".join(_bibtex(found) for found in publications(answer))


# --- gathering ----------------------------------------------------------------------------------


def _statements(answer: Answer) -> Iterator[tuple[Edge, str]]:
    """Each retrieved edge with a line that says what it states, the page's first."""
    cited: set[str] = set()
    for item in answer.evidence:
        for edge in item.edges:
            cited.add(edge.id)
            yield edge, f"[{item.key}] {item.sentence} ({edge.primary_source})"
    for edge in answer.all_edges:
        if edge.id not in cited and (edge.publications or edge.cited_by_record):
            yield edge, f"{sentence(edge)} ({edge.primary_source})"


def _publication(name: str, notes: Iterable[str], record_only: bool = False) -> Publication:
    kind, local = _read(name)
    url = publication_url(name) if kind != "other" else None
    told = tuple(dict.fromkeys(map(one_line, notes)))
    return Publication(name, kind, local, url and _safe(url), told, record_only)


def _read(name: str) -> tuple[str, str]:
    """Kind and local identifier of a publication.

    >>> _read("PMID:15"), _read("PMC:8568632"), _read("NCT01297777")
    (('PMID', '15'), ('PMC', 'PMC8568632'), ('NCT', 'NCT01297777'))
    """
    if name.startswith(("http://", "https://")):
        return "url", name
    prefix, _, local = name.rpartition(":")
    bare = re.fullmatch(r"(?:PMC|NCT)\d+", local)
    kind = bare.group()[:3] if bare else _PREFIXES.get(prefix.lower(), "other")
    if kind == "PMC" and local.isdecimal():
        local = f"PMC{local}"
    well_formed = {"PMID": r"\d+", "PMC": r"PMC\d+", "NCT": r"NCT\d+", "doi": r"10\.\S+"}
    if kind in well_formed and not re.fullmatch(well_formed[kind], local, re.ASCII):
        kind = "other"
    return (kind, local) if kind != "other" else ("other", name)


def _safe(url: str) -> str:
    """The address with everything encoded that could end a field or a line.

    >>> _safe("https://example.org/a b}{c?x=1%20y#z")
    'https://example.org/a%20b%7D%7Bc?x=1%20y#z'
    """
    return quote(url, safe="/:?#[]@!$&'()*+,;=%~-._", errors="replace")


def _notes(found: Publication) -> Iterator[str]:
    if found.record_only:
        yield "Cited by the source's record, not said to be about the statement"
    yield from found.notes[:_MOST_NOTES]
    if (more := len(found.notes) - _MOST_NOTES) > 0:
        yield f"and {more} more"


# --- writing ------------------------------------------------------------------------------------


def _ris(found: Publication) -> Iterator[tuple[str, str]]:
    """Tags and values of one entry; which journal or book it is in is not known, so no more."""
    base = {"PMID": "PubMed", "PMC": "PubMed Central", "NCT": "ClinicalTrials.gov"}.get(found.kind)
    yield "TY", "JOUR" if found.kind in ("PMID", "PMC") else "ELEC" if found.url else "GEN"
    yield "ID", found.label
    if base:
        yield "DB", base
    if found.kind == "doi":
        yield "DO", found.local
    elif found.kind != "url":
        yield "AN", found.local
    if found.url:
        yield "UR", found.url
    for note in _notes(found):
        yield "N1", note


def _bibtex(found: Publication) -> str:
    kind = "article" if found.kind in ("PMID", "PMC") else "misc"
    fields = {"PMID": "pmid", "PMC": "pmcid", "doi": "doi", "NCT": "number", "other": "number"}
    told = {fields[found.kind]: _tex(found.local)} if found.kind in fields else {}
    if found.url:
        told["url"] = found.url
    told["note"] = "; ".join(_tex(note) for note in _notes(found))
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in told.items())
    return f"@{kind}{{{found.label},\n{lines}}}\n"


def _tex(text: str) -> str:
    r"""The text as TeX would print it.

    >>> _tex("50% of A_{1}")
    '50\\% of A\\_\\{1\\}'
    """
    return "".join(_TEX.get(sign, sign) for sign in one_line(text))
