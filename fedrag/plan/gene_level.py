"""From a variant to its gene: what is asked where nobody can be asked about the variant itself.

What is known of a gene is not known of one of its variants, so a plan at the level of the gene
always says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fedrag.datamodel import Entity, InPlace, QueryPlan
from fedrag.errors import PlanError
from fedrag.metakg import MetaKG
from fedrag.plan.fallback import TEMPLATE
from fedrag.plan.planner import plan

__all__ = ["gene_level", "plan_or_gene_level"]

Planned = tuple[QueryPlan, tuple[Entity, ...]]


def plan_or_gene_level(
    question: str,
    entities: Sequence[Entity],
    genes: Mapping[str, Entity],
    metakg: MetaKG,
    *,
    template: str | None = None,
) -> Planned:
    """The plan and the entities it is about: the question's, or genes in place of its variants.

    :param genes: the gene of each variant, by the variant's CURIE.
    :raises PlanError: as :func:`fedrag.plan.plan`, for the question as it was asked.
    """
    try:
        made = plan(question, entities, metakg, template=template)
    except PlanError:
        instead = gene_level(question, entities, genes, metakg, "no service can be asked about")
        if instead is None:
            raise
        return instead
    if made.template == TEMPLATE:  # a detour over whatever the meta-knowledge graph connects
        instead = gene_level(question, entities, genes, metakg, "no service can be asked about")
        if instead is not None and instead[0].template != TEMPLATE:
            return instead
    return made, tuple(entities)


def gene_level(
    question: str,
    entities: Sequence[Entity],
    genes: Mapping[str, Entity],
    metakg: MetaKG,
    why: str,
) -> Planned | None:
    """The question of genes in place of variants; ``None`` where that cannot be asked either.

    First what is said of the gene's variants (the variant's own templates, with the gene in its
    place), then what is said of the gene.

    :param why: what is told of the variant: "nothing was returned on".
    """
    variants = [entity for entity in entities if entity.curie in genes]
    if not variants:
        return None
    for as_variant in (True, False):
        placed = (_in_place(entity, genes, as_variant) for entity in entities)
        instead = tuple({entity.curie: entity for entity in placed}.values())
        try:
            made = plan(question, instead, metakg)
        except PlanError:
            continue
        if as_variant and not any(node.key == "variant" for node in made.nodes):
            continue  # nobody speaks of variants of the gene
        told = ", ".join(variant.name for variant in variants)
        named = ", ".join(genes[variant.curie].name for variant in variants)
        note = (
            f"{why} {told}; asked about {named} instead: what was found is at the level of the "
            "gene, and need not hold for this variant"
        )
        understood = f"{made.understood}; the gene in place of {told}"
        in_place = tuple(
            InPlace(genes[v.curie].curie, genes[v.curie].name, v.name, why, others=as_variant)
            for v in variants
        )
        notes = (note, *made.notes)
        return replace(made, understood=understood, notes=notes, in_place=in_place), instead
    return None


def _in_place(entity: Entity, genes: Mapping[str, Entity], as_variant: bool) -> Entity:
    """The gene where the variant stood; read as a variant, it fills the slot of one."""
    gene = genes.get(entity.curie)
    if gene is None:
        return entity
    if as_variant:
        return replace(gene, asked_as="biolink:SequenceVariant", how="marker")
    return gene
