"""How much one statement weighs: how specific it is, how it is known, and who says so.

Used to choose and cap what is asked onwards, and by the ranking. A weight lies above 0 and at most
at 1; it orders statements and is not a probability. The scales follow the order of Biolink's
knowledge levels and agent types, from curated assertions down to co-occurrence in text.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.datamodel import Edge

__all__ = ["ONWARD", "combined", "edge_weight", "specificity", "statement_weight"]

_KNOWLEDGE = {
    "knowledge_assertion": 1.0,
    "logical_entailment": 0.9,
    "observation": 0.8,
    "statistical_association": 0.5,
    "prediction": 0.4,
    "text_co_occurrence": 0.25,
    "not_provided": 0.6,
}
_AGENT = {
    "manual_agent": 1.0,
    "manual_validation_of_automated_agent": 0.95,
    "automated_agent": 0.8,
    "data_analysis_pipeline": 0.7,
    "image_processing_agent": 0.6,
    "computational_model": 0.6,
    "text_mining_agent": 0.5,
    "not_provided": 0.7,
}
# What a predicate says of mechanism or treatment; a predicate without an entry has that of its
# nearest ancestor, raised a little for being more specific.
_SPECIFICITY = {
    "related_to": 0.15,
    "related_to_at_concept_level": 0.15,
    "related_to_at_instance_level": 0.2,
    "subclass_of": 0.2,
    "superclass_of": 0.2,
    "close_match": 0.1,
    "similar_to": 0.25,
    "mentions": 0.1,
    "mentioned_by": 0.1,
    "associated_with": 0.4,
    "associated_with_likelihood_of": 0.5,
    "likelihood_associated_with": 0.5,
    "genetically_associated_with": 0.5,
    "gene_associated_with_condition": 0.6,
    "condition_associated_with_gene": 0.6,
    "correlated_with": 0.3,
    "occurs_together_in_literature_with": 0.15,
    "coexists_with": 0.3,
    "interacts_with": 0.45,
    "physically_interacts_with": 0.55,
    "directly_physically_interacts_with": 0.7,
    "affects": 0.6,
    "affected_by": 0.6,
    "regulates": 0.75,
    "regulated_by": 0.75,
    "contributes_to": 0.7,
    "contribution_from": 0.7,
    "causes": 0.9,
    "caused_by": 0.9,
    "target_for": 0.9,
    "has_target": 0.9,
    "treats_or_applied_or_studied_to_treat": 0.6,
    "subject_of_treatment_application_or_study_for_treatment_by": 0.6,
    "applied_to_treat": 0.7,
    "treatment_applications_from": 0.7,
    "studied_to_treat": 0.5,
    "treated_in_studies_by": 0.5,
    "in_clinical_trials_for": 0.65,
    "tested_by_clinical_trials_of": 0.65,
    "in_preclinical_trials_for": 0.45,
    "tested_by_preclinical_trials_of": 0.45,
    "treats": 1.0,
    "treated_by": 1.0,
    "ameliorates_condition": 0.85,
    "condition_ameliorated_by": 0.85,
    "affects_likelihood_of": 0.65,
    "likelihood_affected_by": 0.65,
    "has_phenotype": 0.8,
    "phenotype_of": 0.8,
    "has_adverse_event": 0.8,
    "adverse_event_of": 0.8,
    "has_side_effect": 0.85,
    "is_side_effect_of": 0.85,
    "contraindicated_in": 0.9,
    "has_contraindication": 0.9,
    "has_participant": 0.55,
    "participates_in": 0.55,
    "located_in": 0.3,
    "location_of": 0.3,
    "overlaps": 0.35,
}
# Onwards from what was found only statements are asked that weigh as much: associations,
# predictions and text mining are asked of what the question names alone.
ONWARD = 0.25
_STEP = 0.05  # for each step below the ancestor that has an entry
_UNKNOWN = 0.25


def edge_weight(edge: Edge) -> float:
    """Specificity of the statement × knowledge level × agent type, in (0, 1].

    >>> from fedrag.datamodel import EdgeNode
    >>> drug = EdgeNode("CHEBI:45783", "imatinib")
    >>> disease = EdgeNode("MONDO:0016586", "systemic mastocytosis")
    >>> edge_weight(Edge("", drug, "biolink:treats", disease,
    ...     knowledge_level="knowledge_assertion", agent_type="manual_agent"))
    1.0
    """
    return statement_weight(edge.predicate, edge.qualifiers, edge.knowledge_level, edge.agent_type)


def statement_weight(
    predicate: str, qualifiers: Iterable[tuple[str, str]], knowledge_level: str, agent_type: str
) -> float:
    """The same for a kind of statement, before any is asked for.

    >>> statement_weight("biolink:treats", (), "prediction", "computational_model")
    0.24
    """
    kinds = frozenset(kind for kind, _ in qualifiers)
    return _weight(predicate, kinds, knowledge_level, agent_type)


@lru_cache(maxsize=8192)
def _weight(predicate: str, kinds: frozenset[str], knowledge: str, agent: str) -> float:
    return (
        specificity(predicate, kinds)
        * _KNOWLEDGE.get(knowledge, _KNOWLEDGE["not_provided"])
        * _AGENT.get(agent, _AGENT["not_provided"])
    )


@lru_cache(maxsize=4096)
def specificity(predicate: str, qualifier_types: frozenset[str] = frozenset()) -> float:
    """How much a predicate says, in (0, 1]; a direction and an aspect say more.

    >>> specificity("biolink:affects") < specificity("biolink:affects", frozenset(
    ...     {"biolink:object_direction_qualifier"})) < specificity("biolink:treats")
    True
    >>> specificity("biolink:positively_correlated_with") < specificity("biolink:causes")
    True
    """
    said = _base(predicate)
    kinds = {kind.removeprefix("biolink:") for kind in qualifier_types}
    if any(kind.endswith(("direction_qualifier", "modifier_qualifier")) for kind in kinds):
        said += (1 - said) * 0.5
    if any(kind.endswith(("aspect_qualifier", "mechanism_qualifier")) for kind in kinds):
        said += (1 - said) * 0.4
    return said


def _base(predicate: str) -> float:
    name = predicate.removeprefix("biolink:")
    if name in _SPECIFICITY:
        return _SPECIFICITY[name]
    index = biolink()
    depth = index.depth(predicate) if index.is_predicate(predicate) else 0
    known = [
        (index.depth(ancestor), _SPECIFICITY[ancestor.removeprefix("biolink:")])
        for ancestor in index.predicate_ancestors(predicate)
        if ancestor.removeprefix("biolink:") in _SPECIFICITY
    ]
    if not known or not depth:
        return _UNKNOWN
    nearest, said = max(known)
    return min(0.95, said + _STEP * (depth - nearest))


def combined(weights: Iterable[float]) -> float:
    """Several weights as one, with diminishing returns: at least the best, never above 1.

    The best counts whole; the i-th of what follows closes 2⁻ⁱ of its weight of what is missing
    to 1, so that many weak statements do not outweigh a strong one.

    >>> combined([0.5]), combined([0.5, 0.5]), combined([])
    (0.5, 0.625, 0.0)
    """
    total, share = 0.0, 1.0
    for weight in sorted(weights, reverse=True):
        total += (1 - total) * weight * share
        share /= 2
    return total
