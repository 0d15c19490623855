"""Which MeSH or DrugBank identifier is the same chemical as a ChEBI one, by mapping tables alone.

DrugMechDB names one metabolite now in ChEBI, now in MeSH; the real Node Normalizer has one clique
for both. Of the wheel's mappings the more exact go first: DrugBank's and ChEBI's own, then the same
PubChem compound, then a compound record that holds one identifier of each kind (others mix
stereoisomers and salts), then MeSH's mapping to ChEBI, which includes classes. A name alone joins
nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fedrag.testing.tables import Wheel

__all__ = ["same_chemicals"]

_Pairs = Iterator[tuple[str, str]]


def same_chemicals(wheel: Wheel, wanted: frozenset[str]) -> dict[str, str]:
    """ChEBI identifiers to their MeSH or DrugBank one, both of them wanted; one to one."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for table in (_drugbank, _pubchem, _compounds, _mesh):
        for chebi, other in sorted(table(wheel)):
            if {chebi, other} <= wanted and chebi not in found and other not in taken:
                found[chebi] = other
                taken.add(other)
    return dict(sorted(found.items()))


def _drugbank(wheel: Wheel) -> _Pairs:
    """Pairs that both DrugBank and ChEBI state, or one of them where neither end has another."""
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for bank, space, other, source in wheel.rows("drugbank_mappings.tsv"):
        if space == "CHEBI":
            said[f"CHEBI:{other.removeprefix('CHEBI:')}", f"DRUGBANK:{bank}"].add(source)
    ends = Counter(end for pair in said for end in pair)
    for pair, sources in said.items():
        if {"chebi", "drugbank"} <= sources or max(map(ends.__getitem__, pair)) == 1:
            yield pair


def _pubchem(wheel: Wheel) -> _Pairs:
    meshes = {row[0]: f"MESH:{row[1]}" for row in wheel.rows("pubchem_mesh_map.tsv")}
    rows = [row[:2] for row in wheel.rows("chebi_to_pubchem.tsv")]
    counted = Counter(compound for _, compound in rows)
    return (
        (f"CHEBI:{chebi}", meshes[compound])
        for chebi, compound in rows
        if compound in meshes and counted[compound] == 1
    )


def _compounds(wheel: Wheel) -> _Pairs:
    """Compounds of the LSP collection, which disregards stereochemistry and salts."""
    for _, _, members in wheel.rows("lspci.tsv"):
        names = [name.removeprefix("CHEBI:") for name in members.split("|")]  # "CHEBI:CHEBI:1"
        chebis = [name for name in names if name.startswith("CHEBI:")]
        meshes = [name for name in names if name.startswith("MESH:")]
        if len(chebis) == len(meshes) == 1:
            yield chebis[0], meshes[0]


def _mesh(wheel: Wheel) -> _Pairs:
    for row in wheel.rows("mesh_mappings.tsv"):
        if row[3] == "CHEBI":
            yield row[4], f"MESH:{row[1]}"
