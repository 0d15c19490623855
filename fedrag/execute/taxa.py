"""Human by default: which genes of other organisms stay, and which are dropped and counted.

Services that gather many databases mix orthologues into their answers (MTOR of a pig). They are
dropped. Genes of a pathogen are kept when the question's disease names or implies it; a gene whose
organism is not told is kept and noted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, EdgeNode, Entity

__all__ = ["filter_taxa"]

# Animals and model organisms whose genes are orthologues of human ones rather than a pathogen's.
# Identifiers of the NCBI Taxonomy.
_ORTHOLOGUE_TAXA = frozenset(
    f"NCBITaxon:{number}"
    for number in (
        10090, 10116, 9823, 9615, 9913, 9940, 9544, 9598, 9986, 9796, 9685, 10141, 10029, 10036,
        9031, 8364, 8355, 7955, 7227, 6239, 4932, 559292, 4896, 284812, 3702, 9606, 9601, 9593,
        9541, 9555, 9483, 13616, 9258, 9925, 10047, 8090, 7719, 44689,
    )
)  # fmt: skip
_INFECTION = re.compile(
    r"infect|malaria|tubercul|\bhiv\b|\baids\b|hepatitis|influenza|pneumonia|sepsis|covid|sars|"
    r"bacteri|viral|virus|fung|parasit|mycosis|iasis\b|leprosy|syphilis|gonorrh|cholera|plague|"
    r"typhoid|anthrax|herpes|measles|mumps|rubella|rabies|ebola|dengue|zika|candid|helminth|"
    r"toxoplasm|chagas|trypanosom|schistosom|leishman|onchocerc|filari|scabies|tetanus|diphtheria",
    re.IGNORECASE,
)


def filter_taxa(
    edges: Sequence[Edge], entities: Sequence[Entity], taxon: str
) -> tuple[list[Edge], list[str]]:
    """The edges without genes of other organisms, and the notes that say what was dropped or kept.

    :param taxon: the organism whose genes are kept, ``NCBITaxon:9606`` unless asked otherwise.
    """
    given = {entity.curie for entity in entities}
    pathogens = _pathogens(edges, entities)
    dropped: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    unknown: set[str] = set()
    result = []
    for edge in edges:
        foreign = None
        for node in (edge.subject, edge.object):
            if node.canonical in given or not _is_gene(node):
                continue
            if not node.taxa:
                unknown.add(node.canonical)
            elif taxon not in node.taxa:
                if _belongs_to_pathogen(node, pathogens, entities):
                    kept[node.taxa[0]] += 1
                else:
                    foreign = node
        if foreign is None:
            result.append(edge)
        else:
            dropped[foreign.taxa[0]] += 1
    return result, _notes(dropped, kept, len(unknown), taxon)


def _is_gene(node: EdgeNode) -> bool:
    return biolink().is_a(node.categories, "biolink:GeneOrGeneProduct") or biolink().is_a(
        node.categories, "biolink:Protein"
    )


def _pathogens(edges: Iterable[Edge], entities: Sequence[Entity]) -> set[str]:
    """Organisms that a retrieved edge ties to a given entity, or that are given themselves."""
    given = {entity.curie for entity in entities}
    found = {curie for curie in given if curie.startswith("NCBITaxon:")}
    for edge in edges:
        ends = (edge.subject, edge.object)
        if any(end.canonical in given for end in ends):
            found |= {end.canonical for end in ends if end.canonical.startswith("NCBITaxon:")}
    return found


def _belongs_to_pathogen(node: EdgeNode, pathogens: set[str], entities: Sequence[Entity]) -> bool:
    if pathogens.intersection(node.taxa):
        return True
    infection = any(_INFECTION.search(f"{entity.mention} {entity.name}") for entity in entities)
    return infection and not _ORTHOLOGUE_TAXA.intersection(node.taxa)


def _notes(dropped: Counter[str], kept: Counter[str], unknown: int, taxon: str) -> list[str]:
    notes = []
    if dropped:
        organisms = ", ".join(f"{name} {count}" for name, count in sorted(dropped.items()))
        count = dropped.total()
        edges = (
            "1 edge to a gene of another organism"
            if count == 1
            else (f"{count} edges to genes of other organisms")
        )
        notes.append(
            f"{edges} than {taxon} {'was' if count == 1 else 'were'} dropped "
            f"({organisms}); --taxon asks for another organism"
        )
    if kept:
        organisms = ", ".join(sorted(kept))
        notes.append(f"genes of {organisms} were kept: the question implies that organism")
    if unknown == 1:
        notes.append("1 gene or protein whose organism is not told was kept")
    elif unknown:
        notes.append(f"{unknown} genes or proteins whose organism is not told were kept")
    return notes
