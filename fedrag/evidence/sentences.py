"""Edges → sentences in plain English, one per statement.

A sentence says predicate, qualifiers, direction and negation, names things as their sources do
(cleaned), and tells where what was found is not what was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from fedrag.datamodel import Edge, EdgeNode, Entity, Evidence, QueryPlan
from fedrag.entities.variants import read_variant
from fedrag.evidence.clinical import (
    CONTEXT,
    context_name,
    context_of,
    evidence_words,
    is_ill_response,
    is_of_variant,
    is_response,
)
from fedrag.evidence.contexts import statement_weight
from fedrag.evidence.names import clean_name, without_keys
from fedrag.evidence.phrases import negate, phrase, predicate_name
from fedrag.evidence.polarity import judge
from fedrag.evidence.qualifiers import End, direction_verb, end_words, read_qualifiers, tail_words
from fedrag.evidence.scope import Scope, aliases
from fedrag.execute.retrieval import Retrieval
from fedrag.weight import combined, edge_weight

__all__ = ["sentence", "to_evidence"]

_NO_NAMES: Mapping[str, str] = {}
_EFFECTS = frozenset({"affects", "regulates", "causes"})
_EFFECTS_PASSIVE = frozenset({"affected_by", "regulated_by", "caused_by"})


def sentence(edge: Edge, names: Mapping[str, str] = _NO_NAMES) -> str:
    """What an edge states, without its sources.

    :param names: of diseases in whose context a statement may hold, by CURIE.

    >>> kinase = EdgeNode("HGNC:10912", "SLC12A3")
    >>> drug = EdgeNode("CHEBI:5778", "Hydrochlorothiazide")
    >>> sentence(Edge("", drug, "biolink:affects", kinase, qualifiers=(
    ...     ("biolink:qualified_predicate", "biolink:causes"),
    ...     ("biolink:object_aspect_qualifier", "activity"),
    ...     ("biolink:object_direction_qualifier", "decreased"))))
    'Hydrochlorothiazide decreases activity of SLC12A3'
    """
    qualifiers, place = edge.qualifiers, ""
    curie = context_of(edge) or ""
    if (curie or is_response(edge)) and (name := names.get(curie) or context_name(edge)):
        place = f" in {clean_name(name, curie)}"
        qualifiers = tuple(pair for pair in qualifiers if not pair[0].endswith(CONTEXT))
    said = _pattern(edge.predicate, qualifiers, edge.negated).fill(
        clean_name(edge.subject.name, edge.subject.curie),
        clean_name(edge.object.name, edge.object.curie),
    )
    return without_keys(f"{said}{place}{evidence_words(edge)}")  # predicates may hold anything


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A sentence without its two names."""

    subject: End
    verb: str
    object: End
    tail: str

    def fill(self, subject: str, obj: str) -> str:
        lead = self.subject.lead[:1].upper() + self.subject.lead[1:]
        return (
            f"{lead}{subject}{self.subject.trail} {self.verb} "
            f"{self.object.lead}{obj}{self.object.trail}{self.tail}"
        )


@lru_cache(maxsize=8192)
def _pattern(predicate: str, qualifiers: tuple[tuple[str, str], ...], negated: bool) -> _Pattern:
    found = read_qualifiers(qualifiers)
    effective = _effective(predicate_name(predicate), found)
    changed_subject = _says_change(found, "subject")
    changed_object = _says_change(found, "object")
    subject, obj = end_words("subject", found), end_words("object", found)
    said: str | None = None
    if changed_object:
        said = _active_verb(predicate_name(predicate), effective, found, changed_subject)
        if said is not None:
            obj = end_words("object", found, change=False)
    elif changed_subject and effective in _EFFECTS_PASSIVE:
        said = _passive_verb(effective, found)
        subject = end_words("subject", found, change=said is None)
    verb = (negate(said) if negated else said) if said else phrase(effective, negated)
    return _Pattern(subject, verb, obj, tail_words(found))


