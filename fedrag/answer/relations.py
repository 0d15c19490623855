"""What an edge may be said to say: its direction, and which kinds of wording it carries.

A wording may be weaker than its edge ("is linked to" for ``treats``), never stronger: an edge "in
clinical trials for" does not carry "treats", an association does not carry "causes", and an edge
that tells of harm carries no benefit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fedrag.answer.draft import node_ids
from fedrag.answer.words import Cue, word_of, wordset
from fedrag.biolink import biolink
from fedrag.datamodel import Edge

__all__ = [
    "Relation",
    "carries",
    "edge_sign",
    "is_harm",
    "is_symmetric",
    "mismatch",
    "speaks_of_loss",
    "subject_sign",
]

_UP = ("increased", "upregulated")
_DOWN = ("decreased", "downregulated")
_UP_MECHANISMS = ("activation", "agonism", "induction", "stimulation", "potentiation", "opening")
_DOWN_MECHANISMS = ("inhibition", "antagonism", "blockage", "suppression", "inverse_agonism")
_LOSS_WORDS = re.compile(
    r"\b(?:degradation|breakdown|cleavage|proteolysis|hydrolysis|ubiquitination)\b", re.IGNORECASE
)
_LOSSES = wordset("degradation cleavage hydrolysis ubiquitination")
_TREATS = frozenset({"treats"})
_APPLIED = frozenset({"applied_to_treat", "treats_or_applied_or_studied_to_treat"})
_TRIALS = wordset("in_clinical_trials_for studied_to_treat in_preclinical_trials_for tested_in")
_CAUSES = wordset("causes contributes_to exacerbates_condition exacerbates causes_adverse_event")
_CONTRIBUTES = _CAUSES | {"predisposes_to_condition", "predisposes"}
_HARM = _CONTRIBUTES | wordset(
    """contraindicated_in contraindicated_for has_contraindication has_adverse_event has_side_effect
    adverse_event_of side_effect_of associated_with_resistance_to resistance_associated_with
    associated_with_increased_likelihood_of affects_risk_for is_side_effect_of
    associated_with_increased_risk_for"""
)
_BENEFIT = _TREATS | {"ameliorates_condition", "ameliorates", "beneficial_in_models_for"}
_PREVENT = frozenset({"preventative_for_condition", "prevents"})
_ACTS = (
    "affects",
    "regulates",
    "interacts",
    "target",
    "binds",
    "disrupts",
    "modulates",
    "response",
)


@dataclass(frozen=True, slots=True)
class Relation:
    """Something a claim or a text says of two things (each given by the identifiers it may be)."""

    subject: frozenset[str]
    object: frozenset[str]
    sign: int = 0
    subject_sign: int = 0
    kinds: tuple[str, ...] = ()
    negated: bool = False
    either_way: bool = False  # the wording leaves open who acts
    wording: str = ""
    of_loss: bool = False  # it is the degradation of the object that rises or falls


def speaks_of_loss(words: str) -> bool:
    """Whether words name a loss of what they are about ("increases degradation of").

    >>> speaks_of_loss("increases degradation of"), speaks_of_loss("increases expression of")
    (True, False)
    """
    return _LOSS_WORDS.search(words) is not None


def local(predicate: str) -> str:
    """The predicate without its prefix."""
    return predicate.removeprefix("biolink:")


def is_symmetric(predicate: str) -> bool:
    """Whether Biolink calls the predicate symmetric.

    >>> is_symmetric("biolink:interacts_with"), is_symmetric("biolink:treats")
    (True, False)
    """
    return biolink().symmetric(predicate)


def _qualifier(edge: Edge, kind: str) -> str:
    return next((v for t, v in edge.qualifiers if local(t) == kind), "")


def _sign_of(value: str, up: tuple[str, ...], down: tuple[str, ...]) -> int:
    value = value.lower().replace(" ", "_")
    return 1 if value.startswith(up) else -1 if value.startswith(down) else 0


def edge_sign(edge: Edge) -> int:
    """+1 when the edge says that its object increases, -1 when it decreases, else 0.

    That its degradation, or another loss of it, increases is neither.
    """
    return 0 if _loss(edge) else _told_sign(edge)


def _loss(edge: Edge) -> str:
    """The aspect of the object that an edge is about, where more of it is less of the object."""
    aspect = _qualifier(edge, "object_aspect_qualifier").lower().replace(" ", "_")
    return aspect if aspect in _LOSSES else ""


def _told_sign(edge: Edge) -> int:
    if sign := _sign_of(_qualifier(edge, "object_direction_qualifier"), _UP, _DOWN):
        return sign
    mechanism = _qualifier(edge, "causal_mechanism_qualifier")
    if sign := _sign_of(mechanism.removeprefix("partial_"), _UP_MECHANISMS, _DOWN_MECHANISMS):
        return sign
    name = local(edge.predicate)
    if name.startswith(("increases", "activates", "exacerbates", "promotes")) or "positive" in name:
        return 1
    falls = ("decreases", "inhibits", "ameliorates", "disrupts", "prevent", "downregulates")
    return -1 if name.startswith(falls) or "negative" in name else 0


def subject_sign(edge: Edge) -> int:
    """The same for the edge's subject ("decreased A increases B")."""
    return _sign_of(_qualifier(edge, "subject_direction_qualifier"), _UP, _DOWN)


