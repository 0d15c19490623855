"""Kinds of things that questions ask for: nouns ("drug", "symptom") and what they mean.

Each has the categories that are asked for it. Drugs are asked as chemical entities: services type
few of them as drugs.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ANSWERS", "AnswerFamily"]


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
