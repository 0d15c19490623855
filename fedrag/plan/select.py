"""Which template a question selects: entities fill slots, the noun asked for and cues decide.

Scores are small whole numbers; the order is total (score, priority, id), so the same question
always gets the same template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from fedrag.biolink import biolink
from fedrag.datamodel import Entity
from fedrag.errors import ConfigError
from fedrag.plan.families import families_of
from fedrag.plan.template import ANYTHING, NOTHING, Template
from fedrag.plan.wording import Wording

__all__ = ["Selection", "fill_slots", "select", "with_variant"]

_ASKED = 6  # the template asks for exactly this kind of thing
_ASKED_WITH_CUE = 3  # ... or may, given a cue
_ANYTHING = 1
_UNUSED = -9  # an entity the template leaves out
_UNUSED_MANNER = -4  # ... that may only tell the manner
_UNUSED_MINOR = -2  # ... of a family that often only describes the setting
_SECOND_READING = -2  # a slot filled by what the entity may be, but is not foremost
_MINOR = frozenset(("anatomy", "organism", "thing"))
_MOST_ENTITIES = 6  # more are not combined: the first ones are


@dataclass(frozen=True, slots=True)
class Selection:
    """A template with its slots filled (slot name → position of the entity) and its score."""

    template: Template
    filled: Mapping[str, int]
    score: int


def select(
    templates: Sequence[Template], wording: Wording, entities: Sequence[Entity]
) -> list[Selection]:
    """All templates that fit, the best first."""
    found = [s for t in templates if (s := _selection(t, wording, entities)) is not None]
    return sorted(found, key=lambda s: (-s.score, -s.template.priority, s.template.id))


def _selection(
    template: Template, wording: Wording, entities: Sequence[Entity]
) -> Selection | None:
    asked = _asked_score(template, wording)
    if asked is None:
        return None
    filled = fill_slots(template, entities)
    if filled is None or not _admits(template, wording):
        return None
    cues = sum(weight for pattern, weight in template.cues if _found(template, pattern, wording))
    if asked in (_ASKED_WITH_CUE, 0) and template.cues and not cues and not template.general:
        return None
    used = set(filled.values())
    unused = sum(_unused(entity, len(used)) for n, entity in enumerate(entities) if n not in used)
    second = sum(_second_reading(template, slot, entities[n]) for slot, n in filled.items())
    return Selection(template, filled, asked + cues + unused + second)


def _unused(entity: Entity, used: int) -> int:
    """What leaving an entity out costs. Beside two that are used, a process or a symptom often
    only says how ("lowers blood pressure in hypertension")."""
    family = families_of(entity)[0]
    if family in _MINOR:
        return _UNUSED_MINOR
    if used > 1 and (family == "process" or _fits("phenotype", entity)):
        return _UNUSED_MANNER
    return _UNUSED


def _asked_score(template: Template, wording: Wording) -> int | None:
    asked = wording.asked or NOTHING
    if asked in template.asks:
        return 0 if asked == NOTHING else _ASKED
    if asked in template.asks_with_cue:
        return 0 if asked == NOTHING else _ASKED_WITH_CUE
    if ANYTHING in template.asks and asked != NOTHING:
        return _ANYTHING
    return None


def _admits(template: Template, wording: Wording) -> bool:
    if any(_found(template, pattern, wording) for pattern in template.excludes):
        return False
    return not template.requires or any(
        _found(template, pattern, wording) for pattern in template.requires
    )


def _found(template: Template, pattern: str, wording: Wording) -> bool:
    try:
        return wording.has(pattern)
    except (re.error, KeyError) as error:
        raise ConfigError(
            f"the template {template.id!r} has a pattern that cannot be read: {pattern!r} ({error})"
        ) from error


def fill_slots(template: Template, entities: Sequence[Entity]) -> dict[str, int] | None:
    """The best assignment of entities to slots: foremost readings first, then order of mention."""
    count = len(template.slots)
    best: tuple[tuple[int, tuple[int, ...]], dict[str, int]] | None = None
    for order in permutations(range(min(len(entities), _MOST_ENTITIES)), count):
        pairs = list(zip(template.slots, order, strict=True))
        if not all(_fits(family, entities[n]) for (_, family), n in pairs):
            continue
        worse = sum(-_second_reading(template, name, entities[n]) for (name, _), n in pairs)
        worse += sum(families_of(entities[n])[0] in _MINOR for n in order)
        # "lowers blood pressure in hypertension": the disease is the one that is typed so.
        worse += sum(f == "disease" and _fits("phenotype", entities[n]) for (_, f), n in pairs)
        if best is None or (worse, order) < best[0]:
            best = (worse, order), {name: n for (name, _), n in pairs}
    return best[1] if best else None


def _fits(family: str, entity: Entity) -> bool:
    if family == "any":
        return True
    if family == "phenotype":
        return "disease" in families_of(entity) and not biolink().is_a(
            entity.categories, "biolink:Disease"
        )
    return family in families_of(entity)


def _second_reading(template: Template, slot: str, entity: Entity) -> int:
    family = dict(template.slots)[slot]
    if family in ("any", "phenotype") or families_of(entity)[0] == family:
        return 0
    return _SECOND_READING


def with_variant(template: Template, wording: Wording) -> Template:
    """The first variant whose wording fits, else the template itself."""
    for variant in template.variants:
        if variant.asked is not None and variant.asked != (wording.asked is not None):
            continue
        if all(_found(template, pattern, wording) for pattern in variant.when):
            return template.as_variant(variant)
    return template
