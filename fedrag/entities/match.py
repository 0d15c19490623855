"""Which hit a mention means: exact names only, category and taxon judged, ties told.

A name matches at four levels (:mod:`fedrag.entities.text`). Better come first: a category the
wording asks for, a label over a synonym, a curated prefix over UMLS, the clique with more
identifiers, the higher score. Two equally good matches of different meaning are ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from fedrag.biolink import biolink
from fedrag.datamodel import EntityCandidate
from fedrag.entities.nameres import NameHit
from fedrag.entities.text import bag, fold, loose

__all__ = ["Group", "Match", "Matches", "ambiguous", "fit_of", "group_of", "match_hits"]

Group = Literal["gene", "disease", "chemical", "process", "variant", "place"]

_GROUPS: tuple[tuple[Group, tuple[str, ...]], ...] = (
    ("gene", ("biolink:Gene", "biolink:Protein", "biolink:GeneFamily", "biolink:RNAProduct")),
    ("disease", ("biolink:DiseaseOrPhenotypicFeature",)),
    ("chemical", ("biolink:ChemicalEntity", "biolink:Drug")),
    ("process", ("biolink:BiologicalProcessOrActivity",)),
    ("variant", ("biolink:SequenceVariant",)),
    ("place", ("biolink:AnatomicalEntity", "biolink:OrganismTaxon", "biolink:OrganismalEntity")),
)
_JUNK = frozenset(
    [
        "biolink:CellLine",
        "biolink:Cohort",
        "biolink:IndividualOrganism",
        "biolink:Case",
        "biolink:PopulationOfIndividualOrganisms",
        "biolink:StudyPopulation",
    ]
)
# A gene's symbol outranks what else is spelled so; a gene's *alias* is often its disease's name.
_LABEL_ORDER: tuple[Group, ...] = ("gene", "disease", "chemical", "process", "variant", "place")
_ALIAS_ORDER: tuple[Group, ...] = ("disease", "chemical", "gene", "process", "variant", "place")

_CURATED = {
    "gene": ("NCBIGene", "HGNC", "ENSEMBL", "UniProtKB", "PR"),
    "disease": ("MONDO", "DOID", "orphanet", "OMIM", "HP", "EFO", "MESH"),
    "chemical": ("CHEBI", "DRUGBANK", "PUBCHEM.COMPOUND", "CHEMBL.COMPOUND", "UNII", "MESH"),
    "process": ("GO", "REACT", "WIKIPATHWAYS", "KEGG.PATHWAY", "SMPDB", "MESH"),
    "variant": ("CAID", "CLINVAR", "DBSNP"),
    "place": ("UBERON", "CL", "GO", "NCBITaxon", "MESH"),
}
_POOR = frozenset(["UMLS", "SNOMEDCT", "RXCUI", "MEDDRA", "NCIT", "ICD10", "ICD9", "LOINC"])
_POOR_COST = 1.5  # a UMLS label loses to a MONDO synonym, not to a mere plural
_SIGN_COST = 1.25  # so does a phenotype's label to a disease's synonym
_SYMBOL_LENGTH = 6  # capitals tell things apart only in names as short as symbols
_COMPARABLE = 4  # a same-kind alias counts as a rival from a quarter of the identifiers on


@dataclass(frozen=True, slots=True)
class Match:
    """A hit whose label or synonym is the mention. Smaller ``cost`` is the better spelling."""

    hit: NameHit
    name: str
    is_label: bool
    cost: float
    group: Group
    fit: int  # place of its category in what the wording asks for; smaller is better
    fits: bool
    same_case: bool

    def candidate(self) -> EntityCandidate:
        """The form that is shown to users."""
        return EntityCandidate(
            curie=self.hit.curie,
            name=self.hit.label,
            categories=self.hit.types,
            taxa=self.hit.taxa,
            score=self.hit.score,
            matched=self.name,
            match="exact" if self.is_label else "synonym",
        )


@dataclass(frozen=True, slots=True)
class Matches:
    """All matches of a mention, best first, and how many hits of other species were dropped."""

    ranked: tuple[Match, ...] = ()
    other_taxa: int = 0


def group_of(categories: Sequence[str]) -> Group | None:
    """The kind of thing the categories (most specific first) say; None for what is no entity.

    >>> group_of(["biolink:SmallMolecule"]), group_of(["biolink:Publication"])
    ('chemical', None)
    """
    model = biolink()
    for category in categories:
        if category in _JUNK:
            return None
        for group, ancestors in _GROUPS:
            if any(model.is_a(category, ancestor) for ancestor in ancestors):
                return group
    return None


def match_hits(
    spellings: Sequence[str],
    hits: Iterable[NameHit],
    *,
    expects: Sequence[str] = (),
    taxon: str = "",
) -> Matches:
    """Hits whose label or a synonym is one of the spellings, ranked.

    Genes and proteins whose stated taxon is not ``taxon`` are dropped and counted; those whose
    taxon is not stated stay.

    >>> hit = NameHit("MONDO:0005044", "hypertension", types=("biolink:Disease",))
    >>> match_hits(["Hypertension"], [hit]).ranked[0].hit.curie
    'MONDO:0005044'
    """
    wanted = _Wanted(spellings)
    found: dict[str, Match] = {}
    other = 0
    for hit in hits:
        group = group_of(hit.types)
        named = wanted.best(hit) if group is not None and hit.curie not in found else None
        if named is None or group is None:
            continue
        if group == "gene" and taxon and hit.taxa and taxon not in hit.taxa:
            other += 1
            continue
        cost, name, is_label = named
        fit = fit_of(hit.types, expects)
        fits, same = fit < len(expects), name in spellings
        found[hit.curie] = Match(hit, name, is_label, cost, group, fit, fits, same)
    return Matches(tuple(sorted(found.values(), key=_order)), other)


def fit_of(categories: Sequence[str], expects: Sequence[str]) -> int:
    """The place in ``expects`` of the first category that fits; its length when none does.

    >>> fit_of(["biolink:PhenotypicFeature"], ["biolink:Disease", "biolink:PhenotypicFeature"])
    1
    """
    model = biolink()
    for i, category in enumerate(expects):
        if model.is_a(categories, category):
            return i
    return len(expects)


class _Wanted:
    """The spellings of a mention, prepared at each level of comparison."""

    def __init__(self, spellings: Sequence[str]) -> None:
        self.longest = max(map(len, spellings), default=0)
        self.written = fold(spellings[0]) if spellings else ""
        self.folded = {fold(s) for s in spellings} - {""}
        self.loose = {loose(s) for s in spellings} - {""}
        squeezed = {s.replace(" ", "") for s in self.loose}
        self.compact = {s for s in squeezed if len(s) > 3 or any(c.isdigit() for c in s)}
        self.bags = {b for b in map(bag, spellings) if len(b) > 1}

    def best(self, hit: NameHit) -> tuple[float, str, bool] | None:
        """(cost, name, whether it is the label) of the closest name of the hit."""
        best: tuple[float, str, bool] | None = None
        for i, name in enumerate((hit.label, *hit.synonyms)):
            level = self.level(name)
            if level is None:
                continue
            cost = level + (0.0 if i == 0 else 1.0)
            if best is None or cost < best[0]:
                best = (cost, name, i == 0)
        return best

    def level(self, name: str) -> float | None:
        """0 as written, 0.5 in another form, 2 but for plural or blanks, 4 but for word order."""
        if len(name) > 2 * self.longest + 12:
            return None
        folded = fold(name)
        if folded in self.folded:
            return 0.0 if folded == self.written else 0.5
        relaxed = loose(name)
        if relaxed in self.loose or relaxed.replace(" ", "") in self.compact:
            return 2.0
        return 4.0 if self.bags and bag(name) in self.bags else None


def _prefix(hit: NameHit) -> str:
    return hit.curie.partition(":")[0]


def _order(match: Match) -> tuple[object, ...]:
    fine = _prefix_rank(match)
    return (
        match.fit,
        match.group == "place",
        match.cost + _surcharge(match),
        not (match.is_label and (match.same_case or len(match.name) > _SYMBOL_LENGTH)),
        _rank(match),
        _uncurated(match) if match.group == "chemical" else fine,
        -match.hit.identifiers,
        fine,
        -match.hit.score,
        match.hit.curie,
    )


def _prefix_rank(match: Match) -> int:
    prefix, curated = _prefix(match.hit), _CURATED[match.group]
    return curated.index(prefix) if prefix in curated else len(curated) + (prefix in _POOR)


def _surcharge(match: Match) -> float:
    if _prefix(match.hit) in _POOR:
        return _POOR_COST
    return _SIGN_COST if _is_sign(match) else 0.0


def _is_sign(match: Match) -> bool:
    return match.group == "disease" and not biolink().is_a(match.hit.types, "biolink:Disease")


def _rank(match: Match) -> int:
    """The place of its kind among equally good names of different kinds."""
    if match.group == "gene" and any(c.isdigit() for c in match.name):
        return -1
    order = _LABEL_ORDER if match.is_label else _ALIAS_ORDER
    doubtful = match.group == "chemical" and _uncurated(match)
    return order.index("process") if doubtful else order.index(match.group)


def _uncurated(match: Match) -> bool:
    """Known to a thesaurus alone (MeSH files proteins under chemicals)."""
    return _prefix(match.hit) not in _CURATED[match.group][:-1]


def ambiguous(ranked: Sequence[Match]) -> bool:
    """Whether the runner-up is as good a reading as the best, and means something else.

    >>> ambiguous(())
    False
    """
    return any(_rivals(ranked[0], other) for other in ranked[1:])


def _rivals(best: Match, other: Match) -> bool:
    if best.fit != other.fit or best.cost != other.cost or _uncurated(other):
        return False
    if best.group != other.group:
        return not _lesser(best, other) and (best.same_case == other.same_case or not best.is_label)
    if _is_sign(best) != _is_sign(other) or _narrower(best, other):
        return False
    return other.hit.identifiers * _COMPARABLE >= best.hit.identifiers


def _lesser(best: Match, other: Match) -> bool:
    """Of another kind, but no real rival: a place, or a gene's alias beside its disease's."""
    borrowed = (best.group, other.group) == ("disease", "gene") and not other.is_label
    return borrowed or "place" in (best.group, other.group)


def _narrower(best: Match, other: Match) -> bool:
    """Whether the other's own label is the mention, or the mention and more: a form of the same."""
    return set(loose(best.name).split()) <= set(loose(other.hit.label).split())
