"""Question files: what is written reads back, the published files are read, bad rows are named."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fedrag.bench.model import Gold, Question, Thing
from fedrag.bench.questions import Refused, read_questions, write_questions
from fedrag.errors import ConfigError

ONE = Question(
    "drug:D1:2",
    "drug",
    "Which Drug\u2028can be used in the treatment of Löffler's?",
    (Gold("imatinib", ("DRUGBANK:DB00619", "MESH:D000068877"), ("Gleevec",)),),
    None,
    Thing("Löffler's", ("MESH:D1",)),
    Thing("growth", ("GO:2",)),
    ("imatinib", "Imatinib"),
    ("r1", "r2"),
    "DRUGBANK:DB00619",
    3,
)
GENE = {
    "id": "['DB1_MESH_D1_1']",
    "drug": "DB:DB00001",
    "Drug_MeshID": "MESH:D2",
    "disease": "MESH:D1",
    "protein": "['UniProt:P10721']",
    "drug_name": "drugine",
    "disease_name": "badness",
    "protein_name": "['c-Kit']",
    "protein_gene_symbol": "['KIT']",
    "question": "Which gene?",
}
DRUG = {
    **{key: GENE[key] for key in ("drug", "Drug_MeshID", "disease", "drug_name", "disease_name")},
    "id": "DB1_MESH_D1_1",
    "bp": "GO:2",
    "bp_name": "growth",
    "question": "Which drug?",
}


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return path


def table(path: Path, *rows: dict[str, str]) -> Path:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(stream.getvalue())
    return path


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "drug.jsonl"
    write_questions(path, [ONE])
    assert read_questions(path) == ([ONE], [])
    assert read_questions(path, "drug") == ([ONE], [])
    assert [p.name for p in tmp_path.iterdir()] == ["drug.jsonl"]
    with pytest.raises(ConfigError, match="holds drug questions, not gene questions"):
        read_questions(path, "gene")
    with pytest.raises(ConfigError, match="cannot write"):
        write_questions(tmp_path / "absent" / "drug.jsonl", [ONE])


def test_the_published_files_are_read_whole(corpora: Path) -> None:
    folder = corpora / "bte_rag"
    found = {}
    for kind, name in (
        ("gene", "mechanistic_genes"),
        ("metabolite", "chebi_metabolite"),
        ("drug", "go_bp"),
    ):
        questions, refused = read_questions(folder / f"DMDB_{name}_filtered.csv")
        assert refused == []
        assert {q.kind for q in questions} == {kind}
        assert len({q.id for q in questions}) == len(questions)
        found[kind] = questions
    assert [len(q) for q in found.values()] == [798, 200, 641]
    assert sum(len(q.published) for q in found["drug"]) == 842
    assert Counter(len(q.golds) for q in found["drug"])[1] == 529
    gene = found["gene"][0]
    assert gene.golds[0].identifiers == ("UniProtKB:P21817", "NCBIGene:6261", "HGNC:10483")
    assert (gene.drug_key, gene.records) == ("DRUGBANK:DB01219", ("DB01219_MESH_C535694_1",))
    named = [q.drug.identifiers for q in found["gene"] if q.drug and q.drug.name == "Tetrabenazine"]
    assert named == [("DRUGBANK:DB04844",)] * 2
    null = [q for q in found["drug"] if "MESH_C106301_MESH_D003233_1" in q.records]
    assert [g.identifiers for q in null for g in q.golds if g.name == "tazanolast"] == [
        ("MESH:C106301",)
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"protein": "['UniProt:P10721'"}, "protein is no list of texts"),
        ({"protein_gene_symbol": "KIT"}, "protein_gene_symbol is no list of texts: 'KIT'"),
        ({"protein_gene_symbol": "[]"}, "it has no gold"),
        ({"protein": "[1]"}, "protein is no list of texts"),
        ({"protein": "['Nonsense:P10721']"}, "has a prefix that is not known: Nonsense"),
        ({"disease": "D1"}, "'D1' is no identifier"),
        ({"Drug_MeshID": "UniProt:P42345", "drug": ""}, "names a drug"),
        ({"question": " "}, "it has no question"),
        ({"id": "['DB1_MESH_D1_1']"}, "the id DB1_MESH_D1_1 is that of an earlier row"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_read(
    tmp_path: Path, change: dict[str, str], reason: str
) -> None:
    bad = {**GENE, "id": "['second']", "question": "Which other gene?", **change}
    third = {**GENE, "id": "['third']", "question": "Which third gene?"}
    questions, refused = read_questions(table(tmp_path / "g.csv", GENE, bad, third), "gene")
    assert [q.text for q in questions] == ["Which gene?", "Which third gene?"]
    assert [(r.row, r.id) for r in refused] == [(2, bad["id"])]
    assert reason in refused[0].reason
    assert str(refused[0]).startswith(f"row 2 ({bad['id']}) was left out: ")


def test_rows_of_one_text_are_one_question(tmp_path: Path) -> None:
    other = {**DRUG, "id": "b", "drug_name": "otherine", "drug": "", "Drug_MeshID": "MESH:D3"}
    questions, refused = read_questions(table(tmp_path / "d.csv", DRUG, other))
    assert (len(questions), refused) == (1, [])
    (question,) = questions
    assert question.published == ("drugine", "otherine")
    assert [g.identifiers for g in question.golds] == [
        ("DRUGBANK:DB00001", "MESH:D2"),
        ("MESH:D3",),
    ]
    assert (question.id, question.alternatives) == ("drug:D1:2", 0)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    for column in ("protein_gene_symbol", "disease", "question"):
        row = {key: value for key, value in GENE.items() if key != column}
        with pytest.raises(ConfigError, match=f"lacks the column {column} of a gene set"):
            read_questions(table(tmp_path / "g.csv", row))


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "[]", "hello", "\n\n"])
def test_what_is_no_question_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(content)
    with pytest.raises(ConfigError, match="is no question file"):
        read_questions(path)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        read_questions(tmp_path / "absent.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot read"):
        read_questions(tmp_path / "bytes.jsonl")
    huge = table(tmp_path / "huge.csv", GENE, {**GENE, "drug_name": "x" * 200_000})
    with pytest.raises(ConfigError, match="after row 1 the file is no CSV"):
        read_questions(huge)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"golds": []}, "it has no gold"),
        ({"golds": "KIT"}, "golds is no list"),
        ({"golds": [{"name": "KIT", "identifiers": ["Nope:1"]}]}, "'Nope:1' has a prefix"),
        ({"golds": ["KIT"]}, "a gold is not an object"),
        ({"kind": "pathway"}, "kind is 'pathway', none of gene, metabolite, drug"),
        ({"text": None}, "text is missing"),
        ({"disease": None}, "disease is missing"),
        ({"records": [1]}, "records is no list of texts"),
        ({"alternatives": "many"}, "alternatives is not a whole number"),
        ({"id": ONE.id}, "its id is that of an earlier row"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    good = ONE.to_dict()
    bad = {**good, "id": "second", **change}
    last = {**good, "id": "third"}
    questions, refused = read_questions(lines(tmp_path / "q.jsonl", good, bad, "", last))
    assert [q.id for q in questions] == [ONE.id, "third"]
    assert [(r.row, r.id) for r in refused] == [(2, bad["id"])]
    assert reason in refused[0].reason


def test_a_half_written_line_and_other_json_are_named(tmp_path: Path) -> None:
    good = json.dumps(ONE.to_dict())
    questions, refused = read_questions(lines(tmp_path / "q.jsonl", "7", good, good[:40]))
    assert questions == [ONE]
    assert refused[0] == Refused(1, None, "it is not a JSON object")
    assert (refused[1].row, refused[1].reason[:15]) == (3, "it is not JSON ")


def test_where_no_row_can_be_used_the_first_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"holds no question.*row 1 was left out: it is not JSON"):
        read_questions(lines(tmp_path / "q.jsonl", "{", "}"))


def test_identifiers_are_read_in_translators_spelling(tmp_path: Path) -> None:
    raw = ONE.to_dict()
    raw["golds"] = [{"name": "KIT", "identifiers": ["UniProt:P10721", "ncbigene:3815"]}]
    questions, _ = read_questions(lines(tmp_path / "q.jsonl", raw))
    assert questions[0].golds[0].identifiers == ("UniProtKB:P10721", "NCBIGene:3815")
