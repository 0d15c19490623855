"""Edges, entities and plans that the tests of the evidence stage are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedrag.datamodel import (
    Attribute,
    Edge,
    EdgeNode,
    Entity,
    Identifier,
    QueryEdge,
    QueryNode,
    QueryPlan,
    RetrievalSource,
)
from fedrag.trapi import edge_id

CATEGORIES = {
    "gene": ("biolink:Gene",),
    "drug": ("biolink:Drug",),
    "chemical": ("biolink:SmallMolecule",),
    "disease": ("biolink:Disease",),
    "process": ("biolink:BiologicalProcess",),
    "protein": ("biolink:Protein",),
}


def node(curie: str, name: str | None = None, kind: str = "gene", **fields: Any) -> EdgeNode:
    """One end of an edge; the CURIE serves as its name where none is given."""
    given: dict[str, Any] = {"found": curie, "canonical": curie, **fields}
    return EdgeNode(curie, curie if name is None else name, CATEGORIES.get(kind, ()), **given)


def quals(**found: str) -> tuple[tuple[str, str], ...]:
    """Qualifiers by short name: ``object_aspect="activity"``; ``qualified_predicate`` as it is."""
    return tuple(
        (f"biolink:{kind}" if kind == "qualified_predicate" else f"biolink:{kind}_qualifier", value)
        for kind, value in sorted(found.items())
    )


DECREASES = quals(
    qualified_predicate="biolink:causes", object_aspect="activity", object_direction="decreased"
)


def edge(
    subject: EdgeNode,
    predicate: str,
    obj: EdgeNode,
    *,
    qualifiers: tuple[tuple[str, str], ...] = (),
    negated: bool = False,
    source: str = "infores:drugcentral",
    level: str = "knowledge_assertion",
    agent: str = "manual_agent",
    attributes: Sequence[Attribute] = (),
    publications: Sequence[str] = (),
) -> Edge:
    """A statement of one primary source, with its real identifier."""
    made = Edge(
        "",
        subject,
        f"biolink:{predicate}",
        obj,
        qualifiers,
        negated,
        (RetrievalSource(source, "primary_knowledge_source"),),
        publications=tuple(publications),
        knowledge_level=level,
        agent_type=agent,
        attributes=tuple(attributes),
    )
    return with_id(made)


def with_id(made: Edge) -> Edge:
    """The edge with the identifier that merging gives it."""
    from dataclasses import replace

    return replace(made, id=edge_id(made))


def text_mined(subject: EdgeNode, predicate: str, obj: EdgeNode, **fields: Any) -> Edge:
    """A statement of a text-mining source."""
    given = {"level": "not_provided", "agent": "text_mining_agent", "source": "infores:semmeddb"}
    return edge(subject, predicate, obj, **{**given, **fields})


def entity(
    curie: str, name: str, kind: str, *, mention: str | None = None, ids: Sequence[str] = ()
) -> Entity:
    """A resolved entity of a question."""
    return Entity(
        mention or name,
        0,
        len(name),
        curie,
        name,
        CATEGORIES[kind],
        "marker",
        identifiers=tuple(Identifier(i) for i in (curie, *ids)),
    )


HCTZ = entity("CHEBI:5778", "hydrochlorothiazide", "drug", ids=("DRUGBANK:DB00999",))
HYPERTENSION = entity("MONDO:0005044", "hypertension", "disease", ids=("MESH:D006973",))
NEAR = ("biolink:Gene", "biolink:BiologicalProcess", "biolink:ChemicalEntity")


def gene_plan(drug: Entity = HCTZ, disease: Entity = HYPERTENSION) -> QueryPlan:
    """The gene by drug and disease, two waves."""
    return QueryPlan(
        "gene-by-drug-and-disease",
        "gene",
        "one",
        (
            QueryNode("drug", ("biolink:Drug",), (drug.curie,), drug.name, 0),
            QueryNode("disease", ("biolink:Disease",), (disease.curie,), disease.name, 1),
            QueryNode("near_drug", NEAR),
            QueryNode("near_disease", NEAR),
            QueryNode("gene", ("biolink:Gene",)),
        ),
        (
            QueryEdge("given", "drug", "disease", from_node="drug"),
            QueryEdge("drug_near", "drug", "near_drug", from_node="drug"),
            QueryEdge("disease_near", "near_disease", "disease", from_node="disease"),
            QueryEdge("near_drug_gene", "near_drug", "gene", wave=2, from_node="near_drug"),
            QueryEdge(
                "near_disease_gene", "gene", "near_disease", wave=2, from_node="near_disease"
            ),
        ),
        "gene",
        ("biolink:Gene", "biolink:Protein"),
        ("near_drug", "near_disease"),
    )


def drug_plan(disease: Entity = HYPERTENSION, **fields: Any) -> QueryPlan:
    """Drugs of a disease."""
    given: dict[str, Any] = {"treatment": True, **fields}
    return QueryPlan(
        "drugs-of-disease",
        "drugs",
        "list",
        (
            QueryNode("disease", ("biolink:Disease",), (disease.curie,), disease.name, 0),
            QueryNode("drug", ("biolink:ChemicalEntity",)),
        ),
        (QueryEdge("treats", "drug", "disease", from_node="disease"),),
        "drug",
        ("biolink:Drug", "biolink:ChemicalEntity"),
        **given,
    )
