"""What the loopback STRING knows: seven human proteins and what relates them.

Identifiers are real ones of STRING (human, version 12). The scores between CDC37 and its partners
are of a recorded answer; other numbers only have the right shape.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ASSOCIATIONS",
    "CHANNELS",
    "PROTEINS",
    "REGULATION",
    "TERMS",
    "Association",
    "Protein",
]


@dataclass(frozen=True, slots=True)
class Protein:
    """A protein by its names."""

    symbol: str
    ensp: str
    uniprot: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Association:
    """A pair with its score in one network (``""``: in both) and what each channel gives to it."""

    pair: tuple[str, str]
    score: float
    channels: tuple[float, ...]
    network: str = ""


# Neighbourhood, fusion, phylogeny, co-expression, experiments, databases, text mining.
CHANNELS = ("nscore", "fscore", "pscore", "ascore", "escore", "dscore", "tscore")

PROTEINS = (
    Protein("CDC37", "ENSP00000222005", "Q16543", "Hsp90 co-chaperone Cdc37."),
    Protein("MAP2K1", "ENSP00000302486", "Q02750", "MAP kinase kinase 1."),
    Protein("MAP2K2", "ENSP00000262948", "P36507", "MAP kinase kinase 2."),
    Protein("KRAS", "ENSP00000256078", "P01116", "GTPase KRas."),
    Protein("NRAS", "ENSP00000358548", "P01111", "GTPase NRas."),
    Protein("TP53", "ENSP00000269305", "P04637", "Cellular tumor antigen p53."),
    Protein("MDM2", "ENSP00000258149", "Q00987", "E3 ubiquitin-protein ligase Mdm2."),
)

ASSOCIATIONS = (
    Association(("CDC37", "MAP2K1"), 0.456, (0, 0, 0, 0.098, 0.161, 0, 0.338), "functional"),
    Association(("CDC37", "MAP2K2"), 0.471, (0, 0, 0, 0.199, 0.199, 0, 0.241), "functional"),
    Association(("CDC37", "KRAS"), 0.604, (0, 0, 0, 0.042, 0.082, 0.5, 0.205), "functional"),
    Association(("CDC37", "NRAS"), 0.642, (0, 0, 0, 0.049, 0.046, 0.5, 0.304), "functional"),
    Association(("MAP2K1", "MAP2K2"), 0.999, (0, 0, 0, 0.1, 0.9, 0.9, 0.9)),
    Association(("TP53", "MDM2"), 0.999, (0, 0, 0, 0.1, 0.999, 0.9, 0.999)),
    Association(("TP53", "KRAS"), 0.35, (0, 0, 0, 0, 0, 0, 0.35), "functional"),
)

# Source, target, sign, combined score, text mining, experiments, databases.
REGULATION: tuple[tuple[str, str, str | None, float, float, float, float], ...] = (
    ("TP53", "MDM2", "pos", 0.95, 0.9, 0.2, 0.8),
    ("MDM2", "TP53", "neg", 0.97, 0.9, 0.3, 0.9),
    ("KRAS", "MAP2K1", None, 0.7, 0.4, 0, 0.6),
    ("KRAS", "TP53", "neg", 0.2, 0.2, 0, 0),
)

# Category, term, description, proteins in the background, members.
TERMS: tuple[tuple[str, str, str, int, tuple[str, ...]], ...] = (
    ("Process", "GO:0000165", "MAPK cascade", 250, ("MAP2K1", "MAP2K2", "KRAS", "NRAS")),
    ("Function", "GO:0004708", "MAP kinase kinase activity", 16, ("MAP2K1", "MAP2K2")),
    ("Component", "GO:0005829", "Cytosol", 5330, ("MAP2K1", "MAP2K2", "CDC37", "MDM2")),
    ("Component", "GO:0005769", "Early endosome", 390, ("MAP2K1", "MAP2K2")),
    ("RCTM", "HSA-5673001", "RAF/MAP kinase cascade", 270, ("MAP2K1", "MAP2K2", "KRAS", "NRAS")),
    ("KEGG", "hsa04010", "MAPK signaling pathway", 290, ("MAP2K1", "MAP2K2", "KRAS", "NRAS")),
    ("WikiPathways", "WP382", "MAPK signaling", 240, ("MAP2K1", "MAP2K2", "KRAS", "NRAS")),
    ("PMID", "PMID:28192408", "a publication that STRING lists too", 100, ("MAP2K1", "MAP2K2")),
)
