"""Publications in all their spellings become one CURIE."""

from __future__ import annotations

import pytest

from fedrag.trapi.publications import normalise_publication, publications_in, pubmed_of_url


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("PMID:7684152", "PMID:7684152"),
        ("pmid:7684152", "PMID:7684152"),
        ("PMID: 7684152", "PMID:7684152"),
        ("PubMed:7684152", "PMID:7684152"),
        ("PMID:007684152", "PMID:7684152"),
        ("7684152", "PMID:7684152"),
        ("http://www.ncbi.nlm.nih.gov/pubmed/7684152", "PMID:7684152"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/?term=7684152", "PMID:7684152"),
        ("https://pubmed.ncbi.nlm.nih.gov/7684152/", "PMID:7684152"),
        ("https://pubmed.ncbi.nlm.nih.gov/7684152/#abstract", "PMID:7684152"),
        ("https://europepmc.org/article/MED/7684152", "PMID:7684152"),
        ("PMC:8568632", "PMC:8568632"),
        ("PMC8568632", "PMC:8568632"),
        ("PMC:PMC8568632", "PMC:8568632"),
        ("PMCID:PMC8568632", "PMC:8568632"),
        ("PMID:PMC8568632", "PMC:8568632"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8568632/", "PMC:8568632"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC8568632", "PMC:8568632"),
        ("doi:10.1056/NEJMoa012513", "doi:10.1056/nejmoa012513"),
        ("DOI: 10.1056/NEJMoa012513", "doi:10.1056/nejmoa012513"),
        ("https://doi.org/10.1056/NEJMoa012513", "doi:10.1056/nejmoa012513"),
        ("10.1016/0092-8674(82)90409-3", "doi:10.1016/0092-8674(82)90409-3"),
        ("NCT01297777", "clinicaltrials:NCT01297777"),
        ("clinicaltrials:NCT01297777", "clinicaltrials:NCT01297777"),
        ("https://clinicaltrials.gov/study/NCT01297777?tab=table", "clinicaltrials:NCT01297777"),
        ("https://clinicaltrials.gov/ct2/show/nct01297777", "clinicaltrials:NCT01297777"),
        ("GO_REF:0000033", "GO_REF:0000033"),
        ("https://www.drugs.com/monograph.html", "https://www.drugs.com/monograph.html"),
        ("javascript:alert(1)", None),
        ("not_provided", None),
        ("Smith et al., 2001", None),
        ("PMID:", None),
        ("", None),
    ],
)
def test_each_spelling(written: str, expected: str | None) -> None:
    assert normalise_publication(written) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("PMID:123|PMID:456", ["PMID:123", "PMID:456"]),
        ("PMID:123,PMID:456; PMC77", ["PMID:123", "PMID:456", "PMC:77"]),
        ("PMID:123 PMID:456", ["PMID:123", "PMID:456"]),
        ("12345,67890", ["PMID:12345", "PMID:67890"]),
        ("10.1002/(SICI)1097-0142(19960815)78:4<702::AID>3.0;2-R", 1),
        (["PMID:1|PMID:2", 3, None, True], ["PMID:1", "PMID:2", "PMID:3"]),
        ({"PMID:1": "sentence", "x y": "sentence"}, ["PMID:1"]),
        (3.5, []),
        (-3, []),
        (10**30, []),
    ],
)
def test_values_of_every_type(value: object, expected: list[str] | int) -> None:
    found = list(publications_in(value))
    assert found == expected if isinstance(expected, list) else len(found) == expected


def test_only_pubmed_addresses_are_pubmed() -> None:
    assert pubmed_of_url("https://pubmed.ncbi.nlm.nih.gov/123/") == "PMID:123"
    assert pubmed_of_url("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/") is None
    assert pubmed_of_url("https://example.org/?u=https://pubmed.ncbi.nlm.nih.gov/123/") is None


@pytest.mark.timeout(20)
def test_hostile_text_is_read_to_its_end() -> None:
    """A pattern that backtracks would take hours."""
    for text in ("pmid" + " " * 50_000 + "x", ", " * 50_000, "PMID:1," * 20_000, "|" * 100_000):
        assert len(list(publications_in(text))) <= 20_000
