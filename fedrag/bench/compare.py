"""What was built beside what was published: every difference, and why.

Rows are matched by the records they are made of. A spelling that all rows share is told once.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fedrag.bench.answers import named_ids
from fedrag.bench.build import QuestionSet
from fedrag.bench.csvfile import kind_of_header
from fedrag.bench.model import Kind, Question
from fedrag.bench.steps import Row
from fedrag.bench.symbols import Symbols, human_symbol
from fedrag.errors import ConfigError
from fedrag.testing.curie import curie_of

__all__ = ["PUBLISHED_FILES", "PUBLISHED_STEPS", "Difference", "compare_sets", "compare_steps"]

PUBLISHED_FILES: Mapping[Kind, str] = {
    "gene": "DMDB_mechanistic_genes_filtered.csv",
    "metabolite": "DMDB_chebi_metabolite_filtered.csv",
    "drug": "DMDB_go_bp_filtered.csv",
}
# What the steps leave of the 4,846 records, with the symbols of the paper's service.
PUBLISHED_STEPS: Mapping[Kind, tuple[int, ...]] = {
    "gene": (1802, 1523, 1267, 1207, 1206, 1182, 798),
    "metabolite": (327, 306, 213, 201),
    "drug": (1840, 1704, 842),
}
# An accession that UniProt holds unreviewed: HGNC lists it nowhere, the paper's service knew it.
_UNREVIEWED = {"B4DP61": "SMN1"}

_OTHER_SPELLING = "the published file writes DB: where the others, and this build, write DRUGBANK:"
_NO_NUMBER = "the record has no DrugBank number, the published field is empty: MeSH's is used"
_PROTEIN = "the record's first node is a protein, taken for the drug: its DrugBank column is used"
_OTHER_NODE = "the question names the first node, the DrugBank column is another drug's: the node"
_CORPUS_STEPS = 2  # of the gene set, that need no symbols
_NAMED = 3  # accessions that a reason names
_UNKNOWN = "another version of DrugMechDB, or of the symbols"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    :ivar at: the record, or the step; "" for one that many rows share.
    :ivar rows: how many rows differ so.
    """

    set: Kind
    at: str
    field: str
    published: str
    built: str
    why: str
    rows: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def __str__(self) -> str:
        where = f"{self.rows:,} rows" if self.rows > 1 else self.at
        was = f"published {self.published or 'nothing'}, built {self.built or 'nothing'}"
        return f"{self.set}, {where}: {self.field}: {was}: {self.why}"


def compare_steps(
    sets: Mapping[Kind, QuestionSet],
    symbols: Symbols | None,
    accessions: Collection[str],
) -> tuple[Difference, ...]:
    """Steps that leave another count than they did for the published sets.

    :param accessions: those that the gene set needs a symbol of.
    """
    found = []
    for kind, made in sets.items():
        steps = list(zip(made.steps, PUBLISHED_STEPS[kind], strict=False))
        why = _UNKNOWN
        if kind == "gene" and symbols and all(s.count == n for s, n in steps[:_CORPUS_STEPS]):
            step, count = steps[_CORPUS_STEPS]
            why = _why_fewer(count - step.count, symbols, accessions)
        for step, count in steps:
            if step.count != count:
                told = (f"{count:,}", f"{step.count:,}", why)
                found.append(Difference(kind, step.step, "count", *told))
    return tuple(found)


def _why_fewer(lost: int, symbols: Symbols, accessions: Collection[str]) -> str:
    """Why the records of the published steps are fewer by ``lost`` once they need a symbol."""
    none = symbols.without(accessions)
    unreviewed = [a for a in none if a in _UNREVIEWED]
    human = [a for a in none if human_symbol(a)]
    if lost <= 0:
        return _UNKNOWN
    if lost == len(unreviewed) and not human:
        lacks = ", ".join(f"{a} ({_UNREVIEWED[a]}, unreviewed in UniProt)" for a in unreviewed)
        return f"{symbols.source} lacks {lacks}"
    if not human:
        return f"{symbols.source} gives {_some(none, len(accessions))} no symbol"
    known = [f"{a} ({human_symbol(a) or _UNREVIEWED[a]})" for a in (*human, *unreviewed)]
    return (
        f"{symbols.source} gives {_some(known, len(accessions))} no symbol, though human genes "
        "code for them: the table is incomplete"
    )


def _some(names: Sequence[str], of: int) -> str:
    more = ", …" if len(names) > _NAMED else ""
    return f"{len(names):,} of {of:,} accessions ({', '.join(names[:_NAMED])}{more})"


