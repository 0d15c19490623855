"""What qualifiers add to a statement: words before and after each name, and at the sentence's end.

Follows Biolink's reading of qualified statements: a form, part, derivative or context narrows what
an end *is*, an aspect and a direction say what of it changes, and statement qualifiers hold for the
whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fedrag.evidence.names import clean_name
from fedrag.evidence.phrases import table, words

__all__ = ["End", "direction_verb", "end_words", "read_qualifiers", "tail_words"]

_VERBS = {
    "increased": "increases",
    "upregulated": "upregulates",
    "decreased": "decreases",
    "downregulated": "downregulates",
}
_NOUNS = {
    "increased": "an increase in",
    "upregulated": "upregulation of",
    "decreased": "a decrease in",
    "downregulated": "downregulation of",
}
_OTHER_NAMES = {  # older spellings that services still send
    "object_modifier_qualifier": "object_direction_qualifier",
    "subject_modifier_qualifier": "subject_direction_qualifier",
    "causal_mechanism_or_direction_qualifier": "causal_mechanism_qualifier",
}
_OF_AN_END = frozenset(
    f"{side}_{what}_qualifier"
    for side in ("subject", "object")
    for what in (
        "aspect",
        "direction",
        "form_or_variant",
        "part",
        "derivative",
        "specialization",
        "activity",
        "process",
        "context",
    )
)
# Where a statement holds, as {0} in its value's words; the order here is the order in the sentence.
_TAILS = {
    "causal_mechanism_qualifier": "through {0}",
    "catalyst_qualifier": "catalyzed by {0}",
    "pathway_context_qualifier": "within the pathway {0}",
    "anatomical_context_qualifier": "in {0}",
    "sex_qualifier": "in {0}",
    "population_context_qualifier": "in the population {0}",
    "species_context_qualifier": "in {0}",
    "stage_qualifier": "at the stage {0}",
    "temporal_context_qualifier": "during {0}",
    "temporal_interval_qualifier": "over {0}",
    "disease_context_qualifier": "in the context of {0}",
    "context_qualifier": "in the context of {0}",
}
_SILENT = frozenset({"qualified_predicate", "qualifier"})


@dataclass(frozen=True, slots=True)
class End:
    """The words around the name of one end of a statement."""

    lead: str = ""
    trail: str = ""


def read_qualifiers(qualifiers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Qualifiers by name without prefix, empty values left out, older names made today's.

    >>> read_qualifiers((("biolink:object_direction_qualifier", "decreased"),))
    {'object_direction_qualifier': 'decreased'}
    """
    read: dict[str, str] = {}
    for kind, value in qualifiers:
        name = clean_name(str(kind), "").removeprefix("biolink:").replace(" ", "_")
        said = clean_name(str(value), "").removeprefix("biolink:")
        if said not in ("", "None"):
            read[_OTHER_NAMES.get(name, name)] = said
    return read


def direction_verb(direction: str | None) -> str | None:
    """The verb of a direction, None where there is none.

    >>> direction_verb("decreased")
    'decreases'
    """
    return _VERBS.get(direction or "")


def end_words(side: str, found: Mapping[str, str], *, change: bool = True) -> End:
    """The words around one end's name.

    :param side: ``"subject"`` or ``"object"``.
    :param change: whether the direction belongs here (else the verb says it).

    >>> end_words("object", {"object_aspect_qualifier": "activity"}).lead
    'activity of '
    """
    lead = _aspect(side, found)
    what = _narrowed(side, found)
    direction = found.get(f"{side}_direction_qualifier")
    if change and direction:
        lead = _changed(words(direction), lead, bool(what))
    return End("".join(f"{part} " for part in (lead, *what) if part), _trail(side, found))


def _aspect(side: str, found: Mapping[str, str]) -> str:
    aspect = found.get(f"{side}_aspect_qualifier")
    if aspect and ":" in aspect:
        return f"aspect {aspect} of"
    if aspect:
        return table()["aspects"].get(aspect) or f"{words(aspect)} of"
    activity = found.get(f"{side}_activity_qualifier")
    return f"activity {words(activity)} of" if activity else ""


def _narrowed(side: str, found: Mapping[str, str]) -> list[str]:
    """Part, form and derivative, outermost first."""
    said = []
    if part := found.get(f"{side}_part_qualifier"):
        said.append(table()["parts"].get(part) or f"the {words(part)} of")
    if form := found.get(f"{side}_form_or_variant_qualifier"):
        said.append(table()["forms"].get(form) or f"the {_without_form(form)} form of")
    if derivative := found.get(f"{side}_derivative_qualifier"):
        said.append(table()["forms"].get(derivative) or f"the derivative {words(derivative)} of")
    return said


def _without_form(form: str) -> str:
    return words(form).removesuffix(" form")


def _changed(direction: str, aspect: str, narrowed: bool) -> str:
    if narrowed and not aspect:
        return _NOUNS.get(direction, f"{direction} level of")
    return f"{direction} {aspect}".strip()


def _trail(side: str, found: Mapping[str, str]) -> str:
    said = ""
    if special := found.get(f"{side}_specialization_qualifier"):
        said += f" (specifically {words(special)})"
    if process := found.get(f"{side}_process_qualifier"):
        said += f" in the process {words(process)}"
    if context := found.get(f"{side}_context_qualifier"):
        said += f" in {words(context)}"
    return said


def tail_words(found: Mapping[str, str]) -> str:
    """What is said of the whole statement, at its end; kinds without a preposition in brackets.

    >>> tail_words({"causal_mechanism_qualifier": "inhibition", "onset_qualifier": "HP:0003581"})
    ' through inhibition (onset: adult)'
    """
    said = "".join(
        " " + form.format(words(found[name])) for name, form in _TAILS.items() if name in found
    )
    for name in sorted(found.keys() - _TAILS.keys() - _OF_AN_END - _SILENT):
        label = name.removesuffix("_qualifier").replace("_", " ")
        said += f" ({label}: {words(found[name])})"
    return said