def is_harm(edge: Edge) -> bool:
    """Whether the edge tells of harm: a cause, a worsening, a contraindication, a side effect."""
    return local(edge.predicate) in _HARM


def carries(edge: Edge, kinds: tuple[str, ...]) -> bool:
    """Whether the edge is strong enough, and of the right sort, for these kinds of wording."""
    hedged = "hedge" in kinds
    return all(_carries(edge, kind, hedged) for kind in kinds)


def _carries(edge: Edge, kind: str, hedged: bool) -> bool:
    name = local(edge.predicate)
    if kind in ("treat", "hedge"):
        return name in (_TREATS | _APPLIED | _TRIALS if hedged else _TREATS)
    if kind == "cure":
        return False  # no Biolink predicate says so much
    if kind == "applied":
        return name in _TREATS or name == "applied_to_treat" or (hedged and name in _APPLIED)
    if kind == "benefit":
        return name in _BENEFIT
    if kind == "prevent":
        return name in _PREVENT or (edge_sign(edge) < 0 and not is_harm(edge))
    if kind == "harm":
        return name in _HARM or "resistance" in name
    if kind in ("cause", "contribute"):
        family = _CAUSES if kind == "cause" else _CONTRIBUTES
        return name in family or _acts(edge, directed=True)
    if kind in ("bind", "regulate"):
        return _acts(edge, directed=False)
    return True  # "sign" is compared as a sign; "link" is weaker than any edge


def _acts(edge: Edge, *, directed: bool) -> bool:
    name = local(edge.predicate)
    if name in _HARM or name in _TREATS | _APPLIED | _TRIALS or "correlated" in name:
        return False
    return (
        edge_sign(edge) != 0 if directed else edge_sign(edge) != 0 or any(a in name for a in _ACTS)
    )


def kinds_of(found: tuple[Cue, ...]) -> tuple[str, ...]:
    """The kinds of the cues, each once, in order."""
    return tuple(dict.fromkeys(c.kind for c in found))


def mismatch(relation: Relation, edges: tuple[Edge, ...]) -> str | None:
    """Why none of the edges says the relation, or ``None`` when one does.

    The reason is that of the edge which came closest: ends, then direction of the edge, then
    negation, then increase or decrease, then strength.
    """
    ends = [(e, way) for e in edges if (way := _way(relation, e)) is not None]
    if not ends:
        return "no cited edge joins the two"
    right = [e for e, forward in ends if forward or relation.either_way or _turns(relation, e)]
    if not right:
        edge = ends[0][0]
        return f"the cited edge runs the other way: {edge.subject.name} to {edge.object.name}"
    agreeing = [e for e in right if e.negated == relation.negated]
    if not agreeing:
        return "the cited edge is negated" if right[0].negated else "the cited edge is not negated"
    signed = [e for e in agreeing if _signs_agree(relation, e)]
    if not signed:
        return f"it says {_said(relation)}, the cited edge {_told(agreeing[0])}"
    if not any(carries(e, relation.kinds) and not _too_weak(e, relation) for e in signed):
        return f"{relation.wording.strip()!r} is not what the cited edge says ({_plain(signed[0])})"
    return None


def _too_weak(edge: Edge, relation: Relation) -> bool:
    """Whether the edge only correlates, and the wording says that something acts."""
    loose = re.search(r"correlat|associat|link|relat|connect", relation.wording, re.IGNORECASE)
    return "correlated" in local(edge.predicate) and not loose and set(relation.kinds) != {"link"}


def _way(relation: Relation, edge: Edge) -> bool | None:
    """True along the edge, False against it, None when the ends differ."""
    subject, object_ = node_ids(edge.subject), node_ids(edge.object)
    if relation.subject & subject and relation.object & object_:
        return True
    return False if relation.subject & object_ and relation.object & subject else None


def _turns(relation: Relation, edge: Edge) -> bool:
    return is_symmetric(edge.predicate) or (
        bool(relation.kinds) and set(relation.kinds) == {"link"}
    )


def _signs_agree(relation: Relation, edge: Edge) -> bool:
    if relation.sign:
        same = relation.of_loss == bool(_loss(edge))
        if not same or relation.sign != _told_sign(edge):
            return False
    return not relation.subject_sign or relation.subject_sign == subject_sign(edge)


def _said(relation: Relation) -> str:
    return (
        word_of(relation.sign) if relation.sign else f"the subject {word_of(relation.subject_sign)}"
    )


def _told(edge: Edge) -> str:
    loss = _loss(edge)
    return (
        f"{word_of(_told_sign(edge))} {loss.replace('_', ' ')}"
        if loss
        else word_of(edge_sign(edge))
    )


def _plain(edge: Edge) -> str:
    return local(edge.predicate).replace("_", " ")
