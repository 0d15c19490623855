"""Paths into answers: JSONata's semantics, and what belongs together kept together."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xbte_reading import operation

from fedrag.metakg.xfedrag import Manner
from fedrag.xbte import read_answer
from fedrag.xbte.identifiers import curie, taxon
from fedrag.xbte.mapping import compiled
from fedrag.xbte.paths import MISSING, as_path, nodes, plan, read, rows
from fedrag.xbte.references import kind_of_reference, references


@pytest.mark.parametrize(
    ("document", "path", "value"),
    [
        ({"a": {"b": 1}}, "a.b", 1),
        ({"a": {"b": None}}, "a.b", None),
        ({"a": None}, "a.b", MISSING),
        ({"a": 1}, "a.b", MISSING),
        ({"a": []}, "a", []),
        ({"a": []}, "a.b", MISSING),
        # one node holds the array: it is kept as it is, even with one element
        ({"a": {"b": [1]}}, "a.b", [1]),
        ({"a": [{"b": [1]}, {"c": 2}]}, "a.b", [1]),
        ({"a": [{"b": [[1], 2]}]}, "a.b", [[1], 2]),
        # several hold arrays or values: one list
        ({"a": [{"b": [1, 2]}, {"b": 3}, {"b": None}]}, "a.b", [1, 2, 3, None]),
        ({"a": [{"b": [1]}, {"b": []}]}, "a.b", 1),
        # what one element holds is that, not a list
        ({"a": [{"b": 1}, {"c": 2}]}, "a.b", 1),
        ({"a": [[{"b": 1}], {"b": 2}]}, "a.b", [1, 2]),
        ([{"a": 1}, {"a": 2}], "a", [1, 2]),
        ({"a": [{"b": [{"c": 1}]}, {"b": {"c": [2]}}]}, "a.b.c", [1, 2]),
        ({"adj_p-value": 0.1}, "adj_p-value", 0.1),
    ],
)
def test_a_path_is_read_as_jsonata_reads_it(document: Any, path: str, value: Any) -> None:
    assert read(document, as_path(path)) == value


def table(anchor: str, paths: list[str], document: Any) -> list[tuple[Any, ...]]:
    made = plan(as_path(anchor), [as_path(path) for path in paths])
    return [(leaf, *values) for leaf, values in rows(made, document)]


def test_every_path_is_read_from_the_deepest_element_it_shares_with_the_output() -> None:
    reactions = [
        {"name": "one", "refs": [{"id": 1, "type": "x"}, {"id": 2, "type": "y"}]},
        {"name": "two", "refs": {"id": 3, "type": "z"}},
        {"name": "none"},
    ]
    document = {"accession": "P", "comments": [{"reaction": r} for r in reactions]}
    paths = [
        "accession",
        "comments.reaction.name",
        "comments.reaction.refs.type",
        "comments.reaction.refs.id",
    ]
    assert table("comments.reaction.refs.id", paths, document) == [
        (1, "P", "one", "x", 1),
        (2, "P", "one", "y", 2),
        (3, "P", "two", "z", 3),
    ]


def test_a_path_that_ends_on_the_way_is_whole_and_one_that_goes_on_is_read_beneath() -> None:
    document = {"a": {"b": [{"c": 1}, {"c": 2}], "d": 3}}
    assert table("a.b", ["a.b.c", "a.d", ""], document) == [
        ({"c": 1}, 1, 3, document),
        ({"c": 2}, 2, 3, document),
    ]


def test_an_array_of_identifiers_gives_one_row_each() -> None:
    document = {"x": [{"ids": ["A", None, "B"], "name": "n"}, {"ids": "C"}]}
    assert table("x.ids", ["x.name"], document) == [
        ("A", "n"),
        (None, "n"),
        ("B", "n"),
        ("C", MISSING),
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.lists(st.integers(0, 9), min_size=2, max_size=4)),
        max_size=6,
    )
)
def test_attributes_never_move_to_another_element(elements: list[tuple[int, list[int]]]) -> None:
    document = {"e": [{"o": {"id": i}, "p": p} for i, p in elements], "_id": "x"}
    assert table("e.o.id", ["e.p", "_id"], document) == [(i, p, "x") for i, p in elements]


def test_arrays_in_arrays_end_somewhere() -> None:
    deep: Any = [1]
    for _ in range(500):
        deep = [deep]
    assert nodes({"a": deep}, ("a",)) == []


@pytest.mark.parametrize(
    ("prefix", "value", "output"),
    [
        ("GO", "GO:0008150", "GO:0008150"),
        ("HGNC", "HGNC:HGNC:1", "HGNC:1"),
        ("HGNC", 1, "HGNC:1"),
        ("DOID", "4325", "DOID:4325"),
        ("DOID", "DOID:4325", "DOID:4325"),
        ("REACT", "R-HSA-109582", "REACT:R-HSA-109582"),
        ("REACT", "REACT:R-HSA-109582", "REACT:R-HSA-109582"),
        ("RHEA", "RHEA:15449", "RHEA:15449"),
        ("NCBIGene", 1017.0, "NCBIGene:1017"),
        ("MESH", " mesh:D008545 ", "MESH:D008545"),
        ("EFO", "EFO_0000270", "EFO:0000270"),
        ("HP", "https://hpo.jax.org/app/browse/term/HP:0001250", "HP:0001250"),
        ("CHEBI", "http://purl.obolibrary.org/obo/CHEBI_15377/", "CHEBI:15377"),
        ("ENSEMBL", "9606.ENSP00000222005", "ENSEMBL:ENSP00000222005"),
        ("ENSEMBL", "ENSG00000157764.14", "ENSEMBL:ENSG00000157764"),
        ("HGVS", "NM_004333.4:c.1799T>A", "HGVS:NM_004333.4:c.1799T>A"),
        ("HGVS", "HGVS:chr7:g.140453136A>T", "HGVS:chr7:g.140453136A>T"),
        ("SYMBOL", "HLA-DRB1*15:01", "SYMBOL:HLA-DRB1*15:01"),
        ("CHEMBL.TARGET", "CHEMBL:CHEMBL5145", "CHEMBL.TARGET:CHEMBL5145"),
        ("NCBIGene", "ENTREZ:673", "NCBIGene:673"),
        ("PUBCHEM.COMPOUND", "CID:5", "PUBCHEM.COMPOUND:5"),
        ("KEGG.PATHWAY", "path:hsa04110", "KEGG.PATHWAY:hsa04110"),
        ("MESH", "OMIM:114480", None),
        ("RHEA", "http://purl.obolibrary.org/obo/CHEBI:15378", None),
        ("MESH", "", None),
        ("MESH", "MESH:", None),
        ("MESH", "   ", None),
        ("MESH", None, None),
        ("MESH", False, None),
        ("MESH", {"id": "D1"}, None),
        ("MESH", float("inf"), None),
        ("MESH", "x" * 2001, None),
    ],
)
def test_an_identifier_becomes_a_curie(prefix: str, value: Any, output: str | None) -> None:
    assert curie(prefix, value) == output


def test_one_and_true_are_not_the_same_identifier() -> None:
    assert [curie("X", v) for v in (1, True, 1.0, "1")] == ["X:1", None, "X:1", "X:1"]


@pytest.mark.parametrize(
    ("name", "value", "publications"),
    [
        ("ref_pmid", 21559390, ["PMID:21559390"]),
        ("ref_pmid", "PMID:21559390", ["PMID:21559390"]),
        ("ref_pmid", ["1", 2, None, "", "PMID: 3", True, 0, -4], ["PMID:1", "PMID:2", "PMID:3"]),
        ("ref_pmid", "1|2;3, 4", ["PMID:1", "PMID:2", "PMID:3", "PMID:4"]),
        ("ref_pmid", "https://pubmed.ncbi.nlm.nih.gov/12345/", ["PMID:12345"]),
        ("ref_pmid", "unpublished", []),
        ("pubmed", [[12], 34], ["PMID:12", "PMID:34"]),
        ("pmid", "9876543210123", []),
        ("ref_pmcid", ["PMC7725765", 12, "PMC:13"], ["PMC:7725765", "PMC:12", "PMC:13"]),
        ("pmc", "PMC1;PMC2", ["PMC:1", "PMC:2"]),
        ("ref_doi", "10.1000/A(1);2-3", ["doi:10.1000/a(1);2-3"]),
        ("ref_doi", "https://doi.org/10.1021/jm0", ["doi:10.1021/jm0"]),
        ("ref_doi", "12345", []),
        ("ref_clinicaltrials", "NCT00000102,nct01", ["clinicaltrials:NCT00000102"]),
        ("ref_isbn", ["978-0-306-40615-7", "ISBN:0306406152", "no"], None),
        (
            "ref_url",
            ["http://www.ncbi.nlm.nih.gov/pubmed/77", "https://example.org/x", "n/a"],
            ["PMID:77", "https://example.org/x"],
        ),
        ("ref_url", "http://www.nejm.org/doi/full/10.1056/NEJMoa1", ["doi:10.1056/nejmoa1"]),
        ("ref_url", "javascript:alert(1)", []),
        ("publications", ["PMID:1", "doi:10.1000/b"], ["PMID:1", "doi:10.1000/b"]),
    ],
)
def test_references_become_publications(
    name: str, value: Any, publications: list[str] | None
) -> None:
    if publications is None:
        publications = ["isbn:9780306406157", "isbn:0306406152"]
    kind = kind_of_reference(name)
    assert kind is not None
    assert references(kind, value) == publications


def test_a_reference_that_cannot_be_read_is_kept_as_an_attribute() -> None:
    asked = operation({"GO": "id", "ref_pmid": "p"}, "GO")
    (record,) = read_answer(asked, {"id": 1, "p": "personal communication"}, ["A:1"]).records
    assert record.publications == ()
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("ref_pmid", "personal communication")
    ]


def test_a_publication_is_named_once_and_in_order() -> None:
    asked = operation({"GO": "id", "ref_pmid": "p", "ref_url": "u"}, "GO")
    payload = {"id": 1, "p": [2, 1, 2], "u": "https://pubmed.ncbi.nlm.nih.gov/1"}
    (record,) = read_answer(asked, payload, ["A:1"]).records
    assert record.publications == ("PMID:2", "PMID:1")


def test_names_labels_and_addresses_find_their_place() -> None:
    mapping = {
        "GO": "go.id",
        "input_name": "symbol",
        "output_name": "go.term",
        "source_url": "go.url",
        "score": "go.score",
        "nothing": "go.nothing",
        "empty": "go.empty",
    }
    term = {"id": "1", "term": " cell\n cycle ", "url": "https://example.org/1", "score": 0}
    payload = {"symbol": ["BRAF"], "go": [{**term, "nothing": None, "empty": []}]}
    (record,) = read_answer(operation(mapping, "GO"), payload, ["A:1"]).records
    assert (record.input_name, record.output_name) == ("BRAF", "cell cycle")
    assert record.record_urls == ("https://example.org/1",)
    assert [(a.type_id, a.value) for a in record.attributes] == [("score", 0)]
    assert list(record.mapped) == [name for name in mapping if name != "GO"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (9606, "NCBITaxon:9606"),
        ("9606", "NCBITaxon:9606"),
        ("taxon:10090", "NCBITaxon:10090"),
        ("NCBITaxon:9606", "NCBITaxon:9606"),
        ("Homo sapiens", None),
        (True, None),
        (None, None),
    ],
)
def test_a_taxon_becomes_a_curie(value: Any, told: str | None) -> None:
    assert taxon(value) == told


def test_an_operation_is_compiled_once() -> None:
    asked = operation({"GO": "a.b"}, "GO")
    assert compiled(asked) is compiled(asked)
    other = dataclasses.replace(asked, manner=Manner(echo_field="a.c"))
    assert compiled(other) is not compiled(asked)
    assert compiled(other).wanted.echo != ()


def test_a_mapping_without_the_output_gives_nothing_and_says_so() -> None:
    reading = read_answer(operation({"score": "s"}, "GO"), {"s": 1}, ["A:1"])
    assert reading.records == ()
    assert reading.dropped == (("no usable identifier", 1),)


def test_the_output_is_found_whatever_the_case_of_its_name() -> None:
    reading = read_answer(operation({"Uniprotkb": "u"}, "UniProtKB"), {"u": "P1"}, ["A:1"])
    assert [r.output for r in reading.records] == ["UniProtKB:P1"]
