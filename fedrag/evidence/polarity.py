"""Whether a statement supports an answer or speaks against it. Harm is not support.

In a treatment question, what says that a drug harms (contraindicated, causes, adverse event,
resistance, ...) and what is negated never supports it: between candidate and disease, and between
the two things of "does X treat Y?", it is evidence against. Where one response to a drug is asked
for, the other speaks against it. Elsewhere a cause is what was asked for, and only negation speaks
against.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from fedrag.datamodel import Edge, EdgeNode, Polarity, QueryPlan
from fedrag.evidence.clinical import is_ill_response, is_response, response_of
from fedrag.evidence.phrases import predicate_name
from fedrag.evidence.qualifiers import read_qualifiers
from fedrag.evidence.scope import Scope

__all__ = ["Judgement", "is_negative", "judge", "polarity"]

# Harm wherever it stands between a candidate and what the question gives.
_HARM_TO_ANY = frozenset(
    {
        "contraindicated_in",
        "contraindicated_for",
        "has_contraindication",
        "associated_with_resistance_to",
        "resistance_associated_with",
        "decreases_sensitivity_to",
        "sensitivity_decreased_by",
        "decreases_response_to",
        "response_decreased_by",
        "exacerbates",
        "exacerbates_condition",
        "condition_exacerbated_by",
        "has_adverse_event",
        "adverse_event_of",
        "causes_adverse_event",
        "adverse_event_caused_by",
        "has_side_effect",
        "is_side_effect_of",
    }
)
# Harm when it befalls a disease or phenotype: causing apoptosis may be how a drug works.
_HARM_TO_DISEASE = frozenset(
    {
        "causes",
        "caused_by",
        "contributes_to",
        "contribution_from",
        "promotes_condition",
        "condition_promoted_by",
        "predisposes",
        "predisposes_to_condition",
        "condition_predisposed_by",
        "worsens",
        "worsened_by",
        "increases_risk_of",
        "associated_with_increased_likelihood_of",
        "increased_likelihood_associated_with",
        "associated_with_increased_risk_for",
    }
)
# What an effect on a disease means depends on its direction.
_BY_DIRECTION = frozenset(
    {
        "affects",
        "affected_by",
        "regulates",
        "regulated_by",
        "causes",
        "caused_by",
        "contributes_to",
        "contribution_from",
        "affects_likelihood_of",
        "likelihood_affected_by",
        "associated_with_likelihood_of",
        "likelihood_associated_with",
        "affects_risk_for",
        "associated_with_risk_for",
    }
)
_UP = frozenset({"increased", "upregulated"})
_DOWN = frozenset({"decreased", "downregulated"})
_EXCLUDED = frozenset({"HP:0040285", "excluded"})  # HPO frequency: present in 0 %


class Judgement(NamedTuple):
    """A polarity, and whether the statement may be a link on a path to an answer."""

    polarity: Polarity
    links: bool


def polarity(edge: Edge, plan: QueryPlan) -> Polarity:
    """Support, against, or context (it touches neither a candidate nor what was given).

    >>> from fedrag.datamodel import QueryNode
    >>> plan = QueryPlan("t", "", "list", (QueryNode("disease", ("biolink:Disease",), ("MONDO:1",)),
    ...     QueryNode("drug", ("biolink:Drug",))), (), "drug", ("biolink:Drug",), treatment=True)
    >>> drug = EdgeNode("CHEBI:1", "a drug", ("biolink:Drug",))
    >>> disease = EdgeNode("MONDO:1", "a disease", ("biolink:Disease",))
    >>> polarity(Edge("", drug, "biolink:treats", disease), plan)
    'support'
    >>> polarity(Edge("", drug, "biolink:contraindicated_in", disease), plan)
    'against'
    """
    return judge(edge, Scope.of(plan)).polarity


def judge(edge: Edge, scope: Scope) -> Judgement:
    """:func:`polarity` within a scope that knows the given entities' other identifiers."""
    harm_to_any, harm_to_disease, negative = _nature(edge.predicate, edge.qualifiers, edge.negated)
    harm_to_any = harm_to_any or is_ill_response(edge)
    ends = (edge.subject, edge.object)
    at = (scope.given_at(edge.subject), scope.given_at(edge.object))
    touches = any(
        known is not None or scope.fits(end.categories) for known, end in zip(at, ends, strict=True)
    )
    if scope.plan.kind == "relation" and scope.plan.treatment and scope.treated_pair(edge):
        return _of_pair(harm_to_any or harm_to_disease, negative)
    if scope.plan.response and is_response(edge):
        direct = _is_direct(ends, at, scope)
        judged = _of_response(response_of(edge), scope.plan.response, negative, direct)
        if judged.polarity == "against" and any(map(_is_in_combination, ends)):
            return Judgement("context", False)  # what a combination does denies nothing of a part
        return judged
    if not scope.treats:
        polarity: Polarity = "against" if negative and touches else "support"
        return Judgement(polarity if touches else "context", not negative)
    direct = _is_direct(ends, at, scope)
    harm = harm_to_any or (harm_to_disease and any(scope.is_disease(end) for end in ends))
    if negative:
        return Judgement("context" if harm or not direct else "against", False)
    if harm and _is_of_candidate(ends, at, scope):
        return Judgement("against" if direct else "context", False)
    return Judgement("support" if touches else "context", True)


