"""Genes of another species, for the fault ``wrong_species``.

The identifiers are made up from the human ones, out of the range NCBI uses, so that none can be
taken for a real gene: NCBIGene:2475 (MTOR) has the pig's NCBIGene:9823000002475.
"""

from __future__ import annotations

from fedrag.testing.facts import FactBook, FactNode

__all__ = ["PIG", "orthologue", "orthologue_curie"]

PIG = "NCBITaxon:9823"
_PIG_GENES = 9823 * 10**9


def orthologue_curie(curie: str) -> str | None:
    """The pig's gene for a human one, ``None`` for anything but an NCBI gene.

    >>> orthologue_curie("NCBIGene:2475")
    'NCBIGene:9823000002475'
    """
    prefix, _, number = curie.partition(":")
    if prefix != "NCBIGene" or not number.isdigit():
        return None
    return f"NCBIGene:{_PIG_GENES + int(number)}"


def orthologue(facts: FactBook, curie: str) -> FactNode | None:
    """The pig's gene that a made-up CURIE stands for, by its human original."""
    prefix, _, number = curie.partition(":")
    if prefix != "NCBIGene" or not number.isdigit() or int(number) < _PIG_GENES:
        return None
    human = facts.node(f"NCBIGene:{int(number) - _PIG_GENES}")
    if human is None:
        return None
    pair = (curie, human.name)
    return FactNode(curie, human.name, ("biolink:Gene",), (pair,), taxa=(PIG,))
