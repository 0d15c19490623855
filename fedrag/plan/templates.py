"""Query-graph templates: one JSON file each in ``trapi_templates/``.

A template names its slots (families of given entities), what the question must ask for, the cues
of its wording, and a query graph whose nodes are slots, open nodes, or of the category asked for.
``fedrag/schemas/template.json`` describes the form. Reading is strict; the schema itself is only
loaded to say exactly what is wrong with a file that cannot be read.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from fedrag.datamodel import QueryEdge
from fedrag.errors import ConfigError
from fedrag.plan.graphcheck import check_graph
from fedrag.plan.strict import Strict
from fedrag.plan.template import MIDDLE, Graph, Template, TemplateNode, Variant
from fedrag.resources import schema_path, templates_dir

__all__ = ["load_template", "load_templates"]


def load_templates(folder: Path | None = None) -> tuple[Template, ...]:
    """All templates of a folder (the one that ships), sorted by id.

    :raises ConfigError: a file is no template; it and the place in it are named.

    >>> "gene-by-drug-and-disease" in {template.id for template in load_templates()}
    True
    """
    return _load(folder or templates_dir())


@cache
def _load(folder: Path) -> tuple[Template, ...]:
    templates: dict[str, Template] = {}
    for path in sorted(folder.glob("*.json")):
        template = load_template(path)
        if template.id in templates:
            raise ConfigError(f"{path}: id: a second template called {template.id!r}")
        templates[template.id] = template
    if not templates:
        raise ConfigError(f"{folder} holds no templates", hint="they are *.json files")
    return tuple(templates[name] for name in sorted(templates))


def load_template(path: Path) -> Template:
    """The template one file holds (``ConfigError`` as for :func:`load_templates`)."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not JSON: {error}") from error
    try:
        template = _template(Strict(raw))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        _explain(path, raw, error)
    for graph in (template.graph, *(variant.graph for variant in template.variants)):
        for place, problem in check_graph(graph, dict(template.slots)):
            raise ConfigError(f"{path}: {place}: {problem}")
    return template


def _explain(path: Path, raw: Any, error: Exception) -> NoReturn:
    """Say what is wrong with a file that could not be read, by the schema."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    schema = json.loads(schema_path("template").read_text(encoding="utf-8"))
    worst = best_match(Draft202012Validator(schema).iter_errors(raw))
    if worst is None:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    place = ".".join(str(step) for step in worst.absolute_path) or "the template"
    raise ConfigError(f"{path}: {place}: {worst.message}") from error


def _template(raw: Strict) -> Template:
    kind = raw.text("kind")
    if kind not in ("one", "list", "relation"):
        raise ValueError("kind is none of one, list, relation")
    graph = _graph(raw.object("query_graph"), raw.object("answer"))
    template = Template(
        id=raw.text("id"),
        title=raw.text("title"),
        understood=raw.text("understood"),
        kind=kind,  # type: ignore[arg-type]
        slots=tuple((name, _family(family)) for name, family in raw.object("slots").items()),
        graph=graph,
        examples=raw.texts("examples"),
        priority=raw.number("priority", MIDDLE),
        general=raw.flag("general"),
        asks=raw.texts("asks"),
        asks_with_cue=raw.texts("asks_with_cue"),
        requires=raw.texts("requires"),
        excludes=raw.texts("not"),
        cues=tuple(_cue(cue) for cue in raw.objects("cues")),
        treatment=raw.flag("treatment"),
        response=_response(raw),
        must_reach_all=raw.flag("must_reach_all"),
        variants=tuple(_variant(variant, graph) for variant in raw.objects("variants")),
    )
    raw.done()
    return template


def _response(raw: Strict) -> str:
    """The response that is asked for; what tells of the other one speaks against a candidate."""
    said = raw.text("response", "")
    if said not in ("", "sensitivity", "resistance"):
        raise ValueError("response is neither sensitivity nor resistance")
    return said


def _family(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a slot's family is not text")
    return value


def _cue(raw: Strict) -> tuple[str, int]:
    cue = raw.text("pattern"), raw.number("weight", 1)
    raw.done()
    return cue


def _variant(raw: Strict, base: Graph) -> Variant:
    answer = raw.object("answer") if raw.has("answer") else None
    graph = _graph(raw.object("query_graph"), answer, base)
    variant = Variant(
        id=raw.text("id"),
        when=raw.texts("when"),
        understood=raw.text("understood"),
        graph=graph,
        asked=raw.flag("asked") if raw.has("asked") else None,
        response=_response(raw),
        examples=raw.texts("examples"),
    )
    raw.done()
    return variant


def _graph(raw: Strict, answer: Strict | None, base: Graph | None = None) -> Graph:
    nodes = tuple(_node(key, Strict(node)) for key, node in raw.object("nodes").items())
    edges = tuple(_edge(key, Strict(edge)) for key, edge in raw.object("edges").items())
    raw.done()
    if answer is None and base is not None:
        return replace(base, nodes=nodes, edges=edges)
    if answer is None:
        raise KeyError("answer")
    graph = Graph(
        nodes=nodes,
        edges=edges,
        answer_node=answer.text("node"),
        also_answer=answer.texts("also"),
        answer_categories=answer.texts("categories"),
    )
    answer.done()
    return graph


def _node(key: str, raw: Strict) -> TemplateNode:
    node = TemplateNode(
        key=key,
        slot=raw.text("slot") if raw.has("slot") else None,
        categories=raw.texts("categories"),
        asked=raw.flag("asked"),
    )
    raw.done()
    if (node.slot is not None) + bool(node.categories) + node.asked != 1:
        raise ValueError(f"node {key} must have one of slot, categories, asked")
    return node


def _edge(key: str, raw: Strict) -> QueryEdge:
    edge = QueryEdge(
        key=key,
        subject=raw.text("subject"),
        object=raw.text("object"),
        predicates=raw.texts("predicates"),
        qualifiers=_qualifiers(raw.objects("qualifier_constraints")),
        wave=raw.number("wave"),
        cap=raw.number("cap") if raw.has("cap") else None,
        from_node=raw.text("from", ""),
    )
    raw.done()
    return edge


def _qualifiers(constraints: list[Strict]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for constraint in constraints:
        for item in constraint.objects("qualifier_set"):
            pairs.append((item.text("qualifier_type_id"), item.text("qualifier_value")))
            item.done()
        constraint.done()
    if len(constraints) > 1:
        raise ValueError("several sets of qualifiers")
    return tuple(sorted(pairs))
