"""The question files published with BTE-RAG, told apart by their columns.

They hold fewer facts than a set built from DrugMechDB: one gold a row, no names but the records',
and not how many other things of its kind a drug has (``alternatives`` is 0: unknown).
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from fedrag.bench.model import Gold, Kind, Question, Thing
from fedrag.bench.symbols import Gene, completed
from fedrag.biolink import biolink
from fedrag.errors import ConfigError
from fedrag.testing.curie import curie_of

__all__ = ["BadRow", "checked_curie", "kind_of_header", "published_rows"]

_COMMON = ("id", "drug", "Drug_MeshID", "disease", "drug_name", "disease_name", "question")
_OWN: Mapping[Kind, tuple[str, ...]] = {
    "gene": ("protein", "protein_name", "protein_gene_symbol"),
    "metabolite": ("metabolite", "metabolite_name_str"),
    "drug": ("bp", "bp_name"),
}
_BANK = "DRUGBANK:"
Cells = Mapping[str, str]


class BadRow(ValueError):
    """A row that cannot be used, and why; the others can."""


def checked_curie(text: str) -> str:
    """An identifier as a CURIE in Translator's spelling.

    :raises BadRow: it is none, or its prefix is not known.

    >>> checked_curie("DB:DB00619")
    'DRUGBANK:DB00619'
    """
    prefix, colon, reference = curie_of(text).partition(":")
    if not colon or not reference or ":" not in text:
        raise BadRow(f"{text!r} is no identifier")
    known = _canonical(prefix)
    if known is None:
        raise BadRow(f"{text!r} has a prefix that is not known: {prefix}")
    return f"{known}:{reference}"


@cache
def _canonical(prefix: str) -> str | None:
    """Biolink's spelling of a prefix; one it does not know comes back from it as it was given."""
    model = biolink()
    known = any(model.canonical_prefix(form) != form for form in (prefix.lower(), prefix.upper()))
    return model.canonical_prefix(prefix) if known else None


def kind_of_header(header: Iterable[str], path: str) -> Kind:
    """Which of the three files has these columns.

    :raises ConfigError: none of them, or a column is missing.
    """
    columns = set(header)
    own = {kind: sum(c in columns for c in needed) for kind, needed in _OWN.items()}
    kind = max(own, key=lambda one: own[one])
    if not own[kind]:
        raise ConfigError(
            f"{path} is no question file: it has no column of a gene, metabolite or drug set",
            hint="give a file that `fedrag bench build` wrote, or one of the published CSV files",
        )
    if missing := [c for c in (*_COMMON, *_OWN[kind]) if c not in columns]:
        raise ConfigError(
            f"{path} lacks the column {', '.join(missing)} of a {kind} set",
            hint="give the file as it was published",
        )
    return kind


@dataclass(frozen=True, slots=True)
class _Read:
    """One row, read."""

    text: str
    records: tuple[str, ...]
    drug: Thing
    disease: Thing
    gold: Gold
    published: str
    process: Thing | None = None


def published_rows(
    lines: Iterable[str], kind: Kind, refuse: Callable[[int, str | None, str], None]
) -> list[Question]:
    """The questions of a published file; rows of one text are one question.

    :param lines: of the whole file, its header first.
    :param refuse: called with number, id and reason of each row that cannot be used.
    """
    groups: dict[str, list[_Read]] = {}
    seen: set[str] = set()
    for number, cells in _numbered(lines):
        name = cells.get("id") or None
        try:
            read = _READERS[kind](cells)
            if twice := seen.intersection(read.records):
                raise BadRow(f"the id {min(twice)} is that of an earlier row")
        except BadRow as error:
            refuse(number, name, str(error))
            continue
        seen.update(read.records)
        groups.setdefault(read.text, []).append(read)
    return list(_questions(kind, groups))


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    number = 0
    try:
        for number, cells in enumerate(csv.DictReader(lines), start=1):
            yield number, {key: value or "" for key, value in cells.items() if key}
    except csv.Error as error:
        raise ConfigError(
            f"after row {number} the file is no CSV: {error}", hint="give the file as published"
        ) from error


