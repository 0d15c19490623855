"""Questions to the stood-in annotated services alone, and which of them answers which."""

from __future__ import annotations

from typing import Any

import fedrag
from fedrag.datamodel import Answer, Edge
from fedrag.testing import Federation

TOKEN_NAME = "FEDRAG_ONCOKB_TOKEN"

TARGETS = "What are the targets of imatinib?"
DRUGS = "Which drugs treat chronic myeloid leukemia?"
GENE = (
    "Which gene plays the most significant mechanistic role in how imatinib treats "
    "chronic myeloid leukemia?"
)
PROCESS = (
    "Which biological process is involved in how the drug imatinib treats the disease "
    "chronic myeloid leukemia?"
)
DISEASES = "Which diseases is BRAF associated with?"
PARTNERS = "Which proteins interact with TP53?"
PATHWAYS = "Which pathways involve BRAF?"
PROCESSES = "Which biological processes is CDK2 involved in?"
TISSUES = "In which tissues is ALB expressed?"
SYMPTOMS = "What are the symptoms of pyruvate dehydrogenase E3 deficiency?"
PHENOTYPE = "Which genes cause arachnodactyly?"
TERMS = "What is the link between Golgi reassembly and Golgi inheritance?"
MINED = "What is the link between hydrocortisone and chronic fatigue syndrome?"
BOTH = "What is the link between BRCA1 and hereditary breast ovarian cancer syndrome?"
TRIAL = "What is the link between imatinib and systemic sclerosis?"
RISK = "Which diseases is rs429358 associated with?"
THERAPIES = "What are the therapies for BRAF V600E in melanoma?"

# A question that each service has a part in, of one hop wherever there is one.
QUESTION_OF = {
    "chembl": TARGETS,
    "mychem": TARGETS,
    "ctd": TARGETS,
    "opentargets": TARGETS,
    "dgidb": TARGETS,
    "ttd": TARGETS,
    "civic": DISEASES,
    "diseases": DISEASES,
    "string": PARTNERS,
    "quickgo": PATHWAYS,
    "reactome": PATHWAYS,
    "mygene-cpdb": PATHWAYS,
    "mygene": PROCESSES,
    "hpa": TISSUES,
    "mydisease": SYMPTOMS,
    "hpo": PHENOTYPE,
    "go": TERMS,
    "pubtator3": MINED,
    "myvariant": RISK,
    "oncokb": THERAPIES,
    "gprofiler": PROCESS,
}


class Asker:
    """Asks a federation without its TRAPI services, each question once while all are healthy."""

    def __init__(self, federation: Federation) -> None:
        self.federation = federation
        self._healthy: dict[str, Answer] = {}

    def anew(self, question: str, **options: Any) -> Answer:
        """The answer as things are now."""
        options.setdefault("services", self.federation.service_configs())
        options.setdefault("cache", False)
        return fedrag.ask(question, exclude=tuple(self.federation.trapi), **options)

    def healthy(self, question: str) -> Answer:
        """The answer while every service is well."""
        if question not in self._healthy:
            self.federation.heal()
            self._healthy[question] = self.anew(question)
        return self._healthy[question]


def contributors(answer: Answer) -> set[str]:
    """The services that gave an edge."""
    return {service for edge in answer.edges for service in edge.answered_by}


def without(answer: Answer, service: str) -> set[str]:
    """The edges that something else than one service told."""
    return {edge.id for edge in answer.edges if set(edge.answered_by) - {service}}


def edges_between(answer: Answer, subject: str, predicate: str, object_: str) -> list[Edge]:
    """The statements of one kind about two names."""
    return [
        edge
        for edge in answer.edges
        if (edge.subject.name, edge.predicate, edge.object.name)
        == (subject, f"biolink:{predicate}", object_)
    ]