def compare_sets(
    sets: Mapping[Kind, QuestionSet], folder: Path, symbols: Symbols | None = None
) -> tuple[Difference, ...]:
    """The rows of every set that was built beside those of the published file in ``folder``.

    :param symbols: those of the build, which explain gene rows that are not in it.
    :raises ConfigError: a file is missing, or is not the published one.
    """
    return tuple(
        difference
        for kind, made in sets.items()
        if made.rows is not None
        for difference in _compared(
            kind, made, _published(folder / PUBLISHED_FILES[kind], kind), symbols
        )
    )


def _published(path: Path, kind: Kind) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            rows = [{key: value or "" for key, value in row.items() if key} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(
            f"cannot read {path}: {error}", hint="--published names the folder of the three files"
        ) from error
    if kind_of_header(reader.fieldnames or (), str(path)) != kind:
        raise ConfigError(f"{path} is not the published {kind} set")
    return rows


def _compared(
    kind: Kind,
    made: QuestionSet,
    published: Sequence[Mapping[str, str]],
    symbols: Symbols | None,
) -> Iterator[Difference]:
    by_record = {r["graph"]["_id"]: row for row in made.rows or () for r in row.records}
    asked = {record: q for q in made.questions or () for record in q.records}
    met: set[int] = set()
    spelled = 0
    for cells in published:
        names = _listed(cells["id"])
        row = next((by_record[name] for name in names if name in by_record), None)
        if row is None:
            yield Difference(kind, ", ".join(names), "row", "a row", "", _why_lost(cells, symbols))
            continue
        met.add(id(row))
        name = row.records[0]["graph"]["_id"]
        yield from _fields(kind, name, row, asked[name], cells)
        spelled += cells["drug"].startswith("DB:")
    for row in made.rows or ():
        if id(row) not in met:
            name = row.records[0]["graph"]["_id"]
            yield Difference(kind, name, "row", "", "a row", _UNKNOWN)
    if spelled:
        yield Difference(kind, "", "drug prefix", "DB:", "DRUGBANK:", _OTHER_SPELLING, spelled)


def _why_lost(cells: Mapping[str, str], symbols: Symbols | None) -> str:
    accessions = [one.partition(":")[2] for one in _listed(cells.get("protein", ""))]
    none = symbols.without(accessions) if symbols else []
    if not symbols or not none:
        return _UNKNOWN
    if none[0] in _UNREVIEWED:
        return f"{none[0]} is unreviewed in UniProt, and not in {symbols.source}"
    return f"{symbols.source} gives {none[0]} no symbol"


def _fields(
    kind: Kind, name: str, row: Row, question: Question, cells: Mapping[str, str]
) -> Iterator[Difference]:
    ids = [curie for record in row.records for curie in named_ids(record)]
    bank, node = cells["drug"].strip(), curie_of(cells["Drug_MeshID"])
    if not bank:
        yield Difference(kind, name, "drug", "", ids[0], _NO_NUMBER)
    elif curie_of(bank) not in ids:
        yield Difference(kind, name, "drug", curie_of(bank), ids[0], _OTHER_NODE)
    if node not in ids:
        yield Difference(kind, name, "drug node", node, ids[0], _PROTEIN)
    disease = curie_of(row.disease)
    if curie_of(cells["disease"]) != disease:
        yield Difference(kind, name, "disease", cells["disease"], disease, _UNKNOWN)
    if cells["question"] != question.text:
        yield Difference(kind, name, "question", cells["question"], question.text, _UNKNOWN)
    for was, built in _golds(kind, row, question, cells):
        if was != built:
            why = _PROTEIN if node.startswith("UniProtKB:") else _UNKNOWN
            yield Difference(kind, name, "gold", was, built, why)


def _golds(
    kind: Kind, row: Row, question: Question, cells: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Pairs of golds, published and built."""
    if kind == "gene":
        yield ", ".join(_listed(cells["protein_gene_symbol"])), row.symbol or ""
        proteins = sorted(map(curie_of, _listed(cells["protein"])))
        yield ", ".join(proteins), ", ".join(sorted(map(curie_of, row.golds)))
    elif kind == "metabolite":
        yield curie_of(cells["metabolite"]), curie_of(row.golds[0])
    else:
        was = cells["drug_name"]
        names = [gold.name for gold in question.golds]
        own = [g.name for g in question.golds if g.identifiers[0] in named_ids(row.records[0])]
        yield was, was if was in names else ", ".join(own)


def _listed(cell: str) -> list[str]:
    """A cell's texts: a list as Python writes it, or the one text it is."""
    try:
        found = ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return [cell] if cell else []
    return [str(item) for item in found] if isinstance(found, list) else [cell]
