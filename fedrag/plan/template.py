"""What a query-graph template is, once read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fedrag.datamodel import AnswerKind, QueryEdge

__all__ = ["ANYTHING", "MIDDLE", "NOTHING", "Graph", "Template", "TemplateNode", "Variant"]

# What ``asks`` may say beside the names of answer families.
ANYTHING, NOTHING = "anything", "nothing"
MIDDLE = 50  # the priority of a template that states none


@dataclass(frozen=True, slots=True)
class TemplateNode:
    """A node of a template's graph: a slot, an open node, or one of the category asked for."""

    key: str
    slot: str | None = None
    categories: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """A query graph with slots, and which of its nodes hold the answer."""

    nodes: tuple[TemplateNode, ...]
    edges: tuple[QueryEdge, ...]
    answer_node: str
    also_answer: tuple[str, ...] = ()
    answer_categories: tuple[str, ...] = ()  # empty: those of the answer node

    def node(self, key: str) -> TemplateNode:
        """The node with this key (``KeyError`` when there is none)."""
        return {node.key: node for node in self.nodes}[key]


@dataclass(frozen=True, slots=True)
class Variant:
    """A template's question asked more narrowly; taken when all of ``when`` is in the wording."""

    id: str
    when: tuple[str, ...]
    understood: str
    graph: Graph
    asked: bool | None = None
    response: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of question. ``cues`` are pairs of pattern and weight."""

    id: str
    title: str
    understood: str
    kind: AnswerKind
    slots: tuple[tuple[str, str], ...]
    graph: Graph
    examples: tuple[str, ...]
    priority: int = MIDDLE
    general: bool = False
    asks: tuple[str, ...] = ()
    asks_with_cue: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    cues: tuple[tuple[str, int], ...] = ()
    treatment: bool = False
    response: str = ""  # which one is asked for, "sensitivity" or "resistance"
    must_reach_all: bool = False
    variants: tuple[Variant, ...] = ()

    def as_variant(self, variant: Variant) -> Template:
        """The template with a variant's id, meaning and graph in place of its own."""
        return replace(
            self,
            id=f"{self.id}:{variant.id}",
            understood=variant.understood,
            graph=variant.graph,
            response=variant.response or self.response,
            variants=(),
        )
