"""One table: DrugMechDB's 67 relation names, as Biolink 4 says the same.

A statement is stored with the canonical Biolink predicate, so a name whose Biolink form is the
inverse of a canonical predicate ("participates in", "caused by") swaps the two ends. Changes of an
aspect follow Biolink 4: ``biolink:affects`` qualified by ``causes``, an aspect and a direction.

Biolink keeps ``regulates`` for evolved control, and says that exogenous chemicals *affect*: the
three regulation names therefore read ``affects`` when a chemical is the subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fedrag.errors import ConfigError

__all__ = ["RELATIONS", "Qualifiers", "Relation", "relation"]

Qualifiers = tuple[tuple[str, str], ...]

_ASPECT = "biolink:object_aspect_qualifier"
_DIRECTION = "biolink:object_direction_qualifier"
_QUALIFIED = "biolink:qualified_predicate"


@dataclass(frozen=True, slots=True)
class Relation:
    """What one DrugMechDB relation name means.

    ``swap``: the record's target is the subject. ``chemical``: predicate and qualifiers to use
    instead when the record's source is a chemical.
    """

    predicate: str
    qualifiers: Qualifiers = ()
    swap: bool = False
    chemical: tuple[str, Qualifiers] | None = None

    def reading(self, *, chemical_source: bool) -> tuple[str, Qualifiers]:
        """Predicate and qualifiers of a link whose source is (not) a chemical."""
        if chemical_source and self.chemical is not None:
            return self.chemical
        return self.predicate, self.qualifiers


def _plain(predicate: str) -> Relation:
    return Relation(f"biolink:{predicate}")


def _swapped(predicate: str) -> Relation:
    return Relation(f"biolink:{predicate}", swap=True)


def _causes(direction: str, aspect: str | None = None) -> Qualifiers:
    aspects = ((_ASPECT, aspect),) if aspect else ()
    return ((_QUALIFIED, "biolink:causes"), *aspects, (_DIRECTION, direction))


def _changes(direction: str, aspect: str) -> Relation:
    return Relation("biolink:affects", _causes(direction, aspect))


def _regulates(regulated: str | None, changed: str | None) -> Relation:
    qualifiers = ((_DIRECTION, regulated),) if regulated else ()
    chemical = _causes(changed) if changed else ()
    return Relation("biolink:regulates", qualifiers, chemical=("biolink:affects", chemical))


RELATIONS: Mapping[str, Relation] = MappingProxyType(
    {
        # control and change of an aspect
        "positively regulates": _regulates("upregulated", "increased"),
        "negatively regulates": _regulates("downregulated", "decreased"),
        "regulates": _regulates(None, None),
        "increases activity of": _changes("increased", "activity"),
        "decreases activity of": _changes("decreased", "activity"),
        "increases abundance of": _changes("increased", "abundance"),
        "decreases abundance of": _changes("decreased", "abundance"),
        "increases expression of": _changes("increased", "expression"),
        "decreases expression of": _changes("decreased", "expression"),
        "decreases synthesis of": _changes("decreased", "synthesis"),
        "increases degradation of": _changes("increased", "degradation"),
        "increases stability of": _changes("increased", "stability"),
        "increases transport of": _changes("increased", "transport"),
        "decreases uptake of": _changes("decreased", "uptake"),
        "affected by": _swapped("affects"),
        "disrupts": _plain("disrupts"),
        "disrupted by": _swapped("disrupts"),
        # Biolink 4 has no "response to": CTD's affects_response_to is its affects_sensitivity_to
        "increases response to": _plain("increases_sensitivity_to"),
        "decreases response to": _plain("decreases_sensitivity_to"),
        # cause and correlation
        "causes": _plain("causes"),
        "caused by": _swapped("causes"),
        "contributes to": _plain("contributes_to"),
        "affects risk for": _plain("affects_likelihood_of"),
        "predisposes": _plain("predisposes_to_condition"),
        "correlated with": _plain("correlated_with"),
        "positively correlated with": _plain("positively_correlated_with"),
        "negatively correlated with": _plain("negatively_correlated_with"),
        "precedes": _plain("precedes"),
        "coexists with": _plain("coexists_with"),
        # conditions
        "treats": _plain("treats"),
        "prevents": _plain("preventative_for_condition"),
        "ameliorates": _plain("ameliorates_condition"),
        "exacerbates": _plain("exacerbates_condition"),
        "contraindicated for": _plain("contraindicated_in"),
        "has phenotype": _plain("has_phenotype"),
        "phenotype of": _swapped("has_phenotype"),
        "manifestation of": _plain("manifestation_of"),
        # interaction (Biolink 4 dropped "molecularly interacts with")
        "interacts with": _plain("interacts_with"),
        "physically interacts with": _plain("physically_interacts_with"),
        "molecularly interacts with": _plain("physically_interacts_with"),
        "directly interacts with": _plain("directly_physically_interacts_with"),
        "in complex with": _plain("in_complex_with"),
        # processes and places
        "participates in": _swapped("has_participant"),
        "has participant": _plain("has_participant"),
        "actively involved in": _plain("actively_involved_in"),
        "capable of": _plain("capable_of"),
        "enables": _plain("enables"),
        "has output": _plain("has_output"),
        "occurs in": _plain("occurs_in"),
        "located in": _plain("located_in"),
        "location of": _swapped("located_in"),
        "expressed in": _plain("expressed_in"),
        "expresses": _swapped("expressed_in"),
        "in taxon": _plain("in_taxon"),
        # substances, parts and kinds
        "produces": _plain("produces"),
        "produced by": _swapped("produces"),
        "has metabolite": _plain("has_metabolite"),
        "is metabolite of": _swapped("has_metabolite"),
        "derives from": _plain("derives_from"),
        "derives into": _swapped("derives_from"),
        "has active ingredient": _plain("has_active_ingredient"),
        "has part": _plain("has_part"),
        "part of": _swapped("has_part"),
        "subclass of": _plain("subclass_of"),
        "superclass of": _swapped("subclass_of"),
        "similar to": _plain("similar_to"),
        "chemically similar to": _plain("chemically_similar_to"),
    }
)


def relation(name: str, *, record: str = "") -> Relation:
    """The reading of a DrugMechDB relation name.

    :param record: the record it stands in, for the message.
    :raises ConfigError: a name the table lacks; nothing is guessed.

    >>> relation("participates in")
    Relation(predicate='biolink:has_participant', qualifiers=(), swap=True, chemical=None)
    """
    try:
        return RELATIONS[name]
    except KeyError:
        where = f" in record {record}" if record else ""
        raise ConfigError(
            f"the DrugMechDB relation {name!r}{where} has no Biolink reading",
            hint="add it to RELATIONS in fedrag/testing/relations.py",
        ) from None
