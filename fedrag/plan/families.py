"""Kinds of things as questions speak of them: of entities (slots) and of answers (what is asked).

A slot family gathers the Biolink categories a question does not tell apart (a "disease" may be
typed as a phenotypic feature). An answer family is a noun of the question ("drug", "metabolite",
"symptom") with the categories that are asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fedrag.biolink import biolink
from fedrag.datamodel import Entity

__all__ = [
    "ANSWERS",
    "SLOTS",
    "AnswerFamily",
    "categories_to_ask",
    "categories_to_serve",
    "families_of",
    "kind_word",
]

# Slot families in the order they are tried; an entity belongs to each whose category it has.
SLOTS: dict[str, tuple[str, ...]] = {
    "variant": ("biolink:SequenceVariant",),
    "gene": (
        "biolink:GeneOrGeneProduct",
        "biolink:Gene",
        "biolink:Protein",
        "biolink:GeneFamily",
        "biolink:MacromolecularComplex",
    ),
    "chemical": (
        "biolink:ChemicalEntity",
        "biolink:ChemicalOrDrugOrTreatment",
        "biolink:Treatment",
    ),
    "disease": ("biolink:DiseaseOrPhenotypicFeature",),
    "process": ("biolink:BiologicalProcessOrActivity",),
    "anatomy": ("biolink:AnatomicalEntity",),
    "organism": ("biolink:OrganismTaxon",),
}

# What a bound node's categories are written as: the widest that still says what the thing is.
_ROOTS = (
    "biolink:ChemicalEntity",
    "biolink:Gene",
    "biolink:Protein",
    "biolink:Disease",
    "biolink:PhenotypicFeature",
    "biolink:Pathway",
    "biolink:MolecularActivity",
    "biolink:BiologicalProcess",
    "biolink:Cell",
    "biolink:CellularComponent",
    "biolink:AnatomicalEntity",
    "biolink:OrganismTaxon",
    "biolink:SequenceVariant",
)
# Categories that services give to one and the same thing.
_TYPED_AS = (
    ("biolink:Gene", "biolink:Protein"),
    ("biolink:Disease", "biolink:PhenotypicFeature"),
    ("biolink:Pathway", "biolink:BiologicalProcess", "biolink:MolecularActivity"),
)


@dataclass(frozen=True, slots=True)
class AnswerFamily:
    """What a question may ask for. ``nouns`` is a regular expression over lower-case text."""

    name: str
    one: str
    many: str
    categories: tuple[str, ...]
    nouns: str


def _family(name: str, one: str, many: str, categories: str, nouns: str) -> AnswerFamily:
    asked = tuple(f"biolink:{category}" for category in categories.split())
    return AnswerFamily(name, one, many, asked, nouns)


# In the order their nouns are tried at one place of the text: the longer wording first.
ANSWERS: dict[str, AnswerFamily] = {
    family.name: family
    for family in (
        _family(
            "side_effect",
            "side effect",
            "side effects",
            "PhenotypicFeature Disease",
            r"side[- ]?effects?|(?:adverse|unwanted|undesired|undesirable|toxic|harmful) "
            r"(?:drug )?(?:effects?|events?|reactions?|outcomes?)|toxicit(?:y|ies)|adrs?",
        ),
        _family(
            "cause",
            "cause",
            "causes",
            "Gene Protein ChemicalEntity Disease PhenotypicFeature BiologicalProcess OrganismTaxon",
            r"causes? (?=of\b)|risk factors?|triggers? (?=of\b|for\b)|a?etiology|"
            r"(?:root|underlying|possible|known|common|main|likely|genetic) causes?",
        ),
        _family(
            "biomarker",
            "biomarker",
            "biomarkers",
            "Gene Protein ChemicalEntity",
            r"(?:bio)?markers?",
        ),
        _family(
            "gene",
            "gene",
            "genes",
            "Gene Protein",
            r"targets?|genes?|proteins?|gene products?|receptors?|enzymes?|kinases?|"
            r"phosphatases?|proteases?|transporters?|(?:ion )?channels?|pumps?|antigens?|"
            r"transcription factors?|growth factors?|cytokines?|chemokines?|interleukins?|"
            r"oncogenes?|tumou?r suppressors?|loci|locus|polypeptides?|antibod(?:y|ies)|"
            r"(?:interaction |binding )?partners?|interactors?|regulators?|repressors?|"
            r"substrates?|effectors?|gpcrs?|isoforms?",
        ),
        _family(
            "variant",
            "variant",
            "variants",
            "SequenceVariant",
            r"(?:gene |genetic |sequence |risk )?variants?|mutations?|snps?|polymorphisms?|"
            r"alleles?",
        ),
        _family(
            "organism",
            "organism",
            "organisms",
            "OrganismTaxon",
            r"(?:micro)?organisms?|species|pathogens?|infectious agents?|bacteri(?:um|a)|"
            r"virus(?:es)?|parasites?|fung(?:us|i)|microbes?",
        ),
        _family(
            "metabolite",
            "metabolite",
            "metabolites",
            "ChemicalEntity",
            r"metabolites?|biochemicals?|biochemical (?:entit(?:y|ies)|compounds?|molecules?|"
            r"substances?)|biomolecules?|"
            r"small[- ]molecule metabolites?|endogenous (?:compounds?|molecules?|chemicals?|"
            r"substances?|small molecules?)|neurotransmitters?|hormones?|lipids?|ions?|"
            r"steroids?|amino acids?|sugars?|vitamins?|electrolytes?|second messengers?",
        ),
        _family(
            "drug",
            "drug",
            "drugs",
            "ChemicalEntity",
            r"drugs?|medications?|medicines?|meds|medicaments?|therap(?:y|ies)|treatments?|"
            r"therapeutics?|pharmaceuticals?|pharmacotherap(?:y|ies)|pills?|remed(?:y|ies)|cures?|"
            r"antibiotics?|antivirals?|chemotherap(?:y|ies)|chemotherapeutics?|"
            r"(?:therapeutic |pharmacological |small[- ]molecule )?agents?|"
            r"(?:small[- ]molecule |drug |kinase )?inhibitors?|agonists?|antagonists?|blockers?|"
            r"activators?|modulators?|interventions?|prescriptions?",
        ),
        _family(
            "chemical",
            "chemical",
            "chemicals",
            "ChemicalEntity",
            r"chemicals?|chemical (?:entit(?:y|ies)|substances?|compounds?)|compounds?|"
            r"small[- ]molecules?|molecules?|substances?|toxins?|ligands?|pollutants?|cofactors?",
        ),
        _family(
            "phenotype",
            "phenotype",
            "phenotypes",
            "PhenotypicFeature Disease",
            r"phenotypes?|phenotypic (?:features?|abnormalit(?:y|ies))|symptoms?|"
            r"(?:clinical |physical |warning )?signs?(?: and symptoms?)?|manifestations?|"
            r"(?:clinical |characteristic )?features?|complaints?|abnormalit(?:y|ies)|"
            r"clinical (?:presentations?|findings?|pictures?)|presentations?|complications?|"
            r"findings?",
        ),
        _family(
            "disease",
            "disease",
            "diseases",
            "Disease PhenotypicFeature",
            r"diseases?|disorders?|(?:medical |health )?conditions?|illness(?:es)?|indications?|"
            r"contraindications?|syndromes?|cancers?|tumou?rs?|malignanc(?:y|ies)|infections?|"
            r"ailments?|diagnos[ie]s|patholog(?:y|ies)|comorbidit(?:y|ies)|maladies|malady",
        ),
        _family(
            "process",
            "process",
            "processes",
            "BiologicalProcess Pathway MolecularActivity",
            r"(?:(?:biological|cellular|physiological|molecular|metabolic|biochemical|cell) )?"
            r"(?:process(?:es)?|functions?|activit(?:y|ies))|"
            r"(?:(?:biological|cellular|signal(?:l)?ing|metabolic|molecular|biochemical) )?"
            r"(?:pathways?|cascades?)|go terms?|signal(?:l)?ing",
        ),
        _family(
            "cell",
            "cell type",
            "cell types",
            "Cell",
            r"cell[- ]?types?|cells?|cell lines?|neurons?",
        ),
        _family(
            "component",
            "cellular component",
            "cellular components",
            "CellularComponent",
            r"cellular (?:components?|compartments?)|organelles?|(?:subcellular )?compartments?",
        ),
        _family(
            "anatomy",
            "tissue",
            "tissues",
            "AnatomicalEntity",
            r"tissues?|organs?|body parts?|anatom(?:y|ies)|anatomical (?:entit(?:y|ies)|"
            r"structures?|sites?|locations?)|brain regions?",
        ),
    )
}


def families_of(entity: Entity) -> tuple[str, ...]:
    """The slot families of an entity, the likeliest first.

    What the question's wording says ("biological process: vasoconstriction") comes before what the
    resolver found, then the most specific category, then the others.

    >>> families_of(Entity("KIT", 0, 3, "NCBIGene:3815", "KIT", ("biolink:Gene",), "exact"))
    ('gene',)
    """
    given = [entity.asked_as] if entity.asked_as else []
    ordered = [*given, *([biolink().most_specific(entity.categories)] if entity.categories else [])]
    found = dict.fromkeys(f for category in ordered for f in _families([category]))
    found |= dict.fromkeys(_families(entity.categories))
    if biolink().is_a(entity.categories, "biolink:Polypeptide") and "biolink:Gene" not in (
        entity.categories
    ):
        found.setdefault("chemical")  # a biological drug, typed as the protein it is
        found.setdefault("gene")
    return tuple(found) or ("thing",)


def _families(categories: Sequence[str]) -> list[str]:
    model = biolink()
    return [
        family for family, roots in SLOTS.items() if any(model.is_a(categories, r) for r in roots)
    ]


def categories_to_ask(entity: Entity) -> tuple[str, ...]:
    """The categories a query graph gives an entity's node.

    >>> drug = Entity("x", 0, 1, "CHEBI:5778", "x", ("biolink:SmallMolecule",), "exact")
    >>> categories_to_ask(drug)
    ('biolink:ChemicalEntity',)
    """
    model = biolink()
    fitting = [root for root in _ROOTS if model.is_a(entity.categories, root)]
    roots = [r for r in fitting if not any(o != r and r in _above(o) for o in fitting)]
    return tuple(roots) or entity.categories[:1] or ("biolink:NamedThing",)


def _above(category: str) -> tuple[str, ...]:
    return biolink().category_ancestors(category)


def categories_to_serve(categories: Sequence[str]) -> tuple[str, ...]:
    """Categories under which services may hold a given thing: asking one of them is worth it."""
    wider = dict.fromkeys(categories)
    for group in _TYPED_AS:
        if any(category in group for category in categories):
            wider |= dict.fromkeys(group)
    return tuple(wider)


def kind_word(entity: Entity) -> str:
    """What a person would call it: ``drug``, ``gene``, ``disease``, ...

    >>> kind_word(Entity("x", 0, 1, "MONDO:1", "x", ("biolink:Disease",), "exact"))
    'disease'
    """
    model = biolink()
    named = (entity.asked_as,) if entity.asked_as else ()
    for category, word in (
        ("biolink:Drug", "drug"),
        ("biolink:Pathway", "pathway"),
        ("biolink:Protein", "protein"),
        ("biolink:Gene", "gene"),
    ):
        if model.is_a(named, category):
            return word
    words = {"disease": "disease", "process": "process", "anatomy": "anatomical part"}
    family = families_of(entity)[0]
    if family == "chemical":
        return "drug" if model.is_a(entity.categories, "biolink:Drug") else "chemical"
    if family == "disease" and not model.is_a(entity.categories, "biolink:Disease"):
        return "disease" if model.is_a(named, "biolink:Disease") else "phenotype"
    if family == "process" and model.is_a(entity.categories, "biolink:Pathway"):
        return "pathway"
    return words.get(family, family)
