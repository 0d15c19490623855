"""Question and entities → a plan: one query graph, and for each edge who is asked and who not.

``families`` names the kinds of given things, ``answers`` those asked for; ``wording`` reads the
question around its entities (word lists: ``lexicon``),
``templates`` loads ``trapi_templates/*.json``, ``select`` chooses one, ``build`` fills it,
``nested`` joins two of them for questions of two hops, ``unanswered`` names what is left out,
``fallback`` plans paths over the meta-knowledge graph where none fits, ``planner`` is the front,
``gene_level`` asks of genes where nobody can be asked of their variants, ``show`` prints a plan.
"""

from fedrag.plan.gene_level import gene_level, plan_or_gene_level
from fedrag.plan.planner import plan
from fedrag.plan.show import explain_plan, plan_to_trapi
from fedrag.plan.template import Template
from fedrag.plan.templates import load_templates

__all__ = [
    "Template",
    "explain_plan",
    "gene_level",
    "load_templates",
    "plan",
    "plan_or_gene_level",
    "plan_to_trapi",
]
