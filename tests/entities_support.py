"""What the tests of ``fedrag.entities`` share: a small closed lexicon behind a caller.

The lexicon answers like the two entity services do: shapes, conflation, orthologues, wrong top
hits and near names included. It knows nothing of what a question is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from fedrag.entities import Normalizer, Resolution, resolve
from fedrag.net import Endpoint, Reply

NAMERES = Endpoint("nameres", "https://nameres.example.org")
NODENORM = Endpoint("nodenorm", "https://nodenorm.example.org")
HUMAN = "NCBITaxon:9606"

_GENE = "Gene GeneOrGeneProduct Protein BiologicalEntity NamedThing"
_DISEASE = "Disease DiseaseOrPhenotypicFeature BiologicalEntity NamedThing"
_SIGN = "PhenotypicFeature DiseaseOrPhenotypicFeature BiologicalEntity NamedThing"
_DRUG = "SmallMolecule MolecularEntity ChemicalEntity NamedThing"
_PROCESS = "BiologicalProcess BiologicalProcessOrActivity BiologicalEntity NamedThing"
_CELL = "Cell AnatomicalEntity NamedThing"

# curie | label | synonyms | types | taxon | number of identifiers
_ROWS = f"""
NCBIGene:255738|PCSK9|proprotein convertase subtilisin/kexin type 9;NARC-1|{_GENE}|9606|30
NCBIGene:100102|Pcsk9|PCSK9|{_GENE}|10090|12
NCBIGene:673|BRAF|B-Raf proto-oncogene|{_GENE}|9606|31
NCBIGene:403|BRAF|Braf|{_GENE}|9615|8
NCBIGene:7157|TP53|p53;tumor protein p53|{_GENE}|9606|40
NCBIGene:7124|TNF|TNF-alpha;tumor necrosis factor|{_GENE}|9606|28
NCBIGene:29126|CD274|PD-L1;PDL1|{_GENE}|9606|22
NCBIGene:5743|PTGS2|COX-2;COX2;prostaglandin-endoperoxide synthase 2|{_GENE}|9606|25
NCBIGene:5742|PTGS1|COX1;COX-1|{_GENE}|9606|25
NCBIGene:4512|MT-CO1|COX1;MTCO1|{_GENE}|9606|24
NCBIGene:2638|GC|DBP;group-specific component|{_GENE}|9606|20
NCBIGene:4602|MYB|c-myb|{_GENE}|9606|20
NCBIGene:442|MYB|Myb|{_GENE}|9615|9
NCBIGene:4233|MET|HGFR;hepatocyte growth factor receptor|{_GENE}|9606|26
NCBIGene:6559|SLC12A3|NCC;TSC|{_GENE}|9606|24
NCBIGene:6647|SOD1|ALS;ALS1|{_GENE}|9606|30
NCBIGene:3717|JAK2|Janus kinase 2|{_GENE}|9606|22
NCBIGene:3569|IL6|IL-6;interleukin 6|{_GENE}|9606|27
NCBIGene:5728|PTEN|MMAC1|{_GENE}|9606|27
NCBIGene:99|zymA||{_GENE}|4932|2
MONDO:0005044|hypertensive disorder|hypertension;high blood pressure|{_DISEASE}||40
HP:0000822|Hypertension|high blood pressure|{_SIGN}||9
MONDO:0005010|coronary artery disorder|coronary artery disease;CAD|{_DISEASE}||44
UMLS:C0011847|Diabetes||{_DISEASE}||1
MONDO:0005015|diabetes mellitus|diabetes;DM|{_DISEASE}||60
MONDO:0005148|type 2 diabetes mellitus|type 2 diabetes;T2D;diabetes mellitus, type 2|{_DISEASE}||50
MONDO:0004992|cancer|malignant neoplasm;malignant tumor|{_DISEASE}||50
MONDO:0007254|breast cancer|malignant tumor of breast|{_DISEASE}||50
MONDO:0008903|lung cancer|malignant lung tumor|{_DISEASE}||50
MONDO:0021063|colon cancer|malignant tumor of colon|{_DISEASE}||50
MONDO:0004975|Alzheimer disease|Alzheimer's disease;Alzheimers dementia|{_DISEASE}||60
MONDO:0005180|Parkinson disease|Parkinson's disease|{_DISEASE}||60
MONDO:0005011|Crohn disease|Crohn's disease;regional enteritis|{_DISEASE}||50
MONDO:0009904|Gitelman syndrome||{_DISEASE}||30
MONDO:0004802|pulmonary eosinophilia|Löffler's syndrome|{_DISEASE}||20
MONDO:0004976|amyotrophic lateral sclerosis|ALS|{_DISEASE}||40
MONDO:0005277|gonorrhea|GC|{_DISEASE}||30
MONDO:0008383|rheumatoid arthritis|RA|{_DISEASE}||55
MONDO:0002280|anemia||{_DISEASE}||45
MONDO:0005393|gout||{_DISEASE}||33
MONDO:0002771|pulmonary fibrosis||{_DISEASE}||30
MONDO:0016586|systemic mastocytosis|systemic mast cell disease|{_DISEASE}||30
MONDO:0018540|non-small cell lung cancer|NSCLC|{_DISEASE}||30
MONDO:0000001|disease|disorder;condition|{_DISEASE}||90
HP:0002329|Drowsiness|somnolence|{_SIGN}||8
MONDO:0005275|lung disease|lung disorder|{_DISEASE}||40
HP:0000969|Edema||{_SIGN}||8
CHEBI:5778|Hydrochlorothiazide|HCTZ|{_DRUG}||90
CHEBI:45783|Imatinib|Gleevec;STI-571|{_DRUG}||80
CHEBI:15365|Aspirin|acetylsalicylic acid|{_DRUG}||99
CHEBI:6801|Metformin||{_DRUG}||80
CHEBI:41423|Celecoxib|Celebrex|{_DRUG}||80
CHEBI:8378|Prednisolone||{_DRUG}||80
CHEBI:8382|Prednisone||{_DRUG}||80
CHEBI:22907|Bleomycin||{_DRUG}||50
CHEBI:7772|Omeprazole||{_DRUG}||70
CHEBI:50275|Esomeprazole||{_DRUG}||60
CHEBI:145810|insulin|human insulin|{_DRUG}||40
NCBIGene:3630|INS|insulin;proinsulin|{_GENE}|9606|35
CHEBI:87631|statin|HMG-CoA reductase inhibitor|{_DRUG}||12
CHEBI:23888|drug|medicine|{_DRUG}||5
GO:0008283|cell population proliferation|cell proliferation|{_PROCESS}||2
GO:0006915|apoptotic process|apoptosis|{_PROCESS}||3
GO:0006629|lipid metabolic process|lipid metabolism|{_PROCESS}||3
CL:0000097|mast cell||{_CELL}||4
UBERON:0001621|coronary artery||AnatomicalEntity GrossAnatomicalStructure NamedThing||6
UBERON:0002107|liver||AnatomicalEntity GrossAnatomicalStructure NamedThing||9
PMID:1|hypertension and you||Publication InformationContentEntity NamedThing||1
CLO:1|BRAF||CellLine NamedThing||1
"""


@dataclass(frozen=True)
class Concept:
    """One clique of the closed lexicon."""

    curie: str
    label: str
    synonyms: tuple[str, ...]
    types: tuple[str, ...]
    taxa: tuple[str, ...]
    count: int

    @property
    def words(self) -> set[str]:
        """Every word of every name, in lower case."""
        return set(re.findall(r"\w+", " ".join((self.label, *self.synonyms)).lower()))

    def hit(self, score: float) -> dict[str, Any]:
        """A ``LookupResult``."""
        return {
            "curie": self.curie,
            "label": self.label,
            "highlighting": {},
            "synonyms": [self.label, *self.synonyms],
            "taxa": list(self.taxa),
            "types": list(self.types),
            "score": score,
            "clique_identifier_count": self.count,
        }

    def node(self) -> dict[str, Any]:
        """A Node Normalizer value."""
        own: dict[str, Any] = {"identifier": self.curie, "label": self.label}
        return {
            "id": dict(own),
            "equivalent_identifiers": [own | ({"taxa": list(self.taxa)} if self.taxa else {})],
            "type": list(self.types),
            **({"taxa": list(self.taxa)} if self.taxa else {}),
        }


def concepts() -> dict[str, Concept]:
    """The closed lexicon by CURIE."""
    found = {}
    for line in _ROWS.strip().splitlines():
        curie, label, synonyms, types, taxon, count = line.split("|")
        found[curie] = Concept(
            curie,
            label,
            tuple(s for s in synonyms.split(";") if s),
            tuple(f"biolink:{t}" for t in types.split()),
            (f"NCBITaxon:{taxon}",) if taxon else (),
            int(count),
        )
    return found


def reply(payload: Any) -> Reply:
    """A live 200 with this JSON."""
    return Reply(200, {}, orjson.dumps(payload), "2026-01-01T00:00:00Z", "live", 0.01)


@dataclass
class Lexicon:
    """A caller over the lexicon. ``merge`` maps CURIEs to what conflation makes of them;
    ``broken`` raises an error for a path, or for autocomplete calls under ``"autocomplete"``."""

    known: dict[str, Concept] = field(default_factory=concepts)
    merge: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    broken: Mapping[str, Exception] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()  # CURIEs that only an ``only_taxa`` call returns
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)

    async def send(
        self, endpoint: Endpoint, method: str, path: str, *, json: Any = None, **_: Any
    ) -> Reply:
        self.calls.append((path, json))
        kind = "autocomplete" if json.get("autocomplete") else path
        if problem := self.broken.get(kind) or self.broken.get(path):
            raise problem
        if path == "/bulk-lookup":
            return reply({text: self._look(text, json) for text in json["strings"]})
        return reply({curie: self._node(curie, json["conflate"]) for curie in json["curies"]})

    def discard(self, answer: Reply, endpoint: Endpoint) -> None:
        """What told of a failure is not kept."""
        self.discarded.append(endpoint.service)

    def _look(self, text: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
        asked = re.findall(r"\w+", text.lower())
        taxon = options["only_taxa"]
        scored = []
        for concept in self.known.values():
            if concept.curie in self.hidden and not taxon:
                continue
            if taxon and concept.taxa and taxon not in concept.taxa:
                continue
            shared = self._shared(asked, concept.words, bool(options["autocomplete"]))
            if shared:
                foreign = concept.taxa and HUMAN not in concept.taxa
                scored.append((shared + (0.5 if foreign else 0.0), concept))
        scored.sort(key=lambda pair: (-pair[0], pair[1].curie))
        return [concept.hit(100.0 * score) for score, concept in scored[: options["limit"]]]

    @staticmethod
    def _shared(asked: list[str], words: set[str], autocomplete: bool) -> float:
        if not autocomplete:
            return len(set(asked) & words)
        begun = any(word.startswith(asked[-1]) for word in words)
        return len(set(asked[:-1]) & words) + 1.0 if begun else 0.0

    def _node(self, curie: str, conflate: bool) -> dict[str, Any] | None:
        if conflate and curie in self.merge:
            return self.merge[curie]
        return self.known[curie].node() if curie in self.known else None

    def strings(self, *, autocomplete: bool = False) -> list[str]:
        """What was looked up, in the first or the second round."""
        bodies = [body for path, body in self.calls if path == "/bulk-lookup"]
        return [s for b in bodies if b["autocomplete"] is autocomplete for s in b["strings"]]

    def count(self, path: str) -> int:
        """How often a path was called."""
        return sum(called == path for called, _ in self.calls)


async def ask(question: str, lexicon: Lexicon | None = None, **options: Any) -> Resolution:
    """Resolve a question over the closed lexicon."""
    caller: Any = lexicon or Lexicon()
    return await resolve(
        question, caller, resolver=NAMERES, normalizer=Normalizer(caller, NODENORM), **options
    )


def curies(resolution: Resolution) -> list[str]:
    """The entities' identifiers, in order."""
    return [entity.curie for entity in resolution.entities]


def unresolved(resolution: Resolution) -> Iterable[str]:
    """The mentions nothing was found for."""
    return [missing.mention for missing in resolution.unresolved]
