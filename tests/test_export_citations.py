"""Publications for reference managers: RIS, BibTeX and PMIDs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from export_material import EVIL, full_edge, hostile, of_edges

from fedrag.export import answer_to_bibtex, answer_to_pmids, answer_to_ris
from fedrag.export.citations import publications


def entries(ris: str) -> list[list[tuple[str, str]]]:
    """RIS as a reader sees it: a tag, two spaces, a hyphen, a space, a value; ER ends an entry."""
    read: list[list[tuple[str, str]]] = [[]]
    for line in filter(None, ris.split("\r\n")):
        match = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert match, line
        if match[1] == "ER":
            read.append([])
        else:
            read[-1].append((match[1], match[2]))
    assert read.pop() == []
    return read


def bibtex(text: str) -> dict[str, dict[str, str]]:
    """BibTeX as a reader sees it: a field ends where its braces are closed again."""
    read: dict[str, dict[str, str]] = {}
    rest = text
    while rest := rest.lstrip():
        head = re.match(r"@(article|misc)\{([A-Za-z0-9]+),\n", rest)
        assert head, rest[:80]
        fields = read.setdefault(head[2], {"": head[1]})
        rest = rest[head.end() :]
        while field := re.match(r"  ([a-z]+) = \{", rest):
            end, depth = field.end(), 1
            while depth:
                if rest[end] == "\\":
                    end += 1
                else:
                    depth += {"{": 1, "}": -1}.get(rest[end], 0)
                end += 1
            fields[field[1]] = rest[field.end() : end - 1]
            assert rest[end : end + 2] == ",\n"
            rest = rest[end + 2 :]
        assert rest.startswith("}\n")
        rest = rest[2:]
    return read


def test_each_publication_is_written_once_and_those_of_records_come_last() -> None:
    found = publications(of_edges(full_edge(), replace(full_edge(), id="other")))
    assert [p.id for p in found] == [*full_edge().publications, "PMID:99"]
    assert [p.record_only for p in found] == [False] * 4 + [True]


def test_ris_has_what_is_known_of_each_kind_and_no_more() -> None:
    answer = of_edges(full_edge())
    pmid, pmc, doi, trial, recorded = entries(answer_to_ris(answer))
    note = ("N1", "[E1] Statement 1 (infores:drugcentral)")
    assert pmid == [
        ("TY", "JOUR"),
        ("ID", "pmid15774254"),
        ("DB", "PubMed"),
        ("AN", "15774254"),
        ("UR", "https://pubmed.ncbi.nlm.nih.gov/15774254/"),
        note,
    ]
    assert ("AN", "PMC8568632") in pmc
    assert ("UR", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8568632/") in pmc
    assert ("DO", "10.1000/x_y") in doi
    assert doi[0] == ("TY", "ELEC")
    assert ("DB", "ClinicalTrials.gov") in trial
    assert ("AN", "NCT01297777") in trial
    assert recorded[-2:] == [
        ("N1", "Cited by the source's record, not said to be about the statement"),
        note,
    ]


def test_bibtex_has_the_same_publications_with_keys_of_their_own() -> None:
    read = bibtex(answer_to_bibtex(of_edges(full_edge())))
    assert list(read)[:2] == ["pmid15774254", "pmc8568632"]
    assert read["pmid15774254"] == {
        "": "article",
        "pmid": "15774254",
        "url": "https://pubmed.ncbi.nlm.nih.gov/15774254/",
        "note": "[E1] Statement 1 (infores:drugcentral)",
    }
    assert list(read.values())[2]["doi"] == r"10.1000/x\_y"
    assert read["nct01297777"]["number"] == "NCT01297777"
    assert list(read) == [p.label for p in publications(of_edges(full_edge()))]


def test_pmids_are_numbers_alone() -> None:
    assert answer_to_pmids(of_edges(full_edge())) == ("15774254", "99")


def test_an_edge_off_the_page_is_told_in_words_without_a_key() -> None:
    (first, *_) = publications(of_edges(full_edge(), cited=0))
    assert first.notes == (
        "hydrochlorothiazide decreases activity of SLC12A3 (infores:drugcentral)",
    )


def test_no_name_from_outside_makes_an_entry_or_a_field() -> None:
    answer = hostile()
    count = len(publications(answer))
    ris = entries(answer_to_ris(answer))
    assert len(ris) == count
    assert [entry[0][0] for entry in ris] == ["TY"] * count
    read = bibtex(answer_to_bibtex(answer))
    assert len(read) == count
    assert {field for fields in read.values() for field in fields} <= {
        *("", "pmid", "url", "note", "number")
    }
    assert all("javascript:" not in fields.get("url", "") for fields in read.values())
    assert answer_to_pmids(answer) == ("99", "15774254")


@pytest.mark.parametrize("name", ["PMID:", "PMID:1a", "PMID:١٢", "doi:11.1/x", "PMC:x", EVIL, ":"])
def test_what_is_not_an_identifier_is_written_as_it_is(name: str) -> None:
    (found,) = publications(
        of_edges(replace(full_edge(), publications=(name,), cited_by_record=()))
    )
    assert found.kind == "other"
    assert found.local == name


def test_many_statements_of_one_publication_are_counted() -> None:
    edges = tuple(replace(full_edge(), id=f"e{n}") for n in range(8))
    (pmid, *_) = entries(answer_to_ris(of_edges(*edges, cited=8)))
    notes = [value for tag, value in pmid if tag == "N1"]
    assert notes[4:] == ["[E5] Statement 5 (infores:drugcentral)", "and 3 more"]
