"""The nodes of a corpus: one for each drug, salt, gene, disease or other thing it names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fedrag.testing.drugs import Drugs
from fedrag.testing.facts import FactNode
from fedrag.testing.tally import Tally

__all__ = ["Nodes", "unique"]

_HUMAN = "NCBITaxon:9606"
_CATEGORIES = {
    "ChemicalSubstance": "ChemicalEntity",
    **{
        name: name
        for name in (
            "Disease",
            "Protein",
            "BiologicalProcess",
            "PhenotypicFeature",
            "OrganismTaxon",
            "GeneFamily",
            "GrossAnatomicalStructure",
            "MolecularActivity",
            "CellularComponent",
            "Pathway",
            "Cell",
            "MacromolecularComplex",
        )
    },
}


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in order."""
    return tuple(dict.fromkeys(names))


class Nodes:
    """Makes the node of each identifier once, in the order the records name them."""

    def __init__(self, tally: Tally, drugs: Drugs, identifiers: Mapping[str, Any]) -> None:
        self._tally, self._drugs = tally, drugs
        self._genes: Mapping[str, list[Any]] = identifiers["genes"]
        self._diseases: Mapping[str, Mapping[str, Any]] = identifiers["diseases"]
        self._biologics = frozenset(identifiers["biologics"])
        self._mesh_of = {bank: mesh for mesh, bank in drugs.same.items()}
        self._other_of: Mapping[str, str] = identifiers.get("chemicals", {})  # of a ChEBI id
        self._chebi_of: Mapping[str, str] = {
            other: chebi for chebi, other in self._other_of.items()
        }
        self._by_curie: dict[str, str] = {}
        self._accessions: dict[str, list[str]] = defaultdict(list)
        for curie in tally.labels:
            if entry := self._genes.get(curie.removeprefix("UniProtKB:")):
                self._accessions[entry[0]].append(curie)
        self._meshes: dict[str, list[str]] = defaultdict(list)
        for mesh, term in self._diseases.items():
            self._meshes[term["id"]].append(mesh)
        self.found: dict[str, FactNode] = {}

    def canonical(self, curie: str) -> str:
        """The canonical CURIE of an identifier; its node is made when it is new."""
        known = self._by_curie.get(curie)
        if known is None:
            node = self._make(curie)
            self.found.setdefault(node.curie, node)
            self._by_curie |= dict.fromkeys((curie, *node.curies), node.curie)
            if node.group and node.group not in self.found:
                self.canonical(node.group)
            known = node.curie
        return known

    def _make(self, curie: str) -> FactNode:
        label = self._tally.label(curie)
        if entry := self._genes.get(curie.removeprefix("UniProtKB:")):
            return self._gene(entry)
        if label in ("Drug", "ChemicalSubstance", ""):
            return self._chemical(curie)
        if label == "Disease" and curie in self._diseases:
            return self._disease(self._diseases[curie])
        return self._plain(curie, f"biolink:{_CATEGORIES[label]}")

    def _plain(self, curie: str, category: str, *, group: str | None = None) -> FactNode:
        curies = (curie, *self._tally.others.get(curie, ()))
        return self._node(curies, (category,), group)

    def _node(
        self,
        curies: Sequence[str],
        categories: tuple[str, ...],
        group: str | None,
        named: Sequence[str] = (),
    ) -> FactNode:
        names = self._tally.synonyms(named or curies)
        identifiers = tuple((curie, self._tally.name(curie)) for curie in curies)
        name = names[0] if names else curies[0]
        return FactNode(curies[0], name, categories, identifiers, (), unique(names), (), group)

    def _chemical(self, curie: str) -> FactNode:
        """Canonical is ChEBI before DrugBank before MeSH, as Biolink orders a chemical's prefixes;
        named as DrugMechDB names its drugs, and others by ChEBI first, as the normaliser does."""
        curie = self._other_of.get(curie, curie)
        mesh = self._mesh_of.get(curie, curie)
        bank = self._drugs.same.get(mesh)
        own = [bank, mesh] if bank else [mesh]
        chebi = [c for c in map(self._chebi_of.get, own) if c][:1]
        curies = [*chebi, *own]
        labels = [self._tally.labels.get(one, Counter()) for one in curies]
        drug = any(label["Drug"] for label in labels)
        small = drug and any(c.startswith(("MESH:", "CHEBI:")) for c in curies)
        biologic = self._biologics.intersection(curies)
        leaf = "SmallMolecule" if small and not biologic else "ChemicalEntity"
        named = [*own, *chebi] if bank else curies
        return self._node(curies, (f"biolink:{leaf}",), self._group(mesh), named)

    def _group(self, mesh: str) -> str | None:
        lead = self._drugs.salt_of.get(mesh, mesh)
        if lead == mesh and mesh not in self._drugs.salt_of.values():
            return None
        bank = self._drugs.same.get(lead, lead)
        return self._chebi_of.get(bank) or self._chebi_of.get(lead, bank)

    def _gene(self, entry: list[Any]) -> FactNode:
        hgnc, symbol, name, entrez, ensembl, aliases = entry
        proteins = tuple((c, self._tally.name(c)) for c in self._accessions[hgnc])
        ids = [(f"NCBIGene:{entrez}", symbol)] if entrez else []
        ids += [(f"ENSEMBL:{ensembl}", None)] if ensembl else []
        ids.append((hgnc, symbol))
        spoken = self._tally.synonyms(curie for curie, _ in proteins)
        return FactNode(
            ids[0][0],
            symbol,
            ("biolink:Gene", "biolink:Protein"),
            tuple(ids),
            proteins,
            unique((symbol, name, *aliases, *spoken)),
            (_HUMAN,),
        )

    def _disease(self, term: Mapping[str, Any]) -> FactNode:
        meshes = self._meshes[term["id"]]
        named = [(mesh, self._tally.name(mesh)) for mesh in meshes]
        others = [(curie, None) for curie in term["xrefs"]]
        spoken = self._tally.synonyms(meshes)
        return FactNode(
            term["id"],
            spoken[0],
            ("biolink:Disease",),
            ((term["id"], term["name"]), *named, *others),
            (),
            unique((*spoken, term["name"], *term["syn"])),
        )
