"""The right answers to the rows' questions, with every identifier and name the corpus has for them.

Identifiers leave here in Translator's spelling. Which drug a record is about its DrugBank column
says. What a question calls the drug is the name of the first node: where that is another DrugBank
number (tetrabenazine, in two records of deutetrabenazine), the question is about that one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from fedrag.bench.drugmechdb import Corpus, Record, on_path
from fedrag.bench.model import Gold, Thing
from fedrag.bench.steps import Row, accession_of
from fedrag.bench.symbols import Gene, completed
from fedrag.testing.curie import curie_of
from fedrag.testing.drugs import drug_ids, match_drugs
from fedrag.testing.tally import tally_of

__all__ = ["Answers", "drug_ids_of", "named_ids"]

_BANK = "DRUGBANK:"


def drug_ids_of(record: Record) -> tuple[str, ...]:
    """The identifiers of the drug a record is about, DrugBank's first.

    A protein at the drug's place counts only where the record has no identifier of a drug.

    >>> drug_ids_of({"graph": {"drug_mesh": "MESH:D1", "drugbank": "DB:DB00002"},
    ...              "nodes": [{"id": "UniProt:P42345"}]})
    ('DRUGBANK:DB00002', 'MESH:D1')
    """
    listed, bank = drug_ids(record)
    node = curie_of(record["nodes"][0]["id"])
    alone = node.startswith("MESH:") or (node.startswith(_BANK) and not bank)
    first = (node,) if alone else ()
    return tuple(dict.fromkeys((*((bank,) if bank else ()), *first, *listed))) or (node,)


def named_ids(record: Record) -> tuple[str, ...]:
    """The identifiers of what the record's question calls the drug."""
    node = curie_of(record["nodes"][0]["id"])
    ids = drug_ids_of(record)
    return (node,) if node.startswith(_BANK) and node not in ids else ids


class Answers:
    """Golds and drugs over one corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._tally = tally_of(corpus.records)

    def gene(self, row: Row, genes: Mapping[str, Gene]) -> Gold:
        """The gene of a row: its symbol, UniProt, NCBI and HGNC identifiers, aliases."""
        assert row.symbol is not None  # what makes it a gene row
        proteins = [curie_of(node) for node in row.golds]
        known = [completed(accession_of(node), genes[accession_of(node)]) for node in row.golds]
        identifiers = (*proteins, *(g.ncbi for g in known), *(g.hgnc for g in known))
        names = [g.name for g in known] + [alias for g in known for alias in g.aliases]
        return _gold(row.symbol, identifiers, (*names, *self._tally.synonyms(proteins)))

    def metabolite(self, row: Row) -> Gold:
        """The chemical of a row."""
        (node,) = row.golds
        curies = (curie_of(node), *self._tally.others.get(curie_of(node), ()))
        return _gold(self.corpus.names[node], curies, self._tally.synonyms(curies))

    def drugs(self, rows: Iterable[Row]) -> tuple[Gold, ...]:
        """Every drug of which a record has the rows' disease and process, the rows' own first."""
        rows = list(rows)
        records = [record for row in rows for record in row.records]
        for row in rows:
            records += self._by_aim.get((row.disease, row.process or ""), ())
        same: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            same[self._leading(record)].append(record)
        return _distinct(self._drug(group) for group in same.values())

    def others(self, rows: Iterable[Row], label: str | None = None) -> int:
        """How many drugs more than the rows' own DrugMechDB has for their disease and process.

        :param label: count records alone whose process node has this label.
        """
        rows = list(rows)
        own = {self._leading(record) for row in rows for record in row.records}
        more = {
            self._leading(record)
            for row in rows
            for record in self._by_aim.get((row.disease, row.process or ""), ())
            if label is None or _labelled(record, row.process, label)
        }
        return len(more - own)

    def drug_of(self, row: Row) -> Thing:
        """The drug that a row's question names."""
        ids = [curie for record in row.records for curie in named_ids(record)]
        return Thing(self.corpus.names[row.drug], tuple(dict.fromkeys(ids)))

    def key(self, row: Row) -> str:
        """The drug's primary identifier: DrugBank's where any record tells it, else MeSH's."""
        ids = named_ids(row.records[0])
        bank = next((curie for curie in ids if curie.startswith(_BANK)), None)
        return bank or next((s for c in ids if (s := self._same.get(c))), ids[0])

    def alternatives(self, row: Row) -> int:
        """How many things of the gold's kind lie on the paths of the drug in the whole corpus."""
        drug = self._leading(row.records[0])
        return len((self._proteins if row.kind == "gene" else self._chemicals)[drug])

    def _leading(self, record: Record) -> str:
        return drug_ids_of(record)[0]

    def _drug(self, records: Iterable[Record]) -> Gold:
        """One drug of several records: named as the first one's question names it."""
        records = list(records)
        ids = [curie for record in records for curie in drug_ids_of(record)]
        names = [name for record in records for name in self._drug_names(record)]
        return _gold(names[0], ids, (*names[1:], *self._tally.synonyms(dict.fromkeys(ids))))

    def _drug_names(self, record: Record) -> list[str]:
        node, told = record["nodes"][0], record["graph"]["drug"].strip()
        if curie_of(node["id"]) not in drug_ids_of(record):
            return [told]  # a protein or another drug, where this drug should be
        return [self.corpus.names[node["id"]], node["name"], told]

    @cached_property
    def _same(self) -> Mapping[str, str]:
        return match_drugs(self.corpus.records).same

    @cached_property
    def _by_aim(self) -> Mapping[tuple[str, str], list[Record]]:
        """Records by disease and each of their GO nodes."""
        found: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for record in self.corpus.records:
            for node in dict.fromkeys(n["id"] for n in record["nodes"]):
                if node.startswith("GO:"):
                    found[record["graph"]["disease_mesh"], node].append(record)
        return found

    @cached_property
    def _proteins(self) -> Mapping[str, set[str]]:
        return self._on_paths(lambda node: node["id"].startswith("UniProt"))

    @cached_property
    def _chemicals(self) -> Mapping[str, set[str]]:
        return self._on_paths(
            lambda node: node["label"] == "ChemicalSubstance" or node["id"].startswith("CHEBI:")
        )

    def _on_paths(self, wanted: Callable[[Mapping[str, str]], bool]) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for record in self.corpus.records:
            within = on_path(record)
            found[self._leading(record)] |= {
                node["id"] for node in record["nodes"] if node["id"] in within and wanted(node)
            }
        return found


def _labelled(record: Record, process: str | None, label: str) -> bool:
    return any(n["id"] == process and n["label"] == label for n in record["nodes"])


def _gold(name: str, identifiers: Iterable[str], synonyms: Iterable[str]) -> Gold:
    names = dict.fromkeys(text for each in synonyms if (text := each.strip()))
    return Gold(
        name.strip(),
        tuple(dict.fromkeys(curie for curie in identifiers if curie)),
        tuple(text for text in names if text != name.strip()),
    )


def _distinct(golds: Iterable[Gold]) -> tuple[Gold, ...]:
    """Golds of one name made one: a drug that two numbers stand for."""
    found: dict[str, Gold] = {}
    for gold in golds:
        known = found.get(gold.name.casefold())
        if known is not None:
            ids, names = known.identifiers + gold.identifiers, known.synonyms + gold.synonyms
            gold = _gold(known.name, ids, names)
        found[gold.name.casefold()] = gold
    return tuple(found.values())
