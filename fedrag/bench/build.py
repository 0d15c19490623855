"""The three question sets of DrugMechDB, built from its records.

One question is one text: the rows that read the same are one question with all their golds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.bench.answers import Answers
from fedrag.bench.drugmechdb import Corpus, label_paths
from fedrag.bench.model import Gold, Kind, Question, Thing
from fedrag.bench.steps import Ladder, Row, Step, drug_rows, gene_rows, metabolite_rows
from fedrag.bench.symbols import Symbols
from fedrag.testing.curie import curie_of

__all__ = ["KINDS", "QuestionSet", "build_sets", "text_of"]

KINDS: tuple[Kind, ...] = ("gene", "metabolite", "drug")
_GENE = (
    "Which gene plays the most significant mechanistic role in how Drug {drug} treats or impacts "
    "the Disease {disease}?"
)
_METABOLITE = (
    "Which biochemical entity is affected by the Drug {drug} via its mechanism of action in "
    "treating the Disease {disease} ?"
)
_DRUG = (
    "Which Drug can be used in the treatment of {disease} by targeting biological process: "
    "{process}?"
)
_TEXTS: Mapping[Kind, str] = {"gene": _GENE, "metabolite": _METABOLITE, "drug": _DRUG}


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One set.

    :ivar rows: ``None`` where the steps could not all be taken.
    :ivar questions: ``None`` likewise.
    :ivar facts: ``only_gold``: questions whose gold is the drug's only thing of its kind. Of the
        drug set: questions with ``several_published`` answers, questions for which DrugMechDB has
        ``further_drugs`` (``_by_process``: by a node labelled as one), rows with
        ``no_process_on_path``.
    """

    kind: Kind
    steps: tuple[Step, ...]
    rows: tuple[Row, ...] | None = None
    questions: tuple[Question, ...] | None = None
    facts: Mapping[str, int] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON: counts of ``rows`` and ``questions`` (``null``: not built), steps, facts."""
        return {
            "rows": None if self.rows is None else len(self.rows),
            "questions": None if self.questions is None else len(self.questions),
            "steps": [{"step": step.step, "count": step.count} for step in self.steps],
            "facts": dict(self.facts or {}),
        }


def build_sets(corpus: Corpus, symbols: Symbols | None) -> dict[Kind, QuestionSet]:
    """All three sets; of the gene set its steps alone where there are no symbols."""
    ladders: dict[Kind, Ladder] = {
        "gene": gene_rows(corpus, symbols.by_accession if symbols else None),
        "metabolite": metabolite_rows(corpus),
        "drug": drug_rows(corpus),
    }
    maker = _Maker(Answers(corpus), symbols)
    return {kind: maker.made(kind, ladder) for kind, ladder in ladders.items()}


def text_of(kind: Kind, *, drug: str = "", disease: str = "", process: str = "") -> str:
    """The text of a question, word by word and blank by blank as published.

    >>> text_of("drug", disease="Fever", process="translation")
    'Which Drug can be used in the treatment of Fever by targeting biological process: translation?'
    """
    return _TEXTS[kind].format(drug=drug, disease=disease, process=process)


class _Maker:
    """Makes questions of rows."""

    def __init__(self, answers: Answers, symbols: Symbols | None) -> None:
        self._answers = answers
        self._names = answers.corpus.names
        self._genes = symbols.genes if symbols else {}

    def made(self, kind: Kind, ladder: Ladder) -> QuestionSet:
        steps = tuple(ladder.steps)
        if ladder.rows is None:
            return QuestionSet(kind, steps)
        groups: dict[str, list[Row]] = defaultdict(list)
        for row in ladder.rows:
            groups[self._text(row)].append(row)
        ids = _unique([_id_of(rows[0], self._answers) for rows in groups.values()])
        questions = tuple(
            self._question(one, text, rows)
            for one, (text, rows) in zip(ids, groups.items(), strict=True)
        )
        facts = self._facts(kind, questions, list(groups.values()))
        return QuestionSet(kind, steps, tuple(ladder.rows), questions, facts)

    def _text(self, row: Row) -> str:
        return text_of(
            row.kind,
            drug=self._names[row.drug],
            disease=self._names[row.disease],
            process=self._names[row.process] if row.process else "",
        )

    def _question(self, one: str, text: str, rows: Sequence[Row]) -> Question:
        first = rows[0]
        golds = self._golds(rows)
        drug = first.kind == "drug"
        return Question(
            id=one,
            kind=first.kind,
            text=text,
            golds=golds,
            drug=None if drug else self._answers.drug_of(first),
            disease=self._thing([row.disease for row in rows]),
            process=self._thing([row.process or "" for row in rows]) if drug else None,
            published=tuple(self._published(row) for row in rows),
            records=tuple(record["graph"]["_id"] for row in rows for record in row.records),
            drug_key=self._answers.key(first),
            alternatives=len(golds) if drug else self._answers.alternatives(first),
        )

    def _golds(self, rows: Sequence[Row]) -> tuple[Gold, ...]:
        kind = rows[0].kind
        if kind == "drug":
            return self._answers.drugs(rows)
        if kind == "gene":
            golds = [self._answers.gene(row, self._genes) for row in rows]
        else:
            golds = [self._answers.metabolite(row) for row in rows]
        return tuple({gold.name: gold for gold in golds}.values())

    def _published(self, row: Row) -> str:
        if row.symbol is not None:
            return row.symbol
        return self._names[row.drug if row.kind == "drug" else row.golds[0]]

    def _thing(self, nodes: Sequence[str]) -> Thing:
        return Thing(self._names[nodes[0]], tuple(dict.fromkeys(map(curie_of, nodes))))

    def _facts(
        self, kind: Kind, questions: Sequence[Question], groups: Sequence[Sequence[Row]]
    ) -> dict[str, int]:
        if kind != "drug":
            return {"only_gold": sum(q.alternatives == 1 for q in questions)}
        others = [self._answers.others(rows) for rows in groups]
        process = [self._answers.others(rows, "BiologicalProcess") for rows in groups]
        return {
            "several_published": sum(len(set(q.published)) > 1 for q in questions),
            "further_drugs": sum(n > 0 for n in others),
            "further_drugs_by_process": sum(n > 0 for n in process),
            "no_process_on_path": sum(_no_process(row) for rows in groups for row in rows),
        }


def _no_process(row: Row) -> bool:
    return not any("BiologicalProcess" in path for path in label_paths(row.records[0]))


def _id_of(row: Row, answers: Answers) -> str:
    """A short identifier: the kind, and the drug or the disease with what is asked of it."""
    disease = row.disease.partition(":")[2]
    if row.kind == "drug":
        return f"drug:{disease}:{(row.process or '').partition(':')[2]}"
    return f"{row.kind}:{answers.key(row).partition(':')[2]}:{disease}"


def _unique(ids: Sequence[str]) -> list[str]:
    """Each identifier once: the second of two has ``-2`` at its end.

    >>> _unique(["a", "b", "a"])
    ['a', 'b', 'a-2']
    """
    seen: Counter[str] = Counter()
    made = []
    for one in ids:
        seen[one] += 1
        made.append(one if seen[one] == 1 else f"{one}-{seen[one]}")
    return made