def _says_change(found: Mapping[str, str], side: str) -> bool:
    return f"{side}_direction_qualifier" in found or f"{side}_aspect_qualifier" in found


def _effective(predicate: str, found: Mapping[str, str]) -> str:
    """The predicate to say: the qualified one where given, in the direction of the plain one."""
    qualified = predicate_name(found.get("qualified_predicate", "")) or predicate
    if qualified == "causes" and predicate.endswith("_by"):
        return "caused_by"
    return qualified


def _active_verb(
    predicate: str, effective: str, found: Mapping[str, str], changed_subject: bool
) -> str | None:
    """The verb that takes over the object's direction ("decreases activity of"), None if none."""
    direction = found.get("object_direction_qualifier")
    aspect = "object_aspect_qualifier" in found
    verb = direction_verb(direction)
    if predicate in ("affects", "regulates") and effective in _EFFECTS:
        return _effect_verb(effective, verb, direction, aspect, changed_subject)
    plain = phrase(effective)
    if plain.startswith("affects ") and verb and not aspect:
        return verb + plain.removeprefix("affects")
    return None


def _effect_verb(
    effective: str, verb: str | None, direction: str | None, aspect: bool, changed_subject: bool
) -> str | None:
    if direction is None:
        return "regulates" if effective == "regulates" else "affects"
    if verb is None or (effective == "causes" and changed_subject):
        return None  # "Increased expression of A causes decreased activity of B"
    if effective == "regulates" and not aspect:
        return (
            "positively regulates"
            if verb in ("increases", "upregulates")
            else ("negatively regulates")
        )
    return verb


def _passive_verb(effective: str, found: Mapping[str, str]) -> str | None:
    """For inverse predicates: "Activity of A is decreased by B"."""
    direction = found.get("subject_direction_qualifier")
    if direction is None:
        return "is regulated by" if effective == "regulated_by" else "is affected by"
    return f"is {direction} by" if direction_verb(direction) else None


# --- evidence -----------------------------------------------------------------------------------


def to_evidence(
    found: Retrieval | Iterable[Edge],
    entities: Sequence[Entity] = (),
    plan: QueryPlan | None = None,
) -> tuple[Evidence, ...]:
    """One :class:`Evidence` per statement: edges that differ in source alone share a sentence.

    So do those of things that conflation makes one of, where the sentence is the same.

    Keys are empty until :func:`fedrag.evidence.prune` gives them.

    :param found: a retrieval, or edges alone (then nothing is known of the hops that found them).
    :param entities: those of the question; they name what was asked.
    :param plan: gives each statement its polarity; ``context`` without it.
    """
    edges = found.edges if isinstance(found, Retrieval) else tuple(found)
    found_by = found.found_by if isinstance(found, Retrieval) else {}
    scope = Scope.of(plan, entities) if plan else None
    placed = {one.gene for one in plan.in_place} if plan else set()
    known = (replace(e, mention=e.name) if e.curie in placed else e for e in entities)
    named = {alias: entity for entity in known for alias in aliases(entity)}
    names = {alias: entity.name for alias, entity in named.items()}
    groups: dict[tuple[object, ...], list[Edge]] = {}
    for edge in edges:
        said = (edge.subject.curie, edge.predicate, edge.object.curie)
        key = (*said, edge.qualifiers, edge.negated, _clinical(edge))
        groups.setdefault(key, []).append(edge)
    alike: dict[tuple[object, ...], list[Evidence]] = {}
    for group in groups.values():
        one = _evidence(group, named, names, scope, found_by)
        alike.setdefault(_reading(one), []).append(one)
    return tuple(
        same[0]
        if len(same) == 1
        else _evidence([e for one in same for e in one.edges], named, names, scope, found_by)
        for same in alike.values()
    )


