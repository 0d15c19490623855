"""``fedrag bench build``: the steps of the three sets, their golds, and the command."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from bench_material import (
    CHEMICAL,
    DISEASE,
    DRUG,
    PROCESS,
    PROTEIN,
    record,
    shipped_symbols,
    written,
)

from fedrag.bench.build import QuestionSet, build_sets
from fedrag.bench.compare import PUBLISHED_FILES
from fedrag.bench.drugmechdb import Corpus, label_paths, load_corpus, names_of
from fedrag.bench.model import Kind, Question
from fedrag.bench.questions import read_questions
from fedrag.bench.symbols import Symbols, read_symbols
from fedrag.cli.bench_build import build
from fedrag.errors import ConfigError

KIT = Symbols(read_symbols("accession\tsymbol\nP10721\tKIT\n")[0], "a test")


@pytest.fixture(scope="module")
def corpus(corpora: Path) -> Corpus:
    return load_corpus(corpora / "drugmechdb" / "indication_paths.json")


def built(corpus: Corpus, *, unreviewed: bool) -> dict[Kind, QuestionSet]:
    genes, _ = read_symbols(shipped_symbols(unreviewed=unreviewed))
    return build_sets(corpus, Symbols(genes, "the shipped table"))


@pytest.fixture(scope="module")
def sets(corpus: Corpus) -> dict[Kind, QuestionSet]:
    return built(corpus, unreviewed=True)


def counts(made: QuestionSet) -> list[int]:
    return [step.count for step in made.steps]


def questions(made: QuestionSet) -> tuple[Question, ...]:
    assert made.questions is not None
    return made.questions


def small(*records: dict[str, Any]) -> dict[Kind, QuestionSet]:
    return build_sets(Corpus(records, names_of(records), "", ""), KIT)


# --- the published sets ---------------------------------------------------------------------------


def test_every_step_leaves_what_it_left_for_the_published_sets(
    sets: dict[Kind, QuestionSet],
) -> None:
    assert counts(sets["gene"]) == [1802, 1523, 1267, 1207, 1206, 1182, 798]
    assert counts(sets["metabolite"]) == [327, 306, 213, 201]
    assert counts(sets["drug"]) == [1840, 1704, 842]
    assert {kind: len(made.rows or ()) for kind, made in sets.items()} == {
        "gene": 798,
        "metabolite": 201,
        "drug": 842,
    }
    assert [len(questions(made)) for made in sets.values()] == [798, 200, 641]


def test_without_the_unreviewed_protein_one_gene_question_is_lost(corpus: Corpus) -> None:
    made = built(corpus, unreviewed=False)["gene"]
    assert counts(made) == [1802, 1523, 1266, 1206, 1205, 1181, 797]


def test_without_symbols_the_gene_set_stops_after_its_second_step(corpus: Corpus) -> None:
    made = build_sets(corpus, None)
    assert made["gene"].to_dict() == {
        "rows": None,
        "questions": None,
        "steps": [
            {"step": "exactly one UniProt node", "count": 1802},
            {"step": "one path of labels", "count": 1523},
        ],
        "facts": {},
    }
    assert len(questions(made["drug"])) == 641


def test_the_texts_are_the_published_ones(corpora: Path, sets: dict[Kind, QuestionSet]) -> None:
    for kind, name in PUBLISHED_FILES.items():
        with (corpora / "bte_rag" / name).open(newline="") as stream:
            published = [row["question"] for row in csv.DictReader(stream)]
        mine = [q.text for q in questions(sets[kind]) for _ in q.published]
        assert Counter(mine) == Counter(published)
        if kind == "gene":
            assert mine == published


def test_what_is_known_of_the_sets(sets: dict[Kind, QuestionSet]) -> None:
    assert sum(q.alternatives == 1 for q in questions(sets["gene"])) == 675
    several = Counter(len(set(q.published)) for q in questions(sets["drug"]))
    assert several == {1: 529, 2: 74, 3: 20, 4: 10, 5: 7, 8: 1}
    assert dict(sets["drug"].facts or {}) == {
        "several_published": 112,
        "further_drugs": 275,
        "further_drugs_by_process": 268,
        "no_process_on_path": 77,
    }


def test_identifiers_and_names_of_golds_are_kept(sets: dict[Kind, QuestionSet]) -> None:
    by_id = {q.id: q for made in sets.values() for q in questions(made)}
    gene = by_id["gene:DB01219:C535694"]
    (gold,) = gene.golds
    assert (gold.name, gold.identifiers) == (
        "RYR1",
        ("UniProtKB:P21817", "NCBIGene:6261", "HGNC:10483"),
    )
    assert {"CCO", "Ryanodine receptor 1"} <= set(gold.synonyms)
    assert gene.drug is not None
    assert gene.drug.identifiers == ("DRUGBANK:DB01219", "MESH:D003620")
    assert gene.drug_key == "DRUGBANK:DB01219"
    metabolite = by_id["metabolite:DB00994:D007634"]
    assert [(g.name, g.identifiers) for g in metabolite.golds] == [
        ("ribosomal RNA", ("CHEBI:18111",))
    ]
    drug = by_id["drug:D034721:0008283"]
    assert drug.process is not None
    assert drug.process.identifiers == ("GO:0008283",)
    assert drug.golds[0].identifiers == ("DRUGBANK:DB00619", "MESH:D000068877")


def test_no_two_questions_share_an_id_and_no_two_golds_of_one_a_name(
    sets: dict[Kind, QuestionSet],
) -> None:
    every = [q for made in sets.values() for q in questions(made)]
    assert len({q.id for q in every}) == len(every) == 1639
    for q in every:
        assert len({g.name.casefold() for g in q.golds}) == len(q.golds)
        assert all(g.identifiers for g in q.golds)


def test_a_record_whose_first_node_is_a_protein_is_about_its_drug(
    sets: dict[Kind, QuestionSet],
) -> None:
    asked = [q for q in questions(sets["drug"]) if "kinase mTOR" in str(q.published)]
    assert [[g.name for g in q.golds] for q in asked] == [
        ["sirolimus", "everolimus"],
        ["everolimus"],
        ["everolimus"],
    ]


def test_the_question_names_tetrabenazine_and_is_about_it(sets: dict[Kind, QuestionSet]) -> None:
    named = [q for q in questions(sets["gene"]) if q.drug and q.drug.name == "Tetrabenazine"]
    assert [q.drug and q.drug.identifiers for q in named] == [("DRUGBANK:DB04844",)] * 2
    assert {q.drug_key for q in named} == {"DRUGBANK:DB04844"}


# --- rules, on small records ----------------------------------------------------------------------


def test_rows_that_read_the_same_are_one_question_with_all_golds() -> None:
    other = ("MESH:D2", "Drug", "otherine")
    made = small(
        record("a", (DRUG, PROCESS, DISEASE)),
        record("b", (other, PROCESS, DISEASE), bank="DB:DB00002", drug="otherine"),
        record("c", (("MESH:D3", "Drug", "third"), PROTEIN, PROCESS, CHEMICAL, PROCESS, DISEASE),
               bank="DB:DB00003", drug="third"),
    )["drug"]  # fmt: skip
    (question,) = questions(made)
    assert question.published == ("drugine", "otherine")
    assert [gold.name for gold in question.golds] == ["drugine", "otherine", "third"]
    assert question.records == ("a", "b")


def test_a_drug_with_six_diseases_is_dropped_and_one_with_five_is_not() -> None:
    def treating(number: int) -> list[dict[str, Any]]:
        ends = [(f"MESH:D9{n}", "Disease", f"badness {n}") for n in range(number)]
        return [record(f"r{n}", (DRUG, PROTEIN, end)) for n, end in enumerate(ends)]

    assert counts(small(*treating(5))["gene"])[-2:] == [5, 5]
    assert counts(small(*treating(6))["gene"])[-2:] == [6, 0]


def test_parallel_proteins_are_one_path_and_a_missing_label_is_none() -> None:
    ids = [n[0] for n in (DRUG, PROTEIN, DISEASE)]
    second = ("UniProt:P16234", "Protein", "Pdgf")
    links = [(ids[0], "x", ids[1]), (ids[0], "x", second[0]), (ids[1], "x", ids[2])]
    links.append((second[0], "x", ids[2]))
    assert len(label_paths(record("a", (DRUG, PROTEIN, second, DISEASE), links=links))) == 1
    assert label_paths(record("a", (DRUG, PROTEIN, PROCESS))) == []


def test_the_last_record_names_a_thing_unless_the_published_name_is_among_its_names() -> None:
    nodes = [(*DISEASE[:2], name) for name in ("first", "middle", "last")]
    records = [record(name, (DRUG, PROTEIN, node)) for name, node in zip("abc", nodes, strict=True)]
    assert names_of(records, {})["MESH:D9"] == "last"
    assert names_of(records, {"MESH:D9": "middle"})["MESH:D9"] == "middle"
    assert names_of(records, {"MESH:D9": "never said"})["MESH:D9"] == "last"


def test_a_record_without_any_number_of_its_drug_goes_by_its_first_node() -> None:
    bare = record("a", (("CHEBI:7", "Drug", "seventh"), PROTEIN, DISEASE), bank=None)
    bare["graph"]["drug_mesh"] = None
    (question,) = questions(small(bare)["gene"])
    assert (question.id, question.drug_key) == ("gene:7:D9", "CHEBI:7")


# --- the command ----------------------------------------------------------------------------------


def run(*arguments: str | Path) -> Any:
    return build.main([str(a) for a in arguments], prog_name="build", standalone_mode=False)


def test_the_command_prints_counts_and_writes_files_that_read_back(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "symbols.tsv"
    table.write_text(shipped_symbols())
    source = corpora / "drugmechdb" / "indication_paths.json"
    out = tmp_path / "deep" / "sets"
    assert run("--drugmechdb", source, "--symbols", table, "--out", out) == 0
    text, told = capsys.readouterr()
    assert "   1,266  human gene symbol\n" in text
    assert "     641  questions: " in text
    assert "published 1,267, built 1,266: the table symbols.tsv lacks B4DP61 (SMN1" in told
    assert "symbols: the table symbols.tsv; 119 of 349 accessions have none (41972, " in text
    kept = json.loads((out / "build.json").read_text())
    assert (kept["symbols"]["accessions"], len(kept["symbols"]["without"])) == (349, 119)
    assert (kept["gene"]["rows"], kept["metabolite"]["questions"]) == (797, 200)
    assert len(kept["drugmechdb"]["sha256"]) == len(kept["symbols"]["sha256"]) == 64
    assert sorted(p.name for p in out.iterdir()) == [
        "build.json",
        "drug.jsonl",
        "gene.jsonl",
        "metabolite.jsonl",
    ]
    read, refused = read_questions(out / "drug.jsonl", "drug")
    assert (len(read), refused) == (641, [])


def test_the_same_build_twice_is_the_same_to_the_byte(corpora: Path, tmp_path: Path) -> None:
    table = tmp_path / "symbols.tsv"
    table.write_text(shipped_symbols())
    source = corpora / "drugmechdb" / "indication_paths.json"
    for name in ("one", "two"):
        run("--drugmechdb", source, "--symbols", table, "--out", tmp_path / name, "--json")
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_offline_without_a_table_the_other_two_are_built_and_it_says_so(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = corpora / "drugmechdb" / "indication_paths.json"
    out = tmp_path / "sets"
    assert run("--drugmechdb", source, "--out", out, "--offline", "--json") == 0
    text, told = capsys.readouterr()
    made = json.loads(text)
    assert (made["gene"]["rows"], made["gene"]["questions"]) == (None, None)
    assert [step["count"] for step in made["gene"]["steps"]] == [1802, 1523]
    assert (made["drug"]["rows"], made["metabolite"]["rows"], made["symbols"]) == (842, 201, None)
    assert "no gene symbols, so no gene set: offline" in told
    assert "--symbols" in told
    assert not (out / "gene.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "cannot read"),
        (b"{}", "no list of records"),
        (b"[1]", "record 1: no graph"),
        (b'[{"nodes": []}]', "record 1: no graph"),
        (orjson.dumps([{"graph": {"_id": "a"}, "nodes": []}]), "record 1: its graph has no disea"),
    ],
)
def test_what_is_no_drugmechdb_is_told(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "records.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=says) as caught:
        load_corpus(path)
    assert str(path) in str(caught.value)
    assert "indication_paths.json" in (caught.value.hint or "")


def test_a_bad_record_is_named(tmp_path: Path) -> None:
    good = record("good", (DRUG, PROTEIN, DISEASE))
    for wrong, says in (
        ({**good, "nodes": [{"id": "a"}]}, "record 2: two has no nodes with id, label and name"),
        ({**good, "links": [{"source": "MESH:D1"}]}, "record 2: two has no links with source"),
        ({**good, "graph": {**good["graph"], "drugbank": 7}}, "record 2: its drugbank is no text"),
        (
            {**good, "links": [{"source": "MESH:D1", "target": "X:1", "key": "k"}]},
            "record 2: two links X:1, which is none of its nodes",
        ),
    ):
        bad = {**wrong, "graph": {**wrong["graph"], "_id": "two"}}
        with pytest.raises(ConfigError, match=says):
            load_corpus(written(tmp_path, [good, bad]))
    with pytest.raises(ConfigError, match="good is the identifier of two records"):
        load_corpus(written(tmp_path, [good, good]))
    with pytest.raises(ConfigError, match="cannot read"):
        load_corpus(tmp_path / "absent.json")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    source = written(tmp_path, [record("a", (DRUG, PROTEIN, DISEASE))])
    table = tmp_path / "symbols.tsv"
    table.write_text("accession\tsymbol\nP10721\tKIT\n")
    with pytest.raises(ConfigError, match="cannot write into"):
        run("--drugmechdb", source, "--symbols", table, "--out", source)
    assert source.is_file()


def test_an_earlier_gene_set_stays_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path, [record("a", (DRUG, PROTEIN, DISEASE))])
    table = tmp_path / "symbols.tsv"
    table.write_text("accession\tsymbol\nP10721\tKIT\n")
    assert run("--drugmechdb", source, "--symbols", table, "--out", tmp_path / "o") == 0
    before = (tmp_path / "o" / "gene.jsonl").read_bytes()
    capsys.readouterr()
    assert run("--drugmechdb", source, "--out", tmp_path / "o", "--offline") == 0
    assert "gene.jsonl is of an earlier build, and stays" in capsys.readouterr().err
    assert (tmp_path / "o" / "gene.jsonl").read_bytes() == before
