"""The Biolink Model, as far as fedrag asks about it: hierarchies, inverses, qualifiers, prefixes.

A compact index generated from the ``biolink-model`` wheel by ``benchmarks/build_biolink_index.py``
ships with the package and loads in about a millisecond. Names are taken and given with their
``biolink:`` prefix (a missing one is added). A name the model does not know is its own only
ancestor and descendant, so that answers written in other versions of the model still pass through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

__all__ = ["Biolink", "biolink"]

_INDEX = Path(__file__).resolve().parent / "data" / "biolink.json"
_CURIE = re.compile(r"([A-Za-z][A-Za-z0-9_.\-]*):(?!//)([^\s|,;\"'<>]+)")
# An unknown prefix is believed only when it is written like one and is followed by a number.
_UNKNOWN_PREFIX = re.compile(r"[A-Z][A-Z0-9.]+")
# Local identifiers that are upper case by definition, whatever a user types.
_UPPER_LOCAL = frozenset(("CHEMBL.COMPOUND", "DRUGBANK", "ENSEMBL", "MESH", "UMLS", "UNII"))


@cache
def biolink() -> Biolink:
    """The index that ships, loaded once.

    >>> biolink().inverse("biolink:affects")
    'biolink:affected_by'
    """
    return Biolink(json.loads(_INDEX.read_text(encoding="utf-8")))


class Biolink:
    """Questions to one version of the Biolink Model.

    :param index: what ``benchmarks/build_biolink_index.py`` writes.

    >>> model = biolink()
    >>> model.is_a("biolink:SmallMolecule", "biolink:ChemicalEntity")
    True
    >>> model.canonical_prefix("UniProt")
    'UniProtKB'
    """

    def __init__(self, index: Mapping[str, Any]) -> None:
        self.version: str = index["version"]
        self._categories = _Hierarchy(_prefixed(index["categories"]))
        self._predicates = _Hierarchy(_prefixed(index["predicates"]))
        self._mixins = frozenset(f"biolink:{name}" for name in index["mixins"])
        self._inverse = {f"biolink:{a}": f"biolink:{b}" for a, b in index["inverse"].items()}
        self._canonical = frozenset(f"biolink:{name}" for name in index["canonical"])
        self._symmetric = frozenset(f"biolink:{name}" for name in index["symmetric"])
        self._qualifiers: Mapping[str, list[str]] = index["qualifiers"]
        self._values = {
            name: _Hierarchy({v: (broader,) if broader else () for v, broader in values.items()})
            for name, values in index["enums"].items()
        }
        self._prefixes: dict[str, str] = {name.lower(): name for name in index["prefixes"]}
        self._prefixes.update(index["spellings"])

    # --- categories -----------------------------------------------------------------------------

    def is_category(self, category: str) -> bool:
        """Whether the model has this category (mixins such as ``GeneOrGeneProduct`` count)."""
        return _named(category) in self._categories

    def is_mixin(self, category: str) -> bool:
        """Whether this category is a mixin, which no node is by itself.

        >>> biolink().is_mixin("biolink:GeneOrGeneProduct"), biolink().is_mixin("biolink:Gene")
        (True, False)
        """
        return _named(category) in self._mixins

    def category_ancestors(self, category: str) -> tuple[str, ...]:
        """The category and all above it, nearest first, mixins included."""
        return self._categories.ancestors(_named(category))

    def category_descendants(self, category: str) -> tuple[str, ...]:
        """The category and all below it, nearest first."""
        return self._categories.descendants(_named(category))

    def is_a(self, categories: Iterable[str] | str, ancestor: str) -> bool:
        """Whether any of the categories is ``ancestor`` or below it.

        >>> biolink().is_a(["biolink:Protein"], "biolink:GeneOrGeneProduct")
        True
        """
        given = (categories,) if isinstance(categories, str) else tuple(categories)
        return _is_any_below(self, given, ancestor)

    def most_specific(self, categories: Iterable[str]) -> str:
        """The first category that is above none of the others (``biolink:NamedThing`` of none).

        >>> biolink().most_specific(["biolink:NamedThing", "biolink:Gene", "biolink:OntologyClass"])
        'biolink:Gene'
        """
        given = [_named(category) for category in categories]
        above = {up for name in given for up in self.category_ancestors(name) if up != name}
        lowest = [name for name in given if name not in above]
        concrete = [name for name in lowest if name not in self._mixins]
        return next(iter(concrete or lowest), "biolink:NamedThing")

    # --- predicates -----------------------------------------------------------------------------

    def is_predicate(self, predicate: str) -> bool:
        """Whether the model has this predicate."""
        return _named(predicate) in self._predicates

    def predicate_ancestors(self, predicate: str) -> tuple[str, ...]:
        """The predicate and all above it, nearest first, mixins included."""
        return self._predicates.ancestors(_named(predicate))

    def predicate_descendants(self, predicate: str) -> tuple[str, ...]:
        """The predicate and all below it, nearest first."""
        return self._predicates.descendants(_named(predicate))

    def inverse(self, predicate: str) -> str | None:
        """The predicate read from the other end; a symmetric one is its own; None when unknown.

        >>> biolink().inverse("biolink:treated_by"), biolink().inverse("biolink:interacts_with")
        ('biolink:treats', 'biolink:interacts_with')
        """
        name = _named(predicate)
        return self._inverse.get(name) or (name if name in self._symmetric else None)

    def symmetric(self, predicate: str) -> bool:
        """Whether subject and object may be exchanged without changing the meaning."""
        return _named(predicate) in self._symmetric

    def is_canonical(self, predicate: str) -> bool:
        """Whether the predicate is the one of its pair that Biolink writes edges in.

        Symmetric and unknown predicates are: there is nothing to turn them into.
        """
        name = _named(predicate)
        return name in self._canonical or name not in self._inverse

    def depth(self, predicate: str) -> int:
        """How specific a predicate is: the longest way up to ``related_to`` (0 there, or unknown).

        >>> biolink().depth("biolink:related_to"), biolink().depth("biolink:treats")
        (0, 3)
        """
        return self._predicates.depth(_named(predicate))

    # --- qualifiers -----------------------------------------------------------------------------

    def qualifier_value_descendants(self, qualifier_type: str, value: str) -> tuple[str, ...]:
        """The value and all more specific values of this qualifier.

        >>> biolink().qualifier_value_descendants("biolink:object_direction_qualifier", "decreased")
        ('decreased', 'downregulated')
        """
        kind = qualifier_type.removeprefix("biolink:")
        if kind == "qualified_predicate":
            return self.predicate_descendants(value)
        hierarchies = (self._values[name] for name in self._qualifiers.get(kind, ()))
        return next((h.descendants(value) for h in hierarchies if value in h), (value,))

    def invert_qualifiers(
        self, qualifiers: Iterable[tuple[str, str]]
    ) -> tuple[tuple[str, str], ...]:
        """The qualifiers of the same statement read from its other end, sorted.

        ``subject_*`` and ``object_*`` change places; a qualified predicate becomes its inverse.

        >>> biolink().invert_qualifiers([("biolink:subject_aspect_qualifier", "activity")])
        (('biolink:object_aspect_qualifier', 'activity'),)
        >>> biolink().invert_qualifiers([("biolink:qualified_predicate", "biolink:caused_by")])
        (('biolink:qualified_predicate', 'biolink:causes'),)
        """
        return tuple(sorted(self._inverted(kind, value) for kind, value in qualifiers))

    def _inverted(self, kind: str, value: str) -> tuple[str, str]:
        name = kind.removeprefix("biolink:")
        if name == "qualified_predicate":
            return kind, self.inverse(value) or value
        for here, there in (("subject_", "object_"), ("object_", "subject_")):
            if name.startswith(here):
                return kind[: -len(name)] + there + name.removeprefix(here), value
        return kind, value

    # --- identifiers ----------------------------------------------------------------------------

    def canonical_prefix(self, prefix: str) -> str:
        """Translator's spelling of a prefix, whatever its casing; unknown ones come back unchanged.

        >>> [biolink().canonical_prefix(p) for p in ("DB", "ncbigene", "taxonomy", "Orphanet")]
        ['DRUGBANK', 'NCBIGene', 'NCBITaxon', 'orphanet']
        """
        return self._known_prefix(prefix) or prefix

    def _known_prefix(self, prefix: str) -> str | None:
        lowered = prefix.strip().lower()
        bare = lowered.replace("_", "").replace("-", "")
        return self._prefixes.get(lowered) or self._prefixes.get(bare)

    def parse_curie(self, text: str) -> str | None:
        """The CURIE that ``text`` is, in Translator's spelling; None when it is none.

        An unknown prefix is accepted when it is in capitals and its identifier holds a digit, so
        that a mistyped CURIE is reported as unknown and not read as words.

        >>> biolink().parse_curie("DB:DB00999"), biolink().parse_curie("hgnc:HGNC:1100")
        ('DRUGBANK:DB00999', 'HGNC:1100')
        >>> biolink().parse_curie("process: growth") is None
        True
        """
        match = _CURIE.fullmatch(text.strip())
        if match is None:
            return None
        written, local = match.groups()
        prefix = self._known_prefix(written)
        if prefix is None:
            believed = _UNKNOWN_PREFIX.fullmatch(written) and any(c.isdigit() for c in local)
            return f"{written}:{local}" if believed else None
        return f"{prefix}:{self._local(prefix, local)}"

    def _local(self, prefix: str, local: str) -> str:
        before, colon, after = local.partition(":")
        if colon and after and self._known_prefix(before) == prefix:  # HGNC:HGNC:1100
            local = after
        return local.upper() if prefix in _UPPER_LOCAL else local


class _Hierarchy:
    """Names and their parents; walks are breadth first and remembered."""

    def __init__(self, parents: Mapping[str, tuple[str, ...]]) -> None:
        self._parents = parents
        self._children: dict[str, list[str]] | None = None
        self._up: dict[str, tuple[str, ...]] = {}
        self._down: dict[str, tuple[str, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._parents

    def ancestors(self, name: str) -> tuple[str, ...]:
        found = self._up.get(name)
        if found is None:
            found = self._up[name] = _walk(name, self._parents)
        return found

    def descendants(self, name: str) -> tuple[str, ...]:
        found = self._down.get(name)
        if found is None:
            found = self._down[name] = _walk(name, self._by_parent())
        return found

    def depth(self, name: str) -> int:
        above = self._parents.get(name, ())
        return 1 + max(self.depth(parent) for parent in above) if above else 0

    def _by_parent(self) -> dict[str, list[str]]:
        if self._children is None:
            self._children = {}
            for name, above in self._parents.items():
                for parent in above:
                    self._children.setdefault(parent, []).append(name)
        return self._children


@lru_cache(maxsize=10_000)  # one answer asks tens of thousands of times for the same few
def _is_any_below(model: Biolink, categories: tuple[str, ...], ancestor: str) -> bool:
    wanted = _named(ancestor)
    return any(wanted in model.category_ancestors(category) for category in categories)


def _walk(start: str, neighbours: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    seen = {start: None}
    queue = [start]
    for name in queue:
        for neighbour in neighbours.get(name, ()):
            if neighbour not in seen:
                seen[neighbour] = None
                queue.append(neighbour)
    return tuple(seen)


def _named(name: str) -> str:
    return name if name.startswith("biolink:") else f"biolink:{name}"


def _prefixed(table: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {f"biolink:{n}": tuple(f"biolink:{p}" for p in above) for n, above in table.items()}
