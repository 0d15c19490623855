"""The values of one x-bte annotation, and in what words one that cannot be read is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fedrag.metakg.references import Place

__all__ = [
    "Unreadable",
    "agent_type",
    "check_path",
    "check_size",
    "ends",
    "flag",
    "knowledge_level",
    "name",
    "output_under",
    "prefixed",
    "qualifiers",
    "source",
    "table",
]

# Enumerations of the Biolink Model; anything else would make the answer invalid TRAPI.
_KNOWLEDGE_LEVELS = frozenset(
    (
        "knowledge_assertion",
        "logical_entailment",
        "prediction",
        "statistical_association",
        "observation",
    )
)
_AGENT_TYPES = frozenset(
    (
        "manual_agent",
        "automated_agent",
        "data_analysis_pipeline",
        "computational_model",
        "text_mining_agent",
        "image_processing_agent",
        "manual_validation_of_automated_agent",
    )
)
# One slash, then neither white space, control characters, a backslash, nor a query or fragment.
_PATH = re.compile(r"/(?!/)[^\s\\?#\x00-\x1f\x7f-\x9f]*")
_UPWARDS = re.compile(r"(?i)(?:^|/)(?:\.|%2e){1,2}(?=/|$)")
_MOST_NODES = 20_000  # values in one annotation: YAML aliases can stand for billions


class Unreadable(Exception):
    """Why an annotation cannot be read, and the key of it that is wrong."""

    def __init__(self, message: str, *place: str | int, definite: Place | None = None) -> None:
        super().__init__(message)
        self.place = place
        self.definite = definite  # a place of the whole document, where it is not in the annotation


def check_size(value: Any) -> None:
    """Refuse a value that would be written out as more than one annotation can be.

    What YAML aliases share counts as often as it stands there.
    """
    waiting, seen = [value], 0
    while waiting:
        one = waiting.pop()
        seen += 1
        if isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list | tuple):
            waiting += one
        if seen + len(waiting) > _MOST_NODES:
            raise Unreadable(f"it holds more than {_MOST_NODES:,} values")


def check_path(path: str) -> None:
    """Refuse a path that would lead anywhere but below the address of its service.

    >>> check_path("/v1/gene/{id}")
    >>> check_path("/../admin")
    Traceback (most recent call last):
    fedrag.metakg.values.Unreadable: the path '/../admin' leads out of its service's address
    """
    if not _PATH.fullmatch(path):
        told = "must begin with one slash and hold no space, control character, '\\', '?' or '#'"
        raise Unreadable(f"the path {path!r:.80} {told}")
    if _UPWARDS.search(path):
        raise Unreadable(f"the path {path!r:.80} leads out of its service's address")


def output_under(output: str, mapping: Mapping[str, str]) -> Mapping[str, str]:
    """The mapping with the output under its prefix: older documents write ``umls`` for ``UMLS``."""
    alike = [name for name in mapping if name.lower() == output.lower()]
    if output in mapping or len(alike) != 1:
        return mapping
    return {output if name == alike[0] else name: path for name, path in mapping.items()}


def ends(raw: Mapping[str, Any], key: str) -> list[tuple[str, str]]:
    """Prefix and category of each input or output."""
    if key not in raw:
        raise Unreadable(f"the operation cannot be read: it has no {key!r}")
    listed = raw[key]
    if not isinstance(listed, list) or not listed:
        raise Unreadable(f"must be a list of id and semantic, not {listed!r:.80}", key)
    found = []
    for position, end in enumerate(listed):
        if not isinstance(end, Mapping) or not all(end.get(k) for k in ("id", "semantic")):
            raise Unreadable(f"must have an id and a semantic: {end!r:.80}", key, position)
        found.append((str(end["id"]), prefixed(str(end["semantic"]))))
    return found


def name(raw: Mapping[str, Any], key: str) -> str:
    """A text that must be there."""
    if key not in raw:
        raise Unreadable(f"the operation cannot be read: it has no {key!r}")
    if not isinstance(raw[key], str) or not raw[key]:
        raise Unreadable(f"must be a name, not {raw[key]!r:.80}", key)
    return str(raw[key])


def table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A mapping, empty where it is not told."""
    value = raw.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Unreadable(f"must be a mapping, not {value!r:.80}", key)
    return value


def flag(raw: Mapping[str, Any], key: str) -> bool:
    """True or false; false where it is not told."""
    value = raw.get(key, False)
    if not isinstance(value, bool):
        raise Unreadable(f"must be true or false, not {value!r:.80}", key)
    return value


def qualifiers(table: Any) -> tuple[tuple[str, str], ...]:
    """Qualifier types with their values, sorted; types and predicates carry ``biolink:``.

    >>> qualifiers({"qualified_predicate": "causes", "object_aspect_qualifier": "activity"})[1]
    ('biolink:qualified_predicate', 'biolink:causes')
    """
    if table is None:
        return ()
    if not isinstance(table, Mapping):
        raise Unreadable(f"must be a mapping, not {table!r:.80}", "qualifiers")
    return tuple(
        sorted(
            (prefixed(str(kind)), prefixed(str(value)) if _of_predicate(kind) else str(value))
            for kind, value in table.items()
        )
    )


def _of_predicate(kind: Any) -> bool:
    return str(kind).endswith("qualified_predicate")


def source(value: Any) -> str | None:
    """An infores; older documents write a name in words, which TRAPI cannot hold."""
    return value if isinstance(value, str) and value.startswith("infores:") else None


def knowledge_level(value: Any) -> str:
    """The level, ``not_provided`` where Biolink does not have it."""
    return value if isinstance(value, str) and value in _KNOWLEDGE_LEVELS else "not_provided"


def agent_type(value: Any) -> str:
    """The type, ``not_provided`` where Biolink does not have it."""
    return value if isinstance(value, str) and value in _AGENT_TYPES else "not_provided"


def prefixed(name: str) -> str:
    """A Biolink name with its prefix."""
    return name if name.startswith("biolink:") else f"biolink:{name}"
