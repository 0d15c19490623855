"""What an answer says where a gene was asked about in place of one of its variants.

What is known of a gene, or of other variants of it, is not known of the variant that was asked
about: KIT is inhibited by imatinib, KIT D816V resists it. So the answer opens by saying so, and
nothing found is called the variant's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fedrag.datamodel import Edge, Entity, Evidence, QueryPlan
from fedrag.evidence.scope import Scope

__all__ = ["asked_names", "is_of_gene", "of_gene", "opening"]


def opening(plan: QueryPlan, *, abstained: bool = False) -> str:
    """The first sentence of such an answer; empty where no gene was asked in place of a variant.

    >>> from fedrag.datamodel import InPlace
    >>> placed = InPlace("NCBIGene:3815", "KIT", "KIT D816V", "nothing was returned on")
    >>> opening(QueryPlan("t", "", "list", (), (), "", (), in_place=(placed,)))
    'Nothing was returned on KIT D816V; what follows is of the gene KIT, whatever its variant.'
    """
    if not plan.in_place:
        return ""
    why = plan.in_place[0].why
    asked = f"{why[:1].upper()}{why[1:]} {_variants(plan)}"
    if abstained:
        return f"{asked}; {_genes(plan)} was asked about instead."
    if _of_others(plan):
        return f"{asked}; what follows is of {_genes(plan)} or of other variants of it."
    return f"{asked}; what follows is of {_genes(plan)}, whatever its variant."


def of_gene(plan: QueryPlan) -> str:
    """Whose statements are told: "of the gene KIT, not of KIT D816V"; empty if as asked.

    >>> of_gene(QueryPlan("t", "", "list", (), (), "", ()))
    ''
    """
    if not plan.in_place:
        return ""
    others = " or other variants of it" if _of_others(plan) else ""
    return f"of {_genes(plan)}{others}, not of {_variants(plan)}"


def asked_names(plan: QueryPlan, entities: Sequence[Entity]) -> list[str]:
    """The names of what was asked about: of the variant, where its gene took its place."""
    placed = {one.gene: one.variant for one in plan.in_place}
    return [placed.get(entity.curie, entity.name) for entity in entities]


def is_of_gene(item: Evidence, plan: QueryPlan, scope: Scope) -> bool:
    """Whether a statement has a gene at an end that stands in the place of a variant."""
    genes = {one.gene for one in plan.in_place}
    return bool(genes) and any(_touches(edge, genes, scope) for edge in item.edges)


def _touches(edge: Edge, curies: Collection[str], scope: Scope) -> bool:
    return any(scope.given_at(end) in curies for end in (edge.subject, edge.object))


def _of_others(plan: QueryPlan) -> bool:
    return any(one.others for one in plan.in_place)


def _variants(plan: QueryPlan) -> str:
    return " or ".join(dict.fromkeys(one.variant for one in plan.in_place))


def _names(plan: QueryPlan) -> str:
    return " and ".join(dict.fromkeys(one.name for one in plan.in_place))


def _genes(plan: QueryPlan) -> str:
    return f"the gene{'s' if len({one.gene for one in plan.in_place}) > 1 else ''} {_names(plan)}"
