"""The nodes that the stand-ins' facts speak of, for the loopback Node Normalizer and Name Resolver.

``entities.json`` is a table of real equivalence cliques: a drug with its ChEBI, ChEMBL, PubChem,
MeSH, UNII and NCIt identifiers, a gene with its product's, a disease with MONDO's cross-references.
Services answer in any of them, so without the table most would never be asked and what they say
would stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from fedrag.testing.factfile import facts_from_json
from fedrag.testing.facts import FactBook, FactNode, Pair

__all__ = ["cliques", "with_cliques"]

_TABLE = Path(__file__).with_name("entities.json")


@cache
def cliques() -> tuple[FactNode, ...]:
    """Every node of the table.

    >>> next(node.curies[:2] for node in cliques() if node.name == "imatinib")
    ('CHEBI:45783', 'UNII:BKJ8M8G5HI')
    """
    return tuple(facts_from_json(_TABLE.read_bytes()).nodes.values())


def with_cliques(facts: FactBook) -> FactBook:
    """The same statements among the table's nodes too.

    A node that is known already keeps its CURIE and name and gets the further identifiers that no
    other node has: one node for each clique, whatever was first.

    >>> treats = ("DRUGBANK:DB00619", "biolink:treats", "MONDO:0011996")
    >>> book = with_cliques(FactBook.from_statements([treats]))
    >>> book.node("CHEMBL.COMPOUND:CHEMBL941").curie
    'DRUGBANK:DB00619'
    """
    nodes = dict(facts.nodes)
    owner = {curie: node.curie for node in facts.nodes.values() for curie in node.curies}
    for clique in cliques():
        mine = next((owner[curie] for curie in clique.curies if curie in owner), None)
        node = clique if mine is None else _extended(nodes[mine], clique, owner)
        nodes[node.curie] = node
        for curie in node.curies:
            owner.setdefault(curie, node.curie)
    return FactBook(nodes, facts.statements, facts.records)


def _extended(node: FactNode, clique: FactNode, owner: Mapping[str, str]) -> FactNode:
    """A known node with what else the clique has; what another node has stays there."""
    known = node.identifiers or ((node.curie, node.name),)
    return replace(
        node,
        identifiers=(*known, *_free(clique.identifiers, owner)),
        proteins=(*node.proteins, *_free(clique.proteins, owner)),
        synonyms=tuple(dict.fromkeys((*node.synonyms, *clique.synonyms))),
        taxa=node.taxa or clique.taxa,
    )


def _free(pairs: Iterable[Pair], owner: Mapping[str, str]) -> list[Pair]:
    return [pair for pair in pairs if pair[0] not in owner]
