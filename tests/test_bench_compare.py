"""The rows that were built beside the published ones: each difference, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bench_material import shipped_symbols

from fedrag.bench.build import QuestionSet, build_sets
from fedrag.bench.compare import PUBLISHED_FILES, Difference, compare_sets, compare_steps
from fedrag.bench.drugmechdb import Corpus, load_corpus
from fedrag.bench.model import Kind
from fedrag.bench.steps import accessions_of
from fedrag.bench.symbols import Gene, Symbols, read_symbols
from fedrag.errors import ConfigError


@pytest.fixture(scope="module")
def corpus(corpora: Path) -> Corpus:
    return load_corpus(corpora / "drugmechdb" / "indication_paths.json")


def symbols(*, unreviewed: bool) -> Symbols:
    return Symbols(read_symbols(shipped_symbols(unreviewed=unreviewed))[0], "the table x.tsv")


def one(kind: Kind, made: QuestionSet) -> dict[Kind, QuestionSet]:
    return {kind: made}


@pytest.fixture(scope="module")
def sets(corpus: Corpus) -> dict[Kind, QuestionSet]:
    return build_sets(corpus, symbols(unreviewed=True))


def test_every_difference_is_one_that_is_known(
    corpora: Path, sets: dict[Kind, QuestionSet]
) -> None:
    found = compare_sets(sets, corpora / "bte_rag")
    assert Counter((d.set, d.field, d.rows) for d in found) == {
        ("gene", "drug prefix", 798): 1,
        ("gene", "drug", 1): 2,
        ("gene", "drug node", 1): 3,
        ("drug", "drug", 1): 1,
        ("drug", "drug node", 1): 4,
        ("drug", "gold", 1): 4,
    }
    by_field = {(d.set, d.field): d for d in found}
    assert "another drug's" in by_field["gene", "drug"].why
    assert (by_field["gene", "drug"].published, by_field["gene", "drug"].built) == (
        "DRUGBANK:DB12161",
        "DRUGBANK:DB04844",
    )
    assert "a protein" in by_field["gene", "drug node"].why
    null = by_field["drug", "drug"]
    assert (null.at, null.published, null.built) == (
        "MESH_C106301_MESH_D003233_1",
        "",
        "MESH:C106301",
    )
    assert compare_steps(sets, symbols(unreviewed=True), ()) == ()


def test_an_unreviewed_protein_that_is_lost_explains_the_steps_and_the_row(
    corpora: Path, corpus: Corpus
) -> None:
    fewer = symbols(unreviewed=False)
    made = build_sets(corpus, fewer)
    steps = compare_steps(made, fewer, accessions_of(corpus))
    assert [(d.published, d.built) for d in steps] == [
        ("1,267", "1,266"),
        ("1,207", "1,206"),
        ("1,206", "1,205"),
        ("1,182", "1,181"),
        ("798", "797"),
    ]
    assert {d.why for d in steps} == {"the table x.tsv lacks B4DP61 (SMN1, unreviewed in UniProt)"}
    rows = [d for d in compare_sets(made, corpora / "bte_rag", fewer) if d.field == "row"]
    assert [(d.at, d.published, d.built) for d in rows] == [("DB13161_MESH_D009134_1", "a row", "")]
    assert rows[0].why.startswith("B4DP61 is unreviewed")


@pytest.mark.parametrize("unreviewed", [True, False])
def test_an_incomplete_table_is_told_with_how_many_accessions_it_lacks(
    corpora: Path, corpus: Corpus, unreviewed: bool
) -> None:
    whole = symbols(unreviewed=unreviewed)
    lost = {"P03372", "P35354"}
    part = replace(whole, genes={a: g for a, g in whole.genes.items() if a not in lost})
    made = build_sets(corpus, part)
    found = compare_steps(made, part, accessions_of(corpus))
    assert [d.set for d in found] == ["gene"] * 5
    (why,) = {d.why for d in found}
    named = "P03372 (ESR1), P35354 (PTGS2)" + ("" if unreviewed else ", B4DP61 (SMN1)")
    count = 2 if unreviewed else 3
    assert why.startswith(f"the table x.tsv gives {count} of 349 accessions ({named}) no symbol")
    assert why.endswith("the table is incomplete")
    rows = compare_sets(made, corpora / "bte_rag", part)
    reasons = {d.why for d in rows if d.field == "row" and d.published}
    assert "the table x.tsv gives P35354 no symbol" in reasons
    assert unreviewed is not any("unreviewed" in reason for reason in reasons)


def test_a_table_with_more_than_it_should_is_not_called_incomplete(corpus: Corpus) -> None:
    whole = symbols(unreviewed=True)
    more = {a: Gene(a) for a in whole.without(accessions_of(corpus))}
    many = replace(whole, genes={**whole.genes, **more})
    first, *_ = compare_steps(build_sets(corpus, many), many, accessions_of(corpus))
    assert (first.published, first.built) == ("1,267", "1,523")
    assert first.why == "another version of DrugMechDB, or of the symbols"


def test_another_corpus_is_not_laid_to_the_table(corpus: Corpus) -> None:
    half = replace(corpus, records=corpus.records[::2])
    fewer = symbols(unreviewed=False)
    found = compare_steps(build_sets(half, fewer), fewer, accessions_of(half))
    assert {d.why for d in found} == {"another version of DrugMechDB, or of the symbols"}


def test_other_rows_golds_and_texts_are_found(corpora: Path, sets: dict[Kind, QuestionSet]) -> None:
    made = sets["metabolite"]
    assert made.rows
    assert made.questions
    first, second, *rest = made.rows
    changed = replace(first, golds=("CHEBI:0",), disease="MESH:D0")
    asked = replace(made.questions[0], text="What?")
    other = replace(made, rows=(changed, *rest), questions=(asked, *made.questions[1:]))
    found = compare_sets(one("metabolite", other), corpora / "bte_rag")
    name, lost = (row.records[0]["graph"]["_id"] for row in (first, second))
    assert sorted((d.at, d.field) for d in found) == sorted(
        [(name, "gold"), (name, "disease"), (name, "question"), (lost, "row")]
    )
    assert {d.built for d in found if d.field == "gold"} == {"CHEBI:0"}


def test_a_set_that_was_not_built_is_not_compared(corpora: Path, corpus: Corpus) -> None:
    found = compare_sets(build_sets(corpus, None), corpora / "bte_rag")
    assert {d.set for d in found} == {"drug"}
    assert compare_steps(build_sets(corpus, None), None, ()) == ()


def test_files_that_are_missing_or_of_another_set_are_told(
    tmp_path: Path, sets: dict[Kind, QuestionSet], corpora: Path
) -> None:
    gene = one("gene", sets["gene"])
    with pytest.raises(ConfigError, match=f"cannot read .*{PUBLISHED_FILES['gene']}"):
        compare_sets(gene, tmp_path)
    drug = (corpora / "bte_rag" / PUBLISHED_FILES["drug"]).read_bytes()
    (tmp_path / PUBLISHED_FILES["gene"]).write_bytes(drug)
    with pytest.raises(ConfigError, match="is not the published gene set"):
        compare_sets(gene, tmp_path)
    (tmp_path / PUBLISHED_FILES["gene"]).write_text("a,b\n1,2\n")
    with pytest.raises(ConfigError, match="is no question file"):
        compare_sets(gene, tmp_path)


def test_a_difference_in_words() -> None:
    told = Difference("gene", "r1", "drug", "", "MESH:D1", "why")
    assert str(told) == "gene, r1: drug: published nothing, built MESH:D1: why"
    many = replace(told, at="", published="DB:", rows=798)
    assert str(many) == "gene, 798 rows: drug: published DB:, built MESH:D1: why"
