"""How far a treatment candidate has come for the question's disease.

An `in clinical trials for` never becomes `treats`: a candidate is established only where a curated
source asserts that it treats this disease, or an attribute says that it is approved for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from fedrag.datamodel import Edge, TreatmentStatus
from fedrag.evidence.attributes import (
    approval,
    highest_approval,
    is_stopped,
    phase,
    phase_words,
    trial_phase,
)
from fedrag.evidence.names import clean_name
from fedrag.evidence.phrases import predicate_name

__all__ = ["clinical_stage", "is_treatment", "treatment_claim", "treatment_status"]

_TREATS = frozenset({"treats", "treated_by"})
_TRIALS = frozenset({"in_clinical_trials_for", "tested_by_clinical_trials_of"})
_INVERSE = frozenset({"treated_by", "tested_by_clinical_trials_of", "treatment_applications_from"})
_APPLIED = frozenset({"applied_to_treat", "treatment_applications_from"})
_ANY_TREATMENT = (
    _TREATS
    | _TRIALS
    | _APPLIED
    | {
        "treats_or_applied_or_studied_to_treat",
        "subject_of_treatment_application_or_study_for_treatment_by",
        "ameliorates_condition",
        "condition_ameliorated_by",
        "studied_to_treat",
        "treated_in_studies_by",
    }
)
_STUDIED = frozenset(
    {
        "treats_or_applied_or_studied_to_treat",
        "subject_of_treatment_application_or_study_for_treatment_by",
        "studied_to_treat",
        "treated_in_studies_by",
    }
)
_PREVENTION = frozenset({"preventative_for_condition", "condition_prevented_by"})
_MANUAL = frozenset({"manual_agent", "manual_validation_of_automated_agent"})
_CURATED = _MANUAL | {"automated_agent"}
_STATED = frozenset({"knowledge_assertion", "observation", "not_provided"})


def treatment_status(
    here: Sequence[Edge], elsewhere: Sequence[Edge]
) -> tuple[TreatmentStatus, str | None]:
    """A candidate's status and what it rests on.

    :param here: its supporting edges to the question's diseases.
    :param elsewhere: its edges to other diseases.
    """
    approved = next((said for edge in here if (said := _approval(edge))), None)
    if approved:
        return "established", approved
    trials = [_trial(edge) for edge in here if _is_trial(edge)]
    if trials:
        return "in_trials", max(trials)[2]
    return _less(here, elsewhere)


def clinical_stage(edge: Edge) -> tuple[float, str]:
    """How far an edge to the disease says that the candidate has come, 0 to 1, and in words.

    1 is an approval for this condition that the source tells, 0.8 the curated assertion that it
    treats it; a trial counts a fifth for each phase, and nothing where the drug may only have
    accompanied it.
    """
    said = _approval(edge)
    if said:
        return (1.0 if approval(edge) else 0.8), said
    if not _is_trial(edge):
        return 0.0, ""
    tested, number, detail = _trial(edge)
    return (number / 5 if tested else 0.0), detail


def _is_trial(edge: Edge) -> bool:
    return (phase(edge) or 0.0) > 0 or predicate_name(edge.predicate) in _TRIALS


def _trial(edge: Edge) -> tuple[bool, float, str]:
    """(tested rather than accompanying, phase, words): the furthest sorts last."""
    tested, number = trial_phase(edge)
    words = phase_words(number) if number else "phase not stated"
    if is_stopped(edge):
        return False, number, f"{words}, discontinued"
    return tested, number, words if tested else f"{words}, perhaps not the tested drug"


def _approval(edge: Edge) -> str | None:
    """Why an edge to the disease means that the candidate is approved for it, None if not."""
    if approval(edge):
        return f"approved for {_condition(edge)} ({edge.primary_source})"
    if predicate_name(edge.predicate) not in _TREATS:
        return None
    if highest_approval(edge):
        return f"treats {_condition(edge)}, asserted by {edge.primary_source}, approved drug"
    if _is_assertion(edge):
        return f"treats {_condition(edge)}, asserted by {edge.primary_source}"
    return None


def _condition(edge: Edge) -> str:
    """The disease as it was found, which may be narrower than the one asked."""
    inverse = predicate_name(edge.predicate) in _INVERSE
    end = edge.subject if inverse else edge.object
    return clean_name(end.name, end.curie)


def _is_assertion(edge: Edge) -> bool:
    """Whether people stand behind a statement: they made it, or a database asserts it as known."""
    if edge.agent_type in _MANUAL:
        return edge.knowledge_level in _STATED
    return edge.agent_type == "automated_agent" and edge.knowledge_level == "knowledge_assertion"


def _less(here: Sequence[Edge], elsewhere: Iterable[Edge]) -> tuple[TreatmentStatus, str | None]:
    if any(predicate_name(edge.predicate) in _APPLIED and _is_curated(edge) for edge in here):
        return "other_diseases", "used for this disease, approval not stated"
    preventing = [edge for edge in here if _prevents(edge) and _is_curated(edge)]
    if preventing:
        names = {edge.primary_source.removeprefix("infores:") for edge in preventing}
        sources = ", ".join(sorted(names))
        return "other_diseases", f"stated to prevent this disease by {sources}, not to treat it"
    if any(_is_clinical(edge) for edge in elsewhere):
        return "other_diseases", None
    curated = [edge for edge in here if _is_curated(edge) and is_treatment(edge.predicate)]
    if curated:
        sources = ", ".join(sorted({edge.primary_source for edge in curated}))
        return "preclinical_or_text_mined", f"treatment or study stated by {sources}, no phase"
    return "preclinical_or_text_mined", None


def is_treatment(predicate: str) -> bool:
    """Whether a predicate is about use as a treatment, studied or established.

    >>> is_treatment("biolink:treats"), is_treatment("biolink:affects")
    (True, False)
    """
    return predicate_name(predicate) in _ANY_TREATMENT


def treatment_claim(edge: Edge) -> Literal["treats", "studied", "other"]:
    """What a statement about a drug and a disease claims of treatment.

    ``studied`` are trials, and predicates that leave open whether it was more than a study.

    >>> from fedrag.datamodel import EdgeNode
    >>> drug, disease = EdgeNode("CHEBI:1", "a drug"), EdgeNode("MONDO:1", "a disease")
    >>> treatment_claim(Edge("", drug, "biolink:in_clinical_trials_for", disease))
    'studied'
    """
    name = predicate_name(edge.predicate)
    if _approval(edge):
        return "treats"
    if _is_trial(edge) or name in _STUDIED:
        return "studied"
    return "treats" if name in _ANY_TREATMENT else "other"


def _prevents(edge: Edge) -> bool:
    """Whether a statement is of prevention, which Biolink files under treatment."""
    return predicate_name(edge.predicate) in _PREVENTION


def _is_curated(edge: Edge) -> bool:
    return edge.agent_type in _CURATED


def _is_clinical(edge: Edge) -> bool:
    """Whether an edge to another disease shows clinical use there."""
    if edge.negated or not is_treatment(edge.predicate):
        return False
    return _is_curated(edge) or (phase(edge) or 0) > 0 or highest_approval(edge) is not None
