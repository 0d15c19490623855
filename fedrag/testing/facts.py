"""The fact book: nodes, statements and the records behind them; what every loopback service serves.

A node is one clique of equivalent identifiers without drug-chemical conflation (salts are nodes of
their own, tied by ``group``); a gene's node holds its protein's identifiers apart, so that
gene-protein conflation can be switched. A fact book is immutable; its indexes are built on first
use. ``facts_to_json`` writes one node, record or statement a line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedrag.testing.relations import Qualifiers

if TYPE_CHECKING:
    from fedrag.testing.tables import Wheel

__all__ = ["FactBook", "FactNode", "Statement"]

Pair = tuple[str, str | None]  # an identifier and its label


@dataclass(frozen=True, slots=True)
class FactNode:
    """One thing. ``categories`` are leaves (``biolink:Gene``), ``taxa`` CURIEs.

    ``identifiers`` are canonical first; ``proteins`` are those of a gene's product, a clique of
    their own when gene-protein conflation is off. ``group`` ties salts of one drug: the CURIE of
    the node that leads them under drug-chemical conflation.
    """

    curie: str
    name: str
    categories: tuple[str, ...]
    identifiers: tuple[Pair, ...] = ()
    proteins: tuple[Pair, ...] = ()
    synonyms: tuple[str, ...] = ()
    taxa: tuple[str, ...] = ()
    group: str | None = None

    @property
    def curies(self) -> tuple[str, ...]:
        """Every identifier of the node, canonical first."""
        own = self.identifiers or ((self.curie, self.name),)
        return tuple(curie for curie, _ in (*own, *self.proteins))


@dataclass(frozen=True, slots=True)
class Statement:
    """One edge. ``subject`` and ``object`` are canonical CURIEs of nodes in the same fact book.

    ``records`` name entries of :attr:`FactBook.records`; ``aggregators`` come after the service's
    own; ``attributes`` are TRAPI attributes, sent as they are.
    """

    subject: str
    predicate: str
    object: str
    qualifiers: Qualifiers = ()
    records: tuple[str, ...] = ()
    primary: str = "infores:drugmechdb"
    knowledge_level: str = "knowledge_assertion"
    agent_type: str = "manual_agent"
    publications: tuple[str, ...] = ()
    negated: bool = False
    attributes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class FactBook:
    """Nodes by canonical CURIE, statements, and each record's reference URLs.

    >>> from fedrag.testing import FactBook
    >>> book = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:1")])
    >>> book.node("MONDO:1").categories
    ('biolink:Disease',)
    """

    nodes: Mapping[str, FactNode]
    statements: tuple[Statement, ...]
    records: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    # --- questions ------------------------------------------------------------------------------

    def node(self, curie: str) -> FactNode | None:
        """The node that has this identifier, canonical or equivalent; ``None`` when unknown."""
        return self.nodes.get(self._canonical.get(curie, curie))

    def group(self, node: FactNode) -> tuple[FactNode, ...]:
        """What drug-chemical conflation makes one of: ``node`` alone, or its salts too."""
        return self._groups[node.group] if node.group else (node,)

    def touching(self, curie: str) -> Sequence[Statement]:
        """The statements that have this canonical CURIE at either end."""
        return self._touching.get(curie, ())

    def prefixes(self) -> dict[str, dict[str, int]]:
        """How many identifiers of each prefix each leaf category has."""
        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for node in self.nodes.values():
            for curie in node.curies:
                counts[node.categories[0]][curie.split(":", 1)[0]] += 1
        return {category: dict(by_prefix) for category, by_prefix in sorted(counts.items())}

    @cached_property
    def _canonical(self) -> dict[str, str]:
        index: dict[str, str] = {}
        for node in self.nodes.values():
            for curie in node.curies:
                index.setdefault(curie, node.curie)
        return index

    @cached_property
    def _groups(self) -> dict[str, tuple[FactNode, ...]]:
        groups: dict[str, list[FactNode]] = defaultdict(list)
        for node in self.nodes.values():
            if node.group:
                groups[node.group].append(node)
        lead_first = {
            lead: sorted(ns, key=lambda n: n.curie != lead) for lead, ns in groups.items()
        }
        return {lead: tuple(nodes) for lead, nodes in lead_first.items()}

    @cached_property
    def _touching(self) -> dict[str, list[Statement]]:
        index: dict[str, list[Statement]] = defaultdict(list)
        for statement in self.statements:
            index[statement.subject].append(statement)
            if statement.object != statement.subject:
                index[statement.object].append(statement)
        return dict(index)

    # --- making ---------------------------------------------------------------------------------

    @classmethod
    def from_statements(
        cls,
        statements: Iterable[Statement | tuple[str, str, str] | tuple[str, str, str, Qualifiers]],
        nodes: Iterable[FactNode] = (),
    ) -> FactBook:
        """A small fact book written by hand.

        Ends that ``nodes`` does not describe get their CURIE as name and a category guessed from
        their prefix (``MONDO`` a disease, ``NCBIGene`` a gene, ...).
        """
        known = {node.curie: node for node in nodes}
        stated = [s if isinstance(s, Statement) else Statement(*s) for s in statements]
        for curie in (end for s in stated for end in (s.subject, s.object)):
            if curie not in known:
                known[curie] = FactNode(curie, curie, (_guess(curie),), ((curie, curie),))
        return cls(known, tuple(stated))

    @classmethod
    def from_drugmechdb(cls, path: Path) -> FactBook:
        """The whole of DrugMechDB, from its ``indication_paths.json``.

        :raises ConfigError: the file cannot be read, or uses a relation without a Biolink reading.
        """
        from fedrag.testing.records import read_records, to_facts

        return to_facts(read_records(path))

    @classmethod
    def demo(cls) -> FactBook:
        """The part of DrugMechDB that ships: what touches the demo's drugs and diseases."""
        from fedrag.testing.factfile import DEMO, facts_from_json

        return facts_from_json(DEMO.read_bytes())

    def merged(self, other: FactBook) -> FactBook:
        """Both fact books in one; where both describe a CURIE, this one's node stays."""
        return FactBook(
            {**other.nodes, **self.nodes},
            self.statements + other.statements,
            {**other.records, **self.records},
        )

    def subset(self, about: Iterable[str]) -> FactBook:
        """What is known from the records that involve any of these drugs or diseases.

        A record involves a drug or disease when its ``treats`` statement has it (or a salt of it)
        at one end, so every other true edge of those records competes too.

        :param about: CURIEs, canonical or equivalent; unknown ones are passed over.
        """
        found = [node for curie in about if (node := self.node(curie))]
        wanted = {member.curie for node in found for member in self.group(node)}
        records = {
            record
            for curie in wanted
            for statement in self.touching(curie)
            if statement.predicate == "biolink:treats"
            for record in statement.records
        }
        return self._of_records(records)

    def _of_records(self, records: set[str]) -> FactBook:
        kept: list[Statement] = []
        for statement in self.statements:
            shared = tuple(record for record in statement.records if record in records)
            if shared:
                kept.append(_with_records(statement, shared))
        ends = {end for s in kept for end in (s.subject, s.object)}
        leads = {self.nodes[end].group for end in ends}
        return FactBook(
            {curie: node for curie, node in self.nodes.items() if curie in ends | leads},
            tuple(kept),
            {record: urls for record, urls in self.records.items() if record in records},
        )

    def with_lexicon(self, wheel: Wheel) -> FactBook:
        """The same statements among all the terms of HGNC, MONDO, ChEBI, GO, HP and MeSH.

        The Name Resolver then has the real ambiguities to answer with.
        """
        from fedrag.testing.lexicon import add_lexicon

        return add_lexicon(self, wheel)


def _with_records(statement: Statement, records: tuple[str, ...]) -> Statement:
    if len(records) == len(statement.records):
        return statement
    return Statement(
        statement.subject, statement.predicate, statement.object, statement.qualifiers, records
    )


_GUESSES = {
    "NCBIGene": "Gene",
    "HGNC": "Gene",
    "UniProtKB": "Protein",
    "MONDO": "Disease",
    "DOID": "Disease",
    "HP": "PhenotypicFeature",
    "GO": "BiologicalProcess",
    "REACT": "Pathway",
    "UBERON": "GrossAnatomicalStructure",
    "CHEBI": "SmallMolecule",
    "DRUGBANK": "SmallMolecule",
    "PUBCHEM.COMPOUND": "SmallMolecule",
    "NCBITaxon": "OrganismTaxon",
}


def _guess(curie: str) -> str:
    return f"biolink:{_GUESSES.get(curie.split(':', 1)[0], 'NamedThing')}"
