"""From DrugMechDB's records to the rows of the three sets, step by step, each step counted.

The steps are those of BTE-RAG (its paper, "Construction of benchmark datasets", and what its
question files show): "exactly one" counts distinct identifiers, and the last step of the gene set
is told in the files alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field

from fedrag.bench.drugmechdb import Corpus, Record, ids_of, label_paths
from fedrag.bench.model import Kind

__all__ = [
    "Ladder",
    "Row",
    "Step",
    "accession_of",
    "accessions_of",
    "drug_rows",
    "gene_rows",
    "metabolite_rows",
]

_PROTEIN = "UniProt"
_MOST_DISEASES = 5  # a drug with six or more was dropped altogether
_NODES = range(3, 6)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way and how many records, groups or rows it left."""

    step: str
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a set, in the records' spelling.

    :ivar records: what it is made of; only a gene row has several.
    :ivar golds: identifiers of the right answers; of a drug row none, the drug itself is it.
    :ivar symbol: of a gene row.
    """

    kind: Kind
    drug: str
    disease: str
    records: tuple[Record, ...]
    golds: tuple[str, ...] = ()
    process: str | None = None
    symbol: str | None = None


@dataclass(slots=True)
class Ladder:
    """The steps of one set, and its rows where all of them could be taken."""

    steps: list[Step] = field(default_factory=list)
    rows: list[Row] | None = None

    def left(
        self, records: Iterable[Record], step: str, passes: Callable[[Record], bool]
    ) -> list[Record]:
        """The records that pass a step, which is counted."""
        kept = [record for record in records if passes(record)]
        self.count(step, kept)
        return kept

    def count(self, step: str, kept: Sized) -> None:
        """Note what a step left."""
        self.steps.append(Step(step, len(kept)))


def accession_of(node: str) -> str:
    """A protein node's accession.

    >>> accession_of("UniProt:P10721")
    'P10721'
    """
    return node.partition(":")[2].strip()


def _one_protein(corpus: Corpus) -> tuple[Ladder, list[Record]]:
    """The first two steps of the gene set, which need no symbols."""
    ladder = Ladder()
    records = ladder.left(
        corpus.records, "exactly one UniProt node", lambda r: len(ids_of(r, _PROTEIN)) == 1
    )
    return ladder, ladder.left(records, "one path of labels", _one_path)


def accessions_of(corpus: Corpus) -> list[str]:
    """The UniProt accessions whose symbols the gene set needs, each once."""
    _, records = _one_protein(corpus)
    return sorted({_accession(record) for record in records})


def gene_rows(corpus: Corpus, symbols: Mapping[str, str] | None) -> Ladder:
    """The gene set; without symbols its first two steps, and no rows.

    :param symbols: UniProt accession → human gene symbol.
    """
    ladder, records = _one_protein(corpus)
    if symbols is None:
        return ladder
    human = ladder.left(records, "human gene symbol", lambda r: _accession(r) in symbols)
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in human:
        groups.setdefault((record["graph"]["disease_mesh"], _first(record)), []).append(record)
    ladder.count("grouped by disease and first node", groups)
    named: dict[tuple[str, str], tuple[str, str]] = {}
    for disease, drug in sorted(groups):
        named.setdefault((corpus.names[drug], corpus.names[disease]), (disease, drug))
    ladder.count("distinct names of drug and disease", named)
    rows = {name: _gene_row(groups[key], symbols) for name, key in named.items()}
    single = {name: row for name, row in rows.items() if row is not None}
    ladder.count("one symbol", single)
    diseases = Counter(drug for drug, _ in single)
    ladder.rows = [row for (drug, _), row in single.items() if diseases[drug] <= _MOST_DISEASES]
    ladder.count("drugs with at most five diseases", ladder.rows)
    return ladder


def _gene_row(group: Sequence[Record], symbols: Mapping[str, str]) -> Row | None:
    found = {symbols[_accession(record)] for record in group}
    if len(found) != 1:
        return None
    proteins = dict.fromkeys(ids_of(record, _PROTEIN)[0] for record in group)
    disease = group[0]["graph"]["disease_mesh"]
    return Row("gene", _first(group[0]), disease, tuple(group), tuple(proteins), None, found.pop())


def metabolite_rows(corpus: Corpus) -> Ladder:
    """The metabolite set."""
    ladder = Ladder()
    records = ladder.left(
        corpus.records, "exactly one CHEBI node", lambda r: len(ids_of(r, "CHEBI:")) == 1
    )
    records = ladder.left(records, "no subclass link", _no_subclass)
    records = ladder.left(records, "one path of labels", _one_path)
    records = ladder.left(
        records,
        "ChemicalSubstance on that path",
        lambda r: "ChemicalSubstance" in label_paths(r)[0],
    )
    ladder.rows = [
        Row("metabolite", _first(r), r["graph"]["disease_mesh"], (r,), tuple(ids_of(r, "CHEBI:")))
        for r in records
    ]
    return ladder


def drug_rows(corpus: Corpus) -> Ladder:
    """The drug set."""
    ladder = Ladder()
    records = ladder.left(
        corpus.records, "exactly one GO node", lambda r: len(ids_of(r, "GO:")) == 1
    )
    records = ladder.left(records, "one path of labels", _one_path)
    records = ladder.left(records, "three to five nodes", lambda r: len(r["nodes"]) in _NODES)
    ladder.rows = [
        Row("drug", _first(r), r["graph"]["disease_mesh"], (r,), (), ids_of(r, "GO:")[0])
        for r in records
    ]
    return ladder


def _one_path(record: Record) -> bool:
    return len(label_paths(record)) == 1


def _no_subclass(record: Record) -> bool:
    return not any("subclass" in link["key"] for link in record["links"])


def _first(record: Record) -> str:
    first: str = record["nodes"][0]["id"]
    return first


def _accession(record: Record) -> str:
    return accession_of(ids_of(record, _PROTEIN)[0])