def _clinical(edge: Edge) -> tuple[object, ...]:
    """What a sentence tells of a source's evidence: no other source is cited for it."""
    if not edge.attributes or not (is_response(edge) or is_of_variant(edge)):
        return ()
    return context_name(edge), evidence_words(edge), is_ill_response(edge)


def _reading(evidence: Evidence) -> tuple[object, ...]:
    """What a reader sees: statements of a gene and of its protein read the same."""
    first = evidence.edges[0]
    return (
        evidence.sentence,
        evidence.polarity,
        first.subject.canonical or first.subject.curie,
        first.object.canonical or first.object.curie,
    )


def _evidence(
    group: Sequence[Edge],
    named: Mapping[str, Entity],
    names: Mapping[str, str],
    scope: Scope | None,
    found_by: Mapping[str, tuple[str, ...]],
) -> Evidence:
    first = _best_named(group)
    keys: Iterable[str] = (key for edge in group for key in found_by.get(edge.id, ()))
    return Evidence(
        key="",
        sentence=sentence(first, names) + _found_notes(first, named),
        edges=tuple(group),
        polarity=judge(first, scope).polarity if scope else "context",
        rank=round(_weight(group, scope), 6),
        query_edges=tuple(dict.fromkeys(keys)),
    )


def _best_named(group: Sequence[Edge]) -> Edge:
    """The first edge whose ends both have names, else the first."""
    if len(group) == 1:
        return group[0]
    return next((e for e in group if e.subject.name and e.object.name), group[0])


def _weight(group: Sequence[Edge], scope: Scope | None) -> float:
    by_source: dict[str, float] = {}
    for edge in group:
        source = edge.primary_source
        weight = statement_weight(edge, scope) if scope else edge_weight(edge)
        by_source[source] = max(by_source.get(source, 0.0), weight)
    return combined(by_source.values())


def _found_notes(edge: Edge, named: Mapping[str, Entity]) -> str:
    if edge.subject.asked is None and edge.object.asked is None:
        return ""
    return _found_note(edge.subject, named) + _found_note(edge.object, named)


def _found_note(end: EdgeNode, named: Mapping[str, Entity]) -> str:
    """Says what was asked where what was found is a descendant, or has another name."""
    found = (end.curie, end.canonical, end.found)
    if end.asked is None:
        return ""
    entity = named.get(end.asked)
    if entity is None:
        name = clean_name(end.name, end.curie)
        same = end.asked in found
        return "" if same else f" (asked: {end.asked}; found: {_with_curie(name, end.curie)})"
    name = clean_name(end.name, end.curie)
    if any(named.get(curie) is entity for curie in found):
        asked_as = clean_name(_asked_name(entity), entity.curie)
        return "" if _same_name(asked_as, name) else f" (asked as {asked_as})"
    asked = _with_curie(clean_name(entity.name, entity.curie), end.asked)
    return f" (asked: {asked}; found: {_with_curie(name, end.curie)})"


def _with_curie(name: str, curie: str) -> str:
    return name if name == curie else f"{name} {curie}"


def _asked_name(entity: Entity) -> str:
    """The question's own word for an entity, unless that was a typo or an identifier."""
    return entity.name if entity.how in ("fuzzy", "curie", "pinned") else entity.mention


def _same_name(asked: str, name: str) -> bool:
    """Whether two names differ in spelling alone: of one change of a gene, too."""
    if _folded(asked) == _folded(name):
        return True
    one, other = _change(asked), _change(name)
    return one is not None and one == other


@lru_cache(maxsize=1024)
def _change(name: str) -> tuple[str, str] | None:
    """The gene and the canonical change of a variant's name: "BRAF p.Val600Glu", "V600E BRAF"."""
    spotted = read_variant(name.partition(" (c.")[0])
    if spotted is None or not spotted.change or len(spotted.genes) != 1:
        return None
    return spotted.genes[0][0].upper(), spotted.change


def _folded(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