def _of_pair(harm: bool, negative: bool) -> Judgement:
    """What joins the drug and the disease of "does X treat Y?" speaks for it or against it."""
    if negative:
        return Judgement("context" if harm else "against", False)
    return Judgement("against" if harm else "support", not harm)


def _of_response(told: str, asked: str, negative: bool, direct: bool) -> Judgement:
    """Asked for one response to a drug: what tells of the other, or denies this, is against.

    A response of which it is not told whether the drug works or fails speaks for neither.
    """
    if not direct or not told:
        return Judgement("context", False)
    wanted = told == asked
    if wanted == negative:  # the one that is asked for denied, or the other one told
        return Judgement("against", False)
    return Judgement("support" if wanted else "context", wanted)


def _is_in_combination(end: EdgeNode) -> bool:
    """Whether an end is a combination that was found because one of its parts was asked for."""
    return end.asked is not None and "+" in end.curie and end.asked != end.curie


def is_negative(edge: Edge) -> bool:
    """Whether the statement denies what its predicate says."""
    return _nature(edge.predicate, edge.qualifiers, edge.negated)[2]


def _is_direct(
    ends: tuple[EdgeNode, EdgeNode], at: tuple[str | None, str | None], scope: Scope
) -> bool:
    """Whether the edge joins a possible candidate and a given entity."""
    return any(
        at[here] is not None and at[there] is None and scope.fits(ends[there].categories)
        for here, there in ((0, 1), (1, 0))
    )


def _is_of_candidate(
    ends: tuple[EdgeNode, EdgeNode], at: tuple[str | None, str | None], scope: Scope
) -> bool:
    """Whether a harm is the doing of something that may answer ("gene causes disease" is not)."""
    return any(
        known is None and scope.fits(end.categories) for end, known in zip(ends, at, strict=True)
    )


@lru_cache(maxsize=8192)
def _nature(
    predicate: str, qualifiers: tuple[tuple[str, str], ...], negated: bool
) -> tuple[bool, bool, bool]:
    """(harm to anything, harm if a disease is an end, negative) of a kind of statement."""
    found = read_qualifiers(qualifiers)
    names = {predicate_name(predicate), predicate_name(found.get("qualified_predicate", ""))}
    direction = {found.get(f"{side}_direction_qualifier", "") for side in ("subject", "object")}
    raises, lowers = bool(direction & _UP), bool(direction & _DOWN)
    to_disease = bool(names & _HARM_TO_DISEASE)
    if names & _BY_DIRECTION and (raises or lowers):
        to_disease = raises and not lowers
    to_any = bool(names & _HARM_TO_ANY)
    if found.get("response_context_qualifier") == "negative":
        to_any = True
    negative = negated or found.get("frequency_qualifier", "") in _EXCLUDED
    return to_any, to_disease, negative
