"""What was returned between the given entities themselves: for a treatment, studied, against it.

Harm and trials never support that a drug treats a disease: harm speaks against it, a trial is told
as a trial.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fedrag.answer.draft import Material
from fedrag.answer.in_place import asked_names, is_of_gene, of_gene
from fedrag.answer.wording import cited, joined, marks, status_text, text_mined
from fedrag.biolink import biolink
from fedrag.datamodel import Entity, Evidence, Sentence
from fedrag.evidence.contexts import holds_elsewhere
from fedrag.evidence.phrases import predicate_name
from fedrag.evidence.scope import Scope
from fedrag.evidence.status import treatment_claim, treatment_status

__all__ = ["against_pair", "direct_items", "is_against", "treatment_lines"]

_SENSITIVE = frozenset({"associated_with_sensitivity_to", "sensitivity_associated_with"})
_TOLD = 3  # statements of one side told in full
# What a side is called where its statements are of a gene, in place of the variant asked about.
_OF_GENE = {
    "Supported as a response": "A response",
    "Evidence against": "Evidence against a response",
    "Other direct relations": "Other direct relations",
}


def direct_items(material: Material) -> list[Evidence]:
    """The evidence on the page that joins two entities of the question."""
    count = range(len(material.entities))

    def joins(item: Evidence) -> bool:
        return any(sum(material.touches(edge, i) for i in count) > 1 for edge in item.edges)

    return [item for item in material.evidence if item.key and joins(item)]


def is_against(item: Evidence) -> bool:
    """Whether a statement denies the relation, or tells of harm where a treatment is asked.

    That a harm is denied is neither.
    """
    return item.polarity == "against"


def against_pair(material: Material) -> list[Sentence]:
    """What speaks against the relation asked about."""
    against = [i for i in direct_items(material) if is_against(i)]
    return _placed(material, "Evidence against", against)


def treatment_lines(material: Material, direct: Sequence[Evidence]) -> list[Sentence]:
    """What supports that the drug treats the disease, its status, trials, and what is against."""
    elsewhere = {i.key for i in direct if _holds_elsewhere(material, i)}
    here = [i for i in direct if i.key not in elsewhere]
    claims = {i.key: _claim(i) for i in here if not is_against(i)}

    def claiming(claim: str) -> list[Evidence]:
        return [i for i in direct if claims.get(i.key) == claim]

    yes, studied, responding = claiming("treats"), claiming("studied"), claiming("responds")
    lines = [
        *_placed(material, "Supported as a response", responding),
        *_said(_support_label(yes), yes, _status([*yes, *studied])),
        *_said("Trials or studies, which are not yet a treatment", studied, _status(studied, yes)),
        *_placed(material, "Evidence against", [i for i in here if is_against(i)]),
        *_placed(material, "Other direct relations", claiming("other")),
        *_said(f"Told of other diseases, not of {_diseases(material)}", _only(direct, elsewhere)),
    ]
    told = yes or (responding and not material.plan.in_place)
    return lines if told else _without_support(material, lines)


def _placed(material: Material, label: str, items: Sequence[Evidence]) -> list[Sentence]:
    """One sentence for a side; what is of a gene in place of its variant is told apart, as that."""
    scope = Scope.of(material.plan, material.entities)
    genes = [i for i in items if is_of_gene(i, material.plan, scope)]
    others = [i for i in items if i not in genes]
    of = f"{_OF_GENE[label]} {of_gene(material.plan)}"
    return [*_said(label, others), *_said(of, genes)]


def _only(items: Sequence[Evidence], keys: Collection[str]) -> list[Evidence]:
    return [item for item in items if item.key in keys]


def _diseases(material: Material) -> str:
    """The diseases of the question."""
    return joined([e.name for e in material.entities if _is_disease(e)], "or")


def _is_disease(entity: Entity) -> bool:
    return biolink().is_a(entity.categories, "biolink:DiseaseOrPhenotypicFeature")


def _holds_elsewhere(material: Material, item: Evidence) -> bool:
    """Whether a response is told of another disease than the one that is asked about."""
    scope = Scope.of(material.plan, material.entities)
    return any(map(_is_disease, material.entities)) and all(
        holds_elsewhere(edge, scope) for edge in item.edges
    )


def _claim(item: Evidence) -> str:
    """What a statement claims; that a variant is sensitive to a drug is no treatment by itself."""
    edge = item.edges[0]
    if predicate_name(edge.predicate) in _SENSITIVE:
        return "responds"
    return treatment_claim(edge)


def _support_label(yes: Sequence[Evidence]) -> str:
    weak = yes and all(map(text_mined, yes))
    return "Supported as a treatment" + (" by text mining alone, which is weak" if weak else "")


def _status(items: Sequence[Evidence], told: Sequence[Evidence] = ()) -> str:
    """The status that these statements give the drug, where it is not told already."""
    if not items or told:
        return ""
    edges = [edge for item in items for edge in item.edges]
    return f" Status: {status_text(*treatment_status(edges, ()))}."


def _without_support(material: Material, lines: Sequence[Sentence]) -> list[Sentence]:
    """The lines, the first one opened by saying that no support was among what was returned."""
    if not lines:
        return []
    ends = joined(asked_names(material.plan, material.entities))
    variant = any("biolink:SequenceVariant" in e.categories for e in material.entities)
    variant = variant or bool(material.plan.in_place)
    what = "a response" if variant else "a treatment"
    text = (
        f"No edge that supports {what}, between {ends}, was returned, which is not to say "
        f"that there is none. {lines[0].text}"
    )
    return [Sentence(text, lines[0].citations), *lines[1:]]


def _said(label: str, items: Sequence[Evidence], after: str = "") -> list[Sentence]:
    """One sentence for a side, nothing where it is empty."""
    if not items:
        return []
    keys = [item.key for item in items]
    parts = [cited(item).rstrip(".") for item in items[:_TOLD]]
    if len(items) > _TOLD:
        parts.append(f"also {marks(keys[_TOLD:])}")
    return [Sentence(f"{label}: {'; '.join(parts)}.{after}", tuple(keys[: _TOLD + 4]))]