def _questions(kind: Kind, groups: Mapping[str, list[_Read]]) -> Iterator[Question]:
    for text, rows in groups.items():
        first, golds = rows[0], _merged(row.gold for row in rows)
        drug = kind == "drug"
        key = first.drug.identifiers[0]
        aim = first.process if first.process else first.disease
        left = first.disease.identifiers[0] if drug else key
        yield Question(
            id=":".join((kind, left.partition(":")[2], aim.identifiers[0].partition(":")[2])),
            kind=kind,
            text=text,
            golds=golds,
            drug=None if drug else first.drug,
            disease=first.disease,
            process=first.process,
            published=tuple(row.published for row in rows),
            records=tuple(one for row in rows for one in row.records),
            drug_key=key,
            alternatives=0,
        )


def _merged(golds: Iterable[Gold]) -> tuple[Gold, ...]:
    found: dict[str, Gold] = {}
    for gold in golds:
        known = found.setdefault(gold.name, gold)
        ids = dict.fromkeys((*known.identifiers, *gold.identifiers))
        found[gold.name] = replace(known, identifiers=tuple(ids))
    return tuple(found.values())


def _gene(cells: Cells) -> _Read:
    proteins, symbols, names = (_list(cells, column) for column in _GENE_LISTS)
    if not symbols or not proteins:
        raise BadRow("it has no gold: protein or protein_gene_symbol is empty")
    curies = [checked_curie(protein) for protein in proteins]
    known = [completed(c.partition(":")[2], Gene(symbols[0])) for c in curies]
    ids = (*curies, *(g.ncbi for g in known), *(g.hgnc for g in known))
    synonyms = (*symbols[1:], *names, *(alias for g in known for alias in (g.name, *g.aliases)))
    gold = Gold(symbols[0], _distinct(ids), _distinct(synonyms))
    return _row(cells, tuple(_list(cells, "id")), gold, symbols[0])


_GENE_LISTS = ("protein", "protein_gene_symbol", "protein_name")


def _metabolite(cells: Cells) -> _Read:
    name = cells["metabolite_name_str"].strip()
    if not name:
        raise BadRow("it has no gold: metabolite_name_str is empty")
    gold = Gold(name, (checked_curie(cells["metabolite"]),))
    return _row(cells, (cells["id"],), gold, name)


def _drug(cells: Cells) -> _Read:
    name = cells["drug_name"].strip()
    if not name:
        raise BadRow("it has no gold: drug_name is empty")
    process = Thing(cells["bp_name"].strip(), (checked_curie(cells["bp"]),))
    return _row(cells, (cells["id"],), Gold(name, _drug_ids(cells)), name, process)


_READERS: Mapping[Kind, Callable[[Cells], _Read]] = {
    "gene": _gene,
    "metabolite": _metabolite,
    "drug": _drug,
}


def _row(
    cells: Cells, records: tuple[str, ...], gold: Gold, name: str, process: Thing | None = None
) -> _Read:
    if not cells["question"].strip():
        raise BadRow("it has no question")
    if not all(record.strip() for record in records) or not records:
        raise BadRow("it has no id")
    drug = Thing(cells["drug_name"].strip(), _drug_ids(cells))
    disease = Thing(cells["disease_name"].strip(), (checked_curie(cells["disease"]),))
    return _Read(cells["question"], records, drug, disease, gold, name, process)


def _drug_ids(cells: Cells) -> tuple[str, ...]:
    """The DrugBank column's, then the first node's; that one alone where it is another number."""
    bank = [checked_curie(cells["drug"])] if cells["drug"].strip() else []
    node = checked_curie(cells["Drug_MeshID"])
    if node.startswith(_BANK):
        return (node,)
    ids = bank if node.startswith("UniProtKB:") else [*bank, node]
    if not ids:
        raise BadRow("neither drug nor Drug_MeshID names a drug")
    return tuple(ids)


def _list(cells: Cells, column: str) -> list[str]:
    """A list of texts, as Python writes it."""
    try:
        found = ast.literal_eval(cells[column])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise BadRow(f"{column} is no list of texts: {cells[column][:60]!r}")
    return found


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
